# The shuffles of the programs whose deal numbers players quote, card for card.
#
# Each writes the 52 cards of a numbered deal in the order in which they are dealt.
# They stand here and not in Python so that a batch can deal and solve without it.

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef enum:
    DECK = 52
    RANKS = 13
    TWISTER = 624        # words of the Mersenne Twister's state
    TWISTER_MIDDLE = 397

cdef enum Dealer:
    PYSOLFC
    MS
    CARDGAMES


cdef inline int with_suit(int rank, int suit, uint32_t order) noexcept nogil:
    """The card of a rank and the suit-th suit of an order, written as digits: 0x0231 is C D H S."""
    return 4 * rank + (order >> 4 * (3 - suit) & 15)


cdef inline void shuffle_ms(uint64_t number, uint8_t* dealt) noexcept nogil:
    """Microsoft's: each card is drawn from those left, and the last one takes its place.

    The numbers are those of Microsoft's C library for the seed, as FreeCell Pro extends
    them: up to 2^31 - 1 they have 15 bits, for the next 2^31 seeds the 16th bit is always
    set, and beyond 2^32 they have 16 bits, plus one, from the seed's lower half.
    """
    cdef uint8_t deck[DECK]
    cdef uint32_t state = <uint32_t>number
    cdef uint32_t chance
    cdef int left, which
    for which in range(DECK):
        deck[which] = with_suit(which >> 2, which & 3, 0x0231)
    for left in range(DECK, 0, -1):
        state = state * 214013 + 2531011
        chance = state >> 16
        if number < <uint64_t>1 << 31:
            chance &= 0x7FFF
        elif number < <uint64_t>1 << 32:
            chance |= 0x8000
        else:
            chance += 1
        which = chance % left
        dealt[DECK - left] = deck[which]
        deck[which] = deck[left - 1]


cdef inline uint32_t twisted(const uint32_t* state, int word) noexcept nogil:
    """The generator's word-th output, for a word in the first part of its state.

    Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 1998: up to word 226 the
    recurrence reads only words of the seeded state, so nothing need be stored.
    """
    cdef uint32_t mixed = (state[word] >> 31 << 31) | (state[word + 1] & 0x7FFFFFFF)
    cdef uint32_t out = state[word + TWISTER_MIDDLE] ^ mixed >> 1
    if mixed & 1:
        out ^= <uint32_t>0x9908B0DF
    out ^= out >> 11
    out ^= out << 7 & <uint32_t>0x9D2C5680
    out ^= out << 15 & <uint32_t>0xEFC60000
    return out ^ out >> 18


cdef inline void seed_twister(uint64_t high, uint64_t low, uint32_t* state) noexcept nogil:
    """The state that Python's ``random.seed`` makes of a whole number below 2^128.

    Python seeds by array (Matsumoto and Nishimura's ``init_by_array``) with the
    number's 32-bit words, the lowest first, and none above the highest that counts.
    """
    cdef uint32_t words[4]
    cdef uint32_t length = 4
    cdef int turn, _turn, place = 1
    words[0] = <uint32_t>low
    words[1] = <uint32_t>(low >> 32)
    words[2] = <uint32_t>high
    words[3] = <uint32_t>(high >> 32)
    while length > 1 and words[length - 1] == 0:
        length -= 1
    state[0] = 19650218
    for turn in range(1, TWISTER):
        state[turn] = <uint32_t>1812433253 * (state[turn - 1] ^ state[turn - 1] >> 30) + turn
    for turn in range(TWISTER):
        state[place] = (
            (state[place] ^ (state[place - 1] ^ state[place - 1] >> 30) * <uint32_t>1664525)
            + words[turn % <int>length] + turn % <int>length
        )
        place += 1
        if place == TWISTER:
            state[0] = state[TWISTER - 1]
            place = 1
    for _turn in range(TWISTER - 1):
        state[place] = (
            state[place] ^ (state[place - 1] ^ state[place - 1] >> 30) * <uint32_t>1566083941
        ) - place
        place += 1
        if place == TWISTER:
            state[0] = state[TWISTER - 1]
            place = 1
    state[0] = <uint32_t>0x80000000


cdef inline void shuffle_pysolfc(uint64_t high, uint64_t low, uint8_t* dealt) noexcept nogil:
    """PySolFC's: Microsoft's below 32000, from there on Python's Mersenne Twister.

    The deck is dealt from its end; a number in [0, 1) is 53 bits of two outputs.
    """
    cdef uint32_t state[TWISTER]
    cdef int place, other, drawn = 0
    cdef uint8_t card
    cdef double chance
    if high == 0 and low < 32000:
        shuffle_ms(low, dealt)
        return
    seed_twister(high, low, state)
    for place in range(DECK):
        dealt[DECK - 1 - place] = with_suit(place % RANKS, place // RANKS, 0x0132)
    for place in range(DECK - 1, 0, -1):
        chance = (
            (twisted(state, drawn) >> 5) * 67108864.0 + (twisted(state, drawn + 1) >> 6)
        ) / 9007199254740992.0
        drawn += 2
        other = <int>(chance * (place + 1))
        card = dealt[DECK - 1 - place]
        dealt[DECK - 1 - place] = dealt[DECK - 1 - other]
        dealt[DECK - 1 - other] = card


cdef inline void shuffle_cardgames(uint64_t number, uint8_t* dealt) noexcept nogil:
    """A popular web version's: 233,280 states, scaled in JavaScript's doubles.

    The number's product must be exact in a double, as it is in the web version: see
    the last number that ``deals`` allows.
    """
    cdef uint64_t state = number
    cdef int place, other
    cdef uint8_t card
    for place in range(DECK):
        dealt[DECK - 1 - place] = with_suit(place >> 2, place & 3, 0x3120)
    for place in range(DECK, 1, -1):
        state = (9301 * state + 49297) % 233280
        other = <int>(<double>state / 233280.0 * place)
        card = dealt[DECK - place]
        dealt[DECK - place] = dealt[DECK - 1 - other]
        dealt[DECK - 1 - other] = card


cdef inline void shuffle(Dealer dealer, uint64_t high, uint64_t low, uint8_t* dealt) noexcept nogil:
    """Deal number ``high * 2^64 + low``; only ``PYSOLFC`` has numbers above 2^64."""
    if dealer == PYSOLFC:
        shuffle_pysolfc(high, low, dealt)
    elif dealer == MS:
        shuffle_ms(low, dealt)
    else:
        shuffle_cardgames(low, dealt)
