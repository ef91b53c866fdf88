"""A board: an immutable value over the compiled position."""

from collections.abc import Sequence
from typing import Final, final

from scorpion._core import Position
from scorpion.cards import DECK, NUMBER, RANKS, UNKNOWN
from scorpion.errors import BoardError, RulesError
from scorpion.moves import Move
from scorpion.notation import BoardText, board_lines
from scorpion.rules import COLUMNS, GAMES, Rules, rules_of
from scorpion.unseen import fill_in, where_unknown

BYTES_VERSION: Final = 1
UNKNOWN_VERSION: Final = 2
"""Of the bytes of a board with unknown cards."""
_FLAGS: Final = (
    ("build", "alternating"),
    ("fill", "any"),
    ("runs", "stay"),
    ("stock", "when-stuck"),
)


@final
class Board:
    """A position of a game with its rules; playing on it gives a new board.

    ``columns`` are seven sequences of cards from the bottom to the open end,
    ``face_down`` says how many at the bottom of each lie face down, ``stock`` is
    what has not been dealt, in the order in which it will land (three cards or
    none), ``foundations`` are the Kings of the runs that have left. ``game`` is a
    preset's name or :class:`Rules`. Raises :class:`BoardError` if that is no legal
    position and :class:`RulesError` for an unknown game.

    Cards that are face down or in the stock may be unknown: ``??``. Such a board is a
    player's view of a game. It has text and legal moves, and can be played on as long as
    no unknown card comes to light; what asks for more raises :class:`BoardError`.
    """

    # With unknown cards, others stand in for them in the engine: see unseen.py.
    __slots__ = ("_seen", "_stand_ins")
    _seen: Position
    _stand_ins: frozenset[str]

    def __init__(
        self,
        game: str | Rules,
        columns: Sequence[Sequence[str]],
        face_down: Sequence[int] = (0,) * COLUMNS,
        stock: Sequence[str] = (),
        foundations: Sequence[str] = (),
    ) -> None:
        rules = rules_of(game)
        try:
            count = len(columns)
            piles = [tuple(cards) for cards in columns]
            parts = (tuple(face_down), tuple(stock), tuple(foundations))
        except TypeError:
            raise BoardError("columns, face_down, stock and foundations are sequences") from None
        if count != COLUMNS:
            raise BoardError(f"a board has {COLUMNS} columns, this one {count}")
        self._set_up(rules, piles, *parts)

    def _set_up(
        self,
        rules: Rules,
        columns: Sequence[Sequence[str]],
        face_down: Sequence[int],
        stock: Sequence[str],
        foundations: Sequence[str],
    ) -> None:
        filled = fill_in(rules, columns, face_down, stock, foundations)
        self._seen = Position(rules, filled.columns, face_down, filled.stock, foundations)
        self._stand_ins = filled.stand_ins

    @classmethod
    def parse(cls, text: str, game: str | Rules = "scorpion") -> "Board":
        """The board that a text stands for, on one line or several.

        Any legal position can be read, not only a deal. Raises :class:`BoardError`
        with the line and column of the fault.
        """
        rules = rules_of(game)
        read = BoardText(text)
        try:
            return cls(rules, *read.piles)
        except BoardError as error:
            raise read.locate(error) from None

    def masked(self) -> "Board":
        """The board as its player sees it: cards that are face down or in the stock are
        unknown. Its text is all that a server need tell a browser.
        """
        columns = [
            (UNKNOWN,) * down + cards[down:]
            for cards, down in zip(self.columns, self.face_down, strict=True)
        ]
        stock = (UNKNOWN,) * len(self.stock)
        return Board(self.rules, columns, self.face_down, stock, self.foundations)

    # What lies where.

    @property
    def rules(self) -> Rules:
        """The rules this board is played by."""
        return self._seen.rules

    @property
    def columns(self) -> tuple[tuple[str, ...], ...]:
        """The seven columns, each from the bottom card to the open end."""
        return tuple(map(self._shown, self._seen.columns))

    @property
    def face_down(self) -> tuple[int, ...]:
        """How many cards at the bottom of each column lie face down."""
        return self._seen.face_down

    @property
    def stock(self) -> tuple[str, ...]:
        """The undealt cards in the order in which they land; empty after the deal."""
        return self._shown(self._seen.stock)

    @property
    def foundations(self) -> tuple[str, ...]:
        """The Kings of the runs that have left the table, in the order of the deck."""
        return self._seen.foundations

    # How the game stands.

    @property
    def is_won(self) -> bool:
        """Whether all cards are in finished runs."""
        return self._seen.is_won

    @property
    def is_stuck(self) -> bool:
        """Whether the game is not won, no move is legal and no stock is left to deal."""
        return self._seen.is_stuck

    def legal_moves(self) -> list[Move]:
        """Every legal move, by column and then card, :data:`DEAL` last.

        Idle moves are left out: a whole column led to an empty one, unless that
        changes which card the stock will land on. A won game has none.
        """
        return self._seen.legal_moves()

    def play(self, move: Move) -> "Board":
        """The board after a legal or an idle move.

        Raises :class:`IllegalMoveError` saying why the move is not allowed, and
        :class:`BoardError` for one that brings an unknown card to light.
        """
        after = self._seen.after(move)
        if self._stand_ins and _hidden(after) != _hidden(self._seen):
            return self._shown_after(move, after)
        board = Board.__new__(Board)
        board._seen = after
        board._stand_ins = self._stand_ins
        return board

    def _shown_after(self, move: Move, after: Position) -> "Board":
        """The board after a move that turned a card up or finished a run.

        Of a run that leaves in alternating colours the foundations do not say which cards
        went with it, so the cards that stand in may be others from then on.
        """
        still_unseen = set(after.stock)
        for cards, down in zip(after.columns, after.face_down, strict=True):
            still_unseen.update(cards[:down])
        if not self._stand_ins <= still_unseen:
            where = where_unknown(self.columns, self.stock)
            raise BoardError(f"{move} turns up a card that is not known; unknown: {where}")
        columns = [self._shown(cards) for cards in after.columns]
        stock = self._shown(after.stock)
        return Board(after.rules, columns, after.face_down, stock, after.foundations)

    def _shown(self, cards: tuple[str, ...]) -> tuple[str, ...]:
        """Cards as they are known."""
        if not self._stand_ins:
            return cards
        return tuple(UNKNOWN if card in self._stand_ins else card for card in cards)

    # As text, bytes and a value.

    def text(self) -> str:
        """The board as lines of text, which :meth:`parse` reads."""
        return "\n".join(self._lines()) + "\n"

    def line(self) -> str:
        """The same on one line."""
        return " / ".join(self._lines())

    def _lines(self) -> list[str]:
        return board_lines(self.columns, self.face_down, self.stock, self.foundations)

    def to_bytes(self) -> bytes:
        """The board with its rules as bytes, for storage; the first byte is a version."""
        rules = self.rules
        flags = sum(
            (getattr(rules, field) == value) << place for place, (field, value) in enumerate(_FLAGS)
        )
        version = UNKNOWN_VERSION if self._stand_ins else BYTES_VERSION
        return bytes((version, flags, *rules.face_down)) + self._arrangement()

    def _arrangement(self) -> bytes:
        """What lies where as bytes: :meth:`Position.arrangement`; with unknown cards, which
        count as the one after the last of the deck, the foundations follow as well.
        """
        if not self._stand_ins:
            return self._seen.arrangement()
        parts = []
        for cards, down in zip(self.columns, self.face_down, strict=True):
            parts += [len(cards), down, *map(_number, cards)]
        for cards in (self.stock, self.foundations):
            parts += [len(cards), *map(_number, cards)]
        return bytes(parts)

    @classmethod
    def from_bytes(cls, data: bytes) -> "Board":
        """The board that :meth:`to_bytes` made the bytes of. Raises :class:`BoardError`."""
        if not isinstance(data, bytes | bytearray | memoryview):
            raise BoardError(f"a stored board is bytes, not {type(data).__name__}")
        stored = bytes(data)
        if not stored:
            raise BoardError("a stored board is never empty")
        if stored[0] not in (BYTES_VERSION, UNKNOWN_VERSION):
            raise BoardError(
                f"a stored board of version {stored[0]}; this reads {BYTES_VERSION} and"
                f" {UNKNOWN_VERSION}"
            )
        board = _Stored(stored).board()
        if stored[0] == UNKNOWN_VERSION and board.to_bytes() != stored:
            raise BoardError("a stored board with unknown cards is not written like this")
        return board

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self._arrangement() == other._arrangement() and self.rules == other.rules

    def __hash__(self) -> int:
        return hash((self._arrangement(), self.rules))

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return (Board.from_bytes, (self.to_bytes(),))

    def __str__(self) -> str:
        return self.line()

    def __repr__(self) -> str:
        name = self.rules.name
        game = name if name in GAMES else self.rules
        return f"Board.parse({self.line()!r}, {game!r})"


def _hidden(position: Position) -> tuple[object, ...]:
    """What changes when a card turns up, the stock is dealt or a run leaves."""
    return position.face_down, position.stock, position.foundations


# What the rooms above ask of a board. The engine's positions change when they are played on,
# so they are for the library alone, and whoever would change one takes a copy.


def check_board(board: object, task: str) -> Board:
    """The board, if it is one; otherwise :class:`BoardError`, naming the task that wants it."""
    if not isinstance(board, Board):
        raise BoardError(f"{task} a Board, not {type(board).__name__}")
    return board


def position_of(board: Board) -> Position:
    """The engine's position. Raises :class:`BoardError` for a board with unknown cards."""
    if board._stand_ins:
        where = where_unknown(board.columns, board.stock)
        raise BoardError(f"the board has unknown cards: {where}")
    return board._seen


def seen_by_player(board: Board) -> tuple[Position, frozenset[str]]:
    """The engine's position with stand-ins for the cards that a player cannot see, and which
    these are. Of a board with unknown cards only those are unseen.
    """
    seen = board if board._stand_ins else board.masked()
    return seen._seen, seen._stand_ins


def _number(card: str) -> int:
    return NUMBER.get(card, len(DECK))


class _Stored:
    """The bytes of a stored board, taken apart from front to back."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 1
        self.known = data[0] == BYTES_VERSION

    def board(self) -> Board:
        rules = self._rules()
        columns = []
        face_down = []
        for _ in range(COLUMNS):
            cards, down = self._take(2)
            columns.append(self._cards(cards))
            face_down.append(down)
        stock = self._cards(self._take(1)[0])
        if self.known:
            on_board = {card for pile in (stock, *columns) for card in pile}
            kings = [card for card in DECK if card[0] == RANKS[-1] and card not in on_board]
        else:
            kings = self._cards(self._take(1)[0])
        if self.at != len(self.data):
            raise BoardError("a stored board goes on after its end")
        return Board(rules, columns, face_down, stock, kings)

    def _take(self, count: int) -> bytes:
        taken = self.data[self.at : self.at + count]
        if len(taken) < count:
            raise BoardError("a stored board ends too early")
        self.at += count
        return taken

    def _rules(self) -> Rules:
        flags, *face_down = self._take(1 + COLUMNS)
        if flags >> len(_FLAGS):
            raise BoardError(f"a stored board with unknown rules ({flags})")
        chosen = {field: value for place, (field, value) in enumerate(_FLAGS) if flags >> place & 1}
        try:
            return Rules(face_down=tuple(face_down), **chosen)  # type: ignore[arg-type]
        except RulesError as error:
            raise BoardError(f"a stored board whose {error}") from None

    def _cards(self, count: int) -> list[str]:
        deck = DECK if self.known else (*DECK, UNKNOWN)
        numbers = self._take(count)
        if any(number >= len(deck) for number in numbers):
            raise BoardError("a stored board with a card that is none")
        return [deck[number] for number in numbers]
