# Why a card is not the first to move: the reasons of which nogoods are made (nogoods.pxd).
#
# A frame is a position of the search that learns, with the nogood (P, C) in the making:
# what has moved in it and what has not, as far as the refutation relies on it.

from libc.stdint cimport uint64_t

from scorpion.engine.bits cimport bit, count, lowest, take_lowest
from scorpion.engine.moved cimport (
    DEALT, LOOSE, Ground, Stand, carries, empty_columns, is_slot, lies_on, loose_kings, standing, suit_of,
)
from scorpion.engine.position cimport NOTHING, stock_place

cdef struct Frame:
    Stand at
    uint64_t open        # the moves that are possible
    uint64_t why_moved   # the nogood in the making: P, C,
    uint64_t why_unmoved
    uint64_t done        # what of C is explained or refuted,
    int relied           # and the stock cards whose landing it relies on, a bit each
    int move             # the one being tried: a card or DEALT
    int code             # how the Kings stand for the deal being tried; -1 before the first
    int relied_columns   # of the deals tried so far
    uint64_t relied_kings
    bint exact           # moves were left out: the nogood will be that of this position alone


cdef inline void begin_frame(Frame* f) noexcept nogil:
    """Nothing is known yet of a position just reached."""
    f.why_moved = f.why_unmoved = f.done = 0
    f.relied = 0
    f.code = -1
    f.relied_columns = 0
    f.relied_kings = 0
    f.exact = False


cdef inline void blame(const Ground* g, Frame* f, int card) noexcept nogil:
    """Rely on an unmoved card lying where it lay at the start, or where it landed."""
    f.why_unmoved |= bit(card)
    if (g.root.stock_set >> card) & 1:
        f.relied |= 1 << stock_place(&g.root, card)


cdef inline void blame_unfinished(
    const Ground* g, Frame* f, int king, uint64_t reach
) noexcept nogil:
    """Rely on a King's run being unfinished: a card of it unmoved, or its Ace covered."""
    cdef uint64_t missing = suit_of(g, king) & ~g.root.kings & ~reach
    if not missing:
        blame(g, f, g.cover[king & 3])
    elif not missing & f.why_unmoved:
        f.why_unmoved |= bit(lowest(missing))


cdef inline void blame_occupied(const Ground* g, Frame* f, uint64_t reach) noexcept nogil:
    """Rely on every column being occupied: by a base of the start or a King since.

    Where runs leave, a King must also be kept from leaving with its run. For one that
    was at a base from the start this falls to its own explanation as a card of C.
    """
    cdef uint64_t rest = g.bases & ~f.at.moved
    cdef int card
    while rest:
        card = take_lowest(&rest)
        if not g.root.stays or not (g.root.kings >> card) & 1:
            blame(g, f, card)
        elif (g.root.stock_set >> card) & 1:
            f.relied |= 1 << stock_place(&g.root, card)
    rest = f.at.moved & g.root.kings & ~g.bases & ~f.at.gone
    f.why_moved |= rest
    while rest and not g.root.stays:
        blame_unfinished(g, f, take_lowest(&rest), reach)


cdef inline void why_joinable(
    const Ground* g, const Frame* f, int card, uint64_t* moved, uint64_t* unmoved
) noexcept nogil:
    """Why a card that can join its parent before the deal still can, while these last.

    It is face up and its parent uncovered, as what covered them has moved; and the
    parent is not in the card's pile, as all cards from the parent down to a base stay
    where they are. (Nor does one go with a run, not even a King at the base: the run
    would have to take all on top of it along, so the parent, whose child is missing.)
    """
    cdef int step = card + 4
    moved[0] = 0
    unmoved[0] = bit(card)
    if (g.face_down >> card) & 1:
        moved[0] |= bit(g.cover[card])
    if g.cover[step] != NOTHING:
        moved[0] |= bit(g.cover[step])
    while step != NOTHING:
        if (f.at.moved >> step) & 1:
            moved[0] |= bit(step)
        elif not (g.root.kings & g.bases) >> step & 1:
            unmoved[0] |= bit(step)
        step = lies_on(g, f.at.moved, step)


cdef inline uint64_t why_gone(const Ground* g, int king) noexcept nogil:
    """What has moved when a King has gone, asked before the deal: it is gone once this has.

    Its suit has joined, and what covered the Ace at the start has moved.
    """
    cdef uint64_t cards = suit_of(g, king) & ~g.root.kings
    cdef int cover = g.cover[king & 3]
    return cards if cover == NOTHING else cards | bit(cover)


cdef inline void why_space(
    const Ground* g, const Frame* f, int king, uint64_t* moved, uint64_t* unmoved
) noexcept nogil:
    """Why a King that can go to a space before the deal still can, while these last.

    It is face up, and there are no fewer spaces: the columns vacated stay vacated, as
    no further King goes to one; and the runs that have gone are finished.
    """
    cdef uint64_t left = f.at.gone & ~g.bases
    moved[0] = f.at.moved & g.bases
    unmoved[0] = g.root.kings & ~(g.bases | g.root.stock_set | f.at.moved)
    if (g.face_down >> king) & 1:
        moved[0] |= bit(g.cover[king])
    while left:
        moved[0] |= why_gone(g, take_lowest(&left))


cdef inline void blame_movable(const Ground* g, Frame* f) noexcept nogil:
    """Rely on a card that can move, so that the stock may not be dealt: the cheapest to rely on."""
    cdef uint64_t rest = f.open & g.root.deck, moved, unmoved
    cdef uint64_t best_moved = 0, best_unmoved = 0
    cdef int card, cost, least = 1 << 20
    while rest:
        card = take_lowest(&rest)
        if (g.root.kings >> card) & 1:
            why_space(g, f, card, &moved, &unmoved)
        else:
            why_joinable(g, f, card, &moved, &unmoved)
        unmoved &= ~f.why_unmoved
        cost = 64 * count(unmoved & f.open) + 4 * count(unmoved) + count(moved & ~f.why_moved)
        if cost < least:
            least = cost
            best_moved = moved
            best_unmoved = unmoved
    f.why_moved |= best_moved
    f.why_unmoved |= best_unmoved


cdef inline void explain(const Ground* g, Frame* f, int card, uint64_t reach) noexcept nogil:
    """Say why a card of C cannot be the first of C to move, adding to P and C.

    ``reach`` is what may have moved by then: the closure's answer at a dead position,
    else just what has. What is added to C is outside it. The reasons, each a fact that
    lasts while P has moved and C has not:
      - the card is face down, and what covers it has not moved;
      - what covers its parent has not moved;
      - its parent lies on its own pile: every card from there down to it is still
        where it is, on its own parent (in P) or where it lay (in C). None has gone
        with a run, as the moved cards of the chain end below in an unmoved one of the
        same suit;
      - a stock card, or a card whose parent is one, before the deal: no deal. (It may
        fall on its parent, but not while that is covered.)
      - a King: all columns are occupied, and its run is unfinished. (One in the stock, while
        a column is empty: no deal. It may then land on the space, or move to it.)
      - a King comes not loose: it is face down, or all columns are occupied;
      - the deal, where it has to wait until one is stuck: some card can move.
    """
    cdef uint64_t stock = 0 if (f.at.moved >> DEALT) & 1 else g.root.stock_set
    cdef int parent, cover, step
    f.done |= bit(card)
    if card == DEALT:
        blame_movable(g, f)
        return
    if card >= LOOSE:
        card += 4 * g.root.ranks - 4 - LOOSE
        if (g.face_down & ~f.at.uncovered) >> card & 1:
            f.why_unmoved |= bit(g.cover[card])
        else:
            blame_occupied(g, f, reach)
        return
    cover = g.cover[card]
    if (g.face_down >> card) & 1 and not (reach >> cover) & 1:
        f.why_unmoved |= bit(cover)
        return
    if (stock & g.root.kings) >> card & 1 and empty_columns(g, &f.at) > 0:
        f.why_unmoved |= bit(DEALT)
        return
    if (g.root.kings >> card) & 1:
        if not (g.bases >> card) & 1:
            blame_occupied(g, f, reach)
        if not g.root.stays:
            blame_unfinished(g, f, card, reach)
        return
    parent = card + 4
    cover = g.cover[parent]
    if cover != NOTHING and not (reach >> cover) & 1:
        blame(g, f, cover)
        return
    if stock & (bit(card) | bit(parent)):
        f.why_unmoved |= bit(DEALT)
        return
    step = parent
    while step != card:
        if (f.at.moved >> step) & 1:
            f.why_moved |= bit(step)
        else:
            blame(g, f, step)
        step = lies_on(g, f.at.moved, step)


cdef inline void blame_pile(const Ground* g, Frame* f, int card) noexcept nogil:
    """Rely on what lies on a base, up to the open end, and on that being open.

    No run in it leaves: at a King's base it lacks the child of the open end, or the run
    carries an unmoved card; elsewhere its moved cards end below in an unmoved one.
    """
    cdef int step = carries(g, f.at.moved, card)
    while step != NOTHING:
        if (f.at.moved >> step) & 1:
            f.why_moved |= bit(step)
        else:
            f.why_unmoved |= bit(step)
        card = step
        step = carries(g, f.at.moved, card)
    if g.cover[card] != NOTHING:
        f.why_moved |= bit(g.cover[card])
    if card > 3 and not (g.root.stock_set >> (card - 4)) & 1:
        f.why_unmoved |= bit(card - 4)


cdef inline void blame_slots(const Ground* g, Frame* f) noexcept nogil:
    """Rely on there being no other slots, spaces and Kings in slots than these.

    No further column is vacated, no King comes loose or moves to a column. Those that have
    gone are gone: to have moved is not enough, as they may stand in a slot. (One in a slot
    may still leave with its run, see `finish_deal`.)
    """
    cdef uint64_t kings = loose_kings(g, &f.at)
    cdef uint64_t rest = g.bases & g.root.kings & ~f.at.gone & ~kings
    f.why_unmoved |= g.bases & ~g.root.kings & ~f.at.moved
    f.why_unmoved |= rest >> (4 * g.root.ranks - 4) << LOOSE
    f.why_unmoved |= g.root.kings & ~g.bases & ~g.root.stock_set & ~f.at.moved
    f.why_moved |= f.at.moved & g.root.kings & ~f.at.gone
    kings = f.at.gone
    while kings:
        f.why_moved |= why_gone(g, take_lowest(&kings))


cdef inline void blame_slot(const Ground* g, Frame* f, int column) noexcept nogil:
    """Rely on a column being a slot: the base that it had, if that was no King, has moved."""
    if g.base[column] != NOTHING and not (g.root.kings >> g.base[column]) & 1:
        f.why_moved |= bit(g.base[column])


cdef inline void blame_base(const Ground* g, Frame* f, int column) noexcept nogil:
    """Rely on a column that is no slot: its base has not moved, and carries the same pile."""
    if (g.root.kings >> g.base[column]) & 1:
        f.why_unmoved |= bit(LOOSE + (g.base[column] & 3))
    else:
        f.why_unmoved |= bit(g.base[column])
    blame_pile(g, f, g.base[column])


cdef inline void finish_deal(const Ground* g, Frame* f) noexcept nogil:
    """All deals from here are refuted: rely on what makes them the only ones.

    Claim: each deal of a position with the same facts meets one of the nogoods found.

    *Columns that are no slots* have the same base and pile there if relied upon
    (:func:`blame_base`), so the same open end. If only such were, that is all.

    *Slots.* There are no more slots, spaces and loose Kings there than here
    (:func:`blame_slots`), and each slot relied upon is a slot or holds what it could hold
    here (:func:`blame_slot`); so however its Kings stand, they can stand so here, on the
    columns relied upon. That deal was tried or stood alike with one that was, and the
    piles it relied upon have the same open ends (:func:`blame_pile`).

    A King that stands in a slot here may have gone with its run there, and left a space
    more. Let it stand on that space here. The nogood found then does not rely on the
    column; else it would rely on the King's pile, and there the King could not have gone.
    """
    cdef uint64_t kings = f.relied_kings
    cdef int column
    cdef bint slots = False
    for column in range(g.root.stock_size):
        if not f.relied_columns >> column & 1:
            continue
        if is_slot(g, &f.at, column):
            blame_slot(g, f, column)
            slots = True
        else:
            blame_base(g, f, column)
    if slots:
        blame_slots(g, f)
    while kings:
        blame_pile(g, f, take_lowest(&kings))
    f.why_unmoved |= bit(DEALT)
    f.done |= bit(DEALT)


cdef inline bint stands_alike(
    const Ground* g, const Frame* f, int code, int other, int columns
) noexcept nogil:
    """Whether two codes put the same piles on the given columns, a bit each."""
    cdef int column
    for column in range(g.root.stock_size):
        if columns >> column & 1 and standing(g, &f.at, code, column) != standing(g, &f.at, other, column):
            return False
    return True
