"""Proofs of loss: found, checked, refused where they are none, and their budgets."""

import json
import os
import pickle
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from typing import Any

import pytest
from changes import changed_proof
from decks import EVERY_RULES, Shape, random_deals

from scorpion import _core, reference
from scorpion.board import Board, position_of
from scorpion.deals import deal
from scorpion.errors import BoardError, ProofError
from scorpion.limits import Limits
from scorpion.losses.checker import check_position_proof, check_proof
from scorpion.losses.finding import find_proof, find_refutation
from scorpion.losses.locks import Lock, Proof
from scorpion.rules import GAMES, Rules
from scorpion.solver import Verdict, solve

SMALL = [
    Shape(3, 4, 3, (1, 1, 0, 0)),
    Shape(4, 4, 3, (2, 1, 0, 0)),
    Shape(4, 4, 1, (3, 0, 0, 0)),
    Shape(4, 3, 0, (2, 2, 0)),
]
UNPRUNED: dict[str, Any] = {
    "max_nodes": 20_000,
    "max_seconds": 1e9,
    "max_memory": 2**30,
    "prune": False,
    "merge": False,
}
# No lock on the board: a proof of eight positions.
BOARD = deal("scorpion", 59)
# Lost, as a search proves at a twentieth of these positions; no proof has a million.
LONG = deal("scorpion-tail", 25680)


def proof_of(position: _core.Position, most: int = 10_000) -> Proof | str:
    return find_proof(position, Limits.checked(most, None, 2**30))[0]


def bad(position: reference.Position, proof: Proof) -> str | None:
    """What the checker says against a proof; None if it accepts it."""
    try:
        check_position_proof(position, proof)
    except ProofError as error:
        return str(error)
    return None


@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
@pytest.mark.parametrize("deals", [15, pytest.param(100, marks=pytest.mark.slow)])
def test_proofs_of_small_decks(rules: Rules, deals: int) -> None:
    """Lost deals get a proof that the checker accepts; won ones get none.

    Where there are spaces for all, small decks are hardly ever lost.
    """
    proved = with_moves = 0
    for shape in SMALL:
        for parts in islice(random_deals(rules, shape, 1), deals):
            try:
                core, position = _core.Position(*parts), reference.Position(*parts)
            except BoardError:
                continue
            outcome = _core.search(core, **UNPRUNED)[0]
            proof = proof_of(core, 30 if outcome == "won" else 300)
            if isinstance(proof, Proof):
                assert outcome != "won"
                check_position_proof(position, proof)
                proved += 1
                with_moves += len(proof.ends) > 1
            else:
                assert outcome != "lost" or proof == "nodes"
    assert proved > 3
    assert with_moves > 0 or rules.build == "alternating"


def test_changed_proofs_are_refused() -> None:
    """Ends of small proofs changed; and no proof of one deal is one of a winnable deal."""
    changed = winnable = 0
    proofs: list[Proof] = []
    for rules, shape in product(EVERY_RULES[::3], SMALL[:2]):
        for parts in islice(random_deals(rules, shape, 2), 12):
            try:
                core, position = _core.Position(*parts), reference.Position(*parts)
            except BoardError:
                continue
            if _core.search(core, **UNPRUNED)[0] == "won":
                winnable += len(proofs[-4:])
                assert all(bad(position, other) for other in proofs[-4:])
                continue
            proof = proof_of(core, 60)
            if not isinstance(proof, Proof):
                continue
            proofs.append(proof)
            assert bad(position, replace(proof, ends=(*proof.ends, None)))
            assert bad(position, replace(proof, ends=proof.ends[:-1]))
            for place, end in islice(enumerate(proof.ends), 20):
                before, after = proof.ends[:place], proof.ends[place + 1 :]
                assert bad(position, replace(proof, ends=(*before, len(proof.locks), *after)))
                if end is None:
                    # A position without a lock is given one that holds elsewhere.
                    for lock in range(min(3, len(proof.locks))):
                        assert bad(position, replace(proof, ends=(*before, lock, *after)))
                        changed += 1
    assert changed > 20
    assert winnable > 20


@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
@pytest.mark.parametrize("most", [6, pytest.param(700, marks=pytest.mark.slow)])
def test_a_proof_with_one_change_is_refused_or_one_all_the_same(rules: Rules, most: int) -> None:
    """Each is tried where it was found and on winnable positions of its shape.

    What is accepted is a proof all the same if the position is lost, as unpruned search says
    where it comes to an end. (Any second proof is right then: a checker only errs by accepting
    one of a position that can be won.)
    """
    chance = random.Random(f"{rules} {most}")
    refused = held = searched = winnable = 0
    won_of: dict[Shape, list[reference.Position]] = {}
    for shape in SMALL * 100:
        won = won_of.setdefault(shape, [])
        for parts in islice(random_deals(rules, shape, chance.randrange(10**6)), 12):
            try:
                core, position = _core.Position(*parts), reference.Position(*parts)
            except BoardError:
                continue
            outcome = _core.search(core, **UNPRUNED)[0]
            if outcome == "won":
                won.append(position)
                continue
            proof = proof_of(core, 60)
            if not isinstance(proof, Proof):
                continue
            for _ in range(3):
                other = changed_proof(proof, chance)
                if bad(position, other):
                    refused += 1
                else:
                    held += 1
                    searched += outcome == "lost"
                for each in won[-2:]:
                    assert bad(each, other)
                    winnable += 1
            if refused + held >= most:
                assert refused > most / 2
                assert winnable > most / 20 or most < 100
                assert searched >= held / 2
                return
    raise AssertionError(f"only {refused + held} proofs")


@pytest.mark.parametrize("game", GAMES)
def test_proofs_of_full_deals(game: str) -> None:
    """Of the first lost deals: found through solve, checked, and through JSON and back."""
    proved = 0
    for number in range(1, 120):
        board = deal(game, number)
        if solve(board).verdict is not Verdict.LOST:
            continue
        solution = solve(board, max_nodes=200, proof=True)
        if solution.proof is None:
            assert solution.limit == "nodes"
            continue
        assert solution.limit is None
        check_proof(board, solution.proof)
        data = json.loads(json.dumps(solution.proof.to_dict()))
        assert Proof.from_dict(data) == solution.proof
        assert pickle.loads(pickle.dumps(solution)) == solution
        proved += 1
    assert proved > 2


def test_a_proof_of_several_positions() -> None:
    plain = solve(BOARD)
    assert (plain.verdict, plain.proof) == (Verdict.LOST, None)
    solution = solve(BOARD, proof=True)
    assert solution.proof is not None
    told = (
        "8 positions can be reached; 4 have a lock, none is won. In 2 of these: 3S lies under 7H,"
    )
    assert str(solution.proof).startswith(told)
    assert solution.nodes == plain.nodes + 8
    check_proof(BOARD, solution.proof)
    with pytest.raises(ProofError, match=r"position 0: .* does not lie under"):
        check_proof(deal("scorpion", 1), replace(solution.proof, ends=(0,)))


# Lost `wasp` deals whose positions have long arguments, one much like the next; and how many
# positions can be reached until all have one, by the reasons of each position by itself.
ALIKE = {2856: 55, 3304: 80, 4423: 456, 4698: 10, 4923: 24}


@pytest.mark.parametrize(
    "number",
    [pytest.param(each, marks=pytest.mark.slow if ALIKE[each] > 60 else ()) for each in ALIKE],
)
def test_positions_are_refuted_as_they_are_alone(number: int) -> None:
    """An argument that serves for a position after another is checked, and none is missed."""
    board = deal("wasp", number)
    proof = proof_of(position_of(board))
    assert isinstance(proof, Proof)
    assert len(proof.ends) == ALIKE[number]
    check_proof(board, proof)
    reached = {position_of(board).key: position_of(board)}
    for position, end in zip(reached_from(reached), proof.ends, strict=True):
        assert (find_refutation(position) is None) == (end is None)


def reached_from(reached: dict[tuple[int, int, int], _core.Position]) -> Iterator[_core.Position]:
    """Positions in the order of a proof, the nearest first, down to those with a reason."""
    waiting = list(reached.values())
    for position in waiting:
        yield position
        if find_refutation(position) is None:
            for move in position.legal_moves():
                after = position.after(move)
                if reached.setdefault(after.key, after) is after:
                    waiting.append(after)


def test_what_is_winnable_has_no_proof() -> None:
    board = deal("scorpion", 5)
    solution = solve(board, proof=True)
    assert (solution.verdict, solution.proof, solution.limit) == (Verdict.WINNABLE, None, None)
    assert solution.nodes == solve(board).nodes
    with pytest.raises(ProofError, match="position 1 is won"):
        check_proof(*nearly_won())


def nearly_won() -> tuple[Board, Proof]:
    """A board one move from its end, and a proof that plays on to where it is won."""
    text = "Foundations: KC KS KH / : 7D 6D 5D 4D 3D 2D AD / KD QD JD TD 9D 8D / : / : / : / : / :"
    return Board.parse(text), Proof((), (None, None))


def test_bad_proofs() -> None:
    lock = Lock(())
    for wrong, message in (
        (None, "a proof is a Proof, not NoneType"),
        (Proof(None, ()), "are tuples"),  # type: ignore[arg-type]
        (Proof((), [None]), "are tuples"),  # type: ignore[arg-type]
        (Proof((), ()), "more than the 0 positions of the proof can be reached"),
        (Proof((), (0,)), "position 0: there is no lock 0"),
        (Proof((lock,), (-1,)), "position 0: there is no lock -1"),
        (Proof((lock,), (True,)), "position 0: there is no lock True"),
        (Proof((lock,), ("0",)), "position 0: there is no lock '0'"),  # type: ignore[arg-type]
        (Proof((lock,), (0,)), "position 0: none of the cards"),
        (Proof((None,), (0,)), "position 0: a lock is a Lock"),  # type: ignore[arg-type]
    ):
        with pytest.raises(ProofError, match=message):
            check_proof(BOARD, wrong)  # type: ignore[arg-type]
    with pytest.raises(BoardError, match="check_proof looks at a Board, not str"):
        check_proof("board", Proof((), ()))  # type: ignore[arg-type]
    for data in (None, {}, {"locks": [], "ends": 7}, {"locks": [], "ends": [0]}):
        with pytest.raises(ProofError):
            Proof.from_dict(data)


# Budgets.


def test_out_of_nodes() -> None:
    """The loss is known all the same; the positions of the proof count as well."""
    searched = solve(BOARD).nodes
    for most in (searched, searched + 1, searched + 7):
        solution = solve(BOARD, max_nodes=most, proof=True)
        assert (solution.verdict, solution.proof) == (Verdict.LOST, None)
        assert (solution.limit, solution.nodes) == ("nodes", most)
    assert solve(BOARD, max_nodes=searched + 8, proof=True).proof is not None
    first = solve(LONG, max_nodes=150, proof=True)
    again = solve(LONG, max_nodes=150, proof=True)
    assert (first.limit, first.nodes) == (again.limit, again.nodes) == ("nodes", 150)


def test_out_of_time_and_memory() -> None:
    # The search is over in a twentieth of that, the proof not in five times as long.
    solution = solve(LONG, max_seconds=1, proof=True)
    assert (solution.verdict, solution.proof, solution.limit) == (Verdict.LOST, None, "seconds")
    assert solution.seconds > 1
    solution = solve(LONG, max_memory=400_000, proof=True)
    assert (solution.verdict, solution.proof, solution.limit) == (Verdict.LOST, None, "memory")


MEMORY_SCRIPT = """
from pathlib import Path
from scorpion import deal
from scorpion.board import position_of
from scorpion.limits import Limits
from scorpion.losses.finding import find_proof, find_refutation

def peak():
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.split("VmHWM:")[1].split()[0])

position = position_of(deal("scorpion-tail", 25680))
find_proof(position, Limits.checked(100, None, None))
Path("/proc/self/clear_refs").write_text("5")
before = peak()
outcome, reached = find_proof(position, Limits.checked(None, None, {most}))
print(outcome, peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak from /proc")
def test_memory_is_held_to_the_budget() -> None:
    """The whole process grows by no more than the budget, and most of it is used."""
    most = 32 * 2**20
    script = MEMORY_SCRIPT.format(most=most)
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120
    )
    outcome, grown = run.stdout.split()
    assert outcome == "memory"
    assert 0.5 * most < int(grown) < 1.05 * most


def test_cancelled() -> None:
    cancel = threading.Event()
    told: list[int] = []

    def progress(nodes: int) -> None:
        told.append(nodes)
        cancel.set()

    solution = solve(LONG, cancel=cancel, progress=progress, proof=True)
    assert (solution.verdict, solution.proof, solution.limit) == (Verdict.LOST, None, "cancelled")
    assert told
    assert 0 < told[0] <= solution.nodes


SCRIPT = """
from scorpion import deal, explain, solve
from scorpion.board import position_of
for number in (40, 186, 212):
    print(explain(deal("scorpion-tail", number)))
print(solve(deal("scorpion", 59), proof=True).proof.to_dict())
print(solve(deal("wasp", 8), proof=True).proof.to_dict())
"""


def test_the_same_reasons_everywhere() -> None:
    """Nothing depends on the order of sets, which Python changes from run to run."""
    answers = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(answers) == 1


def test_circles_within_the_cases_of_circles() -> None:
    """More of them than there is room for, which the arguments for them have to do without."""
    board = deal("scorpion", 38156)
    proof = solve(board, proof=True, max_nodes=5_000).proof
    assert proof is not None
    check_proof(board, proof)
