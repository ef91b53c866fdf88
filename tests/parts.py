"""Long runs of tests in parts: `--resume` leaves out what has passed, `--minutes` ends a part.

    python -m pytest -m slow --resume --minutes 55 tests/test_small_decks.py

The same command again goes on where it stopped, also where it was killed: a test that passes
is written down at once, with its seconds, for this state of the sources and of the tests.
When nothing is left, all tests are deselected. `python tests/parts.py` shows what has passed.
"""

import hashlib
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
READ = {"src": {".py", ".pyx", ".pxd", ".pxi"}, "tests": {".py", ".txt"}}
"""What the results hang on, by folder."""


def state(project: Path) -> str:
    """A name for how the sources and the tests are now."""
    found = hashlib.sha256()
    for folder, kinds in READ.items():
        for path in sorted((project / folder).rglob("*")):
            if path.suffix in kinds:
                found.update(path.read_bytes())
    return found.hexdigest()[:16]


def record(project: Path) -> Path:
    """The file of what has passed in this state: a line a test, its seconds and its name."""
    return project / ".pytest_cache" / "passed" / f"{state(project)}.txt"


def passed(path: Path) -> Iterator[tuple[str, float]]:
    """The tests on record with their seconds. A line that was torn off is none."""
    if path.exists():
        for line in path.read_text().splitlines(keepends=True):
            seconds, _, name = line.partition(" ")
            if name.endswith("\n"):
                yield name.rstrip("\n"), float(seconds)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("parts", "long runs in parts")
    group.addoption("--resume", action="store_true", help="leave out what has passed before")
    group.addoption("--minutes", type=float, help="begin no test after so many minutes")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("resume"):
        config.pluginmanager.register(Resumed(config))
    if (minutes := config.getoption("minutes")) is not None:
        config.pluginmanager.register(Part(minutes))


class Resumed:
    """Leaves out what is on record, and writes down what passes."""

    def __init__(self, config: pytest.Config) -> None:
        self._path = record(config.rootpath)
        # With pytest-xdist the workers' reports come to the one process that has no input.
        self._writes = not hasattr(config, "workerinput")

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        done = {name for name, _ in passed(self._path)}
        out = [item for item in items if item.nodeid in done]
        if out:
            config.hook.pytest_deselected(items=out)
            items[:] = [item for item in items if item.nodeid not in done]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self._writes and report.when == "call" and report.passed:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a") as file:
                file.write(f"{report.duration:.2f} {report.nodeid}\n")


class Part:
    """Skips all tests once its time is over."""

    def __init__(self, minutes: float) -> None:
        self._end = time.monotonic() + 60 * minutes

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        if time.monotonic() > self._end:
            pytest.skip("the time of this part is over")


def main() -> None:
    """Print how many parameters of each test have passed, their seconds and the longest."""
    tests: Counter[str] = Counter()
    seconds: dict[str, list[float]] = defaultdict(list)
    for name, took in passed(record(PROJECT)):
        test = name.partition("[")[0]
        tests[test] += 1
        seconds[test].append(took)
    for test, count in sorted(tests.items()):
        print(f"{count:5} {sum(seconds[test]):9.1f} s {max(seconds[test]):8.1f} s  {test}")


if __name__ == "__main__":
    main()
