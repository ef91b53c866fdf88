"""Boards as values, and the rules as they show on them.

The clauses in quotes are of rules.md. Most boards here are late ones: the runs that
are named as foundations have left, so that few cards show the one thing in question.
"""

import copy
import itertools
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorpion.board import Board
from scorpion.cards import DECK, NUMBER
from scorpion.deals import deal
from scorpion.errors import BoardError, IllegalMoveError, RulesError
from scorpion.moves import DEAL, Move, parse_moves
from scorpion.rules import GAMES, Rules

WASP = GAMES["wasp"]
TAIL = GAMES["scorpion-tail"]
STAY = Rules(runs="stay")
WHEN_STUCK = Rules(stock="when-stuck")
TWO_RULES_APART = Rules(build="alternating", runs="stay")


@pytest.fixture
def deal_24() -> Board:
    """Microsoft deal 24, which interface.md prints."""
    return deal("scorpion", 24, dealer="ms")


def run(suit: str, ranks: str = "KQJT98765432A") -> str:
    """Cards of a suit in order, the highest first."""
    return " ".join(rank + suit for rank in ranks)


def late(game: str | Rules, kings: str, *columns: str, talon: str = "") -> Board:
    """A board on which the runs of these Kings have left and the last columns may be empty."""
    lines = [f"Foundations: {kings}", f"Talon: {talon}", *columns, *[":"] * (7 - len(columns))]
    return Board.parse("\n".join(lines), game)


def played(board: Board, moves: str) -> Board:
    for move in parse_moves(moves):
        board = board.play(move)
    return board


def moves_of(board: Board) -> str:
    return " ".join(map(str, board.legal_moves()))


# A board is an immutable value.


@pytest.mark.parametrize(
    "name",
    [
        *("columns", "face_down", "stock", "foundations", "rules", "is_won", "is_stuck"),
        *("legal_moves", "play", "parse", "text", "line", "to_bytes", "from_bytes", "notes"),
    ],
)
def test_no_attribute_can_be_set_or_deleted(deal_24: Board, name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(deal_24, name, None)
    with pytest.raises(AttributeError):
        delattr(deal_24, name)
    assert deal_24 == deal("scorpion", 24, dealer="ms")


def test_what_lies_where_is_all_tuples(deal_24: Board) -> None:
    assert type(deal_24.columns) is tuple
    assert {type(column) for column in deal_24.columns} == {tuple}
    parts: list[object] = [deal_24.face_down, deal_24.stock, deal_24.foundations]
    assert {type(part) for part in parts} == {tuple}
    deal_24.legal_moves().clear()  # a list of the caller's own
    assert moves_of(deal_24) == "QS>1 TD>5 8D>6 deal"


def test_a_board_keeps_nothing_of_the_lists_it_was_made_from() -> None:
    columns = [list(column) for column in deal("scorpion", 1).columns]
    face_down = [3, 3, 3, 3, 0, 0, 0]
    stock = list(deal("scorpion", 1).stock)
    board = Board("scorpion", columns, face_down, stock)
    columns[0].clear()
    face_down.clear()
    stock.clear()
    assert board == deal("scorpion", 1)


def test_play_gives_a_new_board_and_leaves_the_old_one(deal_24: Board) -> None:
    before = (deal_24.columns, deal_24.face_down, deal_24.stock, hash(deal_24))
    after = deal_24.play(Move("TD", 5))
    assert after is not deal_24
    assert after != deal_24
    assert after.columns[1] == ("5H", "2C", "6C", "6S", "TS")
    assert after.columns[4] == ("2D", "2S", "6H", "AC", "QS", "8S", "JD", "TD", "6D")
    assert (deal_24.columns, deal_24.face_down, deal_24.stock, hash(deal_24)) == before
    with pytest.raises(IllegalMoveError):
        deal_24.play(Move("6H", 3))
    assert (deal_24.columns, deal_24.face_down, deal_24.stock, hash(deal_24)) == before


def test_a_plain_pair_is_played_as_a_move(deal_24: Board) -> None:
    pair: Any = ("TD", 5)
    assert deal_24.play(pair) == deal_24.play(Move("TD", 5))


def test_equal_boards_however_they_came_about(deal_24: Board) -> None:
    twins = [
        Board.parse(deal_24.text()),
        Board.from_bytes(deal_24.to_bytes()),
        Board("scorpion", deal_24.columns, deal_24.face_down, deal_24.stock, deal_24.foundations),
        Board(
            Rules(),
            [list(column) for column in deal_24.columns],
            [3] * 4 + [0] * 3,
            ["QD", "3D", "AS"],
        ),
    ]
    for twin in twins:
        assert twin == deal_24
        assert not twin != deal_24  # noqa: SIM202
        assert hash(twin) == hash(deal_24)
    # Two moves that do not touch each other, either way round.
    one, other = played(deal_24, "QS>1 8D>6"), played(deal_24, "8D>6 QS>1")
    assert one == other
    assert hash(one) == hash(other)
    assert len({deal_24, *twins, one, other}) == 2


HEARTS = ("9H KH QH", "JH TH 8H", "7H 6H 5H", "4H 3H AH", "2H")


@pytest.mark.parametrize(
    "other",
    [
        late("scorpion", "KC KS KD", ":", *HEARTS),  # other columns
        late("scorpion", "KC KS KD", *HEARTS[:3], "4H 3H 2H", "AH"),  # other cards in them
        late("scorpion", "KC KS KD", "<9H> KH QH", *HEARTS[1:]),  # a card face down
        late("scorpion", "KC KS KD", *HEARTS[:2], *HEARTS[3:], talon="7H 6H 5H"),
        late("wasp", "KC KS KD", *HEARTS),  # other rules
        late("open-wasp", "KC KS KD", *HEARTS),
        late(WHEN_STUCK, "KC KS KD", *HEARTS),
    ],
)
def test_boards_that_differ(other: Board) -> None:
    board = late("scorpion", "KC KS KD", *HEARTS)
    assert board != other
    assert not board == other  # noqa: SIM201
    assert len({board, other}) == 2


def test_the_order_of_the_stock_counts(deal_24: Board) -> None:
    other = Board.parse(deal_24.text().replace("QD 3D AS", "3D QD AS"))
    assert other != deal_24
    assert other.play(DEAL) != deal_24.play(DEAL)
    assert other.play(DEAL).columns[0][-1] == "3D"


@pytest.mark.parametrize("thing", [None, 24, "text", (), deal("scorpion", 24).columns])
def test_a_board_equals_nothing_else(deal_24: Board, thing: object) -> None:
    assert deal_24 != thing
    assert thing != deal_24


PICKLES: list[Callable[[Board], Board]] = [
    lambda board, protocol=protocol: pickle.loads(pickle.dumps(board, protocol))  # type: ignore[misc]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, *PICKLES])
@pytest.mark.parametrize(
    "board",
    [
        deal("scorpion", 24),
        deal(TWO_RULES_APART, 24).play(DEAL),
        late("scorpion", "KC KS KD", *HEARTS),
        late("scorpion", "KC KS KD KH"),
    ],
    ids=["deal", "own rules", "late", "won"],
)
def test_copies_are_equal(board: Board, copied: Callable[[Board], Board]) -> None:
    twin = copied(board)
    assert type(twin) is Board
    assert twin == board
    assert hash(twin) == hash(board)
    assert twin.rules == board.rules
    assert twin.legal_moves() == board.legal_moves()


def test_repr_is_what_one_would_type(deal_24: Board) -> None:
    assert repr(deal_24) == f"Board.parse('{deal_24.line()}', 'scorpion')"
    line = "Foundations: KC KS KD KH / : / : / : / : / : / : / :"
    assert repr(Board.parse(line, WASP)) == f"Board.parse('{line}', 'wasp')"
    # Rules without a name of their own are written out.
    assert repr(Board.parse(line, WHEN_STUCK)) == f"Board.parse('{line}', {WHEN_STUCK!r})"


# What makes no board.


FIRST = [list(column) for column in deal("scorpion", 1).columns]
DOWN = (3, 3, 3, 3, 0, 0, 0)
REST = list(deal("scorpion", 1).stock)


@pytest.mark.parametrize(
    ("parts", "message", "pile", "index"),
    [
        ((FIRST[:6], DOWN, REST), "a board has 7 columns, this one 6", None, None),
        (([*FIRST, []], DOWN, REST), "a board has 7 columns, this one 8", None, None),
        ((FIRST, DOWN[:6], REST), "7 columns and 6 counts of face-down cards", None, None),
        ((FIRST, DOWN), "3 cards are missing: 2H 6H 9C", None, None),
        ((FIRST, DOWN, REST[:2]), "the stock is 3 cards or none, not 2", 0, None),
        ((FIRST, DOWN, [*REST[:2], "XX"]), "there is no card 'XX'", 0, 2),
        ((FIRST, DOWN, [*REST[:2], "6h"]), "there is no card '6h'", 0, 2),
        ((FIRST, DOWN, [*REST[:2], "10H"]), "there is no card '10H'", 0, 2),
        ((FIRST, DOWN, [*REST[:2], None]), "there is no card None", 0, 2),
        ((FIRST, DOWN, [*REST[:2], 5]), "there is no card 5", 0, 2),
        ((FIRST, DOWN, [*REST[:2], ["6H"]]), "there is no card ['6H']", 0, 2),
        ((FIRST, DOWN, [*REST[:2], "9C"]), "9C is on the board twice", 0, 2),
        ((FIRST, DOWN, [*REST[:2], "JD"]), "JD is on the board twice", 1, 0),
        (([*FIRST[:6], FIRST[5]], DOWN, REST), f"{FIRST[5][0]} is on the board twice", 7, 0),
        ((FIRST, (7, *DOWN[1:]), REST), "8D lies face down at the open end of column 1", 1, 6),
        ((FIRST, (8, *DOWN[1:]), REST), "column 1 cannot hold 8 face-down cards", 1, None),
        ((FIRST, (*DOWN[:6], -1), REST), "column 7 cannot hold -1 face-down cards", 7, None),
        ((FIRST, (*DOWN[:6], True), REST), "column 7 cannot hold True face-down cards", 7, None),
        ((FIRST, (*DOWN[:6], 1.0), REST), "column 7 cannot hold 1.0 face-down cards", 7, None),
        ((FIRST, (*DOWN[:6], "1"), REST), "column 7 cannot hold '1' face-down cards", 7, None),
        ((FIRST, DOWN, REST, ["KH"]), "KH is on the board and on a foundation", 8, 0),
        ((FIRST, DOWN, REST, ["7H"]), "foundations name the King of a run; '7H' is none", 8, 0),
        ((FIRST, DOWN, REST, [None]), "foundations name the King of a run; None is none", 8, 0),
        ((FIRST, DOWN, REST, [[]]), "foundations name the King of a run; [] is none", 8, 0),
        ((FIRST, DOWN, REST, "KH"), "foundations name the King of a run; 'K' is none", 8, 0),
        (([[]] * 7, [0] * 7, (), ["KC", "KC"]), "the foundations name KC twice", 8, 1),
        (
            ([[]] * 7, [0] * 7, (), ["KC"]),
            "the cards that are not on the board do not make up the runs of KC",
            *(8, None),
        ),
        (
            ([*[run(suit).split() for suit in "CSDH"], [], [], []],),
            "column 1 ends in a finished run, which would have left the table",
            *(1, 12),
        ),
        (([1] * 7,), "columns, face_down, stock and foundations are sequences", None, None),
        ((None,), "columns, face_down, stock and foundations are sequences", None, None),
        (
            (iter(FIRST), DOWN),
            "columns, face_down, stock and foundations are sequences",
            None,
            None,
        ),
        (
            (FIRST, None, REST),
            "columns, face_down, stock and foundations are sequences",
            None,
            None,
        ),
        (
            (FIRST, DOWN, None),
            "columns, face_down, stock and foundations are sequences",
            None,
            None,
        ),
        (
            (FIRST, DOWN, REST, 5),
            "columns, face_down, stock and foundations are sequences",
            None,
            None,
        ),
    ],
)
def test_what_makes_no_board(
    parts: tuple[Any, ...], message: str, pile: int | None, index: int | None
) -> None:
    with pytest.raises(BoardError) as caught:
        Board("scorpion", *parts)
    assert str(caught.value) == message
    assert (caught.value.pile, caught.value.index) == (pile, index)
    assert (caught.value.line, caught.value.column) == (None, None)


def test_a_board_needs_a_game() -> None:
    nothing: Any = None
    with pytest.raises(RulesError, match=r"^there is no game None; the games are scorpion, wasp, "):
        Board(nothing, FIRST, DOWN, REST)


def test_runs_that_stay_have_no_foundations() -> None:
    with pytest.raises(BoardError, match=r"^there are no foundations where finished runs stay on "):
        Board(STAY, [run(suit).split() for suit in "SDH"] + [[]] * 4, foundations=["KC"])


# Boards as bytes.

# Version 1, no flags, the rules' face-down counts; then each column's length, its
# face-down count and its cards' numbers, and the length of the stock and its cards.
STORED_24 = (
    "01 00 03030303000000"
    "0703 0c1911 3324 2b31  0703 130414 1525 2616  0703 2c2f20 1a02 301e  0703 12 2108 1c0e 1f18"
    "0700 0605 1700 2d1d 2a  0700 1b32 2823 0b0d 22  0700 0329 2710 090f 07  03 2e0a01"
)


def test_stored_records_are_read_as_long_as_version_1_is(deal_24: Board) -> None:
    assert deal_24.to_bytes() == bytes.fromhex(STORED_24)
    assert Board.from_bytes(bytes.fromhex(STORED_24)) == deal_24
    assert deal_24.to_bytes()[9 + 2 :][:7] == bytes(NUMBER[card] for card in deal_24.columns[0])


@pytest.mark.parametrize(
    ("rules", "flags"),
    [
        (Rules(), 0),
        (Rules(build="alternating"), 1),
        (Rules(fill="any"), 2),
        (Rules(runs="stay"), 4),
        (Rules(stock="when-stuck"), 8),
        (Rules("alternating", "any", (0, 1, 2, 3, 4, 5, 6), "stay", "when-stuck"), 15),
    ],
)
def test_rules_are_stored_with_the_board(rules: Rules, flags: int) -> None:
    stored = deal(rules, 1).to_bytes()
    assert stored[:9] == bytes([1, flags, *rules.face_down])
    assert Board.from_bytes(stored).rules == rules


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_any_kind_of_bytes(deal_24: Board, kind: Callable[[bytes], Any]) -> None:
    assert Board.from_bytes(kind(deal_24.to_bytes())) == deal_24


STORED = bytes.fromhex(STORED_24)


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        (None, "a stored board is bytes, not NoneType"),
        (STORED_24, "a stored board is bytes, not str"),
        ([*STORED], "a stored board is bytes, not list"),
        (len(STORED), "a stored board is bytes, not int"),
        (b"", "a stored board is never empty"),
        (b"\x00" + STORED[1:], "a stored board of version 0; this reads 1 and 2"),
        (b"\x03" + STORED[1:], "a stored board of version 3; this reads 1 and 2"),
        (b"\x02" + STORED[1:], "a stored board ends too early"),
        (
            b"\x02" + STORED[1:] + b"\x00",
            "a stored board with unknown cards is not written like this",
        ),
        (STORED[:1], "a stored board ends too early"),
        (STORED[:5], "a stored board ends too early"),
        (STORED[:30], "a stored board ends too early"),
        (STORED[:-4], "a stored board ends too early"),
        (STORED[:-1], "a stored board ends too early"),
        (STORED + b"\x00", "a stored board goes on after its end"),
        (STORED[:1] + b"\x10" + STORED[2:], "a stored board with unknown rules (16)"),
        (
            STORED[:2] + b"\x07" + STORED[3:],
            (
                "a stored board whose face_down is (7, 3, 3, 3, 0, 0, 0); "
                "it must be seven counts from 0 to 6"
            ),
        ),
        (STORED[:-1] + b"\x34", "a stored board with a card that is none"),
        (STORED[:-1] + b"\x02", "AD is on the board twice"),
        (STORED[:-4] + b"\x02" + STORED[-3:-1], "the stock is 3 cards or none, not 2"),
        (STORED[:-4] + b"\x00", "3 cards are missing: AS 3D QD"),
        (STORED[:10] + b"\x07" + STORED[11:], "KS lies face down at the open end of column 1"),
        (STORED[:10] + b"\x08" + STORED[11:], "column 1 cannot hold 8 face-down cards"),
    ],
)
def test_bytes_that_are_no_board(stored: Any, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        Board.from_bytes(stored)
    assert str(caught.value) == message


@given(data=st.data())
def test_every_position_survives_storage(
    data: st.DataObject, positions: st.SearchStrategy[Board]
) -> None:
    board = data.draw(positions)
    for twin in (Board.from_bytes(board.to_bytes()), pickle.loads(pickle.dumps(board))):
        assert twin == board
        assert hash(twin) == hash(board)
        assert twin.rules == board.rules
        assert twin.text() == board.text()
        assert twin.legal_moves() == board.legal_moves()


def reads_or_refuses(stored: bytes) -> None:
    try:
        board = Board.from_bytes(stored)
    except BoardError:
        return
    assert board.to_bytes() == stored


@given(st.binary() | st.binary().map(lambda rest: bytes([1 + len(rest) % 2]) + rest))
def test_any_bytes_are_a_board_or_a_board_error(stored: bytes) -> None:
    reads_or_refuses(stored)


@settings(max_examples=150)
@given(data=st.data())
def test_any_edit_of_bytes_is_a_board_or_a_board_error(
    data: st.DataObject, positions: st.SearchStrategy[Board]
) -> None:
    stored = bytearray(data.draw(positions).to_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(stored) - 1))
        edit = data.draw(st.sampled_from(["set", "swap", "insert", "delete"]))
        if edit == "set":
            stored[place] = data.draw(st.integers(0, 255))
        elif edit == "swap":
            other = data.draw(st.integers(0, len(stored) - 1))
            stored[place], stored[other] = stored[other], stored[place]
        elif edit == "insert":
            stored.insert(place, data.draw(st.integers(0, 52)))
        elif len(stored) > 1:
            del stored[place]
    reads_or_refuses(bytes(stored))


# Legal moves, and what is never one.


def test_legal_moves_of_deal_24() -> None:
    # The columns end in KS 6D 8D 7C JD 9D 2H; of QS 5D 7D 6C TD 8D AH, 5D and 6C lie
    # face down, 7D and AH in the column itself.
    assert deal("scorpion", 24, dealer="ms").legal_moves() == [
        *(Move("QS", 1), Move("TD", 5), Move("8D", 6), DEAL)
    ]
    # In alternating colours QH 5S 7S lie face down, and QD and AS in the stock.
    assert moves_of(deal("scorpion-tail", 24, dealer="ms")) == (
        "5C>2 7C>3 6D>4 6H>4 TC>5 TS>5 8C>6 8S>6 AC>7 deal"
    )


@given(data=st.data())
def test_legal_moves_come_by_column_and_card_and_the_deal_last(
    data: st.DataObject, positions: st.SearchStrategy[Board]
) -> None:
    board = data.draw(positions)
    moves = board.legal_moves()
    cards = [move for move in moves if move != DEAL]
    assert cards == sorted(cards, key=lambda move: (move.column, NUMBER[move.card]))
    assert len(set(moves)) == len(moves)
    assert DEAL not in moves[:-1]
    assert board.is_stuck == (not board.is_won and not moves)
    assert not (board.is_won and moves)


@given(data=st.data())
def test_a_move_is_legal_or_idle_or_refused(
    data: st.DataObject, positions: st.SearchStrategy[Board]
) -> None:
    board = data.draw(positions)
    legal = board.legal_moves()
    allowed = set()
    for move in [DEAL, *itertools.starmap(Move, itertools.product(DECK, range(1, 8)))]:
        try:
            after = board.play(move)
        except IllegalMoveError:
            continue
        allowed.add(move)
        if move not in legal:  # idle: it only relabels columns
            assert sorted(after.columns) == sorted(board.columns)
            assert (after.stock, after.foundations) == (board.stock, board.foundations)
    assert allowed.issuperset(legal)


@given(data=st.data())
def test_no_cards_are_lost_or_found(data: st.DataObject) -> None:
    board = deal(data.draw(st.sampled_from(list(GAMES))), data.draw(st.integers(1, 10**6)))
    while moves := board.legal_moves()[: data.draw(st.integers(1, 5))]:
        before, board = board, board.play(data.draw(st.sampled_from(moves)))
        on_board = list(itertools.chain(board.stock, *board.columns))
        assert len(on_board) + 13 * len(board.foundations) == 52
        assert len(set(on_board)) == len(on_board)
        assert set(before.foundations) <= set(board.foundations)
        assert all(now <= was for now, was in zip(board.face_down, before.face_down, strict=True))
        if data.draw(st.integers(0, 40)) == 0:
            break


# "Any face-up card may lead. It goes ... together with every card on it, whatever
# those cards are. Only the leading card has to fit."


def test_a_pile_in_no_order_goes_with_its_leading_card() -> None:
    board = late("scorpion", "KC KS KD", "9H 6H AH KH", "7H", "TH QH JH 8H", "5H 4H 3H 2H")
    assert moves_of(board) == "QH>1 6H>2 7H>3 AH>4 KH>5 KH>6 KH>7"
    after = board.play(Move("6H", 2))
    assert after.columns[:2] == (("9H",), ("7H", "6H", "AH", "KH"))
    assert after.columns[2:] == board.columns[2:]


def test_a_whole_column_may_go_and_leave_nothing() -> None:
    board = late("scorpion", "KC KS KD", "9H 6H AH KH", "7H", "TH QH JH 8H", "5H 4H 3H 2H")
    after = board.play(Move("7H", 3))
    assert after.columns[1:3] == ((), ("TH", "QH", "JH", "8H", "7H"))


# "A group may not land on a card of its own."


def test_no_card_lands_on_its_own_pile() -> None:
    board = late("scorpion", "KC KS KD", "8H 9H", "KH QH JH TH 7H 6H 5H 4H 3H 2H AH")
    assert board.legal_moves() == []
    with pytest.raises(IllegalMoveError, match=r"^8H lies in column 1 already$"):
        board.play(Move("8H", 1))


# "Empty column. Takes what the game's filling rule allows."


def test_a_king_led_group_fills_an_empty_column() -> None:
    board = late("scorpion", "KC KS KD", "9H QH KH 6H AH", "7H", "TH JH 8H", "5H 4H 3H 2H")
    assert moves_of(board) == "6H>2 7H>3 AH>4 KH>5 KH>6 KH>7"
    assert board.play(Move("KH", 6)).columns[5] == ("KH", "6H", "AH")


def test_any_face_up_group_fills_an_empty_column_in_wasp() -> None:
    board = late("wasp", "KC KS KD", "KH QH JH TH 9H 8H 7H", "6H 5H", "<4H> 3H 2H AH")
    to_empty = "AH>{0} 2H>{0} 3H>{0} 5H>{0} 7H>{0} 8H>{0} 9H>{0} TH>{0} JH>{0} QH>{0}"
    assert moves_of(board) == " ".join(["6H>1", *map(to_empty.format, range(4, 8))])
    assert board.play(Move("9H", 7)).columns[6] == ("9H", "8H", "7H")


# "Turning up. When a move (or a run that leaves) uncovers a face-down card, it turns
# face up at once."


def test_a_move_turns_up_what_it_uncovers_and_nothing_else() -> None:
    board = late("scorpion", "KC KS KD", "<9H> <5H> 6H 2H", "7H", "KH QH JH TH 8H AH", "4H 3H")
    after = board.play(Move("6H", 2))
    assert after.columns[0] == ("9H", "5H")
    assert after.face_down == (1, 0, 0, 0, 0, 0, 0)
    assert moves_of(after) == "4H>1 AH>2 2H>4"
    assert board.face_down == (2, 0, 0, 0, 0, 0, 0)  # and the old board holds it face down


def test_a_lower_lead_uncovers_nothing() -> None:
    board = late("scorpion", "KC KS KD", "<9H> <5H> 8H 6H 2H", "7H", "KH QH JH TH AH", "4H 3H")
    assert board.play(Move("6H", 2)).face_down == (2, 0, 0, 0, 0, 0, 0)


# "Stock. Dealt once in a game, one card face up on the open end of columns 1, 2 and 3 in
# that order ... at any time, from the first turn on."


def test_the_stock_lands_on_the_first_three_columns(deal_24: Board) -> None:
    after = deal_24.play(DEAL)
    assert after.columns[0] == ("4C", "7S", "5S", "KH", "TC", "JH", "KS", "QD")
    assert after.columns[1] == ("5H", "2C", "6C", "6S", "TS", "TD", "6D", "3D")
    assert after.columns[2] == ("QC", "QH", "9C", "7D", "AD", "KC", "8D", "AS")
    assert after.columns[3:] == deal_24.columns[3:]
    assert after.face_down == deal_24.face_down
    assert after.stock == ()
    assert deal_24.stock == ("QD", "3D", "AS")
    with pytest.raises(IllegalMoveError, match=r"^there is no stock left to deal$"):
        after.play(DEAL)


# "The stock falls on an empty column as on any other; a non-King that lands there stays
# until it can move by the ordinary rules."


def test_the_stock_falls_on_an_empty_column() -> None:
    piles = (":", "TH", "4H", "KH QH JH 8H 7H 6H", "2H AH")
    board = late("scorpion", "KC KS KD", *piles, talon="5H 9H 3H").play(DEAL)
    assert board.columns[:3] == (("5H",), ("TH", "9H"), ("4H", "3H"))
    assert moves_of(board) == "4H>1 8H>2 2H>3 5H>4"
    with pytest.raises(IllegalMoveError, match=r"^only a King may lead into an empty column; 5H "):
        board.play(Move("5H", 7))
    assert board.play(Move("5H", 4)).columns[0] == ()


# "A run may be completed by the deal itself, in any of the three columns."


@pytest.mark.parametrize("aces", [*itertools.permutations(["AC", "AS", "AD"])])
def test_the_deal_completes_the_runs_on_which_the_right_ace_lands(aces: tuple[str, ...]) -> None:
    unfinished = [run(suit, "KQJT98765432") for suit in "CSD"]
    board = late("scorpion", "KH", *unfinished, talon=" ".join(aces)).play(DEAL)
    for column, (suit, ace) in enumerate(zip("CSD", aces, strict=True)):
        left = ace == "A" + suit
        assert ("K" + suit in board.foundations) == left
        assert board.columns[column] == (() if left else (*unfinished[column].split(), ace))
    assert board.is_won == (aces == ("AC", "AS", "AD"))


def test_the_deal_completes_a_run_of_alternating_colours() -> None:
    rest = "KH QS JH TS 9H 8S 7H 6S 5H 4S 3H"
    unfinished = "KD QC JD TC 9D 8C 7D 6C 5D 4C 3D 2S"
    board = late("scorpion-tail", "KC KS", rest, unfinished, talon="AD AH 2C").play(DEAL)
    assert board.foundations == ("KC", "KS", "KD")
    assert board.columns[:3] == ((*rest.split(), "AD"), (), ("2C",))


# "Finished run. Thirteen face-up cards at the open end of one column ... leaves the table
# at once ... also off the top of other cards; the card under it turns up."


def test_a_run_leaves_an_empty_column() -> None:
    diamonds = "QD KD JD TD 9D 8D 7D 6D 4D 3D 2D AD"
    board = late("scorpion", "KC KS", run("H", "KQJT98765432"), "5D AH", diamonds)
    after = board.play(Move("AH", 1))
    assert after.foundations == ("KC", "KS", "KH")
    assert after.columns == ((), ("5D",), tuple(diamonds.split()), (), (), (), ())
    assert moves_of(after) == "KD>1 4D>2 KD>4 KD>5 KD>6 KD>7"


def test_a_run_off_the_top_of_other_cards_turns_up_the_card_under_it() -> None:
    diamonds = "KD QD JD TD 8D 7D 6D 5D 3D 2D AD"
    unfinished = "<4D> <9D> " + run("H", "KQJT98765432")
    board = late("scorpion", "KC KS", unfinished, "AH", diamonds)
    after = board.play(Move("AH", 1))
    assert after.foundations == ("KC", "KS", "KH")
    assert after.columns[0] == ("4D", "9D")
    assert after.face_down == (1, 0, 0, 0, 0, 0, 0)
    assert moves_of(after) == "8D>1"


def test_a_run_comes_together_from_two_columns() -> None:
    board = late("scorpion", "KC KS KD", run("H", "KQJT98"), run("H", "765432A"))
    assert board.play(Move("7H", 1)).is_won


def test_a_move_uncovers_a_run_in_the_column_it_left() -> None:
    rest = "KD QD JD TD 9D 8D 7D 4D 3D 2D AD"
    board = late("scorpion", "KC KS", "6D", run("H") + " 5D", rest)
    assert board.foundations == ("KC", "KS")
    after = board.play(Move("5D", 1))
    assert after.foundations == ("KC", "KS", "KH")
    assert after.columns[:3] == (("6D", "5D"), (), tuple(rest.split()))


# "One move may complete a run in the column it went to, and uncover one in the column it
# left: both leave."


def test_a_move_completes_one_run_and_uncovers_another() -> None:
    rest = "KD QD JD TD 9D 8D 7D 6D 3D 2D AD"
    left = f"<4D> {run('S')} AH"
    board = late("scorpion", "KC", left, "5D " + run("H", "KQJT98765432"), rest)
    after = board.play(Move("AH", 2))
    assert after.foundations == ("KC", "KS", "KH")
    assert after.columns[:3] == (("4D",), ("5D",), tuple(rest.split()))
    assert after.face_down == (0,) * 7
    assert moves_of(after) == "3D>1 4D>2"


# "A face-down pair that happens to lie in order (face-down 2C with AH on it) is not a
# seated pair until the 2C is face up, and it only turns up when the AH leaves it."


def test_a_face_down_pair_in_order_is_no_pair_until_it_turns_up() -> None:
    board = late("wasp", "KC KS KD", run("H", "KQJT9876543"), "<2H> AH")
    with pytest.raises(IllegalMoveError, match=r"^2H does not lie face up on the table$"):
        board.play(Move("2H", 1))
    assert moves_of(board.play(Move("AH", 3))).startswith("2H>1 AH>2 ")
    assert board.play(Move("AH", 3)).play(Move("AH", 2)).columns[1] == ("2H", "AH")
    assert played(board, "AH>3 AH>2 2H>1").is_won


def test_face_down_cards_in_order_are_no_finished_run() -> None:
    hidden = " ".join(f"<{card}>" for card in run("H", "KQJT98765432").split())
    for down in (hidden, hidden.replace("<2H>", "2H"), "<KH> " + run("H", "QJT98765432")):
        board = late("scorpion", "KC KS KD", f"{down} AH")
        assert board.foundations == ("KC", "KS", "KD")
        assert not board.is_won
        assert board.is_stuck
        assert board.columns[0] == tuple(run("H").split())


# "Alternating colours: a card has two possible parents, and moving it from one to the
# other is legal whenever the other is open."

# Here the runs of both black Kings have left.
RED_KINGS = ("KD QC JH TS 9D 8C 7H 6S 5D 4C 3H", "KH QS JD TC 9H 8S 7D 6C 5H 4S 3D")


def test_a_card_moves_between_its_two_parents() -> None:
    board = late("scorpion-tail", "KC KS", *RED_KINGS, "<2C> AH", "AD", "2S")
    assert moves_of(board) == "2S>1 2S>2 AD>5 AH>5"
    away = board.play(Move("AH", 5))
    assert away.face_down == (0,) * 7
    assert moves_of(away) == "2C>1 2S>1 2C>2 2S>2 AD>3 AH>3"
    assert away.play(Move("AH", 3)).play(Move("AH", 5)) == away
    assert not played(away, "AH>3").face_down[2]


def test_finished_runs_alternate_colours_whatever_the_suits() -> None:
    board = late("scorpion-tail", "KC KS", *RED_KINGS, "<2C> AH", "AD", "2S")
    three = played(board, "AH>5 2C>2 AD>2")
    assert three.foundations == ("KC", "KS", "KH")
    assert three.columns[1] == three.columns[2] == ()
    four = three.play(Move("2S", 1))
    assert four.foundations == ("KC", "KS", "KD", "KH")
    assert four.is_won


def test_a_run_in_suit_is_no_finished_run_of_alternating_colours() -> None:
    in_suit = [run(suit) for suit in "CSDH"]
    board = Board.parse("\n".join([*in_suit, ":", ":", ":"]), TAIL)
    assert board.foundations == ()
    assert not board.is_won


# "A column led from its very first card to an empty column only relabels the columns ...
# Such an idle move may be played, but no list of legal moves offers it, and it does not
# keep a game from being stuck."


@pytest.mark.parametrize("game", ["scorpion", "wasp", WHEN_STUCK])
def test_idle_moves_may_be_played_but_are_not_offered(game: str | Rules) -> None:
    board = late(game, "KC KS KD", "<8H> 9H", "KH", "<QH> JH TH 7H 6H 5H 4H 3H 2H AH")
    idle = Move("KH", 5)
    assert idle not in board.legal_moves()
    after = board.play(idle)
    assert after.columns == (board.columns[0], (), board.columns[2], (), ("KH",), (), ())
    assert after.face_down == board.face_down
    assert after != board
    assert after.play(Move("KH", 2)) == board
    if game != "wasp":
        assert board.is_stuck
        assert after.is_stuck


def test_an_idle_move_of_a_whole_column_takes_its_face_up_cards_in_wasp() -> None:
    board = late("wasp", "KC KS KD", "5H 9H", run("H", "KQJT876432A"))
    assert Move("5H", 3) not in board.legal_moves()
    assert Move("9H", 3) in board.legal_moves()  # off the 5H: no relabelling
    assert board.play(Move("5H", 3)).columns[:3] == ((), board.columns[1], ("5H", "9H"))


# "It counts before the deal only where it changes which card the stock lands on (one of
# the two columns is among the first three); after the deal it never does."


def layouts(*piles: str) -> list[tuple[list[str], int, list[int]]]:
    """Every way to place the first pile and the empty columns: columns, pile, empty."""
    found = []
    for first in range(1, 8):
        for others in itertools.combinations([c for c in range(1, 8) if c != first], 3):
            columns = [":"] * 7
            columns[first - 1] = piles[0]
            for column, pile in zip(others, piles[1:], strict=True):
                columns[column - 1] = pile
            empty = [column for column in range(1, 8) if columns[column - 1] == ":"]
            found.append((columns, first, empty))
    return found


@pytest.mark.parametrize("rules", [Rules(), WHEN_STUCK])
def test_relabelling_counts_before_the_deal_among_the_first_three_columns(rules: Rules) -> None:
    for columns, king, empty in layouts("KH", "2H 3H", "7H 8H", "4H 6H TH JH AH"):
        board = late(rules, "KC KS KD", *columns, talon="QH 9H 5H")
        counts = [Move("KH", column) for column in empty if king <= 3 or column <= 3]
        assert board.legal_moves() == [*counts, DEAL]
        for column in empty:
            assert board.play(Move("KH", column)).columns[column - 1] == ("KH",)
        assert not board.is_stuck


@pytest.mark.parametrize("rules", [Rules(), WHEN_STUCK])
def test_relabelling_never_counts_after_the_deal(rules: Rules) -> None:
    for columns, _, _ in layouts("KH QH", "2H 3H", "7H 8H", "<JH> 4H 6H TH 9H 5H AH"):
        board = late(rules, "KC KS KD", *columns)
        assert board.legal_moves() == []
        assert board.is_stuck


def test_relabelling_chooses_where_the_stock_lands() -> None:
    piles = (":", "2H 3H", "7H 8H", "KH", "4H 6H TH JH AH")
    board = late(WHEN_STUCK, "KC KS KD", *piles, talon="QH 9H 5H")
    assert board.play(DEAL).columns[0] == ("QH",)
    assert played(board, "KH>1 deal").columns[0] == ("KH", "QH")


# With stock="when-stuck" it "may be dealt only when no move exists other than relabelling."


def test_the_stock_waits_until_no_card_moves() -> None:
    piles = (":", "KD AD", "KH AH", "5D 6D", "7D 8D", "3H")
    rest = "2H 2D 9D TD JD 4H 5H 6H 7H 8H 9H TH JH QH"
    board = late(WHEN_STUCK, "KC KS", *piles, rest, talon="QD 3D 4D")
    assert moves_of(board) == "KD>1 KH>1 2H>6"
    assert moves_of(board.play(Move("KD", 1))) == "KD>2 KH>2 2H>6"
    with pytest.raises(IllegalMoveError, match=r"; 2H>6 is one$"):
        board.play(DEAL)
    # Now all that moves is Kings that lead whole columns.
    last = board.play(Move("2H", 6))
    assert moves_of(last) == "KD>1 KH>1 KD>7 KH>7 deal"
    assert last.play(DEAL).columns[:3] == (("QD",), ("KD", "AD", "3D"), ("KH", "AH", "4D"))
    # By the standard rules it need not wait.
    standard = late("scorpion", "KC KS", *piles, rest, talon="QD 3D 4D")
    assert moves_of(standard) == "KD>1 KH>1 2H>6 deal"
    assert standard.play(DEAL).stock == ()


# With runs="stay" they "stay where they lie, and the game is won when four columns each hold one
# finished run and the rest are empty."


def stay(*columns: str, rules: Rules = STAY) -> Board:
    return Board.parse("\n".join([*columns, *[":"] * (7 - len(columns))]), rules)


def test_a_finished_run_stays() -> None:
    board = stay(
        run("C"),
        run("S") + " 5D",
        run("H", "KQJT98765432"),
        "KD QD JD TD 9D 8D 7D",
        "6D 4D 3D 2D AD AH",
    )
    after = board.play(Move("AH", 3))
    assert after.columns[2] == tuple(run("H").split())
    assert after.foundations == ()
    assert not after.is_won


def test_stay_is_won_when_four_columns_hold_a_run_each() -> None:
    runs = [run(suit) for suit in "CSD"]
    board = stay(*runs, run("H", "KQJT98765432"), "AH")
    assert not board.is_won
    assert moves_of(board) == "AH>4"
    won = board.play(Move("AH", 4))
    assert won.is_won
    assert not won.is_stuck
    assert won.legal_moves() == []
    assert won.foundations == ()
    with pytest.raises(IllegalMoveError, match=r"^KC>5 comes after the game is won$"):
        won.play(Move("KC", 5))


def test_two_runs_in_a_column_are_not_yet_won() -> None:
    board = stay(f"{run('C')} {run('S')}", run("D"), run("H"))
    assert not board.is_won
    assert moves_of(board) == "KS>4 KS>5 KS>6 KS>7"
    assert board.play(Move("KS", 6)).is_won


def test_a_face_down_card_is_never_part_of_a_run_that_stays() -> None:
    runs = [run(suit) for suit in "CSD"]
    board = stay(*runs, "<KH> " + run("H", "QJT98765432A"))
    assert not board.is_won
    assert board.is_stuck
    # In wasp the Queen may leave the King, turn it up and come back.
    wasp = stay(*runs, "<KH> " + run("H", "QJT98765432A"), rules=Rules(fill="any", runs="stay"))
    assert not wasp.is_won
    assert played(wasp, "QH>5 QH>4").is_won


def test_runs_that_stay_alternate_colours() -> None:
    pairs = ("CD", "SH", "DC", "HS")
    runs = [" ".join(r + pair[i % 2] for i, r in enumerate("KQJT98765432A")) for pair in pairs]
    assert stay(*runs, rules=Rules(build="alternating", runs="stay")).is_won
    assert not stay(*runs).is_won
    in_suit = [run(suit) for suit in "CSDH"]
    assert not stay(*in_suit, rules=Rules(build="alternating", runs="stay")).is_won
    assert stay(*in_suit).is_won


# "Won: all 52 cards in four finished runs. Stuck: not won, no legal move, and no stock
# left to deal."


@pytest.mark.parametrize("game", [*GAMES, WHEN_STUCK])
def test_a_won_game_has_no_moves_and_is_not_stuck(game: str | Rules) -> None:
    board = late(game, "KC KS KD KH")
    assert board.is_won
    assert not board.is_stuck
    assert board.legal_moves() == []


def test_a_game_with_a_stock_is_not_stuck() -> None:
    piles = ("8H 9H", "3H 4H", "5H 6H", "KH 2H AH", "JH")
    board = late("scorpion", "KC KS KD", *piles, talon="7H QH TH")
    assert moves_of(board) == "deal"
    assert not board.is_stuck
    dealt = board.play(DEAL)
    assert dealt.columns[:3] == (("8H", "9H", "7H"), ("3H", "4H", "QH"), ("5H", "6H", "TH"))
    assert moves_of(dealt) == "6H>1 JH>2 9H>3 TH>5"


def test_a_deal_is_neither_won_nor_stuck(deal_24: Board) -> None:
    assert not deal_24.is_won
    assert not deal_24.is_stuck
