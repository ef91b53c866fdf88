"""Numbered deals against pysol-cards, a second shuffle, and deals known elsewhere."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from pysol_cards.cards import CardRenderer, createCards  # type: ignore[import-untyped]
from pysol_cards.random import shuffle  # type: ignore[import-untyped]
from pysol_cards.random_base import RandomBase  # type: ignore[import-untyped]

from scorpion.cards import DECK
from scorpion.deals import DEALERS, deal, shuffled
from scorpion.errors import DealError, RulesError
from scorpion.rules import GAMES, Rules

RANKS = "A23456789TJQK"

# interface.md, "Deal numbers".
FIRST_AND_LAST = {
    "ms": (1, 8_589_934_591),
    "pysolfc": (1, 100_000_000_000_000_000_000),
    "cardgames": (1, 968_411_918_577),
}


def pysol_cards(number: int, dealer: int) -> list[str]:
    """The cards in the order of dealing, that is from the end of PySolFC's deck."""
    cards = shuffle(createCards(1), number, dealer)
    return [str(CardRenderer(True).to_s(card)) for card in reversed(cards)]  # noqa: FBT003


# The numbers that Microsoft's generator takes.


@pytest.mark.parametrize(
    ("number", "cards"),
    [
        (  # as FreeCell deals it, https://rosettacode.org/wiki/Deal_cards_for_FreeCell
            1,
            (
                "JD 2D 9H JC 5D 7H 7C 5H KD KC 9S 5S AD QC KH 3H 2S KS 9D QD JS AS AH 3C 4C 5C "
                "TS QH 4H AC 4D 7S 3S TD 4S TH 8H 2C JH 7D 6D 8S 8D QS 6C 3D 8C TC 6S 9C 2H 6H"
            ),
        ),
        (
            617,
            (
                "7D AD 5C 3S 5S 8C 2D AH TD 7S QD AC 6D 8H AS KH TH QC 3H 9D 6S 8D 3D TC KD 5H "
                "9S 3C 8S 7H 4D JS 4C QS 9C 9H 7C 6H 2C 2S 4S TS 2H 5D JC 6C JH QH JD KS KC 4H"
            ),
        ),
    ],
)
@pytest.mark.parametrize("dealer", ["ms", "pysolfc"])
def test_known_microsoft_deals(number: int, cards: str, dealer: str) -> None:
    assert shuffled(number, dealer) == cards.split()


def around(*numbers: int) -> list[int]:
    return [near for number in numbers for near in range(number - 3, number + 4)]


@pytest.mark.parametrize(
    "numbers",
    [
        range(1, 2001),
        range(31_900, 32_100),
        around(2**15, 2**16, 10**6, 10**9),
        around(2**31, 2**32, 2**32 + 2**31),
        range(2**33 - 50, 2**33),
        range(12_345, 2**33, 2**33 // 1000),
    ],
    ids=["first", "32000", "small powers", "extended", "last", "everywhere"],
)
def test_ms_is_what_pysol_cards_shuffles(numbers: range | list[int]) -> None:
    for number in numbers:
        assert shuffled(number, "ms") == pysol_cards(number, RandomBase.DEALS_MS), number


def test_pysolfc_is_microsofts_below_32000() -> None:
    for number in (*range(1, 1001), *range(31_500, 32_000)):
        assert shuffled(number, "pysolfc") == shuffled(number, "ms"), number
        assert shuffled(number, "pysolfc") == pysol_cards(number, RandomBase.DEALS_PYSOLFC), number


# The numbers that the Mersenne Twister takes.


@pytest.mark.parametrize(
    "numbers",
    [
        range(32_001, 33_001),
        around(2**32, 2**64, 10**19),
        range(10**20 - 50, 10**20 + 1),
        range(10**19, 10**20, 10**17),
    ],
    ids=["first", "powers", "last", "everywhere"],
)
def test_pysolfc_is_what_pysol_cards_shuffles(numbers: range | list[int]) -> None:
    for number in numbers:
        cards = pysol_cards(number, RandomBase.DEALS_PYSOLFC)
        assert shuffled(number, "pysolfc") == cards, number


def tempered(word: int) -> int:
    word ^= word >> 11
    word ^= word << 7 & 0x9D2C5680
    word ^= word << 15 & 0xEFC60000
    return word ^ word >> 18


def mersenne_twister(seed: int) -> Iterator[float]:
    """Matsumoto and Nishimura's mt19937ar: init_by_array, then genrand_res53."""
    key = [seed >> shift & 0xFFFFFFFF for shift in range(0, max(seed.bit_length(), 1), 32)]
    state = [19_650_218]
    for i in range(1, 624):
        state.append((1_812_433_253 * (state[-1] ^ state[-1] >> 30) + i) & 0xFFFFFFFF)
    i, j = 1, 0
    for round_ in range(624 + 623):
        first = round_ < 624
        mixed = (state[i - 1] ^ state[i - 1] >> 30) * (1_664_525 if first else 1_566_083_941)
        added = key[j] + j if first else -i
        state[i] = ((state[i] ^ mixed) + added) & 0xFFFFFFFF
        i, j = i + 1, (j + 1) % len(key)
        if i == 624:
            state[0] = state[623]
            i = 1
    state[0] = 0x80000000

    def words() -> Iterator[int]:
        while True:
            for k in range(624):
                y = state[k] & 0x80000000 | state[(k + 1) % 624] & 0x7FFFFFFF
                state[k] = state[(k + 397) % 624] ^ y >> 1 ^ (0x9908B0DF if y & 1 else 0)
            yield from map(tempered, state)

    stream = words()
    while True:
        yield ((next(stream) >> 5) * 2**26 + (next(stream) >> 6)) / 2**53


# pysol-cards takes 32000 for Microsoft's; PySolFC, which shows the numbers, does not.
@pytest.mark.parametrize("number", [32_000, 32_001, 2**32 - 1, 2**32, 10**20])
def test_pysolfc_shuffles_with_the_twister_from_32000(number: int) -> None:
    deck = [rank + suit for suit in "CSHD" for rank in RANKS]
    chance = mersenne_twister(number)
    for place in range(51, 0, -1):
        other = int(next(chance) * (place + 1))
        deck[place], deck[other] = deck[other], deck[place]
    assert shuffled(number, "pysolfc") == deck[::-1]
    assert shuffled(number, "pysolfc") != shuffled(number % 2**33 or 1, "ms")


# The web version's.


def web_shuffle(number: int) -> list[str]:
    """interface.md's words in whole numbers, but for where its doubles round down."""
    deck = [rank + suit for rank in RANKS for suit in "HSDC"]
    e = number
    for t in range(52, 1, -1):
        e = (9301 * e + 49_297) % 233_280
        n = e * t // 233_280
        # 67392/233280 * 45 is 13, but 12.999999999999998 in JavaScript, and twice as much.
        if t == 45 and e in (67_392, 134_784):
            n -= 1
        deck[t - 1], deck[n] = deck[n], deck[t - 1]
    return deck[::-1]


@pytest.mark.parametrize(
    "numbers",
    [
        range(1, 3001),
        around(233_280, 2**31, 2**32),
        range(968_411_918_500, 968_411_918_578),
        # Those that come to the two roundings above, and again a period later.
        (16_456, 6088, 16_456 + 233_280, 6088 + 233_280),
    ],
    ids=["first", "powers", "last", "rounding"],
)
def test_cardgames_is_the_web_versions_shuffle(numbers: range | list[int]) -> None:
    for number in numbers:
        assert shuffled(number, "cardgames") == web_shuffle(number), number


def test_doubles_round_down_twice_in_all_of_the_web_versions_shuffles() -> None:
    # Only where the product is whole can a double fall short of it.
    short = [
        (e, t)
        for t in range(2, 53)
        for e in range(233_280)
        if e * t % 233_280 == 0 and int(e / 233_280 * t) != e * t // 233_280
    ]
    assert short == [(67_392, 45), (134_784, 45)]


# Which numbers there are.


@pytest.mark.parametrize("dealer", DEALERS)
def test_first_and_last_numbers(dealer: str) -> None:
    first, last = FIRST_AND_LAST[dealer]
    for number in (first, last):
        assert sorted(shuffled(number, dealer)) == sorted(DECK)
    for number in (first - 1, last + 1, -1, 10**100):
        with pytest.raises(DealError) as caught:
            shuffled(number, dealer)
        message = f"there is no {dealer} deal {number}; its numbers are {first} to {last}"
        assert str(caught.value) == message


@pytest.mark.parametrize("number", [True, False, 1.0, "1", b"1", None, [1], (1,), 1j, float("nan")])
@pytest.mark.parametrize("dealer", DEALERS)
def test_a_number_is_an_int(number: Any, dealer: str) -> None:
    with pytest.raises(DealError) as caught:
        deal("wasp", number, dealer=dealer)
    assert str(caught.value) == f"a deal number is a whole number, not {number!r}"


@pytest.mark.parametrize("dealer", ["gnome", "MS", "", None, 1, b"ms", ["ms"], {}])
def test_unknown_dealers(dealer: Any) -> None:
    with pytest.raises(DealError) as caught:
        deal("wasp", 1, dealer=dealer)
    message = f"there is no dealer {dealer!r}; the dealers are pysolfc, ms, cardgames"
    assert str(caught.value) == message


def test_unknown_games() -> None:
    with pytest.raises(RulesError, match=re.escape("there is no game 'tarantula'; the games are ")):
        deal("tarantula", 1)


def test_dealers_are_read_only() -> None:
    writable: Any = DEALERS
    with pytest.raises(TypeError):
        writable["gnome"] = writable["ms"]
    assert list(DEALERS) == ["pysolfc", "ms", "cardgames"]


# How the cards are laid out: rules.md, "What every game shares".


def test_microsoft_deal_24_as_interface_md_prints_it() -> None:
    board = deal("scorpion", 24, dealer="ms")
    assert board.columns == (
        ("4C", "7S", "5S", "KH", "TC", "JH", "KS"),
        ("5H", "2C", "6C", "6S", "TS", "TD", "6D"),
        ("QC", "QH", "9C", "7D", "AD", "KC", "8D"),
        ("5D", "9S", "3C", "8C", "4D", "8H", "7C"),
        ("2D", "2S", "6H", "AC", "QS", "8S", "JD"),
        ("7H", "KD", "JC", "9H", "3H", "4S", "9D"),
        ("AH", "JS", "TH", "5C", "3S", "4H", "2H"),
    )
    assert board.face_down == (3, 3, 3, 3, 0, 0, 0)
    assert board.stock == ("QD", "3D", "AS")
    assert board.foundations == ()


@pytest.mark.parametrize("game", [*GAMES, Rules(runs="stay", face_down=(0, 1, 2, 3, 4, 5, 6))])
@pytest.mark.parametrize("dealer", DEALERS)
def test_49_cards_row_by_row_and_the_last_three_in_the_stock(
    game: str | Rules, dealer: str
) -> None:
    for number in (1, 7, 4711, 31_999, 32_000, 123_456):
        cards = shuffled(number, dealer)
        board = deal(game, number, dealer=dealer)
        for row in range(7):
            dealt = [board.columns[column][row] for column in range(7)]
            assert dealt == cards[7 * row : 7 * row + 7]
        assert [len(column) for column in board.columns] == [7] * 7
        assert list(board.stock) == cards[49:]
        assert board.face_down == board.rules.face_down
        assert board.rules == (GAMES[game] if isinstance(game, str) else game)


def test_pysolfc_deals_where_no_dealer_is_named() -> None:
    assert deal("wasp", 32_000) == deal("wasp", 32_000, dealer="pysolfc")
    assert deal("wasp", 32_000) != deal("wasp", 32_000, dealer="ms")
    assert shuffled(32_000) == shuffled(32_000, "pysolfc")


def test_each_deal_is_shuffled_afresh() -> None:
    for dealer in DEALERS:
        cards = shuffled(5, dealer)
        cards.clear()
        assert sorted(shuffled(5, dealer)) == sorted(DECK)
