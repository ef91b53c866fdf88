# Why a position is lost: a lock, or locks for each of several cases.
#
# What the closures of spaces.pxd and twins.pxd answer, this answers with its reasons, in the
# form that losses/checker.py checks: where no lock does, the cases are which card goes to an
# empty column first (and then which next, and so on); and where those do not do, which of two
# twins finds its place first, or which of the cards of a circle comes home last. Those two
# are asked about before all else, as their answers hold for the whole of play.
#
# The tree of cases is kept as small as is easily done: a card that comes home at once when it
# is parked makes no case (what it uncovers is left out of the lock instead), cards with the
# same lock share it, and an answer that a lock does not need is not asked for.

from libc.stdint cimport uint64_t
from libc.string cimport memset

from scorpion.engine.bits cimport bit, count, lowest, take_lowest
from scorpion.engine.locks cimport (
    BY_CASES, MOST_GROUPS, MOST_IN_CIRCLE, MOST_WAITING, NONE_EMPTY, UNBARRED, LastOne, Locked, Reach,
    Scene, Spaces, empty_columns, give_up, grow, is_held, joining, lain_on, leaving_with_runs, may_park,
    park, set_scene, shows_loss, shrink, smallest, spread, spread_freely, take_away, take_largest,
    uncover,
)
from scorpion.engine.position cimport NOTHING, Position, Root
from scorpion.engine.outcomes cimport ALIVE, NOT_YET, Outcome
from scorpion.engine.spaces cimport (
    Circle, SpaceLook, begin_parkings, begin_spaces, find_circle, resume_parkings,
)
from scorpion.engine.twins cimport twins_of, with_both_parents

cdef enum:
    MOST_ARGUMENTS = 1024
    MOST_CASES = 8192
    MOST_PATH = 64
    NO_ARGUMENT = -1

cdef enum ArgumentKind:
    LOCK
    TWINS
    LAST_HOME

# A lock with its cases of spaces, or the cases of cards.
cdef struct Argument:
    ArgumentKind kind
    Spaces spaces          # of a lock: how ways to an empty column are barred
    Locked locked
    int twin               # the first of the twins; or the place of the circle in Reasons.circle
    int cases              # the first of its cases, or NO_ARGUMENT
    uint64_t seconds       # what it assumes
    uint64_t waits

# What was argued about: the facts, and what is assumed to be parked.
cdef struct Question:
    uint64_t left
    uint64_t bottoms
    int groups
    uint64_t group[MOST_GROUPS]
    int argument

cdef struct Case:
    int card               # that is parked, comes first or comes home last
    int argument
    int next

# The search for reasons, and what it found.
cdef struct Reasons:
    Scene scene
    Reach start
    int tries              # parkings that may still be tried
    int arguments
    int cases
    Argument argument[MOST_ARGUMENTS]
    Case case[MOST_CASES]
    int depth              # the parkings tried at present
    int path[MOST_PATH]
    Locked kept            # what the lock around the cases names
    int witnessed          # and those that led to all that a win needs
    int witness[MOST_PATH]
    uint64_t firsts        # of each pair of twins the one tried as first
    int in_locks[64]
    int circles
    SpaceLook look
    int questions          # asked and answered since something else was assumed
    Question question[MOST_ARGUMENTS]
    LastOne circle[MOST_WAITING]


cdef inline int new_argument(Reasons* t, ArgumentKind kind) noexcept nogil:
    if t.arguments == MOST_ARGUMENTS:
        t.tries = 0
        return NO_ARGUMENT
    t.argument[t.arguments].kind = kind
    t.argument[t.arguments].cases = NO_ARGUMENT
    t.argument[t.arguments].seconds = 0
    t.argument[t.arguments].waits = 0
    t.arguments += 1
    return t.arguments - 1


cdef inline bint add_case(Reasons* t, int argument, int card, int case_argument) noexcept nogil:
    if t.cases == MOST_CASES:
        t.tries = 0
        return False
    t.case[t.cases].card = card
    t.case[t.cases].argument = case_argument
    t.case[t.cases].next = t.argument[argument].cases
    t.argument[argument].cases = t.cases
    t.argument[argument].seconds |= t.argument[case_argument].seconds
    t.argument[argument].waits |= t.argument[case_argument].waits
    t.cases += 1
    return True


cdef inline void note_assumptions(Reasons* t, Argument* a) noexcept nogil:
    """Which of the assumptions the lock cannot do without."""
    cdef Scene* s = &t.scene
    cdef uint64_t held = a.locked.bottoms, rest = a.locked.cards, seconds
    cdef int card, which
    while rest:
        held |= bit(s.p.above[take_lowest(&rest)])
    rest = held & s.seconds
    while rest:
        card = take_lowest(&rest)
        seconds = s.seconds
        s.seconds &= ~bit(card)
        if not is_held(s, &a.locked, card, (a.locked.bottoms >> card) & 1, a.spaces):
            a.seconds |= bit(card)
        s.seconds = seconds
    for which in range(s.waits):
        card = s.wait[which].card
        if (held >> card) & 1:
            s.wait[which].card = NOTHING
            if not is_held(s, &a.locked, card, (a.locked.bottoms >> card) & 1, a.spaces):
                a.waits |= bit(which)
            s.wait[which].card = card


cdef inline int add_lock(Reasons* t, const Reach* f, Spaces spaces) noexcept nogil:
    """The smallest lock found, which has no cases."""
    cdef int made = new_argument(t, LOCK)
    if made != NO_ARGUMENT:
        t.argument[made].spaces = spaces
        t.argument[made].locked = smallest(&t.scene, f, spaces)
        note_assumptions(t, &t.argument[made])
    return made


cdef inline int fail(Reasons* t) noexcept nogil:
    """Note the parkings that led to all that a win needs."""
    cdef int which
    t.witnessed = t.depth
    for which in range(t.depth):
        t.witness[which] = t.path[which]
    return NO_ARGUMENT


cdef inline int refute(Reasons* t, const Reach* facts) noexcept nogil:
    """An argument that no win goes on from these facts, whatever is parked next."""
    cdef const Scene* s = &t.scene
    cdef Reach f = facts[0], after
    cdef uint64_t cards
    cdef int card, depth = t.depth, made
    if t.tries <= 0:
        return NO_ARGUMENT
    if not shows_loss(s, &f):
        return fail(t)
    if s.groups:
        made = within_kept(t, &f)
        if made != NO_ARGUMENT or t.tries <= 0:
            return made
    after = f
    spread_freely(s, &after)
    if shows_loss(s, &after):
        return add_lock(t, &after, UNBARRED)
    if empty_columns(s, &f) <= 0:
        return add_lock(t, &f, NONE_EMPTY)
    cards = may_park(s, &f)
    while cards:
        card = take_lowest(&cards)
        after = f
        park(s, &after, card)
        t.tries -= 1
        if not (after.bottoms >> card) & 1:
            if t.depth == MOST_PATH:
                t.tries = 0
                return NO_ARGUMENT
            t.path[t.depth] = card
            t.depth += 1
            f = after
            if not shows_loss(s, &f):
                made = fail(t)
                t.depth = depth
                return made
            cards = may_park(s, &f)
    made = answer_to(t, &f)
    if made == NO_ARGUMENT:
        made = with_cases(t, &f)
        if made != NO_ARGUMENT:
            note_answer_to(t, &f, made)
    t.depth = depth
    return made


cdef inline int within_kept(Reasons* t, const Reach* facts) noexcept nogil:
    """A lock without cases that names no more than the lock around the cases does."""
    cdef const Scene* s = &t.scene
    cdef Reach f = facts[0], free
    cdef Spaces spaces = UNBARRED
    cdef int made
    give_up(s, &f, &t.kept, NONE_EMPTY)
    if not shows_loss(s, &f):
        return NO_ARGUMENT
    free = f
    spread_freely(s, &free)
    if shows_loss(s, &free):
        f = free
    elif empty_columns(s, &f) <= 0:
        spaces = NONE_EMPTY
    else:
        return NO_ARGUMENT
    made = new_argument(t, LOCK)
    if made != NO_ARGUMENT:
        t.argument[made].spaces = spaces
        take_largest(s, &f, &t.argument[made].locked)
        shrink(s, &f, &t.argument[made].locked, spaces)
        note_assumptions(t, &t.argument[made])
    return made


cdef inline int with_cases(Reasons* t, const Reach* f) noexcept nogil:
    """A lock but for some cards that may be parked first, with an argument for each."""
    cdef const Scene* s = &t.scene
    cdef int made = new_argument(t, LOCK), card, found
    cdef Locked k, need, done, kept
    cdef uint64_t asked = 0, group, dear
    if made == NO_ARGUMENT or t.depth == MOST_PATH or s.groups == MOST_GROUPS:
        t.tries = 0
        return NO_ARGUMENT
    take_largest(s, f, &k)
    need = smallest(s, f, BY_CASES)
    done.cards = done.bottoms = done.first = 0
    grow(s, &k, BY_CASES, &need, &done, 10000)
    while need.first & ~asked:
        card = lowest(need.first & ~asked)
        group = bit(card)
        dear = t.scene.dear
        kept = t.kept
        t.scene.dear |= lain_on(s, may_park(s, f)) & ~need.cards
        t.kept = need
        found = with_parked(t, f, need.first & ~asked, card, &group)
        t.scene.dear = dear
        t.kept = kept
        if found == NO_ARGUMENT:
            return NO_ARGUMENT
        asked |= group
        need.cards |= t.argument[found].locked.cards
        need.bottoms |= t.argument[found].locked.bottoms & ~group
        while group:
            if not add_case(t, made, lowest(group), found):
                return NO_ARGUMENT
            group &= group - 1
        grow(s, &k, BY_CASES, &need, &done, 10000)
    t.argument[made].spaces = BY_CASES
    t.argument[made].locked = need
    note_assumptions(t, &t.argument[made])
    return made


cdef inline bint is_answered(
    const Scene* s, const Question* question, const Reach* f
) noexcept nogil:
    """Whether a question was the same but for the order in which cards are parked."""
    cdef int which, other
    if question.left != f.left or question.bottoms != f.bottoms or question.groups != s.groups:
        return False
    for which in range(s.groups):
        other = 0
        while other < s.groups and question.group[other] != s.group[which]:
            other += 1
        if other == s.groups:
            return False
    return True


cdef inline int answer_to(Reasons* t, const Reach* f) noexcept nogil:
    """The argument that was found before when the same was asked."""
    cdef int which
    for which in range(t.questions):
        if is_answered(&t.scene, &t.question[which], f):
            return t.question[which].argument
    return NO_ARGUMENT


cdef inline void note_answer_to(Reasons* t, const Reach* f, int argument) noexcept nogil:
    cdef Question* question = &t.question[t.questions]
    cdef int which
    if t.questions == MOST_ARGUMENTS:
        return
    question.left = f.left
    question.bottoms = f.bottoms
    question.argument = argument
    question.groups = t.scene.groups
    for which in range(t.scene.groups):
        question.group[which] = t.scene.group[which]
    t.questions += 1


cdef inline int with_parked(
    Reasons* t, const Reach* f, uint64_t cards, int card, uint64_t* group
) noexcept nogil:
    """An argument for a card that is parked first, and for all of the cards that it does for.

    That is tried where then no column is empty any more, so that nothing further is parked.
    """
    cdef Scene* s = &t.scene
    cdef Reach after = f[0], more
    cdef uint64_t rest = cards & ~bit(card)
    cdef int found, other
    group[0] = s.group[s.groups] = bit(card)
    s.groups += 1
    t.path[t.depth] = card
    t.depth += 1
    park(s, &after, card)
    t.kept.bottoms = f.bottoms | cards
    t.tries -= 1
    if empty_columns(s, &after) <= 0:
        while rest:
            other = take_lowest(&rest)
            more = after
            s.group[s.groups - 1] = group[0] | bit(other)
            park(s, &more, other)
            if shows_loss(s, &more) and empty_columns(s, &more) <= 0:
                after = more
                group[0] |= bit(other)
        s.group[s.groups - 1] = group[0]
    found = refute(t, &after)
    t.depth -= 1
    s.groups -= 1
    return found


# Which of two twins comes first.


cdef inline int contested_pair(Reasons* t) noexcept nogil:
    """Twins both of which had to be first for all to happen; NOTHING if there are none.

    Play is followed as it was parked; the twin that is not tried as first goes second as
    long as anything else goes on.
    """
    cdef const Scene* s = &t.scene
    cdef Reach f = t.start
    cdef uint64_t pairs = s.unseated & twins_of(s.unseated), fresh, early, claimed = 0
    cdef int parked = 0, card, best
    while True:
        fresh = joining(s, &f)
        early = fresh & (~pairs | t.firsts | with_both_parents(f.opened))
        if early:
            fresh = early
        if not fresh:
            if parked == t.witnessed:
                break
            uncover(s, &f, bit(t.witness[parked]) & ~f.left)
            parked += 1
            continue
        claimed |= fresh & pairs & ~with_both_parents(f.opened)
        take_away(s, &f, fresh | leaving_with_runs(s, &f))
    claimed &= twins_of(claimed)
    best = NOTHING
    while claimed:
        card = lowest(claimed)
        claimed &= ~(<uint64_t>3 << card)
        if best == NOTHING or t.in_locks[card] >= t.in_locks[best]:
            best = card
    return best


cdef inline int split_twins(Reasons* t) noexcept nogil:
    """Arguments for both answers to which of two twins is first, or one that needs neither."""
    cdef int pair = contested_pair(t), first, made, found, side
    cdef int argument[2]
    cdef uint64_t seconds = t.scene.seconds, rest
    if pair == NOTHING:
        return NO_ARGUMENT
    first = pair if (t.firsts >> pair) & 1 else pair + 1
    for side in range(2):
        # The less likely answer first.
        t.scene.seconds = seconds | bit(first if side == 0 else first ^ 1)
        found = refute_all(t)
        t.scene.seconds = seconds
        if found == NO_ARGUMENT:
            return NO_ARGUMENT
        rest = t.argument[found].seconds
        while rest:
            t.in_locks[lowest(rest) & ~1] += 1
            rest &= rest - 1
        if not (t.argument[found].seconds >> (first if side == 0 else first ^ 1)) & 1:
            return found
        argument[side] = found
    made = new_argument(t, TWINS)
    if made == NO_ARGUMENT:
        return NO_ARGUMENT
    t.argument[made].twin = first
    # In the order of the cases: `first` is first, and so its twin second, then the other way.
    if not add_case(t, made, first ^ 1, argument[0]) or not add_case(t, made, first, argument[1]):
        return NO_ARGUMENT
    t.argument[made].seconds &= ~(<uint64_t>3 << pair)
    return made


# Which card of a circle comes home last.


cdef inline void put_in_order(const Scene* s, const Circle* circle, LastOne* w) noexcept nogil:
    """The movers of a circle, each followed by that in whose pile its parent lies."""
    cdef int first = lowest(circle.movers), at = first
    w.others = circle.others
    w.size = 0
    while w.size == 0 or at != first:
        w.cards[w.size] = at
        w.size += 1
        at += 4
        while not (circle.movers >> at) & 1:
            at = s.p.below[at]
    w.card = first


cdef inline bint find_waiting(Reasons* t, LastOne* w) noexcept nogil:
    """Whether the closure that counts spaces finds a circle in the way of all it finds to win."""
    cdef const Scene* s = &t.scene
    cdef SpaceLook* look = &t.look
    cdef Circle circle
    cdef Outcome outcome
    cdef int which, tries = t.tries
    begin_spaces(s.r, s.p, look)
    for which in range(s.waits):
        look.ground.wait[which].card = s.wait[which].card
        look.ground.wait[which].others = s.wait[which].others
        look.ground.waiting |= bit(s.wait[which].card)
    look.ground.waits = s.waits
    outcome = begin_parkings(s.r, s.p, look, &tries)
    if outcome == NOT_YET:
        outcome = resume_parkings(s.r, s.p, look, &tries)
    t.tries = tries
    if (
        outcome != ALIVE
        or not find_circle(s.r, s.p, &look.ground, &look.start, &look.witness, &circle)
        or count(circle.movers) > MOST_IN_CIRCLE
    ):
        return False
    put_in_order(s, &circle, w)
    return True


cdef inline int split_circle(Reasons* t) noexcept nogil:
    """Arguments for each answer to which card comes home last, or one that needs none."""
    cdef Scene* s = &t.scene
    cdef LastOne w
    cdef int level = s.waits, made, which, found, each
    cdef int argument[MOST_IN_CIRCLE]
    if level == MOST_WAITING or t.circles == MOST_WAITING or not find_waiting(t, &w) or w.size < 2:
        return NO_ARGUMENT
    for which in range(w.size):
        s.wait[level] = w
        for each in range(w.size):
            s.wait[level].cards[each] = w.cards[(which + each) % w.size]
        s.wait[level].card = w.cards[which]
        s.waits = level + 1
        found = refute_all(t)
        s.waits = level
        if found == NO_ARGUMENT:
            return NO_ARGUMENT
        if not (t.argument[found].waits >> level) & 1:
            return found
        argument[which] = found
    # Circles within the cases of this one may have taken the places that were left.
    made = new_argument(t, LAST_HOME) if t.circles < MOST_WAITING else NO_ARGUMENT
    if made == NO_ARGUMENT:
        return NO_ARGUMENT
    t.argument[made].twin = t.circles
    t.circle[t.circles] = w
    t.circles += 1
    for which in range(w.size - 1, -1, -1):
        if not add_case(t, made, w.cards[which], argument[which]):
            return NO_ARGUMENT
    t.argument[made].waits &= ~bit(level)
    return made


cdef inline int refute_all(Reasons* t) noexcept nogil:
    """An argument that the position is lost under what is assumed; NO_ARGUMENT if none is found."""
    cdef Reach f = t.start
    cdef int found
    spread(&t.scene, &f)
    t.depth = t.questions = 0
    found = refute(t, &f)
    if found != NO_ARGUMENT or t.tries <= 0:
        return found
    if not t.scene.r.alternating:
        return split_circle(t)
    if not t.scene.r.any_fills:
        return split_twins(t)
    return NO_ARGUMENT


cdef inline int find_reasons(const Root* r, const Position* p, Reasons* t, int tries) noexcept nogil:
    """The argument that a position is lost; NO_ARGUMENT if none is found.

    ``tries`` bounds the parkings that are tried. The position is not won.
    """
    set_scene(r, p, &t.scene, &t.start)
    t.tries = tries
    t.arguments = t.cases = t.circles = 0
    t.firsts = <uint64_t>0x5555555555555555
    memset(t.in_locks, 0, sizeof(t.in_locks))
    return refute_all(t)
