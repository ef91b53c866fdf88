# Learning from dead ends: in-suit games whose spaces only Kings fill.
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
    reachable, set_out, standing, take_back,
)
from scorpion.engine.position cimport NOTHING, STOCK, Key, Position
from scorpion.engine.search cimport EXHAUSTED, OUT_OF_MEMORY, OUT_OF_NODES, RUNNING, WON, Status
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


cdef inline bint keep(Learner* s, const Frame* f) noexcept nogil:
    """Store a nogood; without room the oldest gives way. False if there is no room at all."""
    cdef Nogood* grown
    cdef Nogood* entry
    cdef uint32_t room
    cdef int which
    if s.size == s.room and s.room < MOST_NOGOODS:
        room = 2 * s.room if s.room else FIRST_NOGOODS
        # The old and the new may live side by side while it grows.
        if s.bytes + room * sizeof(Nogood) <= s.limit:
            grown = <Nogood*>realloc(s.nogoods, room * sizeof(Nogood))
            if grown != NULL:
                s.nogoods = grown
                s.bytes += (room - s.room) * sizeof(Nogood)
                s.room = room
    if s.room == 0:
        return False
    if s.size < s.room:
        entry = &s.nogoods[s.size]
        s.size += 1
    else:
        entry = &s.nogoods[s.oldest]
        s.oldest = (s.oldest + 1) % s.room
    entry.moved = f.why_moved
    entry.unmoved = f.why_unmoved
    entry.relied = 0
    for which in range(s.ground.root.stock_size):
        if f.relied >> which & 1:
            entry.relied |= <uint64_t>63 << (6 * which)
    entry.landing = s.ground.landing & entry.relied
    return True


cdef inline bint is_known(Learner* s, const Frame* f) noexcept nogil:
    """Whether a stored nogood refutes the frame: it is then in ``found``."""
    cdef uint32_t which
    cdef int card
    cdef const Nogood* entry
    cdef uint64_t missing
    for which in range(s.size):
        entry = &s.nogoods[s.size - 1 - which]
        missing = entry.moved & ~f.at.moved | entry.unmoved & f.at.moved
        if missing | ((entry.landing ^ s.ground.landing) & entry.relied):
            continue
        s.found.why_moved = entry.moved
        s.found.why_unmoved = entry.unmoved
        s.found.relied = 0
        for card in range(STOCK):
            if entry.relied >> (6 * card) & 1:
                s.found.relied |= 1 << card
        return True
    return False


cdef inline void absorb_deal(Learner* s, Frame* f) noexcept nogil:
    """Add the nogood of a deal that was tried, and go on to one that it does not refute.

    It relies on the landing of a stock card also if it has it in P: it joined by landing.
    (For one in C see the head of this file.)
    """
    cdef int which, king
    cdef int relied = s.found.relied, code = f.code
    f.why_moved |= s.found.why_moved & ~s.ground.root.stock_set & ~bit(DEALT)
    f.why_unmoved |= s.found.why_unmoved & ~s.ground.root.stock_set
    for which in range(s.ground.root.stock_size):
        if (s.found.why_moved >> s.ground.root.stock[which]) & 1:
            relied |= 1 << which
    for which in range(s.ground.root.stock_size):
        if relied >> which & 1 and is_slot(&s.ground, &f.at, which):
            king = standing(&s.ground, &f.at, code, which)
            if king != NOTHING:
                f.relied_kings |= bit(king)
    f.relied_columns |= relied
    f.code = next_code(&s.ground, &f.at, code)
    while f.code < CODES and stands_alike(&s.ground, f, code, f.code, relied):
        f.code = next_code(&s.ground, &f.at, f.code)


cdef inline void expand_gone(Learner* s, uint64_t left) noexcept nogil:
    """In the nogood found, replace Kings that left with the last move by why they did.

    Only nogoods of positions before the deal name such Kings: for what they uncovered.
    After it, Kings in P stand in their columns. What replaces one may name another that
    left just before it, from on top of its Ace.
    """
    cdef int king
    while left & s.found.why_moved:
        king = lowest(left & s.found.why_moved)
        s.found.why_moved = s.found.why_moved & ~bit(king) | why_gone(&s.ground, king)


cdef inline void absorb(Learner* s, Frame* f, const Frame* child) noexcept nogil:
    """The move tried from a frame is refuted by the nogood found: take that in.

    If all its P had moved before, it refutes the frame itself. (Its C had not moved
    before either, and one that holds only after the deal has DEALT in P.) Kings that
    leave or come loose with the move cannot be in its C: each King there is explained
    by cards of C that keep its run unfinished, each mark by cards that keep it unset.
    The move itself need not be in C: it is proved of each card of C alone that it is not
    the first of them to move.
    """
    expand_gone(s, child.at.gone & ~f.at.gone & ~(f.at.moved | bit(f.move)))
    if not s.found.why_moved & ~f.at.moved:
        s.refuted = True
        return
    if f.move == DEALT:
        absorb_deal(s, f)
        if f.code == CODES:
            finish_deal(&s.ground, f)
        return
    f.why_moved |= s.found.why_moved & ~bit(f.move)
    f.why_unmoved |= s.found.why_unmoved
    f.relied |= s.found.relied
    f.done |= bit(f.move)


cdef inline void narrow(const Learner* s, Frame* f) noexcept nogil:
    """Start C from a card that must move and cannot yet, so that few moves are to be tried.

    After the deal the cards of the parent's C come first: what they lead to is there
    already. Such choices make no difference to what is proved, only to how soon.
    """
    cdef uint64_t seeds = needed(&s.ground) & ~f.at.moved & ~f.open
    cdef uint64_t todo
    cdef int least = 1 << 20, score
    cdef Frame trial = f[0], chosen = f[0]
    if not (f.at.moved >> DEALT) & 1:
        seeds |= bit(DEALT)
    elif s.depth and s.frames[s.depth - 1].why_unmoved & seeds:
        seeds &= s.frames[s.depth - 1].why_unmoved
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
            explain(&s.ground, &trial, lowest(todo), trial.at.moved)
        if score < least:
            least = score
            chosen = trial
    f[0] = chosen


cdef inline int choose(const Learner* s, Frame* f) noexcept nogil:
    """The next move to try, -1 if all of C is explained or refuted."""
    cdef uint64_t open = f.open
    cdef uint64_t todo
    if f.code >= 0 and f.code < CODES:
        return DEALT
    if f.exact:
        open &= ~f.done
        return best(&s.ground, f, open) if open else -1
    if not f.why_unmoved and s.nodes > s.greedy_until:
        narrow(s, f)
    if f.why_unmoved:
        while True:
            todo = f.why_unmoved & ~f.done & ~f.open
            if not todo:
                break
            explain(&s.ground, f, lowest(todo), f.at.moved)
        open &= f.why_unmoved & ~f.done
        if not open:
            return -1
    return best(&s.ground, f, open)


cdef inline int best(const Ground* s, const Frame* f, uint64_t open) noexcept nogil:
    """Which move to try first: a high card, then a King, then the deal.

    All that depends on it is how soon a win is found.
    """
    if open & s.root.deck & ~s.root.kings:
        return highest(open & s.root.deck & ~s.root.kings)
    return lowest(open)


cdef inline Status enter(Learner* s, Frame* f) noexcept nogil:
    """Look at a new position: won, refuted at a glance, or to be searched."""
    cdef uint64_t reach, todo, lost
    s.nodes += 1
    if is_done(&s.ground, &f.at):
        return WON
    if is_known(s, f):
        s.refuted = True
        return RUNNING
    f.open = possible_moves(&s.ground, &f.at)
    if f.open and not s.glance:
        return RUNNING
    reach = reachable(&s.ground, &f.at, True)
    lost = needed(&s.ground) & ~reach
    if not lost:
        if s.ground.root.when_stuck and not (f.at.moved | f.open) >> DEALT & 1:
            if seen_before(s, f):
                return conclude_exactly(s, f)
            todo = moves_to_try(&s.ground, &f.at, f.open)
            f.exact = todo != f.open
            f.open = todo
        return RUNNING
    f.why_unmoved = bit(lowest(lost))
    while True:
        todo = f.why_unmoved & ~f.done
        if not todo:
            break
        explain(&s.ground, f, lowest(todo), reach)
    return conclude(s, f)


cdef inline bint seen_before(Learner* s, const Frame* f) noexcept nogil:
    """Whether the search has been at the position before, and found it lost.

    Moved cards stay moved, so it is not there still. Without room the answer is no.
    """
    cdef Key key
    cdef uint32_t number
    if s.seen.slots == NULL:
        return False
    key.first = f.at.moved
    key.second = key.based = 0
    return add(&s.seen, &key, NO_NODE, &number) == SEEN


cdef inline Status conclude_exactly(Learner* s, Frame* f) noexcept nogil:
    """The frame is refuted, and its nogood says no more than its position, before the deal."""
    s.found.why_moved = f.at.moved
    s.found.why_unmoved = ~f.at.moved & (s.ground.root.deck | bit(DEALT) | <uint64_t>15 << LOOSE)
    s.found.relied = 0
    s.refuted = True
    return RUNNING


cdef inline Status conclude(Learner* s, Frame* f) noexcept nogil:
    """The frame's nogood is finished."""
    if f.exact:
        return conclude_exactly(s, f)
    if f.relied:
        f.why_moved |= bit(DEALT)
    s.found = f[0]
    s.refuted = True
    return RUNNING if keep(s, f) else OUT_OF_MEMORY


cdef inline Status begin_learning(Learner* s, const Position* start) noexcept nogil:
    """Set out from a position; its rules and undealt stock are in ``ground.root``, and the
    budgets are set.

    Where the stock is dealt when stuck, that is left out of account first: a position
    that is lost without this rule is lost. For what is not see :func:`hold_to_rules`.
    """
    s.nogoods = NULL
    s.size = s.room = s.oldest = 0
    s.bytes = 0
    s.nodes = 0
    s.seen.slots = NULL
    s.relaxed = s.ground.root.when_stuck
    return set_off(s, start)


cdef inline Status set_off(Learner* s, const Position* start) noexcept nogil:
    """Go to the start; what was learned is kept."""
    s.depth = s.first = 0
    s.refuted = False
    s.greedy_until = s.nodes + GREEDY_NODES
    set_out(&s.ground, start, &s.frames[0].at)
    s.ground.root.when_stuck = s.ground.root.when_stuck and not s.relaxed
    begin_frame(&s.frames[0])
    return enter(s, &s.frames[0])


cdef inline void go_back(Learner* s) noexcept nogil:
    """Take back every move of the line at hand."""
    while s.depth:
        s.depth -= 1
        take_back(
            &s.ground, &s.frames[s.depth].at, s.frames[s.depth].move, &s.frames[s.depth + 1].at
        )


cdef inline Status learn_after(Learner* s, int move, int code) noexcept nogil:
    """Set out anew from the position after a first move, with all that has been learned.

    The learner is at its start, where the move is possible, and the stock is dealt or
    may be dealt at any time. It stays on the line until :func:`go_back`.
    """
    cdef Frame* f = s.frames
    begin_frame(f)
    begin_frame(f + 1)
    f.move = move
    f.code = code
    play(&s.ground, &f.at, move, code, &(f + 1).at)
    s.depth = s.first = 1
    s.refuted = False
    s.greedy_until = s.nodes + GREEDY_NODES
    return enter(s, f + 1)


cdef inline bint is_allowed(Learner* s) noexcept nogil:
    """Whether a win found without the rule that the deal has to wait keeps to that rule."""
    cdef int which
    for which in range(s.depth):
        if s.frames[which].move == DEALT:
            return s.frames[which].open == bit(DEALT)
    return True


cdef inline Status hold_to_rules(Learner* s, const Position* start) noexcept nogil:
    """After a win: WON if it keeps to the rules, else set out again with all of them."""
    if not s.relaxed:
        return WON
    s.relaxed = False
    s.ground.root.when_stuck = True
    if is_allowed(s):
        return WON
    # Half of the memory left is for the positions seen, the other for nogoods.
    s.limit = (s.limit + s.bytes) // 2
    open_table(&s.seen, s.limit - s.bytes)
    return set_off(s, start)


cdef inline Status learn(Learner* s) noexcept nogil:
    """A few steps of the search; RUNNING means call again."""
    cdef Frame* f
    cdef Status status
    cdef int _step
    for _step in range(STEPS):
        if s.refuted:
            if s.depth == s.first:
                return EXHAUSTED
            s.refuted = False
            s.depth -= 1
            f = &s.frames[s.depth]
            take_back(&s.ground, &f.at, f.move, &(f + 1).at)
            absorb(s, f, f + 1)
            continue
        f = &s.frames[s.depth]
        f.move = choose(s, f)
        if f.move < 0:
            status = conclude(s, f)
            if status != RUNNING:
                return status
            continue
        if s.nodes >= s.max_nodes:
            return OUT_OF_NODES
        if f.move == DEALT and f.code < 0:
            f.code = next_code(&s.ground, &f.at, f.code)
        play(&s.ground, &f.at, f.move, f.code, &(f + 1).at)
        begin_frame(f + 1)
        s.depth += 1
        status = enter(s, f + 1)
        if status != RUNNING:
            return status
    return RUNNING


cdef inline void close_learning(Learner* s) noexcept nogil:
    free(s.nogoods)
    s.nogoods = NULL
    if s.seen.slots != NULL:
        close_table(&s.seen)
