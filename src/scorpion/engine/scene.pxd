# What a lock is made of: which cards are never uncovered.
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

from scorpion.engine.bits cimport bit, count, take_lowest
from scorpion.engine.position cimport (
    NOTHING, Position, Root, first_parent, gone, is_dealt, on_table_now, seated,
)
from scorpion.engine.twins cimport with_a_parent, with_both_parents

cdef enum:
    MOST_WAITING = 24     # cards that are assumed to come home last of a circle
    MOST_IN_CIRCLE = 24   # cards of one circle that wait
    MOST_GROUPS = 24

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

cdef inline void set_scene(const Root* r, const Position* p, Scene* scene, Reach* reach) noexcept nogil:
    """What lies where, nothing assumed, and what happens at once."""
    cdef uint64_t higher
    cdef int column, card, which, parent, step
    scene.r = r
    scene.p = p
    scene.stock = 0 if is_dealt(p) else r.stock_set
    scene.table = on_table_now(r, p)
    scene.away = gone(p)
    scene.down = scene.table & ~p.up
    scene.homed = seated(p) & ~scene.away
    scene.unseated = r.deck & ~(seated(p) | r.kings)
    scene.bases = p.key.based & r.deck
    scene.movers = scene.table & ~scene.bases
    scene.joinable = scene.unseated | (scene.homed if r.alternating else 0)
    scene.parkable = scene.movers if r.any_fills else scene.movers & r.kings
    scene.lockable = scene.goals = 0
    scene.buried[0] = scene.buried[1] = 0
    scene.seconds = scene.dear = 0
    scene.waits = scene.groups = 0
    reach.opened = scene.stock | scene.away
    reach.turned = p.up | scene.stock | scene.away
    reach.left = reach.went = 0
    reach.bottoms = scene.bases
    for column in range(r.columns):
        card = p.tail[column]
        if card == NOTHING:
            continue
        reach.opened |= bit(card)
        higher = bit(card)
        while True:
            step = card
            card = p.below[card]
            if card == NOTHING:
                break
            if not (scene.homed >> step) & 1:
                scene.goals |= bit(card)
                scene.lockable |= bit(card)
            elif r.alternating:
                scene.lockable |= bit(card)
            if not bit(card) & r.kings:
                for which in range(2 if r.alternating else 1):
                    parent = first_parent(r, card) + which
                    if (higher >> parent) & 1:
                        scene.buried[which] |= bit(card)
                        scene.pile[which][card] = pile_up_to(scene, card, parent)
            higher |= bit(card)


cdef inline uint64_t pile_up_to(const Scene* scene, int card, int target) noexcept nogil:
    """Cards above one up to a target in its column; in suit but for those at home."""
    cdef uint64_t cards = 0
    while card != target:
        card = scene.p.above[card]
        cards |= bit(card)
    return cards if scene.r.alternating else cards & ~scene.homed


cdef inline void let_leave(const Scene* scene, Reach* reach, uint64_t cards) noexcept nogil:
    """Note that movers leave what they lie on."""
    cdef int below
    reach.left |= cards
    while cards:
        below = scene.p.below[take_lowest(&cards)]
        reach.opened |= bit(below)
        reach.turned |= bit(below)


cdef inline bint is_clear(const Scene* scene, const Reach* reach, int card, int which) noexcept nogil:
    """Whether a card may go onto its parent of that number."""
    cdef int parent = first_parent(scene.r, card) + which
    return (reach.opened & ~scene.away) >> parent & 1 and (
        not (scene.buried[which] >> card) & 1 or scene.pile[which][card] & reach.left != 0
    )


cdef inline uint64_t finding_parents(const Scene* scene, const Reach* reach) noexcept nogil:
    """Cards that may now come to lie on a parent for the first time, or on the other one."""
    cdef uint64_t open_ = reach.opened & ~scene.away
    cdef uint64_t fresh = scene.joinable & reach.turned & ~reach.went
    cdef uint64_t rest
    cdef int card, which
    if scene.r.alternating:
        fresh &= with_a_parent(open_) & (~scene.seconds | with_both_parents(reach.opened))
    else:
        fresh &= open_ >> 4
    rest = fresh & (scene.buried[0] | scene.buried[1])
    while rest:
        card = take_lowest(&rest)
        if is_clear(scene, reach, card, 0):
            continue
        if not scene.r.alternating or not is_clear(scene, reach, card, 1):
            fresh &= ~bit(card)
    for which in range(scene.waits):
        if not scene.wait[which].others & reach.left:
            fresh &= ~bit(scene.wait[which].card)
    return fresh


cdef inline uint64_t in_run_at(const Scene* scene, int king, int rank) noexcept nogil:
    """The cards that can serve in a King's run at a rank."""
    if not scene.r.alternating or rank == king >> 2:
        return bit(4 * rank + (king & 3))
    return <uint64_t>3 << (4 * rank + ((king & 2) ^ (((king >> 2) - rank & 1) << 1)))


cdef inline uint64_t run_of(const Scene* scene, int king) noexcept nogil:
    """The cards below a King in its run; in alternating colours the lower twin of each rank."""
    cdef uint64_t below = bit(king & ~3) - 1
    if not scene.r.alternating:
        return <uint64_t>0x1111111111111111 << (king & 3) & below
    # Black Aces, red twos and so on, or the other way round.
    if (king >> 2 ^ king >> 1) & 1:
        return <uint64_t>0x1414141414141414 & below
    return <uint64_t>0x4141414141414141 & below


cdef inline uint64_t leaving_with_runs(const Scene* scene, const Reach* reach) noexcept nogil:
    """Kings whose runs may now be followed to their completion, and leave."""
    cdef uint64_t kings = 0, rest = 0, able
    cdef int king
    if not scene.r.stays:
        rest = scene.r.kings & scene.table & reach.turned & ~reach.went
    if not rest:
        return 0
    able = ~(
        (scene.goals & ~reach.opened)
        | (scene.unseated & ~reach.went & ((scene.movers & ~reach.left) | reach.bottoms))
        | scene.away
    )
    rest &= able
    if scene.r.alternating:
        able |= able >> 1  # one of two twins is enough
    while rest:
        king = take_lowest(&rest)
        if not run_of(scene, king) & ~able:
            kings |= bit(king)
    return kings


cdef inline void take_away(const Scene* scene, Reach* reach, uint64_t cards) noexcept nogil:
    """Note that cards come to lie on a parent, or leave with their runs."""
    reach.went |= cards
    reach.bottoms &= ~cards
    let_leave(scene, reach, cards & scene.movers & ~reach.left)


cdef inline void spread(const Scene* scene, Reach* reach) noexcept nogil:
    """Note all that follows without a card going to an empty column."""
    cdef uint64_t fresh = finding_parents(scene, reach) | leaving_with_runs(scene, reach)
    while fresh:
        take_away(scene, reach, fresh)
        fresh = finding_parents(scene, reach) | leaving_with_runs(scene, reach)


cdef inline void let_park(const Scene* scene, Reach* reach, int card) noexcept nogil:
    """Note what follows if a card goes to an empty column."""
    reach.bottoms |= bit(card) & ~reach.went
    let_leave(scene, reach, bit(card) & ~reach.left)
    spread(scene, reach)


cdef inline uint64_t may_park(const Scene* scene, const Reach* reach) noexcept nogil:
    """Movers that would go to an empty column if there were one."""
    return scene.parkable & reach.turned & ~reach.left & ~(0 if scene.r.alternating else scene.homed)


cdef inline void spread_freely(const Scene* scene, Reach* reach) noexcept nogil:
    """Note all that follows if any card may go to an empty column."""
    cdef uint64_t cards
    spread(scene, reach)
    while True:
        cards = may_park(scene, reach)
        if not cards:
            return
        let_leave(scene, reach, cards)
        spread(scene, reach)


cdef inline bint shows_loss(const Scene* scene, const Reach* reach) noexcept nogil:
    return scene.goals & ~reach.opened != 0 or reach.bottoms & ~scene.r.kings != 0


cdef inline int most_empty(const Scene* scene, const Reach* reach) noexcept nogil:
    """How many columns may be empty at the same time, at the most.

    Of a group one card stands at a bottom, as long as none of them goes home.
    """
    cdef int columns = scene.r.columns - count(reach.bottoms & scene.bases), which
    for which in range(scene.groups):
        if not scene.group[which] & ~reach.bottoms:
            columns -= 1
    return columns


cdef inline uint64_t never_covered_up(const Scene* scene, const Locked* locked) noexcept nogil:
    """Cards at no parent now that come to none: they lie on locked cards, or are bottoms."""
    cdef uint64_t cards = locked.bottoms & ~scene.r.kings & ~scene.homed
    cdef uint64_t rest = locked.cards
    while rest:
        cards |= bit(scene.p.above[take_lowest(&rest)])
    return cards & scene.unseated
