"""Boards as text: PySolFC's own shape, so that its deals paste straight in.

An optional ``Talon:`` line with the stock, an optional ``Foundations:`` line with
the Kings of the finished runs, and a line for each of the seven columns, the lowest
card first, face-down cards in angle brackets, ``:`` or an empty line for an empty
column. Cards are read however people write them (:data:`~scorpion.cards.SPELLED`), and
``??`` is one that is not known. ``/`` stands for a line end and ``#`` starts a comment.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from operator import attrgetter
from typing import Final, NamedTuple

from scorpion.cards import SPELLED, UNKNOWN
from scorpion.errors import BoardError
from scorpion.rules import COLUMNS

_TALON: Final = "TALON:"
_FOUNDATIONS: Final = "FOUNDATIONS:"
_BYTE_ORDER_MARK: Final = "\ufeff"
_WORD: Final = re.compile(r"\S+")


_FACE_UP: Final = SPELLED | {UNKNOWN: UNKNOWN}
_FACE_DOWN: Final = {f"<{text}>": card for text, card in _FACE_UP.items()}


class Piles(NamedTuple):
    """What a board's text says, not yet checked for being a legal position."""

    columns: list[list[str]]
    face_down: list[int]
    stock: list[str]
    foundations: list[str]


class _Line(NamedTuple):
    """A line of board text and where it begins, counted from 1."""

    text: str
    line: int
    column: int
    is_blank: bool = False

    def column_of(self, index: int) -> int:
        """Where in the text the word of that index begins; the line itself if it has none."""
        starts = [match.start() for match in _WORD.finditer(self.text)]
        return self.column + (starts[index] if index < len(starts) else 0)


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
        self._count_columns()

    def _sort_lines(self, text: str) -> None:
        written = text.removeprefix(_BYTE_ORDER_MARK).splitlines()
        for number, whole in enumerate(written, 1):
            bare, hash_sign, _ = whole.partition("#")
            if hash_sign and not bare.strip():
                continue
            column = 1
            for part in bare.split("/"):
                self._sort_line(_Line(part, number, column, is_blank=not part.strip()))
                column += len(part) + 1
        lines = self._column_lines
        # An empty last column may be no more than what follows the last line end.
        if len(lines) == COLUMNS - 1 and text.endswith(("\n", "\r")):
            lines.append(_Line("", len(written) + 1, 1, is_blank=True))
        _drop_blank_ends(lines)

    def _sort_line(self, line: _Line) -> None:
        start = line.text.lstrip()
        if start[: len(_TALON)].upper() == _TALON:
            if self._stock_line is not None:
                raise BoardError("a second Talon line", line=line.line, column=line.column_of(0))
            self._stock_line = self._headed(line, _TALON)
        elif start[: len(_FOUNDATIONS)].upper() == _FOUNDATIONS:
            if self._foundations_line is not None:
                raise BoardError(
                    "a second Foundations line", line=line.line, column=line.column_of(0)
                )
            self._foundations_line = self._headed(line, _FOUNDATIONS)
        elif start.startswith(":"):
            self._column_lines.append(_after(line, ":"))
        else:
            self._column_lines.append(line)

    def _headed(self, line: _Line, heading: str) -> _Line:
        """What follows a heading, before which no blank line is a column."""
        if all(column.is_blank for column in self._column_lines):
            self._column_lines.clear()
        return _after(line, heading)

    def _read(self) -> Piles:
        columns = []
        face_down = []
        for line in self._column_lines:
            words = line.text.split()
            down = 0
            while down < len(words) and words[down] in _FACE_DOWN:
                down += 1
            hidden = [_FACE_DOWN[word] for word in words[:down]]
            columns.append(hidden + _face_up(line, words, down, "lies face down on a face-up card"))
            face_down.append(down)
        return Piles(
            columns, face_down, self._cards(self._stock_line), self._cards(self._foundations_line)
        )

    def _count_columns(self) -> None:
        lines = self._column_lines
        if len(lines) != COLUMNS:
            extra = lines[COLUMNS] if len(lines) > COLUMNS else None
            raise BoardError(
                f"a board has {COLUMNS} columns, this one {len(lines)}"
                " (an empty column is written as a colon)",
                line=extra and extra.line,
                column=extra and extra.column_of(0),
            )

    @staticmethod
    def _cards(line: _Line | None) -> list[str]:
        if line is None:
            return []
        return _face_up(line, line.text.split(), 0, "cannot lie face down here")

    def locate(self, error: BoardError) -> BoardError:
        """The same error, with the place in the text that its pile and index stand for."""
        pile, index = error.pile, error.index
        if pile is None:
            return error
        line = (self._stock_line, *self._column_lines, self._foundations_line)[pile]
        if line is None:
            return error
        return BoardError(
            error.message,
            line=line.line,
            column=line.column_of(index or 0),
            pile=pile,
            index=index,
        )


def _after(line: _Line, prefix: str) -> _Line:
    """The line with spaces in place of its prefix."""
    skip = len(line.text) - len(line.text.lstrip()) + len(prefix)
    return line._replace(text=" " * skip + line.text[skip:])


def _drop_blank_ends(lines: list[_Line]) -> None:
    """Blank lines around the board are not empty columns; those within its seven are.

    Where there are some at both ends, and only some of them can be columns, nobody
    can tell which, and all of them stay.
    """
    before, after = _leading_blanks(lines), _leading_blanks(reversed(lines))
    extra = len(lines) - COLUMNS
    if extra <= 0 or (before and after and extra != before + after):
        return
    del lines[len(lines) - min(after, extra) :]
    del lines[: min(before, extra)]


def _leading_blanks(lines: Iterable[_Line]) -> int:
    return sum(1 for _ in takewhile(attrgetter("is_blank"), lines))


def _face_up(line: _Line, words: list[str], start: int, where: str) -> list[str]:
    """The face-up cards from a word of the line on; ``where`` is said of a face-down one."""
    try:
        return [_FACE_UP[word] for word in words[start:]]
    except KeyError:
        index = next(i for i in range(start, len(words)) if words[i] not in _FACE_UP)
        word = words[index]
        message = f"{word} {where}" if word in _FACE_DOWN else f"{word!r} is not a card"
        raise BoardError(message, line=line.line, column=line.column_of(index)) from None


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
