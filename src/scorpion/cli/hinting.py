"""The commands for someone who plays: hint, rate."""

from typing import Final

import click
from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text

import scorpion
from scorpion import DEAL, Hint, Move, Verdict
from scorpion.cli.given import Given, json_option, takes_board, takes_budgets
from scorpion.cli.shown import VERDICT_STYLE, aligned, count, show, show_json, shown_move
from scorpion.hints import MAX_NODES

NO_MOVE: Final = "there is no move"


@click.command("hint")
@takes_board
@takes_budgets(MAX_NODES)
@json_option
def hint_command(
    given: Given, *, max_nodes: int, max_seconds: float | None, max_memory: int, as_json: bool
) -> None:
    """Say which move to play.

    FILE holds a board's text; - is standard input. Where the board can be won the move
    is the first of a line that wins; where it is lost, the one that uncovers most; where
    a limit is reached first, a guess.

    \b
      scorpion hint --game scorpion --deal 5
      scorpion hint --game wasp board.txt
    """
    found = scorpion.hint(
        given.board, max_nodes=max_nodes, max_seconds=max_seconds, max_memory=max_memory
    )
    if as_json:
        facts = {
            "move": found.move and str(found.move),
            "verdict": found.verdict,
            "line": [*map(str, found.line)],
            "nodes": found.nodes,
            "limit": found.limit,
            "is_guess": found.is_guess,
        }
        show_json(given.facts | facts)
    else:
        words = _hint_in_words(given, found)
        show(words, words.plain)


def _hint_in_words(given: Given, found: Hint) -> Text:
    verdict = found.verdict
    text = Text(f"{given.title}: ")
    if found.move is None:
        text.append(NO_MOVE)
    elif found.move == DEAL:
        text.append("deal the stock")
    else:
        text.append("play ").append_text(shown_move(found.move))
    text.append("\n")
    text.append(verdict, VERDICT_STYLE[verdict])
    if given.board.is_won:
        text.append(", and won already")
    elif verdict is Verdict.WINNABLE:
        text.append(f": the move begins a line of {count(len(found.line), 'move')} that wins")
    elif verdict is Verdict.LOST:
        text.append(": no line of play wins" + ("; this move uncovers most" if found.move else ""))
    else:
        text.append(f", stopped by --max-{found.limit}: the move is a guess")
    return text


@click.command("rate")
@takes_board
@takes_budgets(MAX_NODES)
@json_option
def rate_command(
    given: Given, *, max_nodes: int, max_seconds: float | None, max_memory: int, as_json: bool
) -> None:
    """Say of every legal move whether it keeps the win.

    FILE holds a board's text; - is standard input. The limits are for all moves
    together. A move after which a limit was reached is undecided.

    \b
      scorpion rate --game scorpion --deal 5
      scorpion rate --game wasp board.txt
    """
    verdicts = scorpion.rate(
        given.board, max_nodes=max_nodes, max_seconds=max_seconds, max_memory=max_memory
    )
    if as_json:
        show_json(given.facts | {"verdicts": {str(move): verdicts[move] for move in verdicts}})
    elif not verdicts:
        click.echo(f"{given.title}: {NO_MOVE}")
    else:
        rows = [["move", "verdict"], *([str(move), verdict] for move, verdict in verdicts.items())]
        show(_ratings_table(given, verdicts), aligned(rows))


def _ratings_table(given: Given, verdicts: dict[Move, Verdict]) -> Group:
    table = Table("move", "verdict", box=SIMPLE_HEAD, header_style="bold")
    for move, verdict in verdicts.items():
        table.add_row(shown_move(move), Text(verdict, VERDICT_STYLE[verdict]))
    return Group(Text(given.title, style="bold"), table)
