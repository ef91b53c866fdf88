# What is known of a position: the one form that an answer has inside the core.
#
# Closures, searches, batches, ratings and samples all speak of it in these words; what
# Python is told instead is decided in one place, at the face (_core.pyx).

cdef enum Outcome:
    WON             # a line of play wins
    LOST            # it is proved that none does
    OUT_OF_NODES    # undecided: a budget ran out
    OUT_OF_SECONDS
    OUT_OF_MEMORY
    CANCELLED       # undecided: somebody said to stop
    BROKEN          # undecided: a win was found but no moves lead to it, which is a fault of ours
    ALIVE           # undecided: a closure does not prove the position lost
    NOT_YET         # no answer so far: the question is to be resumed, or to be asked
