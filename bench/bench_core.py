"""Speed of the parts, in groups: movegen, perft, key, solve, parse, unpruned.

    python -m pytest bench -n 0 --benchmark-enable

Compare within a run, by the medians; what a group holds side by side is what its
ratio is about.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scorpion import GAMES, Board, _core, deal, reference, solve, solve_many
from scorpion.board import position_of
from scorpion.rules import COLUMNS

KNOWN = Path(__file__).parent.parent / "tests" / "data" / "known"
UNPRUNED: dict[str, Any] = {
    "max_nodes": 250_000,
    "max_seconds": 1e9,
    "max_memory": 2**30,
    "prune": False,
    "greedy": False,
}
DEEP = {"scorpion": 9, "wasp": 7, "open-wasp": 7, "scorpion-tail": 7}
Engine = Callable[..., Any]


def position(engine: Engine, game: str) -> Any:
    """PySolFC's deal 4711 on an engine."""
    board = deal(game, 4711)
    return engine(board.rules, board.columns, board.face_down, board.stock)


@pytest.mark.benchmark(group="movegen")
@pytest.mark.parametrize("engine", [_core.Position, reference.Position], ids=["core", "reference"])
@pytest.mark.parametrize("game", GAMES)
def test_legal_moves(benchmark: Any, game: str, engine: Engine) -> None:
    moves = benchmark(position(engine, game).legal_moves)
    assert moves == position(reference.Position, game).legal_moves()


@pytest.mark.benchmark(group="movegen")
@pytest.mark.parametrize("game", GAMES)
def test_play_and_undo(benchmark: Any, game: str) -> None:
    core = position(_core.Position, game)
    move = core.legal_moves()[0]

    def there_and_back() -> None:
        core.play(move)
        core.undo()

    benchmark(there_and_back)
    assert core.arrangement() == position(_core.Position, game).arrangement()


@pytest.mark.benchmark(group="perft")
@pytest.mark.parametrize("engine", [_core.Position, reference.Position], ids=["core", "reference"])
@pytest.mark.parametrize("game", GAMES)
def test_perft_3(benchmark: Any, game: str, engine: Engine) -> None:
    """The same position and depth on both engines: their ratio."""
    count = benchmark.pedantic(position(engine, game).perft, (3,), rounds=5, warmup_rounds=1)
    assert count == position(_core.Position, game).perft(3)


@pytest.mark.benchmark(group="perft")
@pytest.mark.parametrize("game", GAMES)
def test_perft_deep(benchmark: Any, game: str) -> None:
    """``positions_per_second`` in the extra info is the count over the median time."""
    core = position(_core.Position, game)
    count = benchmark.pedantic(core.perft, (DEEP[game],), rounds=5, warmup_rounds=1)
    assert count > 10_000
    if benchmark.stats is not None:
        benchmark.extra_info["positions_per_second"] = round(count / benchmark.stats["median"])


@pytest.mark.benchmark(group="key")
@pytest.mark.parametrize("kind", ["key", "key_from_scratch", "search_key"])
@pytest.mark.parametrize("game", ["scorpion", "scorpion-tail"])
def test_key(benchmark: Any, game: str, kind: str) -> None:
    core = position(_core.Position, game)
    for _ in range(12):
        core.play(core.legal_moves()[0])
    benchmark(getattr, core, kind)
    assert core.key == core.key_from_scratch


def known(game: str, *verdicts: str) -> list[Board]:
    """The known deals of a game that exhaustive search gave one of the verdicts."""
    rules = GAMES[game]
    boards = []
    for line in (KNOWN / f"{game}.txt").read_text().splitlines():
        verdict, *cards = line.split()
        if verdict in verdicts:
            columns = [cards[column:49:COLUMNS] for column in range(COLUMNS)]
            boards.append(Board(rules, columns, rules.face_down, cards[49:]))
    return boards


@pytest.mark.benchmark(group="solve")
@pytest.mark.parametrize("game", GAMES)
def test_solve_winnable(benchmark: Any, game: str) -> None:
    boards = known(game, "winnable")[:40]
    solved = benchmark.pedantic(
        lambda: [solve(board, max_nodes=20_000).verdict for board in boards], rounds=5
    )
    assert "lost" not in solved


@pytest.mark.benchmark(group="solve")
def test_solve_dead_deal(benchmark: Any) -> None:
    board = deal("scorpion", 1)
    assert benchmark(solve, board).nodes == 1


@pytest.mark.benchmark(group="unpruned")
@pytest.mark.parametrize("way", ["solve_many", "depth first, unpruned"])
def test_known_scorpion_deals(benchmark: Any, way: str) -> None:
    """The deals that depth-first search with a visited set settles, both ways in the core."""
    boards = [
        board
        for board in known("scorpion", "winnable", "lost")
        if _core.search(position_of(board), **UNPRUNED)[0] in ("won", "lost")
    ]

    def settle() -> int:
        if way == "solve_many":
            return solve_many(boards).won
        return sum(_core.search(position_of(board), **UNPRUNED)[0] == "won" for board in boards)

    # Both find the same number of wins, whichever way comes first.
    assert benchmark.pedantic(settle, rounds=3) == sum(bool(solve(b).moves) for b in boards)
    assert len(boards) > 200


@pytest.mark.benchmark(group="parse")
@pytest.mark.parametrize("game", GAMES)
def test_parse(benchmark: Any, game: str) -> None:
    board = deal(game, 4711)
    assert benchmark(Board.parse, board.text(), game) == board


@pytest.mark.benchmark(group="parse")
def test_text(benchmark: Any) -> None:
    board = deal("wasp", 4711)
    assert Board.parse(benchmark(board.text), "wasp") == board


@pytest.mark.benchmark(group="parse")
def test_bytes(benchmark: Any) -> None:
    board = deal("wasp", 4711)
    assert benchmark(lambda: Board.from_bytes(board.to_bytes())) == board
