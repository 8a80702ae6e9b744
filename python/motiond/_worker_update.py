"""The one place that encodes what a worker sends: envelopes, and the columns of values in an update.

Values are never Python lists here: a block holds numpy arrays, which are packed protobuf fields as they are. What does
not change from frame to frame (which executors write which properties, with how many lanes) is a ``Shape``, encoded
once, and not sent any more once motiond has it. The message is in the form that motiond decodes fastest: each array is
one packed field.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ._link_messages import Outgoing, UpdateBody

Floats: TypeAlias = NDArray[np.float64]

#: The largest magnitudes of a value and of a velocity that motiond accepts.
VALUE_MAGNITUDE = 1e120
VELOCITY_MAGNITUDE = 1e140

#: An unknown time in `remaining` and `carry`.
UNKNOWN = -1.0

_SHIFTS = np.arange(0, 35, 7, dtype=np.uint32)
_PLACES = np.arange(5)


def varint(number: int) -> bytes:
    """A number as protobuf encodes it."""
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def packed_varints(numbers: NDArray[np.uint32]) -> bytes:
    """Numbers below 2^32 as the content of a packed field."""
    if not numbers.size or int(numbers.max()) < 0x80:
        return numbers.astype(np.uint8).tobytes()
    groups = ((numbers[:, None] >> _SHIFTS) & 0x7F).astype(np.uint8)
    lengths = 1 + np.count_nonzero(numbers[:, None] >> _SHIFTS[1:], axis=1)
    groups[lengths[:, None] - 1 > _PLACES] |= 0x80
    return groups[lengths[:, None] > _PLACES].tobytes()


class Shape:
    """Which executors write which properties, with how many lanes, encoded once."""

    __slots__ = ("counts", "executors", "handles", "rows")

    def __init__(self, executors: NDArray[np.uint32], handles: NDArray[np.uint32], counts: NDArray[np.uint32]) -> None:
        self.rows = len(executors)
        self.executors = packed_varints(executors)
        self.handles = packed_varints(handles)
        self.counts = packed_varints(counts)

    def is_same(self, other: Shape) -> bool:
        """Whether the other one has the same rows."""
        return self is other or (self.executors, self.handles, self.counts) == (
            other.executors,
            other.handles,
            other.counts,
        )


@dataclass(slots=True)
class Block:
    """Values of the rows of one shape."""

    shape: Shape
    #: The lanes of all rows, one after the other.
    lanes: Floats
    velocities: Floats
    #: For each row the parts that it imposes: 1 the value, 2 the velocity; `None` if no row imposes any.
    imposes: NDArray[np.uint8] | None = None
    #: For each row the seconds left, -1 if unknown; `None` if unknown for all.
    remaining: Floats | None = None
    #: For each row the seconds in which a hand-over blends out the velocity; likewise.
    carry: Floats | None = None


class SentShape:
    """The shapes of a worker's updates.

    Shapes that come twice in a row are announced under a number, and left out once a tick has acknowledged it.
    """

    __slots__ = ("_is_announced", "_last", "_number")

    def __init__(self) -> None:
        self._last: list[Shape] = []
        self._number = 0
        self._is_announced = False

    def number(self, blocks: list[Block], acknowledged: int) -> tuple[int, bool]:
        """The number to send with these blocks, 0 for none, and whether it stands for their shapes.

        `acknowledged` is the number in the last tick.
        """
        if not blocks:
            return 0, False
        last, self._last = self._last, [block.shape for block in blocks]
        if len(last) != len(self._last) or not all(map(Shape.is_same, last, self._last)):
            self._number += 1
            self._is_announced = False
            return 0, False
        is_known = self._is_announced and acknowledged == self._number
        self._is_announced = True
        return self._number, is_known


# The numbers of the fields of Update.
_EXECUTORS, _HANDLES, _COUNTS, _LANES, _VELOCITIES, _IMPOSES, _REMAINING, _CARRY, _SHAPE = 3, 4, 5, 6, 7, 8, 9, 11, 12


def encode(
    message: Outgoing, blocks: list[Block] | None = None, prefix: bytes = b"", shape: tuple[int, bool] = (0, False)
) -> bytes:
    """The bytes of a message, behind `prefix` (its topic); an update gets the values of `blocks`.

    `shape` is the number of their shapes, and whether motiond has it (``SentShape``).

    Copies each value once. 10,000 values of one lane in an unchanged shape take some 50 µs.
    """
    if not isinstance(message.body, UpdateBody):
        return prefix + message.envelope().SerializeToString()
    parts = _update(message.body, blocks or [], *shape)
    size = sum(map(len, parts))
    # Field 70 of Envelope.
    return b"".join([prefix, message.header().SerializeToString(), b"\xb2\x04", varint(size), *parts])


def _update(body: UpdateBody, blocks: list[Block], number: int, is_known: bool) -> list[bytes]:
    parts: list[bytes] = [b"\x08", varint(body.frame), b"\x10", varint(body.commands_applied)]
    if number:
        parts += [varint(_SHAPE << 3), varint(number)]
    if blocks:
        if not is_known:
            _field(parts, _EXECUTORS, [block.shape.executors for block in blocks])
            _field(parts, _HANDLES, [block.shape.handles for block in blocks])
            _field(parts, _COUNTS, [block.shape.counts for block in blocks])
        _field(parts, _LANES, [_bytes(block.lanes) for block in blocks])
        _field(parts, _VELOCITIES, [_bytes(block.velocities) for block in blocks])
        if any(block.imposes is not None for block in blocks):
            _field(
                parts,
                _IMPOSES,
                [bytes(block.shape.rows) if block.imposes is None else block.imposes.tobytes() for block in blocks],
            )
        _times(parts, _REMAINING, [(block.shape.rows, block.remaining) for block in blocks])
        _times(parts, _CARRY, [(block.shape.rows, block.carry) for block in blocks])
    parts.extend(body.events)
    return parts


def _bytes(numbers: Floats) -> bytes:
    return numbers.astype("<f8", copy=False).tobytes()


def _times(parts: list[bytes], number: int, columns: list[tuple[int, Floats | None]]) -> None:
    if any(times is not None for _, times in columns):
        _field(parts, number, [_bytes(np.full(rows, UNKNOWN) if times is None else times) for rows, times in columns])


def _field(parts: list[bytes], number: int, content: list[bytes]) -> None:
    """Adds a packed field whose content is these bytes, one after the other."""
    size = sum(map(len, content))
    if size:
        parts.append(varint(number << 3 | 2) + varint(size))
        parts.extend(content)


def is_sound(numbers: Floats, limit: float) -> bool:
    """Whether all numbers are finite and at most `limit` in magnitude."""
    return not numbers.size or bool(np.abs(numbers).max() <= limit)
