"""Locks: what the finder finds, what the checker accepts, and that both are right."""

import json
import pickle
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice, pairwise, product
from typing import Any

import pytest
from changes import changed
from decks import EVERY_RULES, SHAPES, Shape, random_deals

from scorpion import _core, reference
from scorpion.board import Board, position_of
from scorpion.cards import DECK, NUMBER, is_red
from scorpion.deals import deal
from scorpion.errors import BoardError, BudgetError, ProofError
from scorpion.losses.checker import (
    _Claim,
    _Known,
    _Table,
    check_lock,
    check_position_lock,
    check_proof,
)
from scorpion.losses.finding import find_refutation
from scorpion.losses.locks import (
    Bar,
    Cases,
    FirstParked,
    LastHome,
    Lock,
    Proof,
    Reason,
    Refutation,
    refutation_from_dict,
)
from scorpion.reasons import Loss, explain
from scorpion.rules import GAMES, Rules
from scorpion.solver import Verdict, solve, solve_many

PLAIN: dict[str, Any] = {
    "max_nodes": 20_000,
    "max_seconds": 1e9,
    "max_memory": 2**30,
    "prune": False,
    "merge": False,
}
TINY = [Shape(3, 4, 3, (1, 1, 0, 0)), Shape(3, 4, 0, (2, 1, 0, 0)), Shape(2, 3, 0, (1, 1, 0))]
# Where each card has two parents and may go to any space, small decks have few locks.
CROWDED = [rules for rules in EVERY_RULES if (rules.build, rules.fill) != ("alternating", "any")]


def positions(
    rules: Rules, shape: Shape, seed: int, deals: int, steps: int = 12
) -> Iterator[tuple[reference.Position, _core.Position]]:
    """Deals of a shape, each with the positions of a random play from it."""
    chance = random.Random(f"{rules} {shape} {seed}")
    for parts in islice(random_deals(rules, shape, seed), deals):
        try:
            position = reference.Position(*parts)
        except BoardError:
            continue
        for _ in range(steps):
            here = position.copy()
            yield here, _core.Position(rules, *laid_out(here))
            moves = position.legal_moves()
            if not moves:
                break
            position.play(chance.choice(moves))


def laid_out(position: reference.Position) -> tuple[Any, ...]:
    return (
        position.columns,
        position.face_down,
        position.stock,
        position.foundations,
        position.ranks,
    )


def is_accepted(position: reference.Position, lock: Any) -> bool:
    try:
        check_position_lock(position, lock)
    except ProofError:
        return False
    return True


def is_sound(claim: _Claim, reason: Reason) -> bool:
    try:
        claim._check_reason(reason)
    except ProofError:
        return False
    return True


def outcome(position: _core.Position) -> str:
    """By exhaustive search without any pruning: "won", "lost", or a budget."""
    return _core.search(position, **PLAIN)[0]


def locks_against_search(rules: Rules, seed: int, deals: int) -> Counter[type]:
    """Of which kind the reasons are that are found; all are accepted, all positions lost.

    A reason is found for nearly all positions that the closure proves lost: where any card
    fills a space it distinguishes twins, for which there are no cases.
    """
    kinds: Counter[type] = Counter()
    unexplained = 0
    for shape in SHAPES:
        for position, core in positions(rules, shape, seed, deals):
            if position.is_won:
                break
            found = find_refutation(core)
            if found is not None:
                check_position_lock(position, found)
                assert outcome(core) != "won"
                kinds[type(found)] += 1
            else:
                unexplained += core.is_dead
    assert unexplained <= kinds.total() // (100 if rules.fill == "king" else 20)
    return kinds


@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
def test_positions_with_a_lock_are_lost(rules: Rules) -> None:
    kinds = locks_against_search(rules, 1, 5)
    assert kinds[Lock] > 14
    assert (kinds[Cases] > 0) == (rules.build == "alternating" and rules.fill == "king")
    assert (kinds[LastHome] > 0) <= (rules.build == "suit")


@pytest.mark.slow
@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
def test_positions_with_a_lock_are_lost_at_length(rules: Rules) -> None:
    kinds = locks_against_search(rules, 2, 250)
    assert kinds[Lock] > 700
    assert kinds[FirstParked] > 40 or rules.build == "alternating"
    assert kinds[LastHome] > 20 or rules.build == "alternating"


# What the checker accepts, whoever made it.


def every_bar(position: reference.Position, card: str, *, at_bottom: bool) -> list[list[Bar]]:
    """For each way of a card the bars that one could claim, true or not."""
    deck = DECK[: 4 * position.ranks]
    rank = NUMBER[card] // 4
    column = next(cards for cards in position.columns if card in cards)
    ways: list[list[Bar]] = []
    for target in deck[4 * rank + 4 : 4 * rank + 8]:
        same = target[1] == card[1]
        if not same if position.rules.build == "suit" else is_red(target) == is_red(card):
            continue
        bars = [Bar("covered", (target,)), Bar("gone", (target,))]
        if target in column[column.index(card) + 1 :]:
            between = column[column.index(card) : column.index(target)]
            bars.append(Bar("own pile", (target, *between)))
        ways.append(bars)
    if not at_bottom and (rank == position.ranks - 1 or position.rules.fill == "any"):
        ways.append([Bar("space")])
    if rank == position.ranks - 1 and position.rules.runs == "leave":
        alike = [deck[place : place + 4] for place in range(0, len(deck), 4)]
        serving = [each for n in (1, 2) for cards in alike for each in combinations(cards, n)]
        ways.append([Bar("run", each) for each in serving])
    return ways


def sound_reason(
    position: reference.Position, claim: _Claim, card: str | None, under: str
) -> Reason | None:
    """A reason that the claim bears, if there is one."""
    face_down = (Bar("face down", (under,)),)
    options = product(*every_bar(position, under, at_bottom=card is None))
    second = [
        (Bar("second", (target,)),) for target in claim.locked if under in claim.known.seconds
    ]
    fitting = (Reason(card, under, bars) for bars in (face_down, *second, *options))
    return next((each for each in fitting if is_sound(claim, each)), None)


def convincing(
    position: reference.Position, seconds: frozenset[str] = frozenset()
) -> Iterator[Lock]:
    """For every set of covered cards, the lock that the checker accepts, if there is one.

    With each set go all cards that then stand at the bottom of a column for good. The
    checker is asked reason by reason, so that no combination has to be tried.
    """
    table = _Table(position)
    for n in range(len(table.on) + 1):
        for cards in combinations(table.on, n):
            claim = _Claim(table, _Known(seconds=seconds))
            claim.locked = set(cards)
            claim.bottoms = set(table.lowest)
            reasons: dict[str, Reason | None] = {}
            while None in reasons.values() or not reasons:
                claim.bottoms -= {card for card, reason in reasons.items() if reason is None}
                reasons = {
                    under: sound_reason(position, claim, None, under) for under in claim.bottoms
                }
                if not reasons:
                    break
            held = [sound_reason(position, claim, card, table.on[card]) for card in cards]
            found = [each for each in (*held, *reasons.values()) if each is not None]
            if len(found) == len(cards) + len(claim.bottoms):
                yield Lock(tuple(found))


@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
@pytest.mark.parametrize("most", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_no_lock_at_all_is_accepted_on_a_winnable_position(rules: Rules, most: int) -> None:
    """Every set of covered cards, with every reason that one could give."""
    winnable = locked = 0
    for shape in TINY:
        for position, core in islice(positions(rules, shape, 13, 50, 2), most):
            found = [lock for lock in convincing(position) if is_accepted(position, lock)]
            won = outcome(core) == "won"
            assert not (found and won)
            # A lock is found wherever the checker could be convinced of one, and only there.
            lock = find_refutation(core)
            assert lock is not None or not found
            assert found or not isinstance(lock, Lock)
            winnable += won
            locked += bool(found)
    assert winnable > most // 8
    assert locked > 0 or rules.build == "alternating"


@pytest.mark.parametrize(
    "rules", [rules for rules in CROWDED if rules.build == "alternating"], ids=str
)
@pytest.mark.parametrize("most", [4, pytest.param(60, marks=pytest.mark.slow)])
def test_no_cases_are_accepted_on_a_winnable_position(rules: Rules, most: int) -> None:
    """Every pair of twins, with every lock that assumes an answer for each."""
    winnable = one_sided = 0
    for shape in TINY[:2]:
        for position, core in islice(positions(rules, shape, 5, 50, 2), most):
            won = outcome(core) == "won"
            for number in range(0, 4 * position.ranks - 4, 2):
                twins = (DECK[number], DECK[number + 1])
                sides = [next(convincing(position, frozenset({z})), None) for z in twins[::-1]]
                one_sided += any(sides)
                if sides[0] is None or sides[1] is None:
                    continue
                cases = Cases(twins, (sides[0], sides[1]))
                assert not (won and is_accepted(position, cases))
            winnable += won
    assert winnable > most // 2
    assert one_sided > most


# Locks that do not hold.


def changes_against_search(rules: Rules, seed: int, deals: int) -> tuple[int, int]:
    """How many changed reasons are refused, and how many hold, all of lost positions."""
    chance = random.Random(f"{rules} {seed}")
    refused = held = 0
    older: list[Refutation] = []
    for shape in SHAPES[::2]:
        for position, core in islice(positions(rules, shape, seed, deals), deals):
            found = None if position.is_won else find_refutation(core)
            if found is not None:
                older.append(found)
            tried = [each for some in older[-2:] for each in changed(some, chance)]
            accepted = [is_accepted(position, each) for each in (*older[-4:-1], *tried)]
            refused += accepted.count(False)
            held += accepted.count(True)
            if any(accepted) and found is None:
                assert outcome(core) != "won"
    return refused, held


@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
def test_changed_reasons_are_refused_or_right(rules: Rules) -> None:
    """What was changed, or is of another position, may hold by chance: then this one is lost."""
    refused, _ = changes_against_search(rules, 4, 12)
    assert refused > 80 or rules not in CROWDED


@pytest.mark.slow
@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
def test_changed_reasons_are_refused_or_right_at_length(rules: Rules) -> None:
    refused, held = changes_against_search(rules, 5, 1_500)
    assert refused > 20_000
    assert held > 100


ROOT = deal("scorpion", 1)
LOCK = find_refutation(position_of(ROOT))


@pytest.mark.parametrize(
    ("lock", "message"),
    [
        (None, "a lock is a Lock, not NoneType"),
        ("4S lies under 8S", "a lock is a Lock, not str"),
        (Lock(()), "none of the cards in the lock has to be uncovered"),
        (Lock(None), "the reasons of a lock are a tuple"),  # type: ignore[arg-type]
        (Lock((None,)), "None is not a reason"),  # type: ignore[arg-type]
        (Lock((Reason("4S", "8S", None),)), "is not a reason"),  # type: ignore[arg-type]
        (Lock((Reason("4S", "8S", (None,)),)), "None is not a bar"),  # type: ignore[arg-type]
        (Lock((Reason("4S", "8S", (Bar("covered", None),)),)), "is not a bar"),  # type: ignore[arg-type]
        (Lock((Reason("4S", "8S", (Bar("covered", ("1S",)),)),)), "names a card that there is not"),
        (Lock((Reason("XX", "8S", ()),)), "names a card that there is not"),
        (Lock((Reason("4S", "9S", ()),)), "4S does not lie under 9S"),
        (Lock((Reason("4S", "8S", ()),)), "nothing bars 8S from going onto 9S"),
        (Lock((Reason("4S", "8S", (Bar("covered", ("9S",)),)),)), "9S is not in the lock"),
        (Lock((Reason("4S", "8S", (Bar("gone", ("9S",)),)),)), "not barred from going onto 9S"),
        (Lock((Reason("4S", "8S", (Bar("second", ("9S",)),)),)), "not barred from going onto 9S"),
        (Lock((Reason("4S", "8S", (Bar("face down", ("8S",)),)),)), "8S does not stay face down"),
        (Lock((Reason(None, "8S", ()),)), "8S does not stand at the bottom of a column"),
        (
            Lock((Reason("4S", "8S", (Bar("own pile", ("9S", "8S")),)),)),
            "9S does not lie in the pile of 8S on such cards",
        ),
        (Cases(("4S", "4C"), (Lock(()), Lock(()))), "cases only in alternating colours"),
    ],
)
def test_what_is_wrong_with_a_lock(lock: Any, message: str) -> None:
    with pytest.raises(ProofError, match=message):
        check_lock(ROOT, lock)


TAIL = deal("scorpion-tail", 40)
TAIL_CASES = explain(TAIL)


@pytest.mark.parametrize(
    ("twins", "message"),
    [
        (("2S", "2S"), "2S and 2S are no twins"),
        (("2S", "2H"), "2S and 2H are no twins"),
        (("2S", "3S"), "2S and 3S are no twins"),
        (("KS", "KC"), "KS is a King and goes on no card"),
        (("XX", "2S"), "'XX' is not on the board"),
        ((None, "2S"), "None is not on the board"),
        (("2S",), "cases are of two twins, and two arguments"),
        (None, "cases are of two twins, and two arguments"),
    ],
)
def test_what_is_wrong_with_cases(twins: Any, message: str) -> None:
    assert isinstance(TAIL_CASES, Cases)
    with pytest.raises(ProofError, match=message):
        check_lock(TAIL, replace(TAIL_CASES, twins=twins))
    # The arguments belong to their answers, and none holds without one.
    with pytest.raises(ProofError):
        check_lock(TAIL, replace(TAIL_CASES, refuted=TAIL_CASES.refuted[::-1]))
    with pytest.raises(ProofError):
        check_lock(TAIL, TAIL_CASES.refuted[0])
    nested = replace(TAIL_CASES, refuted=(TAIL_CASES, TAIL_CASES))
    with pytest.raises(ProofError, match="stands in a case already"):
        check_lock(TAIL, nested)


def test_no_cases_where_twins_may_go_to_spaces() -> None:
    assert isinstance(TAIL_CASES, Cases)
    with pytest.raises(ProofError, match="cases only in alternating colours, where Kings fill"):
        check_lock(deal(Rules("alternating", fill="any"), 40), TAIL_CASES)


def test_seated_twins_are_no_case() -> None:
    """Which of two cards that lie on their places came first is no question."""
    columns = [["3D", "2S"], ["3H", "2C"], ["3S", "AH"], ["3C", "AD"], ["2H", "AC"], ["2D", "AS"]]
    position = reference.Position(Rules("alternating"), columns, [0] * 6, ranks=3)
    with pytest.raises(ProofError, match="2S lies on a card that it fits on"):
        check_position_lock(position, Cases(("2S", "2C"), (Lock(()), Lock(()))))


# explain.


def test_explain_a_circle() -> None:
    lock = explain(ROOT)
    assert isinstance(lock, Lock)
    assert lock.cards == ("4S", "9S", "KS", "5C")
    assert str(lock) == (
        "4S lies under 8S, which fits only on 9S; 9S under KS, which lies face down; KS under 4C,"
        " which fits only on 5C; 5C under 3S, which fits only on 4S: none of them can ever be"
        " uncovered."
    )
    check_lock(ROOT, lock)


def test_explain_cases() -> None:
    assert isinstance(TAIL_CASES, Cases)
    check_lock(TAIL, TAIL_CASES)
    assert str(TAIL_CASES) == (
        "If 2C finds its place before 2S: 2C lies under 9C, which lies face down; 9C under 2S,"
        " which comes second and so needs 3D too; 3D under 2C, which lies face down: none of them"
        " can ever be uncovered. If 2S finds its place before 2C: 3D lies under 2C, which comes"
        " second and so needs 3D too: it can never be uncovered."
    )


def test_explain_by_a_proof() -> None:
    """Where the board has no lock: the positions that can be reached, and where they end."""
    board = deal("scorpion", 59)
    proof = explain(board)
    assert proof == solve(board, proof=True).proof
    assert isinstance(proof, Proof)
    check_proof(board, proof)
    assert str(proof).startswith("8 positions can be reached; 4 have a lock, none is won. In 2 of")
    assert proof.to_dict()["kind"] == "proof"
    assert explain(board, max_nodes=2) is None


def test_explain_a_loss_by_search() -> None:
    board = deal("wasp", 8313)
    loss = explain(board)
    nodes = solve(board).nodes
    assert loss == Loss(nodes)
    assert loss.to_dict() == {
        "kind": "search",
        "nodes": nodes,
        "text": f"No line of play wins, as the search proved after {nodes:,} positions.",
    }
    assert str(Loss(1)) == "No line of play wins, as the search proved after 1 position."


def test_explain_what_is_not_lost() -> None:
    for game in GAMES:
        boards = [deal(game, number) for number in range(1, 60)]
        winnable = [board for board in boards if solve(board).verdict is Verdict.WINNABLE]
        assert len(winnable) > 5
        assert [explain(board) for board in winnable] == [None] * len(winnable)
    columns = [[rank + suit for rank in "KQJT98765432A"] for suit in "CSDH"]
    won = Board(replace(GAMES["scorpion"], runs="stay"), [*columns, [], [], []])
    assert won.is_won
    assert explain(won) is None


def test_bad_input() -> None:
    for wrong in (None, "4S", 7, LOCK):
        with pytest.raises(BoardError, match="explain looks at a Board"):
            explain(wrong)  # type: ignore[arg-type]
        with pytest.raises(BoardError, match="check_lock looks at a Board"):
            check_lock(wrong, LOCK)  # type: ignore[arg-type]
    with pytest.raises(BudgetError, match="max_nodes is 0"):
        explain(ROOT, max_nodes=0)
    with pytest.raises(BudgetError, match="max_seconds is -1"):
        explain(ROOT, max_seconds=-1)


@pytest.mark.parametrize("game", GAMES)
def test_locks_as_json(game: str) -> None:
    seen = 0
    for number in range(1, 80):
        found = find_refutation(position_of(deal(game, number)))
        if found is not None:
            seen += 1
            data = json.loads(json.dumps(found.to_dict()))
            assert refutation_from_dict(data) == found
            assert data["text"] == str(found)
            assert pickle.loads(pickle.dumps(found)) == found
    assert seen > 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "a lock or cases is written as an object, not list"),
        ({}, "a lock or cases without 'kind'"),
        ({"kind": ["lock"]}, "a board is not refuted by"),
        ({"kind": "lock"}, "a lock without 'reasons'"),
        ({"kind": "lock", "reasons": "4S"}, "reasons are written as a list, not str"),
        ({"kind": "lock", "reasons": [7]}, "a reason is written as an object, not int"),
        ({"kind": "lock", "reasons": [{"card": 7, "under": "4S", "bars": []}]}, "7 is not a card"),
        ({"kind": "lock", "reasons": [{"card": None, "under": "4S", "bars": 1}]}, "bars are"),
        (
            {
                "kind": "lock",
                "reasons": [{"card": None, "under": "4S", "bars": [{"kind": [], "cards": []}]}],
            },
            "there is no bar of the kind",
        ),
        (
            {
                "kind": "lock",
                "reasons": [{"card": "AS", "under": "4S", "bars": [{"kind": "gone", "cards": []}]}],
            },
            "a bar of the kind 'gone' does not name 0 cards",
        ),
        ({"kind": "cases", "twins": ["2S"], "refuted": []}, "cases are of two twins"),
    ],
)
def test_json_that_is_no_lock(data: object, message: str) -> None:
    with pytest.raises(ProofError, match=message):
        refutation_from_dict(data)


# What share of lost deals has a lock, and how small.


def test_a_lock_is_no_larger_than_the_shortest_circle() -> None:
    """The circle found by a walk from card to card, see :func:`shortest_circle`."""
    circles = 0
    for number in range(1, 201):
        board = deal("scorpion", number)
        if circle := shortest_circle(board):
            lock = find_refutation(position_of(board))
            assert isinstance(lock, Lock)
            assert len(lock.reasons) <= circle
            circles += 1
    assert circles > 60


@pytest.mark.slow
def test_locks_of_numbered_deals() -> None:
    """Dealer cardgames, Scorpion 1 to 2000: 252 winnable, see data/known/README.md."""
    boards = [deal("scorpion", number, dealer="cardgames") for number in range(1, 2001)]
    verdicts = solve_many(boards).verdicts()
    lost = [board for board, verdict in zip(boards, verdicts, strict=True) if verdict == "lost"]
    assert len(lost) == 2000 - 252
    with_reason = [board for board in lost if find_refutation(position_of(board)) is not None]
    assert with_reason == [board for board in lost if position_of(board).is_dead]
    assert len(with_reason) == 1741
    circles = [shortest_circle(board) for board in lost]
    assert [circles.count(length) for length in (0, 1, 2)] == [624, 403, 370]


def shortest_circle(board: Board) -> int:
    """The length of the shortest circle of cards, each under one that fits only on the next.

    A circle of one is a face-down card under its own child. 0 if there is none.
    """
    onward = {}
    for cards, down in zip(board.columns, board.face_down, strict=True):
        for place, (card, on) in enumerate(pairwise(cards)):
            if on[0] != "K":
                target = DECK[NUMBER[on] + 4]
                if target != card or place < down:
                    onward[card] = target
    lengths = []
    for start in onward:
        walk = [start]
        while onward.get(walk[-1], start) not in walk:
            walk.append(onward[walk[-1]])
        if onward.get(walk[-1]) == start:
            lengths.append(len(walk))
    return min(lengths, default=0)


@pytest.mark.parametrize(
    ("game", "share"),
    [("scorpion", 0.96), ("open-wasp", 0.96), ("wasp", 0.5), ("scorpion-tail", 0.6)],
)
def test_share_of_lost_deals_with_a_lock(game: str, share: float) -> None:
    """Of PySolFC's deals 1 to 400; bench/locks.py measures it for more."""
    verdicts = solve_many(game, range(1, 401)).verdicts()
    lost = [deal(game, number) for number, verdict in enumerate(verdicts, 1) if verdict == "lost"]
    locked = [lock for board in lost if (lock := find_refutation(position_of(board))) is not None]
    assert len(lost) > 10
    assert len(locked) >= share * len(lost)


def test_a_lock_that_is_heavier_than_all_cards() -> None:
    """So many cards of it could be parked first, each of which counts for eight."""
    board = Board.parse(
        "<QS> <2C> <KS> 2H 9S 4H 9H 8H 4S / <QC> <KD> <AS> 3D TC JD AD"
        " / <9C> <9D> <3H> 8S QH TS 7H 4C / <7D> <5C> <KH> JS 5D 2D 8D / 3S 5S QD TD AC JC KC"
        " / 7C AH 3C 6S 8C 6D 7S / 4D 5H 6C 2S TH JH 6H",
        "wasp",
    )
    reason = explain(board)
    assert isinstance(reason, FirstParked)
    check_lock(board, reason)
