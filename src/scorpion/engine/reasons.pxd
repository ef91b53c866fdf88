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

from scorpion.engine.bars cimport BY_CASES, NONE_EMPTY, UNBARRED, Spaces, lain_on
from scorpion.engine.bits cimport bit, count, lowest, take_lowest
from scorpion.engine.locks cimport (
    HEAVIEST, give_up, grow, is_held, shrink, smallest, take_largest, weight,
)
from scorpion.engine.outcomes cimport ALIVE, NOT_YET, Outcome
from scorpion.engine.position cimport COLUMNS, NOTHING, Position, Root
from scorpion.engine.scene cimport (
    MOST_GROUPS, MOST_IN_CIRCLE, MOST_WAITING, LastOne, Locked, Reach, Scene, finding_parents,
    leaving_with_runs, let_leave, let_park, may_park, most_empty, set_scene, shows_loss, spread,
    spread_freely, take_away,
)
from scorpion.engine.spaces cimport (
    Circle, SpaceLook, begin_parkings, begin_spaces, find_circle, resume_parkings, resume_spaces,
)
from scorpion.engine.twins cimport twins_of, with_both_parents

cdef enum:
    TRIES = 4000         # parkings tried for one position, some milliseconds
    MOST_ARGUMENTS = 4096
    MOST_CASES = 16384
    MOST_PATH = 64
    NO_ARGUMENT = -1
    NEVER_AGAIN = MOST_GROUPS + 1  # more groups than there can be

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
    int groups             # parked before, each with all its cards among the bottoms
    uint64_t group[COLUMNS]
    int written            # its number where the whole is written down, or NO_ARGUMENT

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
    int written            # arguments of the one that is written down
    int since              # the first argument that assumes no more than is assumed now
    LastOne circle[MOST_WAITING]


cdef inline int new_argument(Reasons* reasons, ArgumentKind kind) noexcept nogil:
    if reasons.arguments == MOST_ARGUMENTS:
        reasons.tries = 0
        return NO_ARGUMENT
    reasons.argument[reasons.arguments].kind = kind
    reasons.argument[reasons.arguments].cases = NO_ARGUMENT
    reasons.argument[reasons.arguments].groups = NEVER_AGAIN  # until it is whole
    reasons.argument[reasons.arguments].seconds = 0
    reasons.argument[reasons.arguments].waits = 0
    reasons.arguments += 1
    return reasons.arguments - 1


cdef inline bint add_case(Reasons* reasons, int argument, int card, int case_argument) noexcept nogil:
    if reasons.cases == MOST_CASES:
        reasons.tries = 0
        return False
    reasons.case[reasons.cases].card = card
    reasons.case[reasons.cases].argument = case_argument
    reasons.case[reasons.cases].next = reasons.argument[argument].cases
    reasons.argument[argument].cases = reasons.cases
    reasons.argument[argument].seconds |= reasons.argument[case_argument].seconds
    reasons.argument[argument].waits |= reasons.argument[case_argument].waits
    reasons.cases += 1
    return True


cdef inline void note_assumptions(Reasons* reasons, Argument* argument) noexcept nogil:
    """Which of the assumptions the lock cannot do without."""
    cdef Scene* scene = &reasons.scene
    cdef bint at_bottom
    cdef uint64_t held = argument.locked.bottoms, rest = argument.locked.cards, seconds
    cdef int card, which
    while rest:
        held |= bit(scene.p.above[take_lowest(&rest)])
    rest = held & scene.seconds
    while rest:
        card = take_lowest(&rest)
        seconds = scene.seconds
        scene.seconds &= ~bit(card)
        at_bottom = (argument.locked.bottoms >> card) & 1
        if not is_held(scene, &argument.locked, card, at_bottom, argument.spaces):
            argument.seconds |= bit(card)
        scene.seconds = seconds
    for which in range(scene.waits):
        card = scene.wait[which].card
        if (held >> card) & 1:
            scene.wait[which].card = NOTHING
            at_bottom = (argument.locked.bottoms >> card) & 1
            if not is_held(scene, &argument.locked, card, at_bottom, argument.spaces):
                argument.waits |= bit(which)
            scene.wait[which].card = card


cdef inline int add_lock(Reasons* reasons, const Reach* reach, Spaces spaces) noexcept nogil:
    """The smallest lock found, which has no cases."""
    cdef int made = new_argument(reasons, LOCK)
    if made != NO_ARGUMENT:
        reasons.argument[made].spaces = spaces
        reasons.argument[made].locked = smallest(&reasons.scene, reach, spaces)
        note_groups(reasons, &reasons.argument[made])
        note_assumptions(reasons, &reasons.argument[made])
    return made


cdef inline int fail(Reasons* reasons) noexcept nogil:
    """Note the parkings that led to all that a win needs."""
    cdef int which
    reasons.witnessed = reasons.depth
    for which in range(reasons.depth):
        reasons.witness[which] = reasons.path[which]
    return NO_ARGUMENT


cdef inline int refute(Reasons* reasons, const Reach* facts) noexcept nogil:
    """An argument that no win goes on from these facts, whatever is parked next."""
    cdef const Scene* scene = &reasons.scene
    cdef Reach reach = facts[0], after
    cdef uint64_t cards
    cdef int card, depth = reasons.depth, made
    if reasons.tries <= 0:
        return NO_ARGUMENT
    if not shows_loss(scene, &reach):
        return fail(reasons)
    if scene.groups:
        made = within_kept(reasons, &reach)
        if made == NO_ARGUMENT and reasons.tries > 0:
            made = made_before(reasons, &reach)
        if made != NO_ARGUMENT or reasons.tries <= 0:
            return made
    after = reach
    spread_freely(scene, &after)
    if shows_loss(scene, &after):
        return add_lock(reasons, &after, UNBARRED)
    if most_empty(scene, &reach) <= 0:
        return add_lock(reasons, &reach, NONE_EMPTY)
    cards = may_park(scene, &reach)
    while cards:
        card = take_lowest(&cards)
        after = reach
        let_park(scene, &after, card)
        reasons.tries -= 1
        if not (after.bottoms >> card) & 1:
            if reasons.depth == MOST_PATH:
                reasons.tries = 0
                return NO_ARGUMENT
            reasons.path[reasons.depth] = card
            reasons.depth += 1
            reach = after
            if not shows_loss(scene, &reach):
                made = fail(reasons)
                reasons.depth = depth
                return made
            cards = may_park(scene, &reach)
    made = with_cases(reasons, &reach)
    reasons.depth = depth
    return made


cdef inline int within_kept(Reasons* reasons, const Reach* facts) noexcept nogil:
    """A lock without cases that names no more than the lock around the cases does."""
    cdef const Scene* scene = &reasons.scene
    cdef Reach reach = facts[0], free
    cdef Spaces spaces = UNBARRED
    cdef int made
    give_up(scene, &reach, &reasons.kept, NONE_EMPTY)
    if not shows_loss(scene, &reach):
        return NO_ARGUMENT
    free = reach
    spread_freely(scene, &free)
    if shows_loss(scene, &free):
        reach = free
    elif most_empty(scene, &reach) <= 0:
        spaces = NONE_EMPTY
    else:
        return NO_ARGUMENT
    made = new_argument(reasons, LOCK)
    if made != NO_ARGUMENT:
        reasons.argument[made].spaces = spaces
        take_largest(scene, &reach, &reasons.argument[made].locked)
        shrink(scene, &reach, &reasons.argument[made].locked, spaces)
        note_groups(reasons, &reasons.argument[made])
        note_assumptions(reasons, &reasons.argument[made])
    return made


cdef inline int with_cases(Reasons* reasons, const Reach* reach) noexcept nogil:
    """A lock but for some cards that may be parked first, with an argument for each."""
    cdef const Scene* scene = &reasons.scene
    cdef int made = new_argument(reasons, LOCK), card, found
    cdef Locked locked, need, done, kept
    cdef uint64_t asked = 0, group, dear
    if made == NO_ARGUMENT or reasons.depth == MOST_PATH or scene.groups == MOST_GROUPS:
        reasons.tries = 0
        return NO_ARGUMENT
    take_largest(scene, reach, &locked)
    need = smallest(scene, reach, BY_CASES)
    done.cards = done.bottoms = done.first = 0
    grow(scene, &locked, BY_CASES, &need, &done, 10000)
    while need.first & ~asked:
        card = lowest(need.first & ~asked)
        group = bit(card)
        dear = reasons.scene.dear
        kept = reasons.kept
        reasons.scene.dear |= lain_on(scene, may_park(scene, reach)) & ~need.cards
        reasons.kept = need
        found = with_parked(reasons, reach, need.first & ~asked, card, &group)
        reasons.scene.dear = dear
        reasons.kept = kept
        if found == NO_ARGUMENT:
            return NO_ARGUMENT
        asked |= group
        need.cards |= reasons.argument[found].locked.cards
        need.bottoms |= reasons.argument[found].locked.bottoms & ~group
        while group:
            if not add_case(reasons, made, lowest(group), found):
                return NO_ARGUMENT
            group &= group - 1
        grow(scene, &locked, BY_CASES, &need, &done, 10000)
    reasons.argument[made].spaces = BY_CASES
    reasons.argument[made].locked = need
    note_groups(reasons, &reasons.argument[made])
    note_assumptions(reasons, &reasons.argument[made])
    return made


cdef inline void note_groups(Reasons* reasons, Argument* argument) noexcept nogil:
    """Which of the groups parked before the argument may count as occupying a column."""
    cdef const Scene* scene = &reasons.scene
    cdef int which
    argument.groups = 0
    for which in range(scene.groups):
        if not scene.group[which] & ~argument.locked.bottoms:
            if argument.groups == COLUMNS:
                argument.groups = NEVER_AGAIN
                return
            argument.group[argument.groups] = scene.group[which]
            argument.groups += 1


cdef inline bint holds_here(const Scene* scene, const Argument* argument, const Reach* reach) noexcept nogil:
    """Whether an argument that was made elsewhere is one here.

    Its locks and cases are about its cards and bottoms, and about the groups that it counts.
    """
    cdef int which, other
    if argument.kind != LOCK or argument.groups > scene.groups:
        return False
    if argument.locked.cards & reach.opened or argument.locked.bottoms & ~reach.bottoms:
        return False
    for which in range(argument.groups):
        other = 0
        while other < scene.groups and scene.group[other] != argument.group[which]:
            other += 1
        if other == scene.groups:
            return False
    return True


cdef inline int made_before(const Reasons* reasons, const Reach* reach) noexcept nogil:
    """Of the arguments made before and good here, that which adds least to the lock around."""
    cdef const Scene* scene = &reasons.scene
    cdef int which, added, best = NO_ARGUMENT, least = HEAVIEST
    for which in range(reasons.since, reasons.arguments):
        if holds_here(scene, &reasons.argument[which], reach):
            added = weight(scene, &reasons.argument[which].locked, &reasons.kept)
            if added < least:
                least = added
                best = which
    return best


cdef inline int with_parked(
    Reasons* reasons, const Reach* reach, uint64_t cards, int card, uint64_t* group
) noexcept nogil:
    """An argument for a card that is parked first, and for all of the cards that it does for.

    That is tried where then no column is empty any more, so that nothing further is parked.
    """
    cdef Scene* scene = &reasons.scene
    cdef Reach after = reach[0], more
    cdef uint64_t rest = cards & ~bit(card)
    cdef int found, other
    group[0] = scene.group[scene.groups] = bit(card)
    scene.groups += 1
    reasons.path[reasons.depth] = card
    reasons.depth += 1
    let_park(scene, &after, card)
    reasons.kept.bottoms = reach.bottoms | cards
    reasons.tries -= 1
    if most_empty(scene, &after) <= 0:
        while rest:
            other = take_lowest(&rest)
            more = after
            scene.group[scene.groups - 1] = group[0] | bit(other)
            let_park(scene, &more, other)
            if shows_loss(scene, &more) and most_empty(scene, &more) <= 0:
                after = more
                group[0] |= bit(other)
        scene.group[scene.groups - 1] = group[0]
    found = refute(reasons, &after)
    reasons.depth -= 1
    scene.groups -= 1
    return found


# Which of two twins comes first.


cdef inline int contested_pair(Reasons* reasons) noexcept nogil:
    """Twins both of which had to be first for all to happen; NOTHING if there are none.

    Play is followed as it was parked; the twin that is not tried as first goes second as
    long as anything else goes on.
    """
    cdef const Scene* scene = &reasons.scene
    cdef Reach reach = reasons.start
    cdef uint64_t pairs = scene.unseated & twins_of(scene.unseated), fresh, early, claimed = 0
    cdef int parked = 0, card, best
    while True:
        fresh = finding_parents(scene, &reach)
        early = fresh & (~pairs | reasons.firsts | with_both_parents(reach.opened))
        if early:
            fresh = early
        if not fresh:
            if parked == reasons.witnessed:
                break
            let_leave(scene, &reach, bit(reasons.witness[parked]) & ~reach.left)
            parked += 1
            continue
        claimed |= fresh & pairs & ~with_both_parents(reach.opened)
        take_away(scene, &reach, fresh | leaving_with_runs(scene, &reach))
    claimed &= twins_of(claimed)
    best = NOTHING
    while claimed:
        card = lowest(claimed)
        claimed &= ~(<uint64_t>3 << card)
        if best == NOTHING or reasons.in_locks[card] >= reasons.in_locks[best]:
            best = card
    return best


cdef inline int split_twins(Reasons* reasons) noexcept nogil:
    """Arguments for both answers to which of two twins is first, or one that needs neither."""
    cdef int pair = contested_pair(reasons), first, made, found, side
    cdef int argument[2]
    cdef uint64_t seconds = reasons.scene.seconds, rest
    if pair == NOTHING:
        return NO_ARGUMENT
    first = pair if (reasons.firsts >> pair) & 1 else pair + 1
    for side in range(2):
        # The less likely answer first.
        reasons.scene.seconds = seconds | bit(first if side == 0 else first ^ 1)
        found = refute_position(reasons)
        reasons.scene.seconds = seconds
        if found == NO_ARGUMENT:
            return NO_ARGUMENT
        rest = reasons.argument[found].seconds
        while rest:
            reasons.in_locks[take_lowest(&rest) & ~1] += 1
        if not (reasons.argument[found].seconds >> (first if side == 0 else first ^ 1)) & 1:
            return found
        argument[side] = found
    made = new_argument(reasons, TWINS)
    if made == NO_ARGUMENT:
        return NO_ARGUMENT
    reasons.argument[made].twin = first
    # In the order of the cases: `first` is first, and so its twin second, then the other way.
    if not add_case(reasons, made, first ^ 1, argument[0]) or not add_case(reasons, made, first, argument[1]):
        return NO_ARGUMENT
    reasons.argument[made].seconds &= ~(<uint64_t>3 << pair)
    return made


# Which card of a circle comes home last.


cdef inline void put_in_order(const Scene* scene, const Circle* circle, LastOne* last) noexcept nogil:
    """The movers of a circle, each followed by that in whose pile its parent lies."""
    cdef int first = lowest(circle.movers), at = first
    last.others = circle.others
    last.size = 0
    while last.size == 0 or at != first:
        last.cards[last.size] = at
        last.size += 1
        at += 4
        while not (circle.movers >> at) & 1:
            at = scene.p.below[at]
    last.card = first


cdef inline bint find_waiting(Reasons* reasons, LastOne* last) noexcept nogil:
    """Whether the closure that counts spaces finds a circle in the way of all it finds to win."""
    cdef const Scene* scene = &reasons.scene
    cdef SpaceLook* look = &reasons.look
    cdef Circle circle
    cdef Outcome outcome
    cdef int which, tries = reasons.tries
    begin_spaces(scene.r, scene.p, look)
    for which in range(scene.waits):
        look.ground.wait[which].card = scene.wait[which].card
        look.ground.wait[which].others = scene.wait[which].others
        look.ground.waiting |= bit(scene.wait[which].card)
    look.ground.waits = scene.waits
    outcome = begin_parkings(scene.r, scene.p, look, &tries)
    if outcome == NOT_YET:
        outcome = resume_parkings(scene.r, scene.p, look, &tries)
    reasons.tries = tries
    if (
        outcome != ALIVE
        or not find_circle(scene.r, scene.p, &look.ground, &look.start, &look.witness, &circle)
        or count(circle.movers) > MOST_IN_CIRCLE
    ):
        return False
    put_in_order(scene, &circle, last)
    return True


cdef inline int split_circle(Reasons* reasons) noexcept nogil:
    """Arguments for each answer to which card comes home last, or one that needs none."""
    cdef Scene* scene = &reasons.scene
    cdef LastOne last
    cdef int level = scene.waits, made, which, found, each
    cdef int argument[MOST_IN_CIRCLE]
    if level == MOST_WAITING or reasons.circles == MOST_WAITING:
        return NO_ARGUMENT
    if not find_waiting(reasons, &last) or last.size < 2:
        return NO_ARGUMENT
    for which in range(last.size):
        scene.wait[level] = last
        for each in range(last.size):
            scene.wait[level].cards[each] = last.cards[(which + each) % last.size]
        scene.wait[level].card = last.cards[which]
        scene.waits = level + 1
        found = refute_position(reasons)
        scene.waits = level
        if found == NO_ARGUMENT:
            return NO_ARGUMENT
        if not (reasons.argument[found].waits >> level) & 1:
            return found
        argument[which] = found
    # Circles within the cases of this one may have taken the places that were left.
    made = new_argument(reasons, LAST_HOME) if reasons.circles < MOST_WAITING else NO_ARGUMENT
    if made == NO_ARGUMENT:
        return NO_ARGUMENT
    reasons.argument[made].twin = reasons.circles
    reasons.circle[reasons.circles] = last
    reasons.circles += 1
    for which in range(last.size - 1, -1, -1):
        if not add_case(reasons, made, last.cards[which], argument[which]):
            return NO_ARGUMENT
    reasons.argument[made].waits &= ~bit(level)
    return made


cdef inline int refute_position(Reasons* reasons) noexcept nogil:
    """An argument that the position is lost under what is assumed; NO_ARGUMENT if none is found."""
    cdef Reach reach = reasons.start
    cdef int found
    spread(&reasons.scene, &reach)
    reasons.depth = 0
    reasons.since = reasons.arguments
    found = refute(reasons, &reach)
    if found != NO_ARGUMENT or reasons.tries <= 0:
        return found
    if not reasons.scene.r.alternating:
        return split_circle(reasons)
    if not reasons.scene.r.any_fills:
        return split_twins(reasons)
    return NO_ARGUMENT


cdef inline bint needs_cases(Reasons* reasons) noexcept nogil:
    """Whether no single lock does."""
    cdef Reach reach = reasons.start, free
    spread(&reasons.scene, &reach)
    free = reach
    spread_freely(&reasons.scene, &free)
    return not shows_loss(&reasons.scene, &free) and most_empty(&reasons.scene, &reach) > 0


cdef inline int find_reasons(const Root* r, const Position* p, Reasons* reasons) noexcept nogil:
    """The argument that a position is lost; NO_ARGUMENT if none is found. It is not won."""
    set_scene(r, p, &reasons.scene, &reasons.start)
    reasons.tries = TRIES
    reasons.arguments = reasons.cases = reasons.circles = 0
    reasons.firsts = <uint64_t>0x5555555555555555
    memset(reasons.in_locks, 0, sizeof(reasons.in_locks))
    if not r.alternating and needs_cases(reasons):
        # Cases are dear to look for in vain, and the closure sees whatever they would show.
        begin_spaces(r, p, &reasons.look)
        if resume_spaces(r, p, &reasons.look, TRIES) == ALIVE:
            return NO_ARGUMENT
    return refute_position(reasons)
