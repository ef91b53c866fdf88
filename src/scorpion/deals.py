"""Numbered deals: the shuffles of the programs whose numbers players quote.

``ms``
    Microsoft's FreeCell, numbers 1 to 2^33 - 1 as FreeCell Pro extends them.
``pysolfc``
    What PySolFC shows as the game number: Microsoft's generator below 32000,
    Python's Mersenne Twister from there to 10^20.
``cardgames``
    A popular web version's, on which published solver results stand.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from scorpion.board import Board
from scorpion.cards import RANKS
from scorpion.errors import DealError
from scorpion.layout import STOCK
from scorpion.rules import COLUMNS, Rules, rules_of

_LAST_MS: Final = 2**33 - 1
_LAST_PYSOLFC: Final = 10**20
_FIRST_TWISTER: Final = 32_000
# From here on 9301 e + 49297 is no longer exact in the doubles of the web version.
_LAST_CARDGAMES: Final = (2**53 - 49_297) // 9301


def deal(game: str | Rules, number: int, *, dealer: str = "pysolfc") -> Board:
    """The board of a numbered deal.

    ``game`` is a preset's name or :class:`Rules`, ``dealer`` one of ``pysolfc``,
    ``ms`` and ``cardgames``. The cards are dealt row by row over the seven columns,
    the last three are the stock. Raises :class:`RulesError` for an unknown game and
    :class:`DealError` for an unknown dealer or a number it does not have.
    """
    rules = rules_of(game)
    cards = shuffled(number, dealer)
    table = len(cards) - STOCK
    columns = [cards[column:table:COLUMNS] for column in range(COLUMNS)]
    return Board(rules, columns, rules.face_down, cards[table:])


def shuffled(number: int, dealer: str = "pysolfc") -> list[str]:
    """The 52 cards of a numbered deal in the order in which they are dealt.

    Raises :class:`DealError` as :func:`deal` does.
    """
    if not isinstance(dealer, str) or dealer not in DEALERS:
        raise DealError(f"there is no dealer {dealer!r}; the dealers are {', '.join(DEALERS)}")
    if not isinstance(number, int) or isinstance(number, bool):
        raise DealError(f"a deal number is a whole number, not {number!r}")
    shuffle, last = DEALERS[dealer]
    if not 1 <= number <= last:
        raise DealError(f"there is no {dealer} deal {number}; its numbers are 1 to {last}")
    return shuffle(number)


def _ms(number: int) -> list[str]:
    """Microsoft's shuffle: each card is drawn from those left, the last takes its place."""
    deck = [rank + suit for rank in RANKS for suit in "CDHS"]
    dealt = []
    for chance in _ms_random(number):
        place = chance % len(deck)
        deck[place], deck[-1] = deck[-1], deck[place]
        dealt.append(deck.pop())
        if not deck:
            break
    return dealt


def _ms_random(number: int) -> Iterator[int]:
    """The random numbers of Microsoft's C library for a seed, as FreeCell Pro extends them.

    Up to 2^31 - 1 they have 15 bits; for the next 2^31 seeds the 16th bit is always
    set; beyond 2^32 there are 16 bits, plus one, from the seed's lower half.
    """
    state = number & 0xFFFFFFFF
    while True:
        state = (state * 214_013 + 2_531_011) & 0xFFFFFFFF
        high = state >> 16
        if number < 2**31:
            yield high & 0x7FFF
        elif number < 2**32:
            yield high | 0x8000
        else:
            yield high + 1


def _pysolfc(number: int) -> list[str]:
    if number < _FIRST_TWISTER:
        return _ms(number)
    chance = random.Random(number)
    deck = [rank + suit for suit in "CSHD" for rank in RANKS]
    for place in range(len(deck) - 1, 0, -1):
        other = int(chance.random() * (place + 1))
        deck[place], deck[other] = deck[other], deck[place]
    deck.reverse()
    return deck


def _cardgames(number: int) -> list[str]:
    """A linear congruential generator over 233,280 states, in JavaScript's doubles."""
    deck = [rank + suit for rank in RANKS for suit in "HSDC"]
    state = number
    for place in range(len(deck), 1, -1):
        state = (9301 * state + 49_297) % 233_280
        other = int(state / 233_280 * place)
        deck[place - 1], deck[other] = deck[other], deck[place - 1]
    deck.reverse()
    return deck


DEALERS: Final[Mapping[str, tuple[Callable[[int], list[str]], int]]] = MappingProxyType(
    {
        "pysolfc": (_pysolfc, _LAST_PYSOLFC),
        "ms": (_ms, _LAST_MS),
        "cardgames": (_cardgames, _LAST_CARDGAMES),
    }
)
"""The dealers by name, each with its shuffle and its last number."""
