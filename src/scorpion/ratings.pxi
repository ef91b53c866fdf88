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
    cdef Ratings* s
    cdef Status status
    cdef double until
    cdef int which, found
    cdef str stopped = ""
    cdef uint16_t moves[MOST_MOVES]
    found = list_moves(&position.root, &position.packed, moves, False)
    s = new_ratings(max_nodes, max_memory) if found else NULL
    if s == NULL:
        return (b"\2" * found, 0)
    try:
        s.settler.search.root = position.root
        s.settler.search.start = position.packed
        set_root(&s.settler.search.root, &s.settler.search.start)
        with nogil:
            status = begin_ratings(s, max_nodes)
        while s.asked < s.found and not stopped:
            until = min(listener.heard + LISTEN, listener.deadline)
            with nogil:
                while s.asked < s.found:
                    if status == RUNNING:
                        status = drive(s.settler, until)
                    if status == RUNNING:
                        break
                    note_answer(s, status)
                    status = ask_next(s)
                    if clock() >= until:
                        break
            if s.asked < s.found:
                stopped = listener.hear(s.nodes)
        if s.broken:
            raise RuntimeError(BROKEN_LINE)
        return (bytes([min(<int>s.worth[which], UNSETTLED) for which in range(found)]), s.nodes)
    finally:
        close_ratings(s)
        free(s.settler)
        free(s)


cdef Ratings* new_ratings(uint64_t max_nodes, uint64_t max_memory) noexcept:
    """Room to rate within the budget; NULL where there is none."""
    cdef Ratings* s = NULL
    if sizeof(Ratings) <= max_memory:
        s = <Ratings*>malloc(sizeof(Ratings))
    if s != NULL:
        s.settler = new_settler(max_nodes, max_memory - sizeof(Ratings))
        if s.settler == NULL:
            free(s)
            s = NULL
    return s
