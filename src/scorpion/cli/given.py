"""What the commands are given: a game, a board, limits."""

import functools
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Final

import click

import scorpion
from scorpion import DEALERS, GAMES, Board, Rules
from scorpion.limits import MAX_MEMORY
from scorpion.rules import CHOICES

STANDARD_INPUT: Final = "-"
MOST_TEXT: Final = 4_000
"""Characters of a board's text; written out most spaciously one has a quarter of that."""
MOST_MOVES: Final = 100_000
"""Characters of a line of moves."""

Command = Callable[..., None]

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")


HOUSE_RULES: Final = {
    "build": "On which cards of the next rank one builds.",
    "fill": "What an empty column takes.",
    "runs": "Finished runs leave the table or stay there.",
    "stock": "When the stock may be dealt.",
}


def takes_house_rules(command: Command) -> Command:
    """Give a command the options that change single rules, and it those given as ``words``."""
    counts = "Cards face down in each column, as 3333000."
    own = "the game's own"

    @functools.wraps(command)
    def with_words(**others: object) -> None:
        given = {field: others.pop(field) for field in (*HOUSE_RULES, "face_down")}
        words = {field: word for field, word in given.items() if word is not None}
        command(words=words, **others)

    takes: Command = click.option("--face-down", metavar="N", help=f"{counts}  [default: {own}]")(
        with_words
    )
    for field, said in reversed(HOUSE_RULES.items()):
        choice = click.Choice(CHOICES[field])
        takes = click.option(f"--{field}", type=choice, help=f"{said}  [default: {own}]")(takes)
    return takes


def takes_rules(command: Command) -> Command:
    """Give a command the options that choose a game, and it the ``rules`` they stand for."""
    games = ", ".join(GAMES)

    @click.option("--game", metavar="NAME", default="scorpion", show_default=True, help=games)
    @takes_house_rules
    @functools.wraps(command)
    def with_rules(game: str, words: dict[str, str], **others: object) -> None:
        command(rules=Rules.parse(game, **words), **others)

    return with_rules


def above_zero(_: click.Context, option: click.Parameter, value: float | None) -> float | None:
    if value is None or value > 0:
        return value
    raise click.BadParameter(f"{value} is not above zero", param=option)


budget_option = functools.partial(click.option, callback=above_zero, show_default=True)


def takes_budgets(max_nodes: int | None, said: str = "") -> Callable[[Command], Command]:
    """Give a command the options that limit a search, ``max_nodes`` being the default.

    None leaves the default to the command; it is then ``said`` in words.
    """

    def with_budgets(command: Command) -> Command:
        for option in (
            budget_option(
                "--max-memory",
                type=int,
                metavar="BYTES",
                default=MAX_MEMORY,
                help="Use no more memory.",
            ),
            budget_option("--max-seconds", type=float, metavar="S", help="Stop after S seconds."),
            budget_option(
                "--max-nodes",
                type=int,
                metavar="N",
                default=max_nodes,
                show_default=False,
                help=f"Stop after N positions.  [default: {said or max_nodes}]",
            ),
        ):
            command = option(command)
        return command

    return with_budgets


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


def takes_board(command: Command, *, otherwise: Callable[[Rules], Given] | None = None) -> Command:
    """Give a command all ways to name a board, and it the board as ``given``.

    Where none is named that is a mistake, unless ``otherwise`` finds one.
    """
    dealers = "Whose number it is: " + ", ".join(DEALERS)

    @takes_rules
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
        elif otherwise is not None:
            given = otherwise(rules)
        else:
            raise click.UsageError("which board? Give --deal N, a file, or - for standard input")
        command(given=given, **others)

    return with_board


def _board_in(file: str, rules: Rules) -> Board:
    try:
        return Board.parse(text_in(file, MOST_TEXT), rules)
    except scorpion.BoardError as error:
        raise click.UsageError(f"{called(file)}: {error}") from None


def text_in(file: str, most: int | None = None) -> str:
    """What a file holds; a mistake if that is no text, or has more characters than it may have."""
    try:
        piped = file == STANDARD_INPUT
        with open(0 if piped else file, encoding="utf-8-sig", closefd=not piped) as stream:
            text = stream.read() if most is None else stream.read(most + 1)
            if most is not None and len(text) > most:
                raise click.UsageError(f"{called(file)} has more than {most:,} characters")
            return text
    except UnicodeDecodeError:
        raise click.UsageError(f"{called(file)} is not text") from None
    except OSError as error:
        raise click.UsageError(f"cannot read {called(file)}: {error.strerror}") from None


def called(file: str) -> str:
    return "standard input" if file == STANDARD_INPUT else click.format_filename(file)
