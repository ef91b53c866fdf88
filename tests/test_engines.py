"""The two engines side by side: every question gets the same answer from both."""

from itertools import islice
from typing import Any

import pytest
from decks import EVERY_RULES, FULL, SHAPES, Parts, Shape, dealt, random_deals
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from scorpion import _core, reference
from scorpion.cards import DECK
from scorpion.errors import BoardError, ScorpionError
from scorpion.moves import DEAL, Move
from scorpion.notation import board_lines
from scorpion.rules import Rules

QUESTIONS = ("columns", "face_down", "stock", "foundations", "ranks", "is_won", "is_stuck")


def answer(call: Any, *arguments: Any) -> tuple[object, str]:
    """What a call returns, or the type and words of the error it raises."""
    try:
        return (call(*arguments), "")
    except ScorpionError as error:
        return (type(error), str(error))


def text(position: Any) -> list[str]:
    parts = (position.columns, position.face_down, position.stock, position.foundations)
    return board_lines(*parts)


class BothEngines(RuleBasedStateMachine):
    """Plays one game on the core and on the reference, and compares after each step."""

    @initialize(
        rules=st.sampled_from(EVERY_RULES),
        shape=st.sampled_from([FULL, *SHAPES, Shape(2, 3, 2, (1, 0, 0)), Shape(2, 7, 3, (0,) * 7)]),
        chance=st.randoms(use_true_random=False),
    )
    def deal(self, rules: Rules, shape: Shape, chance: Any) -> None:
        cards = list(DECK[: 4 * shape.ranks])
        chance.shuffle(cards)
        parts = dealt(rules, shape, cards)
        self.played: list[list[str]] = []
        core, slow = answer(_core.Position, *parts), answer(reference.Position, *parts)
        if core[1] or slow[1]:
            # A small deal may hold a finished run already: both must say so.
            assert core == slow
            assert core[0] is BoardError
            ordered = sorted(cards, key=DECK.index)
            parts = dealt(rules, shape, ordered)
        self.core = _core.Position(*parts)
        self.slow = reference.Position(*parts)

    @precondition(lambda self: self.slow.legal_moves())
    @rule(data=st.data())
    def play_legal(self, data: st.DataObject) -> None:
        move = data.draw(st.sampled_from(self.slow.legal_moves()))
        self.played.append(text(self.slow))
        assert answer(self.core.play, move) == answer(self.slow.play, move) == (None, "")

    @rule(
        move=st.one_of(
            st.builds(Move, st.sampled_from(DECK), st.integers(0, 9)),
            st.just(DEAL),
            st.sampled_from([Move("1X", 1), Move("", 3), ("6H", "2"), None, "6H>3", ("6H",)]),
        )
    )
    def play_anything(self, move: Any) -> None:
        before = text(self.slow)
        slow = answer(self.slow.play, move)
        assert answer(self.core.play, move) == slow
        if slow == (None, ""):
            self.played.append(before)
        else:
            assert text(self.slow) == before

    @precondition(lambda self: self.slow._stock or not all(self.slow._columns))
    @rule(data=st.data())
    def relabel(self, data: st.DataObject) -> None:
        """Idle moves, which no list offers: a whole column to an empty one."""
        empty = [number for number, cards in enumerate(self.slow.columns, 1) if not cards]
        leaders = [cards[0] for cards in self.slow.columns if cards]
        if empty and leaders:
            move = Move(data.draw(st.sampled_from(leaders)), data.draw(st.sampled_from(empty)))
            self.play_anything(move)

    @rule()
    def undo(self) -> None:
        assert answer(self.core.undo) == answer(self.slow.undo)
        if self.played:
            assert text(self.core) == self.played.pop()

    @rule()
    def copy(self) -> None:
        assert text(self.core.copy()) == text(self.slow.copy()) == text(self.slow)

    @invariant()
    def agree(self) -> None:
        if not hasattr(self, "core"):
            return
        assert text(self.core) == text(self.slow)
        for question in QUESTIONS:
            assert getattr(self.core, question) == getattr(self.slow, question), question
        assert self.core.legal_moves() == self.slow.legal_moves()
        assert self.core.key == self.core.key_from_scratch

    @invariant()
    def can_be_set_up_anew(self) -> None:
        """A position reached by play is a legal position, and plays on alike."""
        if not hasattr(self, "core"):
            return
        position = self.slow
        parts = (position.columns, position.face_down, position.stock, position.foundations)
        anew = _core.Position(position.rules, *parts, position.ranks)
        assert anew.arrangement() == self.core.arrangement()
        assert anew.legal_moves() == self.core.legal_moves()
        assert anew.is_dead == self.core.is_dead
        assert anew.key == anew.key_from_scratch


BothEngines.TestCase.settings = settings(max_examples=80, stateful_step_count=40, deadline=None)
TestBothEngines = BothEngines.TestCase


@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
def test_long_random_games(rules: Rules) -> None:
    """Full decks played at random to the end, compared at every step, then taken back."""
    for parts in islice(random_deals(rules, FULL, seed=8), 3):
        core, slow = _core.Position(*parts), reference.Position(*parts)
        keys = []
        for step in range(60):
            legal = slow.legal_moves()
            assert core.legal_moves() == legal
            if not legal:
                break
            keys.append((core.key, core.arrangement()))
            # Late deals and early ones, and a spread of moves without chance.
            move = legal[(7 * step + len(legal)) % len(legal)]
            core.play(move)
            slow.play(move)
            assert text(core) == text(slow)
            assert core.key == core.key_from_scratch
        assert (core.is_won, core.is_stuck) == (slow.is_won, slow.is_stuck)
        while keys:
            core.undo()
            assert (core.key, core.arrangement()) == keys.pop()


BAD_PARTS: list[tuple[str, dict[str, Any]]] = [
    ("no columns", {"columns": [], "face_down": []}),
    ("eight columns", {"columns": [[]] * 8, "face_down": [0] * 8}),
    ("counts missing", {"face_down": [0] * 6}),
    ("one card only", {"columns": [["AS"]] + [[]] * 6}),
    ("a card twice", {"stock": ["AS", "AS", "AH"]}),
    ("no such card", {"stock": ["AS", "1S", "AH"]}),
    ("not even text", {"stock": ["AS", 7, "AH"]}),
    ("all face down", {"face_down": [7, 0, 0, 0, 0, 0, 0]}),
    ("fewer than none", {"face_down": [-1, 0, 0, 0, 0, 0, 0]}),
    ("half a card", {"face_down": [0.5, 0, 0, 0, 0, 0, 0]}),
    ("a short stock", {"stock": ["AS"]}),
    ("a King twice", {"foundations": ("KS",)}),
    ("no King", {"foundations": ("AS",)}),
    ("one rank", {"ranks": 1}),
    ("fourteen ranks", {"ranks": 14}),
    ("not in the deck", {"ranks": 12}),
]


@pytest.mark.parametrize(("changes"), [c for _, c in BAD_PARTS], ids=[n for n, _ in BAD_PARTS])
def test_both_refuse_the_same_positions(changes: dict[str, Any]) -> None:
    good: Parts = next(random_deals(EVERY_RULES[0], FULL, seed=3))
    parts = good._replace(**changes)
    slow = answer(reference.Position, *parts)
    assert slow[0] is BoardError
    assert answer(_core.Position, *parts) == slow


class Lying(list[Any]):
    """A list that says it is shorter than it is."""

    def __len__(self) -> int:
        return 1


def test_what_is_read_counts_not_what_a_length_says() -> None:
    """More columns, stock or cards than there is room for were written past their ends."""
    good: Parts = next(random_deals(EVERY_RULES[0], FULL, seed=3))
    for changes in (
        {"columns": Lying(good.columns * 9), "face_down": Lying(list(good.face_down) * 9)},
        {"stock": Lying(good.stock * 90)},
        {"columns": [Lying(pile * 50) for pile in good.columns]},
    ):
        with pytest.raises(BoardError):
            _core.Position(*good._replace(**changes))


@pytest.mark.parametrize("plies", [-1, 201, 100_000, 2**31 - 1])
def test_perft_takes_no_more_plies_than_the_stack_holds(plies: int) -> None:
    position = _core.Position(*next(random_deals(EVERY_RULES[0], FULL, seed=3)))
    with pytest.raises(BoardError, match=f"perft counts lines of 0 to 200 moves, not {plies}"):
        position.perft(plies)
