"""Locks and cases as the core finds them (engine/reasons.pxd), turned into values."""

from functools import lru_cache
from typing import Final, cast

from scorpion._core import Position, reasons
from scorpion.losses.locks import Bar, Cases, FirstParked, LastHome, Lock, Reason, Refutation

FEW_TRIES: Final = 2_000
"""Parkings tried where nothing yet says that the position is lost."""
MANY_TRIES: Final = 100_000
"""And where it is known to be."""

_FORMS: Final = (Lock, Cases, FirstParked, LastHome, Reason, lru_cache(maxsize=4_096)(Bar))


def find_refutation(position: Position, tries: int = MANY_TRIES) -> Refutation | None:
    """A small lock of a position, or cases; None if none are found, or it is won."""
    return cast(Refutation | None, reasons(position, _FORMS, tries))
