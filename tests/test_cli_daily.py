"""The daily command: a board shown, a store filled, and killed in the middle of it."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from test_cli import ENVIRONMENT, SCORPION, Told, bare, on_terminal, run, told
from waiting import DEADLINE, wait_until

import scorpion
from scorpion import GAMES, Board, daily
from scorpion.cli import main
from scorpion.store import BoardStore

__all__ = ["told"]  # a fixture, used by its name

NEW_YEAR = date(2027, 1, 1)
FILL = ("daily", "--game", "all", "--from", "2027-01-01")


def rows(path: Path) -> set[tuple[object, ...]]:
    """Everything in a store, the seconds of each search too: no search takes them twice."""
    if not path.exists():
        return set()
    with closing(sqlite3.connect(path)) as connection:
        known = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        return {
            (table, *row)
            for table in ("scorpion_daily", "scorpion_solutions")
            if table in known
            for row in connection.execute(f"SELECT * FROM {table}")
        }


# One board.


@pytest.mark.parametrize("game", GAMES)
def test_a_board_of_a_day_in_a_pipe(game: str) -> None:
    found = daily(game, NEW_YEAR)
    status, output, complaint = run("daily", "--game", game, "--date", "2027-01-01")
    assert (status, complaint) == (0, "")
    title, text = output.split("\n", 1)
    assert title == f"# {game}, pysolfc deal {found.number}, the board of 2027-01-01"
    assert text == found.board.text()
    assert Board.parse(output, game) == found.board


def test_without_a_date_it_is_the_board_of_today() -> None:
    before = datetime.now().astimezone().date()
    output = run("daily")[1]
    after = datetime.now().astimezone().date()
    assert Board.parse(output) in {daily("scorpion", day).board for day in (before, after)}


def test_on_a_terminal_the_board_is_drawn() -> None:
    shown = bare(on_terminal("daily", "--game", "wasp", "--date", "2027-01-01"))
    number = daily("wasp", NEW_YEAR).number
    deal = bare(on_terminal("deal", "--game", "wasp", "--deal", str(number)))
    assert shown == deal.replace("\n", ", the board of 2027-01-01\n", 1)


def test_the_boards_of_all_games_as_json(tmp_path: Path, told: Told) -> None:
    for store in ([], ["--store", str(tmp_path / "boards.db")]):
        for _ in range(2):
            arguments = ("--game", "all", "--date", "2027-01-01", "--json", *store)
            status, output, _ = told("daily", *arguments)
            assert status == 0
            shown = [json.loads(line) for line in output.splitlines()]
            assert [one["game"] for one in shown] == [*GAMES]
            for one in shown:
                found = daily(one["game"], NEW_YEAR)
                assert (one["deal"], one["dealer"]) == (found.number, "pysolfc")
                assert (one["date"], one["undecided"]) == ("2027-01-01", [])
                assert one["board"] == found.board.line()
                assert one["verdict"] == "winnable"
                assert one["nodes"] == found.solution.nodes
                assert one["moves"] == [*map(str, found.solution.moves)]
    assert len(rows(tmp_path / "boards.db")) == 2 * len(GAMES)


# Filling a store.


def test_a_store_is_filled_and_then_full(tmp_path: Path, told: Told) -> None:
    place = tmp_path / "boards.db"
    command = (*FILL, "--days", "5", "--store", str(place))
    said = f"{place}: 30 daily boards from 2027-01-01 to 2027-01-05, {{}} of them new\n"
    assert told(*command) == (0, said.format(30), "")
    stored = rows(place)
    assert told(*command) == (0, said.format(0), "")
    assert rows(place) == stored
    status, output, _ = told(*FILL, "--days", "6", "--store", str(place), "--json")
    assert status == 0
    assert json.loads(output) == {
        "store": str(place),
        "games": [*GAMES],
        "from": "2027-01-01",
        "days": 6,
        "boards": 36,
        "added": 6,
    }
    with BoardStore(place) as kept:
        for game in GAMES:
            for after in range(6):
                day = NEW_YEAR + timedelta(after)
                assert kept.daily(game, day).number == daily(game, day).number


def test_a_terminal_sees_how_far_it_is(tmp_path: Path) -> None:
    command = (*FILL, "--days", "50", "--store", str(tmp_path / "boards.db"))
    shown = on_terminal(*command)
    assert "filling" in shown
    assert " of 300 boards" in shown
    assert bare(shown).splitlines()[-1].endswith("300 of them new")


def test_ctrl_c_ends_it_at_once_and_it_goes_on_later(tmp_path: Path, told: Told) -> None:
    place = tmp_path / "boards.db"
    with filling(place, days=500) as process:
        wait_for(place, 40, process)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=DEADLINE)
    assert (process.returncode, complaint) == (130, b"scorpion: interrupted\n")
    stored = rows(place)
    assert 80 <= len(stored) < 4_000
    status, output, _ = told(*FILL, "--days", "30", "--store", str(place))
    assert status == 0
    assert rows(place) >= stored
    first = {str(NEW_YEAR + timedelta(after)) for after in range(30)}
    known = sum(row[0] == "scorpion_daily" and row[3] in first for row in stored)
    assert f", {180 - known} of them new" in output


def filling(place: Path, days: int) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [SCORPION, *FILL, "--days", str(days), "--store", place],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )


def wait_for(place: Path, boards: int, process: "subprocess.Popen[bytes]") -> None:
    """Until so many boards are stored or the process has ended."""
    wait_until(lambda: process.poll() is not None or stored_boards(place) >= boards)


def stored_boards(place: Path) -> int:
    try:
        with closing(sqlite3.connect(f"file:{place}?mode=ro", uri=True)) as connection:
            found: int = connection.execute("SELECT count(*) FROM scorpion_daily").fetchone()[0]
    except sqlite3.OperationalError:  # not made yet
        return 0
    return found


@pytest.mark.parametrize(
    ("kills", "days"), [(3, 40), pytest.param(50, 366, marks=pytest.mark.slow)]
)
def test_killed_at_random_moments_it_loses_and_repeats_nothing(
    kills: int, days: int, tmp_path: Path, told: Told
) -> None:
    """Kills come while it starts, and at moments spread over most of the filling.

    A kill that is late comes after its end, and so do the later ones then; not the first.
    """
    place = tmp_path / "boards.db"
    total = len(GAMES) * days
    chance = random.Random(kills)
    moments = sorted(chance.randrange(total * 2 // 3) for _ in range(kills))
    killed = 0
    before: set[tuple[object, ...]] = set()
    for moment in moments:
        with filling(place, days) as process:
            if moment > len(before) // 2:
                wait_for(place, moment, process)
                time.sleep(chance.uniform(0, 0.01))
            else:
                time.sleep(chance.uniform(0, 0.3))
            process.kill()
            process.communicate()
        killed += process.returncode == -signal.SIGKILL
        after = rows(place)
        # Whatever was stored is still there, found at that time and not again.
        assert before <= after
        assert len(after) % 2 == 0
        before = after
    assert killed > 0
    assert 0 < len(before) // 2 <= total
    status, output, _ = told(*FILL, "--days", str(days), "--store", str(place))
    assert status == 0
    assert f": {total:,} daily boards " in output
    assert f", {total - len(before) // 2:,} of them new" in output
    after = rows(place)
    assert before <= after
    assert len(after) == 2 * total
    with closing(sqlite3.connect(place)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with BoardStore(place) as kept:
        for game in GAMES:
            for gone in range(0, days, 7):
                day = NEW_YEAR + timedelta(gone)
                assert kept.daily(game, day).number == daily(game, day).number


# Mistakes.


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("--date 2027-02-29", "'2027-02-29' is not a day; a day looks like 2027-01-31"),
        ("--from today --store x.db", "'today' is not a day; a day looks like 2027-01-31"),
        (
            "--game tarantula",
            (
                "there is no game 'tarantula'; the games are scorpion, wasp, open-wasp,"
                " scorpion-tail, scorpion-ii, pysol-wasp"
            ),
        ),
        ("--days 5", "--days and --workers go with --from"),
        ("--workers 2", "--days and --workers go with --from"),
        ("--from 2027-01-01", "--from fills a store: which? Give --store FILE"),
        (
            "--from 2027-01-01 --date 2027-01-01 --store x.db",
            "give --date to see a board or --from to fill a store, not both",
        ),
        (
            "--from 2027-01-01 --days 0 --store x.db",
            "Invalid value for '--days': 0 is not above zero",
        ),
        (
            "--from 2027-01-01 --workers 0 --store x.db",
            "Invalid value for '--workers': 0 is not above zero",
        ),
        (
            "--from 9999-12-30 --days 3 --store x.db",
            "there are no 3 days from 9999-12-30 to 9999-12-31",
        ),
        ("--store absent/x.db", "the store absent/x.db: unable to open database file"),
        ("--store mysql://x/y", "a store is in SQLite or PostgreSQL, not in mysql"),
    ],
)
def test_a_mistake_costs_one_line_and_status_2(
    command: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["daily", *command.split()]) == 2
    assert capsys.readouterr() == ("", f"scorpion: {said}\n")
    assert list(tmp_path.iterdir()) == []


def test_a_locked_store_costs_one_line_and_status_2(tmp_path: Path, told: Told) -> None:
    place = tmp_path / "boards.db"
    url = f"sqlite:///{place}?timeout=0.1"
    assert told("daily", "--store", url)[0] == 0
    with closing(sqlite3.connect(place, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        ended = told(*FILL, "--days", "3", "--store", url)
    assert ended == (2, "", f"scorpion: the store {url}: database is locked\n")


def test_without_the_extra_the_command_names_it(tmp_path: Path) -> None:
    (tmp_path / "sqlalchemy.py").write_text(
        "raise ModuleNotFoundError('no such module', name='sqlalchemy')\n"
    )
    path = os.pathsep.join([str(tmp_path), str(Path(scorpion.__file__).parent.parent)])
    ended = run("daily", "--store", "x.db", cwd=tmp_path, PYTHONPATH=path)
    said = "the store needs SQLAlchemy: pip install 'scorpion-solitaire[store]'"
    assert ended == (2, "", f"scorpion: {said}\n")
    assert run("daily", "--date", "2027-01-01", cwd=tmp_path, PYTHONPATH=path)[0] == 0
