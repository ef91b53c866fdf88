"""Finding proofs that a board is lost, in the form that ``checker`` can check.

The proof's search is as plain as its check: all positions, nearest first, each with its
lock if it has one. It knows none of the core's reductions, since the checker does not.
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from scorpion._core import Position
from scorpion.cards import NUMBER
from scorpion.limits import Cancel
from scorpion.losses.finding import MANY_TRIES, find_refutation
from scorpion.losses.locks import Proof, Refutation

TRIES: Final = 300  # parkings tried for the reasons of a position on the way
LISTEN: Final = 0.01  # seconds between two looks at the cancel flag
REPORT: Final = 0.25  # and between two calls of progress

# Bytes, as measured and rounded up: of a position in the table of those reached and its
# end, of one that waits to be looked at, and of a lock.
KEY_SIZE: Final = 220
WAITING_SIZE: Final = 1_100
LOCK_SIZE: Final = 16_000


@dataclass
class Watch:
    """When a search in Python has to stop, and whom it tells how far it has come."""

    deadline: float
    cancel: Cancel | None = None
    progress: Callable[[int], object] | None = None
    seen: int = 0
    heard: float = 0.0
    reported: float = 0.0

    def stops(self) -> Literal["seconds", "cancelled"] | None:
        """Why to stop, if there is a reason; cheap enough to be asked very often."""
        now = time.perf_counter()
        if now >= self.deadline:
            return "seconds"
        if now - self.heard < LISTEN:
            return None
        self.heard = now
        if self.cancel is not None and self.cancel.is_set():
            return "cancelled"
        if self.progress is not None and now - self.reported >= REPORT:
            self.reported = now
            self.progress(self.seen)
        return None


def find_proof(
    position: Position, watch: Watch, *, max_nodes: float, max_memory: float
) -> Proof | Literal["nodes", "seconds", "memory", "cancelled"] | None:
    """A proof that no play wins from here, or the budget that ran out; None after a win.

    ``max_nodes`` bounds the positions that are reached, ``max_memory`` their bytes; the
    number of positions is added to what the watch has seen. The same position and
    ``max_nodes`` give the same proof everywhere.
    """
    locks: dict[Refutation, int] = {}
    ends: list[int | None] = []
    waiting = deque([position])
    keys = {_key(position)}
    before = watch.seen
    while waiting:
        watch.seen = before + len(keys)
        size = KEY_SIZE * len(keys) + WAITING_SIZE * len(waiting) + LOCK_SIZE * len(locks)
        if len(keys) > max_nodes:
            watch.seen = before + int(max_nodes)
            return "nodes"
        if size > max_memory:
            return "memory"
        here = waiting.popleft()
        if here.is_won:
            return None
        refutation = find_refutation(here, TRIES if ends else MANY_TRIES)
        if limit := watch.stops():
            return limit
        if refutation is not None:
            ends.append(locks.setdefault(refutation, len(locks)))
            continue
        ends.append(None)
        for move in here.legal_moves():
            after = here.after(move)
            key = _key(after)
            if key not in keys:
                keys.add(key)
                waiting.append(after)
    return Proof(tuple(locks), tuple(ends))


def _key(position: Position) -> bytes:
    """What positions have in common that count as one in :func:`check_proof`."""
    columns = [
        bytes([len(cards), down, *map(NUMBER.__getitem__, cards)])
        for cards, down in zip(position.columns, position.face_down, strict=True)
    ]
    landing = len(position.stock)
    return b"".join([bytes([landing]), *columns[:landing], *sorted(columns[landing:])])
