"""Random positions for the tests: full decks, and small ones that finish quickly."""

import random
from collections.abc import Iterator
from itertools import pairwise, product
from typing import NamedTuple

from scorpion.cards import DECK
from scorpion.rules import CHOICES, Rules

EVERY_RULES = [
    Rules(**dict(zip(CHOICES, values, strict=True)))  # type: ignore[arg-type]
    for values in product(*CHOICES.values())
]


class Shape(NamedTuple):
    """A deck of the lowest ranks over some columns, with face-down cards and a stock."""

    ranks: int
    columns: int
    stock: int
    face_down: tuple[int, ...]


class Parts(NamedTuple):
    """What a position is made of, in the order in which both engines take it."""

    rules: Rules
    columns: list[list[str]]
    face_down: list[int]
    stock: list[str]
    foundations: tuple[str, ...]
    ranks: int


FULL = Shape(13, 7, 3, (3, 3, 3, 3, 0, 0, 0))
SHAPES = [
    Shape(3, 4, 3, (1, 1, 0, 0)),
    Shape(4, 4, 3, (2, 1, 0, 0)),
    Shape(4, 5, 2, (1, 1, 1, 0, 0)),
    Shape(5, 4, 3, (3, 2, 0, 0)),
    Shape(5, 5, 3, (2, 2, 1, 0, 0)),
    Shape(4, 3, 0, (2, 2, 0)),
    Shape(4, 4, 1, (3, 0, 0, 0)),
    Shape(5, 6, 2, (1, 1, 1, 1, 1, 1)),
    Shape(6, 4, 3, (3, 3, 0, 0)),
    Shape(6, 5, 3, (2, 2, 0, 0, 0)),
    Shape(4, 7, 3, (1, 1, 1, 1, 0, 0, 0)),
]


def dealt(rules: Rules, shape: Shape, cards: list[str]) -> Parts:
    """The cards dealt row by row; the last ones are the stock."""
    table = len(cards) - shape.stock
    columns = [cards[column : table : shape.columns] for column in range(shape.columns)]
    face_down = [
        min(count, max(len(pile) - 1, 0))
        for count, pile in zip(shape.face_down, columns, strict=True)
    ]
    return Parts(rules, columns, face_down, cards[table:], (), shape.ranks)


def random_deals(rules: Rules, shape: Shape, seed: int) -> Iterator[Parts]:
    """Deals of a shape without end; the same for the same seed."""
    chance = random.Random(f"{seed} {shape} {rules}")
    while True:
        cards = list(DECK[: 4 * shape.ranks])
        chance.shuffle(cards)
        yield dealt(rules, shape, cards)


def random_layouts(rules: Rules, seed: int) -> Iterator[Parts]:
    """Small decks in piles of any length, some of them empty; the same for the same seed.

    Three to six ranks in three to six columns, with up to three cards face down in each
    and up to three in the stock.
    """
    chance = random.Random(f"{seed} {rules}")
    while True:
        ranks, columns = chance.randint(3, 6), chance.randint(3, 6)
        cards = list(DECK[: 4 * ranks])
        chance.shuffle(cards)
        stock = [cards.pop() for _ in range(chance.choice((0, 1, 2, 3, 3, 3)))]
        cuts = sorted(chance.randint(0, len(cards)) for _ in range(columns - 1))
        piles = [cards[first:last] for first, last in pairwise([0, *cuts, len(cards)])]
        face_down = [min(chance.randint(0, 3), max(len(pile) - 1, 0)) for pile in piles]
        yield Parts(rules, piles, face_down, stock, (), ranks)
