"""The routes that deal and play: no search but for boards that have to be winnable."""

import re
import secrets
from collections.abc import Sequence
from datetime import date
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import BeforeValidator, WithJsonSchema

import scorpion
from scorpion import DEALERS, GAMES, Board, IllegalMoveError, Move, Rules
from scorpion.days import first_winnable
from scorpion.limits import MAX_NODES
from scorpion.rules import FACE_DOWN
from scorpion.web.context import Served
from scorpion.web.models import (
    Asked,
    AskedMoves,
    DealerName,
    GameName,
    GameTold,
    MovesTold,
    OfText,
    RulesTold,
    Table,
)
from scorpion.web.problems import PROBLEMS, SEARCH_PROBLEMS
from scorpion.web.tokens import Source

MOST_NUMBER: Final = max(DEALERS.values())
DIGITS: Final = f"[1-9][0-9]{{0,{len(str(MOST_NUMBER)) - 1}}}"
"""A deal number as text; whether its dealer has it is for the library to say."""
RANDOM_DEALS: Final = 10**9
"""Random deals have numbers from 1 to this, which players can still quote."""

Dealer = Annotated[DealerName, Query(description="Whose number it is.")]
Winnable = Annotated[bool, Query(description="Only a board that is proved winnable.")]


def _iso_date(day: object) -> date:
    """A date as ISO 8601 writes it; pydantic alone would take seconds since 1970 too."""
    try:
        return date.fromisoformat(str(day))
    except ValueError as error:
        raise ValueError(f"not a date like 2027-01-31: {error}") from None


def _digits(number: object) -> int:
    """A number in digits; pydantic alone would take 5.0 and 1_000 too."""
    if not re.fullmatch(DIGITS, str(number)):
        raise ValueError("a deal number is written in digits, the first no 0")
    return int(str(number))


DealNumber = Annotated[
    int,
    BeforeValidator(_digits),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "pattern": f"^{DIGITS}$"},
                {"type": "integer", "minimum": 1, "maximum": MOST_NUMBER},
            ]
        }
    ),
    Path(description="The number of the deal, as text or as a number."),
]
Day = Annotated[date, BeforeValidator(_iso_date), Path(description="The day, as 2027-01-31.")]


async def _rules(
    game: GameName,
    build: Annotated[
        Literal["suit", "alternating"] | None, Query(description="On which cards one builds.")
    ] = None,
    fill: Annotated[
        Literal["king", "any"] | None, Query(description="What an empty column takes.")
    ] = None,
    face_down: Annotated[
        str | None,
        Query(description="Cards face down in each column, as 3333000.", pattern=f"^{FACE_DOWN}$"),
    ] = None,
    runs: Annotated[
        Literal["leave", "stay"] | None, Query(description="Whether finished runs leave the table.")
    ] = None,
    stock: Annotated[
        Literal["any-time", "when-stuck"] | None, Query(description="When the stock may be dealt.")
    ] = None,
) -> Rules:
    """The rules of a game; what is given besides its name takes the place of its own rule."""
    return Rules.parse(
        game.value, build=build, fill=fill, face_down=face_down, runs=runs, stock=stock
    )


RulesAsked = Annotated[Rules, Depends(_rules)]

router = APIRouter(prefix="/api")


def _played(board: Board, moves: Sequence[str]) -> Board:
    """The board after the moves."""
    for step, move in enumerate(moves, 1):
        try:
            board = board.play(Move.parse(move))
        except IllegalMoveError as error:
            raise IllegalMoveError(error.message, step) from None
    return board


@router.get("/games")
async def games() -> list[GameTold]:
    """The games and their rules."""
    told = [{"game": name, "rules": RulesTold.of(rules)} for name, rules in GAMES.items()]
    return [GameTold.model_validate(each) for each in told]


@router.get("/deals/{game}/{deal}", responses=PROBLEMS)
async def deal(
    served: Served, rules: RulesAsked, deal: DealNumber, dealer: Dealer = "pysolfc"
) -> Table:
    """A numbered deal."""
    return served.sealed(scorpion.deal(rules, deal, dealer=dealer), Source(deal, dealer))


@router.get("/deals/{game}", responses=SEARCH_PROBLEMS)
async def random_deal(
    served: Served, request: Request, rules: RulesAsked, *, winnable: Winnable = False
) -> Table:
    """A random deal."""
    number = secrets.randbelow(RANDOM_DEALS) + 1
    if not winnable:
        return served.sealed(scorpion.deal(rules, number), Source(number, "pysolfc"))

    found = await served.searches.run(request, first_winnable, rules, number, "pysolfc", MAX_NODES)
    assert found is not None, "who cancels waits for no answer"
    return served.sealed(found.board, Source(found.number, found.dealer))


@router.get("/daily/{game}/{day}", responses=SEARCH_PROBLEMS)
async def daily(served: Served, request: Request, rules: RulesAsked, day: Day) -> Table:
    """The board of a day, the same for everyone and always winnable."""
    found = await served.days.board(request, rules, day)
    return served.sealed(found.board, Source(found.number, found.dealer, day.isoformat()))


@router.post("/moves", responses=PROBLEMS)
async def moves(served: Served, asked: Asked) -> MovesTold:
    """The legal moves."""
    board, _ = served.board(asked)
    return MovesTold(legal_moves=[str(move) for move in board.legal_moves()])


@router.post("/play", responses=SEARCH_PROBLEMS)
async def play(served: Served, request: Request, asked: AskedMoves) -> Table:
    """Play moves, one after the other; none of them if one is not legal."""
    board, source = served.board(asked)
    board = await served.replay(request, _played, board, asked.moves)
    if isinstance(asked.position, OfText):
        return Table.of(board, None, source)
    return served.sealed(board, source)
