"""Whether `difficulty` orders boards as play does: two measures that know nothing of it.

    python bench/difficulty.py --deals 1000 --plays 200 --plot docs/difficulty.png

Over winnable deals, PySolFC's from number 100,001 on, it prints Spearman's rank
correlations of the difficulty (turned round, so that agreement is positive) with

- the share of first moves after which the board can still be won, settled one by one;
- the share of random plays that win. A random player picks any legal move but puts a
  card other than a King in a space only when nothing else can be done, and gives up
  after 150 moves.

With ``--plot`` it draws both (needs matplotlib, extra ``plot``).
"""

import argparse
import random
from pathlib import Path
from statistics import correlation, mean
from typing import NamedTuple

from scorpion import DEAL, GAMES, Board, Verdict, _core, difficulty, solve, winnable

FIRST = 100_001
MOST_MOVES = 150
BINS = 10


class Measured(NamedTuple):
    """What was found of one deal."""

    difficulty: float
    winning_first_moves: float
    random_wins: float


def winning_first_moves(board: Board) -> float:
    """The share of legal moves that keep the win; what is not settled counts as lost."""
    after = [board.play(move) for move in board.legal_moves()]
    return sum(solve(one).verdict is Verdict.WINNABLE for one in after) / len(after)


def wins_at_random(board: Board, chance: random.Random) -> bool:
    position = _core.Position(board.rules, board.columns, board.face_down, board.stock)
    for _ in range(MOST_MOVES):
        moves = position.legal_moves()
        if not moves:
            break
        columns = position.columns
        plain = [
            move
            for move in moves
            if move == DEAL or move.card[0] == "K" or columns[move.column - 1]
        ]
        position.play(chance.choice(plain or moves))
    return position.is_won


def measured(game: str, deals: int, plays: int) -> list[Measured]:
    """The measures of so many winnable deals, the same for the same arguments."""
    found = []
    number = FIRST
    for _ in range(deals):
        deal = winnable(game, number)
        number = deal.number + 1
        chance = random.Random(deal.number)
        wins = [wins_at_random(deal.board, chance) for _ in range(plays)]
        found.append(Measured(difficulty(deal.board), winning_first_moves(deal.board), mean(wins)))
    return found


def ranks(values: list[float]) -> list[float]:
    """Each value's rank; equal values share the mean of theirs."""
    ordered = sorted(values)
    first = {value: rank for rank, value in reversed([*enumerate(ordered)])}
    last = {value: rank for rank, value in enumerate(ordered)}
    return [(first[value] + last[value]) / 2 for value in values]


def agreement(found: list[Measured], measure: str) -> float:
    """Spearman's correlation of a measure with how easy the deals are said to be."""
    easy = [-one.difficulty for one in found]
    return correlation(ranks(easy), ranks([getattr(one, measure) for one in found]))


def report(game: str, found: list[Measured]) -> str:
    hard = sorted(one.difficulty for one in found)
    quartiles = " / ".join(f"{hard[len(hard) * part // 4]:.2f}" for part in (1, 2, 3))
    return (
        f"{game:14}{len(found):6,} deals   difficulty, quartiles {quartiles}   Spearman: "
        f"winning first moves {agreement(found, 'winning_first_moves'):.2f}, "
        f"random plays won {agreement(found, 'random_wins'):.2f}"
    )


def plot(results: dict[str, list[Measured]], path: Path) -> None:
    """A column a game: each deal a dot, and the means of ten equal parts as a line."""
    from matplotlib import pyplot as plt  # noqa: PLC0415 - only whoever plots needs it

    rows = {"random_wins": "random plays won", "winning_first_moves": "first moves that win"}
    figure, axes = plt.subplots(
        len(rows), len(results), figsize=(12, 5.6), sharex="col", squeeze=False
    )
    for column, (game, found) in enumerate(results.items()):
        ordered = sorted(found, key=lambda one: one.difficulty)
        size = max(len(ordered) // BINS, 1)
        parts = [ordered[at : at + size] for at in range(0, len(ordered), size)]
        for row, (measure, label) in enumerate(rows.items()):
            ax = axes[row][column]
            shares = [getattr(one, measure) for one in ordered]
            ax.plot([one.difficulty for one in ordered], shares, ".", alpha=0.25, markersize=4)
            ax.plot(
                [mean(one.difficulty for one in part) for part in parts],
                [mean(getattr(one, measure) for one in part) for part in parts],
                "o-",
                color="black",
                markersize=4,
            )
            spearman = f"Spearman {-agreement(found, measure):.2f}"
            height = 0.05 if row else 0.9  # where few dots are
            ax.text(0.97, height, spearman, ha="right", transform=ax.transAxes)
            ax.set_ylim(-0.03, 1.15)
            if column == 0:
                ax.set_ylabel(label)
        axes[0][column].set_title(f"{game}, {len(found):,} winnable deals", fontsize=10)
        axes[-1][column].set_xlabel("difficulty")
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=90)


def main() -> None:
    """Measure one game or all, print, and draw if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", choices=[*GAMES, "all"], default="all")
    parser.add_argument("--deals", type=int, default=1_000)
    parser.add_argument("--plays", type=int, default=200)
    parser.add_argument("--plot", type=Path, metavar="FILE")
    chosen = parser.parse_args()
    results = {}
    for game in GAMES if chosen.game == "all" else [chosen.game]:
        results[game] = measured(game, chosen.deals, chosen.plays)
        print(report(game, results[game]), flush=True)
    if chosen.plot:
        plot(results, chosen.plot)


if __name__ == "__main__":
    main()
