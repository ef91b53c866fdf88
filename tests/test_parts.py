"""Long runs of tests in parts: what has passed is left out, until something changes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from parts import state

TESTS = """
from pathlib import Path

def test_first(): pass
def test_second(): assert Path("there").exists()
def test_third(): pass
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for folder in ("src", "tests"):
        (tmp_path / folder).mkdir()
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "conftest.py").write_text("from parts import pytest_addoption, pytest_configure\n")
    (tmp_path / "tests" / "test_it.py").write_text(TESTS)
    return tmp_path


def ended(project: Path, *options: str) -> str:
    """The last line of a run."""
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "--resume", *options, "tests"]
    # The other plugins take longer to start than these tests.
    ways = {"PYTHONPATH": str(Path(__file__).parent), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    run = subprocess.run(
        command, check=False, capture_output=True, text=True, cwd=project, env=os.environ | ways
    )
    return run.stdout.splitlines()[-1].strip("= ").rpartition(" in ")[0]


def test_what_has_passed_is_left_out(project: Path) -> None:
    assert ended(project, "--minutes", "0") == "3 skipped"
    assert ended(project) == "1 failed, 2 passed"
    assert ended(project) == "1 failed, 2 deselected"
    (project / "there").touch()
    assert ended(project) == "1 passed, 2 deselected"
    assert ended(project) == "3 deselected"
    (project / "src" / "core.pyx").write_text("# changed")
    assert ended(project) == "3 passed"


def test_in_several_processes_as_in_one(project: Path) -> None:
    assert ended(project, "-n", "2") == "1 failed, 2 passed"
    assert ended(project, "-n", "2") == "1 failed"
    assert ended(project) == "1 failed, 2 deselected"


def test_a_line_that_was_torn_off_is_no_test(project: Path) -> None:
    assert ended(project) == "1 failed, 2 passed"
    (file,) = (project / ".pytest_cache" / "passed").iterdir()
    file.write_bytes(file.read_bytes()[:-3])
    assert ended(project) == "1 failed, 1 passed, 1 deselected"


def test_a_state_is_of_what_the_tests_hang_on(project: Path) -> None:
    before = state(project)
    (project / "src" / "notes.md").write_text("no source")
    assert state(project) == before
    (project / "tests" / "known.txt").write_text("1 won")
    assert state(project) != before
