# What proves a position lost where one builds in suit: a closure that counts spaces.
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
# A card that lies on its parent now may also go to an empty column, and does not in
# the closure. Its parent takes no other card, so all that this could be good for is
# to let some x below go home to x's parent high above it in the same column, with
# nothing between them moved for good. From then on, let each card point to what it
# lies on, or, once it has been home, to its parent: x and the cards between x and its
# parent, pointing down to x, make a circle. Cards that have been home keep pointing
# where they point, so the circle lasts until one of its others, a card that has not
# been home or a King, leaves its seat; and as no win has a circle, one of them, c,
# is the first to leave. In the closure, let c park in place of the joined card as x
# goes home: c lies between x and its parent, so x may follow. As long as c stays
# put in reality, some card of its circle that has been home lies parked, since what
# really lies on what has no circle; circles share no card, as each card points to one
# only. So parked cards of the closure that are not yet home still stand for as many
# different ones on the table.

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from scorpion.position cimport (
    NOTHING, Position, Root, bit, count, gone, is_dealt, lowest, on_table_now, seated,
)

cdef enum:
    MOST_PARKED = 53       # frames of the search: one more than there are cards to park
    MEMO = 128             # states remembered, a power of two
    FEW_PARKINGS = 1000      # tried before the answer is "alive"
    MANY_PARKINGS = 500000   # where a loss would end the search
    MOST_WAITS = 24

# What stays the same while a position is asked about.
cdef struct Ground:
    uint64_t unseated      # neither Kings nor on their parents
    uint64_t entangled     # their parent lies above them in their own column
    uint64_t parkable      # may go to an empty column if face up
    uint64_t bases
    int empty              # columns
    uint64_t above[64]     # cards that lie above a card in its column
    uint64_t waiting       # cards that come home only after one of certain others left
    int waits
    uint8_t waiter[MOST_WAITS]
    uint64_t awaited[MOST_WAITS]

# The sequence of parkings that led to all facts: which cards, and each one's turn.
cdef struct Witness:
    uint64_t parked
    uint8_t turn[64]

# Facts, each a set of cards.
cdef struct Facts:
    uint64_t turned        # lies face up at some time
    uint64_t opened        # is uncovered at some time
    uint64_t left          # leaves its present seat at some time
    uint64_t home          # lies on its parent at some time, or is away with its run
    uint64_t parked        # was given a space

# A state of the search for parkings, and those that were not tried from it.
cdef struct Frame:
    Facts facts
    uint64_t untried


cdef inline void survey(const Root* r, const Position* p, Ground* ground, Facts* facts) noexcept nogil:
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


cdef inline int spaces(const Ground* ground, const Facts* facts) noexcept nogil:
    return ground.empty + count(ground.bases & facts.left) - count(facts.parked & ~facts.home)


cdef inline uint64_t finished(const Root* r, const Facts* facts) noexcept nogil:
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


cdef inline void leave(const Position* p, Facts* facts, uint64_t cards) noexcept nogil:
    """Note that the cards leave: what they lie on is uncovered and turns up.

    What lies directly on a card is all that keeps it covered, since whatever lies
    higher goes along.
    """
    cdef uint64_t uncovered = 0
    facts.left |= cards
    while cards:
        uncovered |= bit(p.below[lowest(cards)])
        cards &= cards - 1
    uncovered &= ~bit(NOTHING)
    facts.opened |= uncovered
    facts.turned |= uncovered


cdef inline uint64_t coming_home(const Ground* ground, const Facts* facts) noexcept nogil:
    """Cards that can now be followed home.

    A card comes home only face up and while its parent is uncovered, by a move or
    by falling on it from the stock. A pile cannot land on a card of its own: where
    the parent lies above the card in its own column, some card above the leading
    one, up to the parent, has first to leave with the parent in its pile.
    """
    cdef uint64_t fresh = ground.unseated & facts.turned & ~facts.home & facts.opened >> 4
    cdef uint64_t rest = fresh & (ground.entangled | ground.waiting)
    cdef int card, which
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if ground.entangled & bit(card):
            if not ground.above[card] & ~ground.above[card + 4] & facts.left:
                fresh &= ~bit(card)
        for which in range(ground.waits):
            if ground.waiter[which] == card and not ground.awaited[which] & facts.left:
                fresh &= ~bit(card)
    return fresh


cdef inline void follow(
    const Root* r, const Position* p, const Ground* ground, Facts* facts
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
        leave(p, facts, fresh)


cdef inline bint is_complete(
    const Root* r, const Position* p, const Ground* ground, const Facts* facts
) noexcept nogil:
    """Whether the facts are all there that a win needs.

    Every card turns up and comes home, the Kings with their runs; for that every
    card but the Aces is uncovered once, if it does not carry its child already. Where
    runs stay the Kings end as bases instead, those from the stock each in a space.
    """
    if r.deck & ~facts.turned:
        return False
    if not r.stays:
        return r.deck & ~facts.home == 0
    if r.deck & ~(facts.home | r.kings):
        return False
    if not is_dealt(p) and spaces(ground, facts) < count(r.kings & r.stock_set):
        return False
    return r.kings & on_table_now(r, p) & ~(ground.bases | facts.left) == 0


cdef inline void park(
    const Root* r, const Position* p, const Ground* ground, Facts* facts, int card
) noexcept nogil:
    facts.parked |= bit(card)
    leave(p, facts, bit(card))
    follow(r, p, ground, facts)


cdef inline bint is_complete_at_best(
    const Root* r, const Position* p, const Ground* ground, const Facts* known
) noexcept nogil:
    """Whether the facts can be completed if parking costs nothing."""
    cdef Facts facts = known[0]
    cdef uint64_t cards
    while True:
        cards = ground.parkable & facts.turned & ~facts.left
        if not cards:
            break
        leave(p, &facts, cards)
        follow(r, p, ground, &facts)
    return is_complete(r, p, ground, &facts)


cdef inline bint no_parkings_win(
    const Root* r, const Position* p, const Ground* ground, const Facts* start, Witness* witness,
    int* budget
) noexcept nogil:
    """Whether no sequence of parkings leads to the facts of a win; if one does, ``witness``.

    A state is what has left and which parked cards are not yet home. It is at least
    as good as another if no less has left and no card is out that is not out there:
    every sequence of parkings from the other may then be made from it too. So

    - a parking that pays itself back at once, its card being home in the facts that
      result, is made without looking at others;
    - a state in which no card is out that was not out in an earlier state of the
      same sequence takes that one's place, and what was untried there is dropped;
    - a state met before leads nowhere new.

    When too many parkings were tried the answer is "alive".
    """
    cdef Frame frames[MOST_PARKED]
    cdef uint64_t met[MEMO][2]
    cdef Facts facts = start[0], after, best
    cdef uint64_t candidates, untried, out, slot
    cdef int top = -1, card, level, value, best_value, turn
    cdef bint paid
    witness.parked = 0
    follow(r, p, ground, &facts)
    if is_complete(r, p, ground, &facts):
        return False
    if spaces(ground, &facts) <= 0 or not is_complete_at_best(r, p, ground, &facts):
        return True
    memset(met, 0, sizeof(met))
    while True:
        # Here the facts are those of a state with a space that was not met before.
        paid = True
        while paid:
            paid = False
            untried = 0
            best_value = -1
            candidates = ground.parkable & facts.turned & ~facts.left
            turn = count(facts.parked)
            while candidates:
                card = lowest(candidates)
                candidates &= candidates - 1
                after = facts
                park(r, p, ground, &after, card)
                witness.turn[card] = turn
                budget[0] -= 1
                if is_complete(r, p, ground, &after):
                    witness.parked = after.parked
                    return False
                if (after.home >> card) & 1:
                    facts = after
                    paid = True
                    break
                value = spaces(ground, &after)
                if value > 0:
                    untried |= bit(card)
                    value = 64 * value + count(after.left)
                    if value > best_value:
                        best_value = value
                        best = after
        out = facts.parked & ~facts.home
        level = 0
        while level <= top and out & ~(frames[level].facts.parked & ~frames[level].facts.home):
            level += 1
        top = level
        frames[top].facts = facts
        frames[top].untried = untried
        # The best first, then the others as they come.
        facts = best
        while True:
            if budget[0] <= 0:
                return False
            if best_value >= 0:
                best_value = -1
            else:
                while top >= 0 and not frames[top].untried:
                    top -= 1
                if top < 0:
                    return True
                card = lowest(frames[top].untried)
                frames[top].untried &= frames[top].untried - 1
                facts = frames[top].facts
                witness.turn[card] = count(facts.parked)
                park(r, p, ground, &facts, card)
                budget[0] -= 1
            out = facts.parked & ~facts.home
            slot = ((facts.left ^ out << 7) * <uint64_t>0x9E3779B97F4A7C15) >> 57
            if met[slot][0] == facts.left and met[slot][1] == out:
                continue
            met[slot][0] = facts.left
            met[slot][1] = out
            break


cdef inline bint find_circle(
    const Root* r, const Position* p, const Ground* ground, Facts* facts, const Witness* witness,
    uint64_t* movers, uint64_t* others
) noexcept nogil:
    """Whether the facts can only be had with a circle: go through them one by one."""
    cdef uint64_t fresh, rest, ahead, resting
    cdef int card, at
    cdef bint circle
    while True:
        circle = False
        while True:
            rest = coming_home(ground, facts)
            fresh = 0
            while rest:
                card = lowest(rest)
                rest &= rest - 1
                at = card + 4
                ahead = bit(card)
                resting = 0
                while at != NOTHING and at != card:
                    if (seated(p) >> at) & 1:
                        at = p.below[at]
                    elif (facts.home & ~r.kings) >> at & 1:
                        ahead |= bit(at)
                        at += 4
                    elif (facts.left >> at) & 1:
                        break
                    else:
                        resting |= bit(at)
                        at = p.below[at]
                if at == card:
                    if not circle:
                        circle = True
                        movers[0] = ahead
                        others[0] = resting
                else:
                    facts.home |= bit(card)
                    fresh |= bit(card)
                    leave(p, facts, bit(card) & ~facts.left)
            if not r.stays:
                rest = finished(r, facts)
                facts.home |= rest
                rest &= ~facts.left
                leave(p, facts, rest)
                fresh |= rest
            if not fresh:
                break
            circle = False
        if spaces(ground, facts) <= 0:
            break
        at = NOTHING
        rest = witness.parked & facts.turned & ~facts.left
        while rest:
            card = lowest(rest)
            rest &= rest - 1
            if at == NOTHING or witness.turn[card] < witness.turn[at]:
                at = card
        if at == NOTHING:
            break
        facts.parked |= bit(at)
        leave(p, facts, bit(at))
    return circle


cdef inline bint is_lost_with(
    const Root* r, const Position* p, Ground* ground, const Facts* start, int* budget
) noexcept nogil:
    cdef Witness witness
    cdef uint64_t movers = 0, others = 0
    cdef Facts facts
    cdef int card
    cdef bint lost
    if no_parkings_win(r, p, ground, start, &witness, budget):
        return True
    if budget[0] <= 0 or ground.waits == MOST_WAITS:
        return False
    facts = start[0]
    if not find_circle(r, p, ground, &facts, &witness, &movers, &others):
        return False
    while movers:
        card = lowest(movers)
        movers &= movers - 1
        ground.waiter[ground.waits] = card
        ground.awaited[ground.waits] = others
        ground.waits += 1
        ground.waiting |= bit(card)
        lost = is_lost_with(r, p, ground, start, budget)
        ground.waits -= 1
        if not lost:
            return False
    return True


cdef inline bint cannot_win_in_suit(const Root* r, const Position* p, int budget) noexcept nogil:
    cdef Ground ground
    cdef Facts facts
    survey(r, p, &ground, &facts)
    return is_lost_with(r, p, &ground, &facts, &budget)
