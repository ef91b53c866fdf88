# Which search settles which game, behind one face.
#
# In-suit games whose spaces only Kings fill are settled by learning from dead ends
# (nogoods.pxd); all others by the greedy search (search.pxd), which also looks for
# shorter lines in every game.

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from scorpion.engine.clock cimport clock
from scorpion.engine.line cimport (
    NO_ROOM, TRACED, Line, Traced, learned_line, learned_path, read_steps, trace, winning_line,
)
from scorpion.engine.moved cimport learns
from scorpion.engine.nogoods cimport Learner, begin_learning, close_learning, hold_to_rules, resume_learning
from scorpion.engine.outcomes cimport BROKEN, NOT_YET, OUT_OF_MEMORY, WON, Outcome
from scorpion.engine.position cimport is_won
from scorpion.engine.search cimport Search, begin_search, look_for_shorter, resume_search
from scorpion.engine.table cimport close_table, mixed, open_table
from scorpion.engine.twins cimport set_guide

cdef enum:
    MOST_SLOTS = 1 << 16  # a table that grew beyond this is not kept for the next board

cdef struct Settler:
    Search search       # its root, start, budgets and options are the settler's
    Learner learner
    bint may_learn
    bint learning       # which of the two is at work
    Outcome outcome     # so far, of work that is done in slices


cdef inline Outcome begin_settling(Settler* settler) noexcept nogil:
    """Begin to settle ``search.start``; NOT_YET means to resume."""
    settler.search.bound = 0
    settler.learning = settler.may_learn and settler.search.prune and learns(&settler.search.root)
    if not settler.learning or is_won(&settler.search.root, &settler.search.start):
        settler.learning = False
        return begin_search(&settler.search)
    settler.learner.ground.root = settler.search.root
    settler.learner.limit = settler.search.memory
    settler.learner.max_nodes = settler.search.max_nodes
    settler.learner.glance = True
    return begin_learning(&settler.learner, &settler.search.start)


cdef inline Outcome search_a_little(Settler* settler) noexcept nogil:
    cdef Outcome outcome
    if not settler.learning:
        return resume_search(&settler.search)
    outcome = resume_learning(&settler.learner)
    return hold_to_rules(&settler.learner, &settler.search.start) if outcome == WON else outcome


cdef inline Outcome resume_settling(Settler* settler, double until) noexcept nogil:
    """Search on; NOT_YET if there is no outcome when the clock shows ``until``."""
    cdef Outcome outcome = NOT_YET
    while outcome == NOT_YET:
        outcome = search_a_little(settler)
        if clock() >= until:
            break
    return outcome


cdef inline bint settle_on(void* work, double until, uint64_t* done) noexcept nogil:
    """The same as Work: what comes of it is the settler's ``outcome``."""
    cdef Settler* settler = <Settler*>work
    settler.outcome = resume_settling(settler, until)
    done[0] = nodes_seen(settler)
    return settler.outcome == NOT_YET


cdef inline uint64_t nodes_seen(const Settler* settler) noexcept nogil:
    return settler.learner.nodes if settler.learning else settler.search.nodes


cdef inline Outcome line_found(Settler* settler, Line* line) noexcept nogil:
    """After a win, open a line with its moves, made short.

    WON, or there is nothing to close: OUT_OF_MEMORY, or BROKEN.
    """
    cdef Traced traced
    if settler.learning:
        traced = learned_line(&settler.learner, &settler.search.start, line)
    else:
        traced = winning_line(&settler.search, line)
    return outcome_of(traced)


cdef inline Outcome path_found(Settler* settler, Line* line) noexcept nogil:
    """The same as the search found it, not made short, with its steps read: in less time."""
    cdef Traced traced
    if settler.learning:
        traced = learned_path(&settler.learner, &settler.search.start, line)
    else:
        traced = trace(&settler.search, line)
    if traced == TRACED:
        read_steps(&settler.search.root, &settler.search.start, line)
    return outcome_of(traced)


cdef inline Outcome outcome_of(Traced traced) noexcept nogil:
    """What tracing a win came to."""
    return WON if traced == TRACED else OUT_OF_MEMORY if traced == NO_ROOM else BROKEN


cdef inline Outcome seek_shorter(Settler* settler, int length, uint64_t positions) noexcept nogil:
    """After a win in that many moves, seek one of fewer over so many positions in all.

    The greedy search does; an empty frontier only means that it knows no such line.
    """
    if not settler.search.bound and positions < settler.search.max_nodes - nodes_seen(settler):
        settler.search.max_nodes = nodes_seen(settler) + positions
    if settler.learning:
        settler.search.nodes = settler.learner.nodes
        settler.search.run = 0
        settler.search.chance = mixed(&settler.search.start.key) | 1
        set_guide(&settler.search.guide)
        finish_learning(settler)
        if settler.search.table.slots == NULL and not open_table(
            &settler.search.table, settler.search.memory
        ):
            return OUT_OF_MEMORY
    return look_for_shorter(&settler.search, length)


cdef inline void finish_learning(Settler* settler) noexcept nogil:
    if settler.learning:
        close_learning(&settler.learner)
        settler.learning = False


cdef inline void clear_settler(Settler* settler) noexcept nogil:
    """Have done with a board; a table that has not grown much is kept for the next."""
    finish_learning(settler)
    if settler.search.table.slot_mask >= MOST_SLOTS:
        close_table(&settler.search.table)


cdef inline Settler* new_settler(uint64_t max_nodes, uint64_t max_memory) noexcept nogil:
    """A settler with all options on and its own size within the budget; NULL without room."""
    cdef Settler* settler
    if sizeof(Settler) > max_memory:
        return NULL
    settler = <Settler*>malloc(sizeof(Settler))
    if settler != NULL:
        memset(&settler.search, 0, sizeof(Search))
        settler.search.max_nodes = max_nodes
        settler.search.memory = max_memory - sizeof(Settler)
        settler.search.prune = settler.search.merge = settler.search.greedy = settler.may_learn = True
        settler.learning = False
    return settler


cdef inline void close_settler(Settler* settler) noexcept nogil:
    """Free a settler and all that it holds; NULL is none."""
    if settler != NULL:
        finish_learning(settler)
        close_table(&settler.search.table)
        free(settler)
