"""A board: an immutable value over the compiled position."""

from collections.abc import Sequence
from typing import Final, final

from scorpion._core import Position
from scorpion.cards import DECK, RANKS
from scorpion.errors import BoardError, RulesError
from scorpion.moves import Move
from scorpion.notation import BoardText, board_lines
from scorpion.rules import COLUMNS, GAMES, Rules, rules_of

BYTES_VERSION: Final = 1
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
    """

    __slots__ = ("_position",)
    _position: Position

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
        self._position = Position(rules, piles, *parts)

    @classmethod
    def parse(cls, text: str, game: str | Rules = "scorpion") -> "Board":
        """The board that a text stands for, on one line or several.

        Any legal position can be read, not only a deal. Raises :class:`BoardError`
        with the line and column of the fault.
        """
        rules = rules_of(game)
        read = BoardText(text)
        try:
            return cls._of(Position(rules, *read.piles))
        except BoardError as error:
            raise read.locate(error) from None

    @classmethod
    def _of(cls, position: Position) -> "Board":
        board = cls.__new__(cls)
        board._position = position
        return board

    # What lies where.

    @property
    def rules(self) -> Rules:
        """The rules this board is played by."""
        return self._position.rules

    @property
    def columns(self) -> tuple[tuple[str, ...], ...]:
        """The seven columns, each from the bottom card to the open end."""
        return self._position.columns

    @property
    def face_down(self) -> tuple[int, ...]:
        """How many cards at the bottom of each column lie face down."""
        return self._position.face_down

    @property
    def stock(self) -> tuple[str, ...]:
        """The undealt cards in the order in which they land; empty after the deal."""
        return self._position.stock

    @property
    def foundations(self) -> tuple[str, ...]:
        """The Kings of the runs that have left the table, in the order of the deck."""
        return self._position.foundations

    # How the game stands.

    @property
    def is_won(self) -> bool:
        """Whether all cards are in finished runs."""
        return self._position.is_won

    @property
    def is_stuck(self) -> bool:
        """Whether the game is not won, no move is legal and no stock is left to deal."""
        return self._position.is_stuck

    def legal_moves(self) -> list[Move]:
        """Every legal move, by column and then card, :data:`DEAL` last.

        Idle moves are left out: a whole column led to an empty one, unless that
        changes which card the stock will land on. A won game has none.
        """
        return self._position.legal_moves()

    def play(self, move: Move) -> "Board":
        """The board after a legal or an idle move.

        Raises :class:`IllegalMoveError` saying why the move is not allowed.
        """
        return self._of(self._position.after(move))

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
        head = bytes((BYTES_VERSION, flags, *rules.face_down))
        return head + self._position.arrangement()

    @classmethod
    def from_bytes(cls, data: bytes) -> "Board":
        """The board that :meth:`to_bytes` made the bytes of. Raises :class:`BoardError`."""
        if not isinstance(data, bytes | bytearray | memoryview):
            raise BoardError(f"a stored board is bytes, not {type(data).__name__}")
        stored = bytes(data)
        if not stored:
            raise BoardError("a stored board is never empty")
        if stored[0] != BYTES_VERSION:
            raise BoardError(f"a stored board of version {stored[0]}; this reads {BYTES_VERSION}")
        return _Stored(stored).board()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (
            self._position.arrangement() == other._position.arrangement()
            and self.rules == other.rules
        )

    def __hash__(self) -> int:
        return hash((self._position.arrangement(), self.rules))

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return (Board.from_bytes, (self.to_bytes(),))

    def __str__(self) -> str:
        return self.line()

    def __repr__(self) -> str:
        name = self.rules.name
        game = name if name in GAMES else self.rules
        return f"Board.parse({self.line()!r}, {game!r})"


class _Stored:
    """The bytes of a stored board, taken apart from front to back."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 1

    def board(self) -> Board:
        rules = self._rules()
        columns = []
        face_down = []
        for _ in range(COLUMNS):
            cards, down = self._take(2)
            columns.append(self._cards(cards))
            face_down.append(down)
        stock = self._cards(self._take(1)[0])
        if self.at != len(self.data):
            raise BoardError("a stored board goes on after its end")
        on_board = {card for pile in (stock, *columns) for card in pile}
        kings = [card for card in DECK if card[0] == RANKS[-1] and card not in on_board]
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
        numbers = self._take(count)
        if any(number >= len(DECK) for number in numbers):
            raise BoardError("a stored board with an unknown card")
        return [DECK[number] for number in numbers]
