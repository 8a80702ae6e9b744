"""A frame: the values of all properties of a watch at one time."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from html import escape

import numpy as np
from numpy.typing import NDArray

from ._arguments import dotted_of
from ._values import Doubles
from ._values_past import SECONDS, Past
from ._values_state import Layout


class PropertyValue:
    """Value and velocity of a property in a frame."""

    __slots__ = ("is_late", "name", "value", "velocity")

    def __init__(self, name: str, value: Doubles, velocity: Doubles, is_late: bool) -> None:
        #: `target.property`.
        self.name = name
        #: The value: an array of 1 to 4 lanes, read-only.
        self.value = value
        #: The velocity per second, likewise.
        self.velocity = velocity
        #: Whether the driver is late or dead, so that the velocity fades.
        self.is_late = is_late

    @property
    def number(self) -> float:
        """The value of a property with one lane. Raises `ValueError` for others."""
        if self.value.size != 1:
            raise ValueError(f"{self.name} has {self.value.size} lanes; use value")
        return float(self.value[0])

    def __repr__(self) -> str:
        late = ", late" if self.is_late else ""
        return f"<{self.name} value={self.value.tolist()} velocity={self.velocity.tolist()}{late}>"


class Frame:
    """The state of all watched properties at the end of a frame of motiond. It never changes and may be kept.

    `frame["ball.position"]` is the `PropertyValue` of a name, `target.property` or `target/property`. The arrays are
    for many properties at once: `values[first:first + count]` are the lanes of a property, whose place `lanes_of`
    gives. A place is the same in all frames with the same `layout`.
    """

    __slots__ = (
        "_count",
        "_past",
        "changed_at",
        "dt",
        "epoch",
        "late",
        "layout",
        "missed",
        "number",
        "time",
        "values",
        "velocities",
    )

    def __init__(
        self,
        layout: Layout,
        values: Doubles,
        velocities: Doubles,
        late: NDArray[np.bool_],
        changed_at: NDArray[np.uint64],
        head: tuple[int, float, float, int],
        missed: int,
        past: Past | None = None,
    ) -> None:
        #: The index of names, shared by all frames until a property disappears: compare it with `is`.
        self.layout = layout
        #: The lanes of all properties, one after the other; float64, read-only.
        self.values = values
        #: Their velocities, per second, likewise.
        self.velocities = velocities
        #: For each property whether its driver is late or dead.
        self.late = late
        #: For each property the number of the frame that changed it last.
        self.changed_at = changed_at
        self._count = late.size
        self._past = past
        #: The number of the frame, its simulated time and the time it covers in seconds, and the start of motiond.
        self.number, self.time, self.dt, self.epoch = head
        #: How many frames were left out before this one: replaced by newer ones, or lost on the way.
        self.missed = missed
        for array in (values, velocities, late, changed_at):
            array.flags.writeable = False

    @property
    def names(self) -> list[str]:
        """The names of the properties, in the order of `late` and `changed_at`."""
        return self.layout.names[: self._count]

    def lanes_of(self, name: str) -> slice:
        """The place of a property in `values` and `velocities`. Raises `KeyError` for one that is not there, and
        `PlanError` for what is no name."""
        position = self._position(name)
        first = self.layout.firsts[position]
        return slice(first, first + self.layout.counts[position])

    def __getitem__(self, name: str) -> PropertyValue:
        position = self._position(name)
        first = self.layout.firsts[position]
        end = first + self.layout.counts[position]
        return PropertyValue(
            self.layout.names[position], self.values[first:end], self.velocities[first:end], bool(self.late[position])
        )

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        try:
            return self._position(name) >= 0
        except KeyError:
            return False

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"<Frame {self.number} at {self.time:.3f} s, {self._count} properties>"

    def __reduce__(self) -> tuple[object, ...]:
        # Without the frames before it.
        head = (self.number, self.time, self.dt, self.epoch)
        return Frame, (self.layout, self.values, self.velocities, self.late, self.changed_at, head, self.missed)

    def _repr_svg_(self) -> str | None:
        """The curves of all properties in the five seconds up to this frame, as `motiond.drawing` draws them.

        None without the watch that received it, without velocities, or with more than 32 properties.
        """
        if self._past is None:
            return None
        from .drawing import Drawing, TrackBuilder

        builder = TrackBuilder(self.time - SECONDS)
        for moment in self._past.last(SECONDS):
            builder.take(Frame(*moment, 0))
        builder.end(self.time)
        return Drawing(track for track in builder.tracks if track.name in self).svg

    def _repr_html_(self) -> str:
        """A table for notebooks, of at most fifty properties, below the curves: notebooks prefer this to a picture."""
        picture = self._repr_svg_()
        curves = "" if picture is None else f'<img alt="curves" src="data:image/svg+xml;base64,{_base64(picture)}">'
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{_text(self[name].value)}</td><td>{_text(self[name].velocity)}</td></tr>"
            for name in self.names[:50]
        )
        more = f"<p>and {self._count - 50} more</p>" if self._count > 50 else ""
        return (
            f"{curves}<p>frame {self.number} at {self.time:.3f} s</p><table><tr><th>property</th><th>value</th>"
            f"<th>velocity per s</th></tr>{rows}</table>{more}"
        )

    def _position(self, name: str) -> int:
        dotted = dotted_of(name)
        position = self.layout.positions.get(dotted)
        if position is None or position >= self._count:
            raise KeyError(name)
        return position


def _base64(text: str) -> str:
    return b64encode(text.encode()).decode()


def _text(lanes: Doubles) -> str:
    return " ".join(f"{lane:.3f}" for lane in lanes)
