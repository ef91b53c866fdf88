"""The command line: a board from a number, a file or a pipe in, an answer out.

On a terminal boards are drawn in colour; in a pipe they are the text that the next
command reads, and ``--json`` gives one object a line. The exit status is 0 when the
work is done, 1 when the answer is no, and 2 for bad usage or input, which prints one
line on standard error and nothing else.
"""

import functools
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import zip_longest
from typing import Any, Final

try:
    import click
    from rich.box import SIMPLE_HEAD
    from rich.console import Console, Group, RenderableType
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.table import Table
    from rich.text import Text
except ModuleNotFoundError as _missing:
    if _missing.name not in {"click", "rich"}:
        raise
    sys.stderr.write(
        f"scorpion: the command line needs {_missing.name}: pip install 'scorpion-solitaire[cli]'\n"
    )
    raise SystemExit(2) from None

import scorpion
from scorpion import DEALERS, GAMES, Board, IllegalMoveError, Rules, Solution, Verdict
from scorpion.cards import is_red
from scorpion.moves import parse_moves
from scorpion.rules import CHOICES, rules_of
from scorpion.solver import MAX_MEMORY, MAX_NODES

NO: Final = 1
BAD_INPUT: Final = 2
# 128 and the signal's number, as shells report a command that a signal ended.
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141

STANDARD_INPUT: Final = "-"
PATIENCE: Final = 0.5
"""Seconds that a search may take before a progress bar appears."""
MOVES_A_ROW: Final = 10

_VERDICT_STYLE: Final = {
    Verdict.WINNABLE: "bold green",
    Verdict.LOST: "bold red",
    Verdict.UNDECIDED: "bold yellow",
}

Command = Callable[..., None]


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
    click.echo("scorpion: " + " ".join(message.split()), err=True)
    return status


# What the commands print.


def _show(drawn: RenderableType, plain: str) -> None:
    """Print the drawn form on a terminal, the plain one in a pipe.

    Rich alone would draw in a pipe too where FORCE_COLOR is set.
    """
    if sys.stdout is not None and sys.stdout.isatty():
        Console().print(drawn)
    else:
        click.echo(plain)


def _show_json(result: dict[str, object]) -> None:
    click.echo(json.dumps(result))


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _in_suit(card: str, shown: str, style: str = "") -> Text:
    return Text(shown, style=f"{style} red" if is_red(card) else style)


# The options that several commands share.

_json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")


def _takes_rules(command: Command) -> Command:
    """Give a command the options that choose a game, and it the ``rules`` they stand for."""
    games = ", ".join(GAMES)
    runs_help = "Finished runs leave the table or stay there.  [default: the game's own rule]"
    stock_help = "When the stock may be dealt.  [default: the game's own rule]"

    @click.option("--game", metavar="NAME", default="scorpion", show_default=True, help=games)
    @click.option("--runs", type=click.Choice(CHOICES["runs"]), help=runs_help)
    @click.option("--stock", type=click.Choice(CHOICES["stock"]), help=stock_help)
    @functools.wraps(command)
    def with_rules(game: str, runs: str | None, stock: str | None, **others: object) -> None:
        own: dict[str, Any] = {"runs": runs, "stock": stock}
        chosen = {field: value for field, value in own.items() if value is not None}
        command(rules=replace(rules_of(game), **chosen), **others)

    return with_rules


def _above_zero(_: click.Context, option: click.Parameter, value: float | None) -> float | None:
    if value is None or value > 0:
        return value
    raise click.BadParameter(f"{value} is not above zero", param=option)


_limit = functools.partial(click.option, callback=_above_zero, show_default=True)


@dataclass(frozen=True, slots=True)
class Given:
    """The board that a command is given, and its deal's number if it came by one."""

    board: Board
    deal: int | None = None
    dealer: str | None = None

    @property
    def title(self) -> str:
        """The game and the deal in words."""
        game = self.board.rules.name
        return game if self.deal is None else f"{game}, {self.dealer} deal {self.deal}"

    @property
    def facts(self) -> dict[str, object]:
        """What every JSON object about the board begins with."""
        rules = self.board.rules
        return {
            "game": rules.name,
            "rules": asdict(rules),
            "deal": self.deal,
            "dealer": self.dealer,
            "board": self.board.line(),
        }


def _takes_board(command: Command) -> Command:
    """Give a command all ways to name a board, and it the board as ``given``."""
    dealers = "Whose number it is: " + ", ".join(DEALERS)

    @_takes_rules
    @click.option("--deal", "number", type=int, metavar="N", help="The number of the deal.")
    @click.option("--dealer", metavar="NAME", help=f"{dealers}.  [default: pysolfc]")
    @click.argument("file", required=False)
    @functools.wraps(command)
    def with_board(
        rules: Rules, number: int | None, dealer: str | None, file: str | None, **others: object
    ) -> None:
        if file is not None:
            if number is not None or dealer is not None:
                raise click.UsageError("a board comes from --deal or from a file, not from both")
            if file == others.get("moves") == STANDARD_INPUT:
                raise click.UsageError("the board and the moves cannot both be standard input")
            given = Given(_board_in(file, rules))
        elif number is not None:
            dealer = "pysolfc" if dealer is None else dealer
            given = Given(scorpion.deal(rules, number, dealer=dealer), number, dealer)
        else:
            raise click.UsageError("which board? Give --deal N, a file, or - for standard input")
        command(given=given, **others)

    return with_board


def _board_in(file: str, rules: Rules) -> Board:
    try:
        return Board.parse(_text_in(file), rules)
    except scorpion.BoardError as error:
        raise click.UsageError(f"{_called(file)}: {error}") from None


def _text_in(file: str) -> str:
    try:
        piped = file == STANDARD_INPUT
        with open(0 if piped else file, encoding="utf-8-sig", closefd=not piped) as stream:
            return stream.read()
    except UnicodeDecodeError:
        raise click.UsageError(f"{_called(file)} is not text") from None
    except OSError as error:
        raise click.UsageError(f"cannot read {_called(file)}: {error.strerror}") from None


def _called(file: str) -> str:
    return "standard input" if file == STANDARD_INPUT else click.format_filename(file)


# The commands.


@click.group(no_args_is_help=False)
@click.version_option(scorpion.__version__, message="%(prog)s %(version)s")
def commands() -> None:
    """Settle Scorpion, Wasp and Scorpion Tail solitaire.

    A board goes in, and out comes a line that wins, a proof that there is none, or
    an honest "undecided".

    \b
      scorpion solve --game scorpion --deal 5
      scorpion deal --game wasp --deal 4711 | scorpion solve --game wasp -

    The exit status is 0 when the work is done, 1 when the answer is no, and 2 for bad
    usage or input.
    """


@commands.command("deal")
@_takes_board
@_json_option
def deal_command(given: Given, *, as_json: bool) -> None:
    """Show a board.

    FILE holds a board's text; - is standard input. Cards in brackets lie face down.
    In a pipe the board is printed as the text that FILE may hold.

    \b
      scorpion deal --game wasp --deal 4711
      scorpion deal --deal 24 --dealer ms > board.txt
    """
    board = given.board
    if as_json:
        names = ("columns", "face_down", "stock", "foundations", "is_won", "is_stuck")
        _show_json(given.facts | {name: getattr(board, name) for name in names})
    else:
        _show(_drawing(given), board.text().rstrip("\n"))


def _drawing(given: Given) -> Group:
    """A board as it lies on the table: the lowest cards in the first row."""
    board = given.board
    columns = Table(box=None, padding=(0, 1), header_style="bold")
    for number in range(1, len(board.columns) + 1):
        columns.add_column(str(number), justify="center", width=len("[6H]"))
    piles = [
        [_in_suit(card, f"[{card}]", "dim") for card in cards[:down]]
        + [_in_suit(card, card) for card in cards[down:]]
        for cards, down in zip(board.columns, board.face_down, strict=True)
    ]
    for row in zip_longest(*piles, fillvalue=Text()):
        columns.add_row(*row)
    stock = Text("\n stock        ").append_text(_pile(board.stock))
    foundations = Text(" foundations  ").append_text(_pile(board.foundations))
    return Group(Text(f"{given.title}\n", style="bold"), columns, stock, foundations)


def _pile(cards: Sequence[str]) -> Text:
    return (
        Text(" ").join(_in_suit(card, card) for card in cards)
        if cards
        else Text("none", style="dim")
    )


@commands.command("solve")
@_takes_board
@_limit("--max-nodes", type=int, metavar="N", default=MAX_NODES, help="Stop after N positions.")
@_limit("--max-seconds", type=float, metavar="S", help="Stop after S seconds.")
@_limit("--max-memory", type=int, metavar="BYTES", default=MAX_MEMORY, help="Use no more memory.")
@_json_option
def solve_command(
    given: Given, *, max_nodes: int, max_seconds: float | None, max_memory: int, as_json: bool
) -> None:
    """Find a line that wins, or prove that there is none.

    FILE holds a board's text; - is standard input. A lost board is proved lost; when
    a limit is reached first, the board is undecided. All three are answers, and the
    exit status is 0.

    \b
      scorpion solve --game scorpion --deal 5
      scorpion solve --game scorpion-tail --max-nodes 50000000 board.txt
    """
    with _progress_bar(max_nodes) as progress:
        solution = scorpion.solve(
            given.board,
            max_nodes=max_nodes,
            max_seconds=max_seconds,
            max_memory=max_memory,
            progress=progress,
        )
    if as_json:
        _show_json(given.facts | asdict(solution) | {"moves": [*map(str, solution.moves)]})
    else:
        verdict = _verdict(given, solution)
        _show(verdict, verdict.plain)


@contextmanager
def _progress_bar(max_nodes: int) -> Iterator[Callable[[int], None] | None]:
    """What a search is to call with its count, so that a bar shows it on a terminal."""
    console = Console(stderr=True)
    if not (sys.stderr is not None and sys.stderr.isatty() and console.is_interactive):
        yield None
        return
    bar = Progress(
        TextColumn("searching"),
        BarColumn(bar_width=20),
        TextColumn("{task.completed:,} of {task.total:,} positions"),
        TimeElapsedColumn(),
        console=console,
        auto_refresh=False,
        transient=True,
    )
    task = bar.add_task("", total=max_nodes)
    start = time.monotonic()

    def progress(nodes: int) -> None:
        if time.monotonic() - start >= PATIENCE:
            bar.update(task, completed=nodes)
            bar.start()
            bar.refresh()

    try:
        yield progress
    finally:
        bar.stop()


def _verdict(given: Given, solution: Solution) -> Text:
    """The verdict in words, and below it the line, if there is one, ten moves a row."""
    verdict, moves, limit = solution.verdict, solution.moves, solution.limit
    effort = f"{_count(solution.nodes, 'position')}, {solution.seconds:.2f} s"
    text = Text.assemble(f"{given.title}: ", (verdict, _VERDICT_STYLE[verdict]))
    if verdict is Verdict.WINNABLE:
        text.append(f" in {_count(len(moves), 'move')} ({effort})")
    elif verdict is Verdict.LOST:
        text.append(f", no line of play wins ({effort})")
    else:
        text.append(f", stopped by --max-{limit} ({effort})")
    for place, move in enumerate(moves):
        text.append(" " if place % MOVES_A_ROW else "\n" if place else "\n\n")
        text.append(str(move) if move == scorpion.DEAL else _in_suit(move.card, str(move)))
    return text


@commands.command("verify")
@_takes_board
@click.option(
    "--moves", required=True, metavar="TEXT", help="The moves; - reads them from standard input."
)
@_json_option
def verify_command(given: Given, *, moves: str, as_json: bool) -> None:
    """Replay moves on a board and say whether they win.

    FILE holds a board's text; - is standard input. The moves are text such as
    "6H>3 deal KS>1", in quotes: the card that leads and the column it goes to, or
    deal for the stock. If they do not win, the exit status is 1.

    \b
      scorpion verify --deal 5 --moves "5H>3 JC>5 9H>5"
      scorpion verify --moves - board.txt < moves.txt
    """
    line = parse_moves(_text_in(moves) if moves == STANDARD_INPUT else moves)
    failure: IllegalMoveError | None = None
    try:
        scorpion.verify(given.board, line)
    except IllegalMoveError as error:
        failure = error
    if as_json:
        result = {
            "moves": [*map(str, line)],
            "wins": failure is None,
            "step": failure and failure.step,
            "message": failure and failure.message,
        }
        _show_json(given.facts | result)
    else:
        click.echo(f"{given.title}: {failure or 'won in ' + _count(len(line), 'move')}")
    if failure is not None:
        raise click.exceptions.Exit(NO)


@commands.command("games")
@_json_option
def games_command(*, as_json: bool) -> None:
    """List the games with their rules.

    build: whether cards are built down in suit or in alternating colours; fill: what
    an empty column takes; face_down: how many cards lie face down in each column;
    runs: whether finished runs leave the table; stock: when it may be dealt.

    \b
      scorpion games
    """
    if as_json:
        for name, rules in GAMES.items():
            _show_json({"game": name, "rules": asdict(rules)})
    else:
        heads = ["game", *asdict(Rules())]
        rows = [[name, *_in_words(rules)] for name, rules in GAMES.items()]
        _show(_games_table(heads, rows), _aligned([heads, *rows]))


def _in_words(rules: Rules) -> list[str]:
    values = asdict(rules) | {"face_down": " ".join(map(str, rules.face_down))}
    return [*values.values()]


def _games_table(heads: list[str], rows: list[list[str]]) -> Table:
    table = Table(*heads, box=SIMPLE_HEAD, header_style="bold")
    table.columns[0].style = "cyan"
    for row in rows:
        table.add_row(*row)
    return table


def _aligned(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
