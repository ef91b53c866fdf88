# Learning from dead ends: in-suit games whose spaces only Kings fill, stock any-time.
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

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc

from scorpion.moved cimport (
    CODES, DEALT, LOOSE, Ground, Stand, carries, is_done, is_slot, lies_on, loose_kings, needed,
    next_code, play, possible_moves, reachable, set_out, standing, suit_of, take_back,
)
from scorpion.position cimport (
    NOTHING, STOCK, Position, Root, bit, count, lowest,
)
from scorpion.search cimport EXHAUSTED, OUT_OF_MEMORY, OUT_OF_NODES, RUNNING, WON, Status

cdef extern from *:
    """
    static inline int scorpion_highest(unsigned long long set) {
        int place = 0;
        for (int step = 32; step; step >>= 1)
            if (set >> step) { set >>= step; place += step; }
        return place;
    }
    """
    int highest "scorpion_highest"(uint64_t set) noexcept nogil

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

cdef struct Frame:
    Stand at
    uint64_t open        # the moves that are possible
    uint64_t why_moved   # the nogood in the making: P, C,
    uint64_t why_unmoved
    uint64_t done        # what of C is explained or refuted,
    int relied           # and the stock cards whose landing it relies on, a bit each
    int move             # the one being tried: a card or DEALT
    int code             # how the Kings stand for the deal being tried; -1 before the first
    int relied_columns   # of the deals tried so far
    uint64_t relied_kings

cdef struct Learner:
    Ground ground
    Frame frames[MOST_DEPTH]
    int depth
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


cdef inline void begin_frame(Frame* f) noexcept nogil:
    """Nothing is known yet of a position just reached."""
    f.why_moved = f.why_unmoved = f.done = 0
    f.relied = 0
    f.code = -1
    f.relied_columns = 0
    f.relied_kings = 0


cdef inline int stock_index(const Ground* s, int card) noexcept nogil:
    cdef int which = 0
    while s.root.stock[which] != card:
        which += 1
    return which


cdef inline void blame(const Ground* s, Frame* f, int card) noexcept nogil:
    """Rely on an unmoved card lying where it lay at the start, or where it landed."""
    f.why_unmoved |= bit(card)
    if (s.root.stock_set >> card) & 1:
        f.relied |= 1 << stock_index(s, card)


cdef inline void blame_unfinished(
    const Ground* s, Frame* f, int king, uint64_t reach
) noexcept nogil:
    """Rely on a King's run being unfinished: a card of it unmoved, or its Ace covered."""
    cdef uint64_t missing = suit_of(s, king) & ~s.root.kings & ~reach
    if not missing:
        blame(s, f, s.cover[king & 3])
    elif not missing & f.why_unmoved:
        f.why_unmoved |= bit(lowest(missing))


cdef inline void blame_occupied(const Ground* s, Frame* f, uint64_t reach) noexcept nogil:
    """Rely on every column being occupied: by a base of the start or a King since.

    Where runs leave, a King must also be kept from leaving with its run. For one that
    was at a base from the start this falls to its own explanation as a card of C.
    """
    cdef uint64_t rest = s.bases & ~f.at.moved
    cdef int card
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if not s.root.stays or not (s.root.kings >> card) & 1:
            blame(s, f, card)
        elif (s.root.stock_set >> card) & 1:
            f.relied |= 1 << stock_index(s, card)
    rest = f.at.moved & s.root.kings & ~s.bases & ~f.at.gone
    f.why_moved |= rest
    while rest and not s.root.stays:
        blame_unfinished(s, f, lowest(rest), reach)
        rest &= rest - 1


cdef inline void explain(const Ground* s, Frame* f, int card, uint64_t reach) noexcept nogil:
    """Say why a card of C cannot be the first of C to move, adding to P and C.

    ``reach`` is what may have moved by then: the closure's answer at a dead position,
    else just what has. What is added to C is outside it. The reasons, each a fact that
    lasts while P has moved and C has not:
      - the card is face down, and what covers it has not moved;
      - what covers its parent has not moved;
      - its parent lies on its own pile: every card from there down to it is still
        where it is, on its own parent (in P) or where it lay (in C). None has gone
        with a run, as the moved cards of the chain end below in an unmoved one of the
        same suit;
      - a stock card, or a card whose parent is one, before the deal: no deal. (It may
        fall on its parent, but not while that is covered.)
      - a King: all columns are occupied, and its run is unfinished.
      - a King comes not loose: it is face down, or all columns are occupied.
    """
    cdef uint64_t stock = 0 if (f.at.moved >> DEALT) & 1 else s.root.stock_set
    cdef int parent, cover, step
    f.done |= bit(card)
    if card >= LOOSE:
        card += 4 * s.root.ranks - 4 - LOOSE
        if (s.face_down & ~f.at.uncovered) >> card & 1:
            f.why_unmoved |= bit(s.cover[card])
        else:
            blame_occupied(s, f, reach)
        return
    cover = s.cover[card]
    if (s.face_down >> card) & 1 and not (reach >> cover) & 1:
        f.why_unmoved |= bit(cover)
        return
    if (s.root.kings >> card) & 1:
        if not (s.bases >> card) & 1:
            blame_occupied(s, f, reach)
        if not s.root.stays:
            blame_unfinished(s, f, card, reach)
        return
    parent = card + 4
    cover = s.cover[parent]
    if cover != NOTHING and not (reach >> cover) & 1:
        blame(s, f, cover)
        return
    if stock & (bit(card) | bit(parent)):
        f.why_unmoved |= bit(DEALT)
        return
    step = parent
    while step != card:
        if (f.at.moved >> step) & 1:
            f.why_moved |= bit(step)
        else:
            blame(s, f, step)
        step = lies_on(s, f.at.moved, step)


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


cdef inline void blame_pile(const Ground* s, Frame* f, int card) noexcept nogil:
    """Rely on what lies on a base, up to the open end, and on that being open.

    No run in it leaves: at a King's base it lacks the child of the open end, or the run
    carries an unmoved card; elsewhere its moved cards end below in an unmoved one.
    """
    cdef int step = carries(s, f.at.moved, card)
    while step != NOTHING:
        if (f.at.moved >> step) & 1:
            f.why_moved |= bit(step)
        else:
            f.why_unmoved |= bit(step)
        card = step
        step = carries(s, f.at.moved, card)
    if s.cover[card] != NOTHING:
        f.why_moved |= bit(s.cover[card])
    if card > 3 and not (s.root.stock_set >> (card - 4)) & 1:
        f.why_unmoved |= bit(card - 4)


cdef inline uint64_t why_gone(const Ground* s, int king) noexcept nogil:
    """What has moved when a King has gone, asked before the deal: it is gone once this has.

    Its suit has joined, and what covered the Ace at the start has moved.
    """
    cdef uint64_t cards = suit_of(s, king) & ~s.root.kings
    cdef int cover = s.cover[king & 3]
    return cards if cover == NOTHING else cards | bit(cover)


cdef inline void blame_slots(const Ground* s, Frame* f) noexcept nogil:
    """Rely on there being no other slots, spaces and Kings in slots than these.

    No further column is vacated, no King comes loose, moves to a column or leaves one. And
    those that have gone are gone: to have moved is not enough, as they may stand in a slot.
    """
    cdef uint64_t kings = loose_kings(s, &f.at)
    cdef uint64_t rest = s.bases & s.root.kings & ~f.at.gone & ~kings
    f.why_unmoved |= s.bases & ~s.root.kings & ~f.at.moved
    f.why_unmoved |= rest >> (4 * s.root.ranks - 4) << LOOSE
    f.why_unmoved |= s.root.kings & ~s.bases & ~s.root.stock_set & ~f.at.moved
    f.why_moved |= f.at.moved & s.root.kings & ~f.at.gone
    while kings and not s.root.stays:
        blame_unfinished(s, f, lowest(kings), f.at.moved)
        kings &= kings - 1
    kings = f.at.gone
    while kings:
        f.why_moved |= why_gone(s, lowest(kings))
        kings &= kings - 1


cdef inline void finish_deal(const Ground* s, Frame* f) noexcept nogil:
    """All deals from here are refuted: rely on what makes them the only ones.

    Claim: each deal of a position with the same facts meets one of the nogoods found.
    A column relied upon that is no slot has the same base and pile there, so the same
    open end. If only such columns were relied upon, that is all. If slots were, there
    are no more slots, spaces and loose Kings there than here, and each slot relied upon
    is a slot or holds what it could hold here; so however its Kings stand, they can
    stand so here, on the columns relied upon. That deal was tried or stood alike with
    one that was, and the piles it relied upon have the same open ends.
    """
    cdef uint64_t kings = f.relied_kings
    cdef int column
    cdef bint slots = False
    for column in range(s.root.stock_size):
        if not f.relied_columns >> column & 1:
            continue
        if is_slot(s, &f.at, column):
            slots = True
            if s.base[column] != NOTHING and not (s.root.kings >> s.base[column]) & 1:
                f.why_moved |= bit(s.base[column])
            continue
        if (s.root.kings >> s.base[column]) & 1:
            f.why_unmoved |= bit(LOOSE + (s.base[column] & 3))
        else:
            f.why_unmoved |= bit(s.base[column])
        blame_pile(s, f, s.base[column])
    if slots:
        blame_slots(s, f)
    while kings:
        blame_pile(s, f, lowest(kings))
        kings &= kings - 1
    f.why_unmoved |= bit(DEALT)
    f.done |= bit(DEALT)


cdef inline bint stands_alike(
    const Ground* s, const Frame* f, int code, int other, int columns
) noexcept nogil:
    """Whether two codes put the same piles on the given columns, a bit each."""
    cdef int column
    for column in range(s.root.stock_size):
        if columns >> column & 1 and standing(s, &f.at, code, column) != standing(s, &f.at, other, column):
            return False
    return True


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
    After it, Kings in P stand in their columns.
    """
    cdef int king
    while left & s.found.why_moved:
        king = lowest(left & s.found.why_moved)
        left &= ~bit(king)
        s.found.why_moved = s.found.why_moved & ~bit(king) | why_gone(&s.ground, king)


cdef inline void absorb(Learner* s, Frame* f, const Frame* child) noexcept nogil:
    """The move tried from a frame is refuted by the nogood found: take that in.

    If all its P had moved before, it refutes the frame itself. (Its C had not moved
    before either, and one that holds only after the deal has DEALT in P.) Kings that
    leave or come loose with the move cannot be in its C: each King there is explained
    by cards of C that keep its run unfinished, each mark by cards that keep it unset.
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
    f.why_unmoved |= s.found.why_unmoved | bit(f.move)
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
        trial.why_unmoved = seeds & -seeds
        seeds &= seeds - 1
        while True:
            todo = trial.why_unmoved & ~trial.done & ~trial.open
            if not todo:
                break
            explain(&s.ground, &trial, lowest(todo), trial.at.moved)
        score = 64 * count(trial.why_unmoved & trial.open) + count(trial.why_moved)
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
    if not f.why_unmoved and s.nodes > GREEDY_NODES:
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
    reach = reachable(&s.ground, &f.at)
    lost = needed(&s.ground) & ~reach
    if not lost:
        return RUNNING
    f.why_unmoved = lost & -lost
    while True:
        todo = f.why_unmoved & ~f.done
        if not todo:
            break
        explain(&s.ground, f, lowest(todo), reach)
    return conclude(s, f)


cdef inline Status conclude(Learner* s, Frame* f) noexcept nogil:
    """The frame's nogood is finished."""
    if f.relied:
        f.why_moved |= bit(DEALT)
    s.found = f[0]
    s.refuted = True
    return RUNNING if keep(s, f) else OUT_OF_MEMORY


cdef inline Status begin_learning(Learner* s, const Position* start) noexcept nogil:
    """Set out from a position; its rules and undealt stock are in ``ground.root``, and the
    budgets are set."""
    s.nogoods = NULL
    s.size = s.room = s.oldest = 0
    s.bytes = 0
    s.nodes = 0
    s.depth = 0
    s.refuted = False
    set_out(&s.ground, start, &s.frames[0].at)
    begin_frame(&s.frames[0])
    return enter(s, &s.frames[0])


cdef inline Status learn(Learner* s) noexcept nogil:
    """A few steps of the search; RUNNING means call again."""
    cdef Frame* f
    cdef Status status
    cdef int _step
    for _step in range(STEPS):
        if s.refuted:
            if s.depth == 0:
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
