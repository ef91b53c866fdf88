"""Why no play can win."""

from dataclasses import dataclass
from typing import Any

from scorpion.board import Board, check_board, position_of
from scorpion.limits import HINT_NODES, MAX_MEMORY, Cancel, Limits
from scorpion.losses.finding import FEW_TRIES, find_refutation
from scorpion.losses.locks import Refutation
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
) -> Refutation | Loss | None:
    """Why no play can win, as data and (by ``str``) as a sentence.

    - A :class:`Lock` where there is one: cards that can never be uncovered, each with its
      reason, as few as were found. That takes no search.
    - :class:`FirstParked`: a lock for each answer to which card goes to an empty column
      first, and where need be which next, and so on.
    - :class:`Cases` where one builds in alternating colours: for each answer to which of
      two twins finds a place first.
    - :class:`LastHome` where one builds in suit: for each answer to which of some cards that
      wait on each other comes home last.
    - A :class:`Loss` where none of these is found, but :func:`solve` proves the loss within its
      budgets, which are taken here too; ``solve(board, proof=True)`` then looks for
      a proof that can be checked.
    - None if the board is winnable (or won), or a budget ran out before it was settled.

    :func:`check_lock` accepts each lock and all cases that are found. All answers have
    ``to_dict()`` with "kind" (lock, first parked, cases, last home or search) and "text",
    ready for JSON.

    Raises :class:`BoardError` for what is no board and :class:`BudgetError`.
    """
    position = position_of(check_board(board, "explain looks at"))
    limits = Limits.checked(max_nodes, max_seconds, max_memory, cancel)
    refutation = find_refutation(position, FEW_TRIES)
    if refutation is not None:
        return refutation
    solution = settle(board, limits)
    if solution.verdict is not Verdict.LOST:
        return None
    return find_refutation(position) or Loss(solution.nodes)
