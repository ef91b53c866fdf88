# Why a position is lost, in the forms that the caller brings.


@cython.final
@cython.auto_pickle(False)
cdef class _Told:
    """Turns an argument of the core into the caller's values."""

    cdef Reasons* t
    cdef object lock, cases, first_parked, last_home, reason, bar
    cdef dict told
    cdef dict made   # reasons, by the card and its bars

    def __init__(self, forms):
        self.lock, self.cases, self.first_parked, self.last_home, self.reason, self.bar = forms
        self.told = {}
        self.made = {}

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
            self.made.clear()
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
                    told.append(self.reason_of(a, s.p.above[card], False, &said, waiting))
            rest = a.locked.cards & ~said.cards
            if rest:
                waiting.append(lowest(rest))
                continue
            rest = a.locked.bottoms & ~said.bottoms
            if not rest:
                first[0] = said.first
                return tuple(told)
            card = lowest(rest)
            said.bottoms |= bit(card)
            told.append(self.reason_of(a, card, True, &said, waiting))

    cdef object reason_of(self, Argument* a, int card, bint at_bottom, Locked* said, list waiting):
        """Why a card stays, by the bars that name least that was not said; what they name waits."""
        cdef Hold hold, best
        cdef int state = 0, total, lightest = 10000, which
        cdef int chosen[MOST_WAYS]
        cdef int bars[MOST_WAYS]
        cdef uint64_t named = 0, taken
        cdef uint64_t key = card | at_bottom << 6 | <int>a.spaces << 7
        best.size = 0  # a reason without bars, which the checker refuses, were nothing to hold it
        while next_hold(&self.t.scene, &a.locked, card, at_bottom, a.spaces, &state, &hold):
            total = choose_bars(&self.t.scene, &hold, a.spaces, said, chosen, &taken)
            if total < lightest:
                lightest = total
                best = hold
                named = taken & ~said.cards
                for which in range(hold.size):
                    bars[which] = chosen[which]
        if a.spaces == BY_CASES and uses_space(&best):
            said.first |= bit(card)
        while named:
            waiting.append(highest(named))
            named &= ~bit(highest(named))
        for which in range(best.size):
            key |= <uint64_t>(
                best.way[which].kind | best.way[which].detail[bars[which]] << 3
            ) << (9 + 12 * which)
        found = self.made.get(key)
        if found is None:
            made = tuple([
                self.bar_of(a, card, &best.way[which], bars[which]) for which in range(best.size)
            ])
            under = None if at_bottom else CARD[self.t.scene.p.below[card]]
            found = self.made[key] = self.reason(under, CARD[card], made)
        return found

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
