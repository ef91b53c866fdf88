# How often each move keeps the win, for a player who does not see every card.


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
    cdef uint64_t cards = 0
    cdef int which
    cdef Sampling* sampling
    for card in unknown:
        cards |= bit(_NUMBER[card])
    sampling = <Sampling*>malloc(sizeof(Sampling))
    if sampling == NULL:
        raise MemoryError
    sampling.settler = new_settler(max_nodes, max_memory)
    try:
        sampling.seen_root = position.root
        sampling.seen = position.packed
        begin_dealing(
            &sampling.unseen, &sampling.seen_root, &sampling.seen, cards, samples, seed
        )
        begin_sampling(sampling)
        # Without room for the search nothing can be settled.
        if sampling.settler != NULL and sampling.count:
            listener.work(resume_sampling, sampling)
        if sampling.broken:
            raise RuntimeError(BROKEN_LINE)
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
        close_settler(sampling.settler)
        free(sampling)
