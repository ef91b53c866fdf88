# The line that wins: from the nodes of a search to moves on the board, made short.
#
# A search stores positions up to the order of alike columns and the names of
# interchangeable cards, so its path is carried over to the board move by move: the
# same pile to the same pile, wherever they lie. Then what was not needed is dropped.

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from scorpion.position cimport (
    DEAL, MOST_MOVES, NOTHING, Key, Position, Root, Undo, gone, is_dealt, is_won, list_moves, make,
    same_key, search_key, seated, unmake, unpack,
)
from scorpion.search cimport Search, key_of
from scorpion.table cimport NO_NODE, node_at

cdef enum:
    MOST_STEPS = 4096

# A move by what it means rather than where: it stays the same when columns differ.
cdef struct Step:
    uint8_t card
    uint8_t target   # NOTHING for an empty column
    uint8_t column   # where that was, to prefer it among several
    bint deal
    bint needless    # may be: it went to an empty column, or from one parent to another


cdef inline bint same_pile(
    const Root* r, const Position* p, int column, const Position* q, int other
) noexcept nogil:
    """Whether two columns hold the same kinds of cards, face up and down alike."""
    cdef int card = p.tail[column], twin = q.tail[other]
    cdef int shift = 1 if r.alternating else 0
    while card != NOTHING and twin != NOTHING:
        if card >> shift != twin >> shift or (p.up >> card ^ q.up >> twin) & 1:
            return False
        card = p.below[card]
        twin = q.below[twin]
    return card == twin


cdef inline int matching_column(
    const Root* r, const Position* p, int column, const Position* q, int besides
) noexcept nogil:
    """The column of ``q`` that holds what ``column`` holds in ``p``, but not ``besides``."""
    cdef int other
    if not is_dealt(p) and column < r.stock_size:
        return column
    for other in range(0 if is_dealt(p) else r.stock_size, r.columns):
        if other != besides and same_pile(r, p, column, q, other):
            return other
    return -1


cdef inline int carried_over(
    const Root* r, const Position* p, int move, const Position* q
) noexcept nogil:
    """The move on ``q`` that does what ``move`` does on ``p``; -1 if they differ."""
    cdef int card, depth, source, target
    if move == DEAL:
        return DEAL
    card = move & 63
    source = matching_column(r, p, p.column[card], q, -1)
    target = matching_column(r, p, move >> 6, q, source)
    if source < 0 or target < 0:
        return -1
    depth = 0
    while p.above[card] != NOTHING:
        card = p.above[card]
        depth += 1
    card = q.tail[source]
    while depth:
        card = q.below[card]
        depth -= 1
    return card | target << 6


cdef inline int trace(const Search* s, uint16_t* line) noexcept nogil:
    """Write the moves from the start to the search's last node; their number, or -1."""
    cdef uint32_t path[MOST_STEPS]
    cdef uint16_t moves[MOST_MOVES]
    cdef Position board, p
    cdef Key key
    cdef Undo undo
    cdef uint32_t number = s.last
    cdef int length = 0, step, which, found, move
    while number != NO_NODE:
        if length == MOST_STEPS:
            return -1
        path[length] = number
        length += 1
        number = node_at(&s.table, number).parent
    if length == 0:
        return 0
    board = s.start
    for step in range(length - 1):
        unpack(&s.root, &node_at(&s.table, path[length - 1 - step]).key, &p)
        found = list_moves(&s.root, &p, moves, True)
        move = -1
        for which in range(found):
            make(&s.root, &p, moves[which], &undo)
            key_of(s, &p, &key)
            unmake(&s.root, &p, &undo)
            if same_key(&key, &node_at(&s.table, path[length - 2 - step]).key):
                move = carried_over(&s.root, &p, moves[which], &board)
                break
        if move < 0:
            return -1
        line[step] = move
        make(&s.root, &board, move, &undo)
    return length - 1


cdef inline Step step_of(const Position* p, int move) noexcept nogil:
    cdef Step step
    step.deal = move == DEAL
    step.card = 0
    step.target = NOTHING
    step.column = 0
    step.needless = False
    if not step.deal:
        step.card = move & 63
        step.column = move >> 6
        step.target = p.tail[step.column]
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


cdef inline int replay(
    const Root* r, const Position* start, const uint16_t* line, int length, int without, uint16_t* out
) noexcept nogil:
    """Play the line less one of its moves, and less what then has no effect.

    Writes the moves that win and answers their number; -1 if they do not win.
    """
    cdef Position p = start[0], original = start[0]
    cdef Undo undo
    cdef Step step
    cdef int which, move, written = 0
    for which in range(length):
        step = step_of(&original, line[which])
        make(r, &original, line[which], &undo)
        if which == without:
            continue
        move = playable(r, &p, &step)
        if move == -1:
            return -1
        if move >= 0:
            make(r, &p, move, &undo)
            out[written] = move
            written += 1
            if is_won(r, &p):
                return written
    return -1


cdef inline int shorten(
    const Root* r, const Position* start, uint16_t* line, int length
) noexcept nogil:
    """Drop from a winning line each move that it wins without; answer the new length.

    Only moves that go to an empty column or from one parent to another can be
    spared: any other brings a card to a parent for the first time, which a win needs.
    """
    cdef uint16_t shorter[MOST_STEPS]
    cdef Position p
    cdef Undo undo
    cdef Step step
    cdef int which = 0, written
    p = start[0]
    while which < length:
        step = step_of(&p, line[which])
        if step.needless:
            written = replay(r, start, line, length, which, shorter)
            if written >= 0:
                memcpy(line, shorter, written * sizeof(uint16_t))
                length = written
                which = 0
                p = start[0]
                continue
        make(r, &p, line[which], &undo)
        which += 1
    return length
