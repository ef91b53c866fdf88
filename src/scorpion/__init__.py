"""scorpion settles the Scorpion family of solitaire games.

A board goes in, and out comes a line that wins, a proof that none exists, or an
honest "undecided". Start at :func:`deal`, :class:`Board` and :func:`solve`.
"""

from scorpion.board import Board
from scorpion.days import WinnableDeal, daily, winnable
from scorpion.deals import DEALERS, deal
from scorpion.errors import (
    BoardError,
    BudgetError,
    DealError,
    IllegalMoveError,
    ProofError,
    RulesError,
    ScorpionError,
    StoreError,
    SurveyError,
)
from scorpion.fair import FairHint, Share, fair_hint, fair_rate
from scorpion.game import Game, Judgement
from scorpion.hardness import difficulty
from scorpion.hints import Hint, hint, rate
from scorpion.losses.checker import check_lock, check_proof
from scorpion.losses.locks import Bar, Cases, FirstParked, LastHome, Lock, Proof, Reason
from scorpion.moves import DEAL, Move
from scorpion.reasons import Loss, explain
from scorpion.rules import GAMES, Rules
from scorpion.solver import Batch, Solution, Verdict, solve, solve_many, verify
from scorpion.surveys.checks import check_survey
from scorpion.surveys.results import Distribution, Survey, SurveyCheck
from scorpion.surveys.survey import survey
from scorpion.version import VERSION

__version__ = VERSION

__all__ = [
    "DEAL",
    "DEALERS",
    "GAMES",
    "Bar",
    "Batch",
    "Board",
    "BoardError",
    "BudgetError",
    "Cases",
    "DealError",
    "Distribution",
    "FairHint",
    "FirstParked",
    "Game",
    "Hint",
    "IllegalMoveError",
    "Judgement",
    "LastHome",
    "Lock",
    "Loss",
    "Move",
    "Proof",
    "ProofError",
    "Reason",
    "Rules",
    "RulesError",
    "ScorpionError",
    "Share",
    "Solution",
    "StoreError",
    "Survey",
    "SurveyCheck",
    "SurveyError",
    "Verdict",
    "WinnableDeal",
    "check_lock",
    "check_proof",
    "check_survey",
    "daily",
    "deal",
    "difficulty",
    "explain",
    "fair_hint",
    "fair_rate",
    "hint",
    "rate",
    "solve",
    "solve_many",
    "survey",
    "verify",
    "winnable",
]
