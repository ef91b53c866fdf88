"""A service that gives hints.

    pip install scorpion-solitaire fastapi uvicorn
    uvicorn hint_server:app

    curl localhost:8000/hint --json '{"game": "wasp", "board": "Talon: QD 3D AS / <4C> <7S> ..."}'

Searches run in the server's threads without holding up the others; each has a budget of
positions and, because somebody is waiting, one of time.
"""

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

import scorpion

SECONDS = 0.5


class Asked(BaseModel):
    """A board as text, on one line or several."""

    game: str = "scorpion"
    board: str = Field(max_length=2_000)


class Hinted(BaseModel):
    """The move to play, null where there is none, and what is known of the board.

    ``line`` is a whole line that wins, empty unless the verdict is "winnable".
    """

    move: str | None
    verdict: scorpion.Verdict
    line: list[str]


app = FastAPI(title="Hints")


@app.exception_handler(scorpion.ScorpionError)
def refuse(_: Request, error: Exception) -> JSONResponse:
    """Text that is no board is the client's mistake; the error says where it is wrong."""
    return JSONResponse({"detail": str(error)}, status_code=422)


@app.post("/hint")
def hint(asked: Asked) -> Hinted:
    """What to play."""
    board = scorpion.Board.parse(asked.board, asked.game)
    found = scorpion.hint(board, max_seconds=SECONDS)
    move = None if found.move is None else str(found.move)
    return Hinted(move=move, verdict=found.verdict, line=[*map(str, found.line)])
