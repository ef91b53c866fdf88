"""Locks, cases and proofs with one thing about them changed."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, get_args, get_type_hints

from scorpion.cards import DECK
from scorpion.losses.locks import Bar, FirstParked, Lock, Proof, Refutation


def mutations(lock: Lock, chance: random.Random) -> Iterator[Lock]:
    """The lock with one thing about it changed."""
    deck: list[Any] = [*DECK[:24], "XX", None, 7]
    reasons = list(lock.reasons)
    place = chance.randrange(len(reasons))
    reason = reasons[place]

    def instead(*others: Any) -> Lock:
        return Lock((*reasons[:place], *others, *reasons[place + 1 :]))

    yield instead()
    yield instead(reason, reason)
    yield instead(replace(reason, bars=()))
    yield instead(replace(reason, bars=reason.bars * 2))
    yield instead(replace(reason, card=chance.choice(deck)))
    yield instead(replace(reason, card=None))
    yield instead(replace(reason, under=chance.choice(deck)))
    kinds: list[Any] = [*get_args(get_type_hints(Bar)["kind"])]
    for kind in kinds:
        bar = chance.choice(reason.bars or [Bar("space")])
        yield instead(replace(reason, bars=(replace(bar, kind=kind),)))
        cards: Any = (*bar.cards[1:], chance.choice(deck))
        yield instead(replace(reason, bars=(replace(bar, kind=kind, cards=cards),)))


def changed(part: Refutation, chance: random.Random) -> Iterator[Refutation]:
    """A lock, or cases, with one thing about them changed."""
    if isinstance(part, Lock):
        yield from mutations(part, chance)
    elif isinstance(part, FirstParked):
        for lock in mutations(part.lock, chance):
            yield replace(part, lock=lock)
        place = chance.randrange(len(part.refuted))
        cards, argument = part.refuted[place]
        others = (part.refuted[:place], part.refuted[place + 1 :])
        yield replace(part, refuted=(*others[0], *others[1]))
        more = ((*cards, chance.choice(DECK[:24])), argument)
        yield replace(part, refuted=(*others[0], more, *others[1]))
        yield replace(part, refuted=(*others[0], (cards, part.lock), *others[1]))
        for each in changed(argument, chance):
            yield replace(part, refuted=(*others[0], (cards, each), *others[1]))
    else:
        yield replace(part, refuted=part.refuted[::-1])  # type: ignore[arg-type]
        yield replace(part, refuted=part.refuted[1:])  # type: ignore[arg-type]
        place = chance.randrange(len(part.refuted))
        for each in changed(part.refuted[place], chance):
            arguments = (*part.refuted[:place], each, *part.refuted[place + 1 :])
            yield replace(part, refuted=arguments)  # type: ignore[arg-type]


def changed_proof(proof: Proof, chance: random.Random) -> Proof:
    """A proof with one end, or one thing about one of its locks, changed."""
    ends: list[Any] = list(proof.ends)
    place = chance.randrange(len(ends))
    kind = chance.randrange(5)
    if kind == 0:
        del ends[place]
    elif kind == 1:
        ends.insert(place, chance.choice(ends))
    elif kind == 2:
        others = {None, *range(len(proof.locks) + 1)} - {ends[place]}
        ends[place] = chance.choice(sorted(others, key=str))
    elif proof.locks:
        number = chance.randrange(len(proof.locks))
        lock = chance.choice(list(changed(proof.locks[number], chance)))
        return replace(proof, locks=(*proof.locks[:number], lock, *proof.locks[number + 1 :]))
    else:
        ends[place] = 0
    return replace(proof, ends=tuple(ends))
