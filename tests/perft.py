"""Perft files: positions, each with the number of lines of 0, 1, 2, ... legal moves.

Run as a program it writes ``data/perft.txt`` anew, every count by the reference
engine: ``python tests/perft.py``. Positions are whole deals and what random play
makes of them, before and after the deal and with runs gone, under every rule set.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from decks import EVERY_RULES, FULL, SHAPES, random_deals

from scorpion import reference
from scorpion.moves import DEAL
from scorpion.notation import board_lines
from scorpion.rules import Rules

FILE = Path(__file__).parent / "data" / "perft.txt"
LINES_AT_MOST = 3_000


class Perft(NamedTuple):
    """A position under its rules and how many lines there are of each length."""

    rules: Rules
    ranks: int
    board: str
    counts: tuple[int, ...]

    def parts(self) -> tuple[object, ...]:
        """What either engine's Position takes."""
        columns: list[list[str]] = []
        face_down = []
        stock: list[str] = []
        foundations: list[str] = []
        for line in self.board.split(" / "):
            head, _, rest = line.partition(": ")
            if head == "Talon":
                stock = rest.split()
            elif head == "Foundations":
                foundations = rest.split()
            else:
                words = line.replace(":", "").split()
                face_down.append(sum(word.startswith("<") for word in words))
                columns.append([word.strip("<>") for word in words])
        return (self.rules, columns, face_down, stock, foundations, self.ranks)

    def line(self) -> str:
        rules = self.rules
        fields = (rules.build, rules.fill, rules.runs, rules.stock, str(self.ranks))
        return f"{' '.join(fields)} | {self.board} | {' '.join(map(str, self.counts))}"


def read() -> Iterator[Perft]:
    """The positions of the perft file."""
    for line in FILE.read_text().splitlines():
        if line.startswith("#"):
            continue
        fields, board, counts = line.split(" | ")
        build, fill, runs, stock, ranks = fields.split()
        rules = Rules(build=build, fill=fill, runs=runs, stock=stock)  # type: ignore[arg-type]
        yield Perft(rules, int(ranks), board, tuple(map(int, counts.split())))


def positions(rules: Rules) -> Iterator[reference.Position]:
    """Deals of several shapes, and positions that play without plan reaches from them."""
    for number, shape in enumerate([FULL, SHAPES[0], SHAPES[4], SHAPES[9]]):
        for parts in islice(random_deals(rules, shape, seed=number), 2):
            position = reference.Position(*parts)
            for steps in (0, 9, 14):
                for step in range(steps):
                    legal = position.legal_moves()
                    if len(legal) > 1 and legal[-1] == DEAL and step < 4:
                        legal.pop()
                    if not legal:
                        break
                    position.play(legal[(5 * step + steps) % len(legal)])
                yield position.copy()


def counted(position: reference.Position) -> Perft:
    """Perft of the position, as deep as the reference engine gets in a few seconds."""
    counts = [1]
    while counts[-1] and counts[-1] < LINES_AT_MOST and len(counts) < 7:
        counts.append(position.perft(len(counts)))
        if len(counts) > 2 and counts[-1] * counts[-1] // max(counts[-2], 1) > 20 * LINES_AT_MOST:
            break
    parts = (position.columns, position.face_down, position.stock, position.foundations)
    return Perft(position.rules, position.ranks, " / ".join(board_lines(*parts)), tuple(counts))


def write() -> None:
    """Count everything again and write the file."""
    head = [
        "# Perft counts by the reference engine; tests/perft.py writes this file.",
        "# build fill runs stock ranks | board | lines of 0, 1, 2, ... legal moves",
    ]
    lines = [counted(position).line() for rules in EVERY_RULES for position in positions(rules)]
    FILE.write_text("\n".join(head + list(dict.fromkeys(lines))) + "\n")


if __name__ == "__main__":
    write()
