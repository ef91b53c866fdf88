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
    cdef int which
    cdef uint16_t moves[MOST_MOVES]
    cdef int found = list_moves(&position.root, &position.packed, moves, False)
    ratings = new_ratings(max_nodes, max_memory) if found else NULL
    if ratings == NULL:
        return (bytes([verdict(OUT_OF_MEMORY)] * found), 0)
    try:
        ratings.settler.search.root = position.root
        ratings.settler.search.start = position.packed
        set_root(&ratings.settler.search.root, &ratings.settler.search.start)
        with nogil:
            begin_ratings(ratings, max_nodes)
        listener.work(resume_ratings, ratings)
        if ratings.broken:
            raise RuntimeError(BROKEN_LINE)
        return (bytes([verdict(ratings.worth[which]) for which in range(found)]), ratings.nodes)
    finally:
        close_ratings(ratings)
