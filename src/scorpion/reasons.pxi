# Why a position is lost, in the forms that the caller brings.


@cython.final
@cython.auto_pickle(False)
cdef class _Told:
    """Turns an argument of the core into the caller's values."""

    cdef Reasons* t
    cdef object lock, cases, first_parked, last_home, reason, bar
    cdef dict told

    def __init__(self, forms):
        self.lock, self.cases, self.first_parked, self.last_home, self.reason, self.bar = forms
        self.told = {}

    cdef object argument(self, int number):
        """The argument of that number, the same value each time."""
        if number not in self.told:
            self.told[number] = self.told_now(number)
        return self.told[number]

    cdef object told_now(self, int number):
        cdef Argument* a = &self.t.argument[number]
        if a.kind == TWINS:
            return self.twins(a)
        if a.kind == LAST_HOME:
            return self.last(a)
        cdef uint64_t first = 0
        lock = self.lock(self.reasons(a, &first))
        return self.first_parked(lock, self.parked(a, first)) if first else lock

    cdef tuple parked(self, Argument* a, uint64_t first):
        """The cases of what is parked first; those with one argument together."""
        cdef int which = a.cases
        cdef dict together = {}
        while which != NO_ARGUMENT:
            if (first >> self.t.case[which].card) & 1:
                together.setdefault(self.t.case[which].argument, []).append(CARD[self.t.case[which].card])
            which = self.t.case[which].next
        return tuple([(tuple(cards), self.argument(number)) for number, cards in together.items()])

    cdef object twins(self, Argument* a):
        cdef Scene* s = &self.t.scene
        cdef uint64_t seconds = s.seconds
        cdef int which = a.cases
        told = []
        while which != NO_ARGUMENT:
            # The card of a case comes first, its twin second.
            s.seconds = seconds | bit(self.t.case[which].card ^ 1)
            told.append(self.argument(self.t.case[which].argument))
            which = self.t.case[which].next
        s.seconds = seconds
        return self.cases((CARD[a.twin], CARD[a.twin ^ 1]), tuple(told))

    cdef object last(self, Argument* a):
        cdef Scene* s = &self.t.scene
        cdef LastOne* w = &s.wait[s.waits]
        cdef LastOne circle = self.t.circle[a.twin]
        cdef int which = a.cases, turn = 0, each
        told = []
        while which != NO_ARGUMENT:
            w[0] = circle
            for each in range(circle.size):
                w.cards[each] = circle.cards[(turn + each) % circle.size]
            w.card = w.cards[0]
            s.waits += 1
            told.append(self.argument(self.t.case[which].argument))
            s.waits -= 1
            turn += 1
            which = self.t.case[which].next
        cards = tuple([CARD[circle.cards[each]] for each in range(circle.size)])
        return self.last_home(cards, tuple(told))

    cdef tuple reasons(self, Argument* a, uint64_t* first):
        """The reasons of a lock, each followed by those that it names."""
        cdef Scene* s = &self.t.scene
        cdef Locked said
        cdef uint64_t goals = a.locked.cards & s.goals, rest
        cdef int card
        cdef list told = [], waiting
        said.cards = said.bottoms = said.first = 0
        waiting = [lowest(goals)] if goals else []
        while True:
            while waiting:
                card = waiting.pop()
                if not (said.cards >> card) & 1:
                    said.cards |= bit(card)
                    bars = self.bars(a, s.p.above[card], False, &said, waiting, first)
                    told.append(self.reason(CARD[card], CARD[s.p.above[card]], bars))
            rest = a.locked.cards & ~said.cards
            if rest:
                waiting.append(lowest(rest))
                continue
            rest = a.locked.bottoms & ~said.bottoms
            if not rest:
                return tuple(told)
            card = lowest(rest)
            said.bottoms |= bit(card)
            told.append(self.reason(None, CARD[card], self.bars(a, card, True, &said, waiting, first)))

    cdef tuple bars(self, Argument* a, int card, bint at_bottom, Locked* said, list waiting, uint64_t* first):
        """The bars of a card's ways that name least that was not said; what they name waits."""
        cdef Scene* s = &self.t.scene
        cdef Hold hold
        cdef Locked more
        cdef int state = 0, which, each, lightest, total, best_total = 10000
        cdef int chosen[4]
        cdef uint64_t named = 0, taken, parks = 0
        told = ()
        while next_hold(s, &a.locked, card, at_bottom, a.spaces, &state, &hold):
            total = 0
            taken = 0
            for which in range(hold.size):
                lightest = 10000
                for each in range(hold.way[which].size):
                    more.cards = hold.way[which].cards[each]
                    more.bottoms = hold.way[which].bottoms[each]
                    more.first = 0
                    if weight(s, &more, said) < lightest:
                        lightest = weight(s, &more, said)
                        chosen[which] = each
                total += lightest
                if hold.way[which].kind == TO_SPACE and a.spaces == BY_CASES:
                    total += 8
                taken |= hold.way[which].cards[chosen[which]]
            if total < best_total:
                best_total = total
                named = taken & ~said.cards
                parks = bit(card) if a.spaces == BY_CASES and uses_space(&hold) else 0
                told = tuple([
                    self.bar_of(a, card, &hold.way[which], chosen[which]) for which in range(hold.size)
                ])
        first[0] |= parks
        while named:
            waiting.append(highest(named))
            named &= ~bit(highest(named))
        return told

    cdef object bar_of(self, Argument* a, int card, Way* way, int each):
        cdef Scene* s = &self.t.scene
        cdef LastOne* w
        cdef uint64_t serving
        cdef int kind = way.detail[each] & 15, at
        if way.kind == FACE_DOWN:
            return self.bar("face down", (CARD[card],))
        if way.kind == SECOND:
            return self.bar("second", (CARD[way.detail[each]],))
        if way.kind == TO_SPACE:
            return self.bar("space" if a.spaces == NONE_EMPTY else "first", ())
        if way.kind == IN_RUN:
            serving = in_run_at(s, card, way.detail[each])
            return self.bar("run", tuple(cards_in(serving)))
        if kind == COVERED:
            return self.bar("covered", (CARD[way.target],))
        if kind == AWAY:
            return self.bar("gone", (CARD[way.target],))
        if kind == CIRCLE:
            w = &s.wait[way.detail[each] >> 4]
            return self.bar("circle", tuple([CARD[w.cards[at]] for at in range(w.size)]))
        cards = [CARD[way.target]]
        at = card
        while at != way.target:
            cards.append(CARD[at])
            at = s.p.above[at]
        return self.bar("own pile", tuple(cards))


def reasons(Position position not None, forms, int tries):
    """The argument that a position is lost, or None if none is found.

    ``forms`` are six callables: of a lock (of reasons), cases of twins (of the twins and two
    arguments), cases of spaces (a lock, and pairs of cards and an argument), cases of the
    last (of cards and arguments), a reason (of the card or None, the card under which it
    lies, and bars) and a bar (of its kind and cards); losses/locks.py says what they mean.
    ``tries`` bounds the parkings that are tried.
    """
    cdef _Told told = _Told(forms)
    cdef int found
    if is_won(&position.root, &position.packed):
        return None
    told.t = <Reasons*>malloc(sizeof(Reasons))
    if told.t == NULL:
        raise MemoryError
    try:
        with nogil:
            found = find_reasons(&position.root, &position.packed, told.t, tries)
        return None if found == NO_ARGUMENT else told.argument(found)
    finally:
        free(told.t)
