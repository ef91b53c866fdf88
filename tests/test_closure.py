"""The closure for alternating colours where any card fills a space: what it calls dead is lost.

Two checks, as for the other closures. Whole graphs: no position of a small deck from
which a win can be reached is called dead. The definition: the closure, rule by rule in
plain Python, gives the same answer for deals and along plays of them.
"""

import pytest
from decks import EVERY_RULES, Shape
from test_twins import check_graphs, compare_with_definition

from scorpion.rules import Rules

# The faults that these tests have to catch stand in tests/faults/twins.toml.

ANY_FILLS = [rules for rules in EVERY_RULES if rules.build == "alternating" and rules.fill == "any"]
# Small, as piles that go anywhere make large graphs; and deep, as a space soon undoes a lock.
FLAT = [Shape(3, 4, 2, (1, 1, 0, 0)), Shape(3, 3, 3, (1, 1, 1)), Shape(4, 3, 2, (3, 2, 0))]
DEEP = [Shape(4, 3, 0, (2, 2, 0)), Shape(5, 3, 0, (4, 3, 2)), Shape(5, 4, 1, (4, 3, 2, 1))]


@pytest.mark.parametrize("rules", ANY_FILLS, ids=str)
def test_no_winnable_position_of_a_whole_graph_is_called_dead(rules: Rules) -> None:
    found = [check_graphs(rules, shape, 31, 8_000) for shape in (*FLAT, *DEEP[:2])]
    assert sum(winnable for winnable, _, _ in found) > 1_000
    assert sum(dead for _, _, dead in found) > 50


@pytest.mark.slow
@pytest.mark.parametrize("shape", [*FLAT, *DEEP], ids=str)
@pytest.mark.parametrize("rules", ANY_FILLS, ids=str)
def test_no_winnable_position_of_a_whole_graph_is_called_dead_at_length(
    rules: Rules, shape: Shape
) -> None:
    _, _, dead = check_graphs(rules, shape, 32, 1_000_000)
    # Of three ranks hardly any position is stuck where finished runs leave.
    assert dead > 100 or (shape.ranks == 3 and rules.runs == "leave")


@pytest.mark.parametrize("rules", ANY_FILLS, ids=str)
@pytest.mark.parametrize("deals", [80, pytest.param(4_000, marks=pytest.mark.slow)])
def test_closure_is_the_one_defined(rules: Rules, deals: int) -> None:
    shapes = (*FLAT, *DEEP)
    found = [compare_with_definition(rules, shape, 33, deals) for shape in shapes]
    assert sum(alive for alive, _ in found) > 17 * deals
    assert sum(dead for _, dead in found) > deals // 4
