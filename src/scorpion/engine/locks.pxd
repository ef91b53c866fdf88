# The smallest lock that is found in a large one.

from libc.stdint cimport uint8_t, uint64_t

from scorpion.engine.bars cimport BY_CASES, NONE_EMPTY, TO_SPACE, Hold, Spaces, Way, next_hold
from scorpion.engine.bits cimport bit, count, highest, lowest, take_lowest
from scorpion.engine.scene cimport (
    Locked, Reach, Scene, let_leave, most_empty, shows_loss, spread, spread_freely,
)

cdef enum:
    HEAVIEST = 10000      # above the weight of any lock
    # Cards from which a lock is grown to find the smallest one.
    MOST_STARTS = 64
    FEW_STARTS = 6        # within cases, where there are many locks to find


cdef inline int weight(const Scene* scene, const Locked* more, const Locked* known) noexcept nogil:
    """How much longer the reasons get; a case is as long as some locks."""
    cdef uint64_t cards = more.cards & ~known.cards
    cdef uint64_t bottoms = more.bottoms & ~known.bottoms
    cdef uint64_t first = more.first & ~known.first
    cdef int total = count(cards)
    # Mostly there are none of these.
    if cards & scene.dear:
        total += 8 * count(cards & scene.dear)
    if bottoms:
        total += count(bottoms)
    if first:
        total += 8 * count(first)
    return total


cdef inline int choose_bars(
    const Scene* scene, const Hold* hold, Spaces spaces, const Locked* known, int* chosen, uint64_t* taken
) noexcept nogil:
    """For each way of a hold the bar that adds least to what is known; how much all add."""
    cdef Locked more
    cdef int which, each, added, lightest, total = 0
    cdef const Way* way
    taken[0] = 0
    for which in range(hold.size):
        way = &hold.way[which]
        lightest = 10000
        for each in range(way.size):
            more.cards = way.cards[each]
            more.bottoms = way.bottoms[each]
            more.first = bit(63) if way.kind == TO_SPACE and spaces == BY_CASES else 0
            added = weight(scene, &more, known)
            if added < lightest:
                lightest = added
                chosen[which] = each
        total += lightest
        taken[0] |= way.cards[chosen[which]]
    return total


cdef inline Locked cheapest(
    const Scene* scene, const Locked* locked, int card, bint at_bottom, Spaces spaces, const Locked* known
) noexcept nogil:
    """What a card's being held takes, so that least is added to what is known; it is held."""
    cdef Hold hold
    cdef Locked best, taken, more, least
    cdef int state = 0, which, each, lightest, least_added = HEAVIEST
    cdef const Way* way
    best.cards = best.bottoms = best.first = 0
    while next_hold(scene, locked, card, at_bottom, spaces, &state, &hold):
        taken.cards = taken.bottoms = taken.first = 0
        for which in range(hold.size):
            way = &hold.way[which]
            lightest = 1000
            least = taken
            for each in range(way.size):
                more.cards = way.cards[each]
                more.bottoms = way.bottoms[each]
                more.first = bit(card) if way.kind == TO_SPACE and spaces == BY_CASES else 0
                if weight(scene, &more, known) < lightest:
                    lightest = weight(scene, &more, known)
                    least = more
            taken.cards |= least.cards
            taken.bottoms |= least.bottoms
            taken.first |= least.first
        if weight(scene, &taken, known) < least_added:
            least_added = weight(scene, &taken, known)
            best = taken
    return best


cdef inline void grow(
    const Scene* scene, const Locked* locked, Spaces spaces, Locked* grown, Locked* done, int below
) noexcept nogil:
    """Add to a set what holds its cards, and so on, inside a lock that holds all of its own.

    Given up once its weight is not ``below``.
    """
    cdef Locked none, more
    cdef int card
    cdef bint at_bottom
    none.cards = none.bottoms = none.first = 0
    while weight(scene, grown, &none) < below:
        if grown.cards & ~done.cards:
            card = lowest(grown.cards & ~done.cards)
            done.cards |= bit(card)
            card = scene.p.above[card]
            at_bottom = False
        elif grown.bottoms & ~done.bottoms:
            card = lowest(grown.bottoms & ~done.bottoms)
            done.bottoms |= bit(card)
            at_bottom = True
        else:
            return
        more = cheapest(scene, locked, card, at_bottom, spaces, grown)
        grown.cards |= more.cards
        grown.bottoms |= more.bottoms
        grown.first |= more.first


cdef inline uint64_t alone(
    const Scene* scene, const Locked* locked, int card, Spaces spaces
) noexcept nogil:
    """Cards each of which would hold a card by itself, were it never uncovered."""
    cdef Hold hold
    cdef uint64_t found = 0, all_ways, these
    cdef int state = 0, which, each
    cdef const Way* way
    cdef bint free
    while next_hold(scene, locked, card, False, spaces, &state, &hold):
        all_ways = ~<uint64_t>0
        for which in range(hold.size):
            way = &hold.way[which]
            these = 0
            free = False
            for each in range(way.size):
                if way.bottoms[each] or (way.kind == TO_SPACE and spaces == BY_CASES):
                    continue
                if not way.cards[each]:
                    free = True
                elif not way.cards[each] & (way.cards[each] - 1):
                    these |= way.cards[each]
            if not free:
                all_ways &= these
        if all_ways != ~<uint64_t>0:
            found |= all_ways
    return found


cdef inline uint64_t shortest_circle(
    const Scene* scene, const Locked* locked, Spaces spaces
) noexcept nogil:
    """The fewest cards each of which waits for just the next; none if there are none."""
    cdef uint64_t onward[64]
    cdef uint8_t before[64]
    cdef uint8_t queue[64]
    cdef uint64_t rest = locked.cards, seen, needs, best = 0, walk
    cdef int card, start, head, tail, at
    while rest:
        card = take_lowest(&rest)
        onward[card] = alone(scene, locked, scene.p.above[card], spaces)
    rest = locked.cards & scene.goals
    while rest:
        start = take_lowest(&rest)
        seen = bit(start)
        queue[0] = start
        head, tail = 0, 1
        while head < tail:
            at = queue[head]
            head += 1
            if (onward[at] >> start) & 1:
                walk = bit(at)
                while at != start:
                    at = before[at]
                    walk |= bit(at)
                if not best or count(walk) < count(best):
                    best = walk
                break
            needs = onward[at] & ~seen & locked.cards
            seen |= needs
            while needs:
                card = take_lowest(&needs)
                before[card] = at
                queue[tail] = card
                tail += 1
    return best


cdef inline void keep_only(const Scene* scene, Reach* reach, const Locked* kept) noexcept nogil:
    """Let all happen that keeping just these sets does not forbid, but nothing be parked."""
    cdef uint64_t rest = scene.lockable & ~reach.opened & ~kept.cards
    while rest:
        let_leave(scene, reach, bit(scene.p.above[take_lowest(&rest)]))
    reach.bottoms &= kept.bottoms
    spread(scene, reach)


cdef inline void give_up(
    const Scene* scene, Reach* reach, const Locked* kept, Spaces spaces
) noexcept nogil:
    """Let all happen that keeping just these sets does not forbid, and what follows."""
    keep_only(scene, reach, kept)
    if spaces != NONE_EMPTY or most_empty(scene, reach) > 0:
        spread_freely(scene, reach)


cdef inline void take_largest(const Scene* scene, const Reach* reach, Locked* locked) noexcept nogil:
    locked.cards = scene.lockable & ~reach.opened
    locked.bottoms = reach.bottoms
    locked.first = 0


cdef inline void shrink(const Scene* scene, const Reach* reach, Locked* locked, Spaces spaces) noexcept nogil:
    """Leave out of a lock what it can spare; ``reach`` is what happens anyway."""
    cdef uint64_t cards = locked.cards, bottoms = locked.bottoms, own
    cdef Locked kept
    cdef Reach after
    while cards | bottoms:
        kept = locked[0]
        if cards:
            own = bit(highest(cards))
            cards ^= own
            kept.cards &= ~own
        else:
            own = bit(take_lowest(&bottoms))
            kept.bottoms &= ~own
        after = reach[0]
        give_up(scene, &after, &kept, spaces)
        if shows_loss(scene, &after):
            locked.cards &= ~after.opened
            locked.bottoms &= after.bottoms
            cards &= locked.cards
            bottoms &= locked.bottoms


cdef inline Locked smallest(const Scene* scene, const Reach* reach, Spaces spaces) noexcept nogil:
    """The smallest lock found within all that stays: a circle, or what one card waits for.

    Cards that have to be uncovered are enough to begin with. A card that is no King stays at
    a bottom only where one of them stays covered: a parent of it, as its twin covers no more
    than one of two; or, where that lies in its own pile, one on which the pile rests.
    """
    cdef Locked locked, best, grown, done, none
    cdef uint64_t rest
    cdef int lightest = HEAVIEST, left = FEW_STARTS if scene.groups else MOST_STARTS
    none.cards = none.bottoms = none.first = 0
    take_largest(scene, reach, &locked)
    best = none
    best.cards = 0 if scene.groups else shortest_circle(scene, &locked, spaces)
    if best.cards:
        lightest = weight(scene, &best, &none)
    rest = locked.cards & scene.goals
    while rest and (left > 0 or lightest == HEAVIEST):
        left -= 1
        grown = done = none
        grown.cards = bit(take_lowest(&rest))
        grow(scene, &locked, spaces, &grown, &done, lightest)
        if weight(scene, &grown, &none) < lightest:
            lightest = weight(scene, &grown, &none)
            best = grown
    if not best.first:
        shrink(scene, reach, &best, spaces)
    return best


cdef inline bint is_held(
    const Scene* scene, const Locked* locked, int card, bint at_bottom, Spaces spaces
) noexcept nogil:
    """Whether a lock of these sets keeps a card where it is."""
    cdef Hold hold
    cdef int state = 0
    return next_hold(scene, locked, card, at_bottom, spaces, &state, &hold)
