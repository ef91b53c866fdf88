"""The routes that search: hints, ratings, reasons, solutions, proofs; and one checks a line."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Final, Unpack

from fastapi import APIRouter, Request

import scorpion
from scorpion import (
    Board,
    IllegalMoveError,
    Loss,
    Move,
    Verdict,
)
from scorpion.limits import Budgets
from scorpion.losses.locks import locks_in
from scorpion.web.context import Served
from scorpion.web.models import (
    AskedFair,
    AskedMoves,
    AskedSearch,
    ExplanationTold,
    FairHintTold,
    FairRatingTold,
    HintTold,
    Place,
    Proof,
    ProofTold,
    RatingTold,
    Reason,
    ShareTold,
    SolutionTold,
    VerifyTold,
)
from scorpion.web.problems import SEARCH_PROBLEMS

_ONTO: Final = {"covered", "own pile"}
"""Bars on the way onto a card, which is the first that they name."""

router = APIRouter(prefix="/api")


def _search(path: str) -> Callable[[Any], Any]:
    return router.post(path, responses=SEARCH_PROBLEMS)


def _why(board: Board, **budgets: Unpack[Budgets]) -> Reason | None:
    """Why a board is lost, so far as it is known."""
    found = scorpion.explain(board, **budgets)
    if found is None:
        return None
    # The locks of a proof are of boards that are yet to be reached.
    locks = () if isinstance(found, Loss | scorpion.Proof) else locks_in(found)
    reasons = [reason for lock in locks for reason in lock.reasons]
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


def _hint(board: Board, **budgets: Unpack[Budgets]) -> HintTold:
    """A hint, and on a lost board the reason."""
    found = scorpion.hint(board, **budgets)
    is_lost = found.verdict is Verdict.LOST
    return HintTold(
        move=None if found.move is None else str(found.move),
        verdict=found.verdict,
        line=[str(move) for move in found.line],
        nodes=found.nodes,
        reason=_why(board, **budgets) if is_lost else None,
    )


@_search("/hint")
async def hint(served: Served, request: Request, asked: AskedSearch) -> HintTold:
    """A move to play, found with all cards known."""
    board, _ = served.board(asked)
    told = await served.searches.run(request, _hint, board, **served.budgets(asked))
    served.metrics.count(told.verdict, told.nodes)
    return told


@_search("/rate")
async def rate(served: Served, request: Request, asked: AskedSearch) -> RatingTold:
    """What each legal move leads to."""
    board, _ = served.board(asked)
    rated = await served.searches.run(request, scorpion.rate, board, **served.budgets(asked))
    return RatingTold(moves={str(move): verdict for move, verdict in rated.items()})


@_search("/fair-hint")
async def fair_hint(served: Served, request: Request, asked: AskedFair) -> FairHintTold:
    """A move to play, found without looking at hidden cards."""
    board, _ = served.board(asked)
    sampling = served.sampling(asked)
    found = await served.searches.run(request, scorpion.fair_hint, board, **sampling)
    return FairHintTold(
        move=None if found.move is None else str(found.move),
        share=found.share,
        interval=found.interval,
        samples=found.samples,
        shares={str(move): share for move, share in found.shares.items()},
    )


@_search("/fair-rate")
async def fair_rate(served: Served, request: Request, asked: AskedFair) -> FairRatingTold:
    """How often each legal move keeps the win, found without looking at hidden cards."""
    board, _ = served.board(asked)
    sampling = served.sampling(asked)
    rated = await served.searches.run(request, scorpion.fair_rate, board, **sampling)
    shares = {str(move): ShareTold(**asdict(share)) for move, share in rated.items()}
    return FairRatingTold(shares=shares)


@_search("/explain")
async def explain(served: Served, request: Request, asked: AskedSearch) -> ExplanationTold:
    """Why no play can win; null where the board is winnable or was not settled."""
    board, _ = served.board(asked)
    budgets = served.budgets(asked)
    return ExplanationTold(reason=await served.searches.run(request, _why, board, **budgets))


@_search("/solve")
async def solve(served: Served, request: Request, asked: AskedSearch) -> SolutionTold:
    """A line that wins, or a proof of loss, or undecided."""
    board, _ = served.board(asked)
    found = await served.searches.run(request, scorpion.solve, board, **served.budgets(asked))
    served.metrics.count(found.verdict.value, found.nodes)
    return SolutionTold(
        verdict=found.verdict,
        moves=[str(move) for move in found.moves],
        nodes=found.nodes,
        seconds=found.seconds,
        limit=found.limit,
    )


def _proof(board: Board, **budgets: Unpack[Budgets]) -> ProofTold:
    """A proof with its locks as JSON, which takes a while where there are many."""
    found = scorpion.solve(board, proof=True, **budgets)
    return ProofTold(
        verdict=found.verdict,
        proof=None if found.proof is None else Proof(**found.proof.to_dict()),
        nodes=found.nodes,
        seconds=found.seconds,
        limit=found.limit,
    )


@_search("/prove")
async def prove(served: Served, request: Request, asked: AskedSearch) -> ProofTold:
    """A proof that no play can win, which anyone can check.

    It is null where the board is winnable or was not settled, and where a limit was reached
    before the proof was found.
    """
    board, _ = served.board(asked)
    told = await served.searches.run(request, _proof, board, **served.budgets(asked))
    served.metrics.count(told.verdict.value, told.nodes)
    return told


@router.post("/verify", responses=SEARCH_PROBLEMS)
async def verify(served: Served, request: Request, asked: AskedMoves) -> VerifyTold:
    """Whether moves win, replayed one by one."""
    board, _ = served.board(asked)
    return await served.replay(request, _verified, board, asked.moves)


def _verified(board: Board, moves: Sequence[str]) -> VerifyTold:
    """Whether the moves win from the board, and where they do not what is wrong."""
    try:
        scorpion.verify(board, [Move.parse(move) for move in moves])
    except IllegalMoveError as error:
        return VerifyTold(wins=False, step=error.step, message=error.message)
    return VerifyTold(wins=True, step=None, message=None)
