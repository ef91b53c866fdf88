"""What every route works with: the settings, the tokens, the searches and the counts."""

from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import Depends, Request

from scorpion import Board
from scorpion.web.guards import Metrics
from scorpion.web.models import Asked, AskedHint, AskedSearch, OfText, Problem, Table
from scorpion.web.searches import Searches
from scorpion.web.settings import Settings
from scorpion.web.tokens import Source, Tokens

PROBLEMS: Final[dict[int | str, dict[str, Any]]] = {
    400: {"model": Problem, "description": "What was sent is no board, move, deal or token."},
    413: {"model": Problem, "description": "The body of the request is too large."},
    422: {"model": Problem, "description": "The request does not have this form."},
}
SEARCH_PROBLEMS: Final = PROBLEMS | {
    503: {
        "model": Problem,
        "description": "Too many searches are under way; come again after Retry-After seconds.",
    },
}


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

    def budgets(self, asked: AskedSearch) -> dict[str, Any]:
        """What a search may use: what was asked, capped by the settings."""
        most = self.settings
        return {
            "max_nodes": min(asked.max_nodes or most.max_nodes, most.max_nodes),
            "max_seconds": min(asked.max_seconds or most.max_seconds, most.max_seconds),
            "max_memory": most.max_memory,
        }

    def samples(self, asked: AskedHint) -> int:
        """How many samples may stand for the hidden cards."""
        return min(asked.samples or self.settings.max_samples, self.settings.max_samples)


def _context(request: Request) -> Context:
    context: Context = request.app.state.context
    return context


Served = Annotated[Context, Depends(_context)]
"""The parameter of a route through which it gets at the service's parts."""
