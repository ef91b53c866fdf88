# Arguments that a position is lost: locks, locks with cases, and cases of cards.
#
# Here is what they are, how one is made and what it assumes, and whether one that was made
# elsewhere serves: under other parked cards, or at another position of the game. reasons.pxd
# finds them.

from libc.stdint cimport int16_t, uint64_t
from libc.string cimport memcmp

from scorpion.engine.bars cimport Spaces
from scorpion.engine.bits cimport bit, take_lowest
from scorpion.engine.locks cimport HEAVIEST, is_held, weight
from scorpion.engine.position cimport COLUMNS, NOTHING
from scorpion.engine.scene cimport MOST_GROUPS, MOST_WAITING, LastOne, Locked, Reach, Scene
from scorpion.engine.spaces cimport SpaceLook

cdef enum:
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
    const Reasons* before  # those of another position, or NULL
    int16_t followed[MOST_ARGUMENTS]  # of each of those the argument made of it here, or NO_ARGUMENT
    int whole              # the argument that was found for this one
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


cdef inline uint64_t parked_with(const Argument* argument, int card) noexcept nogil:
    """The cards of the group that an argument counts and that has the card, if there is one."""
    cdef int which
    for which in range(argument.groups if argument.groups <= COLUMNS else 0):
        if (argument.group[which] >> card) & 1:
            return argument.group[which]
    return 0


cdef inline int case_before(const Reasons* reasons, int old, int card) noexcept nogil:
    """The argument of a card's case in an old argument, or NO_ARGUMENT."""
    cdef int which
    if old == NO_ARGUMENT:
        return NO_ARGUMENT
    which = reasons.before.argument[old].cases
    while which != NO_ARGUMENT:
        if reasons.before.case[which].card == card:
            return reasons.before.case[which].argument
        which = reasons.before.case[which].next
    return NO_ARGUMENT


cdef inline bint is_circle_before(const Reasons* reasons, const LastOne* last, int old) noexcept nogil:
    """Whether an old argument has cases of the same circle, in the same order."""
    cdef const LastOne* circle
    if old == NO_ARGUMENT or reasons.before.argument[old].kind != LAST_HOME:
        return False
    circle = &reasons.before.circle[reasons.before.argument[old].twin]
    return circle.size == last.size and not memcmp(circle.cards, last.cards, last.size)
