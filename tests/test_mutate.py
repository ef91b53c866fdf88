"""The deliberate faults can be put in as the source is, and the program tells what is noticed."""

import asyncio
import tomllib
from pathlib import Path

import pytest
from mutate import CAUGHT, PROJECT, SURVIVES, Campaign, Copy, Fault, FaultError, read_faults

FAULTS = list(read_faults(PROJECT / "tests" / "faults"))
CODE = "def double(number: int) -> int:\n    return 2 * number\n"
TEST = "from pretend import double\n\ndef test_double() -> None:\n    assert double(2) == 4\n"
TESTS = ("tests/test_double.py",)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_fault_can_be_put_in(fault: Fault) -> None:
    """Its text is there once, and the tests that should notice it are there."""
    text = (PROJECT / fault.file).read_text("utf-8")
    assert fault.put_into(text) != text
    assert fault.tests
    for test in fault.tests:
        path, _, name = test.partition("::")
        assert not name or f"def {name}(" in (PROJECT / path).read_text("utf-8")


def test_each_set_of_tests_is_used() -> None:
    for path in (PROJECT / "tests" / "faults").glob("*.toml"):
        room = tomllib.loads(path.read_text("utf-8"))
        assert {name for fault in room["fault"] for name in fault["tests"]} == set(room["tests"])


def test_names_are_not_given_twice() -> None:
    names = [fault.name for fault in FAULTS]
    assert len(set(names)) == len(names) > 10


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one function and its test."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take longer than the test
    project = tmp_path / "pretend"
    for folder in ("src", "tests"):
        (project / folder).mkdir(parents=True)
    (project / "setup.py").write_text("")
    (project / "src" / "pretend.py").write_text(CODE)
    (project / "tests" / "test_double.py").write_text(TEST)
    return project


def test_a_fault_is_caught_and_another_survives(project: Path) -> None:
    caught = Fault("caught", "src/pretend.py", "2 * number", "3 * number", TESTS)
    survives = Fault("survives", "src/pretend.py", "2 * number", "number * 2", TESTS)
    campaign = Campaign(project, [caught, survives])
    asyncio.run(campaign.run(1))
    outcomes = [getattr(campaign.result(fault), "outcome", None) for fault in (caught, survives)]
    assert outcomes == [CAUGHT, SURVIVES]
    # What is known is not tried again.
    again = Campaign(project, [caught, survives])
    assert [again.result(fault) for fault in (caught, survives)] == [
        campaign.result(fault) for fault in (caught, survives)
    ]


def test_a_fault_that_hangs_is_caught_and_taken_back(project: Path, tmp_path: Path) -> None:
    fault = Fault("hangs", "src/pretend.py", "return 2 * number", "while True: pass", TESTS)
    copy = Copy(project, tmp_path / "copy")
    result = asyncio.run(copy.run(TESTS, fault, 2.0))
    assert (result.outcome, result.said) == (CAUGHT, "hangs")
    assert result.seconds >= 2
    assert (copy.folder / fault.file).read_text() == CODE


def test_a_fault_that_does_not_fit() -> None:
    fault = Fault("none", "pretend.py", "3 * number", "number", ("tests",))
    with pytest.raises(FaultError, match="the text is 0 times in"):
        fault.put_into(CODE)
