# What a lock is made of: which cards are never uncovered, and what bars a card's ways.
#
# The same closure that proves positions lost, kept so that it can say why. It follows all
# of play at once and notes what may ever happen; what remains is the largest lock, and from
# it a small one is picked. What makes a lock a proof stands in losses/checker.py, which
# shares nothing with this. Cards whose names differ from those of the checker:
#
#   lockable   covered cards that may be in a lock: in suit none that carries a card at home
#   goals      those that have to be uncovered
#   movers     cards that lie on another and so may leave it
#   bottoms    cards that stand at the bottom of a column: bases, and those assumed parked

from libc.stdint cimport uint8_t, uint64_t

from scorpion.engine.bits cimport bit, count, highest, lowest, take_lowest
from scorpion.engine.position cimport (
    NOTHING, Position, Root, first_parent, gone, is_dealt, on_table_now, seated,
)
from scorpion.engine.twins cimport with_a_parent, with_both_parents

cdef enum:
    MOST_WAITING = 24     # cards that are assumed to come home last of a circle
    MOST_IN_CIRCLE = 24   # cards of one circle that wait
    MOST_ALTERNATIVES = 16
    MOST_WAYS = 4
    MOST_GROUPS = 24
    HEAVIEST = 10000      # above the weight of any lock

# A card that comes home after the other cards of a circle, and what then has to leave first.
cdef struct LastOne:
    int card
    int size
    uint8_t cards[MOST_IN_CIRCLE]   # it, then each in whose pile the parent of the last lies
    uint64_t others

# What lies where in a position, and what is assumed of play.
cdef struct Scene:
    const Root* r
    const Position* p
    uint64_t stock       # while undealt
    uint64_t table
    uint64_t away        # gone
    uint64_t down
    uint64_t homed       # lies home now
    uint64_t unseated    # not gone, not home, no King
    uint64_t movers
    uint64_t bases
    uint64_t lockable
    uint64_t goals
    uint64_t parkable    # movers that an empty column takes
    uint64_t joinable    # may come to lie on a parent
    uint64_t buried[2]   # whose first or second parent lies above them
    uint64_t pile[2][64]  # then the movers above them up to it, in suit but for those at home
    uint64_t seconds     # assumed to come to lie on a parent after their twins
    int waits
    LastOne wait[MOST_WAITING]
    uint64_t dear        # cards that would bring further cases where the lock stands
    int groups           # of cards of which one each is assumed to have been parked
    uint64_t group[MOST_GROUPS]

# What may happen, each a set of cards.
cdef struct Reach:
    uint64_t opened      # is uncovered
    uint64_t turned      # lies face up
    uint64_t left        # leaves what it lies on
    uint64_t went        # comes to lie on a parent, or leaves with its run
    uint64_t bottoms     # stands at the bottom of a column, and neither goes nor leaves

# The sets that a lock names.
cdef struct Locked:
    uint64_t cards
    uint64_t bottoms
    uint64_t first       # cards whose way to an empty column is a case

# How the way to an empty column is barred.
cdef enum Spaces:
    UNBARRED     # not at all
    NONE_EMPTY   # so many bottoms are named that no column is empty
    BY_CASES     # it is a case

# A way that a card could go, and what can bar it: each alternative takes two sets.
cdef enum WayKind:
    ONTO
    SECOND
    FACE_DOWN
    TO_SPACE
    IN_RUN

cdef enum BarKind:
    COVERED
    OWN_PILE
    CIRCLE
    AWAY
    PLAIN       # of the other ways

cdef struct Way:
    WayKind kind
    int target                       # the parent, or NOTHING
    int size
    uint64_t cards[MOST_ALTERNATIVES]
    uint64_t bottoms[MOST_ALTERNATIVES]
    int detail[MOST_ALTERNATIVES]    # BarKind onto a parent; the rank in a run

# All ways of a card, each of which has to be barred.
cdef struct Hold:
    int size
    Way way[MOST_WAYS]


cdef inline void set_scene(const Root* r, const Position* p, Scene* s, Reach* f) noexcept nogil:
    """What lies where, nothing assumed, and what happens at once."""
    cdef uint64_t higher
    cdef int column, card, which, parent, step
    s.r = r
    s.p = p
    s.stock = 0 if is_dealt(p) else r.stock_set
    s.table = on_table_now(r, p)
    s.away = gone(p)
    s.down = s.table & ~p.up
    s.homed = seated(p) & ~s.away
    s.unseated = r.deck & ~(seated(p) | r.kings)
    s.bases = p.key.based & r.deck
    s.movers = s.table & ~s.bases
    s.joinable = s.unseated | (s.homed if r.alternating else 0)
    s.parkable = s.movers if r.any_fills else s.movers & r.kings
    s.lockable = s.goals = 0
    s.buried[0] = s.buried[1] = 0
    s.seconds = s.dear = 0
    s.waits = s.groups = 0
    f.opened = s.stock | s.away
    f.turned = p.up | s.stock | s.away
    f.left = f.went = 0
    f.bottoms = s.bases
    for column in range(r.columns):
        card = p.tail[column]
        if card == NOTHING:
            continue
        f.opened |= bit(card)
        higher = bit(card)
        while True:
            step = card
            card = p.below[card]
            if card == NOTHING:
                break
            if not (s.homed >> step) & 1:
                s.goals |= bit(card)
                s.lockable |= bit(card)
            elif r.alternating:
                s.lockable |= bit(card)
            if not bit(card) & r.kings:
                for which in range(2 if r.alternating else 1):
                    parent = first_parent(r, card) + which
                    if (higher >> parent) & 1:
                        s.buried[which] |= bit(card)
                        s.pile[which][card] = pile_up_to(s, card, parent)
            higher |= bit(card)


cdef inline uint64_t pile_up_to(const Scene* s, int card, int target) noexcept nogil:
    """Cards above one up to a target in its column; in suit but for those at home."""
    cdef uint64_t cards = 0
    while card != target:
        card = s.p.above[card]
        cards |= bit(card)
    return cards if s.r.alternating else cards & ~s.homed


cdef inline void uncover(const Scene* s, Reach* f, uint64_t cards) noexcept nogil:
    """Note that movers leave what they lie on."""
    cdef int below
    f.left |= cards
    while cards:
        below = s.p.below[take_lowest(&cards)]
        f.opened |= bit(below)
        f.turned |= bit(below)


cdef inline bint is_clear(const Scene* s, const Reach* f, int card, int which) noexcept nogil:
    """Whether a card may go onto its parent of that number."""
    cdef int parent = first_parent(s.r, card) + which
    return (f.opened & ~s.away) >> parent & 1 and (
        not (s.buried[which] >> card) & 1 or s.pile[which][card] & f.left != 0
    )


cdef inline uint64_t joining(const Scene* s, const Reach* f) noexcept nogil:
    """Cards that may now come to lie on a parent for the first time, or on the other one."""
    cdef uint64_t open_ = f.opened & ~s.away
    cdef uint64_t fresh = s.joinable & f.turned & ~f.went
    cdef uint64_t rest
    cdef int card, which
    if s.r.alternating:
        fresh &= with_a_parent(open_) & (~s.seconds | with_both_parents(f.opened))
    else:
        fresh &= open_ >> 4
    rest = fresh & (s.buried[0] | s.buried[1])
    while rest:
        card = take_lowest(&rest)
        if not is_clear(s, f, card, 0) and not (s.r.alternating and is_clear(s, f, card, 1)):
            fresh &= ~bit(card)
    for which in range(s.waits):
        if not s.wait[which].others & f.left:
            fresh &= ~bit(s.wait[which].card)
    return fresh


cdef inline uint64_t in_run_at(const Scene* s, int king, int rank) noexcept nogil:
    """The cards that can serve in a King's run at a rank."""
    if not s.r.alternating or rank == king >> 2:
        return bit(4 * rank + (king & 3))
    return <uint64_t>3 << (4 * rank + ((king & 2) ^ (((king >> 2) - rank & 1) << 1)))


cdef inline bint may_finish(const Scene* s, const Reach* f, int king) noexcept nogil:
    """Whether a run of the King can be followed to its completion."""
    cdef uint64_t blocked = (
        (s.goals & ~f.opened)
        | (s.unseated & ~f.went & ((s.movers & ~f.left) | f.bottoms))
        | s.away
    )
    cdef int rank
    for rank in range(s.r.ranks):
        if not in_run_at(s, king, rank) & ~blocked:
            return False
    return True


cdef inline uint64_t leaving_with_runs(const Scene* s, const Reach* f) noexcept nogil:
    """Kings whose runs may now be finished, and leave."""
    cdef uint64_t kings = 0, rest = 0 if s.r.stays else s.r.kings & s.table & f.turned & ~f.went
    while rest:
        if may_finish(s, f, lowest(rest)):
            kings |= rest & -rest
        rest &= rest - 1
    return kings


cdef inline void take_away(const Scene* s, Reach* f, uint64_t cards) noexcept nogil:
    """Note that cards come to lie on a parent, or leave with their runs."""
    f.went |= cards
    f.bottoms &= ~cards
    uncover(s, f, cards & s.movers & ~f.left)


cdef inline void spread(const Scene* s, Reach* f) noexcept nogil:
    """Note all that follows without a card going to an empty column."""
    cdef uint64_t fresh = joining(s, f) | leaving_with_runs(s, f)
    while fresh:
        take_away(s, f, fresh)
        fresh = joining(s, f) | leaving_with_runs(s, f)


cdef inline void park(const Scene* s, Reach* f, int card) noexcept nogil:
    """Note what follows if a card goes to an empty column."""
    f.bottoms |= bit(card) & ~f.went
    uncover(s, f, bit(card) & ~f.left)
    spread(s, f)


cdef inline uint64_t may_park(const Scene* s, const Reach* f) noexcept nogil:
    """Movers that would go to an empty column if there were one."""
    return s.parkable & f.turned & ~f.left & ~(0 if s.r.alternating else s.homed)


cdef inline void spread_freely(const Scene* s, Reach* f) noexcept nogil:
    """Note all that follows if any card may go to an empty column."""
    cdef uint64_t cards
    spread(s, f)
    while True:
        cards = may_park(s, f)
        if not cards:
            return
        uncover(s, f, cards)
        spread(s, f)


cdef inline bint shows_loss(const Scene* s, const Reach* f) noexcept nogil:
    return s.goals & ~f.opened != 0 or f.bottoms & ~s.r.kings != 0


cdef inline int empty_columns(const Scene* s, const Reach* f) noexcept nogil:
    """How many columns may be empty at the same time, at the most.

    Of a group one card stands at a bottom, as long as none of them goes home.
    """
    cdef int columns = s.r.columns - count(f.bottoms & s.bases), which
    for which in range(s.groups):
        if not s.group[which] & ~f.bottoms:
            columns -= 1
    return columns


cdef inline uint64_t never_covered_up(const Scene* s, const Locked* k) noexcept nogil:
    """Cards at no parent now that come to none: they lie on locked cards, or are bottoms."""
    cdef uint64_t cards = k.bottoms & ~s.r.kings & ~s.homed
    cdef uint64_t rest = k.cards
    while rest:
        cards |= bit(s.p.above[take_lowest(&rest)])
    return cards & s.unseated


# What bars a card's ways, by the sets of a lock.


cdef inline Way* add_way(Hold* hold, WayKind kind, int target) noexcept nogil:
    cdef Way* way = &hold.way[hold.size]
    way.kind = kind
    way.target = target
    way.size = 0
    hold.size += 1
    return way


cdef inline void add_bar(Way* way, int detail, uint64_t cards, uint64_t bottoms) noexcept nogil:
    if way.size < MOST_ALTERNATIVES:
        way.cards[way.size] = cards
        way.bottoms[way.size] = bottoms
        way.detail[way.size] = detail
        way.size += 1


cdef inline uint64_t lain_on(const Scene* s, uint64_t movers) noexcept nogil:
    """The cards that movers lie on."""
    cdef uint64_t cards = 0
    while movers:
        cards |= bit(s.p.below[take_lowest(&movers)])
    return cards


cdef inline void onto_parent(
    const Scene* s, const Locked* k, int card, int which, Hold* hold
) noexcept nogil:
    """The way onto one parent, and what of the lock bars it."""
    cdef int parent = first_parent(s.r, card) + which, each
    cdef Way* way = add_way(hold, ONTO, parent)
    cdef uint64_t needed
    if (s.away >> parent) & 1:
        add_bar(way, AWAY, 0, 0)
    if (k.cards >> parent) & 1:
        add_bar(way, COVERED, bit(parent), 0)
    if (s.buried[which] >> card) & 1:
        needed = lain_on(s, s.pile[which][card])
        if not needed & ~k.cards:
            add_bar(way, OWN_PILE, needed, 0)
    for each in range(s.waits):
        if s.wait[each].card == card:
            needed = lain_on(s, s.wait[each].others)
            if not needed & ~k.cards:
                add_bar(way, CIRCLE + 16 * each, needed, 0)


cdef inline void in_run(const Scene* s, const Locked* k, int king, Hold* hold) noexcept nogil:
    """The way of a King with its run, and the ranks at which the lock bars it."""
    cdef Way* way = add_way(hold, IN_RUN, NOTHING)
    cdef uint64_t apart = never_covered_up(s, k), cards, serving, bottoms
    cdef int rank, card
    cdef bint barred
    for rank in range(s.r.ranks - 1, -1, -1):
        serving = in_run_at(s, king, rank) & ~s.away
        cards = bottoms = 0
        barred = True
        while serving and barred:
            card = take_lowest(&serving)
            if (k.cards & s.goals) >> card & 1:
                cards |= bit(card)
            elif (apart >> card) & 1 and (k.bottoms >> card) & 1:
                bottoms |= bit(card)
            elif (apart >> card) & 1:
                cards |= bit(s.p.below[card])
            else:
                barred = False
        if barred:
            add_bar(way, rank, cards, bottoms)


cdef inline void usual_hold(
    const Scene* s, const Locked* k, int card, bint at_bottom, Spaces spaces, Hold* hold
) noexcept nogil:
    """The ways of a card that lies face up, and what of the lock bars them."""
    cdef Way* way
    cdef bint king = bit(card) & s.r.kings != 0
    cdef int which
    hold.size = 0
    if not king:
        for which in range(2 if s.r.alternating else 1):
            onto_parent(s, k, card, which, hold)
    if not at_bottom and (s.parkable >> card) & 1:
        way = add_way(hold, TO_SPACE, NOTHING)
        if spaces == NONE_EMPTY:
            add_bar(way, PLAIN, 0, k.bottoms)
        elif spaces == BY_CASES:
            add_bar(way, PLAIN, 0, 0)
    if king and not s.r.stays:
        in_run(s, k, card, hold)


cdef inline bint is_barred(const Hold* hold) noexcept nogil:
    cdef int which
    for which in range(hold.size):
        if hold.way[which].size == 0:
            return False
    return True


cdef inline bint uses_space(const Hold* hold) noexcept nogil:
    """Whether one of the ways is that to an empty column."""
    cdef int which
    for which in range(hold.size):
        if hold.way[which].kind == TO_SPACE:
            return True
    return False


cdef inline bint next_hold(
    const Scene* s, const Locked* k, int card, bint at_bottom, Spaces spaces, int* state, Hold* hold
) noexcept nogil:
    """Each of the things that can hold a card, in turn; False after the last.

    Lying face down comes first, then coming second, then that all its ways are barred.
    """
    cdef Way* way
    cdef int parent, which
    while state[0] < 3:
        state[0] += 1
        if state[0] == 1:
            if (s.down & k.cards) >> card & 1:
                hold.size = 0
                add_bar(add_way(hold, FACE_DOWN, card), PLAIN, bit(card), 0)
                if spaces == BY_CASES:
                    # A card that does not turn up is no case.
                    state[0] = 3
                return True
        elif state[0] == 2:
            if (s.seconds >> card) & 1:
                hold.size = 0
                way = add_way(hold, SECOND, NOTHING)
                parent = first_parent(s.r, card)
                for which in range(2):
                    if (k.cards >> parent >> which) & 1:
                        add_bar(way, parent + which, bit(parent + which), 0)
                if way.size:
                    return True
        else:
            usual_hold(s, k, card, at_bottom, spaces, hold)
            if is_barred(hold):
                return True
    return False


# The smallest lock that is found in a large one.


cdef inline int weight(const Scene* s, const Locked* more, const Locked* known) noexcept nogil:
    """How much longer the reasons get; a case is as long as some locks."""
    cdef uint64_t cards = more.cards & ~known.cards
    return (
        count(cards) + 8 * count(cards & s.dear) + count(more.bottoms & ~known.bottoms)
        + 8 * count(more.first & ~known.first)
    )


cdef inline int choose_bars(
    const Scene* s, const Hold* hold, Spaces spaces, const Locked* known, int* chosen, uint64_t* taken
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
            added = weight(s, &more, known)
            if added < lightest:
                lightest = added
                chosen[which] = each
        total += lightest
        taken[0] |= way.cards[chosen[which]]
    return total


cdef inline Locked cheapest(
    const Scene* s, const Locked* k, int card, bint at_bottom, Spaces spaces, const Locked* known
) noexcept nogil:
    """What a card's being held takes, so that least is added to what is known; it is held."""
    cdef Hold hold
    cdef Locked best, taken, more, least
    cdef int state = 0, which, each, lightest, least_added = HEAVIEST
    cdef const Way* way
    best.cards = best.bottoms = best.first = 0
    while next_hold(s, k, card, at_bottom, spaces, &state, &hold):
        taken.cards = taken.bottoms = taken.first = 0
        for which in range(hold.size):
            way = &hold.way[which]
            lightest = 1000
            least = taken
            for each in range(way.size):
                more.cards = way.cards[each]
                more.bottoms = way.bottoms[each]
                more.first = bit(card) if way.kind == TO_SPACE and spaces == BY_CASES else 0
                if weight(s, &more, known) < lightest:
                    lightest = weight(s, &more, known)
                    least = more
            taken.cards |= least.cards
            taken.bottoms |= least.bottoms
            taken.first |= least.first
        if weight(s, &taken, known) < least_added:
            least_added = weight(s, &taken, known)
            best = taken
    return best


cdef inline void grow(
    const Scene* s, const Locked* k, Spaces spaces, Locked* grown, Locked* done, int below
) noexcept nogil:
    """Add to a set what holds its cards, and so on, inside a lock that holds all of its own.

    Given up once its weight is not ``below``.
    """
    cdef Locked none, more
    cdef int card
    cdef bint at_bottom
    none.cards = none.bottoms = none.first = 0
    while weight(s, grown, &none) < below:
        if grown.cards & ~done.cards:
            card = lowest(grown.cards & ~done.cards)
            done.cards |= bit(card)
            card = s.p.above[card]
            at_bottom = False
        elif grown.bottoms & ~done.bottoms:
            card = lowest(grown.bottoms & ~done.bottoms)
            done.bottoms |= bit(card)
            at_bottom = True
        else:
            return
        more = cheapest(s, k, card, at_bottom, spaces, grown)
        grown.cards |= more.cards
        grown.bottoms |= more.bottoms
        grown.first |= more.first


cdef inline uint64_t alone(
    const Scene* s, const Locked* k, int card, Spaces spaces
) noexcept nogil:
    """Cards each of which would hold a card by itself, were it never uncovered."""
    cdef Hold hold
    cdef uint64_t found = 0, all_ways, these
    cdef int state = 0, which, each
    cdef const Way* way
    cdef bint free
    while next_hold(s, k, card, False, spaces, &state, &hold):
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
    const Scene* s, const Locked* k, Spaces spaces
) noexcept nogil:
    """The fewest cards each of which waits for just the next; none if there are none."""
    cdef uint64_t onward[64]
    cdef uint8_t before[64]
    cdef uint8_t queue[64]
    cdef uint64_t rest = k.cards, seen, needs, best = 0, walk
    cdef int card, start, head, tail, at
    while rest:
        card = take_lowest(&rest)
        onward[card] = alone(s, k, s.p.above[card], spaces)
    rest = k.cards & s.goals
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
            needs = onward[at] & ~seen & k.cards
            seen |= needs
            while needs:
                card = take_lowest(&needs)
                before[card] = at
                queue[tail] = card
                tail += 1
    return best


cdef inline void give_up(
    const Scene* s, Reach* f, const Locked* kept, Spaces spaces
) noexcept nogil:
    """Let all happen that keeping just these sets does not forbid, and what follows."""
    cdef uint64_t rest = s.lockable & ~f.opened & ~kept.cards
    while rest:
        uncover(s, f, bit(s.p.above[take_lowest(&rest)]))
    f.bottoms &= kept.bottoms
    spread(s, f)
    if spaces != NONE_EMPTY or empty_columns(s, f) > 0:
        spread_freely(s, f)


cdef inline void take_largest(const Scene* s, const Reach* f, Locked* k) noexcept nogil:
    k.cards = s.lockable & ~f.opened
    k.bottoms = f.bottoms
    k.first = 0


cdef inline void shrink(const Scene* s, const Reach* f, Locked* k, Spaces spaces) noexcept nogil:
    """Leave out of a lock what it can spare; ``f`` is what happens anyway."""
    cdef uint64_t cards = k.cards, bottoms = k.bottoms, own
    cdef Locked kept
    cdef Reach after
    while cards | bottoms:
        kept = k[0]
        if cards:
            own = bit(highest(cards))
            cards ^= own
            kept.cards &= ~own
        else:
            own = bottoms & -bottoms
            bottoms ^= own
            kept.bottoms &= ~own
        after = f[0]
        give_up(s, &after, &kept, spaces)
        if shows_loss(s, &after):
            k.cards &= ~after.opened
            k.bottoms &= after.bottoms
            cards &= k.cards
            bottoms &= k.bottoms


cdef inline Locked smallest(const Scene* s, const Reach* f, Spaces spaces) noexcept nogil:
    """The smallest lock found within all that stays: a circle, or what one card waits for."""
    cdef Locked k, best, grown, done, none
    cdef uint64_t rest, ends
    cdef int lightest = HEAVIEST
    none.cards = none.bottoms = none.first = 0
    take_largest(s, f, &k)
    best = none
    best.cards = shortest_circle(s, &k, spaces)
    if best.cards:
        lightest = weight(s, &best, &none)
    rest = k.cards & s.goals
    ends = k.bottoms & ~s.r.kings
    while rest | ends:
        grown = done = none
        if rest:
            grown.cards = rest & -rest
            rest &= rest - 1
        else:
            grown.bottoms = ends & -ends
            ends &= ends - 1
        grow(s, &k, spaces, &grown, &done, lightest)
        if weight(s, &grown, &none) < lightest:
            lightest = weight(s, &grown, &none)
            best = grown
    if not best.first:
        shrink(s, f, &best, spaces)
    return best


cdef inline bint is_held(
    const Scene* s, const Locked* k, int card, bint at_bottom, Spaces spaces
) noexcept nogil:
    """Whether a lock of these sets keeps a card where it is."""
    cdef Hold hold
    cdef int state = 0
    return next_hold(s, k, card, at_bottom, spaces, &state, &hold)
