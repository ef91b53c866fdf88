# When Kings leave in alternating colours: for spaces, which are counted, or with their runs.
#
# Example (alternating, king, 3 ranks), lost; in angle brackets what lies face down:
#
#     <2C> 3D 3C
#     <AD> 2H 2D
#     <2S> 3H AS
#     <AH> 3S AC
#
# No column is ever empty. AD and AH fit only on 2C and 2S, and these two turn up when 3D and
# 3H have left: for a space, or with a run, which needs 2C or 2S too.
#
# The closure for twins (twins.pxd) follows every line of play at once. Where only Kings
# fill spaces, only a King that *parks*, that is goes from a card to an empty column, takes
# something from the others, namely a space. It gives that back when it leaves with its run:
#
#   spaces = empty columns now + bases that have left, but Kings - parked Kings
#            + Kings that were bases or have parked, and have left with their runs
#
# Claim: to every winning line of play there is a sequence of parkings, each made while
# the closure has a space, whose facts contain all that happens in the line. So if no
# sequence of parkings leads to all the facts that a win needs, no line wins.
#
# Argument. Follow the line and park in the closure what it parks, unless that has left
# already. At any time each column of the real table is empty or has at its base a card
# that was a base from the start, a King that was parked, or a stock card. (A King that
# moves from base to base only names the columns anew.) A base has really left only if it
# has left in the closure. A King stays at a base, once it is there, until it leaves with
# its run, and has then left with it in the closure too. A King that was really parked but
# has not parked in the closure had left there with its run by then: it takes a column and
# gives it back, which counts for neither. So the closure never has fewer spaces than
# there are empty columns, and may park whatever the line parks. (The stock, while
# undealt, counts as uncovered and face up. It takes no space, though its cards may come
# to lie at bases.)
#
# *Runs.* A run leaves when its cards lie face up, each below the King on one that it fits
# on, each but the Ace with one that fits on it, and the Ace uncovered. So each of its cards
# *serves*: it is face up at some time; it is a King, or comes to lie on a parent; and it
# holds a card that is seated on it from the start, or is at some time uncovered. A run
# takes at each rank one of the two cards of a colour. So for one run of a King's colour to
# leave one of each two has to serve, for two runs both, and the King itself has to. Where
# runs stay, none leaves.

from libc.stdint cimport uint64_t

from scorpion.engine.bits cimport count, lowest
from scorpion.engine.position cimport Root


cdef inline int finished_runs(const Root* r, uint64_t serving, int king) noexcept nogil:
    """How many runs of a King's colour may leave, at most 2, given the cards that may serve."""
    # The lower twin of each rank in them: black and red in turn from Kings down.
    cdef uint64_t lower = <uint64_t>0x4141414141414141
    if r.stays:
        return 0
    if (king >> 2 ^ king >> 1) & 1:
        lower = <uint64_t>0x1414141414141414
    lower &= r.deck
    if lower & ~(serving | serving >> 1):
        return 0
    return 1 if lower & ~(serving & serving >> 1) else 2


cdef inline uint64_t with_runs(const Root* r, uint64_t serving, uint64_t kings) noexcept nogil:
    """Those of the Kings that may leave with their runs."""
    cdef uint64_t pair = <uint64_t>3 << (4 * r.ranks - 4)
    cdef int _colour
    kings &= serving
    for _colour in range(2):
        if kings & pair and not finished_runs(r, serving, lowest(pair)):
            kings &= ~pair
        pair <<= 2
    return kings


cdef inline int given_back(const Root* r, uint64_t serving, uint64_t kings) noexcept nogil:
    """How many of these Kings, each at a base, may have left with their runs."""
    cdef uint64_t pair = <uint64_t>3 << (4 * r.ranks - 4)
    cdef int found = 0, _colour
    kings &= serving
    for _colour in range(2):
        if kings & pair:
            found += min(count(kings & pair), finished_runs(r, serving, lowest(pair)))
        pair <<= 2
    return found
