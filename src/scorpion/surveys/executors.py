"""Who does the work on many deals: executors, the caller's or our own, and what they are given.

Work is given out as calls without arguments, each a chunk's, and what they return comes back
in the order in which it is finished.
"""

import queue
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from typing import Final, Protocol, TypeVar

from scorpion.errors import SurveyError
from scorpion.limits import Cancel

IN_FLIGHT: Final = 1_000
"""Calls that an executor is given at once at the most."""
LISTEN: Final = 0.01
"""Seconds between two looks at whether to stop."""
PATIENCE: Final = 3
"""Pools in a row that may break without finishing anything."""

T = TypeVar("T")


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


def hands_of(executor: Executor | None, workers: int | None) -> Hands:
    """The caller's executor, or processes of our own, as many as there are cores by default."""
    if executor is not None:
        return Lent(executor, workers)
    # Here, since it loads multiprocessing.
    from scorpion.surveys.workers import Own  # noqa: PLC0415

    return Own(workers)


def finished(
    calls: Iterator[Callable[[], T]], hands: Hands, cancel: Cancel | None, most: int = IN_FLIGHT
) -> Generator[T, None, None]:
    """What the calls return, as they are finished, until cancelled.

    A call that was lost with its worker is given out again. At most ``most`` are given out
    at once.
    """
    running: dict[Future[T], Callable[[], T]] = {}
    done: queue.SimpleQueue[Future[T]] = queue.SimpleQueue()
    again: list[Callable[[], T]] = []
    fault: RuntimeError | CancelledError | None = None
    try:
        # CPython takes Ctrl-C at a loop's end for raised before the loop: that has to lie
        # within the try, or nothing below is done.
        faults = 0  # in a row
        while cancel is None or not cancel.is_set():
            while fault is None and len(running) < most:
                call = again.pop() if again else next(calls, None)
                if call is None:
                    break
                try:
                    future = hands.executor().submit(call)
                except RuntimeError as error:  # broken, or shut down
                    fault = error
                    again.append(call)
                else:
                    running[future] = call
                    future.add_done_callback(done.put)
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
                future = done.get(timeout=LISTEN)
            except queue.Empty:
                continue
            call = running.pop(future)
            try:
                result = future.result()
            except (BrokenExecutor, CancelledError) as error:
                fault = error
                again.append(call)
            else:
                faults = 0
                yield result
    finally:
        for future in running:
            future.cancel()
