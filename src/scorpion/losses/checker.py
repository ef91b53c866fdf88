"""Checking locks and proofs of loss: small, plain, and without trust.

Nothing here searches, and nothing is shared with what does but the rules in plain
Python, ``reference`` with ``building``. A lock or a proof is read as a claim, of which
every part is looked at again. Read this to believe a verdict of LOST.

A card is *home* when it lies face up on a face-up card that it fits on. Where one builds
in suit, a card that has been home once leaves that place only for an empty column or with
its run, and nothing but itself ever fits on the card it lay on.

**What a lock claims.** Let C be the cards of the lock, each covered now, and B the cards
that it names as standing at the bottom of a column for good, each the lowest of its column
now. Claim: in no play from here that wins is a card of C ever uncovered, or does a card of
B go onto another card or away with its run. (A card of B may go from one column to another
that is empty: then it stands at the bottom there.) Where one builds in suit no card of C
now carries a card that is home. Suppose the claim is wrong, and take the first moment at
which one of these things happens, the *violation*. (Within a move things happen one after
the other: the card leads away, it lands, a run leaves, cards turn up.) Then some card d
leaves: it lay on a card c of C and c stays, or it is in B. It lay there until then, since
whatever lies higher comes and goes, and the stock falls on open ends. It leaves in one of
these ways, and the reason for it bars each of them.

- It leads onto a card t that it fits on. Then d lies face up, t is uncovered just before,
  and t is not in d's pile. The bar is one of: t is in C ("covered"), so it was not
  uncovered before; t is on a foundation ("gone"); or t lies above d in its column now ("own
  pile"), and no card above d up to t has left what it lies on: each lies on a card of C.
  (Should a run take t out, it is gone. In suit those that are home now are exempt, see
  "Circles".) t may be c: while d lies on it, it is covered.
- It leads to an empty column, if it is a King or any card fills one, and is not in B. The
  bar "space": at any time before, each card of B stands at the bottom of a column of its
  own; B has as many cards as there are columns; so none was empty. The bar "first": see
  "Cases of spaces".
- It leaves as the King of a finished run, where runs leave. The bar ("run") names the
  cards that can serve in d's run at one rank, one in suit or two of a colour, and each is
  gone with another run, or is in C and *has to be uncovered* before it can serve, or is
  not home now and either lies on a card of C or is in B, and so has not come home. At the
  rank of the King the card is d itself.

Or d lies face down and is in C ("face down"): face down it neither leads nor belongs to
a run, and it was not uncovered before, so it did not turn up.

**A card has to be uncovered** if it lies face down, or carries a card that does not fit
on it. In a finished run it lies face up and carries a fitting card, or is an Ace at the
open end. So before it can serve in one it turns up, or the card on it leaves: either way
it is uncovered. Every win puts every card on the table into a finished run; so a lock of
which one card has to be uncovered proves that no play wins, and so does one with a card
in B that is no King, for that card never comes home. All this holds under every rule of
play: when the stock may be dealt only forbids, and where runs stay there is one way less
to leave. Stock cards are never in C or B.

**Cases of spaces** ("first"). The lock bars everything but that one of certain cards,
each on a card of C, goes to an empty column: it is *parked*. Then the violation of a win is
that one of them is, say d, at the time s. Its argument is a lock with C' within C, and B'
within B and d; the card under d is not in C'. Until s nothing of C' and B' was violated.
From then on d stands at the bottom of a column, as long as it goes neither onto a card nor
away with its run, which is what the reason for d in B' bars; so the argument above holds
for C' and B' as it stands, from s on. It may again have cases; what is parked is then known.
Several cards may have one argument: C' has none of the cards under them, and one column is
occupied by whichever was parked, if B' has all of them. (What bars a card of B' from going
onto others bars it whether it was parked or not.) So of what is known to be parked an
argument uses only the cards in B', and those groups that are within B' as a whole; its own
cases have no more in theirs, but what is parked in these. An argument that holds after some
parkings therefore holds after others too, if C' and B' may be named there, and if the groups
that are within B' are among the parked there. It need not be looked at again.

**Circles** (in suit). Let x come home onto t, at a time when of the cards above x up to t,
as they lie now, none has been uncovered or left but such as are home now. Let each card
point to the card it lies on or, once it has been home since, or if it is home now, to its
parent. Before x goes the pointers lead from t back to x; with x's own they are a circle,
and last until a card of it that has not been home, an *other*, leaves its seat. (There is
one, as parents alone only ever lead to higher ranks.) What really lies on what has no
circle. So, as long as it lasts, some card m of it that has been home lies elsewhere. It is
not gone: then its parent is, and so on up to an other, which would have left. So it stands
at the bottom of a column: it was parked. Where only Kings fill spaces that cannot be, so x
did not come home. Where any card does, no win has a circle at its end, so there is a first
other that leaves its seat, w: it counts as *parked from the moment when x comes home* until
it comes home itself. If the lock has as many bottoms as there are columns, there is no room
for m beside them, so x did not come home. If not, this is a violation of the kind "w is
parked first", and w has its case: each other lies on a card of C, and so has a reason,
which bars spaces by "first". (Or it lies face down in C: then it is not w, for what lies on
it leaves before. The highest, t, is no exception: it must turn up before x comes home.) In
that case w really stands at the bottom of a column once it has really been parked, and until
then m stands at one, which is neither in B, having left its first place, nor any other card
that is parked and not home; and circles that last at the same time share no card, since each
card points to one only. So B' is counted rightly.

The same holds for cards that wait on each other: "circle" names x and other cards of which
it is known that they have been home before x is. Each one's parent lies above the next one
of them in its column now, or is it, and the last one's above x; the others are the cards
between that are not home now, and lie on cards of C.

**Why cases of cards prove a loss.** *Twins.* In alternating colours, where only Kings fill
spaces, let x and z be cards of one rank and colour, both on the table or in the stock and
neither home. Every win brings each onto a parent, so one of them first, say x; then z is
*second*. Claim: before z lies on a parent, both parents have been uncovered. One has, as z
lands on it. If x lies on the other or went with it, that was uncovered when x came. If not,
x came to the same parent before and has left it since: not in a run, which would have taken
the parent, nor to a space, but for the other, which was then uncovered. So a second card's
first step onto a parent is barred if one of its parents is in C ("second").

*Last home.* In suit, let some cards lie on the table or in the stock, no Kings and none of
them home. Every win brings each of them home, and one of them is the last to come home for
the first time.

The arguments of cases may each assume their answer, and one of the answers is true in every
win, whatever was assumed before.
"""

from collections import deque
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from scorpion.board import Board
from scorpion.building import fills_space, fits, is_king, run
from scorpion.cards import DECK, is_red
from scorpion.errors import BoardError, ProofError
from scorpion.losses.locks import Bar, Cases, FirstParked, LastHome, Lock, Proof, Reason, Refutation
from scorpion.reference import Position
from scorpion.rules import Rules


def check_lock(board: Board, lock: Refutation) -> None:
    """Check that a lock, or cases, prove the board lost.

    Raises :class:`ProofError`, saying what does not hold, if they do not.
    """
    if not isinstance(board, Board):
        raise BoardError(f"check_lock looks at a Board, not {type(board).__name__}")
    check_position_lock(_reference(board), lock)


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


def check_position_lock(position: Position, lock: Refutation) -> None:
    """:func:`check_lock` for a position of the reference engine, small decks too."""
    table = _Table(position)
    todo: list[_Part] = [(lock, _Known())]
    seen: dict[int, list[_Known]] = {}  # what was assumed where an argument was looked at
    while todo:
        part, known = todo.pop()
        if isinstance(part, Lock | FirstParked):
            claim = _Claim(table, known)
            claim.take(part if isinstance(part, Lock) else part.lock)
            before = seen.setdefault(id(part), [])
            if any(map(claim.assumes_enough, before)):
                continue
            before.append(known)
            claim.check()
            todo += _cases_of_spaces(claim, () if isinstance(part, Lock) else part.refuted)
        elif isinstance(part, Cases):
            todo += _cases_of_twins(table, known, part)
        elif isinstance(part, LastHome):
            todo += _cases_of_the_last(table, known, part)
        else:
            raise ProofError(f"a lock is a Lock, not {type(part).__name__}")


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
                check_position_lock(here, proof.locks[end])
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


@lru_cache(maxsize=64)
def _parents(rules: Rules, deck: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The cards that each card fits on."""
    return {card: tuple(target for target in deck if fits(rules, card, target)) for card in deck}


class _Table:
    """What lies where in a position."""

    def __init__(self, position: Position) -> None:
        self.rules = position.rules
        self.ranks = position.ranks
        self.deck = DECK[: 4 * position.ranks]
        self.columns = position.columns
        self.lowest = {cards[0] for cards in self.columns if cards}
        self.down = {
            card
            for cards, down in zip(position.columns, position.face_down, strict=True)
            for card in cards[:down]
        }
        self.present = {card for pile in (position.stock, *self.columns) for card in pile}
        self.parents = _parents(self.rules, self.deck)
        self.on = {card: on for cards in self.columns for card, on in pairwise(cards)}
        self.under = {on: card for card, on in self.on.items()}

    def is_home(self, card: str) -> bool:
        """Whether the card lies face up on a face-up card that it fits on."""
        below = self.under.get(card)
        return below is not None and below not in self.down and fits(self.rules, card, below)

    def has_to_be_uncovered(self, card: str) -> bool:
        """Whether a covered card is uncovered in every win."""
        return card in self.down or not fits(self.rules, self.on[card], card)

    def pile_below(self, card: str, target: str) -> tuple[str, ...] | None:
        """The cards from one to that under another above it; None if it lies elsewhere."""
        for cards in self.columns:
            if card in cards and target in cards:
                start, end = cards.index(card), cards.index(target)
                return cards[start:end] if start <= end else None
        return None


@dataclass(frozen=True)
class _Known:
    """What an argument may assume: the answers of the cases it stands in.

    ``seconds`` come to lie on a parent after their twin; of each of ``last`` the first
    card comes home after the others. One card of each of ``parked`` went to an empty
    column, in this order, before anything of the claim ``outer`` was violated otherwise.
    """

    seconds: frozenset[str] = frozenset()
    firsts: frozenset[str] = frozenset()
    last: tuple[tuple[str, ...], ...] = ()
    parked: tuple[frozenset[str], ...] = ()
    outer: "_Claim | None" = None

    def after(self, parked: frozenset[str], outer: "_Claim") -> "_Known":
        """What may be assumed besides once one of the cards is parked."""
        return replace(self, parked=(*self.parked, parked), outer=outer)


_Part = tuple[object, _Known]


def _cases_of_spaces(claim: "_Claim", refuted: object) -> list[_Part]:
    """The arguments with what each assumes, if they are of all that may be parked first."""
    if not isinstance(refuted, tuple):
        raise ProofError("the cases of what is parked first are a tuple")
    parts: list[_Part] = []
    answered: set[str] = set()
    for case in refuted:
        if not isinstance(case, tuple) or len(case) != 2 or not isinstance(case[0], tuple):
            raise ProofError("a case is of cards, and an argument")
        if not all(isinstance(card, str) and card in claim.first for card in case[0]):
            raise ProofError("there is a case of what may not be parked first")
        answered.update(case[0])
        parts.append((case[1], claim.known.after(frozenset(case[0]), claim)))
    for card in claim.first:
        if card not in answered:
            raise ProofError(f"no case says what follows if {card} is parked first")
    return parts


def _cases_of_twins(table: _Table, known: _Known, cases: Cases) -> list[_Part]:
    """The two arguments with what each assumes, if the cases are cases of this position."""
    pair, refuted = cases.twins, cases.refuted
    for both in (pair, refuted):
        if not isinstance(both, tuple) or len(both) != 2:
            raise ProofError("cases are of two twins, and two arguments")
    if table.rules.build == "suit" or table.rules.fill == "any":
        raise ProofError("there are cases only in alternating colours, where Kings fill spaces")
    _check_not_home(table, pair)
    for card in pair:
        if card in known.firsts | known.seconds:
            raise ProofError(f"{card} stands in a case already")
    one, two = pair
    if one == two or one[0] != two[0] or is_red(one) != is_red(two):
        raise ProofError(f"{one} and {two} are no twins")
    return [
        (part, replace(known, firsts=known.firsts | {first}, seconds=known.seconds | {second}))
        for first, second, part in zip(pair, reversed(pair), refuted, strict=True)
    ]


def _cases_of_the_last(table: _Table, known: _Known, cases: LastHome) -> list[_Part]:
    """The arguments with what each assumes, if the cases are cases of this position."""
    cards, refuted = cases.cards, cases.refuted
    if not isinstance(cards, tuple) or not isinstance(refuted, tuple) or len(cards) < 2:
        raise ProofError("cases are of two cards at least, and of as many arguments")
    if table.rules.build != "suit":
        raise ProofError("which card comes home last is a case only where one builds in suit")
    _check_not_home(table, cards)
    if len(set(cards)) != len(cards) or len(refuted) != len(cards):
        raise ProofError("cases are of different cards, and of as many arguments")
    return [
        (
            part,
            replace(known, last=(*known.last, (card, *(each for each in cards if each != card)))),
        )
        for card, part in zip(cards, refuted, strict=True)
    ]


def _check_not_home(table: _Table, cards: tuple[object, ...]) -> None:
    for card in cards:
        if not isinstance(card, str) or card not in table.present:
            raise ProofError(f"{card!r} is not on the board")
        if is_king(card, table.ranks):
            raise ProofError(f"{card} is a King and goes on no card")
        if table.is_home(card):
            raise ProofError(f"{card} lies on a card that it fits on")


class _Claim:
    """What a lock claims of a position, looked at piece by piece."""

    def __init__(self, table: _Table, known: _Known) -> None:
        self.table = table
        self.rules = table.rules
        self.known = known
        self.parked = {card for cards in known.parked for card in cards}
        self.locked: set[str] = set()
        self.bottoms: set[str] = set()
        self.reasons: tuple[Reason, ...] = ()
        self.first: set[str] = set()

    def take(self, lock: object) -> None:
        """Note what a lock claims, if that may be claimed after what is known."""
        if not isinstance(lock, Lock):
            raise ProofError(f"a lock is a Lock, not {type(lock).__name__}")
        if not isinstance(lock.reasons, tuple):
            raise ProofError("the reasons of a lock are a tuple")
        for reason in lock.reasons:
            self._check_form(reason)
            if reason.card is None:
                self._take_bottom(reason.under)
            else:
                self._take_locked(reason.card, reason.under)
        self.reasons = lock.reasons

    def assumes_enough(self, other: _Known) -> bool:
        """Whether what is known here bears the claim if what was known there does."""
        return (
            other.seconds <= self.known.seconds
            and set(other.last) <= set(self.known.last)
            and all(group in self.known.parked for group in self._counted(other.parked))
        )

    def check(self) -> None:
        """Raise :class:`ProofError` unless the claim holds and proves the position lost.

        Cards whose ways to an empty column are said to be cases are then in ``first``.
        """
        for reason in self.reasons:
            self._check_reason(reason)
        if not any(map(self.table.has_to_be_uncovered, self.locked)) and all(
            is_king(card, self.table.ranks) for card in self.bottoms & self.table.lowest
        ):
            raise ProofError("none of the cards in the lock has to be uncovered")

    def _check_form(self, reason: Reason) -> None:
        deck = self.table.deck
        if not isinstance(reason, Reason) or not isinstance(reason.bars, tuple):
            raise ProofError(f"{reason!r} is not a reason")
        if reason.under not in deck or not (reason.card is None or reason.card in deck):
            raise ProofError(f"{reason!r} names a card that there is not")
        for bar in reason.bars:
            if not isinstance(bar, Bar) or not isinstance(bar.cards, tuple):
                raise ProofError(f"{bar!r} is not a bar")
            for card in bar.cards:
                if card not in deck:
                    raise ProofError(f"{bar!r} names a card that there is not")

    def _take_bottom(self, card: str) -> None:
        """Note a card that stands at the bottom of a column for good."""
        if card in self.bottoms:
            raise ProofError(f"{card} is at the bottom of a column twice")
        if card not in self.table.lowest and card not in self.parked:
            raise ProofError(f"{card} does not stand at the bottom of a column")
        outer = self.known.outer
        if outer is not None and card not in outer.bottoms and card not in self.known.parked[-1]:
            raise ProofError(f"{card} could have left its column before")
        self.bottoms.add(card)

    def _take_locked(self, card: str, under: str) -> None:
        """Note a card that is never uncovered, with what lies on it."""
        if card in self.locked:
            raise ProofError(f"{card} is in the lock twice")
        if self.table.on.get(card) != under:
            raise ProofError(f"{card} does not lie under {under}")
        if self.rules.build == "suit" and self.table.is_home(under):
            raise ProofError(f"{card} carries its own child, and is in no lock")
        if under in self.parked:
            raise ProofError(f"{under} has left {card} for an empty column")
        outer = self.known.outer
        if outer is not None and card not in outer.locked:
            raise ProofError(f"{card} could have been uncovered before")
        self.locked.add(card)

    def _check_reason(self, reason: Reason) -> None:
        """Whether the reason bars each way in which its card could leave."""
        table, card = self.table, reason.under
        bars = list(reason.bars)
        if [bar.kind for bar in bars] == ["face down"]:
            if bars[0].cards != (card,) or card not in table.down or card not in self.locked:
                raise ProofError(f"{card} does not stay face down")
            return
        if card in self.known.seconds and bars and bars[0].kind == "second":
            self._check_second(card, bars.pop(0))
        else:
            for target in table.parents[card]:
                self._check_target(card, target, bars)
        if reason.card is not None and fills_space(self.rules, card, table.ranks):
            self._check_space(card, bars)
        if is_king(card, table.ranks) and self.rules.runs == "leave":
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
        if bar is not None and bar.kind == "circle":
            self._check_circle(card, bar.cards)
            return
        if bar is None or bar.cards[:1] != (target,):
            raise ProofError(f"nothing bars {card} from going onto {target}")
        if bar.kind == "covered" and len(bar.cards) == 1:
            self._check_locked(bar.cards)
        elif bar.kind == "own pile":
            if not bar.cards[1:] or bar.cards[1:] != self.table.pile_below(card, target):
                raise ProofError(f"{target} does not lie in the pile of {card} on such cards")
            self._check_pile(bar.cards[1:])
        elif bar.kind != "gone" or len(bar.cards) != 1 or target in self.table.present:
            raise ProofError(f"{card} is not barred from going onto {target} by {bar!r}")

    def _check_circle(self, card: str, waiting: tuple[str, ...]) -> None:
        """Whether, the others being home, the card's parent lies in its own pile."""
        if (
            waiting[:1] != (card,)
            or len(set(waiting)) != len(waiting)
            or not any(last[0] == card and set(waiting) <= set(last) for last in self.known.last)
        ):
            raise ProofError(f"{card} is not known to come home after {' and '.join(waiting[1:])}")
        for each, following in zip(waiting, (*waiting[1:], card), strict=True):
            (parent,) = self.table.parents[each]
            pile = () if parent == following else self.table.pile_below(following, parent)
            if pile is None:
                raise ProofError(f"{parent} does not lie in the pile of {following}")
            self._check_pile(pile)

    def _check_pile(self, cards: tuple[str, ...]) -> None:
        """Whether what lies on each of the cards stays there, but for what is home in suit."""
        in_suit = self.rules.build == "suit"
        for card in cards:
            if not (in_suit and self.table.is_home(self.table.on[card])):
                self._check_locked((card,))

    def _check_space(self, card: str, bars: list[Bar]) -> None:
        bar = bars.pop(0) if bars else None
        if bar == Bar("first"):
            self.first.add(card)
        elif bar != Bar("space"):
            raise ProofError(f"nothing bars {card} from going to an empty column")
        elif self._occupied() < len(self.table.columns):
            raise ProofError("the lock does not show that no column is ever empty")

    def _occupied(self) -> int:
        """How many columns are never empty: of some parked cards, whichever it was."""
        lowest = self.bottoms & self.table.lowest
        return len(lowest) + len(self._counted(self.known.parked))

    def _counted(self, parked: tuple[frozenset[str], ...]) -> list[frozenset[str]]:
        """Those of the groups of which one card is at the bottom of a column for good."""
        return [cards for cards in parked if cards and cards <= self.bottoms]

    def _check_run(self, king: str, bars: list[Bar]) -> None:
        bar = bars.pop(0) if bars else None
        if bar is None or bar.kind != "run" or not bar.cards:
            raise ProofError(f"nothing bars {king} from leaving with its run")
        if bar.cards not in run(self.rules, king):
            raise ProofError(f"the run of {king} can do without {' and '.join(bar.cards)}")
        for card in bar.cards:
            if card in self.table.present and not self._never_serves(card):
                raise ProofError(f"{card} can serve in the run of {king}")

    def _never_serves(self, card: str) -> bool:
        """Whether the lock keeps a card from being part of a finished run."""
        table = self.table
        if card in self.locked and table.has_to_be_uncovered(card):
            return True
        stays = card in self.bottoms or table.under.get(card) in self.locked
        return stays and not is_king(card, table.ranks) and not table.is_home(card)

    def _check_locked(self, cards: tuple[str, ...]) -> None:
        for card in cards:
            if card not in self.locked:
                raise ProofError(f"{card} is not in the lock")
