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
# spaces where one builds in suit (spaces.pxd), for parents, and Kings for spaces, in
# alternating colours (twins.pxd). Where colours alternate and any card fills a space,
# all may happen once there is one: there only boards are lost at a glance on which no
# column is ever empty.

from scorpion.engine.outcomes cimport LOST, Outcome
from scorpion.engine.position cimport Position, Root
from scorpion.engine.spaces cimport FEW_PARKINGS, MANY_PARKINGS, SpaceLook, begin_spaces, resume_spaces
from scorpion.engine.twins cimport Guide, TwinLook, begin_twins, resume_twins

cdef enum:
    FEW_CLOSURES = 1000     # for each position of a search
    MANY_CLOSURES = 100000  # for a single one

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
    else:
        begin_twins(r, p, guide, &look.twins)


cdef inline Outcome resume_look(
    const Root* r, const Position* p, Look* look, int tries
) noexcept nogil:
    """Go on over so many tries (parkings, closures): LOST, ALIVE or NOT_YET."""
    if not r.alternating:
        return resume_spaces(r, p, &look.spaces, tries)
    return resume_twins(r, p, &look.twins, tries)


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
