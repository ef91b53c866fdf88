"""Surveys: many deals settled side by side, and the share of them that can be won."""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from functools import partial
from typing import Final, Literal

from scorpion.errors import SurveyError
from scorpion.limits import MAX_NODES, Cancel
from scorpion.rules import Rules, rules_of
from scorpion.solver import solve_many
from scorpion.surveys.certificates import Certificate
from scorpion.surveys.chunks import LOST, OPEN, WON, Found, Job, settle
from scorpion.surveys.evidence import settle_with_evidence
from scorpion.surveys.executors import ExecutorBrokeError, finished, hands_of
from scorpion.surveys.files import SurveyFile
from scorpion.surveys.record import Record
from scorpion.surveys.results import Distribution, Survey

REPORT: Final = 0.25
"""Seconds between two calls of progress at the least."""


def survey(
    game: str | Rules,
    numbers: Iterable[int],
    *,
    dealer: str = "pysolfc",
    max_nodes: int | None = MAX_NODES,
    executor: Executor | None = None,
    workers: int | None = None,
    path: str | os.PathLike[str] | None = None,
    certify: str | os.PathLike[str] | None = None,
    progress: Callable[[Survey], object] | None = None,
    cancel: Cancel | None = None,
) -> Survey:
    """Settle many numbered deals side by side and count: how many can be won?

    ``survey("scorpion", range(1, 1_000_001))`` makes no list of a million numbers; any
    other finite iterable does too. ``max_nodes`` holds for each deal, as in
    :func:`~scorpion.solve`, so the same counts come out wherever the deals are settled
    and however often the work was broken off.

    ``executor`` is any :class:`concurrent.futures.Executor`, ``Client.get_executor()`` of
    ``dask.distributed`` for one; it is not shut down. By default the survey has
    ``workers`` processes of its own, one for each core, and replaces them when one dies.
    As with any process pool, where processes are not forked a script makes the call under
    ``if __name__ == "__main__"``.

    ``path`` names a file to which each chunk of deals is written when it is settled, one
    JSON object a line. If it exists, the survey goes on from what it holds; a last line
    that was torn off is settled again.

    ``certify`` names a file to which the evidence on every deal is written besides: the line
    that wins it, or the proof of its loss, found within ``max_nodes`` too.
    :func:`check_survey` checks it all. From this file a survey goes on in the same way. It
    is compressed, some 100 bytes a deal; ``zcat`` shows it as JSON lines.

    ``progress`` is called with the :class:`Survey` so far: at the beginning, at the end,
    and in between when a chunk is settled, at most four times a second. ``cancel`` is
    asked 100 times a second whether ``is_set()``; then what is settled is returned.
    Ctrl-C ends the survey too, by its exception, and the file keeps what is settled.

    Raises :class:`RulesError`, :class:`DealError`, :class:`BudgetError`, and
    :class:`SurveyError` for a file that cannot be used or is another survey's, and for an
    executor that breaks; what was settled by then is in the file. Any other exception of
    an executor is passed on.
    """
    rules = rules_of(game)
    solve_many(rules, (), dealer=dealer, max_nodes=max_nodes)  # refuses what any chunk would
    job = Job.cut(rules, dealer, max_nodes, numbers)
    tally = _Tally(job)
    with closing(hands_of(executor, workers)) as hands, ExitStack() as stack:
        files: list[SurveyFile] = []
        if path is not None:
            files.append(stack.enter_context(Record(path, job)))
        if certify is not None:
            files.append(stack.enter_context(Certificate(certify, job)))
        for file in files:
            for found in file.held():
                tally.add(found)
        _report(progress, tally)
        reported = time.monotonic()
        held = set.intersection(tally.chunks, *(file.chunks for file in files))
        work = settle if certify is None else settle_with_evidence
        calls = (
            partial(work, rules, dealer, max_nodes, chunk, job.deals(chunk))
            for chunk in range(job.chunks)
            if chunk not in held
        )
        with closing(finished(calls, hands, cancel)) as fresh:
            try:
                for found, packed in fresh:
                    job.check(found)
                    for file in files:
                        file.add(found, packed)
                    tally.add(found)
                    held.add(found["chunk"])
                    if time.monotonic() - reported >= REPORT:
                        _report(progress, tally)
                        reported = time.monotonic()
            except ExecutorBrokeError as error:
                done = f"{sum(tally.verdicts.values()):,} of {len(job.numbers):,} deals are settled"
                where = " and ".join(str(file.path) for file in files)
                kept = f" and kept in {where}" if files else ""
                raise SurveyError(f"the executor broke ({error}); {done}{kept}") from error
    _report(progress, tally)
    return tally.survey("cancelled" if len(held) < job.chunks else None)


def _report(progress: Callable[[Survey], object] | None, tally: "_Tally") -> None:
    if progress is not None:
        progress(tally.survey())


class _Tally:
    """What is found of a survey's chunks, added up, none of them twice."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.chunks: set[int] = set()
        self.verdicts: Counter[str] = Counter()
        self.open: list[int] = []
        self.nodes: Counter[float] = Counter()
        self.lengths: Counter[float] = Counter()
        self.seconds: Counter[float] = Counter()

    def add(self, found: Found) -> None:
        """Count a chunk, unless it is counted already."""
        if found["chunk"] in self.chunks:
            return
        self.chunks.add(found["chunk"])
        verdicts: str = found["verdicts"]
        self.verdicts.update(verdicts)
        if OPEN in verdicts:
            deals = zip(verdicts, self.job.deals(found["chunk"]), strict=True)
            self.open += [number for verdict, number in deals if verdict == OPEN]
        self.nodes.update(dict(found["nodes"]))
        self.lengths.update(dict(found["lengths"]))
        self.seconds.update(dict(found["seconds"]))

    def survey(self, limit: Literal["cancelled"] | None = None) -> Survey:
        """The survey so far."""
        job, verdicts = self.job, self.verdicts
        return Survey(
            rules=job.rules,
            dealer=job.dealer,
            numbers=job.numbers,
            max_nodes=job.max_nodes,
            won=verdicts[WON],
            lost=verdicts[LOST],
            undecided=verdicts[OPEN],
            open=tuple(sorted(self.open)),
            nodes=_distribution(self.nodes),
            lengths=_distribution(self.lengths),
            seconds=_distribution(self.seconds),
            limit=limit,
        )


def _distribution(counts: Counter[float]) -> Distribution:
    return Distribution(dict(sorted(counts.items())))
