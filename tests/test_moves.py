"""Moves, their text, and the words for a move that is refused."""

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorpion import _core, reference
from scorpion.board import Board
from scorpion.cards import DECK
from scorpion.errors import IllegalMoveError, ScorpionError
from scorpion.moves import DEAL, Move, is_move, parse_moves
from scorpion.rules import GAMES, Rules

# Moves as text.


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (Move("6H", 3), "6H>3"),
        (Move("AC", 1), "AC>1"),
        (Move("TH", 7), "TH>7"),
        (Move("KS", 10), "KS>10"),
        (DEAL, "deal"),
    ],
)
def test_text_both_ways(move: Move, text: str) -> None:
    assert str(move) == text
    assert Move.parse(text) == move


@pytest.mark.parametrize("card", DECK)
def test_every_card_reads_back(card: str) -> None:
    for column in range(1, 8):
        assert Move.parse(str(Move(card, column))) == Move(card, column)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("6h>3", Move("6H", 3)),
        ("qS>4", Move("QS", 4)),
        ("10H>3", Move("TH", 3)),
        ("10h>3", Move("TH", 3)),
        ("th>3", Move("TH", 3)),
        ("  6H>3\n", Move("6H", 3)),
        ("6H>03", Move("6H", 3)),
        ("6\u2665>3", Move("6H", 3)),
        ("\u26656>3", Move("6H", 3)),
        ("10\u2660\ufe0f>12", Move("TS", 12)),
        ("\u2664\ufe0et>1", Move("TS", 1)),
        ("DEAL", DEAL),
        (" Deal ", DEAL),
    ],
)
def test_text_that_a_person_may_type(text: str, move: Move) -> None:
    assert Move.parse(text) == move


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "6H", "6H>", ">3", "H6>3", "1H>3", "100H>3", "0H>3", "11H>3", "6X>3", "66H>3"),
        *("6H>-1", "6H>+1", "6H>x", "6H>3.", "6H>1234", "6H-3", "6H > 3", "6H>3 7C>1", "6H>3,"),
        *("<6H>>3", "deal>1", "deals", "dea", "stock"),
        *("6\u017f>3", "6H>\u0663", "\u0666H>3", "6H\uff1e3", "\ufeff6H>3"),  # look-alikes
        *("\u2665>3", "6\u2665\u2665>3", "6\u2665\ufe0f\ufe0f>3", "6\ufe0f\u2665>3", "6\u2665 >3"),
        *(None, 3, b"6H>3", ("6H", 3), ["deal"], Move("6H", 3)),
    ],
)
def test_text_that_is_no_move(text: Any) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        Move.parse(text)
    assert str(caught.value) == f"{text!r} is not a move; a move looks like 6H>3, or deal"
    assert caught.value.step is None


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("", ()),
        (" \n", ()),
        ("deal", (DEAL,)),
        ("6H>3 deal 10S>1", (Move("6H", 3), DEAL, Move("TS", 1))),
        ("6\u2665\ufe0f>3 deal \u266010>1", (Move("6H", 3), DEAL, Move("TS", 1))),
        ("  6h>3\n\tDEAL\r\n ts>1 ", (Move("6H", 3), DEAL, Move("TS", 1))),
    ],
)
def test_move_lists(text: str, moves: tuple[Move, ...]) -> None:
    assert parse_moves(text) == moves


@pytest.mark.parametrize(
    ("text", "message", "step"),
    [
        ("x", "step 1: 'x' is not a move; a move looks like 6H>3, or deal", 1),
        ("6H>3 deal 6H", "step 3: '6H' is not a move; a move looks like 6H>3, or deal", 3),
        ("6H>3\n\ndeal, 6H>3", "step 2: 'deal,' is not a move; a move looks like 6H>3, or deal", 2),
        ("6H > 3", "step 1: '6H' is not a move; a move looks like 6H>3, or deal", 1),
        (None, "a move list is a string, not NoneType", None),
        (b"6H>3", "a move list is a string, not bytes", None),
        ([DEAL], "a move list is a string, not list", None),
    ],
)
def test_bad_move_lists_say_at_which_step(text: Any, message: str, step: int | None) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        parse_moves(text)
    assert str(caught.value) == message
    assert caught.value.step == step


@given(st.lists(st.builds(Move, st.sampled_from(DECK), st.integers(1, 7)) | st.just(DEAL)))
def test_move_lists_read_back(moves: list[Move]) -> None:
    assert parse_moves(" ".join(map(str, moves))) == tuple(moves)


@given(st.text() | st.text("A23456789TJQK10CDHS>cdhs deal\u2665\u2660\ufe0f\n"))
def test_any_text_is_moves_or_a_scorpion_error(text: str) -> None:
    for parse in (Move.parse, parse_moves):
        try:
            parse(text)
        except ScorpionError:
            continue


def test_moves_are_values() -> None:
    move = Move("6H", 3)
    assert move == Move.parse("6h>3")
    assert hash(move) == hash(Move.parse("6h>3"))
    assert len({move, Move("6H", 3), Move("6H", 4), Move("6D", 3), DEAL}) == 4
    assert repr(move) == "Move('6H', 3)"
    assert repr(DEAL) == "DEAL"
    assert repr(Move("", 1)) == "Move('', 1)"  # which is no move, and not the deal
    unset: Any = move
    with pytest.raises(AttributeError):
        unset.column = 4
    for twin in (copy.deepcopy(move), pickle.loads(pickle.dumps(move))):
        assert type(twin) is Move
        assert twin == move
    assert pickle.loads(pickle.dumps(DEAL)) == DEAL


@pytest.mark.parametrize("move", [Move("6H", 3), ("6H", 3), Move("6H", 0), Move("6H", 99), DEAL])
def test_what_has_the_form_of_a_move(move: object) -> None:
    assert is_move(move)


NO_MOVES = [
    *(None, 3, "6H>3", "deal", b"6H>3", ["6H", 3], ("6H",), ("6H", 3, 1), (), {"6H": 3}),
    *(Move("", 1), ("", False), Move("6h", 3), Move("10H", 3), Move("XX", 3), Move("6H ", 3)),
    *(("6H", "3"), ("6H", 3.0), ("6H", True), ("6H", None), (None, 3), (["6H"], 3), (6, 3)),
]


@pytest.mark.parametrize("move", NO_MOVES, ids=repr)
def test_what_has_not(move: Any) -> None:
    assert not is_move(move)


# Why a move is refused. Microsoft deal 24, which ends in KS 6D 8D 7C JD 9D 2H.

DEAL_24 = """
Talon: QD 3D AS
<4C> <7S> <5S> KH TC JH KS
<5H> <2C> <6C> 6S TS TD 6D
<QC> <QH> <9C> 7D AD KC 8D
<5D> <9S> <3C> 8C 4D 8H 7C
2D 2S 6H AC QS 8S JD
7H KD JC 9H 3H 4S 9D
AH JS TH 5C 3S 4H 2H
"""
# Only hearts are left, an empty column, and the Ace at one open end.
HEARTS = "Foundations: KC KS KD / KH QH / JH TH 9H / : / 8H 7H / 6H 5H / 4H 3H 2H / AH"
HEARTS_ALTERNATING = "Foundations: KC KS KD / KH QC / JH TC 9H / : / 8C 7H / 6C 5H / 4C 3H 2C / AH"
WON = "Foundations: KC KS KD KH / : / : / : / : / : / : / :"
WHEN_STUCK = Rules(stock="when-stuck")
TAIL = GAMES["scorpion-tail"]
# Columns 1 and 3 may only be relabelled; the 2H fits on the 3H.
NOT_STUCK = """
Foundations: KC KS
Talon: QD 3D 4D
:
KD AD
KH AH
5D 6D
7D 8D
3H
2H 2D 9D TD JD 4H 5H 6H 7H 8H 9H TH JH QH
"""


@pytest.mark.parametrize(
    ("text", "rules", "move", "message"),
    [
        (DEAL_24, Rules(), Move("6H", 3), "6H fits only on 7H; column 3 ends in 8D"),
        (DEAL_24, Rules(), Move("AC", 7), "AC fits only on 2C; column 7 ends in 2H"),
        (DEAL_24, TAIL, Move("6H", 3), "6H fits only on 7C and 7S; column 3 ends in 8D"),
        (DEAL_24, TAIL, Move("8S", 5), "8S lies in column 5 already"),
        (DEAL_24, TAIL, Move("8S", 1), "8S fits only on 9D and 9H; column 1 ends in KS"),
        # A King fits on no card, and nothing fits on an Ace.
        (DEAL_24, Rules(), Move("KD", 1), "KD fits on no card; column 1 ends in KS"),
        (HEARTS, Rules(), Move("KH", 7), "KH fits on no card; column 7 ends in AH"),
        (HEARTS, Rules(), Move("2H", 7), "2H fits only on 3H; column 7 ends in AH"),
        # A group may not land on a card of its own.
        (DEAL_24, Rules(), Move("7D", 3), "7D lies in column 3 already"),
        (DEAL_24, Rules(), Move("8D", 3), "8D lies in column 3 already"),
        (DEAL_24, Rules(), Move("7S", 1), "7S does not lie face up on the table"),
        (DEAL_24, Rules(), Move("6C", 4), "6C does not lie face up on the table"),
        (DEAL_24, Rules(), Move("QD", 1), "QD does not lie face up on the table"),  # in the stock
        (HEARTS, Rules(), Move("5S", 5), "5S has left the table with its run"),
        (HEARTS, Rules(), Move("KC", 3), "KC has left the table with its run"),
        (HEARTS_ALTERNATING, TAIL, Move("QH", 1), "QH has left the table with its run"),
        (HEARTS, Rules(), Move("QH", 3), "only a King may lead into an empty column; QH is none"),
        (HEARTS, Rules(), Move("AH", 3), "only a King may lead into an empty column; AH is none"),
        (DEAL_24, Rules(), Move("6H", 0), "there is no column 0; the columns are 1 to 7"),
        (DEAL_24, Rules(), Move("6H", 8), "there is no column 8; the columns are 1 to 7"),
        (DEAL_24, Rules(), Move("6H", -1), "there is no column -1; the columns are 1 to 7"),
        (
            *(DEAL_24, Rules(), Move("6H", 2**64)),
            "there is no column 18446744073709551616; the columns are 1 to 7",
        ),
        (HEARTS, Rules(), DEAL, "there is no stock left to deal"),
        (HEARTS, WHEN_STUCK, DEAL, "there is no stock left to deal"),
        (
            *(DEAL_24, WHEN_STUCK, DEAL),
            "the stock may be dealt only when no other move exists; QS>1 is one",
        ),
        (
            *(NOT_STUCK, WHEN_STUCK, DEAL),
            "the stock may be dealt only when no other move exists; 2H>6 is one",
        ),
        (WON, Rules(), Move("6H", 3), "6H>3 comes after the game is won"),
        (WON, Rules(), Move("6H", 8), "6H>8 comes after the game is won"),
        (WON, Rules(), ("6H", 3), "6H>3 comes after the game is won"),
        (WON, Rules(), DEAL, "deal comes after the game is won"),
        (WON, Rules(), "deal", "'deal' is not a move; a move looks like 6H>3, or deal"),
    ],
)
def test_refusals(text: str, rules: Rules, move: Any, message: str) -> None:
    board = Board.parse(text, rules)
    with pytest.raises(IllegalMoveError) as caught:
        board.play(move)
    assert str(caught.value) == message
    assert caught.value.step is None


@pytest.mark.parametrize("move", NO_MOVES, ids=repr)
def test_what_is_no_move_is_refused(move: Any) -> None:
    board = Board.parse(DEAL_24)
    with pytest.raises(IllegalMoveError) as caught:
        board.play(move)
    assert str(caught.value) == f"{move!r} is not a move; a move looks like 6H>3, or deal"


# Two refusals that no whole game knows: small decks are for the engines alone.
@pytest.mark.parametrize("engine", [reference.Position, _core.Position])
def test_refusals_by_the_engines(engine: type[reference.Position] | type[_core.Position]) -> None:
    columns = [["2C", "2S", "AC"], ["AS", "2D", "AD"], ["2H", "AH"]]
    with pytest.raises(IllegalMoveError, match=r"^there is no move to take back$"):
        engine(Rules(runs="stay"), columns, (0, 0, 0), ranks=2).undo()
    with pytest.raises(IllegalMoveError, match=r"^3C is not in this deck$"):
        engine(Rules(runs="stay"), columns, (0, 0, 0), ranks=2).play(Move("3C", 1))
