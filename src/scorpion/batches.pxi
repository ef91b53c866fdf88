# Numbered deals, and many boards in one call, without a Python object for any of them.


def shuffled(str dealer not None, number):
    """The 52 cards of a dealer's numbered deal, in the order in which they are dealt.

    The caller has checked that the dealer has that number.
    """
    cdef uint8_t dealt[DECK_SIZE]
    cdef Dealer which = DEALER[dealer]
    cdef uint64_t high = number >> 64, low = number & 0xFFFFFFFFFFFFFFFF
    cdef int card
    shuffle(which, high, low, dealt)
    return [CARD[dealt[card]] for card in range(DECK_SIZE)]


@cython.final
@cython.auto_pickle(False)
cdef class _Batch:
    """Boards settled one after the other; what is found of each is a few numbers."""

    cdef Batch* batch
    cdef _Listener listener
    cdef readonly object verdicts
    cdef readonly object nodes
    cdef readonly object lengths
    cdef readonly object seconds

    def __init__(self, uint64_t max_nodes, uint64_t max_memory, _Listener listener):
        self.batch = <Batch*>malloc(sizeof(Batch))
        if self.batch == NULL:
            raise MemoryError
        # Without room for even this every board is undecided, as it is one by one.
        self.batch.settler = new_settler(max_nodes, max_memory)
        self.batch.before = self.batch.done = 0
        empty_batch(self.batch)
        self.listener = listener
        self.verdicts = bytearray()
        self.nodes = _array("Q")
        self.lengths = _array("H")
        self.seconds = _array("d")

    def __dealloc__(self):
        if self.batch != NULL:
            close_settler(self.batch.settler)
            free(self.batch)

    cdef Outcome take(self, const Root* r, const Packed* p) except? OUT_OF_SECONDS:
        """Take up a board; settle when the room is full, and say why that stopped early."""
        return self.settle() if take_board(self.batch, r, p) else NOT_YET

    cdef Outcome settle(self) except? OUT_OF_SECONDS:
        """Settle the boards taken up; NOT_YET, or why it stopped early."""
        cdef Batch* batch = self.batch
        cdef Outcome stopped = self.listener.work(resume_batch, batch)
        cdef int which
        for which in range(batch.done):
            self.verdicts.append(verdict(batch.outcomes[which]))
        self.nodes.frombytes((<char*>batch.nodes)[:batch.done * sizeof(uint64_t)])
        self.lengths.frombytes((<char*>batch.lengths)[:batch.done * sizeof(uint16_t)])
        self.seconds.frombytes((<char*>batch.seconds)[:batch.done * sizeof(double)])
        empty_batch(batch)
        return stopped

    cdef tuple result(self, Outcome stopped):
        """All that was found, the last boards settled too unless it was stopped before."""
        if stopped == NOT_YET:
            stopped = self.settle()
        why = None if stopped == NOT_YET else OUTCOME[stopped]
        return (bytes(self.verdicts), self.nodes, self.lengths, self.seconds, why)


def search_positions(
    positions, *, uint64_t max_nodes, double max_seconds, uint64_t max_memory, cancel=None, progress=None
):
    """Settle positions one after the other: ``(verdicts, nodes, lengths, seconds, stopped)``.

    An entry each for as many of the positions as were settled: 0 won, 1 lost or 2
    undecided, positions seen, moves of the line, and seconds. ``stopped`` is
    "seconds" or "cancelled" if that ended the whole early, else None.
    """
    cdef _Listener listener = _Listener(max_seconds, cancel, progress)
    cdef _Batch batch = _Batch(max_nodes, max_memory, listener)
    cdef Position position
    cdef Root root
    cdef Packed start
    cdef Outcome stopped = NOT_YET
    for position in positions:
        root = position.root
        start = position.packed
        set_root(&root, &start)
        stopped = batch.take(&root, &start)
        if stopped != NOT_YET:
            break
    return batch.result(stopped)


def search_deals(
    rules,
    str dealer not None,
    numbers,
    *,
    uint64_t max_nodes,
    double max_seconds,
    uint64_t max_memory,
    cancel=None,
    progress=None,
):
    """The same for numbered deals, which are dealt here; the caller has checked the numbers."""
    cdef _Listener listener = _Listener(max_seconds, cancel, progress)
    cdef _Batch batch = _Batch(max_nodes, max_memory, listener)
    cdef Dealer which = DEALER[dealer]
    cdef Root root, dealt_root
    cdef Packed start
    cdef uint8_t down[COLUMNS]
    cdef uint8_t dealt[DECK_SIZE]
    cdef uint64_t high, low
    cdef int column
    cdef Outcome stopped = NOT_YET
    root.deck = bit(DECK_SIZE) - 1
    root.columns = COLUMNS
    root.stock_size = STOCK
    take_rules(&root, rules, 13)
    for column in range(COLUMNS):
        down[column] = rules.face_down[column]
    for number in numbers:
        high = number >> 64
        low = number & 0xFFFFFFFFFFFFFFFF
        dealt_root = root
        shuffle(which, high, low, dealt)
        lay_out(&dealt_root, &start, dealt, down)
        stopped = batch.take(&dealt_root, &start)
        if stopped != NOT_YET:
            break
    return batch.result(stopped)
