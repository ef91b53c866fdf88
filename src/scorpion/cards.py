"""The cards and their two characters.

A card is written as its rank and its suit, ``TH`` for the ten of hearts, and
that string is the card everywhere outside the compiled core (:data:`SPELLED` has the
other ways to write it, which are read and never written). Inside it a card is
its number, its place in :data:`DECK`: four times the rank (Ace 0, King 12) plus
the suit. The two suits of a colour are neighbours in :data:`SUITS`, so that the
cards that alternating colours cannot tell apart differ in the lowest bit only.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CSDH"
DECK: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
NUMBER: Final = {card: number for number, card in enumerate(DECK)}
UNKNOWN: Final = "??"
"""Stands for a card that cannot be seen and is not known."""

# The suits as characters, black and white: U+2660 to U+2667. One of the variation
# selectors may follow, which ask for it as text or as a picture and say nothing else.
_SYMBOLS: Final = {
    "C": "\u2663\u2667",
    "S": "\u2660\u2664",
    "D": "\u2666\u2662",
    "H": "\u2665\u2661",
}
_SELECTORS: Final = ("", "\ufe0e", "\ufe0f")


def _spellings(card: str) -> Iterator[str]:
    rank, suit = card[0], card[1]
    for shown in {rank, rank.lower()} | ({"10"} if rank == "T" else set()):
        yield from (shown + suit, shown + suit.lower())
        for symbol, selector in product(_SYMBOLS[suit], _SELECTORS):
            yield from (shown + symbol + selector, symbol + selector + shown)


SPELLED: Final = {text: card for card in DECK for text in _spellings(card)}
"""The card that a text stands for, in every way in which people write cards: ``TH``,
``10h``, ``10♥``, ``♥T``."""


def is_red(card: str) -> bool:
    """Whether the card is a heart or a diamond."""
    return card[1] in "DH"


def sort_key(card: str) -> int:
    """The card's number: cards sort by rank from the Ace up, then C, S, D, H."""
    return NUMBER[card]
