# The search: one greedy best-first search with restarts, for every game.
#
# A frontier of positions is kept in buckets by an estimate of how far they are from
# a win; the newest of the best bucket is taken, its successors are looked up in the
# table, and the new ones join the frontier. A position that the closure proves dead has
# no successors; the closure is asked only when the position is taken, as most never
# are. Successors come in phases: first those by moves that bring the win nearer, and
# only when the node is taken again, in suit, those by parkings that something may
# follow on, then the rest; in colours those by moves of cards that lie on a parent
# already, between parents. Meanwhile a thorough look at the root goes on. An empty
# frontier means that everything that could be reached was seen and none of it won: a
# proof of loss, whatever the order was. Every few thousand positions the search starts
# afresh with ties broken otherwise, since a greedy search that has not won soon has
# usually gone astray; the last run has no limit but the budget.
# (Restarts follow Gomes, Selman and Kautz, "Boosting combinatorial search through
# randomization", AAAI 1998.) All chance comes from a generator seeded by the root
# position, so the same position always gives the same search.

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from scorpion.engine.bits cimport count
from scorpion.engine.closure cimport Look, begin_look, is_dead, resume_look
from scorpion.engine.keys cimport search_key, unpack
from scorpion.engine.outcomes cimport LOST, NOT_YET, OUT_OF_MEMORY, OUT_OF_NODES, WON, Outcome
from scorpion.engine.position cimport (
    DEAL, MOST_MOVES, NOTHING, Key, Position, Root, Undo, is_dealt, is_won, list_moves, make,
    on_table_now, seated, unmake,
)
from scorpion.engine.reductions cimport (
    Parking, has_follow_up, leave_out, note_parking, parking_of, take_parking,
)
from scorpion.engine.table cimport (
    ADDED, NO_MEMORY, NO_NODE, Found, Table, add, empty_table, mixed, node_at, open_table,
)
from scorpion.engine.twins cimport Guide, set_guide

cdef enum:
    MOST_ESTIMATE = 255
    BUCKETS = 1024       # four random ties to each estimate
    TIES = 4
    SLICE = 16           # expansions between two looks at the clock
    FIRST_RUN = 1000     # positions; in suit each run is longer than the one before
    SHORT_RUN = 700      # all runs in colours
    RUNS_UNTIL = 16000   # no restart after so many in all
    IN_SUIT_UNTIL = 8000  # the same in suit, where what is left by then is mostly lost
    # The look at the root, in parkings or closures: how many come first, how many more
    # for each position seen, and how many at a time (a few milliseconds).
    FIRST_PARKINGS = 1000
    FIRST_CLOSURES = 100000
    LOOK_PER_NODE = 60
    LOOK_AT_ONCE = 5000

# What a node on the frontier is taken for; an entry is four times its number and this.
cdef enum Phase:
    JOINS
    PARKINGS   # those with a follow-up, and the deal; in colours moves of seated cards
    OTHERS
    NO_PHASE

cdef struct Search:
    Root root
    Position start
    Table table
    uint32_t heads[BUCKETS]
    int best_bucket          # no bucket below it holds anything
    uint64_t max_nodes
    uint64_t memory          # bytes that the table may take
    uint64_t nodes           # positions seen, over all runs
    uint64_t run_limit       # `nodes` at which this run gives way to the next
    uint64_t run_length
    uint64_t chance          # state of the generator
    int run
    bint prune               # ask the closure
    bint merge               # name interchangeable cards alike
    bint greedy              # best first with restarts, else depth first
    uint32_t last            # the winning node
    int bound                # only lines of fewer moves are looked for; 0 for any
    Guide guide              # where the closure looks first
    Look look                # at the root
    bint looking             # which has no answer yet
    uint64_t looked          # parkings or closures tried in it


cdef inline uint32_t roll(Search* s) noexcept nogil:
    """The next random number (xorshift64*, Vigna 2016)."""
    s.chance ^= s.chance >> 12
    s.chance ^= s.chance << 25
    s.chance ^= s.chance >> 27
    return (s.chance * <uint64_t>0x2545F4914F6CDD1D) >> 32


cdef inline int until_stuck(const Search* s, const Position* p, int estimate) noexcept nogil:
    """The estimate where the stock waits until one is stuck: how many moves are left counts.

    In alternating colours above all one may go on for ever; the weights, which change
    from run to run, are those that won most in trials.
    """
    cdef uint16_t moves[MOST_MOVES]
    cdef int left = list_moves(&s.root, p, moves, True)
    if s.run % 3 == 1:
        estimate = 30 + 10 * left
    elif s.run % 3 == 2:
        estimate = estimate // 2 + 10 * left
    else:
        estimate = estimate // 4 + 4 * left
    return min(estimate, MOST_ESTIMATE)


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
        if r.when_stuck and s.run:
            estimate = until_stuck(s, p, estimate)
    return estimate


cdef inline void push(Search* s, uint32_t entry, const Position* p) noexcept nogil:
    cdef int bucket = 0
    if s.greedy:
        bucket = TIES * distance(s, p)
        if s.run:
            bucket += roll(s) % TIES
    node_at(&s.table, entry >> 2).next = s.heads[bucket]
    s.heads[bucket] = entry
    if bucket < s.best_bucket:
        s.best_bucket = bucket


cdef inline uint32_t pop(Search* s) noexcept nogil:
    cdef uint32_t entry
    while s.best_bucket < BUCKETS:
        entry = s.heads[s.best_bucket]
        if entry != NO_NODE:
            s.heads[s.best_bucket] = node_at(&s.table, entry >> 2).next
            return entry
        s.best_bucket += 1
    return NO_NODE


cdef inline void key_of(const Search* s, const Position* p, const Undo* last, Key* key) noexcept nogil:
    """The key of a position; ``last`` is the move that led to it, NULL at the start."""
    cdef Parking pending
    if s.merge:
        search_key(&s.root, p, key)
    else:
        key[0] = p.key
    if s.prune and last != NULL:
        pending = parking_of(&s.root, p, last)
        note_parking(key, &pending)


cdef inline int successors(
    const Search* s, uint32_t number, Position* p, uint16_t* moves
) noexcept nogil:
    """Set up a node's position and write the moves to try from it; answer how many."""
    cdef Key key = node_at(&s.table, number).key
    cdef Parking pending = take_parking(&key)
    cdef int found
    unpack(&s.root, &key, p)
    found = list_moves(&s.root, p, moves, True)
    return leave_out(&s.root, p, &pending, moves, found) if s.prune else found


cdef inline int least_moves(const Root* r, const Position* p) noexcept nogil:
    """A number of moves that no line to a win can do without.

    Every card on the table that lies on no parent yet, but the Kings, has to lead
    once; so has, where runs stay, every King that is not at a base; and the stock
    has to be dealt. (What is in the stock may land on its parent.)
    """
    cdef uint64_t cards = on_table_now(r, p)
    cdef int least = count(cards & ~(seated(p) | r.kings)) + (not is_dealt(p))
    if r.stays:
        least += count(cards & r.kings & ~p.key.based)
    return least


cdef inline int depth_of(const Search* s, uint32_t number) noexcept nogil:
    """How many moves lead to a node."""
    cdef int depth = 0
    number = node_at(&s.table, number).parent
    while number != NO_NODE:
        number = node_at(&s.table, number).parent
        depth += 1
    return depth


cdef inline Outcome note_reached(
    Search* s, const Position* p, const Undo* last, uint32_t parent, int depth
) noexcept nogil:
    """Note a position that a move led to; put it on the frontier if it is new and alive.

    ``depth`` is the number of moves to it, needed only where lines are bounded.
    """
    cdef Key key
    cdef uint32_t number
    cdef Found found
    key_of(s, p, last, &key)
    found = add(&s.table, &key, parent, &number)
    if found == NO_MEMORY:
        return OUT_OF_MEMORY
    if found == ADDED:
        s.nodes += 1
        if s.bound and depth + least_moves(&s.root, p) >= s.bound:
            return NOT_YET
        if is_won(&s.root, p):
            s.last = number
            return WON
        push(s, 4 * number + JOINS, p)
    return NOT_YET


cdef inline Outcome begin_run(Search* s) noexcept nogil:
    if s.table.size:
        empty_table(&s.table)
    memset(s.heads, 0xFF, sizeof(s.heads))
    s.best_bucket = BUCKETS
    if s.greedy and s.nodes < <uint64_t>(RUNS_UNTIL if s.root.alternating else IN_SUIT_UNTIL):
        s.run_limit = s.nodes + s.run_length
        if not s.root.alternating:
            s.run_length = s.run_length * 13 // 10
    else:
        s.run_limit = <uint64_t>-1
    return note_reached(s, &s.start, NULL, NO_NODE, 0)


cdef inline bint is_due(const Search* s) noexcept nogil:
    """Whether the look at the root goes on before the search does.

    It keeps pace with the positions seen, so that neither goes on for long where the
    other would soon have an answer; in suit only once the first run is over, as most
    wins come within it. In colours a loss is nearly always found at the root.
    """
    cdef uint64_t first = FIRST_CLOSURES if s.root.alternating else FIRST_PARKINGS
    if s.root.alternating or s.run:
        first += LOOK_PER_NODE * s.nodes
    return s.looking and s.looked < first


cdef inline Outcome look_at_root(Search* s, int tries) noexcept nogil:
    cdef Outcome outcome = resume_look(&s.root, &s.start, &s.look, tries)
    s.looking = outcome == NOT_YET
    s.looked += tries
    return LOST if outcome == LOST else NOT_YET


cdef inline Outcome begin_search(Search* s) noexcept nogil:
    """Set out from ``start``, whose root is ``root``; most boards need no more than this.

    The table is opened when it is first needed, and emptied when it was used before.
    """
    s.last = NO_NODE
    s.nodes = 1
    set_guide(&s.guide)
    if is_won(&s.root, &s.start):
        return WON
    s.looked = 0
    s.looking = s.prune
    if s.looking:
        begin_look(&s.root, &s.start, &s.guide, &s.look)
        if look_at_root(s, FIRST_PARKINGS) == LOST:
            return LOST
    s.nodes = 0
    if s.table.slots == NULL and not open_table(&s.table, s.memory):
        return OUT_OF_MEMORY
    s.run = 0
    s.run_length = SHORT_RUN if s.root.alternating else FIRST_RUN
    s.chance = mixed(&s.start.key) | 1
    return begin_run(s)


cdef inline Phase phase_of(const Search* s, const Position* p, int move) noexcept nogil:
    if s.greedy and s.root.alternating and move != DEAL and (seated(p) >> (move & 63)) & 1:
        return PARKINGS
    if not s.greedy or s.root.alternating or (move != DEAL and p.tail[move >> 6] != NOTHING):
        return JOINS
    if move == DEAL or has_follow_up(p, move & 63):
        return PARKINGS
    return OTHERS


cdef inline Outcome expand(Search* s, uint32_t entry) noexcept nogil:
    """Reach the successors of one phase of a node; put it back on the frontier for the next."""
    cdef uint16_t moves[MOST_MOVES]
    cdef Phase phases[MOST_MOVES]
    cdef Position p
    cdef Undo undo
    cdef Outcome outcome
    cdef Phase phase = NO_PHASE, later = NO_PHASE
    cdef int depth = depth_of(s, entry >> 2) + 1 if s.bound else 0
    cdef int which, found = successors(s, entry >> 2, &p, moves)
    if s.prune and entry & 3 == JOINS and is_dead(&s.root, &p, &s.guide, False):
        return NOT_YET
    for which in range(found):
        phases[which] = phase_of(s, &p, moves[which])
        if phases[which] < (entry & 3):
            continue
        if phases[which] < phase:
            later = phase
            phase = phases[which]
        elif phase < phases[which] < later:
            later = phases[which]
    if later != NO_PHASE:
        push(s, (entry & ~<uint32_t>3) + later, &p)
    for which in range(found):
        if phases[which] != phase:
            continue
        if s.nodes >= s.max_nodes:
            return OUT_OF_NODES
        make(&s.root, &p, moves[which], &undo)
        outcome = note_reached(s, &p, &undo, entry >> 2, depth)
        unmake(&s.root, &p, &undo)
        if outcome != NOT_YET:
            return outcome
    return NOT_YET


cdef inline Outcome resume_search(Search* s) noexcept nogil:
    """Expand a few nodes, or look at the root; NOT_YET means call again."""
    cdef uint32_t entry
    cdef Outcome outcome
    cdef int _step
    if is_due(s):
        return look_at_root(s, LOOK_AT_ONCE)
    for _step in range(SLICE):
        if s.nodes >= s.run_limit:
            s.run += 1
            if s.nodes >= s.max_nodes:
                return OUT_OF_NODES
            outcome = begin_run(s)
            if outcome != NOT_YET:
                return outcome
        entry = pop(s)
        if entry == NO_NODE:
            return LOST
        outcome = expand(s, entry)
        if outcome != NOT_YET:
            return outcome
    return NOT_YET


cdef inline Outcome look_for_shorter(Search* s, int length) noexcept nogil:
    """After a win in that many moves: start anew for a line of fewer, in short runs.

    LOST, an empty frontier, then only means that this search knows no such line.
    """
    s.bound = length
    s.looking = False
    s.run += 1
    s.run_length = FIRST_RUN
    return begin_run(s)
