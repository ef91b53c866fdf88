"""The command line: a board from a number, a file or a pipe in, an answer out.

On a terminal boards are drawn in colour; in a pipe they are the text that the next
command reads, and ``--json`` gives one object a line. The exit status is 0 when the
work is done, 1 when the answer is no, and 2 for bad usage or input, which prints one
line on standard error and nothing else.
"""

import sys
from collections.abc import Sequence
from typing import Final

try:
    import click
    import rich  # noqa: F401
except ModuleNotFoundError as _missing:
    if _missing.name not in {"click", "rich"}:
        raise
    sys.stderr.write(
        f"scorpion: the command line needs {_missing.name}: pip install 'scorpion-solitaire[cli]'\n"
    )
    raise SystemExit(2) from None

import scorpion
from scorpion.cli.boards import deal_command, games_command
from scorpion.cli.checking import check_command
from scorpion.cli.daily import daily_command
from scorpion.cli.hinting import explain_command, hint_command, rate_command
from scorpion.cli.play import play_command
from scorpion.cli.serve import serve_command
from scorpion.cli.settling import solve_command, verify_command
from scorpion.cli.survey import survey_command

BAD_INPUT: Final = 2
# 128 and the signal's number, as shells report a command that a signal ended.
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line, by default this process's own; the exit status comes back."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        # Not click's own main: its complaints take several lines, and Ctrl-C an empty one.
        with commands.make_context("scorpion", given) as context:
            commands.invoke(context)
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except click.ClickException as error:
        return _complain(error.format_message(), BAD_INPUT)
    except scorpion.ScorpionError as error:
        return _complain(str(error), BAD_INPUT)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)
    except OSError as error:
        broken = isinstance(error, BrokenPipeError)
        return BROKEN_PIPE if broken else _complain(f"cannot write: {error.strerror}", BAD_INPUT)
    return 0


def _complain(message: str, status: int) -> int:
    # Names of files may hold anything; no escape code of theirs reaches the terminal.
    shown = "".join(letter if letter.isprintable() else "?" for letter in " ".join(message.split()))
    click.echo(f"scorpion: {shown}", err=True)
    return status


@click.group(invoke_without_command=True)
@click.version_option(scorpion.__version__, message="%(prog)s %(version)s")
@click.pass_context
def commands(context: click.Context) -> None:
    """Settle Scorpion, Wasp and Scorpion Tail solitaire.

    A board goes in, and out comes a line that wins, a proof that there is none, or
    an honest "undecided".

    \b
      scorpion solve --game scorpion --deal 5
      scorpion deal --game wasp --deal 4711 | scorpion solve --game wasp -

    The exit status is 0 when the work is done, 1 when the answer is no, and 2 for bad
    usage or input.
    """
    if context.invoked_subcommand is None:
        raise click.UsageError("which command? scorpion --help lists them")


for _command in (
    deal_command,
    solve_command,
    hint_command,
    rate_command,
    explain_command,
    verify_command,
    daily_command,
    survey_command,
    check_command,
    play_command,
    serve_command,
    games_command,
):
    commands.add_command(_command)
