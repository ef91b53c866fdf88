"""The certificate of a survey: for every deal the line that wins it, or the proof of its loss.

It is written in the form of ``members``, a chunk a member, and keeps what the record keeps
besides. A chunk's lines are those of its deals, in their order, as ``evidence`` has them,
and then what was found of the chunk.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Final

from scorpion.errors import ScorpionError, SurveyError
from scorpion.surveys.chunks import Found, Job
from scorpion.surveys.files import SurveyFile, check_header
from scorpion.surveys.members import CutShortError, Member, lines, members, packed

FORM: Final = 1
"""The version of the form, which the header says."""


class Certificate(SurveyFile):
    """A survey's certificate, which opens as a context."""

    parameter: ClassVar[str] = "certify"
    kind: ClassVar[str] = "a certificate"

    def _read(self) -> Iterator[Found]:
        expected = {"certificate": FORM} | self.job.header
        header = packed(0, [expected])
        whole = 0  # bytes in whole members
        with self.path.open("rb") as file:
            try:
                for member in members(self.path, file):
                    if member.offset == 0:
                        check_header(self.path, header_of(self.path, member), expected)
                    else:
                        yield self._found(member)
                    whole = member.end
            except CutShortError:
                if whole == 0 and not header.startswith(self.path.read_bytes()):
                    raise  # what is cut off may be another survey's
        self.cut(whole)
        if whole == 0:
            self.write(header)

    def _chunk(self, found: Found, packed: bytes) -> bytes:  # noqa: ARG002 - it is packed too
        return packed

    def _found(self, member: Member) -> Found:
        last: object = None
        try:
            for last in lines(member.data):  # noqa: B007
                pass
            found = self.job.check(last)
        except SurveyError as error:
            raise SurveyError(f"{self.path}, byte {member.offset}: {error}") from None
        if found["chunk"] != member.chunk:
            raise SurveyError(
                f"{self.path}, byte {member.offset}: chunk {found['chunk']} in the place of "
                f"chunk {member.chunk}"
            )
        return found


def header_of(path: Path, member: Member) -> dict[str, Any]:
    """What a certificate's first member says. Raises :class:`SurveyError` if it is none."""
    try:
        header = next(lines(member.data), None)
    except SurveyError:
        header = None
    if member.number or not isinstance(header, dict) or "certificate" not in header:
        raise SurveyError(f"{path}, byte {member.offset}: no certificate's header")
    if header["certificate"] != FORM:
        raise SurveyError(
            f"{path}, byte {member.offset}: a certificate of form {header['certificate']!r}, "
            f"where this version of scorpion knows form {FORM}"
        )
    return header


def job_of(path: Path, member: Member) -> Job:
    """The survey that a certificate is of, from its first member. Raises :class:`SurveyError`."""
    header = header_of(path, member)
    try:
        return Job.of(header)
    except ScorpionError as error:
        raise SurveyError(f"{path}, byte {member.offset}: {error}") from None
