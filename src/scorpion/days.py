"""Boards to play: the next winnable deal, and the board of the day."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from hashlib import sha256
from types import MappingProxyType
from typing import Final

from scorpion.board import Board
from scorpion.deals import DEALERS, check_dealer, check_number, deal
from scorpion.errors import DealError
from scorpion.limits import MAX_NODES, Cancel
from scorpion.rules import GAMES, Rules, rules_of
from scorpion.solver import Solution, Verdict, solve
from scorpion.words import count


@dataclass(frozen=True, slots=True)
class WinnableDeal:
    """A numbered deal that can be won, with the line that does it.

    ``board`` is the deal, ``solution`` is WINNABLE. ``undecided`` holds the numbers of
    the deals before it that were passed over because the budget did not settle them.
    Where it is empty, as nearly always, all deals before were proved lost, and this is
    the first winnable one whatever the budget and whoever searches.
    """

    rules: Rules
    dealer: str
    number: int
    board: Board
    solution: Solution
    undecided: tuple[int, ...] = ()

    def __repr__(self) -> str:
        moves = count(len(self.solution.moves), "move")
        passed = f", {len(self.undecided):,} before it undecided" if self.undecided else ""
        which = f"{self.rules.name}, {self.dealer} deal {self.number}"
        return f"<WinnableDeal: {which}, won in {moves}{passed}>"


def winnable(
    game: str | Rules, number: int, *, dealer: str = "pysolfc", max_nodes: int | None = MAX_NODES
) -> WinnableDeal:
    """The first deal from a number on that is proved winnable, with its solution.

    ``max_nodes`` is for each deal, as in :func:`solve`. A deal it does not settle is
    passed over and named in ``undecided``. This searches on until it finds one, which
    under rules that hardly ever win may take long; Ctrl-C ends it.

    Raises :class:`RulesError`, :class:`BudgetError` and :class:`DealError`, the latter
    too if the dealer's numbers end before such a deal.
    """
    rules = rules_of(game)
    check_number(number, check_dealer(dealer))
    found = first_winnable(rules, number, dealer, max_nodes)
    assert found is not None, "nobody could cancel"
    return found


def first_winnable(
    rules: Rules,
    number: int,
    dealer: str,
    max_nodes: int | None,
    *,
    passed: frozenset[int] = frozenset(),
    cancel: Cancel | None = None,
) -> WinnableDeal | None:
    """What :func:`winnable` answers, not looking at the numbers in ``passed``.

    None if it was cancelled.
    """
    undecided: list[int] = []
    for candidate in range(number, DEALERS[dealer] + 1):
        if candidate in passed:
            continue
        board = deal(rules, candidate, dealer=dealer)
        solution = solve(board, max_nodes=max_nodes, cancel=cancel)
        if solution.limit == "cancelled":
            return None
        if solution.verdict is Verdict.WINNABLE:
            return WinnableDeal(rules, dealer, candidate, board, solution, tuple(undecided))
        if solution.verdict is Verdict.UNDECIDED:
            undecided.append(candidate)
    last = DEALERS[dealer]
    raise DealError(f"no {dealer} deal from {number} to the last, {last}, is proved winnable")


@dataclass(frozen=True, slots=True)
class DailyRule:
    """How a version of :func:`daily` comes from a day to a deal.

    The first number looked at is 1 to ``numbers``; ``max_nodes`` is the budget for each
    deal; ``passed`` names by :attr:`Rules.word` the deals that are not looked at.
    """

    dealer: str
    numbers: int
    max_nodes: int
    passed: Mapping[str, frozenset[int]] = field(default_factory=dict)


# Of the deals that daily-1 looks at for the days of the years 2000 to 2399, all that
# 1,000,000 positions did not settle when the rule was made.
_OPEN: Final = MappingProxyType(
    {
        GAMES["wasp"].word: frozenset(
            (
                255_225_628,
                319_523_145,
                370_451_625,
                497_343_889,
            )
        ),
        GAMES["pysol-wasp"].word: frozenset({515_341_866}),
        GAMES["scorpion-tail"].word: frozenset(
            (
                17_126_146,
                20_785_576,
                112_607_423,
                136_267_183,
                206_067_531,
                296_675_943,
                365_175_489,
                404_521_522,
                504_456_007,
                566_613_412,
                576_804_632,
                599_802_933,
                616_200_099,
                692_810_287,
                697_945_979,
                736_030_616,
                753_136_878,
                764_172_228,
                789_952_734,
                807_846_188,
                864_129_573,
                888_544_357,
                940_765_268,
                973_547_174,
            )
        ),
    }
)

DAILY_VERSION: Final = "daily-1"
DAILY_RULES: Final[Mapping[str, DailyRule]] = MappingProxyType(
    {"daily-1": DailyRule("pysolfc", 10**9, 1_000_000, _OPEN)}
)
"""All versions of the rule by their words. What stands here is never changed."""


def daily(game: str | Rules, day: date | str, *, version: str = DAILY_VERSION) -> WinnableDeal:
    """The board of the day: the same for everyone, for ever, and always winnable.

    ``day`` is a date, a datetime (its own day, in its own time zone) or text such as
    ``2027-01-01``.

    The rule of version ``daily-1``: SHA-256 of the text ``daily-1 WORD YYYY-MM-DD``,
    with the :attr:`Rules.word` of the game, read as one big-endian number, taken modulo
    10^9, plus 1, is a PySolFC deal number. The board is the first deal from that number
    on that can be won, but for those that the rule names as passed over.

    Why no later engine changes a board: whether a deal can be won is a fact, and engines
    differ only in how many positions they take to find it out. What could differ is which
    deals stay undecided. For the six presets and every day of the years 2000 to 2399
    those that 1,000,000 positions left open are the ones that the rule names, 29 of
    2.7 million deals (``bench/daily.py`` lists them); all others before a board of the
    day were proved lost. For other rules and days, a deal that 1,000,000 positions leave
    open is passed over and named in ``undecided``; where that is empty, no engine that
    tells the truth has another board.

    Raises :class:`RulesError`, and :class:`DealError` for what is no date and for an
    unknown version.
    """
    rules = rules_of(game)
    found = daily_winnable(rules, check_day(day), check_version(version))
    assert found is not None, "nobody could cancel"
    return found


def daily_winnable(
    rules: Rules, day: date, version: str, cancel: Cancel | None = None
) -> WinnableDeal | None:
    """What :func:`daily` answers; None if it was cancelled."""
    rule = DAILY_RULES[version]
    return first_winnable(
        rules,
        daily_start(rules, day, version),
        rule.dealer,
        rule.max_nodes,
        passed=rule.passed.get(rules.word, frozenset()),
        cancel=cancel,
    )


def daily_start(rules: Rules, day: date, version: str) -> int:
    """The number from which a day's board is sought."""
    digest = sha256(f"{version} {rules.word} {day.isoformat()}".encode()).digest()
    return 1 + int.from_bytes(digest, "big") % DAILY_RULES[version].numbers


def check_day(day: date | str) -> date:
    """The day that a date, a datetime or text stands for; otherwise :class:`DealError`."""
    if isinstance(day, datetime):
        return day.date()
    if isinstance(day, date):
        return day
    try:
        if isinstance(day, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", day):
            return date.fromisoformat(day)
    except ValueError:
        pass
    raise DealError(f"{day!r} is not a day; a day looks like 2027-01-31")


def check_version(version: str) -> str:
    """The version's word, if the daily rule has such a version; otherwise :class:`DealError`."""
    if not isinstance(version, str) or version not in DAILY_RULES:
        known = ", ".join(DAILY_RULES)
        raise DealError(f"there is no version {version!r} of the daily boards, only {known}")
    return version
