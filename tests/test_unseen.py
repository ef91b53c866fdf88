"""Boards with unknown cards: a player's view of a game."""

import pickle
from typing import Any

import pytest
from decks import EVERY_RULES
from hypothesis import given
from hypothesis import strategies as st

from scorpion import Board, BoardError, IllegalMoveError, Rules, deal, solve, solve_many
from scorpion.board import UNKNOWN_VERSION
from scorpion.moves import DEAL, Move

# Microsoft deal 24, as a player sees it.
SEEN_24 = """\
Talon: ?? ?? ??
<??> <??> <??> KH TC JH KS
<??> <??> <??> 6S TS TD 6D
<??> <??> <??> 7D AD KC 8D
<??> <??> <??> 8C 4D 8H 7C
2D 2S 6H AC QS 8S JD
7H KD JC 9H 3H 4S 9D
AH JS TH 5C 3S 4H 2H
"""
EVERY_CARD = (
    "the board has unknown cards: the 3 lowest of column 1, the 3 lowest of column 2, "
    "the 3 lowest of column 3, the 3 lowest of column 4, the stock"
)

FACE_UP = "an unknown card cannot lie face up; only face-down cards and the stock can be unknown"


@pytest.fixture
def seen_24() -> Board:
    return Board.parse(SEEN_24, "scorpion")


def test_a_masked_deal(seen_24: Board) -> None:
    board = deal("scorpion", 24, dealer="ms")
    assert board.masked().text() == SEEN_24
    assert seen_24.text() == seen_24.masked().text() == SEEN_24
    assert seen_24.line() == str(seen_24) == SEEN_24.strip().replace("\n", " / ")
    assert seen_24.columns[0] == ("??", "??", "??", "KH", "TC", "JH", "KS")
    assert seen_24.face_down == board.face_down
    assert seen_24.stock == ("??",) * 3
    assert seen_24 != board
    assert repr(seen_24) == f"Board.parse({seen_24.line()!r}, 'scorpion')"


def test_some_cards_may_be_known() -> None:
    text = SEEN_24.replace("<??> <??> <??> KH", "<4C> <??> <5S> KH").replace(
        "?? ?? ??\n", "QD ?? AS\n"
    )
    board = Board.parse(text, "scorpion")
    assert board.text() == text
    assert board.masked().text() == SEEN_24
    with pytest.raises(BoardError) as caught:
        solve(board)
    assert str(caught.value) == (
        "the board has unknown cards: card 2 of column 1, the 3 lowest of column 2, "
        "the 3 lowest of column 3, the 3 lowest of column 4, card 2 of the stock"
    )
    text = text.replace("<??> <??> <??> 6S", "<??> <2C> <??> 6S")
    with pytest.raises(BoardError, match="cards 1 and 3 of column 2, the 3 lowest of column 3"):
        solve(Board.parse(text, "scorpion"))


def test_what_needs_every_card_says_which_are_open(seen_24: Board) -> None:
    for ask in (solve, lambda board: solve_many([board])):
        with pytest.raises(BoardError) as caught:
            ask(seen_24)
        assert str(caught.value) == EVERY_CARD


def test_a_known_stock_may_be_dealt() -> None:
    board = Board.parse(SEEN_24.replace("?? ?? ??\n", "QD 3D AS\n"), "scorpion")
    after = board.play(DEAL)
    assert after.stock == ()
    assert [cards[-1] for cards in after.columns[:3]] == ["QD", "3D", "AS"]
    assert after.columns[0][:3] == ("??",) * 3


def test_moves_that_turn_up_an_unknown_card(seen_24: Board) -> None:
    with pytest.raises(BoardError) as caught:
        seen_24.play(DEAL)
    where = EVERY_CARD.partition(": ")[2]
    assert str(caught.value) == f"deal turns up a card that is not known; unknown: {where}"
    with pytest.raises(IllegalMoveError):
        seen_24.play(Move("4C", 1))


@given(data=st.data())
def test_a_view_is_played_like_the_board(
    data: st.DataObject, positions: st.SearchStrategy[Board]
) -> None:
    """What brings no hidden card to light leads to the view of the board it leads to."""
    board = data.draw(positions)
    view = board.masked()
    hidden = sum(board.face_down) + len(board.stock)
    assert view.legal_moves() == board.legal_moves()
    assert (view.is_won, view.is_stuck) == (board.is_won, board.is_stuck)
    assert view.foundations == board.foundations
    for move in board.legal_moves():
        after = board.play(move)
        if sum(after.face_down) + len(after.stock) == hidden:
            assert view.play(move) == after.masked()
        else:
            with pytest.raises(BoardError, match=f"^{move} turns up a card that is not known"):
                view.play(move)


@given(data=st.data())
def test_every_view_survives_storage(
    data: st.DataObject, positions: st.SearchStrategy[Board]
) -> None:
    board = data.draw(positions)
    view = board.masked()
    hides = any(board.face_down) or bool(board.stock)
    assert (view.to_bytes()[0] == UNKNOWN_VERSION) == hides
    parts = (view.rules, view.columns, view.face_down, view.stock, view.foundations)
    for twin in (
        Board.from_bytes(view.to_bytes()),
        pickle.loads(pickle.dumps(view)),
        Board(*parts),
    ):
        assert twin == view
        assert hash(twin) == hash(view)
        assert twin.rules == view.rules
        assert twin.text() == view.text()


@given(data=st.data())
def test_any_edit_of_a_views_bytes_is_a_board_or_a_board_error(
    data: st.DataObject, positions: st.SearchStrategy[Board]
) -> None:
    stored = bytearray(data.draw(positions).masked().to_bytes())
    stored[data.draw(st.integers(0, len(stored) - 1))] = data.draw(st.integers(0, 60))
    try:
        board = Board.from_bytes(bytes(stored))
    except BoardError:
        return
    assert board.to_bytes() == stored


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "<??> <??> <??> KH",
            "<??> <??> ?? KH",
            f"line 2, column 11: {FACE_UP}",
        ),
        (
            "3S 4H 2H",
            "3S 4H ??",
            f"line 8, column 19: {FACE_UP}",
        ),
        (
            "Talon: ?? ?? ??",
            "Talon: ?? ??",
            ("unknown cards: 14; cards that are neither on the board nor on the foundations: 15"),
        ),
        (
            "<??> <??> <??> KH",
            "<??> <??> <KH> KH",
            "line 2, column 16: KH is on the board twice",
        ),
        ("Talon: ??", "Talon: <??>", "line 1, column 8: <??> cannot lie face down here"),
        (
            "Talon:",
            "Foundations: ??\nTalon:",
            "line 1, column 14: foundations name the King of a run; '??' is none",
        ),
        (
            "Talon:",
            "Foundations: KH\nTalon:",
            "line 1, column 14: KH is on the board and on a foundation",
        ),
        (
            "<??> <??> <??> KH TC JH KS",
            "<??> <??> <??>",
            "unknown cards: 15; cards that are neither",
        ),
    ],
)
def test_text_that_is_no_view(old: str, new: str, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        Board.parse(SEEN_24.replace(old, new, 1), "scorpion")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    "columns",
    [[["??"]] * 7, [["??", []]] * 7, [["??", 5]] * 7, [["??", None, "AS"]] * 7, ["??"] * 7],
)
def test_columns_that_are_no_view(columns: Any) -> None:
    with pytest.raises(BoardError):
        Board("scorpion", columns, (1,) * 7)


def test_in_alternating_colours_either_twin_may_have_left() -> None:
    """The run of KS took one of QH and QD along; on the view the other is not to be seen."""
    ends = "8S 7D 6S 5D 4S 3D 2S AD / : / : / : / :"
    view = Board.parse(f"Foundations: KC KS KH / <??> KD / QS JD TS / {ends}", "scorpion-tail")
    for hidden in ("9D", "9H"):
        board = Board.parse(view.text().replace("??", hidden), "scorpion-tail")
        assert board.masked() == view
        assert board.play(Move("QS", 1)).masked() == view.play(Move("QS", 1))
    assert view.play(Move("QS", 1)).columns[0] == ("??", "KD", "QS", "JD", "TS")


@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
def test_play_goes_on_with_the_cards_that_a_fresh_reader_would_fill_in(rules: Rules) -> None:
    """Along lines that win, to the end: cards turn up, the stock lands, runs leave.

    What is played is not read anew, move by move; it has to be what that would give.
    """
    played = shown = 0
    for number in range(1, 40):
        board = deal(rules, number)
        for move in solve(board, max_nodes=2_000).moves:
            seen, board = board.masked(), board.play(move)
            try:
                after = seen.play(move)
            except BoardError:  # it turns up a card that is not known
                continue
            assert after == Board.parse(after.line(), rules)
            assert after.to_bytes() == Board.parse(after.line(), rules).to_bytes()
            assert after.legal_moves() == Board.parse(after.line(), rules).legal_moves()
            played += 1
            shown += after.foundations != seen.foundations
    assert played > 50
    assert shown > 0 or rules.runs == "stay"
