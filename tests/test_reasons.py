"""The reasons that the core finds along random play: how many, how short, and that they hold."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest
from decks import EVERY_RULES, FULL, SHAPES, Shape, random_deals

from scorpion import _core, reference
from scorpion.errors import BoardError
from scorpion.losses.checker import check_position_lock
from scorpion.losses.finding import find_refutation
from scorpion.losses.locks import Cases, FirstParked, LastHome, Lock, Refutation, locks_in
from scorpion.rules import Rules

LARGER = [
    Shape(6, 5, 3, (2, 2, 0, 0, 0)),
    Shape(7, 5, 3, (2, 2, 2, 0, 0)),
    Shape(8, 6, 3, (2, 2, 2, 0, 0, 0)),
    Shape(10, 7, 0, (3, 3, 0, 0, 0, 0, 0)),
    FULL,
]


def played(rules: Rules) -> Iterator[_core.Position]:
    """The positions of random plays, of deals of all shapes."""
    for shape in (*SHAPES, *LARGER):
        chance = random.Random(f"{rules} {shape}")
        for parts in islice(random_deals(rules, shape, 31), 8):
            try:
                position = _core.Position(*parts)
            except BoardError:
                continue
            for _ in range(12):
                if position.is_won:
                    break
                yield position
                moves = position.legal_moves()
                if not moves:
                    break
                position.play(chance.choice(moves))


def length(refutation: Refutation) -> int:
    """How many reasons a lock or cases tell; what serves in several cases is told once."""
    return sum(len(lock.reasons) for lock in locks_in(refutation))


# Of each kind how many are found, and how many reasons they tell in all. What finds more, or
# says the same in fewer words, is welcome: then these are to be set anew from what is said
# where this fails.
FOUND: dict[tuple[str, str], dict[type, tuple[int, int]]] = {
    ("suit", "king"): {Lock: (2806, 9645), FirstParked: (114, 3991), LastHome: (8, 780)},
    ("suit", "any"): {Lock: (913, 11503), FirstParked: (332, 67547), LastHome: (53, 20612)},
    ("alternating", "king"): {Lock: (961, 4991), FirstParked: (78, 2741), Cases: (213, 6769)},
    ("alternating", "any"): {Lock: (361, 4125), FirstParked: (54, 2421)},
}


@pytest.mark.parametrize(("build", "fill"), FOUND)
def test_reasons_along_random_play(build: str, fill: str) -> None:
    """No fewer and no longer than they have been; those of fewer than 100 are checked."""
    number: Counter[type] = Counter()
    told: Counter[type] = Counter()
    for rules in EVERY_RULES:
        if (rules.build, rules.fill) != (build, fill):
            continue
        for position in played(rules):
            found = find_refutation(position)
            if found is not None:
                number[type(found)] += 1
                told[type(found)] += length(found)
                if length(found) < 100:
                    check_position_lock(as_reference(position), found)
    for kind, (least, most) in FOUND[build, fill].items():
        assert number[kind] >= least
        assert told[kind] <= most
    assert set(number) == set(FOUND[build, fill])


def as_reference(position: _core.Position) -> reference.Position:
    piles = position.columns, position.face_down, position.stock, position.foundations
    return reference.Position(position.rules, *piles, position.ranks)
