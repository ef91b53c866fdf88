"""Puts deliberate faults into the project, one at a time, and prints which no test notices.

    python tests/mutate.py [--only PATTERN] [--jobs N] [--list]

A test suite is only as good as the faults that it catches. Those that somebody thought of
stand in ``tests/faults``, a file of TOML for each file of the source::

    file = "src/scorpion/engine/twins.pxd"

    [tests]                                       # sets of tests, by name
    graphs = ["tests/test_twins.py::test_no_winnable_position_of_a_whole_graph_is_called_dead"]

    [[fault]]
    name = "bases that leave make no space"
    within = "int spaces("                        # optional: where to look, see `Fault.put_into`
    old = "        + count(q.bases & e.left)\\n"
    new = ""
    tests = ["graphs"]                            # the sets that should notice, the first first
    equivalent = "why nothing can notice"         # only where that was shown

Each is built in a copy of the project and the tests named are run there until one fails.
Before that they are run without a fault, where they have to pass; how long that takes says
when a run with one hangs. What came out is kept in ``build/mutate.jsonl`` under a digest of
all that it depends on, so a run that was stopped goes on where it was, and a change of the
source runs again what it may have changed.

The exit status is 1 if a fault survives that is not marked as equivalent, one so marked is
caught, or one does not build or keeps its tests from starting. ``CFLAGS`` says how the core
is compiled, ``-O1`` if it says nothing.
"""

import argparse
import ast
import asyncio
import hashlib
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
COMPILED = {".pyx", ".pxd", ".pxi"}
LEFT_BEHIND = shutil.ignore_patterns(
    ".git", ".venv", ".*_cache", ".hypothesis", ".benchmarks", "__pycache__", "build", "dist"
)
CAUGHT, SURVIVES, BROKEN = "caught", "survives", "broken"


class FaultError(Exception):
    """A fault that cannot be put into the source as it is now, or tests that fail without one."""


@dataclass(frozen=True)
class Fault:
    """A change of the source, and the tests that should notice it."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    within: str = ""
    equivalent: str = ""

    def put_into(self, text: str) -> str:
        """The text with ``old`` replaced by ``new``; FaultError unless that has one meaning.

        ``old`` has to be there exactly once: in the whole text, or, with ``within``, from
        that (which has to be there once itself) to the next two blank lines.
        """
        start, end = 0, len(text)
        if self.within:
            if text.count(self.within) != 1:
                raise FaultError(f"{self.name}: {self.within!r} is not once in {self.file}")
            start = text.index(self.within)
            end = start + len(text[start:].partition("\n\n\n")[0])
        times = text.count(self.old, start, end)
        if times != 1 or self.old == self.new:
            raise FaultError(f"{self.name}: the text is {times} times in {self.file}")
        place = text.index(self.old, start)
        return text[:place] + self.new + text[place + len(self.old) :]


@dataclass(frozen=True)
class Result:
    """What came out of a run of tests; ``said`` is the test that failed, or what else did."""

    outcome: str
    said: str
    seconds: float


def read_faults(folder: Path) -> Iterator[Fault]:
    """The faults of all files of a folder, each named after its file too."""
    for path in sorted(folder.glob("*.toml")):
        room = tomllib.loads(path.read_text(encoding="utf-8"))
        for entry in room["fault"]:
            entry["name"] = f"{path.stem}: {entry['name']}"
            entry["tests"] = tuple(test for name in entry["tests"] for test in room["tests"][name])
            yield Fault(file=room["file"], **entry)


@cache
def sources(project: Path) -> bytes:
    """A digest of the source and how it is built, and of what the tests share."""
    tests = project / "tests"
    shared = (path for path in tests.glob("*.py") if not path.name.startswith(("test_", "mutate")))
    package = (path for path in (project / "src").rglob("*.p*") if path.suffix != ".pyc")
    paths = [*package, *shared, *project.glob("*.toml"), *project.glob("setup.py")]
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in sorted(paths))).digest()


@cache
def modules(path: Path) -> frozenset[Path]:
    """A test module and those test modules that it imports."""
    found = {path}
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("test_"):
            found |= modules(path.with_name(f"{node.module}.py"))
    return frozenset(found)


def key_of(project: Path, tests: tuple[str, ...], fault: Fault | None) -> str:
    """A digest of all that the result of the tests, with the fault, depends on."""
    named = {project / test.partition("::")[0] for test in tests}
    read = sorted(set[Path]().union(*map(modules, named)))
    change = (fault.file, fault.within, fault.old, fault.new) if fault else ()
    parts = [sources(project), json.dumps([tests, change]).encode()]
    return hashlib.sha256(b"\0".join([*parts, *(path.read_bytes() for path in read)])).hexdigest()


class Record:
    """The results so far, a line of JSON each in a file that only grows."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.results: dict[str, Result] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                entry = json.loads(line)
                key = entry.pop("key")
                self.results[key] = Result(**entry)

    def add(self, key: str, result: Result) -> None:
        self.results[key] = result
        self.path.parent.mkdir(exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            print(json.dumps({"key": key, **asdict(result)}), file=file)


async def call(command: Sequence[str], folder: Path, limit: float | None) -> tuple[int, str]:
    """A command's exit status and what it said, or TimeoutError; it leaves nothing behind."""
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=folder,
        env={
            **os.environ,
            "CFLAGS": os.environ.get("CFLAGS", "-O1"),
            "PYTHONPATH": str(folder / "src"),
            "PYTHONDONTWRITEBYTECODE": "1",  # a fault and its repair may fall in one second
        },
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(limit):
            said, _ = await process.communicate()
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    return process.returncode or 0, said.decode(errors="replace")


class Copy:
    """A copy of the project, with at most one fault in it."""

    def __init__(self, project: Path, folder: Path) -> None:
        self.folder = folder / project.name
        self.is_built = False
        shutil.copytree(project, self.folder, ignore=LEFT_BEHIND, symlinks=True)

    async def build(self) -> str:
        """Compile what has changed; what the compiler said if it would not."""
        command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
        status, said = await call(command, self.folder, None)
        self.is_built = True
        return said if status else ""

    async def run(self, tests: tuple[str, ...], fault: Fault | None, limit: float | None) -> Result:
        if fault is None:
            return await self.run_as_it_is(tests, limit)
        path = self.folder / fault.file
        text = path.read_text(encoding="utf-8")
        path.write_text(fault.put_into(text), encoding="utf-8")
        self.is_built &= path.suffix not in COMPILED
        try:
            return await self.run_as_it_is(tests, limit)
        finally:
            path.write_text(text, encoding="utf-8")
            self.is_built &= path.suffix not in COMPILED

    async def run_as_it_is(self, tests: tuple[str, ...], limit: float | None) -> Result:
        if not self.is_built and (said := await self.build()):
            return Result(BROKEN, said, 0.0)
        options = ["-q", "-x", "--tb=no", "-rfE", "-p", "no:cacheprovider"]
        # What the project adds by itself (more processes, other files) is not asked for here.
        options += ["-o", "addopts=", "-m", "not slow"]
        started = time.monotonic()
        try:
            status, said = await call(
                [sys.executable, "-m", "pytest", *options, *tests], self.folder, limit
            )
        except TimeoutError:
            return Result(CAUGHT, "hangs", time.monotonic() - started)
        seconds = time.monotonic() - started
        if status == 0:
            return Result(SURVIVES, "", seconds)
        if status < 0:
            return Result(CAUGHT, f"crashes ({signal.Signals(-status).name})", seconds)
        failed = re.search(r"^(?:FAILED|ERROR) (\S+::.*?)(?: - |$)", said, re.MULTILINE)
        if status == 1 and failed:
            return Result(CAUGHT, failed[1], seconds)
        return Result(BROKEN, said, seconds)


class Campaign:
    """The faults to be tried, and what is known of them."""

    def __init__(self, project: Path, faults: Sequence[Fault]) -> None:
        self.project, self.faults = project, faults
        self.record = Record(project / "build" / "mutate.jsonl")

    def result(self, fault: Fault) -> Result | None:
        return self.record.results.get(key_of(self.project, fault.tests, fault))

    async def run(self, jobs: int) -> None:
        """Try what has no result yet, in as many copies as there are jobs."""
        if (task := asyncio.current_task()) is not None:
            for stop in (signal.SIGINT, signal.SIGTERM):  # nothing is left behind
                asyncio.get_running_loop().add_signal_handler(stop, task.cancel)
        todo = [fault for fault in self.faults if self.result(fault) is None]
        # Faults of Python files first: they need no other core.
        todo.sort(key=lambda fault: Path(fault.file).suffix in COMPILED)
        clean = dict.fromkeys(fault.tests for fault in todo)
        with ExitStack() as stack:
            copies = [
                Copy(self.project, Path(stack.enter_context(tempfile.TemporaryDirectory())))
                for _ in range(min(jobs, len(todo)))
            ]
            for tries in ([(tests, None) for tests in clean], [(f.tests, f) for f in todo]):
                left = iter(tries)
                async with asyncio.TaskGroup() as group:
                    for copy in copies:
                        group.create_task(self.work(copy, left))

    async def work(self, copy: Copy, left: Iterator[tuple[tuple[str, ...], Fault | None]]) -> None:
        for tests, fault in left:
            clean, key = (key_of(self.project, tests, which) for which in (None, fault))
            if key in self.record.results:  # the tests without a fault, in an earlier run
                continue
            limit = 60 + 5 * self.record.results[clean].seconds if fault else None
            result = await copy.run(tests, fault, limit)
            if fault is None and result.outcome != SURVIVES:
                raise FaultError(f"without a fault: {result.outcome}: {result.said}")
            self.record.add(key, result)
            if fault is not None:
                print(line_of(fault, result), flush=True)


def is_right(fault: Fault, result: Result) -> bool:
    return result.outcome == (SURVIVES if fault.equivalent else CAUGHT)


def line_of(fault: Fault, result: Result | None) -> str:
    if result is None:
        return f"not run   {fault.name}"
    said = result.said or fault.equivalent
    remark = "" if is_right(fault, result) else " (said to be equivalent)" * bool(fault.equivalent)
    return f"{result.outcome:9} {fault.name}{remark}: {said} ({result.seconds:.0f} s)"


def summary(faults: Iterable[Fault], results: Iterable[Result | None]) -> str:
    outcomes = [
        "equivalent" if fault.equivalent and is_right(fault, result) else result.outcome
        for fault, result in zip(faults, results, strict=True)
        if result is not None
    ]
    counts = [f"{outcomes.count(each)} {each}" for each in dict.fromkeys(outcomes)]
    return f"{len(outcomes)} faults: " + ", ".join(counts)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", metavar="PATTERN", help="faults whose name has it")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="copies at once")
    parser.add_argument("--list", action="store_true", help="say what is known, and try nothing")
    given = parser.parse_args()
    found = read_faults(PROJECT / "tests" / "faults")
    faults = [fault for fault in found if re.search(given.only, fault.name)]
    campaign = Campaign(PROJECT, faults)
    if not given.list:
        try:
            asyncio.run(campaign.run(max(given.jobs, 1)))
        except* FaultError as errors:
            sys.exit("\n".join(map(str, errors.exceptions)))
        except* asyncio.CancelledError:
            sys.exit("stopped; the next run goes on from here")
    results = [campaign.result(fault) for fault in faults]
    wrong = [
        (fault, result)
        for fault, result in zip(faults, results, strict=True)
        if given.list or (result is not None and not is_right(fault, result))
    ]
    print(summary(faults, results) + (":" if wrong else ""))
    for fault, result in wrong:
        print(line_of(fault, result))
    return int(bool(wrong) and not given.list)


if __name__ == "__main__":
    sys.exit(main())
