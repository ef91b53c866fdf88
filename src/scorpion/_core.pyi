from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, Protocol, final

from scorpion.moves import Move
from scorpion.rules import Rules

class _Cancel(Protocol):
    def is_set(self) -> bool: ...

@final
class Position:
    def __init__(
        self,
        rules: Rules,
        columns: Sequence[Sequence[str]],
        face_down: Sequence[int],
        stock: Sequence[str] = (),
        foundations: Sequence[str] = (),
        ranks: int = 13,
    ) -> None: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def ranks(self) -> int: ...
    @property
    def columns(self) -> tuple[tuple[str, ...], ...]: ...
    @property
    def face_down(self) -> tuple[int, ...]: ...
    @property
    def stock(self) -> tuple[str, ...]: ...
    @property
    def foundations(self) -> tuple[str, ...]: ...
    @property
    def key(self) -> tuple[int, int, int]: ...
    @property
    def key_from_scratch(self) -> tuple[int, int, int]: ...
    @property
    def search_key(self) -> tuple[int, int, int]: ...
    @property
    def is_won(self) -> bool: ...
    @property
    def is_stuck(self) -> bool: ...
    @property
    def is_dead(self) -> bool: ...
    def arrangement(self) -> bytes: ...
    def legal_moves(self) -> list[Move]: ...
    def most_uncovering(self) -> Move | None: ...
    def play(self, move: Move) -> None: ...
    def undo(self) -> None: ...
    def copy(self) -> Position: ...
    def after(self, move: Move) -> Position: ...
    def perft(self, depth: int) -> int: ...

def shuffled(dealer: str, number: int) -> list[str]: ...
def search(
    position: Position,
    *,
    max_nodes: int,
    max_seconds: float,
    max_memory: int,
    cancel: _Cancel | None = None,
    progress: Callable[[int], object] | None = None,
    shorten: int = 0,
    advise: bool = False,
    prune: bool = True,
    merge: bool = True,
    greedy: bool = True,
    learn: bool = True,
) -> tuple[
    Literal["won", "lost", "nodes", "seconds", "memory", "cancelled"], tuple[Move, ...], int
]: ...
def search_positions(
    positions: Iterable[Position],
    *,
    max_nodes: int,
    max_seconds: float,
    max_memory: int,
    cancel: _Cancel | None = None,
    progress: Callable[[int], object] | None = None,
) -> tuple[bytes, array[int], array[int], array[float], Literal["seconds", "cancelled"] | None]: ...
def search_deals(
    rules: Rules,
    dealer: str,
    numbers: Iterable[int],
    *,
    max_nodes: int,
    max_seconds: float,
    max_memory: int,
    cancel: _Cancel | None = None,
    progress: Callable[[int], object] | None = None,
) -> tuple[bytes, array[int], array[int], array[float], Literal["seconds", "cancelled"] | None]: ...
def rate_moves(
    position: Position,
    *,
    max_nodes: int,
    max_seconds: float,
    max_memory: int,
    cancel: _Cancel | None = None,
) -> tuple[bytes, int]: ...
def sample_moves(
    position: Position,
    unknown: Iterable[str],
    *,
    samples: int,
    seed: int,
    max_nodes: int,
    max_seconds: float,
    max_memory: int,
    cancel: _Cancel | None = None,
) -> tuple[list[Move], list[int], int, bool, set[Move]]: ...
def nogoods(
    position: Position, *, max_nodes: int, glance: bool = True
) -> list[tuple[frozenset[object], frozenset[object], dict[str, str | None]]]: ...
def reasons(position: Position, forms: tuple[Callable[..., object], ...]) -> object: ...
def prove(
    position: Position,
    forms: tuple[Callable[..., object], ...],
    *,
    max_nodes: int,
    max_seconds: float,
    max_memory: int,
    cancel: _Cancel | None = None,
    progress: Callable[[int], object] | None = None,
) -> tuple[
    Literal["won", "lost", "nodes", "seconds", "memory", "cancelled"],
    tuple[object, ...],
    tuple[int | None, ...],
    int,
]: ...
