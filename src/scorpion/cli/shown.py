"""What the commands print: drawn on a terminal, plain text or JSON in a pipe."""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Protocol

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from scorpion import DEAL, Move, Verdict
from scorpion.cards import is_red

PATIENCE: Final = 0.5
"""Seconds that a search may take before a progress bar appears."""

VERDICT_STYLE: Final = {
    Verdict.WINNABLE: "bold green",
    Verdict.LOST: "bold red",
    Verdict.UNDECIDED: "bold yellow",
}
NO: Final = 1
"""The exit status of a command whose answer is no."""
REDRAW: Final = 0.1
"""Seconds between two looks of a progress bar."""


def show(drawn: RenderableType, plain: str) -> None:
    """Print the drawn form on a terminal, the plain one in a pipe.

    Rich alone would draw in a pipe too where FORCE_COLOR is set.
    """
    if sys.stdout is not None and sys.stdout.isatty():
        Console().print(drawn)
    else:
        click.echo(plain)


def show_json(result: dict[str, object]) -> None:
    click.echo(in_json(result))


def in_json(result: dict[str, object]) -> str:
    """A result as the one line of JSON that commands print."""
    return json.dumps(result)


def in_suit(card: str, shown: str, style: str = "") -> Text:
    return Text(shown, style=f"{style} red" if is_red(card) else style)


def shown_move(move: Move) -> Text:
    return Text(str(move)) if move == DEAL else in_suit(move.card, str(move))


def aligned(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


def counts(rows: Sequence[Sequence[str]]) -> Table:
    """A table, its head first, whose first column names what the others count."""
    heads, *others = rows
    table = Table(box=SIMPLE_HEAD, header_style="bold")
    for place, head in enumerate(heads):
        table.add_column(head, justify="right" if place else "left", no_wrap=True)
    for row in others:
        table.add_row(*row)
    return table


class Bar(Protocol):
    """What long work calls with its count, and with its total where that was not known before."""

    def __call__(self, done: int, total: int | None = None) -> None:
        """Draw the bar, if it is time."""


@contextmanager
def progress_bar(
    total: int, doing: str = "searching", things: str = "positions"
) -> Iterator[Bar | None]:
    """What long work is to call with its count, so that a bar shows it on a terminal."""
    console = Console(stderr=True)
    if not (sys.stderr is not None and sys.stderr.isatty() and console.is_interactive):
        yield None
        return
    bar = Progress(
        TextColumn(doing),
        BarColumn(bar_width=20),
        TextColumn("{task.completed:,} of {task.total:,} " + things),
        TimeElapsedColumn(),
        console=console,
        auto_refresh=False,
        transient=True,
    )
    task = bar.add_task("", total=total)
    due = time.monotonic() + PATIENCE

    def progress(done: int, total: int | None = None) -> None:
        nonlocal due
        if (now := time.monotonic()) >= due:
            due = now + REDRAW
            bar.update(task, completed=done, total=total)
            bar.start()
            bar.refresh()

    try:
        yield progress
    finally:
        bar.stop()
