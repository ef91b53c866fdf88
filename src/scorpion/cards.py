"""The cards and their two characters.

A card is written as its rank and its suit, ``TH`` for the ten of hearts, and
that string is the card everywhere outside the compiled core. Inside it a card is
its number, its place in :data:`DECK`: four times the rank (Ace 0, King 12) plus
the suit. The two suits of a colour are neighbours in :data:`SUITS`, so that the
cards that alternating colours cannot tell apart differ in the lowest bit only.
"""

from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CSDH"
DECK: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
NUMBER: Final = {card: number for number, card in enumerate(DECK)}
UNKNOWN: Final = "??"
"""Stands for a card that cannot be seen and is not known."""


def is_red(card: str) -> bool:
    """Whether the card is a heart or a diamond."""
    return card[1] in "DH"


def sort_key(card: str) -> int:
    """The card's number: cards sort by rank from the Ace up, then C, S, D, H."""
    return NUMBER[card]
