# What proves a position lost at a glance.
#
# The closure follows every line of play at once, ignoring that moves compete: it
# gathers facts of the form "this happens at some time in some line of play", each
# drawn from facts already gathered, until nothing new follows. Whatever happens in
# a real line of play is among the facts (the arguments are at each rule), so where
# a fact that every win needs is missing, the position is lost. Facts only grow, so
# the order in which the rules are applied does not matter.

from libc.stdint cimport uint64_t

from scorpion.position cimport (
    NOTHING, Position, Root, bit, first_parent, gone, is_dealt, lowest,
    on_table_now, seated,
)
from scorpion.spaces cimport FEW_PARKINGS, MANY_PARKINGS, cannot_win_in_suit
from scorpion.twins cimport Guide, twins_block

cdef enum:
    FEW_CLOSURES = 100       # for each position of a search
    MANY_CLOSURES = 100000   # for a single one

# Facts, each a set of cards.
cdef struct Facts:
    uint64_t turned   # lies face up at some time
    uint64_t opened   # is uncovered at some time
    uint64_t left     # leaves its present seat at some time
    uint64_t joined   # comes to lie on a parent at some time, or does so now
    bint space        # a column is empty at some time


cdef inline uint64_t holding(const Root* r, const Position* p) noexcept nogil:
    """Cards that carry a card seated on them."""
    cdef uint64_t low = 0x1111111111111111
    cdef uint64_t first = p.key.first & r.deck & ~gone(p), second = p.key.second & r.deck & ~gone(p)
    if not r.alternating:
        return first << 4
    # Black lies on red (the upper pair of the next rank) and red on black.
    return (
        ((first | first >> 1) & low) << 6
        | ((first >> 2 | first >> 3) & low) << 4
        | ((second | second >> 1) & low) << 7
        | ((second >> 2 | second >> 3) & low) << 5
    )


cdef inline uint64_t parents_in(const Root* r, uint64_t targets, bint both) noexcept nogil:
    """Cards with a parent among the targets, or with both their parents there.

    In-suit a card's one parent is both.
    """
    cdef uint64_t low = 0x1111111111111111
    cdef uint64_t red, black
    if not r.alternating:
        return targets >> 4
    if both:
        black = targets & targets >> 1 & low
        red = targets >> 2 & targets >> 3 & low
    else:
        black = (targets | targets >> 1) & low
        red = (targets >> 2 | targets >> 3) & low
    # Children of black targets are red, the upper pair of the rank below.
    return (black * 12 | red * 3) >> 4


cdef inline uint64_t twins(uint64_t cards) noexcept nogil:
    """The other card of the same rank and colour, for each of the cards."""
    cdef uint64_t evens = 0x5555555555555555
    return (cards & evens) << 1 | (cards >> 1 & evens)


cdef inline bint has_detour(
    const Root* r, const Position* p, const Facts* facts, int card, int target
) noexcept nogil:
    """Whether the card may reach a target that now lies on top of it in its own column.

    A pile cannot land on a card of its own, so some card above the leading one, up
    to the target, has first to lead away with the target in its pile: one that has
    left, or, where cards on a parent may lead again, any such card.
    """
    cdef int step = card
    cdef uint64_t may_lead = facts.left
    if r.alternating:
        may_lead |= seated(p)
    while step != target:
        step = p.above[step]
        if (may_lead >> step) & 1:
            return True
    return False


cdef inline bint lies_above(const Position* p, int card, int target) noexcept nogil:
    """Whether the target lies above the card in the card's own column."""
    if p.column[card] != p.column[target]:
        return False
    while card != NOTHING:
        card = p.above[card]
        if card == target:
            return True
    return False


cdef inline void leave(const Position* p, Facts* facts, uint64_t cards) noexcept nogil:
    """Note that the cards leave: what they lie on is uncovered and turns up.

    What lies directly on a card is all that keeps it covered, since whatever lies
    higher goes along. A base that leaves takes its whole column along.
    """
    cdef int below
    cards &= ~facts.left
    facts.left |= cards
    if cards & p.key.based:
        facts.space = True
    while cards:
        below = p.below[lowest(cards)]
        cards &= cards - 1
        if below != NOTHING:
            facts.opened |= bit(below)
            facts.turned |= bit(below)


cdef inline uint64_t joining(
    const Root* r, const Position* p, const Facts* facts, uint64_t unseated
) noexcept nogil:
    """Unseated cards, not Kings, that can now be followed onto a parent.

    Claim: a card reaches a parent only face up and while the parent is uncovered,
    by a move or by falling on it from the stock. In alternating colours the one
    parent cannot take both twins: if one twin lies on a parent or has gone with one,
    the other needs the parent that is left, or the first twin's after that one went
    to the parent that is left: either way both parents are at some time uncovered,
    except for what now holds the first twin or went with it. (While both twins lie
    elsewhere either may be the first, and the first needs one parent; where any card
    fills a space, either may be again, once the seated twin is put into one.)
    """
    cdef uint64_t ready = unseated & facts.turned & ~facts.joined
    cdef uint64_t second, rest
    cdef int card, target, last
    if not r.alternating:
        ready &= parents_in(r, facts.opened, False)
        second = 0
    else:
        second = 0 if r.any_fills and facts.space else ready & twins(seated(p) & r.deck)
        ready &= ~second & parents_in(r, facts.opened, False)
        second &= parents_in(r, facts.opened | holding(r, p), True)
    rest = ready
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        target = first_parent(r, card)
        last = target + 1 if r.alternating else target
        while target <= last and not (
            (facts.opened >> target) & 1
            and (not lies_above(p, card, target) or has_detour(r, p, facts, card, target))
        ):
            target += 1
        if target > last:
            ready &= ~bit(card)
    return ready | second


cdef inline uint64_t finishing(const Root* r, const Facts* facts) noexcept nogil:
    """In-suit: the cards of the suits whose run can be followed to its completion.

    A run leaves when all its cards lie face up, each on its parent, with the Ace
    uncovered, so each of these happens at some time.
    """
    cdef uint64_t suit = <uint64_t>0x0001111111111111 & r.deck
    cdef uint64_t cards = 0
    cdef int _suit
    for _suit in range(4):
        if (
            suit & ~facts.turned == 0
            and suit & ~(facts.joined | r.kings) == 0
            and suit & facts.opened & 15
        ):
            cards |= suit
        suit <<= 1
    return cards


cdef inline void close_facts(const Root* r, const Position* p, Facts* facts) noexcept nogil:
    """Follow every line of play at once; see the head of this file.

    Kings: in-suit a King that lies on a card leaves it for an empty column, or with
    its run, and a King at a base leaves only with its run. In alternating colours
    both are let go as soon as they are face up (at a base, where runs leave):
    counting spaces and runs there gained nothing measurable. Where any card fills an empty
    column, every face-up card may go to one as soon as there is one.
    """
    cdef uint64_t unseated = r.deck & ~seated(p) & ~r.kings
    cdef uint64_t on_table = on_table_now(r, p)
    cdef uint64_t fresh, kings, finished
    cdef int column
    facts.turned = p.up | gone(p)
    facts.opened = gone(p)
    facts.left = gone(p)
    facts.joined = seated(p) & r.deck
    facts.space = False
    for column in range(r.columns):
        if p.tail[column] == NOTHING:
            facts.space = True
        else:
            facts.opened |= bit(p.tail[column])
    if not is_dealt(p):
        # Undealt, the stock covers nothing yet and may fall anywhere.
        facts.turned |= r.stock_set
        facts.opened |= r.stock_set
    while True:
        fresh = joining(r, p, facts, unseated)
        facts.joined |= fresh
        kings = r.kings & facts.turned & on_table
        if r.alternating:
            fresh |= kings & ~p.key.based if r.stays else kings
        elif facts.space:
            fresh |= kings & ~p.key.based
        if r.any_fills and facts.space:
            fresh |= facts.turned & on_table
        if not r.stays and not r.alternating:
            finished = finishing(r, facts)
            fresh |= finished & on_table
        fresh &= ~facts.left
        if not fresh:
            return
        leave(p, facts, fresh)


cdef inline bint is_dead(
    const Root* r, const Position* p, Guide* guide, bint thorough
) noexcept nogil:
    """Whether the closure proves that no line of play wins from this position.

    ``guide`` is for :func:`twins_block`, which see. The searches within the closure
    are bounded; ``thorough`` gives them the time that a single position is worth.

    Claim: every win turns up every card, brings every card but the Kings onto a
    parent, and ends with every card but the Aces carrying one, which was uncovered
    before; in-suit, runs that leave are finished with the Ace uncovered, and runs
    that stay have their Kings at the base of a column. All rules of play are
    covered: what they add (a stock that may be dealt only when stuck) only forbids.
    """
    cdef Facts facts
    if not r.alternating:
        return cannot_win_in_suit(r, p, MANY_PARKINGS if thorough else FEW_PARKINGS)
    if not r.any_fills:
        return twins_block(r, p, guide, MANY_CLOSURES if thorough else FEW_CLOSURES)
    close_facts(r, p, &facts)
    if r.deck & ~facts.turned:
        return True
    if r.deck & ~(facts.joined | r.kings):
        return True
    if r.deck & ~<uint64_t>15 & ~(facts.opened | holding(r, p)):
        return True
    if r.stays:
        # A King still in the stock may fall on an empty column.
        if not facts.space and r.kings & ~p.key.based:
            return True
        return r.kings & on_table_now(r, p) & ~(p.key.based | facts.left) != 0
    return not r.alternating and finishing(r, &facts) != r.deck
