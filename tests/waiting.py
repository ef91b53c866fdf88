"""How the tests wait for what others do: processes, threads, servers.

A slow machine is no fault. So what has to come is waited for, and nothing is concluded from
when it comes: what must be quick is measured in processor time, see :func:`spent`.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psutil

DEADLINE = 60.0
"""Seconds after which nothing will come any more, however busy the machine is."""


def wait_until(what: Callable[[], bool]) -> None:
    """Returns as soon as it is so."""
    end = time.monotonic() + DEADLINE
    while not what():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def wait_until_busy(parent: int, workers: int) -> None:
    """Returns once so many processes below that one have had half a second of processor time."""

    def busy() -> int:
        below = psutil.Process(parent).children(recursive=True)
        return sum(each.cpu_times().user > 0.5 for each in below)

    wait_until(lambda: busy() >= workers)


@contextmanager
def spent(at_most: float) -> Iterator[None]:
    """What is done inside takes this process so many seconds of processor time at most.

    Other processes do not count. On an idle machine that is the time by the clock.
    """
    start = time.process_time()
    yield
    assert time.process_time() - start < at_most
