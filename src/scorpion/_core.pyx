"""The compiled engine: a packed position, and the search over it.

A thin face over its rooms, the ``.pxd`` files of ``engine``, which
``docs/architecture.md`` lists; ``.pxi`` files are parts of this one. It checks what it is
given and trusts it inside. What Python calls stands in the parts, and here what they share.
:class:`Position` has the names of its twin in ``reference`` and answers with the same values,
errors and messages.
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport UINT64_MAX, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc

from scorpion.engine.advice cimport most_promising, most_uncovering
from scorpion.engine.arguments cimport NO_ARGUMENT, Reasons
from scorpion.engine.batches cimport Batch, empty_batch, resume_batch, take_board
from scorpion.engine.bits cimport bit
from scorpion.engine.clock cimport Work, clock
from scorpion.engine.closure cimport is_dead
from scorpion.engine.keys cimport clear, key_from_scratch, lay_out, search_key, set_root
from scorpion.engine.line cimport Line, close_line
from scorpion.engine.moved cimport DEALT, LOOSE, learns
from scorpion.engine.nogoods cimport (
    Learner, Nogood, begin_learning, close_learning, hold_to_rules, resume_learning,
)
from scorpion.engine.outcomes cimport (
    BROKEN, CANCELLED, LOST, NOT_YET, OUT_OF_MEMORY, OUT_OF_NODES, OUT_OF_SECONDS, WON, Outcome,
)
from scorpion.engine.position cimport (
    COLUMNS, DEAL as DEAL_CODE, DEALT_BIT, MOST_MOVES, MOST_PLIES, NOTHING, STOCK, Key,
    Position as Packed, Root, Undo, finished_run, first_parent, fits, gone, is_dealt, is_won,
    list_moves, make, perft, unmake,
)
from scorpion.engine.proofs cimport Prover, begin_proof, close_prover, new_prover, prove_on, start_of
from scorpion.engine.ratings cimport Ratings, begin_ratings, close_ratings, new_ratings, resume_ratings
from scorpion.engine.reasons cimport find_reasons
from scorpion.engine.samples cimport Sampling, begin_sampling, goes_to_and_fro, resume_sampling
from scorpion.engine.search cimport least_moves
from scorpion.engine.settle cimport (
    Settler, begin_settling, close_settler, line_found, new_settler, nodes_seen, seek_shorter, settle_on,
)
from scorpion.engine.shuffle cimport CARDGAMES, DECK as DECK_SIZE, MS, PYSOLFC, Dealer, shuffle
from scorpion.engine.table cimport NO_NODE, node_at
from scorpion.engine.twins cimport Guide, set_guide
from scorpion.engine.unseen cimport begin_dealing
from scorpion.engine.written cimport (
    WRITTEN_AGAIN, WRITTEN_LAST, WRITTEN_PARKED, WRITTEN_TWINS, Writing, begin_writing, close_writing,
    write_refutation,
)

from array import array as _array
from itertools import islice

from scorpion import layout, moves as words
from scorpion.cards import DECK as _DECK, NUMBER as _NUMBER
from scorpion.errors import BoardError, IllegalMoveError
from scorpion.moves import DEAL, Move, is_move

cdef double LISTEN = 0.01    # seconds between two looks at signals and the cancel flag
cdef double REPORT = 0.25    # and between two calls of progress

cdef tuple CARD = _DECK
cdef list MOVE = [
    Move(_DECK[code & 63], (code >> 6) + 1) if code & 63 < len(_DECK) else None
    for code in range(64 * COLUMNS)
]


# In the order of WrittenBar.
cdef tuple BAR = ("covered", "gone", "own pile", "circle", "second", "face down", "space", "first", "run")


cdef inline object move_of(int code):
    return DEAL if code == DEAL_CODE else MOVE[code]


cdef list cards_in(uint64_t cards):
    return [CARD[card] for card in range(len(CARD)) if (cards >> card) & 1]


cdef object members(const Learner* learner, uint64_t cards):
    cdef int king
    names = cards_in(cards)
    for king in range(4):
        if (cards >> (LOOSE + king)) & 1:
            names.append("loose " + CARD[4 * learner.ground.root.ranks - 4 + king])
    if (cards >> DEALT) & 1:
        names.append(DEAL)
    return frozenset(names)


cdef int take_rules(Root* root, rules, int ranks) except -1:
    """Note in a root what the rules allow."""
    root.ranks = ranks
    root.kings = <uint64_t>15 << (4 * ranks - 4)
    root.alternating = rules.build == "alternating"
    root.any_fills = rules.fill == "any"
    root.stays = rules.runs == "stay"
    root.when_stuck = rules.stock == "when-stuck"
    return 0


cdef dict DEALER = {"pysolfc": PYSOLFC, "ms": MS, "cardgames": CARDGAMES}


@cython.final
@cython.auto_pickle(False)
cdef class _Listener:
    """What a long search hears of the world outside: signals, cancel, and its deadline."""

    cdef object cancel
    cdef object progress
    cdef double deadline
    cdef double heard
    cdef double reported

    def __init__(self, double max_seconds, cancel, progress):
        self.heard = self.reported = clock()
        self.deadline = self.heard + max_seconds
        self.cancel = cancel
        self.progress = progress

    cdef Outcome work(self, Work resume, void* work) except? OUT_OF_SECONDS:
        """Go on with some work until it is done, listening between its slices.

        NOT_YET if it came to its end, otherwise why it was stopped.
        """
        cdef double until
        cdef uint64_t done = 0
        cdef bint more = True
        cdef Outcome stopped
        while True:
            until = min(self.heard + LISTEN, self.deadline)
            with nogil:
                more = resume(work, until, &done)
            if not more:
                return NOT_YET
            stopped = self.hear(done)
            if stopped != NOT_YET:
                return stopped

    cdef Outcome hear(self, uint64_t done) except? OUT_OF_SECONDS:
        """Why to stop, or NOT_YET; ``done`` is what progress is told."""
        self.heard = clock()
        PyErr_CheckSignals()
        if self.cancel is not None and self.cancel.is_set():
            return CANCELLED
        if self.heard >= self.deadline:
            return OUT_OF_SECONDS
        if self.progress is not None and self.heard - self.reported >= REPORT:
            self.reported = self.heard
            self.progress(done)
        return NOT_YET


# The one place where an outcome becomes what Python is told of it.

cdef str BROKEN_LINE = "a win was found but no moves lead to it: a fault of scorpion's, please report it"
cdef dict OUTCOME = {
    WON: "won", LOST: "lost", OUT_OF_NODES: "nodes", OUT_OF_SECONDS: "seconds",
    OUT_OF_MEMORY: "memory", CANCELLED: "cancelled",
}


cdef int verdict(Outcome outcome) except -1:
    """An outcome as a number: 0 won, 1 lost, 2 undecided. BROKEN is a RuntimeError."""
    if outcome == BROKEN:
        raise RuntimeError(BROKEN_LINE)
    return 0 if outcome == WON else 1 if outcome == LOST else 2


include "positions.pxi"
include "searches.pxi"
include "batches.pxi"
include "ratings.pxi"
include "reasons.pxi"
include "samples.pxi"
