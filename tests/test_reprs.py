"""What an interactive session shows of a value: one line that says what it is."""

from array import array
from threading import Event

import pytest

import scorpion
from scorpion import (
    DEAL,
    GAMES,
    Bar,
    Batch,
    Board,
    Cases,
    FairHint,
    Game,
    Hint,
    Lock,
    Loss,
    Move,
    Proof,
    Reason,
    Share,
    Solution,
    SurveyCheck,
    Verdict,
    WinnableDeal,
)

WON, LOST, UNDECIDED = Verdict.WINNABLE, Verdict.LOST, Verdict.UNDECIDED
BOARD = scorpion.deal("scorpion", 5)
LINE = (Move("6H", 3), DEAL, Move("TS", 1))

FACE_DOWN = Reason("9S", "KS", (Bar("face down", ("KS",)),))
LOCK = Lock((FACE_DOWN, Reason("4S", "8S", (Bar("covered", ("9S",)),))))
ROOTED = Lock((*LOCK.reasons, Reason(None, "3C", (Bar("covered", ("4S",)),))))
CASES = Cases(("2C", "2S"), (LOCK, Cases(("9D", "9H"), (LOCK, ROOTED))))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (
            Solution(WON, LINE, 1234, 0.01234, None),
            "<Solution: winnable in 3 moves, 1,234 positions, 0.0123 s>",
        ),
        (Solution(LOST, (), 1, 7.1e-6, None), "<Solution: lost, 1 position, 7.1e-06 s>"),
        (
            Solution(LOST, (), 9, 1.0, None, Proof((LOCK,), (None, 0, 0))),
            "<Solution: lost, 9 positions, 1 s, <Proof of 3 positions, 1 lock>>",
        ),
        (
            Solution(LOST, (), 9, 2345.6, "memory"),
            "<Solution: lost, no proof (memory), 9 positions, 2,346 s>",
        ),
        (
            Solution(UNDECIDED, (), 10**6, 0.5, "nodes"),
            "<Solution: undecided (nodes), 1,000,000 positions, 0.5 s>",
        ),
        (
            Batch(b"\0\1\2\0", array("q"), array("q"), array("d"), None),
            "<Batch of 4 boards: 2 won, 1 lost, 1 undecided>",
        ),
        (
            Batch(b"\1", array("q"), array("q"), array("d"), "cancelled"),
            "<Batch of 1 board: 0 won, 1 lost, 0 undecided, stopped (cancelled)>",
        ),
        (
            Hint(LINE[0], WON, LINE, 20, None, BOARD),
            "<Hint 6H>3: winnable in 3 moves, 20 positions>",
        ),
        (Hint(DEAL, LOST, (), 1, None, BOARD), "<Hint deal: lost, 1 position>"),
        (Hint(None, LOST, (), 0, None, BOARD), "<Hint no move: lost, 0 positions>"),
        (
            Hint(DEAL, UNDECIDED, (), 250_000, "nodes", BOARD),
            "<Hint deal: undecided (nodes), 250,000 positions>",
        ),
        (
            FairHint(DEAL, 0.375, (0.31, 0.4412), dict.fromkeys(LINE, 0.1), 200),
            "<FairHint deal: keeps the win in 37.5% (31.0% to 44.1%) of 200 samples>",
        ),
        (
            FairHint(None, 0.0, (0.0, 0.0), {}, 0),
            "<FairHint no move: keeps the win in 0.0% (0.0% to 0.0%) of 0 samples>",
        ),
        (
            WinnableDeal(
                GAMES["wasp"], "ms", 10**9, BOARD, Solution(WON, LINE, 3, 0.1, None), (3, 4)
            ),
            "<WinnableDeal: wasp, ms deal 1000000000, won in 3 moves, 2 before it undecided>",
        ),
        (LOCK, "<Lock of 2 cards: 9S, 4S>"),
        (ROOTED, "<Lock of 2 cards: 9S, 4S; at the bottom 3C>"),
        (CASES, "<Cases: 2C or 2S first, 2 locks>"),
        (Proof((LOCK, CASES), (None, 0, 1)), "<Proof of 3 positions, 2 locks>"),
    ],
)
def test_one_line_that_says_what_it_is(value: object, shown: str) -> None:
    assert repr(value) == shown


def test_every_public_value_is_one_line_and_short() -> None:
    """Of true values, the largest there are; boards are as long as boards are."""
    tail = scorpion.deal("scorpion-tail", 40)
    game = Game(BOARD, number=5)
    game.play(game.hint().line[0])
    undecided = scorpion.solve(tail, max_nodes=1)
    stopped = Event()
    stopped.set()
    values = [
        scorpion.solve(BOARD),
        undecided,
        scorpion.solve_many("wasp", range(1, 201)),
        scorpion.solve_many("wasp", range(1, 201), cancel=stopped),
        scorpion.solve(scorpion.deal("scorpion", 59), proof=True),
        scorpion.survey("wasp", range(1, 201), workers=1),
        scorpion.survey("wasp", range(1, 201), workers=1).seconds,
        SurveyCheck(GAMES["wasp"], "ms", range(1, 9), 5, "1", 1, 2, (3, 4), (5, 6, 7), {8: "no"}),
        scorpion.explain(scorpion.deal("scorpion", 1)),
        scorpion.explain(tail),
        scorpion.hint(BOARD),
        scorpion.fair_hint(BOARD, samples=5),
        scorpion.winnable("scorpion", 1),
        game.judge(),
        Loss(7),
        Share(0.5, (0.4, 0.6), 200),
    ]
    for value in values:
        assert "\n" not in repr(value)
        assert len(repr(value)) < 200, value
    for board in (BOARD, game):
        assert "\n" not in repr(board)
        assert len(repr(board)) < 300


def test_a_proof_of_one_position() -> None:
    told = "1 position can be reached; 1 has a lock, none is won. In all of these: "
    assert str(Proof((LOCK,), (0,))) == told + str(LOCK)
    without = "2,000 positions can be reached; 0 have a lock, none is won."
    assert str(Proof((), (None,) * 2000)) == without


def test_boards_and_rules_can_be_read_back() -> None:
    names = {"Board": Board, "Rules": scorpion.Rules, "Move": Move, "DEAL": DEAL, "Loss": Loss}
    for value in (BOARD, BOARD.rules, *LINE, Loss(7)):
        assert eval(repr(value), names) == value
