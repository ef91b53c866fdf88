"""A game in the terminal: what is typed, what is shown, and the file that keeps it."""

import dataclasses
import errno
import io
import json
import os
import re
import resource
import select
import subprocess
import sys
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from test_cli import ENVIRONMENT, SCORPION, bare, read_to_end

import scorpion
from scorpion import DEAL, Board, Game, Move
from scorpion.cli import main
from scorpion.cli.play import KEYS, WELCOME

DEAL_5 = ("--game", "scorpion", "--deal", "5")
BOARD_5 = scorpion.deal("scorpion", 5)
LINE_5 = scorpion.solve(BOARD_5).moves

CARD = r"(<\?\?>|\?\?|[A2-9TJQK][CDHS])"
ROW = re.compile(rf"((Talon|Foundations): )?{CARD}( {CARD})*|:")
"""A line of a board's text."""

Shown = tuple[list[str], list[str]]
Play = Callable[..., Shown]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """Type lines; what is shown after each: boards on one line, and what is said of them."""

    def typed(*lines: str, given: tuple[str, ...] = DEAL_5) -> Shown:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert main(["play", *given]) == 0
        out, complaint = capsys.readouterr()
        assert complaint == ""
        boards: list[str] = []
        said: list[str] = []
        rows: list[str] = []
        for line in out.splitlines():
            if ROW.fullmatch(line):
                rows.append(line)
                if sum(":" not in row or row == ":" for row in rows) == 7:
                    boards.append(" / ".join(rows))
                    said.append("")
                    rows = []
            else:
                said[-1] += line + "\n"
        return boards, [words.strip() for words in said]

    return typed


def refused(capsys: pytest.CaptureFixture[str], *given: str) -> str:
    """The one line that a command says which does not start."""
    assert main(["play", *given]) == 2
    out, complaint = capsys.readouterr()
    assert out == ""
    assert complaint.count("\n") == 1
    return complaint.removeprefix("scorpion: ").rstrip()


def seen(board: Board) -> str:
    return board.masked().line()


def after(*moves: Move, board: Board = BOARD_5) -> str:
    for move in moves:
        board = board.play(move)
    return seen(board)


# What is typed.


def test_nothing_hidden_is_shown(play: Play) -> None:
    boards, said = play()
    assert boards == [seen(BOARD_5)]
    assert "<??> <??> <??> 5H" in boards[0]
    assert said == [WELCOME]


def test_a_whole_deal_is_won(play: Play) -> None:
    boards, said = play(*map(str, LINE_5), given=("--deal", "5", "--runs", "stay"))
    board = scorpion.deal(scorpion.Rules(runs="stay"), 5)
    assert boards == [after(*LINE_5[:count], board=board) for count in range(len(LINE_5) + 1)]
    assert said[-1] == f"Won in {len(LINE_5)} moves. n deals a new board, q quits."
    assert not any(said[1:-1])


def test_runs_lift_off_to_the_foundations(play: Play, tmp_path: Path) -> None:
    end = "Foundations: KC KS KH / 7D 6D 5D 4D 3D 2D AD / KD QD JD TD 9D 8D / : / : / : / : / :"
    (tmp_path / "end").write_text(end)
    _, said = play("7d", "q", given=(str(tmp_path / "end"),))
    assert said == [WELCOME, "Won in 1 move. n deals a new board, q quits."]


def test_a_card_goes_to_where_it_fits_and_then_to_the_other_place(play: Play) -> None:
    number, card, to_first, to_second = next(
        (number, one.card, one, other)
        for number in range(1, 100)
        for one, other in permutations(scorpion.deal("scorpion-tail", number).legal_moves(), 2)
        if DEAL not in (one, other) and one.card == other.card and one.column < other.column
    )
    tail = scorpion.deal("scorpion-tail", number)
    boards, _ = play(card, card, "u", given=("--game", "scorpion-tail", "--deal", str(number)))
    assert boards[1] == after(to_first, board=tail)
    assert boards[2] == after(to_first, to_second, board=tail)
    assert boards[3] == boards[1]


def test_moves_deal_undo_redo_and_restart(play: Play) -> None:
    move = Move("5H", 3)
    boards, said = play("5h", "D", "u", "y", "r", "y", "y", "5H>3")
    once, twice = after(move), after(move, DEAL)
    assert boards[1:] == [once, twice, once, twice, seen(BOARD_5), once, twice, twice]
    assert said[3:] == [
        "deal is taken back.",
        "deal is played again.",
        "From the start; y plays the moves again.",
        "5H>3 is played again.",
        "deal is played again.",
        "5H lies in column 3 already",
    ]


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("?", KEYS),
        ("Help", KEYS),
        ("", ""),
        ("u", "there is no move to take back"),
        ("y", "there is no move to play again"),
        ("6h", "6H has nowhere to go"),
        ("10h", "TH has nowhere to go"),
        ("\u2661\ufe0e10", "TH has nowhere to go"),
        ("6\u2665>2", "6H fits only on 7H; column 2 ends in 6D"),
        ("3c", "3C is not among the cards that lie face up"),
        ("3C>2", "3C is not among the cards that lie face up"),
        ("AD>2", "AD is not among the cards that lie face up"),  # but in the stock
        ("5H>1", "5H lies in column 1 already"),
        ("5H>9", "there is no column 9; the columns are 1 to 7"),
        ("6H>2", "6H fits only on 7H; column 2 ends in 6D"),
        ("up", "'up' is no move and no command. ? lists what you can type."),
        ("5H>3 deal", "'5H>3 deal' is no move and no command. ? lists what you can type."),
        ("\x1b[A", r"'\x1b[A' is no move and no command. ? lists what you can type."),
        ("\u2660", "'\u2660' is no move and no command. ? lists what you can type."),
    ],
)
def test_what_is_said(play: Play, typed: str, words: str) -> None:
    boards, said = play(typed)
    assert boards == [seen(BOARD_5)] * 2
    assert said[1] == words


def test_whole_words_do_what_their_letters_do(play: Play) -> None:
    letters = ("5h", "d", "u", "y", "r", "h", "f", "?", "q")
    words = ("5H>3", "deal", "Undo", "redo", " restart ", "hint", "fair", "help", "QUIT")
    by_letters, by_words = play(*letters, "5h"), play(*words, "5h")
    assert by_words == by_letters
    assert len(by_words[0]) == len(letters)  # after quit nothing is done any more
    _, said = play("new", "u")
    assert said[1:] == [WELCOME, "there is no move to take back"]


def test_the_list_names_all_that_can_be_typed(play: Play) -> None:
    rows = [line.split()[:2] for line in KEYS.splitlines()]
    assert [each[0] for each in rows[:2]] == ["6H", "6H>3"]
    for letter, word in rows[2:]:
        for typed in (letter, word):
            _, said = play(typed)
            assert not said[-1].startswith(repr(typed)), typed
    assert all(len(line) < 80 for line in KEYS.splitlines())


def test_hints(play: Play) -> None:
    _, said = play("h", "f", "deal", "h")
    assert said[1] == f"{scorpion.hint(BOARD_5).move}: this still wins."
    fair = scorpion.fair_hint(BOARD_5)
    low, high = fair.interval
    assert said[2] == (
        f"{fair.move} keeps the win in {fair.share:.0%} ({low:.0%} to {high:.0%}) of 200 ways"
        " to deal the unseen cards."
    )
    lost = scorpion.hint(BOARD_5.play(DEAL))
    assert said[4] == f"{lost.move}, but this board is lost: {lost.reason}"


def test_a_new_board_can_be_won(play: Play) -> None:
    boards, said = play("n", "h", "u")
    assert boards[1] != boards[0]
    assert said[1] == WELCOME
    assert said[2].endswith(": this still wins.")
    assert said[3] == "there is no move to take back"


def test_without_a_board_one_is_dealt_that_can_be_won(play: Play) -> None:
    _, said = play("h", given=("--game", "wasp"))
    assert said[1].endswith(": this still wins.")


def test_stuck_is_not_lost(play: Play) -> None:
    board = scorpion.deal("scorpion", 1).play(DEAL)
    moves = [DEAL]
    while not board.is_stuck:
        moves.append(board.legal_moves()[0])
        board = board.play(moves[-1])
    _, said = play(*map(str, moves), "h", given=("--deal", "1"))
    assert said[-2] == "No move is left: u takes one back, r restarts, n deals a new board."
    assert said[-1] == "There is no move to play."


# The file.


def test_a_game_is_kept_and_goes_on(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    kept = (*DEAL_5, "--save", str(file))
    play("5h", "d", "u", given=kept)
    game = Game.from_dict(json.loads(file.read_text()))
    assert (game.start, game.moves, game.undone) == (BOARD_5, (Move("5H", 3),), (DEAL,))
    boards, said = play("y", "q", given=kept)
    assert boards == [after(Move("5H", 3)), after(Move("5H", 3), DEAL)]
    assert said[0] == f"Going on after 1 move. {WELCOME}"
    # Without naming the board again, and in another game's name too.
    boards, _ = play("u", given=("--game", "wasp", "--save", str(file)))
    assert boards[1] == after(Move("5H", 3))
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_a_new_board_takes_the_place_of_the_old(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    boards, _ = play("n", given=(*DEAL_5, "--save", str(file)))
    again, _ = play(given=("--save", str(file)))
    assert again == boards[1:]


def test_the_file_keeps_the_number_of_the_deal(play: Play, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    play("5h", given=("--deal", "24", "--dealer", "ms", "--save", str(file)))
    saved = json.loads(file.read_text())
    assert (saved["deal"], saved["dealer"]) == ("24", "ms")
    play("d", given=("--save", str(file)))
    assert json.loads(file.read_text()) == saved | {"moves": [*saved["moves"], "deal"]}
    play("n", given=("--save", str(file)))
    new = Game.from_dict(json.loads(file.read_text()))
    assert new.number is not None
    assert new.dealer == "pysolfc"
    assert new.start == scorpion.deal("scorpion", new.number)


def test_a_file_without_a_number_is_read_and_stays_one(play: Play, tmp_path: Path) -> None:
    """As all files were before the number was kept."""
    file = tmp_path / "game.json"
    old = {
        "version": 1,
        "rules": dataclasses.asdict(BOARD_5.rules),
        "board": BOARD_5.line(),
        "moves": ["5H>3"],
        "undone": [],
    }
    file.write_text(json.dumps(old))
    boards, _ = play("d", given=("--save", str(file)))
    assert boards == [after(Move("5H", 3)), after(Move("5H", 3), DEAL)]
    assert Game.from_dict(json.loads(file.read_text())).number is None


def test_another_board_than_the_files_is_refused(
    play: Play, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "game.json"
    play("5h", given=(*DEAL_5, "--save", str(file)))
    before = file.read_text()
    complaint = refused(capsys, "--deal", "6", "--save", str(file))
    assert complaint == f"{file} holds a game that began with another board"
    assert file.read_text() == before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "it holds no saved game: Expecting value"),
        ("{", "it holds no saved game: "),
        ("[" * 100_000, "it holds no saved game: "),
        ("[]", "it holds no saved game: a saved game is a dict, not list"),
        ("{}", "it holds no saved game: a saved game lacks 'version'"),
        ("\udcff", "it holds no saved game: "),
        (json.dumps(Game(BOARD_5).to_dict() | {"moves": ["6H>1"]}), "step 1: 6H fits only on 7H"),
        (json.dumps(Game(BOARD_5).to_dict() | {"version": 2}), "a saved game of version 2"),
        (
            json.dumps(Game(BOARD_5, number=5).to_dict() | {"deal": "6"}),
            "the game did not begin with pysolfc deal 6",
        ),
    ],
)
def test_a_broken_file_is_refused_and_left(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, words: str
) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(text.encode(errors="surrogateescape"))
    complaint = refused(capsys, *DEAL_5, "--save", str(file))
    assert complaint.startswith(f"cannot go on with {file}: ")
    assert words in complaint
    assert file.read_bytes() == text.encode(errors="surrogateescape")


def test_a_path_that_cannot_be_written_is_said_before_the_first_move(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    missing = tmp_path / "no" / "game.json"
    assert refused(capsys, *DEAL_5, "--save", str(missing)) == (
        f"cannot save to {missing}: No such file or directory"
    )
    assert refused(capsys, *DEAL_5, "--save", str(tmp_path)) == (
        f"cannot go on with {tmp_path}: Is a directory"
    )


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_leaves_the_last_state(
    play: Play,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    call: str,
) -> None:
    file = tmp_path / "game.json"
    play("5h", given=(*DEAL_5, "--save", str(file)))
    before = file.read_text()

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(*((os, "fsync", full) if call == "fsync" else (Path, "replace", full)))
    assert refused(capsys, "--save", str(file)) == (
        f"cannot save to {file}: No space left on device"
    )
    assert file.read_text() == before
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_a_disk_that_is_full_indeed(tmp_path: Path) -> None:
    """The system refuses files of over 100 bytes, which a saved game has."""
    file = tmp_path / "game.json"

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    run = subprocess.run(
        [SCORPION, "play", *DEAL_5, "--save", str(file)],
        check=False,
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        input="5h\n",
        preexec_fn=limit,
        timeout=60,
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == f"scorpion: cannot save to {file}: File too large\n"
    assert [*tmp_path.iterdir()] == []


def test_a_link_stays_a_link(play: Play, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    file = tmp_path / "there" / "game.json"
    link = tmp_path / "link"
    link.symlink_to(file)
    play("5h", given=(*DEAL_5, "--save", str(link)))
    assert link.is_symlink()
    assert json.loads(file.read_text())["moves"] == ["5H>3"]


# At a terminal.


@pytest.mark.parametrize("end", [b"q\n", b"QUIT\n", b"\x04", b"\x03"])
def test_at_a_terminal(tmp_path: Path, end: bytes) -> None:
    """What is drawn, and that the game ends quietly by q, by the input's end and by Ctrl-C."""
    pty = pytest.importorskip("pty", reason="terminals are tested where there are ptys")
    file = tmp_path / "game.json"
    # Where the tests run in the background, Ctrl-C is ignored and children inherit that.
    script = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "from scorpion.cli import main; sys.exit(main())"
    )
    child, terminal = pty.fork()
    if child == 0:
        os.environ.clear()
        os.environ.update(ENVIRONMENT | {"COLUMNS": "80"})
        command = [sys.executable, "-c", script, "play", *DEAL_5, "--save", str(file)]
        os.execv(sys.executable, command)
    shown = b""
    for typed, sign in ((b"5h\n", b"TH"), (b"h\n", b"this still wins")):
        while not shown.rstrip().endswith(b">"):
            shown += os.read(terminal, 4096)
        os.write(terminal, typed)
        shown = b""
        while sign not in shown:
            shown += os.read(terminal, 4096)
    while not shown.rstrip().endswith(b">"):
        shown += os.read(terminal, 4096)
    # A signal is not heard that comes just before the prompt waits for keys: so again.
    while not select.select([terminal], [], [], 1)[0]:
        os.write(terminal, end)
    rest = bare(read_to_end(terminal))
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert "Traceback" not in rest
    assert "Abort" not in rest
    assert json.loads(file.read_text())["moves"] == ["5H>3"]


def test_the_drawing_hides_what_is_hidden() -> None:
    pty = pytest.importorskip("pty", reason="terminals are tested where there are ptys")
    reader, terminal = pty.openpty()
    with subprocess.Popen(
        [SCORPION, "play", *DEAL_5],
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
        env=ENVIRONMENT | {"COLUMNS": "80"},
    ) as process:
        os.close(terminal)
        shown = bare(read_to_end(reader))
    assert process.returncode == 0
    assert "scorpion, pysolfc deal 5" in shown
    hidden = {card for cards in BOARD_5.columns[:4] for card in cards[:3]} | {*BOARD_5.stock}
    assert not [card for card in hidden if card in shown]
    assert shown.count("[??]") == 12
    assert " stock        ?? ?? ??" in shown
