"""How many random deals are settled, after how many positions, in what time.

    python bench/settled.py --game wasp --deals 500 --max-nodes 250000

Deals are PySolFC's from number 100,001 on, which its Mersenne Twister shuffles.
"""

import argparse
import time
from statistics import mean, median

from scorpion import GAMES, Solution, Verdict, deal, solve

FIRST = 100_001


def settle(game: str, deals: int, max_nodes: int) -> list[Solution]:
    """The solutions of that many numbered deals."""
    return [solve(deal(game, FIRST + number), max_nodes=max_nodes) for number in range(deals)]


def row(game: str, solutions: list[Solution]) -> str:
    """A line of the table: shares in percent, positions, microseconds, moves."""
    share = {v: 100 * sum(s.verdict is v for s in solutions) / len(solutions) for v in Verdict}
    nodes = sorted(solution.nodes for solution in solutions)
    micros = sorted(1e6 * solution.seconds for solution in solutions)
    lines = [len(s.moves) for s in solutions if s.verdict is Verdict.WINNABLE] or [0]
    last = len(nodes) - 1
    return (
        f"{game:14}{len(solutions):7,}{100 - share[Verdict.UNDECIDED]:9.2f}"
        f"{share[Verdict.WINNABLE]:9.2f}{share[Verdict.LOST]:8.2f}"
        f"{median(nodes):9,.0f}{nodes[last * 99 // 100]:9,}{nodes[-1]:11,}"
        f"{mean(micros):11,.0f}{median(micros):9,.0f}{micros[last * 99 // 100]:10,.0f}"
        f"{median(lines):7.0f}{max(lines):5}"
    )


def main() -> None:
    """Print the table for one game or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=[*GAMES, "all"], default="all")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--max-nodes", type=int, default=250_000)
    chosen = parser.parse_args()
    print(f"{'':21}  settled winnable    lost       positions seen          microseconds a deal")
    print(
        f"{'game':14}{'deals':>7}{'%':>9}{'%':>9}{'%':>8}{'median':>9}{'99%':>9}{'max':>11}"
        f"{'mean':>11}{'median':>9}{'99%':>10}{'moves':>7}{'max':>5}"
    )
    for game in GAMES if chosen.game == "all" else [chosen.game]:
        start = time.perf_counter()
        print(row(game, settle(game, chosen.deals, chosen.max_nodes)), end="")
        print(f"   ({time.perf_counter() - start:.1f} s)", flush=True)


if __name__ == "__main__":
    main()
