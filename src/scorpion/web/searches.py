"""Searches side by side: a thread each, a bounded queue, and none for clients that left."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from starlette.requests import Request

Found = TypeVar("Found")


class Busy(Exception):
    """All threads search and no more may wait."""


class ClientGone(Exception):
    """The client went away before the answer."""


class Searches:
    """Runs searches in threads, since they release the interpreter's lock.

    ``workers`` run at once and ``waiting`` more may wait; whoever comes then is told
    :class:`Busy` at once. The threads start with the first search.
    """

    def __init__(self, workers: int, waiting: int) -> None:
        self._room = workers + waiting
        self._workers = workers
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="scorpion-search")
        self._under_way: set[threading.Event] = set()

    @property
    def running(self) -> int:
        """How many searches run now."""
        return min(len(self._under_way), self._workers)

    @property
    def waiting(self) -> int:
        """How many searches wait for a thread."""
        return len(self._under_way) - self.running

    async def run(self, request: Request, search: Callable[[threading.Event], Found]) -> Found:
        """What a search finds, which is told to stop by the event when the client leaves.

        Raises :class:`Busy`, :class:`ClientGone`, and what the search raises.
        """
        if len(self._under_way) >= self._room:
            raise Busy
        cancel = threading.Event()
        self._under_way.add(cancel)
        try:
            found = asyncio.get_running_loop().run_in_executor(self._threads, search, cancel)
            left = asyncio.ensure_future(_client_left(request))
            await asyncio.wait({found, left}, return_when=asyncio.FIRST_COMPLETED)
            if not found.done():
                cancel.set()
                found.cancel()
                await asyncio.wait({found})
                raise ClientGone
            left.cancel()
            return found.result()
        finally:
            cancel.set()
            self._under_way.discard(cancel)

    def close(self) -> None:
        """Stop all searches and their threads."""
        for cancel in tuple(self._under_way):
            cancel.set()
        self._threads.shutdown(cancel_futures=True)


async def _client_left(request: Request) -> None:
    """Wait until the client is gone; its body has been read before."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
