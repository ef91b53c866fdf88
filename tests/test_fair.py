"""Fair hints: they count what they say, and know nothing that a player does not see."""

import random
import threading
from dataclasses import FrozenInstanceError
from itertools import permutations
from typing import Any

import pytest
from decks import EVERY_RULES, SHAPES, Parts, Shape, random_deals
from hypothesis import given, settings
from hypothesis import strategies as st
from waiting import spent

from scorpion import (
    Board,
    BoardError,
    BudgetError,
    FairHint,
    Share,
    Verdict,
    _core,
    deal,
    fair_hint,
    fair_rate,
    solve,
)
from scorpion.intervals import wilson
from scorpion.moves import DEAL, Move
from scorpion.rules import Rules

LIMITS: dict[str, Any] = {"max_nodes": 10**6, "max_seconds": 1e9, "max_memory": 2**30}
PLAIN: dict[str, Any] = {**LIMITS, "prune": False, "greedy": False}

# Shapes with at most five cards that cannot be seen, so with at most 120 orders of them.
FEW_UNSEEN = [SHAPES[0], Shape(4, 4, 2, (2, 1, 0, 0)), Shape(4, 5, 3, (1, 1, 0, 0, 0))]


# What is counted, against plain search on every way the unseen cards can lie.


def hidden_cards(parts: Parts) -> list[str]:
    columns = zip(parts.columns, parts.face_down, strict=True)
    return sorted([card for cards, down in columns for card in cards[:down]] + parts.stock)


def rearranged(parts: Parts, order: dict[str, str]) -> Parts:
    columns = [[order.get(card, card) for card in cards] for cards in parts.columns]
    return parts._replace(columns=columns, stock=[order[card] for card in parts.stock])


def wins_after(position: _core.Position, move: Move) -> bool:
    """Whether plain search wins after the move, and the deal if it only relabels columns."""
    bases = [cards[0] for cards in position.columns if cards]
    relabels = move != DEAL and not position.columns[move.column - 1] and move.card in bases
    after = position.after(move)
    if relabels:
        if DEAL not in after.legal_moves():
            return False
        after.play(DEAL)
    outcome = _core.search(after, **PLAIN)[0]
    assert outcome in ("won", "lost")
    return outcome == "won"


def midgame(parts: Parts, chance: random.Random) -> _core.Position:
    position = _core.Position(*parts)
    for _ in range(chance.randrange(8)):
        moves = [move for move in position.legal_moves() if move != DEAL]
        if not moves:
            break
        position.play(chance.choice(moves))
    return position


@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
def test_shares_are_those_of_every_order(rules: Rules) -> None:
    kept_some = 0
    # Where any card fills a space plain search takes long but on the smallest decks.
    for shape in FEW_UNSEEN if rules.fill == "king" else FEW_UNSEEN[:1]:
        chance = random.Random(str(shape))
        for parts, _ in zip(random_deals(rules, shape, 5), range(4), strict=False):
            position = midgame(parts, chance)
            now = Parts(
                rules,
                [list(cards) for cards in position.columns],
                list(position.face_down),
                list(position.stock),
                position.foundations,
                shape.ranks,
            )
            unseen = hidden_cards(now)
            moves, kept, done, exact, _ = _core.sample_moves(
                position, unseen, samples=1_000, seed=1, **LIMITS
            )
            assert moves == position.legal_moves()
            orders = [dict(zip(unseen, order, strict=True)) for order in permutations(unseen)]
            deals = [_core.Position(*rearranged(now, order)) for order in orders]
            assert done == (len(deals) if moves else 0)
            assert exact == bool(moves)
            counted = [sum(wins_after(dealt, move) for dealt in deals) for move in moves]
            assert kept == counted, now
            kept_some += any(0 < count < done for count in kept)
    assert kept_some, "no deal of these rules tells one count from another"


def test_random_samples_agree_with_every_order() -> None:
    """Six cards that can lie in 720 ways: 30 times 700 random ones come near the exact shares."""
    position = _core.Position(*next(random_deals(Rules(), SHAPES[1], 3)))
    for parts in random_deals(Rules(), SHAPES[1], 3):
        position = _core.Position(*parts)
        unseen = hidden_cards(parts)
        moves, ways, done, exact, _ = _core.sample_moves(
            position, unseen, samples=720, seed=0, **LIMITS
        )
        if 200 < ways[0] < 500:
            break
    assert (done, exact) == (720, True)
    counts = [0] * len(moves)
    for seed in range(30):
        _, kept, done, exact, _ = _core.sample_moves(
            position, unseen, samples=700, seed=seed, **LIMITS
        )
        assert (done, exact) == (700, False)
        counts = [count + more for count, more in zip(counts, kept, strict=True)]
    for count, of_720 in zip(counts, ways, strict=True):
        share = of_720 / 720
        # Four standard deviations.
        assert abs(count / 21_000 - share) <= 4 * (share * (1 - share) / 21_000) ** 0.5


# Fairness.


@settings(max_examples=60)
@given(data=st.data())
def test_the_hidden_cards_do_not_matter(
    data: st.DataObject, positions: st.SearchStrategy[Board]
) -> None:
    board = data.draw(positions)
    seed = data.draw(st.integers())
    budget: dict[str, Any] = {"samples": 4, "seed": seed, "max_nodes": 300}
    hint = fair_hint(board, **budget)
    columns = zip(board.columns, board.face_down, strict=True)
    hidden = [card for cards, down in columns for card in cards[:down]] + list(board.stock)
    order = dict(zip(hidden, data.draw(st.permutations(hidden)), strict=True))
    other = Board(
        board.rules,
        [[order.get(card, card) for card in cards] for cards in board.columns],
        board.face_down,
        [order[card] for card in board.stock],
        board.foundations,
    )
    assert fair_hint(other, **budget) == hint
    assert fair_hint(board.masked(), **budget) == hint
    assert list(hint.shares) == board.legal_moves()


def test_what_is_known_counts_as_seen() -> None:
    """With all but one card told there is but one way: what solve would say."""
    seen_both = set()
    for number in (1, 24, 100_033, 100_044):
        board = deal("scorpion", number)
        told = Board.parse(board.text().replace(f"<{board.columns[0][0]}>", "<??>"))
        shares = fair_rate(told)
        assert {share.samples for share in shares.values()} == {1}
        for move, share in shares.items():
            won = solve(board.play(move)).verdict is Verdict.WINNABLE
            assert share == Share(won, (won, won), 1)
            seen_both.add(won)
    assert seen_both == {False, True}


# What is answered.


def test_a_hint_on_a_deal() -> None:
    """Recorded from the first version: the same for ever and on every machine."""
    board = deal("scorpion", 100_044)
    hint = fair_hint(board)
    assert hint == fair_hint(board, samples=200, seed=0)
    assert (hint.move, hint.share, hint.samples) == (Move("5C", 7), 16 / 200, 200)
    assert hint.shares[DEAL] == 7 / 200
    assert hint.share == max(hint.shares.values())
    assert hint.interval == wilson(round(200 * hint.share), 200)
    rated = fair_rate(board)
    assert hint.shares == {move: share.share for move, share in rated.items()}
    assert rated[Move("5C", 7)] == Share(hint.share, hint.interval, 200)
    assert fair_hint(board, seed=1).shares != hint.shares
    assert fair_hint(board, seed=2**64 + 1) == fair_hint(board, seed=1)
    with pytest.raises(FrozenInstanceError):
        hint.move = None  # type: ignore[misc]


def test_an_exact_share_is_its_own_interval() -> None:
    """Open Wasp hides the stock alone: three cards, six ways."""
    for share in fair_rate(deal("open-wasp", 5)).values():
        assert share.samples == 6
        assert share.interval == (share.share, share.share)
        assert 6 * share.share == pytest.approx(round(6 * share.share))
    after = deal("open-wasp", 5).play(DEAL)
    assert {share.samples for share in fair_rate(after).values()} == {1}
    # With fewer samples than ways they are drawn.
    assert {share.samples for share in fair_rate(deal("open-wasp", 5), samples=5).values()} == {5}


def test_games_that_are_over() -> None:
    won = Board.parse("Foundations: KC KS KD KH / : / : / : / : / : / : / :")
    assert fair_hint(won) == FairHint(None, 1.0, (1.0, 1.0), {}, 0)
    stuck = deal("scorpion", 1)
    while stuck.legal_moves():
        stuck = stuck.play(stuck.legal_moves()[0])
    assert fair_hint(stuck) == FairHint(None, 0.0, (0.0, 0.0), {}, 0)


def test_of_equal_moves_one_that_turns_up_a_card_comes_first() -> None:
    board = Board.parse(
        "Talon: ?? ?? ?? / <??> 4C 3S / <??> 5C 9S 8H / KC QC JC TC 9C 8C 7C 6C / KD QD JD TD 9D 8D"
        " 7D 6D 5D 4D 3D 2D / KH QH JH TH 9H 7H 6H 5H 4H 3H 2H / KS QS JS TS 8S 7S 6S 5S 4S / 2S 2C"
    )
    hint = fair_hint(board)
    best = [move for move, share in hint.shares.items() if share == hint.share]
    assert Move("3S", 6) in best
    assert Move("5C", 3) in best
    assert DEAL in hint.shares
    assert hint.move == Move("5C", 3)


@pytest.mark.parametrize("number", [100_033, 100_560, 100_576, 100_621])
def test_hints_lead_to_the_end(number: int) -> None:
    """Boards on which whole columns can be led about for ever before the deal among them."""
    board = deal("scorpion", number)
    for _ in range(60):
        move = fair_hint(board, samples=20).move
        if move is None:
            break
        board = board.play(move)
    assert board.is_won or board.is_stuck


@pytest.mark.parametrize("number", [100_001, 100_002, 100_003])
def test_hints_win_scorpion_tail(number: int) -> None:
    """Nearly all its deals can be won; of moves that may be taken back there are many."""
    board = deal("scorpion-tail", number)
    for _ in range(60):
        move = fair_hint(board, samples=10, max_nodes=3_000).move
        if move is None:
            break
        board = board.play(move)
    assert board.is_won


# Budgets, and bad input.


def test_a_search_cut_short_counts_as_not_won() -> None:
    board = deal("wasp", 4711)
    assert max(fair_hint(board, samples=20).shares.values()) > 0
    cut = fair_hint(board, samples=20, max_nodes=5)
    assert (cut.samples, set(cut.shares.values())) == (20, {0.0})
    none = fair_hint(board, samples=20, max_memory=1_000)
    assert (none.samples, none.share, none.interval) == (0, 0.0, (0.0, 1.0))
    assert none.move in board.legal_moves()


def test_time_and_cancel_end_the_sampling() -> None:
    board = deal("wasp", 4711)
    with spent(at_most=1):
        hint = fair_hint(board, samples=10**9, max_seconds=0.3)
    assert 0 < hint.samples < 10**9
    assert hint.shares == fair_hint(board, samples=hint.samples).shares
    event = threading.Event()
    timer = threading.Timer(0.2, event.set)  # runs only because the search lets go of the GIL
    timer.start()
    hint = fair_hint(board, samples=10**9, cancel=event)
    timer.join()
    assert hint.samples > 0


@pytest.mark.parametrize("samples", [0, -1, 1.5, 200.0, True, "200", None, []])
def test_samples_that_are_none(samples: Any) -> None:
    for ask in (fair_hint, fair_rate):
        with pytest.raises(BudgetError) as caught:
            ask(deal("scorpion", 1), samples=samples)
        assert str(caught.value) == f"samples is {samples!r}; it must be a whole number above zero"


@pytest.mark.parametrize("seed", [0.0, "0", None, False])
def test_seeds_that_are_none(seed: Any) -> None:
    with pytest.raises(BudgetError) as caught:
        fair_hint(deal("scorpion", 1), seed=seed)
    assert str(caught.value) == f"seed is {seed!r}; it must be a whole number"


def test_what_is_no_board_or_no_budget() -> None:
    with pytest.raises(BoardError, match="given on a Board, not str"):
        fair_hint("scorpion")  # type: ignore[arg-type]
    for budget in ({"max_nodes": 0}, {"max_seconds": -1.0}, {"max_memory": 0}):
        with pytest.raises(BudgetError):
            fair_hint(deal("scorpion", 1), **budget)


# Wilson's interval.


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # Newcombe, "Two-sided confidence intervals for the single proportion", Statistics
        # in Medicine 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (0, 0, 0.0, 1.0),
        (20, 20, 1 - 0.1611, 1.0),
    ],
)
def test_wilson(successes: int, trials: int, low: float, high: float) -> None:
    found = wilson(successes, trials)
    assert found[0] == pytest.approx(low, abs=5e-5)
    assert found[1] == pytest.approx(high, abs=5e-5)
