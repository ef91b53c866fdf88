"""The store, in an SQLite file and in a PostgreSQL server that the tests start."""

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import postgres
import psycopg
import pytest
import sqlalchemy as sql

import scorpion
from scorpion import (
    GAMES,
    BudgetError,
    DealError,
    IllegalMoveError,
    Rules,
    RulesError,
    Solution,
    StoreError,
    Verdict,
    daily,
    deal,
    solve,
    store,
)
from scorpion.cli import main
from scorpion.store import SCHEMA, BoardStore

NEW_YEAR = date(2027, 1, 1)
DAYS = [NEW_YEAR + timedelta(after) for after in range(10)]
EVERY = len(GAMES) * len(DAYS)  # the boards of these days
TABLES = ("scorpion_daily", "scorpion_solutions")
NO_PATIENCE = "?timeout=0.2"


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The URL of a server, with a place for a database's name."""
    programs = postgres.programs()
    if programs is None:
        if os.environ.get("SCORPION_POSTGRES") == "must":
            pytest.fail("there is no PostgreSQL here, and there must be")
        pytest.skip("no PostgreSQL here; on Debian: apt-get install postgresql")
    with postgres.server(programs) as url:
        yield url


_NAMES = (f"boards{number}" for number in count())


@pytest.fixture
def database(server: str) -> str:
    """The URL of an empty schema in a PostgreSQL database."""
    name = next(_NAMES)
    url = server.format(database="postgres")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    return f"{url}&options=-csearch_path%3D{name}"


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store's place, in each database."""
    if request.param == "sqlite":
        return str(tmp_path / "boards.db")
    url: str = request.getfixturevalue("database")
    return url


def engine(place: str) -> sql.Engine:
    """A way to the database around the store."""
    return sql.create_engine(
        place.replace("postgresql:", "postgresql+psycopg:")
        if "://" in place
        else f"sqlite:///{place}",
        poolclass=sql.NullPool,
    )


def rows(place: str) -> set[tuple[object, ...]]:
    """Everything that is stored, the seconds of each search too: no search takes them twice."""
    with engine(place).connect() as connection:
        return {
            (table, *row)
            for table in TABLES
            for row in connection.exec_driver_sql(f"SELECT * FROM {table}")
        }


def change(place: str, statement: str) -> None:
    with engine(place).begin() as connection:
        assert connection.exec_driver_sql(statement).rowcount == 1


def in_other_processes(script: str, *arguments: str, processes: int) -> list[str]:
    """What each of some processes prints that run a script at the same time."""
    command = [sys.executable, "-c", script, *arguments]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(processes)
    ]
    ended = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0] * processes, ended
    return [output for output, _ in ended]


# Solutions.


@pytest.mark.parametrize("game", [*GAMES, Rules(runs="stay", stock="when-stuck")])
def test_what_is_put_comes_back(place: str, game: str | Rules) -> None:
    with BoardStore(place) as kept:
        found = {}
        for number in (1, 5, 10**20):
            for dealer in ("pysolfc", "cardgames") if number < 10**20 else ("pysolfc",):
                assert kept.get(game, number, dealer=dealer) is None
                found[number, dealer] = solve(deal(game, number, dealer=dealer))
                kept.put(game, number, found[number, dealer], dealer=dealer)
        for (number, dealer), solution in found.items():
            assert kept.get(game, number, dealer=dealer) == solution
    with BoardStore(place) as kept:
        for (number, dealer), solution in found.items():
            assert kept.get(game, number, dealer=dealer) == solution


def test_a_path_may_have_any_letters(tmp_path: Path) -> None:
    path = tmp_path / "böards ?#%20&a=b.db"
    with BoardStore(path) as kept:
        first = kept.daily("wasp", NEW_YEAR)
    assert kept.place == str(path)
    assert path.exists()
    with BoardStore(str(path)) as kept:
        assert kept.daily("wasp", NEW_YEAR) == first


def test_each_game_has_its_own(place: str) -> None:
    with BoardStore(place) as kept:
        kept.put("wasp", 1, solve(deal("wasp", 1)))
        assert kept.get("wasp", 1) == kept.get(GAMES["wasp"], 1) is not None
        assert kept.get(Rules(), 1) is None
        assert kept.get("open-wasp", 1) is None


def test_what_is_settled_stays_and_what_is_not_is_replaced(place: str) -> None:
    board = deal("wasp", 1)
    open_, settled = solve(board, max_nodes=10), solve(board)
    assert (open_.verdict, open_.limit) == (Verdict.UNDECIDED, "nodes")
    with BoardStore(place) as kept:
        for put, stored in [
            (open_, open_),
            (settled, settled),
            (open_, settled),
            (replace(settled, seconds=9.0), settled),
        ]:
            kept.put("wasp", 1, put)
            assert kept.get("wasp", 1) == stored


def test_another_engine_finds_and_changes_nothing_of_this_one(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with BoardStore(place) as kept:
        kept.put("wasp", 1, solve(deal("wasp", 1)))
        own = kept.daily("wasp", NEW_YEAR)
        before = rows(place)
        monkeypatch.setattr("scorpion.store.VERSION", "99.0")
        assert kept.get("wasp", 1) is None
        other = kept.daily("wasp", NEW_YEAR)
        assert (other.number, other.board) == (own.number, own.board)
        added = rows(place) - before
        assert rows(place) >= before
        assert [(row[0], row[4]) for row in added] == [("scorpion_solutions", "99.0")]
        assert kept.fill("wasp", DAYS[:2]) == 1


def test_only_lines_that_win_are_put(place: str) -> None:
    solution = solve(deal("wasp", 1))
    with BoardStore(place) as kept:
        with pytest.raises(IllegalMoveError, match=r"^the game is not won after these 5 moves$"):
            kept.put("wasp", 1, replace(solution, moves=solution.moves[:5]))
        with pytest.raises(IllegalMoveError, match=r"^step "):
            kept.put("wasp", 2, solution)
        assert kept.get("wasp", 1) is kept.get("wasp", 2) is None


# Daily boards.


@pytest.mark.parametrize("game", GAMES)
def test_daily_is_the_same_with_and_without_a_store(place: str, game: str) -> None:
    with BoardStore(place) as kept:
        first = kept.daily(game, NEW_YEAR)
        alone = daily(game, NEW_YEAR)
        seconds = first.solution.seconds
        assert first == replace(alone, solution=replace(alone.solution, seconds=seconds))
        # The seconds show that it was not found again.
        assert kept.daily(GAMES[game], "2027-01-01") == first
        assert kept.get(game, first.number) == first.solution
    with BoardStore(place) as kept:
        assert kept.daily(game, NEW_YEAR) == first


def test_fill_stores_every_day_of_every_game_once(place: str) -> None:
    told: list[tuple[int, int]] = []

    def tell(stored: int, total: int) -> None:
        told.append((stored, total))

    with BoardStore(place) as kept:
        assert kept.fill("wasp", DAYS[:4]) == 4
        assert kept.fill(GAMES, [*DAYS, *DAYS], progress=tell) == EVERY - 4
        assert told == [(stored, EVERY) for stored in range(4, EVERY + 1)]
        stored = rows(place)
        assert len(stored) == 2 * EVERY
        assert kept.fill(GAMES, map(str, DAYS), workers=1, progress=tell) == 0
        assert told[-1] == (EVERY, EVERY)
        assert kept.fill([], DAYS) == kept.fill("wasp", []) == 0
        for game in GAMES:
            for day in DAYS:
                assert kept.daily(game, day).number == daily(game, day).number
        assert rows(place) == stored


def test_a_solution_that_was_put_before_serves_the_daily_board(place: str) -> None:
    number = daily("wasp", NEW_YEAR).number
    board = deal("wasp", number)
    with BoardStore(place) as kept:
        kept.put("wasp", number, solve(board, max_nodes=10))
        found = kept.daily("wasp", NEW_YEAR)
        assert found.solution.verdict is Verdict.WINNABLE
        assert kept.get("wasp", number) == found.solution


def test_passed_over_deals_are_kept(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    start = daily("wasp", NEW_YEAR).number
    found = replace(scorpion.winnable("wasp", start + 7), undecided=(start, start + 2))
    monkeypatch.setattr(store, "daily_winnable", lambda *_: found)
    with BoardStore(place) as kept:
        assert kept.daily("wasp", NEW_YEAR) == kept.daily("wasp", NEW_YEAR) == found


def test_fill_stops_at_what_goes_wrong_and_goes_on_from_there(place: str) -> None:
    def stop_at_five(stored: int, _: int) -> None:
        if stored == 5:
            raise KeyboardInterrupt

    before = threading.active_count()
    with BoardStore(place) as kept:
        with pytest.raises(KeyboardInterrupt):
            kept.fill("wasp", DAYS, progress=stop_at_five)
        assert threading.active_count() == before
        five = rows(place)
        assert len(five) == 10
        assert {row[3] for row in five if row[0] == "scorpion_daily"} <= {str(day) for day in DAYS}
        assert kept.fill("wasp", DAYS) == 5
        assert rows(place) > five


# Many at once.


FILL = """
import sys
from datetime import date, timedelta
from scorpion import GAMES
from scorpion.store import BoardStore
with BoardStore(sys.argv[1]) as kept:
    print(kept.fill(GAMES, [date(2027, 1, 1) + timedelta(n) for n in range(10)], workers=1))
"""


def test_many_processes_make_and_fill_one_store(place: str) -> None:
    added = in_other_processes(FILL, place, processes=2)
    assert sum(map(int, added)) == EVERY
    assert len(rows(place)) == 2 * EVERY
    with BoardStore(place) as kept:
        for game in GAMES:
            assert kept.daily(game, DAYS[7]).number == daily(game, DAYS[7]).number


def test_many_threads_share_one_store(place: str) -> None:
    with BoardStore(place) as kept, ThreadPoolExecutor(8) as pool:
        wanted = [(game, day) for _ in range(4) for game in GAMES for day in DAYS]
        found = list(pool.map(lambda one: kept.daily(*one).number, wanted))
    assert found == [daily(*one).number for one in wanted[:EVERY]] * 4
    assert len(rows(place)) == 2 * EVERY


def test_the_command_fills_either_store(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    fill = ["daily", "--game", "all", "--from", "2027-01-01", "--days", "10", "--store", place]
    for new in (EVERY, 0):
        assert main(fill) == 0
        said = f": {EVERY} daily boards from 2027-01-01 to 2027-01-10, {new} of them new\n"
        assert capsys.readouterr().out.endswith(said)
    assert main(["daily", "--game", "wasp", "--date", "2027-01-03", "--store", place]) == 0
    assert capsys.readouterr().out.endswith(daily("wasp", DAYS[2]).board.text())


def test_a_server_that_closed_the_connection_is_asked_again(database: str) -> None:
    with BoardStore(database) as kept:
        first = kept.daily("wasp", NEW_YEAR)
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        assert kept.daily("wasp", NEW_YEAR) == first


# Locked, full and broken stores.


def test_a_locked_store_says_so_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "boards.db"
    with BoardStore(f"sqlite:///{path}{NO_PATIENCE}") as kept:
        first = kept.daily("wasp", NEW_YEAR)
        stored = rows(str(path))
        script = (
            "import sqlite3, sys\n"
            "other = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
            "other.execute('BEGIN IMMEDIATE')\n"
            "print(flush=True)\n"
            "sys.stdin.read()\n"
        )
        with subprocess.Popen(
            [sys.executable, "-c", script, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as holder:
            assert holder.stdout is not None
            holder.stdout.readline()
            message = rf"^the store .*{path}.*: database is locked$"
            with pytest.raises(StoreError, match=message):
                kept.daily("wasp", DAYS[1])
            with pytest.raises(StoreError, match=message):
                kept.put("wasp", 1, solve(deal("wasp", 1)))
            with pytest.raises(StoreError, match=message):
                kept.fill(GAMES, DAYS)
            # Readers do not wait for the writer.
            assert kept.daily("wasp", NEW_YEAR) == first
            with BoardStore(path) as other:
                assert other.daily("wasp", NEW_YEAR) == first
        assert rows(str(path)) == stored
        assert kept.fill(GAMES, DAYS) == EVERY - 1
        assert rows(str(path)) > stored


def test_a_store_waits_for_another_writer(tmp_path: Path) -> None:
    path = tmp_path / "boards.db"
    with (
        BoardStore(path) as kept,
        closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        release = threading.Timer(0.5, other.execute, ["COMMIT"])
        release.start()
        assert kept.daily("wasp", NEW_YEAR) == kept.daily("wasp", NEW_YEAR)
        release.join()


FULL = """
import resource, sys
from datetime import date, timedelta
from pathlib import Path
from scorpion import GAMES, StoreError
from scorpion.store import BoardStore
place = sys.argv[1]
with BoardStore(place) as kept:
    kept.fill("wasp", [date(2027, 1, 1) + timedelta(n) for n in range(3)])
    room = 200_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
    try:
        kept.fill(GAMES, [date(2027, 1, 1) + timedelta(n) for n in range(30)], workers=1)
    except StoreError as error:
        print(error)
"""


def test_a_full_disk_says_so_and_loses_nothing(tmp_path: Path) -> None:
    """No file may grow beyond a limit, in a process of its own."""
    place = str(tmp_path / "boards.db")
    with BoardStore(place) as kept:
        kept.fill("wasp", DAYS[:3])
    three = rows(place)
    [said] = in_other_processes(FULL, place, processes=1)
    assert said in (
        f"the store {place}: disk I/O error\n",
        f"the store {place}: database or disk is full\n",
    )
    stored = rows(place)
    assert stored > three
    with closing(sqlite3.connect(place)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    days = [NEW_YEAR + timedelta(after) for after in range(30)]
    with BoardStore(place) as kept:
        assert kept.fill(GAMES, days) == len(GAMES) * 30 - len(stored) // 2
    assert rows(place) > stored


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 300 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(folder)]
    if os.getuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("only who may mount a file system can fill one")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_small_disk_fills_up_and_loses_nothing(small_disk: Path) -> None:
    place = str(small_disk / "boards.db")
    days = [NEW_YEAR + timedelta(after) for after in range(30)]
    with BoardStore(place) as kept:
        with pytest.raises(StoreError, match=r"(disk I/O error|database or disk is full)$"):
            kept.fill(GAMES, days)
        stored = rows(place)
        assert len(stored) > 20
        with pytest.raises(StoreError):
            kept.fill(GAMES, days)
        assert rows(place) >= stored
        for row in stored:
            if row[0] == "scorpion_daily":
                [name] = [name for name in GAMES if GAMES[name].word == row[2]]
                assert str(kept.daily(name, str(row[3])).number) == row[4]


def test_a_store_of_a_newer_version_is_refused(place: str) -> None:
    with BoardStore(place) as kept:
        first = kept.daily("wasp", NEW_YEAR)
    change(place, f"UPDATE scorpion_schema SET version = {SCHEMA + 1}")
    with pytest.raises(StoreError) as caught:
        BoardStore(place)
    assert str(caught.value).endswith(
        f" was written by a newer scorpion: its schema is {SCHEMA + 1}, this one knows {SCHEMA}"
    )
    change(place, f"UPDATE scorpion_schema SET version = {SCHEMA}")
    with BoardStore(place) as kept:
        assert kept.daily("wasp", NEW_YEAR) == first


def test_making_the_tables_goes_on_where_it_was_killed(place: str) -> None:
    BoardStore(place).close()
    with engine(place).begin() as connection:
        connection.exec_driver_sql("DELETE FROM scorpion_schema")
        connection.exec_driver_sql("DROP TABLE scorpion_daily")
    with BoardStore(place) as kept:
        assert kept.fill("wasp", DAYS[:2]) == 2


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE scorpion_solutions SET moves = '6H>3'", "solution of pysolfc deal"),
        ("UPDATE scorpion_solutions SET moves = ''", "solution of pysolfc deal"),
        ("UPDATE scorpion_solutions SET moves = 'K9>3 x'", "solution of pysolfc deal"),
        ("UPDATE scorpion_solutions SET verdict = 'maybe'", "solution of pysolfc deal"),
        ("UPDATE scorpion_solutions SET verdict = 'lost'", "daily board of 2027-01-01: deal"),
        ("UPDATE scorpion_daily SET number = '12x'", "daily board of 2027-01-01: invalid literal"),
        (
            "UPDATE scorpion_daily SET number = '-5'",
            "daily board of 2027-01-01: there is no pysolfc deal",
        ),
        (
            "UPDATE scorpion_daily SET number = '1'",
            "daily board of 2027-01-01: deal 1 is sought from",
        ),
        ("UPDATE scorpion_daily SET undecided = '1 2'", "daily board of 2027-01-01: "),
    ],
)
def test_a_damaged_store_says_so(place: str, statement: str, what: str) -> None:
    with BoardStore(place) as kept:
        kept.daily("scorpion", NEW_YEAR)
        change(place, statement)
        with pytest.raises(StoreError) as caught:
            kept.daily("scorpion", NEW_YEAR)
    assert f" holds a damaged {what}" in str(caught.value)


def test_a_daily_board_that_is_no_win_says_so(place: str) -> None:
    """Its number was changed to a lost deal's, of which no solution is stored."""
    with BoardStore(place) as kept:
        number = kept.daily("scorpion", NEW_YEAR).number
        while solve(deal("scorpion", number)).verdict is not Verdict.LOST:
            number += 1
        change(place, f"UPDATE scorpion_daily SET number = '{number}'")
        with pytest.raises(StoreError, match=rf"2027-01-01: deal {number} is lost$"):
            kept.daily("scorpion", NEW_YEAR)
        with pytest.raises(StoreError, match=rf"2027-01-01: deal {number} is lost$"):
            kept.fill("scorpion", DAYS)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("absent/boards.db", "unable to open database file"),
        (".", "unable to open database file"),
        ("text.db", "file is not a database"),
    ],
)
def test_what_cannot_be_opened(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("These are no boards, and there is no database here. " * 50)
    with pytest.raises(StoreError) as caught:
        BoardStore(tmp_path / name)
    assert str(caught.value) == f"the store {tmp_path / name}: {said}"


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("mysql://localhost/boards", "a store is in SQLite or PostgreSQL, not in mysql"),
        ("://", "a store's URL looks like postgresql://user@host/database"),
        (
            "postgresql://ann:secret@host:port/boards",
            "a store's URL looks like postgresql://user@host/database",
        ),
        ("", "'' is no store; a store is a path or a URL"),
        (None, "None is no store; a store is a path or a URL"),
        (5, "5 is no store; a store is a path or a URL"),
        (b"boards.db", "b'boards.db' is no store; a store is a path or a URL"),
        *(
            (
                f"sqlite:///x.db?timeout={seconds}",
                f"timeout is '{seconds}'; it must be seconds, 0 to 1,000,000",
            )
            for seconds in ("soon", "-1", "nan", "inf")
        ),
        ("a\0b.db", "the store a\0b.db: embedded null byte"),
    ],
)
def test_what_is_no_place(place: Any, said: str) -> None:
    with pytest.raises(StoreError) as caught:
        BoardStore(place)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    "place",
    [
        "sqlite://host/x.db",
        "sqlite:///x.db?plugin=none",
        "sqlite:///x.db?detect_types=all",
        "\ud800.db",
        "postgresql://\ud800/boards",
        "postgresql://127.0.0.1:1/boards?sound=loud",
    ],
)
def test_what_the_drivers_cannot_use(place: str) -> None:
    with pytest.raises(StoreError, match=r"^the store .*: "):
        BoardStore(place)


def test_a_server_that_is_not_there_and_a_password_that_stays_hidden() -> None:
    with pytest.raises(StoreError, match=r"onnection") as caught:
        BoardStore("postgresql://ann:secret@127.0.0.1:1/boards")
    assert "ann:***@127.0.0.1:1/boards" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_database_that_is_not_there(server: str) -> None:
    with pytest.raises(StoreError, match=r'database "nothing" does not exist$'):
        BoardStore(server.format(database="nothing"))


def test_bad_arguments(tmp_path: Path) -> None:
    anything: Any = None
    with BoardStore(tmp_path / "boards.db") as kept:
        for game in ("tarantula", 5, None):
            anything = game
            with pytest.raises(RulesError, match="there is no game"):
                kept.get(anything, 1)
            with pytest.raises(RulesError, match="there is no game"):
                kept.daily(anything, NEW_YEAR)
            with pytest.raises(RulesError, match="there is no game"):
                kept.fill(anything, DAYS)
        for day in ("2027-02-29", 5, None):
            anything = day
            with pytest.raises(DealError, match="is not a day"):
                kept.daily("wasp", anything)
            with pytest.raises(DealError, match="is not a day"):
                kept.fill("wasp", anything)
        for workers in (0, -1, 1.5, "two", True):
            anything = workers
            with pytest.raises(BudgetError, match=r"^workers is"):
                kept.fill("wasp", DAYS, workers=anything)
        with pytest.raises(DealError, match="there is no version"):
            kept.daily("wasp", NEW_YEAR, version="daily-0")
        with pytest.raises(DealError, match="there is no version"):
            kept.fill("wasp", DAYS, version="daily-0")
        with pytest.raises(DealError, match="there is no pysolfc deal 0"):
            kept.get("wasp", 0)
        anything = "won"
        with pytest.raises(StoreError, match=r"^a store keeps a Solution, not str$"):
            kept.put("wasp", 1, anything)
        anything = 5
        with pytest.raises(DealError, match="there is no dealer"):
            kept.put("wasp", 1, Solution(Verdict.LOST, (), 1, 0.0, None), dealer=anything)


def test_the_core_comes_without_the_store() -> None:
    script = "import sys, scorpion; print('sqlalchemy' in sys.modules, 'sqlite3' in sys.modules)"
    assert in_other_processes(script, processes=1) == ["False False\n"]


@pytest.mark.parametrize(
    ("hidden", "script", "said"),
    [
        (
            "sqlalchemy",
            "import scorpion.store",
            "the store needs SQLAlchemy: pip install 'scorpion-solitaire[store]'",
        ),
        (
            "psycopg",
            "from scorpion.store import *; BoardStore('postgresql://localhost/boards')",
            "PostgreSQL needs psycopg: pip install 'scorpion-solitaire[postgres]'",
        ),
    ],
)
def test_missing_extras_are_named(hidden: str, script: str, said: str) -> None:
    hide = f"import sys; sys.modules[{hidden!r}] = None\n"
    command = [sys.executable, "-c", hide + script]
    run = subprocess.run(command, check=False, capture_output=True, text=True)
    assert run.stderr.rstrip().endswith(said)
