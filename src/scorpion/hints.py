"""What to play: a hint for a board, and what each of its moves is worth."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal

from scorpion._core import rate_moves, search
from scorpion.board import Board, check_board, position_of
from scorpion.limits import HINT_NODES, MAX_MEMORY, Cancel, Limits
from scorpion.losses.locks import Proof, Refutation
from scorpion.moves import Move
from scorpion.reasons import Loss, explain
from scorpion.solver import VERDICTS, Verdict
from scorpion.words import count

SHORTER: Final = 200
"""Positions that a hint spends on a shorter line: what a tenth of a millisecond buys."""


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
    board: Board = field(compare=False)

    def __repr__(self) -> str:
        known = {
            Verdict.WINNABLE: f"winnable in {count(len(self.line), 'move')}",
            Verdict.LOST: "lost",
            Verdict.UNDECIDED: f"undecided ({self.limit})",
        }
        move = "no move" if self.move is None else self.move
        return f"<Hint {move}: {known[self.verdict]}, {count(self.nodes, 'position')}>"

    @property
    def is_guess(self) -> bool:
        """Whether it is not known where the move leads."""
        return self.verdict is Verdict.UNDECIDED

    @cached_property
    def reason(self) -> Refutation | Proof | Loss | None:
        """Why the board is lost: the answer of :func:`explain`, found when it is asked for.

        None unless the verdict is LOST, and where :func:`explain` does not settle the
        board within 250,000 positions (or as many as the hint took).
        """
        if self.verdict is not Verdict.LOST:
            return None
        return explain(self.board, max_nodes=max(HINT_NODES, self.nodes))


def hint(
    board: Board,
    *,
    max_nodes: int | None = HINT_NODES,
    max_seconds: float | None = None,
    max_memory: int | None = MAX_MEMORY,
    cancel: Cancel | None = None,
    shorten: bool = True,
) -> Hint:
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

    All cards are known to it; a hint that uses no more than what a player sees is
    :func:`fair_hint`.

    The budgets are those of :func:`solve`, and so is what it says of them: within
    ``max_nodes`` the same board always has the same hint. Raises :class:`BoardError` for
    a thing that is no board and for a board with unknown cards, and :class:`BudgetError`.
    """
    limits = Limits.checked(max_nodes, max_seconds, max_memory, cancel)
    outcome, moves, nodes = search(
        position_of(check_board(board, "a hint is for")),
        **limits.for_core(),
        shorten=SHORTER if shorten else 0,
        advise=True,
    )
    move = moves[0] if moves else None
    if outcome == "won":
        return Hint(move, Verdict.WINNABLE, moves, nodes, None, board)
    if outcome == "lost":
        return Hint(move, Verdict.LOST, (), nodes, None, board)
    return Hint(move, Verdict.UNDECIDED, (), nodes, outcome, board)


def rate(
    board: Board,
    *,
    max_nodes: int | None = HINT_NODES,
    max_seconds: float | None = None,
    max_memory: int | None = MAX_MEMORY,
    cancel: Cancel | None = None,
) -> dict[Move, Verdict]:
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

    All cards are known to it; :func:`fair_rate` uses no more than what a player sees.

    Raises :class:`BoardError` for a thing that is no board and for a board with unknown
    cards, and :class:`BudgetError`.
    """
    limits = Limits.checked(max_nodes, max_seconds, max_memory, cancel)
    position = position_of(check_board(board, "rate looks at"))
    worths, _ = rate_moves(position, **limits.for_core())
    return {move: VERDICTS[worth] for move, worth in zip(board.legal_moves(), worths, strict=True)}
