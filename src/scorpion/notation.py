"""Boards as text: PySolFC's own shape, so that its deals paste straight in.

An optional ``Talon:`` line with the stock, an optional ``Foundations:`` line with
the Kings of the finished runs, and a line for each of the seven columns, the lowest
card first, face-down cards in angle brackets, ``:`` or an empty line for an empty
column. ``/`` stands for a line end and ``#`` starts a comment.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from scorpion.cards import DECK
from scorpion.errors import BoardError
from scorpion.rules import COLUMNS

_TALON: Final = "TALON:"
_FOUNDATIONS: Final = "FOUNDATIONS:"
_FACE_UP: Final = {card: card for card in DECK} | {
    card.replace("T", "10"): card for card in DECK if card[0] == "T"
}
_FACE_DOWN: Final = {f"<{text}>": card for text, card in _FACE_UP.items()}
_WORD: Final = re.compile(r"\S+")


class Piles(NamedTuple):
    """What a board's text says, not yet checked for being a legal position."""

    columns: list[list[str]]
    face_down: list[int]
    stock: list[str]
    foundations: list[str]


class _Line(NamedTuple):
    """A line of board text, in capitals, and where it begins, counted from 1."""

    text: str
    line: int
    column: int


class BoardText:
    """A board's text, read into :attr:`piles`; it knows where each card stood.

    Raises :class:`BoardError` with line and column where the text cannot be read.
    """

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise BoardError(f"a board's text is a string, not {type(text).__name__}")
        self._stock_line: _Line | None = None
        self._foundations_line: _Line | None = None
        self._column_lines: list[_Line] = []
        self._sort_lines(text)
        self.piles = self._read()

    def _sort_lines(self, text: str) -> None:
        for number, written in enumerate(text.upper().splitlines(), 1):
            bare, hash_sign, _ = written.partition("#")
            if hash_sign and not bare.strip():
                continue
            column = 1
            for part in bare.split("/"):
                self._sort_line(_Line(part, number, column))
                column += len(part) + 1
        # Where blank lines stand around the board they are not empty columns.
        lines = self._column_lines
        while len(lines) > COLUMNS and not lines[-1].text.strip():
            lines.pop()
        while len(lines) > COLUMNS and not lines[0].text.strip():
            lines.pop(0)
        if len(lines) != COLUMNS:
            extra = lines[COLUMNS] if len(lines) > COLUMNS else None
            raise BoardError(
                f"a board has {COLUMNS} columns, this one {len(lines)}"
                " (an empty column is written as a colon)",
                line=extra and extra.line,
                column=extra and extra.column,
            )

    def _sort_line(self, line: _Line) -> None:
        start = line.text.lstrip()
        if start.startswith(_TALON):
            if self._stock_line is not None:
                raise BoardError("a second Talon line", line=line.line, column=line.column)
            self._stock_line = self._after(line, _TALON)
        elif start.startswith(_FOUNDATIONS):
            if self._foundations_line is not None:
                raise BoardError("a second Foundations line", line=line.line, column=line.column)
            self._foundations_line = self._after(line, _FOUNDATIONS)
        elif start.startswith(":"):
            self._column_lines.append(self._after(line, ":"))
        else:
            self._column_lines.append(line)

    @staticmethod
    def _after(line: _Line, prefix: str) -> _Line:
        skip = line.text.index(prefix) + len(prefix)
        return _Line(line.text[skip:], line.line, line.column + skip)

    def _read(self) -> Piles:
        columns = []
        face_down = []
        for line in self._column_lines:
            words = line.text.split()
            down = 0
            while down < len(words) and words[down] in _FACE_DOWN:
                down += 1
            cards = [_FACE_DOWN[word] for word in words[:down]]
            try:
                cards += [_FACE_UP[word] for word in words[down:]]
            except KeyError as error:
                raise self._bad_word(line, error.args[0]) from None
            columns.append(cards)
            face_down.append(down)
        return Piles(
            columns, face_down, self._cards(self._stock_line), self._cards(self._foundations_line)
        )

    def _cards(self, line: _Line | None) -> list[str]:
        if line is None:
            return []
        try:
            return [_FACE_UP[word] for word in line.text.split()]
        except KeyError as error:
            raise self._bad_word(line, error.args[0]) from None

    @staticmethod
    def _bad_word(line: _Line, word: str) -> BoardError:
        for match in _WORD.finditer(line.text):
            if match.group() == word and word not in _FACE_UP:
                break
        if word not in _FACE_DOWN:
            message = f"{word!r} is not a card"
        elif line.text.split().index(word):
            message = f"{word} lies face down on a face-up card"
        else:
            message = f"{word} cannot lie face down here"
        return BoardError(message, line=line.line, column=line.column + match.start())

    def locate(self, error: BoardError) -> BoardError:
        """The same error, with the place in the text that its pile and index stand for."""
        if error.pile is None:
            return error
        line = self._column_lines[error.pile - 1] if error.pile else self._stock_line
        if line is None:
            return error
        places = [match.start() for match in _WORD.finditer(line.text)]
        within = error.index is not None and error.index < len(places)
        offset = places[error.index] if within and error.index is not None else 0
        return BoardError(
            error.message,
            line=line.line,
            column=line.column + offset,
            pile=error.pile,
            index=error.index,
        )


def board_lines(
    columns: Sequence[Sequence[str]],
    face_down: Sequence[int],
    stock: Sequence[str],
    foundations: Sequence[str],
) -> list[str]:
    """The lines of a board's text, which :class:`BoardText` reads back."""
    lines = []
    if foundations:
        lines.append("Foundations: " + " ".join(foundations))
    if stock:
        lines.append("Talon: " + " ".join(stock))
    for cards, down in zip(columns, face_down, strict=True):
        shown = [f"<{card}>" for card in cards[:down]] + list(cards[down:])
        lines.append(" ".join(shown) or ":")
    return lines
