"""How long hints and ratings take through Python on random mid-game boards, and with threads.

    python bench/hints.py --game wasp --boards 1000

A random mid-game board: a deal of a random number (PySolFC's, 100,001 to 10^9), and on it
0 to 40 moves, each drawn from all legal ones; boards on which no legal move is left are
drawn anew. Nothing makes them winnable: what is lost counts as it comes. The boards are
the same in every run. Times are the processor's, hints a second by the clock on the wall.
"""

import argparse
import random
import threading
import time
from collections.abc import Callable, Iterator
from itertools import islice
from statistics import median

from scorpion import GAMES, Board, Verdict, deal, hint, rate

MOST_MOVES = 40
DEALS = (100_001, 10**9)
THREADS = (1, 2, 8)
ROUNDS = 5


def midgame(game: str, seed: int = 1) -> Iterator[Board]:
    """Random mid-game boards without end; the same for the same seed."""
    chance = random.Random(f"{game} {seed}")
    while True:
        board = deal(game, chance.randint(*DEALS))
        for _ in range(chance.randint(0, MOST_MOVES)):
            moves = board.legal_moves()
            if not moves:
                break
            board = board.play(chance.choice(moves))
        if board.legal_moves():
            yield board


def seconds(ask: Callable[[Board], object], boards: list[Board]) -> list[float]:
    """How long each board takes, in order of size."""
    # The processor's time, which other work on the machine does not lengthen.
    taken = []
    for board in boards:
        start = time.thread_time()
        ask(board)
        taken.append(time.thread_time() - start)
    return sorted(taken)


def per_second(boards: list[Board], threads: int, least: float) -> float:
    """Hints a second in all, of threads that each go round the boards for that many seconds."""
    counts = [0] * threads
    until = time.perf_counter() + least

    def work(which: int) -> None:
        while time.perf_counter() < until:
            for board in boards[which::threads] + boards[:which:threads]:
                hint(board)
                counts[which] += 1

    workers = [threading.Thread(target=work, args=(which,)) for which in range(threads)]
    start = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(counts) / (time.perf_counter() - start)


def row(name: str, taken: list[float]) -> str:
    """Median, 99% and the longest, in microseconds."""
    last = len(taken) - 1
    parts = (taken[last // 2], taken[last * 99 // 100], taken[-1])
    return f"  {name:24}" + "".join(f"{1e6 * part:13,.1f}" for part in parts)


def report(game: str, boards: list[Board], least: float) -> str:
    """The table of one game."""
    verdicts = [hint(board).verdict for board in boards]
    counts = ", ".join(f"{verdicts.count(verdict):,} {verdict}" for verdict in Verdict)
    # In turn, so that other work on the machine meets them alike.
    rounds = [[per_second(boards, threads, least) for threads in THREADS] for _ in range(ROUNDS)]
    speeds = [median(speed) for speed in zip(*rounds, strict=True)]
    rows = [
        f"{game}: {len(boards):,} boards, {counts}",
        f"  {'microseconds':24}{'median':>13}{'99%':>13}{'max':>13}",
        row("hint", seconds(hint, boards)),
        row("rate", seconds(rate, boards)),
        f"  {'threads':24}" + "".join(f"{threads:13}" for threads in THREADS),
        f"  {'hints a second':24}" + "".join(f"{speed:13,.0f}" for speed in speeds),
    ]
    return "\n".join(rows)


def main() -> None:
    """Print the tables for one game or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", choices=[*GAMES, "all"], default="all")
    parser.add_argument("--boards", type=int, default=1_000)
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="of a round for each count of threads"
    )
    chosen = parser.parse_args()
    for game in GAMES if chosen.game == "all" else [chosen.game]:
        boards = list(islice(midgame(game), chosen.boards))
        print(report(game, boards, chosen.seconds), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
