"""What share of random deals is settled, after how many positions, in what time.

    python bench/settled.py --game wasp --deals 500 --max-nodes 250000

Deals are PySolFC's from number 100,001 on, which its Mersenne Twister shuffles. Beside
the search stands a plain one on the first of the same deals: depth first with a visited
set over the same core, without any pruning.
"""

import argparse
import time
from array import array

from scorpion import GAMES, Batch, _core, deal, solve_many

FIRST = 100_001
STEPS = (1_000, 20_000, 250_000)


def settled_share(codes: bytes, nodes: "array[int]", most: int) -> float:
    """Percent settled within a number of positions: a smaller budget finds the same."""
    within = sum(code < 2 and seen <= most for code, seen in zip(codes, nodes, strict=True))
    return 100 * within / len(codes)


def unpruned(game: str, deals: int) -> tuple[bytes, "array[int]"]:
    """Verdict codes and positions of plain depth-first search."""
    codes, nodes = bytearray(), array("Q")
    for number in range(FIRST, FIRST + deals):
        board = deal(game, number)
        position = _core.Position(board.rules, board.columns, board.face_down, board.stock)
        outcome, _, seen = _core.search(
            position,
            max_nodes=STEPS[-1],
            max_seconds=1e9,
            max_memory=2**30,
            prune=False,
            greedy=False,
        )
        codes.append({"won": 0, "lost": 1}.get(outcome, 2))
        nodes.append(seen)
    return bytes(codes), nodes


def quantiles(values: list[float]) -> str:
    """Mean, median, 99% and the largest."""
    ordered = sorted(values)
    last = len(ordered) - 1
    mean = sum(ordered) / len(ordered)
    parts = (mean, ordered[last // 2], ordered[last * 99 // 100], ordered[-1])
    return "".join(f"{part:13,.0f}" for part in parts)


def report(game: str, batch: Batch, processor: float, plain: tuple[bytes, "array[int]"]) -> str:
    """The table of one game; ``processor`` are the seconds of processor time of the batch.

    The other times are a clock's, and on a busy machine their mean counts the waiting.
    """
    lengths = [length for length, code in zip(batch.lengths, batch.codes, strict=True) if not code]
    counts = f"{batch.won:,} winnable, {batch.lost:,} lost, {batch.undecided:,} undecided"
    rows = [
        f"{game}: {len(batch):,} deals, {counts}",
        f"  settled within        {'':6}" + "".join(f"{step:13,}" for step in STEPS),
        f"    search, %           {'':6}"
        + "".join(f"{settled_share(batch.codes, batch.nodes, step):13.2f}" for step in STEPS),
        f"    unpruned, %, {len(plain[0]):4} deals   "
        + "".join(f"{settled_share(*plain, step):13.2f}" for step in STEPS),
        f"{'':30}{'mean':>13}{'median':>13}{'99%':>13}{'max':>13}",
        f"  positions                   {quantiles(list(batch.nodes))}",
        f"  microseconds a deal         {quantiles([1e6 * s for s in batch.seconds])}",
        f"  of processor time           {1e6 * processor / len(batch):13,.0f}",
        f"  moves of a winning line     {quantiles(list(lengths) or [0])}",
    ]
    return "\n".join(rows)


def main() -> None:
    """Print the tables for one game or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", choices=[*GAMES, "all"], default="all")
    parser.add_argument("--deals", type=int, default=1_000)
    parser.add_argument("--unpruned", type=int, default=20, help="deals for the plain search")
    parser.add_argument("--max-nodes", type=int, default=STEPS[-1])
    chosen = parser.parse_args()
    for game in GAMES if chosen.game == "all" else [chosen.game]:
        numbers = range(FIRST, FIRST + chosen.deals)
        begun = time.process_time()
        batch = solve_many(game, numbers, max_nodes=chosen.max_nodes)
        processor = time.process_time() - begun
        plain = unpruned(game, chosen.unpruned)
        print(report(game, batch, processor, plain), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
