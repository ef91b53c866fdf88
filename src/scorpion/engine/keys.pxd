# Keys and positions: a key read off the columns, a position set up from a key or from cards.
#
# What a key holds is said in position.pxd. A search stores positions under a key that does
# not tell interchangeable cards apart.

from libc.stdint cimport uint8_t, uint64_t

from scorpion.engine.bits cimport bit, take_lowest
from scorpion.engine.position cimport (
    COLUMNS, DEALT_BIT, NOTHING, Key, Position, Root, first_parent, fits, gone, is_dealt, on_root_seat,
    on_table_now, place, seated, set_place, stock_place,
)


cdef inline void clear(Position* p) noexcept nogil:
    cdef int which
    p.key.first = p.key.second = p.key.based = p.up = p.pinned = 0
    for which in range(64):
        p.below[which] = p.above[which] = NOTHING
        p.column[which] = 0
    for which in range(COLUMNS):
        p.tail[which] = NOTHING


cdef inline void key_from_scratch(const Root* r, const Position* p, Key* key) noexcept nogil:
    """The key read off the columns alone: what the incremental key must equal."""
    cdef int column, card, below
    cdef uint64_t found = 0
    key.first = key.second = key.based = 0
    if is_dealt(p):
        key.based = bit(DEALT_BIT)
    for column in range(r.columns):
        card = p.tail[column]
        while card != NOTHING:
            found |= bit(card)
            below = p.below[card]
            if below == NOTHING:
                key.based |= bit(card)
                if column < r.stock_size and not is_dealt(p):
                    set_place(key, column, card + 1)
            elif fits(r, card, below) and (p.up >> below) & 1:
                if r.alternating and below & 1:
                    key.second |= bit(card)
                else:
                    key.first |= bit(card)
            elif bit(card) & r.stock_set:
                set_place(key, stock_place(r, card), below + 1)
            card = below
    if not is_dealt(p):
        found |= r.stock_set
    key.first |= r.deck & ~found
    key.second |= r.deck & ~found


cdef inline void set_root(Root* r, Position* p) noexcept nogil:
    """Make the position its own root, after its columns and ``up`` are in place.

    ``r`` holds the rules and the undealt stock already.
    """
    cdef int column, card, below
    cdef Key key
    if is_dealt(p):
        r.stock_size = 0
        r.stock_set = 0
    r.face_down = 0
    for card in range(64):
        r.below[card] = NOTHING
    p.pinned = 0
    key_from_scratch(r, p, &key)
    p.key = key
    for column in range(r.columns):
        card = p.tail[column]
        while card != NOTHING:
            below = p.below[card]
            r.below[card] = below
            if not (p.up >> card) & 1:
                r.face_down |= bit(card)
            if below != NOTHING and not (seated(p) >> card) & 1:
                p.pinned |= bit(below)
            card = below


cdef inline void lay_out(
    Root* r, Position* p, const uint8_t* dealt, const uint8_t* face_down
) noexcept nogil:
    """Deal a whole deck row by row; ``r`` holds the rules, the columns and the stock's size."""
    cdef int table = 4 * r.ranks - r.stock_size
    cdef int which, card, column, below
    clear(p)
    r.stock_set = 0
    for which in range(table):
        card = dealt[which]
        column = which % r.columns
        below = p.tail[column]
        p.below[card] = below
        p.above[below] = card
        p.column[card] = column
        p.tail[column] = card
        if which // r.columns >= face_down[column]:
            p.up |= bit(card)
    p.above[NOTHING] = NOTHING
    for which in range(r.stock_size):
        r.stock[which] = dealt[table + which]
        r.stock_set |= bit(dealt[table + which])
    set_root(r, p)


cdef inline void link(Position* p, int card, int below) noexcept nogil:
    p.below[card] = below
    p.above[below] = card


cdef inline void unpack(const Root* r, const Key* key, Position* p) noexcept nogil:
    """The position that a key stands for; columns that are alike come in card order."""
    cdef uint64_t resting, rest
    cdef int card, below, column, which
    clear(p)
    p.key = key[0]
    p.up = on_table_now(r, p)
    resting = on_root_seat(r, p)
    rest = resting
    while rest:
        card = take_lowest(&rest)
        below = r.below[card]
        if below != NOTHING:
            p.up &= ~(r.face_down & bit(below))
        else:
            below = place(key, stock_place(r, card)) - 1
        link(p, card, below)
        p.pinned |= bit(below)
    rest = key.first & ~key.second & r.deck
    while rest:
        card = take_lowest(&rest)
        link(p, card, first_parent(r, card))
    rest = key.second & ~key.first & r.deck
    while rest:
        card = take_lowest(&rest)
        link(p, card, first_parent(r, card) + 1)
    rest = key.based & r.deck
    column = 0
    if not is_dealt(p):
        for which in range(r.stock_size):
            if place(key, which):
                card = place(key, which) - 1
                rest &= ~bit(card)
                stand_pile(p, card, which)
        column = r.stock_size
    while rest:
        card = take_lowest(&rest)
        stand_pile(p, card, column)
        column += 1


cdef inline void stand_pile(Position* p, int card, int column) noexcept nogil:
    """Walk up from a base, noting the column and its open end."""
    p.below[card] = NOTHING
    while card != NOTHING:
        p.column[card] = column
        p.tail[column] = card
        card = p.above[card]


cdef inline bint twins_swapped(const Position* p, int card) noexcept nogil:
    """Whether the pile on the card sorts after the pile on its twin.

    Piles compare by the kinds of their cards, rank and colour, from below.
    """
    cdef int own = p.above[card], other = p.above[card + 1]
    while own != NOTHING and other != NOTHING:
        if own >> 1 != other >> 1:
            return own >> 1 > other >> 1
        own = p.above[own]
        other = p.above[other]
    return own != NOTHING and other == NOTHING


cdef inline uint64_t swap_pairs(uint64_t word, uint64_t evens) noexcept nogil:
    """Exchange the two bits of each pair whose lower bit is in ``evens``."""
    cdef uint64_t differing = (word ^ (word >> 1)) & evens
    return word ^ (differing | differing << 1)


cdef inline void search_key(const Root* r, const Position* p, Key* key) noexcept nogil:
    """The key under which a search stores the position.

    In alternating colours the two cards of a rank and colour, twins, are
    interchangeable: exchanging them in a position changes neither its moves nor
    its outcome. Their names matter to the key only where it names a seat by its
    card, that is for a twin at its own root seat, one that carries a card at *its*
    root seat (or the stock landed on it), and the base of a column where the stock
    will land. Every other pair is named afresh, the one with the lower seat first,
    with ties broken by the piles on top; then the seats of cards that lie on a
    renamed pair are renamed with it, from Kings down. Renaming a pair is the
    exchange itself, so equal keys mean equal positions up to exchanges. (That a
    tie is now and then broken differently costs a repeated visit, nothing else.)
    """
    cdef uint64_t named, pairs, renamed, children
    cdef int card, pair, code, twin_code, which
    key[0] = p.key
    if not r.alternating:
        return
    named = p.pinned | on_root_seat(r, p)
    if not is_dealt(p):
        named |= r.stock_set
        for which in range(r.stock_size):
            if place(key, which):
                named |= bit(place(key, which) - 1)
    pairs = r.deck & ~named
    pairs &= pairs >> 1 & <uint64_t>0x5555555555555555
    pairs &= ~gone(p) | ~(gone(p) >> 1)
    renamed = 0
    card = 4 * r.ranks - 2
    while card >= 0:
        if card < 4 * r.ranks - 4:
            pair = first_parent(r, card)
            if (renamed >> pair) & 1:
                # Cards on the first of a renamed pair now lie on the second.
                children = (key.first ^ key.second) & (<uint64_t>3 << card)
                key.first ^= children
                key.second ^= children
        if (pairs >> card) & 1:
            code = (
                (key.first >> card & 1) | (key.second >> card & 1) << 1 | (key.based >> card & 1) << 2
            )
            twin_code = (
                (key.first >> card >> 1 & 1)
                | (key.second >> card >> 1 & 1) << 1
                | (key.based >> card >> 1 & 1) << 2
            )
            if code > twin_code or (code == twin_code and twins_swapped(p, card)):
                renamed |= bit(card)
                key.first = swap_pairs(key.first, bit(card))
                key.second = swap_pairs(key.second, bit(card))
                key.based = swap_pairs(key.based, bit(card))
        card -= 2
