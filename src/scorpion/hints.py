"""What to play: a hint for a board, and what each of its moves is worth."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal

from scorpion import _core
from scorpion.board import Board
from scorpion.errors import BoardError
from scorpion.moves import Move
from scorpion.solver import MAX_MEMORY, Cancel, Verdict, budget

MAX_NODES: Final = 250_000
SHORTER: Final = 200
"""Positions that a hint spends on a shorter line once it has one."""

_VERDICT: Final = {"won": Verdict.WINNABLE, "lost": Verdict.LOST}


@dataclass(frozen=True)
class Hint:
    """The move to play on a board, and what is known of the board.

    ``move`` is None only where there is none to play: the game is won or stuck. Where
    the verdict is WINNABLE, ``line`` is a whole line that wins and ``move`` its first;
    where it is LOST, ``move`` is the legal move that uncovers most; where it is
    UNDECIDED, the best move found, a guess. ``nodes`` counts positions seen, ``limit``
    names the budget that ran out, None unless the verdict is UNDECIDED.
    """

    move: Move | None
    verdict: Verdict
    line: tuple[Move, ...]
    nodes: int
    limit: Literal["nodes", "seconds", "memory", "cancelled"] | None
    board: Board = field(repr=False)

    @property
    def is_guess(self) -> bool:
        """Whether nothing is known of where the move leads."""
        return self.verdict is Verdict.UNDECIDED


def hint(
    board: Board,
    *,
    max_nodes: int | None = MAX_NODES,
    max_seconds: float | None = None,
    max_memory: int | None = MAX_MEMORY,
    cancel: Cancel | None = None,
    shorter: int = SHORTER
) -> Hint:
    if not isinstance(board, Board):
        raise BoardError(f"a hint is for a Board, not {type(board).__name__}")
    outcome, moves, nodes = _core.search(
        board._position,
        max_nodes=int(budget("max_nodes", max_nodes, whole=True)),
        max_seconds=budget("max_seconds", max_seconds, whole=False),
        max_memory=int(budget("max_memory", max_memory, whole=True)),
        cancel=cancel,
        shorten=shorter,
        advise=True,
    )
    move = moves[0] if moves else None
    if outcome == "won":
        return Hint(move, Verdict.WINNABLE, moves, nodes, None, board)
    if outcome == "lost":
        return Hint(move, Verdict.LOST, (), nodes, None, board)
    return Hint(move, Verdict.UNDECIDED, (), nodes, outcome, board)


def rate(board, *, max_nodes=MAX_NODES, max_seconds=None, max_memory=MAX_MEMORY, cancel=None):
    worths, _ = _core.rate(
        board._position,
        max_nodes=int(budget("max_nodes", max_nodes, whole=True)),
        max_seconds=budget("max_seconds", max_seconds, whole=False),
        max_memory=int(budget("max_memory", max_memory, whole=True)),
        cancel=cancel,
    )
    return dict(zip(board.legal_moves(), [(Verdict.WINNABLE, Verdict.LOST, Verdict.UNDECIDED)[w] for w in worths], strict=True))
