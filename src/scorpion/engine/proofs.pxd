# A proof of loss: all positions that can be reached, each with its refutation if it has one.
#
# Positions are taken in the order in which they are reached, their moves in the order of the
# rules, and the columns stay where play puts them: losses/checker.py goes the same way and
# finds the same positions. So a proof holds none of them, but for each in turn the number of
# its refutation, or that its moves are played. Positions that differ only in the order of
# columns that are alike count as one, as they do in a key (position.pxd).

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp

from scorpion.engine.arguments cimport NO_ARGUMENT, Reasons
from scorpion.engine.clock cimport clock
from scorpion.engine.outcomes cimport LOST, NOT_YET, OUT_OF_MEMORY, OUT_OF_NODES, WON, Outcome
from scorpion.engine.position cimport MOST_MOVES, Position, Root, Undo, is_won, list_moves, make, unmake
from scorpion.engine.reasons cimport find_reasons
from scorpion.engine.table cimport (
    ADDED, NO_MEMORY, NO_NODE, Found, Table, add, close_table, node_at, open_table,
)
from scorpion.engine.written cimport Writing, begin_writing, close_writing, write_refutation

cdef enum:
    FIRST_WAITING = 64
    FIRST_ENDS = 64

# The search for a proof. The table's nodes are the positions in their order; what a search
# keeps in ``next`` is here the number of the position's refutation, or NO_NODE.
cdef struct Prover:
    Root root
    Table table
    uint64_t max_nodes
    uint64_t max_memory
    Position* waiting      # positions reached and not yet looked at, as a ring
    uint32_t first         # the place of the next of them
    uint32_t room          # a power of two
    uint32_t looked        # how many were looked at
    Reasons* reasons
    Reasons* before        # of the last position that was refuted, once there is one
    Writing written        # the refutations, one after the other
    uint64_t* ends         # where each of them ends
    uint32_t refutations
    uint32_t ends_room
    uint32_t* index        # the number of each plus one by what is written, 0 for free
    Outcome outcome


cdef inline uint64_t taken(const Prover* prover) noexcept nogil:
    """Bytes that the prover has, but for its table."""
    return (
        sizeof(Prover) + 2 * sizeof(Reasons) + prover.room * sizeof(Position) + prover.written.room
        + prover.ends_room * (sizeof(uint64_t) + 2 * sizeof(uint32_t))
    )


cdef inline bint allow(Prover* prover, uint64_t more) noexcept nogil:
    """Share what is left of the memory out anew; whether there are so many bytes more."""
    cdef uint64_t used = taken(prover) + more
    if used + prover.table.bytes > prover.max_memory:
        return False
    prover.table.limit = prover.max_memory - used
    prover.written.limit = prover.max_memory - used - prover.table.bytes + prover.written.room
    return True


cdef inline bint reach(Prover* prover, const Position* p) noexcept nogil:
    """Let a position that was reached for the first time wait; False without memory."""
    cdef uint32_t waiting = prover.table.size - 1 - prover.looked, room, which
    cdef Position* grown
    if waiting == prover.room:
        room = 2 * prover.room if prover.room else FIRST_WAITING
        # The old and the new ring live side by side while it grows.
        if not allow(prover, room * sizeof(Position)):
            return False
        grown = <Position*>malloc(room * sizeof(Position))
        if grown == NULL:
            return False
        for which in range(waiting):
            grown[which] = prover.waiting[(prover.first + which) & (prover.room - 1)]
        free(prover.waiting)
        prover.waiting = grown
        prover.first = 0
        prover.room = room
        allow(prover, 0)
    prover.waiting[(prover.first + waiting) & (prover.room - 1)] = p[0]
    return True


cdef inline uint64_t start_of(const Prover* prover, uint32_t number) noexcept nogil:
    return prover.ends[number - 1] if number else 0


cdef inline uint64_t hashed(const uint8_t* text, uint64_t size) noexcept nogil:
    """Where to look for what is written (FNV-1a), never proof."""
    cdef uint64_t found = <uint64_t>0xCBF29CE484222325, which
    for which in range(size):
        found = (found ^ text[which]) * <uint64_t>0x100000001B3
    return found ^ found >> 32


cdef inline uint32_t* slot_of(
    const Prover* prover, uint32_t* index, uint32_t room, uint32_t number
) noexcept nogil:
    """The slot of a refutation that is alike, or the free one that it takes."""
    cdef uint64_t start = start_of(prover, number), size = prover.ends[number] - start, other
    cdef uint64_t place = hashed(prover.written.text + start, size)
    while True:
        place &= 2 * <uint64_t>room - 1
        if not index[place]:
            return &index[place]
        other = start_of(prover, index[place] - 1)
        if prover.ends[index[place] - 1] - other == size and not memcmp(
            prover.written.text + other, prover.written.text + start, size
        ):
            return &index[place]
        place += 1


cdef inline bint grow_ends(Prover* prover) noexcept nogil:
    """Make room for more refutations, with their index at most half full."""
    cdef uint32_t room = 2 * prover.ends_room if prover.ends_room else FIRST_ENDS, which
    cdef uint64_t* ends
    cdef uint32_t* index
    if not allow(prover, room * (sizeof(uint64_t) + 2 * sizeof(uint32_t))):
        return False
    ends = <uint64_t*>realloc(prover.ends, room * sizeof(uint64_t))
    if ends == NULL:
        return False
    prover.ends = ends
    index = <uint32_t*>calloc(2 * room, sizeof(uint32_t))
    if index == NULL:
        return False
    for which in range(prover.refutations):
        slot_of(prover, index, room, which)[0] = which + 1
    free(prover.index)
    prover.index = index
    prover.ends_room = room
    allow(prover, 0)
    return True


cdef inline uint32_t keep_refutation(Prover* prover, int argument) noexcept nogil:
    """Write a refutation down, unless the same one was; its number, or NO_NODE without memory."""
    cdef uint32_t number = prover.refutations
    cdef uint32_t* slot
    if number == prover.ends_room and not grow_ends(prover):
        return NO_NODE
    if not allow(prover, 0):
        return NO_NODE
    write_refutation(prover.reasons, argument, &prover.written)
    if prover.written.full:
        return NO_NODE
    prover.ends[number] = prover.written.size
    slot = slot_of(prover, prover.index, prover.ends_room, number)
    if slot[0]:
        prover.written.size = start_of(prover, number)
        return slot[0] - 1
    prover.refutations += 1
    slot[0] = number + 1
    return number


cdef inline Prover* new_prover(uint64_t max_nodes, uint64_t max_memory) noexcept nogil:
    """A prover within its budgets; NULL without room. ``root`` is to be set."""
    cdef Prover* prover
    if sizeof(Prover) + 2 * sizeof(Reasons) > max_memory:
        return NULL
    prover = <Prover*>calloc(1, sizeof(Prover))
    if prover == NULL:
        return NULL
    prover.max_nodes = max_nodes
    prover.max_memory = max_memory
    begin_writing(&prover.written, 0)
    prover.reasons = <Reasons*>malloc(sizeof(Reasons))
    prover.before = <Reasons*>malloc(sizeof(Reasons))
    if (
        prover.reasons == NULL
        or prover.before == NULL
        or not open_table(&prover.table, max_memory - taken(prover))
    ):
        close_prover(prover)
        return NULL
    return prover


cdef inline void close_prover(Prover* prover) noexcept nogil:
    """Free a prover and all that it holds; NULL is none."""
    if prover != NULL:
        close_table(&prover.table)
        close_writing(&prover.written)
        free(prover.waiting)
        free(prover.ends)
        free(prover.index)
        free(prover.reasons)
        free(prover.before)
        free(prover)


cdef inline Outcome note_position(Prover* prover, const Position* p) noexcept nogil:
    """Number a position and let it wait, if it was not reached before."""
    cdef uint32_t number
    cdef Found found
    if not allow(prover, 0):
        return OUT_OF_MEMORY
    found = add(&prover.table, &p.key, NO_NODE, &number)
    if found == NO_MEMORY:
        return OUT_OF_MEMORY
    if found == ADDED:
        node_at(&prover.table, number).next = NO_NODE
        if not reach(prover, p):
            return OUT_OF_MEMORY
        if prover.table.size > prover.max_nodes:
            return OUT_OF_NODES
    return NOT_YET


cdef inline Outcome begin_proof(Prover* prover, const Position* start) noexcept nogil:
    return note_position(prover, start)


cdef inline Outcome look_at_next(Prover* prover) noexcept nogil:
    """Refute the position that has waited longest, or play its moves; LOST after the last."""
    cdef uint16_t moves[MOST_MOVES]
    cdef Position p
    cdef Undo undo
    cdef Outcome outcome
    cdef int which, found, argument
    if prover.looked == prover.table.size:
        return LOST
    p = prover.waiting[prover.first]
    prover.first = (prover.first + 1) & (prover.room - 1)
    prover.looked += 1
    if is_won(&prover.root, &p):
        return WON
    argument = find_reasons(
        &prover.root, &p, prover.before if prover.refutations else NULL, prover.reasons
    )
    if argument != NO_ARGUMENT:
        which = keep_refutation(prover, argument)
        if <uint32_t>which == NO_NODE:
            return OUT_OF_MEMORY
        prover.reasons, prover.before = prover.before, prover.reasons
        node_at(&prover.table, prover.looked - 1).next = which
        return NOT_YET
    found = list_moves(&prover.root, &p, moves, True)
    for which in range(found):
        make(&prover.root, &p, moves[which], &undo)
        outcome = note_position(prover, &p)
        if outcome != NOT_YET:
            return outcome
        unmake(&prover.root, &p, &undo)
    return NOT_YET


cdef inline bint prove_on(void* work, double until, uint64_t* done) noexcept nogil:
    """Go on as Work: what comes of it is the prover's ``outcome``."""
    cdef Prover* prover = <Prover*>work
    while prover.outcome == NOT_YET:
        prover.outcome = look_at_next(prover)
        if clock() >= until:
            break
    done[0] = prover.looked
    return prover.outcome == NOT_YET
