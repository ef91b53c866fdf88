"""Fair hints and ratings are the same in Python, on the command line and over HTTP."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

import pytest
from fastapi.testclient import TestClient

import scorpion
from scorpion import GAMES, Board
from scorpion.cli import main
from scorpion.web import Settings, create_app

Ask = Callable[[str, str, int, dict[str, int]], Any]
FEW = range(3, 6)
MANY = range(1, 16)
"""Numbers of deals."""


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(Settings(max_seconds=600))) as started:
        yield started


@pytest.fixture
def by_command(capsys: pytest.CaptureFixture[str]) -> Ask:
    """What a command answers as JSON, without what it tells of the board."""

    def ask(what: str, game: str, number: int, asked: dict[str, int]) -> Any:
        options = [f"--{name.replace('_', '-')}={value}" for name, value in asked.items()]
        board = f"--game={game}", f"--deal={number}"
        assert main([what, "--fair", "--json", *board, *options]) == 0
        told = json.loads(capsys.readouterr().out)
        facts = ("game", "rules", "deal", "dealer", "board")
        return {name: value for name, value in told.items() if name not in facts}

    return ask


@pytest.fixture
def over_http(client: TestClient) -> Ask:
    """What the service answers to what a browser holds: a token, by which it knows all."""

    def ask(what: str, game: str, number: int, asked: dict[str, int]) -> Any:
        position = {"token": client.get(f"/api/deals/{game}/{number}").json()["token"]}
        answer = client.post(f"/api/fair-{what}", json={"position": position, **asked})
        assert answer.status_code == 200
        return answer.json()

    return ask


def hint_in_json(board: Board, **asked: Any) -> Any:
    found = scorpion.fair_hint(board, **asked)
    return asdict(found) | {
        "move": None if found.move is None else str(found.move),
        "interval": [*found.interval],
        "shares": {str(move): share for move, share in found.shares.items()},
    }


def shares_in_json(board: Board, **asked: Any) -> Any:
    shares = scorpion.fair_rate(board, **asked)
    return {
        "shares": {
            str(move): asdict(share) | {"interval": [*share.interval]}
            for move, share in shares.items()
        }
    }


def same(by_command: Ask, over_http: Ask, game: str, number: int, **asked: int) -> None:
    """Python's answers, from the masked board, are those of a command and of the service."""
    board = scorpion.deal(game, number).masked()
    for what, in_json in (("hint", hint_in_json), ("rate", shares_in_json)):
        expected = in_json(board, **asked)
        assert by_command(what, game, number, asked) == expected
        assert over_http(what, game, number, asked) == expected


def test_twelve_boards_with_a_small_budget(by_command: Ask, over_http: Ask) -> None:
    for game in GAMES:
        for number in FEW:
            same(by_command, over_http, game, number, samples=30, seed=7, max_nodes=200)


def test_a_board_to_which_the_budget_matters(by_command: Ask, over_http: Ask) -> None:
    board = scorpion.deal("scorpion-tail", 4)
    assert scorpion.fair_rate(board) != scorpion.fair_rate(board, max_nodes=100)
    same(by_command, over_http, "scorpion-tail", 4)
    same(by_command, over_http, "scorpion-tail", 4, max_nodes=100)


@pytest.mark.slow
def test_a_board_to_which_budgets_that_are_large_matter(by_command: Ask, over_http: Ask) -> None:
    board = scorpion.deal("wasp", 1)
    assert scorpion.fair_rate(board) != scorpion.fair_rate(board, max_nodes=250_000)
    same(by_command, over_http, "wasp", 1)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_sixty_boards(by_command: Ask, over_http: Ask, game: str) -> None:
    for number in MANY:
        same(by_command, over_http, game, number)
