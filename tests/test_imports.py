"""Every import runs downward: the contracts in pyproject.toml hold, and would notice."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
SOURCE = PROJECT / "src" / "scorpion"
LINTER = Path(sys.executable).with_name("lint-imports")
SETTINGS = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["importlinter"]
LAYERS = [re.split(r" [|] ", layer) for layer in SETTINGS["contracts"][0]["layers"]]
BELOW_THE_CORE = {room for layer in LAYERS[LAYERS.index(["board"]) + 1 :] for room in layer}


def linted(source: Path, *given: str) -> subprocess.CompletedProcess[str]:
    """What lint-imports says of the package under a folder."""
    return subprocess.run(
        [LINTER, "--no-cache", "--no-logo", *given, PROJECT / "pyproject.toml"],
        check=False,
        cwd=source,
        env={**os.environ, "PYTHONPATH": str(source), "COLUMNS": "200"},
        capture_output=True,
        text=True,
    )


def test_every_import_runs_downward() -> None:
    run = linted(SOURCE.parent)
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"Contracts: {len(SETTINGS['contracts'])} kept, 0 broken." in run.stdout


@pytest.mark.parametrize(
    ("room", "line", "contract"),
    [
        ("moves", "from scorpion.solver import solve", "rooms"),
        ("rules", "def late() -> None:\n    from scorpion.board import Board", "rooms"),
        ("unseen", "import scorpion.notation", "rooms"),  # its neighbour
        ("store", "from scorpion.web.tokens import Source", "rooms"),
        ("board", "import scorpion", "face"),
        ("surveys.chunks", "from scorpion import solve", "face"),
        ("losses.locks", "from scorpion.losses.finding import find_refutation", "losses"),
        ("losses.checker", "from scorpion.losses.finding import find_refutation", "checker"),
        ("losses.checker", "from scorpion import hints", "checker"),  # which lead there
        ("surveys.results", "from scorpion.surveys.survey import survey", "surveys"),
        ("cli.shown", "from scorpion.cli.boards import drawing", "cli"),
        ("web.models", "from scorpion.web.context import Served", "web"),
        ("lobby", "", "rooms"),  # a new room, for which there is no place yet
    ],
)
def test_an_import_upward_is_noticed(tmp_path: Path, room: str, line: str, contract: str) -> None:
    copied = tmp_path / "scorpion"
    for file in SOURCE.rglob("*.py"):
        copy = copied / file.relative_to(SOURCE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    with (copied / f"{room.replace('.', '/')}.py").open("a") as changed:
        changed.write(f"\n\n{line}\n")
    run = linted(tmp_path, "--contract", contract)
    assert run.returncode == 1
    assert "Contracts: 0 kept, 1 broken." in run.stdout


# The compiled core, which lint-imports does not see, lies just below the board.


def test_what_lies_below_the_core_does_not_import_it() -> None:
    assert {"reference", "layout", "cards"} <= BELOW_THE_CORE
    importing = set()
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                names = {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
            elif isinstance(node, ast.Import):
                names = {alias.name for alias in node.names}
            else:
                continue
            if "scorpion._core" in names:
                importing.add(file.stem)
    assert "board" in importing
    assert not importing & (BELOW_THE_CORE | {"checker"})


def test_the_core_imports_only_what_lies_below_it() -> None:
    imported = set()
    for file in [*SOURCE.rglob("*.pyx"), *SOURCE.rglob("*.px[di]")]:
        text = file.read_text(encoding="utf-8")
        for room, names in re.findall(
            r"^\s*from scorpion(\.\w+)* import ([^(\n]+)", text, re.MULTILINE
        ):
            of_rooms = [name.split()[0] for name in names.split(",")]
            imported |= {room[1:]} if room else set(of_rooms)
        assert not re.search(
            r"^\s*(from scorpion[.\w]* import \(|import scorpion)", text, re.MULTILINE
        )
    assert {"layout", "moves", "cards", "errors"} <= imported <= BELOW_THE_CORE
