"""Which piles of cards make a legal position, and what to say of those that do not.

Both engines and the text reader ask here, so a bad board gets the same words from
all of them. A position is a column's cards from the bottom to the open end, how
many of them lie face down, the undealt stock, and the Kings of the finished runs.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from scorpion.building import is_king, run
from scorpion.cards import DECK, NUMBER, RANKS
from scorpion.errors import BoardError
from scorpion.rules import COLUMNS, Rules

STOCK: Final = 3
FOUNDATIONS: Final = COLUMNS + 1  # the foundations as the pile of a BoardError
SUITS_IN_DECK: Final = 4

RUN_IN_PLACE: Final = "column {column} ends in a finished run, which would have left the table"


def check(
    rules: Rules,
    columns: Sequence[Sequence[str]],
    face_down: Sequence[int],
    stock: Sequence[str],
    foundations: Sequence[str],
    ranks: int,
) -> None:
    """Raise :class:`BoardError` at the first thing that no legal position has.

    ``ranks`` is 13, or less for a small deck of the lowest ranks, whose highest
    card then plays the King. What is left to the engines is the one question that
    takes the building rule to answer, whether a finished run lies where it cannot
    stay (:data:`RUN_IN_PLACE`).
    """
    if not 2 <= ranks <= len(RANKS):
        raise BoardError(f"a deck of {ranks} ranks cannot be played; it has 2 to {len(RANKS)}")
    if not 1 <= len(columns) <= COLUMNS or len(face_down) != len(columns):
        raise BoardError(f"{len(columns)} columns and {len(face_down)} counts of face-down cards")
    check_cards([stock, *columns], ranks)
    _check_face_down(columns, face_down)
    _check_stock(stock, len(columns), ranks)
    on_board = {card for pile in (stock, *columns) for card in pile}
    _check_foundations(rules, on_board, foundations, ranks)


def check_cards(piles: Sequence[Sequence[str]], ranks: int, *, skip: str | None = None) -> None:
    """Raise :class:`BoardError` for what is no card of the deck, or is there twice.

    The first pile is the stock. ``skip`` is what may stand in a card's place.
    """
    seen = set()
    for pile, cards in enumerate(piles):
        for index, card in enumerate(cards):
            if skip is not None and card == skip:
                continue
            number = NUMBER.get(card) if isinstance(card, str) else None
            if number is None:
                raise BoardError(f"there is no card {card!r}", pile=pile, index=index)
            if number >= ranks * SUITS_IN_DECK:
                raise BoardError(f"{card} is not in this deck", pile=pile, index=index)
            if card in seen:
                raise BoardError(f"{card} is on the board twice", pile=pile, index=index)
            seen.add(card)


def _check_face_down(columns: Sequence[Sequence[str]], face_down: Sequence[int]) -> None:
    for pile, (cards, count) in enumerate(zip(columns, face_down, strict=True), 1):
        if type(count) is not int or not 0 <= count <= len(cards):
            raise BoardError(f"column {pile} cannot hold {count!r} face-down cards", pile=pile)
        if cards and count == len(cards):
            raise BoardError(
                f"{cards[-1]} lies face down at the open end of column {pile}",
                pile=pile,
                index=count - 1,
            )


def _check_stock(stock: Sequence[str], columns: int, ranks: int) -> None:
    if ranks == len(RANKS) and len(stock) not in (0, STOCK):
        raise BoardError(f"the stock is {STOCK} cards or none, not {len(stock)}", pile=0)
    if len(stock) > min(STOCK, columns):
        raise BoardError(f"the stock holds {len(stock)} cards, more than can be dealt", pile=0)


def _check_foundations(
    rules: Rules, on_board: set[str], foundations: Sequence[str], ranks: int
) -> None:
    """The cards that are not on the board must make up exactly the named runs."""
    if foundations and rules.runs == "stay":
        raise BoardError(
            "there are no foundations where finished runs stay on the table", pile=FOUNDATIONS
        )
    for index, card in enumerate(foundations):
        if not isinstance(card, str) or card not in NUMBER or not is_king(card, ranks):
            message = f"foundations name the King of a run; {card!r} is none"
        elif card in foundations[:index]:
            message = f"the foundations name {card} twice"
        elif card in on_board:
            message = f"{card} is on the board and on a foundation"
        else:
            continue
        raise BoardError(message, pile=FOUNDATIONS, index=index)
    deck = DECK[: ranks * SUITS_IN_DECK]
    gone = [card for card in deck if card not in on_board]
    # In alternating colours a run may have gone with either of two cards at a rank.
    due = Counter(serving for king in foundations for serving in run(rules, king))
    if len(gone) == due.total() and all(
        sum(card in gone for card in serving) == count for serving, count in due.items()
    ):
        return
    if not foundations:
        if len(gone) == 1:
            raise BoardError(f"{gone[0]} is missing")
        missing = " ".join(gone[:6]) + (" ..." if len(gone) > 6 else "")
        raise BoardError(f"{len(gone)} cards are missing: {missing}")
    raise BoardError(
        "the cards that are not on the board do not make up the runs of " + " ".join(foundations),
        pile=FOUNDATIONS,
    )
