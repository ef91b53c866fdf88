"""The command for the boards of the day: daily."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Final

import click

import scorpion
from scorpion import GAMES, Rules, WinnableDeal
from scorpion.cli.boards import drawing
from scorpion.cli.given import Given, above_zero, json_option, takes_house_rules
from scorpion.cli.shown import progress_bar, show, show_json
from scorpion.days import check_day

if TYPE_CHECKING:
    from scorpion.store import BoardStore

ALL: Final = "all"


def _rules(name: str, words: dict[str, str]) -> list[Rules]:
    """The rules of the game that is named, or of all, with house rules."""
    return [Rules.parse(game, **words) for game in (GAMES if name == ALL else [name])]


@click.command("daily", short_help="Show the board of the day, or store those of many days.")
@click.option(
    "--game",
    metavar="NAME",
    default="scorpion",
    show_default=True,
    help=f"{', '.join(GAMES)}, {ALL}",
)
@takes_house_rules
@click.option("--date", "day", metavar="DAY", help="Whose board, as 2027-01-31.  [default: today]")
@click.option("--from", "first", metavar="DAY", help="Fill a store with boards from this day on.")
@click.option(
    "--days", type=int, metavar="N", callback=above_zero, help="For so many days.  [default: 1]"
)
@click.option(
    "--store", metavar="PLACE", help="The store: an SQLite file, or postgresql://HOST/DATABASE."
)
@click.option(
    "--workers",
    type=int,
    metavar="N",
    callback=above_zero,
    help="Search so many boards at once.  [default: one a core]",
)
@json_option
def daily_command(
    *,
    game: str,
    words: dict[str, str],
    day: str | None,
    first: str | None,
    days: int | None,
    store: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Show the board of the day, or fill a store with those of many days.

    There is one board a day and game, the same for everyone, and it can always be won.
    With --from the boards are found and kept in --store. That can be stopped at any
    moment, and the same command goes on where it was.

    \b
      scorpion daily --game wasp --date 2027-01-31
      scorpion daily --from 2027-01-01 --days 366 --game all --store boards.db
    """
    games = _rules(game, words)
    if first is None:
        if days is not None or workers is not None:
            raise click.UsageError("--days and --workers go with --from")
        _show_day(games, _today() if day is None else check_day(day), store, as_json=as_json)
    elif day is not None:
        raise click.UsageError("give --date to see a board or --from to fill a store, not both")
    elif store is None:
        raise click.UsageError("--from fills a store: which? Give --store FILE")
    else:
        _fill(games, _days_from(first, days or 1), store, workers, as_json=as_json)


def _today() -> date:
    return datetime.now().astimezone().date()


def _days_from(first: str, count: int) -> list[date]:
    begin = check_day(first)
    try:
        begin + timedelta(count - 1)
    except OverflowError:
        raise click.UsageError(f"there are no {count} days from {begin} to {date.max}") from None
    return [begin + timedelta(after) for after in range(count)]


@contextmanager
def _opened(place: str) -> "Iterator[BoardStore]":
    try:
        from scorpion.store import BoardStore  # noqa: PLC0415 - an extra of its own
    except ModuleNotFoundError as missing:
        raise click.ClickException(str(missing)) from None
    with BoardStore(place) as store:
        yield store


def _show_day(games: list[Rules], day: date, place: str | None, *, as_json: bool) -> None:
    if place is None:
        boards = [scorpion.daily(rules, day) for rules in games]
    else:
        with _opened(place) as store:
            boards = [store.daily(rules, day) for rules in games]
    for board in boards:
        _show_board(board, day, as_json=as_json)


def _show_board(found: WinnableDeal, day: date, *, as_json: bool) -> None:
    given = Given(found.board, found.number, found.dealer)
    if as_json:
        solution = asdict(found.solution) | {"moves": [*map(str, found.solution.moves)]}
        show_json(given.facts | {"date": str(day), "undecided": found.undecided} | solution)
    else:
        title = f"{given.title}, the board of {day}"
        show(drawing(found.board, title), f"# {title}\n{found.board.text()}".rstrip("\n"))


def _fill(
    games: list[Rules], days: list[date], place: str, workers: int | None, *, as_json: bool
) -> None:
    total = len(games) * len(days)
    with _opened(place) as store, progress_bar(total, "filling", "boards") as shown:

        def progress(stored: int, _: int) -> None:
            if shown is not None:
                shown(stored)

        added = store.fill(games, days, workers=workers, progress=progress)
    if as_json:
        span: dict[str, object] = {"from": str(days[0]), "days": len(days)}
        names = {"store": store.place, "games": [rules.name for rules in games]}
        show_json(names | span | {"boards": total, "added": added})
    else:
        boards = f"{total:,} daily boards from {days[0]} to {days[-1]}"
        click.echo(f"{store.place}: {boards}, {added:,} of them new")
