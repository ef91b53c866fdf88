"""The processes of a survey's own.

Apart from the rest because multiprocessing is loaded only where there are any.
"""

import multiprocessing
import os
import signal
import threading
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor
from multiprocessing.context import BaseContext

from scorpion.errors import SurveyError
from scorpion.surveys.chunks import end_by


class _Flag:
    """Set by the parent and read by the workers, without a lock that one could die with."""

    def __init__(self, context: BaseContext) -> None:
        self._reader, self._writer = context.Pipe(duplex=False)

    def set(self) -> None:
        self._writer.send_bytes(b"stop")  # never read, so that every worker sees it

    def is_set(self) -> bool:
        return self._reader.poll()


class Own:
    """Processes of the survey's own. When one dies all of them are replaced."""

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
    # A terminal sends Ctrl-C to all; the parent hears it and tells the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
