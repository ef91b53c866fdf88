"""The command line as its users meet it: at a terminal, in a pipe, with mistakes."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from types import MappingProxyType

import pytest

import scorpion
from scorpion import GAMES, Board, Verdict
from scorpion.cli import main
from scorpion.cli.shown import PATIENCE
from scorpion.moves import parse_moves

SCORPION = str(Path(sysconfig.get_path("scripts")) / "scorpion")
# A terminal's doing and the tester's own preferences stay out of the tests.
ENVIRONMENT = {
    name: value
    for name, value in os.environ.items()
    if name not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "COLORTERM"}
    and not name.startswith("TTY_")
} | {"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}

WIDTH = "80"

# Microsoft deal 24, as shown in the project's description of board text.
MS_24 = """\
Talon: QD 3D AS
<4C> <7S> <5S> KH TC JH KS
<5H> <2C> <6C> 6S TS TD 6D
<QC> <QH> <9C> 7D AD KC 8D
<5D> <9S> <3C> 8C 4D 8H 7C
2D 2S 6H AC QS 8S JD
7H KD JC 9H 3H 4S 9D
AH JS TH 5C 3S 4H 2H
"""
MS_24_DRAWN = """\
scorpion, ms deal 24

  1     2     3     4     5     6     7
 [4C]  [5H]  [QC]  [5D]   2D    7H    AH
 [7S]  [2C]  [QH]  [9S]   2S    KD    JS
 [5S]  [6C]  [9C]  [3C]   6H    JC    TH
  KH    6S    7D    8C    AC    9H    5C
  TC    TS    AD    4D    QS    3H    3S
  JH    TD    KC    8H    8S    4S    4H
  KS    6D    8D    7C    JD    9D    2H

 stock        QD 3D AS
 foundations  none
"""
# The runs of spades and hearts have left, four columns are empty, the stock is dealt.
ENDGAME = """\
Foundations: KS KH
KC QC JC TC 9C 8C 7C 6C 5C 4C 3C
KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D AD 2C
:
AC
:
:
:
"""
ENDGAME_DRAWN = """\
scorpion

  1     2     3     4     5     6     7
  KC    KD          AC
  QC    QD
  JC    JD
  TC    TD
  9C    9D
  8C    8D
  7C    7D
  6C    6D
  5C    5D
  4C    4D
  3C    3D
        2D
        AD
        2C

 stock        none
 foundations  KS KH
"""
GAMES_TABLE = """\
game           build        fill  face_down      runs   stock
scorpion       suit         king  3 3 3 3 0 0 0  leave  any-time
wasp           suit         any   3 3 3 3 0 0 0  leave  any-time
open-wasp      suit         king  0 0 0 0 0 0 0  leave  any-time
scorpion-tail  alternating  king  3 3 3 3 0 0 0  leave  any-time
scorpion-ii    suit         king  3 3 3 0 0 0 0  leave  any-time
pysol-wasp     suit         any   3 3 3 0 0 0 0  leave  any-time
"""
# Open after 3 million positions, so that its search outlasts a test.
HARD = ("--game", "scorpion-tail", "--runs", "stay", "--stock", "when-stuck", "--deal", "4")

Told = Callable[..., tuple[int, str, str]]


def run(
    *arguments: str, stdin: str | bytes = "", cwd: Path | None = None, **environment: str
) -> tuple[int, str, str]:
    """A command's exit status, standard output and standard error, all of them piped."""
    return finished([SCORPION, *arguments], stdin=stdin, cwd=cwd, environment=environment)


def finished(
    command: list[str],
    *,
    stdin: str | bytes = "",
    stdout: int = subprocess.PIPE,
    cwd: Path | None = None,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> tuple[int, str, str]:
    """What any process ends with; its standard output may go elsewhere."""
    done = subprocess.run(
        command,
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env={**ENVIRONMENT, **environment},
        check=False,
        timeout=60,
    )
    return done.returncode, (done.stdout or b"").decode(), done.stderr.decode()


def on_terminal(*arguments: str, stdin: str = "", **environment: str) -> str:
    """What a command writes to a terminal of 80 columns, which is its output and its errors."""
    pty = pytest.importorskip("pty", reason="terminals are tested where there are ptys")
    reader, terminal = pty.openpty()
    with subprocess.Popen(
        [SCORPION, *arguments],
        stdin=subprocess.PIPE,
        stdout=terminal,
        stderr=terminal,
        env=ENVIRONMENT | {"COLUMNS": WIDTH} | environment,
    ) as process:
        os.close(terminal)
        assert process.stdin is not None
        process.stdin.write(stdin.encode())
        process.stdin.close()
        written = read_to_end(reader)
    assert process.returncode == 0
    return written


def read_to_end(reader: int) -> str:
    written = b""
    try:
        while some := os.read(reader, 4096):
            written += some
    except OSError:  # how Linux says that the terminal has no more writers
        pass
    os.close(reader)
    return written.decode().replace("\r\n", "\n")


def bare(text: str) -> str:
    """A terminal's text without its control codes and the blanks at line ends."""
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
    return "".join(line.rstrip() + "\n" for line in plain.splitlines())


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    """Like :func:`run`, but in this process, which is faster."""

    def call(*arguments: str) -> tuple[int, str, str]:
        status = main(arguments)
        return (status, *capsys.readouterr())

    return call


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with the files that the bad commands name."""
    (tmp_path / "board.txt").write_text(MS_24)
    (tmp_path / "latin.txt").write_bytes(b"Talon: QD 3D AS \xe9\n")
    (tmp_path / "twice.txt").write_text(MS_24.replace("9D", "2H"))
    (tmp_path / "word.txt").write_text(MS_24.replace("JS", "XX"))
    return tmp_path


# Mistakes: status 2, one line, and nothing else anywhere.

BAD = {
    "": "which command? scorpion --help lists them",
    "sulve": "No such command 'sulve'.",
    "--deel 5": "No such option",
    "solve --deal 5 --depth 3": "No such option",
    "solve": "which board? Give --deal N, a file, or - for standard input",
    "solve --dealer ms": "which board? Give --deal N, a file, or - for standard input",
    "solve --deal 5 board.txt": "a board comes from --deal or from a file, not from both",
    "solve --dealer ms board.txt": "a board comes from --deal or from a file, not from both",
    "solve board.txt board.txt": "Got unexpected extra argument (board.txt)",
    "solve --game foo --deal 5": (
        "there is no game 'foo'; the games are scorpion, wasp, open-wasp, scorpion-tail,"
        " scorpion-ii, pysol-wasp"
    ),
    "solve --dealer foo --deal 5": (
        "there is no dealer 'foo'; the dealers are pysolfc, ms, cardgames"
    ),
    "solve --deal 5 --runs go": "'go' is not one of 'leave', 'stay'.",
    "solve --deal 5 --stock now": "'now' is not one of 'any-time', 'when-stuck'.",
    "solve --deal 5 --build up": "'up' is not one of 'suit', 'alternating'.",
    "solve --deal 5 --fill none": "'none' is not one of 'king', 'any'.",
    "solve --deal 5 --face-down 333": "face_down is '333'; it must be seven digits from 0 to 6",
    "solve --deal": "Option '--deal' requires an argument.",
    "solve --deal five": "Invalid value for '--deal': 'five' is not a valid integer.",
    "solve --deal 0": "there is no pysolfc deal 0; its numbers are 1 to 100000000000000000000",
    "solve --deal -5": "there is no pysolfc deal -5; its numbers are 1 to 100000000000000000000",
    "deal --dealer ms --deal 8589934592": (
        "there is no ms deal 8589934592; its numbers are 1 to 8589934591"
    ),
    "solve --deal 5 --max-nodes 0": "Invalid value for '--max-nodes': 0 is not above zero",
    "solve --deal 5 --max-nodes 1e6": (
        "Invalid value for '--max-nodes': '1e6' is not a valid integer."
    ),
    "solve --deal 5 --max-seconds -1": "Invalid value for '--max-seconds': -1.0 is not above zero",
    "solve --deal 5 --max-seconds nan": "Invalid value for '--max-seconds': nan is not above zero",
    "solve --deal 5 --max-seconds x": "'x' is not a valid float.",
    "solve --deal 5 --max-memory 0": "Invalid value for '--max-memory': 0 is not above zero",
    "solve absent.txt": "cannot read absent.txt: No such file or directory",
    "solve .": "cannot read .: Is a directory",
    "solve latin.txt": "latin.txt is not text",
    "solve twice.txt": "twice.txt: line 8, column 19: 2H is on the board twice",
    "deal word.txt": "word.txt: line 8, column 4: 'XX' is not a card",
    "solve -": "standard input: a board has 7 columns, this one 0",
    "verify --deal 5": "Missing option '--moves'.",
    "verify --deal 5 --moves 5H>3;JC>5": (
        "step 1: '5H>3;JC>5' is not a move; a move looks like 6H>3, or deal"
    ),
    "verify - --moves -": "the board and the moves cannot both be standard input",
    "games wasp": "Got unexpected extra argument (wasp)",
    "--json games": "No such option",
}


@pytest.mark.parametrize("command", BAD)
def test_a_mistake_costs_one_line_and_status_2(
    command: str, desk: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(desk)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    status, output, complaint = told(*command.split())
    assert (status, output) == (2, "")
    assert complaint.startswith("scorpion: ")
    assert BAD[command] in complaint
    assert complaint.index("\n") == len(complaint) - 1


@pytest.mark.parametrize("text", [b"\xff\xfeT\x00", b"\x80"])
def test_bytes_on_standard_input_are_no_board(text: bytes) -> None:
    assert run("solve", "-", stdin=text) == (2, "", "scorpion: standard input is not text\n")


def test_a_file_name_of_two_lines_is_complained_of_in_one(desk: Path) -> None:
    complaint = "scorpion: cannot read two lines: No such file or directory\n"
    assert run("solve", "two\nlines", cwd=desk) == (2, "", complaint)


def test_json_does_not_change_a_complaint(told: Told) -> None:
    assert told("solve", "--json", "--deal", "0") == told("solve", "--deal", "0")


@pytest.mark.parametrize("missing", ["click", "rich"])
def test_without_the_extra_one_line_says_so(missing: str) -> None:
    script = f"""
import sys
class Absent:
    def find_spec(self, name, path, target=None):
        if name == {missing!r}:
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Absent())
import scorpion.cli
"""
    assert finished([sys.executable, "-c", script]) == (
        2,
        "",
        f"scorpion: the command line needs {missing}: pip install 'scorpion-solitaire[cli]'\n",
    )


# deal


def test_a_piped_deal_is_the_board_text() -> None:
    assert run("deal", "--dealer", "ms", "--deal", "24") == (0, MS_24, "")


def test_force_color_leaves_a_pipe_alone() -> None:
    status, output, _ = run("deal", "--dealer", "ms", "--deal", "24", FORCE_COLOR="1")
    assert (status, output) == (0, MS_24)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("dealer", scorpion.DEALERS)
def test_a_piped_deal_reads_back(told: Told, game: str, dealer: str) -> None:
    status, output, _ = told("deal", "--game", game, "--dealer", dealer, "--deal", "4711")
    assert status == 0
    assert Board.parse(output, game) == scorpion.deal(game, 4711, dealer=dealer)


def test_the_dealer_is_pysolfc_unless_named(told: Told) -> None:
    assert told("deal", "--deal", "32000")[1] == scorpion.deal("scorpion", 32000).text()


def test_a_file_may_begin_with_a_byte_order_mark(told: Told, tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text(MS_24, encoding="utf-8-sig")
    assert told("deal", str(file)) == (0, MS_24, "")


def test_deal_as_json(told: Told) -> None:
    status, output, _ = told("deal", "--dealer", "ms", "--deal", "24", "--json")
    board = Board.parse(MS_24)
    assert status == 0
    assert output.count("\n") == 1
    assert json.loads(output) == {
        "game": "scorpion",
        "rules": asdict(GAMES["scorpion"]) | {"face_down": [3, 3, 3, 3, 0, 0, 0]},
        "deal": 24,
        "dealer": "ms",
        "board": board.line(),
        "columns": [list(column) for column in board.columns],
        "face_down": [3, 3, 3, 3, 0, 0, 0],
        "stock": ["QD", "3D", "AS"],
        "foundations": [],
        "is_won": False,
        "is_stuck": False,
    }


def test_a_terminal_gets_a_drawn_board_in_colour() -> None:
    drawn = on_terminal("deal", "--dealer", "ms", "--deal", "24")
    assert bare(drawn) == MS_24_DRAWN
    assert "\x1b[31m KH \x1b[0m" in drawn
    assert "\x1b[2;31m[5H]\x1b[0m" in drawn
    assert "\x1b[2m[4C]\x1b[0m" in drawn
    assert "  KS  " in drawn


def test_no_color_takes_the_colours_away() -> None:
    drawn = on_terminal("deal", "--dealer", "ms", "--deal", "24", NO_COLOR="1")
    assert bare(drawn) == MS_24_DRAWN
    assert "31m" not in drawn


def test_a_dumb_terminal_gets_no_codes_at_all() -> None:
    drawn = on_terminal("deal", "--dealer", "ms", "--deal", "24", TERM="dumb")
    assert "\x1b" not in drawn
    assert bare(drawn) == MS_24_DRAWN


def test_empty_columns_and_foundations_are_drawn() -> None:
    assert bare(on_terminal("deal", "-", stdin=ENDGAME)) == ENDGAME_DRAWN


# solve


@pytest.mark.parametrize("number", [1, 2, 3, 4, 6, 7])
def test_a_lost_deal_is_said_to_be_lost(told: Told, number: int) -> None:
    status, output, complaint = told("solve", "--game", "scorpion", "--deal", str(number))
    assert (status, complaint) == (0, "")
    assert re.fullmatch(
        rf"scorpion, pysolfc deal {number}: lost, no line of play wins"
        r" \([0-9,]+ positions?, [0-9.]+ s\)\n",
        output,
    )


def test_a_winnable_deal_comes_with_its_line(told: Told) -> None:
    board = scorpion.deal("scorpion", 5)
    solution = scorpion.solve(board)
    status, output, complaint = told("solve", "--game", "scorpion", "--deal", "5")
    first, empty, *rows = output.splitlines()
    assert (status, complaint, empty) == (0, "", "")
    assert first.startswith(
        f"scorpion, pysolfc deal 5: winnable in {len(solution.moves)} moves"
        f" ({solution.nodes:,} positions, "
    )
    assert parse_moves(" ".join(rows)) == solution.moves
    assert {len(row.split()) for row in rows[:-1]} == {10}


@pytest.mark.parametrize(
    ("arguments", "limit"),
    [
        (("--deal", "5", "--max-nodes", "1"), "nodes"),
        ((*HARD, "--max-nodes", "1000000000", "--max-seconds", "0.05"), "seconds"),
        (("--deal", "5", "--max-memory", "1"), "memory"),
    ],
)
def test_a_limit_leaves_a_board_undecided(
    told: Told, arguments: tuple[str, ...], limit: str
) -> None:
    status, output, complaint = told("solve", *arguments)
    assert (status, complaint) == (0, "")
    assert f": undecided, stopped by --max-{limit} (" in output
    result = json.loads(told("solve", "--json", *arguments)[1])
    assert (result["verdict"], result["limit"], result["moves"]) == ("undecided", limit, [])


@pytest.mark.parametrize("number", [1, 5])
def test_solve_as_json(told: Told, number: int) -> None:
    status, output, complaint = told("solve", "--json", "--deal", str(number))
    assert (status, complaint, output.count("\n")) == (0, "", 1)
    result = json.loads(output)
    board = scorpion.deal("scorpion", number)
    expected = scorpion.solve(board)
    seconds = result.pop("seconds")
    assert isinstance(seconds, float)
    assert seconds > 0
    assert result == {
        "game": "scorpion",
        "rules": asdict(GAMES["scorpion"]) | {"face_down": [3, 3, 3, 3, 0, 0, 0]},
        "deal": number,
        "dealer": "pysolfc",
        "board": board.line(),
        "verdict": str(expected.verdict),
        "moves": [str(move) for move in expected.moves],
        "nodes": expected.nodes,
        "limit": None,
    }


def test_a_board_from_a_file_has_no_deal_number(told: Told, desk: Path) -> None:
    result = json.loads(told("solve", "--json", str(desk / "board.txt"))[1])
    assert (result["deal"], result["dealer"]) == (None, None)
    assert Board.parse(result["board"]) == Board.parse(MS_24)


def test_a_terminal_gets_the_verdict_in_colour() -> None:
    shown = on_terminal("solve", "--deal", "5")
    assert "\x1b[1;32mwinnable\x1b[0m" in shown
    _, piped, _ = run("solve", "--deal", "5")
    timeless = re.compile(r"[0-9.]+ s\)")
    assert timeless.sub("", bare(shown)) == timeless.sub("", piped)


def test_house_rules_change_the_rules(told: Told) -> None:
    arguments = ("--game", "wasp", "--deal", "7", "--runs", "stay", "--stock", "when-stuck")
    result = json.loads(told("solve", "--json", *arguments)[1])
    rules = replace(GAMES["wasp"], runs="stay", stock="when-stuck")
    assert result["game"] == "wasp with runs stay, stock when-stuck"
    assert result["rules"] == asdict(rules) | {"face_down": [3, 3, 3, 3, 0, 0, 0]}
    assert result["verdict"] == scorpion.solve(scorpion.deal(rules, 7)).verdict


HOUSE = ("--build", "alternating", "--fill", "any", "--face-down", "0123456", "--runs", "stay")


@pytest.mark.parametrize(
    "command",
    [
        ("deal",),
        ("solve", "--max-nodes", "100"),
        ("hint", "--max-nodes", "100"),
        ("rate", "--max-nodes", "100"),
        ("explain", "--max-nodes", "100"),
        ("survey", "--deals", "7-7", "--max-nodes", "100", "--workers", "1"),
    ],
    ids=lambda command: command[0],
)
def test_every_command_takes_all_house_rules(told: Told, command: tuple[str, ...]) -> None:
    number = () if command[0] == "survey" else ("--deal", "7")
    status, output, complaint = told(*command, *number, "--json", *HOUSE, "--stock", "when-stuck")
    assert (status in {0, 1}, complaint) == (True, "")
    assert json.loads(output.splitlines()[0])["rules"] == {
        "build": "alternating",
        "fill": "any",
        "face_down": [0, 1, 2, 3, 4, 5, 6],
        "runs": "stay",
        "stock": "when-stuck",
    }


def test_house_rules_of_daily_boards_and_of_what_is_checked(told: Told, tmp_path: Path) -> None:
    day = ("daily", "--game", "wasp", "--date", "2026-12-24", "--json")
    numbers = [json.loads(told(*day, *house)[1])["deal"] for house in ((), ("--runs", "stay"))]
    rules = replace(GAMES["wasp"], runs="stay")
    assert numbers == [scorpion.daily(each, "2026-12-24").number for each in ("wasp", rules)]
    line = tmp_path / "line.json"
    line.write_text(told("solve", "--deal", "5", "--runs", "stay", "--json")[1])
    assert told("check", "--runs", "stay", "--deal", "5", str(line))[0] == 0
    # A survey of other rules is refused.
    tail = str(tmp_path / "deals.gz")
    told("survey", "--deals", "1-3", "--runs", "stay", "--certify", tail, "--workers", "1")
    assert told("check", "--runs", "stay", tail, "--workers", "1")[0] == 0
    status, _, complaint = told("check", "--face-down", "3330000", tail, "--workers", "1")
    assert status == 2
    assert "a survey of scorpion with runs stay, not of scorpion-ii" in complaint


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no file without an end")
@pytest.mark.parametrize("arguments", [("solve", "/dev/zero"), ("deal", "/dev/zero")])
def test_no_more_is_read_than_a_board_may_have(arguments: tuple[str, ...]) -> None:
    assert run(*arguments) == (2, "", "scorpion: /dev/zero has more than 4,000 characters\n")


def test_no_escape_code_reaches_the_terminal(tmp_path: Path) -> None:
    place = tmp_path / "a\x1b[2Jb\x07"
    status, output, complaint = run("solve", str(place))
    assert (status, output) == (2, "")
    assert complaint == f"scorpion: cannot read {tmp_path}/a?[2Jb?: No such file or directory\n"


# Progress and Ctrl-C.


def test_a_quick_search_shows_no_bar() -> None:
    assert "searching" not in on_terminal("solve", "--deal", "5")


def test_a_long_search_in_a_pipe_shows_no_bar() -> None:
    seconds = str(PATIENCE * 2)
    arguments = ("solve", *HARD, "--max-nodes", "100000000", "--max-seconds", seconds)
    status, _, complaint = run(*arguments, FORCE_COLOR="1")
    assert (status, complaint) == (0, "")


def test_a_long_search_shows_a_bar_which_goes_when_it_ends() -> None:
    seconds = str(PATIENCE * 3)
    shown = on_terminal("solve", *HARD, "--max-nodes", "100000000", "--max-seconds", seconds)
    assert re.search(r"searching .* [1-9][0-9,]+ of 100,000,000 positions", bare(shown))
    # The cursor goes up and the line is cleared before the verdict takes its place.
    assert "\x1b[1A\x1b[2Kscorpion-tail with runs stay, stock when-stuck, pysolfc deal 4: " in shown


def test_ctrl_c_ends_a_search_with_one_line() -> None:
    pty = pytest.importorskip("pty", reason="terminals are tested where there are ptys")
    reader, terminal = pty.openpty()
    # Where the tests run in the background, Ctrl-C is ignored and children inherit that.
    script = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "from scorpion.cli import main; sys.exit(main())"
    )
    command = [sys.executable, "-c", script, "solve", *HARD, "--max-nodes", "1000000000"]
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=terminal,
        env=ENVIRONMENT | {"COLUMNS": WIDTH},
    ) as process:
        os.close(terminal)
        shown = b""
        while b"searching" not in shown:
            shown += os.read(reader, 4096)
        process.send_signal(signal.SIGINT)
        end = read_to_end(reader)
        output, _ = process.communicate(timeout=60)
    assert (process.returncode, output) == (130, b"")
    assert bare(end).splitlines()[-1] == "scorpion: interrupted"
    assert "Traceback" not in end


def test_ctrl_c_in_a_pipe_is_one_line(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(scorpion, "solve", interrupted)
    assert told("solve", "--deal", "5") == (130, "", "scorpion: interrupted\n")


# verify


def winning_line() -> list[str]:
    return [str(move) for move in scorpion.solve(scorpion.deal("scorpion", 5)).moves]


def test_a_winning_line_is_accepted(told: Told) -> None:
    line = winning_line()
    assert told("verify", "--deal", "5", "--moves", " ".join(line)) == (
        0,
        f"scorpion, pysolfc deal 5: won in {len(line)} moves\n",
        "",
    )


def test_piped_moves_may_begin_with_a_byte_order_mark() -> None:
    moves = "\ufeff" + "\n".join(winning_line())
    status, output, _ = run("verify", "--deal", "5", "--moves", "-", stdin=moves)
    assert (status, output) == (0, f"scorpion, pysolfc deal 5: won in {len(moves.split())} moves\n")


def test_an_illegal_step_is_named_with_its_reason(told: Told) -> None:
    # JC takes all that lies on it out of column 3, down to the 8D under it.
    assert told("verify", "--deal", "5", "--moves", "5H>3 JC>5 9D>3") == (
        1,
        "scorpion, pysolfc deal 5: step 3: 9D fits only on TD; column 3 ends in 8D\n",
        "",
    )


def test_a_line_that_stops_short_does_not_win(told: Told) -> None:
    assert told("verify", "--deal", "5", "--moves", "5H>3 JC>5") == (
        1,
        "scorpion, pysolfc deal 5: the game is not won after these 2 moves\n",
        "",
    )


def test_verify_as_json(told: Told) -> None:
    facts = json.loads(told("deal", "--deal", "5", "--json")[1])
    start = {name: facts[name] for name in ("game", "rules", "deal", "dealer", "board")}
    line = winning_line()
    status, output, _ = told("verify", "--deal", "5", "--json", "--moves", " ".join(line))
    assert status == 0
    assert json.loads(output) == start | {
        "moves": line,
        "wins": True,
        "step": None,
        "message": None,
    }
    status, output, _ = told("verify", "--deal", "5", "--json", "--moves", "5H>3 deal Deal")
    assert status == 1
    assert json.loads(output) == start | {
        "moves": ["5H>3", "deal", "deal"],
        "wins": False,
        "step": 3,
        "message": "there is no stock left to deal",
    }


# games, help, version


def test_games_in_a_pipe_is_an_aligned_table(told: Told) -> None:
    assert told("games") == (0, GAMES_TABLE, "")


def test_games_on_a_terminal_is_the_same_table() -> None:
    shown = [line.split() for line in bare(on_terminal("games")).splitlines()]
    rows = [words for words in shown if words and not set(words[0]) <= set("─-")]
    assert rows == [line.split() for line in GAMES_TABLE.splitlines()]


def test_games_as_json_is_one_object_a_line(told: Told) -> None:
    status, output, _ = told("games", "--json")
    listed = [json.loads(line) for line in output.splitlines()]
    assert status == 0
    assert listed == [
        {"game": name, "rules": asdict(rules) | {"face_down": list(rules.face_down)}}
        for name, rules in GAMES.items()
    ]


def test_version() -> None:
    assert run("--version") == (0, f"scorpion {scorpion.__version__}\n", "")


@pytest.mark.parametrize("command", ["deal", "solve", "verify", "games"])
def test_every_command_helps_with_an_example(told: Told, command: str) -> None:
    status, output, complaint = told(command, "--help")
    assert (status, complaint) == (0, "")
    assert f"\n    scorpion {command}" in output
    assert max(map(len, output.splitlines())) <= int(WIDTH)
    assert re.search(rf"^  {command} ", told("--help")[1], re.MULTILINE)


# Pipes and round trips.


@pytest.mark.parametrize("number", [5, 6])
def test_deal_pipes_into_solve(number: int) -> None:
    _, board, _ = run("deal", "--game", "wasp", "--deal", str(number))
    status, output, _ = run("solve", "--game", "wasp", "--json", "-", stdin=board)
    result = json.loads(output)
    expected = scorpion.solve(scorpion.deal("wasp", number))
    assert (status, result["game"]) == (0, "wasp")
    assert (result["verdict"], result["nodes"]) == (expected.verdict, expected.nodes)


def test_a_solution_in_json_verifies(tmp_path: Path) -> None:
    result = json.loads(run("solve", "--deal", "5", "--json")[1])
    assert result["verdict"] == Verdict.WINNABLE
    file = tmp_path / "board.txt"
    file.write_text(result["board"])
    status, output, _ = run("verify", str(file), "--moves", "-", stdin=" ".join(result["moves"]))
    assert (status, output) == (0, f"scorpion: won in {len(result['moves'])} moves\n")


def test_a_printed_solution_verifies_as_it_is_copied() -> None:
    _, output, _ = run("solve", "--deal", "5")
    _, moves = output.split("\n", 1)
    status, answer, _ = run("verify", "--deal", "5", "--moves", moves)
    assert (status, answer) == (0, f"scorpion, pysolfc deal 5: won in {len(moves.split())} moves\n")


@pytest.mark.parametrize("command", ["deal --deal 5", "solve --deal 5 --json", "games", "--help"])
def test_a_broken_pipe_is_silent(command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    assert finished([SCORPION, *command.split()], stdout=writer) == (141, "", "")
    os.close(writer)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        ending = finished([SCORPION, "deal", "--deal", "5"], stdout=full.fileno())
    assert ending == (2, "", "scorpion: cannot write: No space left on device\n")
