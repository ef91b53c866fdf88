"""Kings and spaces in alternating colours: what is lost by counting, and that locks are seen.

Whole graphs of small decks that are dealt so that Kings matter: few columns, some of them
empty, runs that have gone. No winnable position of them is called dead, and every position
for which a lock is found, or cases, is.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest
from decks import EVERY_RULES, random_layouts
from test_twins import KINGS_ONLY, Definition, graph

from scorpion import _core
from scorpion.errors import BoardError
from scorpion.losses.finding import find_refutation
from scorpion.losses.locks import FirstParked
from scorpion.rules import Rules

# The faults that these tests have to catch stand in tests/faults/kings.toml and twins.toml.

COLOURS = [rules for rules in EVERY_RULES if rules.build == "alternating"]


def layouts(rules: Rules, seed: int) -> Iterator[_core.Position]:
    """Small decks in piles of any length; the same for the same seed."""
    for parts in random_layouts(rules, seed):
        try:
            yield _core.Position(*parts)
        except BoardError:
            continue


class FreeKings(Definition):
    """The closure as if there were always a space for a King."""

    def leaves(self, card: str, firsts: frozenset[str], parked: frozenset[str]) -> bool:
        return card in self.kings or super().leaves(card, firsts, parked)


def check_layouts(rules: Rules, seed: int, decks: int) -> Counter[str]:
    """Of the positions of whole graphs: how many are what, and how many are asked for a lock."""
    found: Counter[str] = Counter()
    for start in islice(layouts(rules, seed), decks):
        for number, (position, wins) in enumerate(graph(start, 2_000) or []):
            if wins:
                assert not position.is_dead, (position.columns, position.face_down)
                found["winnable"] += 1
            elif position.is_dead:
                found["dead"] += 1
            else:
                found["lost"] += 1
                if number % 20 == 0:
                    refutation = find_refutation(position)
                    # Reasons count any card's space, the closure that of Kings.
                    if rules.fill == "king" or not isinstance(refutation, FirstParked):
                        assert refutation is None, (position.columns, position.face_down)
                        found["asked"] += 1
    return found


@pytest.mark.parametrize("rules", COLOURS, ids=str)
@pytest.mark.parametrize("decks", [60, pytest.param(5_000, marks=pytest.mark.slow)])
def test_no_winnable_position_is_dead_and_every_lock_is_seen(rules: Rules, decks: int) -> None:
    found = check_layouts(rules, 41, decks)
    assert found["winnable"] > 10 * decks
    assert found["dead"] > (4 if rules.fill == "king" else 1) * decks
    assert found["asked"] > 0


@pytest.mark.parametrize("rules", KINGS_ONLY, ids=str)
@pytest.mark.parametrize("decks", [150, pytest.param(5_000, marks=pytest.mark.slow)])
def test_counting_refutes_what_free_kings_do_not(rules: Rules, decks: int) -> None:
    counted = 0
    for position in islice(layouts(rules, 42), decks):
        dead = Definition(position).is_dead()
        assert position.is_dead == dead, (position.columns, position.face_down)
        counted += dead and not FreeKings(position).is_dead()
    assert counted > decks // 60


# What counting runs one by one, or by colours, would get wrong. Each was found by comparing the
# definition with one that counts otherwise, over random layouts.
COUNTED = {
    # Alive: two runs of one colour leave, and what they give back takes the other two Kings.
    "3C 2H/3S 2C 3D/2S AH 3H AC 2D/AD AS": ((1, 0, 2, 1), "", False),
    "3D 2S/3H 2H 3S/AS AD 2C/2D AC AH 3C": ((1, 0, 2, 3), "", False),
    "4D 2H 3S/4H AC 4S AS/2S 3D AH/2C 3H 4C 3C 2D AD": ((0, 3, 0, 3), "", False),
    # Dead: one run of a colour leaves, not two, and gives back one space.
    "2H 2C 3C 3S AC/3D/AS 2D AD 2S AH/3H": ((3, 0, 2, 0), "", True),
    "3S 2S AS 2D 3H 2H/AH AD AC 3D/3C": ((2, 3, 0), "2C", True),
    "3D 3H AD AH/4D 4C 3S/AC 2S 3C/2C 4S/4H": ((3, 2, 2, 1, 0), "AS 2D 2H", True),
}


@pytest.mark.parametrize("piles", COUNTED)
def test_spaces_that_runs_give_back(piles: str) -> None:
    face_down, stock, dead = COUNTED[piles]
    columns = [pile.split() for pile in piles.split("/")]
    ranks = (sum(map(len, columns)) + len(stock.split())) // 4
    position = _core.Position(KINGS_ONLY[0], columns, face_down, stock.split(), (), ranks)
    assert position.is_dead == dead
    assert Definition(position).is_dead() == dead
    whole = graph(position, 20_000)
    assert whole is not None
    assert not (dead and any(wins for _, wins in whole))
