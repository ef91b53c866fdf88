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


cdef inline void begin_sampling(Sampling* sampling) noexcept nogil:
    """List the moves of the position seen, and which of them are alike."""
    cdef int which, other, column
    sampling.count = list_moves(&sampling.seen_root, &sampling.seen, sampling.moves, False)
    for which in range(sampling.count):
        sampling.kept[which] = 0
        sampling.alike[which] = which
        column = sampling.moves[which] >> 6
        if sampling.moves[which] == DEAL_CODE or sampling.seen.tail[column] != NOTHING:
            continue
        if not is_dealt(&sampling.seen) and column < sampling.seen_root.stock_size:
            continue
        for other in range(which):
            column = sampling.moves[other] >> 6
            if (
                (sampling.moves[other] ^ sampling.moves[which]) & 63 == 0
                and sampling.moves[other] != DEAL_CODE
                and sampling.seen.tail[column] == NOTHING
                and (is_dealt(&sampling.seen) or column >= sampling.seen_root.stock_size)
            ):
                sampling.alike[which] = other
                break
    sampling.done = 0
    sampling.at = DEAL_ITSELF
    sampling.under_way = sampling.broken = False


cdef inline bint play_on(const Sampling* sampling, int which, Packed* p) noexcept nogil:
    """Play a move on the deal at hand; a move that only relabels columns with the stock dealt next.

    Alone it would never fall behind, since it can be taken back: all that it serves is
    where the stock lands. False if that may not be dealt then.
    """
    cdef uint16_t found[MOST_MOVES]
    cdef Undo undo
    cdef int move = sampling.moves[which], count
    p[0] = sampling.dealt
    make(&sampling.root, p, move, &undo)
    if (
        move == DEAL_CODE
        or sampling.seen.below[move & 63] != NOTHING
        or sampling.seen.tail[move >> 6] != NOTHING
    ):
        return True
    count = list_moves(&sampling.root, p, found, True)
    if count == 0 or found[count - 1] != DEAL_CODE:
        return False
    make(&sampling.root, p, DEAL_CODE, &undo)
    return True


cdef inline Status settle_next(Sampling* sampling, Settler* settler) noexcept nogil:
    """Begin to settle the next deal, or the next move on the deal at hand."""
    sampling.under_way = True
    if sampling.at == DEAL_ITSELF:
        deal_unseen(&sampling.unseen, &sampling.seen_root, &sampling.seen, &sampling.root, &sampling.dealt)
    settler.search.root = sampling.root
    settler.search.start = sampling.dealt
    if sampling.at != DEAL_ITSELF:
        if not play_on(sampling, sampling.at, &settler.search.start):
            return EXHAUSTED
        set_root(&settler.search.root, &settler.search.start)
    return begin_settling(settler)


cdef inline bint line_wins_after(const Sampling* sampling, int first) noexcept nogil:
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
    if sampling.line.length > MOST_STEPS or not play_on(sampling, first, &p):
        return False
    for which in range(sampling.line.length):
        waiting[which] = True
    while going and not is_won(&sampling.root, &p):
        going = False
        for which in range(sampling.line.length):
            if not waiting[which]:
                continue
            move = playable(&sampling.root, &p, &sampling.line.steps[which])
            if move == -1:
                continue
            waiting[which] = False
            if move >= 0:
                make(&sampling.root, &p, move, &undo)
                going = True
    return is_won(&sampling.root, &p)


cdef inline void note_line(Sampling* sampling, Settler* settler) noexcept nogil:
    """A line wins the deal at hand: so may it after many of the moves."""
    cdef int which
    cdef Traced traced = path_found(settler, &sampling.line)
    sampling.broken = traced == BROKEN
    if traced != TRACED:
        return
    for which in range(sampling.count):
        if sampling.alike[which] == which and line_wins_after(sampling, which):
            sampling.keeps[which] = KEPT
    close_line(&sampling.line)


cdef inline void note_outcome(Sampling* sampling, Settler* settler, Status status) noexcept nogil:
    """Note what was settled, and go on to the next move or deal.

    On a lost deal every move is lost. A move that was not settled within its budget
    counts as one that does not keep the win.
    """
    cdef int which
    sampling.under_way = False
    if sampling.at != DEAL_ITSELF:
        sampling.keeps[sampling.at] = KEPT if status == WON else NOT_KEPT
    else:
        for which in range(sampling.count):
            sampling.keeps[which] = NOT_KEPT if status == EXHAUSTED else UNASKED
        if status == WON:
            note_line(sampling, settler)
    for which in range(sampling.count):
        if sampling.alike[which] == which and sampling.keeps[which] == UNASKED:
            sampling.at = which
            return
    for which in range(sampling.count):
        sampling.kept[which] += sampling.keeps[sampling.alike[which]] == KEPT
    sampling.done += 1
    sampling.at = DEAL_ITSELF


cdef inline void resume_sampling(Sampling* sampling, Settler* settler, double until) noexcept nogil:
    """Settle one after the other until all is done or the time has come to listen."""
    cdef Status status
    while sampling.done < sampling.unseen.deals and not sampling.broken:
        status = RUNNING if sampling.under_way else settle_next(sampling, settler)
        if status == RUNNING:
            status = drive(settler, until)
            if status == RUNNING:
                return
        note_outcome(sampling, settler, status)
        finish_learning(settler)
        if settler.search.table.slot_mask >= MOST_SLOTS:
            close_table(&settler.search.table)
        if clock() >= until:
            return


cdef inline bint goes_to_and_fro(const Sampling* sampling, int move) noexcept nogil:
    """Whether the card leaves a parent, or is no King and goes to an empty column."""
    if move == DEAL_CODE:
        return False
    if (seated(&sampling.seen) >> (move & 63)) & 1:
        return True
    return sampling.seen.tail[move >> 6] == NOTHING and not (sampling.seen_root.kings >> (move & 63)) & 1


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
    cdef Sampling* sampling
    cdef Settler* settler
    for card in unknown:
        cards |= bit(_NUMBER[card])
    sampling = <Sampling*>malloc(sizeof(Sampling))
    settler = new_settler(max_nodes, max_memory)
    try:
        if sampling == NULL:
            raise MemoryError
        sampling.seen_root = position.root
        sampling.seen = position.packed
        begin_dealing(&sampling.unseen, &sampling.seen_root, &sampling.seen, cards, samples, seed)
        begin_sampling(sampling)
        # Without room for the search nothing can be settled.
        while settler != NULL and sampling.done < sampling.unseen.deals and sampling.count:
            until = min(listener.heard + LISTEN, listener.deadline)
            with nogil:
                resume_sampling(sampling, settler, until)
            if sampling.broken:
                raise RuntimeError(BROKEN_LINE)
            if clock() >= until and listener.hear(sampling.done):
                break
        return (
            [move_of(sampling.moves[which]) for which in range(sampling.count)],
            [sampling.kept[which] for which in range(sampling.count)],
            sampling.done,
            bool(sampling.unseen.every and sampling.done == sampling.unseen.deals),
            {
                move_of(sampling.moves[which])
                for which in range(sampling.count)
                if goes_to_and_fro(sampling, sampling.moves[which])
            },
        )
    finally:
        if settler != NULL:
            close_settling(settler)
        free(settler)
        free(sampling)
