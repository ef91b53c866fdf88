"""What a survey costs beside one batch of the same deals in this process.

    python bench/surveys.py --game scorpion --deals 200000

Both are given one process to settle in. Processor time counts the survey's pool and what
its parent does; unlike time on the clock it bears a busy machine.
"""

import argparse
import os
import time
from collections.abc import Callable
from typing import Any

from scorpion import GAMES, solve_many, survey

FIRST = 100_001


def timed(settle: Callable[[], Any]) -> tuple[float, float]:
    """Seconds on the clock, and of all processors by this process and those it ended."""
    clock, before = time.perf_counter(), os.times()
    settle()
    after = os.times()
    return time.perf_counter() - clock, sum(after[:4]) - sum(before[:4])


def main() -> None:
    """Print deals a second."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", choices=GAMES, default="scorpion")
    parser.add_argument("--deals", type=int, default=200_000)
    chosen = parser.parse_args()
    numbers = range(FIRST, FIRST + chosen.deals)
    ways: dict[str, Callable[[], Any]] = {
        "survey": lambda: survey(chosen.game, numbers, workers=1),
        "solve_many": lambda: solve_many(chosen.game, numbers),
    }
    print(f"{chosen.deals:,} deals of {chosen.game}, deals a second of processor / of clock")
    for name, settle in ways.items():
        clock, processor = timed(settle)
        print(f"  {name:12}{chosen.deals / processor:12,.0f}{chosen.deals / clock:12,.0f}")


if __name__ == "__main__":
    main()
