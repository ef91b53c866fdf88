"""The documents say what is: examples run, links lead somewhere, lists leave nothing out.

Their Python examples are doctests, which pytest runs where they stand. Here the rest is
held: what shell commands print, the site and its links (those to other sites by their form
only, as tests ask no network), the workflows and hooks.
"""

import doctest
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from test_quality import TOOLS

import scorpion

PROJECT = Path(__file__).parent.parent
DOCS = PROJECT / "docs"
PACKAGE = PROJECT / "src" / "scorpion"
HOOKS = PROJECT / ".pre-commit-config.yaml"
WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
PAGES = [
    *(PROJECT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted(DOCS.glob("*.md")),
]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARKDOWN_LINK = re.compile(r"\]\(([^)\s]+(?:\([^)\s]*\)[^)\s]*)?)\)|<(https?:[^>]+)>")
SHELL = set("|<>&;$`*")  # what a shell is needed for
TIMEOUT = 120


def blocks(page: Path, language: str) -> list[str]:
    return [text for kind, text in BLOCK.findall(page.read_text("utf-8")) if kind == language]


def name_of(page: Path) -> str:
    return str(page.relative_to(PROJECT))


# README


def test_the_readme_is_short() -> None:
    assert len((PROJECT / "README.md").read_text("utf-8").splitlines()) <= 200


def test_the_readme_installs_and_settles_and_then_tests() -> None:
    """What .ci/run relies on, and what a newcomer types first: it shows a line that wins."""
    first, second = blocks(PROJECT / "README.md", "sh")
    assert ".[cli]" in first
    command = first.splitlines()[1].split()[1:]
    assert command[0] == "solve"
    number = int(command[command.index("--deal") + 1])
    assert scorpion.solve(scorpion.deal("scorpion", number)).moves
    assert ".[dev]" in second
    assert "pytest" in second


def test_code_that_the_readme_shows_is_the_example_itself() -> None:
    examples = [path.read_text("utf-8") for path in (PROJECT / "examples").glob("*.py")]
    shown = [code for code in blocks(PROJECT / "README.md", "python") if ">>>" not in code]
    assert shown
    for code in shown:
        assert any(code in example for example in examples), code


# Shell sessions


def sessions(page: Path) -> Iterator[Any]:
    """The commands of each section's console blocks, each with what it is said to print."""
    for section in re.split(r"^## ", page.read_text("utf-8"), flags=re.MULTILINE):
        typed = [
            (command, output)
            for kind, text in BLOCK.findall(section)
            if kind == "console"
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
            for command, _, output in [part.partition("\n")]
        ]
        if typed:
            yield pytest.param(typed, id=f"{page.name}: {section.splitlines()[0]}")


def like(said: str, printed: str) -> bool:
    """Whether it is what was printed: ``...`` stands for anything, a time for any time, and
    columns are as wide as times make them.
    """
    said, printed = (re.sub(r"\d+\.\d\d s\b", "0.00 s", text) for text in (said, printed))
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    return doctest.OutputChecker().check_output(said, printed, flags)


@pytest.mark.parametrize("session", [session for page in PAGES for session in sessions(page)])
def test_commands_print_what_is_shown(
    session: list[tuple[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("click")
    if shutil.which("bash") is None:
        pytest.skip("there is no bash to type the commands to")
    monkeypatch.chdir(tmp_path)
    for command, said in session:
        program = command.split()[0]
        if program == "scorpion" and command.split()[1] != "serve":
            printed = piped(command) if SHELL & set(command) else called(command)
            assert like(said, printed), (command, printed)
        elif program == "curl":
            assert like(said, fetched(command)), (command, fetched(command))
        else:
            assert said == "", f"nobody checks what {command} prints"


def called(command: str) -> str:
    """What one command prints where it is not a terminal, errors included; in this process."""
    from scorpion.cli import main  # noqa: PLC0415

    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        main(shlex.split(command)[1:])
    return printed.getvalue()


def piped(command: str) -> str:
    """What a pipeline of our commands prints to a pipe, errors included."""
    scripts = str(Path(sys.executable).parent)
    run = subprocess.run(
        ["bash", "-c", command],
        check=False,
        env={**os.environ, "PATH": os.pathsep.join([scripts, os.environ.get("PATH", "")])},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT,
    )
    return run.stdout


def fetched(command: str) -> str:
    """What a service answers to a curl command: an example, or the service itself."""
    testclient = pytest.importorskip("fastapi.testclient")
    words = shlex.split(command)
    address = urlsplit("http://" + words[1])
    sys.path.insert(0, str(PROJECT / "examples"))
    try:
        ours = address.path.startswith("/api/")
        app: Any = import_module("scorpion.web" if ours else "hint_server").app
    finally:
        sys.path.pop(0)
    body = json.loads(words[words.index("--json") + 1]) if "--json" in words else None
    client = testclient.TestClient(app)
    answer = client.request("POST" if body else "GET", address.path, json=body)
    return str(answer.text) + "\n"


# Nothing is left out


def test_the_tree_of_the_architecture_is_the_tree() -> None:
    """Every file of the package has its line, in the folder where it stands."""
    folder = PACKAGE
    found = set()
    for line in blocks(DOCS / "architecture.md", "text")[0].splitlines()[1:]:
        indent, name = len(line) - len(line.lstrip()), line.split()[0]
        if indent == 0:
            break
        if indent == 4:
            folder = PACKAGE / name if name.endswith("/") else PACKAGE
        path = (PACKAGE if indent == 4 else folder) / name
        found.add(path)
    listed = {path for path in found if path.is_file()}
    assert {path for path in found if not path.exists()} == set()
    sources = {path for kind in ("*.py", "*.p[xy][xdi]") for path in PACKAGE.rglob(kind)}
    faces = {path for path in sources if path.parent != PACKAGE and path.stem == "__init__"}
    assert {str(path) for path in sources - faces} == {str(path) for path in listed}


def test_every_command_has_its_section() -> None:
    pytest.importorskip("click")
    from scorpion.cli import commands  # noqa: PLC0415

    page = (DOCS / "command-line.md").read_text("utf-8")
    assert set(re.findall(r"^## ([a-z]+)$", page, re.MULTILINE)) == set(commands.commands)


def test_every_route_and_setting_is_told() -> None:
    web = pytest.importorskip("scorpion.web")
    page = (DOCS / "service.md").read_text("utf-8")
    for path in web.app.openapi()["paths"]:
        assert f"{path}`" in page or f"{path}?" in page, path
    for setting in web.Settings.model_fields:
        assert f"`{setting.upper()}`" in page, setting


# The site


def site(built: Path) -> Path:
    """The site, built so that any warning is an error."""
    pytest.importorskip("sphinx")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n"]
    run = subprocess.run(
        [*command, "-d", built / "kept", DOCS, built / "site"],
        check=False,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return built / "site"


class Links(HTMLParser):
    """What a page of the site links to, and the places in it that can be linked to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in {"href", "src"} and value:
                self.links.append(value)
            if name == "id" and value:
                self.places.add(value)


def test_the_site_links_to_what_is_there_and_has_every_public_name(tmp_path: Path) -> None:
    """In one test, since building it takes five seconds."""
    built = site(tmp_path)
    pages = {path: Links(path) for path in built.rglob("*.html")}
    assert len(pages) > len(list(DOCS.glob("*.md")))
    for page, read in pages.items():
        for link in read.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                assert (parts.scheme, bool(parts.netloc)) in {("https", True), ("http", True)}, link
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            assert target.is_file(), (page.name, link)
            if parts.fragment and target in pages:
                assert unquote(parts.fragment) in pages[target].places, (page.name, link)
    assert {f"scorpion.{name}" for name in scorpion.__all__} <= pages[built / "api.html"].places


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_between_the_files_lead_somewhere(page: Path) -> None:
    """As they are followed where the files are read as they are."""
    for link, address in MARKDOWN_LINK.findall(page.read_text("utf-8")):
        parts = urlsplit(link or address)
        if parts.scheme:
            assert parts.scheme in {"http", "https"}, link
            assert parts.netloc, link
        elif parts.path:
            assert (page.parent / parts.path).is_file(), link


# Workflows and hooks


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=name_of)
def test_workflows_keep_to_their_schema(workflow: Path) -> None:
    pytest.importorskip("check_jsonschema")
    schema = ["--builtin-schema", "vendor.github-workflows"]
    command = [sys.executable, "-m", "check_jsonschema", *schema, str(workflow)]
    run = subprocess.run(command, check=False, capture_output=True, text=True, timeout=TIMEOUT)
    assert run.returncode == 0, run.stdout


def test_hooks_are_the_tools_of_the_tests() -> None:
    """Before a commit the same commands run as in test_quality.py, from the same places."""
    pytest.importorskip("pre_commit.clientlib").load_config(HOOKS)  # refuses what is none
    (local,) = pytest.importorskip("yaml").safe_load(HOOKS.read_text("utf-8"))["repos"]
    assert local["repo"] == "local"
    assert {hook["language"] for hook in local["hooks"]} == {"system"}
    entries = {hook["name"]: hook["entry"].split() for hook in local["hooks"]}
    # The hook checks the types of all, as the slow test does.
    whole = {tool: words for tool, words in TOOLS.items() if tool != "mypy src"}
    assert entries == {tool: ["python", "-m", *words] for tool, words in whole.items()}
