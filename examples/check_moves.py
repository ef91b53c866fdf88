"""A service that checks the games players say they have won.

    pip install scorpion-solitaire fastapi uvicorn
    uvicorn check_moves:app

    curl localhost:8000/check --json '{"game": "wasp", "deal": 4711, "moves": "8D>6 4S>3"}'

The board comes from the deal's number, never from the browser. A game is replayed move
by move; the answer says whether it was won, and if not, which move was wrong and why.
"""

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

import scorpion
from scorpion.moves import parse_moves


class Claim(BaseModel):
    """A player's game. A line of play has some 60 moves; undone ones are not sent."""

    game: str = "scorpion"
    deal: int
    dealer: str = "pysolfc"
    moves: str = Field(max_length=10_000)


class Checked(BaseModel):
    """Whether it was won; if not, the first wrong move, counted from 1, and the reason."""

    won: bool
    step: int | None = None
    reason: str | None = None


app = FastAPI(title="Move checking")


@app.exception_handler(scorpion.ScorpionError)
def refuse(_: Request, error: Exception) -> JSONResponse:
    """A game, a dealer or a number that does not exist is the client's mistake."""
    return JSONResponse({"detail": str(error)}, status_code=422)


@app.post("/check")
def check(claim: Claim) -> Checked:
    """Replay a game."""
    board = scorpion.deal(claim.game, claim.deal, dealer=claim.dealer)
    try:
        scorpion.verify(board, parse_moves(claim.moves))
    except scorpion.IllegalMoveError as error:
        return Checked(won=False, step=error.step, reason=error.message)
    return Checked(won=True)
