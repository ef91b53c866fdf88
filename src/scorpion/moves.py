"""Moves, their text, and the words for a move that is refused.

Both engines refuse the same moves for the same reasons, each by its own reading
of the rules; the words stand here once so that they agree to the letter.
"""

import re
from typing import Final, NamedTuple

from scorpion.cards import NUMBER, SPELLED
from scorpion.errors import IllegalMoveError

_MOVE_TEXT: Final = re.compile(r"([^>]+)>([0-9]{1,2})")


class Move(NamedTuple):
    """A card leads, everything on it goes along to the open end of a column.

    ``card`` is two characters, ``column`` counts from 1. The one move that is not
    of this kind is :data:`DEAL`.
    """

    card: str
    column: int

    def __str__(self) -> str:
        return "deal" if self == DEAL else f"{self.card}>{self.column}"

    def __repr__(self) -> str:
        return "DEAL" if self == DEAL else f"Move({self.card!r}, {self.column!r})"

    @classmethod
    def parse(cls, text: str) -> "Move":
        """The move that ``6H>3`` or ``deal`` stands for.

        Case does not matter, and the card may be written as on a board: ``♥10>3``.
        Raises :class:`IllegalMoveError` where the text is no move.
        """
        words = text.strip() if isinstance(text, str) else ""
        if words.lower() == "deal":
            return DEAL
        match = _MOVE_TEXT.fullmatch(words)
        if match is None or match[1] not in SPELLED:
            raise IllegalMoveError(NOT_A_MOVE.format(move=text))
        return cls(SPELLED[match[1]], int(match[2]))


DEAL: Final = Move("", 0)
"""The stock is dealt, one card on each of the first columns."""


def parse_moves(text: str) -> tuple[Move, ...]:
    """A move list: moves as text with white space between them.

    Raises :class:`IllegalMoveError` with the step at the first word that is no move.
    """
    if not isinstance(text, str):
        raise IllegalMoveError(f"a move list is a string, not {type(text).__name__}")
    moves = []
    for step, word in enumerate(text.split(), 1):
        try:
            moves.append(Move.parse(word))
        except IllegalMoveError as error:
            raise IllegalMoveError(error.message, step) from None
    return tuple(moves)


def is_move(move: object) -> bool:
    """Whether ``move`` has the form of a move: a card and a column's number, or DEAL."""
    return (
        isinstance(move, tuple)
        and len(move) == 2
        and isinstance(move[0], str)
        and isinstance(move[1], int)
        and not isinstance(move[1], bool)
        and (move[0] in NUMBER or move == DEAL)
    )


# Why a move is refused, in the order in which the engines ask.
NOT_A_MOVE: Final = "{move!r} is not a move; a move looks like 6H>3, or deal"
ALREADY_WON: Final = "{move} comes after the game is won"
NO_STOCK: Final = "there is no stock left to deal"
NOT_STUCK: Final = "the stock may be dealt only when no other move exists; {other} is one"
NO_COLUMN: Final = "there is no column {column}; the columns are 1 to {columns}"
NOT_IN_DECK: Final = "{card} is not in this deck"
ON_FOUNDATION: Final = "{card} has left the table with its run"
NOT_FACE_UP: Final = "{card} does not lie face up on the table"
NOTHING_TO_UNDO: Final = "there is no move to take back"
SAME_COLUMN: Final = "{card} lies in column {column} already"
NOT_A_KING: Final = "only a King may lead into an empty column; {card} is none"
FITS_NOWHERE: Final = "{card} fits on no card; column {column} ends in {end}"
FITS_ON_OTHERS: Final = "{card} fits only on {parents}; column {column} ends in {end}"
