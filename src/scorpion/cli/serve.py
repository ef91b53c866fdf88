"""The command that starts the service and its page: serve."""

import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

from scorpion import ScorpionError

SWITCH_INTERVAL: Final = 0.0005
"""Seconds after which a thread that searches lets the one that answers go on.

With the usual 5 ms a request that meets searches waits for several such turns; measured
with bench/load.py, a fifth more hints and half the delay of /health.
"""


MOST_PORT: Final = 65535


def _port(_: click.Context, option: click.Parameter, value: int) -> int:
    if 0 <= value <= MOST_PORT:
        return value
    raise click.BadParameter(f"{value} is no port; they are 0 to {MOST_PORT}", param=option)


@click.command("serve")
@click.option(
    "--host",
    metavar="ADDRESS",
    default="127.0.0.1",
    show_default=True,
    help="Listen on this address.",
)
@click.option(
    "--port",
    type=int,
    callback=_port,
    metavar="N",
    default=8000,
    show_default=True,
    help="Listen on this port; 0 takes a free one.",
)
def serve_command(host: str, port: int) -> None:
    """Serve the page to play on, and the service behind it.

    It goes on until Ctrl-C or a signal to terminate. Settings come from the environment:
    SCORPION_TOKEN_KEY, SCORPION_WORKERS, SCORPION_WAITING, SCORPION_MAX_NODES,
    SCORPION_MAX_SECONDS, SCORPION_MAX_MEMORY, SCORPION_MAX_SAMPLES and SCORPION_MAX_BODY;
    docs/service.md says what they mean.

    \b
      scorpion serve
      scorpion serve --host 0.0.0.0 --port 80
    """
    # What the service needs takes longer to load than other commands take to run.
    try:
        from pydantic import ValidationError  # noqa: PLC0415

        from scorpion.web import create_app  # noqa: PLC0415
        from scorpion.web.server import Server  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        raise ScorpionError(
            f"the service needs {missing.name}: pip install 'scorpion-solitaire[web]'"
        ) from None
    try:
        app = create_app()
    except ValidationError as error:
        first = error.errors()[0]
        name = f"SCORPION_{first['loc'][0]}".upper()
        raise ScorpionError(f"the setting {name}: {first['msg']}") from None
    with _listening(host, port) as listener, _until_stopped():
        click.echo(f"scorpion listens on {_address(listener, host)} (Ctrl-C ends it)")
        Server(app).run(sockets=[listener])


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except UnicodeError:
        reason = "that is no address"
    except socket.gaierror as error:
        reason = str(error.strerror)
    except OSError as error:
        reason = os.strerror(error.errno or 0)
    raise ScorpionError(f"cannot listen on {host}, port {port}: {reason}")


def _address(listener: socket.socket, host: str) -> str:
    port = listener.getsockname()[1]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


@contextmanager
def _until_stopped() -> Iterator[None]:
    """Ctrl-C and SIGTERM end what goes on here, and that is no failure."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        sys.setswitchinterval(interval)
        signal.signal(signal.SIGTERM, before)
