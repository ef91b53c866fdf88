# What bars a card's ways, by the sets of a lock: why a card stays where it is.

from libc.stdint cimport uint64_t

from scorpion.engine.bits cimport bit, take_lowest
from scorpion.engine.position cimport NOTHING, first_parent
from scorpion.engine.scene cimport Locked, Scene, in_run_at, never_covered_up

cdef enum:
    MOST_ALTERNATIVES = 16
    MOST_WAYS = 4

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


cdef inline uint64_t lain_on(const Scene* scene, uint64_t movers) noexcept nogil:
    """The cards that movers lie on."""
    cdef uint64_t cards = 0
    while movers:
        cards |= bit(scene.p.below[take_lowest(&movers)])
    return cards


cdef inline void onto_parent(
    const Scene* scene, const Locked* locked, int card, int which, Hold* hold
) noexcept nogil:
    """The way onto one parent, and what of the lock bars it."""
    cdef int parent = first_parent(scene.r, card) + which, each
    cdef Way* way = add_way(hold, ONTO, parent)
    cdef uint64_t needed
    if (scene.away >> parent) & 1:
        add_bar(way, AWAY, 0, 0)
    if (locked.cards >> parent) & 1:
        add_bar(way, COVERED, bit(parent), 0)
    if (scene.buried[which] >> card) & 1:
        needed = lain_on(scene, scene.pile[which][card])
        if not needed & ~locked.cards:
            add_bar(way, OWN_PILE, needed, 0)
    for each in range(scene.waits):
        if scene.wait[each].card == card:
            needed = lain_on(scene, scene.wait[each].others)
            if not needed & ~locked.cards:
                add_bar(way, CIRCLE + 16 * each, needed, 0)


cdef inline void in_run(const Scene* scene, const Locked* locked, int king, Hold* hold) noexcept nogil:
    """The way of a King with its run, and the ranks at which the lock bars it."""
    cdef Way* way = add_way(hold, IN_RUN, NOTHING)
    cdef uint64_t apart = never_covered_up(scene, locked), cards, serving, bottoms
    cdef int rank, card
    cdef bint barred
    for rank in range(scene.r.ranks - 1, -1, -1):
        serving = in_run_at(scene, king, rank) & ~scene.away
        cards = bottoms = 0
        barred = True
        while serving and barred:
            card = take_lowest(&serving)
            if (locked.cards & scene.goals) >> card & 1:
                cards |= bit(card)
            elif (apart >> card) & 1 and (locked.bottoms >> card) & 1:
                bottoms |= bit(card)
            elif (apart >> card) & 1:
                cards |= bit(scene.p.below[card])
            else:
                barred = False
        if barred:
            add_bar(way, rank, cards, bottoms)


cdef inline void usual_hold(
    const Scene* scene, const Locked* locked, int card, bint at_bottom, Spaces spaces, Hold* hold
) noexcept nogil:
    """The ways of a card that lies face up, and what of the lock bars them."""
    cdef Way* way
    cdef bint king = bit(card) & scene.r.kings != 0
    cdef int which
    hold.size = 0
    if not king:
        for which in range(2 if scene.r.alternating else 1):
            onto_parent(scene, locked, card, which, hold)
    if not at_bottom and (scene.parkable >> card) & 1:
        way = add_way(hold, TO_SPACE, NOTHING)
        if spaces == NONE_EMPTY:
            add_bar(way, PLAIN, 0, locked.bottoms)
        elif spaces == BY_CASES:
            add_bar(way, PLAIN, 0, 0)
    if king and not scene.r.stays:
        in_run(scene, locked, card, hold)


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
    const Scene* scene, const Locked* locked, int card, bint at_bottom, Spaces spaces, int* state, Hold* hold
) noexcept nogil:
    """Each of the things that can hold a card, in turn; False after the last.

    Lying face down comes first, then coming second, then that all its ways are barred.
    """
    cdef Way* way
    cdef int parent, which
    while state[0] < 3:
        state[0] += 1
        if state[0] == 1:
            if (scene.down & locked.cards) >> card & 1:
                hold.size = 0
                add_bar(add_way(hold, FACE_DOWN, card), PLAIN, bit(card), 0)
                if spaces == BY_CASES:
                    # A card that does not turn up is no case.
                    state[0] = 3
                return True
        elif state[0] == 2:
            if (scene.seconds >> card) & 1:
                hold.size = 0
                way = add_way(hold, SECOND, NOTHING)
                parent = first_parent(scene.r, card)
                for which in range(2):
                    if (locked.cards >> parent >> which) & 1:
                        add_bar(way, parent + which, bit(parent + which), 0)
                if way.size:
                    return True
        else:
            usual_hold(scene, locked, card, at_bottom, spaces, hold)
            if is_barred(hold):
                return True
    return False
