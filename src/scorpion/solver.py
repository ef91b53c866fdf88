"""Settling boards: budgets in, results out."""

import time
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, Literal

from scorpion._core import Position, search, search_deals, search_positions
from scorpion.board import Board, check_board, position_of
from scorpion.deals import check_dealer, check_number
from scorpion.errors import BoardError, IllegalMoveError
from scorpion.limits import MAX_MEMORY, MAX_NODES, Cancel, Limits
from scorpion.losses.finding import find_proof
from scorpion.losses.locks import Proof
from scorpion.moves import Move
from scorpion.rules import Rules, rules_of
from scorpion.words import count, figure

SHORTER: Final = 5_000
"""Positions that the search for a shorter line may see."""


class Verdict(StrEnum):
    """What is known of a board."""

    WINNABLE = "winnable"
    """There is a line that wins, and the result holds one."""
    LOST = "lost"
    """It is proved that no line wins."""
    UNDECIDED = "undecided"
    """A budget ran out before either was found."""


VERDICTS: Final = (Verdict.WINNABLE, Verdict.LOST, Verdict.UNDECIDED)
"""In the order of the numbers that the core gives them."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What :func:`solve` found.

    ``moves`` is a line that wins, empty unless the verdict is WINNABLE. ``nodes``
    counts the positions seen, ``seconds`` is wall-clock time, and ``limit`` names
    the budget that ran out, None unless the verdict is UNDECIDED or a proof was asked
    for and not finished. ``proof`` is there when it was asked for and the board is lost.
    """

    verdict: Verdict
    moves: tuple[Move, ...]
    nodes: int
    seconds: float
    limit: Literal["nodes", "seconds", "memory", "cancelled"] | None
    proof: Proof | None = None

    def __repr__(self) -> str:
        ends = {
            Verdict.WINNABLE: f"winnable in {count(len(self.moves), 'move')}",
            Verdict.LOST: "lost" if self.limit is None else f"lost, no proof ({self.limit})",
            Verdict.UNDECIDED: f"undecided ({self.limit})",
        }
        effort = f"{count(self.nodes, 'position')}, {figure(self.seconds)} s"
        proof = "" if self.proof is None else f", {self.proof!r}"
        return f"<Solution: {ends[self.verdict]}, {effort}{proof}>"


def solve(
    board: Board,
    *,
    max_nodes: int | None = MAX_NODES,
    max_seconds: float | None = None,
    max_memory: int | None = MAX_MEMORY,
    cancel: Cancel | None = None,
    progress: Callable[[int], object] | None = None,
    shorten: bool = False,
    proof: bool = False,
) -> Solution:
    """Settle a board: a line that wins, or a proof that none exists.

    Running out of a budget is a verdict, UNDECIDED, never an exception; None is no
    limit. ``max_nodes`` counts positions seen, ``max_memory`` bytes that the search
    allocates. ``cancel`` is asked 100 times a second whether ``is_set()``;
    ``progress`` is called about four times a second with the number of positions
    seen; an exception it raises ends the search and is passed on. So does Ctrl-C.
    Other threads run meanwhile.

    ``shorten`` goes on looking for shorter lines when one is found, over 5,000 more
    positions at the most and within the budgets: one or two moves fewer on average.

    ``proof`` adds a :class:`Proof` to a LOST that :func:`check_proof` accepts. It is
    looked for after the search, without what the search has learnt: most proofs are of
    one position, but some take thousands. Its positions count as ``nodes``, and all
    budgets include it. If one runs out the board is LOST all the same, but ``proof`` is
    None and ``limit`` says why.

    Unless it was stopped by time, memory or ``cancel``, the same board and
    ``max_nodes`` give the same verdict, moves and nodes on every machine.

    LOST rests on every reachable position having been seen, proved dead or refuted
    by a nogood that was proved. Seen positions are told apart by their whole keys, not
    by hashes: the probability of a wrong LOST by collision is zero. The search is
    described in ``docs/how-it-settles.md``.

    Raises :class:`BudgetError` for a budget that is not positive.
    """
    limits = Limits.checked(max_nodes, max_seconds, max_memory, cancel, progress)
    return settle(check_board(board, "solve settles"), limits, shorten=shorten, proof=proof)


def settle(board: Board, limits: Limits, *, shorten: bool = False, proof: bool = False) -> Solution:
    """What :func:`solve` answers, within limits that were checked before."""
    position = position_of(board)
    start = time.perf_counter()
    outcome, moves, nodes = search(
        position,
        **limits.for_core(),
        progress=limits.progress,
        shorten=SHORTER if shorten else 0,
    )
    if outcome == "lost" and proof:
        return _with_proof(position, limits, nodes, start)
    seconds = time.perf_counter() - start
    if outcome == "won":
        return Solution(Verdict.WINNABLE, moves, nodes, seconds, None)
    if outcome == "lost":
        return Solution(Verdict.LOST, (), nodes, seconds, None)
    return Solution(Verdict.UNDECIDED, (), nodes, seconds, outcome)


def _with_proof(position: Position, limits: Limits, nodes: int, start: float) -> Solution:
    """A loss that was found after so many nodes, with its proof if the budgets last."""
    tell = limits.progress
    left = replace(
        limits,
        max_nodes=limits.max_nodes - nodes,
        max_seconds=limits.max_seconds - (time.perf_counter() - start),
        progress=None if tell is None else lambda reached: tell(nodes + reached),
    )
    found, reached = find_proof(position, left)
    seconds = time.perf_counter() - start
    if isinstance(found, Proof):
        return Solution(Verdict.LOST, (), nodes + reached, seconds, None, found)
    assert found != "won", "a play wins from a board that is lost"
    return Solution(Verdict.LOST, (), nodes + reached, seconds, found)


@dataclass(frozen=True, slots=True)
class Batch:
    """What :func:`solve_many` found: an entry for each board settled, in their order.

    ``codes`` holds a byte each, 0 winnable, 1 lost, 2 undecided (:meth:`verdicts` gives
    them by name); ``nodes`` positions seen, ``lengths`` moves of the winning line (0
    without one) and ``seconds`` the time, as arrays. ``limit`` is "seconds" or
    "cancelled" if that ended the batch before its last board, else None.
    """

    codes: bytes
    nodes: "array[int]"
    lengths: "array[int]"
    seconds: "array[float]"
    limit: Literal["seconds", "cancelled"] | None

    def __repr__(self) -> str:
        found = f"{self.won:,} won, {self.lost:,} lost, {self.undecided:,} undecided"
        limit = "" if self.limit is None else f", stopped ({self.limit})"
        return f"<Batch of {count(len(self), 'board')}: {found}{limit}>"

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def won(self) -> int:
        """How many boards are winnable."""
        return self.codes.count(0)

    @property
    def lost(self) -> int:
        """How many boards are proved lost."""
        return self.codes.count(1)

    @property
    def undecided(self) -> int:
        """How many boards ran out of nodes or memory."""
        return self.codes.count(2)

    def verdicts(self) -> list[Verdict]:
        """The verdict on each board."""
        return [VERDICTS[code] for code in self.codes]


def solve_many(
    boards: Iterable[Board] | str | Rules,
    numbers: Iterable[int] = (),
    *,
    dealer: str = "pysolfc",
    max_nodes: int | None = MAX_NODES,
    max_seconds: float | None = None,
    max_memory: int | None = MAX_MEMORY,
    cancel: Cancel | None = None,
    progress: Callable[[int], object] | None = None,
) -> Batch:
    """Settle many boards in the core: boards, or the numbered deals of a game.

    ``solve_many("wasp", range(1, 1001))`` deals and settles without making a Python
    object of any deal. ``max_nodes`` and ``max_memory`` hold for each board, as in
    :func:`solve` and with the same verdicts, nodes and lines; ``max_seconds`` and
    ``cancel`` end the whole batch, and what was settled by then is kept. ``progress``
    is called about four times a second with the number of boards settled.

    Raises :class:`RulesError`, :class:`DealError`, :class:`BoardError` for a thing
    that is no board, and :class:`BudgetError`.
    """
    limits = Limits.checked(max_nodes, max_seconds, max_memory, cancel, progress)
    budgets: dict[str, Any] = limits.for_core() | {"progress": progress}
    if isinstance(boards, str | Rules):
        checked = (check_number(number, dealer) for number in numbers)
        found = search_deals(rules_of(boards), check_dealer(dealer), checked, **budgets)
    else:
        found = search_positions(map(_position, boards), **budgets)
    return Batch(*found)


def _position(board: Board) -> Position:
    if not isinstance(board, Board):
        raise BoardError(f"solve_many settles Boards, not {type(board).__name__}")
    return position_of(board)


def verify(board: Board, moves: Iterable[Move]) -> None:
    """Check that the moves win from the board: replayed one by one, idle moves allowed.

    Raises :class:`IllegalMoveError` with the step at the first move that the rules
    do not allow, and without one if all are legal and the game is not won.
    """
    board = check_board(board, "verify replays on")
    step = 0
    for step, move in enumerate(moves, 1):
        try:
            board = board.play(move)
        except IllegalMoveError as error:
            raise IllegalMoveError(error.message, step) from None
    if not board.is_won:
        done = "this move" if step == 1 else f"these {step:,} moves"
        raise IllegalMoveError(f"the game is not won after {done}")
