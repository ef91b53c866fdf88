"""What every route works with: the settings, the tokens, the searches and the counts."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from scorpion import Board
from scorpion.fair import SAMPLE_NODES, SAMPLES
from scorpion.limits import Budgets
from scorpion.web.guards import Metrics
from scorpion.web.models import Asked, AskedFair, AskedSearch, OfText, Table
from scorpion.web.searches import Searches
from scorpion.web.settings import Settings
from scorpion.web.tokens import Source, Tokens


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
    metrics: Metrics

    def board(self, asked: Asked) -> tuple[Board, Source]:
        """The board that is asked about. Raises BoardError, RulesError and TokenError."""
        position = asked.position
        if isinstance(position, OfText):
            return Board.parse(position.board, position.rules), Source()
        return self.tokens.open(position.token)

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
