"""The hardest deals met: settled within the positions on record, and in little memory."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from scorpion.deals import deal
from scorpion.rules import GAMES
from scorpion.solver import Verdict, solve, verify

DATA = Path(__file__).parent / "data" / "hard"
QUICK = 20_000


class Hard(NamedTuple):
    """A deal, its verdict, and the positions within which it is found."""

    game: str
    dealer: str
    number: int
    verdict: Verdict
    positions: int


def on_record(game: str) -> list[Hard]:
    deals = []
    for line in (DATA / f"{game}.txt").read_text().splitlines():
        dealer, number, verdict, positions = line.split()
        deals.append(Hard(game, dealer, int(number), Verdict(verdict), int(positions)))
    return deals


HARD = [hard for game in GAMES for hard in on_record(game)]


def check(hard: Hard) -> None:
    board = deal(hard.game, hard.number, dealer=hard.dealer)
    solution = solve(board, max_nodes=hard.positions)
    assert solution.verdict is hard.verdict
    if solution.verdict is Verdict.WINNABLE:
        verify(board, solution.moves)


@pytest.mark.parametrize("hard", [hard for hard in HARD if hard.positions <= QUICK], ids=str)
def test_hard_deals_are_settled(hard: Hard) -> None:
    check(hard)


@pytest.mark.slow
@pytest.mark.parametrize("hard", [hard for hard in HARD if hard.positions > QUICK], ids=str)
def test_the_hardest_deals_are_settled(hard: Hard) -> None:
    check(hard)


@pytest.mark.slow
def test_every_deal_of_wasp_is_settled() -> None:
    """Ten thousand deals within 2,000,000 positions, 99.9% of them within 20,000."""
    nodes = []
    for number in range(100_001, 110_001):
        solution = solve(deal("wasp", number), max_nodes=2_000_000)
        assert solution.verdict is not Verdict.UNDECIDED, number
        nodes.append(solution.nodes)
    assert sum(seen <= 20_000 for seen in nodes) >= 9_990
    assert sorted(nodes)[len(nodes) // 2] <= 230


# How much a process grows at most over settling deals, one after the other.
MEMORY_SCRIPT = """
import sys
from pathlib import Path
from scorpion import Rules, deal, solve

def peak():
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.split("VmHWM:")[1].split()[0])

boards = [deal(game, int(number)) for game, number in (word.split(":") for word in sys.argv[2:])]
boards.append(deal(Rules("alternating", runs="stay", stock="when-stuck"), 4))
Path("/proc/self/clear_refs").write_text("5")
before = peak()
nodes = [solve(board, max_nodes=int(sys.argv[1])).nodes for board in boards]
print(max(nodes), peak() - before)
"""


def growth(max_nodes: int, hard_deals: Sequence[Hard]) -> tuple[int, int]:
    """The most positions that one of the hard deals took, and the bytes that the process grew.

    With them goes a deal that stays open, as all that are settled are within a million.
    """
    words = [f"{hard.game}:{hard.number}" for hard in hard_deals]
    run = subprocess.run(
        [sys.executable, "-c", MEMORY_SCRIPT, str(max_nodes), *words],
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    nodes, grown = run.stdout.split()
    return int(nodes), int(grown)


@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak from /proc")
def test_memory_at_20000_positions() -> None:
    nodes, grown = growth(20_000, HARD[::3])
    assert nodes == 20_000  # there are harder ones among them
    assert grown < 64 * 2**20


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak from /proc")
def test_memory_at_2000000_positions() -> None:
    nodes, grown = growth(2_000_000, HARD)
    assert nodes > 1_000_000
    # A position takes 32 bytes at least; the last run of a search sees most of them.
    assert 16 * 2**20 < grown < 400 * 2**20
