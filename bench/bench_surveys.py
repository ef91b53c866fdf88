"""Speed of a survey on one core, beside that of one batch in this process.

python -m pytest bench/bench_surveys.py --benchmark-enable
"""

from collections.abc import Callable
from typing import Any

import pytest

from scorpion import solve_many, survey

DEALS = range(100_001, 200_001)


@pytest.mark.benchmark(group="100,000 deals of scorpion")
@pytest.mark.parametrize(
    "settle",
    [lambda: survey("scorpion", DEALS, workers=1), lambda: solve_many("scorpion", DEALS)],
    ids=["survey", "batch"],
)
def test_many_deals(benchmark: Any, settle: Callable[[], Any]) -> None:
    found = benchmark.pedantic(settle, rounds=5)
    assert (len(found), found.undecided) == (len(DEALS), 0)
