"""Boards as text, both ways, and where the faults of a bad text are."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorpion.board import Board
from scorpion.deals import deal
from scorpion.errors import BoardError, RulesError
from scorpion.rules import GAMES, Rules

# Microsoft deal 24, as interface.md prints it.
DEAL_24 = """\
Talon: QD 3D AS
<4C> <7S> <5S> KH TC JH KS
<5H> <2C> <6C> 6S TS TD 6D
<QC> <QH> <9C> 7D AD KC 8D
<5D> <9S> <3C> 8C 4D 8H 7C
2D 2S 6H AC QS 8S JD
7H KD JC 9H 3H 4S 9D
AH JS TH 5C 3S 4H 2H
"""
LINES = DEAL_24.splitlines()
ALL = [rank + suit for rank in "A23456789TJQK" for suit in "CSDH"]


def test_deal_24_reads_and_prints_back() -> None:
    board = Board.parse(DEAL_24, "scorpion")
    assert board == deal("scorpion", 24, dealer="ms")
    assert board.text() == DEAL_24
    assert board.line() == " / ".join(LINES)
    assert str(board) == board.line()


# The ways in which people write the same board.


@pytest.mark.parametrize(
    "text",
    [
        DEAL_24.rstrip("\n"),
        DEAL_24.replace("\n", "\r\n"),
        DEAL_24.replace("\n", "\r"),
        DEAL_24.lower(),
        DEAL_24.upper(),
        DEAL_24.title(),
        DEAL_24.replace("TC", "10C").replace("TS", "10s").replace("TD", "10D").replace("TH", "10H"),
        "\n".join([LINES[0], *(": " + line for line in LINES[1:])]),
        "\n".join([LINES[0], *("  :" + line for line in LINES[1:])]),
        DEAL_24.replace(" ", "   "),
        DEAL_24.replace(" ", "\t"),
        DEAL_24.replace(" ", "\u00a0"),
        DEAL_24.replace("\n", "  \n"),
        DEAL_24.replace("Talon: ", "Talon:"),
        " / ".join(LINES),
        "/".join(LINES),
        " / ".join(LINES) + " / ",
        "\n".join([" / ".join(LINES[:3]), *LINES[3:]]),
        "\n\n" + DEAL_24 + "\n \n\n",
        DEAL_24.replace("AS\n", "AS\n\n"),
        DEAL_24.replace("AS\n", "AS\n\n") + "\n",
        "".join(f"\n    {line}" for line in LINES) + "\n    ",
        "\n".join([*LINES[1:], LINES[0]]),
        "# Microsoft 24 / Scorpion\n" + DEAL_24,
        "# one\n\n# two\n" + DEAL_24.replace("\n", " # QH / QH\n") + "  # done",
        DEAL_24.replace("KS\n", "KS\n#KS\n   # a note between two columns\n"),
        DEAL_24.replace("JD\n", "JD#note\n"),
        "\ufeff" + DEAL_24,
        "\ufeff\r\n" + DEAL_24.replace("\n", "\r\n"),
    ],
    ids=[
        *("no last line end", "Windows", "old Mac", "lower case", "upper case", "title case"),
        *("10 for T", "colons", "indented colons", "wide", "tabs", "no-break spaces", "trailing"),
        *("tight Talon", "one line", "tight slashes", "slash at the end", "some slashes"),
        *("blank lines around", "blank after Talon", "blank after Talon and at the end"),
        *("indented string", "Talon last", "title", "comments everywhere", "comments between"),
        *("tight comment", "byte order mark", "Notepad"),
    ],
)
def test_ways_to_write_deal_24(text: str) -> None:
    assert Board.parse(text, "scorpion") == deal("scorpion", 24, dealer="ms")


def test_a_tens_two_spellings_face_down_in_the_stock_and_up() -> None:
    board = deal("scorpion", 1)  # TH is in column 1 of it
    for ten in ("TC", "TS", "TD", "TH"):
        text = board.text().replace(ten, "10" + ten[1])
        assert text != board.text()
        assert Board.parse(text, "scorpion") == board


# The four suits, as Unicode has them in black and in white.
BLACK = str.maketrans("CSDH", "\u2663\u2660\u2666\u2665")
WHITE = str.maketrans("CSDH", "\u2667\u2664\u2662\u2661")


def in_symbols(text: str, shade: dict[int, int], selector: str, *, suit_first: bool) -> str:
    """The text of a board as a page may show it: symbols for suits, 10 for T."""

    def shown(card: re.Match[str]) -> str:
        rank = card[1].replace("T", "10")
        suit = card[2].translate(shade) + selector
        return suit + rank if suit_first else rank + suit

    return re.sub("([A2-9TJQK])([CDHS])(?![a-z])", shown, text)


@pytest.mark.parametrize("suit_first", [False, True])
@pytest.mark.parametrize("selector", ["", "\ufe0e", "\ufe0f"])
@pytest.mark.parametrize("shade", [BLACK, WHITE], ids=["black", "white"])
def test_suits_as_symbols(shade: dict[int, int], selector: str, *, suit_first: bool) -> None:
    text = in_symbols(DEAL_24, shade, selector, suit_first=suit_first)
    suit = "S".translate(shade) + selector
    assert (f" {suit}10 " if suit_first else f" 10{suit} ") in text
    assert not set("CDHS") & set(text)
    assert Board.parse(text, "scorpion") == deal("scorpion", 24, dealer="ms")
    assert Board.parse(text.replace("\n", "/"), "scorpion").text() == DEAL_24


def test_foundations_and_cards_face_down_as_symbols() -> None:
    written = in_symbols(EMPTY, BLACK, "\ufe0f", suit_first=False)
    assert written.startswith(
        "Foundations: K\u2663\ufe0f K\u2660\ufe0f K\u2666\ufe0f\n:\n<9\u2665\ufe0f> "
    )
    assert Board.parse(written).text() == EMPTY


@pytest.mark.parametrize(
    ("line", "text", "message", "column"),
    [
        (5, "2\u2666 2\u2660 11\u2665 A\u2663", "'11\u2665' is not a card", 7),
        # A selector is a character of the text, and counts as one.
        (
            5,
            "2\u2666\ufe0f 2\u2660\ufe0f 6\u2665\u2660 A\u2663",
            "'6\u2665\u2660' is not a card",
            9,
        ),
        (5, "2D 2S 6H \u2665", "'\u2665' is not a card", 10),
        (5, "2D 2S 6H AC Q\u2660 \u26602 JD", "2S is on the board twice", 16),
        (1, "Talon: \u2666Q <\u26663> A\u2660", "<\u26663> cannot lie face down here", 11),
        (2, "<4\u2663> KH <\u26637\ufe0e>", "'<\u26637\ufe0e>' is not a card", 9),
        (2, "<4\u2663> KH <\u2663\ufe0e7>", "<\u2663\ufe0e7> lies face down on a face-up card", 9),
    ],
)
def test_where_a_faulty_symbol_stands(line: int, text: str, message: str, column: int) -> None:
    lines = [*LINES]
    lines[line - 1] = text
    with pytest.raises(BoardError) as caught:
        Board.parse("\n".join(lines))
    assert str(caught.value) == f"line {line}, column {column}: {message}"
    assert (caught.value.line, caught.value.column) == (line, column)


# Empty columns and foundations. Only hearts are left here.


EMPTY = """\
Foundations: KC KS KD
:
<9H> KH QH
JH TH
:
8H 7H 6H 5H
4H 3H 2H AH
:
"""


@pytest.mark.parametrize(
    "text",
    [
        EMPTY,
        EMPTY.replace("\n:", "\n"),
        EMPTY.replace("\n:", "\n").removesuffix("\n"),
        EMPTY.replace("\n:\n", "\n\n").replace("AH\n\n", "AH\n  "),
        EMPTY.replace("\n:\n", "\n : # empty\n"),
        EMPTY.replace("\n:\n", "\n:\t\n"),
        EMPTY.replace("\n:\n", "\n: \n") + "\n\n",
        "\n" + EMPTY + "\n",
        EMPTY.removesuffix(":\n") + "\n\n",
        EMPTY.replace("KD\n:\n", "KD\n\n\n"),
        EMPTY.replace("\n", " / ").rstrip("/ "),
        "foundations: kc ks kd//<9H> KH QH/JH 10H//8H 7H 6H 5H/4H 3H 2H AH/",
    ],
)
def test_empty_columns(text: str) -> None:
    board = Board.parse(text, "scorpion")
    assert board.foundations == ("KC", "KS", "KD")
    assert board.stock == ()
    assert board.columns == (
        (),
        ("9H", "KH", "QH"),
        ("JH", "TH"),
        (),
        ("8H", "7H", "6H", "5H"),
        ("4H", "3H", "2H", "AH"),
        (),
    )
    assert board.face_down == (0, 1, 0, 0, 0, 0, 0)
    assert board.text() == EMPTY


def test_blank_lines_before_a_heading_are_never_columns() -> None:
    text = "\n\nFoundations: KC KS KD\n9H KH QH\nJH TH\n8H\n7H\n6H 5H\n4H 3H 2H AH\n\n"
    assert Board.parse(text).columns[0] == ("9H", "KH", "QH")
    assert Board.parse(text).columns[6] == ()


def test_blank_lines_at_both_ends_that_may_be_columns_or_not_are_refused() -> None:
    columns = "9H KH QH\nJH TH\n8H\n7H\n6H 5H\n4H 3H 2H AH\n"
    with pytest.raises(BoardError) as caught:
        Board.parse("Foundations: KC KS KD\n\n" + columns + "\n")
    assert caught.value.message == this_one(8)
    assert (caught.value.line, caught.value.column) == (9, 1)
    for clear in (":\n" + columns + "\n", "\n" + columns + ":\n"):
        board = Board.parse("Foundations: KC KS KD\n" + clear)
        assert board.columns[0 if clear[0] == ":" else 6] == ()
        assert sum(map(len, board.columns)) == 13


def test_a_written_colon_is_always_a_column() -> None:
    with pytest.raises(BoardError, match=r"^line 9, column 1: a board has 7 columns, this one 8 "):
        Board.parse(EMPTY + ":\n")
    with pytest.raises(BoardError, match=r"^line 9, column 1: a board has 7 columns, this one 8 "):
        Board.parse(EMPTY.replace("KD\n", "KD\n:\n"))


def test_a_won_board() -> None:
    board = Board.parse("Foundations: KH KD KS KC / : / : / : / : / : / : / :")
    assert board.is_won
    assert board.text() == "Foundations: KC KS KD KH\n" + ":\n" * 7  # in the order of the deck


def test_foundations_of_alternating_colours_take_any_suits() -> None:
    text = """\
Foundations: KC KH
KS JC
QD
8C 7H 6C
TC 9H
5H 4C
TD 3H 2C AH
KD QS JD 9S 8D 7S 6D 5S 4D 3S 2D AS
"""
    # Gone: KC QH JS TH 9C 8H 7C 6H 5C 4H 3C 2H AC and KH QC JH TS 9D 8S 7D 6S 5D 4S 3D 2S AD.
    board = Board.parse(text, "scorpion-tail")
    assert board.foundations == ("KC", "KH")
    assert board.text() == text
    assert Board.parse(text.replace("KC KH", "KH KC"), "scorpion-tail") == board
    with pytest.raises(BoardError, match=r"do not make up the runs of KC KH$"):
        Board.parse(text, "scorpion")


def test_scorpion_is_played_where_no_game_is_named() -> None:
    assert Board.parse(DEAL_24).rules == GAMES["scorpion"]
    own = Rules(runs="stay")
    assert Board.parse(DEAL_24, own).rules is own
    with pytest.raises(RulesError, match=r"^there is no game 'tarantula'; the games are "):
        Board.parse(DEAL_24, "tarantula")


# What is wrong, and where. Each row puts another line in the place of one of DEAL_24's.


ALL_DOWN = "KS lies face down at the open end of column 1"


def this_one(columns: int) -> str:
    return f"a board has 7 columns, this one {columns} (an empty column is written as a colon)"


@pytest.mark.parametrize(
    ("number", "line", "message", "place"),
    [
        # Unknown cards.
        (7, "7H KD XX 9H 3H 4S 9D", "'XX' is not a card", (7, 7)),
        (7, "7H KD xx 9H 3H 4S 9D", "'xx' is not a card", (7, 7)),
        (7, "7H KD J 9H 3H 4S 9D", "'J' is not a card", (7, 7)),
        (7, "7H KD JCC 9H 3H 4S 9D", "'JCC' is not a card", (7, 7)),
        (7, "7H KD JC9H 3H 4S 9D", "'JC9H' is not a card", (7, 7)),
        (7, "7H KD CJ 9H 3H 4S 9D", "'CJ' is not a card", (7, 7)),
        (7, "1H KD JC 9H 3H 4S 9D", "'1H' is not a card", (7, 1)),
        (7, "7H KD JC 9H 3H 4S 9D, ", "'9D,' is not a card", (7, 19)),
        (7, "7H KD JC 9H 3H 4S :", "':' is not a card", (7, 19)),
        (7, "7H KD JC 9H 3H 4S \u0669D", "'\u0669D' is not a card", (7, 19)),
        (7, "7H KD JC 9H 3H 4\u017f 9D", "'4\u017f' is not a card", (7, 16)),
        (7, "\u00df KD JC 9H 3H 4S 9D", "'\u00df' is not a card", (7, 1)),
        (7, "  : 7H   KD\tXX 9H", "'XX' is not a card", (7, 13)),
        (7, ":7H XX", "'XX' is not a card", (7, 5)),
        (7, "7H KD 10C XX 3H 4S 9D", "'XX' is not a card", (7, 11)),
        (2, "<4C> <XX> <5S> KH TC JH KS", "'<XX>' is not a card", (2, 6)),
        (2, "<4C> <7S <5S> KH TC JH KS", "'<7S' is not a card", (2, 6)),
        (2, "<4C> < 7S> <5S> KH TC JH KS", "'<' is not a card", (2, 6)),
        (2, "<4C> <<7S>> <5S> KH TC JH KS", "'<<7S>>' is not a card", (2, 6)),
        (1, "Talon: QD 3D ZZ", "'ZZ' is not a card", (1, 14)),
        (1, "  Talon:QD ZZ AS", "'ZZ' is not a card", (1, 12)),
        # Face-down cards out of place.
        (7, "7H KD <JC> 9H 3H 4S 9D", "<JC> lies face down on a face-up card", (7, 7)),
        (7, "7H KD <jc> 9H 3H 4S 9D", "<jc> lies face down on a face-up card", (7, 7)),
        (2, "<4C> 7S <5S> KH TC JH KS", "<5S> lies face down on a face-up card", (2, 9)),
        (2, "<4C> 7S <4C> KH TC JH KS", "<4C> lies face down on a face-up card", (2, 9)),
        (7, "7H KD JC 9H 3H 4S <9D>", "<9D> lies face down on a face-up card", (7, 19)),
        (2, "<4C> <7S> <5S> <KH> <TC> <JH> <KS>", ALL_DOWN, (2, 31)),
        (1, "Talon: <QD> 3D AS", "<QD> cannot lie face down here", (1, 8)),
        (1, "Talon: QD <3D> AS", "<3D> cannot lie face down here", (1, 11)),
        # Cards there are twice: the later one, where the stock is read first.
        (8, "AH JS TH 5C 3S 4H 7H", "7H is on the board twice", (8, 19)),
        (8, "AH JS TH 5C AH 4H 2H", "AH is on the board twice", (8, 13)),
        (3, "<5H> <4C> <6C> 6S TS TD 6D", "4C is on the board twice", (3, 6)),
        (8, "AH JS 10H 5C 3S 10s 2H", "TS is on the board twice", (8, 17)),
        (1, "Talon: QD 3D 7H", "7H is on the board twice", (7, 1)),
        (1, "Talon: QD 3D QD", "QD is on the board twice", (1, 14)),
        (8, ": AH JS TH 5C 3S AS 2H", "AS is on the board twice", (8, 18)),
        # Cards that are missing: a fault of the whole.
        (8, "AH JS TH 5C 3S 4H", "2H is missing", None),
        (8, "AH JS TH", "4 cards are missing: 2H 3S 4H 5C", None),
        (8, ":", "7 cards are missing: AH 2H 3S 4H 5C TH ...", None),
        (8, "", "7 cards are missing: AH 2H 3S 4H 5C TH ...", None),
        (1, "# Talon: QD 3D AS", "3 cards are missing: AS 3D QD", None),
        (1, "Talon:", "3 cards are missing: AS 3D QD", None),
        (1, "Talon: QD #3D AS", "the stock is 3 cards or none, not 1", (1, 8)),
        # Stocks that are not three cards.
        (1, "Talon: QD", "the stock is 3 cards or none, not 1", (1, 8)),
        (1, "  Talon:  QD 3D", "the stock is 3 cards or none, not 2", (1, 11)),
        # Lines too many.
        (4, "Talon: QC QH 9C 7D AD KC 8D", "a second Talon line", (4, 1)),
        (4, "  talon:", "a second Talon line", (4, 3)),
        (8, "AH JS TH 5C / 3S 4H 2H", this_one(8), (8, 15)),
        (8, "AH JS TH 5C 3S 4H\n 2H", this_one(8), (9, 2)),
        (8, "AH JS TH 5C 3S 4H\n\n 2H", this_one(9), (9, 1)),
        (8, "AH JS TH 5C 3S 4H 2H / :", this_one(8), (8, 23)),
        (8, "AH JS TH 5C 3S 4H 2H\n:\n:", this_one(9), (9, 1)),
        # Lines too few.
        (8, "# AH JS TH 5C 3S 4H 2H", this_one(6), None),
        # Lines of something else.
        (1, "Talon QD 3D AS", "'Talon' is not a card", (1, 1)),
        (1, "Stock: QD 3D AS", "'Stock:' is not a card", (1, 1)),
        (1, "Scorpion\n\nTalon: QD 3D AS", "'Scorpion' is not a card", (1, 1)),
    ],
)
def test_faults_of_a_deal(
    number: int, line: str, message: str, place: tuple[int, int] | None
) -> None:
    lines = LINES.copy()
    lines[number - 1] = line
    with pytest.raises(BoardError) as caught:
        Board.parse("\n".join(lines))
    assert caught.value.message == message
    assert (caught.value.line, caught.value.column) == (place or (None, None))
    where = "" if place is None else "line {}, column {}: ".format(*place)
    assert str(caught.value) == where + message


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n", "# nothing", "\ufeff", "Talon:"])
def test_hardly_any_text(text: str) -> None:
    with pytest.raises(BoardError, match=r"^a board has 7 columns, this one [0-2] "):
        Board.parse(text)


@pytest.mark.parametrize("text", [None, 24, DEAL_24.encode(), LINES, ["KH"], deal("wasp", 1)])
def test_text_is_a_string(text: Any) -> None:
    with pytest.raises(BoardError) as caught:
        Board.parse(text)
    assert str(caught.value) == f"a board's text is a string, not {type(text).__name__}"


HEARTS = "KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H AH"
STAY = Rules(runs="stay")
TAIL = GAMES["scorpion-tail"]


@pytest.mark.parametrize(
    ("text", "rules", "message", "place"),
    [
        (  # The run would have left, also off the top of other cards.
            *(f"Foundations: KC KS KD\n:\n{HEARTS}\n:\n:\n:\n:\n:", Rules()),
            "column 2 ends in a finished run, which would have left the table",
            (3, 37),
        ),
        (
            *(f"Foundations: KC KS\n:\nAD <KD> {HEARTS}\n:\n:\n:\n:\n:", Rules()),
            "<KD> lies face down on a face-up card",
            (3, 4),
        ),
        (
            f"Foundations: KC KS\nQD JD TD 9D 8D 7D 6D 5D 4D 3D 2D AD\n<KD> {HEARTS}" + "\n:" * 5,
            Rules(),
            "column 2 ends in a finished run, which would have left the table",
            (3, 42),
        ),
        (
            "Foundations: KC KS KD\nKH QS JH TS 9H 8S 7H 6S 5H 4S 3H 2S AH" + "\n:" * 6,
            TAIL,
            "column 1 ends in a finished run, which would have left the table",
            (2, 37),
        ),
        # Foundations that do not match the board.
        (
            f"Foundations: KC KS KD KH\n{HEARTS}" + "\n:" * 6,
            *(Rules(), "KH is on the board and on a foundation", (1, 23)),
        ),
        (
            f"Foundations: KC KS\n{HEARTS}" + "\n:" * 6,
            *(
                Rules(),
                "the cards that are not on the board do not make up the runs of KC KS",
                (1, 14),
            ),
        ),
        (
            f"Foundations: KC KS KD\n{HEARTS[:-3]}" + "\n:" * 6,
            Rules(),
            "the cards that are not on the board do not make up the runs of KC KS KD",
            (1, 14),
        ),
        (
            f"Foundations: KC KS KD\n{HEARTS} 7S" + "\n:" * 6,
            Rules(),
            "the cards that are not on the board do not make up the runs of KC KS KD",
            (1, 14),
        ),
        (  # In alternating colours the run of KH has black cards too, and is not all hearts.
            "Foundations: KH\n" + " ".join(c for c in ALL if c[1] != "H") + "\n:" * 6,
            TAIL,
            "the cards that are not on the board do not make up the runs of KH",
            (1, 14),
        ),
        (f"{HEARTS}" + "\n:" * 6, Rules(), "39 cards are missing: AC AS AD 2C 2S 2D ...", None),
        # Foundations that name no run.
        (
            "Foundations: KC QD\n" + ":\n" * 7,
            *(Rules(), "foundations name the King of a run; 'QD' is none", (1, 17)),
        ),
        ("Foundations: KC KS kc\n" + ":\n" * 7, Rules(), "the foundations name KC twice", (1, 20)),
        ("Foundations: KC K\n" + ":\n" * 7, Rules(), "'K' is not a card", (1, 17)),
        ("Foundations: <KC>\n" + ":\n" * 7, Rules(), "<KC> cannot lie face down here", (1, 14)),
        (
            *("Foundations: KC\nFoundations: KS\n" + ":\n" * 7, Rules()),
            "a second Foundations line",
            (2, 1),
        ),
        (
            *("Talon: / Foundations: KC KS KD KH" + "/:" * 7, STAY),
            "there are no foundations where finished runs stay on the table",
            (1, 23),
        ),
    ],
)
def test_faults_of_late_boards(
    text: str, rules: Rules, message: str, place: tuple[int, int] | None
) -> None:
    with pytest.raises(BoardError) as caught:
        Board.parse(text, rules)
    assert caught.value.message == message
    assert (caught.value.line, caught.value.column) == (place or (None, None))


def test_a_run_in_place_is_no_fault_where_runs_stay() -> None:
    text = "\n".join(HEARTS.replace("H", suit) for suit in "CSDH") + "\n:\n:\n:\n"
    assert Board.parse(text, STAY).text() == text


# Any text at all.


@given(data=st.data())
def test_every_position_reads_back(
    data: st.DataObject, positions: st.SearchStrategy[Board]
) -> None:
    board = data.draw(positions)
    assert Board.parse(board.text(), board.rules) == board
    assert Board.parse(board.line(), board.rules) == board
    typed = re.sub("T(?=[CSDH])", "10", board.text()).lower()
    assert Board.parse(typed, board.rules) == board
    assert "\n" not in board.line()
    assert Board.parse(board.masked().text(), board.rules) == board.masked()


def reads_or_says_where(text: str, rules: Rules) -> None:
    try:
        board = Board.parse(text, rules)
    except BoardError as error:
        place = (error.line, error.column)
    else:
        assert Board.parse(board.text(), rules) == board
        return
    if place != (None, None):
        line, column = place
        lines = ["", *text.removeprefix("\ufeff").splitlines(), ""]
        assert line in range(1, len(lines))
        assert column in range(1, len(lines[line or 0]) + 2)


@given(st.text() | st.text("A23456789TJQK10CDHScdhs<>:/# \n\ralonTFudi\ufeff"))
def test_any_text_is_a_board_or_a_board_error(text: str) -> None:
    reads_or_says_where(text, Rules())


EDITS = st.sampled_from(
    [*"A210TJQKCDHSkh?<>:/# \n\r\t\v\ufeff\u00df", "\r\n", "7H", "<7H>", "<??>", "Talon:"]
)


@settings(max_examples=150)
@given(data=st.data())
def test_any_edit_is_a_board_or_a_board_error(
    data: st.DataObject, positions: st.SearchStrategy[Board]
) -> None:
    board = data.draw(positions)
    text = data.draw(st.sampled_from([board.text(), board.line(), board.masked().text()]))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.integers(0, 4))
        text = text[:start] + data.draw(EDITS | st.just("")) + text[end:]
    reads_or_says_where(text, board.rules)
