"""What may lie on what: the building rule in plain Python, which all Python code asks.

``reference`` plays by these answers. The compiled core has a reading of its own, which
the tests hold against this one; nowhere else is it written down which card fits.

Where a deck has fewer than 13 ranks its highest rank is King.
"""

from functools import lru_cache

from scorpion.cards import RANKS, SUITS, is_red
from scorpion.rules import Rules


def is_king(card: str, ranks: int = len(RANKS)) -> bool:
    """Whether the card is of the highest rank of a deck of so many."""
    return card[0] == RANKS[ranks - 1]


def fits(rules: Rules, card: str, target: str) -> bool:
    """Whether the card may be built on the target, which lies at an open end."""
    if RANKS.index(card[0]) + 1 != RANKS.index(target[0]):
        return False
    if rules.build == "suit":
        return card[1] == target[1]
    return is_red(card) != is_red(target)


def fills_space(rules: Rules, card: str, ranks: int = len(RANKS)) -> bool:
    """Whether an empty column takes the card."""
    return rules.fill == "any" or is_king(card, ranks)


# The finding of locks asks the next two hundreds of times a position.


@lru_cache(maxsize=1_024)
def parents(rules: Rules, card: str, ranks: int = len(RANKS)) -> tuple[str, ...]:
    """The cards of the deck that the card fits on, in its order; a King has none."""
    above = RANKS[:ranks][RANKS.index(card[0]) + 1 :][:1]
    targets = [above + suit for suit in SUITS if above]
    return tuple(target for target in targets if fits(rules, card, target))


@lru_cache(maxsize=128)
def run(rules: Rules, king: str) -> tuple[tuple[str, ...], ...]:
    """The cards that can serve in the King's run at each rank, from the King to the Ace.

    In alternating colours two cards can serve at each rank below the King, and either
    takes the same cards on it: what goes on from here does not depend on which it is.
    """
    serving: list[tuple[str, ...]] = [(king,)]
    for rank in reversed(RANKS[: RANKS.index(king[0])]):
        target = serving[-1][0]
        cards = [rank + suit for suit in SUITS]
        serving.append(tuple(card for card in cards if fits(rules, card, target)))
    return tuple(serving)
