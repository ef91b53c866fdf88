"""Clients that all ask for hints at once: does the service hold, and how much does it answer?

    python bench/load.py --clients 64 --seconds 60

Starts the service as `scorpion serve` does and asks over loopback: the clients from this
process, a thread each, and /health ten times a second from one of its own, so that it is
the service's delay and not theirs. Prints requests a second, latencies, how long /health
took meanwhile and how the memory of the service grew, and exits with 1 if a request failed
or a bound was missed: see `Measured.missed`.
"""

import argparse
import http.client
import json
import random
import statistics
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from page import service

import scorpion
from scorpion import GAMES

BOARDS = 400
WARM_UP = 5.0
"""Seconds of load before anything is measured."""
LONGEST = 60.0
"""Seconds after which a request has failed."""
HEALTH = 0.1
"""Seconds between two looks at /health, and that one may take."""


@dataclass(frozen=True)
class Measured:
    """What the clients saw: seconds of each hint and of each look at /health, sorted; what
    failed; bytes that the service had in memory before and after.
    """

    clients: int
    seconds: float
    hints: list[float]
    health: list[float]
    failures: list[str]
    before: float
    after: float

    @property
    def median(self) -> float:
        """Seconds that half of the hints took at most."""
        return statistics.median(self.hints)

    @property
    def high(self) -> float:
        """Seconds that 99% of the hints took at most."""
        return self.hints[int(0.99 * len(self.hints))]

    def missed(self) -> list[str]:
        """The bounds that were not held."""
        bounds = {
            f"{len(self.failures)} requests failed, the first with: {self.failures[:1]}": bool(
                self.failures
            ),
            "the 99th percentile is over ten times the median": self.high > 10 * self.median,
            f"/health took over {1000 * HEALTH:.0f} ms": self.health[-1] > HEALTH,
            "the memory of the service grew by over a tenth": self.after > 1.1 * self.before,
        }
        return [bound for bound, is_missed in bounds.items() if is_missed]

    def __str__(self) -> str:
        count, health = len(self.hints), self.health
        late = health[int(0.99 * len(health))]
        return (
            f"{self.clients} clients, {self.seconds:.0f} s:"
            f" {count:,} hints, {count / self.seconds:,.0f} a second\n"
            f"latency: median {1000 * self.median:.1f} ms, 99% {1000 * self.high:.1f} ms,"
            f" most {1000 * self.hints[-1]:.1f} ms\n"
            f"/health: median {1000 * statistics.median(health):.1f} ms,"
            f" 99% {1000 * late:.1f} ms, most {1000 * health[-1]:.1f} ms\n"
            f"memory: {self.before / 2**20:.1f} MiB before, {self.after / 2**20:.1f} MiB after"
        )


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


class Client:
    """One connection, over which one request follows the other."""

    def __init__(self, address: str) -> None:
        place = urlsplit(address)
        self._connection = http.client.HTTPConnection(
            place.hostname or "", place.port, timeout=LONGEST
        )

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

    def seconds(self, method: str, path: str, body: bytes | None = None) -> float:
        """How long an answer took. Raises OSError if it was none, or said no."""
        begun = time.perf_counter()
        headers = {} if body is None else {"Content-Type": "application/json"}
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        answer.read()
        took = time.perf_counter() - begun
        if answer.status != http.client.OK:
            raise OSError(f"{path}: {answer.status} {answer.reason}")
        return took


def ask(address: str, bodies: list[bytes], until: float, seed: int) -> Iterator[float | str]:
    """One client's requests: seconds each, or what went wrong, which ends them."""
    chance = random.Random(seed)
    with closing(Client(address)) as client:
        try:
            while time.monotonic() < until:
                yield client.seconds("POST", "/api/hint", chance.choice(bodies))
        except (OSError, http.client.HTTPException) as error:
            yield repr(error)


def look(address: str, until: float) -> list[float | str]:
    """Seconds that /health took each time, once at least, or what went wrong."""
    took: list[float | str] = []
    with closing(Client(address)) as client:
        try:
            while not took or time.monotonic() < until:
                took.append(client.seconds("GET", "/health"))
                time.sleep(HEALTH)
        except (OSError, http.client.HTTPException) as error:
            took.append(repr(error))
    return took


def memory(address: str) -> float:
    """Bytes that the service has in memory, as it tells Prometheus."""
    with urllib.request.urlopen(address + "metrics") as answer:
        lines = answer.read().decode().splitlines()
    (line,) = (line for line in lines if line.startswith("process_resident_memory_bytes"))
    return float(line.split()[1])


def load(address: str, clients: int, seconds: float, warm_up: float = WARM_UP) -> Measured:
    """Ask for hints with so many clients, for so long."""
    bodies = [json.dumps(mid_game(seed)).encode() for seed in range(BOARDS)]
    with (
        ThreadPoolExecutor(clients) as threads,
        ProcessPoolExecutor(1, get_context("spawn")) as own,
    ):

        def asked(until: float) -> list[float | str]:
            found = threads.map(lambda seed: [*ask(address, bodies, until, seed)], range(clients))
            return [each for of_client in found for each in of_client]

        own.submit(time.monotonic).result()  # a process takes a while to start
        asked(time.monotonic() + warm_up)
        before = memory(address)
        until = time.monotonic() + seconds
        health = own.submit(look, address, until)
        hints, looks = asked(until), health.result()
        after = memory(address)
    return Measured(
        clients=clients,
        seconds=seconds,
        hints=sorted(took for took in hints if isinstance(took, float)),
        health=sorted(took for took in looks if isinstance(took, float)),
        failures=[what for what in hints + looks if isinstance(what, str)],
        before=before,
        after=after,
    )


def main() -> None:
    """Start the service and ask."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60)
    chosen = parser.parse_args()
    with service() as address:
        measured = load(address, chosen.clients, chosen.seconds)
    print(measured)
    for bound in measured.missed():
        print(f"missed: {bound}")
    sys.exit(bool(measured.missed()))


if __name__ == "__main__":
    main()
