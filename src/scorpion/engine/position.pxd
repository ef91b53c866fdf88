# The packed position: where every card lies, how a move changes that, and keys.
#
# A move changes what one card lies on and nothing else: every card carried along
# still lies on what it lay on. So a position is a map from card to *seat*, and a
# seat is one of five: the root seat (what the card lay on when the position was set
# up, unless that is a face-up card it fits on), the first or the second of its
# parents (the cards it fits on), the base of a column, or gone with a finished run.

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from scorpion.engine.bits cimport bit, take_lowest

cdef enum:
    COLUMNS = 7
    STOCK = 3
    NOTHING = 63      # no card: below a base, above an open card, the end of an empty column
    DEAL = 0xFFFF     # the move that deals the stock; others are card + 64 * column
    MOST_MOVES = 384  # two children on each of 7 open cards or 52 leaders to 6 empty columns, and the deal
    MOST_RUNS = 4
    MOST_PLIES = 200  # of perft, which takes a kilobyte of the stack a ply
    PLACE = 52        # where the place field of a key word begins
    PLACE_MASK = 63

# A set of cards is a uint64_t; card c is bit c, four times its rank plus its suit:
#
#    63 .. 52   51 50 49 48   47 .. 8    7  6  5  4    3  2  1  0
#    (places)   KH KD KS KC     ...     2H 2D 2S 2C   AH AD AS AC
#
# In-suit the parent of c is c + 4. In alternating colours its parents are the two
# cards of the next rank and the other colour, which differ in the lowest bit; the
# one with that bit clear is the first.

# The key: three words, a bit of each a card. They say where every card lies, but
# for the order of columns that are alike (all of them once the stock is dealt).
#
#               63 .. 59   58      57 .. 52   51 .. 0
#    first         0        0      place 1    on its first parent  } both:
#    second        0        0      place 2    on its second parent } gone with a run
#    based         0      dealt    place 3    at the base of a column
#                                             none: at its root seat, or in the stock
#
# Place i, while the stock is undealt: one more than the card at the base of column
# i, on which a stock card will land. After the deal: one more than the card on which
# stock card i landed and still lies without fitting on it. Otherwise 0.
# Which cards are face down follows: one that was at the root, and still carries
# what it carried then (the stock lands on cards that have turned up).

cdef struct Key:
    uint64_t first
    uint64_t second
    uint64_t based

cdef enum:
    DEALT_BIT = 58

# What does not change while a game is played or searched: rules and root.
cdef struct Root:
    uint64_t deck
    uint64_t kings
    uint64_t face_down     # at the root
    uint64_t stock_set
    uint8_t below[64]      # at the root; NOTHING for bases and for the stock
    uint8_t stock[STOCK]
    int ranks
    int columns
    int stock_size
    bint alternating       # build
    bint any_fills         # fill
    bint stays             # runs
    bint when_stuck        # stock

cdef struct Position:
    Key key
    uint64_t up            # face up on the table
    uint64_t pinned        # carries a card at its root seat, or the stock landed on it
    uint8_t below[64]      # what a card lies on
    uint8_t above[64]      # what lies on it
    uint8_t column[64]     # where; entry NOTHING of these three is never meaningful
    uint8_t tail[COLUMNS]  # the open end of each column

# What unmake needs beside the position itself.
cdef struct Undo:
    Key key
    uint64_t up
    uint64_t pinned
    uint16_t move
    uint8_t source
    uint8_t below          # what the leading card lay on
    uint8_t runs           # how many left, and of each the King, the Ace and the column
    uint8_t king[MOST_RUNS]
    uint8_t ace[MOST_RUNS]
    uint8_t run_column[MOST_RUNS]


cdef inline uint64_t seated(const Position* p) noexcept nogil:
    """Cards on a parent of theirs, or gone."""
    return p.key.first | p.key.second


cdef inline uint64_t gone(const Position* p) noexcept nogil:
    return p.key.first & p.key.second


cdef inline bint is_dealt(const Position* p) noexcept nogil:
    return (p.key.based >> DEALT_BIT) & 1


cdef inline uint64_t on_table_now(const Root* r, const Position* p) noexcept nogil:
    """Cards in the columns: neither gone nor in the stock."""
    cdef uint64_t left = r.deck & ~gone(p)
    return left if is_dealt(p) else left & ~r.stock_set


cdef inline uint64_t on_root_seat(const Root* r, const Position* p) noexcept nogil:
    """Cards in the columns that still lie where they lay at the root, or landed."""
    return on_table_now(r, p) & ~(p.key.first | p.key.second | p.key.based)


cdef inline bint fits(const Root* r, int card, int target) noexcept nogil:
    if r.alternating:
        return (card >> 2) + 1 == target >> 2 and ((card ^ target) & 2) != 0
    return card + 4 == target


cdef inline int first_parent(const Root* r, int card) noexcept nogil:
    """The card's only parent in-suit, the first of two in alternating colours."""
    return ((card & ~3) | ((card & 2) ^ 2)) + 4 if r.alternating else card + 4


cdef inline void set_place(Key* key, int which, int value) noexcept nogil:
    cdef uint64_t keep = ~(<uint64_t>PLACE_MASK << PLACE)
    cdef uint64_t field = <uint64_t>value << PLACE
    if which == 0:
        key.first = (key.first & keep) | field
    elif which == 1:
        key.second = (key.second & keep) | field
    else:
        key.based = (key.based & keep) | field


cdef inline int place(const Key* key, int which) noexcept nogil:
    cdef uint64_t word = key.first if which == 0 else key.second if which == 1 else key.based
    return (word >> PLACE) & PLACE_MASK


cdef inline bint same_key(const Key* a, const Key* b) noexcept nogil:
    return a.first == b.first and a.second == b.second and a.based == b.based


cdef inline int stock_place(const Root* r, int card) noexcept nogil:
    cdef int which = 0
    while r.stock[which] != card:
        which += 1
    return which


cdef inline void leave_seat(const Root* r, Position* p, int card, int column) noexcept nogil:
    """Take the card and what is on it off its seat; what it lay on turns up."""
    cdef int below = p.below[card]
    cdef uint64_t own = bit(card)
    if below == NOTHING:
        p.key.based &= ~own
        if column < r.stock_size and not is_dealt(p):
            set_place(&p.key, column, 0)
    else:
        p.above[below] = NOTHING
        p.up |= bit(below)
        p.pinned &= ~bit(below)
        if own & r.stock_set and not own & (p.key.first | p.key.second):
            set_place(&p.key, stock_place(r, card), 0)
        p.key.first &= ~own
        p.key.second &= ~own
    p.tail[column] = below


cdef inline void take_seat(const Root* r, Position* p, int card, int column) noexcept nogil:
    """Put the card on the open end of a column. Only the stock may land without fitting."""
    cdef int below = p.tail[column]
    p.below[card] = below
    if below == NOTHING:
        p.key.based |= bit(card)
        if column < r.stock_size and not is_dealt(p):
            set_place(&p.key, column, card + 1)
        return
    p.above[below] = card
    if not fits(r, card, below):
        p.pinned |= bit(below)
        set_place(&p.key, stock_place(r, card), below + 1)
    elif r.alternating and below & 1:
        p.key.second |= bit(card)
    else:
        p.key.first |= bit(card)


cdef inline int finished_run(const Root* r, const Position* p, int column) noexcept nogil:
    """The King of the finished run at a column's open end, NOTHING if there is none."""
    cdef int card = p.tail[column]
    cdef int _step
    if card > 3:
        return NOTHING
    for _step in range(r.ranks - 1):
        if not (seated(p) >> card) & 1:
            return NOTHING
        card = p.below[card]
    return card


cdef inline void let_runs_leave(const Root* r, Position* p, int column, Undo* undo) noexcept nogil:
    """Let finished runs leave a column; what comes to light turns up."""
    cdef int king, card
    if r.stays:
        return
    while True:
        king = finished_run(r, p, column)
        if king == NOTHING:
            return
        undo.king[undo.runs] = king
        undo.ace[undo.runs] = p.tail[column]
        undo.run_column[undo.runs] = column
        undo.runs += 1
        leave_seat(r, p, king, column)
        card = king
        while card != NOTHING:
            p.up &= ~bit(card)
            p.key.first |= bit(card)
            p.key.second |= bit(card)
            card = p.above[card]


cdef inline void make(const Root* r, Position* p, int move, Undo* undo) noexcept nogil:
    """Play a move that is known to be allowed."""
    cdef int card, source, column, last, which
    undo.key = p.key
    undo.up = p.up
    undo.pinned = p.pinned
    undo.move = move
    undo.source = 0
    undo.below = NOTHING
    undo.runs = 0
    if move == DEAL:
        p.key.based |= bit(DEALT_BIT)
        for which in range(r.stock_size):
            set_place(&p.key, which, 0)
        for which in range(r.stock_size):
            card = r.stock[which]
            take_seat(r, p, card, which)
            p.tail[which] = card
            p.above[card] = NOTHING
            p.column[card] = which
            p.up |= bit(card)
        for which in range(r.stock_size):
            let_runs_leave(r, p, which, undo)
        return
    card = move & 63
    column = move >> 6
    source = p.column[card]
    undo.source = source
    undo.below = p.below[card]
    last = p.tail[source]
    leave_seat(r, p, card, source)
    take_seat(r, p, card, column)
    p.tail[column] = last
    p.column[card] = column
    while card != last:
        card = p.above[card]
        p.column[card] = column
    let_runs_leave(r, p, column, undo)
    let_runs_leave(r, p, source, undo)


cdef inline void unmake(const Root* r, Position* p, const Undo* undo) noexcept nogil:
    """Take back the last move made."""
    cdef int card, below, last, column, which
    for which in range(undo.runs - 1, -1, -1):
        card = undo.king[which]
        column = undo.run_column[which]
        p.above[p.below[card]] = card
        p.tail[column] = undo.ace[which]
    if undo.move == DEAL:
        for which in range(r.stock_size):
            card = r.stock[which]
            below = p.below[card]
            p.above[below] = NOTHING
            p.tail[which] = below
            p.below[card] = NOTHING
    else:
        card = undo.move & 63
        column = undo.move >> 6
        below = p.below[card]
        last = p.tail[column]
        p.above[below] = NOTHING
        p.tail[column] = below
        p.below[card] = undo.below
        p.above[undo.below] = card
        p.tail[undo.source] = last
        p.column[card] = undo.source
        while card != last:
            card = p.above[card]
            p.column[card] = undo.source
    p.key = undo.key
    p.up = undo.up
    p.pinned = undo.pinned


cdef inline bint is_won(const Root* r, const Position* p) noexcept nogil:
    if not r.stays:
        return gone(p) & r.deck == r.deck
    return (
        is_dealt(p)
        and (seated(p) | r.kings) & r.deck == r.deck
        and p.key.based & r.kings == r.kings
    )


cdef inline int list_moves(
    const Root* r, const Position* p, uint16_t* moves, bint distinct
) noexcept nogil:
    """Write the legal moves by column and card, the deal last; answer how many.

    With ``distinct``, of several empty columns that are alike only the first is
    offered: after the deal all are, before it those on which no stock will land.
    """
    cdef int found = 0, relabellings = 0
    cdef int column, end, card
    cdef uint64_t leaders
    cdef bint undealt = not is_dealt(p), alike_seen = False
    if is_won(r, p):
        return 0
    for column in range(r.columns):
        end = p.tail[column]
        if end != NOTHING:
            if end < 4:
                continue
            if r.alternating:
                card = ((end & ~3) | ((end & 2) ^ 2)) - 4
                leaders = p.up & (<uint64_t>3 << card)
            else:
                leaders = p.up & bit(end - 4)
            while leaders:
                card = take_lowest(&leaders)
                if p.column[card] != column:
                    moves[found] = card | column << 6
                    found += 1
            continue
        if distinct and (not undealt or column >= r.stock_size):
            if alike_seen:
                continue
            alike_seen = True
        leaders = p.up if r.any_fills else p.up & r.kings
        while leaders:
            card = take_lowest(&leaders)
            if p.below[card] == NOTHING:
                # Relabels a column: counts only where the stock has yet to land.
                if not undealt or (column >= r.stock_size and p.column[card] >= r.stock_size):
                    continue
                relabellings += 1
            moves[found] = card | column << 6
            found += 1
    if undealt and (not r.when_stuck or found == relabellings):
        moves[found] = DEAL
        found += 1
    return found


cdef inline uint64_t perft(const Root* r, Position* p, int depth) noexcept nogil:
    """How many lines of ``depth`` legal moves there are; the last ply is only counted."""
    cdef uint16_t moves[MOST_MOVES]
    cdef Undo undo
    cdef uint64_t lines = 0
    cdef int which, found
    if depth == 0:
        return 1
    found = list_moves(r, p, moves, False)
    if depth == 1:
        return found
    for which in range(found):
        make(r, p, moves[which], &undo)
        lines += perft(r, p, depth - 1)
        unmake(r, p, &undo)
    return lines
