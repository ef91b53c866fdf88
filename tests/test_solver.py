"""solve and verify: verdicts, budgets, stopping, threads."""

import itertools
import math
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from decks import EVERY_RULES, FULL, random_deals
from waiting import DEADLINE, spent

from scorpion import _core
from scorpion.board import Board
from scorpion.deals import DEALERS, deal
from scorpion.errors import BoardError, BudgetError, IllegalMoveError, ScorpionError
from scorpion.moves import DEAL, Move
from scorpion.rules import GAMES, Rules
from scorpion.solver import Solution, Verdict, solve, solve_many, verify

# Searched for minutes without an answer; used where a search must be long.
HARD = deal(replace(GAMES["scorpion-tail"], runs="stay", stock="when-stuck"), 4)
# The Microsoft deal that rules.md's authors print; won in wasp.
WON = deal("wasp", 24, dealer="ms")
SOON = 0.05
"""Seconds of processor time within which a search hears what it is told."""
NEARLY_WON = ": 7D 6D 5D 4D 3D 2D AD / KD QD JD TD 9D 8D / : / : / : / : / :"


def nearly_won() -> Board:
    return Board.parse("Foundations: KC KS KH / " + NEARLY_WON, "scorpion")


def test_a_win_comes_with_its_line() -> None:
    solution = solve(WON)
    assert solution.verdict is Verdict.WINNABLE
    assert solution.limit is None
    assert solution.seconds >= 0
    verify(WON, solution.moves)


def test_a_loss_at_a_glance_is_one_position() -> None:
    solution = solve(deal("scorpion", 1))
    assert (solution.verdict, solution.moves, solution.nodes) == (Verdict.LOST, (), 1)
    assert solution.limit is None


def test_one_move_from_the_end() -> None:
    assert solve(nearly_won()).moves == (Move("7D", 2),)


def test_a_won_board_is_won_by_no_moves() -> None:
    board = nearly_won().play(Move("7D", 2))
    assert board.is_won
    solution = solve(board)
    assert (solution.verdict, solution.moves, solution.nodes) == (Verdict.WINNABLE, (), 1)
    verify(board, ())


def test_solution_is_a_value() -> None:
    solution = solve(WON)
    assert pickle.loads(pickle.dumps(solution)) == solution
    assert str(solution.verdict) == "winnable"
    with pytest.raises(AttributeError):
        solution.nodes = 3  # type: ignore[misc]


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_the_same_call_gives_the_same_search(rules: Rules) -> None:
    for number in range(1, 30):
        board = deal(rules, number)
        first = solve(board, max_nodes=5_000)
        # A board read anew, and one that was played to, are the same board.
        again = solve(Board.parse(board.text(), rules), max_nodes=5_000)
        assert (first.verdict, first.moves, first.nodes, first.limit) == (
            again.verdict,
            again.moves,
            again.nodes,
            again.limit,
        )


@pytest.mark.parametrize("game", GAMES)
def test_every_board_along_a_line_is_winnable(game: str) -> None:
    solution = next(s for s in (solve(deal(game, n)) for n in range(5, 50)) if s.moves)
    board = next(deal(game, n) for n in range(5, 50) if solve(deal(game, n)).moves)
    for move in solution.moves:
        board = board.play(move)
        onward = solve(board)
        assert onward.verdict is Verdict.WINNABLE
        verify(board, onward.moves)


# Budgets.


def test_out_of_nodes() -> None:
    for most in (1, 2, 10, 999, 1_000, 1_001, 30_000):
        solution = solve(HARD, max_nodes=most)
        assert solution.verdict is Verdict.UNDECIDED
        assert solution.limit == "nodes"
        assert solution.nodes == most
        assert solution.moves == ()


def test_a_smaller_budget_never_contradicts_a_larger() -> None:
    for number in range(1, 40):
        board = deal("wasp", number)
        full = solve(board)
        for most in (10, 300, 3_000):
            part = solve(board, max_nodes=most)
            if part.verdict is not Verdict.UNDECIDED:
                assert (part.verdict, part.moves, part.nodes) == (
                    full.verdict,
                    full.moves,
                    full.nodes,
                )
            else:
                assert full.nodes > most


@pytest.mark.parametrize("seconds", [0.001, 0.2])
def test_out_of_time(seconds: float) -> None:
    start = time.perf_counter()
    with spent(at_most=seconds + SOON):
        solution = solve(HARD, max_nodes=None, max_seconds=seconds)
    took = time.perf_counter() - start
    assert solution.limit == "seconds"
    assert seconds <= solution.seconds <= took


@pytest.mark.parametrize("most", [1, 5_000, 100_000, 1_000_000, 20_000_000])
def test_out_of_memory(most: int) -> None:
    solution = solve(HARD, max_nodes=None, max_memory=most)
    assert (solution.verdict, solution.limit) == (Verdict.UNDECIDED, "memory")
    # A position takes 32 bytes and its place in the index at least 4.
    assert solution.nodes < 2 * 16_000 + most / 36


MEMORY_SCRIPT = """
from pathlib import Path
from scorpion import Rules, deal, solve

def peak():
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.split("VmHWM:")[1].split()[0])

board = deal(Rules("alternating", runs="stay", stock="when-stuck"), 4)
solve(board, max_nodes=1_000)
Path("/proc/self/clear_refs").write_text("5")
before = peak()
solution = solve(board, max_nodes=None, max_memory={most})
print(solution.limit, peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak from /proc")
def test_memory_is_held_to_the_budget() -> None:
    """The whole process grows by the budget, to within 5%."""
    most = 24 * 2**20
    script = MEMORY_SCRIPT.format(most=most)
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120
    )
    limit, grown = run.stdout.split()
    assert limit == "memory"
    assert 0.9 * most < int(grown) < 1.05 * most


@pytest.mark.parametrize("name", ["max_nodes", "max_seconds", "max_memory"])
@pytest.mark.parametrize("value", [0, -1, -0.5, math.nan, "10", True, [], -math.inf])
def test_budgets_are_positive_numbers(name: str, value: Any) -> None:
    with pytest.raises(BudgetError, match=f"{name} is {value!r}".replace("[", r"\[")):
        solve(WON, **{name: value})


@pytest.mark.parametrize("name", ["max_nodes", "max_memory"])
def test_counts_are_whole(name: str) -> None:
    budget: dict[str, Any] = {name: 1e6}
    with pytest.raises(BudgetError, match="whole number"):
        solve(WON, **budget)


def test_budgets_of_any_size() -> None:
    solution = solve(WON, max_nodes=10**30, max_seconds=math.inf, max_memory=10**30)
    assert solution.verdict is Verdict.WINNABLE
    assert solve(WON, max_nodes=None, max_seconds=None, max_memory=None).moves == solution.moves


def test_budgets_are_named() -> None:
    with pytest.raises(TypeError):
        solve(WON, 1_000)  # type: ignore[call-arg]


POSITION = _core.Position(*next(random_deals(Rules(), FULL, 1)))


@pytest.mark.parametrize("board", [None, "2D", 7, POSITION])
def test_only_boards_are_settled(board: Any) -> None:
    with pytest.raises(BoardError, match="not "):
        solve(board)
    with pytest.raises(BoardError, match="not "):
        verify(board, [])


# Stopping.


def test_cancel_before_the_search() -> None:
    event = threading.Event()
    event.set()
    with spent(at_most=SOON):
        solution = solve(HARD, max_nodes=None, cancel=event)
    assert (solution.verdict, solution.limit) == (Verdict.UNDECIDED, "cancelled")


def test_cancel_from_another_thread() -> None:
    begun, event = threading.Event(), threading.Event()
    set_at: list[float] = []

    def cancel() -> None:
        assert begun.wait(DEADLINE)
        set_at.append(time.process_time())
        event.set()

    thread = threading.Thread(target=cancel)
    thread.start()
    solution = solve(HARD, max_nodes=None, cancel=event, progress=lambda _: begun.set())
    stopped = time.process_time()
    thread.join()
    assert solution.limit == "cancelled"
    assert stopped - set_at[0] < SOON


def test_progress_is_reported() -> None:
    """Four times a second, by the clock; a busy machine may let it wait for longer."""
    event = threading.Event()
    seen: list[tuple[float, float, int]] = []

    def progress(nodes: int) -> None:
        seen.append((time.perf_counter(), time.process_time(), nodes))
        if len(seen) == 4:
            event.set()

    solve(HARD, max_nodes=None, progress=progress, cancel=event)
    counts = [nodes for _, _, nodes in seen]
    assert counts == sorted(set(counts))
    assert seen[-1][0] - seen[0][0] > 0.5
    for (_, before, _), (_, after, _) in itertools.pairwise(seen):
        assert after - before < 0.25 + SOON


def test_an_exception_of_progress_is_passed_on() -> None:
    def progress(nodes: int) -> None:
        raise KeyError(nodes)

    with pytest.raises(KeyError):
        solve(HARD, max_nodes=None, progress=progress)


def test_an_exception_of_cancel_is_passed_on() -> None:
    class Broken:
        def is_set(self) -> bool:
            raise LookupError

    with pytest.raises(LookupError):
        solve(HARD, max_nodes=None, cancel=Broken())


CTRL_C_SCRIPT = """
import os, signal, threading, time
from scorpion import Rules, deal, solve

begun = threading.Event()

def interrupt():
    begun.wait()
    sent.append(time.process_time())
    os.kill(os.getpid(), signal.SIGINT)

sent = []
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Thread(target=interrupt).start()
try:
    board = deal(Rules("alternating", runs="stay", stock="when-stuck"), 4)
    solve(board, max_nodes=None, progress=lambda _: begun.set())
except KeyboardInterrupt:
    print(time.process_time() - sent[0])
"""


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT to a process on Windows")
def test_ctrl_c_stops_the_search() -> None:
    run = subprocess.run(
        [sys.executable, "-c", CTRL_C_SCRIPT],
        check=True,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )
    assert float(run.stdout) < SOON


# Threads.


def work(boards: list[Board]) -> list[Solution]:
    return [solve(board, max_nodes=400_000) for board in boards]


def in_threads(threads: int) -> float:
    """Seconds for that many threads to settle a hard board each."""
    running = [threading.Thread(target=work, args=([HARD],)) for _ in range(threads)]
    start = time.perf_counter()
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return time.perf_counter() - start


@pytest.mark.slow
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores")
def test_two_threads_take_about_as_long_as_one() -> None:
    """Says something on an idle machine only, so it is not among the ordinary tests."""
    assert min(in_threads(2) / in_threads(1) for _ in range(6)) < 1.3


def test_other_threads_run_during_a_search() -> None:
    """The GIL is released: meanwhile Python goes on here, step after step."""
    search = threading.Thread(target=work, args=([HARD],))
    steps = 0
    search.start()
    while search.is_alive():
        time.sleep(0.001)
        steps += 1
    # A search that held the GIL would let no step through before its end.
    assert steps > 10


def test_threads_do_not_disturb_each_other() -> None:
    boards = [deal(game, number) for game in GAMES for number in range(5, 12)]
    expected = [(s.verdict, s.moves, s.nodes) for s in work(boards)]
    found: list[list[Solution]] = []
    threads = [threading.Thread(target=lambda: found.append(work(boards))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [[(s.verdict, s.moves, s.nodes) for s in each] for each in found] == [expected] * 4


# Verify.


def test_verify_names_the_step() -> None:
    moves = list(solve(WON).moves)
    with pytest.raises(IllegalMoveError) as caught:
        verify(WON, [*moves[:7], Move("AS", 9)])
    assert caught.value.step == 8
    assert str(caught.value) == "step 8: there is no column 9; the columns are 1 to 7"


def test_verify_wants_a_win() -> None:
    moves = solve(WON).moves
    with pytest.raises(IllegalMoveError, match="not won after these 20 moves") as caught:
        verify(WON, moves[:20])
    assert caught.value.step is None


@pytest.mark.parametrize(
    ("count", "done"), [(0, "these 0 moves"), (1, "this move"), (2, "these 2 moves")]
)
def test_verify_says_after_how_many_moves(count: int, done: str) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        verify(WON, solve(WON).moves[:count])
    assert str(caught.value) == f"the game is not won after {done}"


def test_verify_takes_no_move_after_the_win() -> None:
    with pytest.raises(IllegalMoveError) as caught:
        verify(nearly_won(), [Move("7D", 2), DEAL])
    assert str(caught.value) == "step 2: deal comes after the game is won"


def test_verify_allows_idle_moves() -> None:
    verify(nearly_won(), [Move("KD", 7), Move("KD", 5), Move("7D", 5)])


def test_verify_reads_any_iterable() -> None:
    def moves() -> Iterator[Move]:
        yield Move("7D", 2)

    verify(nearly_won(), moves())


@pytest.mark.parametrize("moves", [[None], ["7D>2"], [("7D",)], [("7D", "2")], [7]])
def test_verify_refuses_what_is_no_move(moves: Any) -> None:
    with pytest.raises(ScorpionError, match="is not a move"):
        verify(nearly_won(), moves)


# Batches.


def as_batch(solutions: list[Solution]) -> tuple[list[Verdict], list[int], list[int]]:
    """What a batch holds of the same boards settled one by one."""
    return (
        [solution.verdict for solution in solutions],
        [solution.nodes for solution in solutions],
        [len(solution.moves) for solution in solutions],
    )


@pytest.mark.parametrize("dealer", DEALERS)
@pytest.mark.parametrize("game", GAMES)
def test_a_batch_is_its_boards_one_by_one(game: str, dealer: str) -> None:
    numbers = range(31_950, 32_050)
    boards = [deal(game, number, dealer=dealer) for number in numbers]
    batch = solve_many(game, numbers, dealer=dealer, max_nodes=3_000)
    one_by_one = as_batch([solve(board, max_nodes=3_000) for board in boards])
    assert (batch.verdicts(), list(batch.nodes), list(batch.lengths)) == one_by_one
    assert (batch.won, batch.lost, batch.undecided) == tuple(
        one_by_one[0].count(verdict) for verdict in Verdict
    )
    of_boards = solve_many(iter(boards), max_nodes=3_000)
    assert (of_boards.codes, of_boards.nodes, of_boards.lengths) == (
        batch.codes,
        batch.nodes,
        batch.lengths,
    )
    assert len(batch.seconds) == len(batch) == 100
    assert batch.limit is None


@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
def test_batches_go_by_the_rules(rules: Rules) -> None:
    batch = solve_many(rules, range(1, 20), max_nodes=500)
    one_by_one = [solve(deal(rules, number), max_nodes=500) for number in range(1, 20)]
    assert (batch.verdicts(), list(batch.nodes), list(batch.lengths)) == as_batch(one_by_one)


def test_an_empty_batch() -> None:
    for batch in (solve_many("wasp", []), solve_many([])):
        assert (len(batch), batch.won, batch.verdicts(), batch.limit) == (0, 0, [], None)


def test_a_batch_out_of_time_keeps_what_it_has() -> None:
    with spent(at_most=0.3 + SOON):
        batch = solve_many("wasp", itertools.count(1), max_seconds=0.3)
    assert batch.limit == "seconds"
    assert 0 < len(batch) == len(batch.nodes) == len(batch.lengths) == len(batch.seconds)
    again = solve_many("wasp", range(1, len(batch) + 1))
    assert (again.codes, again.nodes) == (batch.codes, batch.nodes)


def test_a_batch_is_cancelled_and_reports() -> None:
    event = threading.Event()
    seen: list[int] = []

    def progress(settled: int) -> None:
        seen.append(settled)
        if len(seen) == 3:
            event.set()

    batch = solve_many("scorpion", itertools.count(1), cancel=event, progress=progress)
    assert batch.limit == "cancelled"
    assert seen == sorted(seen)
    assert len(seen) == 3
    assert len(batch) >= seen[-1] > 0


def test_a_batch_stops_within_a_hard_board() -> None:
    batch = solve_many([WON, HARD, WON], max_nodes=None, max_seconds=0.3)
    assert (batch.verdicts(), batch.limit) == ([Verdict.WINNABLE], "seconds")


def test_memory_holds_for_each_board_of_a_batch() -> None:
    batch = solve_many([HARD, WON, HARD], max_nodes=None, max_memory=3_000_000)
    assert batch.verdicts() == [Verdict.UNDECIDED, Verdict.WINNABLE, Verdict.UNDECIDED]
    alone = solve(HARD, max_nodes=None, max_memory=3_000_000)
    assert list(batch.nodes) == [alone.nodes, solve(WON).nodes, alone.nodes]
    assert solve_many([HARD], max_memory=1).undecided == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("chess", [1]), "no game 'chess'"),
        (("wasp", [1, 0]), "no pysolfc deal 0"),
        (("wasp", [1, "2"]), "whole number, not '2'"),
        (([WON, "wasp"],), "settles Boards, not str"),
    ],
)
def test_batches_refuse_what_is_no_board(arguments: Any, words: str) -> None:
    with pytest.raises(ScorpionError, match=words):
        solve_many(*arguments)
    with pytest.raises(ScorpionError, match="dealer 'me'"):
        solve_many("wasp", [1], dealer="me")
    with pytest.raises(BudgetError):
        solve_many("wasp", [1], max_nodes=0)


# Shorter lines.


@pytest.mark.parametrize("game", GAMES)
def test_shortening_only_ever_shortens(game: str) -> None:
    before = after = 0
    for number in range(100_001, 100_121):
        board = deal(game, number)
        plain = solve(board, max_nodes=5_000)
        short = solve(board, max_nodes=10_000, shorten=True)
        if plain.moves:
            verify(board, short.moves)
            assert len(short.moves) <= len(plain.moves)
            assert plain.nodes <= short.nodes <= plain.nodes + 5_000
            before += len(plain.moves)
            after += len(short.moves)
        elif plain.verdict is Verdict.LOST:
            assert (short.verdict, short.nodes) == (Verdict.LOST, plain.nodes)
    assert after < before


def test_shortening_keeps_to_the_budget() -> None:
    plain = solve(WON)
    short = solve(WON, max_nodes=plain.nodes + 100, shorten=True)
    assert short.verdict is Verdict.WINNABLE
    assert short.nodes <= plain.nodes + 100
    again = solve(WON, max_nodes=plain.nodes + 100, shorten=True)
    assert (again.moves, again.nodes) == (short.moves, short.nodes)


def test_nothing_is_shorter_than_one_move() -> None:
    assert solve(nearly_won(), shorten=True).nodes == solve(nearly_won()).nodes
