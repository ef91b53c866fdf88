"""Checking locks and proofs of loss: small, plain, and without trust.

Nothing here searches, and nothing is shared with what does but the rules in plain
Python, ``reference`` with ``building``. A lock or a proof is read as a claim, of which
every part is looked at again. Read this to believe a verdict of LOST.

**Why a lock proves a loss.** Let C be the cards of the lock, each covered now. Claim: in
no play from here is a card of C ever uncovered, and, where the lock says so, no column
ever empty. Suppose otherwise, and take the first moment at which one of these things
happens. (Within a move things happen one after the other: the card leads away, it lands,
a run leaves, cards turn up.)

*A card c of C is uncovered.* Let d be the card on it now. Until then d lay on c: whatever
lies higher comes and goes, and the stock falls on open ends. Now d leaves and c stays.
Cards leave in three ways, and the reason for c bars each of them.

- d leads onto a card t that it fits on. Then d lies face up, t is uncovered just before,
  and t is not in d's pile. The bar is one of: t is in C ("covered"), so it was not
  uncovered before; t is on a foundation ("gone"); t lies in d's column above d, and d as
  well as all cards between them are in C ("own pile"): for t to get out of d's pile by
  itself, one of these would have to be uncovered before. (Should a run take t out, it is
  gone.) t may be c: while d lies on it, it is covered.
- d leads to an empty column, if it is a King or any card fills one. The bar: the lock
  says that no column is ever empty ("space"), and none was before.
- d leaves as the King of a finished run, where runs leave. The bar ("run") names the
  cards that can serve in d's run at one rank, one in suit or two of a colour, and each is
  gone with another run or is in C and *has to be uncovered*: see below. At the rank of
  the King this is d itself.

Or d lies face down and is in C ("face down"): face down it neither leads nor belongs to
a run, and it was not uncovered before, so it did not turn up.

*A column is emptied.* None is empty now, so it loses the card that is lowest in it now,
which leaves in one of the same ways; the lock has a reason for each column.

**A card has to be uncovered** if it lies face down, or carries a card that does not fit
on it. In a finished run it lies face up and carries a fitting card, or is an Ace at the
open end. So before it can serve in one it turns up, or the card on it leaves: either way
it is uncovered. Every win puts every card on the table into a finished run; so a lock of
which one card has to be uncovered proves that no play wins. All this holds under every
rule of play: when the stock may be dealt only forbids, and where runs stay there is one
way less to leave. Stock cards are never in C.

**Why cases prove a loss.** In alternating colours, where only Kings fill spaces, let x
and z be cards of one rank and colour, both on the table or in the stock and neither lying
face up on a face-up card it fits on. Every win brings each onto a parent, so one of them
first, say x; then z is *second*. Claim: before z lies on a parent, both parents have been
uncovered. One has, as z lands on it. If x lies on the other or went with it, that was
uncovered when x came. If not, x came to the same parent before and has left it since:
not in a run, which would have taken the parent, nor to a space, but for the other, which
was then uncovered. So a second card's first step onto a parent is barred if one of its
parents is in C ("second"). The two arguments of the cases may each assume their answer,
and one of the answers is true in every win.
"""

from collections import deque
from itertools import pairwise

from scorpion.board import Board
from scorpion.building import fills_space, fits, is_king, run
from scorpion.cards import DECK, is_red
from scorpion.errors import BoardError, ProofError
from scorpion.losses.locks import Bar, Cases, Lock, Proof, Reason
from scorpion.reference import Position


def check_lock(board: Board, lock: Lock | Cases) -> None:
    """Check that a lock, or cases, prove the board lost.

    Raises :class:`ProofError`, saying what does not hold, if they do not.
    """
    if not isinstance(board, Board):
        raise BoardError(f"check_lock looks at a Board, not {type(board).__name__}")
    _check_refutation(_reference(board), lock)


def check_proof(board: Board, proof: Proof) -> None:
    """Check a proof that the board is lost, by replaying it on the reference engine.

    From the board on, first come first served, each position reached either has its lock
    or has all its legal moves played; a position reached before is not looked at again.
    If none is won and all are looked at, no play wins: it would lead from position to
    position among these for ever, or into a lock.

    Once k stock cards are left, positions that differ only in the order of the columns
    from the (k+1)th on count as one: no rule looks at that order, so what is played in
    the one can be played in the other.

    Takes some 2 ms a position. Raises :class:`ProofError`, saying what does not hold.
    """
    if not isinstance(board, Board):
        raise BoardError(f"check_proof looks at a Board, not {type(board).__name__}")
    if not isinstance(proof, Proof):
        raise ProofError(f"a proof is a Proof, not {type(proof).__name__}")
    check_position_proof(_reference(board), proof)


def _reference(board: Board) -> Position:
    return Position(board.rules, board.columns, board.face_down, board.stock, board.foundations)


def check_position_lock(position: Position, lock: Lock | Cases) -> None:
    """:func:`check_lock` for a position of the reference engine, small decks too."""
    _check_refutation(position, lock)


def check_position_proof(position: Position, proof: Proof) -> None:
    """:func:`check_proof` for a position of the reference engine, small decks too."""
    if not isinstance(proof.locks, tuple) or not isinstance(proof.ends, tuple):
        raise ProofError("the locks and ends of a proof are tuples")
    waiting = deque([position])
    keys = {_key(position)}
    for number, end in enumerate(proof.ends):
        if not waiting:
            raise ProofError(f"{len(proof.ends)} positions, but only {number} can be reached")
        here = waiting.popleft()
        if here.is_won:
            raise ProofError(f"position {number} is won")
        if end is not None:
            if type(end) is not int or not 0 <= end < len(proof.locks):
                raise ProofError(f"position {number}: there is no lock {end!r}")
            try:
                _check_refutation(here, proof.locks[end])
            except ProofError as error:
                raise ProofError(f"position {number}: {error}") from None
            continue
        for move in here.legal_moves():
            after = here.copy()
            after.play(move)
            key = _key(after)
            if key not in keys:
                keys.add(key)
                waiting.append(after)
    if waiting:
        raise ProofError(f"more than the {len(proof.ends)} positions of the proof can be reached")


def _key(position: Position) -> object:
    """What two positions have in common that count as one."""
    columns = list(zip(position.columns, position.face_down, strict=True))
    landing = len(position.stock)
    return (tuple(columns[:landing]), tuple(sorted(columns[landing:])), position.stock)


def _check_refutation(position: Position, refutation: Lock | Cases) -> None:
    todo: list[tuple[object, frozenset[str], frozenset[str]]]
    todo = [(refutation, frozenset(), frozenset())]
    while todo:
        part, firsts, seconds = todo.pop()
        if isinstance(part, Lock):
            _Claim(position, seconds).check(part)
        elif isinstance(part, Cases):
            pair, parts = _check_cases(position, part, firsts | seconds)
            for first, second, each in zip(pair, reversed(pair), parts, strict=True):
                todo.append((each, firsts | {first}, seconds | {second}))
        else:
            raise ProofError(f"a lock is a Lock, not {type(part).__name__}")


def _check_cases(
    position: Position, cases: Cases, used: frozenset[str]
) -> tuple[tuple[str, str], tuple[object, object]]:
    """The twins and their arguments, if the cases are cases of this position."""
    pair, parts = cases.twins, cases.refuted
    for two in (pair, parts):
        if not isinstance(two, tuple) or len(two) != 2:
            raise ProofError("cases are of two twins, and two arguments")
    if position.rules.build == "suit" or position.rules.fill == "any":
        raise ProofError("there are cases only in alternating colours, where Kings fill spaces")
    present = {card for pile in (position.stock, *position.columns) for card in pile}
    for card in pair:
        if not isinstance(card, str) or card not in present:
            raise ProofError(f"{card!r} is not on the board")
        if card in used:
            raise ProofError(f"{card} stands in a case already")
        if is_king(card, position.ranks):
            raise ProofError(f"{card} is a King and goes on no card")
        if _is_seated(position, card):
            raise ProofError(f"{card} lies on a card that it fits on")
    first, second = pair
    if first == second or first[0] != second[0] or is_red(first) != is_red(second):
        raise ProofError(f"{first} and {second} are no twins")
    return pair, parts


def _is_seated(position: Position, card: str) -> bool:
    """Whether the card lies face up on a face-up card that it fits on."""
    for cards, down in zip(position.columns, position.face_down, strict=True):
        if card in cards[down + 1 :]:
            return fits(position.rules, card, cards[cards.index(card) - 1])
    return False


class _Claim:
    """What a lock claims of a position, looked at piece by piece."""

    def __init__(self, position: Position, seconds: frozenset[str]) -> None:
        self.position = position
        self.rules = position.rules
        self.seconds = seconds
        self.deck = DECK[: 4 * position.ranks]
        self.columns = position.columns
        self.down = {
            card
            for cards, down in zip(position.columns, position.face_down, strict=True)
            for card in cards[:down]
        }
        on_board = {card for pile in (position.stock, *position.columns) for card in pile}
        self.gone = set(self.deck) - on_board
        self.on = {card: on for cards in self.columns for card, on in pairwise(cards)}
        self.locked: set[str] = set()
        self.columns_stay = False

    def check(self, lock: Lock) -> None:
        """Raise :class:`ProofError` unless the lock proves the position lost."""
        if not isinstance(lock.reasons, tuple):
            raise ProofError("the reasons of a lock are a tuple")
        lowest = []
        for reason in lock.reasons:
            self._check_form(reason)
            if reason.card is None:
                lowest.append(reason.under)
            elif reason.card in self.locked:
                raise ProofError(f"{reason.card} is in the lock twice")
            elif self.on.get(reason.card) != reason.under:
                raise ProofError(f"{reason.card} does not lie under {reason.under}")
            else:
                self.locked.add(reason.card)
        if lowest:
            self.columns_stay = True
            if sorted(lowest) != sorted(cards[0] for cards in self.columns if cards):
                raise ProofError("the lock does not name the lowest card of each column once")
            if not all(self.columns):
                raise ProofError("there is an empty column")
        for reason in lock.reasons:
            self._check_reason(reason)
        if not any(map(self._has_to_be_uncovered, self.locked)):
            raise ProofError("none of the cards in the lock has to be uncovered")

    def _check_form(self, reason: Reason) -> None:
        if not isinstance(reason, Reason) or not isinstance(reason.bars, tuple):
            raise ProofError(f"{reason!r} is not a reason")
        if reason.under not in self.deck or not (reason.card is None or reason.card in self.deck):
            raise ProofError(f"{reason!r} names a card that there is not")
        for bar in reason.bars:
            if not isinstance(bar, Bar) or not isinstance(bar.cards, tuple):
                raise ProofError(f"{bar!r} is not a bar")
            for card in bar.cards:
                if card not in self.deck:
                    raise ProofError(f"{bar!r} names a card that there is not")

    def _has_to_be_uncovered(self, card: str) -> bool:
        return card in self.down or not fits(self.rules, self.on[card], card)

    def _check_reason(self, reason: Reason) -> None:
        """Whether the reason bars each way in which its card could leave."""
        card = reason.under
        bars = list(reason.bars)
        if [bar.kind for bar in bars] == ["face down"]:
            if bars[0].cards != (card,) or card not in self.down or card not in self.locked:
                raise ProofError(f"{card} does not stay face down")
            return
        if card in self.seconds and bars and bars[0].kind == "second":
            self._check_second(card, bars.pop(0))
        else:
            for target in self.deck:
                if fits(self.rules, card, target):
                    self._check_target(card, target, bars)
        if fills_space(self.rules, card, self.position.ranks):
            self._check_space(card, bars)
        if is_king(card, self.position.ranks) and self.rules.runs == "leave":
            self._check_run(card, bars)
        if bars:
            raise ProofError(f"{card} has a bar where there is no way: {bars[0]!r}")

    def _check_second(self, card: str, bar: Bar) -> None:
        if len(bar.cards) != 1 or not fits(self.rules, card, bar.cards[0]):
            raise ProofError(f"{card}, coming second, does not need {' and '.join(bar.cards)}")
        self._check_locked(bar.cards)

    def _check_target(self, card: str, target: str, bars: list[Bar]) -> None:
        """Whether the next bar keeps the card from going onto the target."""
        bar = bars.pop(0) if bars else None
        if bar is None or bar.cards[:1] != (target,):
            raise ProofError(f"nothing bars {card} from going onto {target}")
        if bar.kind == "covered" and len(bar.cards) == 1:
            self._check_locked(bar.cards)
        elif bar.kind == "own pile":
            if bar.cards[1:] != self._pile_below(card, target):
                raise ProofError(f"{target} does not lie in the pile of {card} on such cards")
            self._check_locked(bar.cards[1:])
        elif bar.kind != "gone" or len(bar.cards) != 1 or target not in self.gone:
            raise ProofError(f"{card} is not barred from going onto {target} by {bar!r}")

    def _pile_below(self, card: str, target: str) -> tuple[str, ...]:
        """The cards from one card to that under another in the same column."""
        for cards in self.columns:
            if card in cards and target in cards:
                return cards[cards.index(card) : cards.index(target)]
        return ()

    def _check_space(self, card: str, bars: list[Bar]) -> None:
        bar = bars.pop(0) if bars else None
        if bar != Bar("space") or not self.columns_stay:
            raise ProofError(f"nothing bars {card} from going to an empty column")

    def _check_run(self, king: str, bars: list[Bar]) -> None:
        bar = bars.pop(0) if bars else None
        if bar is None or bar.kind != "run" or not bar.cards:
            raise ProofError(f"nothing bars {king} from leaving with its run")
        if bar.cards not in run(self.rules, king):
            raise ProofError(f"the run of {king} can do without {' and '.join(bar.cards)}")
        for card in bar.cards:
            if card in self.gone:
                continue
            self._check_locked((card,))
            if not self._has_to_be_uncovered(card):
                raise ProofError(f"{card} can serve in the run of {king} without being uncovered")

    def _check_locked(self, cards: tuple[str, ...]) -> None:
        for card in cards:
            if card not in self.locked:
                raise ProofError(f"{card} is not in the lock")
