"""The error family: every complaint of the library about what it was given.

All of them are :class:`ScorpionError`, and that is a :class:`ValueError`, so a
caller may catch as narrowly or as widely as suits.
"""


class ScorpionError(ValueError):
    """What scorpion was given cannot be used; the message says what and where."""


class RulesError(ScorpionError):
    """An unknown game, or a :class:`~scorpion.Rules` field with an impossible value."""


class DealError(ScorpionError):
    """An unknown dealer, a deal number that the dealer does not have, or no day."""


class BudgetError(ScorpionError):
    """A search budget that is not a positive number."""


class StoreError(ScorpionError):
    """A store that cannot be used: not opened, locked, full, damaged or of a newer version."""


class SurveyError(ScorpionError):
    """A survey's file that cannot be used, or an executor that settles nothing any more."""


class ProofError(ScorpionError):
    """A lock or a proof of loss that does not hold; the message says where it fails."""


class BoardError(ScorpionError):
    """Not a board: text that cannot be read, or cards that make no legal position.

    ``line`` and ``column`` count from 1 and say where in the text the fault is;
    both are None for a fault of the whole, and for boards that did not come from
    text. ``pile`` and ``index`` name the same place on the table: pile 0 is the
    stock, pile 1 the first column, pile 8 the foundations, and index counts cards
    from 0 at the bottom.
    """

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        pile: int | None = None,
        index: int | None = None,
    ) -> None:
        self.message = message
        self.line = line
        self.column = column
        self.pile = pile
        self.index = index
        super().__init__(message)

    def __str__(self) -> str:
        if self.line is None:
            return self.message
        if self.column is None:
            return f"line {self.line}: {self.message}"
        return f"line {self.line}, column {self.column}: {self.message}"

    def __reduce__(self) -> tuple[object, ...]:
        places = (self.line, self.column, self.pile, self.index)
        return (_board_error, (self.message, *places))


def _board_error(
    message: str, line: int | None, column: int | None, pile: int | None, index: int | None
) -> BoardError:
    return BoardError(message, line=line, column=column, pile=pile, index=index)


class IllegalMoveError(ScorpionError):
    """A move that the rules do not allow, or text that is no move.

    ``step`` is the move's place in the list that was replayed, counting from 1;
    None where a single move was played.
    """

    def __init__(self, message: str, step: int | None = None) -> None:
        self.message = message
        self.step = step
        super().__init__(message)

    def __str__(self) -> str:
        return self.message if self.step is None else f"step {self.step}: {self.message}"

    def __reduce__(self) -> tuple[object, ...]:
        return (IllegalMoveError, (self.message, self.step))
