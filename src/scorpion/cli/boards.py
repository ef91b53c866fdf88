"""The commands that show boards and games: deal, games."""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import zip_longest

import click
from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text

from scorpion import GAMES, Board, Rules
from scorpion.cli.given import Given, json_option, takes_board
from scorpion.cli.shown import aligned, in_suit, show, show_json


@click.command("deal")
@takes_board
@json_option
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
        show_json(given.facts | {name: getattr(board, name) for name in names})
    else:
        show(drawing(board, given.title), board.text().rstrip("\n"))


def drawing(board: Board, title: str) -> Group:
    """A board as it lies on the table: the lowest cards in the first row."""
    columns = Table(box=None, padding=(0, 1), header_style="bold")
    for number in range(1, len(board.columns) + 1):
        columns.add_column(str(number), justify="center", width=len("[6H]"))
    piles = [
        [in_suit(card, f"[{card}]", "dim") for card in cards[:down]]
        + [in_suit(card, card) for card in cards[down:]]
        for cards, down in zip(board.columns, board.face_down, strict=True)
    ]
    for row in zip_longest(*piles, fillvalue=Text()):
        columns.add_row(*row)
    stock = Text("\n stock        ").append_text(_pile(board.stock))
    foundations = Text(" foundations  ").append_text(_pile(board.foundations))
    return Group(Text(f"{title}\n", style="bold"), columns, stock, foundations)


def _pile(cards: Sequence[str]) -> Text:
    return (
        Text(" ").join(in_suit(card, card) for card in cards)
        if cards
        else Text("none", style="dim")
    )


@click.command("games")
@json_option
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
            show_json({"game": name, "rules": asdict(rules)})
    else:
        heads = ["game", *asdict(Rules())]
        rows = [[name, *_in_words(rules)] for name, rules in GAMES.items()]
        show(_games_table(heads, rows), aligned([heads, *rows]))


def _in_words(rules: Rules) -> list[str]:
    values = asdict(rules) | {"face_down": " ".join(map(str, rules.face_down))}
    return [*values.values()]


def _games_table(heads: list[str], rows: list[list[str]]) -> Table:
    table = Table(*heads, box=SIMPLE_HEAD, header_style="bold")
    table.columns[0].style = "cyan"
    for row in rows:
        table.add_row(*row)
    return table
