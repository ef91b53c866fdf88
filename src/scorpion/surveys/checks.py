"""Checking the certificate of a survey: every line replayed, every proof checked."""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from typing import BinaryIO, Final, Literal

from scorpion.errors import SurveyError
from scorpion.limits import Cancel, Limits
from scorpion.rules import Rules, rules_of
from scorpion.surveys.certificates import header_of, job_of
from scorpion.surveys.chunks import LOST, OPEN, WON, Job
from scorpion.surveys.evidence import UNPROVED, Checked, check_chunk
from scorpion.surveys.executors import ExecutorBrokeError, finished, hands_of
from scorpion.surveys.files import path_of, reason
from scorpion.surveys.members import members, part
from scorpion.surveys.results import SurveyCheck

IN_FLIGHT: Final = 64
"""Chunks, with all their evidence, that an executor is given at once at the most."""
REPORT: Final = 0.25
"""Seconds between two calls of progress at the least."""


def check_survey(
    path: str | os.PathLike[str],
    *,
    game: str | Rules | None = None,
    executor: Executor | None = None,
    workers: int | None = None,
    progress: Callable[[SurveyCheck], object] | None = None,
    cancel: Cancel | None = None,
) -> SurveyCheck:
    """Check what :func:`survey` wrote with ``certify``, without trust in the solver.

    Every line is replayed on the slow engine in plain Python, and every proof is given to
    :func:`check_proof`, which shares only the rules with what found it. That takes about
    1.5 ms for a line and 1 ms for a position of a proof; most proofs have one. Deals with
    wrong evidence are named in the result. Proofs and lines hold whatever engine found
    them, so a certificate of another version of scorpion is checked like one of this.

    ``game`` is what the survey has to be of, if it is given. ``executor``, ``workers``,
    ``progress`` and ``cancel`` are as for :func:`survey`.

    Raises :class:`SurveyError` with the place for a file that is no certificate, of another
    game, cut short (a survey that was broken off too: go on with it first), or altered,
    be it in one byte, before anything is checked; :class:`RulesError` for an unknown game;
    and :class:`SurveyError` for an executor that breaks.
    """
    rules = None if game is None else rules_of(game)
    Limits.checked(None, None, None, cancel)
    where = path_of(path, "path")
    with closing(hands_of(executor, workers)) as hands, _opened(where) as file:
        tally = _Tally(*_survey_in(where, file, rules))
        _report(progress, tally)
        reported = time.monotonic()
        file.seek(0)
        calls = _calls(where, file, tally.job)
        with closing(finished(calls, hands, cancel, IN_FLIGHT)) as checked:
            try:
                for each in checked:
                    tally.add(each)
                    if time.monotonic() - reported >= REPORT:
                        _report(progress, tally)
                        reported = time.monotonic()
            except ExecutorBrokeError as error:
                raise SurveyError(f"the executor broke ({error})") from error
    _report(progress, tally)
    return tally.result("cancelled" if tally.chunks < tally.job.chunks else None)


def _opened(path: Path) -> BinaryIO:
    try:
        file = path.open("rb")
    except (OSError, ValueError) as error:
        raise SurveyError(f"cannot open {path}: {reason(error)}") from error
    return file


def _report(progress: Callable[[SurveyCheck], object] | None, tally: "_Tally") -> None:
    if progress is not None:
        progress(tally.result())


def _survey_in(path: Path, file: BinaryIO, rules: Rules | None) -> tuple[Job, str]:
    """The survey of a certificate and its engine, if each of its chunks is there once."""
    found = members(path, file)
    first = next(found, None)
    if first is None:
        raise SurveyError(f"{path}, byte 0: no certificate, but an empty file")
    job = job_of(path, first)
    if rules is not None and rules != job.rules:
        raise SurveyError(f"{path}, byte 0: a survey of {job.rules.name}, not of {rules.name}")
    held: set[int] = set()
    end = first.end
    for member in found:
        if member.chunk in held:
            raise SurveyError(f"{path}, byte {member.offset}: {part(member.number)} once more")
        if not 0 <= member.chunk < job.chunks:
            raise SurveyError(
                f"{path}, byte {member.offset}: {part(member.number)} of a survey of "
                f"{job.chunks:,} chunks"
            )
        held.add(member.chunk)
        end = member.end
    if len(held) < job.chunks:
        missing = next(chunk for chunk in count() if chunk not in held)
        raise SurveyError(
            f"{path}, byte {end}: the file ends here, with {len(held):,} of the survey's "
            f"{job.chunks:,} chunks; the first that is missing is chunk {missing}"
        )
    return job, str(header_of(path, first).get("engine"))


def _calls(path: Path, file: BinaryIO, job: Job) -> Iterator[Callable[[], Checked]]:
    """What is to be done for each chunk, which is read when that is given out."""
    for member in members(path, file):
        if member.offset:
            chunk = member.chunk
            place = f"{path}, byte {member.offset}: {part(member.number)}"
            yield partial(
                check_chunk, job.rules, job.dealer, chunk, job.deals(chunk), member.data, place
            )


class _Tally:
    """What is checked of a certificate, added up."""

    def __init__(self, job: Job, engine: str) -> None:
        self.job = job
        self.engine = engine
        self.chunks = 0
        self.letters: Counter[str] = Counter()
        self.unproved: list[int] = []
        self.open: list[int] = []
        self.wrong: dict[int, str] = {}

    def add(self, checked: Checked) -> None:
        """Count a chunk."""
        chunk, letters, wrong = checked
        self.chunks += 1
        self.letters.update(letters)
        self.wrong |= wrong
        for letter, numbers in (UNPROVED, self.unproved), (OPEN, self.open):
            if letter in letters:
                deals = zip(letters, self.job.deals(chunk), strict=True)
                numbers += [number for each, number in deals if each == letter]

    def result(self, limit: Literal["cancelled"] | None = None) -> SurveyCheck:
        """The check so far."""
        job = self.job
        return SurveyCheck(
            rules=job.rules,
            dealer=job.dealer,
            numbers=job.numbers,
            max_nodes=job.max_nodes,
            engine=self.engine,
            won=self.letters[WON],
            lost=self.letters[LOST],
            unproved=tuple(sorted(self.unproved)),
            open=tuple(sorted(self.open)),
            wrong=dict(sorted(self.wrong.items())),
            limit=limit,
        )
