"""What a search may use: what is taken, what is refused, and what the core is told."""

import threading
from decimal import Decimal
from typing import Any

import pytest

import scorpion
from scorpion import BudgetError
from scorpion.limits import UNLIMITED, Limits

WHOLE = ("max_nodes", "max_memory")
NONE_GIVEN: dict[str, Any] = {"max_nodes": None, "max_seconds": None, "max_memory": None}
BOARD = scorpion.deal("scorpion", 5)
TAKES_BUDGETS = [
    scorpion.solve,
    lambda board, **limits: scorpion.solve_many([board], **limits),
    scorpion.hint,
    scorpion.rate,
    scorpion.fair_hint,
    scorpion.fair_rate,
    scorpion.explain,
]


def test_none_is_no_limit() -> None:
    limits = Limits.checked(None, None, None)
    assert (limits.max_nodes, limits.max_seconds, limits.max_memory) == (UNLIMITED,) * 3
    beyond = Limits.checked(10**400, float("inf"), 2**63 + 1)
    assert beyond == limits


def test_what_is_given_reaches_the_core() -> None:
    cancel = threading.Event()
    limits = Limits.checked(5, 0.5, 2**20, cancel, print)
    assert limits.for_core() == {
        "max_nodes": 5,
        "max_seconds": 0.5,
        "max_memory": 2**20,
        "cancel": cancel,
    }
    assert limits.progress is print


@pytest.mark.parametrize("name", NONE_GIVEN)
@pytest.mark.parametrize("value", [0, -1, True, "5", float("nan"), float("-inf"), Decimal(1), []])
def test_a_budget_that_is_none(name: str, value: Any) -> None:
    with pytest.raises(BudgetError) as caught:
        Limits.checked(**NONE_GIVEN | {name: value})
    kind = "whole number" if name in WHOLE else "number"
    expected = f"{name} is {value!r}; it must be a {kind} above zero, or None"
    assert str(caught.value) == expected


@pytest.mark.parametrize("name", WHOLE)
def test_positions_and_bytes_are_whole(name: str) -> None:
    with pytest.raises(BudgetError, match=rf"{name} is 1\.0; it must be a whole number"):
        Limits.checked(**NONE_GIVEN | {name: 1.0})


@pytest.mark.parametrize("call", TAKES_BUDGETS)
def test_what_cannot_be_asked_or_told_is_refused_before_the_search(call: Any) -> None:
    with pytest.raises(BudgetError, match="cancel is 5; it must have a method is_set"):
        call(BOARD, cancel=5)
    for budget in NONE_GIVEN:
        with pytest.raises(BudgetError, match=f"{budget} is 0; it must be a "):
            call(BOARD, **{budget: 0})


@pytest.mark.parametrize("call", TAKES_BUDGETS[:2])
def test_progress_is_a_callable(call: Any) -> None:
    with pytest.raises(BudgetError, match="progress is 'loud'; it must be a callable, or None"):
        call(BOARD, progress="loud")
