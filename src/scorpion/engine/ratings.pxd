# What each move of a board is worth: one search over all of them.
#
# The board itself is settled first, with up to half of the positions allowed; then each
# move that is still open, in the order of the list, with an equal share of what is left
# for it and those to come. What one question finds out serves the next:
#
# - Where the board is lost, every move is.
# - A move that only relabels columns (a column led to an empty one) can be taken back by
#   another, so it is worth what the board is.
# - Moves that lead to the same position up to the order of alike columns and the names of
#   interchangeable cards are worth the same.
# - A line that won once is tried after the next move too, less what has no effect then.
#   If it wins, nothing need be searched.
# - The greedy search keeps the positions of every question that ended with an empty
#   frontier. They hold no win, and all that is tried from one of them is among them. So
#   whatever path leads from another start to a win leads past all of them, and they need
#   not be looked at again. (All questions have one root, so that keys mean the same.)
# - The learner answers every question from the start of the board with the move in
#   question made first, so the nogoods it has hold on: they speak of all positions that
#   can be reached from there. (moved.pxd leaves open in which column a King stands. Only
#   where a King takes the last space before the deal does the move say more than the
#   set of moved cards, and where it relabels columns it says less: such moves are
#   *apart*, and settled last, each from itself. So are all where the stock still waits
#   until one is stuck: some of what is learned then holds for one position only.)

from libc.stdint cimport uint16_t, uint64_t
from libc.string cimport memcpy

from scorpion.engine.line cimport (
    BROKEN, MOST_LEARNED, NO_ROOM, TRACED, Line, Step, Traced, close_line, open_line, play_steps,
    playable, read_steps, step_of, trace, trace_learned,
)
from scorpion.engine.moved cimport DEALT, learns, standing_now
from scorpion.engine.nogoods cimport close_learning, go_back, learn_after
from scorpion.engine.position cimport (
    DEAL, MOST_MOVES, NOTHING, Key, Position, Root, Undo, is_dealt, is_won, list_moves, make, same_key,
    search_key, set_root,
)
from scorpion.engine.search cimport EXHAUSTED, WON, Status, begin
from scorpion.engine.settle cimport Settler, close_settler, nodes_seen, set_out
from scorpion.engine.table cimport empty_table

cdef enum:
    MOST_LINES = 8   # winning lines that are tried after other moves
    THE_BOARD = -1   # the question that is none of the moves

cdef enum Worth:
    WINS
    LOSES
    UNSETTLED       # its share of the positions ran out
    UNKNOWN    # not asked yet

# A line that has won, from the start or after another move.
cdef struct Known:
    Line line
    Step first
    bint has_first

cdef struct Ratings:
    Settler* settler
    Root root
    Position start
    int found
    uint16_t moves[MOST_MOVES]
    Worth worth[MOST_MOVES]
    Key leads_to[MOST_MOVES]
    Worth board          # what the board itself is worth
    int asked            # the move that is being settled
    uint64_t left        # positions that may still be seen
    uint64_t nodes       # those seen
    bint learning        # whether the game is one that is learned
    bint last_space      # and a King can take the last space before the deal
    uint64_t before      # positions that the search had seen before this question
    Known lines[MOST_LINES]
    int line_count
    bint broken          # a win was found but no moves lead to it: a fault of the search


cdef inline Status begin_ratings(Ratings* s, uint64_t max_nodes) noexcept nogil:
    """Set out to settle ``settler.search.start``; RUNNING means to search on."""
    cdef Position p = s.settler.search.start
    cdef Undo undo
    cdef int which, spaces = 0
    s.root = s.settler.search.root
    s.start = p
    s.found = list_moves(&s.root, &p, s.moves, False)
    for which in range(s.found):
        s.worth[which] = UNKNOWN
        make(&s.root, &p, s.moves[which], &undo)
        search_key(&s.root, &p, &s.leads_to[which])
        p = s.start
    for which in range(s.root.columns):
        spaces += p.tail[which] == NOTHING
    s.board = UNKNOWN
    s.asked = THE_BOARD
    s.left = max_nodes
    s.nodes = s.before = 0
    s.line_count = 0
    s.broken = False
    s.learning = learns(&s.root)
    s.last_space = s.learning and spaces == 1 and not is_dealt(&p)
    s.settler.search.max_nodes = max_nodes - max_nodes // 2
    return set_out(s.settler)


cdef inline bint is_relabelling(const Ratings* s, int move) noexcept nogil:
    return move != DEAL and s.start.below[move & 63] == NOTHING and s.start.tail[move >> 6] == NOTHING


cdef inline bint wins_by(const Ratings* s, int move, const Known* known) noexcept nogil:
    """Whether a known line wins after the move as well."""
    cdef Position p = s.start
    cdef Undo undo
    cdef int first
    make(&s.root, &p, move, &undo)
    if known.has_first:
        first = playable(&s.root, &p, &known.first)
        if first == -1:
            return False
        if first >= 0:
            make(&s.root, &p, first, &undo)
    return play_steps(
        &s.root, &p, known.line.steps, known.line.length, -1, known.line.trial
    ) >= 0


cdef inline Worth at_a_glance(const Ratings* s, int which) noexcept nogil:
    """What a move is worth, from what is known already; UNKNOWN if that does not say."""
    cdef int other
    if s.board == LOSES or (s.board == WINS and is_relabelling(s, s.moves[which])):
        return s.board
    for other in range(s.found):
        if s.worth[other] != UNKNOWN and same_key(&s.leads_to[other], &s.leads_to[which]):
            return s.worth[other]
    for other in range(s.line_count):
        if wins_by(s, s.moves[which], &s.lines[other]):
            return WINS
    return UNKNOWN


cdef inline bint is_apart(const Ratings* s, int move) noexcept nogil:
    """Whether the learner cannot take a move for what it is."""
    if s.learning and s.root.when_stuck and not is_dealt(&s.start):
        return True
    if not s.learning or move == DEAL or s.start.tail[move >> 6] != NOTHING:
        return False
    return s.last_space or is_relabelling(s, move)


cdef inline Status ask(Ratings* s, int which, uint64_t share) noexcept nogil:
    """Set out to settle what a move leads to."""
    cdef Settler* settler = s.settler
    cdef int move = s.moves[which]
    cdef Undo undo
    s.asked = which
    s.before = 0
    if s.learning and not is_apart(s, move):
        s.before = settler.learner.nodes
        settler.learner.max_nodes = s.before + share
        if move == DEAL:
            return learn_after(
                &settler.learner, DEALT,
                standing_now(&settler.learner.ground, &settler.learner.frames[0].at),
            )
        return learn_after(&settler.learner, move & 63, 0)
    settler.search.start = s.start
    make(&s.root, &settler.search.start, move, &undo)
    settler.search.max_nodes = share
    if s.learning:
        close_learning(&settler.learner)
        set_root(&settler.search.root, &settler.search.start)
        return set_out(settler)
    if settler.search.table.slots != NULL:
        empty_table(&settler.search.table)
    return begin(&settler.search)


cdef inline Status ask_next(Ratings* s) noexcept nogil:
    """Rate moves as long as that goes at a glance, then set out to settle the next.

    EXHAUSTED means that all are rated; otherwise the answer is to be noted at once
    unless it is RUNNING.
    """
    cdef int which, later = 0, turn
    for which in range(s.found):
        later += s.worth[which] == UNKNOWN
    for turn in range(2):
        for which in range(s.found):
            if s.worth[which] != UNKNOWN or is_apart(s, s.moves[which]) != turn:
                continue
            s.worth[which] = at_a_glance(s, which)
            if s.worth[which] == UNKNOWN and s.left == 0:
                s.worth[which] = UNSETTLED
            if s.worth[which] == UNKNOWN:
                return ask(s, which, (s.left + later - 1) // later)
            later -= 1
    s.asked = s.found
    return EXHAUSTED


cdef inline void keep_line(Ratings* s) noexcept nogil:
    """After a win: keep the line, if there is room for it."""
    cdef uint16_t moves[MOST_LEARNED]
    cdef Settler* settler = s.settler
    cdef Known* known = &s.lines[s.line_count]
    cdef Position p = s.start, start
    cdef Traced traced
    cdef int length
    if s.line_count == MOST_LINES:
        return
    known.has_first = s.asked != THE_BOARD and (
        not s.learning or is_apart(s, s.moves[s.asked])
    )
    if known.has_first:
        known.first = step_of(&s.start, s.moves[s.asked])
    if known.has_first:
        p = settler.search.start
    start = p
    if settler.learning:
        length = trace_learned(&settler.learner, &p, moves)
        settler.learner.depth = 0
        traced = NO_ROOM if is_won(&s.root, &p) else BROKEN
        if traced == NO_ROOM and open_line(&known.line, length):
            memcpy(known.line.moves, moves, length * sizeof(uint16_t))
            traced = TRACED
    else:
        traced = trace(&settler.search, &known.line)
    if traced == TRACED:
        read_steps(&s.root, &start, &known.line)
        s.line_count += 1
    s.broken = s.broken or traced == BROKEN


cdef inline void note_answer(Ratings* s, Status status) noexcept nogil:
    """Take in how a question ended; anything but WON or EXHAUSTED leaves it open."""
    cdef Settler* settler = s.settler
    cdef Worth worth = WINS if status == WON else LOSES if status == EXHAUSTED else UNSETTLED
    cdef uint64_t seen = nodes_seen(settler) - s.before
    s.nodes += seen
    s.left -= seen if seen < s.left else s.left
    if s.asked == THE_BOARD:
        s.board = worth
    else:
        s.worth[s.asked] = worth
    if worth == WINS:
        keep_line(s)
    if settler.learning:
        go_back(&settler.learner)
    elif worth == LOSES:
        settler.search.table.kept = settler.search.table.size


cdef inline void close_ratings(Ratings* s) noexcept nogil:
    cdef int which
    for which in range(s.line_count):
        close_line(&s.lines[which].line)
    close_settler(s.settler)
