"""Which cards can never be uncovered, and the smallest set of them that shows it.

Everything that can be uncovered is found by following all of play at once, as if no
move stood in another's way. What remains is the largest lock of a position (why that is
sound stands in ``checker``), and a small one is then looked for inside it: the shortest
circle, or what one card's reasons lead to, with all cards dropped that it can spare.
"""

import copy
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from scorpion.building import fills_space, fits, is_king, parents, run
from scorpion.cards import DECK, NUMBER
from scorpion.losses.locks import Bar, Lock, Reason
from scorpion.rules import Rules


class Placed(Protocol):
    """What is asked of a position; those of both engines answer."""

    @property
    def rules(self) -> Rules: ...
    @property
    def ranks(self) -> int: ...
    @property
    def columns(self) -> Sequence[Sequence[str]]: ...
    @property
    def face_down(self) -> Sequence[int]: ...
    @property
    def stock(self) -> Sequence[str]: ...


class Way(NamedTuple):
    """One thing that can stand in a card's way, and the set that it takes."""

    needs: int
    bar: Bar


# What keeps a card: for each way it could go, what can bar it, one of which is enough.
Hold = list[list[Way]]


def is_barred(hold: Hold, within: int) -> bool:
    """Whether a set has what bars every way."""
    for ways in hold:
        for way in ways:
            if not way.needs & ~within:
                break
        else:
            return False
    return True


def needs_of(ways: Iterable[Way]) -> int:
    """All that the bars of several ways take."""
    needs = 0
    for way in ways:
        needs |= way.needs
    return needs


# A set of cards is an int, bit n for the card of that number; one more bit says that no
# column is ever empty.
SPACE: Final = 1 << len(DECK)
BIT: Final = {card: 1 << number for card, number in NUMBER.items()}


class Situation:
    """A position, and for each card what would keep it from leaving its seat.

    ``on[card]`` is the card that lies on a covered card, ``holds[card]`` what can keep
    a card on its seat, one of which is enough, and ``goals`` the covered cards that have
    to be uncovered in a win.
    """

    def __init__(self, position: Placed) -> None:
        self.rules = position.rules
        self.ranks = position.ranks
        self.columns = [tuple(cards) for cards in position.columns]
        self.down = {
            card
            for cards, count in zip(self.columns, position.face_down, strict=True)
            for card in cards[:count]
        }
        self.place: dict[str, tuple[int, int]] = {}
        self.on: dict[str, str] = {}
        for column, cards in enumerate(self.columns):
            for index, card in enumerate(cards):
                self.place[card] = (column, index)
                if index:
                    self.on[cards[index - 1]] = card
        self.bases = [cards[0] for cards in self.columns if cards]
        self.absent = set(DECK[: 4 * self.ranks]) - set(self.place) - set(position.stock)
        self.goals = 0
        for card in self.on:
            if self.must_be_uncovered(card):
                self.goals |= BIT[card]
        movers = {*self.on.values(), *self.bases}
        self.holds: dict[str, list[Hold]] = {card: list(self._holds(card)) for card in movers}
        self.covered = [(BIT[card], mover) for card, mover in self.on.items()]
        self.largest = self.closed(self.everything())

    def must_be_uncovered(self, card: str) -> bool:
        """Whether a covered card has yet to be uncovered in a win."""
        return card in self.down or not fits(self.rules, self.on[card], card)

    # What bars a card's ways.

    def _holds(self, card: str) -> Iterator[Hold]:
        """What keeps a card on its seat: any one of these."""
        if card in self.down and card in self.on:
            yield [[Way(BIT[card], Bar("face down", (card,)))]]
        targets = parents(self.rules, card, self.ranks)
        ways = [list(self._bars(card, target)) for target in targets]
        if fills_space(self.rules, card, self.ranks):
            ways.append([Way(SPACE, Bar("space"))])
        if is_king(card, self.ranks) and self.rules.runs == "leave":
            ways.append(list(self._run_bars(card)))
        yield ways

    def _bars(self, card: str, target: str) -> Iterator[Way]:
        """What can bar the way of a card onto a target."""
        if target in self.on:
            yield Way(BIT[target], Bar("covered", (target,)))
        if target in self.absent:
            yield Way(0, Bar("gone", (target,)))
        elif target in self.place:
            column, index = self.place[card]
            other, end = self.place[target]
            if other == column and end > index:
                between = self.columns[column][index:end]
                mask = sum(BIT[each] for each in between)
                yield Way(mask, Bar("own pile", (target, *between)))

    def hold_as_second(self, card: str) -> Hold:
        """What keeps a card that needs both its parents, as its twin comes first."""
        targets = parents(self.rules, card, self.ranks)
        needed = [parent for parent in targets if parent in self.on]
        return [[Way(BIT[parent], Bar("second", (parent,))) for parent in needed]]

    def with_seconds(self, seconds: Iterable[str]) -> "Situation":
        """The same situation if these cards come second."""
        other = copy.copy(self)
        other.holds = self.holds | {
            card: [*self.holds[card], self.hold_as_second(card)]
            for card in seconds
            if card in self.holds
        }
        other.largest = other.closed(self.everything())
        return other

    def _run_bars(self, king: str) -> Iterator[Way]:
        """What can keep a King's run from being completed."""
        for serving in run(self.rules, king):
            mask = sum(BIT[each] for each in serving if each not in self.absent)
            if mask & ~self.goals == 0:
                yield Way(mask, Bar("run", serving))

    # Sets that keep themselves covered.

    def stays(self, mover: str, within: int) -> bool:
        """Whether the set keeps a card on its seat."""
        return any(is_barred(hold, within) for hold in self.holds[mover])

    def everything(self) -> int:
        """All covered cards, and the columns if none is empty."""
        covered = sum(BIT[card] for card in self.on)
        return covered | SPACE if all(self.columns) else covered

    def closed(self, within: int) -> int:
        """The largest part of a set that bars the ways of all cards on it."""
        while True:
            start = within
            for own, mover in self.covered:
                if within & own and not self.stays(mover, within):
                    within &= ~own
            if within & SPACE and not all(self.stays(base, within) for base in self.bases):
                within &= ~SPACE
            if within == start:
                return within

    # The smallest.

    def weight(self, locked: int) -> int:
        """How many reasons a set takes."""
        return (locked & ~SPACE).bit_count() + (len(self.bases) if locked & SPACE else 0)

    def chosen(self, mover: str, within: int, known: int) -> list[Way]:
        """The bars of a card, all inside a closed set, that add least to what is known."""
        barred = [
            [
                min(
                    (way for way in ways if not way.needs & ~within),
                    key=lambda way: self.weight(way.needs & ~known),
                )
                for ways in hold
            ]
            for hold in self.holds[mover]
            if is_barred(hold, within)
        ]
        return min(barred, key=lambda bars: self.weight(needs_of(bars) & ~known))

    def grown_from(self, card: int, within: int, below: int) -> int:
        """A set that holds a card and bars all that it needs to, inside a closed one.

        It is broken off, as it only grows, where it is no smaller than ``below``.
        """
        grown = card
        fresh = card
        while fresh and self.weight(grown) < below:
            own = fresh & -fresh
            fresh ^= own
            movers = self.bases if own == SPACE else [self.on[DECK[own.bit_length() - 1]]]
            for mover in movers:
                missing = needs_of(self.chosen(mover, within, grown)) & ~grown
                grown |= missing
                fresh |= missing
        return grown

    def shortest_circle(self) -> int:
        """The fewest cards each of which waits for just the next; 0 if there are none."""
        onward = {own: self.single_needs(mover) for own, mover in self.covered}
        best: list[int] = []
        for start in onward:
            walks = [[start]] if start & self.goals else []
            seen = {start}
            while walks and not (best and len(best) <= len(walks[0])):
                longer = []
                for walk in walks:
                    needs = onward[walk[-1]]
                    if start in needs:
                        best = walk
                        break
                    longer += [[*walk, need] for need in needs - seen]
                    seen |= needs
                else:
                    walks = longer
        return sum(best)

    def single_needs(self, mover: str) -> set[int]:
        """Cards each of which alone, if never uncovered, would keep a card on its seat."""
        return {
            way.needs
            for hold in self.holds[mover]
            for ways in hold
            for way in ways
            if way.needs.bit_count() == 1 and way.needs != SPACE and is_barred(hold, way.needs)
        }

    def smallest(self) -> int:
        """The smallest set found that is a lock; 0 if the position has none."""
        if not self.largest & self.goals:
            return 0
        best = self.shortest_circle() or self.largest
        within = self.closed(self.largest & ~SPACE)
        if not within & self.goals:
            within = self.largest
        rest = within & self.goals
        while rest:
            own = rest & -rest
            rest ^= own
            smallest = self.weight(best)
            grown = self.grown_from(own, within, smallest)
            if self.weight(grown) < smallest:
                best = grown
        return self.shrunk(best)

    def is_lock(self, locked: int) -> bool:
        """Whether a set keeps itself covered and holds a card that has to be uncovered."""
        return (
            not locked & ~self.largest
            and locked & self.goals != 0
            and self.closed(locked) == locked
        )

    def shrunk(self, locked: int) -> int:
        """The set without what it can spare."""
        rest = locked
        while rest:
            own = 1 << (rest.bit_length() - 1)
            rest ^= own
            without = self.closed(locked & ~own)
            if without & self.goals:
                locked = without
                rest &= locked
        return locked

    # In words.

    def lock(self, locked: int) -> Lock:
        """The set with its reasons, each followed by those that it names."""
        reasons: list[Reason] = []
        said = 0
        waiting = [(locked & self.goals) & -(locked & self.goals)]
        while waiting:
            own = waiting.pop()
            if said & own:
                continue
            said |= own
            card = None if own == SPACE else DECK[own.bit_length() - 1]
            movers = self.bases if card is None else [self.on[card]]
            named: list[int] = []
            for mover in movers:
                chosen = self.chosen(mover, locked, said)
                reasons.append(Reason(card, mover, tuple(way.bar for way in chosen)))
                for way in chosen:
                    named += [BIT[each] for each in way.bar.cards if BIT[each] & locked]
                    if way.needs & SPACE:
                        waiting.insert(0, SPACE)
            waiting += reversed(named)
        return Lock(tuple(reasons))


def find_lock(position: Placed) -> Lock | None:
    """The smallest lock found of a position; None if it has no lock at all."""
    situation = Situation(position)
    locked = situation.smallest()
    return situation.lock(locked) if locked else None
