# Many boards in one call, set up and settled without a Python object for any of them.

cdef enum:
    BATCH = 64          # boards that are set up, and then settled, without Python
    MOST_SLOTS = 1 << 16  # a table that grew beyond this is not kept for the next board


@cython.final
@cython.auto_pickle(False)
cdef class _Batch:
    """Boards settled one after the other; what is found of each is a few numbers."""

    cdef Settler* settler
    cdef Root roots[BATCH]
    cdef Packed starts[BATCH]
    cdef int count  # of these that are set up
    cdef readonly object verdicts
    cdef readonly object nodes
    cdef readonly object lengths
    cdef readonly object seconds

    def __init__(self, uint64_t max_nodes, uint64_t max_memory):
        # Without room for even this every board is undecided, as it is one by one.
        self.settler = new_settler(max_nodes, max_memory)
        self.verdicts = bytearray()
        self.nodes = _array("Q")
        self.lengths = _array("H")
        self.seconds = _array("d")

    def __dealloc__(self):
        if self.settler != NULL:
            close_settling(self.settler)
            free(self.settler)

    cdef str take(self, _Listener listener):
        """Take the board that was set up; settle when the room is full, answering as that."""
        self.count += 1
        return self.settle(listener) if self.count == BATCH else ""

    cdef tuple result(self, str stopped, _Listener listener):
        """All that was found, the last boards settled too unless it was stopped before."""
        if not stopped:
            stopped = self.settle(listener)
        return (bytes(self.verdicts), self.nodes, self.lengths, self.seconds, stopped or None)

    cdef str settle(self, _Listener listener):
        """Settle the boards that are set up; why it stopped early, or an empty text."""
        cdef Settler* settler = self.settler
        cdef uint8_t verdicts[BATCH]
        cdef uint64_t nodes[BATCH]
        cdef uint16_t lengths[BATCH]
        cdef double seconds[BATCH]
        cdef Line line
        cdef Status status = RUNNING
        cdef int done = 0
        cdef Traced traced
        cdef bint under_way = False, broken = False
        cdef double until, begun = clock(), now
        cdef str stopped = ""
        while done < self.count:
            until = min(listener.heard + LISTEN, listener.deadline)
            with nogil:
                while done < self.count:
                    if settler == NULL:
                        status = OUT_OF_MEMORY
                    elif not under_way:
                        settler.search.root = self.roots[done]
                        settler.search.start = self.starts[done]
                        status = begin_settling(settler)
                        under_way = True
                    if status == RUNNING:
                        status = drive(settler, until)
                        if status == RUNNING:
                            break
                    line.length = 0
                    if status == WON:
                        traced = line_found(settler, &line)
                        if traced == TRACED:
                            close_line(&line)
                        elif traced == BROKEN:
                            broken = True
                            break
                        else:
                            status = OUT_OF_MEMORY
                    now = clock()
                    verdicts[done] = 0 if status == WON else 1 if status == EXHAUSTED else 2
                    nodes[done] = nodes_seen(settler) if settler != NULL else 0
                    lengths[done] = line.length
                    seconds[done] = now - begun
                    begun = now
                    under_way = False
                    done += 1
                    if settler != NULL:
                        finish_learning(settler)
                        if settler.search.table.slot_mask >= MOST_SLOTS:
                            close_table(&settler.search.table)
                    if now >= until:
                        break
            if broken:
                raise RuntimeError(BROKEN_LINE)
            stopped = listener.hear(len(self.verdicts) + done) if clock() >= until else ""
            if stopped:
                break
        self.count = 0
        self.verdicts += (<char*>verdicts)[:done]
        self.nodes.frombytes((<char*>nodes)[:done * sizeof(uint64_t)])
        self.lengths.frombytes((<char*>lengths)[:done * sizeof(uint16_t)])
        self.seconds.frombytes((<char*>seconds)[:done * sizeof(double)])
        return stopped


def search_positions(
    positions, *, uint64_t max_nodes, double max_seconds, uint64_t max_memory, cancel=None, progress=None
):
    """Settle positions one after the other: ``(verdicts, nodes, lengths, seconds, stopped)``.

    An entry each for as many of the positions as were settled: 0 won, 1 lost or 2
    undecided, positions seen, moves of the line, and seconds. ``stopped`` is
    "seconds" or "cancelled" if that ended the whole early, else None.
    """
    cdef _Listener listener = _Listener(max_seconds, cancel, progress)
    cdef _Batch batch = _Batch(max_nodes, max_memory)
    cdef Position position
    cdef str stopped = ""
    for position in positions:
        batch.roots[batch.count] = position.root
        batch.starts[batch.count] = position.packed
        set_root(&batch.roots[batch.count], &batch.starts[batch.count])
        stopped = batch.take(listener)
        if stopped:
            break
    return batch.result(stopped, listener)


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
    cdef _Batch batch = _Batch(max_nodes, max_memory)
    cdef Dealer which = DEALER[dealer]
    cdef Root root
    cdef uint8_t down[COLUMNS]
    cdef uint8_t dealt[DECK_SIZE]
    cdef uint64_t high, low
    cdef int column
    cdef str stopped = ""
    root.deck = bit(DECK_SIZE) - 1
    root.columns = COLUMNS
    root.stock_size = STOCK
    take_rules(&root, rules, 13)
    for column in range(COLUMNS):
        down[column] = rules.face_down[column]
    for number in numbers:
        high = number >> 64
        low = number & 0xFFFFFFFFFFFFFFFF
        batch.roots[batch.count] = root
        shuffle(which, high, low, dealt)
        lay_out(&batch.roots[batch.count], &batch.starts[batch.count], dealt, down)
        stopped = batch.take(listener)
        if stopped:
            break
    return batch.result(stopped, listener)
