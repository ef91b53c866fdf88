"""The work of a survey in chunks of deals, and the executors that do it.

A chunk is one call of :func:`~scorpion.solve_many` in some process. What comes back are
a few counts as JSON has them, so that a chunk read from a file is counted like one that
was settled just now.
"""

import queue
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from dataclasses import asdict, dataclass
from typing import Any, Final, Protocol

from scorpion.deals import check_number
from scorpion.errors import DealError, SurveyError
from scorpion.limits import Cancel
from scorpion.rules import Rules
from scorpion.solver import solve_many
from scorpion.version import VERSION

MOST_DEALS: Final = 5_000
"""Deals of a chunk at the most: 0.1 s of the fastest game, a few seconds of the slowest."""
FEWEST_CHUNKS: Final = 100
"""Into at least so many a survey is cut that has so many deals."""
IN_FLIGHT: Final = 1_000
"""Chunks that an executor is given at once at the most."""
LISTEN: Final = 0.01
"""Seconds between two looks at whether to stop."""
PATIENCE: Final = 3
"""Pools in a row that may break without settling anything."""

WON, LOST, OPEN = "W", "L", "U"
_LETTERS: Final = bytes.maketrans(b"\0\1\2", (WON + LOST + OPEN).encode())

Found = dict[str, Any]
"""What is found of a chunk: its number; a letter a deal, W, L or U; and how often which
count of positions, length of a line and time was seen, as pairs."""


def numbers_of(numbers: Iterable[int], dealer: str) -> Sequence[int]:
    """The deals' numbers, a range still a range. Raises :class:`DealError`."""
    if isinstance(numbers, range):
        for end in numbers[:1], numbers[-1:]:
            for number in end:
                check_number(number, dealer)
        try:
            len(numbers)
        except OverflowError:
            raise DealError(f"{numbers!r} are more deals than can be counted") from None
        return numbers
    if not isinstance(numbers, Iterable):
        raise DealError(f"the deals' numbers are a range, or a list, not {numbers!r}")
    return tuple(check_number(number, dealer) for number in numbers)


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be settled, and how it is cut into chunks."""

    rules: Rules
    dealer: str
    max_nodes: int | None
    numbers: Sequence[int]

    @property
    def size(self) -> int:
        """Deals of a chunk; the last one may have fewer."""
        return max(1, min(MOST_DEALS, len(self.numbers) // FEWEST_CHUNKS))

    @property
    def chunks(self) -> int:
        """How many chunks there are."""
        return -(-len(self.numbers) // self.size)

    def deals(self, chunk: int) -> Sequence[int]:
        """The numbers of a chunk's deals."""
        return self.numbers[chunk * self.size : (chunk + 1) * self.size]

    @property
    def header(self) -> dict[str, object]:
        """What tells this survey from any other, as JSON has it."""
        spread = self.numbers
        return {
            "survey": 1,
            "engine": VERSION,
            "rules": asdict(self.rules) | {"face_down": list(self.rules.face_down)},
            "dealer": self.dealer,
            "max_nodes": self.max_nodes,
            "numbers": {"from": spread.start, "to": spread.stop - 1, "step": spread.step}
            if isinstance(spread, range)
            else list(spread),
            "chunk_size": self.size,
        }

    def check(self, found: object) -> Found:
        """What is found of one of these chunks, if it is that; else SurveyError."""
        if not isinstance(found, dict):
            raise SurveyError("no chunk of a survey")
        chunk, verdicts = found.get("chunk"), found.get("verdicts")
        if type(chunk) is not int or not 0 <= chunk < self.chunks or not isinstance(verdicts, str):
            raise SurveyError("no chunk of this survey")
        deals = len(self.deals(chunk))
        if len(verdicts) != deals or set(verdicts) - {WON, LOST, OPEN}:
            raise SurveyError(
                f"chunk {chunk} has {deals} deals, not the verdicts {verdicts[:60]!r}"
            )
        for name, count in ("nodes", deals), ("seconds", deals), ("lengths", verdicts.count(WON)):
            pairs = found.get(name)
            if not isinstance(pairs, list) or not all(map(_is_pair, pairs)):
                raise SurveyError(f"chunk {chunk} has no {name}")
            if sum(times for _, times in pairs) != count:
                raise SurveyError(f"chunk {chunk} has {name} of another number of deals")
        return found


def _is_pair(pair: object) -> bool:
    """Whether this is a value and how often it was seen."""
    return (
        isinstance(pair, list)
        and len(pair) == 2
        and isinstance(pair[0], int | float)
        and type(pair[1]) is int
        and pair[1] > 0
    )


# Set in the survey's own workers only, which end by it.
_stop: Cancel | None = None


def end_by(stop: Cancel) -> None:
    """Let every chunk that is settled in this process end when ``stop`` is set."""
    global _stop  # noqa: PLW0603
    _stop = stop


def settle(
    rules: Rules, dealer: str, max_nodes: int | None, chunk: int, numbers: Sequence[int]
) -> Found:
    """Settle a chunk of deals; runs in a worker."""
    batch = solve_many(rules, numbers, dealer=dealer, max_nodes=max_nodes, cancel=_stop)
    won = zip(batch.codes, batch.lengths, strict=True)
    return {
        "chunk": chunk,
        "verdicts": batch.codes.translate(_LETTERS).decode(),
        "nodes": _pairs(Counter(batch.nodes)),
        "lengths": _pairs(Counter(length for code, length in won if code == 0)),
        # Two digits: as fine as clocks repeat, and few enough to count.
        "seconds": [
            [float(digits), times]
            for digits, times in Counter(f"{second:.1e}" for second in batch.seconds).items()
        ],
    }


def _pairs(counts: Counter[int]) -> list[list[int]]:
    return [[value, times] for value, times in sorted(counts.items())]


class ExecutorBrokeError(Exception):
    """The executor takes no more work, and there is no other."""


class Hands(Protocol):
    """Whose executor does the work."""

    def executor(self) -> Executor:
        """The executor, which takes work."""

    def mend(self, fault: RuntimeError | CancelledError) -> None:
        """Get another one for one that broke, or raise :class:`ExecutorBrokeError`."""

    def close(self) -> None:
        """Leave nothing running that is our own."""


class Lent:
    """An executor of the caller's: it is not ours to mend, nor to shut down."""

    def __init__(self, executor: Executor, workers: int | None) -> None:
        if not isinstance(executor, Executor):
            raise SurveyError(f"executor is {executor!r}; it must be a concurrent.futures.Executor")
        if workers is not None:
            raise SurveyError("workers are for a survey without an executor of yours")
        self._executor = executor

    def executor(self) -> Executor:
        return self._executor

    def mend(self, fault: RuntimeError | CancelledError) -> None:
        raise ExecutorBrokeError(str(fault) or "its work was cancelled") from fault

    def close(self) -> None:
        pass


def settled(
    job: Job, left: Iterator[int], hands: Hands, cancel: Cancel | None
) -> Generator[Found, None, None]:
    """What is found of the chunks that are left, as they are settled, until cancelled.

    A chunk that was lost with its worker is given out again.
    """
    running: dict[Future[Found], int] = {}
    finished: queue.SimpleQueue[Future[Found]] = queue.SimpleQueue()
    again: list[int] = []
    fault: RuntimeError | CancelledError | None = None
    try:
        # CPython takes Ctrl-C at a loop's end for raised before the loop: that has to lie
        # within the try, or nothing below is done.
        faults = 0  # in a row
        while cancel is None or not cancel.is_set():
            while fault is None and len(running) < IN_FLIGHT:
                chunk = again.pop() if again else next(left, None)
                if chunk is None:
                    break
                work = (job.rules, job.dealer, job.max_nodes, chunk, job.deals(chunk))
                try:
                    future = hands.executor().submit(settle, *work)
                except RuntimeError as error:  # broken, or shut down
                    fault = error
                    again.append(chunk)
                else:
                    running[future] = chunk
                    future.add_done_callback(finished.put)
            if not running:
                if fault is None:
                    return
                faults += 1
                if faults == PATIENCE:
                    raise ExecutorBrokeError(f"{PATIENCE} times in a row: {fault}") from fault
                hands.mend(fault)
                fault = None
                continue
            try:
                future = finished.get(timeout=LISTEN)
            except queue.Empty:
                continue
            chunk = running.pop(future)
            try:
                found = job.check(future.result())
            except (BrokenExecutor, CancelledError) as error:
                fault = error
                again.append(chunk)
            else:
                faults = 0
                yield found
    finally:
        for future in running:
            future.cancel()
