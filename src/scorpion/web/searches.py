"""Work side by side: a thread each, a bounded queue, and none for clients that left."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from starlette.requests import Request

Found = TypeVar("Found")


class BusyError(Exception):
    """All threads search and no more may wait."""


class ClientGoneError(Exception):
    """The client went away before the answer."""


class Searches:
    """Runs searches in threads, since they release the interpreter's lock.

    ``workers`` run at once and ``waiting`` more may wait; whoever comes then is told
    :class:`BusyError` at once. The threads start with the first search, and again with the
    first one after :meth:`close`.
    """

    def __init__(self, workers: int, waiting: int) -> None:
        self._room = workers + waiting
        self._workers = workers
        self._threads: ThreadPoolExecutor | None = None
        self._under_way: set[threading.Event] = set()

    @property
    def running(self) -> int:
        """How many searches run now."""
        return min(len(self._under_way), self._workers)

    @property
    def waiting(self) -> int:
        """How many searches wait for a thread."""
        return len(self._under_way) - self.running

    async def run(
        self, request: Request, search: Callable[..., Found], *given: object, **budgets: object
    ) -> Found:
        """What a search finds of what it is given.

        It is called with ``cancel`` too, the event by which it hears that it is to stop, as
        it does when the client leaves.

        Raises :class:`BusyError`, also where the service closes meanwhile,
        :class:`ClientGoneError`, and what the search raises.
        """
        if len(self._under_way) >= self._room:
            raise BusyError
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._workers, thread_name_prefix="scorpion-search")
        cancel = threading.Event()
        self._under_way.add(cancel)
        work = self._threads.submit(search, *given, cancel=cancel, **budgets)
        # Not before it has ended: a search takes up to 50 ms to hear that it is to stop.
        work.add_done_callback(lambda _: self._under_way.discard(cancel))
        found = asyncio.wrap_future(work)
        left = asyncio.ensure_future(_client_left(request))
        try:
            waited: set[asyncio.Future[Any]] = {found, left}
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            if not found.done():
                raise ClientGoneError
            if cancel.is_set() or found.cancelled():
                raise BusyError
            return found.result()
        finally:
            left.cancel()
            found.cancel()  # one that still waits in line leaves it
            cancel.set()

    def stop(self) -> None:
        """Tell all searches under way to stop; who waits for them is told BusyError."""
        for cancel in tuple(self._under_way):
            cancel.set()

    def close(self) -> None:
        """Stop all searches and their threads."""
        self.stop()
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
            self._threads = None


async def _client_left(request: Request) -> None:
    """Wait until the client is gone; its body has been read before."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
