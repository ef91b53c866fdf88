"""Surveys: their counts are those of one batch, whoever does the work and whatever dies."""

import json
import math
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from statistics import NormalDist
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from waiting import DEADLINE, wait_until

from scorpion import (
    GAMES,
    Distribution,
    ScorpionError,
    Survey,
    SurveyError,
    solve_many,
    survey,
)
from scorpion.intervals import wilson
from scorpion.surveys.executors import PATIENCE

# Thousands of chunks of some milliseconds: long enough for things to go wrong in between.
GAME, DEALS, NODES = "wasp", range(100_001, 101_501), 500


def counted(found: Survey) -> tuple[object, ...]:
    """What must not depend on who did the work; times do."""
    verdicts = (found.won, found.lost, found.undecided, found.open)
    return (*verdicts, found.nodes, found.lengths, len(found.seconds), found.limit)


@pytest.fixture(scope="module")
def expected() -> tuple[object, ...]:
    """The same from one batch."""
    batch = solve_many(GAME, DEALS, max_nodes=NODES)
    open_ = tuple(n for n, code in zip(DEALS, batch.codes, strict=True) if code == 2)
    lengths = [length for length in batch.lengths if length]
    assert open_, "nothing undecided, so nothing tests that"
    return (
        batch.won,
        batch.lost,
        batch.undecided,
        open_,
        Distribution(dict(sorted(Counter(batch.nodes).items()))),
        Distribution(dict(sorted(Counter(lengths).items()))),
        len(DEALS),
        None,
    )


def chunks_in(path: Path) -> list[int]:
    """The chunks that a file holds, each of which must stand there once."""
    chunks = [json.loads(line)["chunk"] for line in path.read_text().splitlines()[1:]]
    assert len(chunks) == len(set(chunks))
    return sorted(chunks)


# What is counted.


def test_a_survey_counts_what_a_batch_finds(expected: object) -> None:
    found = survey(GAME, DEALS, max_nodes=NODES, workers=2)
    assert counted(found) == expected
    assert (found.rules, found.dealer, found.max_nodes) == (GAMES[GAME], "pysolfc", NODES)
    assert len(found) == len(DEALS)
    assert found.share == found.won / len(DEALS)


def test_numbers_may_come_in_any_iterable() -> None:
    numbers = [7, 5, 32_000, 10**20]
    batch = solve_many("scorpion-tail", numbers, dealer="pysolfc")
    for given_ in (numbers, iter(numbers), dict.fromkeys(numbers)):
        found = survey("scorpion-tail", given_, workers=1)
        assert (found.won, found.lost) == (batch.won, batch.lost)


def test_rules_and_dealers_go_along() -> None:
    """The totals of published deals that two solvers agree on are in test_known.py."""
    rules = replace(GAMES["scorpion"], runs="stay", stock="when-stuck")
    batch = solve_many(rules, range(300, 400), dealer="cardgames")
    found = survey(rules, range(300, 400), dealer="cardgames", workers=1)
    assert (found.won, found.lost, found.undecided) == (batch.won, batch.lost, batch.undecided)
    assert found.rules == rules


def test_the_undecided_can_be_looked_at_for_longer(expected: tuple[Any, ...]) -> None:
    undecided = expected[3]
    found = survey(GAME, undecided, max_nodes=1_000_000, workers=1)
    assert len(found) == len(undecided)
    assert found.undecided == 0


def test_a_survey_of_no_deals() -> None:
    found = survey("wasp", [])
    assert (len(found), found.share, found.interval, found.limit) == (0, 0, (0, 1), None)
    assert (found.nodes.mean, found.nodes.quantile(0.5)) == (0, 0)


def test_looser_rules_lose_nothing() -> None:
    """Whatever wins in Scorpion is legal in Wasp, and when-stuck play at any time."""
    strict = replace(GAMES["scorpion"], stock="when-stuck")
    won = [
        {n for n, code in zip(DEALS, solve_many(rules, DEALS).codes, strict=True) if code == 0}
        for rules in (strict, GAMES["scorpion"], GAMES["wasp"])
    ]
    assert won[0] < won[1] < won[2]


# Intervals and quantiles.


@given(st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilsons_interval_solves_its_equation(seen: tuple[int, int]) -> None:
    """Its ends are the shares p from which what was seen lies z standard errors of p away."""
    successes, trials = seen
    z = NormalDist().inv_cdf(0.975)
    low, high = wilson(successes, trials)
    assert 0 <= low <= successes / trials <= high <= 1
    for end, unless in (low, 0), (high, trials):
        if successes != unless:
            away = abs(successes / trials - end)
            assert math.isclose(away, z * math.sqrt(end * (1 - end) / trials), rel_tol=1e-6)


def test_wilsons_interval_of_a_known_survey() -> None:
    """34,247 winnable of 40,000 deals of Wasp: 85.27 to 85.96%, as the project's notes have it."""
    assert [round(100 * end, 2) for end in wilson(34_247, 40_000)] == [85.27, 85.96]


def test_undecided_deals_count_once_as_won_and_once_as_lost() -> None:
    none = Distribution({})
    found = Survey(GAMES["wasp"], "ms", range(1, 101), 1, 60, 30, 10, (), none, none, none)
    assert found.interval == (wilson(60, 100)[0], wilson(70, 100)[1])


# What is read of them.

TABLE = """\
wasp, ms deals 1001 to 3000

           deals   share      95% interval
winnable   1,200  60.00%  57.84% to 67.06%
lost         700  35.00%
undecided    100   5.00%

              mean  median    99%  99.9%    most
positions     12.2       1      1  5,001  12,345
microseconds  98.5       1  2,000  2,000   2,000
moves to win  50.5      50     51     51      52
"""


def made(numbers: Sequence[int], won: int, lost: int, undecided: int) -> Survey:
    """A survey with these verdicts and some distributions."""
    nodes = Distribution({1: 1996, 2: 1, 5001: 2, 12_345: 1})
    seconds = Distribution({1e-6: 1000, 1.01e-4: 950, 2e-3: 50})
    lengths = Distribution({50: 601, 51: 598, 52: 1})
    counts = (won, lost, undecided, (), nodes, lengths, seconds)
    return Survey(GAMES["wasp"], "ms", numbers, 1000, *counts)


def test_a_surveys_text_is_a_table() -> None:
    """Shares and means by hand; the interval is Wilson's of 1,200 and of 1,300 in 2,000."""
    low, high = wilson(1200, 2000)[0], wilson(1300, 2000)[1]
    assert f"{low:.2%} to {high:.2%}" in TABLE
    assert str(made(range(1001, 3001), 1200, 700, 100)) == TABLE.rstrip()


@pytest.mark.parametrize(
    ("numbers", "settled", "words"),
    [
        (range(7, 8), 1, "wasp, ms deal 7"),
        ((7,), 1, "wasp, ms deal 7"),
        (range(7, 10), 3, "wasp, ms deals 7 to 9"),
        (range(7, 10, 2), 2, "wasp, 2 ms deals"),
        ((7, 9, 8), 3, "wasp, 3 ms deals"),
        (range(7, 7), 0, "wasp, 0 ms deals"),
        (range(1, 2001), 1200, "wasp, ms deals 1 to 2000 (1,200 settled)"),
    ],
)
def test_what_a_survey_is_called(numbers: Sequence[int], settled: int, words: str) -> None:
    survey = made(numbers, settled, 0, 0)
    assert str(survey).partition("\n")[0] == words
    assert repr(survey).startswith(f"<Survey of {words}: {settled:,} won, 0 lost, 0 undecided; ")


def test_a_survey_and_what_it_holds_are_one_line_each() -> None:
    found = survey("wasp", range(1, 201), workers=1)
    won, lost = found.won, found.lost
    low, high = found.interval
    assert repr(found) == (
        f"<Survey of wasp, pysolfc deals 1 to 200: {won:,} won, {lost} lost, 0 undecided;"
        f" {won / 200:.2%} ({low:.2%} to {high:.2%}) winnable>"
    )
    assert repr(Distribution({1: 2, 2: 1, 1500: 1})) == (
        "<Distribution of 4 values: mean 376, median 1, most 1,500>"
    )
    assert repr(Distribution({7.2e-7: 1})) == (
        "<Distribution of 1 value: mean 7.2e-07, median 7.2e-07, most 7.2e-07>"
    )
    assert repr(Distribution({})) == "<Distribution of 0 values: mean 0, median 0, most 0>"
    assert all(len(repr(each)) < 100 for each in (found.nodes, found.lengths, found.seconds))


@given(st.lists(st.integers(0, 50), min_size=1), st.floats(0, 1))
def test_quantiles_are_those_of_the_sorted_values(values: list[int], share: float) -> None:
    found = Distribution(dict(sorted(Counter(values).items())))
    quantile = found.quantile(share)
    assert quantile in values
    assert sum(value <= quantile for value in values) >= share * len(values)
    assert sum(value < quantile for value in values) < max(share * len(values), 1)
    assert math.isclose(found.mean, sum(values) / len(values))


# Executors.


def test_an_executor_of_the_callers_stays_open(expected: object) -> None:
    with ThreadPoolExecutor(2) as threads:
        assert counted(survey(GAME, DEALS, max_nodes=NODES, executor=threads)) == expected
        assert threads.submit(int, "7").result() == 7


def kill_some_child() -> int:
    """How many were killed: one, if there is one. The pool clears away the dead meanwhile."""
    for child in multiprocessing.active_children():
        assert child.pid is not None
        with suppress(ProcessLookupError):
            os.kill(child.pid, signal.SIGKILL)
            return 1
    return 0


@pytest.fixture
def _reported_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress after every chunk, so that a fast machine is not done before it is called."""
    monkeypatch.setattr("scorpion.surveys.survey.REPORT", 0)


@pytest.mark.usefixtures("_reported_at_once")
def test_workers_that_are_killed_are_replaced(expected: object, tmp_path: Path) -> None:
    path = tmp_path / "survey.jsonl"
    seen: list[int] = []
    killed = 0

    def progress(so_far: Survey) -> None:
        nonlocal killed
        if killed < 2 and 0 < len(so_far) < len(DEALS):
            killed += kill_some_child()
        seen.append(len(so_far))

    found = survey(GAME, DEALS, max_nodes=NODES, workers=2, path=path, progress=progress)
    assert counted(found) == expected
    assert chunks_in(path) == list(range(100))
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0, len(DEALS))
    assert killed, "too fast to have been killed in the middle"


@pytest.mark.usefixtures("_reported_at_once")
def test_a_pool_of_the_callers_that_breaks_ends_it(expected: object, tmp_path: Path) -> None:
    path = tmp_path / "survey.jsonl"

    def progress(so_far: Survey) -> None:
        if len(so_far):
            kill_some_child()  # the pool breaks

    budgets: dict[str, Any] = {"max_nodes": NODES, "path": path}
    with ProcessPoolExecutor(2) as pool:
        with pytest.raises(SurveyError, match=r"executor broke .* deals are settled and kept in"):
            survey(GAME, DEALS, executor=pool, progress=progress, **budgets)
        # A pool that breaks while it starts a worker does not end that one, and waits for it.
        for child in multiprocessing.active_children():
            child.kill()
    held = chunks_in(path)
    assert 0 < len(held) < 100
    assert counted(survey(GAME, DEALS, workers=2, **budgets)) == expected
    assert chunks_in(path) == list(range(100))


class Broken(Executor):
    """An executor that is dead from the start."""

    tries = 0

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(BrokenExecutor("dead"))
        return future

    def shutdown(self, *_: Any, **__: Any) -> None:
        Broken.tries += 1


def test_a_pool_that_always_breaks_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorpion.surveys.workers.ProcessPoolExecutor", lambda *_, **__: Broken())
    with pytest.raises(SurveyError, match=r"3 times in a row: dead.*0 of 10 deals are settled$"):
        survey("scorpion", range(1, 11))
    assert Broken.tries == PATIENCE


def test_an_executor_that_was_shut_down_is_refused() -> None:
    threads = ThreadPoolExecutor(1)
    threads.shutdown()
    with pytest.raises(SurveyError, match="cannot schedule new futures after shutdown"):
        survey("scorpion", range(1, 11), executor=threads)


def test_dask_loses_and_repeats_nothing_when_a_worker_is_killed(
    expected: object, tmp_path: Path
) -> None:
    distributed = pytest.importorskip("distributed")
    path = tmp_path / "survey.jsonl"
    killed: list[int] = []
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):

        def progress(so_far: Survey) -> None:
            if len(so_far) and not killed:
                killed.append(next(iter(cluster.workers.values())).pid)
                os.kill(killed[0], signal.SIGKILL)

        executor = client.get_executor()
        found = survey(
            GAME, DEALS, max_nodes=NODES, executor=executor, path=path, progress=progress
        )
        assert killed
        assert client.submit(int, "7").result() == 7
    assert counted(found) == expected
    assert chunks_in(path) == list(range(100))


# Stopping and going on.


def test_cancel_returns_what_is_settled(tmp_path: Path) -> None:
    event, path = threading.Event(), tmp_path / "survey.jsonl"

    def progress(so_far: Survey) -> None:
        if len(so_far):
            event.set()

    found = survey(
        GAME, DEALS, max_nodes=NODES, workers=1, cancel=event, progress=progress, path=path
    )
    assert found.limit == "cancelled"
    assert 0 < len(found) < len(DEALS)
    assert len(chunks_in(path)) * 15 == len(found)
    assert not multiprocessing.active_children()


def test_a_search_under_way_is_cancelled_too() -> None:
    """Searched for minutes without an answer; see test_solver.py."""

    class InASecond:
        end = time.monotonic() + 1

        def is_set(self) -> bool:
            return time.monotonic() >= self.end

    hard = replace(GAMES["scorpion-tail"], runs="stay", stock="when-stuck")
    found = survey(hard, [4], max_nodes=None, workers=1, cancel=InASecond())
    assert (len(found), found.limit) == (0, "cancelled")
    assert time.monotonic() < InASecond.end + DEADLINE


SCRIPT = f"""
import sys, scorpion
if __name__ == "__main__":
    scorpion.survey({GAME!r}, {DEALS!r}, max_nodes={NODES}, workers=2, path=sys.argv[1])
"""


def started(path: Path) -> Iterator[subprocess.Popen[str]]:
    """A survey in a process group of its own, with some chunks in its file."""
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, path],
        start_new_session=True,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        wait_until(lambda: path.exists() and path.read_bytes().count(b"\n") > 10)
        yield process
        # All its workers have ended too: nobody is left in the group.
        wait_until(lambda: not group_lives(process.pid))


def group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")
def test_ctrl_c_ends_it_and_it_goes_on(expected: object, tmp_path: Path) -> None:
    path = tmp_path / "survey.jsonl"
    for process in started(path):
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, complaint = process.communicate(timeout=DEADLINE)
        assert process.returncode == -signal.SIGINT
        assert complaint.count("Traceback") == 1, "only the survey's own, none of the workers'"
    assert 0 < len(chunks_in(path)) < 100
    assert counted(survey(GAME, DEALS, max_nodes=NODES, workers=2, path=path)) == expected
    assert chunks_in(path) == list(range(100))


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")
def test_killed_it_leaves_no_workers_and_goes_on(expected: object, tmp_path: Path) -> None:
    path = tmp_path / "survey.jsonl"
    for process in started(path):
        process.kill()
        process.communicate(timeout=DEADLINE)
    assert counted(survey(GAME, DEALS, max_nodes=NODES, workers=2, path=path)) == expected
    assert chunks_in(path) == list(range(100))


# The file.

SMALL: dict[str, Any] = {"workers": 1, "max_nodes": 300}


@pytest.fixture(scope="module")
def whole() -> Callable[[Path], tuple[bytes, tuple[object, ...]]]:
    """The file of a small survey of twenty chunks, and what it says."""

    def write(path: Path) -> tuple[bytes, tuple[object, ...]]:
        found = survey("scorpion", range(1, 21), path=path, **SMALL)
        return path.read_bytes(), counted(found)

    return write


def test_a_finished_file_is_only_read(
    whole: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "survey.jsonl"
    content, found = whole(path)
    monkeypatch.setattr("scorpion.surveys.workers.ProcessPoolExecutor", lambda *_, **__: Broken())
    assert counted(survey("scorpion", range(1, 21), path=str(path), **SMALL)) == found
    assert path.read_bytes() == content


def test_it_goes_on_wherever_the_file_was_torn(whole: Any, tmp_path: Path) -> None:
    path = tmp_path / "survey.jsonl"
    content, found = whole(path)
    header = content.index(b"\n") + 1
    for length in [0, 1, header - 1, header, header + 1, *range(header + 7, len(content), 397)]:
        path.write_bytes(content[:length])
        with ThreadPoolExecutor(1) as threads:
            again = survey("scorpion", range(1, 21), path=path, max_nodes=300, executor=threads)
        assert counted(again) == found
        assert chunks_in(path) == list(range(20))
        assert path.read_bytes().startswith(content[: content.rfind(b"\n", 0, length) + 1])


def test_a_chunk_that_stands_in_the_file_twice_counts_once(whole: Any, tmp_path: Path) -> None:
    """As when two surveys were writing to it at once."""
    path = tmp_path / "survey.jsonl"
    content, found = whole(path)
    path.write_bytes(content + content[content.index(b"\n") + 1 :])
    assert counted(survey("scorpion", range(1, 21), path=path, **SMALL)) == found


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "wasp"}, "another survey's: its rules is"),
        ({"dealer": "ms"}, "another survey's: its dealer is 'pysolfc', not 'ms'"),
        ({"max_nodes": 299}, "another survey's: its max_nodes is 300, not 299"),
        ({"numbers": range(1, 22)}, "another survey's: its numbers is .*'to': 20"),
        ({"numbers": [*range(1, 21)]}, "another survey's: its numbers is"),
    ],
)
def test_another_surveys_file_is_refused(
    change: dict[str, Any], words: str, whole: Any, tmp_path: Path
) -> None:
    path = tmp_path / "survey.jsonl"
    content, _ = whole(path)
    with pytest.raises(SurveyError, match=words):
        survey(**(SMALL | {"game": "scorpion", "numbers": range(1, 21), "path": path} | change))
    assert path.read_bytes() == content


def test_a_file_of_another_engine_is_refused(
    whole: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "survey.jsonl"
    whole(path)
    monkeypatch.setattr("scorpion.surveys.chunks.VERSION", "9.9")
    with pytest.raises(SurveyError, match=r"its engine is '[\d.]+', not '9\.9'"):
        survey("scorpion", range(1, 21), path=path, **SMALL)


@pytest.mark.parametrize("content", [b"notes", b"notes\n", b'{"a": 1}\n', b"[]\n", b"\0\xff\n"])
def test_a_file_that_is_no_surveys_is_left_alone(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(SurveyError, match=r"notes\.txt is no survey's file"):
        survey("scorpion", range(1, 21), path=path)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"", "no chunk of a survey"),
        (b"{", "no chunk of a survey"),
        (b'{"chunk": 20, "verdicts": "L"}', "no chunk of this survey"),
        (b'{"chunk": 0, "verdicts": "LL"}', "chunk 0 has 1 deals, not the verdicts 'LL'"),
        (b'{"chunk": 0, "verdicts": "X"}', "chunk 0 has 1 deals, not the verdicts 'X'"),
        (b'{"chunk": 0, "verdicts": "L"}', "chunk 0 has no nodes"),
        (b'{"chunk": 0, "verdicts": "L", "nodes": [[1, 0]]}', "chunk 0 has no nodes"),
        (b'{"chunk": 0, "verdicts": "L", "nodes": [["1", 1]]}', "chunk 0 has no nodes"),
        (b'{"chunk": 0, "verdicts": "L", "nodes": [[1, 2]]}', "nodes of another number of deals"),
    ],
)
def test_a_spoilt_line_is_named(line: bytes, words: str, whole: Any, tmp_path: Path) -> None:
    path = tmp_path / "survey.jsonl"
    header, first, *others = whole(path)[0].splitlines()
    path.write_bytes(b"\n".join([header, first, line, *others, b""]))
    with pytest.raises(SurveyError, match=rf"survey\.jsonl, line 3: .*{words}"):
        survey("scorpion", range(1, 21), path=path, **SMALL)


FULL = """
import resource, sys, scorpion
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
if __name__ == "__main__":
    try:
        scorpion.survey("scorpion", range(1, 21), max_nodes=300, workers=1, path=sys.argv[1])
    except scorpion.SurveyError as error:
        print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits are POSIX")
def test_a_full_disk_loses_nothing(whole: Any, tmp_path: Path) -> None:
    found = whole(tmp_path / "whole.jsonl")[1]
    path = tmp_path / "survey.jsonl"
    command = [sys.executable, "-c", FULL, str(path)]
    run = subprocess.run(command, check=True, capture_output=True, text=True, timeout=DEADLINE)
    assert run.stdout == f"cannot write {path}: File too large\n"
    assert path.stat().st_size == 1000
    assert counted(survey("scorpion", range(1, 21), path=path, **SMALL)) == found
    assert chunks_in(path) == list(range(20))


# Bad input.

TWO_DEALS: dict[str, Any] = {"game": "scorpion", "numbers": range(1, 3)}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"dealer": "me"}, "there is no dealer 'me'"),
        ({"dealer": 5}, "there is no dealer 5"),
        ({"numbers": range(3)}, "there is no pysolfc deal 0"),
        ({"numbers": range(3, -1, -1)}, "there is no pysolfc deal 0"),
        ({"numbers": range(1, 2**33 + 1), "dealer": "ms"}, "there is no ms deal 8589934592"),
        ({"numbers": range(1, 10**20)}, "more deals than can be counted"),
        ({"numbers": [1, "2"]}, "a deal number is a whole number, not '2'"),
        ({"numbers": 5}, "the deals' numbers are a range, or a list, not 5"),
        ({"max_nodes": 0}, "max_nodes is 0"),
        ({"workers": 0}, "workers is 0; it must be a whole number above zero"),
        ({"workers": "2"}, "workers is '2'"),
        ({"executor": 5}, "executor is 5; it must be a concurrent.futures.Executor"),
        ({"executor": Broken(), "workers": 2}, "workers are for a survey without an executor"),
        ({"path": 5}, "path is 5; it must name a file"),
        ({"path": "."}, r"cannot open \.: Is a directory"),
        ({"path": "absent/file"}, "cannot open absent/file: No such file or directory"),
        ({"path": "nul\0"}, "cannot open nul\0: embedded null byte"),
        ({"path": "/dev/null"}, "cannot keep a survey in /dev/null: it is no file"),
    ],
)
def test_bad_input_is_one_clear_error(change: dict[str, Any], words: str) -> None:
    with pytest.raises(ScorpionError, match=words):
        survey(**(TWO_DEALS | change))


@pytest.mark.parametrize("share", [-0.1, 1.1, math.nan, "1"])
def test_a_quantile_is_for_a_share(share: Any) -> None:
    with pytest.raises(SurveyError, match="a share from 0 to 1"):
        Distribution({1: 1}).quantile(share)


HOLDING = """
import sys, scorpion
def progress(so_far):
    if not len(so_far):
        print("begun", flush=True)
        sys.stdin.read()
scorpion.survey("scorpion", range(1, 1001), path=sys.argv[1], workers=1, progress=progress)
"""


@pytest.mark.skipif(os.name == "nt", reason="nothing is locked there")
@pytest.mark.parametrize("parameter", ["path", "certify"])
def test_a_file_is_of_one_survey_at_a_time(tmp_path: Path, parameter: str) -> None:
    """Two that wrote to one file spoiled it or lost a line; the second is told who was first."""
    path = tmp_path / "survey"
    command = [sys.executable, "-c", HOLDING.replace("path=", f"{parameter}="), str(path)]
    given: dict[str, Any] = {parameter: path}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "begun\n"
        said = rf"^cannot open {re.escape(str(path))}: process {first.pid} is at work on it$"
        with pytest.raises(SurveyError, match=said if sys.platform == "linux" else "at work"):
            survey("scorpion", range(1, 1001), workers=1, **given)
        first.communicate("")
    assert first.returncode == 0
    # It goes with the process, and the file is whole.
    assert len(survey("scorpion", range(1, 1001), workers=1, **given)) == 1000
