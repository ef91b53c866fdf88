"""What a survey finds, and the table of it that ``str()`` gives and the command prints."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from scorpion.errors import SurveyError
from scorpion.intervals import wilson
from scorpion.rules import Rules
from scorpion.words import count, figure

QUANTILES: Final = {"median": 0.5, "99%": 0.99, "99.9%": 0.999, "most": 1.0}
"""What a table shows of a distribution, but for its mean."""
MICROSECONDS: Final = 1e6
NAMED: Final = 20
"""Deals of a kind that the text of a check names; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """How often each value was seen: ``counts`` maps values to numbers of deals, in order."""

    counts: Mapping[float, int]

    def __repr__(self) -> str:
        found = {"mean": self.mean, "median": self.quantile(0.5), "most": self.quantile(1)}
        shown = ", ".join(f"{name} {figure(value)}" for name, value in found.items())
        return f"<Distribution of {count(len(self), 'value')}: {shown}>"

    def __len__(self) -> int:
        return sum(self.counts.values())

    @property
    def mean(self) -> float:
        """The arithmetic mean; 0 of no values."""
        return sum(value * times for value, times in self.counts.items()) / max(len(self), 1)

    def quantile(self, share: float) -> float:
        """The least value that at least that share of the values do not exceed; 0 of none.

        0.5 is the median, 1 the largest value. Raises :class:`SurveyError` outside 0 to 1.
        """
        if not isinstance(share, int | float) or not 0 <= share <= 1:
            raise SurveyError(f"a quantile is for a share from 0 to 1, not {share!r}")
        left = max(math.ceil(share * len(self)), 1)
        for value, times in self.counts.items():
            left -= times
            if left <= 0:
                return value
        return 0.0


@dataclass(frozen=True, slots=True)
class Survey:
    """What :func:`survey` found: ``won``, ``lost`` and ``undecided`` count the deals.

    ``numbers`` are those of the deals that it was asked for; ``len()`` says how many of
    them are settled, which are all unless it was cancelled or still goes on.
    ``nodes`` (positions seen) and ``seconds`` (rounded to two digits) are distributions
    over all of the deals, ``lengths`` (moves) over the winning lines. ``open`` holds the
    numbers of the undecided deals, so that ``survey(game, found.open, max_nodes=...)``
    looks at them for longer. ``limit`` is "cancelled" if that ended the survey before its
    last deal, else None.

    As text it is the table that ``scorpion survey`` prints.
    """

    rules: Rules
    dealer: str
    numbers: Sequence[int]
    max_nodes: int | None
    won: int
    lost: int
    undecided: int
    open: tuple[int, ...]
    nodes: Distribution
    lengths: Distribution
    seconds: Distribution
    limit: Literal["cancelled"] | None = None

    def __len__(self) -> int:
        return self.won + self.lost + self.undecided

    @property
    def share(self) -> float:
        """The share of the deals that were won, from 0 to 1; 0 of no deals."""
        return self.won / max(len(self), 1)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the share of winnable deals among all there are.

        Wilson's, which holds for shares near 0 and 1 too. Undecided deals count as lost
        for its lower end and as won for its upper, so it holds whatever they are.
        """
        deals = len(self)
        return wilson(self.won, deals)[0], wilson(self.won + self.undecided, deals)[1]

    def __str__(self) -> str:
        return _text(self)

    def __repr__(self) -> str:
        low, high = self.interval
        found = f"{self.won:,} won, {self.lost:,} lost, {self.undecided:,} undecided"
        share = f"{self.share:.2%} ({low:.2%} to {high:.2%})"
        return f"<Survey of {title(self)}: {found}; {share} winnable>"


@dataclass(frozen=True, slots=True)
class SurveyCheck:
    """What :func:`check_survey` found of a certificate.

    ``rules``, ``dealer``, ``numbers``, ``max_nodes`` and the version of the ``engine`` are
    the survey's. ``won`` counts the lines that win when they are replayed,
    ``lost`` the proofs that are accepted. ``unproved`` are the numbers of the deals that
    the survey counts as lost, but of which it found no proof, ``open`` of those that it
    left undecided; ``wrong`` maps those whose evidence does not hold to what is wrong.
    ``limit`` is "cancelled" if that ended the check before the last deal, else None.

    As text it is what ``scorpion check`` prints.
    """

    rules: Rules
    dealer: str
    numbers: Sequence[int]
    max_nodes: int | None
    engine: str
    won: int
    lost: int
    unproved: tuple[int, ...]
    open: tuple[int, ...]
    wrong: Mapping[int, str]
    limit: Literal["cancelled"] | None = None

    def __len__(self) -> int:
        """How many deals were looked at."""
        return self.won + self.lost + len(self.unproved) + len(self.open) + len(self.wrong)

    @property
    def holds(self) -> bool:
        """Whether all the evidence was looked at and none is wrong."""
        return not self.wrong and self.limit is None

    def __str__(self) -> str:
        return _check_text(self)

    def __repr__(self) -> str:
        shown = ", ".join(f"{cells[1]} {cells[0]}" for cells in check_table(self)[1:])
        return f"<SurveyCheck of {title(self)}: {shown}>"


# Tables and text.

Rows = list[list[str]]
"""A table's cells, its head first."""


def title(survey: Survey | SurveyCheck) -> str:
    """Which game it was, which deals, and how many of them are done if not all are."""
    numbers, dealer = survey.numbers, survey.dealer
    if len(numbers) == 1:
        deals = f"{dealer} deal {numbers[0]}"
    elif numbers and isinstance(numbers, range) and numbers.step == 1:
        deals = f"{dealer} deals {numbers[0]} to {numbers[-1]}"
    else:
        deals = count(len(numbers), f"{dealer} deal")
    done = "settled" if isinstance(survey, Survey) else "checked"
    of_them = "" if len(survey) == len(numbers) else f" ({len(survey):,} {done})"
    return f"{survey.rules.name}, {deals}{of_them}"


def figures(found: Distribution) -> dict[str, float]:
    """The mean of a distribution, and where its larger values lie."""
    return {"mean": found.mean} | {name: found.quantile(at) for name, at in QUANTILES.items()}


def tables(survey: Survey) -> tuple[Rows, Rows]:
    """The verdicts, and how the search went."""
    deals = max(len(survey), 1)
    low, high = survey.interval
    verdicts = [
        ["", "deals", "share", "95% interval"],
        ["winnable", f"{survey.won:,}", f"{survey.share:.2%}", f"{low:.2%} to {high:.2%}"],
        ["lost", f"{survey.lost:,}", f"{survey.lost / deals:.2%}", ""],
        ["undecided", f"{survey.undecided:,}", f"{survey.undecided / deals:.2%}", ""],
    ]
    measured = {
        "positions": (survey.nodes, 1.0),
        "microseconds": (survey.seconds, MICROSECONDS),
        "moves to win": (survey.lengths, 1.0),
    }
    searches = [
        [name, *(_short(unit * value) for value in figures(found).values())]
        for name, (found, unit) in measured.items()
    ]
    return verdicts, [["", "mean", *QUANTILES], *searches]


def check_table(check: SurveyCheck) -> Rows:
    """How many deals have which evidence."""
    return [
        ["", "deals"],
        ["lines replayed", f"{check.won:,}"],
        ["proofs accepted", f"{check.lost:,}"],
        ["lost without a proof", f"{len(check.unproved):,}"],
        ["undecided", f"{len(check.open):,}"],
        ["wrong", f"{len(check.wrong):,}"],
    ]


def named(check: SurveyCheck) -> list[str]:
    """The deals that are not shown to be won or lost, in a line each kind, and what is wrong."""
    lines = [
        f"{kind}: {', '.join(map(str, numbers[:NAMED]))}" + _more(numbers)
        for kind, numbers in (
            ("lost without a proof", check.unproved),
            ("undecided", check.open),
        )
        if numbers
    ]
    wrong = [f"deal {number} is wrong: {why}" for number, why in check.wrong.items()]
    return lines + wrong[:NAMED] + ([_more(wrong).strip()] if len(wrong) > NAMED else [])


def _more(things: Sequence[object]) -> str:
    return f" and {len(things) - NAMED:,} more" if len(things) > NAMED else ""


def _check_text(check: SurveyCheck) -> str:
    """The title, the table and the deals that it names, as lines of text."""
    parts = [title(check), _aligned(check_table(check)), "\n".join(named(check))]
    return "\n\n".join(filter(None, parts))


def _short(value: float) -> str:
    """A figure to one decimal, unless it is whole or so large that none counts."""
    return f"{value:,.0f}" if value >= 1000 or value == int(value) else f"{value:,.1f}"


def _text(survey: Survey) -> str:
    """The title and both tables, as lines of text."""
    return "\n\n".join([title(survey), *map(_aligned, tables(survey))])


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        numbers = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        lines.append("  ".join([first.ljust(widths[0]), *numbers]).rstrip())
    return "\n".join(lines)
