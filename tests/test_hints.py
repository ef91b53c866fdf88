"""Hints and ratings: what is offered, and that every verdict is the one that solve gives."""

import contextlib
import random
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from itertools import islice
from typing import Any, Literal

import pytest
from decks import EVERY_RULES, SHAPES, Shape, random_deals
from waiting import spent

from scorpion import (
    DEAL,
    GAMES,
    Board,
    BoardError,
    BudgetError,
    Move,
    Rules,
    Verdict,
    _core,
    deal,
    explain,
    hint,
    hints,
    rate,
    solve,
    verify,
)
from scorpion.board import position_of
from scorpion.cards import DECK, RANKS, is_red

UNLIMITED: dict[str, Any] = {"max_seconds": 1e9, "max_memory": 2**30}
# Open after 3 million positions, so that a search outlasts its test.
HARD = deal(replace(GAMES["scorpion-tail"], runs="stay", stock="when-stuck"), 4)
WON = Board("scorpion", [()] * 7, foundations=("KC", "KS", "KH", "KD"))


def midgame(game: str | Rules, seed: int, most: int = 40) -> Iterator[Board]:
    """Boards after up to so many random moves on random deals, without end."""
    chance = random.Random(f"{game} {seed}")
    while True:
        board = deal(game, chance.randrange(32_000, 10**9))
        for _ in range(chance.randint(0, most)):
            moves = board.legal_moves()
            if not moves:
                break
            board = board.play(chance.choice(moves))
        yield board


def on_the_way(game: str | Rules, seed: int) -> Iterator[Board]:
    """Boards along lines that win, where some moves keep the win and others do not."""
    chance = random.Random(f"{game} {seed}")
    for board in midgame(game, seed, most=6):
        line = solve(board, max_nodes=20_000).moves
        if line:
            yield reduce(Board.play, line[: chance.randint(0, len(line))], board)


def stuck() -> Board:
    """The first of the boards on which random play got stuck."""
    return next(board for board in midgame("scorpion", 1, most=60) if board.is_stuck)


# Ratings.


def check_small_decks(shapes: list[Shape], decks: int, seed: int) -> dict[int, int]:
    """Rate random positions and settle each move by plain search; how many had which worth."""
    seen = {0: 0, 1: 0}
    for rules in EVERY_RULES:
        for shape in shapes:
            chance = random.Random(f"{rules} {shape} {seed}")
            deals = random_deals(rules, shape, seed)
            for parts in islice(deals, decks):
                try:
                    position = _core.Position(*parts)
                except BoardError:  # a finished run to begin with
                    continue
                for _ in range(chance.randint(0, 8)):
                    moves = position.legal_moves()
                    if moves:
                        position = position.after(chance.choice(moves))
                worths, _ = _core.rate_moves(position, max_nodes=10**6, **UNLIMITED)
                for move, worth in zip(position.legal_moves(), worths, strict=True):
                    after = position.after(move)
                    plain = _core.search(
                        after, max_nodes=5_000, prune=False, learn=False, **UNLIMITED
                    )
                    if plain[0] in ("won", "lost"):
                        assert worth == ("won", "lost").index(plain[0]), (position.columns, move)
                        seen[worth] += 1
    return seen


def test_ratings_of_small_decks_are_those_of_plain_search() -> None:
    seen = check_small_decks(SHAPES[:7], decks=2, seed=1)
    assert min(seen.values()) > 100


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_ratings_of_many_small_decks_are_those_of_plain_search(seed: int) -> None:
    seen = check_small_decks(SHAPES, decks=10, seed=seed)
    assert min(seen.values()) > 1_000


def spaced(rules: Rules, seed: int) -> Iterator[_core.Position]:
    """Small positions before the deal with one or two columns empty."""
    chance = random.Random(f"{rules} {seed}")
    while True:
        ranks, columns = chance.choice([(3, 4), (4, 4), (4, 5), (5, 5)])
        cards = list(DECK[: 4 * ranks])
        chance.shuffle(cards)
        stock, table = cards[:3], cards[3:]
        full = columns - chance.choice([1, 1, 1, 2])
        piles = [table[which::full] for which in range(full)] + [[]] * (columns - full)
        chance.shuffle(piles)
        face_down = [chance.randint(0, min(2, len(cards) - 1)) if cards else 0 for cards in piles]
        with contextlib.suppress(BoardError):
            yield _core.Position(rules, piles, face_down, stock, (), ranks)


@pytest.mark.parametrize("runs", ["leave", "stay"])
def test_ratings_of_kings_and_of_the_deal_mind_their_columns(
    runs: Literal["leave", "stay"],
) -> None:
    """What is learned leaves open where Kings stand; a move that fills the last space does not."""
    seen = {"won": 0, "lost": 0}
    for position, _ in zip(spaced(Rules(runs=runs), 1), range(400), strict=False):
        worths, _ = _core.rate_moves(position, max_nodes=10**6, **UNLIMITED)
        for max_nodes in (4, 16, 64):
            within, _ = _core.rate_moves(position, max_nodes=max_nodes, **UNLIMITED)
            assert all(a in (2, b) for a, b in zip(within, worths, strict=True)), position.columns
        for move, worth in zip(position.legal_moves(), worths, strict=True):
            plain = _core.search(
                position.after(move), max_nodes=20_000, prune=False, learn=False, **UNLIMITED
            )
            if plain[0] in seen:
                assert worth == ("won", "lost").index(plain[0]), (position.columns, move)
                seen[plain[0]] += 1
    assert min(seen.values()) > 300


def check_against_solve(boards: Iterator[Board], count: int) -> set[Verdict]:
    seen = set()
    for _, board in zip(range(count), boards, strict=False):
        verdicts = rate(board, max_nodes=20_000)
        assert list(verdicts) == board.legal_moves()
        for move, verdict in verdicts.items():
            alone = solve(board.play(move), max_nodes=5_000).verdict
            if Verdict.UNDECIDED not in (verdict, alone):
                assert verdict is alone, (board, move)
                seen.add(verdict)
    return seen


@pytest.mark.parametrize("game", GAMES)
def test_a_rating_is_the_verdict_of_the_board_after_the_move(game: str) -> None:
    both = {Verdict.WINNABLE, Verdict.LOST}
    assert check_against_solve(midgame(game, 2), 40) <= both
    assert check_against_solve(on_the_way(game, 3), 25) == both


@pytest.mark.slow
@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
def test_ratings_under_every_combination_of_rules(rules: Rules) -> None:
    check_against_solve(midgame(rules, 4), 200)
    check_against_solve(on_the_way(rules, 5), 60)


@pytest.mark.parametrize("game", GAMES)
def test_ratings_share_what_they_find(game: str) -> None:
    """All moves together cost fewer positions than solving the board after each."""
    together = alone = 0
    for _, board in zip(range(8), on_the_way(game, 6), strict=False):
        together += _core.rate_moves(position_of(board), max_nodes=10**6, **UNLIMITED)[1]
        alone += sum(solve(board.play(move)).nodes for move in board.legal_moves())
    assert together < 0.7 * alone


@pytest.mark.parametrize("max_nodes", [1, 2, 10, 100])
def test_what_a_budget_does_not_suffice_for_is_undecided(max_nodes: int) -> None:
    seen = set()
    for game in GAMES:
        for _, board in zip(range(3), on_the_way(game, 7), strict=False):
            verdicts = rate(board, max_nodes=max_nodes)
            assert verdicts == rate(board, max_nodes=max_nodes)
            full = rate(board)
            for move, verdict in verdicts.items():
                assert verdict in (Verdict.UNDECIDED, full[move])
                seen.add(verdict)
    assert Verdict.UNDECIDED in seen


def test_a_budget_is_for_all_moves_together() -> None:
    for max_nodes in (100, 1000):
        worths, nodes = _core.rate_moves(position_of(HARD), max_nodes=max_nodes, **UNLIMITED)
        # A question that ends at a glance counts a position though none is left.
        assert nodes <= max_nodes + len(worths)
        assert set(worths) == {2}


def test_a_board_without_moves_has_no_ratings() -> None:
    assert rate(WON) == rate(stuck()) == {}


# Hints.


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_on_a_winnable_board_begins_a_line_that_wins(game: str) -> None:
    for _, board in zip(range(10), on_the_way(game, 8), strict=False):
        found = hint(board)
        assert found.verdict is Verdict.WINNABLE
        verify(board, found.line)
        assert (found.move, found.limit, found.is_guess) == (
            found.line[0] if found.line else None,
            None,
            False,
        )


def test_a_hint_looks_for_a_shorter_line() -> None:
    shorter = 0
    for _, board in zip(range(30), on_the_way("open-wasp", 9), strict=False):
        short, plain = hint(board), hint(board, shorten=False)
        assert plain.line == solve(board).moves
        assert len(short.line) <= len(plain.line)
        assert short.nodes <= plain.nodes + 200
        shorter += len(short.line) < len(plain.line)
    assert shorter > 3


def uncovers(board: Board, move: Move) -> tuple[int, int, int]:
    """What makes a move the one to offer on a lost board, as the docstring of hint says it."""
    after = board.play(move)
    moves_left = len({seen_alike(after, m) for m in after.legal_moves()})
    if move == DEAL:
        return 0, 2, moves_left
    down, cards = next(
        (down, cards)
        for down, cards in zip(board.face_down, board.columns, strict=True)
        if move.card in cards
    )
    place = cards.index(move.card)
    seated = place > down and fits(board.rules, move.card, cards[place - 1])
    if board.columns[move.column - 1]:
        kind = 0 if seated else 3
    else:
        kind = 0 if seated or place == 0 else 1
    return sum(board.face_down) - sum(after.face_down), kind, moves_left


def fits(rules: Rules, card: str, below: str) -> bool:
    """Whether a card builds on another."""
    in_order = RANKS.index(card[0]) + 1 == RANKS.index(below[0])
    if rules.build == "suit":
        return in_order and card[1] == below[1]
    return in_order and is_red(card) != is_red(below)


def seen_alike(board: Board, move: Move) -> object:
    """A move, but for the choice between several empty columns after the deal."""
    return move if move == DEAL or board.columns[move.column - 1] else move.card


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_on_a_lost_board_uncovers_most(game: str) -> None:
    checked = 0
    for board in midgame(game, 10):
        if not board.stock and board.legal_moves():
            found = hint(board, max_nodes=10_000)
            if found.verdict is Verdict.LOST:
                best = max(uncovers(board, move) for move in board.legal_moves())
                first = next(m for m in board.legal_moves() if uncovers(board, m) == best)
                assert (found.move, found.line) == (first, ()), board
                checked += 1
        if checked == 25:
            return


def test_a_hint_says_why_the_board_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the reason of explain, which is looked for when it is first asked for."""
    asked = []

    def counted(board: Board, **budgets: Any) -> object:
        asked.append(board)
        return explain(board, **budgets)

    monkeypatch.setattr(hints, "explain", counted)
    for number in (1, 7, 59):
        board = deal("scorpion", number)
        found = hint(board)
        assert asked == []
        assert found.reason == explain(board) is not None
        assert found.reason is found.reason
        assert asked == [board]
        asked.clear()
    assert hint(deal("scorpion", 5)).reason is None
    assert hint(HARD, max_nodes=100).reason is None
    assert asked == []


def test_hints_on_a_lost_board_lead_to_its_end() -> None:
    """Where spaces are for Kings, no offered move can be taken back but before the deal."""
    for number in range(1, 20):
        board = deal("scorpion", number)
        for _ in range(60):
            move = hint(board).move
            if move is None:
                break
            board = board.play(move)
        assert board.is_stuck or board.is_won


@pytest.mark.parametrize("max_nodes", [1, 3, 10, 30, 60])
def test_a_guess_is_a_legal_move(max_nodes: int) -> None:
    guesses = 0
    for game in (*GAMES.values(), replace(GAMES["wasp"], stock="when-stuck")):
        for _, board in zip(range(15), midgame(game, 11, most=10), strict=False):
            found = hint(board, max_nodes=max_nodes)
            assert found == hint(board, max_nodes=max_nodes)
            if found.is_guess:
                assert found.move in board.legal_moves()
                assert (found.verdict, found.line, found.limit) == (Verdict.UNDECIDED, (), "nodes")
                guesses += 1
    assert guesses > 10


def test_a_guess_keeps_clear_of_moves_that_lose_at_a_glance() -> None:
    """With no position to spare the guess is made by looking at the moves alone."""
    avoided = 0
    for _, board in zip(range(60), on_the_way("scorpion", 12), strict=False):
        dead = [position_of(board.play(move)).is_dead for move in board.legal_moves()]
        found = hint(board, max_nodes=1, max_memory=1)
        if dead and found.is_guess and not all(dead):
            assert found.move is not None
            assert not position_of(board.play(found.move)).is_dead
            avoided += any(dead)
    assert avoided > 5


def test_where_there_is_no_move_there_is_no_hint() -> None:
    won, lost = hint(WON), hint(stuck())
    assert (won.move, won.verdict, won.line) == (None, Verdict.WINNABLE, ())
    assert (lost.move, lost.verdict, lost.line) == (None, Verdict.LOST, ())


def test_every_limit_ends_in_a_guess() -> None:
    done = threading.Event()
    done.set()
    for limit, budget in {
        "nodes": {"max_nodes": 100},
        "seconds": {"max_seconds": 0.01, "max_nodes": None},
        "memory": {"max_memory": 100_000, "max_nodes": None},
        "cancelled": {"cancel": done, "max_nodes": None},
    }.items():
        found = hint(HARD, **budget)  # type: ignore[arg-type]
        assert (found.limit, found.is_guess) == (limit, True)
        assert found.move in HARD.legal_moves()
        assert Verdict.UNDECIDED in rate(HARD, **budget).values()  # type: ignore[arg-type]


def test_a_cancel_is_heard_at_once() -> None:
    for call in (hint, rate):
        cancel = threading.Event()
        timer = threading.Timer(0.1, cancel.set)
        timer.start()
        call(HARD, max_nodes=None, cancel=cancel)
        assert cancel.is_set()
        timer.join()
        with spent(at_most=0.5):
            call(HARD, max_nodes=None, max_seconds=0.05)


@pytest.mark.parametrize("call", [hint, rate])
def test_bad_input_is_one_clear_error(call: Any) -> None:
    with pytest.raises(BoardError, match="Board, not str"):
        call("board")
    with pytest.raises(BudgetError, match="max_nodes is 0; it must be a whole number above zero"):
        call(WON, max_nodes=0)
    with pytest.raises(BudgetError, match="max_seconds is 'x'"):
        call(WON, max_seconds="x")
    with pytest.raises(BudgetError, match=r"max_memory is 1\.5"):
        call(WON, max_memory=1.5)


@pytest.mark.parametrize("call", [hint, rate])
def test_a_board_with_unknown_cards_is_refused(call: Any) -> None:
    with pytest.raises(BoardError, match="unknown cards: the 3 lowest of column 1"):
        call(deal("scorpion", 5).masked())


def test_threads_hint_side_by_side() -> None:
    """Many threads find what one finds."""
    boards = [board for _, board in zip(range(40), on_the_way("wasp", 13), strict=False)]
    expected = [hint(board) for board in boards]
    found: list[list[object]] = []

    def work() -> None:
        found.append([hint(board) for board in boards])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4
