# What proves a position lost at a glance: the one question that the search asks.
#
# Example (alternating, any, 3 ranks), lost; in angle brackets what lies face down:
#
#     <2H> <2C> 3S AD
#     <3D> <AC> AH 2S
#     <2D> <3H> AS 3C
#
# No column is ever empty: AS waits for 2H or 2D, both at the bottom and face down, under 2C
# and 3H. 3H turns up when AS has left, 2C when 3S has gone to a space, and AC, on the third
# base, fits only on 2H and 2D as well.
#
# A closure follows every line of play at once, ignoring that moves compete: it
# gathers facts of the form "this happens at some time in some line of play", each
# drawn from facts already gathered, until nothing new follows. Whatever happens in
# a real line of play is among the facts (the arguments are at each rule), so where
# a fact that every win needs is missing, the position is lost. Facts only grow, so
# the order in which the rules are applied does not matter.
#
# What moves do compete for differs between the games, and so do their closures: for
# spaces where one builds in suit (spaces.pxd), for parents in alternating colours
# (twins.pxd). Where both hold, colours alternate and any card fills a space, the
# closure below lets every card go to a space as soon as there is one.

from libc.stdint cimport uint64_t

from scorpion.engine.bits cimport bit, take_lowest
from scorpion.engine.outcomes cimport ALIVE, LOST, Outcome
from scorpion.engine.position cimport NOTHING, Position, Root, gone, is_dealt, on_table_now, seated
from scorpion.engine.spaces cimport FEW_PARKINGS, MANY_PARKINGS, SpaceLook, begin_spaces, resume_spaces
from scorpion.engine.twins cimport (
    Guide, TwinLook, begin_twins, holders, resume_twins, twins_of, with_a_parent, with_both_parents,
)

cdef enum:
    FEW_CLOSURES = 100      # for each position of a search
    MANY_CLOSURES = 100000  # for a single one

# Facts, each a set of cards.
cdef struct FreeFacts:
    uint64_t turned   # lies face up at some time
    uint64_t opened   # is uncovered at some time
    uint64_t left     # leaves its present seat at some time
    uint64_t joined   # comes to lie on a parent at some time, or does so now
    bint space        # a column is empty at some time


cdef inline void let_go(const Position* p, FreeFacts* facts, uint64_t cards) noexcept nogil:
    """Note that the cards leave: what they lie on is uncovered and turns up.

    What lies directly on a card is all that keeps it covered, since whatever lies
    higher goes along. A base that leaves takes its whole column along.
    """
    cdef int below
    facts.left |= cards
    if cards & p.key.based:
        facts.space = True
    while cards:
        below = p.below[take_lowest(&cards)]
        if below != NOTHING:
            facts.opened |= bit(below)
            facts.turned |= bit(below)


cdef inline uint64_t joining(const Root* r, const Position* p, const FreeFacts* facts) noexcept nogil:
    """Unseated cards, not Kings, that can now be followed onto a parent.

    Claim: a card reaches a parent only face up and while the parent is uncovered, by
    a move or by falling on it from the stock. A card whose twin lies on a parent, or
    went with one, needs the parent that is left, or the twin's after that one went to
    the parent that is left: either way both are at some time uncovered, but for what now
    holds the twin or went with it. (Once there is a space the seated twin may be put
    there and find the parent that is left later; but by then this card may leave for a
    space as well, so that nothing waits for it to join.)
    """
    cdef uint64_t ready = facts.turned & ~facts.joined
    cdef uint64_t second = ready & twins_of(seated(p) & r.deck)
    return (
        ready & ~second & with_a_parent(facts.opened)
        | second & with_both_parents(facts.opened | holders(r, p) | gone(p))
    )


cdef inline bint cannot_win_with_free_spaces(const Root* r, const Position* p) noexcept nogil:
    """Whether the closure for alternating colours, any card filling spaces, proves a loss.

    A King that lies on a card is let go as soon as it is face up, and one at a base
    where runs leave; so is every card once a column may be empty, those face down after
    what lies on them. Claim: every win brings every card but the Kings onto a parent, and
    ends with every card but the Aces carrying one, which was uncovered before if it does
    not carry one now; where runs stay, every King ends at the base of a column. (That all
    turn up follows: what joins or is uncovered lies face up.)
    """
    cdef uint64_t on_table = on_table_now(r, p)
    cdef uint64_t freed_kings = r.kings & on_table & (~p.key.based if r.stays else r.deck)
    cdef uint64_t fresh
    cdef FreeFacts facts
    cdef int column
    facts.turned = p.up | gone(p)
    facts.opened = facts.left = gone(p)
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
        fresh = joining(r, p, &facts)
        facts.joined |= fresh
        fresh |= facts.turned & freed_kings
        if facts.space:
            fresh |= on_table
        fresh &= ~facts.left
        if not fresh:
            break
        let_go(p, &facts, fresh)
    return (
        r.deck & ~(facts.joined | r.kings) != 0
        or r.deck & ~<uint64_t>15 & ~(facts.opened | holders(r, p)) != 0
        or (r.stays and not facts.space and r.kings & ~p.key.based != 0)
    )


# The question whether a position is lost, which may be left and gone on with.
cdef struct Look:
    SpaceLook spaces
    TwinLook twins


cdef inline void begin_look(
    const Root* r, const Position* p, Guide* guide, Look* look
) noexcept nogil:
    """Begin to ask whether a closure proves that no line of play wins from a position.

    All rules of play are covered: what they add (a stock that may be dealt only when
    stuck) only forbids. ``guide`` is for :func:`begin_twins`, which see.
    """
    if not r.alternating:
        begin_spaces(r, p, &look.spaces)
    elif not r.any_fills:
        begin_twins(r, p, guide, &look.twins)


cdef inline Outcome resume_look(
    const Root* r, const Position* p, Look* look, int tries
) noexcept nogil:
    """Go on over so many tries (parkings, closures): LOST, ALIVE or NOT_YET."""
    if not r.alternating:
        return resume_spaces(r, p, &look.spaces, tries)
    if not r.any_fills:
        return resume_twins(r, p, &look.twins, tries)
    return LOST if cannot_win_with_free_spaces(r, p) else ALIVE


cdef inline bint is_dead(
    const Root* r, const Position* p, Guide* guide, bint thorough
) noexcept nogil:
    """Whether a closure proves that no line of play wins from this position.

    The searches within a closure are bounded, and a position not refuted within counts
    as alive; ``thorough`` gives them the time that a single position is worth.
    """
    cdef Look look
    cdef int tries
    if r.alternating:
        tries = MANY_CLOSURES if thorough else FEW_CLOSURES
    else:
        tries = MANY_PARKINGS if thorough else FEW_PARKINGS
    begin_look(r, p, guide, &look)
    return resume_look(r, p, &look, tries) == LOST
