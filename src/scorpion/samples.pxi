# How often each move keeps the win, over many deals of the cards that cannot be seen.

cdef enum:
    DEAL_ITSELF = -1     # what is being settled is the deal, not yet a move on it
    MOST_STEPS = 256     # longer lines are not put in another order

cdef enum Keeps:
    UNASKED
    KEPT
    NOT_KEPT

cdef struct Sampling:
    Unseen unseen
    Root seen_root           # what can be seen, with stand-ins
    Packed seen
    Root root                # the deal at hand
    Packed dealt
    int count                # legal moves, the same in every deal
    uint16_t moves[MOST_MOVES]
    int alike[MOST_MOVES]    # the first move that differs only in which of two empty columns it fills
    Keeps keeps[MOST_MOVES]  # in the deal at hand
    uint64_t kept[MOST_MOVES]  # how many deals each move kept
    uint64_t done            # deals
    int at                   # the move being settled, or DEAL_ITSELF
    Line line                # that wins the deal at hand
    bint under_way
    bint broken


cdef inline void begin_sampling(Sampling* m) noexcept nogil:
    """List the moves of the position seen, and which of them are alike."""
    cdef int which, other, column
    m.count = list_moves(&m.seen_root, &m.seen, m.moves, False)
    for which in range(m.count):
        m.kept[which] = 0
        m.alike[which] = which
        column = m.moves[which] >> 6
        if m.moves[which] == DEAL_CODE or m.seen.tail[column] != NOTHING:
            continue
        if not is_dealt(&m.seen) and column < m.seen_root.stock_size:
            continue
        for other in range(which):
            column = m.moves[other] >> 6
            if (
                (m.moves[other] ^ m.moves[which]) & 63 == 0
                and m.moves[other] != DEAL_CODE
                and m.seen.tail[column] == NOTHING
                and (is_dealt(&m.seen) or column >= m.seen_root.stock_size)
            ):
                m.alike[which] = other
                break
    m.done = 0
    m.at = DEAL_ITSELF
    m.under_way = m.broken = False


cdef inline bint play_on(const Sampling* m, int which, Packed* p) noexcept nogil:
    """Play a move on the deal at hand; a move that only relabels columns with the stock dealt next.

    Alone it would never fall behind, since it can be taken back: all that it serves is
    where the stock lands. False if that may not be dealt then.
    """
    cdef uint16_t found[MOST_MOVES]
    cdef Undo undo
    cdef int move = m.moves[which], count
    p[0] = m.dealt
    make(&m.root, p, move, &undo)
    if move == DEAL_CODE or m.seen.below[move & 63] != NOTHING or m.seen.tail[move >> 6] != NOTHING:
        return True
    count = list_moves(&m.root, p, found, True)
    if count == 0 or found[count - 1] != DEAL_CODE:
        return False
    make(&m.root, p, DEAL_CODE, &undo)
    return True


cdef inline Status settle_next(Sampling* m, Settler* s) noexcept nogil:
    """Begin to settle the next deal, or the next move on the deal at hand."""
    m.under_way = True
    if m.at == DEAL_ITSELF:
        deal_unseen(&m.unseen, &m.seen_root, &m.seen, &m.root, &m.dealt)
    s.search.root = m.root
    s.search.start = m.dealt
    if m.at != DEAL_ITSELF:
        if not play_on(m, m.at, &s.search.start):
            return EXHAUSTED
        set_root(&s.search.root, &s.search.start)
    return set_out(s)


cdef inline bint line_wins_after(const Sampling* m, int first) noexcept nogil:
    """Whether the line of the deal at hand, put in another order, wins after the move too.

    Its steps are played in turn as far as they can be, and what was left out is tried
    again, until the game is won or nothing more goes. A win by play is a win; where this
    finds none, nothing is known.
    """
    cdef Packed p
    cdef Undo undo
    cdef int which, move
    cdef bint going = True
    cdef bint waiting[MOST_STEPS]
    if m.line.length > MOST_STEPS or not play_on(m, first, &p):
        return False
    for which in range(m.line.length):
        waiting[which] = True
    while going and not is_won(&m.root, &p):
        going = False
        for which in range(m.line.length):
            if not waiting[which]:
                continue
            move = playable(&m.root, &p, &m.line.steps[which])
            if move == -1:
                continue
            waiting[which] = False
            if move >= 0:
                make(&m.root, &p, move, &undo)
                going = True
    return is_won(&m.root, &p)


cdef inline void note_line(Sampling* m, Settler* s) noexcept nogil:
    """A line wins the deal at hand: so may it after many of the moves."""
    cdef int which
    cdef Traced traced = path_found(s, &m.line)
    m.broken = traced == BROKEN
    if traced != TRACED:
        return
    for which in range(m.count):
        if m.alike[which] == which and line_wins_after(m, which):
            m.keeps[which] = KEPT
    close_line(&m.line)


cdef inline void note_outcome(Sampling* m, Settler* s, Status status) noexcept nogil:
    """Note what was settled, and go on to the next move or deal.

    On a lost deal every move is lost. A move that was not settled within its budget
    counts as one that does not keep the win.
    """
    cdef int which
    m.under_way = False
    if m.at != DEAL_ITSELF:
        m.keeps[m.at] = KEPT if status == WON else NOT_KEPT
    else:
        for which in range(m.count):
            m.keeps[which] = NOT_KEPT if status == EXHAUSTED else UNASKED
        if status == WON:
            note_line(m, s)
    for which in range(m.count):
        if m.alike[which] == which and m.keeps[which] == UNASKED:
            m.at = which
            return
    for which in range(m.count):
        m.kept[which] += m.keeps[m.alike[which]] == KEPT
    m.done += 1
    m.at = DEAL_ITSELF


cdef inline void sample_on(Sampling* m, Settler* s, double until) noexcept nogil:
    """Settle one after the other until all is done or the time has come to listen."""
    cdef Status status
    while m.done < m.unseen.deals and not m.broken:
        status = RUNNING if m.under_way else settle_next(m, s)
        if status == RUNNING:
            status = drive(s, until)
            if status == RUNNING:
                return
        note_outcome(m, s, status)
        finish_learning(s)
        if s.search.table.slot_mask >= MOST_SLOTS:
            close_table(&s.search.table)
        if clock() >= until:
            return


cdef inline bint goes_to_and_fro(const Sampling* m, int move) noexcept nogil:
    """Whether the card leaves a parent, or is no King and goes to an empty column."""
    if move == DEAL_CODE:
        return False
    if (seated(&m.seen) >> (move & 63)) & 1:
        return True
    return m.seen.tail[move >> 6] == NOTHING and not (m.seen_root.kings >> (move & 63)) & 1


def sample_moves(
    Position position not None,
    unknown,
    *,
    uint64_t samples,
    uint64_t seed,
    uint64_t max_nodes,
    double max_seconds,
    uint64_t max_memory,
    cancel=None,
):
    """How often each move keeps the win: ``(moves, kept, deals, exact, to_and_fro)``.

    The cards ``unknown`` of the position are stand-ins: they are dealt among their
    places ``samples`` times at random, seeded by ``seed`` and by the other cards; or in
    every order once, which is ``exact``, if there are no more orders than that and few.
    ``kept`` says for each legal move after how many of the ``deals`` a win was found
    (after a move that only relabels columns, with the stock dealt next); there are fewer
    than asked for where time or ``cancel`` ended it. Each position settled may see
    ``max_nodes``. ``to_and_fro`` are the moves that may be taken back later.
    """
    cdef _Listener listener = _Listener(max_seconds, cancel, None)
    cdef double until
    cdef uint64_t cards = 0
    cdef int which
    cdef Sampling* m
    cdef Settler* s
    for card in unknown:
        cards |= bit(_NUMBER[card])
    m = <Sampling*>malloc(sizeof(Sampling))
    s = new_settler(max_nodes, max_memory)
    try:
        if m == NULL:
            raise MemoryError
        m.seen_root = position.root
        m.seen = position.packed
        begin_dealing(&m.unseen, &m.seen_root, &m.seen, cards, samples, seed)
        begin_sampling(m)
        # Without room for the search nothing can be settled.
        while s != NULL and m.done < m.unseen.deals and m.count:
            until = min(listener.heard + LISTEN, listener.deadline)
            with nogil:
                sample_on(m, s, until)
            if m.broken:
                raise RuntimeError(BROKEN_LINE)
            if clock() >= until and listener.hear(m.done):
                break
        return (
            [move_of(m.moves[which]) for which in range(m.count)],
            [m.kept[which] for which in range(m.count)],
            m.done,
            bool(m.unseen.every and m.done == m.unseen.deals),
            {move_of(m.moves[which]) for which in range(m.count) if goes_to_and_fro(m, m.moves[which])},
        )
    finally:
        if s != NULL:
            close_settler(s)
        free(s)
        free(m)
