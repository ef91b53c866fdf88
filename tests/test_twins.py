"""Twins in alternating colours: what the closure and its choices call dead is lost.

Three checks, none of which trusts an argument. Whole graphs: every position that can be
reached in a small deck is known to be winnable or lost by walking back from the wins,
and no winnable one is called dead. The definition: the closure in plain Python, asked
for every answer to who of two twins is seated first, with no guide and no cores.
Full decks: along winning lines and one move beside them.
"""

from itertools import islice
from typing import Any

import pytest
from decks import EVERY_RULES, SHAPES, Shape, random_deals

from scorpion import _core
from scorpion.cards import DECK, is_red
from scorpion.deals import deal
from scorpion.errors import BoardError
from scorpion.rules import GAMES, Rules
from scorpion.solver import Verdict, solve

# The faults that these tests have to catch stand in tests/faults/twins.toml.

KINGS_ONLY = [
    rules for rules in EVERY_RULES if rules.build == "alternating" and rules.fill == "king"
]
# Deep columns and few of them: more is decided by who of two twins goes first.
CRAMPED = [Shape(6, 3, 0, (4, 3, 0)), Shape(6, 4, 0, (4, 3, 0, 0)), Shape(5, 3, 1, (4, 3, 2))]


def playable(rules: Rules, shape: Shape, seed: int) -> Any:
    for parts in random_deals(rules, shape, seed):
        try:
            yield _core.Position(*parts)
        except BoardError:
            continue


def graph(start: _core.Position, at_most: int) -> list[tuple[_core.Position, bool]] | None:
    """Every position that can be reached, and whether it can be won.

    None if there are more than ``at_most``. Positions are the same if they differ by
    the order of alike columns and the names of interchangeable cards only.
    """
    number = {start.search_key: 0}
    found = [start]
    sources: list[list[int]] = [[]]
    for here, position in enumerate(found):
        for move in position.legal_moves():
            after = position.after(move)
            there = number.setdefault(after.search_key, len(found))
            if there == len(found):
                if there == at_most:
                    return None
                found.append(after)
                sources.append([])
            sources[there].append(here)
    wins = [position.is_won for position in found]
    untried = [there for there, won in enumerate(wins) if won]
    while untried:
        for here in sources[untried.pop()]:
            if not wins[here]:
                wins[here] = True
                untried.append(here)
    return list(zip(found, wins, strict=True))


def check_graphs(rules: Rules, shape: Shape, seed: int, positions: int) -> tuple[int, int, int]:
    """How many positions of whole graphs are winnable, lost, and called dead."""
    winnable = lost = dead = 0
    deals = playable(rules, shape, seed)
    while winnable + lost < positions:
        start = next(deals)
        for position, wins in graph(start, 15_000) or []:
            if wins:
                assert not position.is_dead, (start.columns, position.columns)
                winnable += 1
            else:
                dead += position.is_dead
                lost += 1
    return winnable, lost, dead


@pytest.mark.parametrize("rules", KINGS_ONLY, ids=str)
def test_no_winnable_position_of_a_whole_graph_is_called_dead(rules: Rules) -> None:
    for shape in (SHAPES[1], SHAPES[3], SHAPES[6]):
        winnable, _, dead = check_graphs(rules, shape, 11, 20_000)
        assert winnable + dead > 2_000
        assert dead > 150


@pytest.mark.slow
@pytest.mark.parametrize("shape", [*SHAPES[:9], SHAPES[10]], ids=str)
@pytest.mark.parametrize("rules", KINGS_ONLY, ids=str)
def test_no_winnable_position_of_a_whole_graph_is_called_dead_at_length(
    rules: Rules, shape: Shape
) -> None:
    winnable, _, dead = check_graphs(rules, shape, 12, 3_000_000)
    assert winnable + dead > 300_000
    assert dead > 10_000


class Definition:
    """The closure, rule by rule in plain Python, for one position."""

    def __init__(self, position: _core.Position) -> None:
        deck = DECK[: 4 * position.ranks]
        self.rules = position.rules
        self.columns = position.columns
        self.stock = position.stock
        self.twin = {card: deck[number ^ 1] for number, card in enumerate(deck)}
        self.parents = {
            card: [
                target for target in deck[4 * (n // 4) + 4 :][:4] if is_red(card) != is_red(target)
            ]
            for n, card in enumerate(deck)
        }
        self.kings = deck[-4:]
        self.place = {
            card: (column, index)
            for column, cards in enumerate(self.columns)
            for index, card in enumerate(cards)
        }
        self.gone = {card for card in deck if card not in self.place and card not in self.stock}
        self.face_up = {
            card
            for cards, down in zip(self.columns, position.face_down, strict=True)
            for card in cards[down:]
        }
        self.below = {
            card: cards[index - 1] if index else None
            for cards in self.columns
            for index, card in enumerate(cards)
        }
        self.seat = {
            card: below
            for card, below in self.below.items()
            if below in self.parents[card] and below in self.face_up
        }
        self.holding = set(self.seat.values())
        self.unseated = [
            card for card in deck[:-4] if card not in self.seat and card not in self.gone
        ]
        self.buried_kings = [king for king in self.kings if self.below.get(king)]
        self.bases = {cards[0] for cards in self.columns if cards}
        self.deck = deck

    def comes_clear(self, card: str, target: str) -> bool:
        """Whether the target gets out of the card's pile."""
        if card not in self.place or target not in self.place:
            return True
        (column, index), (other_column, other_index) = self.place[card], self.place[target]
        if column != other_column or index > other_index:
            return True
        return any(self.leads(step) for step in self.columns[column][index + 1 : other_index + 1])

    def leads(self, card: str) -> bool:
        """Whether the card leaves its seat by a move."""
        if card not in self.seat:
            return card in self.left
        (other,) = (target for target in self.parents[card] if target != self.seat[card])
        return (
            other in self.opened
            and other not in self.gone | self.holding
            and self.comes_clear(card, other)
        )

    def is_seated(self, card: str, firsts: frozenset[str]) -> bool:
        """Whether the card comes to lie on a parent."""
        twin = self.twin[card]
        opened = [target for target in self.parents[card] if target in self.opened]
        if twin not in self.seat and twin not in self.gone:
            enough = len(opened) >= (1 if card in firsts else 2)
            return enough and any(self.comes_clear(card, target) for target in opened)
        left = [target for target in opened if target not in self.gone | self.holding]
        if not left:
            return False
        if self.comes_clear(card, left[0]):
            return True
        return (
            twin in self.seat
            and self.comes_clear(twin, left[0])
            and self.comes_clear(card, self.seat[twin])
        )

    def serves(self, card: str) -> bool:
        """Whether the card may serve in a run."""
        return (
            card not in self.gone
            and card in self.turned
            and card in self.opened | self.holding
            and (card in self.kings or card in {*self.seat, *self.left, *self.stock})
        )

    def runs(self, king: str) -> int:
        """How many runs of a King's colour may leave."""
        if self.rules.runs == "stay":
            return 0
        found = []
        for rank in range(len(self.deck) // 4):
            red = is_red(king) ^ bool((len(self.deck) // 4 - 1 - rank) % 2)
            cards = [card for card in self.deck[4 * rank :][:4] if is_red(card) == red]
            found.append(sum(map(self.serves, cards)))
        return min(found)

    def spaces(self, parked: frozenset[str]) -> int:
        """How many columns are empty once all that follows has happened."""
        found = sum(not cards for cards in self.columns) - len(parked)
        found += len((self.bases - set(self.kings)) & self.left)
        for pair in (self.kings[:2], self.kings[2:]):
            away = sum(self.serves(king) for king in pair if king in self.bases | parked)
            found += min(away, self.runs(pair[0]))
        return found

    def leaves(self, card: str, firsts: frozenset[str], parked: frozenset[str]) -> bool:
        if card not in self.kings:
            return self.is_seated(card, firsts)
        return card in parked or (self.serves(card) and self.runs(card) > 0)

    def gather(self, firsts: frozenset[str], parked: frozenset[str]) -> None:
        """Note all that happens if these cards are first, and these Kings park."""
        self.opened = {cards[-1] for cards in self.columns if cards} | self.gone | set(self.stock)
        self.turned = self.face_up | self.gone | set(self.stock)
        self.left: set[str] = set()
        before = -1
        while before < len(self.left):
            before = len(self.left)
            for card in [*self.unseated, *self.buried_kings]:
                if card in self.left or card not in self.turned:
                    continue
                if self.leaves(card, firsts, parked):
                    self.left.add(card)
                    below = self.below.get(card)
                    if below is not None:
                        self.opened.add(below)
                        self.turned.add(below)

    def is_complete(self) -> bool:
        return (
            self.turned == set(self.deck)
            and self.left >= {*self.unseated, *self.buried_kings}
            and self.opened | self.holding == set(self.deck)
        )

    def completes(self, firsts: frozenset[str]) -> bool:
        """Whether a win's events all happen, or any may, if these cards are before their twins."""
        untried: list[frozenset[str]] = [frozenset()]
        seen = set(untried)
        while untried:
            parked = untried.pop()
            self.gather(firsts, parked)
            if self.is_complete():
                return True
            if self.spaces(parked) <= 0:
                continue
            if self.rules.fill == "any":
                return True
            for king in set(self.buried_kings) & self.turned - self.left:
                if parked | {king} not in seen:
                    seen.add(parked | {king})
                    untried.append(parked | {king})
        return False

    def is_dead(self) -> bool:
        pairs = [
            (card, self.twin[card])
            for card in self.unseated
            if self.twin[card] in self.unseated and self.deck.index(card) % 2 == 0
        ]
        return self.is_refuted(pairs, frozenset(self.unseated))

    def is_refuted(self, pairs: list[tuple[str, str]], firsts: frozenset[str]) -> bool:
        """Whether no answer completes, both of these pairs being among ``firsts`` so far."""
        if not self.completes(firsts):
            return True
        if not pairs:
            return False
        return all(self.is_refuted(pairs[1:], firsts - {second}) for second in pairs[0])


def compare_with_definition(rules: Rules, shape: Shape, seed: int, deals: int) -> tuple[int, int]:
    """Compare on each deal and along one play of it; how many are alive, and dead."""
    alive = dead = 0
    for position in islice(playable(rules, shape, seed), deals):
        for step in range(8):
            expected = Definition(position).is_dead()
            assert position.is_dead == expected, (position.columns, position.face_down)
            dead += expected
            alive += not expected
            moves = position.legal_moves()
            if expected or not moves:
                break
            position.play(moves[(7 * step + len(moves)) % len(moves)])
            if position.is_won:
                break
    return alive, dead


@pytest.mark.parametrize("rules", KINGS_ONLY, ids=str)
def test_closure_is_the_one_defined(rules: Rules) -> None:
    for shape in SHAPES[::2]:
        alive, dead = compare_with_definition(rules, shape, 13, 24)
        assert alive + dead >= 24
        assert dead > 0


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("rules", KINGS_ONLY, ids=str)
def test_closure_is_the_one_defined_at_length(rules: Rules, shape: Shape) -> None:
    alive, dead = compare_with_definition(rules, shape, 14, 2_000)
    assert alive + dead >= 2_000


def compare_choices(shape: Shape, seed: int, deals: int) -> int:
    """Compare on deals that look alive as long as both twins of a pair may be first."""
    by_choice = 0
    for position in islice(playable(GAMES["scorpion-tail"], shape, seed), deals):
        definition = Definition(position)
        if definition.completes(frozenset(definition.unseated)):
            expected = definition.is_dead()
            assert position.is_dead == expected, (position.columns, position.face_down)
            by_choice += expected
    return by_choice


@pytest.mark.parametrize("shape", [CRAMPED[0], SHAPES[3], SHAPES[8]], ids=str)
def test_choices_are_searched_to_the_end(shape: Shape) -> None:
    assert compare_choices(shape, 15, 60) > 0


@pytest.mark.slow
@pytest.mark.parametrize("shape", [*CRAMPED, SHAPES[3], SHAPES[6], SHAPES[8]], ids=str)
def test_choices_are_searched_to_the_end_at_length(shape: Shape) -> None:
    assert compare_choices(shape, 16, 4_000) > 80


def check_full_deals(rules: Rules, numbers: range) -> int:
    """Check winning lines and the moves beside them; how many of these are called dead."""
    dead = 0
    for number in numbers:
        solution = solve(deal(rules, number), max_nodes=20_000)
        if solution.verdict is not Verdict.WINNABLE:
            continue
        board = deal(rules, number)
        position = _core.Position(rules, board.columns, board.face_down, board.stock)
        for move in solution.moves:
            assert not position.is_dead
            for other in position.legal_moves():
                beside = position.after(other)
                if beside.is_dead:
                    dead += 1
                    outcome, _, _ = _core.search(
                        beside, max_nodes=500, max_seconds=1e9, max_memory=2**30, prune=False
                    )
                    assert outcome != "won", (number, beside.columns)
            position.play(move)
        assert position.is_won
    return dead


@pytest.mark.parametrize("rules", KINGS_ONLY, ids=str)
def test_winning_lines_of_full_deals(rules: Rules) -> None:
    assert check_full_deals(rules, range(1, 51)) > 25


@pytest.mark.slow
@pytest.mark.parametrize("rules", KINGS_ONLY, ids=str)
def test_winning_lines_of_full_deals_at_length(rules: Rules) -> None:
    assert check_full_deals(rules, range(1_000, 5_000)) > 2_000


def test_every_loss_is_proved_on_the_deal() -> None:
    """Two thousand deals, all settled within 20,000 positions, the lost ones at a glance."""
    lost = 0
    for number in range(1, 2_001):
        solution = solve(deal("scorpion-tail", number), max_nodes=20_000)
        assert solution.verdict is not Verdict.UNDECIDED, number
        if solution.verdict is Verdict.LOST:
            lost += 1
            assert solution.nodes == 1, number
    assert lost == 94
