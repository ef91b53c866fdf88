"""Fair hints: what to play, judged by no more than a player can see."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from scorpion._core import sample_moves
from scorpion.board import Board, check_board, seen_by_player
from scorpion.errors import BudgetError
from scorpion.intervals import wilson
from scorpion.limits import MAX_MEMORY, Cancel, Limits
from scorpion.moves import DEAL, Move
from scorpion.words import count

SAMPLES: Final = 200
SAMPLE_NODES: Final = 20_000
"""Positions that the search for a win may see after each move in each sample."""


@dataclass(frozen=True, slots=True)
class Share:
    """In which share of the samples a move keeps the win, of how many, with its 95% interval.

    Wilson's interval; where the samples are all the ways in which the unseen cards can
    lie, the share is exact and both ends are the share itself.
    """

    share: float
    interval: tuple[float, float]
    samples: int


@dataclass(frozen=True, slots=True)
class FairHint:
    """What :func:`fair_hint` advises.

    ``move`` keeps the win in the largest ``share`` of the ``samples``, ``interval`` is
    that share's 95% interval (see :class:`Share`), and ``shares`` tells the share of
    every legal move. ``move`` is None where there is none, on a game that is won or stuck.
    """

    move: Move | None
    share: float
    interval: tuple[float, float]
    shares: Mapping[Move, float]
    samples: int

    def __repr__(self) -> str:
        low, high = self.interval
        move = "no move" if self.move is None else self.move
        share = f"{self.share:.1%} ({low:.1%} to {high:.1%})"
        return f"<FairHint {move}: keeps the win in {share} of {count(self.samples, 'sample')}>"


def fair_rate(
    board: Board,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    max_nodes: int | None = SAMPLE_NODES,
    max_seconds: float | None = None,
    max_memory: int | None = MAX_MEMORY,
    cancel: Cancel | None = None,
) -> dict[Move, Share]:
    """In which share of the ways the unseen cards may lie each legal move keeps the win.

    Nothing is used but what a player sees. Cards that are face down or in the stock are
    dealt at random among their places ``samples`` times, each way as likely as any other,
    and each move is settled on each of these boards; where there are no more ways than
    ``samples`` (nor than 5,040), each comes once instead. Of a board with unknown cards
    only those are dealt: what it tells of the others counts as seen.

    A move that only relabels columns before the deal counts with the deal that it serves:
    its share is that of dealing next. (Alone it would never fall behind, as it can be
    taken back.) A position that is not settled within ``max_nodes`` positions or
    ``max_memory`` bytes counts as one that cannot be won. ``max_seconds`` and ``cancel``
    end the sampling early; the shares are then those of fewer samples, 0 where there are
    none.

    The same ``seed`` gives the same shares on every machine, whatever the hidden cards
    are. Raises :class:`BudgetError` for samples that are no whole number above zero, for
    a seed that is no whole number and for a budget that is not positive, and
    :class:`BoardError` for what is no board.
    """
    limits = Limits.checked(max_nodes, max_seconds, max_memory, cancel)
    return _sampled(board, samples, seed, limits).shares


class _Sampled(NamedTuple):
    """The share of each legal move, and which of them may be taken back later."""

    shares: dict[Move, Share]
    to_and_fro: set[Move]


def _sampled(board: Board, samples: int, seed: int, limits: Limits) -> _Sampled:
    position, unseen = seen_by_player(check_board(board, "a fair hint is given on"))
    if not isinstance(samples, int) or isinstance(samples, bool) or samples <= 0:
        raise BudgetError(f"samples is {samples!r}; it must be a whole number above zero")
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise BudgetError(f"seed is {seed!r}; it must be a whole number")
    moves, kept, done, exact, to_and_fro = sample_moves(
        position,
        unseen,
        samples=min(samples, 2**63),
        seed=seed % 2**64,
        **limits.for_core(),
    )
    counted = zip(moves, kept, strict=True)
    shares = {move: _share(won, done, exact=exact) for move, won in counted}
    return _Sampled(shares, to_and_fro)


def _share(won: int, samples: int, *, exact: bool) -> Share:
    share = won / samples if samples else 0.0
    return Share(share, (share, share) if exact else wilson(won, samples), samples)


def fair_hint(
    board: Board,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    max_nodes: int | None = SAMPLE_NODES,
    max_seconds: float | None = None,
    max_memory: int | None = MAX_MEMORY,
    cancel: Cancel | None = None,
) -> FairHint:
    """The move that keeps the win in most of the ways the unseen cards may lie.

    The arguments, and what is raised, are those of :func:`fair_rate`. Moves that keep it
    equally often come in this order: one that turns up a card; one that puts no more on
    face-down cards; others; the deal; one that only relabels columns; one that may be
    taken back, as it leads a card off a parent or, if it is no King, to an empty column.
    So by its hints a game that builds in suit and fills spaces with Kings alone comes to
    an end; in other games hints may go to and fro, where that never falls behind.
    """
    limits = Limits.checked(max_nodes, max_seconds, max_memory, cancel)
    shares, to_and_fro = _sampled(board, samples, seed, limits)
    if not shares:
        share = float(board.is_won)
        return FairHint(None, share, (share, share), {}, 0)

    def merit(move: Move) -> tuple[float, bool, tuple[bool, ...]]:
        return (shares[move].share, move not in to_and_fro, _preference(board, move))

    best = max(shares, key=merit)
    chosen = shares[best]
    by_move = {move: share.share for move, share in shares.items()}
    return FairHint(best, chosen.share, chosen.interval, by_move, chosen.samples)


def _preference(board: Board, move: Move) -> tuple[bool, ...]:
    """What decides between moves of equal shares, the greater the better."""
    if move == DEAL:
        return (True, False, False, False)
    columns = list(zip(board.columns, board.face_down, strict=True))
    target, buried = columns[move.column - 1]
    relabels = not target and any(cards[:1] == (move.card,) for cards, _ in columns)
    turns_up = any(down and cards[down] == move.card for cards, down in columns)
    return (not relabels, True, turns_up, not buried)
