"""The commands for someone who plays: what they print, in a pipe, as JSON and on a terminal."""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from test_cli import bare, on_terminal

import scorpion
from scorpion import GAMES
from scorpion.cli import main

Told = Callable[..., tuple[int, str, str]]

RATINGS = """\
move  verdict
9H>1  winnable
5H>3  winnable
JC>5  winnable
deal  lost
"""
RATINGS_DRAWN = """\
scorpion, pysolfc deal 5

  move   verdict
 ─────────────────
  9H>1   winnable
  5H>3   winnable
  JC>5   winnable
  deal   lost

"""
WON = "Foundations: KC KS KH KD / " + " / ".join([":"] * 7)


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    """A command's exit status, standard output and standard error, in this process."""

    def call(*arguments: str) -> tuple[int, str, str]:
        status = main(arguments)
        return (status, *capsys.readouterr())

    return call


def test_a_hint_that_wins(told: Told) -> None:
    moves = len(scorpion.hint(scorpion.deal("scorpion", 5)).line)
    expected = (
        "scorpion, pysolfc deal 5: play 5H>3\n"
        f"winnable: the move begins a line of {moves} moves that wins\n"
    )
    assert told("hint", "--deal", "5") == (0, expected, "")


def test_a_hint_on_a_lost_board(told: Told) -> None:
    expected = (
        "scorpion, pysolfc deal 1: play 5C>3\n"
        "lost; this move uncovers most\n"
        f"{scorpion.explain(scorpion.deal('scorpion', 1))}\n"
    )
    assert told("hint", "--deal", "1") == (0, expected, "")


def test_a_hint_that_is_a_guess(told: Told) -> None:
    command = ("hint", "--game", "scorpion-tail", "--deal", "1", "--max-nodes", "40")
    expected = (
        "scorpion-tail, pysolfc deal 1: deal the stock\n"
        "undecided, stopped by --max-nodes: the move is a guess\n"
    )
    assert told(*command) == (0, expected, "")


def test_hints_and_ratings_where_there_is_no_move(told: Told, tmp_path: Path) -> None:
    stuck = scorpion.deal("scorpion", 1)
    while stuck.legal_moves():
        stuck = stuck.play(stuck.legal_moves()[0])
    for text, expected in (
        (WON, "winnable, and won already"),
        (stuck.text(), f"lost\n{scorpion.explain(stuck)}"),
    ):
        file = tmp_path / "board.txt"
        file.write_text(text)
        assert told("hint", str(file)) == (0, f"scorpion: there is no move\n{expected}\n", "")
        assert told("rate", str(file)) == (0, "scorpion: there is no move\n", "")
        assert json.loads(told("rate", "--json", str(file))[1])["verdicts"] == {}


def test_ratings(told: Told) -> None:
    assert told("rate", "--deal", "5") == (0, RATINGS, "")
    assert bare(on_terminal("rate", "--deal", "5")) == RATINGS_DRAWN


def test_a_hint_on_a_terminal_is_the_same_in_colour() -> None:
    drawn = on_terminal("hint", "--deal", "5")
    assert bare(drawn).startswith("scorpion, pysolfc deal 5: play 5H>3\nwinnable: the move")
    assert "\x1b[31m5H>3\x1b[0m" in drawn


def test_json_has_the_names_of_the_python_results(told: Told) -> None:
    board = scorpion.deal("wasp", 4711)
    facts = {
        "game": "wasp",
        "rules": json.loads(json.dumps(asdict(GAMES["wasp"]))),
        "deal": 4711,
        "dealer": "pysolfc",
        "board": board.line(),
    }
    found = scorpion.hint(board)
    assert json.loads(told("hint", "--game", "wasp", "--deal", "4711", "--json")[1]) == facts | {
        "move": str(found.move),
        "verdict": "winnable",
        "line": [str(move) for move in found.line],
        "nodes": found.nodes,
        "limit": None,
        "is_guess": False,
        "reason": None,
    }
    verdicts = {str(move): str(verdict) for move, verdict in scorpion.rate(board).items()}
    rated = json.loads(told("rate", "--game", "wasp", "--deal", "4711", "--json")[1])
    assert rated == facts | {"verdicts": verdicts}


def test_a_reason(told: Told) -> None:
    for number in (1, 59):
        reason = scorpion.explain(scorpion.deal("scorpion", number))
        assert reason is not None
        words = f"scorpion, pysolfc deal {number}: {reason}\n"
        assert told("explain", "--deal", str(number)) == (0, words, "")
        printed = told("explain", "--deal", str(number), "--json")[1]
        assert json.loads(printed)["reason"] == json.loads(json.dumps(reason.to_dict()))
        hinted = told("hint", "--deal", str(number), "--json")[1]
        assert json.loads(hinted)["reason"] == json.loads(printed)["reason"]


def test_a_terminal_breaks_a_reason_between_words() -> None:
    written = bare(on_terminal("explain", "--deal", "1"))
    words = f"scorpion, pysolfc deal 1: {scorpion.explain(scorpion.deal('scorpion', 1))}".split()
    lines = written.splitlines()
    assert len(lines) > 1
    assert [word for line in lines for word in line.split()] == words


def test_no_reason(told: Told) -> None:
    command = ("explain", "--deal", "5")
    assert told(*command) == (0, "scorpion, pysolfc deal 5: not proved lost\n", "")
    assert json.loads(told(*command, "--json")[1])["reason"] is None
    # Lost, but not known to be so after one position.
    assert told("explain", "--deal", "59", "--max-nodes", "1")[1].endswith("not proved lost\n")


def test_fair_hints_and_ratings_peek_at_nothing(told: Told, tmp_path: Path) -> None:
    board = scorpion.deal("scorpion", 5)
    file = tmp_path / "board.txt"
    file.write_text(board.masked().text())
    options = ("--fair", "--samples", "30", "--seed", "7")
    found = scorpion.fair_hint(board, samples=30, seed=7)
    low, high = found.interval
    words = (
        f"play {found.move}\n"
        f"keeps the win in {found.share:.1%} ({low:.1%} to {high:.1%}) of 30 ways to deal the"
        " unseen cards\n"
    )
    assert told("hint", "--deal", "5", *options) == (0, f"scorpion, pysolfc deal 5: {words}", "")
    assert told("hint", str(file), *options) == (0, f"scorpion: {words}", "")
    printed = json.loads(told("hint", str(file), "--json", *options)[1])
    assert (printed["move"], printed["share"]) == (str(found.move), found.share)
    assert (printed["interval"], printed["samples"]) == ([low, high], 30)
    assert printed["shares"] == {str(move): share for move, share in found.shares.items()}

    shares = scorpion.fair_rate(board, samples=30, seed=7)
    rated = told("rate", str(file), *options)[1].splitlines()
    assert rated[0] == "move  keeps the win"
    assert [line.split()[:2] for line in rated[1:]] == [
        [str(move), f"{share.share:.1%}"] for move, share in shares.items()
    ]
    printed = json.loads(told("rate", str(file), "--json", *options)[1])["shares"]
    assert printed == {
        str(move): asdict(share) | {"interval": list(share.interval)}
        for move, share in shares.items()
    }


def test_unknown_cards_want_fair_hints(told: Told, tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text(scorpion.deal("scorpion", 5).masked().text())
    for command in ("hint", "rate"):
        status, output, complaint = told(command, str(file))
        assert (status, output) == (2, "")
        assert complaint.startswith("scorpion: the board has unknown cards: the 3 lowest of")


@pytest.mark.parametrize("command", ["hint", "rate"])
def test_samples_and_seeds_go_with_fair(command: str, told: Told) -> None:
    for option in ("--samples", "--seed"):
        complaint = f"scorpion: {option} goes with --fair\n"
        assert told(command, "--deal", "5", option, "3") == (2, "", complaint)
    complaint = "scorpion: samples is 0; it must be a whole number above zero\n"
    assert told(command, "--deal", "5", "--fair", "--samples", "0") == (2, "", complaint)


@pytest.mark.parametrize("command", ["hint", "rate"])
def test_budgets_reach_the_search(command: str, told: Told) -> None:
    game = ("--game", "scorpion-tail", "--deal", "1")
    for limit, value in (("nodes", "5"), ("memory", "1"), ("seconds", "0.000001")):
        found = json.loads(told(command, "--json", *game, f"--max-{limit}", value)[1])
        if command == "hint":
            assert (found["limit"], found["is_guess"]) == (limit, True)
        else:
            assert "undecided" in found["verdicts"].values()


@pytest.mark.parametrize("command", ["hint", "rate", "explain"])
def test_a_mistake_costs_one_line(command: str, told: Told) -> None:
    assert told(command) == (
        2,
        "",
        "scorpion: which board? Give --deal N, a file, or - for standard input\n",
    )
    assert told(command, "--deal", "5", "--max-nodes", "0") == (
        2,
        "",
        "scorpion: Invalid value for '--max-nodes': 0 is not above zero\n",
    )
