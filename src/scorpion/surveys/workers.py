"""Processes of our own for work on many deals.

Apart from the rest because multiprocessing is loaded only where there are any.
"""

import multiprocessing
import os
import signal
import threading
from _thread import interrupt_main
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext

from scorpion.errors import SurveyError
from scorpion.surveys.stopping import break_off, end_by


class _Flag:
    """Set by the parent and read by the workers, without a lock that one could die with."""

    def __init__(self, context: BaseContext) -> None:
        self._reader, self._writer = context.Pipe(duplex=False)

    def set(self) -> None:
        self._writer.send_bytes(b"stop")  # never read, so that every worker sees it

    def is_set(self) -> bool:
        return self._reader.poll()

    def wait(self, other: int) -> bool:
        """Wait until it is set or the other thing is ready; whether it is set."""
        return self._reader in wait([self._reader, other])


class Own:
    """Processes of our own. When one dies all of them are replaced."""

    def __init__(self, workers: int | None) -> None:
        whole = isinstance(workers, int) and not isinstance(workers, bool) and workers > 0
        if workers is not None and not whole:
            raise SurveyError(f"workers is {workers!r}; it must be a whole number above zero")
        self._workers = workers
        self._context = multiprocessing.get_context()
        self._stop = _Flag(self._context)
        self._pool: ProcessPoolExecutor | None = None

    def executor(self) -> Executor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._workers, self._context, initializer=_begin, initargs=(self._stop,)
            )
        return self._pool

    def mend(self, fault: RuntimeError | CancelledError) -> None:  # noqa: ARG002
        self.close()

    def close(self) -> None:
        if self._pool is not None:
            self._stop.set()
            self._pool.shutdown(cancel_futures=True)
            self._pool = None
            self._stop = _Flag(self._context)


def _begin(stop: _Flag) -> None:
    """Set up a worker, which ends by its parent's word or with it."""
    end_by(stop)
    signal.signal(signal.SIGINT, break_off)
    threading.Thread(target=_listen, args=(stop,), daemon=True).start()


def _listen(stop: _Flag) -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    if stop.wait(parent.sentinel):
        interrupt_main()
        parent.join()
    os._exit(1)
