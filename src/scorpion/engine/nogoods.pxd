# Learning from dead ends: in-suit games whose spaces only Kings fill.
#
# Example (suit, king, 3 ranks, 2C to be dealt), lost after the deal and before:
#
#     3S 3H AC
#     3D 2H AH
#     AS 3C 2S
#     2D AD
#
# Dealt, 2C falls on AC. The closure finds that then nothing more can be uncovered that a win
# needs; its nogood has DEALT in P, relies on 2C having landed on AC, and refutes the deal. Without
# the deal 2C never joins 3C, so a second nogood, with DEALT in C, refutes the position itself.
#
# Positions are sets of moved cards here (moved.pxd), and moved cards stay moved.
#
# A *nogood* (P, C) says: every position in which all of P has moved and none of C has
# is lost. Each is proved so: a win moves all of C; take the first of C to move, in
# whatever position S it does (S still has P moved and C unmoved).
#   - Either a fact within (P, C) forbids that this card is the first (`explain`),
#   - or the move leads to a position where another nogood (P', C') holds, with P' less
#     the card inside P, and C' inside C.
# Two ways to get one: at a position that the closure proves dead, all cards that it
# never lets go are explained by one another. At any other, C grows from one card
# which must move: those that cannot move now are explained, which may add cards to P
# and C, and those that can are tried. If a try is refuted without relying on the card
# just moved, its nogood refutes the position as it stands.
# (Nogoods and backjumping: Dechter, "Enhancement schemes for constraint processing",
# Artificial Intelligence 41, 1990; Ginsberg, "Dynamic backtracking", 1993.)
#
# Facts about the stock. Where the stock landed is not part of (P, C): a nogood of a
# position after the deal lists beside it which stock cards' landings it relies on, and
# holds only where these landed on the same cards; it carries DEALT in P. One that relies
# on no landing holds before the deal as well.
#
# *Stock cards in C* may move by landing, on their parent, which is neither explained nor
# tried. Claim: a position S in which one has, while P has moved and the rest of C has
# not, is lost too. If the card was tried, the nogood of the try has it in P (or it would
# have refuted the position without this card), and matches S. If it was explained, there
# is no S: what covers its parent is in C; or the cards of P and C from its parent down to
# it lie on each other in S as well, and the card on its parent, in a circle.
#
# *A stock King in C* may be at a base here and not in S, where a space may take it. But
# no other card's reason is a King at a base without relying on its landing. So the rest
# of C, which is not empty as the run is unfinished, makes a nogood without it. The other
# way round, a King that is at a base in S moves with its run only: where it was tried,
# the nogood of the try has it in P for holding a column, and in C what its run lacks.
#
# Where the stock is dealt only when stuck, the search first does without that rule: what
# is lost so is lost, and what was learned stays true, as a rule that forbids adds
# no win. Only if the win that it finds breaks the rule it sets out again. The positions
# before the deal are then many and those in which one is stuck few: of the moves before
# the deal only some are tried (`moves_to_try`), no position is tried twice, and where
# moves were left out the nogood is *exact*, P all that has moved and C all that has not.

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc

from scorpion.engine.bits cimport bit, count, highest, lowest, take_lowest
from scorpion.engine.blame cimport Frame, begin_frame, explain, finish_deal, stands_alike, why_gone
from scorpion.engine.moved cimport (
    CODES, DEALT, LOOSE, Ground, is_done, is_slot, moves_to_try, needed, next_code, play, possible_moves,
    reachable, set_start, standing, take_back,
)
from scorpion.engine.outcomes cimport LOST, NOT_YET, OUT_OF_MEMORY, OUT_OF_NODES, WON, Outcome
from scorpion.engine.position cimport NOTHING, STOCK, Key, Position
from scorpion.engine.table cimport NO_NODE, SEEN, Table, add, close_table, open_table

cdef enum:
    MOST_DEPTH = 64      # a game has at most 52 moves here and the deal
    FIRST_NOGOODS = 64
    MOST_NOGOODS = 1 << 14
    STEPS = 16           # between two looks at the clock
    GREEDY_NODES = 60    # positions, seen while the first line is followed; most wins take some 50

cdef struct Nogood:
    uint64_t moved       # P
    uint64_t unmoved     # C
    uint64_t landing     # six bits for each stock card: what it landed on; 0 where not relied upon
    uint64_t relied      # ones in the fields that are relied upon

cdef struct Learner:
    Ground ground
    Frame frames[MOST_DEPTH]
    int depth
    int first            # the depth at which it began
    bint glance          # ask the closure, not only when no move is left
    bint refuted         # `found` refutes the deepest frame
    Frame found          # of which why_moved, why_unmoved and relied count
    Nogood* nogoods
    uint32_t size
    uint32_t room
    uint32_t oldest      # the next to be overwritten when there is no more room
    uint64_t bytes
    uint64_t limit
    uint64_t nodes
    uint64_t max_nodes
    uint64_t greedy_until  # so many nodes
    bint relaxed         # the stock may be dealt at any time, though the rules say when stuck
    Table seen           # before the deal, where that has to wait: each set of moved cards


cdef inline bint keep(Learner* learner, const Frame* f) noexcept nogil:
    """Store a nogood; without room the oldest gives way. False if there is no room at all."""
    cdef Nogood* grown
    cdef Nogood* entry
    cdef uint32_t room
    cdef int which
    if learner.size == learner.room and learner.room < MOST_NOGOODS:
        room = 2 * learner.room if learner.room else FIRST_NOGOODS
        # The old and the new may live side by side while it grows.
        if learner.bytes + room * sizeof(Nogood) <= learner.limit:
            grown = <Nogood*>realloc(learner.nogoods, room * sizeof(Nogood))
            if grown != NULL:
                learner.nogoods = grown
                learner.bytes += (room - learner.room) * sizeof(Nogood)
                learner.room = room
    if learner.room == 0:
        return False
    if learner.size < learner.room:
        entry = &learner.nogoods[learner.size]
        learner.size += 1
    else:
        entry = &learner.nogoods[learner.oldest]
        learner.oldest = (learner.oldest + 1) % learner.room
    entry.moved = f.why_moved
    entry.unmoved = f.why_unmoved
    entry.relied = 0
    for which in range(learner.ground.root.stock_size):
        if f.relied >> which & 1:
            entry.relied |= <uint64_t>63 << (6 * which)
    entry.landing = learner.ground.landing & entry.relied
    return True


cdef inline bint is_known(Learner* learner, const Frame* f) noexcept nogil:
    """Whether a stored nogood refutes the frame: it is then in ``found``."""
    cdef uint32_t which
    cdef int card
    cdef const Nogood* entry
    cdef uint64_t missing
    for which in range(learner.size):
        entry = &learner.nogoods[learner.size - 1 - which]
        missing = entry.moved & ~f.at.moved | entry.unmoved & f.at.moved
        if missing | ((entry.landing ^ learner.ground.landing) & entry.relied):
            continue
        learner.found.why_moved = entry.moved
        learner.found.why_unmoved = entry.unmoved
        learner.found.relied = 0
        for card in range(STOCK):
            if entry.relied >> (6 * card) & 1:
                learner.found.relied |= 1 << card
        return True
    return False


cdef inline int columns_relied_on(const Learner* learner) noexcept nogil:
    """On which landings of stock cards the nogood of a deal relies, a bit each.

    Also on that of a card which it has in P: it joined by landing. (For one in C see the
    head of this file.)
    """
    cdef int which, columns = learner.found.relied
    for which in range(learner.ground.root.stock_size):
        if (learner.found.why_moved >> learner.ground.root.stock[which]) & 1:
            columns |= 1 << which
    return columns


cdef inline uint64_t kings_standing_on(const Ground* g, const Frame* f, int columns) noexcept nogil:
    """The Kings that stand in those of the columns that are slots, as the deal at hand has it."""
    cdef uint64_t kings = 0
    cdef int which, king
    for which in range(g.root.stock_size):
        if columns >> which & 1 and is_slot(g, &f.at, which):
            king = standing(g, &f.at, f.code, which)
            if king != NOTHING:
                kings |= bit(king)
    return kings


cdef inline int next_deal(const Ground* g, const Frame* f, int columns) noexcept nogil:
    """The next deal to try: one that does not put the same piles on these columns."""
    cdef int code = next_code(g, &f.at, f.code)
    while code < CODES and stands_alike(g, f, f.code, code, columns):
        code = next_code(g, &f.at, code)
    return code


cdef inline void absorb_deal(Learner* learner, Frame* f) noexcept nogil:
    """Add the nogood of a deal that was tried, and go on to one that it does not refute.

    What it says of stock cards and of the deal itself is true of every deal; in its place
    the frame relies on the columns that they landed on, and on the Kings that stand there.
    """
    cdef int columns = columns_relied_on(learner)
    f.why_moved |= learner.found.why_moved & ~learner.ground.root.stock_set & ~bit(DEALT)
    f.why_unmoved |= learner.found.why_unmoved & ~learner.ground.root.stock_set
    f.relied_kings |= kings_standing_on(&learner.ground, f, columns)
    f.relied_columns |= columns
    f.code = next_deal(&learner.ground, f, columns)


cdef inline void expand_gone(Learner* learner, uint64_t left) noexcept nogil:
    """In the nogood found, replace Kings that left with the last move by why they did.

    Only nogoods of positions before the deal name such Kings: for what they uncovered.
    After it, Kings in P stand in their columns. What replaces one may name another that
    left just before it, from on top of its Ace.
    """
    cdef int king
    while left & learner.found.why_moved:
        king = lowest(left & learner.found.why_moved)
        learner.found.why_moved = learner.found.why_moved & ~bit(king) | why_gone(&learner.ground, king)


cdef inline void absorb(Learner* learner, Frame* f, const Frame* child) noexcept nogil:
    """The move tried from a frame is refuted by the nogood found: take that in.

    If all its P had moved before, it refutes the frame itself. (Its C had not moved
    before either, and one that holds only after the deal has DEALT in P.) Kings that
    leave or come loose with the move cannot be in its C: each King there is explained
    by cards of C that keep its run unfinished, each mark by cards that keep it unset.
    The move itself need not be in C: it is proved of each card of C alone that it is not
    the first of them to move.
    """
    expand_gone(learner, child.at.gone & ~f.at.gone & ~(f.at.moved | bit(f.move)))
    if not learner.found.why_moved & ~f.at.moved:
        learner.refuted = True
        return
    if f.move == DEALT:
        absorb_deal(learner, f)
        if f.code == CODES:
            finish_deal(&learner.ground, f)
        return
    f.why_moved |= learner.found.why_moved & ~bit(f.move)
    f.why_unmoved |= learner.found.why_unmoved
    f.relied |= learner.found.relied
    f.done |= bit(f.move)


cdef inline void narrow(const Learner* learner, Frame* f) noexcept nogil:
    """Start C from a card that must move and cannot yet, so that few moves are to be tried.

    After the deal the cards of the parent's C come first: what they lead to is there
    already. Such choices make no difference to what is proved, only to how soon.
    """
    cdef uint64_t seeds = needed(&learner.ground) & ~f.at.moved & ~f.open
    cdef uint64_t todo
    cdef int least = 1 << 20, score
    cdef Frame trial = f[0], chosen = f[0]
    if not (f.at.moved >> DEALT) & 1:
        seeds |= bit(DEALT)
    elif learner.depth and learner.frames[learner.depth - 1].why_unmoved & seeds:
        seeds &= learner.frames[learner.depth - 1].why_unmoved
    while seeds:
        trial.why_moved = trial.done = 0
        trial.relied = 0
        trial.why_unmoved = bit(take_lowest(&seeds))
        while True:
            # It only grows: no need to go on with one that is no better already.
            score = 64 * count(trial.why_unmoved & trial.open) + count(trial.why_moved)
            todo = trial.why_unmoved & ~trial.done & ~trial.open
            if not todo or score >= least:
                break
            explain(&learner.ground, &trial, lowest(todo), trial.at.moved)
        if score < least:
            least = score
            chosen = trial
    f[0] = chosen


cdef inline int choose(const Learner* learner, Frame* f) noexcept nogil:
    """The next move to try, -1 if all of C is explained or refuted."""
    cdef uint64_t open = f.open
    cdef uint64_t todo
    if f.code >= 0 and f.code < CODES:
        return DEALT
    if f.exact:
        open &= ~f.done
        return best(&learner.ground, f, open) if open else -1
    if not f.why_unmoved and learner.nodes > learner.greedy_until:
        narrow(learner, f)
    if f.why_unmoved:
        while True:
            todo = f.why_unmoved & ~f.done & ~f.open
            if not todo:
                break
            explain(&learner.ground, f, lowest(todo), f.at.moved)
        open &= f.why_unmoved & ~f.done
        if not open:
            return -1
    return best(&learner.ground, f, open)


cdef inline int best(const Ground* g, const Frame* f, uint64_t open) noexcept nogil:
    """Which move to try first: a high card, then a King, then the deal.

    All that depends on it is how soon a win is found.
    """
    if open & g.root.deck & ~g.root.kings:
        return highest(open & g.root.deck & ~g.root.kings)
    return lowest(open)


cdef inline Outcome enter(Learner* learner, Frame* f) noexcept nogil:
    """Look at a new position: won, refuted at a glance, or to be searched."""
    cdef uint64_t reach, todo, lost
    learner.nodes += 1
    if is_done(&learner.ground, &f.at):
        return WON
    if is_known(learner, f):
        learner.refuted = True
        return NOT_YET
    f.open = possible_moves(&learner.ground, &f.at)
    if f.open and not learner.glance:
        return NOT_YET
    reach = reachable(&learner.ground, &f.at, True)
    lost = needed(&learner.ground) & ~reach
    if not lost:
        if learner.ground.root.when_stuck and not (f.at.moved | f.open) >> DEALT & 1:
            if seen_before(learner, f):
                return conclude_exactly(learner, f)
            todo = moves_to_try(&learner.ground, &f.at, f.open)
            f.exact = todo != f.open
            f.open = todo
        return NOT_YET
    f.why_unmoved = bit(lowest(lost))
    while True:
        todo = f.why_unmoved & ~f.done
        if not todo:
            break
        explain(&learner.ground, f, lowest(todo), reach)
    return conclude(learner, f)


cdef inline bint seen_before(Learner* learner, const Frame* f) noexcept nogil:
    """Whether the search has been at the position before, and found it lost.

    Moved cards stay moved, so it is not there still. Without room the answer is no.
    """
    cdef Key key
    cdef uint32_t number
    if learner.seen.slots == NULL:
        return False
    key.first = f.at.moved
    key.second = key.based = 0
    return add(&learner.seen, &key, NO_NODE, &number) == SEEN


cdef inline Outcome conclude_exactly(Learner* learner, Frame* f) noexcept nogil:
    """The frame is refuted, and its nogood says no more than its position, before the deal."""
    learner.found.why_moved = f.at.moved
    learner.found.why_unmoved = ~f.at.moved & (learner.ground.root.deck | bit(DEALT) | <uint64_t>15 << LOOSE)
    learner.found.relied = 0
    learner.refuted = True
    return NOT_YET


cdef inline Outcome conclude(Learner* learner, Frame* f) noexcept nogil:
    """The frame's nogood is finished."""
    if f.exact:
        return conclude_exactly(learner, f)
    if f.relied:
        f.why_moved |= bit(DEALT)
    learner.found = f[0]
    learner.refuted = True
    return NOT_YET if keep(learner, f) else OUT_OF_MEMORY


cdef inline Outcome begin_learning(Learner* learner, const Position* start) noexcept nogil:
    """Set out from a position; its rules and undealt stock are in ``ground.root``, and the
    budgets are set.

    Where the stock is dealt when stuck, that is left out of account first: a position
    that is lost without this rule is lost. For what is not see :func:`hold_to_rules`.
    """
    learner.nogoods = NULL
    learner.size = learner.room = learner.oldest = 0
    learner.bytes = 0
    learner.nodes = 0
    learner.seen.slots = NULL
    learner.relaxed = learner.ground.root.when_stuck
    return go_to_start(learner, start)


cdef inline Outcome go_to_start(Learner* learner, const Position* start) noexcept nogil:
    """Go to the start; what was learned is kept."""
    learner.depth = learner.first = 0
    learner.refuted = False
    learner.greedy_until = learner.nodes + GREEDY_NODES
    set_start(&learner.ground, start, &learner.frames[0].at)
    learner.ground.root.when_stuck = learner.ground.root.when_stuck and not learner.relaxed
    begin_frame(&learner.frames[0])
    return enter(learner, &learner.frames[0])


cdef inline Frame* step_back(Learner* learner) noexcept nogil:
    """Take back the last move of the line at hand; the frame it was tried from."""
    cdef Frame* f
    learner.depth -= 1
    f = &learner.frames[learner.depth]
    take_back(&learner.ground, &f.at, f.move, &(f + 1).at)
    return f


cdef inline void go_back(Learner* learner) noexcept nogil:
    """Take back every move of the line at hand."""
    while learner.depth:
        step_back(learner)


cdef inline Outcome begin_learning_after(Learner* learner, int move, int code) noexcept nogil:
    """Set out anew from the position after a first move, with all that has been learned.

    The learner is at its start, where the move is possible, and the stock is dealt or
    may be dealt at any time. It stays on the line until :func:`go_back`.
    """
    cdef Frame* f = learner.frames
    begin_frame(f)
    begin_frame(f + 1)
    f.move = move
    f.code = code
    play(&learner.ground, &f.at, move, code, &(f + 1).at)
    learner.depth = learner.first = 1
    learner.refuted = False
    learner.greedy_until = learner.nodes + GREEDY_NODES
    return enter(learner, f + 1)


cdef inline bint is_allowed(Learner* learner) noexcept nogil:
    """Whether a win found without the rule that the deal has to wait keeps to that rule."""
    cdef int which
    for which in range(learner.depth):
        if learner.frames[which].move == DEALT:
            return learner.frames[which].open == bit(DEALT)
    return True


cdef inline Outcome hold_to_rules(Learner* learner, const Position* start) noexcept nogil:
    """After a win: WON if it keeps to the rules, else set out again with all of them."""
    if not learner.relaxed:
        return WON
    learner.relaxed = False
    learner.ground.root.when_stuck = True
    if is_allowed(learner):
        return WON
    # Half of the memory left is for the positions seen, the other for nogoods.
    learner.limit = (learner.limit + learner.bytes) // 2
    open_table(&learner.seen, learner.limit - learner.bytes)
    return go_to_start(learner, start)


cdef inline Outcome resume_learning(Learner* learner) noexcept nogil:
    """A few steps of the search; NOT_YET means call again."""
    cdef Frame* f
    cdef Outcome outcome
    cdef int _step
    for _step in range(STEPS):
        if learner.refuted:
            if learner.depth == learner.first:
                return LOST
            learner.refuted = False
            f = step_back(learner)
            absorb(learner, f, f + 1)
            continue
        f = &learner.frames[learner.depth]
        f.move = choose(learner, f)
        if f.move < 0:
            outcome = conclude(learner, f)
            if outcome != NOT_YET:
                return outcome
            continue
        if learner.nodes >= learner.max_nodes:
            return OUT_OF_NODES
        if f.move == DEALT and f.code < 0:
            f.code = next_code(&learner.ground, &f.at, f.code)
        play(&learner.ground, &f.at, f.move, f.code, &(f + 1).at)
        begin_frame(f + 1)
        learner.depth += 1
        outcome = enter(learner, f + 1)
        if outcome != NOT_YET:
            return outcome
    return NOT_YET


cdef inline void close_learning(Learner* learner) noexcept nogil:
    free(learner.nogoods)
    learner.nogoods = NULL
    if learner.seen.slots != NULL:
        close_table(&learner.seen)
