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
from scorpion.engine.nogoods cimport Learner, begin_learning, close_learning, hold_to_rules, learn
from scorpion.engine.position cimport is_won
from scorpion.engine.search cimport OUT_OF_MEMORY, WON, Search, Status, advance, begin, look_for_shorter
from scorpion.engine.table cimport close_table, mixed, open_table
from scorpion.engine.twins cimport set_guide

cdef struct Settler:
    Search search       # its root, start, budgets and options are the settler's
    Learner learner
    bint may_learn
    bint learning       # which of the two is at work


cdef inline Status set_out(Settler* s) noexcept nogil:
    """Begin to settle ``search.start``; RUNNING means to :func:`carry_on`."""
    s.search.bound = 0
    s.learning = s.may_learn and s.search.prune and learns(&s.search.root)
    if not s.learning or is_won(&s.search.root, &s.search.start):
        s.learning = False
        return begin(&s.search)
    s.learner.ground.root = s.search.root
    s.learner.limit = s.search.memory
    s.learner.max_nodes = s.search.max_nodes
    s.learner.glance = True
    return begin_learning(&s.learner, &s.search.start)


cdef inline Status carry_on(Settler* s) noexcept nogil:
    """Search a little further."""
    cdef Status status
    if not s.learning:
        return advance(&s.search)
    status = learn(&s.learner)
    return hold_to_rules(&s.learner, &s.search.start) if status == WON else status


cdef inline uint64_t nodes_seen(const Settler* s) noexcept nogil:
    return s.learner.nodes if s.learning else s.search.nodes


cdef inline Traced line_found(Settler* s, Line* line) noexcept nogil:
    """Open a line with the moves of a win, made short; nothing to close unless TRACED."""
    if s.learning:
        return learned_line(&s.learner, &s.search.start, line)
    return winning_line(&s.search, line)


cdef inline Traced path_found(Settler* s, Line* line) noexcept nogil:
    """The same as the search found it, not made short, with its steps read: in less time."""
    cdef Traced traced
    if s.learning:
        traced = learned_path(&s.learner, &s.search.start, line)
    else:
        traced = trace(&s.search, line)
    if traced == TRACED:
        read_steps(&s.search.root, &s.search.start, line)
    return traced


cdef inline Status seek_shorter(Settler* s, int length, uint64_t positions) noexcept nogil:
    """After a win in that many moves, seek one of fewer over so many positions in all.

    The greedy search does; an empty frontier only means that it knows no such line.
    """
    if not s.search.bound and positions < s.search.max_nodes - nodes_seen(s):
        s.search.max_nodes = nodes_seen(s) + positions
    if s.learning:
        s.search.nodes = s.learner.nodes
        s.search.run = 0
        s.search.chance = mixed(&s.search.start.key) | 1
        set_guide(&s.search.guide)
        finish_learning(s)
        if s.search.table.slots == NULL and not open_table(&s.search.table, s.search.memory):
            return OUT_OF_MEMORY
    return look_for_shorter(&s.search, length)


cdef inline void finish_learning(Settler* s) noexcept nogil:
    if s.learning:
        close_learning(&s.learner)
        s.learning = False


cdef inline void close_settler(Settler* s) noexcept nogil:
    finish_learning(s)
    close_table(&s.search.table)
