"""What every route works with: the settings, the tokens, the searches and the counts."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, TypeVar

from fastapi import Depends, Request

from scorpion import Board
from scorpion.fair import SAMPLE_NODES, SAMPLES
from scorpion.limits import Budgets
from scorpion.web.daily import DailyBoards
from scorpion.web.guards import Metrics
from scorpion.web.models import Asked, AskedFair, AskedSearch, OfText, Table
from scorpion.web.searches import Searches
from scorpion.web.settings import Settings
from scorpion.web.tokens import Source, Tokens

Replayed = TypeVar("Replayed")

FEW_MOVES: Final = 60
"""As many as take a player to the end; more are played in turn, one request after another."""


class Sampling(Budgets):
    """The budgets of fair hints and ratings, and how the hidden cards are drawn."""

    samples: int
    seed: int


@dataclass(frozen=True, slots=True)
class Context:
    """The parts of one service; no two services share any."""

    settings: Settings
    tokens: Tokens
    searches: Searches
    replays: Searches
    days: DailyBoards
    metrics: Metrics

    def board(self, asked: Asked) -> tuple[Board, Source]:
        """The board that is asked about. Raises BoardError, RulesError and TokenError."""
        position = asked.position
        if isinstance(position, OfText):
            return Board.parse(position.board, position.rules), Source()
        return self.tokens.open(position.token)

    async def replay(
        self, request: Request, play: Callable[..., Replayed], board: Board, moves: Sequence[str]
    ) -> Replayed:
        """What ``play`` makes of the moves; who asks for many waits until others have had theirs.

        Raises what :meth:`Searches.run` raises and what ``play`` raises.
        """
        if len(moves) <= FEW_MOVES:
            return play(board, moves)

        def in_turn(cancel: threading.Event) -> Replayed:  # noqa: ARG001 - it takes milliseconds
            return play(board, moves)

        return await self.replays.run(request, in_turn)

    def sealed(self, board: Board, source: Source) -> Table:
        """A board on its way to its player."""
        return Table.of(board, self.tokens.seal(board, source), source)

    def budgets(self, asked: AskedSearch) -> Budgets:
        """What a search may use: what was asked, capped by the settings."""
        most = self.settings
        return {
            "max_nodes": min(asked.max_nodes or most.max_nodes, most.max_nodes),
            "max_seconds": min(asked.max_seconds or most.max_seconds, most.max_seconds),
            "max_memory": most.max_memory,
        }

    def sampling(self, asked: AskedFair) -> Sampling:
        """What a fair answer may use; as many positions a sample as in the library."""
        most = self.settings
        nodes = min(asked.max_nodes or SAMPLE_NODES, most.max_nodes)
        samples = min(asked.samples or SAMPLES, most.max_samples)
        return {
            **self.budgets(asked),
            "max_nodes": nodes,
            "samples": samples,
            "seed": asked.seed,
        }


async def _context(request: Request) -> Context:
    # Not a plain function, which FastAPI would take through a thread for every request.
    context: Context = request.app.state.context
    return context


Served = Annotated[Context, Depends(_context)]
"""The parameter of a route through which it gets at the service's parts."""
