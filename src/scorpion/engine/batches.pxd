# Many boards in one call, settled one after the other without a Python object for any.

from libc.stdint cimport uint16_t, uint64_t

from scorpion.engine.clock cimport clock
from scorpion.engine.line cimport Line, close_line
from scorpion.engine.outcomes cimport NOT_YET, OUT_OF_MEMORY, WON, Outcome
from scorpion.engine.position cimport Position, Root
from scorpion.engine.settle cimport (
    Settler, begin_settling, clear_settler, line_found, nodes_seen, resume_settling,
)

cdef enum:
    BATCH = 64   # boards that are taken up, and then settled, without Python

# Boards taken up, and what was found of those that are settled.
cdef struct Batch:
    Settler* settler     # NULL if there was no room for one: every board is undecided then
    int count            # boards taken up,
    int done             # of which so many are settled
    uint64_t before      # and so many were before these were taken up
    bint under_way       # the next has been begun,
    double begun         # at this time
    Root roots[BATCH]
    Position starts[BATCH]
    Outcome outcomes[BATCH]
    uint64_t nodes[BATCH]
    uint16_t lengths[BATCH]
    double seconds[BATCH]


cdef inline void empty_batch(Batch* batch) noexcept nogil:
    """Have done with the boards taken up, to take up others."""
    batch.before += batch.done
    batch.count = batch.done = 0
    batch.under_way = False
    batch.begun = clock()


cdef inline bint take_board(Batch* batch, const Root* r, const Position* p) noexcept nogil:
    """Take up a board, its own root; whether the batch is full now."""
    batch.roots[batch.count] = r[0]
    batch.starts[batch.count] = p[0]
    batch.count += 1
    return batch.count == BATCH


cdef inline Outcome settle_board(Batch* batch, double until) noexcept nogil:
    """Begin or resume the next board; NOT_YET if the time has come to listen first."""
    cdef Settler* settler = batch.settler
    cdef Outcome outcome = NOT_YET
    if settler == NULL:
        return OUT_OF_MEMORY
    if not batch.under_way:
        batch.under_way = True
        settler.search.root = batch.roots[batch.done]
        settler.search.start = batch.starts[batch.done]
        outcome = begin_settling(settler)
    return resume_settling(settler, until) if outcome == NOT_YET else outcome


cdef inline void note_board(Batch* batch, Outcome outcome) noexcept nogil:
    """Note what came of the board, its line's length too, and go on to the next."""
    cdef Settler* settler = batch.settler
    cdef int which = batch.done
    cdef double now
    cdef Line line
    batch.lengths[which] = batch.nodes[which] = 0
    if outcome == WON:
        outcome = line_found(settler, &line)
        if outcome == WON:
            batch.lengths[which] = line.length
            close_line(&line)
    if settler != NULL:
        batch.nodes[which] = nodes_seen(settler)
        clear_settler(settler)
    batch.outcomes[which] = outcome
    now = clock()
    batch.seconds[which] = now - batch.begun
    batch.begun = now
    batch.under_way = False
    batch.done += 1


cdef inline bint resume_batch(void* work, double until, uint64_t* done) noexcept nogil:
    """Settle the boards taken up one after the other, as Work."""
    cdef Batch* batch = <Batch*>work
    cdef Outcome outcome
    while batch.done < batch.count:
        outcome = settle_board(batch, until)
        if outcome != NOT_YET:
            note_board(batch, outcome)
        done[0] = batch.before + batch.done
        if clock() >= until:
            return True
    return False
