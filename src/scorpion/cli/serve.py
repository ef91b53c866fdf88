"""The command that starts the service and its page: serve."""

import click

from scorpion import ScorpionError


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
    type=click.IntRange(0, 65535),
    metavar="N",
    default=8000,
    show_default=True,
    help="And this port.",
)
def serve_command(host: str, port: int) -> None:
    """Serve the page to play on, and the service behind it.

    Settings come from the environment: SCORPION_TOKEN_KEY, SCORPION_WORKERS,
    SCORPION_WAITING, SCORPION_MAX_NODES, SCORPION_MAX_SECONDS, SCORPION_MAX_MEMORY,
    SCORPION_MAX_SAMPLES and SCORPION_MAX_BODY; the README says what they mean.

    \b
      scorpion serve
      scorpion serve --host 0.0.0.0 --port 80
    """
    # What the service needs takes longer to load than other commands take to run.
    try:
        import uvicorn  # noqa: PLC0415
        from pydantic import ValidationError  # noqa: PLC0415

        from scorpion.web import create_app  # noqa: PLC0415
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
    uvicorn.run(app, host=host, port=port, log_level="warning", server_header=False)
