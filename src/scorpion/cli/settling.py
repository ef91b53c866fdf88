"""The commands that settle a board or check a line: solve, verify."""

from dataclasses import asdict, replace
from typing import Final

import click
from rich.text import Text

import scorpion
from scorpion import IllegalMoveError, Solution, Verdict
from scorpion.cli.given import (
    MOST_MOVES,
    STANDARD_INPUT,
    Given,
    json_option,
    takes_board,
    takes_budgets,
    text_in,
)
from scorpion.cli.shown import (
    NO,
    VERDICT_STYLE,
    progress_bar,
    show,
    show_json,
    shown_move,
)
from scorpion.limits import MAX_NODES
from scorpion.moves import parse_moves
from scorpion.words import count

MOVES_A_ROW: Final = 10
NO_PROOF: Final = "The search for a proof was stopped by --max-{limit}."


@click.command("solve")
@takes_board
@takes_budgets(MAX_NODES)
@click.option("--proof", is_flag=True, help="Prove a loss in a form that scorpion check takes.")
@json_option
def solve_command(
    given: Given,
    *,
    max_nodes: int,
    max_seconds: float | None,
    max_memory: int,
    proof: bool,
    as_json: bool,
) -> None:
    """Find a line that wins, or prove that there is none.

    FILE holds a board's text; - is standard input. A lost board is proved lost; when
    a limit is reached first, the board is undecided. All three are answers, and the
    exit status is 0.

    \b
      scorpion solve --game scorpion --deal 5
      scorpion solve --game scorpion-tail --max-nodes 50000000 board.txt
      scorpion solve --deal 59 --proof --json > proof.json
    """
    with progress_bar(max_nodes) as progress:
        solution = scorpion.solve(
            given.board,
            max_nodes=max_nodes,
            max_seconds=max_seconds,
            max_memory=max_memory,
            progress=progress,
            proof=proof,
        )
    if as_json:
        answer = asdict(replace(solution, proof=None))
        del answer["proof"]
        if proof:
            answer["proof"] = solution.proof and solution.proof.to_dict()
        show_json(given.facts | answer | {"moves": [*map(str, solution.moves)]})
    else:
        verdict = _verdict(given, solution)
        if proof and solution.verdict is Verdict.LOST:
            verdict.append(f"\n{solution.proof or NO_PROOF.format(limit=solution.limit)}")
        show(verdict, verdict.plain)


def _verdict(given: Given, solution: Solution) -> Text:
    """The verdict in words, and below it the line, if there is one, ten moves a row."""
    verdict, moves, limit = solution.verdict, solution.moves, solution.limit
    effort = f"{count(solution.nodes, 'position')}, {solution.seconds:.2f} s"
    text = Text.assemble(f"{given.title}: ", (verdict, VERDICT_STYLE[verdict]))
    if verdict is Verdict.WINNABLE:
        text.append(f" in {count(len(moves), 'move')} ({effort})")
    elif verdict is Verdict.LOST:
        text.append(f", no line of play wins ({effort})")
    else:
        text.append(f", stopped by --max-{limit} ({effort})")
    for place, move in enumerate(moves):
        text.append(" " if place % MOVES_A_ROW else "\n" if place else "\n\n")
        text.append(shown_move(move))
    return text


@click.command("verify")
@takes_board
@click.option(
    "--moves", required=True, metavar="TEXT", help="The moves; - reads them from standard input."
)
@json_option
def verify_command(given: Given, *, moves: str, as_json: bool) -> None:
    """Replay moves on a board and say whether they win.

    FILE holds a board's text; - is standard input. The moves are text such as
    "6H>3 deal KS>1", in quotes: the card that leads and the column it goes to, or
    deal for the stock. If they do not win, the exit status is 1.

    \b
      scorpion verify --deal 5 --moves "5H>3 JC>5 9H>5"
      scorpion verify --moves - board.txt < moves.txt
    """
    line = parse_moves(text_in(moves, MOST_MOVES) if moves == STANDARD_INPUT else moves)
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
        show_json(given.facts | result)
    else:
        click.echo(f"{given.title}: {failure or 'won in ' + count(len(line), 'move')}")
    if failure is not None:
        raise click.exceptions.Exit(NO)
