"""The search's fingerprint: verdicts and node counts over fixed deals.

A change that only makes things faster leaves ``signature.txt`` as it is; one that
changes it says why in its commit. ``python bench/signature.py`` compares, with
``--write`` it writes the file anew.
"""

import sys
from dataclasses import replace
from pathlib import Path

from scorpion import GAMES, Rules, Verdict, deal, solve

FILE = Path(__file__).parent / "signature.txt"
DEALS = range(1, 201)
MAX_NODES = 20_000


def signature() -> str:
    """A line for each rule set: verdicts, nodes and moves summed over the deals."""
    lines = []
    for preset in GAMES.values():
        lines += [line(preset), line(replace(preset, runs="stay", stock="when-stuck"))]
    return "\n".join(lines) + "\n"


def line(rules: Rules) -> str:
    solutions = [solve(deal(rules, number), max_nodes=MAX_NODES) for number in DEALS]
    verdicts = [solution.verdict for solution in solutions]
    counts = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in Verdict)
    nodes = sum(solution.nodes for solution in solutions)
    moves = sum(len(solution.moves) for solution in solutions)
    return f"{rules.name}: {counts}, {nodes} nodes, {moves} moves"


if __name__ == "__main__":
    found = signature()
    if "--write" in sys.argv[1:]:
        FILE.write_text(found)
    elif found != FILE.read_text():
        sys.exit(f"the search has changed:\n{found}")
