"""Numbered deals: the shuffles of the programs whose numbers players quote.

``ms``
    Microsoft's FreeCell, numbers 1 to 2^33 - 1 as FreeCell Pro extends them.
``pysolfc``
    What PySolFC shows as the game number: Microsoft's generator below 32000,
    Python's Mersenne Twister from there to 10^20.
``cardgames``
    A popular web version's, on which published solver results stand.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from scorpion._core import shuffled as shuffle_deck
from scorpion.board import Board
from scorpion.errors import DealError
from scorpion.layout import STOCK
from scorpion.rules import COLUMNS, Rules, rules_of

DEALERS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "pysolfc": 10**20,
        "ms": 2**33 - 1,
        # Beyond, 9301 e + 49297 is no longer exact in the doubles of the web version.
        "cardgames": (2**53 - 49_297) // 9301,
    }
)
"""The dealers by name, each with the last of its numbers; the first is 1."""


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
    check_dealer(dealer)
    return shuffle_deck(dealer, check_number(number, dealer))


def check_dealer(dealer: str) -> str:
    """The dealer's name, if there is such a dealer; otherwise :class:`DealError`."""
    if not isinstance(dealer, str) or dealer not in DEALERS:
        raise DealError(f"there is no dealer {dealer!r}; the dealers are {', '.join(DEALERS)}")
    return dealer


def check_number(number: int, dealer: str) -> int:
    """The deal's number, if the dealer has it; otherwise :class:`DealError`."""
    if not isinstance(number, int) or isinstance(number, bool):
        raise DealError(f"a deal number is a whole number, not {number!r}")
    last = DEALERS[dealer]
    if not 1 <= number <= last:
        raise DealError(f"there is no {dealer} deal {number}; its numbers are 1 to {last}")
    return number
