# A refutation as numbers: what the room of reasons found, so that it outlives its position.
#
# Bytes, read again at the face (reasons.pxi). Cards are their numbers, NOTHING for none.
#
#     argument  WRITTEN_LOCK    reasons
#               WRITTEN_PARKED  reasons, how many cases, cases
#               WRITTEN_TWINS   the first card, the second, the arguments for each as the first
#               WRITTEN_LAST    how many cards, the cards, an argument for each
#               WRITTEN_AGAIN   the number of an argument that began before, its low byte first
#     reasons   how many, and of each: the covered card, the card on it, how many bars, bars
#     bar       its kind, how many cards, the cards
#     case      how many cards, the cards, the argument

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, realloc

from scorpion.engine.arguments cimport LAST_HOME, NO_ARGUMENT, TWINS, Argument, Reasons
from scorpion.engine.bars cimport (
    AWAY, BY_CASES, CIRCLE, COVERED, FACE_DOWN, IN_RUN, MOST_WAYS, NONE_EMPTY, SECOND, TO_SPACE, Hold,
    Way, next_hold, uses_space,
)
from scorpion.engine.bits cimport bit, count, highest, lowest, take_lowest
from scorpion.engine.locks cimport HEAVIEST, choose_bars
from scorpion.engine.position cimport NOTHING
from scorpion.engine.scene cimport LastOne, Locked, Scene, in_run_at

cdef enum:
    FIRST_ROOM = 1 << 12
    MOST_PENDING = 64 * 64  # every reason names at most as many cards as there are

cdef enum WrittenArgument:
    WRITTEN_LOCK
    WRITTEN_PARKED
    WRITTEN_TWINS
    WRITTEN_LAST
    WRITTEN_AGAIN

cdef enum WrittenBar:
    WRITTEN_COVERED
    WRITTEN_GONE
    WRITTEN_OWN_PILE
    WRITTEN_CIRCLE
    WRITTEN_SECOND
    WRITTEN_FACE_DOWN
    WRITTEN_SPACE
    WRITTEN_FIRST
    WRITTEN_RUN

cdef struct Writing:
    uint8_t* text
    uint64_t size
    uint64_t room
    uint64_t limit         # bytes that it may take
    bint full              # there was no room for all of it


cdef inline void begin_writing(Writing* out, uint64_t limit) noexcept nogil:
    out.text = NULL
    out.size = out.room = 0
    out.limit = limit
    out.full = False


cdef inline void close_writing(Writing* out) noexcept nogil:
    free(out.text)
    out.text = NULL


cdef inline void put(Writing* out, int value) noexcept nogil:
    cdef uint8_t* grown
    cdef uint64_t room
    if out.size == out.room:
        room = 2 * out.room if out.room else FIRST_ROOM
        # The old and the new may live side by side while it grows.
        grown = <uint8_t*>realloc(out.text, room) if out.room + room <= out.limit else NULL
        if grown == NULL:
            out.full = True
            return
        out.text = grown
        out.room = room
    out.text[out.size] = value
    out.size += 1


cdef inline void put_cards(Writing* out, uint64_t cards) noexcept nogil:
    put(out, count(cards))
    while cards:
        put(out, take_lowest(&cards))


cdef inline void put_bar(Writing* out, WrittenBar kind, int card) noexcept nogil:
    """A bar of one card, or of none if that is NOTHING."""
    put(out, kind)
    put_cards(out, 0 if card == NOTHING else bit(card))


cdef inline void write_bar(
    const Reasons* reasons, const Argument* argument, int card, const Way* way, int each, Writing* out
) noexcept nogil:
    """What bars a way of the card, by one of its alternatives."""
    cdef const Scene* scene = &reasons.scene
    cdef const LastOne* last
    cdef int kind = way.detail[each] & 15, at
    if way.kind == FACE_DOWN:
        put_bar(out, WRITTEN_FACE_DOWN, card)
    elif way.kind == SECOND:
        put_bar(out, WRITTEN_SECOND, way.detail[each])
    elif way.kind == TO_SPACE:
        put_bar(out, WRITTEN_SPACE if argument.spaces == NONE_EMPTY else WRITTEN_FIRST, NOTHING)
    elif way.kind == IN_RUN:
        put(out, WRITTEN_RUN)
        put_cards(out, in_run_at(scene, card, way.detail[each]))
    elif kind == COVERED:
        put_bar(out, WRITTEN_COVERED, way.target)
    elif kind == AWAY:
        put_bar(out, WRITTEN_GONE, way.target)
    elif kind == CIRCLE:
        last = &scene.wait[way.detail[each] >> 4]
        put(out, WRITTEN_CIRCLE)
        put(out, last.size)
        for at in range(last.size):
            put(out, last.cards[at])
    else:
        # The target, then from the card on what lies below it.
        kind = 1
        at = card
        while at != way.target:
            kind += 1
            at = scene.p.above[at]
        put(out, WRITTEN_OWN_PILE)
        put(out, kind)
        put(out, way.target)
        at = card
        while at != way.target:
            put(out, at)
            at = scene.p.above[at]


cdef inline uint64_t write_reason(
    const Reasons* reasons, const Argument* argument, int card, bint at_bottom, Locked* said, Writing* out
) noexcept nogil:
    """Why a card stays, by the bars that name least that was not said; the cards that they name."""
    cdef const Scene* scene = &reasons.scene
    cdef Hold hold, best
    cdef int state = 0, total, lightest = HEAVIEST, which
    cdef int chosen[MOST_WAYS]
    cdef int bars[MOST_WAYS]
    cdef uint64_t named = 0, taken
    best.size = 0  # a reason without bars, which the checker refuses, were nothing to hold it
    while next_hold(scene, &argument.locked, card, at_bottom, argument.spaces, &state, &hold):
        total = choose_bars(scene, &hold, argument.spaces, said, chosen, &taken)
        if total < lightest:
            lightest = total
            best = hold
            named = taken & ~said.cards
            for which in range(hold.size):
                bars[which] = chosen[which]
    if argument.spaces == BY_CASES and uses_space(&best):
        said.first |= bit(card)
    put(out, NOTHING if at_bottom else scene.p.below[card])
    put(out, card)
    put(out, best.size)
    for which in range(best.size):
        write_bar(reasons, argument, card, &best.way[which], bars[which], out)
    return named


cdef inline uint64_t write_reasons(
    const Reasons* reasons, const Argument* argument, Writing* out
) noexcept nogil:
    """The reasons of a lock, each followed by those that it names; the cards that are cases."""
    cdef Locked said
    cdef uint64_t rest = argument.locked.cards & reasons.scene.goals, named
    cdef uint8_t pending[MOST_PENDING]
    cdef int card, top = 0
    cdef bint at_bottom
    said.cards = said.bottoms = said.first = 0
    put(out, count(argument.locked.cards) + count(argument.locked.bottoms))
    while True:
        at_bottom = False
        if top:
            top -= 1
            card = pending[top]
        elif rest or argument.locked.cards & ~said.cards:
            card = lowest(rest if rest else argument.locked.cards & ~said.cards)
        elif argument.locked.bottoms & ~said.bottoms:
            card = lowest(argument.locked.bottoms & ~said.bottoms)
            at_bottom = True
        else:
            return said.first
        rest = 0
        if at_bottom:
            said.bottoms |= bit(card)
        elif (said.cards >> card) & 1:
            continue
        else:
            said.cards |= bit(card)
            card = reasons.scene.p.above[card]
        named = write_reason(reasons, argument, card, at_bottom, &said, out)
        while named:
            pending[top] = highest(named)
            top += 1
            named &= ~bit(highest(named))


cdef inline void write_parked(
    Reasons* reasons, const Argument* argument, uint64_t first, Writing* out
) noexcept nogil:
    """The cases of what is parked first; those with one argument together."""
    cdef int which, other, groups = 0
    cdef uint64_t group, met = 0
    which = argument.cases
    while which != NO_ARGUMENT:
        group = cards_with(reasons, argument, reasons.case[which].argument) & first
        groups += group != 0 and not group & met
        met |= group
        which = reasons.case[which].next
    put(out, groups)
    met = 0
    which = argument.cases
    while which != NO_ARGUMENT:
        other = reasons.case[which].argument
        group = cards_with(reasons, argument, other) & first
        if group and not group & met:
            put_cards(out, group)
            write_argument(reasons, other, out)
        met |= group
        which = reasons.case[which].next


cdef inline uint64_t cards_with(
    const Reasons* reasons, const Argument* argument, int case_argument
) noexcept nogil:
    """The cards of the cases that have one argument."""
    cdef uint64_t cards = 0
    cdef int which = argument.cases
    while which != NO_ARGUMENT:
        if reasons.case[which].argument == case_argument:
            cards |= bit(reasons.case[which].card)
        which = reasons.case[which].next
    return cards


cdef inline void write_twins(Reasons* reasons, const Argument* argument, Writing* out) noexcept nogil:
    """The cases of which twin is first, each under what it assumes."""
    cdef uint64_t seconds = reasons.scene.seconds
    cdef int which = argument.cases
    put(out, WRITTEN_TWINS)
    put(out, argument.twin)
    put(out, argument.twin ^ 1)
    while which != NO_ARGUMENT:
        # The card of a case comes first, its twin second.
        reasons.scene.seconds = seconds | bit(reasons.case[which].card ^ 1)
        write_argument(reasons, reasons.case[which].argument, out)
        which = reasons.case[which].next
    reasons.scene.seconds = seconds


cdef inline void write_last(Reasons* reasons, const Argument* argument, Writing* out) noexcept nogil:
    """The cases of which card of a circle comes home last, each under what it assumes."""
    cdef const LastOne* circle = &reasons.circle[argument.twin]
    cdef LastOne* last = &reasons.scene.wait[reasons.scene.waits]
    cdef int which = argument.cases, turn = 0, each
    put(out, WRITTEN_LAST)
    put(out, circle.size)
    for each in range(circle.size):
        put(out, circle.cards[each])
    while which != NO_ARGUMENT:
        last[0] = circle[0]
        for each in range(circle.size):
            last.cards[each] = circle.cards[(turn + each) % circle.size]
        last.card = last.cards[0]
        reasons.scene.waits += 1
        write_argument(reasons, reasons.case[which].argument, out)
        reasons.scene.waits -= 1
        turn += 1
        which = reasons.case[which].next


cdef inline void write_argument(Reasons* reasons, int number, Writing* out) noexcept nogil:
    """An argument; one that was written before, or begun, by its number alone."""
    cdef Argument* argument = &reasons.argument[number]
    cdef uint64_t first
    cdef uint64_t kind
    if argument.written != NO_ARGUMENT:
        put(out, WRITTEN_AGAIN)
        put(out, argument.written & 255)
        put(out, argument.written >> 8)
        return
    argument.written = reasons.written
    reasons.written += 1
    if argument.kind == TWINS:
        write_twins(reasons, argument, out)
    elif argument.kind == LAST_HOME:
        write_last(reasons, argument, out)
    else:
        kind = out.size
        put(out, WRITTEN_LOCK)
        first = write_reasons(reasons, argument, out)
        if first and not out.full:
            out.text[kind] = WRITTEN_PARKED
            write_parked(reasons, argument, first, out)


cdef inline void write_refutation(Reasons* reasons, int number, Writing* out) noexcept nogil:
    """The argument of that number, whole; where it does not fit, ``out`` is full."""
    cdef int which
    reasons.written = 0
    for which in range(reasons.arguments):
        reasons.argument[which].written = NO_ARGUMENT
    write_argument(reasons, number, out)
