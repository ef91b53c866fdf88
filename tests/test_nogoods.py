"""The search that learns from dead ends: in-suit games, Kings to spaces, stock any-time.

Its verdicts are compared with exhaustive search, and every single nogood with the
complete graph of positions of small decks: no position that it matches may be winnable.
"""

from itertools import islice
from typing import Any

import pytest
from decks import SHAPES, Shape, random_deals
from test_small_decks import disagreements, playable

from scorpion import _core
from scorpion.cards import DECK
from scorpion.moves import DEAL
from scorpion.rules import Rules

RULES = [Rules(), Rules(runs="stay")]
LANDED = Shape(6, 4, 3, (3, 3, 0, 0))
Landed = tuple[tuple[str, str | None], ...]


def moved_cards(start: Any, now: Any, landed: Landed) -> set[str]:
    """Cards on their parent or gone, and Kings that have left what they lay on."""
    first, second, based = now.key
    kings = DECK[4 * start.ranks - 4 : 4 * start.ranks]
    at_base = {pile[0] for pile in start.columns if pile}
    at_base |= {card for card, below in landed if below is None}
    moved = {DEAL} if not now.stock else set()
    for number, card in enumerate(DECK[: 4 * start.ranks]):
        seated, gone = (first >> number) & 1, (first & second) >> number & 1
        if gone or (card not in kings and seated):
            moved.add(card)
        elif card in kings and card not in at_base and (based >> number) & 1:
            moved.add(card)
    return moved


def come_loose(start: Any, now: Any) -> set[str]:
    """Kings at a base from the start that are face up while a column is empty."""
    if not now.stock or all(now.columns):
        return set()
    at_base = {pile[0] for pile in start.columns if pile}
    kings = DECK[4 * start.ranks - 4 : 4 * start.ranks]
    return {
        f"loose {pile[0]}"
        for pile, down in zip(now.columns, now.face_down, strict=True)
        if pile and not down and pile[0] in at_base and pile[0] in kings
    }


def winnable_and_lost(start: Any, at_most: int) -> list[tuple[frozenset[str], Landed, bool]]:
    """Every position that can be reached: what has moved, where the stock lies, whether it
    can be won. Empty if there are more than ``at_most``."""
    first = (start.copy(), frozenset(come_loose(start, start)), ())
    numbers: dict[Any, int] = {(start.arrangement(), first[1], ()): 0}
    states: list[Any] = [first]
    before: list[list[int]] = [[]]
    for number, (now, loose, landed) in enumerate(states):
        if len(states) > at_most:
            return []
        for move in now.legal_moves():
            after = now.after(move)
            where = landed
            if move == DEAL:
                ends = [pile[-1] if pile else None for pile in now.columns]
                where = tuple(zip(now.stock, ends, strict=False))
            freed = loose | come_loose(start, after)
            key = (after.arrangement(), freed, where)
            if key not in numbers:
                numbers[key] = len(states)
                states.append((after, freed, where))
                before.append([])
            before[numbers[key]].append(number)
    won = {number for number, (now, _, _) in enumerate(states) if now.is_won}
    untold = list(won)
    while untold:
        for number in before[untold.pop()]:
            if number not in won:
                won.add(number)
                untold.append(number)
    return [
        (frozenset(moved_cards(start, now, landed)) | loose, landed, number in won)
        for number, (now, loose, landed) in enumerate(states)
    ]


def check_nogoods(rules: Rules, shape: Shape, seed: int, deals: int) -> tuple[int, int]:
    """How many nogoods were checked, and against how many positions that they match."""
    checked = matched = 0
    for _, start in islice(playable(rules, shape, seed), deals):
        learned = _core.nogoods(start, max_nodes=5_000)
        positions = winnable_and_lost(start, 4_000) if learned else []
        for moved, unmoved, landing in learned if positions else []:
            checked += 1
            for now, landed, wins in positions:
                if moved <= now and not unmoved & now and landing.items() <= dict(landed).items():
                    matched += 1
                    assert not wins, (start.columns, start.stock, moved, unmoved, landing, now)
    return checked, matched


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_positions_that_nogoods_match_are_lost(rules: Rules) -> None:
    checked = matched = 0
    for shape in SHAPES:
        for found in [check_nogoods(rules, shape, 11, 30)]:
            checked += found[0]
            matched += found[1]
    assert checked > 300
    assert matched > checked
