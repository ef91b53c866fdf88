"""How many games are won by fair hints alone, from the deal to the end.

    python bench/fair.py --deals 1000 --samples 200

Deals are PySolFC's from number 100,001 on. At each step the hint is asked for what can
be seen, and its move is played. Beside the wins stand the deals that can be won when all
cards are known. Such a solution also tells, of the game played, when it is lost beyond
repair: it is broken off then, which changes no count.
"""

import argparse
import time

from scorpion import GAMES, Board, Verdict, deal, fair_hint, solve
from scorpion.intervals import wilson

FIRST = 100_001
MOST_MOVES = 200  # a game that goes on for longer goes round in circles


def is_won_by_hints(board: Board, samples: int, seed: int) -> bool:
    """Play hint after hint."""
    for _ in range(MOST_MOVES):
        if board.is_won:
            return True
        if solve(board).verdict is Verdict.LOST:
            return False
        hint = fair_hint(board, samples=samples, seed=seed)
        if hint.move is None:
            return False
        board = board.play(hint.move)
    return False


def share(count: int, deals: int) -> str:
    """A count as a share with its 95% interval."""
    low, high = wilson(count, deals)
    return f"{count:7,} of {deals:,}: {count / deals:6.2%} ({low:.2%} to {high:.2%})"


def main() -> None:
    """Print how many games were won, and what an opening's hint takes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", choices=GAMES, default="scorpion")
    parser.add_argument("--first", type=int, default=FIRST, help="number of the first deal")
    parser.add_argument("--deals", type=int, default=1_000)
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    winnable = won = 0
    opening: list[float] = []
    for number in range(chosen.first, chosen.first + chosen.deals):
        board = deal(chosen.game, number)
        start = time.perf_counter()
        fair_hint(board, samples=chosen.samples, seed=chosen.seed)
        opening.append(time.perf_counter() - start)
        if solve(board).verdict is not Verdict.LOST:
            winnable += 1
            won += is_won_by_hints(board, chosen.samples, chosen.seed)
    print(f"{chosen.game}, {chosen.samples} samples a hint")
    print(f"  won by fair hints        {share(won, chosen.deals)}")
    print(f"  winnable with open cards {share(winnable, chosen.deals)}")
    ordered = sorted(1000 * seconds for seconds in opening)
    middle, slow = ordered[len(ordered) // 2], ordered[(len(ordered) - 1) * 99 // 100]
    print(f"  a hint on the deal       median {middle:.1f} ms, 99% {slow:.1f} ms")


if __name__ == "__main__":
    main()
