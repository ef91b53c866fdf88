"""Small decks, searched to the end: pruned search, unpruned search, and plain Python.

Nothing that prunes is trusted for its argument alone: on thousands of small deals
per rule set its verdict is that of exhaustive search. Three searches meet here: the
core's with all its reductions, the core's without any that could lose a win, and one
in plain Python over the reference engine that knows nothing of the core.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import pytest
from decks import EVERY_RULES, SHAPES, Parts, Shape, random_deals

from scorpion import _core, reference
from scorpion.errors import BoardError
from scorpion.rules import Rules

BUDGET: dict[str, Any] = {"max_nodes": 20_000, "max_seconds": 1e9, "max_memory": 2**30}
FEW = 2_000
"""Positions that settle most small deals; what is left takes most of the time."""
PLAIN: dict[str, Any] = {**BUDGET, "prune": False, "merge": False}
TINY = [Shape(3, 4, 2, (1, 1, 0, 0)), Shape(3, 3, 3, (1, 1, 1)), Shape(3, 4, 0, (2, 1, 0, 0))]


def legal(layouts: Iterable[Parts]) -> Iterator[tuple[Parts, _core.Position]]:
    """Those that hold no finished run to begin with, with their positions."""
    for parts in layouts:
        try:
            yield parts, _core.Position(*parts)
        except BoardError:
            continue


def playable(rules: Rules, shape: Shape, seed: int) -> Iterator[tuple[Parts, _core.Position]]:
    """Random deals of the shape."""
    return legal(random_deals(rules, shape, seed))


def replays(parts: Parts, moves: Any) -> bool:
    position = reference.Position(*parts)
    for move in moves:
        position.play(move)
    return position.is_won


def compare(
    positions: Iterable[tuple[Parts, _core.Position]], most: int = 20_000
) -> tuple[int, int, int]:
    """How many are settled beyond doubt, are lost, and are judged differently."""
    settled = lost = differing = 0
    for parts, core in positions:
        outcome, moves, _ = _core.search(core, **BUDGET | {"max_nodes": most})
        plain, plain_moves, _ = _core.search(core, **PLAIN | {"max_nodes": most})
        assert outcome != "won" or replays(parts, moves)
        assert plain != "won" or replays(parts, plain_moves)
        # A line that replays is a proof by itself; a loss needs the plain search's word.
        if outcome == "nodes" or (outcome == "lost" and plain == "nodes"):
            continue
        settled += 1
        lost += plain == "lost"
        differing += {outcome, plain} == {"won", "lost"}
    return settled, lost, differing


def disagreements(
    rules: Rules, shape: Shape, seed: int, deals: int, most: int = 20_000
) -> tuple[int, int, int]:
    """The same of random deals of a shape."""
    return compare(islice(playable(rules, shape, seed), deals), most)


@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
def test_pruned_search_agrees_with_unpruned(rules: Rules) -> None:
    """Eleven shapes, 25 deals each: 275 deals a rule set."""
    settled = lost = 0
    for shape in SHAPES:
        both, none, differing = disagreements(rules, shape, 1, 25, FEW)
        assert differing == 0
        settled += both
        lost += none
    # Least of all where the stock may not be dealt while twins can be exchanged.
    assert settled > 120
    assert lost > 3


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
def test_pruned_search_agrees_with_unpruned_at_length(rules: Rules, shape: Shape) -> None:
    settled, _, differing = disagreements(rules, shape, 2, 5_000)
    assert differing == 0
    assert settled > 4_000


def arrangement(position: reference.Position) -> tuple[object, ...]:
    return (position.columns, position.face_down, position.stock)


def plain_python_wins(parts: Parts, at_most: int) -> bool | None:
    """Whether any line wins, by depth-first search over the reference engine.

    None if more than ``at_most`` positions are reached without an answer.
    """
    position = reference.Position(*parts)
    seen = {arrangement(position)}
    untried = [position.legal_moves()]
    while untried:
        if position.is_won:
            return True
        if len(seen) > at_most:
            return None
        if not untried[-1]:
            untried.pop()
            if untried:
                position.undo()
            continue
        position.play(untried[-1].pop())
        if arrangement(position) in seen:
            position.undo()
        else:
            seen.add(arrangement(position))
            untried.append(position.legal_moves())
    return False


def compare_with_plain_python(rules: Rules, seed: int, deals: int) -> int:
    """Compare verdicts on tiny deals; answers how many were settled."""
    settled = 0
    for shape in TINY:
        for parts, core in islice(playable(rules, shape, seed), deals):
            wins = plain_python_wins(parts, 600)
            if wins is not None:
                settled += 1
                expected = "won" if wins else "lost"
                assert _core.search(core, **BUDGET)[0] == expected
                assert _core.search(core, **PLAIN)[0] == expected
    return settled


@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
def test_search_agrees_with_plain_python(rules: Rules) -> None:
    assert compare_with_plain_python(rules, 4, 7) > 10


@pytest.mark.slow
@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
def test_search_agrees_with_plain_python_at_length(rules: Rules) -> None:
    assert compare_with_plain_python(rules, 5, 300) > 500


@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
@pytest.mark.parametrize("deals", [8, pytest.param(500, marks=pytest.mark.slow)])
def test_no_winnable_position_is_called_dead(rules: Rules, deals: int) -> None:
    """Every position of a winning line, and those one move beside it that also win."""
    asked = 0
    for shape in SHAPES[::2]:
        for _, core in islice(playable(rules, shape, 6), deals):
            outcome, moves, _ = _core.search(core, **PLAIN)
            if outcome != "won":
                continue
            for move in moves:
                assert not core.is_dead
                for other in core.legal_moves():
                    beside = core.after(other)
                    if beside.is_dead:
                        assert _core.search(beside, **PLAIN)[0] in ("lost", "nodes")
                    asked += 1
                core.play(move)
    assert asked > 25 * deals
