# Why a position is lost, in the forms that the caller brings.


@cython.final
@cython.auto_pickle(False)
cdef class _Told:
    """Turns an argument of the core into the caller's values."""

    cdef Reasons* found
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
        cdef Argument* argument = &self.found.argument[number]
        if argument.kind == TWINS:
            return self.twins(argument)
        if argument.kind == LAST_HOME:
            return self.last(argument)
        cdef uint64_t first = 0
        lock = self.lock(self.reasons(argument, &first))
        return self.first_parked(lock, self.parked(argument, first)) if first else lock

    cdef tuple parked(self, Argument* argument, uint64_t first):
        """The cases of what is parked first; those with one argument together."""
        cdef int which = argument.cases
        cdef dict together = {}
        while which != NO_ARGUMENT:
            if (first >> self.found.case[which].card) & 1:
                card = CARD[self.found.case[which].card]
                together.setdefault(self.found.case[which].argument, []).append(card)
            which = self.found.case[which].next
        return tuple([(tuple(cards), self.argument(number)) for number, cards in together.items()])

    cdef object twins(self, Argument* argument):
        cdef Scene* scene = &self.found.scene
        cdef uint64_t seconds = scene.seconds
        cdef int which = argument.cases
        told = []
        while which != NO_ARGUMENT:
            # The card of a case comes first, its twin second.
            scene.seconds = seconds | bit(self.found.case[which].card ^ 1)
            told.append(self.argument(self.found.case[which].argument))
            which = self.found.case[which].next
        scene.seconds = seconds
        return self.cases((CARD[argument.twin], CARD[argument.twin ^ 1]), tuple(told))

    cdef object last(self, Argument* argument):
        cdef Scene* scene = &self.found.scene
        cdef LastOne* last = &scene.wait[scene.waits]
        cdef LastOne circle = self.found.circle[argument.twin]
        cdef int which = argument.cases, turn = 0, each
        told = []
        while which != NO_ARGUMENT:
            last[0] = circle
            for each in range(circle.size):
                last.cards[each] = circle.cards[(turn + each) % circle.size]
            last.card = last.cards[0]
            scene.waits += 1
            self.made.clear()
            told.append(self.argument(self.found.case[which].argument))
            scene.waits -= 1
            turn += 1
            which = self.found.case[which].next
        cards = tuple([CARD[circle.cards[each]] for each in range(circle.size)])
        return self.last_home(cards, tuple(told))

    cdef tuple reasons(self, Argument* argument, uint64_t* first):
        """The reasons of a lock, each followed by those that it names."""
        cdef Scene* scene = &self.found.scene
        cdef Locked said
        cdef uint64_t goals = argument.locked.cards & scene.goals, rest
        cdef int card
        cdef list told = [], waiting
        said.cards = said.bottoms = said.first = 0
        waiting = [lowest(goals)] if goals else []
        while True:
            while waiting:
                card = waiting.pop()
                if not (said.cards >> card) & 1:
                    said.cards |= bit(card)
                    told.append(self.reason_of(argument, scene.p.above[card], False, &said, waiting))
            rest = argument.locked.cards & ~said.cards
            if rest:
                waiting.append(lowest(rest))
                continue
            rest = argument.locked.bottoms & ~said.bottoms
            if not rest:
                first[0] = said.first
                return tuple(told)
            card = lowest(rest)
            said.bottoms |= bit(card)
            told.append(self.reason_of(argument, card, True, &said, waiting))

    cdef object reason_of(self, Argument* argument, int card, bint at_bottom, Locked* said, list waiting):
        """Why a card stays, by the bars that name least that was not said; what they name waits."""
        cdef Hold hold, best
        cdef int state = 0, total, lightest = 10000, which
        cdef int chosen[MOST_WAYS]
        cdef int bars[MOST_WAYS]
        cdef uint64_t named = 0, taken
        cdef uint64_t key = card | at_bottom << 6 | <int>argument.spaces << 7
        best.size = 0  # a reason without bars, which the checker refuses, were nothing to hold it
        while next_hold(&self.found.scene, &argument.locked, card, at_bottom, argument.spaces, &state, &hold):
            total = choose_bars(&self.found.scene, &hold, argument.spaces, said, chosen, &taken)
            if total < lightest:
                lightest = total
                best = hold
                named = taken & ~said.cards
                for which in range(hold.size):
                    bars[which] = chosen[which]
        if argument.spaces == BY_CASES and uses_space(&best):
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
                self.bar_of(argument, card, &best.way[which], bars[which]) for which in range(best.size)
            ])
            under = None if at_bottom else CARD[self.found.scene.p.below[card]]
            found = self.made[key] = self.reason(under, CARD[card], made)
        return found

    cdef object bar_of(self, Argument* argument, int card, Way* way, int each):
        cdef Scene* scene = &self.found.scene
        cdef LastOne* last
        cdef uint64_t serving
        cdef int kind = way.detail[each] & 15, at
        if way.kind == FACE_DOWN:
            return self.bar("face down", (CARD[card],))
        if way.kind == SECOND:
            return self.bar("second", (CARD[way.detail[each]],))
        if way.kind == TO_SPACE:
            return self.bar("space" if argument.spaces == NONE_EMPTY else "first", ())
        if way.kind == IN_RUN:
            serving = in_run_at(scene, card, way.detail[each])
            return self.bar("run", tuple(cards_in(serving)))
        if kind == COVERED:
            return self.bar("covered", (CARD[way.target],))
        if kind == AWAY:
            return self.bar("gone", (CARD[way.target],))
        if kind == CIRCLE:
            last = &scene.wait[way.detail[each] >> 4]
            return self.bar("circle", tuple([CARD[last.cards[at]] for at in range(last.size)]))
        cards = [CARD[way.target]]
        at = card
        while at != way.target:
            cards.append(CARD[at])
            at = scene.p.above[at]
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
    cdef int argument
    if is_won(&position.root, &position.packed):
        return None
    told.found = <Reasons*>malloc(sizeof(Reasons))
    if told.found == NULL:
        raise MemoryError
    try:
        with nogil:
            argument = find_reasons(&position.root, &position.packed, told.found, tries)
        return None if argument == NO_ARGUMENT else told.argument(argument)
    finally:
        free(told.found)
