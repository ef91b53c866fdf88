"""`scorpion serve`: where it listens, how it ends, what it says when it cannot."""

import errno
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from urllib.request import urlopen

import pytest
from test_cli import ENVIRONMENT, run
from waiting import DEADLINE, wait_until

import scorpion
from scorpion.cli import main

pytest.importorskip("uvicorn")

from scorpion.web import Settings
from scorpion.web.server import LAST_ANSWERS

SERVE = "import sys; from scorpion.cli import main; sys.exit(main(['serve', *sys.argv[1:]]))"
# Where the tests run in the background, Ctrl-C is ignored and children inherit that.
HEARS_CTRL_C = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"


@contextmanager
def serving(*options: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A service on a free port, and that port, once it has said where it listens."""
    with subprocess.Popen(
        [sys.executable, "-c", HEARS_CTRL_C + SERVE, "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT | environment,
    ) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            assert said.startswith("scorpion listens on http://"), said
            assert said.endswith("/ (Ctrl-C ends it)\n")
            yield process, int(said.rpartition(":")[2].partition("/")[0])
        finally:
            process.kill()


@pytest.mark.parametrize(("host", "sign"), [("127.0.0.1", signal.SIGINT), ("::1", signal.SIGTERM)])
def test_it_listens_where_it_says_and_ends_quietly(host: str, sign: signal.Signals) -> None:
    if ":" in host and not can_bind(host):
        pytest.skip("this machine has no IPv6")
    with serving("--host", host) as (process, port):
        connection = http.client.HTTPConnection(host, port, timeout=2 * DEADLINE)
        connection.request("GET", "/health")
        assert json.load(connection.getresponse())["version"] == scorpion.__version__
        # The connection stays open, as a browser's does.
        process.send_signal(sign)
        out, complaint = process.communicate(timeout=2 * DEADLINE)
        connection.close()
    assert (process.returncode, out, complaint) == (0, "", "")


def can_bind(host: str) -> bool:
    try:
        socket.create_server((host, 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


def test_searches_under_way_do_not_hold_up_its_end() -> None:
    """It waits for their answers for a while, no longer, and then tells them to stop."""
    rules = replace(scorpion.GAMES["scorpion-tail"], runs="stay", stock="when-stuck")
    game = asdict(rules) | {"face_down": [*rules.face_down]}
    hard = scorpion.deal(rules, 4)  # its search goes on for minutes
    body = json.dumps({"position": {"board": hard.text(), "game": game}})
    limits = {"SCORPION_MAX_SECONDS": "600", "SCORPION_MAX_NODES": "1000000000"}
    with serving(**limits) as (process, port):

        def ask() -> None:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2 * DEADLINE)
            connection.request("POST", "/api/solve", body, {"Content-Type": "application/json"})
            with suppress(OSError, http.client.HTTPException):
                answers.append(connection.getresponse().status)
            connection.close()

        answers: list[int] = []
        asking = threading.Thread(target=ask)
        asking.start()
        wait_until(lambda: "scorpion_searches_running 1.0" in told(port, "/metrics"))
        begun = time.monotonic()
        process.terminate()
        _, complaint = process.communicate(timeout=2 * DEADLINE)
        took = time.monotonic() - begun
        asking.join(2 * DEADLINE)
    assert process.returncode == 0
    assert complaint == ""
    assert LAST_ANSWERS < took < LAST_ANSWERS + DEADLINE
    assert answers == [503]


def told(port: int, path: str) -> str:
    with urlopen(f"http://127.0.0.1:{port}{path}", timeout=2 * DEADLINE) as answer:
        text: str = answer.read().decode()
    return text


def test_a_port_in_use_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status, out, complaint = run("serve", "--port", str(port))
    reason = os.strerror(errno.EADDRINUSE)
    assert (status, out) == (2, "")
    assert complaint == f"scorpion: cannot listen on 127.0.0.1, port {port}: {reason}\n"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--host", "192.0.2.1"), "cannot listen on 192.0.2.1, port 8000: "),
        (("--host", "a" * 70), "that is no address"),
        (("--host", "no such host"), "cannot listen on no such host, port 8000: "),
        (("--port", "65536"), "65536 is no port; they are 0 to 65535"),
        (("--port", "-1"), "-1 is no port; they are 0 to 65535"),
        (("--port", "http"), "'http' is not a valid integer."),
    ],
)
def test_no_place_to_listen_is_one_line(
    options: tuple[str, str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *options]) == 2
    out, complaint = capsys.readouterr()
    assert out == ""
    assert complaint.startswith("scorpion: ")
    assert words in complaint
    assert complaint.count("\n") == 1


def test_help_names_every_setting() -> None:
    status, out, complaint = run("serve", "--help")
    assert (status, complaint) == (0, "")
    for name in Settings.model_fields:
        assert f"SCORPION_{name.upper()}" in out
