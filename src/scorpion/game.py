"""A game being played: moves made and taken back, hints, and how good a move was."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Unpack

from scorpion.board import Board, check_board, position_of
from scorpion.deals import deal
from scorpion.errors import BoardError, DealError, IllegalMoveError
from scorpion.fair import SAMPLES, FairHint, Share, fair_hint, fair_rate
from scorpion.hints import Hint, hint, rate
from scorpion.limits import Budgets
from scorpion.moves import Move
from scorpion.rules import Rules
from scorpion.solver import Verdict
from scorpion.words import count

VERSION: Final = 1
"""Of what :meth:`Game.to_dict` writes."""
NO_CHANGE: Final = "as it changes nothing"
_FIELDS: Final = ("version", "rules", "board", "moves", "undone")
_DEAL_FIELDS: Final = ("deal", "dealer")
"""What a saved game has only if it is known with which deal it began."""
_DIGITS: Final = re.compile("[0-9]{1,30}")
_RULES_FIELDS: Final = tuple(asdict(Rules()))


@dataclass(frozen=True, slots=True)
class Judgement:
    """How good a move was: what was known before it, and what it made of that.

    ``before`` and ``after`` are the verdicts on the board before and after the move,
    ``winning`` the moves that kept the win, ``open`` those of which it is not known.
    (Of several empty columns that are alike, a move to each is a move of its own.)
    """

    move: Move
    before: Verdict
    after: Verdict
    winning: tuple[Move, ...]
    open: tuple[Move, ...]

    @property
    def is_blunder(self) -> bool:
        """Whether the board could be won before the move, and cannot after it."""
        return self.before is Verdict.WINNABLE and self.after is Verdict.LOST

    def __str__(self) -> str:
        others = len(self.winning)
        ways = "the only winning move" if others == 1 else f"one of {others} winning moves"
        if self.is_blunder:
            return f"{self.move} throws the win away; {count(others, 'other move')} kept it"
        if self.before is Verdict.LOST:
            return f"{self.move} changes nothing: the board was lost before it"
        if self.after is Verdict.LOST:
            return f"{self.move} leads to a lost board; whether it was lost before is not known"
        if self.after is Verdict.WINNABLE:
            return f"{self.move} keeps the win, {ways if self.move in self.winning else NO_CHANGE}"
        return f"{self.move} leads to a board that is not settled"


class Game:
    """A game from a board on: what was played, and what was taken back.

    Undo knows no limit; it goes back across the deal and finished runs, and what was
    face down is so again. Legal moves may be played, and idle ones. Where a hint found
    a line that wins it is remembered: while the player stays on the line, the next hint
    costs no search, and so it is when undo leads back to it.

    ``number`` and ``dealer`` say which deal the board is, where it is one and that is
    known; the game only remembers them.

    Raises :class:`BoardError` for a thing that is no board, and for a board with unknown
    cards; :class:`DealError` if the board is not that deal.
    """

    def __init__(self, board: Board, *, number: int | None = None, dealer: str = "pysolfc") -> None:
        # A game turns cards up, so all must be known: this raises where some are not.
        position_of(check_board(board, "a game begins with"))
        if number is not None and deal(board.rules, number, dealer=dealer) != board:
            raise DealError(f"the game did not begin with {dealer} deal {number}")
        self._number = number
        self._dealer = None if number is None else dealer
        self._boards = [board]
        self._moves: list[Move] = []
        self._at = 0
        # What hints have found out, by the number of moves played.
        self._known: dict[int, Hint] = {}

    # How it stands.

    @property
    def start(self) -> Board:
        """The board with which the game began."""
        return self._boards[0]

    @property
    def number(self) -> int | None:
        """The number of the deal with which the game began; None where it is not known."""
        return self._number

    @property
    def dealer(self) -> str | None:
        """Whose number that is; None without a number."""
        return self._dealer

    @property
    def board(self) -> Board:
        """The board as it is now."""
        return self._boards[self._at]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that led from the start to the board."""
        return tuple(self._moves[: self._at])

    @property
    def undone(self) -> tuple[Move, ...]:
        """The moves that were taken back, in the order in which :meth:`redo` plays them."""
        return tuple(self._moves[self._at :])

    @property
    def is_won(self) -> bool:
        """Whether all cards are in finished runs."""
        return self.board.is_won

    @property
    def is_stuck(self) -> bool:
        """Whether the game is not won, and no legal move is left."""
        return self.board.is_stuck

    # Playing.

    def play(self, move: Move) -> Board:
        """Play a legal or an idle move; the board after it. Forgets what was undone.

        Raises :class:`IllegalMoveError` saying why the move is not allowed.
        """
        after = self.board.play(move)
        known = self._known.get(self._at)
        del self._moves[self._at :], self._boards[self._at + 1 :]
        self._known = {at: found for at, found in self._known.items() if at <= self._at}
        self._moves.append(Move(*move))
        self._boards.append(after)
        self._at += 1
        if known is not None and (known.verdict is Verdict.LOST or known.move == move):
            self._known[self._at] = _followed(known, after)
        return after

    def undo(self) -> Move:
        """Take the last move back; answers which it was.

        Raises :class:`IllegalMoveError` at the start.
        """
        if self._at == 0:
            raise IllegalMoveError("there is no move to take back")
        self._at -= 1
        return self._moves[self._at]

    def redo(self) -> Move:
        """Play the move again that was taken back last; answers which it is.

        Raises :class:`IllegalMoveError` where none was.
        """
        if self._at == len(self._moves):
            raise IllegalMoveError("there is no move to play again")
        self._at += 1
        return self._moves[self._at - 1]

    def restart(self) -> None:
        """Take all moves back; :meth:`redo` plays them again one by one."""
        self._at = 0

    # Advice.

    def hint(self, **budgets: Unpack[Budgets]) -> Hint:
        """What to play now: :func:`hint` for the board, within its budgets.

        A line that was found is followed as long as the moves played are its moves, and
        what comes after a lost board is lost: both without a search.
        """
        known = self._known.get(self._at)
        if known is None:
            known = hint(self.board, **budgets)
            if known.verdict is not Verdict.UNDECIDED:
                self._known[self._at] = known
        return known

    def rate(self, **budgets: Unpack[Budgets]) -> dict[Move, Verdict]:
        """What each legal move leads to: :func:`rate` for the board, within its budgets."""
        return rate(self.board, **budgets)

    def fair_hint(
        self, *, samples: int = SAMPLES, seed: int = 0, **budgets: Unpack[Budgets]
    ) -> FairHint:
        """What to play, by what the player sees: :func:`fair_hint` for the board.

        What hints have found is not used, since it rests on hidden cards.
        """
        return fair_hint(self.board, samples=samples, seed=seed, **budgets)

    def fair_rate(
        self, *, samples: int = SAMPLES, seed: int = 0, **budgets: Unpack[Budgets]
    ) -> dict[Move, Share]:
        """How often each legal move keeps the win: :func:`fair_rate` for the board."""
        return fair_rate(self.board, samples=samples, seed=seed, **budgets)

    def judge(self, **budgets: Unpack[Budgets]) -> Judgement:
        """How good the last move was, within the budgets of :func:`rate`.

        Raises :class:`IllegalMoveError` at the start, where there is none.
        """
        if self._at == 0:
            raise IllegalMoveError("there is no move to judge")
        move = self._moves[self._at - 1]
        verdicts = rate(self._boards[self._at - 1], **budgets)
        winning = tuple(m for m, verdict in verdicts.items() if verdict is Verdict.WINNABLE)
        open_ = tuple(m for m, verdict in verdicts.items() if verdict is Verdict.UNDECIDED)
        unsettled = Verdict.UNDECIDED if open_ else Verdict.LOST
        before = Verdict.WINNABLE if winning else unsettled
        # An idle move is not rated: it leaves everything as it was.
        return Judgement(move, before, verdicts.get(move, before), winning, open_)

    # Saving.

    def to_dict(self) -> dict[str, Any]:
        """The game as JSON knows it; :meth:`from_dict` reads it.

        "version" is 1, "rules" holds the fields of :class:`Rules`, "board" the start on
        one line, "moves" and "undone" moves as text. Of a numbered deal "deal" is the
        number and "dealer" whose it is: as text, since JavaScript loses digits of numbers
        above 2^53.
        """
        rules = asdict(self.start.rules)
        known = {} if self.number is None else {"deal": str(self.number), "dealer": self.dealer}
        return {
            "version": VERSION,
            "rules": rules | {"face_down": list(rules["face_down"])},
            "board": self.start.line(),
            "moves": [str(move) for move in self.moves],
            "undone": [str(move) for move in self.undone],
            **known,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Game":
        """The game that :meth:`to_dict` wrote, each move checked by the rules.

        Raises :class:`BoardError` for what is no such dict, :class:`RulesError`,
        :class:`DealError` for a board that is not the deal named, and
        :class:`IllegalMoveError` with the step for a move that is not allowed.
        """
        is_deal = isinstance(data, Mapping) and any(name in data for name in _DEAL_FIELDS)
        names = _FIELDS + _DEAL_FIELDS if is_deal else _FIELDS
        fields = _fields(data, "a saved game", names)
        if type(fields["version"]) is not int or fields["version"] != VERSION:
            raise BoardError(f"a saved game of version {fields['version']!r}; this reads {VERSION}")
        rules = _fields(fields["rules"], "the rules of a saved game", _RULES_FIELDS)
        if not isinstance(rules["face_down"], list | tuple):
            raise BoardError("face_down in a saved game is a list")
        rules["face_down"] = tuple(rules["face_down"])
        if not isinstance(fields["board"], str):
            raise BoardError("the board of a saved game is text")
        board = Board.parse(fields["board"], Rules(**rules))
        known = {"number": _number(fields["deal"]), "dealer": fields["dealer"]} if is_deal else {}
        game = cls(board, **known)
        played, undone = (_moves(fields[name], name) for name in ("moves", "undone"))
        for step, text in enumerate(played + undone, 1):
            try:
                game.play(Move.parse(text))
            except IllegalMoveError as error:
                raise IllegalMoveError(error.message, step) from None
        game._at = len(played)
        return game

    def __repr__(self) -> str:
        which = "" if self.number is None else f" {self.dealer} deal {self.number},"
        played = f"{count(len(self.moves), 'move')} played"
        return f"<Game of {self.start.rules.name},{which} {played}: {self.board}>"


def _followed(known: Hint, after: Board) -> Hint:
    """What a hint says of the board after its move; if that is LOST, after any move."""
    rest = known.line[1:]
    move = rest[0] if rest else None
    if known.verdict is Verdict.LOST:
        move = position_of(after).most_uncovering()
    return Hint(move, known.verdict, rest, 0, None, after)


def _fields(data: object, what: str, names: tuple[str, ...]) -> dict[str, Any]:
    """The named entries of a dict that must have these and no others."""
    if not isinstance(data, Mapping):
        raise BoardError(f"{what} is a dict, not {type(data).__name__}")
    for name in names:
        if name not in data:
            raise BoardError(f"{what} lacks {name!r}")
    for name in data:
        if name not in names:
            raise BoardError(f"{what} has no {name!r}")
    return dict(data)


def _number(data: object) -> int:
    """A deal's number, which may have been written as text or as a number."""
    if isinstance(data, str) and _DIGITS.fullmatch(data):
        return int(data)
    if isinstance(data, int):
        return data
    raise DealError(f"a deal number is a whole number, not {data!r}")


def _moves(data: object, name: str) -> list[str]:
    if not isinstance(data, list | tuple):
        raise BoardError(f"{name} in a saved game is a list of moves")
    return list(data)
