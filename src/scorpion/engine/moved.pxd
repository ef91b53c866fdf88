# The position as the set of cards that have moved: in-suit, only Kings fill.
#
# In these games a card that is not a King fits on one card alone, its parent, and
# never leaves it again: each moves once at most. A King moves at most once that
# matters, from a card to an empty column; which column it is counts only for where
# the stock lands, and is left open until the deal. So a position is the set of cards
# that have *moved*: joined their parent, or, Kings, left what they lay on (or the
# table, with their run). Moved cards stay moved. Two kinds of marks count as cards:
# DEALT, and for each King that was at a base from the start LOOSE: it has been face
# up while a column was empty, so before the deal it may be shifted from base to base.

from libc.stdint cimport uint8_t, uint64_t

from scorpion.engine.bits cimport bit, count, lowest, take_lowest
from scorpion.engine.keys cimport set_root
from scorpion.engine.position cimport COLUMNS, NOTHING, STOCK, Position, Root, gone, is_dealt, seated

cdef enum:
    LOOSE = 52           # four marks, by suit
    DEALT = 56
    CODES = 125          # ways for three columns to hold one of four Kings' piles or nothing

# What the moved cards are to be read with: the start, and since the deal where the stock landed.
cdef struct Ground:
    Root root
    uint64_t bases       # at the start, or landed on an empty column
    uint64_t face_down   # at the start; less what the stock landed on, which has turned up
    uint8_t below[64]    # what an unmoved card lies on
    uint8_t cover[64]    # the card that lies on it while unmoved
    uint64_t pile[64]    # all that lies on a card now
    uint8_t base[COLUMNS]  # at the start
    uint8_t hidden[STOCK]  # what the landed stock replaced in `cover`
    uint64_t landing     # six bits for each stock card: what it landed on

cdef struct Stand:
    uint64_t moved
    uint64_t uncovered   # on the table, and what covered it at the start (or the stock) has moved
    uint64_t gone        # Kings of the suits that have left the table


cdef inline bint learns(const Root* r) noexcept nogil:
    """Whether the rules are those that this search is for."""
    return not r.alternating and not r.any_fills


cdef inline uint64_t suit_of(const Ground* g, int card) noexcept nogil:
    return g.root.deck & (<uint64_t>0x0001111111111111 << (card & 3))


cdef inline int lies_on(const Ground* g, uint64_t moved, int card) noexcept nogil:
    if not (moved >> card) & 1:
        return g.below[card]
    return NOTHING if (g.root.kings >> card) & 1 else card + 4


cdef inline int carries(const Ground* g, uint64_t moved, int card) noexcept nogil:
    """What lies on a card of the table."""
    cdef int cover
    if card > 3 and (moved >> (card - 4)) & 1:
        return card - 4
    cover = g.cover[card]
    return NOTHING if cover == NOTHING or (moved >> cover) & 1 else cover


cdef inline void lift(Ground* g, uint64_t moved, int card, uint64_t group) noexcept nogil:
    """Take a group off the card and all that it lies on."""
    while card != NOTHING:
        g.pile[card] &= ~group
        card = lies_on(g, moved, card)


cdef inline void lower(Ground* g, uint64_t moved, int card, uint64_t group) noexcept nogil:
    while card != NOTHING:
        g.pile[card] |= group
        card = lies_on(g, moved, card)


cdef inline uint64_t complete_suits(const Ground* g, uint64_t joined, uint64_t opened) noexcept nogil:
    """The Kings of suits all joined, with the Ace uncovered."""
    cdef uint64_t all = joined | g.root.kings | ~g.root.deck
    all &= all >> 32
    all &= all >> 16
    all &= all >> 8
    all &= all >> 4
    return (all & opened & 15) << (4 * g.root.ranks - 4)


cdef inline int empty_columns(const Ground* g, const Stand* here) noexcept nogil:
    """Empty columns: those without a base of the start or a King that moved to one."""
    return (
        g.root.columns
        - count(g.bases & ~here.moved)
        - count(here.moved & g.root.kings & ~g.bases & ~here.gone)
    )


cdef inline void uncover(const Ground* g, Stand* here, int card) noexcept nogil:
    if g.below[card] != NOTHING:
        here.uncovered |= bit(g.below[card])


cdef inline void after_move(Ground* g, Stand* here) noexcept nogil:
    """What follows by itself: finished runs leave, Kings come loose."""
    cdef uint64_t leaving, before = here.moved, loose
    cdef int king
    if not g.root.stays:
        while True:
            leaving = complete_suits(g, here.moved, here.uncovered) & ~here.gone
            if not leaving:
                break
            king = lowest(leaving)
            here.gone |= bit(king)
            if not (here.moved >> king) & 1:
                lift(g, before, g.below[king], g.pile[king] | bit(king))
                here.moved |= bit(king)
                uncover(g, here, king)
    if not (here.moved >> DEALT) & 1 and empty_columns(g, here) > 0:
        loose = g.bases & g.root.kings & ~here.gone & (here.uncovered | ~g.face_down)
        here.moved |= (loose >> (4 * g.root.ranks - 4)) << LOOSE


cdef inline uint64_t possible_moves(const Ground* g, const Stand* here) noexcept nogil:
    """The cards that may move now, each one way; DEALT for the deal.

    Where the stock is dealt when stuck, any of these cards forbids the deal; Kings at
    a base are not among them, as they only relabel columns.
    """
    cdef uint64_t up = ~here.moved & (here.uncovered | ~g.face_down)
    cdef uint64_t cards = up & g.root.deck & ~g.root.kings & here.uncovered >> 4
    cdef uint64_t found
    cdef int card
    if not (here.moved >> DEALT) & 1:
        cards &= ~g.root.stock_set
        up &= ~g.root.stock_set
    found = cards
    while cards:
        card = take_lowest(&cards)
        if (g.pile[card] >> (card + 4)) & 1:
            found &= ~bit(card)
    if up & g.root.kings & ~g.bases and empty_columns(g, here) > 0:
        found |= up & g.root.kings & ~g.bases
    if not (g.root.when_stuck and found):
        found |= ~here.moved & bit(DEALT)
    return found


cdef inline uint64_t needed(const Ground* g) noexcept nogil:
    """All that a win moves: in games whose runs stay, a King at a base need not."""
    return g.root.deck & ~(g.bases & g.root.kings) if g.root.stays else g.root.deck


cdef inline uint64_t reachable(const Ground* g, const Stand* here, bint deal) noexcept nogil:
    """The cards that may move at some time if moves did not compete: the closure.

    The same facts as in closure.pxd, over sets. Claim: whatever moves in a real line
    of play is in the answer, by induction along the line. A card that joins was face
    up, its parent uncovered (what covered it had moved), and not in the card's own
    pile: if it is there now, some card above the leading one, up to the parent, had
    moved. A King moves when face up to a column that was emptied, so that a base had
    moved, or with its run, when all its suit had joined and the Ace was uncovered.
    Undealt stock cards lie open and cover nothing yet; without ``deal`` the answer is
    what may move before it, and they lie nowhere.
    """
    cdef uint64_t reach = here.moved & g.root.deck
    cdef uint64_t opened = here.uncovered
    cdef uint64_t up, fresh, rest, finished
    cdef uint64_t kings = g.root.kings, away = 0
    cdef int card
    cdef bint space = empty_columns(g, here) > 0
    if not (here.moved >> DEALT) & 1:
        if deal:
            opened |= g.root.stock_set
        else:
            away = g.root.stock_set
    while True:
        up = (opened | ~g.face_down) & ~(reach | away) & g.root.deck
        fresh = up & ~kings & opened >> 4
        rest = fresh
        while rest:
            card = take_lowest(&rest)
            if (
                (g.pile[card] >> (card + 4)) & 1
                and not g.pile[card] & ~g.pile[card + 4] & reach & ~here.moved
            ):
                fresh &= ~bit(card)
        if space:
            fresh |= up & kings & ~g.bases
        if not g.root.stays:
            finished = complete_suits(g, reach, opened) & ~here.gone
            fresh |= finished & ~reach
            if finished & here.moved and not space:
                # The run of a King that has moved to a column leaves it empty.
                space = True
                continue
        if not fresh:
            return reach
        reach |= fresh
        if fresh & g.bases:
            space = True
        while fresh:
            card = take_lowest(&fresh)
            if g.below[card] != NOTHING:
                opened |= bit(g.below[card])


# Before the deal, where that has to wait until one is stuck. Every move at hand then has
# to be made before the deal, unless another move takes it away first.


cdef inline uint64_t may_lie_below(
    const Ground* g, const Stand* here, int card, uint64_t mobile
) noexcept nogil:
    """The card, and those that can come to lie below it before the deal.

    What a card lies on is what it lies on now or, if it is mobile, its parent.
    """
    cdef uint64_t found = bit(card), untried = bit(card), fresh
    cdef int at
    while untried:
        at = take_lowest(&untried)
        fresh = bit(lies_on(g, here.moved, at))
        if (mobile & ~g.root.kings) >> at & 1:
            fresh |= bit(at + 4)
        fresh &= g.root.deck & ~found
        found |= fresh
        untried |= fresh
    return found


cdef inline uint64_t chain_below(const Ground* g, const Stand* here, int card, int end) noexcept nogil:
    """The card and what it lies on, down to a base or to above ``end``."""
    cdef uint64_t cards = 0
    while card != NOTHING and card != end:
        cards |= bit(card)
        card = lies_on(g, here.moved, card)
    return cards


cdef inline uint64_t meddlers(
    const Ground* g, const Stand* here, int card, uint64_t mobile
) noexcept nogil:
    """Cards one of which moves before the card's parent can come to lie on the card."""
    cdef uint64_t below = may_lie_below(g, here, card + 4, mobile)
    cdef uint64_t leaving, coming
    if not (below >> card) & 1:
        return 0
    leaving = chain_below(g, here, card + 4, NOTHING) & mobile & ~g.root.kings
    coming = (g.pile[card] | bit(card)) >> 4 & below & mobile & ~bit(card)
    return leaving if count(leaving) < count(coming) else coming


cdef inline uint64_t enablers(
    const Ground* g, const Stand* here, int card, uint64_t mobile
) noexcept nogil:
    """Cards one of which moves before the card can join its parent, which it cannot now."""
    cdef int cover = g.cover[card]
    if (g.face_down & ~here.uncovered) >> card & 1:
        return bit(cover)
    cover = g.cover[card + 4]
    if cover != NOTHING and not (here.moved >> cover) & 1:
        return bit(cover)
    return chain_below(g, here, card + 4, card) & mobile


cdef inline uint64_t run_keeper(
    const Ground* g, const Stand* here, int king, uint64_t mobile
) noexcept nogil:
    """A card that moves before the King leaves with its run; none if that cannot be."""
    cdef uint64_t missing = suit_of(g, king) & ~g.root.kings & ~here.moved
    if g.root.stays or (here.gone >> king) & 1:
        return 0
    if not missing:
        return bit(g.cover[king & 3]) & g.root.deck
    return 0 if missing & ~mobile else bit(lowest(missing))


cdef inline uint64_t king_company(
    const Ground* g, const Stand* here, int king, uint64_t open, uint64_t mobile
) noexcept nogil:
    """What a set that holds a King, not at a base yet, has to hold too; see `moves_to_try`."""
    cdef uint64_t cards = run_keeper(g, here, king, mobile), rest
    cdef int card
    if (open >> king) & 1:
        rest = g.bases & g.root.kings & g.face_down & ~(here.uncovered | here.moved)
        cards |= mobile & g.root.kings & ~g.bases
        while rest:
            cards |= bit(g.cover[take_lowest(&rest)])
    elif (g.face_down & ~here.uncovered) >> king & 1:
        cards |= bit(g.cover[king])
    else:
        cards |= mobile & g.bases & ~g.root.kings
        for card in range(4 * g.root.ranks - 4, 4 * g.root.ranks):
            cards |= run_keeper(g, here, card, mobile)
    return cards


cdef inline uint64_t moves_to_try(const Ground* g, const Stand* here, uint64_t open) noexcept nogil:
    """Moves at hand of which one may as well come first of all before the deal.

    Let a set of cards hold one that can move now and be such that
      - of each card in it that can join its parent, y onto q, it holds all but one way in
        which q could come to lie on y: some card moves on each such way, and is in it
        (`meddlers`; a King's move makes no such way);
      - of each other card in it, it holds cards one of which moves before that can
        (`enablers`; for a King without a space, each base and, where runs leave, a card
        of each suit, see `run_keeper`);
      - with a King it holds, where runs leave, a card that moves before its run does; and
        if the King can move, all Kings that may, since they compete for the spaces, and
        what covers a King at a base that is yet to turn up and come loose.
    Claim: before the deal a card of the set moves, and the first to do so can move now, and
    may as well come first of all.

    Argument: take a play up to the deal, and in it the moves before any of a card of
    the set. They do not take y's move away: y stays face up, q uncovered, no run that
    holds either leaves without y on q, and q does not come into y's pile. Nor a King's
    move: no other King takes the space, and its run stays. So if no card of the set
    moved, one that can move now could at the end, and one would not be stuck. The first to
    move can move now, by the second rule. Make this move first and then those before
    it in order, less those of Kings that have gone with a run sooner. At all times every
    other card has the seat it had, so at least the same cards are uncovered and face up;
    at least as many columns are empty, or if it is a King that moved, no other needs the
    space or comes loose meanwhile. What may fail is a move of some m onto its parent as
    that lies in m's pile, which it did not in the play. Then, y being the first, m lies at
    or below q and m's parent at or above y: so q could come to lie on y without a move of
    the set. After y's move in the play both stand alike, but that more Kings may be loose.
    (Stubborn sets: Valmari, "Stubborn sets for reduced state space generation", 1991.)
    """
    cdef uint64_t mobile = reachable(g, here, False) & ~here.moved
    cdef uint64_t seeds = open, cards, todo, best = open
    cdef int card
    while seeds and count(best) > 1:
        cards = todo = bit(take_lowest(&seeds))
        while todo:
            card = take_lowest(&todo)
            if (g.root.kings >> card) & 1:
                todo |= king_company(g, here, card, open, mobile) & ~cards
            elif (open >> card) & 1:
                todo |= meddlers(g, here, card, mobile) & ~cards
            else:
                todo |= enablers(g, here, card, mobile) & ~cards
            cards |= todo
        if count(cards & open) < count(best):
            best = cards & open
    return best


# The deal. The columns on which the stock lands are of two kinds. One whose base is
# a card of the start that has not moved (a King: not come loose) is as it is. The
# others, together with the rest of the vacated columns, are *slots*: they hold the
# piles of the Kings that are loose or have moved, in any order, and the spaces left.
# Claim: every placement of these piles on these columns can be had. While a column is
# empty all of them can be shifted at will. Once the last space is filled nothing
# shifts, but it was filled by a King that could go to a space anywhere among them,
# with the others placed at will before; and a King at a base that turns up later is
# not loose. Nor can more be had: only face-up Kings go to an empty column.


cdef inline bint is_slot(const Ground* g, const Stand* here, int column) noexcept nogil:
    cdef int base = g.base[column]
    if base == NOTHING or (here.moved >> base) & 1:
        return True
    return (g.root.kings >> base) & 1 and (here.moved >> (LOOSE + (base & 3))) & 1


cdef inline uint64_t loose_kings(const Ground* g, const Stand* here) noexcept nogil:
    """Kings whose piles stand in slots."""
    cdef uint64_t loose = ((here.moved >> LOOSE) & 15) << (4 * g.root.ranks - 4)
    return (loose | here.moved & g.root.kings & ~g.bases) & ~here.gone & g.root.deck


cdef inline bint may_stand(const Ground* g, const Stand* here, int code) noexcept nogil:
    """Whether the Kings can stand as a code says: a digit to base 5 for each column
    the stock lands on, the suit of the King whose pile is there or 4 for an empty one."""
    cdef uint64_t kings = loose_kings(g, here)
    cdef int empty = empty_columns(g, here), column, digit
    for column in range(STOCK):
        digit = code % 5
        code = code // 5
        if column >= g.root.stock_size or not is_slot(g, here, column):
            if digit:
                return False
        elif digit == 4:
            if empty == 0:
                return False
            empty -= 1
        else:
            digit += 4 * g.root.ranks - 4
            if not (kings >> digit) & 1:
                return False
            kings &= ~bit(digit)
    return True


cdef inline int standing(const Ground* g, const Stand* here, int code, int column) noexcept nogil:
    """The card at the base of a column for the deal."""
    cdef int _column
    if not is_slot(g, here, column):
        return g.base[column]
    for _column in range(column):
        code = code // 5
    return NOTHING if code % 5 == 4 else 4 * g.root.ranks - 4 + code % 5


cdef inline int standing_now(const Ground* g, const Stand* here) noexcept nogil:
    """The code of how the Kings stand at the start, of which ``here`` says what has moved."""
    cdef int column, code = 0
    for column in range(g.root.stock_size - 1, -1, -1):
        code *= 5
        if is_slot(g, here, column):
            code += 4 if g.base[column] == NOTHING else g.base[column] & 3
    return code


cdef inline int next_code(const Ground* g, const Stand* here, int code) noexcept nogil:
    """The next way in which the Kings can stand; CODES after the last, -1 before the first."""
    code += 1
    while code < CODES and not may_stand(g, here, code):
        code += 1
    return code


cdef inline void play_deal(Ground* g, const Stand* here, int code, Stand* child) noexcept nogil:
    """Land the stock: on its parent it joins, elsewhere it lies as from the start."""
    cdef int which, card, tail, step
    child.moved |= bit(DEALT)
    g.landing = 0
    for which in range(g.root.stock_size):
        card = g.root.stock[which]
        tail = NOTHING
        step = standing(g, here, code, which)
        while step != NOTHING:
            tail = step
            step = carries(g, here.moved, step)
        g.landing |= <uint64_t>tail << (6 * which)
        g.below[card] = tail
        lower(g, here.moved, tail, bit(card))
        child.uncovered |= bit(card)
        if tail == NOTHING:
            g.bases |= bit(card)
        elif tail == card + 4:
            child.moved |= bit(card)
        else:
            g.hidden[which] = g.cover[tail]
            g.cover[tail] = card
            child.uncovered &= ~bit(tail)
            g.face_down &= ~bit(tail)


cdef inline void take_back_deal(Ground* g, const Stand* here) noexcept nogil:
    cdef int which, card, tail
    for which in range(g.root.stock_size):
        card = g.root.stock[which]
        tail = g.below[card]
        lift(g, here.moved, tail, bit(card))
        if tail != NOTHING and tail != card + 4:
            g.cover[tail] = g.hidden[which]
        g.below[card] = NOTHING
        g.bases &= ~bit(card)
    g.face_down = g.root.face_down
    g.landing = 0


cdef inline void play(
    Ground* g, const Stand* here, int card, int code, Stand* child
) noexcept nogil:
    """Move a card, or deal with the Kings standing as the code says."""
    cdef uint64_t group
    child.moved = here.moved
    child.uncovered = here.uncovered
    child.gone = here.gone
    if card == DEALT:
        play_deal(g, here, code, child)
    else:
        group = g.pile[card] | bit(card)
        lift(g, here.moved, g.below[card], group)
        child.moved |= bit(card)
        lower(g, here.moved, lies_on(g, child.moved, card), group)
        uncover(g, child, card)
    after_move(g, child)


cdef inline void take_back(
    Ground* g, const Stand* here, int card, const Stand* child
) noexcept nogil:
    """Take back the move that led from one stand to the next."""
    cdef uint64_t before = here.moved, group, left
    cdef int king
    if card != DEALT:
        before |= bit(card)
    else:
        before |= child.moved & g.root.stock_set
    left = child.gone & ~here.gone & ~before
    while left:
        king = take_lowest(&left)
        lower(g, before, g.below[king], g.pile[king] | bit(king))
    if card == DEALT:
        take_back_deal(g, here)
        return
    group = g.pile[card] | bit(card)
    lift(g, here.moved, lies_on(g, before, card), group)
    lower(g, here.moved, g.below[card], group)


cdef inline bint is_done(const Ground* g, const Stand* here) noexcept nogil:
    return (here.moved >> DEALT) & 1 and not needed(g) & ~here.moved


cdef inline void set_start(Ground* g, const Position* start, Stand* here) noexcept nogil:
    """Take a position as the start; ``root`` holds its rules and its undealt stock."""
    cdef Position p = start[0]
    cdef Root* r = &g.root
    cdef uint64_t below
    cdef int column, card
    set_root(r, &p)
    g.landing = 0
    g.bases = 0
    g.face_down = r.face_down
    here.moved = seated(&p) & r.deck
    here.uncovered = 0
    here.gone = gone(&p) & r.kings
    if is_dealt(&p):
        here.moved |= bit(DEALT)
    for card in range(64):
        g.below[card] = g.cover[card] = NOTHING
        g.pile[card] = 0
    for column in range(r.columns):
        card = p.tail[column]
        g.base[column] = NOTHING
        if card == NOTHING:
            continue
        here.uncovered |= bit(card)
        below = 0
        while card != NOTHING:
            g.pile[card] = below
            below |= bit(card)
            g.below[card] = p.below[card]
            g.base[column] = card
            if p.below[card] != NOTHING:
                if (here.moved >> card) & 1:
                    here.uncovered |= bit(p.below[card])
                else:
                    g.cover[p.below[card]] = card
            card = p.below[card]
        g.bases |= bit(g.base[column])
    after_move(g, here)
