"""Reads files in the format MCAP (mcap.dev/spec), uncompressed, as motiond writes them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from ._errors import RecordingError

_MAGIC = b"\x89MCAP0\r\n"
_HEADER, _FOOTER, _SCHEMA, _CHANNEL, _MESSAGE, _CHUNK, _METADATA, _DATA_END = 1, 2, 3, 4, 5, 6, 12, 15
_HEAD = struct.Struct("<BQ")
_MESSAGE_HEAD = struct.Struct("<HIQQ")
_CHUNK_HEAD = struct.Struct("<QQQI")


class Message(NamedTuple):
    """A message of a channel."""

    #: When it was logged, in nanoseconds since 1970.
    log_time: int
    data: bytes


class File:
    """The content of a file."""

    def __init__(self) -> None:
        self.profile = ""
        self.metadata: dict[str, dict[str, str]] = {}
        self.messages: dict[str, list[Message]] = {}
        #: Whether the file has its end.
        self.is_complete = False


class _CutOff(Exception):
    """The file ends before the end of a record, whose place is 0 if it is in a chunk."""

    def __init__(self, place: int = 0) -> None:
        super().__init__()
        self.place = place


def read_file(content: bytes, name: str) -> File:
    """Reads the whole content of a file. Raises `RecordingError` with the place of the damage."""
    if content[:5] != _MAGIC[:5]:
        raise RecordingError(f"{name} is not in the format MCAP", "Give a recording of motiond, of format 2 or later.")
    if not _MAGIC.startswith(content[:8]):
        raise RecordingError(f"{name} is of another version of MCAP", "Read it with a newer version of this package.")
    file, topics = File(), dict[int, str]()
    place = len(_MAGIC)
    try:
        for place, code, record in _records(content, len(_MAGIC)):
            if code == _CHUNK:
                for _, inner, part in _records(_chunk(record), 0):
                    _take(file, topics, inner, part)
            elif code in (_DATA_END, _FOOTER):
                file.is_complete = content.endswith(_MAGIC) and len(content) > place + 8
                break
            else:
                _take(file, topics, code, record)
    except _CutOff as cut:
        # What is whole before the place of the interruption is valid.
        place = cut.place or place
    except (struct.error, UnicodeDecodeError, ValueError, KeyError, IndexError) as error:
        raise RecordingError(f"{name} is damaged at byte {place}: {error}", "Use an undamaged copy.") from error
    if not file.is_complete and not any(file.messages.values()):
        raise RecordingError(
            f"{name} is damaged or cut off at byte {place}, before its first message",
            "Use an undamaged copy: a recording begins with the state of motiond.",
        )
    return file


def _records(content: bytes, place: int) -> Iterator[tuple[int, int, bytes]]:
    """The records with their places. Of a file that is cut off, those before the place raise `_CutOff` at the end."""
    while place < len(content):
        if len(content) - place < _HEAD.size:
            raise _CutOff(place)
        code, length = _HEAD.unpack_from(content, place)
        start = place + _HEAD.size
        if code == 0:
            raise ValueError("a record has the opcode 0")
        if length > len(content) - start:
            if code == _CHUNK:
                # Of a chunk that is cut off, the whole messages follow.
                yield place, code, content[start:]
            raise _CutOff(place)
        yield place, code, content[start : start + length]
        place = start + length


def _chunk(record: bytes) -> bytes:
    """The records of a chunk."""
    if len(record) < _CHUNK_HEAD.size + 12:
        raise _CutOff
    _, _, size, checksum = _CHUNK_HEAD.unpack_from(record)
    compression, at = _text(record, _CHUNK_HEAD.size)
    if compression:
        raise ValueError(f"a chunk is compressed with {compression}: mcap decompress IN.mcap --output OUT.mcap")
    (stored,) = struct.unpack_from("<Q", record, at)
    if stored != size:
        raise ValueError("a chunk has two sizes")
    records = record[at + 8 : at + 8 + stored]
    if len(records) == stored and checksum and zlib.crc32(records) != checksum:
        raise ValueError("the content of a chunk differs from its checksum")
    return records


def _take(file: File, topics: dict[int, str], code: int, record: bytes) -> None:
    if code == _MESSAGE:
        channel, _, log_time, _ = _MESSAGE_HEAD.unpack_from(record)
        file.messages[topics[channel]].append(Message(log_time, record[_MESSAGE_HEAD.size :]))
    elif code == _CHANNEL:
        (number,) = struct.unpack_from("<H", record)
        topics[number], _ = _text(record, 4)
        _ = file.messages.setdefault(topics[number], [])
    elif code == _HEADER:
        file.profile, _ = _text(record, 0)
    elif code == _METADATA:
        name, at = _text(record, 0)
        file.metadata[name] = _map(record, at)


def _text(record: bytes, at: int) -> tuple[str, int]:
    (length,) = struct.unpack_from("<I", record, at)
    end = at + 4 + length
    if end > len(record):
        raise ValueError("a text is longer than its record")
    return record[at + 4 : end].decode(), end


def _map(record: bytes, at: int) -> dict[str, str]:
    (length,) = struct.unpack_from("<I", record, at)
    at += 4
    end = at + length
    texts: dict[str, str] = {}
    while at < end:
        key, at = _text(record, at)
        texts[key], at = _text(record, at)
    return texts
