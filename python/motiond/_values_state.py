"""The present values of the properties that a watch follows, as arrays: messages are copied into them in whole.

Which element of a message goes where depends only on its handles, which rarely change. A `Placement` is computed once
for each list of handles and kept, so that the cost of a frame is that of copying its bytes.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._values import Doubles, Integers, ValuesMessage, WireError, read_integers

#: Arrays grow by this factor, so that adding properties one by one costs constant time each.
_GROWTH = 1.5
#: The placements that are kept: the parts of two large frames.
_MOST_PLACEMENTS = 256


class Layout:
    """Which property is where in the arrays of frames.

    It only grows; when properties disappear, another layout takes its place. So all frames between share one, and the
    index is built once. A frame uses the first properties of it.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.positions: dict[str, int] = {}
        self.firsts: list[int] = []
        self.counts: list[int] = []
        self.lanes = 0

    def add(self, name: str, count: int) -> int:
        """Adds a property with so many lanes, and returns its position."""
        position = len(self.names)
        self.names.append(name)
        self.positions[name] = position
        self.firsts.append(self.lanes)
        self.counts.append(count)
        self.lanes += count
        return position


class Placement(NamedTuple):
    """Where the elements of a message go. `lanes` and `properties` index the arrays of the state."""

    handles: bytes
    counts: bytes
    generation: int
    #: The lanes of the message that are used: None if all.
    used: Integers | None
    lanes: slice | Integers
    properties: slice | Integers
    #: How many handles have no name yet.
    unknown: int
    total: int


class ValueState:
    """Values, velocities and lateness of the properties of one watch. It belongs to the I/O thread."""

    def __init__(self) -> None:
        self.layout = Layout()
        self.values: Doubles = np.zeros(0)
        self.velocities: Doubles = np.zeros(0)
        self.late: NDArray[np.bool_] = np.zeros(0, np.bool_)
        #: The frame of the last change of each property.
        self.changed: NDArray[np.uint64] = np.zeros(0, np.uint64)
        #: Whether a property has ever been late.
        self._has_late = False
        self._position_of: dict[int, int] = {}
        self._generation = 0
        self._placements: dict[tuple[bool, int], Placement] = {}
        self._index: tuple[Integers, Integers, Integers, Integers] | None = None

    def add(self, handle: int, name: str, lanes: int) -> None:
        """Adds a property. One that is there under another handle is replaced: it was created again."""
        known = self._position_of.get(handle)
        if known is not None and self.layout.names[known] == name:
            return
        former = self.layout.positions.get(name)
        if former is not None:
            self.remove({other for other, position in self._position_of.items() if position == former})
        position = self.layout.add(name, lanes)
        self._position_of[handle] = position
        self._change()
        self.values = _grown(self.values, self.layout.lanes)
        self.velocities = _grown(self.velocities, self.layout.lanes)
        self.late = _grown(self.late, position + 1)
        self.changed = _grown(self.changed, position + 1)

    def remove(self, handles: set[int]) -> None:
        """Removes properties. Linear in those that remain."""
        gone = {self._position_of[handle] for handle in handles if handle in self._position_of}
        if not gone:
            return
        former, layout = self.layout, Layout()
        handle_of = {position: handle for handle, position in self._position_of.items()}
        kept = [position for position in range(len(former.names)) if position not in gone]
        lanes = [np.arange(former.firsts[i], former.firsts[i] + former.counts[i]) for i in kept]
        self._position_of = {}
        for position in kept:
            place = layout.add(former.names[position], former.counts[position])
            if position in handle_of:
                self._position_of[handle_of[position]] = place
        self.layout = layout
        index = np.concatenate(lanes) if lanes else np.empty(0, np.int64)
        self.values, self.velocities = self.values[index], self.velocities[index]
        kept_index = np.array(kept, np.int64)
        self.late, self.changed = self.late[kept_index], self.changed[kept_index]
        self._change()

    def put(self, message: ValuesMessage) -> Placement:
        """Copies the values of a message. Raises `WireError` if its lists do not fit each other; nothing is changed
        then."""
        placement = self._placement(message)
        lanes, velocities = message.lanes, message.velocities
        if lanes.size != placement.total or velocities.size not in (0, placement.total):
            raise WireError("the lists of a message have different lengths")
        if placement.used is not None:
            lanes = lanes[placement.used]
            velocities = velocities[placement.used] if velocities.size else velocities
        self.values[placement.lanes] = lanes
        if velocities.size:
            self.velocities[placement.lanes] = velocities
        self.changed[placement.properties] = message.frame
        if self._has_late:
            self.late[placement.properties] = False
        if message.late:
            self._has_late = True
            late = [self._position_of.get(int(handle), -1) for handle in read_integers(message.late)]
            self.late[[position for position in late if position >= 0]] = True
        return placement

    def handles_of(self, placement: Placement) -> set[int]:
        """The handles of a message."""
        return set(map(int, read_integers(placement.handles)))

    # ----------------------------------------------------------------------------------------------------------- steps

    def _change(self) -> None:
        self._generation += 1
        self._index = None

    def _placement(self, message: ValuesMessage) -> Placement:
        place = (message.is_complete, message.part)
        known = self._placements.get(place)
        if (
            known is not None
            and known.generation == self._generation
            and known.handles == message.handles
            and known.counts == message.counts
        ):
            return known
        if len(self._placements) >= _MOST_PLACEMENTS:
            self._placements.clear()
        placement = self._placements[place] = self._place(message)
        return placement

    def _place(self, message: ValuesMessage) -> Placement:
        handles, counts = read_integers(message.handles), read_integers(message.counts)
        if handles.size != counts.size:
            raise WireError("a message has other numbers of handles and counts")
        if counts.size and (int(counts.min()) < 1 or int(counts.max()) > 4):
            raise WireError("a property has 1 to 4 lanes")
        positions, layout_counts, firsts = self._positions(handles)
        is_known = positions >= 0
        if positions.size:
            # A property whose number of lanes is not the one of its name is as unknown as one without a name.
            is_known &= np.where(is_known, layout_counts[positions] if layout_counts.size else 0, 0) == counts
        total = int(counts.sum())
        ends = np.cumsum(counts)
        used: Integers | None = None
        known_counts = counts[is_known]
        places = positions[is_known]
        within = np.arange(int(known_counts.sum())) - np.repeat(np.cumsum(known_counts) - known_counts, known_counts)
        index = np.repeat(firsts[places], known_counts) + within if places.size else np.empty(0, np.int64)
        if not is_known.all():
            used = np.repeat((ends - counts)[is_known], known_counts) + within
        unknown = int(handles.size - places.size)
        return Placement(
            message.handles, message.counts, self._generation, used, _sliced(index), _sliced(places), unknown, total
        )

    def _positions(self, handles: Integers) -> tuple[Integers, Integers, Integers]:
        """The positions of handles, -1 for those without a name; and counts and first lanes of all properties."""
        if self._index is None:
            pairs = sorted(self._position_of.items())
            self._index = (
                np.array([handle for handle, _ in pairs], np.int64),
                np.array([position for _, position in pairs], np.int64),
                np.array(self.layout.counts, np.int64),
                np.array(self.layout.firsts, np.int64),
            )
        known, positions, counts, firsts = self._index
        if not known.size:
            return np.full(handles.size, -1, np.int64), counts, firsts
        places = np.minimum(np.searchsorted(known, handles), known.size - 1)
        return np.where(known[places] == handles, positions[places], -1), counts, firsts


def _sliced(index: Integers) -> slice | Integers:
    """The index as a slice, which costs less, if its numbers follow each other."""
    if index.size and int(index[-1]) - int(index[0]) + 1 == index.size and bool((np.diff(index) == 1).all()):
        return slice(int(index[0]), int(index[-1]) + 1)
    return index


_Element = TypeVar("_Element", bound=np.generic)


def _grown(array: NDArray[_Element], size: int) -> NDArray[_Element]:
    """The array with at least `size` elements; the new ones are 0."""
    if array.size >= size:
        return array
    larger = np.zeros(max(size, int(array.size * _GROWTH) + 16), array.dtype)
    larger[: array.size] = array
    return larger
