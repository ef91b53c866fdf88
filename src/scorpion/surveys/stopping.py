"""How work on many deals ends early in the processes that do it."""

from collections.abc import Iterator
from contextlib import contextmanager

from scorpion.limits import Cancel

# Set in our own workers only, which end by it.
_stop: Cancel | None = None
_breakable = False


def end_by(stop: Cancel) -> None:
    """Let every call in this process end when ``stop`` is set."""
    global _stop  # noqa: PLW0603
    _stop = stop


def stop() -> Cancel | None:
    """What searches in this process are to be cancelled by."""
    return _stop


@contextmanager
def breakable() -> Iterator[None]:
    """Within, work in Python that looks at no flag may be broken off where it stands."""
    global _breakable  # noqa: PLW0603
    _breakable = True
    try:
        yield
    finally:
        _breakable = False


def break_off(*_: object) -> None:
    """Handle Ctrl-C in a worker: break off what is breakable, once its parent has said so.

    A terminal sends Ctrl-C to all; the parent hears it and tells the workers.
    """
    if _breakable and _stop is not None and _stop.is_set():
        raise KeyboardInterrupt
