"""What goes in and out as JSON, with the field names of the Python results."""

from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, StringConstraints, Tag

from scorpion import GAMES, Board, Rules, Verdict
from scorpion.web.tokens import Source

MOST_MOVES = 1000
"""Moves that one request may play or verify."""

MoveText = Annotated[str, StringConstraints(max_length=16)]
BoardText = Annotated[str, StringConstraints(max_length=4000)]
TokenText = Annotated[str, StringConstraints(max_length=4000)]
DealerName = Literal["pysolfc", "ms", "cardgames"]


class GameName(StrEnum):
    """The games by name; a type of its own, so that clients made from it have one too."""

    SCORPION = "scorpion"
    WASP = "wasp"
    OPEN_WASP = "open-wasp"
    SCORPION_TAIL = "scorpion-tail"
    SCORPION_II = "scorpion-ii"
    PYSOL_WASP = "pysol-wasp"


assert {*GameName} == {*GAMES}


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


# Questions.


class RulesGiven(_Strict):
    """Rules that are no preset, or a preset spelled out."""

    build: Literal["suit", "alternating"] = "suit"
    fill: Literal["king", "any"] = "king"
    face_down: Annotated[list[int], Field(min_length=7, max_length=7)] = [3, 3, 3, 3, 0, 0, 0]
    runs: Literal["leave", "stay"] = "leave"
    stock: Literal["any-time", "when-stuck"] = "any-time"


class OfToken(_Strict):
    """A board that this service has sealed."""

    token: TokenText


class OfText(_Strict):
    """A board as text, open or with unknown cards."""

    board: BoardText
    game: GameName | RulesGiven = GameName.SCORPION

    @property
    def rules(self) -> str | Rules:
        """What :meth:`scorpion.Board.parse` takes for the game."""
        if isinstance(self.game, GameName):
            return self.game.value
        return Rules(**(self.game.model_dump() | {"face_down": tuple(self.game.face_down)}))


def _form(position: object) -> str:
    """Which of the two a position is meant to be, so that what is wrong with it can be said."""
    is_text = isinstance(position, OfText) or (isinstance(position, dict) and "board" in position)
    return OfText.__name__ if is_text else OfToken.__name__


Position = Annotated[
    Annotated[OfToken, Tag(OfToken.__name__)] | Annotated[OfText, Tag(OfText.__name__)],
    Discriminator(_form),
]


class Asked(_Strict):
    """A question about a position."""

    position: Position


class AskedMoves(Asked):
    """A question about moves from a position."""

    moves: Annotated[list[MoveText], Field(max_length=MOST_MOVES)]


class AskedSearch(Asked):
    """A question that is searched for; the service caps what is asked here."""

    max_nodes: Annotated[int, Field(ge=1)] | None = None
    max_seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None


class AskedFair(AskedSearch):
    """A question that is answered from what a player sees, by samples of the hidden cards.

    ``max_nodes`` is for each move in each sample, 20,000 if nothing is said.
    """

    samples: Annotated[int, Field(ge=1)] | None = None
    seed: Annotated[int, Field(ge=0, le=2**53 - 1)] = 0  # what JavaScript still counts


# Answers.


class RulesTold(BaseModel):
    """The rules that a board is played by."""

    build: Literal["suit", "alternating"]
    fill: Literal["king", "any"]
    face_down: list[int]
    runs: Literal["leave", "stay"]
    stock: Literal["any-time", "when-stuck"]

    @classmethod
    def of(cls, rules: Rules) -> "RulesTold":
        """Rules as JSON."""
        return cls.model_validate(asdict(rules) | {"face_down": [*rules.face_down]})


class GameTold(BaseModel):
    """A preset."""

    game: GameName
    rules: RulesTold


class Table(BaseModel):
    """A board as its player sees it.

    A board that came as a token or as a deal goes out with a token and with its hidden
    cards as ``??``; one that came as text goes out as open as it came, without a token.
    ``deal`` is the number of the deal as text: JavaScript counts exactly only to 2^53.
    """

    token: str | None
    game: str
    rules: RulesTold
    deal: str | None
    dealer: str | None
    date: str | None
    board: str
    columns: list[list[str]]
    face_down: list[int]
    stock: list[str]
    foundations: list[str]
    legal_moves: list[str]
    is_won: bool
    is_stuck: bool

    @classmethod
    def of(cls, board: Board, token: str | None, source: Source) -> "Table":
        """A board as its player sees it, with what was just sealed."""
        shown = board if token is None else board.masked()
        return cls(
            token=token,
            game=board.rules.name,
            rules=RulesTold.of(board.rules),
            deal=None if source.deal is None else str(source.deal),
            dealer=source.dealer,
            date=source.date,
            board=shown.line(),
            columns=[[*column] for column in shown.columns],
            face_down=[*board.face_down],
            stock=[*shown.stock],
            foundations=[*board.foundations],
            legal_moves=[str(move) for move in board.legal_moves()],
            is_won=board.is_won,
            is_stuck=board.is_stuck,
        )


class MovesTold(BaseModel):
    """Legal moves."""

    legal_moves: list[str]


class Place(BaseModel):
    """Where a card lies: its column from 1, and its index in it from 0 at the bottom."""

    column: int
    index: int


class Reason(BaseModel):
    """Why a board is lost: in words, and, where it is a lock, as cards on the table.

    ``cards`` can never be uncovered. ``waits`` are pairs of a card that keeps another
    covered and the card that it would have to go onto; ``places`` say where all these
    lie, so far as they are not in the stock.
    """

    text: str
    cards: list[str]
    waits: list[tuple[str, str]]
    places: dict[str, Place]


class HintTold(BaseModel):
    """A move that was found with open eyes; a guess unless the verdict is known."""

    move: str | None
    verdict: Verdict
    line: list[str]
    nodes: int
    reason: Reason | None


class FairHintTold(BaseModel):
    """A move found without looking at hidden cards, and how often it kept the win."""

    move: str | None
    share: float
    interval: tuple[float, float]
    samples: int
    shares: dict[str, float]


class RatingTold(BaseModel):
    """A verdict for every legal move."""

    moves: dict[str, Verdict]


class ShareTold(BaseModel):
    """In which share of how many samples a move keeps the win, with its 95% interval."""

    share: float
    interval: tuple[float, float]
    samples: int


class FairRatingTold(BaseModel):
    """How often every legal move keeps the win, for all that its player sees."""

    shares: dict[str, ShareTold]


class ExplanationTold(BaseModel):
    """Why no play can win, or null where nothing was found that says so."""

    reason: Reason | None


class SolutionTold(BaseModel):
    """What a search found."""

    verdict: Verdict
    moves: list[str]
    nodes: int
    seconds: float
    limit: Literal["nodes", "seconds", "memory", "cancelled"] | None


class Proof(BaseModel):
    """A proof of loss, as ``scorpion.Proof.to_dict`` writes it and ``scorpion check`` takes it.

    ``ends`` has an entry for each position that can be reached, nearest first: the number of
    the lock in ``locks`` that it has, or null where all its legal moves are played.
    """

    locks: list[dict[str, Any]]
    ends: list[int | None]


class ProofTold(BaseModel):
    """What a search for a proof found: none unless the verdict is lost."""

    verdict: Verdict
    proof: Proof | None
    nodes: int
    seconds: float
    limit: Literal["nodes", "seconds", "memory", "cancelled"] | None


class VerifyTold(BaseModel):
    """Whether moves win; if not, at which step and why."""

    wins: bool
    step: int | None
    message: str | None


class Health(BaseModel):
    """That the service is up."""

    status: Literal["ok"]
    version: str


class Problem(BaseModel):
    """What was wrong with a request; ``line`` and ``column`` of a board's text, or the step."""

    error: str
    message: str
    line: int | None = None
    column: int | None = None
    step: int | None = None
