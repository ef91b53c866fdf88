"""The work of a survey in chunks of deals.

A chunk is one call of :func:`~scorpion.solve_many` in some process. What comes back are
a few counts as JSON has them, so that a chunk read from a file is counted like one that
was settled just now.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from scorpion.deals import check_dealer, check_number
from scorpion.errors import DealError, ScorpionError, SurveyError
from scorpion.limits import Limits
from scorpion.rules import Rules
from scorpion.solver import solve_many
from scorpion.surveys.stopping import stop
from scorpion.version import VERSION

MOST_DEALS: Final = 5_000
"""Deals of a chunk at the most: 0.1 s of the fastest game, a few seconds of the slowest."""
FEWEST_CHUNKS: Final = 100
"""Into at least so many a survey is cut that has so many deals."""

WON, LOST, OPEN = "W", "L", "U"
_LETTERS: Final = bytes.maketrans(b"\0\1\2", (WON + LOST + OPEN).encode())

Found = dict[str, Any]
"""What is found of a chunk: its number; a letter a deal, W, L or U; and how often which
count of positions, length of a line and time was seen, as pairs."""


def numbers_of(numbers: Iterable[int], dealer: str) -> Sequence[int]:
    """The deals' numbers, a range still a range. Raises :class:`DealError`."""
    if isinstance(numbers, range):
        for end in numbers[:1], numbers[-1:]:
            for number in end:
                check_number(number, dealer)
        try:
            len(numbers)
        except OverflowError:
            raise DealError(f"{numbers!r} are more deals than can be counted") from None
        return numbers
    if not isinstance(numbers, Iterable):
        raise DealError(f"the deals' numbers are a range, or a list, not {numbers!r}")
    return tuple(check_number(number, dealer) for number in numbers)


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be settled, and how it is cut into chunks."""

    rules: Rules
    dealer: str
    max_nodes: int | None
    numbers: Sequence[int]
    size: int
    """Deals of a chunk; the last one may have fewer."""

    @classmethod
    def cut(cls, rules: Rules, dealer: str, max_nodes: int | None, numbers: Iterable[int]) -> "Job":
        """The job for these deals. Raises :class:`DealError` for what is no number of one."""
        deals = numbers_of(numbers, dealer)
        return cls(
            rules, dealer, max_nodes, deals, max(1, min(MOST_DEALS, len(deals) // FEWEST_CHUNKS))
        )

    @property
    def chunks(self) -> int:
        """How many chunks there are."""
        return -(-len(self.numbers) // self.size)

    def deals(self, chunk: int) -> Sequence[int]:
        """The numbers of a chunk's deals."""
        return self.numbers[chunk * self.size : (chunk + 1) * self.size]

    @classmethod
    def of(cls, header: Mapping[str, Any]) -> "Job":
        """The job that a header is of. Raises :class:`ScorpionError` if it is of none."""
        try:
            spread, dealer = header["numbers"], check_dealer(header["dealer"])
            if isinstance(spread, dict):
                spread = range(spread["from"], spread["to"] + 1, spread["step"])
            size = header["chunk_size"]
            if type(size) is not int or size < 1:
                raise SurveyError(f"chunk_size is {size!r}")
            rules, numbers = Rules(**header["rules"]), numbers_of(spread, dealer)
            max_nodes = header["max_nodes"]
            Limits.checked(max_nodes, None, None)
            return cls(rules, dealer, max_nodes, numbers, size)
        except ScorpionError:
            raise
        except (KeyError, TypeError, ValueError) as error:
            raise SurveyError(f"no header of a survey: {error}") from None

    @property
    def header(self) -> dict[str, object]:
        """What tells this survey from any other, as JSON has it."""
        spread = self.numbers
        return {
            "engine": VERSION,
            "rules": asdict(self.rules) | {"face_down": list(self.rules.face_down)},
            "dealer": self.dealer,
            "max_nodes": self.max_nodes,
            "numbers": {"from": spread.start, "to": spread.stop - 1, "step": spread.step}
            if isinstance(spread, range)
            else list(spread),
            "chunk_size": self.size,
        }

    def check(self, found: object) -> Found:
        """What is found of one of these chunks, if it is that; else SurveyError."""
        if not isinstance(found, dict):
            raise SurveyError("no chunk of a survey")
        chunk, verdicts = found.get("chunk"), found.get("verdicts")
        if type(chunk) is not int or not 0 <= chunk < self.chunks or not isinstance(verdicts, str):
            raise SurveyError("no chunk of this survey")
        deals = len(self.deals(chunk))
        if len(verdicts) != deals or set(verdicts) - {WON, LOST, OPEN}:
            raise SurveyError(
                f"chunk {chunk} has {deals} deals, not the verdicts {verdicts[:60]!r}"
            )
        for name, count in ("nodes", deals), ("seconds", deals), ("lengths", verdicts.count(WON)):
            pairs = found.get(name)
            if not isinstance(pairs, list) or not all(map(_is_pair, pairs)):
                raise SurveyError(f"chunk {chunk} has no {name}")
            if sum(times for _, times in pairs) != count:
                raise SurveyError(f"chunk {chunk} has {name} of another number of deals")
        return found


def _is_pair(pair: object) -> bool:
    """Whether this is a value and how often it was seen."""
    return (
        isinstance(pair, list)
        and len(pair) == 2
        and isinstance(pair[0], int | float)
        and type(pair[1]) is int
        and pair[1] > 0
    )


def settle(
    rules: Rules, dealer: str, max_nodes: int | None, chunk: int, numbers: Sequence[int]
) -> tuple[Found, bytes]:
    """Settle a chunk of deals, with no evidence; runs in a worker."""
    batch = solve_many(rules, numbers, dealer=dealer, max_nodes=max_nodes, cancel=stop())
    verdicts = batch.codes.translate(_LETTERS).decode()
    return found_of(chunk, verdicts, batch.nodes, batch.lengths, batch.seconds), b""


def found_of(
    chunk: int,
    verdicts: str,
    nodes: Iterable[int],
    lengths: Iterable[int],
    seconds: Iterable[float],
) -> Found:
    """What is found of a chunk, from a letter and the figures of each of its deals."""
    won = zip(verdicts, lengths, strict=True)
    return {
        "chunk": chunk,
        "verdicts": verdicts,
        "nodes": _pairs(Counter(nodes)),
        "lengths": _pairs(Counter(length for verdict, length in won if verdict == WON)),
        # Two digits: as fine as clocks repeat, and few enough to count.
        "seconds": [
            [float(digits), times]
            for digits, times in Counter(f"{second:.1e}" for second in seconds).items()
        ],
    }


def _pairs(counts: Counter[int]) -> list[list[int]]:
    return [[value, times] for value, times in sorted(counts.items())]
