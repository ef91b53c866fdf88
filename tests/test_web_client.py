"""A client made from the service's own description plays a deal to its end."""

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from page import service

import scorpion
from scorpion.web import Settings, create_app

pytest.importorskip("openapi_python_client")

NAME = "made_client"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Gives the modules of a client that openapi-python-client makes without a complaint."""
    folder = tmp_path_factory.mktemp("client")
    description = folder / "openapi.json"
    description.write_text(json.dumps(create_app(Settings()).openapi()))
    # It calls ruff by name: look beside this interpreter first.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    run = subprocess.run(
        [
            *(sys.executable, "-m", "openapi_python_client", "generate", "--fail-on-warning"),
            *("--meta", "none", "--path", description, "--output-path", folder / NAME),
        ],
        check=False,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    sys.path.insert(0, str(folder))
    yield lambda module: importlib.import_module(f"{NAME}.{module}")
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == NAME]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with service() as where:
        yield where.rstrip("/")


def test_deal_play_hint_solve_and_verify(made: Any, address: str) -> None:
    models = made("models")
    board = scorpion.deal("scorpion", 5)
    with made("client").Client(base_url=address) as client:

        def ask(operation: str, *path: object, **more: Any) -> Any:
            return made(f"api.default.{operation}").sync(*path, client=client, **more)

        def position(table: Any) -> Any:
            return models.OfToken(token=table.token)

        start = table = ask("deal", models.GameName.SCORPION, 5)
        assert isinstance(table, models.Table)
        assert table.deal == "5"
        assert ask("deal", models.GameName.SCORPION, "5").columns == table.columns
        assert table.columns[0] == ["??", "??", "??", "5H", "8H", "9D", "TH"]
        hint = ask("hint", body=models.AskedSearch(position=position(table)))
        assert isinstance(hint, models.HintTold)
        assert hint.move == str(scorpion.hint(board).move)
        for move in hint.line:
            asked = models.AskedMoves(position=position(table), moves=[move])
            table = ask("play", body=asked)
            assert isinstance(table, models.Table)
        assert table.is_won

        asked = models.AskedFair(position=position(start), samples=5)
        fair = ask("fair_hint", body=asked)
        assert isinstance(fair, models.FairHintTold)
        assert fair.shares.to_dict().keys() == {*start.legal_moves}
        shares = ask("fair_rate", body=asked).shares
        assert shares[fair.move].share == fair.share
        rated = ask("rate", body=models.AskedSearch(position=position(start)))
        assert rated.moves["deal"] is models.Verdict.LOST
        told = ask("moves", body=models.Asked(position=position(start)))
        assert told.legal_moves == start.legal_moves

        solved = ask("solve", body=models.AskedSearch(position=position(start)))
        assert solved.verdict is models.Verdict.WINNABLE
        asked = models.AskedMoves(position=position(start), moves=solved.moves)
        assert ask("verify", body=asked).wins

        lost = models.OfText(
            board=scorpion.deal("scorpion", 1).text(), game=models.GameName.SCORPION
        )
        why = ask("explain", body=models.AskedSearch(position=lost)).reason
        assert why.text == str(scorpion.explain(scorpion.deal("scorpion", 1)))
        assert {*why.places.additional_properties} >= {*why.cards} - {*start.stock}
        proved = ask("prove", body=models.AskedSearch(position=lost))
        assert proved.verdict is models.Verdict.LOST
        proof = scorpion.Proof.from_dict(proved.proof.to_dict())
        scorpion.check_proof(scorpion.deal("scorpion", 1), proof)

        assert ask("random_deal", models.GameName.WASP, winnable=True).game == "wasp"
        assert ask("daily", models.GameName.WASP, date(2027, 1, 1)).deal == "836158975"
        assert [game.game for game in ask("games")] == [*scorpion.GAMES]
        assert ask("health").version == scorpion.__version__
        assert "scorpion_verdicts_total" in ask("metrics")


def test_what_is_refused_comes_as_a_problem(made: Any, address: str) -> None:
    models = made("models")
    wrong = models.OfText(board="AS 2S 2S / : / : / : / : / : / :")
    with made("client").Client(base_url=address) as client:
        asked = models.AskedSearch(position=wrong)
        problem = made("api.default.solve").sync(client=client, body=asked)
        assert isinstance(problem, models.Problem)
        assert (problem.error, problem.line, problem.column) == ("BoardError", 1, 7)
        problem = made("api.default.deal").sync("chess", 1, client=client)
        assert isinstance(problem, models.Problem)
        assert problem.error == "RequestError"
