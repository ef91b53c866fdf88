"""The form of a certificate: a gzip file of which every chunk is a member that can be checked.

A gzip file is a row of members, each compressed by itself (RFC 1952), so ``zcat`` reads a
certificate as JSON lines. The first member is the header, and member k + 1 holds chunk k;
chunks stand in the order in which they were settled. Every member begins with 36 bytes that
are always there, with what gzip itself does not keep in an extra field "SC" of its own:

====== ===== ===================================================================
bytes  value
====== ===== ===================================================================
0-15   fixed gzip's magic number, deflate, an extra field, no time, no system; "SC"
16-19  u32   which member it is: 0 the header, k + 1 chunk k
20-27  u64   how many bytes follow these 36: the deflated lines and gzip's trailer
28-31  u32   CRC-32 of those
32-35  u32   CRC-32 of bytes 0 to 31
====== ===== ===================================================================

Numbers are little-endian, as gzip's are. A CRC-32 finds every change within four bytes in a
row, so no byte can be altered unseen. A file that was broken off ends within a member whose
length is known to be right, and is told from an altered one by that.
"""

import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from struct import Struct
from typing import BinaryIO, Final

from scorpion.errors import SurveyError

_DATA: Final = Struct("<IQII")
_FIXED: Final = (
    b"\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff"  # the extra field is the one flag
    + (4 + _DATA.size).to_bytes(2, "little")
    + b"SC"
    + _DATA.size.to_bytes(2, "little")
)
HEAD_SIZE: Final = len(_FIXED) + _DATA.size
_CHECKED: Final = HEAD_SIZE - 4
"""Bytes of the head before their own checksum."""
_TRAILER: Final = Struct("<II")
LEVEL: Final = 6
"""Of compression. 9 saves 5% and takes four times as long, LZMA 25% and ten times."""


class CutShortError(SurveyError):
    """The file ends within a member."""


@dataclass(frozen=True, slots=True)
class Member:
    """A member with a right checksum: where it begins in its file, which it is, its bytes."""

    offset: int
    number: int
    data: bytes

    @property
    def chunk(self) -> int:
        """The chunk that it holds; -1 for the header."""
        return self.number - 1

    @property
    def end(self) -> int:
        """Where the next one begins."""
        return self.offset + len(self.data)


def part(number: int) -> str:
    """Which part of a certificate a member of that number is, in words."""
    return f"chunk {number - 1}" if number else "the header"


def packed(number: int, lines: Iterable[object]) -> bytes:
    """A member that holds the lines as JSON, each compressed before the next is asked for."""
    deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    parts = []
    checksum = size = 0
    for line in lines:
        text = json.dumps(line, separators=(",", ":")).encode() + b"\n"
        parts.append(deflate.compress(text))
        checksum = zlib.crc32(text, checksum)
        size += len(text)
    parts += [deflate.flush(), _TRAILER.pack(checksum, size % 2**32)]
    body = b"".join(parts)
    head = _FIXED + _DATA.pack(number, len(body), zlib.crc32(body), 0)[:-4]
    return head + zlib.crc32(head).to_bytes(4, "little") + body


def members(path: Path, file: BinaryIO) -> Iterator[Member]:
    """The members of an open file, one in memory at a time.

    Raises :class:`CutShortError` where the file ends within one, and another
    :class:`SurveyError` with the place for one that was altered.
    """
    size = os.fstat(file.fileno()).st_size
    offset = 0
    while head := _read(path, file, HEAD_SIZE):
        if not head.startswith(_FIXED[: len(head)]):
            what = "no certificate" if offset == 0 else "damaged where a chunk should begin"
            raise SurveyError(f"{path}, byte {offset}: {what}")
        if len(head) < HEAD_SIZE:
            raise CutShortError(f"{path}, byte {offset}: the file is cut short here")
        number, length, checksum, own = _DATA.unpack_from(head, len(_FIXED))
        if own != zlib.crc32(head[:_CHECKED]):
            raise SurveyError(f"{path}, byte {offset}: damaged where a chunk should begin")
        if length > size - offset - HEAD_SIZE:
            raise CutShortError(f"{path}, byte {offset}: the file is cut short in {part(number)}")
        body = _read(path, file, length)
        if checksum != zlib.crc32(body):
            raise SurveyError(f"{path}, byte {offset}: {part(number)} is damaged")
        yield Member(offset, number, head + body)
        offset += HEAD_SIZE + length


def _read(path: Path, file: BinaryIO, size: int) -> bytes:
    try:
        return file.read(size)
    except OSError as error:
        raise SurveyError(f"cannot read {path}: {error.strerror}") from error


def lines(data: bytes) -> Iterator[object]:
    """What the lines of a member say, one in memory at a time.

    Raises :class:`SurveyError` with the line for what is not JSON.
    """
    number = 1
    try:
        with gzip.GzipFile(fileobj=BytesIO(data)) as content:
            for number, line in enumerate(content, 1):  # noqa: B007
                yield json.loads(line)
    except (ValueError, RecursionError, EOFError, OSError, zlib.error):
        raise SurveyError(f"line {number} is no JSON") from None
