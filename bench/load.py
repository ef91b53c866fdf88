"""Clients that all ask for hints at once: does the service hold, and how much does it answer?

    python bench/load.py --clients 64 --seconds 60

Starts the service as `scorpion serve` does and asks from another process over loopback.
Prints requests a second, latencies, how long /health took meanwhile and how the memory of
the service grew. Exits with 1 if a request failed, if memory grew by more than a tenth,
if the 99th percentile is over ten times the median or if /health took over 100 ms.
"""

import argparse
import asyncio
import random
import statistics
import sys
import time
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from page import service

import scorpion
from scorpion import GAMES

BOARDS = 400


def mid_game(seed: int) -> dict[str, object]:
    """A position of a random game after some random moves, as a request holds it."""
    chance = random.Random(seed)
    board = scorpion.deal(chance.choice([*GAMES]), chance.randint(1, 10**6))
    for _ in range(chance.randrange(25)):
        moves = board.legal_moves()
        if not moves:
            break
        board = board.play(chance.choice(moves))
    return {"position": {"board": board.text(), "game": board.rules.name}}


async def ask(
    client: httpx.AsyncClient, boards: list[dict[str, object]], until: float
) -> list[float]:
    """One client's requests, one after the other: seconds each."""
    took = []
    while time.perf_counter() < until:
        begun = time.perf_counter()
        answer = await client.post("api/hint", json=random.choice(boards))
        took.append(time.perf_counter() - begun)
        answer.raise_for_status()
    return took


async def check_health(client: httpx.AsyncClient, until: float) -> list[float]:
    """Seconds that /health took, asked ten times a second."""
    took = []
    while time.perf_counter() < until:
        begun = time.perf_counter()
        (await client.get("health")).raise_for_status()
        took.append(time.perf_counter() - begun)
        await asyncio.sleep(0.1)
    return took


async def memory(client: httpx.AsyncClient) -> float:
    """Bytes that the service has in memory, as it tells Prometheus."""
    text = (await client.get("metrics")).text
    (line,) = (
        line for line in text.splitlines() if line.startswith("process_resident_memory_bytes")
    )
    return float(line.split()[1])


async def load(address: str, clients: int, seconds: float) -> int:
    """Ask, print what was measured; how many of the bounds were missed."""
    boards = [mid_game(seed) for seed in range(BOARDS)]
    limits = httpx.Limits(max_connections=clients + 2)
    async with httpx.AsyncClient(base_url=address, limits=limits, timeout=60) as client:
        await asyncio.gather(
            *(ask(client, boards, time.perf_counter() + 5) for _ in range(clients))
        )
        before = await memory(client)
        until = time.perf_counter() + seconds
        health = asyncio.create_task(check_health(client, until))
        found = await asyncio.gather(*(ask(client, boards, until) for _ in range(clients)))
        slowest = max(await health)
        after = await memory(client)
    took = sorted(each for of_client in found for each in of_client)
    median, high = statistics.median(took), took[int(0.99 * len(took))]
    print(f"{clients} clients, {seconds:.0f} s: {len(took):,} hints,", end=" ")
    print(f"{len(took) / seconds:,.0f} a second")
    print(f"latency: median {1000 * median:.1f} ms, 99% {1000 * high:.1f} ms,", end=" ")
    print(f"most {1000 * took[-1]:.1f} ms")
    print(f"/health: {1000 * slowest:.1f} ms at most")
    print(f"memory: {before / 2**20:.1f} MiB before, {after / 2**20:.1f} MiB after")
    return sum((high > 10 * median, slowest > 0.1, after > 1.1 * before))


def main() -> None:
    """Start the service and ask."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60)
    chosen = parser.parse_args()
    with service() as address:
        missed = asyncio.run(load(address, chosen.clients, chosen.seconds))
    sys.exit(missed > 0)


if __name__ == "__main__":
    main()
