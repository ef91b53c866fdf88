# What proves a position lost where one builds in suit: a closure that counts spaces.
#
# Example (suit, king, 3 ranks), lost:
#
#     AD AC AS 2D
#     3D 2C AH 2S
#     3C 2H 3H 3S
#
# 2D waits for 3D, which lies under 2C, 2C for 3C under 2H, 2H for 3H under 3S, and 3S for a
# space. 3D and 3C never leave their bases, as their runs cannot be finished before, so only the
# first column can ever be empty. If 3S parks there, 3H finds no space, and 2H lies on in its
# pile; if 3H parks with 3S on it, 3S finds none, and 3H is never uncovered for 2H.
#
# The closure follows every line of play at once and gathers facts of the form "this
# happens at some time": a card leaves its present seat, is uncovered, lies face up,
# comes home (onto its parent, or away with its run). Facts only grow. Most follow
# from one another; only a card that *parks*, that is goes to an empty column, takes
# something from the others, namely a space, and gives it back when it comes home:
#
#   spaces = empty columns now + bases that have left - parked cards not yet home
#
# Claim: to every winning line of play there is a sequence of parkings, each made
# while the closure has a space, whose facts contain all that happens in the line.
# So if no sequence of parkings leads to all the facts that a win needs, no line wins.
#
# Argument. Follow the line and park in the closure what it parks, unless that has
# left already. At any time each column of the real table is empty or has at its base
# a card that was a base from the start, a parked card, or a stock card. A base that
# has really left has left in the closure. A card parked in the closure and not yet
# home there has not come home in reality either, where it can be on no other seat
# than the base it was parked on. So the closure never has fewer spaces than there
# are empty columns, and may park whatever the line parks. (A base that goes to an
# empty column frees as much as it takes: it counts as staying. The stock, while
# undealt, counts as uncovered and free to go anywhere; it takes no space.)
#
# *Cards that lie on their parents now* do not park in the closure, though they may in
# reality. The parent takes no other card, so all that this could be good for is to let
# some x go home to a parent that lies in x's own pile. Let each card point to what it
# lies on or, once it has been home, to its parent. Where x goes home with nothing
# moved for good between it and its parent, they make a circle. What really lies on
# what has no circle: so some card of it that has been home lies parked, as long as the
# circle lasts. Cards that have been home keep pointing where they point, and no win
# has a circle: so there is a first card c of it, never home before or a King, to leave
# its seat. In the closure let c park as x goes home. Circles share no card, as each
# card points to one only. So the parked cards of the closure that are not yet home
# stand for as many different ones on the table at all times, as claimed. (c is face
# up: cards on which x's parent rests are, unless one of them has left before.)
#
# *Cards that wait on each other.* In the same way, let some cards, the movers, all
# have to come home, each pointing to its parent, from where the pointers of cards that
# lie still, the others, lead to the next mover and at last back to the first. The last
# mover to come home does so after one of the others has left, or one can be parked
# just then, as above. Which mover is the last is not known: each is tried. Where the
# facts of a win can be had only if all come home before any of the others leaves, such
# a circle is found, and the position is lost if it is lost whichever mover has to wait.

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from scorpion.engine.bits cimport bit, count, take_lowest
from scorpion.engine.outcomes cimport ALIVE, LOST, NOT_YET, Outcome
from scorpion.engine.position cimport NOTHING, Position, Root, gone, is_dealt, on_table_now, seated

cdef enum:
    MOST_FRAMES = 53         # one more than there are cards to park
    MEMO_BITS = 7            # states remembered
    MEMO = 1 << MEMO_BITS
    MOST_WAITS = 24          # movers made to wait at once
    FEW_PARKINGS = 1000      # tried before the answer is "alive", at each position of a search
    MANY_PARKINGS = 60000    # for a single one; some 20 ms

# A mover that comes home only after one of the others has left.
cdef struct Wait:
    int card
    uint64_t others

# What stays the same while parkings are tried.
cdef struct SpaceGround:
    uint64_t unseated      # neither Kings nor on their parents
    uint64_t entangled     # their parent lies above them in their own column
    uint64_t parkable      # may go to an empty column if face up
    uint64_t bases
    int empty              # columns
    uint64_t above[64]     # cards that lie above a card in its column
    uint64_t waiting       # no mover outside this set has to wait
    int waits
    Wait wait[MOST_WAITS]

# The sequence of parkings that led to all facts: which cards, and each one's turn.
cdef struct Witness:
    uint64_t parked
    uint8_t turn[64]

# Cards that point to each other, see above.
cdef struct Circle:
    uint64_t movers
    uint64_t others

# Facts, each a set of cards.
cdef struct SpaceFacts:
    uint64_t turned        # lies face up at some time
    uint64_t opened        # is uncovered at some time
    uint64_t left          # leaves its present seat at some time
    uint64_t home          # lies on its parent at some time, or is away with its run
    uint64_t parked        # was given a space

# A state of the search for parkings, and those that were not tried from it.
cdef struct SpaceFrame:
    SpaceFacts facts
    uint64_t untried

# The question whether a position is lost, which may be left and gone on with.
cdef struct SpaceLook:
    SpaceGround ground
    SpaceFacts start                    # the facts that hold in the position
    uint64_t untried[MOST_WAITS]   # movers of each circle that have not yet been the last
    # The search for parkings under the present waits:
    bint begun
    Witness witness
    SpaceFacts facts                    # the state taken up
    SpaceFacts best                     # the one to take up next, if its value is not negative
    int best_value
    int top                        # the last frame
    SpaceFrame frames[MOST_FRAMES]
    uint64_t met[MEMO]


cdef inline void survey(
    const Root* r, const Position* p, SpaceGround* ground, SpaceFacts* facts
) noexcept nogil:
    """What lies where, and the facts that hold now."""
    cdef uint64_t above
    cdef int column, card
    ground.unseated = r.deck & ~seated(p) & ~r.kings
    ground.bases = p.key.based & r.deck
    ground.parkable = on_table_now(r, p) & ~seated(p) & ~ground.bases
    if not r.any_fills:
        ground.parkable &= r.kings
    ground.entangled = ground.waiting = 0
    ground.empty = ground.waits = 0
    facts.turned = p.up | gone(p)
    facts.opened = facts.left = gone(p)
    facts.home = seated(p) & r.deck
    facts.parked = 0
    if not is_dealt(p):
        facts.turned |= r.stock_set
        facts.opened |= r.stock_set
    for column in range(r.columns):
        card = p.tail[column]
        if card == NOTHING:
            ground.empty += 1
            continue
        facts.opened |= bit(card)
        above = 0
        while card != NOTHING:
            ground.above[card] = above
            # A parent among the cards above; bit c + 4 is beyond the deck for Kings.
            ground.entangled |= above >> 4 & bit(card)
            above |= bit(card)
            card = p.below[card]
    ground.entangled &= ground.unseated


cdef inline int spaces_left(const SpaceGround* ground, const SpaceFacts* facts) noexcept nogil:
    return ground.empty + count(ground.bases & facts.left) - count(facts.parked & ~facts.home)


cdef inline uint64_t finished(const Root* r, const SpaceFacts* facts) noexcept nogil:
    """The suits whose run can be followed to its completion.

    A run leaves when its cards lie face up, each on its parent, with the Ace
    uncovered, so each of these happens at some time.
    """
    cdef uint64_t suit = <uint64_t>0x0001111111111111 & r.deck
    cdef uint64_t ready = facts.turned & (facts.home | r.kings) & (facts.opened | ~<uint64_t>15)
    cdef uint64_t cards = 0
    cdef int _suit
    for _suit in range(4):
        if suit & ~ready == 0:
            cards |= suit
        suit <<= 1
    return cards


cdef inline void note_left(const Position* p, SpaceFacts* facts, uint64_t cards) noexcept nogil:
    """Note that the cards leave: what they lie on is uncovered and turns up.

    What lies directly on a card is all that keeps it covered, since whatever lies
    higher goes along.
    """
    cdef uint64_t uncovered = 0
    facts.left |= cards
    while cards:
        uncovered |= bit(p.below[take_lowest(&cards)])
    uncovered &= ~bit(NOTHING)
    facts.opened |= uncovered
    facts.turned |= uncovered


cdef inline uint64_t coming_home(const SpaceGround* ground, const SpaceFacts* facts) noexcept nogil:
    """Cards that can now be followed home.

    A card comes home only face up and while its parent is uncovered, by a move or
    by falling on it from the stock. A pile cannot land on a card of its own: where
    the parent lies above the card in its own column, some card above the leading
    one, up to the parent, has first to leave with the parent in its pile. And a
    mover may have to wait.
    """
    cdef uint64_t fresh = ground.unseated & facts.turned & ~facts.home & facts.opened >> 4
    cdef uint64_t rest = fresh & (ground.entangled | ground.waiting)
    cdef int card, which
    while rest:
        card = take_lowest(&rest)
        if ground.entangled & bit(card):
            if not ground.above[card] & ~ground.above[card + 4] & facts.left:
                fresh &= ~bit(card)
        for which in range(ground.waits):
            if ground.wait[which].card == card and not ground.wait[which].others & facts.left:
                fresh &= ~bit(card)
    return fresh


cdef inline void follow(
    const Root* r, const Position* p, const SpaceGround* ground, SpaceFacts* facts
) noexcept nogil:
    """Gather all facts that follow without a further parking."""
    cdef uint64_t fresh
    while True:
        fresh = coming_home(ground, facts)
        facts.home |= fresh
        if not r.stays:
            fresh |= finished(r, facts)
            facts.home |= fresh
        fresh &= ~facts.left
        if not fresh:
            return
        note_left(p, facts, fresh)


cdef inline bint is_complete(
    const Root* r, const Position* p, const SpaceGround* ground, const SpaceFacts* facts
) noexcept nogil:
    """Whether the facts are all there that a win needs.

    Every card comes home, the Kings with their runs, and has turned up by then: a King
    is uncovered when its child comes home. Where runs stay the Kings end as bases
    instead, those from the stock each in a space.
    """
    if not r.stays:
        return r.deck & ~facts.home == 0
    if r.deck & ~(facts.home | r.kings):
        return False
    if not is_dealt(p) and spaces_left(ground, facts) < count(r.kings & r.stock_set):
        return False
    return r.kings & on_table_now(r, p) & ~(ground.bases | facts.left) == 0


cdef inline void park(
    const Root* r, const Position* p, const SpaceGround* ground, SpaceFacts* facts, int card
) noexcept nogil:
    facts.parked |= bit(card)
    note_left(p, facts, bit(card))
    follow(r, p, ground, facts)


cdef inline bint is_complete_at_best(
    const Root* r, const Position* p, const SpaceGround* ground, const SpaceFacts* known
) noexcept nogil:
    """Whether the facts can be completed if parking costs nothing."""
    cdef SpaceFacts facts = known[0]
    cdef uint64_t cards
    while True:
        cards = ground.parkable & facts.turned & ~facts.left
        if not cards:
            break
        note_left(p, &facts, cards)
        follow(r, p, ground, &facts)
    return is_complete(r, p, ground, &facts)


cdef inline bint park_one(
    const Root* r, const Position* p, SpaceLook* look, int card, SpaceFacts* after
) noexcept nogil:
    """Park a card from the state in ``look.facts``; whether the facts of a win are then there.

    If so the parkings are in the witness.
    """
    after[0] = look.facts
    look.witness.turn[card] = count(look.facts.parked)
    park(r, p, &look.ground, after, card)
    if not is_complete(r, p, &look.ground, after):
        return False
    look.witness.parked = after.parked
    return True


cdef inline bint try_each(
    const Root* r, const Position* p, SpaceLook* look, int* tries, uint64_t* untried, bint* paid
) noexcept nogil:
    """Park each card that may be parked in turn; whether one leads to the facts of a win.

    A parking that pays itself back at once, its card being home in the facts that result,
    is kept (``paid``), and no other is looked at. Otherwise the parkings that leave a space
    are ``untried``, and the best of them is noted.
    """
    cdef SpaceFacts after
    cdef uint64_t candidates = look.ground.parkable & look.facts.turned & ~look.facts.left
    cdef int card, value
    untried[0] = 0
    paid[0] = False
    look.best_value = -1
    while candidates:
        card = take_lowest(&candidates)
        tries[0] -= 1
        if park_one(r, p, look, card, &after):
            return True
        if (after.home >> card) & 1:
            look.facts = after
            paid[0] = True
            return False
        value = spaces_left(&look.ground, &after)
        if value > 0:
            untried[0] |= bit(card)
            value = 64 * value + count(after.left)
            if value > look.best_value:
                look.best_value = value
                look.best = after
    return False


cdef inline void push_frame(SpaceLook* look, uint64_t untried) noexcept nogil:
    """Remember the state and what was not tried from it, in the place of all it outdoes.

    Those are the earlier states of the sequence from the first one on in which all is out
    that is out now.
    """
    cdef uint64_t out = look.facts.parked & ~look.facts.home
    cdef int level = 0
    while level <= look.top and out & ~(
        look.frames[level].facts.parked & ~look.frames[level].facts.home
    ):
        level += 1
    look.top = level
    look.frames[level].facts = look.facts
    look.frames[level].untried = untried


cdef inline bint take_up(
    const Root* r, const Position* p, SpaceLook* look, int* tries
) noexcept nogil:
    """Go on from the state in ``look.facts``; whether a parking led to the facts of a win."""
    cdef uint64_t untried
    cdef bint paid = True
    while paid:
        if try_each(r, p, look, tries, &untried, &paid):
            return True
    push_frame(look, untried)
    return False


cdef inline Outcome begin_parkings(
    const Root* r, const Position* p, SpaceLook* look, int* tries
) noexcept nogil:
    """Begin to ask whether a sequence of parkings leads to the facts of a win: ALIVE, if
    one does, LOST, if none does, or NOT_YET, for :func:`resume_parkings` to go on with."""
    tries[0] -= 1
    look.begun = True
    look.witness.parked = 0
    look.facts = look.start
    look.top = -1
    follow(r, p, &look.ground, &look.facts)
    if is_complete(r, p, &look.ground, &look.facts):
        return ALIVE
    if spaces_left(&look.ground, &look.facts) <= 0:
        return LOST
    if not is_complete_at_best(r, p, &look.ground, &look.facts):
        return LOST
    memset(look.met, 0, sizeof(look.met))
    return ALIVE if take_up(r, p, look, tries) else NOT_YET


cdef inline Outcome resume_parkings(
    const Root* r, const Position* p, SpaceLook* look, int* tries
) noexcept nogil:
    """Go on with sequences of parkings until there are no more tries.

    A state is what has left and which parked cards are not yet home. It is at least
    as good as another if no less has left and no card is out that is not out there:
    every sequence of parkings from the other may then be made from it too. So

    - a parking that pays itself back at once is made without looking at others;
    - a state in which no card is out that was not out in an earlier state of the
      same sequence takes that one's place, and what was untried there is dropped;
    - a state met before leads nowhere new. (All facts follow from what has left.)
    """
    cdef uint64_t slot
    cdef int card
    while tries[0] > 0:
        # The best first, then the others as they come.
        if look.best_value >= 0:
            look.best_value = -1
            look.facts = look.best
        else:
            while look.top >= 0 and not look.frames[look.top].untried:
                look.top -= 1
            if look.top < 0:
                return LOST
            card = take_lowest(&look.frames[look.top].untried)
            look.facts = look.frames[look.top].facts
            look.witness.turn[card] = count(look.facts.parked)
            park(r, p, &look.ground, &look.facts, card)
            tries[0] -= 1
        slot = (look.facts.left * <uint64_t>0x9E3779B97F4A7C15) >> (64 - MEMO_BITS)
        if look.met[slot] == look.facts.left:
            continue
        look.met[slot] = look.facts.left
        # A state with a space that was not met before.
        if take_up(r, p, look, tries):
            return ALIVE
    return NOT_YET


cdef inline bint leads_back(
    const Root* r, const Position* p, const SpaceFacts* facts, int card, Circle* circle
) noexcept nogil:
    """Whether a card that is to come home would close a circle of pointers."""
    cdef int at = card + 4
    circle.movers = bit(card)
    circle.others = 0
    while at != card:
        if at == NOTHING:
            return False
        if (seated(p) >> at) & 1:
            at = p.below[at]
        elif (facts.home & ~r.kings) >> at & 1:
            circle.movers |= bit(at)
            at += 4
        elif (facts.left >> at) & 1:
            return False
        else:
            circle.others |= bit(at)
            at = p.below[at]
    return True


cdef inline bint one_by_one(
    const Root* r, const Position* p, const SpaceGround* ground, SpaceFacts* facts, Circle* circle
) noexcept nogil:
    """Gather facts without closing a circle; whether one is in the way in the end."""
    cdef uint64_t ready, away
    cdef Circle closed
    cdef int card
    cdef bint more = True, in_the_way
    while more:
        more = in_the_way = False
        ready = coming_home(ground, facts)
        while ready:
            card = take_lowest(&ready)
            if leads_back(r, p, facts, card, &closed):
                in_the_way = True
                circle[0] = closed
                continue
            more = True
            facts.home |= bit(card)
            note_left(p, facts, bit(card) & ~facts.left)
        if not r.stays:
            away = finished(r, facts)
            facts.home |= away
            away &= ~facts.left
            if away:
                more = True
                note_left(p, facts, away)
    return in_the_way


cdef inline bint find_circle(
    const Root* r, const Position* p, const SpaceGround* ground, const SpaceFacts* start,
    const Witness* witness, Circle* circle
) noexcept nogil:
    """Whether a circle is in the way when the witness is gone through one by one.

    Any circle would do for a proof, as the argument at the head of this file does not
    ask where it came from; this one makes the closure do without what it led to.
    """
    cdef SpaceFacts facts = start[0]
    cdef uint64_t parkable
    cdef int card, first
    cdef bint in_the_way
    while True:
        in_the_way = one_by_one(r, p, ground, &facts, circle)
        first = NOTHING
        parkable = witness.parked & facts.turned & ~facts.left
        while parkable:
            card = take_lowest(&parkable)
            if first == NOTHING or witness.turn[card] < witness.turn[first]:
                first = card
        if first == NOTHING or spaces_left(ground, &facts) <= 0:
            return in_the_way
        facts.parked |= bit(first)
        note_left(p, &facts, bit(first))


cdef inline void let_next_wait(SpaceLook* look, int level) noexcept nogil:
    """Let the next mover of a circle wait; what waited in later circles no longer does."""
    cdef int card = take_lowest(&look.untried[level])
    look.ground.wait[level].card = card
    look.ground.waits = level + 1
    look.ground.waiting |= bit(card)
    look.begun = False


cdef inline bint wait_for_circle(const Root* r, const Position* p, SpaceLook* look) noexcept nogil:
    """The witness wins: let movers of a circle in its way wait; False if there is none."""
    cdef Circle circle
    cdef int level = look.ground.waits
    circle.movers = circle.others = 0
    if level == MOST_WAITS:
        return False
    if not find_circle(r, p, &look.ground, &look.start, &look.witness, &circle):
        return False
    look.untried[level] = circle.movers
    look.ground.wait[level].others = circle.others
    let_next_wait(look, level)
    return True


cdef inline bint wait_for_another(SpaceLook* look) noexcept nogil:
    """No parkings win with these movers waiting: let another wait; False if all have."""
    cdef int level = look.ground.waits - 1
    while level >= 0 and not look.untried[level]:
        level -= 1
    if level < 0:
        return False
    let_next_wait(look, level)
    return True


cdef inline void begin_spaces(const Root* r, const Position* p, SpaceLook* look) noexcept nogil:
    """Begin to ask whether a position is lost; see the head of this file."""
    survey(r, p, &look.ground, &look.start)
    look.begun = False


cdef inline Outcome resume_spaces(
    const Root* r, const Position* p, SpaceLook* look, int tries
) noexcept nogil:
    """Go on over some ``tries`` of parkings: LOST, ALIVE or NOT_YET.

    The position is lost if no parkings win, whichever mover of the circles in the way
    has to wait. What the answer is does not depend on how often one had to go on.
    """
    cdef Outcome outcome
    while tries > 0:
        if look.begun:
            outcome = resume_parkings(r, p, look, &tries)
        else:
            outcome = begin_parkings(r, p, look, &tries)
        if outcome == ALIVE and not wait_for_circle(r, p, look):
            return ALIVE
        if outcome == LOST and not wait_for_another(look):
            return LOST
    return NOT_YET
