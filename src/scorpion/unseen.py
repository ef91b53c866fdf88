"""Cards that a player cannot see: which card stands in for which, and what to say of them.

A card that is face down or in the stock may be unknown; it is written ``??``. What a
board with unknown cards allows shows in its face-up cards alone, so the engine plays it
with *stand-ins*: the cards that are nowhere to be seen, in the order of the deck.
"""

from collections.abc import Sequence
from typing import NamedTuple

from scorpion.building import is_king, run
from scorpion.cards import DECK, RANKS, UNKNOWN
from scorpion.errors import BoardError
from scorpion.layout import check_cards
from scorpion.rules import Rules


class Filled(NamedTuple):
    """The columns and the stock without unknown cards, and the cards that stand in."""

    columns: Sequence[Sequence[str]]
    stock: Sequence[str]
    stand_ins: frozenset[str]


def fill_in(
    rules: Rules,
    columns: Sequence[Sequence[str]],
    face_down: Sequence[int],
    stock: Sequence[str],
    foundations: Sequence[str],
) -> Filled:
    """Put the unseen cards, in the order of the deck, in place of the unknown ones.

    Raises :class:`BoardError` for an unknown card that is face up, and where there are
    more or fewer of them than unseen cards; whether what comes out is a legal position
    is left to the engine.
    """
    piles = [stock, *columns]
    places = sum(cards.count(UNKNOWN) for cards in piles)
    if not places:
        return Filled(columns, stock, frozenset())
    _check_face_up(columns, face_down)
    check_cards(piles, len(RANKS), skip=UNKNOWN)
    known = {card for cards in piles for card in cards}
    unseen = _without_runs(rules, [card for card in DECK if card not in known], foundations)
    if len(unseen) != places:
        raise BoardError(
            f"unknown cards: {places}; cards that are neither on the board nor on the"
            f" foundations: {len(unseen)}"
        )
    cards_left = iter(unseen)
    filled = [
        tuple(next(cards_left) if card == UNKNOWN else card for card in cards) for cards in piles
    ]
    return Filled(filled[1:], filled[0], frozenset(unseen))


def _check_face_up(columns: Sequence[Sequence[str]], face_down: Sequence[int]) -> None:
    for pile, (cards, down) in enumerate(zip(columns, face_down, strict=False), 1):
        for index, card in enumerate(cards):
            if card == UNKNOWN and not (isinstance(down, int) and index < down):
                raise BoardError(
                    "an unknown card cannot lie face up; only face-down cards and the stock"
                    " can be unknown",
                    pile=pile,
                    index=index,
                )


def _without_runs(rules: Rules, cards: list[str], foundations: Sequence[str]) -> list[str]:
    """The cards that are left when the runs of the Kings are taken out.

    In alternating colours a run does not say which of two twins went with it; they are
    interchangeable, and the first is taken.
    """
    left = list(cards)
    for king in foundations:
        if king not in left or not is_king(king):
            continue
        for serving in run(rules, king):
            gone = next((card for card in serving if card in left), None)
            if gone is not None:
                left.remove(gone)
    return left


def where_unknown(columns: Sequence[Sequence[str]], stock: Sequence[str]) -> str:
    """Which cards are unknown, in words: "the 3 lowest of column 1, the stock"."""
    names = [f"column {number}" for number in range(1, len(columns) + 1)]
    parts = []
    for name, cards in zip([*names, "the stock"], [*columns, stock], strict=True):
        places = [place for place, card in enumerate(cards, 1) if card == UNKNOWN]
        if not places:
            continue
        if cards is stock and len(places) == len(cards):
            parts.append(name)
        elif len(places) == 1:
            parts.append(f"card {places[0]} of {name}")
        elif cards is not stock and places[-1] == len(places):
            parts.append(f"the {len(places)} lowest of {name}")
        else:
            *first, last = map(str, places)
            parts.append(f"cards {', '.join(first)} and {last} of {name}")
    return ", ".join(parts)
