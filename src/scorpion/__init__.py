"""scorpion settles the Scorpion family of solitaire games.

A board goes in, and out comes a line that wins, a proof that none exists, or an
honest "undecided". Start at :func:`deal`, :class:`Board` and :func:`solve`.
"""

from scorpion.board import Board
from scorpion.deals import DEALERS, deal
from scorpion.errors import (
    BoardError,
    BudgetError,
    DealError,
    IllegalMoveError,
    RulesError,
    ScorpionError,
)
from scorpion.fair import FairHint, Share
from scorpion.moves import DEAL, Move
from scorpion.rules import GAMES, Rules
from scorpion.solver import Batch, Solution, Verdict, solve, solve_many, verify

__version__ = "0.1.0"

__all__ = [
    "DEAL",
    "DEALERS",
    "GAMES",
    "Batch",
    "Board",
    "BoardError",
    "BudgetError",
    "DealError",
    "FairHint",
    "IllegalMoveError",
    "Move",
    "Rules",
    "RulesError",
    "ScorpionError",
    "Share",
    "Solution",
    "Verdict",
    "deal",
    "solve",
    "solve_many",
    "verify",
]
