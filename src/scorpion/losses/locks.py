"""What shows that a board is lost, as data and as sentences.

A *lock* is a set of cards none of which can ever be uncovered. Each lies under a card
that cannot leave it, because all that it could leave for waits for cards of the set, or
because there is no empty column for it: then the lock also names the cards that stand at
the bottom of a column for good. Where one lock does not do, *cases* are distinguished:
which of two twins finds its place first, which card goes to an empty column first, which
of some cards that wait on each other comes home last. Here are their parts, their words
and their form as JSON; the core finds them (engine/reasons.pxd), ``checker`` says what
makes them a proof, and checks it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args, get_type_hints

from scorpion.cards import RANKS
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
        first; nothing on them leaves, so the pile stays whole: they are in the lock (where
        one builds in suit, those need not be that carry their own child).
    ``"circle"``
        onto its parent: it comes home last of the cards named, itself the first of them,
        and by then its parent lies in its own pile. Each one's parent lies in the pile of
        the next, and the last one's in that of the first; and of what lies from each card
        to the parent in its pile nothing leaves, as with "own pile". Only within
        :class:`LastHome`, and in suit.
    ``"gone"``
        onto the card named: it has left the table with its run.
    ``"second"``
        onto any card: its twin comes to lie on a parent first, so it needs both of its
        parents, and the one named is in the lock. Only within :class:`Cases`.
    ``"face down"``
        at all: the card itself lies face down and is in the lock.
    ``"space"``
        to an empty column: the lock names so many cards that stand at the bottom of a
        column for good that there is never one. No cards.
    ``"first"``
        to an empty column: that it goes there before any other card with this bar is one
        of the cases of a :class:`FirstParked`. No cards.
    ``"run"``
        away with its finished run: the card named, or both cards named, which are all
        that could serve in the run at their rank, are in the lock and would first have to
        be uncovered, or never come to lie on a parent, or are gone.
    """

    kind: Literal[
        "covered", "own pile", "circle", "gone", "second", "face down", "space", "first", "run"
    ]
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
    "circle": (2, 52),
    "space": (0, 0),
    "first": (0, 0),
    "run": (1, 2),
}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one card is never uncovered: the card on it, ``under``, cannot leave.

    Every way it could go has its bar. ``card`` is None where ``under`` stands at the bottom
    of a column for good, being the lowest card there now or, within :class:`FirstParked`,
    having gone to an empty column; it may go from one empty column to another, but neither
    onto a card nor away with its run.
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

    ``reasons`` say why, one for each card, and one for each card at the bottom of a
    column that the lock counts on; in an order that reads as an argument. As text it is a
    sentence.
    """

    reasons: tuple[Reason, ...]

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that can never be uncovered, in the order of the reasons."""
        return tuple(reason.card for reason in self.reasons if reason.card is not None)

    @property
    def bottoms(self) -> tuple[str, ...]:
        """The cards that stand at the bottom of a column for good."""
        return tuple(reason.under for reason in self.reasons if reason.card is None)

    def __repr__(self) -> str:
        cards = ", ".join(self.cards) or "none"
        bottoms = f"; at the bottom {', '.join(self.bottoms)}" if self.bottoms else ""
        return f"<Lock of {count(len(self.cards), 'card')}: {cards}{bottoms}>"

    def to_dict(self) -> dict[str, Any]:
        """The lock as JSON knows it, with its cards and its sentence."""
        return _written(self) | {"text": str(self)}

    def __str__(self) -> str:
        return f"{_clauses(self, ())}: {_conclusion(self)}."


@dataclass(frozen=True, slots=True)
class Cases:
    """Two arguments, one for each answer to the question which of two twins is first.

    The ``twins`` are two cards of one rank and colour that lie on no parent yet; in
    every win one of them comes to lie on one before the other. ``refuted`` shows that
    the board is lost if that is the first of the twins, and that it is lost if it is
    the second; each is a :class:`Lock` or distinguishes further cases.
    """

    twins: tuple[str, str]
    refuted: "tuple[Refutation, Refutation]"

    def __repr__(self) -> str:
        first, second = self.twins
        return f"<Cases: {first} or {second} first, {_how_many_locks(self)}>"

    def to_dict(self) -> dict[str, Any]:
        """The cases as JSON knows them."""
        return _written(self) | {"text": str(self)}

    def __str__(self) -> str:
        """The arguments in turn, each after what it assumes."""
        return " ".join(_sentences(self))


@dataclass(frozen=True, slots=True)
class FirstParked:
    """A lock but for cards that could go to an empty column, and an argument for each.

    ``lock`` bars every way but that to an empty column of the cards with a bar "first":
    nothing it names is uncovered, and nothing leaves its bottom, unless one of those cards
    goes to an empty column before the others do. ``refuted`` has, for each of them, an
    argument that the board is lost in that case; cards with the same argument stand
    together. There the card stands at the bottom of a column until it comes home; what
    the argument names as never uncovered, or as standing at a bottom for good, ``lock``
    names too (but for the card itself).
    """

    lock: Lock
    refuted: "tuple[tuple[tuple[str, ...], Refutation], ...]"

    def __repr__(self) -> str:
        cards = [card for cards, _ in self.refuted for card in cards]
        return f"<FirstParked: {', '.join(cards)}; {_how_many_locks(self)}>"

    def to_dict(self) -> dict[str, Any]:
        """The cases as JSON knows them."""
        return _written(self) | {"text": str(self)}

    def __str__(self) -> str:
        """What is locked but for the cases, then the arguments in turn."""
        return " ".join(_sentences(self))


@dataclass(frozen=True, slots=True)
class LastHome:
    """An argument for each answer to the question which of some cards comes home last.

    The ``cards`` lie on no parent yet; in every win each comes to lie on its parent, one
    for the first time after all the others have. ``refuted`` has, card by card, an
    argument that the board is lost if it is that one.
    """

    cards: tuple[str, ...]
    refuted: "tuple[Refutation, ...]"

    def __repr__(self) -> str:
        return f"<LastHome: {', '.join(self.cards)}; {_how_many_locks(self)}>"

    def to_dict(self) -> dict[str, Any]:
        """The cases as JSON knows them."""
        return _written(self) | {"text": str(self)}

    def __str__(self) -> str:
        """The arguments in turn, each after what it assumes."""
        return " ".join(_sentences(self))


Refutation = Lock | Cases | FirstParked | LastHome
"""What shows that a board is lost without a further look at what is played."""


def locks_in(refutation: Refutation) -> Iterator[Lock]:
    """The locks that a refutation rests on, in its order, each once."""
    seen: set[int] = set()
    waiting: list[Refutation] = [refutation]
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, Lock):
            yield part
        elif isinstance(part, FirstParked):
            yield part.lock
            waiting += [each for _, each in reversed(part.refuted)]
        else:
            waiting += reversed(part.refuted)


def _how_many_locks(refutation: Refutation) -> str:
    return count(sum(1 for _ in locks_in(refutation)), "lock")


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

    locks: tuple[Refutation, ...]
    ends: tuple[int | None, ...]

    def __repr__(self) -> str:
        return f"<Proof of {count(len(self.ends), 'position')}, {count(len(self.locks), 'lock')}>"

    def to_dict(self) -> dict[str, Any]:
        """The proof as JSON knows it, with its sentences."""
        locks = [_written(lock) for lock in self.locks]
        return {"kind": "proof", "locks": locks, "ends": list(self.ends), "text": str(self)}

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
        locked = [end for end in self.ends if end is not None]
        positions = count(len(self.ends), "position")
        have = "has" if len(locked) == 1 else "have"
        told = f"{positions} can be reached; {len(locked):,} {have} a lock, none is won."
        if not locked:
            return told
        commonest = max(sorted(set(locked)), key=locked.count)
        of_these = f"{locked.count(commonest):,} of these"
        where = "all of these" if len(set(locked)) == 1 else of_these
        return f"{told} In {where}: {self.locks[commonest]}"


def refutation_from_dict(data: object) -> Refutation:
    """The lock or the cases that their ``to_dict`` wrote. Raises :class:`ProofError`."""
    try:
        return _read(data, [])
    except RecursionError:
        raise ProofError("the cases lie too deep in each other") from None


# Writing, and reading what was written. Only the whole has its text, and an argument that
# serves in several cases is written once: after that only its number in the order of writing.


def _written(part: Refutation, numbers: dict[int, int] | None = None) -> dict[str, Any]:
    numbers = {} if numbers is None else numbers
    if id(part) in numbers:
        return {"kind": "same", "number": numbers[id(part)]}
    numbers[id(part)] = len(numbers)
    if isinstance(part, Lock):
        reasons = [reason.to_dict() for reason in part.reasons]
        return {"kind": "lock", "cards": list(part.cards), "reasons": reasons}
    if isinstance(part, FirstParked):
        lock = _written(part.lock, numbers)
        cases = [
            {"cards": list(cards), "refuted": _written(each, numbers)}
            for cards, each in part.refuted
        ]
        return {"kind": "first parked", "lock": lock, "refuted": cases}
    refuted = [_written(each, numbers) for each in part.refuted]
    if isinstance(part, Cases):
        return {"kind": "cases", "twins": list(part.twins), "refuted": refuted}
    return {"kind": "last home", "cards": list(part.cards), "refuted": refuted}


def _read(data: object, before: list[Refutation | None]) -> Refutation:
    """What was written, with what was written before it, of which None is not yet whole."""
    (kind,) = _fields(data, "a lock or cases", "kind")
    if kind == "same":
        (number,) = _fields(data, "an argument that was given", "number")
        part = before[number] if type(number) is int and 0 <= number < len(before) else None
        if part is None:
            raise ProofError(f"there is no argument {number!r} before")
        return part
    place = len(before)
    before.append(None)
    if kind == "lock":
        part = _read_lock(data)
    elif kind == "cases":
        part = _read_cases(data, before)
    elif kind == "first parked":
        part = _read_first_parked(data, before)
    elif kind == "last home":
        cards, refuted = _fields(data, "cases", "cards", "refuted")
        arguments = tuple(_read(each, before) for each in _list(refuted, "refuted"))
        part = LastHome(tuple(_cards(cards)), arguments)
    else:
        raise ProofError(f"a board is not refuted by {kind!r}")
    before[place] = part
    return part


def _read_lock(data: object) -> Lock:
    (reasons,) = _fields(data, "a lock", "reasons")
    return Lock(tuple(Reason.from_dict(reason) for reason in _list(reasons, "reasons")))


def _read_cases(data: object, before: list[Refutation | None]) -> Cases:
    twins, refuted = _fields(data, "cases", "twins", "refuted")
    pair = _cards(twins)
    parts = [_read(part, before) for part in _list(refuted, "refuted")]
    if len(pair) != 2 or len(parts) != 2:
        raise ProofError("cases are of two twins, and two arguments")
    return Cases((pair[0], pair[1]), (parts[0], parts[1]))


def _read_first_parked(data: object, before: list[Refutation | None]) -> FirstParked:
    lock, refuted = _fields(data, "cases", "lock", "refuted")
    first = _read(lock, before)
    if not isinstance(first, Lock):
        raise ProofError("what is parked first is a case of a lock")
    parts = []
    for part in _list(refuted, "refuted"):
        cards, argument = _fields(part, "a case", "cards", "refuted")
        parts.append((tuple(_cards(cards)), _read(argument, before)))
    return FirstParked(first, tuple(parts))


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


def _sentences(
    part: Refutation, assumed: tuple[str, ...] = (), parked: tuple[str, ...] = ()
) -> Iterable[str]:
    """A sentence for each lock, after what it assumes."""
    so = f"If {' and '.join(assumed)}: " if assumed else ""
    if isinstance(part, Lock):
        yield f"{so}{_clauses(part, parked)}: {_conclusion(part)}."
    elif isinstance(part, FirstParked):
        parkable = [card for cards, _ in part.refuted for card in cards]
        some = "one of these: " if len(parkable) > 1 else ""
        yield (
            f"{so}{_clauses(part.lock, parked)}: {_conclusion(part.lock)}, but by first parking"
            f" {some}{' or '.join(parkable)}."
        )
        for cards, each in part.refuted:
            first = (*assumed, f"{' or '.join(cards)} is parked first")
            if isinstance(each, Lock):
                yield from _sentences(each, first, (*parked, *cards))
            else:
                yield f"If {' and '.join(first)}: cases again, {_how_many_locks(each)}."
    elif isinstance(part, Cases):
        for twin, each in zip(part.twins, part.refuted, strict=True):
            before = f"{twin} finds its place before {part.twins[twin == part.twins[0]]}"
            yield from _sentences(each, (*assumed, before), parked)
    else:
        for last, each in zip(part.cards, part.refuted, strict=True):
            others = " and ".join(card for card in part.cards if card != last)
            yield from _sentences(each, (*assumed, f"{last} comes home after {others}"), parked)


def _clauses(lock: Lock, parked: tuple[str, ...]) -> str:
    clauses = []
    before: Reason | None = None
    for reason in lock.reasons:
        clauses.append(_clause(reason, before, parked))
        before = reason
    return "; ".join(clauses)


def _clause(reason: Reason, before: Reason | None, parked: tuple[str, ...]) -> str:
    """What keeps one card covered: ``5S lies under 9D, which fits only on TD``."""
    why = _why(reason)
    if reason.card is None:
        where = "parked" if reason.under in parked else "the lowest card of its column"
        return f"{reason.under}, {where}, {why}"
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
    if (ways["space"] or ways["first"]) and (needs or not any(said)):
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
    targets += [f"{bar.cards[0]} in its own pile" for bar in ways["own pile"]]
    targets += [f"{_parent(bar.cards[0])}, by then in its own pile" for bar in ways["circle"]]
    return f"fits only on {' and '.join(targets)}" if targets else ""


def _parent(card: str) -> str:
    """The one card that a card fits on where one builds in suit."""
    return RANKS[RANKS.index(card[0]) + 1] + card[1]


def _conclusion(lock: Lock) -> str:
    who = {0: "", 1: "it can never be uncovered", 2: "neither of them can ever be uncovered"}.get(
        len(lock.cards), "none of them can ever be uncovered"
    )
    if not lock.bottoms:
        return who or "no card can ever be uncovered"
    bottoms = " and ".join(lock.bottoms)
    stay = f"{bottoms} never {'leaves its' if len(lock.bottoms) == 1 else 'leave their'} column"
    if any(bar.kind == "space" for reason in lock.reasons for bar in reason.bars):
        stay = "no column can ever be emptied"
    return f"{who}, and {stay}" if who else stay
