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
#
# Positions of one game are mostly lost for the same reasons. So an argument that was found for
# another one may be followed: what of its lock still holds here is the lock here, and each of its
# cases is argued as it was. Where one of them does not hold, all is looked for anew.

from libc.stdint cimport int16_t, uint64_t
from libc.string cimport memcmp, memset

from scorpion.engine.arguments cimport (
    LAST_HOME, LOCK, MOST_PATH, NO_ARGUMENT, TWINS, Argument, Reasons, add_case, case_before,
    holds_here, is_circle_before, made_before, new_argument, note_assumptions, note_groups,
    parked_with,
)
from scorpion.engine.bars cimport BY_CASES, NONE_EMPTY, UNBARRED, Spaces, lain_on
from scorpion.engine.bits cimport bit, count, lowest, take_lowest
from scorpion.engine.locks cimport (
    HEAVIEST, give_up, grow, is_held, keep_only, shrink, smallest, take_largest, weight,
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


cdef inline int add_lock(
    Reasons* reasons, const Reach* reach, Spaces spaces, bint whole
) noexcept nogil:
    """A lock that has no cases: all that stays, or the smallest one found within that."""
    cdef int made = new_argument(reasons, LOCK)
    if made != NO_ARGUMENT:
        reasons.argument[made].spaces = spaces
        if whole:
            take_largest(&reasons.scene, reach, &reasons.argument[made].locked)
        else:
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


cdef inline int refute(Reasons* reasons, const Reach* facts, int old) noexcept nogil:
    """An argument that no win goes on from these facts, whatever is parked next.

    The ``old`` one of another position is followed, unless it is NO_ARGUMENT.
    """
    cdef const Scene* scene = &reasons.scene
    cdef Reach reach = facts[0], after
    cdef uint64_t cards
    cdef int card, depth = reasons.depth, made
    if reasons.tries <= 0:
        return NO_ARGUMENT
    if not shows_loss(scene, &reach):
        return fail(reasons)
    if old != NO_ARGUMENT:
        made = reasons.followed[old]
        if made == NO_ARGUMENT or not holds_here(scene, &reasons.argument[made], &reach):
            made = reasons.followed[old] = as_before(reasons, &reach, old)
        return made
    if scene.groups:
        made = within_kept(reasons, &reach)
        if made == NO_ARGUMENT and reasons.tries > 0:
            made = made_before(reasons, &reach)
        if made != NO_ARGUMENT or reasons.tries <= 0:
            return made
    after = reach
    spread_freely(scene, &after)
    if shows_loss(scene, &after):
        return add_lock(reasons, &after, UNBARRED, False)
    if most_empty(scene, &reach) <= 0:
        return add_lock(reasons, &reach, NONE_EMPTY, False)
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
    made = with_cases(reasons, &reach, NULL, NO_ARGUMENT)
    reasons.depth = depth
    return made


cdef inline int as_before(Reasons* reasons, const Reach* facts, int old) noexcept nogil:
    """An argument by what of an old lock holds here; NO_ARGUMENT if that does not do."""
    cdef const Scene* scene = &reasons.scene
    cdef const Argument* argument = &reasons.before.argument[old]
    cdef Reach reach = facts[0], free
    if argument.kind != LOCK:
        return NO_ARGUMENT
    keep_only(scene, &reach, &argument.locked)
    if not shows_loss(scene, &reach):
        return NO_ARGUMENT
    free = reach
    spread_freely(scene, &free)
    if shows_loss(scene, &free):
        return add_lock(reasons, &free, UNBARRED, True)
    if most_empty(scene, &reach) <= 0:
        return add_lock(reasons, &reach, NONE_EMPTY, True)
    if argument.spaces != BY_CASES:
        return NO_ARGUMENT
    return with_cases(reasons, facts, &reach, old)


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


cdef inline int with_cases(
    Reasons* reasons, const Reach* reach, const Reach* kept_before, int old
) noexcept nogil:
    """A lock but for some cards that may be parked first, with an argument for each.

    It is the smallest that is found; or, with an old one, what was kept of that.
    """
    cdef const Scene* scene = &reasons.scene
    cdef int made = new_argument(reasons, LOCK), card, found, case_argument
    cdef Locked locked, need, done, kept
    cdef uint64_t asked = 0, group, dear
    if made == NO_ARGUMENT or reasons.depth == MOST_PATH or scene.groups == MOST_GROUPS:
        reasons.tries = 0
        return NO_ARGUMENT
    take_largest(scene, reach, &locked)
    if old == NO_ARGUMENT:
        need = smallest(scene, reach, BY_CASES)
    else:
        take_largest(scene, kept_before, &need)
    done.cards = done.bottoms = done.first = 0
    grow(scene, &locked, BY_CASES, &need, &done, 10000)
    while need.first & ~asked:
        card = lowest(need.first & ~asked)
        group = bit(card)
        case_argument = case_before(reasons, old, card)
        if old != NO_ARGUMENT and case_argument == NO_ARGUMENT:
            return NO_ARGUMENT
        dear = reasons.scene.dear
        kept = reasons.kept
        reasons.scene.dear |= lain_on(scene, may_park(scene, reach)) & ~need.cards
        reasons.kept = need
        found = with_parked(reasons, reach, need.first & ~asked, card, case_argument, &group)
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


cdef inline int with_parked(
    Reasons* reasons, const Reach* reach, uint64_t cards, int card, int old, uint64_t* group
) noexcept nogil:
    """An argument for a card that is parked first, and for all of the cards that it does for.

    That is tried where then no column is empty any more, so that nothing further is parked.
    """
    cdef Scene* scene = &reasons.scene
    cdef Reach after = reach[0], more
    cdef uint64_t rest = cards & ~bit(card)
    cdef int found, other
    if old != NO_ARGUMENT:
        rest &= parked_with(&reasons.before.argument[old], card)
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
    found = refute(reasons, &after, old)
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
        found = refute_position(reasons, NO_ARGUMENT)
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


cdef inline int split_circle(Reasons* reasons, int old) noexcept nogil:
    """Arguments for each answer to which card comes home last, or one that needs none."""
    cdef Scene* scene = &reasons.scene
    cdef LastOne last
    cdef int level = scene.waits, made, which, found, each
    cdef int argument[MOST_IN_CIRCLE]
    if level == MOST_WAITING or reasons.circles == MOST_WAITING:
        return NO_ARGUMENT
    if not find_waiting(reasons, &last) or last.size < 2:
        return NO_ARGUMENT
    if not is_circle_before(reasons, &last, old):
        old = NO_ARGUMENT
    for which in range(last.size):
        scene.wait[level] = last
        for each in range(last.size):
            scene.wait[level].cards[each] = last.cards[(which + each) % last.size]
        scene.wait[level].card = last.cards[which]
        scene.waits = level + 1
        found = refute_position(reasons, case_before(reasons, old, last.cards[which]))
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


cdef inline int refute_position(Reasons* reasons, int old) noexcept nogil:
    """An argument that the position is lost under what is assumed; NO_ARGUMENT if none is found."""
    cdef Reach reach = reasons.start
    cdef int found = NO_ARGUMENT, tries = reasons.tries, cases = reasons.cases
    spread(&reasons.scene, &reach)
    reasons.depth = 0
    reasons.since = reasons.arguments
    if old != NO_ARGUMENT:
        memset(reasons.followed, 255, reasons.before.arguments * sizeof(int16_t))  # NO_ARGUMENT
        found = refute(reasons, &reach, old)
        if found == NO_ARGUMENT:
            reasons.tries, reasons.arguments, reasons.cases = tries, reasons.since, cases
    if found == NO_ARGUMENT:
        found = refute(reasons, &reach, NO_ARGUMENT)
    if found != NO_ARGUMENT or reasons.tries <= 0:
        return found
    if not reasons.scene.r.alternating:
        return split_circle(reasons, old)
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


cdef inline int find_reasons(
    const Root* r, const Position* p, const Reasons* before, Reasons* reasons
) noexcept nogil:
    """The argument that a position is lost; NO_ARGUMENT if none is found. It is not won.

    ``before`` are those of another position that may be lost for the same, or NULL.
    """
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
    reasons.before = before
    reasons.whole = refute_position(reasons, NO_ARGUMENT if before == NULL else before.whole)
    return reasons.whole
