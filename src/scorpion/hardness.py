"""How hard a board is to win."""

from typing import Final

from scorpion.board import Board, position_of
from scorpion.solver import Verdict, solve

EARLY: Final = 0.9
"""How much each move of a line weighs in :func:`difficulty`, of what the last one did."""


def difficulty(board: Board) -> float:
    """How hard a board is to win, from 0 to 1: the risk of a player who plays blindly.

    Along the winning line that :func:`solve` finds, this looks at every legal move and
    asks the closure, which proves positions lost at a glance, which of them it refutes.
    If of the moves before the i-th of the line (from 0) the share s_i is not refuted,
    the difficulty is 1 minus the product of s_i to the power 0.9^i: the chance of a
    false step, early ones counting most, because later on the line differs from what a
    player would have before him. 0 means that no move on the way is refuted; a board
    without a winning line is 1, whether proved lost or not settled.

    It is the same on every machine, but another version of the engine may find another
    line. It compares boards of one game; ``docs/results.md`` tells how it was checked.

    Raises :class:`BoardError` for what is no board.
    """
    solution = solve(board)
    if solution.verdict is not Verdict.WINNABLE:
        return 1.0
    safety = 1.0
    weight = 1.0
    position = position_of(board).copy()
    for move in solution.moves:
        legal = position.legal_moves()
        refuted = sum(position.after(other).is_dead for other in legal)
        safety *= (1 - refuted / len(legal)) ** weight
        weight *= EARLY
        position.play(move)
    return 1 - safety
