# Why a position is lost, in the forms that the caller brings, and proofs that it is.

@cython.final
@cython.auto_pickle(False)
cdef class _Reader:
    """Turns refutations that were written down (written.pxd) into the caller's values."""

    cdef object lock, cases, first_parked, last_home, reason, bar
    cdef const uint8_t* text
    cdef uint64_t at
    cdef list begun    # the arguments of the refutation that is read, None while one is not whole
    cdef dict met      # reasons, by their bytes

    def __init__(self, forms):
        self.lock, self.cases, self.first_parked, self.last_home, self.reason, self.bar = forms
        self.met = {}

    cdef object refutation(self, const uint8_t* text):
        """The refutation whose first byte stands there."""
        self.text = text
        self.at = 0
        self.begun = []
        return self.argument()

    cdef int take(self):
        cdef int value = self.text[self.at]
        self.at += 1
        return value

    cdef tuple cards(self):
        cdef int size = self.take(), _which
        return tuple([CARD[self.take()] for _which in range(size)])

    cdef object argument(self):
        cdef int kind = self.take(), size, place, _which
        if kind == WRITTEN_AGAIN:
            place = self.take()
            return self.begun[place + 256 * self.take()]
        place = len(self.begun)
        self.begun.append(None)
        if kind == WRITTEN_TWINS:
            twins = (CARD[self.take()], CARD[self.take()])
            first = self.argument()
            told = self.cases(twins, (first, self.argument()))
        elif kind == WRITTEN_LAST:
            cards = self.cards()
            told = self.last_home(cards, tuple([self.argument() for _which in range(len(cards))]))
        else:
            told = self.lock(self.reasons())
            if kind == WRITTEN_PARKED:
                size = self.take()
                parked = []
                for _which in range(size):
                    cards = self.cards()
                    parked.append((cards, self.argument()))
                told = self.first_parked(told, tuple(parked))
        self.begun[place] = told
        return told

    cdef tuple reasons(self):
        cdef int size = self.take(), _which
        return tuple([self.reason_() for _which in range(size)])

    cdef object reason_(self):
        cdef uint64_t start = self.at
        cdef int under = self.take(), card = self.take(), bars = self.take(), _which
        for _which in range(bars):
            self.at += 1
            self.at += self.take()
        written = self.text[start : self.at]
        told = self.met.get(written)
        if told is None:
            self.at = start + 3
            made = tuple([self.bar(BAR[self.take()], self.cards()) for _which in range(bars)])
            told = self.reason(None if under == NOTHING else CARD[under], CARD[card], made)
            self.met[written] = told
        return told


def reasons(Position position not None, forms):
    """The argument that a position is lost, or None if none is found.

    ``forms`` are six callables: of a lock (of reasons), cases of twins (of the twins and two
    arguments), cases of spaces (a lock, and pairs of cards and an argument), cases of the
    last (of cards and arguments), a reason (of the card or None, the card under which it
    lies, and bars) and a bar (of its kind and cards); losses/locks.py says what they mean.
    """
    cdef Reasons* found
    cdef Writing written
    cdef int argument
    if is_won(&position.root, &position.packed):
        return None
    found = <Reasons*>malloc(sizeof(Reasons))
    if found == NULL:
        raise MemoryError
    begin_writing(&written, UINT64_MAX)
    try:
        with nogil:
            argument = find_reasons(&position.root, &position.packed, NULL, found)
            if argument != NO_ARGUMENT:
                write_refutation(found, argument, &written)
        if argument == NO_ARGUMENT:
            return None
        if written.full:
            raise MemoryError
        return (<_Reader>_Reader(forms)).refutation(written.text)
    finally:
        close_writing(&written)
        free(found)


def prove(
    Position position not None,
    forms,
    *,
    uint64_t max_nodes,
    double max_seconds,
    uint64_t max_memory,
    cancel=None,
    progress=None,
):
    """A proof that no play wins: ``(outcome, refutations, ends, nodes)``.

    ``outcome`` is "lost" after a proof, "won" if a position reached is won, or the budget
    that ran out. ``refutations`` are made of ``forms`` as :func:`reasons` makes them, and
    ``ends`` has, for each position in the order in which they are reached, the number of its
    refutation, or None; both are empty but after a proof. ``max_nodes`` bounds the positions
    that are reached, which ``nodes`` counts; ``progress`` is told of those looked at.
    """
    cdef _Listener listener = _Listener(max_seconds, cancel, progress)
    cdef _Reader reader
    cdef Outcome stopped = NOT_YET
    cdef Prover* prover = new_prover(max_nodes, max_memory)
    cdef uint32_t which, end
    cdef uint64_t nodes
    if prover == NULL:
        return (OUTCOME[OUT_OF_MEMORY], (), (), 0)
    try:
        prover.root = position.root
        prover.outcome = begin_proof(prover, &position.packed)
        if prover.outcome == NOT_YET:
            stopped = listener.work(prove_on, prover)
        nodes = min(<uint64_t>prover.table.size, max_nodes)
        if stopped != NOT_YET or prover.outcome != LOST:
            return (OUTCOME[prover.outcome if stopped == NOT_YET else stopped], (), (), nodes)
        reader = _Reader(forms)
        told = [
            reader.refutation(prover.written.text + start_of(prover, which))
            for which in range(prover.refutations)
        ]
        ends = []
        for which in range(prover.table.size):
            end = node_at(&prover.table, which).next
            ends.append(None if end == NO_NODE else end)
        return (OUTCOME[LOST], tuple(told), tuple(ends), nodes)
    finally:
        close_prover(prover)
