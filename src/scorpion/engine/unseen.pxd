# The cards that a player cannot see, dealt again and again among the places they may lie.
#
# A position holds a stand-in at each unknown place; any assignment of the unknown cards
# to these places is as likely as any other, for all that a player sees. (No legality
# test can tell them apart: what makes a position illegal shows in face-up cards.) So a
# deal is a random order of the unknown cards. Where there are few orders, and no more
# than deals asked for, each order is dealt once instead, and what is counted is exact.
#
# Chance comes from a generator seeded by the caller's seed and by what can be seen.

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from scorpion.engine.bits cimport bit, take_lowest
from scorpion.engine.keys cimport clear, set_root
from scorpion.engine.position cimport DEALT_BIT, NOTHING, Position, Root, is_dealt

cdef enum:
    MOST_ORDERS = 5040     # that are dealt one after the other, those of seven cards
    STRIDE = 1000003

cdef struct Unseen:
    uint8_t places[64]     # the stand-ins, in the order of the deck
    uint8_t cards[64]      # which card lies in the place of each
    int size
    uint64_t chance        # state of the generator
    uint64_t deals         # how many there are to be
    bint every             # every order once, rather than random ones
    uint64_t number        # of the order at hand, if so


cdef inline uint64_t scattered(uint64_t word) noexcept nogil:
    """A word whose every bit depends on every bit of the given one (splitmix64's last step)."""
    word = (word ^ word >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    word = (word ^ word >> 27) * <uint64_t>0x94D049BB133111EB
    return word ^ word >> 31


cdef inline uint64_t draw(Unseen* u) noexcept nogil:
    """The next 64 random bits (splitmix64; Steele, Lea and Flood, OOPSLA 2014)."""
    u.chance += <uint64_t>0x9E3779B97F4A7C15
    return scattered(u.chance)


cdef inline int draw_below(Unseen* u, int limit) noexcept nogil:
    """A random number from 0 to limit - 1, each exactly as likely as the others."""
    cdef uint64_t uneven = -<uint64_t>limit % <uint64_t>limit
    cdef uint64_t drawn = draw(u)
    while drawn < uneven:
        drawn = draw(u)
    return drawn % <uint64_t>limit


cdef inline uint64_t seen_hash(const Root* r, const Position* p, uint64_t unknown) noexcept nogil:
    """A number that depends on every card that can be seen and on what it lies on.

    It is the same for every order of the columns, so that the deals are the same too.
    """
    cdef uint64_t found = is_dealt(p), pile
    cdef int column, card
    for column in range(r.columns):
        pile = 0
        card = p.tail[column]
        while card != NOTHING:
            pile = scattered(pile * 64 + (NOTHING if (unknown >> card) & 1 else card) + 1)
            card = p.below[card]
        found += pile
    return found


cdef inline void begin_dealing(
    Unseen* u, const Root* r, const Position* p, uint64_t unknown, uint64_t deals, uint64_t seed
) noexcept nogil:
    """Get ready to deal the unknown cards so many times."""
    cdef uint64_t orders = 1
    cdef uint64_t rest = unknown
    u.size = 0
    while rest:
        u.places[u.size] = u.cards[u.size] = take_lowest(&rest)
        u.size += 1
        if orders <= deals:
            orders *= u.size
    u.every = orders <= deals and orders <= MOST_ORDERS
    u.deals = orders if u.every else deals
    u.number = 0
    u.chance = scattered(seed) ^ seen_hash(r, p, unknown)


cdef inline void swap_cards(Unseen* u, int one, int other) noexcept nogil:
    cdef uint8_t card = u.cards[one]
    u.cards[one] = u.cards[other]
    u.cards[other] = card


cdef inline void next_order(Unseen* u) noexcept nogil:
    """The next of all orders, each of which comes once; any few in a row are far apart.

    Its number's digits, of base 2, 3, 4 and so on, say which cards change places. The
    stride is a prime above ``size``, so it meets every number before it meets one again.
    """
    cdef uint64_t digits
    cdef int place
    u.number = (u.number + STRIDE) % u.deals
    digits = u.number
    for place in range(u.size):
        u.cards[place] = u.places[place]
    for place in range(1, u.size):
        swap_cards(u, place, digits % <uint64_t>(place + 1))
        digits //= place + 1


cdef inline void random_order(Unseen* u) noexcept nogil:
    cdef int place
    for place in range(u.size - 1, 0, -1):
        swap_cards(u, place, draw_below(u, place + 1))


cdef inline void deal_unseen(
    Unseen* u, const Root* seen_root, const Position* seen, Root* r, Position* p
) noexcept nogil:
    """Set up the next deal as a position that is its own root."""
    cdef uint8_t now[64]
    cdef int which, column, card
    if u.every:
        next_order(u)
    else:
        random_order(u)
    for card in range(64):
        now[card] = card
    for which in range(u.size):
        now[u.places[which]] = u.cards[which]
    r[0] = seen_root[0]
    clear(p)
    if is_dealt(seen):
        p.key.based = bit(DEALT_BIT)
    else:
        r.stock_set = 0
        for which in range(r.stock_size):
            r.stock[which] = now[seen_root.stock[which]]
            r.stock_set |= bit(r.stock[which])
    for column in range(r.columns):
        card = seen.tail[column]
        p.tail[column] = now[card]
        while card != NOTHING:
            p.column[now[card]] = column
            p.below[now[card]] = now[seen.below[card]]
            p.above[now[card]] = now[seen.above[card]]
            if (seen.up >> card) & 1:
                p.up |= bit(now[card])
            card = seen.below[card]
    set_root(r, p)
