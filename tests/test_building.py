"""What may lie on what: rules.md, "Move" and "Empty column", as all Python code asks it."""

from itertools import product

import pytest

from scorpion.building import fills_space, fits, is_king, parents, run
from scorpion.cards import DECK, RANKS
from scorpion.rules import GAMES, Rules

SUIT, ANY, ALTERNATING = GAMES["scorpion"], GAMES["wasp"], GAMES["scorpion-tail"]
RED = {"D", "H"}


def test_which_card_fits_on_which() -> None:
    """All 52 times 52 pairs, by the words of the rules: one rank higher, and its suit."""
    steps = set(zip("A23456789TJQ", "23456789TJQK", strict=True))
    for card, target in product(DECK, repeat=2):
        is_step = (card[0], target[0]) in steps
        assert fits(SUIT, card, target) is (is_step and card[1] == target[1])
        other_colour = (card[1] in RED) != (target[1] in RED)
        assert fits(ALTERNATING, card, target) is (is_step and other_colour)


@pytest.mark.parametrize(
    ("game", "card", "ranks", "expected"),
    [
        (SUIT, "6H", 13, ["7H"]),
        (SUIT, "TC", 13, ["JC"]),
        (SUIT, "KS", 13, []),
        (ALTERNATING, "6H", 13, ["7C", "7S"]),
        (ALTERNATING, "AS", 13, ["2D", "2H"]),
        (ALTERNATING, "KD", 13, []),
        (SUIT, "4H", 4, []),  # in a deck of four ranks this is the King
        (SUIT, "3H", 4, ["4H"]),
    ],
)
def test_parents(game: Rules, card: str, ranks: int, expected: list[str]) -> None:
    assert list(parents(game, card, ranks)) == expected


def test_who_goes_to_an_empty_column() -> None:
    assert [card for card in DECK if fills_space(SUIT, card)] == ["KC", "KS", "KD", "KH"]
    assert all(fills_space(ANY, card) for card in DECK)
    assert [card for card in DECK if is_king(card, 3)] == ["3C", "3S", "3D", "3H"]
    assert fills_space(SUIT, "3D", 3)
    assert not fills_space(SUIT, "KD", 3)


def test_who_can_serve_in_a_run() -> None:
    assert run(SUIT, "KD") == tuple((rank + "D",) for rank in reversed(RANKS))
    assert run(ALTERNATING, "4S") == (("4S",), ("3D", "3H"), ("2C", "2S"), ("AD", "AH"))
    # Two Kings of a colour share all below them, and so every card serves in some run.
    serving = [set(cards) for king in ("KC", "KS", "KD", "KH") for cards in run(ALTERNATING, king)]
    assert set().union(*serving) == set(DECK)
    assert run(ALTERNATING, "KC")[1:] == run(ALTERNATING, "KS")[1:]
