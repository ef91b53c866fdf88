# What proves a position lost in alternating colours.
#
# Example (alternating, king, 3 ranks), lost:
#
#     2H AS 3C
#     3D 2C AC
#     2D AH 2S
#     3S 3H AD
#
# AD and AH are twins, and both want 2S or 2C. 2S is open, 2C lies under AC, and AC waits for
# 2D under AH or 2H under AS, which waits for the same two. If AD is first, on 2S, AH needs 2C
# too. If AH is first, it needs 2C, or that 2S leaves its pile, for 3D under 2C or for 3H under
# AD, which as the second stays until 2C is uncovered.
#
# A closure (closure.pxd) for the rules under which a card has two parents and a *twin*,
# the other card of its rank and colour, that competes for them. Which of two twins is
# seated first is not known, and a win has one answer for every pair: a position is lost
# if under no choice of answers the closure holds what every win needs. Kings compete for
# spaces (kings.pxd). The room has three parts: what a position says before any choice,
# the closure under given choices, and the search over choices. Where any card fills a
# space, all this holds up to the time when the first column is empty.
#
# The life of a card, which all arguments below rest on. A card other than a King that
# lies on no parent, *unseated*, leaves its seat in one way only, by leading its pile
# onto a parent (where it may have fallen from the stock): no space takes it, and no
# run holds it. Once seated it stays on one of its two parents, moves from one to the
# other, or goes with a run that holds its parent too. Of two twins one lies on each
# parent in the end, so each parent that holds no child yet is at some time uncovered.

from libc.stdint cimport uint32_t, uint64_t

from scorpion.engine.bits cimport bit, count, take_lowest
from scorpion.engine.kings cimport given_back, with_runs
from scorpion.engine.outcomes cimport ALIVE, LOST, NOT_YET, Outcome
from scorpion.engine.position cimport (
    NOTHING, Position, Root, first_parent, fits, gone, is_dealt, on_table_now, seated,
)

cdef extern from *:
    """
    #define SCORPION_LOW 0x1111111111111111ULL    /* the first card of every rank */
    #define SCORPION_EVENS 0x5555555555555555ULL  /* the lower twin of every pair */
    """
    uint64_t LOW "SCORPION_LOW"
    uint64_t EVENS "SCORPION_EVENS"

cdef enum:
    MOST_STATES = 5  # none to four Kings parked

# What is tried first, learnt from one question to the next. It decides no answer but
# where closures run out.
cdef struct Guide:
    uint64_t firsts      # the witness: of each pair the one that last was the first
    uint32_t cores[26]   # how often each pair stood in a core

# What a position says before any choice.
cdef struct Prospect:
    uint64_t turned     # face up, gone, or in the stock
    uint64_t opened     # uncovered, gone, or in the stock
    uint64_t unseated   # not Kings, and neither on a parent nor gone
    uint64_t kings      # that lie on another card
    uint64_t under      # lie under a parent of theirs, in one column
    uint64_t held       # gone, or holding a card seated on them
    uint64_t serving    # Kings, on a parent, or in the stock; not gone
    uint64_t bases      # but Kings
    uint64_t standing   # Kings at the base of a column
    int empty           # columns
    uint64_t forced     # twins known to be seated first, or that may be taken to be
    uint64_t open_pairs  # both cards of each pair in which either may be the first
    Guide* guide

# What the closure finds to happen at some time, each a set of cards.
cdef struct Events:
    uint64_t turned
    uint64_t opened
    uint64_t left       # an unseated card for a parent, a King that lies on a card
    uint64_t claimed    # left while only one of its parents was known to be uncovered
    uint64_t parked     # Kings that went to an empty column
    uint64_t held_back  # that might be seated if they might be the first of theirs

# A pair of twins of which one side was tried as the second, or both were.
cdef struct Split:
    uint64_t second     # the cards that were not the first of theirs before
    uint64_t side       # the card that was made second first
    uint64_t core       # what else the refutation of that side needs
    bint other_side     # that one is being tried

# The question whether a position is lost, which may be left and gone on with.
cdef struct TwinLook:
    Prospect prospect
    uint64_t second     # cards of open pairs that are not the first of theirs so far
    uint64_t latest     # those of them that came last
    int splits
    Split split[26]     # of the pairs, each at most once


cdef inline void set_guide(Guide* guide) noexcept nogil:
    cdef int pair
    guide.firsts = EVENS
    for pair in range(26):
        guide.cores[pair] = 0


cdef inline uint64_t twins_of(uint64_t cards) noexcept nogil:
    return (cards & EVENS) << 1 | (cards >> 1 & EVENS)


cdef inline uint64_t with_a_parent(uint64_t targets) noexcept nogil:
    """Cards that fit on one of the targets at least: red ones on black, black on red."""
    cdef uint64_t black = (targets | targets >> 1) & LOW, red = (targets >> 2 | targets >> 3) & LOW
    return (black * 12 | red * 3) >> 4


cdef inline uint64_t with_both_parents(uint64_t targets) noexcept nogil:
    cdef uint64_t black = targets & targets >> 1 & LOW, red = targets >> 2 & targets >> 3 & LOW
    return (black * 12 | red * 3) >> 4


cdef inline uint64_t holders(const Root* r, const Position* p) noexcept nogil:
    """Cards that carry a card seated on them."""
    cdef uint64_t here = r.deck & ~gone(p)
    cdef uint64_t first = p.key.first & here, second = p.key.second & here
    return (
        ((first | first >> 1) & LOW) << 6
        | ((first >> 2 | first >> 3) & LOW) << 4
        | ((second | second >> 1) & LOW) << 7
        | ((second >> 2 | second >> 3) & LOW) << 5
    )


cdef inline void look_ahead(const Root* r, const Position* p, Prospect* q) noexcept nogil:
    """What the position says before any choice.

    Two claims on who of two unseated twins is seated first; in pairs that they leave
    open either may be.

    *The stock.* If s lies in the undealt stock, its twin z may be taken as first, for
    a closure that is complete under the true answer is complete under this one. If z
    truly is second, it found a parent when both had been uncovered, and as first it
    needs one of them. No other event waits for s to be seated, since what it lands on
    was uncovered when it did; and in the end s finds both parents uncovered, as the
    second needs. (With both in the stock nothing waits for either: both are second.)

    *The face-down parent.* If c lies on a face-down parent q of its own, c is the
    first. As long as c lies there, q neither turns up nor takes a card, so c must
    leave, for the other parent q'. If its twin z were seated before, it would be on q',
    and could leave it only for q, which is covered, or in a run with q': c would stay.
    (Where any card fills a space c may stay until there is one.)
    """
    cdef uint64_t on_table = on_table_now(r, p), down = on_table & ~p.up
    cdef uint64_t in_stock = 0 if is_dealt(p) else r.stock_set
    cdef uint64_t pairs, higher
    cdef int column, card, child
    q.turned = p.up | gone(p) | in_stock
    q.opened = gone(p) | in_stock
    q.under = 0
    q.empty = 0
    for column in range(r.columns):
        card = p.tail[column]
        if card != NOTHING:
            q.opened |= bit(card)
        else:
            q.empty += 1
        higher = 0
        while card != NOTHING:
            if (higher >> first_parent(r, card)) & 3:
                q.under |= bit(card)
            higher |= bit(card)
            card = p.below[card]
    q.unseated = r.deck & ~(seated(p) | r.kings)
    q.kings = r.kings & on_table & ~p.key.based
    q.held = holders(r, p) | gone(p)
    q.serving = (seated(p) & r.deck & ~gone(p)) | (r.kings & ~gone(p)) | in_stock
    q.bases = p.key.based & r.deck & ~r.kings
    q.standing = p.key.based & r.kings
    pairs = q.unseated & twins_of(q.unseated)
    q.forced = pairs & twins_of(in_stock) & ~in_stock
    while down:
        card = take_lowest(&down)
        child = p.above[card]
        if not r.any_fills and fits(r, child, card) and pairs & bit(child):
            q.forced |= bit(child)
    q.open_pairs = pairs & ~(in_stock | twins_of(in_stock) | q.forced | twins_of(q.forced))


cdef inline bint comes_clear(
    const Root* r, const Position* p, const Prospect* q, const Events* e, int card, int target
) noexcept nogil:
    """Whether the target, if it lies above the card in its column, gets out of its pile.

    Claim: a card leads onto a target only when that is not in its own pile. If it now
    is, one of the cards above the leading one, up to the target, has to leave its seat
    before; take the first that does. It does not leave in a run, which would take the
    target along, for good. So it leads: an unseated card onto a parent, a King to
    a space, and a seated card onto its other parent, which must then be uncovered (not
    gone, nor holding the twin: two seated twins never move again) and itself be out of
    that card's pile.
    """
    cdef int step = card, other
    if p.column[card] != p.column[target]:
        return True
    while step != target:
        step = p.above[step]
        if step == NOTHING:
            return True
    step = card
    while step != target:
        step = p.above[step]
        if (e.left >> step) & 1:
            return True
        if (seated(p) >> step) & 1:
            other = p.below[step] ^ 1
            if (e.opened & ~q.held) >> other & 1 and comes_clear(r, p, q, e, step, other):
                return True
    return False


cdef inline bint finds_parent(
    const Root* r, const Position* p, const Prospect* q, const Events* e, int card
) noexcept nogil:
    """Whether a parent that the card may be the next to lie on is out of its pile.

    Claim: a card whose twin is unseated or gone goes to a parent that is uncovered and
    holds no card (a gone one holds its). A card whose twin lies on a parent may go to
    the other one, or to that one once the twin has itself led to the other. (That the
    twin's old parent is out of the card's own pile then follows.)
    """
    cdef int target = first_parent(r, card), other, twin
    if not (q.held >> target) & 1 and not (q.held >> target >> 1) & 1:
        return (
            (e.opened >> target) & 1 and comes_clear(r, p, q, e, card, target)
            or (e.opened >> target >> 1) & 1 and comes_clear(r, p, q, e, card, target + 1)
        )
    other = target
    if (q.held >> other) & 1:
        other += 1
    if comes_clear(r, p, q, e, card, other):
        return True
    twin = card ^ 1
    return not (gone(p) >> twin) & 1 and comes_clear(r, p, q, e, twin, other)


cdef inline uint64_t with_parent_clear(
    const Root* r, const Position* p, const Prospect* q, const Events* e, uint64_t cards
) noexcept nogil:
    """Those of the cards that :func:`finds_parent` grants."""
    cdef uint64_t rest = cards & q.under
    cdef int card
    while rest:
        card = take_lowest(&rest)
        if not finds_parent(r, p, q, e, card):
            cards &= ~bit(card)
    return cards


cdef inline int spaces(const Root* r, const Prospect* q, const Events* e) noexcept nogil:
    """How many columns are empty, as the closure counts them."""
    return (
        q.empty
        + count(q.bases & e.left)
        - count(e.parked)
        + given_back(r, may_serve(q, e), q.standing | e.parked)
    )


cdef inline uint64_t may_serve(const Prospect* q, const Events* e) noexcept nogil:
    """Cards that may serve in a run (kings.pxd).

    Those in the stock serve at any time, as it is not followed when they are seated.
    """
    return e.turned & (q.serving | e.left) & (e.opened | q.held)


cdef inline void note_leaving(const Position* p, Events* e, uint64_t cards) noexcept nogil:
    """Note that the cards leave: what they lie on is uncovered and turns up."""
    cdef int below
    e.left |= cards
    while cards:
        below = p.below[take_lowest(&cards)]
        if below != NOTHING:
            e.opened |= bit(below)
            e.turned |= bit(below)


cdef inline uint64_t leaving_kings(
    const Root* r, const Prospect* q, Events* e, uint64_t kings
) noexcept nogil:
    """Those of the Kings, face up and on cards, that leave without taking anything from others.

    They leave with their runs, or park where there are spaces for all Kings that have not left.
    """
    if not r.any_fills and spaces(r, q, e) >= count(q.kings & ~e.left):
        e.parked |= kings
        return kings
    return with_runs(r, may_serve(q, e), kings)


cdef inline bint follow_all(
    const Root* r, const Position* p, const Prospect* q, uint64_t second, bint counted, Events* e
) noexcept nogil:
    """Follow every line of play at once; whether all that a win needs is found to happen.

    Starts from what is in ``e``. ``second`` are the cards of open pairs that may not be
    seated before their twin. Of the others those the guide names claim to be first as soon
    as they can, and their twins only where nothing else goes on. Kings take no spaces
    unless they are ``counted``.

    *Seating.* A card is seated face up, on an uncovered parent. Claim: the first of
    two unseated twins needs one uncovered parent, the second both. It finds the one
    that does not hold the first, or that which the first has left for the other, so
    the other was uncovered; and the one that took the first was uncovered then. For
    the same reason a card whose twin lies on a parent, or went with one, needs the
    parent that is left.

    *Uncovering.* A card is uncovered and face up once the card on it has left. If that
    is seated on it, it stays covered here: nobody waits for it, since it counts as the
    parent that is taken. A King leaves face up, with its run or for a space.

    A win seats every card but the Kings, and no King ends on a card. (That it turns up
    every card and brings one onto every card but the Aces follows: whatever is neither
    open nor held lies under an unseated card or a King, so once these have left all are
    uncovered, from the open ends down.) Where any card fills a space, up to the first one
    the same moves are allowed; after it all may happen.
    """
    cdef uint64_t may_be_first = q.forced | (q.open_pairs & ~second)
    cdef uint64_t ready, both, fresh, kings
    while (q.unseated | q.kings) & ~e.left:
        both = with_both_parents(e.opened | q.held)
        ready = q.unseated & e.turned & ~e.left & (both | (may_be_first & with_a_parent(e.opened)))
        fresh = with_parent_clear(r, p, q, e, ready & (both | q.forced | q.guide.firsts))
        kings = q.kings & e.turned & ~e.left
        if not counted:
            fresh |= kings
        elif not fresh:
            if r.any_fills and spaces(r, q, e) > 0:
                return True
            if kings:
                fresh = leaving_kings(r, q, e, kings)
        if not fresh:
            fresh = with_parent_clear(r, p, q, e, ready & ~(both | q.forced | q.guide.firsts))
            if not fresh:
                e.held_back |= second & e.turned & ~e.left & with_a_parent(e.opened)
                return False
        e.claimed |= fresh & ~(both | q.kings)
        note_leaving(p, e, fresh)
    return True


cdef inline uint64_t parkable_kings(const Root* r, const Prospect* q, const Events* e) noexcept nogil:
    """The Kings for which there is a space."""
    cdef uint64_t kings = q.kings & e.turned & ~e.left
    return kings if kings and spaces(r, q, e) > 0 else 0


cdef inline bint completes(
    const Root* r, const Position* p, const Prospect* q, uint64_t second, Events* e, int* closures
) noexcept nogil:
    """Whether all that a win needs is found to happen under some sequence of parkings.

    A state is which Kings have parked: in whichever order they did, the same facts follow.
    So there are 16 at most. Where the first sequence leads nowhere it is asked whether
    Kings without counting would; mostly they would not, and there is no need to go on.
    Where any card fills a space none parks, as the first space is enough.
    """
    cdef Events states[MOST_STATES]
    cdef uint64_t untried[MOST_STATES]
    cdef uint64_t parked, held_back
    cdef uint32_t met = 0  # a bit for each set of Kings
    cdef int top = 0, king
    cdef bint counts = r.any_fills
    states[0].turned = q.turned
    states[0].opened = q.opened
    states[0].left = states[0].claimed = states[0].parked = states[0].held_back = 0
    closures[0] -= 1
    if follow_all(r, p, q, second, True, &states[0]):
        e[0] = states[0]
        return True
    held_back = states[0].held_back
    untried[0] = parkable_kings(r, q, &states[0])
    while top >= 0:
        if not untried[top]:
            if not counts:
                e[0] = states[top]
                e.held_back = 0
                if not follow_all(r, p, q, second, False, e):
                    return False
                counts = True
            top -= 1
            continue
        king = take_lowest(&untried[top])
        parked = states[top].parked | bit(king)
        if met >> (parked >> (4 * r.ranks - 4)) & 1:
            continue
        met |= <uint32_t>1 << (parked >> (4 * r.ranks - 4))
        states[top + 1] = states[top]
        top += 1
        states[top].parked = parked
        note_leaving(p, &states[top], bit(king))
        closures[0] -= 1
        if follow_all(r, p, q, second, True, &states[top]):
            e[0] = states[top]
            return True
        held_back |= states[top].held_back
        untried[top] = parkable_kings(r, q, &states[top])
    e.held_back = held_back
    return False


cdef inline uint64_t core_of(
    const Root* r, const Position* p, const Prospect* q, uint64_t second, uint64_t kept, Events* e,
    int* closures
) noexcept nogil:
    """A small part of ``second`` that keeps the closure, found incomplete in ``e``, incomplete.

    Only a card that would have been seated had it been allowed to be first can matter, in
    any of the states that were tried; the others are then left out one by one. ``kept`` is
    known to be needed.
    """
    cdef uint64_t core = second & e.held_back
    cdef uint64_t rest = core & ~kept, own
    while rest:
        own = bit(take_lowest(&rest))
        if not completes(r, p, q, core & ~own, e, closures):
            core &= ~own & e.held_back
            rest &= core
    return core


cdef inline void begin_twins(
    const Root* r, const Position* p, Guide* guide, TwinLook* look
) noexcept nogil:
    """Begin to ask whether a position is lost whoever of each two twins is seated first.

    The guide's *witness* are the answers that completed the closure of the position
    asked about before. A greedy search asks about one position and its neighbours, for
    which they mostly do again, so one closure is enough. (Kept for the whole search the
    witness does better than kept with each node, and needs no room there.)
    """
    look_ahead(r, p, &look.prospect)
    look.prospect.guide = guide
    look.splits = 0
    look.second = look.latest = 0


cdef inline bint split_pair(TwinLook* look, uint64_t claimed) noexcept nogil:
    """Split a pair both cards of which claim to be first; False if there is none.

    Then the claims are an answer that completes: the witness.
    """
    cdef Guide* guide = look.prospect.guide
    cdef uint64_t answer, contested
    cdef int card, best
    claimed &= look.prospect.open_pairs
    contested = claimed & twins_of(claimed) & EVENS
    if not contested:
        answer = claimed | twins_of(look.second)
        guide.firsts = (guide.firsts & ~twins_of(answer)) | answer
        return False
    best = take_lowest(&contested)
    while contested:
        card = take_lowest(&contested)
        if guide.cores[card >> 1] > guide.cores[best >> 1]:
            best = card
    look.split[look.splits].second = look.second
    look.split[look.splits].side = (bit(best) | bit(best + 1)) & ~guide.firsts
    look.split[look.splits].other_side = False
    look.latest = look.split[look.splits].side
    look.second |= look.latest
    look.splits += 1
    return True


cdef inline bint refute_all(TwinLook* look, uint64_t core) noexcept nogil:
    """Whether a refutation, which needs ``core``, leaves no side of any split to be tried.

    If it does not need the side that it was found on, it refutes the other side too
    (conflict-directed backjumping, Prosser 1993); else the refutations of both sides
    together, less the side each has, refute the whole.
    """
    cdef Split* split
    while look.splits:
        split = &look.split[look.splits - 1]
        if not split.other_side and core & split.side:
            split.core = core & ~split.side
            split.other_side = True
            look.latest = twins_of(split.side)
            look.second = split.second | look.latest
            return False
        if split.other_side and core & twins_of(split.side):
            core = split.core | (core & ~twins_of(split.side))
        look.splits -= 1
    return True


cdef inline Outcome resume_twins(
    const Root* r, const Position* p, TwinLook* look, int closures
) noexcept nogil:
    """Go on over some ``closures``: LOST, ALIVE or NOT_YET.

    Claim: the closure grows with the set of cards that may be first. A true answer
    names one of each pair, so a closure that is incomplete with both cards of all
    undecided pairs allowed refutes every answer that goes on from here. Otherwise a
    pair of which both cards claimed to be first is split, and each side tried.
    """
    cdef Events e
    cdef uint64_t core, rest
    cdef int pair
    while closures > 0:
        if completes(r, p, &look.prospect, look.second, &e, &closures):
            if not split_pair(look, e.claimed):
                return ALIVE
            continue
        core = core_of(r, p, &look.prospect, look.second, look.latest, &e, &closures)
        rest = core
        while rest:
            pair = take_lowest(&rest) >> 1
            look.prospect.guide.cores[pair] += 1
        if refute_all(look, core):
            return LOST
    return NOT_YET
