"""What shows that a board is lost, as data and as sentences.

A *lock* is a set of cards none of which can ever be uncovered. Each lies under a card
that cannot leave it, because all that it could leave for waits for cards of the set.
Here are its parts, their words and their form as JSON; ``stuck`` finds locks,
``checker`` says what makes one a proof, and checks it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args, get_type_hints

from scorpion.errors import ProofError
from scorpion.words import count


@dataclass(frozen=True, slots=True)
class Bar:
    """Why a card cannot go one of the ways that cards go.

    ``kind`` and ``cards`` say what is in the way:

    ``"covered"``
        onto the one card named: it is in the lock, so it is never uncovered.
    ``"own pile"``
        onto the first card named: it lies in the pile of the card that would go there.
        The other cards named are those from the one that would go to the one under the
        first; all are in the lock, so nothing on them leaves, and the pile stays whole.
    ``"gone"``
        onto the card named: it has left the table with its run.
    ``"second"``
        onto any card: its twin comes to lie on a parent first, so it needs both of its
        parents, and the one named is in the lock. Only within :class:`Cases`.
    ``"face down"``
        at all: the card itself lies face down and is in the lock.
    ``"space"``
        to an empty column: the lock shows that there is never one. No cards.
    ``"run"``
        away with its finished run: the card named, or both cards named, which are all
        that could serve in the run at their rank, are in the lock (or gone) and would
        first have to be uncovered.
    """

    kind: Literal["covered", "own pile", "gone", "second", "face down", "space", "run"]
    cards: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The bar as JSON knows it."""
        return {"kind": self.kind, "cards": list(self.cards)}

    @classmethod
    def from_dict(cls, data: object) -> "Bar":
        """The bar that :meth:`to_dict` made. Raises :class:`ProofError`."""
        kind, cards = _fields(data, "a bar", "kind", "cards")
        if not isinstance(kind, str) or kind not in _BAR_CARDS:
            raise ProofError(f"there is no bar of the kind {kind!r}")
        named = tuple(_cards(cards))
        least, most = _BAR_CARDS[kind]
        if not least <= len(named) <= most:
            raise ProofError(f"a bar of the kind {kind!r} does not name {len(named)} cards")
        return cls(kind, named)  # type: ignore[arg-type]


# How many cards a bar names, at least and at most.
_BAR_CARDS: Final = dict.fromkeys(get_args(get_type_hints(Bar)["kind"]), (1, 1)) | {
    "own pile": (2, 52),
    "space": (0, 0),
    "run": (1, 2),
}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one card is never uncovered: the card on it, ``under``, cannot leave.

    Every way it could go has its bar. ``card`` is None where ``under`` is the lowest
    card of its column: then that column never becomes empty.
    """

    card: str | None
    under: str
    bars: tuple[Bar, ...]

    def to_dict(self) -> dict[str, Any]:
        """The reason as JSON knows it."""
        bars = [bar.to_dict() for bar in self.bars]
        return {"card": self.card, "under": self.under, "bars": bars}

    @classmethod
    def from_dict(cls, data: object) -> "Reason":
        """The reason that :meth:`to_dict` made. Raises :class:`ProofError`."""
        card, under, bars = _fields(data, "a reason", "card", "under", "bars")
        _cards([under] if card is None else [card, under])
        return cls(card, under, tuple(Bar.from_dict(bar) for bar in _list(bars, "bars")))


@dataclass(frozen=True, slots=True)
class Lock:
    """A set of cards that can never be uncovered, so that the board is lost.

    ``reasons`` say why, one for each card, and one for each column where the lock
    needs that no column is ever emptied; in an order that reads as an argument. As
    text it is a sentence.
    """

    reasons: tuple[Reason, ...]

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that can never be uncovered, in the order of the reasons."""
        return tuple(reason.card for reason in self.reasons if reason.card is not None)

    @property
    def columns_stay(self) -> bool:
        """Whether the lock rests on it that no column can ever be emptied."""
        return any(reason.card is None for reason in self.reasons)

    def __repr__(self) -> str:
        columns = ", and the columns" if self.columns_stay else ""
        return f"<Lock of {count(len(self.cards), 'card')}: {', '.join(self.cards)}{columns}>"

    def to_dict(self) -> dict[str, Any]:
        """The lock as JSON knows it, with its cards and its sentence."""
        return {
            "kind": "lock",
            "cards": list(self.cards),
            "reasons": [reason.to_dict() for reason in self.reasons],
            "text": str(self),
        }

    @classmethod
    def from_dict(cls, data: object) -> "Lock":
        """The lock whose reasons :meth:`to_dict` wrote. Raises :class:`ProofError`."""
        (reasons,) = _fields(data, "a lock", "reasons")
        return cls(tuple(Reason.from_dict(reason) for reason in _list(reasons, "reasons")))

    def __str__(self) -> str:
        clauses = []
        before: Reason | None = None
        for reason in self.reasons:
            clauses.append(_clause(reason, before))
            before = reason
        return "; ".join(clauses) + ": " + _conclusion(self) + "."


@dataclass(frozen=True, slots=True)
class Cases:
    """Two arguments, one for each answer to the question which of two twins is first.

    The ``twins`` are two cards of one rank and colour that lie on no parent yet; in
    every win one of them comes to lie on one before the other. ``refuted`` shows that
    the board is lost if that is the first of the twins, and that it is lost if it is
    the second; each is a :class:`Lock` or distinguishes further cases.
    """

    twins: tuple[str, str]
    refuted: "tuple[Lock | Cases, Lock | Cases]"

    def __repr__(self) -> str:
        first, second = self.twins
        return f"<Cases: {first} or {second} first, {count(self._locks(), 'lock')}>"

    def _locks(self) -> int:
        """How many locks there are, one for each case."""
        return sum(part._locks() if isinstance(part, Cases) else 1 for part in self.refuted)

    def to_dict(self) -> dict[str, Any]:
        """The cases as JSON knows them."""
        refuted = [part.to_dict() for part in self.refuted]
        return {"kind": "cases", "twins": list(self.twins), "refuted": refuted, "text": str(self)}

    @classmethod
    def from_dict(cls, data: object) -> "Cases":
        """The cases that :meth:`to_dict` wrote. Raises :class:`ProofError`."""
        twins, refuted = _fields(data, "cases", "twins", "refuted")
        pair = _cards(twins)
        parts = [refutation_from_dict(part) for part in _list(refuted, "refuted")]
        if len(pair) != 2 or len(parts) != 2:
            raise ProofError("cases are of two twins, and two arguments")
        return cls((pair[0], pair[1]), (parts[0], parts[1]))

    def __str__(self) -> str:
        """The arguments in turn, those of deeper cases after the names of their twins."""
        return " ".join(self._sentences(()))

    def _sentences(self, known: tuple[str, ...]) -> Iterable[str]:
        for first, part in zip(self.twins, self.refuted, strict=True):
            second = self.twins[first == self.twins[0]]
            assumed = (*known, f"{first} finds its place before {second}")
            if isinstance(part, Cases):
                yield from part._sentences(assumed)
            else:
                yield f"If {' and '.join(assumed)}: {part}"


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof that no play wins: all positions that can be reached, down to their locks.

    ``ends`` has an entry for each position in the order in which they are reached when
    the board is first, and the legal moves of each position in turn are played in their
    order (positions reached before, or that differ only in an order of columns that
    plays no role, are left out). An entry is the number of the lock in ``locks`` that
    the position has, or None where all its legal moves are played. So a proof holds no
    positions: :func:`check_proof` finds them by the rules.
    """

    locks: tuple[Lock | Cases, ...]
    ends: tuple[int | None, ...]

    def __repr__(self) -> str:
        return f"<Proof of {count(len(self.ends), 'position')}, {count(len(self.locks), 'lock')}>"

    def to_dict(self) -> dict[str, Any]:
        """The proof as JSON knows it."""
        return {"locks": [lock.to_dict() for lock in self.locks], "ends": list(self.ends)}

    @classmethod
    def from_dict(cls, data: object) -> "Proof":
        """The proof that :meth:`to_dict` wrote. Raises :class:`ProofError`."""
        locks, ends = _fields(data, "a proof", "locks", "ends")
        read = tuple(refutation_from_dict(lock) for lock in _list(locks, "locks"))
        for end in _list(ends, "ends"):
            if end is not None and (type(end) is not int or not 0 <= end < len(read)):
                raise ProofError(f"an end of a proof is the number of a lock, not {end!r}")
        return cls(read, tuple(ends))

    def __str__(self) -> str:
        locked = sum(end is not None for end in self.ends)
        have = "has" if locked == 1 else "have"
        positions = count(len(self.ends), "position")
        return f"{positions} can be reached; {locked:,} {have} a lock, none is won"


def refutation_from_dict(data: object) -> Lock | Cases:
    """The lock or the cases that their ``to_dict`` wrote. Raises :class:`ProofError`."""
    (kind,) = _fields(data, "a lock or cases", "kind")
    if kind not in ("lock", "cases"):
        raise ProofError(f"a board is not refuted by {kind!r}")
    try:
        return Lock.from_dict(data) if kind == "lock" else Cases.from_dict(data)
    except RecursionError:
        raise ProofError("the cases lie too deep in each other") from None


# Reading what was written.


def _fields(data: object, what: str, *names: str) -> tuple[Any, ...]:
    if not isinstance(data, Mapping):
        raise ProofError(f"{what} is written as an object, not {type(data).__name__}")
    for name in names:
        if name not in data:
            raise ProofError(f"{what} without {name!r}")
    return tuple(data[name] for name in names)


def _list(data: object, what: str) -> list[Any]:
    if not isinstance(data, list | tuple):
        raise ProofError(f"{what} are written as a list, not {type(data).__name__}")
    return list(data)


def _cards(data: object) -> list[str]:
    cards = _list(data, "cards")
    for card in cards:
        if not isinstance(card, str):
            raise ProofError(f"{card!r} is not a card")
    return cards


# The words.


def _clause(reason: Reason, before: Reason | None) -> str:
    """What keeps one card covered: ``5S lies under 9D, which fits only on TD``."""
    why = _why(reason)
    if reason.card is None:
        return f"{reason.under}, the lowest card of its column, {why}"
    follows = before is not None and before.card is not None
    lies = "" if follows else "lies "
    return f"{reason.card} {lies}under {reason.under}, which {why}"


def _why(reason: Reason) -> str:
    ways: dict[str, list[Bar]] = {kind: [] for kind in _BAR_CARDS}
    for bar in reason.bars:
        ways[bar.kind].append(bar)
    if ways["face down"]:
        return "lies face down"
    said = [_fits(reason, ways)]
    if ways["second"]:
        said.append(f"comes second and so needs {ways['second'][0].cards[0]} too")
    needs = [
        f"its run, for which {' or '.join(bar.cards)} would have to be uncovered"
        for bar in ways["run"]
    ]
    if ways["space"] and (needs or not any(said)):
        needs.insert(0, "an empty column")
    if needs:
        said.append(f"{'or ' if any(said) else ''}needs {' or '.join(needs)}")
    return " ".join(part for part in said if part)


def _fits(reason: Reason, ways: Mapping[str, list[Bar]]) -> str:
    targets = [
        f"{bar.cards[0]} itself" if bar.cards[0] == reason.card else bar.cards[0]
        for bar in ways["covered"]
    ]
    targets += [f"{bar.cards[0]}, which is gone" for bar in ways["gone"]]
    for bar in ways["own pile"]:
        targets.append(f"{bar.cards[0]} in its own pile")
    return f"fits only on {' and '.join(targets)}" if targets else ""


def _conclusion(lock: Lock) -> str:
    cards = len(lock.cards)
    who = {0: "no card", 1: "it", 2: "neither of them"}.get(cards, "none of them")
    if lock.columns_stay:
        who = "none of these cards"
        return f"{who} can ever be uncovered, nor any column emptied"
    return f"{who} can {'never' if cards == 1 else 'ever'} be uncovered"
