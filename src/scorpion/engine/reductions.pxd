# Moves that need not be tried: after the deal, where one builds in suit.
#
# Let the distance of a position be the number of moves of its shortest win. Both
# reductions below leave, at every position that can be won, a way to go on to a win:
#
# A *safe join* leads to a position whose distance is less, so it may be played alone.
#
# *Delayed parking.* A parking is a move of a card that is no base to an empty column.
# Take a shortest win in which the parkings come as late as they can, and neighbouring
# ones in card order. Then no move right after a parking could just as well be played
# before it: it *needs* the parking. So after a parking only moves that need it are
# tried, and a parking that no move can need is not made. Such a position is searched
# apart from the same one reached otherwise: the pending parking is part of its key.
#
# Together: follow that shortest win as long as no safe join is at hand; where one is,
# it leads to a position of smaller distance with nothing pending, and so on from there.

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from scorpion.engine.bits cimport bit, take_lowest
from scorpion.engine.position cimport DEAL, NOTHING, PLACE_MASK, Key, Position, Root, Undo, is_dealt, seated

cdef enum:
    TURNED_BIT = 59
    PENDING = 58   # where a pending parking begins in the first two words of a key

# The key of a position just after a parking, beside what position.pxd says:
#
#               63 .. 58
#    first      one more than the card that was parked
#    second     one more than the card it lay on
#    based      bit 59: that card has turned up
cdef struct Parking:
    uint8_t card     # NOTHING if the last move was no parking
    uint8_t below
    bint turned


cdef inline bint is_reduced(const Root* r, const Position* p) noexcept nogil:
    return not r.alternating and is_dealt(p)


cdef inline void note_parking(Key* key, const Parking* pending) noexcept nogil:
    if pending.card != NOTHING:
        key.first |= <uint64_t>(pending.card + 1) << PENDING
        key.second |= <uint64_t>(pending.below + 1) << PENDING
        key.based |= <uint64_t>pending.turned << TURNED_BIT


cdef inline Parking take_parking(Key* key) noexcept nogil:
    """Take the pending parking out of a key."""
    cdef Parking pending
    pending.card = <int>(key.first >> PENDING) - 1 & PLACE_MASK
    pending.below = <int>(key.second >> PENDING) - 1 & PLACE_MASK
    pending.turned = (key.based >> TURNED_BIT) & 1
    key.first &= bit(PENDING) - 1
    key.second &= bit(PENDING) - 1
    key.based &= ~bit(TURNED_BIT)
    return pending


cdef inline Parking parking_of(const Root* r, const Position* p, const Undo* undo) noexcept nogil:
    """The parking that is pending after a move, from the position it led to.

    When a run left at once, anything may follow. (After the deal no base is moved to an
    empty column.)
    """
    cdef Parking pending
    pending.card = pending.below = NOTHING
    pending.turned = False
    if (
        is_reduced(r, p) and undo.move != DEAL and undo.runs == 0
        and p.below[undo.move & 63] == NOTHING
    ):
        pending.card = undo.move & 63
        pending.below = undo.below
        pending.turned = not (undo.up >> undo.below) & 1
    return pending


cdef inline bint is_needed(
    const Position* p, const Parking* pending, int card, int target
) noexcept nogil:
    """Whether a move could not just as well have been made before the pending parking.

    The parking took y off x to an empty column. Suppose that x was face up already,
    or does not lead the move, and look at each kind of move.

    - A further parking, of z: there were two empty columns, so z could go first, and
      y lies on x still. Of the two orders one is enough: by card number.
    - y comes back: unless it lay face up on x face down and x is its parent, it
      could have gone to the target from where it was, or should have stayed.
    - z goes onto x: only now x is uncovered.
    - z goes onto another card: could be done before, unless that card lies in y's
      pile and z where y came from, so that it was in a pile with its target.

    In each case of "before", y lies on x still and can be parked next with the same
    result, unless with y on x the move completes y's run. Then that is one move for
    two, and the line at hand is not a shortest win: the suit is out of the way without
    what the line does with it later, and takes no column meanwhile.
    """
    if pending.turned and card == pending.below:
        return True
    if target == NOTHING:
        return card > pending.card
    if target == pending.below:
        return card != pending.card or pending.turned
    return (
        p.column[target] == p.column[pending.card] and p.column[card] == p.column[pending.below]
    )


cdef inline bint has_follow_up(const Position* p, int card) noexcept nogil:
    """Whether a parking may be worth making although no further parking follows.

    Asked before the parking, of y off x; see :func:`is_needed` for what may need it: x
    turns up, its child can come, or a card left in the column fits on y's pile. And a
    run may leave, or the game be won where runs stay, only if x is a run's Ace. With
    one empty column no other parking can come next, so one without a follow-up need
    not be made.
    """
    cdef int below = p.below[card]
    cdef int end = p.tail[p.column[card]]
    cdef int child, other = card
    cdef uint64_t pile = 0
    if below == NOTHING:
        return False
    if not (p.up >> below) & 1:
        return True
    if below < 4 and (seated(p) >> below) & 1:
        return True
    while other != NOTHING:
        pile |= bit(other)
        other = p.above[other]
    child = below - 4
    if (
        below >= 4 and child != card and (p.up >> child) & 1
        and (p.column[child] != p.column[card] or (pile >> child) & 1)
    ):
        return True
    child = end - 4
    return (
        end >= 4 and (p.up >> child) & 1 and p.column[child] == p.column[card] and not (pile >> child) & 1
    )


cdef inline bint is_safe_join(const Root* r, const Position* p, int card, int target) noexcept nogil:
    """Whether a card may go home to its parent without looking at other moves.

    Claim: if, following from the target what each card lies on or, if it is not
    there yet, its parent, one never comes to the card y, then y goes home safely.

    Argument: follow a win of the position before in the one after, leaving out all
    moves of y (and of cards that have gone with a run sooner than in the original).
    At all times every other card has the same seat, so at least the same cards are
    uncovered and face up and at least as many columns are empty. What may fail is a
    move of some m onto its parent when that lies in m's pile, which it did not in
    the original. The two differ only in that y lies on its parent: so m lies at or
    below y's parent and m's parent at or above y. As a card is never on anything but
    what it lies on now, its parent or nothing, what lies at or below another at any
    time is found by the steps above: y's parent leads to m, m to its parent, that to
    y. The win in the original moved y home, which is left out: so it is shorter.
    """
    cdef uint64_t found = bit(target), untried = bit(target), fresh
    cdef int at
    while untried:
        at = take_lowest(&untried)
        # The parent of a seated card is what it lies on, that of a King not in the deck.
        fresh = (bit(p.below[at]) | bit(at + 4)) & r.deck & ~found
        found |= fresh
        untried |= fresh
    return not (found >> card) & 1


cdef inline int leave_out(
    const Root* r, const Position* p, const Parking* pending, uint16_t* moves, int found
) noexcept nogil:
    """Drop the moves that need not be tried; answer how many are left."""
    cdef int which, card, target, kept = 0, empty = 0
    if not is_reduced(r, p):
        return found
    for which in range(r.columns):
        empty += p.tail[which] == NOTHING
    for which in range(found):
        card = moves[which] & 63
        target = p.tail[moves[which] >> 6]
        if target != NOTHING and is_safe_join(r, p, card, target):
            moves[0] = moves[which]
            return 1
    for which in range(found):
        card = moves[which] & 63
        target = p.tail[moves[which] >> 6]
        if pending.card != NOTHING and not is_needed(p, pending, card, target):
            continue
        if target == NOTHING and empty == 1 and not has_follow_up(p, card):
            continue
        moves[kept] = moves[which]
        kept += 1
    return kept
