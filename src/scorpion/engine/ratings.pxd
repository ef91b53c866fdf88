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
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from scorpion.engine.clock cimport clock
from scorpion.engine.keys cimport search_key, set_root
from scorpion.engine.line cimport (
    MOST_LEARNED, NO_PATH, NO_ROOM, TRACED, Line, Step, Traced, close_line, open_line, play_steps,
    playable, read_steps, step_of, trace, trace_learned,
)
from scorpion.engine.moved cimport DEALT, learns, standing_now
from scorpion.engine.nogoods cimport begin_learning_after, close_learning, go_back
from scorpion.engine.outcomes cimport LOST, NOT_YET, OUT_OF_NODES, WON, Outcome
from scorpion.engine.position cimport (
    DEAL, MOST_MOVES, NOTHING, Key, Position, Root, Undo, is_dealt, is_won, list_moves, make, same_key,
)
from scorpion.engine.search cimport begin_search
from scorpion.engine.settle cimport (
    Settler, begin_settling, close_settler, new_settler, nodes_seen, resume_settling,
)
from scorpion.engine.table cimport empty_table

cdef enum:
    MOST_LINES = 8   # winning lines that are tried after other moves
    THE_BOARD = -1   # the question that is none of the moves

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
    Outcome worth[MOST_MOVES]
    Key leads_to[MOST_MOVES]
    Outcome board          # what the board itself is worth
    int asked            # the move that is being settled
    Outcome outcome      # of that, so far
    uint64_t left        # positions that may still be seen
    uint64_t nodes       # those seen
    bint learning        # whether the game is one that is learned
    bint last_space      # and a King can take the last space before the deal
    uint64_t before      # positions that the search had seen before this question
    Known lines[MOST_LINES]
    int line_count
    bint broken          # a win was found but no moves lead to it: a fault of the search


cdef inline void begin_ratings(Ratings* ratings, uint64_t max_nodes) noexcept nogil:
    """Begin to rate the moves of ``settler.search.start``."""
    cdef Position p = ratings.settler.search.start
    cdef Undo undo
    cdef int which, spaces = 0
    ratings.root = ratings.settler.search.root
    ratings.start = p
    ratings.found = list_moves(&ratings.root, &p, ratings.moves, False)
    for which in range(ratings.found):
        ratings.worth[which] = NOT_YET
        make(&ratings.root, &p, ratings.moves[which], &undo)
        search_key(&ratings.root, &p, &ratings.leads_to[which])
        p = ratings.start
    for which in range(ratings.root.columns):
        spaces += p.tail[which] == NOTHING
    ratings.board = NOT_YET
    ratings.asked = THE_BOARD
    ratings.left = max_nodes
    ratings.nodes = ratings.before = 0
    ratings.line_count = 0
    ratings.broken = False
    ratings.learning = learns(&ratings.root)
    ratings.last_space = ratings.learning and spaces == 1 and not is_dealt(&p)
    ratings.settler.search.max_nodes = max_nodes - max_nodes // 2
    ratings.outcome = begin_settling(ratings.settler)


cdef inline bint is_relabelling(const Ratings* ratings, int move) noexcept nogil:
    return (
        move != DEAL
        and ratings.start.below[move & 63] == NOTHING
        and ratings.start.tail[move >> 6] == NOTHING
    )


cdef inline bint wins_by(const Ratings* ratings, int move, const Known* known) noexcept nogil:
    """Whether a known line wins after the move as well."""
    cdef Position p = ratings.start
    cdef Undo undo
    cdef int first
    make(&ratings.root, &p, move, &undo)
    if known.has_first:
        first = playable(&ratings.root, &p, &known.first)
        if first == -1:
            return False
        if first >= 0:
            make(&ratings.root, &p, first, &undo)
    return play_steps(
        &ratings.root, &p, known.line.steps, known.line.length, -1, known.line.trial
    ) >= 0


cdef inline Outcome at_a_glance(const Ratings* ratings, int which) noexcept nogil:
    """What a move is worth, from what is known already; NOT_YET if that does not say."""
    cdef int other
    if ratings.board == LOST or (ratings.board == WON and is_relabelling(ratings, ratings.moves[which])):
        return ratings.board
    for other in range(ratings.found):
        if ratings.worth[other] != NOT_YET and same_key(&ratings.leads_to[other], &ratings.leads_to[which]):
            return ratings.worth[other]
    for other in range(ratings.line_count):
        if wins_by(ratings, ratings.moves[which], &ratings.lines[other]):
            return WON
    return NOT_YET


cdef inline bint is_apart(const Ratings* ratings, int move) noexcept nogil:
    """Whether the learner cannot take a move for what it is."""
    if ratings.learning and ratings.root.when_stuck and not is_dealt(&ratings.start):
        return True
    if not ratings.learning or move == DEAL or ratings.start.tail[move >> 6] != NOTHING:
        return False
    return ratings.last_space or is_relabelling(ratings, move)


cdef inline Outcome ask(Ratings* ratings, int which, uint64_t share) noexcept nogil:
    """Set out to settle what a move leads to."""
    cdef Settler* settler = ratings.settler
    cdef int move = ratings.moves[which]
    cdef Undo undo
    ratings.asked = which
    ratings.before = 0
    if ratings.learning and not is_apart(ratings, move):
        ratings.before = settler.learner.nodes
        settler.learner.max_nodes = ratings.before + share
        if move == DEAL:
            return begin_learning_after(
                &settler.learner, DEALT,
                standing_now(&settler.learner.ground, &settler.learner.frames[0].at),
            )
        return begin_learning_after(&settler.learner, move & 63, 0)
    settler.search.start = ratings.start
    make(&ratings.root, &settler.search.start, move, &undo)
    settler.search.max_nodes = share
    if ratings.learning:
        close_learning(&settler.learner)
        set_root(&settler.search.root, &settler.search.start)
        return begin_settling(settler)
    if settler.search.table.slots != NULL:
        empty_table(&settler.search.table)
    return begin_search(&settler.search)


cdef inline Outcome ask_next(Ratings* ratings) noexcept nogil:
    """Rate moves as long as that goes at a glance, then set out to settle the next.

    LOST means that all are rated; otherwise the answer is to be noted at once
    unless it is NOT_YET.
    """
    cdef int which, later = 0, turn
    for which in range(ratings.found):
        later += ratings.worth[which] == NOT_YET
    for turn in range(2):
        for which in range(ratings.found):
            if ratings.worth[which] != NOT_YET or is_apart(ratings, ratings.moves[which]) != turn:
                continue
            ratings.worth[which] = at_a_glance(ratings, which)
            if ratings.worth[which] == NOT_YET and ratings.left == 0:
                ratings.worth[which] = OUT_OF_NODES
            if ratings.worth[which] == NOT_YET:
                return ask(ratings, which, (ratings.left + later - 1) // later)
            later -= 1
    ratings.asked = ratings.found
    return LOST


cdef inline void keep_line(Ratings* ratings) noexcept nogil:
    """After a win: keep the line, if there is room for it."""
    cdef uint16_t moves[MOST_LEARNED]
    cdef Settler* settler = ratings.settler
    cdef Known* known = &ratings.lines[ratings.line_count]
    cdef Position p = ratings.start, start
    cdef Traced traced
    cdef int length
    if ratings.line_count == MOST_LINES:
        return
    known.has_first = ratings.asked != THE_BOARD and (
        not ratings.learning or is_apart(ratings, ratings.moves[ratings.asked])
    )
    if known.has_first:
        known.first = step_of(&ratings.start, ratings.moves[ratings.asked])
    if known.has_first:
        p = settler.search.start
    start = p
    if settler.learning:
        length = trace_learned(&settler.learner, &p, moves)
        settler.learner.depth = 0
        traced = NO_ROOM if is_won(&ratings.root, &p) else NO_PATH
        if traced == NO_ROOM and open_line(&known.line, length):
            memcpy(known.line.moves, moves, length * sizeof(uint16_t))
            traced = TRACED
    else:
        traced = trace(&settler.search, &known.line)
    if traced == TRACED:
        read_steps(&ratings.root, &start, &known.line)
        ratings.line_count += 1
    ratings.broken = ratings.broken or traced == NO_PATH


cdef inline void note_answer(Ratings* ratings, Outcome outcome) noexcept nogil:
    """Take in how a question ended; anything but WON or LOST leaves it open."""
    cdef Settler* settler = ratings.settler
    cdef Outcome worth = outcome if outcome in (WON, LOST) else OUT_OF_NODES
    cdef uint64_t seen = nodes_seen(settler) - ratings.before
    ratings.nodes += seen
    ratings.left -= seen if seen < ratings.left else ratings.left
    if ratings.asked == THE_BOARD:
        ratings.board = worth
    else:
        ratings.worth[ratings.asked] = worth
    if worth == WON:
        keep_line(ratings)
    if settler.learning:
        go_back(&settler.learner)
    elif worth == LOST:
        settler.search.table.kept = settler.search.table.size


cdef inline bint resume_ratings(void* work, double until, uint64_t* done) noexcept nogil:
    """Settle one question after the other, as Work."""
    cdef Ratings* ratings = <Ratings*>work
    while ratings.asked < ratings.found:
        if ratings.outcome == NOT_YET:
            ratings.outcome = resume_settling(ratings.settler, until)
        if ratings.outcome == NOT_YET:
            break
        note_answer(ratings, ratings.outcome)
        ratings.outcome = ask_next(ratings)
        if clock() >= until:
            break
    done[0] = ratings.nodes
    return ratings.asked < ratings.found


cdef inline Ratings* new_ratings(uint64_t max_nodes, uint64_t max_memory) noexcept nogil:
    """Room to rate within the budget; NULL where there is none."""
    cdef Ratings* ratings = NULL
    if sizeof(Ratings) <= max_memory:
        ratings = <Ratings*>malloc(sizeof(Ratings))
    if ratings != NULL:
        ratings.settler = new_settler(max_nodes, max_memory - sizeof(Ratings))
        if ratings.settler == NULL:
            free(ratings)
            ratings = NULL
    return ratings


cdef inline void close_ratings(Ratings* ratings) noexcept nogil:
    cdef int which
    for which in range(ratings.line_count):
        close_line(&ratings.lines[which].line)
    close_settler(ratings.settler)
    free(ratings)
