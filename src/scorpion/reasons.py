"""Why no play can win."""

import time
from dataclasses import dataclass
from typing import Any

from scorpion.board import Board, check_board, position_of
from scorpion.limits import HINT_NODES, MAX_MEMORY, Cancel, Limits
from scorpion.losses.firsts import find_refutation
from scorpion.losses.locks import Cases, Lock
from scorpion.losses.proofs import Watch
from scorpion.losses.stuck import find_lock
from scorpion.solver import Verdict, settle
from scorpion.words import count


@dataclass(frozen=True, slots=True)
class Loss:
    """The board is lost, which no simple reason shows: ``nodes`` positions were seen."""

    nodes: int

    def to_dict(self) -> dict[str, Any]:
        """The loss as JSON knows it."""
        return {"kind": "search", "nodes": self.nodes, "text": str(self)}

    def __str__(self) -> str:
        positions = count(self.nodes, "position")
        return f"No line of play wins, as the search proved after {positions}."


def explain(
    board: Board,
    *,
    max_nodes: int | None = HINT_NODES,
    max_seconds: float | None = None,
    max_memory: int | None = MAX_MEMORY,
    cancel: Cancel | None = None,
) -> Lock | Cases | Loss | None:
    """Why no play can win, as data and (by ``str``) as a sentence.

    - A :class:`Lock` where there is one: cards that can never be uncovered, each with its
      reason, as few as were found. That takes no search, 0.5 ms as a rule.
    - :class:`Cases` for some boards of games that build in alternating colours: a lock
      for each answer to who of two twins finds a place first.
    - A :class:`Loss` where neither is found, but :func:`solve` proves the loss within its
      budgets, which are taken here too; ``solve(board, proof=True)`` then looks for
      a proof that can be checked.
    - None if the board is winnable (or won), or a budget ran out before it was settled.

    :func:`check_lock` accepts each lock and each case that is found. All answers have
    ``to_dict()`` with "kind" (lock, cases or search) and "text", ready for JSON.

    Raises :class:`BoardError` for what is no board and :class:`BudgetError`.
    """
    position = position_of(check_board(board, "explain looks at"))
    limits = Limits.checked(max_nodes, max_seconds, max_memory, cancel)
    watch = Watch(time.perf_counter() + limits.max_seconds, cancel)
    lock = find_lock(position)
    if lock is not None:
        return lock
    solution = settle(board, limits)
    if solution.verdict is not Verdict.LOST:
        return None
    refutation = find_refutation(position, stops=watch.stops)
    return Loss(solution.nodes) if refutation is None else refutation
