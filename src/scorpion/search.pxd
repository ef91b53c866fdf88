# The search: one greedy best-first search with restarts, for every game.
#
# A frontier of positions is kept in buckets by an estimate of how far they are from
# a win; the newest of the best bucket is taken, its successors are looked up in the
# table, and the new ones that the closure does not prove dead join the frontier. An
# empty frontier means that everything that could be reached was seen and none of it
# won: a proof of loss, whatever the order was. Every few thousand positions the
# search starts afresh with ties broken otherwise, since a greedy search that has not
# won soon has usually gone astray; the last run has no limit but the budget.
# (Restarts follow Gomes, Selman and Kautz, "Boosting combinatorial search through
# randomization", AAAI 1998.) All chance comes from a generator seeded by the root
# position, so the same position always gives the same search.

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from scorpion.closure cimport is_dead
from scorpion.position cimport (
    DEAL, MOST_MOVES, Key, Position, Root, Undo, count, is_dealt, is_won, list_moves, make,
    on_table_now, place, same_key, search_key, seated, unmake, unpack,
)
from scorpion.table cimport (
    ADDED, CHUNK_BITS, NO_MEMORY, NO_NODE, Found, Table, add, close_table, empty_table, mixed, node_at,
    open_table,
)
from scorpion.twins cimport Guide

cdef enum:
    BUCKETS = 1024       # four random ties to each estimate, which is at most 255
    TIES = 4
    SLICE = 16           # expansions between two looks at the clock
    FIRST_RUN = 1000     # positions
    RUNS_UNTIL = 16000   # no restart after so many in all
    CLOSURES = 100       # for each position; running out of them only costs strength

cdef enum Status:
    RUNNING
    WON
    EXHAUSTED
    OUT_OF_NODES
    OUT_OF_MEMORY

cdef struct Search:
    Root root
    Position start
    Table table
    uint32_t heads[BUCKETS]
    int best_bucket          # no bucket below it holds anything
    uint64_t max_nodes
    uint64_t nodes           # positions seen, over all runs
    uint64_t run_limit       # `nodes` at which this run gives way to the next
    uint64_t run_length
    uint64_t chance          # state of the generator
    int run
    bint prune               # ask the closure
    bint merge               # name interchangeable cards alike
    bint greedy              # best first with restarts, else depth first
    uint32_t last            # the winning node
    Guide guide              # where the closure looks first


cdef inline uint32_t roll(Search* s) noexcept nogil:
    """The next random number (xorshift64*, Vigna 2016)."""
    s.chance ^= s.chance >> 12
    s.chance ^= s.chance << 25
    s.chance ^= s.chance >> 27
    return (s.chance * <uint64_t>0x2545F4914F6CDD1D) >> 32


cdef inline int distance(const Search* s, const Position* p) noexcept nogil:
    """The estimate: cards not yet on a parent, face down, buried Kings, the stock.

    It only orders the frontier. The weights are those that won most in trials; the
    stock's changes from run to run, so that it is dealt now early, now late.
    """
    cdef const Root* r = &s.root
    cdef uint64_t on_table = on_table_now(r, p)
    cdef int estimate = count(r.deck & ~(seated(p) | r.kings))
    estimate += 2 * count(on_table & ~p.up)
    estimate += (1 if r.alternating else 3) * count(r.kings & on_table & ~p.key.based)
    if not is_dealt(p):
        estimate += 4 if s.run % 4 == 0 else 0 if s.run % 4 == 1 else 8 if s.run % 4 == 2 else 2
    return estimate


cdef inline void push(Search* s, uint32_t number, const Position* p) noexcept nogil:
    cdef int bucket = 0
    if s.greedy:
        bucket = TIES * distance(s, p)
        if s.run:
            bucket += roll(s) % TIES
    node_at(&s.table, number).next = s.heads[bucket]
    s.heads[bucket] = number
    if bucket < s.best_bucket:
        s.best_bucket = bucket


cdef inline uint32_t pop(Search* s) noexcept nogil:
    cdef uint32_t number
    while s.best_bucket < BUCKETS:
        number = s.heads[s.best_bucket]
        if number != NO_NODE:
            s.heads[s.best_bucket] = node_at(&s.table, number).next
            return number
        s.best_bucket += 1
    return NO_NODE


cdef inline void key_of(const Search* s, const Position* p, Key* key) noexcept nogil:
    if s.merge:
        search_key(&s.root, p, key)
    else:
        key[0] = p.key


cdef inline Status reach(Search* s, const Position* p, uint32_t parent) noexcept nogil:
    """Note a position that a move led to; put it on the frontier if it is new and alive."""
    cdef Key key
    cdef uint32_t number
    cdef Found found
    key_of(s, p, &key)
    found = add(&s.table, &key, parent, &number)
    if found == NO_MEMORY:
        return OUT_OF_MEMORY
    if found == ADDED:
        s.nodes += 1
        if is_won(&s.root, p):
            s.last = number
            return WON
        if not s.prune or not is_dead(&s.root, p, &s.guide, CLOSURES):
            push(s, number, p)
    return RUNNING


cdef inline Status begin_run(Search* s) noexcept nogil:
    if s.table.size:
        empty_table(&s.table)
    memset(s.heads, 0xFF, sizeof(s.heads))
    s.best_bucket = BUCKETS
    if s.greedy and s.nodes < RUNS_UNTIL:
        s.run_limit = s.nodes + s.run_length
        s.run_length = s.run_length * 13 // 10
    else:
        s.run_limit = <uint64_t>-1
    return reach(s, &s.start, NO_NODE)


cdef inline Status begin(Search* s) noexcept nogil:
    """Set out from ``start``, whose root is ``root``; the table must be open, the guide set."""
    s.nodes = 0
    s.run = 0
    s.run_length = FIRST_RUN
    s.chance = mixed(&s.start.key) | 1
    return begin_run(s)


cdef inline Status expand(Search* s, uint32_t number) noexcept nogil:
    """Reach every successor of a node."""
    cdef uint16_t moves[MOST_MOVES]
    cdef Position p
    cdef Undo undo
    cdef Status status
    cdef int which, found
    unpack(&s.root, &node_at(&s.table, number).key, &p)
    found = list_moves(&s.root, &p, moves, True)
    for which in range(found):
        if s.nodes >= s.max_nodes:
            return OUT_OF_NODES
        make(&s.root, &p, moves[which], &undo)
        status = reach(s, &p, number)
        unmake(&s.root, &p, &undo)
        if status != RUNNING:
            return status
    return RUNNING


cdef inline Status advance(Search* s) noexcept nogil:
    """Expand a few nodes; RUNNING means call again."""
    cdef uint32_t number
    cdef Status status
    cdef int _step
    for _step in range(SLICE):
        if s.nodes >= s.run_limit:
            s.run += 1
            if s.nodes >= s.max_nodes:
                return OUT_OF_NODES
            status = begin_run(s)
            if status != RUNNING:
                return status
        number = pop(s)
        if number == NO_NODE:
            return EXHAUSTED
        status = expand(s, number)
        if status != RUNNING:
            return status
    return RUNNING
