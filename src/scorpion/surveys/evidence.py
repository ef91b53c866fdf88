"""What shows that a deal is won or lost: as data, and checked by the slow engine.

The evidence on a board is an object with the field names of :class:`~scorpion.Solution`:
``verdict`` and, with it, the ``moves`` that win as text, or the ``proof`` of the loss, null
where none was found. An undecided board has the verdict alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from scorpion import reference
from scorpion.board import Board
from scorpion.deals import deal
from scorpion.errors import IllegalMoveError, ProofError, ScorpionError, SurveyError
from scorpion.losses.checker import check_proof
from scorpion.losses.locks import Proof
from scorpion.moves import Move
from scorpion.rules import Rules
from scorpion.solver import Solution, Verdict, solve
from scorpion.surveys.chunks import LOST, OPEN, WON, Found, found_of
from scorpion.surveys.members import lines, packed
from scorpion.surveys.stopping import breakable, stop

UNPROVED: Final = "N"
"""In place of a verdict's letter: lost, as the search found, without a proof."""
WRONG: Final = "X"
"""In place of a verdict's letter: the evidence does not hold."""

LETTERS: Final = {Verdict.WINNABLE: WON, Verdict.LOST: LOST, Verdict.UNDECIDED: OPEN}
# As what a deal is counted, for each letter of its evidence.
_COUNTED: Final = {WON: WON, LOST: LOST, UNPROVED: LOST, OPEN: OPEN}

Checked = tuple[int, str, dict[int, str]]
"""What is checked of a chunk: its number; a letter a deal; and the deals whose evidence does
not hold, each with what is wrong."""


def evidence(solution: Solution) -> dict[str, Any]:
    """The evidence that a solution holds, as JSON has it."""
    told: dict[str, Any] = {"verdict": solution.verdict}
    if solution.verdict is Verdict.WINNABLE:
        told["moves"] = [str(move) for move in solution.moves]
    elif solution.verdict is Verdict.LOST:
        told["proof"] = solution.proof and solution.proof.to_dict()
    return told


def check_evidence(board: Board, told: object) -> str:
    """What the evidence shows of the board: W won, L lost, N lost without a proof, U open.

    A line is replayed on the reference engine, a proof is given to
    :func:`~scorpion.check_proof`. Raises :class:`ScorpionError` if it does not hold.
    """
    verdict = told.get("verdict") if isinstance(told, Mapping) else None
    if not isinstance(told, Mapping) or verdict not in [*Verdict]:
        raise ProofError(f"there is no verdict {verdict!r}")
    if verdict == Verdict.WINNABLE:
        _replay(board, told.get("moves"))
        return WON
    if verdict == Verdict.UNDECIDED:
        return OPEN
    if told.get("proof") is None:
        return UNPROVED
    check_proof(board, Proof.from_dict(told["proof"]))
    return LOST


def _replay(board: Board, moves: object) -> None:
    if not isinstance(moves, list):
        raise IllegalMoveError("a board is won by a list of moves, and there is none")
    position = reference.Position(
        board.rules, board.columns, board.face_down, board.stock, board.foundations
    )
    for step, move in enumerate(moves, 1):
        try:
            position.play(Move.parse(move))
        except IllegalMoveError as error:
            raise IllegalMoveError(error.message, step) from None
    if not position.is_won:
        raise IllegalMoveError(f"the game is not won after these {len(moves)} moves")


def settle_with_evidence(
    rules: Rules, dealer: str, max_nodes: int | None, chunk: int, numbers: Sequence[int]
) -> tuple[Found, bytes]:
    """Settle a chunk of deals with their evidence; runs in a worker.

    The second of what comes back is the chunk's member of a certificate.
    """
    found: Found = {}

    def rows() -> Iterator[object]:
        settled = []
        for number in numbers:
            board = deal(rules, number, dealer=dealer)
            solution = solve(board, max_nodes=max_nodes, cancel=stop())
            # Counted is the search alone, as in a survey without a certificate.
            settled.append(solution)
            if solution.verdict is Verdict.LOST:
                solution = solve(board, max_nodes=max_nodes, cancel=stop(), proof=True)
            if solution.limit == "cancelled":
                break  # nobody waits for it any more
            yield {"deal": number} | evidence(solution)
        found.update(
            found_of(
                chunk,
                "".join(LETTERS[solution.verdict] for solution in settled),
                [solution.nodes for solution in settled],
                [len(solution.moves) for solution in settled],
                [solution.seconds for solution in settled],
            )
        )
        yield found

    member = packed(chunk + 1, rows())
    return found, member


def check_chunk(
    rules: Rules, dealer: str, chunk: int, numbers: Sequence[int], data: bytes, place: str
) -> Checked:
    """Check the evidence of a chunk's deals; runs in a worker.

    ``data`` is the chunk's member of a certificate. Raises :class:`SurveyError`, beginning
    with ``place``, if it does not hold lines of these deals.
    """
    try:
        with breakable():
            letters, verdicts, wrong = _check_rows(rules, dealer, chunk, numbers, lines(data))
    except SurveyError as error:
        raise SurveyError(f"{place}: {error}") from None
    for index, (letter, verdict) in enumerate(zip(letters, verdicts, strict=True)):
        if letter != WRONG and verdict != _COUNTED[letter]:
            letters[index] = WRONG
            wrong[numbers[index]] = f"counted as {verdict!r}, but by its evidence {letter!r}"
    return chunk, "".join(letters), wrong


def _check_rows(
    rules: Rules, dealer: str, chunk: int, numbers: Sequence[int], rows: Iterator[object]
) -> tuple[list[str], str, dict[int, str]]:
    """A letter a deal, the verdicts that were counted, and what is wrong."""
    letters = []
    wrong = {}
    for number in numbers:
        told = next(rows, None)
        if not isinstance(told, dict) or told.get("deal") != number:
            raise SurveyError(f"deal {number} does not stand in its place")
        try:
            letters.append(check_evidence(deal(rules, number, dealer=dealer), told))
        except ScorpionError as error:
            letters.append(WRONG)
            wrong[number] = str(error)
    verdicts = _verdicts(next(rows, None), chunk, len(numbers))
    if next(rows, None) is not None:
        raise SurveyError("there is a line too much")
    return letters, verdicts, wrong


def _verdicts(found: object, chunk: int, deals: int) -> str:
    """The verdicts that were counted for a chunk, from its last line."""
    verdicts = found.get("verdicts") if isinstance(found, dict) else None
    if not isinstance(found, dict) or not isinstance(verdicts, str):
        raise SurveyError("the last line does not say what was found")
    if found.get("chunk") != chunk or len(verdicts) != deals:
        raise SurveyError("what was found is another chunk's")
    return verdicts
