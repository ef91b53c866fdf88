"""What the files of surveys have in common: opened to be gone on from, and only appended to.

What breaks a survey off can tear what is written last; that is cut off when the file is
opened again, and settled again.
"""

import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from reprlib import repr as shortened
from types import TracebackType
from typing import ClassVar, Self

from scorpion.errors import SurveyError
from scorpion.surveys.chunks import Found, Job
from scorpion.surveys.locking import holder, lock


class SurveyFile(ABC):
    """A file that keeps what is found of a survey's chunks; it opens as a context.

    Only one at a time has it open, and raises :class:`SurveyError` where another process has.

    ``chunks`` are those that it holds, as far as it was read and written.
    """

    parameter: ClassVar[str]
    """What the caller calls the path."""
    kind: ClassVar[str]
    """What such a file is, in words."""

    def __init__(self, path: str | os.PathLike[str], job: Job) -> None:
        self.path = path_of(path, self.parameter)
        self.job = job
        self.chunks: set[int] = set()

    def __enter__(self) -> Self:
        try:
            # Unbuffered, so that nothing is left to be written when it is closed.
            self._file = FileIO(os.fspath(self.path), "a+")
        except (OSError, ValueError) as error:
            raise SurveyError(f"cannot open {self.path}: {reason(error)}") from error
        if not stat.S_ISREG(os.fstat(self._file.fileno()).st_mode):
            self._file.close()
            raise SurveyError(f"cannot keep {self.kind} in {self.path}: it is no file")
        if not lock(self._file.fileno()):
            who = holder(self._file.fileno())
            self._file.close()
            raise SurveyError(f"cannot open {self.path}: {who} is at work on it")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def held(self) -> Iterator[Found]:
        """What the file holds; one of another survey raises :class:`SurveyError`.

        Once all is read, the file is ready to be written to.
        """
        try:
            for found in self._read():
                self.chunks.add(found["chunk"])
                yield found
        except OSError as error:
            raise SurveyError(f"cannot read {self.path}: {reason(error)}") from error

    def add(self, found: Found, packed: bytes) -> None:
        """Keep what was found of a chunk, unless it is kept already.

        ``packed`` is its member of a certificate, empty if there is none.
        """
        if found["chunk"] not in self.chunks:
            self.write(self._chunk(found, packed))
            self.chunks.add(found["chunk"])

    @abstractmethod
    def _read(self) -> Iterator[Found]:
        """What the file holds, then cut off what was torn, or begin a file that is empty."""

    @abstractmethod
    def _chunk(self, found: Found, packed: bytes) -> bytes:
        """A chunk as it is written."""

    def cut(self, size: int) -> None:
        """Cut the file to its first bytes."""
        self._file.truncate(size)

    def write(self, data: bytes) -> None:
        """Append to the file. Raises :class:`SurveyError`."""
        try:
            while data:
                data = data[self._file.write(data) :]
        except OSError as error:
            raise SurveyError(f"cannot write {self.path}: {reason(error)}") from error


def path_of(path: object, parameter: str) -> Path:
    """The path, if it may name a file. Raises :class:`SurveyError`."""
    if not isinstance(path, str | os.PathLike):
        raise SurveyError(f"{parameter} is {path!r}; it must name a file")
    return Path(path)


def check_header(path: Path, held: dict[str, object], expected: dict[str, object]) -> None:
    """Raise :class:`SurveyError` if the file's header is another survey's."""
    for field, value in expected.items():
        if held.get(field) != value:
            raise SurveyError(
                f"{path} is another survey's: its {field} is {shortened(held.get(field))}, "
                f"not {shortened(value)}"
            )


def reason(error: OSError | ValueError) -> str:
    """What went wrong with a file, in words."""
    return getattr(error, "strerror", None) or str(error)
