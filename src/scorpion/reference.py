"""The rules in plain Python, slow and obvious: what the compiled core is held against.

A column is a list of cards, the open end last, and a count of the face-down cards
at its bottom; which card fits on which stands in ``building``. Nothing here is clever;
read it beside ``docs/rules.md``. :class:`Position` has the names of its compiled twin
in ``_core`` and answers with the same values, errors and messages.
"""

from collections.abc import Sequence
from itertools import pairwise

from scorpion import layout, moves
from scorpion.building import fills_space, fits, is_king, parents
from scorpion.cards import DECK, sort_key
from scorpion.errors import BoardError, IllegalMoveError
from scorpion.moves import DEAL, Move
from scorpion.rules import Rules


class Position:
    """A position that is played on in place; ``undo`` takes moves back.

    ``columns`` hold cards from the bottom to the open end, ``face_down`` how many
    of each lie face down, ``foundations`` the Kings of the runs that have left.
    A small deck (``ranks`` below 13, fewer or shorter columns) is played by the
    same rules; its highest rank is King. Raises :class:`BoardError`.
    """

    def __init__(
        self,
        rules: Rules,
        columns: Sequence[Sequence[str]],
        face_down: Sequence[int],
        stock: Sequence[str] = (),
        foundations: Sequence[str] = (),
        ranks: int = 13,
    ) -> None:
        layout.check(rules, columns, face_down, stock, foundations, ranks)
        self.rules = rules
        self.ranks = ranks
        self._columns = [list(cards) for cards in columns]
        self._face_down = list(face_down)
        self._stock = list(stock)
        self._history: list[tuple[list[list[str]], list[int], list[str]]] = []
        if rules.runs == "leave":
            for column in range(len(columns)):
                if self._ends_in_run(column):
                    raise BoardError(
                        layout.RUN_IN_PLACE.format(column=column + 1),
                        pile=column + 1,
                        index=len(columns[column]) - 1,
                    )

    # What lies where.

    @property
    def columns(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(cards) for cards in self._columns)

    @property
    def face_down(self) -> tuple[int, ...]:
        return tuple(self._face_down)

    @property
    def stock(self) -> tuple[str, ...]:
        return tuple(self._stock)

    @property
    def foundations(self) -> tuple[str, ...]:
        on_board = {card for pile in (self._stock, *self._columns) for card in pile}
        deck = DECK[: self.ranks * layout.SUITS_IN_DECK]
        return tuple(card for card in deck if is_king(card, self.ranks) and card not in on_board)

    def _find(self, card: str) -> tuple[int, int] | None:
        """The column and the place in it where the card lies face up, if it does."""
        for column, cards in enumerate(self._columns):
            if card in cards and cards.index(card) >= self._face_down[column]:
                return column, cards.index(card)
        return None

    # Which card goes where.

    def _takes(self, column: int, card: str) -> bool:
        """Whether the open end of the column takes the card."""
        cards = self._columns[column]
        if not cards:
            return fills_space(self.rules, card, self.ranks)
        return fits(self.rules, card, cards[-1])

    def _ends_in_run(self, column: int) -> bool:
        """Whether King to Ace lie face up and in order at the column's open end."""
        cards = self._columns[column][self._face_down[column] :][-self.ranks :]
        return (
            len(cards) == self.ranks
            and is_king(cards[0], self.ranks)
            and all(fits(self.rules, upper, lower) for lower, upper in pairwise(cards))
        )

    # How the game stands.

    @property
    def is_won(self) -> bool:
        if self._stock:
            return False
        if self.rules.runs == "leave":
            return not any(self._columns)
        return all(
            not cards or (len(cards) == self.ranks and self._ends_in_run(column))
            for column, cards in enumerate(self._columns)
        )

    @property
    def is_stuck(self) -> bool:
        return not self.is_won and not self._stock and not self.legal_moves()

    # Moves.

    def legal_moves(self) -> list[Move]:
        """Every legal move, by column and card, the deal last; none once the game is won.

        Idle moves, which only relabel columns, are left out.
        """
        if self.is_won:
            return []
        legal = self._card_moves(relabelling=True)
        if self._stock and (self.rules.stock == "any-time" or not self._card_moves()):
            legal.append(DEAL)
        return legal

    def _card_moves(self, *, relabelling: bool = False) -> list[Move]:
        """Legal moves of cards; those that relabel a column only if asked for."""
        face_up = [
            card
            for cards, down in zip(self._columns, self._face_down, strict=True)
            for card in cards[down:]
        ]
        found = []
        for column, target in enumerate(self._columns):
            for card in sorted(face_up, key=sort_key):
                if card in target or not self._takes(column, card):
                    continue
                move = Move(card, column + 1)
                if not self._relabels(move) or (relabelling and self._relabelling_counts(move)):
                    found.append(move)
        return found

    def _relabels(self, move: Move) -> bool:
        """Whether a legal move only takes a whole column to an empty one."""
        place = self._find(move.card)
        return place is not None and place[1] == 0 and not self._columns[move.column - 1]

    def _relabelling_counts(self, move: Move) -> bool:
        """Whether a relabelling move changes which card the stock lands on."""
        place = self._find(move.card)
        return place is not None and min(place[0], move.column - 1) < len(self._stock)

    def _refusal(self, move: Move) -> str | None:
        """Why the move is not allowed; None where it is."""
        if not moves.is_move(move):
            return moves.NOT_A_MOVE.format(move=move)
        if self.is_won:
            return moves.ALREADY_WON.format(move=Move(*move))
        if move == DEAL:
            return self._deal_refusal()
        card, column = move
        if not 1 <= column <= len(self._columns):
            return moves.NO_COLUMN.format(column=column, columns=len(self._columns))
        if card not in DECK[: self.ranks * layout.SUITS_IN_DECK]:
            return moves.NOT_IN_DECK.format(card=card)
        place = self._find(card)
        if place is None:
            if card not in self._stock and not any(card in cards for cards in self._columns):
                return moves.ON_FOUNDATION.format(card=card)
            return moves.NOT_FACE_UP.format(card=card)
        if place[0] == column - 1:
            return moves.SAME_COLUMN.format(card=card, column=column)
        if self._takes(column - 1, card):
            return None
        if not self._columns[column - 1]:
            return moves.NOT_A_KING.format(card=card)
        end = self._columns[column - 1][-1]
        if is_king(card, self.ranks):
            return moves.FITS_NOWHERE.format(card=card, column=column, end=end)
        targets = " and ".join(parents(self.rules, card, self.ranks))
        return moves.FITS_ON_OTHERS.format(card=card, parents=targets, column=column, end=end)

    def _deal_refusal(self) -> str | None:
        if not self._stock:
            return moves.NO_STOCK
        if self.rules.stock == "when-stuck":
            others = self._card_moves()
            if others:
                return moves.NOT_STUCK.format(other=others[0])
        return None

    def play(self, move: Move) -> None:
        """Play a legal or an idle move. Raises :class:`IllegalMoveError` saying why not."""
        refusal = self._refusal(move)
        if refusal is not None:
            raise IllegalMoveError(refusal)
        self._history.append(
            ([list(cards) for cards in self._columns], list(self._face_down), list(self._stock))
        )
        if move == DEAL:
            dealt, self._stock = self._stock, []
            for column, card in enumerate(dealt):
                self._columns[column].append(card)
        else:
            place = self._find(move.card)
            assert place is not None
            source, index = place
            self._columns[move.column - 1] += self._columns[source][index:]
            del self._columns[source][index:]
        for column in range(len(self._columns)):
            self._settle(column)

    def _settle(self, column: int) -> None:
        """Turn up the last card of a column, and let finished runs leave it."""
        self._turn_up(column)
        while self.rules.runs == "leave" and self._ends_in_run(column):
            del self._columns[column][-self.ranks :]
            self._turn_up(column)

    def _turn_up(self, column: int) -> None:
        cards = self._columns[column]
        if cards and self._face_down[column] == len(cards):
            self._face_down[column] -= 1

    def undo(self) -> None:
        """Take back the last move played. Raises :class:`IllegalMoveError` if there is none."""
        if not self._history:
            raise IllegalMoveError(moves.NOTHING_TO_UNDO)
        self._columns, self._face_down, self._stock = self._history.pop()

    def copy(self) -> "Position":
        """The same position, with nothing to undo."""
        return Position(
            self.rules, self.columns, self.face_down, self.stock, self.foundations, self.ranks
        )

    def perft(self, depth: int) -> int:
        """How many lines of ``depth`` legal moves there are; 1 for depth 0."""
        if depth == 0:
            return 1
        lines = 0
        for move in self.legal_moves():
            self.play(move)
            lines += self.perft(depth - 1)
            self.undo()
        return lines
