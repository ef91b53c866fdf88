"""What the checker refuses: claims in which all holds but the one thing that it has to see.

The boards are of few ranks, so that each claim can be followed on paper. A claim made in
the same words that holds stands beside those that do not.
"""

from typing import Any

import pytest
from decks import Parts

from scorpion import _core, reference
from scorpion.errors import ProofError
from scorpion.losses.checker import check_position_lock
from scorpion.losses.locks import Bar, Cases, FirstParked, LastHome, Lock, Reason, Refutation
from scorpion.rules import Rules

STAY = Rules(runs="stay")
BUDGET: dict[str, Any] = {
    "max_nodes": 20_000,
    "max_seconds": 1e9,
    "max_memory": 2**30,
    "prune": False,
    "merge": False,
}


def laid(rules: Rules, text: str) -> Parts:
    """A position's parts; strokes stand between columns, face-down cards in brackets."""
    columns = [column.split() for column in text.split("/")]
    piles = [[card.strip("<>") for card in cards] for cards in columns]
    face_down = [sum(card[0] == "<" for card in cards) for cards in columns]
    return Parts(rules, piles, face_down, [], (), sum(map(len, piles)) // 4)


def bars(*texts: str) -> tuple[Bar, ...]:
    """Bars, each written as its kind and, after a colon, the cards that it names."""
    parts = [text.partition(":") for text in texts]
    return tuple(Bar(kind, tuple(cards.split())) for kind, _, cards in parts)  # type: ignore[arg-type]


def held(card: str, under: str, *texts: str) -> Reason:
    return Reason(card, under, bars(*texts))


def bottom(card: str, *texts: str) -> Reason:
    return Reason(None, card, bars(*texts))


def lock(*reasons: Reason) -> Lock:
    return Lock(reasons)


# Where runs stay a King has no way but to an empty column. 2C lies face down under its own
# child, and nothing else that is claimed here has a part in that.
PILES = laid(STAY, "<2C> AC 2D / <3C> <3S> AS 4D / 4S 3D 2S / 3H 2H 4C / AH AD 4H")
BURIED = held("2C", "AC", "covered: 2C")
OPEN = held("AS", "4D", "first")

# Three Kings stand at the bottom of the columns, so the fourth stays on AS.
KINGS = (bottom("3C"), bottom("3D"), bottom("3H"))
CIRCLE = laid(STAY, "3C AS 3S / 3D 2S AC AD / 3H 2C 2D 2H AH")
STUCK = (*KINGS, held("AS", "3S", "space"))
WAITING = held("3C", "AS", "circle: AS 2S")
HOME_LAST = lock(*STUCK, WAITING)

# Here too; and 2S lies under its parent with AH, which is home, between them.
OWN_PILE = laid(Rules("alternating", runs="stay"), "<3H> 2S AH 3D / 3S 2C AC 2D / 3C 2H AS AD")
ON_HOME = (
    *map(bottom, ("3H", "3S", "3C")),
    held("AH", "3D", "space"),
    held("3H", "2S", "own pile: 3D 2S AH", "covered: 3H"),
)

# Each of two twins lies on a face-down parent; the other two Aces are home.
TWINS = laid(Rules("alternating"), "<2D> AC / <2H> AS / 3C 2C AD / 3S 2S AH / 3H 3D")
PAIR = (
    held("2D", "AC", "covered: 2D", "covered: 2H"),
    held("2H", "AS", "covered: 2D", "covered: 2H"),
)
HOME = (
    held("2C", "AD", "covered: 2C", "covered: 2S"),
    held("2S", "AH", "covered: 2C", "covered: 2S"),
)
AC_SECOND = lock(held("2D", "AC", "second: 2D"))
AS_SECOND = lock(held("2H", "AS", "second: 2H"))

# Three columns, one King at a bottom and three that may go to the other two.
ROOM = laid(STAY, "AC 2D / 2S AS 2H AD 2C / AH")
TWO = laid(STAY, "AC 2D AH / 2S AS 2H AD 2C")
UNDER = {"2H": "AS", "2D": "AC", "2C": "AD"}


def parked_in_turn(columns: int, *parked: str) -> Refutation:
    """The argument for `ROOM` and `TWO`: each King that may go to a space does, until none is."""
    bottoms = [bottom(card) for card in ("2S", *parked)]
    left = [card for card in UNDER if card not in parked]
    bar = "first" if len(bottoms) < columns else "space"
    claim = lock(*bottoms, *(held(UNDER[card], card, bar) for card in left))
    if bar == "space":
        return claim
    return FirstParked(
        claim, tuple(((card,), parked_in_turn(columns, *parked, card)) for card in left)
    )


def one_group(*reasons: Reason, cases: int = 2) -> FirstParked:
    """The argument for `TWO` in two cases, one of them of two cards at once."""
    claim = parked_in_turn(2)
    assert isinstance(claim, FirstParked)
    both = ((("2C",), parked_in_turn(2, "2C")), (("2H", "2D"), lock(bottom("2S"), *reasons)))
    return FirstParked(claim.lock, both[-cases:])


def with_one_leaf(*cases: tuple[tuple[str, ...], Refutation]) -> FirstParked:
    """The argument for `ROOM`, with the last one of the cases that follow 2H and 2D alike.

    The cases given come first, and so are looked at last.
    """
    claim = parked_in_turn(3)
    after = parked_in_turn(3, "2H")
    assert isinstance(claim, FirstParked)
    assert isinstance(after, FirstParked)
    others = tuple(case for case in after.refuted if case[0] != ("2D",))
    again = FirstParked(after.lock, (*others, (("2D",), LEAF)))
    return FirstParked(claim.lock, (*cases, claim.refuted[-1], (("2H",), again)))


# In `ROOM`, once 2H and 2D are parked.
LEAF = parked_in_turn(3, "2H", "2D")
AFTER_2D = parked_in_turn(3, "2D")
assert isinstance(AFTER_2D, FirstParked)
assert AFTER_2D.refuted[0][0] == ("2H",)
SHARED = FirstParked(AFTER_2D.lock, ((("2H",), LEAF), *AFTER_2D.refuted[1:]))

GROUP = (bottom("2H"), bottom("2D"), held("AD", "2C", "space"))


@pytest.mark.parametrize(
    ("parts", "claim"),
    [
        (PILES, lock(BURIED)),
        (PILES, FirstParked(lock(BURIED, OPEN), ((("4D",), lock(BURIED)),))),
        (CIRCLE, lock(*STUCK)),
        (CIRCLE, LastHome(("AS", "2S"), (lock(*STUCK, WAITING), lock(*STUCK)))),
        (TWO, parked_in_turn(2)),
        (TWO, one_group(*GROUP)),
        (ROOM, parked_in_turn(3)),
        (ROOM, with_one_leaf((("2D",), SHARED))),
        (OWN_PILE, lock(*ON_HOME[:-1])),
        (TWINS, lock(*PAIR, *HOME)),
        (TWINS, Cases(("AS", "AC"), (AC_SECOND, AS_SECOND))),
    ],
)
def test_what_holds_is_accepted(parts: Parts, claim: Refutation) -> None:
    check_position_lock(reference.Position(*parts), claim)
    assert _core.search(_core.Position(*parts), **BUDGET)[0] == "lost"


@pytest.mark.parametrize(
    ("parts", "claim", "message"),
    [
        # Cards in the lock.
        (PILES, lock(held("3C", "3S", "face down: 3S")), "3S does not stay face down"),
        (PILES, lock(BURIED, held("3H", "2H", "covered: 3H")), "3H carries its own child"),
        # Bars.
        (
            PILES,
            lock(BURIED, held("3C", "3S", "covered: 2C")),
            "nothing bars 3S from going onto 4S",
        ),
        (
            PILES,
            lock(held("2C", "AC", "covered: 2C", "space")),
            "AC has a bar where there is no way",
        ),
        (OWN_PILE, lock(*ON_HOME), "2S is not in the lock"),
        (TWINS, lock(*PAIR, *HOME, bottom("3H", "run: 2C 2S")), "2C can serve in the run of 3H"),
        (TWINS, lock(*PAIR, *HOME, bottom("3H", "run: AD AH")), "AD can serve in the run of 3H"),
        # Cases of what is parked first.
        (PILES, lock(BURIED, OPEN), "no case says what follows if 4D is parked first"),
        (PILES, FirstParked(lock(), ()), "none of the cards in the lock has to be uncovered"),
        (
            PILES,
            FirstParked(lock(OPEN), ((("4D",), lock(BURIED)),)),
            "2C could have been uncovered before",
        ),
        (
            PILES,
            FirstParked(lock(BURIED, OPEN), ((("4D",), lock(BURIED, bottom("4S"))),)),
            "4S could have left its column before",
        ),
        (TWO, one_group(*GROUP, held("AS", "2H", "space")), "2H has left AS for an empty column"),
        (TWO, one_group(*GROUP[1:]), "does not show that no column is ever empty"),
        (TWO, one_group(*GROUP, cases=1), "no case says what follows if 2C is parked first"),
        (
            PILES,
            FirstParked(lock(BURIED, OPEN), ((("4D", "4S"), lock(BURIED)),)),
            "a case of what may not be parked first",
        ),
        # An argument that serves in several cases, looked at first where it holds.
        (
            ROOM,
            with_one_leaf((("2H", "2D"), LEAF)),
            "does not show that no column is ever empty",
        ),
        (ROOM, with_one_leaf((("2D",), LEAF)), "2H does not stand at the bottom of a column"),
        (TWINS, Cases(("AS", "AC"), (AC_SECOND, AC_SECOND)), "AC is not barred from going onto 2D"),
        (TWINS, Cases(("AC", "AS"), (AC_SECOND, AC_SECOND)), "AC is not barred from going onto 2D"),
        (
            CIRCLE,
            LastHome(("AS", "2S"), (HOME_LAST, HOME_LAST)),
            "AS is not known to come home after 2S",
        ),
        (
            CIRCLE,
            LastHome(("2S", "AS"), (HOME_LAST, HOME_LAST)),
            "AS is not known to come home after 2S",
        ),
        # Cases of twins.
        (
            TWINS,
            Cases(("AS", "AC"), (AC_SECOND, lock(held("2H", "AS", "second: 2C"), *HOME))),
            "AS, coming second, does not need 2C",
        ),
        (
            TWINS,
            Cases(("AS", "AC"), (AC_SECOND, lock(held("2H", "AS", "second: 2D")))),
            "2D is not in the lock",
        ),
        # Cases of what comes home last.
        (
            TWINS,
            LastHome(("AS", "AC"), (lock(*PAIR), lock(*PAIR))),
            "only where one builds in suit",
        ),
        (CIRCLE, LastHome(("AS", "2S"), (lock(*STUCK),)), "as many arguments"),
        (
            CIRCLE,
            LastHome(("AS", "2S"), (lock(*STUCK), lock(*STUCK, WAITING))),
            "AS is not known to come home after 2S",
        ),
        (
            CIRCLE,
            LastHome(("AS", "AD"), (lock(*STUCK, WAITING), lock(*STUCK))),
            "AS is not known to come home after 2S",
        ),
        (
            CIRCLE,
            LastHome(("AS", "2S"), (lock(*STUCK, held("3C", "AS", "circle: AS")), lock(*STUCK))),
            "2S does not lie in the pile of AS",
        ),
        (
            CIRCLE,
            LastHome(("AS", "2S"), (lock(*KINGS, WAITING), lock(*STUCK))),
            "AS is not in the lock",
        ),
    ],
)
def test_what_does_not_hold_is_refused(parts: Parts, claim: Refutation, message: str) -> None:
    with pytest.raises(ProofError, match=message):
        check_position_lock(reference.Position(*parts), claim)
