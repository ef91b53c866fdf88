"""The next winnable deal, the board of the day, and how hard a board is."""

import hashlib
import pickle
import re
import signal
import subprocess
import sys
import time
from dataclasses import FrozenInstanceError, replace
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

import scorpion
from scorpion import (
    DEALERS,
    GAMES,
    Board,
    BudgetError,
    DealError,
    Rules,
    RulesError,
    Verdict,
    days,
    reference,
    solve_many,
)
from scorpion.days import DAILY_RULES, DailyRule, WinnableDeal, daily, winnable
from scorpion.deals import deal
from scorpion.hardness import difficulty
from scorpion.solver import solve, verify

DATA = Path(__file__).parent / "data" / "daily"
NEW_YEAR = date(2027, 1, 1)


def wins_on_the_reference(found: WinnableDeal) -> bool:
    board = found.board
    position = reference.Position(board.rules, board.columns, board.face_down, board.stock)
    for move in found.solution.moves:
        position.play(move)
    return position.is_won


# winnable


@pytest.mark.parametrize("dealer", DEALERS)
@pytest.mark.parametrize("game", GAMES)
def test_winnable_is_the_first_that_can_be_won(game: str, dealer: str) -> None:
    verdicts = solve_many(game, range(1, 101), dealer=dealer).verdicts()
    for number in range(1, 60):
        found = winnable(game, number, dealer=dealer)
        assert found.number == number + verdicts[number - 1 :].index(Verdict.WINNABLE)
        assert found.undecided == ()


@pytest.mark.parametrize("rules", [*GAMES.values(), Rules(runs="stay", stock="when-stuck")])
def test_winnable_comes_with_its_board_and_a_line_that_wins(rules: Rules) -> None:
    found = winnable(rules, 31_990)
    assert (found.rules, found.dealer) == (rules, "pysolfc")
    assert found.board == deal(rules, found.number)
    assert found.solution.verdict is Verdict.WINNABLE
    assert wins_on_the_reference(found)
    again = solve(found.board)
    assert (again.moves, again.nodes) == (found.solution.moves, found.solution.nodes)


def test_a_winnable_deal_is_a_value() -> None:
    found = winnable("wasp", 1)
    assert pickle.loads(pickle.dumps(found)) == found
    assert hash(found) == hash(replace(found))
    with pytest.raises(FrozenInstanceError):
        found.number = 2  # type: ignore[misc]


def test_deals_that_the_budget_leaves_open_are_passed_over_and_named() -> None:
    batch = solve_many("wasp", range(1, 200))
    # All are settled, so a smaller budget leaves open just those that need more.
    assert batch.undecided == 0
    won = [seen for seen, code in zip(batch.nodes, batch.codes, strict=True) if code == 0]
    budget = sorted(won)[10]
    verdicts = solve_many("wasp", range(1, 200), max_nodes=budget).verdicts()
    assert verdicts[0] is Verdict.UNDECIDED
    first = verdicts.index(Verdict.WINNABLE)
    found = winnable("wasp", 1, max_nodes=budget)
    assert found.number == first + 1
    assert found.undecided == tuple(
        number for number, verdict in enumerate(verdicts[:first], 1) if verdict is Verdict.UNDECIDED
    )


def test_no_winnable_deal_before_the_numbers_end() -> None:
    last = DEALERS["ms"]
    before = range(last - 40, last + 1)
    verdicts = solve_many("scorpion", before, dealer="ms").verdicts()
    winners = [
        number
        for number, verdict in zip(before, verdicts, strict=True)
        if verdict is Verdict.WINNABLE
    ]
    assert winnable("scorpion", winners[-1], dealer="ms").number == winners[-1] < last
    number = winners[-1] + 1
    message = f"^no ms deal from {number} to the last, {last}, is proved winnable$"
    with pytest.raises(DealError, match=message):
        winnable("scorpion", number, dealer="ms")


@pytest.mark.parametrize("number", [0, -1, 10**20 + 1, 1.0, "1", None, True, [1]])
def test_winnable_refuses_what_is_no_number(number: Any) -> None:
    with pytest.raises(DealError, match="deal"):
        winnable("scorpion", number)


@pytest.mark.parametrize("game", ["tarantula", "", None, 5, ["wasp"], b"wasp"])
def test_there_is_no_such_game(game: Any) -> None:
    with pytest.raises(RulesError, match="there is no game"):
        winnable(game, 1)
    with pytest.raises(RulesError, match="there is no game"):
        daily(game, NEW_YEAR)


@pytest.mark.parametrize("dealer", ["", "gnome", None, 5, ["ms"]])
def test_there_is_no_such_dealer(dealer: Any) -> None:
    with pytest.raises(DealError, match="there is no dealer"):
        winnable("wasp", 1, dealer=dealer)


@pytest.mark.parametrize("max_nodes", [0, -1, "many", 1.5, True])
def test_winnable_refuses_what_is_no_budget(max_nodes: Any) -> None:
    with pytest.raises(BudgetError, match=r"^max_nodes is"):
        winnable("wasp", 1, max_nodes=max_nodes)


def test_ctrl_c_ends_a_search_that_finds_nothing() -> None:
    """Six cards face down in every column: no such deal is won for a very long time."""
    script = (
        "import scorpion, sys\n"
        "rules = scorpion.Rules(face_down=(6,) * 7, stock='when-stuck')\n"
        "print(flush=True)\n"
        "scorpion.winnable(rules, 1)\n"
    )
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        time.sleep(0.3)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        try:
            process.wait(60)
        finally:
            process.kill()
        assert process.stderr.read().rstrip().endswith(b"KeyboardInterrupt")


# daily


def recorded(game: str) -> dict[date, int]:
    lines = (DATA / f"{game}.txt").read_text().split("\n")
    pairs = [line.split() for line in lines if line and not line.startswith("#")]
    return {date.fromisoformat(day): int(number) for day, number in pairs}


@pytest.mark.parametrize("game", GAMES)
def test_the_first_thousand_daily_boards_are_those_on_record(game: str) -> None:
    """If this fails, what players hold in their hands has changed: the record is right.

    A change of the rule is a new version; the old one must go on giving these.
    """
    record = recorded(game)
    assert list(record) == [NEW_YEAR + timedelta(after) for after in range(1_000)]
    for day, number in record.items():
        found = daily(game, day, version="daily-1")
        assert (found.number, found.undecided) == (number, ()), day
        verify(deal(game, number), found.solution.moves)


@pytest.mark.parametrize("game", GAMES)
def test_the_record_follows_the_rule_as_it_is_written(game: str) -> None:
    """From the hashed number on all deals are lost up to the recorded one, which is not."""
    word = GAMES[game].word
    candidates: list[int] = []
    ends = []
    for day, number in recorded(game).items():
        digest = hashlib.sha256(f"daily-1 {word} {day}".encode()).hexdigest()
        start = int(digest, 16) % 10**9 + 1
        candidates += range(start, number + 1)
        ends.append(len(candidates) - 1)
    codes = bytearray(solve_many(game, candidates).codes)
    for end in ends:
        assert codes[end] == 0
        codes[end] = 1
    assert set(codes) == {1}


@pytest.mark.parametrize("game", GAMES)
def test_daily_lines_win_on_the_reference_engine(game: str) -> None:
    for after in range(0, 1_000, 100):
        assert wins_on_the_reference(daily(game, NEW_YEAR + timedelta(after)))


def test_daily_takes_dates_times_and_text() -> None:
    found = daily("wasp", date(2026, 12, 24))
    # A time has the day that its own clock shows.
    east = datetime(2026, 12, 24, 0, 30, tzinfo=timezone(timedelta(hours=10)))
    assert east.astimezone(UTC).day == 23
    for same in (east, datetime(2026, 12, 24, 23, 59, tzinfo=UTC), "2026-12-24"):
        assert daily("wasp", same).number == found.number
    assert daily(GAMES["wasp"], "2026-12-24").number == found.number


@pytest.mark.parametrize("day", [date.min, date.max])
def test_every_date_has_a_board(day: date) -> None:
    for game in GAMES:
        assert daily(game, day).board.rules is GAMES[game]


def test_every_rule_has_its_own_board() -> None:
    day = date(2027, 3, 4)
    rules = [*GAMES.values(), Rules(runs="stay"), Rules(face_down=(2, 2, 2, 2, 0, 0, 0))]
    assert len({daily(each, day).number for each in rules}) == len(rules)


@pytest.mark.parametrize(
    "day",
    [
        "2027-02-29",
        "2027-13-01",
        "20270101",
        "2027-W01-1",
        "2027-1-1",
        " 2027-01-01",
        "2027-01-01\n",
        "2027-01-01T00:00",
        "2027-01-0\N{ARABIC-INDIC DIGIT ONE}",
        "tomorrow",
        "",
        None,
        20270101,
        1.5,
        b"2027-01-01",
        (2027, 1, 1),
    ],
)
def test_dates_that_are_not_dates(day: Any) -> None:
    with pytest.raises(DealError) as caught:
        daily("wasp", day)
    assert str(caught.value) == f"{day!r} is not a day; a day looks like 2027-01-31"


@pytest.mark.parametrize("version", ["daily-0", "", None, 1, ["daily-1"]])
def test_there_is_no_such_version(version: Any) -> None:
    with pytest.raises(DealError, match=r"^there is no version .* of the daily boards, only daily"):
        daily("wasp", NEW_YEAR, version=version)


def test_a_new_version_leaves_the_old_one_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    before = daily("wasp", NEW_YEAR, version="daily-1").number
    other = {"daily-2": DailyRule("ms", 1_000, 1_000_000)}
    monkeypatch.setattr(days, "DAILY_RULES", MappingProxyType(dict(DAILY_RULES) | other))
    after = daily("wasp", NEW_YEAR, version="daily-2")
    assert after.dealer == "ms"
    assert after.number < 1_100
    assert daily("wasp", NEW_YEAR, version="daily-1").number == before


def test_the_rule_of_a_version_passes_over_the_deals_it_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = daily("wasp", NEW_YEAR)
    passing = DailyRule("pysolfc", 10**9, 10**6, {GAMES["wasp"].word: frozenset({start.number})})
    monkeypatch.setattr(days, "DAILY_RULES", {"daily-1": passing})
    found = daily("wasp", NEW_YEAR)
    assert found.number == winnable("wasp", start.number + 1).number
    assert found.undecided == ()


def test_a_version_passes_over_what_it_names_without_searching() -> None:
    """The deals that were open when the rule was made cost nothing and change nothing."""
    named = {word: sorted(numbers) for word, numbers in DAILY_RULES["daily-1"].passed.items()}
    assert set(named) <= {rules.word for rules in GAMES.values()}
    for game, rules in GAMES.items():
        for number in named.get(rules.word, []):
            found = days.first_winnable(
                rules, number, "pysolfc", 1_000_000, passed=frozenset(named[rules.word])
            )
            assert found is not None, game
            assert found.number > number
            assert number not in found.undecided


# difficulty

LOST = scorpion.deal("scorpion", 1)
WON = Board("scorpion", [[]] * 7, foundations=["KC", "KD", "KH", "KS"])
END = "Foundations: KC KS KH / : 7D 6D 5D 4D 3D 2D AD / KD QD JD TD 9D 8D / : / : / : / : / :"


def test_the_ends_of_the_scale() -> None:
    assert difficulty(WON) == 0.0
    assert difficulty(Board.parse(END)) == 0.0
    assert difficulty(LOST) == 1.0


@pytest.mark.parametrize("game", GAMES)
def test_difficulty_is_in_range_and_the_same_again(game: str) -> None:
    found = [winnable(game, 1_000 * block).board for block in range(1, 21)]
    values = [difficulty(board) for board in found]
    assert all(0 <= value < 1 for value in values)
    assert len(set(values)) > 10
    assert [difficulty(Board.from_bytes(board.to_bytes())) for board in found] == values


def test_difficulty_is_what_it_says_it_is() -> None:
    """Recomputed for an in-suit game, where all lost moves of these lines are refuted at a glance.

    The share of legal moves that keep the win, settled one by one instead of asking the
    closure, to the power 0.9^i.
    """
    compared = 0
    for number in range(1, 60):
        board = deal("open-wasp", number)
        solution = solve(board)
        if solution.verdict is not Verdict.WINNABLE:
            continue
        product, glance = 1.0, True
        for place, move in enumerate(solution.moves):
            after = [board.play(other) for other in board.legal_moves()]
            lost = [other for other in after if solve(other).verdict is Verdict.LOST]
            glance = glance and all(solve(other).nodes == 1 for other in lost)
            product *= (1 - len(lost) / len(after)) ** (0.9**place)
            board = board.play(move)
        if glance:
            assert difficulty(deal("open-wasp", number)) == pytest.approx(1 - product)
            compared += 1
    assert compared >= 10


@pytest.mark.parametrize("board", [None, "wasp", 5])
def test_only_a_board_has_a_difficulty(board: Any) -> None:
    with pytest.raises(scorpion.BoardError, match="settles a Board"):
        difficulty(board)


@pytest.mark.parametrize(
    ("deals", "plays", "least"),
    [(40, 15, 0.35), pytest.param(80, 30, 0.26, marks=pytest.mark.slow)],
)
def test_difficulty_orders_boards_as_play_does(deals: int, plays: int, least: float) -> None:
    """A slice of what bench/difficulty.py measures; docs/results.md has the whole."""
    script = Path(__file__).parent.parent / "bench" / "difficulty.py"
    run = subprocess.run(
        [sys.executable, script, "--deals", str(deals), "--plays", str(plays)],
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    )
    said = re.findall(
        r"winning first moves (\S+), random plays won (\S+)$", run.stdout, re.MULTILINE
    )
    agreements = [float(agreement) for game in said for agreement in game]
    assert len(agreements) == 2 * len(GAMES)
    # Of so many pairs in random order one in a hundred is this far from none.
    assert min(agreements) >= least
