"""The routes that search: hints, ratings, reasons, solutions; and one that checks a line."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from threading import Event
from typing import Any, Final

from fastapi import APIRouter, Request

import scorpion
from scorpion import (
    Board,
    Cases,
    IllegalMoveError,
    Lock,
    Loss,
    Move,
    Verdict,
)
from scorpion.fair import fair_hint, fair_rate
from scorpion.web.context import Context, Served
from scorpion.web.models import (
    AskedHint,
    AskedMoves,
    AskedSearch,
    ExplanationTold,
    FairHintTold,
    FairRatingTold,
    HintTold,
    Place,
    RatingTold,
    Reason,
    ShareTold,
    SolutionTold,
    VerifyTold,
)
from scorpion.web.problems import PROBLEMS, SEARCH_PROBLEMS

_ONTO: Final = {"covered", "own pile"}
"""Bars on the way onto a card, which is the first that they name."""

router = APIRouter(prefix="/api")


def _search(path: str) -> Callable[[Any], Any]:
    return router.post(path, responses=SEARCH_PROBLEMS)


def _locks(found: Lock | Cases | Loss) -> Iterator[Lock]:
    """The locks that an explanation rests on: one, one for each case, or none."""
    if isinstance(found, Lock):
        yield found
    elif isinstance(found, Cases):
        for part in found.refuted:
            yield from _locks(part)


def _why(served: Context, board: Board, cancel: Event, budgets: dict[str, Any]) -> Reason | None:
    """Why a board is lost, so far as it is known."""
    # Reasons are found in Python: two at once would take as long, and hold up all answers.
    with served.explaining:
        found = scorpion.explain(board, cancel=cancel, **budgets)
    if found is None:
        return None
    reasons = [reason for lock in _locks(found) for reason in lock.reasons]
    cards = dict.fromkeys(reason.card for reason in reasons if reason.card is not None)
    waits = dict.fromkeys(
        (reason.under, bar.cards[0])
        for reason in reasons
        for bar in reason.bars
        if bar.kind in _ONTO
    )
    lying = {
        card: Place(column=column, index=index)
        for column, pile in enumerate(board.columns, 1)
        for index, card in enumerate(pile)
    }
    named = {*cards, *(card for pair in waits for card in pair)} & lying.keys()
    places = {card: lying[card] for card in sorted(named)}
    return Reason(text=str(found), cards=[*cards], waits=[*waits], places=places)


@_search("/hint")
async def hint(served: Served, request: Request, asked: AskedHint) -> HintTold | FairHintTold:
    """A move to play; with ``peek`` false, found without looking at hidden cards."""
    board, _ = served.board(asked)
    budgets = served.budgets(asked)

    def fair(cancel: Event) -> FairHintTold:
        samples, seed = served.samples(asked), asked.seed
        found = fair_hint(board, samples=samples, seed=seed, cancel=cancel, **budgets)
        return FairHintTold(
            move=None if found.move is None else str(found.move),
            share=found.share,
            interval=found.interval,
            samples=found.samples,
            shares={str(move): share for move, share in found.shares.items()},
        )

    def peeking(cancel: Event) -> HintTold:
        found = scorpion.hint(board, cancel=cancel, **budgets)
        why = None
        if found.verdict is Verdict.LOST:
            why = _why(served, board, cancel, budgets)
        return HintTold(
            move=None if found.move is None else str(found.move),
            verdict=found.verdict,
            line=[str(move) for move in found.line],
            nodes=found.nodes,
            reason=why,
        )

    if not asked.peek:
        return await served.searches.run(request, fair)
    told = await served.searches.run(request, peeking)
    served.metrics.count(told.verdict, told.nodes)
    return told


@_search("/rate")
async def rate(served: Served, request: Request, asked: AskedHint) -> RatingTold | FairRatingTold:
    """What each legal move leads to; with ``peek`` false, how often it keeps the win."""
    board, _ = served.board(asked)
    budgets = served.budgets(asked)

    def fair(cancel: Event) -> FairRatingTold:
        samples, seed = served.samples(asked), asked.seed
        rated = fair_rate(board, samples=samples, seed=seed, cancel=cancel, **budgets)
        shares = {str(move): ShareTold(**asdict(share)) for move, share in rated.items()}
        return FairRatingTold(shares=shares)

    def peeking(cancel: Event) -> RatingTold:
        rated = scorpion.rate(board, cancel=cancel, **budgets)
        return RatingTold(moves={str(move): verdict for move, verdict in rated.items()})

    return await served.searches.run(request, peeking if asked.peek else fair)


@_search("/explain")
async def explain(served: Served, request: Request, asked: AskedSearch) -> ExplanationTold:
    """Why no play can win; null where the board is winnable or was not settled."""
    board, _ = served.board(asked)
    budgets = served.budgets(asked)

    def search(cancel: Event) -> ExplanationTold:
        return ExplanationTold(reason=_why(served, board, cancel, budgets))

    return await served.searches.run(request, search)


@_search("/solve")
async def solve(served: Served, request: Request, asked: AskedSearch) -> SolutionTold:
    """A line that wins, or a proof of loss, or undecided."""
    board, _ = served.board(asked)
    budgets = served.budgets(asked)

    def search(cancel: Event) -> scorpion.Solution:
        return scorpion.solve(board, cancel=cancel, **budgets)

    found = await served.searches.run(request, search)
    served.metrics.count(found.verdict.value, found.nodes)
    return SolutionTold(
        verdict=found.verdict,
        moves=[str(move) for move in found.moves],
        nodes=found.nodes,
        seconds=found.seconds,
        limit=found.limit,
    )


@router.post("/verify", responses=PROBLEMS)
def verify(served: Served, asked: AskedMoves) -> VerifyTold:
    """Whether moves win, replayed one by one."""
    board, _ = served.board(asked)
    moves = [Move.parse(move) for move in asked.moves]
    try:
        scorpion.verify(board, moves)
    except IllegalMoveError as error:
        return VerifyTold(wins=False, step=error.step, message=error.message)
    return VerifyTold(wins=True, step=None, message=None)
