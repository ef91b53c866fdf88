"""The routes that search: hints, ratings, reasons, solutions; and one that checks a line."""

from collections.abc import Callable, Iterator
from threading import Event
from typing import Any, Final

from fastapi import APIRouter, Request

import scorpion
from scorpion import Board, Cases, FairHint, Hint, IllegalMoveError, Lock, Loss, Move, Verdict
from scorpion.web.context import PROBLEMS, SEARCH_PROBLEMS, Context, Served
from scorpion.web.models import (
    AskedHint,
    AskedMoves,
    AskedSearch,
    ExplanationTold,
    FairHintTold,
    HintTold,
    Place,
    RatingTold,
    Reason,
    SolutionTold,
    VerifyTold,
)

_ONTO: Final = {"covered", "own pile"}
"""Bars on the way onto a card, which is the first that they name."""

router = APIRouter(prefix="/api")


def _search(path: str) -> Callable[[Any], Any]:
    return router.post(path, responses=SEARCH_PROBLEMS)


def _eyes(served: Context, asked: AskedHint) -> dict[str, Any]:
    """Whether hidden cards may be looked at, and if not, how many samples stand for them."""
    if asked.peek:
        return {"peek": True}
    most = served.settings.max_samples
    return {"peek": False, "samples": min(asked.samples or most, most), "seed": asked.seed}


def _locks(found: Lock | Cases | Loss) -> Iterator[Lock]:
    """The locks that an explanation rests on: one, one for each case, or none."""
    if isinstance(found, Lock):
        yield found
    elif isinstance(found, Cases):
        for part in found.refuted:
            yield from _locks(part)


def _reason(board: Board, found: Lock | Cases | Loss | None) -> Reason | None:
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
    options = served.budgets(asked) | _eyes(served, asked)

    def search(cancel: Event) -> HintTold | FairHintTold:
        return _told(board, scorpion.hint(board, cancel=cancel, **options))

    told = await served.searches.run(request, search)
    if isinstance(told, HintTold):
        served.metrics.verdicts.labels(told.verdict).inc()
        served.metrics.positions.inc(told.nodes)
    return told


def _told(board: Board, hint: Hint | FairHint) -> HintTold | FairHintTold:
    move = None if hint.move is None else str(hint.move)
    if isinstance(hint, FairHint):
        shares = {str(move): share for move, share in hint.shares.items()}
        return FairHintTold(
            move=move, share=hint.share, interval=hint.interval, samples=hint.samples, shares=shares
        )
    return HintTold(
        move=move,
        verdict=hint.verdict.value,
        line=[str(move) for move in hint.line],
        nodes=hint.nodes,
        reason=_reason(board, hint.reason) if hint.verdict is Verdict.LOST else None,
    )


@_search("/rate")
async def rate(served: Served, request: Request, asked: AskedHint) -> RatingTold:
    """What each legal move leads to; with ``peek`` false, how often it keeps the win."""
    board, _ = served.board(asked)
    options = served.budgets(asked) | _eyes(served, asked)

    def search(cancel: Event) -> RatingTold:
        rated = scorpion.rate(board, cancel=cancel, **options)
        return RatingTold(moves={str(move): found for move, found in rated.items()})

    return await served.searches.run(request, search)


@_search("/explain")
async def explain(served: Served, request: Request, asked: AskedSearch) -> ExplanationTold:
    """Why no play can win; null where the board is winnable or was not settled."""
    board, _ = served.board(asked)
    budgets = served.budgets(asked)

    def search(cancel: Event) -> ExplanationTold:
        found = scorpion.explain(board, cancel=cancel, **budgets)
        return ExplanationTold(reason=_reason(board, found))

    return await served.searches.run(request, search)


@_search("/solve")
async def solve(served: Served, request: Request, asked: AskedSearch) -> SolutionTold:
    """A line that wins, or a proof of loss, or undecided."""
    board, _ = served.board(asked)
    budgets = served.budgets(asked) | {"max_memory": served.settings.max_memory}

    def search(cancel: Event) -> scorpion.Solution:
        return scorpion.solve(board, cancel=cancel, **budgets)

    found = await served.searches.run(request, search)
    served.metrics.verdicts.labels(found.verdict.value).inc()
    served.metrics.positions.inc(found.nodes)
    return SolutionTold(
        verdict=found.verdict.value,
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
