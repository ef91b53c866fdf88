# A position to play on from Python.


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
        # What is counted is what is read, whatever length a sequence claims to have.
        columns = tuple(islice(columns, COLUMNS + 1))
        face_down = tuple(islice(face_down, COLUMNS + 1))
        stock = tuple(islice(stock, STOCK + 1))
        if not 2 <= ranks <= 13 or not 1 <= len(columns) <= COLUMNS:
            return False
        if len(face_down) != len(columns) or len(stock) > min(STOCK, len(columns)):
            return False
        if ranks == 13 and len(stock) not in (0, STOCK):
            return False
        clear(p)
        self.root.deck = bit(4 * ranks) - 1
        for column, (cards, count) in enumerate(zip(columns, face_down)):
            cards = tuple(islice(cards, 4 * ranks + 1))
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
        if not 0 <= depth <= MOST_PLIES:
            raise BoardError(f"perft counts lines of 0 to {MOST_PLIES} moves, not {depth}")
        with nogil:
            lines = perft(&self.root, &p, depth)
        return lines
