"""Finding proofs that a board is lost, in the form that ``checker`` can check.

The proof's search is as plain as its check: all positions, nearest first, each with its
lock if it has one. It knows none of the core's reductions, since the checker does not.
"""

from scorpion._core import Position
from scorpion.firsts import MOST_CLOSURES, find_refutation
from scorpion.locks import Cases, Lock, Proof

# Closures tried for the cases of a position on the way; the board itself gets more.
FEW_CLOSURES = 100


def find_proof(position: Position, most: int) -> Proof | None:
    numbers: dict[Lock | Cases, int] = {}
    ends: list[int | None] = []
    reached = [position]
    keys = {_key(position)}
    for here in reached:
        if here.is_won:
            return None
        refutation = find_refutation(here, FEW_CLOSURES if ends else MOST_CLOSURES)
        if refutation is not None:
            ends.append(numbers.setdefault(refutation, len(numbers)))
            continue
        ends.append(None)
        for move in here.legal_moves():
            after = here.after(move)
            key = _key(after)
            if key not in keys:
                if len(keys) == most:
                    return None
                keys.add(key)
                reached.append(after)
    return Proof(tuple(numbers), tuple(ends))


def _key(position: Position) -> object:
    """What positions have in common that count as one in :func:`check_proof`."""
    columns = list(zip(position.columns, position.face_down, strict=True))
    landing = len(position.stock)
    return (tuple(columns[:landing]), tuple(sorted(columns[landing:])), position.stock)
