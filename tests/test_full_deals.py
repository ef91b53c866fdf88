"""Full decks: every win found replays on the reference engine, move for move."""

import pytest

from scorpion import reference
from scorpion.deals import deal
from scorpion.rules import GAMES
from scorpion.solver import Verdict, solve


def replays(game: str, first: int, last: int) -> int:
    """Wins among the numbered deals of a game, each replayed."""
    won = 0
    for number in range(first, last + 1):
        board = deal(game, number)
        solution = solve(board, max_nodes=20_000, shorten=number % 4 == 0)
        if solution.verdict is Verdict.WINNABLE:
            position = reference.Position(board.rules, board.columns, board.face_down, board.stock)
            for move in solution.moves:
                position.play(move)
            assert position.is_won, number
            won += 1
    return won


@pytest.mark.parametrize("game", GAMES)
def test_wins_replay(game: str) -> None:
    assert replays(game, 40_001, 40_060) > 3


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_wins_of_2500_deals_replay(game: str) -> None:
    assert replays(game, 50_001, 52_500) > 250
