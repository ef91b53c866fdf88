"""One error family, which says where and survives a trip between processes."""

import copy
import pickle

import pytest

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


@pytest.mark.parametrize(
    "kind",
    [
        BoardError,
        BudgetError,
        DealError,
        IllegalMoveError,
        ProofError,
        RulesError,
        StoreError,
        SurveyError,
    ],
)
def test_every_error_is_a_scorpion_error_and_a_value_error(kind: type[ScorpionError]) -> None:
    assert issubclass(kind, ScorpionError)
    assert issubclass(kind, ValueError)
    assert str(kind("what is wrong")) == "what is wrong"


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (BoardError("2H is missing"), "2H is missing"),
        (BoardError("a second Talon line", line=3), "line 3: a second Talon line"),
        (
            BoardError("'XX' is not a card", line=3, column=7),
            "line 3, column 7: 'XX' is not a card",
        ),
        (IllegalMoveError("there is no stock left to deal"), "there is no stock left to deal"),
        (
            IllegalMoveError("6H lies in column 3 already", 12),
            "step 12: 6H lies in column 3 already",
        ),
    ],
)
def test_text_says_where(error: ScorpionError, text: str) -> None:
    assert str(error) == text


@pytest.mark.parametrize(
    "twin", [copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))]
)
@pytest.mark.parametrize(
    "error",
    [
        ScorpionError("a"),
        RulesError("b"),
        DealError("c"),
        BudgetError("d"),
        StoreError("j"),
        BoardError("e"),
        BoardError("f", line=3, column=7, pile=2, index=4),
        BoardError("g", pile=0),
        IllegalMoveError("h"),
        IllegalMoveError("i", 12),
    ],
    ids=lambda error: f"{type(error).__name__}-{error}",
)
def test_copies_keep_message_and_place(error: ScorpionError, twin: object) -> None:
    assert callable(twin)
    other = twin(error)
    assert type(other) is type(error)
    assert str(other) == str(error)
    assert vars(other) == vars(error)
