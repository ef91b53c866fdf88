"""The command that settles many deals and counts: survey."""

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import click
from rich.console import Console, Group
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

import scorpion
from scorpion import DEALERS, Rules, Survey
from scorpion.cli.given import budget_option, json_option, takes_rules
from scorpion.cli.shown import counts, show, show_json
from scorpion.limits import MAX_NODES
from scorpion.surveys.results import figures, tables, title


class Deals(click.ParamType[range]):
    """Deal numbers as text: one, or the first and the last."""

    name = "deals"

    def convert(
        self, value: str | range, param: click.Parameter | None, ctx: click.Context | None
    ) -> range:
        """The range that ``7`` or ``1-100`` stands for."""
        if isinstance(value, range):
            return value
        numbers = re.fullmatch(r"(\d{1,30})(?:-(\d{1,30}))?", value, re.ASCII)
        if numbers is None:
            self.fail(f"{value!r} is neither a number nor two, such as 1-1000", param, ctx)
        first, last = int(numbers[1]), int(numbers[2] or numbers[1])
        if last < first:
            self.fail(f"{value!r} ends before it begins", param, ctx)
        return range(first, last + 1)


def _plot_file(_: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """A file that a plot can be written to; said before the work begins, not after."""
    if value is None:
        return None
    try:
        from scorpion.cli import plots  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise click.UsageError(
            f"--plot needs {error.name}: pip install 'scorpion-solitaire[plot]'"
        ) from None
    fault = plots.fault_of(value)
    if fault is not None:
        raise click.BadParameter(fault, param=option)
    return value


@click.command("survey")
@takes_rules
@click.option(
    "--deals", type=Deals(), required=True, metavar="A-B", help="The deals' numbers, A to B."
)
@click.option(
    "--dealer",
    metavar="NAME",
    default="pysolfc",
    show_default=True,
    help=f"Whose numbers they are: {', '.join(DEALERS)}.",
)
@budget_option(
    "--max-nodes",
    type=int,
    metavar="N",
    default=MAX_NODES,
    help="Leave a deal undecided after N positions.",
)
@budget_option(
    "--workers",
    type=int,
    metavar="N",
    help="Processes that settle deals.  [default: one for each core]",
)
@click.option(
    "--out",
    "path",
    metavar="FILE",
    help="Write what is settled to FILE as JSON lines, or go on from what it holds.",
)
@click.option(
    "--certify",
    metavar="FILE",
    help="Write the line or the proof of every deal to FILE, for scorpion check.",
)
@click.option("--plot", callback=_plot_file, metavar="FILE", help="Draw the histograms into FILE.")
@json_option
def survey_command(
    rules: Rules,
    *,
    deals: range,
    dealer: str,
    max_nodes: int,
    workers: int | None,
    path: str | None,
    certify: str | None,
    plot: str | None,
    as_json: bool,
) -> None:
    """Settle many deals and count how many can be won.

    The interval is the 95% interval of the share of winnable deals; undecided deals
    widen it. With --out or --certify, the same command goes on where it was broken off.

    \b
      scorpion survey --game wasp --deals 1-100000 --workers 2
      scorpion survey --deals 1-1000000 --out scorpion.jsonl --plot scorpion.png
      scorpion survey --deals 1-1000 --certify deals.gz && scorpion check deals.gz
    """
    with _bar(deals[-1] - deals[0] + 1) as progress:
        survey = scorpion.survey(
            rules,
            deals,
            dealer=dealer,
            max_nodes=max_nodes,
            workers=workers,
            path=path,
            certify=certify,
            progress=progress,
        )
    if plot is not None:
        from scorpion.cli import plots  # noqa: PLC0415

        plots.draw(survey, title(survey), plot)
    if as_json:
        show_json(_facts(survey, deals))
    else:
        show(_drawing(survey), str(survey))


def _facts(survey: Survey, deals: range) -> dict[str, object]:
    return {
        "game": survey.rules.name,
        "rules": asdict(survey.rules),
        "dealer": survey.dealer,
        "deals": [deals[0], deals[-1]],
        "max_nodes": survey.max_nodes,
        "won": survey.won,
        "lost": survey.lost,
        "undecided": survey.undecided,
        "share": survey.share,
        "interval": survey.interval,
        "open": survey.open,
        "nodes": figures(survey.nodes),
        "lengths": figures(survey.lengths),
        "seconds": figures(survey.seconds),
    }


def _drawing(survey: Survey) -> Group:
    return Group(Text(title(survey), style="bold"), *map(counts, tables(survey)))


@contextmanager
def _bar(deals: int) -> Iterator[Callable[[Survey], None] | None]:
    """What a survey is to call, so that a terminal shows how far it is and what it finds."""
    console = Console(stderr=True)
    if not (sys.stderr is not None and sys.stderr.isatty() and console.is_interactive):
        yield None
        return
    bar = Progress(
        BarColumn(bar_width=14),
        TextColumn("{task.percentage:3.0f}%"),
        TextColumn("{task.fields[rate]:,.0f} deals/s"),
        TextColumn("{task.fields[share]:.2%} won [dim]({task.fields[interval]})[/dim]"),
        TimeRemainingColumn(compact=True),
        console=console,
        auto_refresh=False,  # no thread: the survey may fork its workers
        transient=True,
    )
    task = bar.add_task("", total=deals, rate=0.0, share=0.0, interval="0.00 to 100.00")
    start = time.monotonic()
    held: int | None = None

    def progress(survey: Survey) -> None:
        nonlocal held
        held = len(survey) if held is None else held  # what the file held was not settled now
        low, high = survey.interval
        shown: dict[str, Any] = {
            "rate": (len(survey) - held) / max(time.monotonic() - start, 1e-9),
            "share": survey.share,
            "interval": f"{100 * low:.2f} to {100 * high:.2f}",
        }
        bar.update(task, completed=len(survey), refresh=True, **shown)

    with bar:
        yield progress
