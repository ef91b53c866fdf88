"""The examples run, as their users would run them."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import scorpion
from scorpion import GAMES, solve_many

EXAMPLES = Path(__file__).parent.parent / "examples"
TIMEOUT = 120


def imported(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where a model's annotations are looked up
    spec.loader.exec_module(module)
    return module


def client(name: str) -> Any:
    pytest.importorskip("fastapi")
    testclient = pytest.importorskip("fastapi.testclient")
    return testclient.TestClient(imported(name).app)


def test_every_example_is_tested() -> None:
    tests = Path(__file__).read_text()
    for path in EXAMPLES.glob("*.py"):
        assert f'"{path.stem}"' in tests or f'"{path.name}"' in tests


# check_moves


@pytest.fixture(scope="module")
def check_moves() -> Any:
    return client("check_moves")


def test_a_won_game_is_won(check_moves: Any) -> None:
    line = scorpion.solve(scorpion.deal("wasp", 4711)).moves
    claim = {"game": "wasp", "deal": 4711, "moves": " ".join(map(str, line))}
    answer = check_moves.post("/check", json=claim)
    assert (answer.status_code, answer.json()) == (200, {"won": True, "step": None, "reason": None})


@pytest.mark.parametrize(
    ("moves", "step", "reason"),
    [
        ("8D>6 4S>3", None, "the game is not won after these 2 moves"),
        ("8D>6 8D>6", 2, "8D lies in column 6 already"),
        ("8D>6 up", 2, "'up' is not a move; a move looks like 6H>3, or deal"),
    ],
)
def test_a_game_that_was_not_won_is_not(
    check_moves: Any, moves: str, step: int | None, reason: str
) -> None:
    answer = check_moves.post("/check", json={"game": "wasp", "deal": 4711, "moves": moves})
    assert (answer.status_code, answer.json()) == (
        200,
        {"won": False, "step": step, "reason": reason},
    )


@pytest.mark.parametrize(
    ("claim", "word"),
    [({"game": "chess"}, "chess"), ({"dealer": "me"}, "dealer"), ({"deal": 0}, "deal 0")],
)
def test_a_claim_on_no_deal_is_refused(check_moves: Any, claim: dict[str, Any], word: str) -> None:
    answer = check_moves.post("/check", json={"deal": 1, "moves": ""} | claim)
    assert answer.status_code == 422
    assert word in answer.json()["detail"]


# hint_server


@pytest.fixture(scope="module")
def hint_server() -> Any:
    return client("hint_server")


def test_a_hint_begins_a_line_that_wins(hint_server: Any) -> None:
    board = scorpion.deal("wasp", 4711)
    answer = hint_server.post("/hint", json={"game": "wasp", "board": board.text()})
    hint = answer.json()
    assert (answer.status_code, hint["verdict"]) == (200, "winnable")
    assert hint["move"] == hint["line"][0]
    scorpion.verify(board, [scorpion.Move.parse(move) for move in hint["line"]])


def test_a_lost_board_has_a_move_to_offer_and_no_line(hint_server: Any) -> None:
    board = scorpion.deal("scorpion", 1)
    hint = hint_server.post("/hint", json={"board": board.line()}).json()
    assert (hint["verdict"], hint["line"]) == ("lost", [])
    assert hint["move"] in map(str, board.legal_moves())


def test_what_is_no_board_is_refused_with_its_place(hint_server: Any) -> None:
    answer = hint_server.post("/hint", json={"board": "AS 2S 2S / : / : / : / : / : / :"})
    assert answer.status_code == 422
    assert answer.json() == {"detail": "line 1, column 7: 2S is on the board twice"}


# house_rules


def test_house_rules_are_surveyed_once(tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLES / "house_rules.py"), "--deals", "300", "--workers", "2"]
    runs = [
        subprocess.run(
            [*command, "--folder", str(tmp_path / "surveys")],
            check=True,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
        ).stdout
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    standard = next(line for line in runs[0].splitlines() if line.startswith("standard"))
    won = solve_many(GAMES["scorpion"], range(1, 301)).won
    assert standard.split()[1] == f"{won / 300:.2%}"
    assert len(list((tmp_path / "surveys").iterdir())) == 5


# daily_job


def test_the_daily_job_adds_what_is_missing(tmp_path: Path) -> None:
    """It tells the boards of `daily`, whose record test_boards.py checks."""
    pytest.importorskip("sqlalchemy")
    store = tmp_path / "boards.db"
    command = [sys.executable, str(EXAMPLES / "daily_job.py"), "--store", str(store)]

    def told(*more: str) -> list[str]:
        run = subprocess.run(
            [*command, *more], check=True, capture_output=True, text=True, timeout=TIMEOUT
        )
        return run.stdout.splitlines()

    first = told("--first", "2027-01-01", "--days", "3")
    assert first[0] == "18 boards added, 18 are there"
    again = told("--first", "2027-01-01", "--days", "4")
    assert again[0] == "6 boards added, 24 are there"
    assert again[1:] == first[1:]
    wasp = scorpion.daily("wasp", "2027-01-01")
    moves = len(wasp.solution.moves)
    assert f"2027-01-01 wasp: deal {wasp.number}, won in {moves} moves" in first


def test_the_daily_job_says_what_is_wrong_with_its_store(tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy")
    store = tmp_path / "boards.db"
    store.write_text("no database")
    command = [sys.executable, str(EXAMPLES / "daily_job.py"), "--store", str(store)]
    run = subprocess.run(command, check=False, capture_output=True, text=True, timeout=TIMEOUT)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith("daily_job: ")
    assert run.stderr.count("\n") == 1
