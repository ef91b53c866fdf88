"""Perft counts of the core against the files that the reference engine wrote."""

from itertools import islice

import perft
import pytest

from scorpion import _core, reference
from scorpion.errors import BoardError

COUNTED = list(perft.read())


def test_the_file_covers_every_rule_set() -> None:
    assert len({counted.rules for counted in COUNTED}) == 16
    assert any("Talon" in counted.board for counted in COUNTED)
    assert any("Foundations" in counted.board for counted in COUNTED)


def test_core_counts_as_the_reference_did() -> None:
    for counted in COUNTED:
        core = _core.Position(*counted.parts())  # type: ignore[arg-type]
        found = tuple(core.perft(depth) for depth in range(len(counted.counts)))
        assert found == counted.counts, counted.line()


def test_the_file_is_what_the_reference_counts() -> None:
    """A sample to two plies; the slow test below counts everything again."""
    for counted in islice(COUNTED, 0, None, 7):
        slow = reference.Position(*counted.parts())  # type: ignore[arg-type]
        depths = range(min(3, len(counted.counts)))
        assert tuple(slow.perft(depth) for depth in depths) == counted.counts[:3]


@pytest.mark.slow
def test_the_whole_file_is_what_the_reference_counts() -> None:
    for counted in COUNTED:
        slow = reference.Position(*counted.parts())  # type: ignore[arg-type]
        assert perft.counted(slow) == counted


def test_perft_leaves_the_position_alone() -> None:
    core = _core.Position(*COUNTED[0].parts())  # type: ignore[arg-type]
    before = (core.arrangement(), core.key)
    core.perft(3)
    assert (core.arrangement(), core.key) == before


def test_perft_of_less_than_nothing() -> None:
    core = _core.Position(*COUNTED[0].parts())  # type: ignore[arg-type]
    with pytest.raises(BoardError, match="not -1"):
        core.perft(-1)
