"""Reads the messages of the values socket from their bytes: the packed doubles of `Values` become numpy arrays
without a copy.

This is the reader for what motiond sends: each field at most once, lists packed. A message that is valid in another
form is read by the protobuf library instead, so that every valid message gives the same result. Anything else raises
`WireError`, and counts as lost. Cost: some 10 µs for a message of any length.
"""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

import numpy as np
from google.protobuf.message import DecodeError
from numpy.typing import NDArray

from ._proto import motion_pb2 as pb

Doubles = NDArray[np.float64]
Integers = NDArray[np.int64]

_NOTHING: Doubles = np.empty(0)
#: Reads a double at an index.
DOUBLE = struct.Struct("<d").unpack_from
#: Wire types of the protobuf encoding.
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
#: The members of Envelope's body on the values socket.
_VALUES, _NAMES, _ENDED, _DRIVERS = 30, 31, 32, 33
#: The lists and the whole numbers among the fields of Values, as bits.
_LISTS = 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 8 | 1 << 10
_NUMBERS = 1 << 1 | 1 << 9 | 1 << 11 | 1 << 12
#: Longer messages do not exist (docs/protocol.md, Limits); a limit here, so that nothing else has to be checked.
LONGEST = 1 << 20


class WireError(ValueError):
    """Bytes that are no message of this protocol."""


class ValuesMessage(NamedTuple):
    """A message `Values`. The lists of integers are still encoded, because they rarely change from frame to frame."""

    frame: int
    time: float
    dt: float
    handles: bytes
    counts: bytes
    lanes: Doubles
    velocities: Doubles
    late: bytes
    is_complete: bool
    forgotten: bytes
    part: int
    has_more: bool


class PublishedMessage(NamedTuple):
    """A message of the values socket: an Envelope with one of these bodies, or with an unknown one (None)."""

    epoch: int
    sequence: int
    body: ValuesMessage | pb.Names | pb.Ended | pb.Drivers | None


class _Unusual(Exception):
    """The message has a valid form that motiond does not use."""


def split_topic(message: bytes) -> tuple[bytes, int]:
    """The topic of a message, and the index at which its Envelope begins."""
    end = message.find(b"\0", 0, 300)
    if end < 0:
        raise WireError("the message has no topic")
    return message[:end], end + 1


def read_published(message: bytes, start: int = 0) -> PublishedMessage:
    """Reads an Envelope that begins at an index of a message."""
    if len(message) > LONGEST:
        raise WireError(f"the message has {len(message)} bytes, and at most {LONGEST} are read")
    try:
        return _read_envelope(message, start)
    except _Unusual:
        return _read_by_library(message[start:])
    except (IndexError, struct.error) as error:
        raise WireError("the message is cut off") from error


def read_integers(packed: bytes) -> Integers:
    """The numbers of a packed list of uint32. Linear; some 5 ns each."""
    if not packed:
        return np.empty(0, np.int64)
    data = np.frombuffer(packed, np.uint8)
    is_last = data < 0x80
    if is_last.all():
        return data.astype(np.int64)
    if not is_last[-1]:
        raise WireError("a number of a list is cut off")
    ends = np.flatnonzero(is_last)
    starts = np.empty_like(ends)
    starts[0] = 0
    starts[1:] = ends[:-1] + 1
    lengths = ends - starts + 1
    if int(lengths.max()) > 10:
        raise WireError("a number of a list has more than ten bytes")
    places = np.arange(data.size) - np.repeat(starts, lengths)
    # A uint32 has five bytes; what a longer one adds is cut off, as the protobuf library does.
    shifted = np.where(places < 5, (data & 0x7F).astype(np.int64) << (7 * np.minimum(places, 4)), 0)
    return np.add.reduceat(shifted, starts) & 0xFFFF_FFFF


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """The number at an index, and the index after it."""
    byte = data[at]
    if byte < 0x80:
        return byte, at + 1
    value, shift = byte & 0x7F, 7
    while True:
        at += 1
        byte = data[at]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, at + 1
        shift += 7
        if shift > 63:
            raise WireError("a number has more than ten bytes")


def _skip(data: bytes, at: int, wire: int, end: int) -> int:
    """The index after a field of an unknown number."""
    if wire == _VARINT:
        at = read_varint(data, at)[1]
    elif wire == _FIXED64:
        at += 8
    elif wire == _BYTES:
        length, at = read_varint(data, at)
        at += length
    elif wire == _FIXED32:
        at += 4
    else:
        raise _Unusual
    if at > end:
        raise WireError("a field is cut off")
    return at


def _read_envelope(data: bytes, at: int) -> PublishedMessage:
    end = len(data)
    epoch = sequence = 0
    body: ValuesMessage | pb.Names | pb.Ended | pb.Drivers | None = None
    while at < end:
        # Numbers of one byte are read in place: they are most of them, and a call costs more than the rest.
        tag = data[at]
        at += 1
        if tag > 0x7F:
            tag, at = read_varint(data, at - 1)
        number, wire = tag >> 3, tag & 7
        if wire == _VARINT:
            value = data[at]
            at += 1
            if value > 0x7F:
                value, at = read_varint(data, at - 1)
            if number == 2:
                epoch = value
            elif number == 4:
                sequence = value
            elif number == 0:
                raise WireError("a field has the number 0")
        elif wire == _BYTES and _VALUES <= number <= _DRIVERS:
            length, at = read_varint(data, at)
            if at + length > end:
                raise WireError("the body is cut off")
            if body is not None:
                raise _Unusual
            body = _read_body(data, at, at + length, number)
            at += length
        elif number < 8 or 10 <= number <= 80:
            # A known field of another shape, or another body: which one counts is the library's decision.
            if (number == 6 and wire == _FIXED64) or (number == 3 and wire == _FIXED64):
                at += 8
            else:
                raise _Unusual
        else:
            at = _skip(data, at, wire, end)
    if at > end:
        raise WireError("a field is cut off")
    return PublishedMessage(epoch, sequence, body)


def _read_body(data: bytes, at: int, end: int, number: int) -> ValuesMessage | pb.Names | pb.Ended | pb.Drivers:
    if number == _VALUES:
        return _read_values(data, at, end)
    message = {_NAMES: pb.Names, _ENDED: pb.Ended, _DRIVERS: pb.Drivers}[number]
    try:
        return message.FromString(data[at:end])
    except DecodeError as error:
        raise WireError(str(error)) from error


def _read_values(data: bytes, at: int, end: int) -> ValuesMessage:
    fields: list[Any] = [0, 0, 0.0, 0.0, b"", b"", _NOTHING, _NOTHING, b"", 0, b"", 0, 0]
    seen = 0
    while at < end:
        tag = data[at]
        at += 1
        if tag > 0x7F:
            tag, at = read_varint(data, at - 1)
        number, wire = tag >> 3, tag & 7
        if not 1 <= number <= 12:
            if number == 0:
                raise WireError("a field has the number 0")
            at = _skip(data, at, wire, end)
            continue
        if seen >> number & 1:
            raise _Unusual
        seen |= 1 << number
        if wire == _BYTES and _LISTS >> number & 1:
            length = data[at]
            at += 1
            if length > 0x7F:
                length, at = read_varint(data, at - 1)
            if at + length > end:
                raise WireError("a list is cut off")
            if number == 6 or number == 7:
                if length & 7:
                    raise WireError("a list of doubles has a part of one")
                fields[number] = np.frombuffer(data, "<f8", length >> 3, at) if length else _NOTHING
            else:
                fields[number] = data[at : at + length]
            at += length
        elif wire == _VARINT and _NUMBERS >> number & 1:
            value = data[at]
            at += 1
            if value > 0x7F:
                value, at = read_varint(data, at - 1)
            fields[number] = value
        elif wire == _FIXED64 and number in (2, 3):
            fields[number] = DOUBLE(data, at)[0]
            at += 8
        else:
            raise _Unusual
    if at != end:
        raise WireError("a field is cut off")
    _, frame, time, dt, handles, counts, lanes, velocities, late, complete, forgotten, part, more = fields
    return ValuesMessage(
        frame,
        time,
        dt,
        handles,
        counts,
        lanes,
        velocities,
        late,
        complete != 0,
        forgotten,
        part & 0xFFFF_FFFF,
        more != 0,
    )


def _read_by_library(data: bytes) -> PublishedMessage:
    try:
        envelope = pb.Envelope.FromString(data)
    except DecodeError as error:
        raise WireError(str(error)) from error
    name = envelope.WhichOneof("body")
    body: ValuesMessage | pb.Names | pb.Ended | pb.Drivers | None = None
    if name == "values":
        values = envelope.values
        body = ValuesMessage(
            values.frame,
            values.time,
            values.dt,
            pack_integers(values.handles),
            pack_integers(values.counts),
            np.array(values.lanes, np.float64),
            np.array(values.velocities, np.float64),
            pack_integers(values.late),
            values.complete,
            pack_integers(values.forgotten),
            values.part,
            values.more,
        )
    elif name == "names":
        body = envelope.names
    elif name == "ended":
        body = envelope.ended
    elif name == "drivers":
        body = envelope.drivers
    return PublishedMessage(envelope.epoch, envelope.sequence, body)


def pack_integers(numbers: Any) -> bytes:
    """A packed list of uint32, as `read_integers` reads it."""
    packed = bytearray()
    for number in numbers:
        while number > 0x7F:
            packed.append(number & 0x7F | 0x80)
            number >>= 7
        packed.append(number)
    return bytes(packed)
