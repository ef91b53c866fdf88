"""What to play: a hint for a board, and what each of its moves is worth."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, TypedDict, overload

from scorpion._core import rate_moves, search
from scorpion.board import Board
from scorpion.errors import BoardError
from scorpion.fair import SAMPLE_NODES, SAMPLES, FairHint, Share, fair_hint, fair_rate
from scorpion.losses.locks import Cases, Lock
from scorpion.moves import Move
from scorpion.reasons import Loss, explain
from scorpion.solver import _BY_CODE, MAX_MEMORY, Cancel, Verdict, _budget, _budgets

MAX_NODES: Final = 250_000
SHORTER: Final = 200
"""Positions that a hint spends on a shorter line: what a tenth of a millisecond buys."""


class Budgets(TypedDict, total=False):
    """The budgets of :func:`hint` and :func:`rate`, for what passes them on."""

    max_nodes: int | None
    max_seconds: float | None
    max_memory: int | None
    cancel: Cancel | None


@dataclass(frozen=True)
class Hint:
    """The move to play on a board, and what is known of the board.

    ``move`` is None only where there is none: the game is won or stuck. Where the
    verdict is WINNABLE, ``line`` is a whole line that wins and ``move`` its first.
    Where it is LOST, ``move`` is the legal move that uncovers most, see :func:`hint`.
    Where it is UNDECIDED, ``move`` is the best that was found, a guess.

    ``nodes`` counts positions seen, and ``limit`` names the budget that ran out, None
    unless the verdict is UNDECIDED. ``board`` is what the hint is for.
    """

    move: Move | None
    verdict: Verdict
    line: tuple[Move, ...]
    nodes: int
    limit: Literal["nodes", "seconds", "memory", "cancelled"] | None
    board: Board = field(repr=False, compare=False)

    @property
    def is_guess(self) -> bool:
        """Whether it is not known where the move leads."""
        return self.verdict is Verdict.UNDECIDED

    @cached_property
    def reason(self) -> Lock | Cases | Loss | None:
        """Why the board is lost: the answer of :func:`explain`, found when it is asked for.

        None unless the verdict is LOST, and where :func:`explain` does not settle the
        board within 250,000 positions (or as many as the hint took).
        """
        if self.verdict is not Verdict.LOST:
            return None
        return explain(self.board, max_nodes=max(MAX_NODES, self.nodes))


@overload
def hint(
    board: Board,
    *,
    max_nodes: int | None = ...,
    max_seconds: float | None = ...,
    max_memory: int | None = ...,
    cancel: Cancel | None = ...,
    shorten: bool = ...,
    peek: Literal[True] = ...,
) -> Hint: ...


@overload
def hint(
    board: Board,
    *,
    max_nodes: int | None = ...,
    max_seconds: float | None = ...,
    max_memory: int | None = ...,
    cancel: Cancel | None = ...,
    peek: Literal[False],
    samples: int = ...,
    seed: int = ...,
) -> FairHint: ...


def hint(
    board: Board,
    *,
    max_nodes: int | None = MAX_NODES,
    max_seconds: float | None = None,
    max_memory: int | None = MAX_MEMORY,
    cancel: Cancel | None = None,
    shorten: bool = True,
    peek: bool = True,
    samples: int = SAMPLES,
    seed: int = 0,
) -> Hint | FairHint:
    """The move to play: one that keeps the win where there is one.

    It is the first of a line that wins, if the board can be won. ``shorten`` looks over
    200 more positions for a shorter line; to go on with the rest of a line that is
    known needs no new hint (:class:`Game` does so).

    On a lost board it is the legal move that uncovers most: that turns up the most
    cards. Among equals a card that goes onto one that it fits on for the first time
    comes before the deal, the deal before a card that goes to an empty column, and
    moves that can be taken back by others come last; among equals again the one that
    leaves the most legal moves, and then the first in the order of ``legal_moves()``.

    If a budget runs out before either is known, it is the first move towards the most
    promising position that the search came across, or, where it came across none, the
    one that uncovers most among those which do not lose at a glance. Nothing is raised.

    With ``peek=False`` it is the hint of :func:`fair_hint`, from ``samples`` and ``seed``
    and what the player sees. Only so can a board with unknown cards be hinted; and
    ``max_nodes`` then holds for each move in each sample, where it is 20,000 at the most.

    The budgets are those of :func:`solve`, and so is what it says of them: within
    ``max_nodes`` the same board always has the same hint. Raises :class:`BoardError` for
    a thing that is no board, and :class:`BudgetError`.
    """
    if not peek:
        return fair_hint(
            board,
            samples=samples,
            seed=seed,
            max_nodes=_for_a_sample(max_nodes),
            max_seconds=max_seconds,
            max_memory=max_memory,
            cancel=cancel,
        )
    if not isinstance(board, Board):
        raise BoardError(f"a hint is for a Board, not {type(board).__name__}")
    outcome, moves, nodes = search(
        board._position,
        **_budgets(max_nodes, max_seconds, max_memory),
        cancel=cancel,
        shorten=SHORTER if shorten else 0,
        advise=True,
    )
    move = moves[0] if moves else None
    if outcome == "won":
        return Hint(move, Verdict.WINNABLE, moves, nodes, None, board)
    if outcome == "lost":
        return Hint(move, Verdict.LOST, (), nodes, None, board)
    return Hint(move, Verdict.UNDECIDED, (), nodes, outcome, board)


@overload
def rate(
    board: Board,
    *,
    max_nodes: int | None = ...,
    max_seconds: float | None = ...,
    max_memory: int | None = ...,
    cancel: Cancel | None = ...,
    peek: Literal[True] = ...,
) -> dict[Move, Verdict]: ...


@overload
def rate(
    board: Board,
    *,
    max_nodes: int | None = ...,
    max_seconds: float | None = ...,
    max_memory: int | None = ...,
    cancel: Cancel | None = ...,
    peek: Literal[False],
    samples: int = ...,
    seed: int = ...,
) -> dict[Move, Share]: ...


def rate(
    board: Board,
    *,
    max_nodes: int | None = MAX_NODES,
    max_seconds: float | None = None,
    max_memory: int | None = MAX_MEMORY,
    cancel: Cancel | None = None,
    peek: bool = True,
    samples: int = SAMPLES,
    seed: int = 0,
) -> dict[Move, Verdict] | dict[Move, Share]:
    """What each legal move leads to: which keep the win, which throw it away.

    The verdict of a move is that of the board after it, and the order that of
    ``legal_moves()``; a board without moves gives an empty dict. All moves are settled
    in one search, which costs far less than :func:`solve` after each of them: a line
    that wins after one move is tried after the others, positions that were seen to be
    lost are lost from everywhere, and what was learned holds on.

    The budgets are for all moves together, and what they do not suffice for is
    UNDECIDED. Of ``max_nodes`` up to half goes to the board itself, and of what is then
    left each move in turn has an equal share with those after it; so within
    ``max_nodes`` the same board always has the same ratings.

    With ``peek=False`` a move has the share of :func:`fair_rate`, from what the player
    sees; see :func:`hint`.

    Raises :class:`BoardError` for a thing that is no board, and :class:`BudgetError`.
    """
    if not peek:
        return fair_rate(
            board,
            samples=samples,
            seed=seed,
            max_nodes=_for_a_sample(max_nodes),
            max_seconds=max_seconds,
            max_memory=max_memory,
            cancel=cancel,
        )
    if not isinstance(board, Board):
        raise BoardError(f"rate looks at a Board, not {type(board).__name__}")
    worths, _ = rate_moves(
        board._position, **_budgets(max_nodes, max_seconds, max_memory), cancel=cancel
    )
    return {move: _BY_CODE[worth] for move, worth in zip(board.legal_moves(), worths, strict=True)}


def _for_a_sample(max_nodes: int | None) -> int:
    checked = _budget("max_nodes", max_nodes, whole=True)
    return min(int(checked), SAMPLE_NODES)
