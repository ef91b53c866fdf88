# What each move of a board is worth, in one call.


def rate_moves(
    Position position not None,
    *,
    uint64_t max_nodes,
    double max_seconds,
    uint64_t max_memory,
    cancel=None,
):
    """What each legal move is worth, in their order: ``(worths, nodes)``.

    A byte each: 0 it leads to a position that can be won, 1 to a lost one, 2 undecided.
    The budgets are for all of it together; ratings.pxd says how it is divided.
    """
    cdef _Listener listener = _Listener(max_seconds, cancel, None)
    cdef Ratings* ratings
    cdef Status status
    cdef double until
    cdef int which, found
    cdef str stopped = ""
    cdef uint16_t moves[MOST_MOVES]
    found = list_moves(&position.root, &position.packed, moves, False)
    ratings = new_ratings(max_nodes, max_memory) if found else NULL
    if ratings == NULL:
        return (b"\2" * found, 0)
    try:
        ratings.settler.search.root = position.root
        ratings.settler.search.start = position.packed
        set_root(&ratings.settler.search.root, &ratings.settler.search.start)
        with nogil:
            status = begin_ratings(ratings, max_nodes)
        while ratings.asked < ratings.found and not stopped:
            until = min(listener.heard + LISTEN, listener.deadline)
            with nogil:
                while ratings.asked < ratings.found:
                    if status == RUNNING:
                        status = drive(ratings.settler, until)
                    if status == RUNNING:
                        break
                    note_answer(ratings, status)
                    status = ask_next(ratings)
                    if clock() >= until:
                        break
            if ratings.asked < ratings.found:
                stopped = listener.hear(ratings.nodes)
        if ratings.broken:
            raise RuntimeError(BROKEN_LINE)
        return (bytes([min(<int>ratings.worth[which], UNSETTLED) for which in range(found)]), ratings.nodes)
    finally:
        close_ratings(ratings)
        free(ratings.settler)
        free(ratings)


cdef Ratings* new_ratings(uint64_t max_nodes, uint64_t max_memory) noexcept:
    """Room to rate within the budget; NULL where there is none."""
    cdef Ratings* ratings = NULL
    if sizeof(Ratings) <= max_memory:
        ratings = <Ratings*>malloc(sizeof(Ratings))
    if ratings != NULL:
        ratings.settler = new_settler(max_nodes, max_memory - sizeof(Ratings))
        if ratings.settler == NULL:
            free(ratings)
            ratings = NULL
    return ratings
