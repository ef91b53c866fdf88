"""A store of settled deals and daily boards, in an SQLite file or in PostgreSQL.

Needs the extra ``store``; PostgreSQL needs ``postgres`` instead.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from threading import Event
from types import MappingProxyType, TracebackType
from typing import Any, Final, Self

try:
    import sqlalchemy as sql
except ModuleNotFoundError as _missing:
    if _missing.name != "sqlalchemy":
        raise
    raise ModuleNotFoundError(
        "the store needs SQLAlchemy: pip install 'scorpion-solitaire[store]'", name="sqlalchemy"
    ) from None
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.schema import CreateTable

from scorpion.days import (
    DAILY_RULES,
    DAILY_VERSION,
    WinnableDeal,
    check_day,
    check_version,
    daily_start,
    daily_winnable,
)
from scorpion.deals import check_dealer, check_number, deal
from scorpion.errors import BudgetError, DealError, StoreError
from scorpion.limits import Cancel
from scorpion.moves import parse_moves
from scorpion.rules import Rules, rules_of
from scorpion.solver import Solution, Verdict, solve, verify
from scorpion.version import VERSION

SCHEMA: Final = 1
"""The version of the tables below; a store that says a higher one is of a newer scorpion."""

PATIENCE: Final = 30
"""Seconds to wait for another writer of an SQLite file; ``?timeout=`` in a URL overrides it."""
LONGEST_PATIENCE: Final = 1_000_000

_TABLES: Final = sql.MetaData()
_SCHEMAS: Final = sql.Table(
    "scorpion_schema",
    _TABLES,
    sql.Column("version", sql.Integer, primary_key=True, autoincrement=False),
)
# Numbers are text, for they go to 10^20, beyond the whole numbers of either database.
_SOLUTIONS: Final = sql.Table(
    "scorpion_solutions",
    _TABLES,
    sql.Column("rules", sql.Text, primary_key=True),
    sql.Column("dealer", sql.Text, primary_key=True),
    sql.Column("number", sql.Text, primary_key=True),
    sql.Column("engine", sql.Text, primary_key=True),
    sql.Column("verdict", sql.Text, nullable=False),
    sql.Column("moves", sql.Text, nullable=False),
    sql.Column("nodes", sql.BigInteger, nullable=False),
    sql.Column("seconds", sql.Double, nullable=False),
    sql.Column("limit", sql.Text),
)
# The solution of a daily board stands in the other table, for each engine its own.
_DAILY: Final = sql.Table(
    "scorpion_daily",
    _TABLES,
    sql.Column("version", sql.Text, primary_key=True),
    sql.Column("rules", sql.Text, primary_key=True),
    sql.Column("day", sql.Text, primary_key=True),
    sql.Column("number", sql.Text, nullable=False),
    sql.Column("undecided", sql.Text, nullable=False),
)
_FOUND: Final = [column for column in _SOLUTIONS.columns if not column.primary_key]
_INSERT: Final[Mapping[str, Callable[[sql.Table], sqlite.Insert | postgresql.Insert]]] = (
    MappingProxyType({"sqlite": sqlite.insert, "postgresql": postgresql.insert})
)
_DRIVER: Final = MappingProxyType(
    {"sqlite": "sqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
)


@dataclass(frozen=True, slots=True)
class _Day:
    """A day whose board is asked for, and what is stored of it."""

    rules: Rules
    day: date
    version: str
    row: sql.Row[Any] | None

    @property
    def dealer(self) -> str:
        return DAILY_RULES[self.version].dealer

    @property
    def is_solved(self) -> bool:
        """Whether this engine's solution of it is stored."""
        return self.row is not None and self.row.verdict not in (None, Verdict.UNDECIDED)


class BoardStore:
    """Settled deals and daily boards, kept in an SQLite file or in PostgreSQL.

    ``place`` is the path of an SQLite file, which is made if it is not there, or a URL
    such as ``postgresql://user@host/database``. The attribute ``place`` says it again,
    without the password. A store is closed by :meth:`close` or at
    the end of a ``with`` block. Threads may share one; each process opens its own.

    Solutions are kept for rules, dealer, number and engine version: another engine's are
    neither found nor overwritten. Everything is stored in a transaction of its own:
    who is killed, finds the disk full or the store locked loses nothing stored before.
    A winning line is replayed whenever it is read or stored.

    Every method raises :class:`StoreError` where the store cannot be used: it cannot be
    opened or written, stays locked (an SQLite file for 30 seconds; ``?timeout=`` in an
    ``sqlite:///`` URL overrides that), was written by a newer version of scorpion, or
    holds something damaged.
    """

    def __init__(self, place: str | os.PathLike[str] = "boards.db") -> None:
        url = _url(place)
        self.place = url.render_as_string() if "://" in str(place) else str(url.database)
        arguments = {}
        if url.get_backend_name() == "sqlite":
            self._patience = arguments["timeout"] = _patience(url)
            url = url.difference_update_query(["timeout"])
        try:
            self._engine = sql.create_engine(url, connect_args=arguments, pool_pre_ping=True)
        except ImportError:
            raise StoreError(
                "PostgreSQL needs psycopg: pip install 'scorpion-solitaire[postgres]'"
            ) from None
        except (SQLAlchemyError, ValueError) as error:
            raise self._unusable(error) from None
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the connections to the store."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Solutions.

    def get(self, game: str | Rules, number: int, *, dealer: str = "pysolfc") -> Solution | None:
        """What this engine's version was stored to have found of a deal; None if nothing.

        Raises :class:`RulesError`, :class:`DealError` and :class:`StoreError`.
        """
        rules = rules_of(game)
        check_number(number, check_dealer(dealer))
        key = _key(rules, dealer, number)
        where = [_SOLUTIONS.c[name] == value for name, value in key.items()]
        with self._transaction() as connection:
            row = connection.execute(sql.select(_SOLUTIONS).where(*where)).first()
        return None if row is None else self._solution(rules, dealer, number, row)

    def put(
        self, game: str | Rules, number: int, solution: Solution, *, dealer: str = "pysolfc"
    ) -> None:
        """Store what was found of a deal. What is settled stays as it was stored first.

        Raises :class:`RulesError`, :class:`DealError`, :class:`IllegalMoveError` if the
        line does not win, and :class:`StoreError`.
        """
        rules = rules_of(game)
        check_number(number, check_dealer(dealer))
        if not isinstance(solution, Solution):
            raise StoreError(f"a store keeps a Solution, not {type(solution).__name__}")
        if solution.verdict is Verdict.WINNABLE:
            verify(deal(rules, number, dealer=dealer), solution.moves)
        with self._transaction() as connection:
            self._put(connection, rules, dealer, number, solution)

    def _put(
        self, connection: sql.Connection, rules: Rules, dealer: str, number: int, found: Solution
    ) -> bool:
        """Whether the solution is now stored and was not before."""
        values = {
            "verdict": str(found.verdict),
            "moves": " ".join(map(str, found.moves)),
            "nodes": found.nodes,
            "seconds": found.seconds,
            "limit": found.limit,
        }
        insert = self._insert(_SOLUTIONS).values(_key(rules, dealer, number) | values)
        settles = insert.on_conflict_do_update(
            index_elements=_SOLUTIONS.primary_key.columns,
            set_=values,
            where=_SOLUTIONS.c.verdict == str(Verdict.UNDECIDED),
        )
        counted = connection.execute(settles.execution_options(preserve_rowcount=True))
        return counted.rowcount > 0

    def _solution(self, rules: Rules, dealer: str, number: int, row: sql.Row[Any]) -> Solution:
        """The solution in a row, its line replayed."""
        try:
            moves = tuple(parse_moves(row.moves))
            limit: Any = row.limit
            found = Solution(Verdict(row.verdict), moves, int(row.nodes), float(row.seconds), limit)
            if found.verdict is Verdict.WINNABLE:
                verify(deal(rules, number, dealer=dealer), moves)
        except (ValueError, TypeError) as error:
            raise self._damaged(f"solution of {dealer} deal {number}", error) from None
        return found

    # Daily boards.

    def daily(
        self, game: str | Rules, day: date | str, *, version: str = DAILY_VERSION
    ) -> WinnableDeal:
        """The same as :func:`scorpion.daily`, from the store; put there if it was not.

        A number once stored stays, and a newer engine adds its own solution.

        Raises :class:`RulesError`, :class:`DealError` and :class:`StoreError`.
        """
        [asked] = self._days(rules_of(game), [check_day(day)], check_version(version))
        if asked.is_solved:
            return self._stored(asked)
        found = self._find(asked)
        assert found is not None, "nobody could cancel"
        self._keep(asked, found)
        return found

    def fill(
        self,
        games: str | Rules | Iterable[str | Rules],
        days: date | str | Iterable[date | str],
        *,
        version: str = DAILY_VERSION,
        workers: int | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> int:
        """Store the daily boards of some games and days; how many were not there yet.

        Each is stored as soon as it is found, so this can be stopped at any moment and
        goes on where it was when it is called again. ``workers`` threads search, one for
        each core by default. ``progress`` is called with the number of boards that are
        in the store and of all that are asked for, at the beginning and for each board.

        Raises :class:`RulesError`, :class:`DealError`, :class:`BudgetError` for
        ``workers`` not above zero, and :class:`StoreError`.
        """
        check_version(version)
        every = dict.fromkeys(map(rules_of, _each(games)))
        wanted = list(dict.fromkeys(map(check_day, _each(days))))
        threads = _threads(workers)
        asked = [day for rules in every for day in self._days(rules, wanted, version)]
        asked.sort(key=lambda day: day.day, reverse=True)  # they are taken from the end
        todo = [day for day in asked if not day.is_solved]
        total = len(asked)
        stored = total - len(todo)
        added = 0
        if progress is not None:
            progress(stored, total)
        stop = Event()
        pool = ThreadPoolExecutor(threads, thread_name_prefix="scorpion-daily")
        searches: dict[Future[WinnableDeal | None], _Day] = {}
        try:
            while todo or searches:
                while todo and len(searches) < 2 * threads:
                    day = todo.pop()
                    searches[pool.submit(self._find, day, stop)] = day
                for search in wait(searches, return_when=FIRST_COMPLETED).done:
                    found = search.result()
                    assert found is not None, "only this thread cancels"
                    added += self._keep(searches.pop(search), found)
                    stored += 1
                    if progress is not None:
                        progress(stored, total)
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)
        return added

    def _days(self, rules: Rules, days: list[date], version: str) -> list[_Day]:
        """What is stored of some days."""
        if not days:
            return []
        with self._transaction() as connection:
            rows = connection.execute(_daily_rows(version, rules, min(days), max(days))).all()
        stored = {row.day: row for row in rows}
        return [_Day(rules, day, version, stored.get(day.isoformat())) for day in days]

    def _find(self, day: _Day, cancel: Cancel | None = None) -> WinnableDeal | None:
        """The board of a day that this engine has not solved yet; None if it was cancelled."""
        if day.row is None:
            return daily_winnable(day.rules, day.day, day.version, cancel)
        number, undecided = self._number(day)
        board = deal(day.rules, number, dealer=day.dealer)
        solution = solve(board, max_nodes=None, cancel=cancel)
        if solution.limit == "cancelled":
            return None
        if solution.verdict is not Verdict.WINNABLE:
            raise self._not_winnable(day, number, solution)
        return WinnableDeal(day.rules, day.dealer, number, board, solution, undecided)

    def _stored(self, day: _Day) -> WinnableDeal:
        """The board of a day that this engine has solved."""
        number, undecided = self._number(day)
        assert day.row is not None
        solution = self._solution(day.rules, day.dealer, number, day.row)
        if solution.verdict is not Verdict.WINNABLE:
            raise self._not_winnable(day, number, solution)
        board = deal(day.rules, number, dealer=day.dealer)
        return WinnableDeal(day.rules, day.dealer, number, board, solution, undecided)

    def _keep(self, day: _Day, found: WinnableDeal) -> bool:
        """Store the board of a day; whether its solution was not there before."""
        row = {
            "version": day.version,
            "rules": day.rules.word,
            "day": day.day.isoformat(),
            "number": str(found.number),
            "undecided": " ".join(map(str, found.undecided)),
        }
        with self._transaction() as connection:
            connection.execute(self._insert(_DAILY).values(row).on_conflict_do_nothing())
            return self._put(connection, found.rules, found.dealer, found.number, found.solution)

    def _number(self, day: _Day) -> tuple[int, tuple[int, ...]]:
        """The stored number of a day's board, and the numbers passed over before it."""
        start = daily_start(day.rules, day.day, day.version)
        row: Any = day.row
        try:
            number, *undecided = (int(text) for text in [row.number, *row.undecided.split()])
            check_number(number, day.dealer)
            if number < start or not all(start <= passed < number for passed in undecided):
                raise DealError(f"deal {number} is sought from {start} on")
        except (ValueError, TypeError, AttributeError) as error:
            raise self._damaged(f"daily board of {day.day}", error) from None
        return number, tuple(undecided)

    # The database.

    def _open(self) -> None:
        """Make the tables if there are none; refuse those of a newer scorpion."""
        if self._engine.dialect.name == "sqlite":
            self._use_write_ahead_log()
        version = self._schema()
        if version is None:
            try:
                self._make_tables()
            except StoreError:
                # Another process may be making them at the same time.
                if self._schema() is None:
                    self._make_tables()
            version = self._schema()
        if version != SCHEMA:
            raise StoreError(
                f"the store {self.place} was written by a newer scorpion: its schema is "
                f"{version}, this one knows {SCHEMA}"
            )

    def _use_write_ahead_log(self) -> None:
        """Let readers read while one writes; the file itself remembers it.

        SQLite does not wait for others to let it switch, so this does.
        """
        until = time.monotonic() + self._patience
        switched = False
        while not switched:
            try:
                with self._transaction() as connection:
                    connection.exec_driver_sql("PRAGMA journal_mode = WAL")
                    switched = True
            except StoreError as error:
                if "locked" not in str(error) or time.monotonic() > until:
                    raise
                time.sleep(0.05)

    def _schema(self) -> int | None:
        """The version of the store's tables; None if there are none, or not all yet."""
        with self._transaction() as connection:
            if not sql.inspect(connection).has_table(_SCHEMAS.name):
                return None
            version: int | None = connection.scalar(sql.select(sql.func.max(_SCHEMAS.c.version)))
        return version

    def _make_tables(self) -> None:
        # The version comes last: whoever is killed before it begins again.
        with self._transaction() as connection:
            for table in _TABLES.sorted_tables:
                connection.execute(CreateTable(table, if_not_exists=True))
            version = self._insert(_SCHEMAS).values(version=SCHEMA)
            connection.execute(version.on_conflict_do_nothing())

    @contextmanager
    def _transaction(self) -> Iterator[sql.Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except (SQLAlchemyError, ValueError) as error:  # ValueError: texts no driver can send
            reason = error.orig if isinstance(error, DBAPIError) else error
            raise self._unusable(reason) from None

    def _insert(self, table: sql.Table) -> sqlite.Insert | postgresql.Insert:
        """An insertion in the database's own dialect; both spell conflicts alike."""
        return _INSERT[self._engine.dialect.name](table)

    def _unusable(self, reason: object) -> StoreError:
        return StoreError(f"the store {self.place}: {' '.join(str(reason).split())}")

    def _not_winnable(self, day: _Day, number: int, solution: Solution) -> StoreError:
        return self._damaged(f"daily board of {day.day}", f"deal {number} is {solution.verdict}")

    def _damaged(self, what: str, reason: object) -> StoreError:
        return StoreError(f"the store {self.place} holds a damaged {what}: {reason}")


def _url(place: str | os.PathLike[str]) -> sql.URL:
    """The URL of a path or of a URL; otherwise :class:`StoreError`."""
    if not place or not isinstance(place, str | os.PathLike):
        raise StoreError(f"{place!r} is no store; a store is a path or a URL")
    path = os.fspath(place)
    if not isinstance(path, str):
        raise StoreError(f"{place!r} is no store; a path is text")
    if "://" not in path:
        return sql.URL.create("sqlite", database=path)
    try:
        url = sql.make_url(path)
    except (SQLAlchemyError, ValueError):
        # What was given may hold a password.
        raise StoreError("a store's URL looks like postgresql://user@host/database") from None
    kind = url.get_backend_name()
    if kind not in _DRIVER:
        raise StoreError(f"a store is in SQLite or PostgreSQL, not in {kind}")
    return url.set(drivername=_DRIVER[kind])


def _each(given: object) -> Iterable[Any]:
    """The things that were given, or the one thing."""
    return given if isinstance(given, Iterable) and not isinstance(given, str) else [given]


def _threads(workers: int | None) -> int:
    if workers is None:
        return os.cpu_count() or 1
    if not isinstance(workers, int) or isinstance(workers, bool) or workers <= 0:
        raise BudgetError(f"workers is {workers!r}; it must be a whole number above zero, or None")
    return workers


def _patience(url: sql.URL) -> float:
    """How many seconds to wait for another writer of an SQLite file."""
    given = url.query.get("timeout", PATIENCE)
    try:
        seconds = float(given)  # type: ignore[arg-type]
    except (ValueError, TypeError):
        seconds = -1
    if not 0 <= seconds <= LONGEST_PATIENCE:
        raise StoreError(f"timeout is {given!r}; it must be seconds, 0 to {LONGEST_PATIENCE:,}")
    return seconds


def _key(rules: Rules, dealer: str, number: int) -> dict[str, str]:
    """The key of a solution that this engine found."""
    return {"rules": rules.word, "dealer": dealer, "number": str(number), "engine": VERSION}


def _daily_rows(version: str, rules: Rules, first: date, last: date) -> "sql.Select[Any]":
    """The stored daily boards of some days, with this engine's solutions where there are."""
    solved = sql.and_(
        *(
            _SOLUTIONS.c[name] == value
            for name, value in _key(rules, DAILY_RULES[version].dealer, 0).items()
            if name != "number"
        ),
        _SOLUTIONS.c.number == _DAILY.c.number,
    )
    return (
        sql.select(_DAILY.c.day, _DAILY.c.number, _DAILY.c.undecided, *_FOUND)
        .select_from(_DAILY.outerjoin(_SOLUTIONS, solved))
        .where(
            _DAILY.c.version == version,
            _DAILY.c.rules == rules.word,
            _DAILY.c.day.between(first.isoformat(), last.isoformat()),
        )
    )
