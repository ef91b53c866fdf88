"""What a search may use: its budgets, checked once and carried as one value."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypedDict

from scorpion.errors import BudgetError

MAX_NODES: Final = 1_000_000
"""Positions that settling a board may see, if nothing else is said."""
HINT_NODES: Final = 250_000
"""And a hint, a rating or a reason, for which somebody waits."""
MAX_MEMORY: Final = 2**30
"""Bytes that a search may allocate, if nothing else is said."""
UNLIMITED: Final = 2**63
"""What stands for no limit where the core takes a number."""


class Cancel(Protocol):
    """What a search can be stopped by: a :class:`threading.Event`, for one."""

    def is_set(self) -> bool:
        """Whether the search is to stop."""


class Budgets(TypedDict, total=False):
    """The budgets of hints and ratings as keyword arguments, for what passes them on."""

    max_nodes: int | None
    max_seconds: float | None
    max_memory: int | None
    cancel: Cancel | None


@dataclass(frozen=True, slots=True)
class Limits:
    """What ends a search: positions, seconds, bytes, ``cancel``; and who hears of it.

    Made by :meth:`checked`, so that whoever has one need not look again.
    """

    max_nodes: int
    max_seconds: float
    max_memory: int
    cancel: Cancel | None = None
    progress: Callable[[int], object] | None = None

    @classmethod
    def checked(
        cls,
        max_nodes: int | None,
        max_seconds: float | None,
        max_memory: int | None,
        cancel: Cancel | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> "Limits":
        """The limits that a caller has named; None is no limit.

        Raises :class:`BudgetError` for a budget that is not positive, for what cannot be
        asked ``is_set()``, and for progress that cannot be called.
        """
        if cancel is not None and not callable(getattr(cancel, "is_set", None)):
            raise BudgetError(f"cancel is {cancel!r}; it must have a method is_set, or be None")
        if progress is not None and not callable(progress):
            raise BudgetError(f"progress is {progress!r}; it must be a callable, or None")
        return cls(
            int(_number("max_nodes", max_nodes, whole=True)),
            _number("max_seconds", max_seconds, whole=False),
            int(_number("max_memory", max_memory, whole=True)),
            cancel,
            progress,
        )

    def for_core(self) -> dict[str, Any]:
        """The keyword arguments that all searches of the core take."""
        return {
            "max_nodes": self.max_nodes,
            "max_seconds": self.max_seconds,
            "max_memory": self.max_memory,
            "cancel": self.cancel,
        }


def _number(name: str, value: float | None, *, whole: bool) -> float:
    if value is None:
        return UNLIMITED
    number = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
    if not number or not value > 0:  # which NaN is not either
        kind = "whole number" if whole else "number"
        raise BudgetError(f"{name} is {value!r}; it must be a {kind} above zero, or None")
    return min(value, UNLIMITED)
