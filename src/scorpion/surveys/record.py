"""The record of a survey: JSON lines, the first says which survey, the others hold a chunk each.

A line is written whole when its chunk is settled.
"""

import json
from collections.abc import Iterator
from typing import ClassVar, Final

from scorpion.errors import SurveyError
from scorpion.surveys.chunks import Found
from scorpion.surveys.files import SurveyFile, check_header

LINE_END: Final = b"\n"


class Record(SurveyFile):
    """A survey's record, which opens as a context."""

    parameter: ClassVar[str] = "path"
    kind: ClassVar[str] = "a survey"

    def _read(self) -> Iterator[Found]:
        header = _line({"survey": 1} | self.job.header)
        whole = 0  # bytes in whole lines
        with self.path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.endswith(LINE_END) and (number > 1 or header.startswith(line)):
                    break
                if number == 1:
                    self._check_header(line)
                else:
                    yield self._found(number, line)
                whole += len(line)
        self.cut(whole)
        if whole == 0:
            self.write(header)

    def _chunk(self, found: Found, packed: bytes) -> bytes:  # noqa: ARG002 - for certificates
        return _line(found)

    def _check_header(self, line: bytes) -> None:
        held = _content(line)
        if not isinstance(held, dict) or "survey" not in held:
            raise SurveyError(f"{self.path} is no survey's file")
        check_header(self.path, held, {"survey": 1} | self.job.header)

    def _found(self, number: int, line: bytes) -> Found:
        try:
            return self.job.check(_content(line))
        except SurveyError as error:
            raise SurveyError(f"{self.path}, line {number}: {error}") from None


def _line(content: dict[str, object]) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode() + LINE_END


def _content(line: bytes) -> object:
    """What a line says, None if that is not JSON."""
    try:
        return json.loads(line)
    except ValueError:
        return None
