# Which move to offer where no win is known: to go on with, or to lose with good grace.

from libc.stdint cimport uint16_t

from scorpion.engine.bits cimport count
from scorpion.engine.closure cimport is_dead
from scorpion.engine.line cimport MOST_LEARNED, TRACED, Line, close_line, trace, trace_learned
from scorpion.engine.nogoods cimport Learner, step_back
from scorpion.engine.position cimport (
    DEAL, MOST_MOVES, NOTHING, Position, Root, Undo, gone, is_won, list_moves, make, seated, unmake,
)
from scorpion.engine.search cimport JOINS, Search, pop, successors
from scorpion.engine.settle cimport Settler
from scorpion.engine.table cimport NO_NODE
from scorpion.engine.twins cimport Guide, set_guide

cdef enum:
    TRIES = 100      # positions of the frontier that may prove dead before another is offered

# How good a move looks, the first difference counts: shown cards, 0 to 52, are worth the
# most; then what the move is; then how many moves there are after it.
cdef enum:
    SHOWN = 1 << 14
    IS_ALIVE = 1 << 22
    KIND = 1 << 10

cdef enum Kind:
    SHIFTS      # a card from one parent to its twin, or off a parent, or a whole column
    FREES       # a card that lies on none of its parents, to an empty column
    DEALS
    JOINS_PILE  # a card to a parent of its for the first time


cdef inline Kind kind_of(const Position* p, int move) noexcept nogil:
    if move == DEAL:
        return DEALS
    if (seated(p) >> (move & 63)) & 1:
        return SHIFTS
    if p.tail[move >> 6] != NOTHING:
        return JOINS_PILE
    return SHIFTS if p.below[move & 63] == NOTHING else FREES


cdef inline int most_uncovering(const Root* r, const Position* start, bint lost) noexcept nogil:
    """The legal move that uncovers most; -1 if there is none.

    That is the one that turns up the most cards. Among equals a join comes before the
    deal, that before a card that goes to an empty column, and one that moves off its
    parent or only relabels columns comes last, as moves of that kind can go on without
    end; among equals again the one that leaves the most legal moves, and then the
    first. Where the board is not known to be ``lost``, moves that the closure proves to
    lose come after all others.
    """
    cdef uint16_t moves[MOST_MOVES]
    cdef uint16_t after[MOST_MOVES]
    cdef Position p = start[0]
    cdef Undo undo
    cdef Guide guide
    cdef int which, worth, best = -1, most = -1
    cdef int found = list_moves(r, &p, moves, True)
    set_guide(&guide)
    for which in range(found):
        worth = KIND * kind_of(&p, moves[which])
        make(r, &p, moves[which], &undo)
        if is_won(r, &p):
            return moves[which]
        if moves[which] != DEAL:
            worth += SHOWN * count((p.up | gone(&p)) & ~(start.up | gone(start)))
        worth += list_moves(r, &p, after, True)
        if not lost and not is_dead(r, &p, &guide, False):
            worth += IS_ALIVE
        unmake(r, &p, &undo)
        if worth > most:
            most = worth
            best = moves[which]
    return best


cdef inline bint frontier_best(Search* s) noexcept nogil:
    """Make the best node of the frontier ``last``; False if there is none that is alive."""
    cdef uint16_t moves[MOST_MOVES]
    cdef Position p
    cdef Guide guide
    cdef unsigned int entry
    cdef int _try
    set_guide(&guide)
    for _try in range(TRIES):
        entry = pop(s)
        if entry == NO_NODE:
            return False
        s.last = entry >> 2
        successors(s, s.last, &p, moves)
        if entry & 3 != JOINS or not is_dead(&s.root, &p, &guide, False):
            return True
    return False


cdef inline int most_promising(Settler* settler) noexcept nogil:
    """The first move towards the best position that a search found before it was stopped.

    A learner has it on the line that it was following, the greedy search on its
    frontier; -1 where they stand at the start. Of no use for searching on.
    """
    cdef uint16_t moves[MOST_LEARNED]
    cdef Position p = settler.search.start
    cdef Line line
    cdef int move = -1
    cdef Learner* learner = &settler.learner
    if settler.learning:
        if learner.refuted and learner.depth:
            step_back(learner)
        if trace_learned(learner, &p, moves) > 0:
            move = moves[0]
    elif settler.search.table.slots != NULL and frontier_best(&settler.search):
        if trace(&settler.search, &line) == TRACED:
            if line.length > 0:
                move = line.moves[0]
            close_line(&line)
    return move
