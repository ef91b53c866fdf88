"""Settling boards: budgets in, results out."""

import math
import time
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Literal, Protocol

from scorpion._core import Position, search, search_deals, search_positions
from scorpion.board import Board
from scorpion.deals import check_dealer, check_number
from scorpion.errors import BoardError, BudgetError, IllegalMoveError
from scorpion.losses.locks import Proof
from scorpion.losses.proofs import Watch, find_proof
from scorpion.moves import Move
from scorpion.rules import Rules, rules_of

MAX_NODES: Final = 1_000_000
MAX_MEMORY: Final = 2**30
SHORTER: Final = 5_000
"""Positions that the search for a shorter line may see."""
_UNLIMITED: Final = 2**63


class Verdict(StrEnum):
    """What is known of a board."""

    WINNABLE = "winnable"
    """There is a line that wins, and the result holds one."""
    LOST = "lost"
    """It is proved that no line wins."""
    UNDECIDED = "undecided"
    """A budget ran out before either was found."""


class Cancel(Protocol):
    """What a search can be stopped by: a :class:`threading.Event`, for one."""

    def is_set(self) -> bool:
        """Whether the search is to stop."""


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
    looked for after the search, in Python, some thousand times as slow per position,
    and without what the search has learnt: most proofs are of one position, but some take
    thousands or come to no end. Its positions count as ``nodes``, and all budgets
    include it. If one runs out the board is LOST all the same, but ``proof`` is None
    and ``limit`` says why.

    Unless it was stopped by time, memory or ``cancel``, the same board and
    ``max_nodes`` give the same verdict, moves and nodes on every machine.

    LOST rests on every reachable position having been seen, proved dead or refuted
    by a nogood that was proved. Seen positions are told apart by their whole keys, not
    by hashes: the probability of a wrong LOST by collision is zero. The search is
    described in the README.

    Raises :class:`BudgetError` for a budget that is not positive.
    """
    if not isinstance(board, Board):
        raise BoardError(f"solve settles a Board, not {type(board).__name__}")
    nodes_left = _budget("max_nodes", max_nodes, whole=True)
    seconds_left = _budget("max_seconds", max_seconds, whole=False)
    memory_left = _budget("max_memory", max_memory, whole=True)
    start = time.perf_counter()
    outcome, moves, nodes = search(
        board._position,
        max_nodes=int(nodes_left),
        max_seconds=seconds_left,
        max_memory=int(memory_left),
        cancel=cancel,
        progress=progress,
        shorten=SHORTER if shorten else 0,
    )
    seconds = time.perf_counter() - start
    if outcome == "won":
        return Solution(Verdict.WINNABLE, moves, nodes, seconds, None)
    if outcome == "lost" and proof:
        watch = Watch(start + seconds_left, cancel, progress, seen=nodes, reported=start)
        found = find_proof(
            board._position, watch, max_nodes=nodes_left - nodes, max_memory=memory_left
        )
        seconds = time.perf_counter() - start
        if isinstance(found, Proof):
            return Solution(Verdict.LOST, (), watch.seen, seconds, None, found)
        assert found is not None, "a play wins from a board that is lost"
        return Solution(Verdict.LOST, (), watch.seen, seconds, found)
    if outcome == "lost":
        return Solution(Verdict.LOST, (), nodes, seconds, None)
    return Solution(Verdict.UNDECIDED, (), nodes, seconds, outcome)


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
        return [_BY_CODE[code] for code in self.codes]


_BY_CODE: Final = (Verdict.WINNABLE, Verdict.LOST, Verdict.UNDECIDED)


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
    budgets: dict[str, Any] = {
        **_budgets(max_nodes, max_seconds, max_memory),
        "cancel": cancel,
        "progress": progress,
    }
    if isinstance(boards, str | Rules):
        checked = (check_number(number, dealer) for number in numbers)
        found = search_deals(rules_of(boards), check_dealer(dealer), checked, **budgets)
    else:
        found = search_positions(map(_position, boards), **budgets)
    return Batch(*found)


def _position(board: Board) -> Position:
    if not isinstance(board, Board):
        raise BoardError(f"solve_many settles Boards, not {type(board).__name__}")
    return board._position


def _budget(name: str, value: float | None, *, whole: bool) -> float:
    if value is None:
        return _UNLIMITED
    number = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
    if not number or math.isnan(value) or value <= 0:
        kind = "whole number" if whole else "number"
        raise BudgetError(f"{name} is {value!r}; it must be a {kind} above zero, or None")
    return min(value, _UNLIMITED)


def _budgets(
    max_nodes: int | None, max_seconds: float | None, max_memory: int | None
) -> dict[str, Any]:
    """The budgets that all searches have, checked, as the core takes them."""
    return {
        "max_nodes": int(_budget("max_nodes", max_nodes, whole=True)),
        "max_seconds": _budget("max_seconds", max_seconds, whole=False),
        "max_memory": int(_budget("max_memory", max_memory, whole=True)),
    }


def verify(board: Board, moves: Iterable[Move]) -> None:
    """Check that the moves win from the board: replayed one by one, idle moves allowed.

    Raises :class:`IllegalMoveError` with the step at the first move that the rules
    do not allow, and without one if all are legal and the game is not won.
    """
    if not isinstance(board, Board):
        raise BoardError(f"verify replays on a Board, not {type(board).__name__}")
    step = 0
    for step, move in enumerate(moves, 1):
        try:
            board = board.play(move)
        except IllegalMoveError as error:
            raise IllegalMoveError(error.message, step) from None
    if not board.is_won:
        raise IllegalMoveError(f"the game is not won after these {step} moves")
