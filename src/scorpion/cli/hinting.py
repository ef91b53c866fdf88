"""The commands for someone who plays: hint, rate, explain."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click
from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text

import scorpion
from scorpion import DEAL, FairHint, Hint, Move, Share, Solution, Verdict
from scorpion.cli.given import (
    Command,
    Given,
    budget_option,
    json_option,
    takes_board,
    takes_budgets,
)
from scorpion.cli.shown import NO, VERDICT_STYLE, aligned, in_json, show, show_json, shown_move
from scorpion.fair import SAMPLE_NODES, SAMPLES
from scorpion.limits import HINT_NODES
from scorpion.words import count

NO_MOVE: Final = "there is no move"
NOT_LOST: Final = "not proved lost"


def takes_fairness(command: Command) -> Command:
    """Give a command the options of fair hints, and those that limit a search."""
    for option in (
        takes_budgets(None, f"{HINT_NODES}; with --fair {SAMPLE_NODES} a move and way"),
        click.option("--seed", type=int, metavar="N", help="With --fair: another draw."),
        click.option(
            "--samples", type=int, metavar="N", help=f"With --fair: how many ways.  [{SAMPLES}]"
        ),
        click.option(
            "--fair",
            is_flag=True,
            help="Use only what the player sees: deal the unseen cards at random in many ways.",
        ),
    ):
        command = option(command)
    return command


def _said(*, fair: bool, **options: object) -> dict[str, Any]:
    """What was said of the options; samples and seed go with --fair."""
    said = {name: value for name, value in options.items() if value is not None}
    for name in ("samples", "seed"):
        if name in said and not fair:
            raise click.UsageError(f"--{name} goes with --fair")
    return said


@click.command("hint")
@takes_board
@takes_fairness
@json_option
def hint_command(
    given: Given,
    *,
    fair: bool,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - what takes_fairness gives
) -> None:
    """Say which move to play.

    FILE holds a board's text; - is standard input. Where the board can be won the move
    is the first of a line that wins; where it is lost, the one that uncovers most; where
    a limit is reached first, a guess. With --fair it is the move that keeps the win in
    most of the ways in which the unseen cards may lie; cards written ?? are unseen, and
    --max-nodes is for each move in each of these ways.

    \b
      scorpion hint --game scorpion --deal 5
      scorpion hint --game wasp --fair board.txt
    """
    said = _said(fair=fair, **options)
    if fair:
        _show_fair_hint(given, scorpion.fair_hint(given.board, **said), as_json=as_json)
    else:
        _show_hint(given, scorpion.hint(given.board, **said), as_json=as_json)


def _show_hint(given: Given, found: Hint, *, as_json: bool) -> None:
    if as_json:
        facts = {
            "move": found.move and str(found.move),
            "verdict": found.verdict,
            "line": [*map(str, found.line)],
            "nodes": found.nodes,
            "limit": found.limit,
            "is_guess": found.is_guess,
            "reason": found.reason and found.reason.to_dict(),
        }
        show_json(given.facts | facts)
    else:
        words = _hint_in_words(given, found)
        show(words, words.plain)


def _advice(given: Given, move: Move | None) -> Text:
    """The title and the move to play."""
    text = Text(f"{given.title}: ")
    if move is None:
        return text.append(NO_MOVE + "\n")
    if move == DEAL:
        return text.append("deal the stock\n")
    return text.append("play ").append_text(shown_move(move)).append("\n")


def _hint_in_words(given: Given, found: Hint) -> Text:
    verdict = found.verdict
    text = _advice(given, found.move)
    text.append(verdict, VERDICT_STYLE[verdict])
    if given.board.is_won:
        text.append(", and won already")
    elif verdict is Verdict.WINNABLE:
        text.append(f": the move begins a line of {count(len(found.line), 'move')} that wins")
    elif verdict is Verdict.LOST:
        text.append("; this move uncovers most" if found.move else "")
        text.append(f"\n{found.reason}" if found.reason else "")
    else:
        text.append(f", stopped by --max-{found.limit}: the move is a guess")
    return text


def _show_fair_hint(given: Given, found: FairHint, *, as_json: bool) -> None:
    if as_json:
        facts = {
            "move": found.move and str(found.move),
            "share": found.share,
            "interval": found.interval,
            "shares": {str(move): share for move, share in found.shares.items()},
            "samples": found.samples,
        }
        show_json(given.facts | facts)
        return
    words = _advice(given, found.move)
    if found.move is not None:
        words.append(f"keeps the win in {_percent(found.share, found.interval)} ")
        words.append(f"of {count(found.samples, 'way')} to deal the unseen cards")
    show(words, words.plain.rstrip())


def _percent(share: float, interval: tuple[float, float]) -> str:
    """A share with its interval, which is left out where the share is exact."""
    if interval == (share, share):
        return f"{share:.1%}"
    low, high = interval
    return f"{share:.1%} ({low:.1%} to {high:.1%})"


@click.command("rate")
@takes_board
@takes_fairness
@json_option
def rate_command(
    given: Given,
    *,
    fair: bool,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - what takes_fairness gives
) -> None:
    """Say of every legal move whether it keeps the win.

    FILE holds a board's text; - is standard input. The limits are for all moves
    together. A move after which a limit was reached is undecided. With --fair each move
    has the share of the ways in which the unseen cards may lie where it keeps the win,
    and --max-nodes is for each move in each of these ways.

    \b
      scorpion rate --game scorpion --deal 5
      scorpion rate --game wasp --fair board.txt
    """
    said = _said(fair=fair, **options)
    if fair:
        _show_shares(given, scorpion.fair_rate(given.board, **said), as_json=as_json)
    else:
        _show_verdicts(given, scorpion.rate(given.board, **said), as_json=as_json)


def _show_verdicts(given: Given, verdicts: Mapping[Move, Verdict], *, as_json: bool) -> None:
    if as_json:
        in_json = {str(move): verdict for move, verdict in verdicts.items()}
        show_json(given.facts | {"verdicts": in_json})
    else:
        in_words = {
            move: Text(verdict, VERDICT_STYLE[verdict]) for move, verdict in verdicts.items()
        }
        _show_ratings(given, "verdict", in_words)


def _show_shares(given: Given, shares: Mapping[Move, Share], *, as_json: bool) -> None:
    if as_json:
        in_json = {str(move): asdict(share) for move, share in shares.items()}
        show_json(given.facts | {"shares": in_json})
    else:
        in_words = {
            move: Text(_percent(share.share, share.interval)) for move, share in shares.items()
        }
        _show_ratings(given, "keeps the win", in_words)


def _show_ratings(given: Given, head: str, in_words: Mapping[Move, Text]) -> None:
    """A table of the moves and what is said of each."""
    if not in_words:
        click.echo(f"{given.title}: {NO_MOVE}")
        return
    table = Table("move", head, box=SIMPLE_HEAD, header_style="bold")
    for move, words in in_words.items():
        table.add_row(shown_move(move), words)
    rows = [[str(move), words.plain] for move, words in in_words.items()]
    drawn = Group(Text(given.title, style="bold"), table)
    show(drawn, aligned([["move", head], *rows]))


@click.command("explain")
@takes_board
@budget_option(
    "--max-nodes", type=int, metavar="N", default=HINT_NODES, help="Stop after N positions."
)
@budget_option("--max-seconds", type=float, metavar="S", help="Stop after S seconds.")
@click.option("--proof", is_flag=True, help="Give a whole proof, which scorpion check takes.")
@click.option("--out", "path", metavar="FILE", help="With --proof: write it to FILE as JSON.")
@json_option
def explain_command(
    given: Given,
    *,
    max_nodes: int,
    max_seconds: float | None,
    proof: bool,
    path: str | None,
    as_json: bool,
) -> None:
    """Say why no play can win.

    FILE holds a board's text; - is standard input. The reason is a set of cards that can
    never be uncovered, or else how many positions prove the loss. A board that can be
    won has none, nor has one that is not settled when a limit is reached. With --proof it
    is a proof that can be checked, as JSON with --json or --out; where there is none,
    the exit status is 1.

    \b
      scorpion explain --game scorpion --deal 1
      scorpion explain --game wasp board.txt
      scorpion explain --deal 59 --proof --out proof.json && scorpion check proof.json
    """
    if proof:
        solution = scorpion.solve(
            given.board, max_nodes=max_nodes, max_seconds=max_seconds, proof=True
        )
        _show_proof(given, solution, path, as_json=as_json)
        return
    if path is not None:
        raise click.UsageError("--out goes with --proof")
    reason = scorpion.explain(given.board, max_nodes=max_nodes, max_seconds=max_seconds)
    if as_json:
        show_json(given.facts | {"reason": reason and reason.to_dict()})
    else:
        told = f"{given.title}: {reason or NOT_LOST}"
        show(Text(told), told)


def _show_proof(given: Given, solution: Solution, path: str | None, *, as_json: bool) -> None:
    facts = given.facts | {
        "verdict": solution.verdict,
        "proof": solution.proof and solution.proof.to_dict(),
        "nodes": solution.nodes,
        "limit": solution.limit,
    }
    if path is not None and solution.proof is not None:
        with Path(path).open("w", encoding="utf-8") as file:
            file.write(in_json(facts) + "\n")
    if as_json:
        show_json(facts)
    else:
        limit = solution.limit and f", stopped by --max-{solution.limit}"
        lost = solution.verdict is Verdict.LOST
        none = f"{'lost, but no proof was found' if lost else NOT_LOST}{limit or ''}"
        told = f"{given.title}: {solution.proof or none}"
        show(Text(told), told)
    if solution.proof is None:
        raise click.exceptions.Exit(NO)
