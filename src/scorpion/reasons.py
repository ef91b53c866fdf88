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

MOST_POSITIONS: Final = {"king": 4_000, "any": 500}
"""Positions of the largest proof that explains a board, by what fills spaces, where any card
does and reasons are long; ``solve(board, proof=True)`` finds larger ones."""

AT_FIRST: Final = 1_000
"""Positions of the search that comes before that for a proof. Few boards take more, and of
those the ones that are lost often have a proof of less."""


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
    solution = settle(board, replace(limits, max_nodes=min(AT_FIRST, limits.max_nodes)))
    if solution.verdict is Verdict.WINNABLE:
        return None
    proof, _ = find_proof(
        position,
        replace(
            limits,
            max_nodes=min(MOST_POSITIONS[board.rules.fill], limits.max_nodes),
            max_seconds=limits.max_seconds - (time.perf_counter() - start),
        ),
    )
    if isinstance(proof, Proof):
        return proof
    if solution.verdict is Verdict.UNDECIDED:
        seconds = limits.max_seconds - (time.perf_counter() - start)
        solution = settle(board, replace(limits, max_seconds=seconds))
    return Loss(solution.nodes) if solution.verdict is Verdict.LOST else None
