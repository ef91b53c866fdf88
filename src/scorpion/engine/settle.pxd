# Which search settles which game, behind one face.
#
# In-suit games whose spaces only Kings fill are settled by learning from dead ends
# (nogoods.pxd); all others by the greedy search (search.pxd), which also looks for
# shorter lines in every game.

from libc.stdint cimport uint64_t

from scorpion.engine.line cimport (
    TRACED, Line, Traced, learned_line, learned_path, read_steps, trace, winning_line,
)
from scorpion.engine.moved cimport learns
from scorpion.engine.nogoods cimport Learner, begin_learning, close_learning, hold_to_rules, resume_learning
from scorpion.engine.position cimport is_won
from scorpion.engine.search cimport (
    OUT_OF_MEMORY, WON, Search, Status, begin_search, look_for_shorter, resume_search,
)
from scorpion.engine.table cimport close_table, mixed, open_table
from scorpion.engine.twins cimport set_guide

cdef struct Settler:
    Search search       # its root, start, budgets and options are the settler's
    Learner learner
    bint may_learn
    bint learning       # which of the two is at work


cdef inline Status begin_settling(Settler* settler) noexcept nogil:
    """Begin to settle ``search.start``; RUNNING means to :func:`resume_settling`."""
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


cdef inline Status resume_settling(Settler* settler) noexcept nogil:
    """Search a little further."""
    cdef Status status
    if not settler.learning:
        return resume_search(&settler.search)
    status = resume_learning(&settler.learner)
    return hold_to_rules(&settler.learner, &settler.search.start) if status == WON else status


cdef inline uint64_t nodes_seen(const Settler* settler) noexcept nogil:
    return settler.learner.nodes if settler.learning else settler.search.nodes


cdef inline Traced line_found(Settler* settler, Line* line) noexcept nogil:
    """Open a line with the moves of a win, made short; nothing to close unless TRACED."""
    if settler.learning:
        return learned_line(&settler.learner, &settler.search.start, line)
    return winning_line(&settler.search, line)


cdef inline Traced path_found(Settler* settler, Line* line) noexcept nogil:
    """The same as the search found it, not made short, with its steps read: in less time."""
    cdef Traced traced
    if settler.learning:
        traced = learned_path(&settler.learner, &settler.search.start, line)
    else:
        traced = trace(&settler.search, line)
    if traced == TRACED:
        read_steps(&settler.search.root, &settler.search.start, line)
    return traced


cdef inline Status seek_shorter(Settler* settler, int length, uint64_t positions) noexcept nogil:
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


cdef inline void close_settling(Settler* settler) noexcept nogil:
    finish_learning(settler)
    close_table(&settler.search.table)
