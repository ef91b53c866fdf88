"""The compiled engine: a packed position, and the search over it.

A thin face over its rooms, the ``.pxd`` files of ``engine``, which
``docs/architecture.md`` lists; ``.pxi`` files are parts of this one. It checks what it is
given here and trusts it inside. :class:`Position` has the names of its twin in ``reference``
and answers with the same values, errors and messages.
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc

from scorpion.engine.advice cimport most_promising, most_uncovering
from scorpion.engine.batches cimport Batch, empty_batch, resume_batch, take_board
from scorpion.engine.bits cimport bit, highest, lowest
from scorpion.engine.clock cimport Work, clock
from scorpion.engine.closure cimport is_dead
from scorpion.engine.line cimport Line, close_line
from scorpion.engine.locks cimport (
    AWAY, BY_CASES, CIRCLE, COVERED, FACE_DOWN, IN_RUN, MOST_WAYS, NONE_EMPTY, SECOND, TO_SPACE, Hold,
    LastOne, Locked, Scene, Way, choose_bars, in_run_at, next_hold, uses_space,
)
from scorpion.engine.moved cimport DEALT, LOOSE, learns
from scorpion.engine.nogoods cimport (
    Learner, Nogood, begin_learning, close_learning, hold_to_rules, resume_learning,
)
from scorpion.engine.outcomes cimport (
    BROKEN, CANCELLED, LOST, NOT_YET, OUT_OF_MEMORY, OUT_OF_NODES, OUT_OF_SECONDS, WON, Outcome,
)
from scorpion.engine.position cimport (
    COLUMNS, DEAL as DEAL_CODE, DEALT_BIT, MOST_MOVES, NOTHING, STOCK, Key, Position as Packed, Root,
    Undo, clear, finished_run, first_parent, fits, gone, is_dealt, is_won, key_from_scratch, lay_out,
    list_moves, make, perft, search_key, set_root, unmake,
)
from scorpion.engine.ratings cimport Ratings, begin_ratings, close_ratings, new_ratings, resume_ratings
from scorpion.engine.reasons cimport LAST_HOME, NO_ARGUMENT, TWINS, Argument, Reasons, find_reasons
from scorpion.engine.samples cimport Sampling, begin_sampling, goes_to_and_fro, resume_sampling
from scorpion.engine.search cimport least_moves
from scorpion.engine.settle cimport (
    Settler, begin_settling, close_settler, line_found, new_settler, nodes_seen, seek_shorter, settle_on,
)
from scorpion.engine.shuffle cimport CARDGAMES, DECK as DECK_SIZE, MS, PYSOLFC, Dealer, shuffle
from scorpion.engine.twins cimport Guide, set_guide
from scorpion.engine.unseen cimport begin_dealing

from array import array as _array

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


cdef inline object move_of(int code):
    return DEAL if code == DEAL_CODE else MOVE[code]


cdef list cards_in(uint64_t cards):
    return [CARD[card] for card in range(len(CARD)) if (cards >> card) & 1]


cdef int take_rules(Root* root, rules, int ranks) except -1:
    """Note in a root what the rules allow."""
    root.ranks = ranks
    root.kings = <uint64_t>15 << (4 * ranks - 4)
    root.alternating = rules.build == "alternating"
    root.any_fills = rules.fill == "any"
    root.stays = rules.runs == "stay"
    root.when_stuck = rules.stock == "when-stuck"
    return 0


@cython.final
@cython.auto_pickle(False)
cdef class Position:
    """A position that is played on in place; ``undo`` takes moves back.

    The compiled twin of :class:`scorpion.reference.Position`, which says what the
    arguments and answers are. Beyond the twin it has keys, the closure's verdict
    and :meth:`arrangement`.
    """

    cdef Root root
    cdef Packed packed
    cdef Undo* history
    cdef size_t played
    cdef size_t room
    cdef readonly object rules

    def __init__(self, rules, columns, face_down, stock=(), foundations=(), int ranks=13):
        if self.rules is not None:
            raise BoardError("a position is set up once")
        if foundations or not self._set_up(columns, face_down, stock, ranks):
            layout.check(rules, columns, face_down, stock, foundations, ranks)
            if not self._set_up(columns, face_down, stock, ranks, bool(foundations)):
                raise BoardError("these cards make no legal position")
        take_rules(&self.root, rules, ranks)
        set_root(&self.root, &self.packed)
        if rules.runs == "leave":
            for column in range(self.root.columns):
                if finished_run(&self.root, &self.packed, column) != NOTHING:
                    pile = column + 1
                    raise BoardError(
                        layout.RUN_IN_PLACE.format(column=pile),
                        pile=pile,
                        index=len(columns[column]) - 1,
                    )
        self.rules = rules

    def __dealloc__(self):
        free(self.history)

    def __reduce__(self):
        parts = (self.columns, self.face_down, self.stock, self.foundations, self.root.ranks)
        return (Position, (self.rules, *parts))

    cdef bint _set_up(self, columns, face_down, stock, int ranks, bint some_gone=False) except -1:
        """Lay the cards out; False if this is plainly no whole deck in a legal position."""
        cdef Packed* p = &self.packed
        cdef uint64_t found = 0
        cdef int column, index, down, number, below
        if not 2 <= ranks <= 13 or not 1 <= len(columns) <= COLUMNS:
            return False
        if len(face_down) != len(columns) or len(stock) > min(STOCK, len(columns)):
            return False
        if ranks == 13 and len(stock) not in (0, STOCK):
            return False
        clear(p)
        self.root.deck = bit(4 * ranks) - 1
        for column, (cards, count) in enumerate(zip(columns, face_down)):
            if type(count) is not int or not 0 <= count <= len(cards) or (cards and count == len(cards)):
                return False
            down = count
            below = NOTHING
            for index, card in enumerate(cards):
                number = _NUMBER.get(card, -1) if isinstance(card, str) else -1
                if number < 0 or number >= 4 * ranks or (found >> number) & 1:
                    return False
                found |= bit(number)
                p.below[number] = below
                p.above[below] = number
                p.column[number] = column
                p.tail[column] = number
                if index >= down:
                    p.up |= bit(number)
                below = number
            p.above[NOTHING] = NOTHING
        self.root.stock_set = 0
        for index, card in enumerate(stock):
            number = _NUMBER.get(card, -1) if isinstance(card, str) else -1
            if number < 0 or number >= 4 * ranks or (found >> number) & 1:
                return False
            found |= bit(number)
            self.root.stock[index] = number
            self.root.stock_set |= bit(number)
        self.root.stock_size = len(stock)
        self.root.columns = len(columns)
        if not stock:
            p.key.based = bit(DEALT_BIT)
        return some_gone or found == self.root.deck

    # What lies where.

    @property
    def columns(self):
        cdef int card
        piles = []
        for column in range(self.root.columns):
            cards = []
            card = self.packed.tail[column]
            while card != NOTHING:
                cards.append(CARD[card])
                card = self.packed.below[card]
            cards.reverse()
            piles.append(tuple(cards))
        return tuple(piles)

    @property
    def face_down(self):
        cdef int card, down
        counts = []
        for column in range(self.root.columns):
            down = 0
            card = self.packed.tail[column]
            while card != NOTHING:
                down += not (self.packed.up >> card) & 1
                card = self.packed.below[card]
            counts.append(down)
        return tuple(counts)

    @property
    def stock(self):
        if is_dealt(&self.packed):
            return ()
        return tuple([CARD[self.root.stock[which]] for which in range(self.root.stock_size)])

    @property
    def foundations(self):
        return tuple(cards_in(gone(&self.packed) & self.root.kings))

    @property
    def ranks(self):
        return self.root.ranks

    def arrangement(self):
        """The position as bytes: equal bytes, equal positions under equal rules.

        For each column its length, its count of face-down cards and its cards'
        numbers from the bottom; then the stock's length and its cards.
        """
        cdef uint8_t out[2 * COLUMNS + 1 + 64]
        cdef int length = 0, column, card, cards, down, which
        for column in range(self.root.columns):
            cards = down = 0
            card = self.packed.tail[column]
            while card != NOTHING:
                cards += 1
                down += not (self.packed.up >> card) & 1
                card = self.packed.below[card]
            out[length] = cards
            out[length + 1] = down
            length += 2 + cards
            card = self.packed.tail[column]
            which = length
            while card != NOTHING:
                which -= 1
                out[which] = card
                card = self.packed.below[card]
        out[length] = 0
        length += 1
        if not is_dealt(&self.packed):
            out[length - 1] = self.root.stock_size
            for which in range(self.root.stock_size):
                out[length] = self.root.stock[which]
                length += 1
        return (<char*>out)[:length]

    @property
    def key(self):
        """The incremental key, three words; see position.pxd for what they hold."""
        cdef Key* key = &self.packed.key
        return (key.first, key.second, key.based)

    @property
    def key_from_scratch(self):
        """The same, read off the columns."""
        cdef Key key
        key_from_scratch(&self.root, &self.packed, &key)
        return (key.first, key.second, key.based)

    @property
    def search_key(self):
        """The key under which a search stores the position."""
        cdef Key key
        search_key(&self.root, &self.packed, &key)
        return (key.first, key.second, key.based)

    # How the game stands.

    @property
    def is_won(self):
        return bool(is_won(&self.root, &self.packed))

    @property
    def is_stuck(self):
        cdef uint16_t found[MOST_MOVES]
        return (
            not is_won(&self.root, &self.packed)
            and is_dealt(&self.packed)
            and list_moves(&self.root, &self.packed, found, True) == 0
        )

    @property
    def is_dead(self):
        """Whether the closure proves at a glance that no play wins."""
        cdef Guide guide
        set_guide(&guide)
        return not is_won(&self.root, &self.packed) and bool(
            is_dead(&self.root, &self.packed, &guide, True)
        )

    # Moves.

    def legal_moves(self):
        """Every legal move, by column and card, the deal last; none once the game is won.

        Idle moves, which only relabel columns, are left out.
        """
        cdef uint16_t found[MOST_MOVES]
        cdef int count = list_moves(&self.root, &self.packed, found, False)
        cdef int which
        return [move_of(found[which]) for which in range(count)]

    def most_uncovering(self):
        """The legal move that uncovers most, for a lost position; None if there is none."""
        cdef int code = most_uncovering(&self.root, &self.packed, True)
        return None if code < 0 else move_of(code)

    cdef int _code(self, move) except -1:
        """The number of a move that may be played; IllegalMoveError where it may not."""
        cdef Root* r = &self.root
        cdef Packed* p = &self.packed
        cdef int number, column, end
        cdef bint known = is_move(move)
        if known and not is_won(r, p):
            if move == DEAL:
                if self._may_deal():
                    return DEAL_CODE
            elif 1 <= move[1] <= r.columns:
                number = _NUMBER[move[0]]
                column = move[1] - 1
                if (p.up >> number) & 1 and p.column[number] != column:
                    end = p.tail[column]
                    if end == NOTHING:
                        if r.any_fills or bit(number) & r.kings:
                            return number | column << 6
                    elif fits(r, number, end):
                        return number | column << 6
        raise IllegalMoveError(self._refusal(move))

    cdef bint _may_deal(self):
        cdef uint16_t found[MOST_MOVES]
        cdef int count = list_moves(&self.root, &self.packed, found, True)
        return count > 0 and found[count - 1] == DEAL_CODE

    cdef str _refusal(self, move):
        """Why a move that may not be played is refused."""
        cdef Root* r = &self.root
        cdef Packed* p = &self.packed
        cdef int number, end
        if not is_move(move):
            return words.NOT_A_MOVE.format(move=move)
        if is_won(r, p):
            return words.ALREADY_WON.format(move=Move(*move))
        if move == DEAL:
            if is_dealt(p):
                return words.NO_STOCK
            return words.NOT_STUCK.format(other=self._first_real_move())
        card, column = move
        if not 1 <= column <= r.columns:
            return words.NO_COLUMN.format(column=column, columns=r.columns)
        number = _NUMBER[card]
        if number >= 4 * r.ranks:
            return words.NOT_IN_DECK.format(card=card)
        if (gone(p) >> number) & 1:
            return words.ON_FOUNDATION.format(card=card)
        if not (p.up >> number) & 1:
            return words.NOT_FACE_UP.format(card=card)
        if p.column[number] == column - 1:
            return words.SAME_COLUMN.format(card=card, column=column)
        end = p.tail[column - 1]
        if end == NOTHING:
            return words.NOT_A_KING.format(card=card)
        if bit(number) & r.kings:
            return words.FITS_NOWHERE.format(card=card, column=column, end=CARD[end])
        number = first_parent(r, number)
        parents = CARD[number]
        if r.alternating:
            parents += " and " + CARD[number + 1]
        return words.FITS_ON_OTHERS.format(
            card=card, parents=parents, column=column, end=CARD[end]
        )

    cdef object _first_real_move(self):
        """The first legal move that does not only relabel a column."""
        cdef uint16_t found[MOST_MOVES]
        cdef int count = list_moves(&self.root, &self.packed, found, False)
        cdef int which
        for which in range(count):
            if (
                self.packed.below[found[which] & 63] != NOTHING
                or self.packed.tail[found[which] >> 6] != NOTHING
            ):
                return MOVE[found[which]]
        return None

    def play(self, move):
        """Play a legal or an idle move. Raises IllegalMoveError saying why not."""
        cdef int code = self._code(move)
        cdef Undo* grown
        cdef size_t room
        if self.played == self.room:
            room = 2 * self.room if self.room else 1
            grown = <Undo*>realloc(self.history, room * sizeof(Undo))
            if grown == NULL:
                raise MemoryError
            self.history = grown
            self.room = room
        make(&self.root, &self.packed, code, &self.history[self.played])
        self.played += 1

    def undo(self):
        """Take back the last move played. Raises IllegalMoveError if there is none."""
        if self.played == 0:
            raise IllegalMoveError(words.NOTHING_TO_UNDO)
        self.played -= 1
        unmake(&self.root, &self.packed, &self.history[self.played])

    def copy(self):
        """The same position, with nothing to undo."""
        return self._copy()

    cdef Position _copy(self):
        cdef Position twin = Position.__new__(Position)
        twin.root = self.root
        twin.packed = self.packed
        twin.rules = self.rules
        return twin

    def after(self, move):
        """A copy on which the move has been played. Raises IllegalMoveError."""
        cdef int code = self._code(move)
        cdef Position twin = self._copy()
        cdef Undo undo
        make(&twin.root, &twin.packed, code, &undo)
        return twin

    def perft(self, int depth):
        """How many lines of ``depth`` legal moves there are; 1 for depth 0."""
        cdef Packed p = self.packed
        cdef uint64_t lines
        if depth < 0:
            raise BoardError(f"perft counts lines of 0 moves or more, not {depth}")
        with nogil:
            lines = perft(&self.root, &p, depth)
        return lines


cdef dict DEALER = {"pysolfc": PYSOLFC, "ms": MS, "cardgames": CARDGAMES}


def shuffled(str dealer not None, number):
    """The 52 cards of a dealer's numbered deal, in the order in which they are dealt.

    The caller has checked that the dealer has that number.
    """
    cdef uint8_t dealt[DECK_SIZE]
    cdef Dealer which = DEALER[dealer]
    cdef uint64_t high = number >> 64, low = number & 0xFFFFFFFFFFFFFFFF
    cdef int card
    shuffle(which, high, low, dealt)
    return [CARD[dealt[card]] for card in range(DECK_SIZE)]


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


include "batches.pxi"
include "ratings.pxi"
include "reasons.pxi"
include "samples.pxi"


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


cdef object members(const Learner* learner, uint64_t cards):
    cdef int king
    names = cards_in(cards)
    for king in range(4):
        if (cards >> (LOOSE + king)) & 1:
            names.append("loose " + CARD[4 * learner.ground.root.ranks - 4 + king])
    if (cards >> DEALT) & 1:
        names.append(DEAL)
    return frozenset(names)
