"""The tools that read the code: types, stubs, style. Each must have nothing to say."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import scorpion
from scorpion import version

PROJECT = Path(__file__).parent.parent
TOOLS = {
    "mypy": ["mypy"],  # of all that is checked, tests included
    "mypy src": ["mypy", "src"],
    "stubtest": ["mypy.stubtest", "scorpion._core"],
    "ruff": ["ruff", "check", "."],
    "ruff format": ["ruff", "format", "--check", "."],
    "cython-lint": ["cython_lint.cython_lint", "src"],
}


@pytest.mark.parametrize(
    "tool", [pytest.param(each, marks=pytest.mark.slow if each == "mypy" else ()) for each in TOOLS]
)
def test_nothing_to_say(tool: str) -> None:
    # cython-lint calls a tool of its own by name: look beside this interpreter first.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    run = subprocess.run(
        [sys.executable, "-m", *TOOLS[tool]],
        check=False,
        env={**os.environ, "PATH": path},
        cwd=PROJECT,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_one_place_for_the_version() -> None:
    """The version is written in the package and read from there, nowhere else."""
    assert f'VERSION: Final = "{scorpion.__version__}"' in Path(version.__file__).read_text()
    project = (PROJECT / "pyproject.toml").read_text()
    assert 'version = { attr = "scorpion.version.VERSION" }' in project
    assert scorpion.__version__ not in project


def test_importing_the_library_brings_nothing_else() -> None:
    """Nothing but the standard library is loaded, no thread started, nothing printed or warned."""
    script = (
        "import sys, threading; before = set(sys.modules); import scorpion\n"
        "roots = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "roots = {root for root in roots if 'cython' not in root} - sys.stdlib_module_names\n"
        "print(sorted(roots), threading.active_count())\n"
    )
    command = [sys.executable, "-W", "error", "-c", script]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("['scorpion'] 1\n", "")


def test_every_public_name_says_what_it_is() -> None:
    for name in scorpion.__all__:
        value = getattr(scorpion, name)
        if isinstance(value, type) or callable(value):
            assert value.__doc__, name
