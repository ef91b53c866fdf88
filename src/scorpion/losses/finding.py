"""Locks, cases and proofs as the core finds them, turned into values."""

from functools import lru_cache
from typing import Final, Literal, cast

from scorpion._core import Position, prove, reasons
from scorpion.limits import Limits
from scorpion.losses.locks import Bar, Cases, FirstParked, LastHome, Lock, Proof, Reason, Refutation

_FORMS: Final = (Lock, Cases, FirstParked, LastHome, Reason, lru_cache(maxsize=4_096)(Bar))


def find_refutation(position: Position) -> Refutation | None:
    """A small lock of a position, or cases; None if none are found, or it is won."""
    return cast(Refutation | None, reasons(position, _FORMS))


NoProof = Literal["won", "nodes", "seconds", "memory", "cancelled"]


def find_proof(position: Position, limits: Limits) -> tuple[Proof | NoProof, int]:
    """A proof that no play wins from here, or why there is none; and positions reached.

    The core searches for it, all positions, nearest first, each with its refutation if it
    has one (engine/proofs.pxd). There is none where the answer is "won" or names the budget
    that ran out: "nodes" bounds the positions that are reached, "memory" what they take and
    what is written about them. The same position and ``max_nodes`` give the same proof
    everywhere.
    """
    outcome, locks, ends, nodes = prove(
        position, _FORMS, **limits.for_core(), progress=limits.progress
    )
    if outcome != "lost":
        return outcome, nodes
    return Proof(cast(tuple[Refutation, ...], locks), ends), nodes
