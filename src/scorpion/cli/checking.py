"""The command that checks what was found, without trust in what found it: check."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Group
from rich.text import Text

import scorpion
from scorpion import Board, IllegalMoveError, ProofError, Rules, SurveyCheck, Verdict
from scorpion.cli.given import (
    STANDARD_INPUT,
    Given,
    budget_option,
    called,
    json_option,
    takes_house_rules,
    text_in,
)
from scorpion.cli.shown import NO, counts, progress_bar, show, show_json
from scorpion.surveys.chunks import OPEN
from scorpion.surveys.evidence import UNPROVED, check_evidence
from scorpion.surveys.results import check_table, named, title
from scorpion.words import count

_JSON: Final = b"{"
"""What the evidence on one board begins with."""


@click.command("check")
@click.option("--game", metavar="NAME", help="What it has to be of.  [default: what FILE says]")
@takes_house_rules
@click.option("--deal", "number", type=int, metavar="N", help="The deal that it has to be of.")
@click.option("--dealer", metavar="NAME", help="Whose number that is.  [default: pysolfc]")
@budget_option(
    "--workers",
    type=int,
    metavar="N",
    help="Processes that check a survey.  [default: one for each core]",
)
@click.argument("file")
@json_option
def check_command(
    file: str,
    *,
    game: str | None,
    words: dict[str, str],
    number: int | None,
    dealer: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Check the lines and proofs of a survey, or of one board.

    FILE is what survey --certify wrote, or what explain --proof or solve --proof printed
    as JSON; - is standard input. Lines are replayed on the slow engine in plain Python,
    proofs are followed by a small checker that shares only the rules with the solver. If
    any does not hold, the exit status is 1; a file that is damaged is refused with the
    place.

    \b
      scorpion survey --deals 1-1000 --certify deals.gz && scorpion check deals.gz
      scorpion explain --deal 59 --proof --json | scorpion check --deal 59 -
    """
    if dealer is not None and number is None:
        raise click.UsageError("--dealer goes with --deal")
    rules = Rules.parse(game or "scorpion", **words) if game or words else None
    if file == STANDARD_INPUT or _begins(file) == _JSON:
        if workers is not None:
            raise click.UsageError("--workers are for a survey")
        told = _told(file)
        holds = _check_board(_given(file, told, rules, number, dealer), told, file, as_json=as_json)
    elif number is not None:
        raise click.UsageError("--deal is for one board, and a survey has its own deals")
    else:
        holds = _check_survey(file, rules, workers, as_json=as_json)
    if not holds:
        raise click.exceptions.Exit(NO)


def _begins(file: str) -> bytes:
    """The first byte of a file."""
    try:
        with Path(file).open("rb") as stream:
            return stream.read(1)
    except (OSError, ValueError):
        return b""


# A survey.


def _check_survey(file: str, rules: Rules | None, workers: int | None, *, as_json: bool) -> bool:
    with progress_bar(0, "checking", "deals") as bar:

        def progress(so_far: SurveyCheck) -> None:
            if bar is not None:
                bar(len(so_far), len(so_far.numbers))

        check = scorpion.check_survey(file, game=rules, workers=workers, progress=progress)
    if as_json:
        show_json(_facts(check))
    else:
        text = Text("\n".join(named(check)))
        head = Text(title(check), style="bold")
        show(Group(head, counts(check_table(check)), text), str(check))
    return check.holds


def _facts(check: SurveyCheck) -> dict[str, object]:
    return {
        "game": check.rules.name,
        "rules": asdict(check.rules),
        "dealer": check.dealer,
        "deals": [*check.numbers[:1], *check.numbers[-1:]],
        "max_nodes": check.max_nodes,
        "engine": check.engine,
        "won": check.won,
        "lost": check.lost,
        "unproved": check.unproved,
        "open": check.open,
        "wrong": {str(number): why for number, why in check.wrong.items()},
        "holds": check.holds,
    }


# One board.


def _told(file: str) -> dict[str, Any]:
    """The evidence in a file; a bare proof is the evidence of a loss."""
    try:
        told = json.loads(text_in(file))
    except (ValueError, RecursionError):
        told = None
    if isinstance(told, dict) and {"locks", "ends"} <= told.keys():
        return {"verdict": Verdict.LOST, "proof": told}
    if not isinstance(told, dict) or told.get("verdict") not in [*Verdict]:
        raise click.UsageError(f"{called(file)} holds neither a line nor a proof")
    return told


def _given(
    file: str, told: dict[str, Any], rules: Rules | None, number: int | None, dealer: str | None
) -> Given:
    """The board that the options name, or else the one that the evidence is on."""
    if rules is None:
        try:
            rules = Rules(**told.get("rules", {}))
        except TypeError:
            raise click.UsageError(f"{called(file)} has no rules of a game") from None
    if number is not None:
        dealer = "pysolfc" if dealer is None else dealer
        return Given(scorpion.deal(rules, number, dealer=dealer), number, dealer)
    if not isinstance(told.get("board"), str):
        raise click.UsageError(f"which board? {called(file)} names none; give --deal N")
    return Given(Board.parse(told["board"], rules))


def _check_board(given: Given, told: dict[str, Any], file: str, *, as_json: bool) -> bool:
    wrong: str | None = None
    try:
        letter = check_evidence(given.board, told)
        if letter in {OPEN, UNPROVED}:
            raise click.UsageError(f"{called(file)} holds neither a line nor a proof")
    except (IllegalMoveError, ProofError) as error:
        wrong = str(error)
    if as_json:
        show_json(
            given.facts | {"verdict": told["verdict"], "holds": wrong is None, "message": wrong}
        )
    else:
        words = f"{given.title}: {_holds(told) if wrong is None else 'wrong: ' + wrong}"
        show(Text(words), words)
    return wrong is None


def _holds(told: dict[str, Any]) -> str:
    if told["verdict"] == Verdict.WINNABLE:
        return f"won, by a line of {count(len(told['moves']), 'move')} that was replayed"
    return f"lost, by a proof of {count(len(told['proof']['ends']), 'position')} that was accepted"
