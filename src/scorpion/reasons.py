"""Why no play can win."""

import time
from dataclasses import dataclass, replace
from typing import Any, Final

from scorpion.board import Board, check_board, position_of
from scorpion.limits import HINT_NODES, MAX_MEMORY, Cancel, Limits
from scorpion.losses.finding import find_proof, find_refutation
from scorpion.losses.locks import Proof, Refutation
from scorpion.solver import Verdict, settle
from scorpion.words import count

MOST_POSITIONS: Final = 500
"""A larger proof is none that one would read; ``solve(board, proof=True)`` finds it."""


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
) -> Refutation | Proof | Loss | None:
    """Why no play can win, as data and (by ``str``) as a sentence.

    - A :class:`Lock` where there is one: cards that can never be uncovered, each with its
      reason, as few as were found. That takes no search.
    - :class:`FirstParked`: a lock for each answer to which card goes to an empty column
      first, and where need be which next, and so on.
    - :class:`Cases` where one builds in alternating colours: for each answer to which of
      two twins finds a place first.
    - :class:`LastHome` where one builds in suit: for each answer to which of some cards that
      wait on each other comes home last.
    - A small :class:`Proof` where the board has no such reason, but all positions that can be
      reached do in the end: which these are, and what their locks are.
    - A :class:`Loss` where none of these is found, but :func:`solve` proves the loss within its
      budgets, which are taken here too; ``solve(board, proof=True)`` then looks for
      a proof that can be checked.
    - None if the board is winnable (or won), or a budget ran out before it was settled.

    :func:`check_lock` accepts each lock and all cases that are found, :func:`check_proof` each
    proof. All answers have ``to_dict()`` with "kind" (lock, first parked, cases, last home,
    proof or search) and "text", ready for JSON.

    Raises :class:`BoardError` for what is no board and :class:`BudgetError`.
    """
    position = position_of(check_board(board, "explain looks at"))
    limits = Limits.checked(max_nodes, max_seconds, max_memory, cancel)
    start = time.perf_counter()
    refutation = find_refutation(position)
    if refutation is not None:
        return refutation
    solution = settle(board, limits)
    if solution.verdict is not Verdict.LOST:
        return None
    left = replace(
        limits,
        max_nodes=min(MOST_POSITIONS, limits.max_nodes),
        max_seconds=limits.max_seconds - (time.perf_counter() - start),
    )
    proof, _ = find_proof(position, left)
    return proof if isinstance(proof, Proof) else Loss(solution.nodes)
