# One board searched, and what the search learns of it on the way.


def search(
    Position position not None,
    *,
    uint64_t max_nodes,
    double max_seconds,
    uint64_t max_memory,
    cancel=None,
    progress=None,
    uint64_t shorten=0,
    bint advise=False,
    bint prune=True,
    bint merge=True,
    bint greedy=True,
    bint learn=True,
):
    """Search for a win: ``(outcome, moves, nodes)``.

    ``outcome`` is "won" (with the moves), "lost" (every position that can be reached
    was seen, or the closure proves the loss), or the budget that ran out: "nodes",
    "seconds", "memory" or "cancelled". ``shorten`` looks for shorter lines once one is
    known, over so many positions more at the most. With ``advise``, the moves are a
    single one to offer where no win was found: towards the best position found, or the
    one that uncovers most (advice.pxd). ``prune=False`` searches without the
    closure and leaves out no moves, ``merge=False`` does not name interchangeable cards
    alike, ``greedy=False`` goes depth first without restarts, ``learn=False`` does
    without nogoods: all four only to check and to measure the others.
    """
    cdef _Listener listener = _Listener(max_seconds, cancel, progress)
    cdef Outcome found, stopped = NOT_YET
    cdef Line line
    cdef int which, offered = -1
    cdef tuple moves = None
    cdef Settler* settler = new_settler(max_nodes, max_memory)
    if settler == NULL:
        if advise:
            offered = most_uncovering(&position.root, &position.packed, False)
        return (OUTCOME[OUT_OF_MEMORY], () if offered < 0 else (move_of(offered),), 0)
    try:
        settler.search.root = position.root
        settler.search.start = position.packed
        settler.search.prune = prune
        settler.search.merge = merge
        settler.search.greedy = greedy
        settler.may_learn = learn
        set_root(&settler.search.root, &settler.search.start)
        if position.root.alternating:
            # The first look may take milliseconds here; elsewhere it is not worth the handing over.
            with nogil:
                settler.outcome = begin_settling(settler)
        else:
            settler.outcome = begin_settling(settler)
        while True:
            if settler.outcome == NOT_YET:
                stopped = listener.work(settle_on, settler)
            if settler.outcome != WON:
                break
            found = line_found(settler, &line)
            if found == BROKEN:
                raise RuntimeError(BROKEN_LINE)
            if found == OUT_OF_MEMORY:
                settler.outcome = OUT_OF_MEMORY
                break
            moves = tuple([move_of(line.moves[which]) for which in range(line.length)])
            close_line(&line)
            if not shorten or line.length <= least_moves(&settler.search.root, &settler.search.start):
                break
            settler.outcome = seek_shorter(settler, line.length, shorten)
        if moves is not None:
            return (OUTCOME[WON], moves, nodes_seen(settler))
        if advise:
            if settler.outcome != LOST:
                offered = most_promising(settler)
            if offered < 0:
                offered = most_uncovering(&position.root, &position.packed, settler.outcome == LOST)
        return (
            OUTCOME[settler.outcome if stopped == NOT_YET else stopped],
            () if offered < 0 else (move_of(offered),),
            nodes_seen(settler),
        )
    finally:
        close_settler(settler)


def nogoods(Position position not None, *, uint64_t max_nodes, bint glance=True):
    """What the learning search learns within its first nodes, oldest first, to be checked.

    Each is ``(moved, unmoved, landed)``: every position in which all of ``moved`` has
    moved, none of ``unmoved`` has, and the stock cards have landed on what ``landed``
    says (a dict, None for an empty column) is lost. Moved: joined its parent, or a King
    that has left what it lay on or gone; DEAL and, for a King, ``"loose KH"`` are members
    too (nogoods.pxd says what they mean). Empty where the rules are others. ``glance=False``
    asks the closure only where no move is left, so that far more is learned from trying.
    """
    cdef Learner* learner
    cdef Outcome outcome
    cdef uint32_t which
    cdef int index, card
    cdef const Nogood* entry
    learned = []
    if not learns(&position.root):
        return learned
    learner = <Learner*>malloc(sizeof(Learner))
    if learner == NULL:
        raise MemoryError
    try:
        learner.ground.root = position.root
        learner.limit = <uint64_t>1 << 30
        learner.max_nodes = max_nodes
        learner.glance = glance
        with nogil:
            outcome = begin_learning(learner, &position.packed)
            while outcome == NOT_YET:
                outcome = resume_learning(learner)
                if outcome == WON:
                    outcome = hold_to_rules(learner, &position.packed)
        for which in range(learner.size):
            entry = &learner.nogoods[which]
            landed = {}
            for index in range(learner.ground.root.stock_size):
                if entry.relied >> (6 * index) & 1:
                    card = entry.landing >> (6 * index) & 63
                    landed[CARD[learner.ground.root.stock[index]]] = None if card == NOTHING else CARD[card]
            learned.append((members(learner, entry.moved), members(learner, entry.unmoved), landed))
        return learned
    finally:
        close_learning(learner)
        free(learner)
