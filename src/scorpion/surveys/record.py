"""The file of a survey: JSON lines, the first says which survey, the others hold a chunk each.

A line is written whole when its chunk is settled. What breaks a survey off can tear the
last line at the most; it is cut off when the file is opened again.
"""

import json
import os
import stat
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from reprlib import repr as shortened
from types import TracebackType
from typing import Final, Self

from scorpion.errors import SurveyError
from scorpion.surveys.chunks import Found, Job

LINE_END: Final = b"\n"


class Record:
    """A survey's file, which opens as a context; without a path it holds and keeps nothing."""

    def __init__(self, path: str | os.PathLike[str] | None, job: Job) -> None:
        if path is not None and not isinstance(path, str | os.PathLike):
            raise SurveyError(f"path is {path!r}; it must name a file")
        self._path = None if path is None else Path(path)
        self._job = job
        self._file: FileIO | None = None

    def __enter__(self) -> Self:
        if self._path is not None:
            try:
                # Unbuffered, so that nothing is left to be written when it is closed.
                self._file = FileIO(os.fspath(self._path), "a+")
            except (OSError, ValueError) as error:
                raise SurveyError(f"cannot open {self._path}: {_reason(error)}") from error
            if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
                self._file.close()
                raise SurveyError(f"cannot keep a survey in {self._path}: it is no file")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def held(self) -> Iterator[Found]:
        """What the file holds; one of another survey raises :class:`SurveyError`."""
        if self._path is None or self._file is None:
            return
        header = _line(self._job.header)
        whole = 0  # bytes in whole lines
        try:
            with self._path.open("rb") as lines:
                for number, line in enumerate(lines, 1):
                    if not line.endswith(LINE_END) and (number > 1 or header.startswith(line)):
                        break
                    if number == 1:
                        self._check_header(line)
                    else:
                        yield self._chunk(number, line)
                    whole += len(line)
            self._file.truncate(whole)
        except OSError as error:
            raise SurveyError(f"cannot read {self._path}: {_reason(error)}") from error
        if whole == 0:
            self._write(header)

    def add(self, found: Found) -> None:
        """Keep what was found of a chunk."""
        if self._file is not None:
            self._write(_line(found))

    def _check_header(self, line: bytes) -> None:
        held = _read(line)
        if not isinstance(held, dict) or "survey" not in held:
            raise SurveyError(f"{self._path} is no survey's file")
        for field, value in self._job.header.items():
            if held.get(field) != value:
                other = shortened(held.get(field))
                raise SurveyError(
                    f"{self._path} is another survey's: its {field} is {other}, "
                    f"not {shortened(value)}"
                )

    def _chunk(self, number: int, line: bytes) -> Found:
        try:
            return self._job.check(_read(line))
        except SurveyError as error:
            raise SurveyError(f"{self._path}, line {number}: {error}") from None

    def _write(self, line: bytes) -> None:
        assert self._file is not None
        try:
            while line:
                line = line[self._file.write(line) :]
        except OSError as error:
            raise SurveyError(f"cannot write {self._path}: {_reason(error)}") from error


def _line(content: dict[str, object]) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode() + LINE_END


def _read(line: bytes) -> object:
    """What a line says, None if that is not JSON."""
    try:
        return json.loads(line)
    except ValueError:
        return None


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)
