"""The deck in its order, which the compiled core builds on."""

import unicodedata

import pytest

from scorpion.cards import DECK, NUMBER, RANKS, SPELLED, SUITS, is_red, sort_key


def test_deck_has_each_card_once_by_rank_and_then_suit() -> None:
    assert len(set(DECK)) == len(DECK) == 52
    assert DECK[:8] == ("AC", "AS", "AD", "AH", "2C", "2S", "2D", "2H")
    assert DECK[-4:] == ("KC", "KS", "KD", "KH")


@pytest.mark.parametrize("card", DECK)
def test_number_is_four_times_the_rank_plus_the_suit(card: str) -> None:
    number = 4 * RANKS.index(card[0]) + SUITS.index(card[1])
    assert sort_key(card) == NUMBER[card] == number
    assert DECK[number] == card


@pytest.mark.parametrize(("suit", "red"), [("C", False), ("S", False), ("D", True), ("H", True)])
def test_hearts_and_diamonds_are_red(suit: str, *, red: bool) -> None:
    assert {is_red(rank + suit) for rank in RANKS} == {red}


@pytest.mark.parametrize("card", DECK)
def test_cards_of_a_rank_and_colour_differ_in_the_lowest_bit(card: str) -> None:
    twin = DECK[NUMBER[card] ^ 1]
    assert twin != card
    assert (twin[0], is_red(twin)) == (card[0], is_red(card))


# The names are Unicode's own, from its data: U+2660 is the black spade suit.
@pytest.mark.parametrize(
    ("suit", "name"), [("C", "CLUB"), ("S", "SPADE"), ("D", "DIAMOND"), ("H", "HEART")]
)
@pytest.mark.parametrize("shade", ["BLACK", "WHITE"])
@pytest.mark.parametrize("selector", [None, 15, 16])
def test_suits_as_symbols(suit: str, name: str, shade: str, selector: int | None) -> None:
    symbol = unicodedata.lookup(f"{shade} {name} SUIT")
    if selector is not None:
        symbol += unicodedata.lookup(f"VARIATION SELECTOR-{selector}")
    for rank in RANKS:
        for shown in {rank, rank.lower(), "10" if rank == "T" else rank}:
            assert SPELLED[shown + symbol] == SPELLED[symbol + shown] == rank + suit


def test_every_card_is_spelled_and_nothing_else() -> None:
    assert set(SPELLED.values()) == set(DECK)
    assert all(SPELLED[card] == card for card in DECK)
    assert SPELLED["10h"] == SPELLED["th"] == SPELLED["tH"] == "TH"
    for text in (
        "",
        "T",
        "H10",
        "HT",
        "1\u2665",
        "\u2665",
        "\u266510\u2665",
        "10\ufe0f\u2665",
        "??",
    ):
        assert text not in SPELLED
