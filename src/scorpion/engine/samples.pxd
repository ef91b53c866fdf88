# How often each move keeps the win, over many deals of the cards that cannot be seen.

from libc.stdint cimport uint16_t, uint64_t

from scorpion.engine.clock cimport clock
from scorpion.engine.keys cimport set_root
from scorpion.engine.line cimport Line, close_line, playable
from scorpion.engine.outcomes cimport BROKEN, LOST, NOT_YET, WON, Outcome
from scorpion.engine.position cimport (
    DEAL, MOST_MOVES, NOTHING, Position, Root, Undo, is_dealt, is_won, list_moves, make, seated,
)
from scorpion.engine.settle cimport Settler, begin_settling, clear_settler, path_found, resume_settling
from scorpion.engine.unseen cimport Unseen, deal_unseen

cdef enum:
    DEAL_ITSELF = -1     # what is being settled is the deal, not yet a move on it
    MOST_STEPS = 256     # longer lines are not put in another order

cdef struct Sampling:
    Settler* settler
    Unseen unseen
    Root seen_root           # what can be seen, with stand-ins
    Position seen
    Root root                # the deal at hand
    Position dealt
    int count                # legal moves, the same in every deal
    uint16_t moves[MOST_MOVES]
    int alike[MOST_MOVES]    # the first move that differs only in which of two empty columns it fills
    Outcome after[MOST_MOVES]  # in the deal at hand
    uint64_t kept[MOST_MOVES]  # how many deals each move kept
    uint64_t done            # deals
    int at                   # the move being settled, or DEAL_ITSELF
    Line line                # that wins the deal at hand
    bint under_way
    bint broken


cdef inline void begin_sampling(Sampling* sampling) noexcept nogil:
    """List the moves of the position seen, and which of them are alike."""
    cdef int which, other, column
    sampling.count = list_moves(&sampling.seen_root, &sampling.seen, sampling.moves, False)
    for which in range(sampling.count):
        sampling.kept[which] = 0
        sampling.alike[which] = which
        column = sampling.moves[which] >> 6
        if sampling.moves[which] == DEAL or sampling.seen.tail[column] != NOTHING:
            continue
        if not is_dealt(&sampling.seen) and column < sampling.seen_root.stock_size:
            continue
        for other in range(which):
            column = sampling.moves[other] >> 6
            if (
                (sampling.moves[other] ^ sampling.moves[which]) & 63 == 0
                and sampling.moves[other] != DEAL
                and sampling.seen.tail[column] == NOTHING
                and (is_dealt(&sampling.seen) or column >= sampling.seen_root.stock_size)
            ):
                sampling.alike[which] = other
                break
    sampling.done = 0
    sampling.at = DEAL_ITSELF
    sampling.under_way = sampling.broken = False


cdef inline bint play_on(const Sampling* sampling, int which, Position* p) noexcept nogil:
    """Play a move on the deal at hand; a move that only relabels columns with the stock dealt next.

    Alone it would never fall behind, since it can be taken back: all that it serves is
    where the stock lands. False if that may not be dealt then.
    """
    cdef uint16_t found[MOST_MOVES]
    cdef Undo undo
    cdef int move = sampling.moves[which], count
    p[0] = sampling.dealt
    make(&sampling.root, p, move, &undo)
    if (
        move == DEAL
        or sampling.seen.below[move & 63] != NOTHING
        or sampling.seen.tail[move >> 6] != NOTHING
    ):
        return True
    count = list_moves(&sampling.root, p, found, True)
    if count == 0 or found[count - 1] != DEAL:
        return False
    make(&sampling.root, p, DEAL, &undo)
    return True


cdef inline Outcome settle_next(Sampling* sampling, Settler* settler) noexcept nogil:
    """Begin to settle the next deal, or the next move on the deal at hand."""
    sampling.under_way = True
    if sampling.at == DEAL_ITSELF:
        deal_unseen(&sampling.unseen, &sampling.seen_root, &sampling.seen, &sampling.root, &sampling.dealt)
    settler.search.root = sampling.root
    settler.search.start = sampling.dealt
    if sampling.at != DEAL_ITSELF:
        if not play_on(sampling, sampling.at, &settler.search.start):
            return LOST
        set_root(&settler.search.root, &settler.search.start)
    return begin_settling(settler)


cdef inline bint line_wins_after(const Sampling* sampling, int first) noexcept nogil:
    """Whether the line of the deal at hand, put in another order, wins after the move too.

    Its steps are played in turn as far as they can be, and what was left out is tried
    again, until the game is won or nothing more goes. A win by play is a win; where this
    finds none, nothing is known.
    """
    cdef Position p
    cdef Undo undo
    cdef int which, move
    cdef bint going = True
    cdef bint waiting[MOST_STEPS]
    if sampling.line.length > MOST_STEPS or not play_on(sampling, first, &p):
        return False
    for which in range(sampling.line.length):
        waiting[which] = True
    while going and not is_won(&sampling.root, &p):
        going = False
        for which in range(sampling.line.length):
            if not waiting[which]:
                continue
            move = playable(&sampling.root, &p, &sampling.line.steps[which])
            if move == -1:
                continue
            waiting[which] = False
            if move >= 0:
                make(&sampling.root, &p, move, &undo)
                going = True
    return is_won(&sampling.root, &p)


cdef inline void note_line(Sampling* sampling, Settler* settler) noexcept nogil:
    """A line wins the deal at hand: so may it after many of the moves."""
    cdef int which
    cdef Outcome outcome = path_found(settler, &sampling.line)
    sampling.broken = outcome == BROKEN
    if outcome != WON:
        return
    for which in range(sampling.count):
        if sampling.alike[which] == which and line_wins_after(sampling, which):
            sampling.after[which] = WON
    close_line(&sampling.line)


cdef inline void note_outcome(Sampling* sampling, Settler* settler, Outcome outcome) noexcept nogil:
    """Note what was settled, and go on to the next move or deal.

    On a lost deal every move is lost. A move that was not settled within its budget
    counts as one that does not keep the win.
    """
    cdef int which
    sampling.under_way = False
    if sampling.at != DEAL_ITSELF:
        sampling.after[sampling.at] = outcome
    else:
        for which in range(sampling.count):
            sampling.after[which] = LOST if outcome == LOST else NOT_YET
        if outcome == WON:
            note_line(sampling, settler)
    for which in range(sampling.count):
        if sampling.alike[which] == which and sampling.after[which] == NOT_YET:
            sampling.at = which
            return
    for which in range(sampling.count):
        sampling.kept[which] += sampling.after[sampling.alike[which]] == WON
    sampling.done += 1
    sampling.at = DEAL_ITSELF


cdef inline bint resume_sampling(void* work, double until, uint64_t* done) noexcept nogil:
    """Settle one after the other, as Work."""
    cdef Sampling* sampling = <Sampling*>work
    cdef Settler* settler = sampling.settler
    cdef Outcome outcome
    while sampling.done < sampling.unseen.deals and not sampling.broken:
        outcome = NOT_YET if sampling.under_way else settle_next(sampling, settler)
        if outcome == NOT_YET:
            outcome = resume_settling(settler, until)
        if outcome != NOT_YET:
            note_outcome(sampling, settler, outcome)
            clear_settler(settler)
        if clock() >= until:
            break
    done[0] = sampling.done
    return sampling.done < sampling.unseen.deals and not sampling.broken


cdef inline bint goes_to_and_fro(const Sampling* sampling, int move) noexcept nogil:
    """Whether the card leaves a parent, or is no King and goes to an empty column."""
    if move == DEAL:
        return False
    if (seated(&sampling.seen) >> (move & 63)) & 1:
        return True
    return sampling.seen.tail[move >> 6] == NOTHING and not (sampling.seen_root.kings >> (move & 63)) & 1
