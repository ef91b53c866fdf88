# The line that wins: from the nodes of a search to moves on the board, made short.
#
# A search stores positions up to the order of alike columns and the names of
# interchangeable cards, so its path is carried over to the board move by move: the
# same pile to the same pile, wherever they lie. Then what was not needed is dropped.

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from scorpion.engine.blame cimport Frame
from scorpion.engine.moved cimport DEALT, Ground, empty_columns, is_slot, standing, take_back
from scorpion.engine.nogoods cimport MOST_DEPTH, Learner
from scorpion.engine.position cimport (
    DEAL, MOST_MOVES, NOTHING, STOCK, Key, Position, Root, Undo, gone, is_dealt, is_won, list_moves, make,
    same_key, seated, unmake,
)
from scorpion.engine.search cimport Search, key_of, successors
from scorpion.engine.table cimport NO_NODE, node_at

cdef enum:
    MOST_LEARNED = 128   # moves of a line that was learned, with those that put the Kings in place

# A move by what it means rather than where: it stays the same when columns differ.
cdef struct Step:
    uint8_t card
    uint8_t target   # NOTHING for an empty column
    uint8_t column   # where that was, to prefer it among several
    uint8_t last     # the open end of the pile that moves
    uint32_t node    # of the search, while the line is traced
    bint deal
    bint needless    # may be: it went to an empty column, or from one parent to another

# A line of moves, and the room to work on it, in one piece of memory.
cdef struct Line:
    int length
    uint16_t* moves
    uint16_t* trial
    Step* steps      # the moves by their meaning
    Step* order      # and in another order


cdef inline bint same_pile(
    const Root* r, const Position* p, int column, const Position* board, int other
) noexcept nogil:
    """Whether two columns hold the same kinds of cards, face up and down alike."""
    cdef int card = p.tail[column], twin = board.tail[other]
    cdef int shift = 1 if r.alternating else 0
    while card != NOTHING and twin != NOTHING:
        if card >> shift != twin >> shift or (p.up >> card ^ board.up >> twin) & 1:
            return False
        card = p.below[card]
        twin = board.below[twin]
    return card == twin


cdef inline int matching_column(
    const Root* r, const Position* p, int column, const Position* board, int besides
) noexcept nogil:
    """The column of ``board`` that holds what ``column`` holds in ``p``, but not ``besides``."""
    cdef int other
    if not is_dealt(p) and column < r.stock_size:
        return column
    for other in range(0 if is_dealt(p) else r.stock_size, r.columns):
        if other != besides and same_pile(r, p, column, board, other):
            return other
    return -1


cdef inline int carried_over(
    const Root* r, const Position* p, int move, const Position* board
) noexcept nogil:
    """The move on ``board`` that does what ``move`` does on ``p``; -1 if they differ."""
    cdef int card, depth, source, target
    if move == DEAL:
        return DEAL
    card = move & 63
    source = matching_column(r, p, p.column[card], board, -1)
    target = matching_column(r, p, move >> 6, board, source)
    if source < 0 or target < 0:
        return -1
    depth = 0
    while p.above[card] != NOTHING:
        card = p.above[card]
        depth += 1
    card = board.tail[source]
    while depth:
        card = board.below[card]
        depth -= 1
    return card | target << 6


cdef inline bint open_line(Line* line, int length) noexcept nogil:
    cdef size_t moves = 2 * length * sizeof(uint16_t), steps = 2 * length * sizeof(Step)
    line.length = length
    line.moves = <uint16_t*>malloc(moves + steps + 1)
    line.trial = line.moves + length
    line.steps = <Step*>(line.trial + length)
    line.order = line.steps + length
    return line.moves != NULL


cdef inline void close_line(Line* line) noexcept nogil:
    free(line.moves)
    line.moves = NULL


cdef inline int move_between(const Search* s, uint32_t parent, uint32_t child, Position* p) noexcept nogil:
    """The move that led from a node to the next; ``p`` becomes the parent's position.

    -1 if there is none, which would be a fault of the search.
    """
    cdef uint16_t moves[MOST_MOVES]
    cdef Key key
    cdef Undo undo
    cdef int which, found
    found = successors(s, parent, p, moves)
    for which in range(found):
        make(&s.root, p, moves[which], &undo)
        key_of(s, p, &undo, &key)
        unmake(&s.root, p, &undo)
        if same_key(&key, &node_at(&s.table, child).key):
            return moves[which]
    return -1


cdef enum Traced:
    TRACED
    NO_ROOM    # no memory for the line
    NO_PATH    # no moves lead along the path, which would be a fault of the search


cdef inline Traced trace(const Search* s, Line* line) noexcept nogil:
    """Open a line with the moves from the start to the search's last node.

    There is nothing to close unless it is TRACED.
    """
    cdef Position board = s.start, p
    cdef Undo undo
    cdef uint32_t number, parent = s.last
    cdef int length = 0, which, move
    if s.last != NO_NODE:
        number = node_at(&s.table, s.last).parent
        while number != NO_NODE:
            parent = number
            number = node_at(&s.table, number).parent
            length += 1
    if not open_line(line, length):
        return NO_ROOM
    # Backwards along the parents: each node's number waits where its move will stand.
    number = s.last
    for which in range(length - 1, -1, -1):
        line.order[which].node = number
        number = node_at(&s.table, number).parent
    for which in range(length):
        number = line.order[which].node
        move = move_between(s, parent, number, &p)
        if move >= 0:
            move = carried_over(&s.root, &p, move, &board)
        if move < 0:
            close_line(line)
            return NO_PATH
        line.moves[which] = move
        make(&s.root, &board, move, &undo)
        parent = number
    return TRACED


cdef inline Step step_of(const Position* p, int move) noexcept nogil:
    cdef Step step
    step.deal = move == DEAL
    step.card = 0
    step.target = NOTHING
    step.column = 0
    step.last = NOTHING
    step.needless = False
    step.node = 0
    if not step.deal:
        step.card = move & 63
        step.column = move >> 6
        step.target = p.tail[step.column]
        step.last = p.tail[p.column[step.card]]
        step.needless = step.target == NOTHING or (seated(p) >> step.card) & 1
    return step


cdef inline int playable(const Root* r, const Position* p, const Step* step) noexcept nogil:
    """The move that carries the step out; -1 if none does, -2 if there is nothing to do."""
    cdef uint16_t moves[MOST_MOVES]
    cdef int column, found
    if step.deal:
        found = list_moves(r, p, moves, True)
        return DEAL if found and moves[found - 1] == DEAL else -1
    if (gone(p) >> step.card) & 1:
        return -2
    if not (p.up >> step.card) & 1:
        return -1
    if step.target != NOTHING:
        if p.below[step.card] == step.target:
            return -2
        column = p.column[step.target]
        if p.tail[column] != step.target or p.column[step.card] == column:
            return -1
        if not (p.up >> step.target) & 1:
            return -1
        return step.card | column << 6
    column = step.column
    if p.tail[column] != NOTHING:
        column = 0
        while column < r.columns and p.tail[column] != NOTHING:
            column += 1
        if column == r.columns:
            return -1
    if p.below[step.card] == NOTHING and (
        is_dealt(p) or (column >= r.stock_size and p.column[step.card] >= r.stock_size)
    ):
        return -2
    return step.card | column << 6


cdef inline void read_steps(const Root* r, const Position* start, Line* line) noexcept nogil:
    cdef Position p = start[0]
    cdef Undo undo
    cdef int which
    for which in range(line.length):
        line.steps[which] = step_of(&p, line.moves[which])
        make(r, &p, line.moves[which], &undo)


cdef inline int play_steps(
    const Root* r, const Position* start, const Step* steps, int length, int without, uint16_t* moves
) noexcept nogil:
    """Play the steps less one of them (-1: all), and less what then has no effect.

    Writes the moves that win and answers their number; -1 if they do not win.
    """
    cdef Position p = start[0]
    cdef Undo undo
    cdef int which, move, written = 0
    for which in range(length):
        if which == without:
            continue
        move = playable(r, &p, &steps[which])
        if move == -1:
            return -1
        if move >= 0:
            make(r, &p, move, &undo)
            moves[written] = move
            written += 1
            if is_won(r, &p):
                return written
    return -1


cdef inline void adopt(const Root* r, const Position* start, Line* line, int length) noexcept nogil:
    """Make the moves on trial the line."""
    memcpy(line.moves, line.trial, length * sizeof(uint16_t))
    line.length = length
    read_steps(r, start, line)


cdef inline void shorten(const Root* r, const Position* start, Line* line) noexcept nogil:
    """Drop from a winning line each move that it wins without.

    Only moves that go to an empty column or from one parent to another can be
    spared: any other brings a card to a parent for the first time, which a win needs.
    Needs the steps read.
    """
    cdef int which = 0, written
    while which < line.length:
        written = -1
        if line.steps[which].needless:
            written = play_steps(r, start, line.steps, line.length, which, line.trial)
        if written >= 0:
            adopt(r, start, line, written)
        else:
            which += 1


cdef inline int continuation(const Line* line, int which) noexcept nogil:
    """The later step that builds on the pile which step ``which`` has just put down.

    Looks no further than the deal; -1 if there is none.
    """
    cdef int later
    if line.steps[which].deal:
        return -1
    for later in range(which + 1, line.length):
        if line.steps[later].deal:
            return -1
        if line.steps[later].target == line.steps[which].last:
            return later
    return -1


cdef inline void gather(const Root* r, const Position* start, Line* line) noexcept nogil:
    """Reorder a winning line so that a pile is built up move after move where it can be.

    A move that builds on what was just put down comes next, if the line then still
    wins, move for move. Only the order changes, and no move passes the deal. Needs
    the steps read.
    """
    cdef int which, later
    for which in range(line.length - 1):
        later = continuation(line, which)
        if later <= which + 1:
            continue
        memcpy(line.order, line.steps, line.length * sizeof(Step))
        line.order[which + 1] = line.steps[later]
        memcpy(&line.order[which + 2], &line.steps[which + 1], (later - which - 1) * sizeof(Step))
        if play_steps(r, start, line.order, line.length, -1, line.trial) == line.length:
            adopt(r, start, line, line.length)


cdef inline void make_short(const Root* r, const Position* start, Line* line) noexcept nogil:
    """Drop what a winning line can do without, and put the rest in good order."""
    read_steps(r, start, line)
    shorten(r, start, line)
    gather(r, start, line)


cdef inline Traced winning_line(const Search* s, Line* line) noexcept nogil:
    """Open a line with the moves of a search that has won, made short; as for :func:`trace`."""
    cdef Traced traced = trace(s, line)
    if traced == TRACED:
        make_short(&s.root, &s.start, line)
    return traced


# The same from a search that learns: the moves tried, with the Kings put where the deal
# wants them.


cdef inline int first_empty(const Root* r, const Position* p, int start) noexcept nogil:
    """The first empty column from ``start`` on; -1 if there is none."""
    while start < r.columns and p.tail[start] != NOTHING:
        start += 1
    return start if start < r.columns else -1


cdef inline int shift_kings(
    const Ground* g, const Frame* f, const Position* p, const uint8_t* wanted
) noexcept nogil:
    """A move that brings the Kings' piles nearer to where they are wanted; -1 if all stand there.

    ``wanted`` says what base each column shall have on which the stock lands. A pile
    that is wanted on an empty column goes there; else one that stands where another
    is wanted, then where none is wanted, makes room. A column once right stays so,
    and each that is emptied for another pile is filled next, so this ends.
    """
    cdef int column, space, base, pass_
    for column in range(g.root.stock_size):
        if is_slot(g, &f.at, column) and p.tail[column] == NOTHING and wanted[column] != NOTHING:
            return wanted[column] | column << 6
    for pass_ in range(2):
        for column in range(g.root.stock_size):
            if not is_slot(g, &f.at, column) or p.tail[column] == NOTHING:
                continue
            base = p.tail[column]
            while p.below[base] != NOTHING:
                base = p.below[base]
            if base != wanted[column] and (wanted[column] == NOTHING) == pass_:
                space = first_empty(&g.root, p, g.root.stock_size)
                if space < 0:
                    space = first_empty(&g.root, p, 0)
                return base | space << 6
    return -1


cdef inline int trace_learned(Learner* learner, Position* p, uint16_t* line) noexcept nogil:
    """Write the moves from the start to the position that the frames lead to; their number.

    They are played on ``p``, which is the start, and the learner goes back to it. The
    Kings are put in place when a column is empty for the last time before the deal: at
    the deal itself, or else before a King moves to it.
    """
    cdef Undo undo
    cdef uint8_t wanted[STOCK]
    cdef Ground* g = &learner.ground
    cdef Frame* f
    cdef int which, length = 0, move, deal = -1, last_space = -1, column
    for which in range(learner.depth - 1, -1, -1):
        f = &learner.frames[which]
        take_back(g, &f.at, f.move, &(f + 1).at)
        if learner.frames[which].move == DEALT:
            deal = which
    for which in range(deal, -1, -1):
        if empty_columns(g, &learner.frames[which].at) > 0:
            last_space = which
            break
    for which in range(learner.depth):
        f = &learner.frames[which]
        if which == last_space:
            for column in range(g.root.stock_size):
                wanted[column] = standing(g, &learner.frames[deal].at, learner.frames[deal].code, column)
                if wanted[column] == f.move:
                    wanted[column] = NOTHING
            while length < MOST_LEARNED - MOST_DEPTH:
                move = shift_kings(g, f, p, wanted)
                if move < 0:
                    break
                make(&g.root, p, move, &undo)
                line[length] = move
                length += 1
        if f.move == DEALT:
            move = DEAL
        elif (g.root.kings >> f.move) & 1:
            move = f.move | first_empty(&g.root, p, 0) << 6
        else:
            move = f.move | p.column[f.move + 4] << 6
        make(&g.root, p, move, &undo)
        line[length] = move
        length += 1
    return length


cdef inline Traced learned_path(Learner* learner, const Position* start, Line* line) noexcept nogil:
    """Open a line with the moves of a learner that has won; as for :func:`trace`."""
    cdef uint16_t moves[MOST_LEARNED]
    cdef Position p = start[0]
    cdef int length = trace_learned(learner, &p, moves)
    if not is_won(&learner.ground.root, &p):
        return NO_PATH
    if not open_line(line, length):
        return NO_ROOM
    memcpy(line.moves, moves, length * sizeof(uint16_t))
    return TRACED


cdef inline Traced learned_line(Learner* learner, const Position* start, Line* line) noexcept nogil:
    """The same, made short."""
    cdef Traced traced = learned_path(learner, start, line)
    if traced == TRACED:
        make_short(&learner.ground.root, start, line)
    return traced
