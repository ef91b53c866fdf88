"""Locks for each answer to the question which of two twins finds its place first.

In alternating colours, where only Kings fill spaces, a position without a lock may be
lost all the same, because two cards compete for each place: whichever comes first, a
lock follows. The pairs to distinguish are found as the core finds them, by following all
play at once with the claims to be first noted; ``checker`` says why cases are a proof.
"""

from collections import deque
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Final

from scorpion.building import fits, is_king
from scorpion.cards import DECK, NUMBER
from scorpion.losses.locks import Cases, Lock
from scorpion.losses.stuck import SPACE, Placed, Situation, is_barred

MOST_CLOSURES: Final = 3_000


def twin_of(card: str) -> str:
    """The other card of the same rank and colour."""
    return DECK[NUMBER[card] ^ 1]


def find_refutation(
    position: Placed,
    most_closures: int = MOST_CLOSURES,
    sets: deque[int] | None = None,
    stops: Callable[[], object] = bool,
) -> Lock | Cases | None:
    """The smallest lock found of a position, or cases; None if neither is found.

    ``most_closures`` bounds the search for cases, one closure taking some 0.2 ms, and
    so does ``stops`` when it answers with something true. ``sets`` are locked sets of
    other positions: the first that is one here too is taken, and new ones are added.
    """
    situation = Situation(position)
    if situation.largest & situation.goals:
        locked = next(filter(situation.is_lock, sets or ()), 0)
        if not locked:
            locked = situation.smallest()
            if sets is not None:
                sets.appendleft(locked)
        return situation.lock(locked)
    if position.rules.build == "suit" or position.rules.fill == "any":
        return None
    return _Choice(situation, position, most_closures, stops).refuted(frozenset())


class _Choice:
    """The search over answers: a pair that both claim is split, until locks are left."""

    def __init__(
        self, situation: Situation, position: Placed, closures: int, stops: Callable[[], object]
    ) -> None:
        self.situation = situation
        self.closures = closures
        self.stops = stops
        unseated = {
            card
            for card in (*position.stock, *situation.place)
            if not is_king(card, situation.ranks) and not self._is_seated(card)
        }
        self.open = {card for card in unseated if twin_of(card) in unseated}
        self.as_second = {card: situation.hold_as_second(card) for card in self.open}
        self.firsts = {card for card in self.open if NUMBER[card] % 2 == 0}
        self.in_locks = dict.fromkeys(self.open, 0)

    def _is_seated(self, card: str) -> bool:
        situation = self.situation
        column, index = situation.place.get(card, (0, 0))
        if index == 0:
            return False
        below = situation.columns[column][index - 1]
        return below not in situation.down and fits(situation.rules, card, below)

    def refuted(self, seconds: frozenset[str]) -> Lock | Cases | None:
        """A refutation of every answer under which these cards are second."""
        if self.closures <= 0 or self.stops():
            return None
        self.closures -= 1
        within, claims = self._follow(seconds)
        if within & self.situation.goals:
            return self._lock(seconds)
        contested = [card for card in claims if twin_of(card) in claims and NUMBER[card] % 2 == 0]
        if not contested:
            # The claims are answers that keep the position alive: ask for them first.
            self.firsts -= {twin_of(card) for card in claims}
            self.firsts |= claims
            return None
        pair = max(contested, key=lambda card: (self.in_locks[card], NUMBER[card]))
        first, second = pair, twin_of(pair)
        if first not in self.firsts:
            first, second = second, first
        parts = []
        for each in (second, first):
            part = self.refuted(seconds | {each})
            if part is None or each not in _seconds_named(part):
                return part
            parts.append(part)
        return Cases((first, second), (parts[0], parts[1]))

    def _lock(self, seconds: frozenset[str]) -> Lock:
        situation = self.situation.with_seconds(seconds)
        lock = situation.lock(situation.smallest())
        for card in _seconds_named(lock):
            self.in_locks[card] += 1
            self.in_locks[twin_of(card)] += 1
        return lock

    def _follow(self, seconds: frozenset[str]) -> tuple[int, set[str]]:
        """What stays covered, and the cards that had to be first to get away.

        Cards not asked for as first go second as long as anything else goes on.
        """
        claims: set[str] = set()
        late = self.open - self.firsts - seconds
        within = self.situation.everything()
        while True:
            after = self._round(within, seconds | late, claims)
            if after == within:
                after = self._round(within, seconds, claims)
                if after == within:
                    return within, claims
            within = after

    def _round(self, within: int, held: AbstractSet[str], claims: set[str]) -> int:
        """The set without what gets away from it, each card looked at once."""
        situation = self.situation
        for own, mover in situation.covered:
            if within & own and self._leaves(mover, within, held, claims):
                within &= ~own
        if within & SPACE and any(
            self._leaves(base, within, held, claims) for base in situation.bases
        ):
            within &= ~SPACE
        return within

    def _leaves(self, mover: str, within: int, held: AbstractSet[str], claims: set[str]) -> bool:
        if self.situation.stays(mover, within):
            return False
        if mover in self.as_second and is_barred(self.as_second[mover], within):
            if mover in held:
                return False
            claims.add(mover)
        return True


def _seconds_named(part: Lock | Cases) -> set[str]:
    """The cards of which the refutation uses that they are second, without its own cases."""
    if isinstance(part, Cases):
        named = _seconds_named(part.refuted[0]) | _seconds_named(part.refuted[1])
        return named - set(part.twins)
    return {reason.under for reason in part.reasons for bar in reason.bars if bar.kind == "second"}
