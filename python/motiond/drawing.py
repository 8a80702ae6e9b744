"""Curves of values and velocities over time, as `motionctl draw` draws them: for notebooks, files, and numpy.

m.draw("ball.position", last=5)                  # from motiond's history
m.draw("ball.position", next=5)                  # the five seconds that follow
drawing.draw(frames)                             # frames that were watched
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np

from ._arguments import dotted_of, file_of
from ._drawing_svg import svg
from ._errors import MotionError, PlanError
from ._types_values import shown
from ._values import Doubles
from ._values_frame import Frame

#: The properties that are kept; more curves look alike in a picture.
MOST_TRACKS = 64
#: The samples of all properties together: eight minutes of one property at 1 kHz.
MOST_SAMPLES = 500_000
#: Times closer than this count as equal: far less than a frame, far more than rounding.
SAME_TIME = 1e-9


class Track(NamedTuple):
    """A property over time."""

    #: `target.property`.
    name: str
    #: Simulated times in seconds, ascending: an array of n numbers. Between two the value is interpolated linearly.
    times: Doubles
    #: The values: an array of n rows with the lanes.
    values: Doubles
    #: The velocities per second, likewise.
    velocities: Doubles
    #: Each time at which another plan took the property over, with the type of the plan.
    hand_overs: list[tuple[float, str]]


class Drawing:
    """Tracks of properties. A notebook shows it as a picture; `svg` is the text of that, `save` writes it."""

    def __init__(self, tracks: Iterable[Track], *, title: str = "") -> None:
        #: The tracks, in order of their names.
        self.tracks: list[Track] = sorted((track for track in tracks if track.times.size), key=lambda track: track.name)
        #: The heading of the picture.
        self.title: str = title

    @property
    def svg(self) -> str:
        """The picture, without references to other files, for light and dark backgrounds."""
        return svg(self.tracks, self.title)

    def save(self, path: str | Path) -> None:
        """Writes the picture into a file."""
        _ = Path(file_of(path, "path")).write_text(self.svg, "utf-8")

    def to_numpy(self, name: str | None = None) -> tuple[Doubles, Doubles, Doubles]:
        """Times (n), values (n × lanes) and velocities (n × lanes) of a property; of the only one without a name.

        Raises `KeyError` if there is no such property, or none was named and there are several.
        """
        dotted = None if name is None else dotted_of(name)
        found = [track for track in self.tracks if dotted in (None, track.name)]
        if len(found) != 1:
            raise KeyError(f"{name or 'a name is needed'}: there are {', '.join(track.name for track in self.tracks)}")
        return found[0].times, found[0].values, found[0].velocities

    def __getitem__(self, name: str) -> Track:
        dotted = dotted_of(name)
        for track in self.tracks:
            if track.name == dotted:
                return track
        raise KeyError(name)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Drawing of {', '.join(track.name for track in self.tracks) or 'nothing'}>"


class TrackBuilder:
    """Collects tracks from frames and changes of drivers, as `MotionTracks` of motiond does."""

    def __init__(self, origin: float = -math.inf) -> None:
        #: The simulated time at which the tracks begin.
        self.origin: float = origin
        #: Whether samples were left out, so that the tracks end early.
        self.is_full: bool = False
        self._samples: dict[str, list[tuple[float, Doubles, Doubles]]] = {}
        self._marks: dict[str, list[tuple[float, str]]] = {}
        self._count = 0

    def take(self, frame: Frame) -> None:
        """Adds the properties that changed in a frame. One that the frames before did not change was at rest until
        then."""
        changed = np.flatnonzero(frame.changed_at == frame.number) if frame.number else np.arange(len(frame))
        names = frame.layout.names
        for position in changed if self._samples else np.arange(len(frame)):
            name = names[int(position)]
            if name not in self._samples and len(self._samples) >= MOST_TRACKS:
                continue
            place = frame.lanes_of(name)
            self._take(name, frame.time, frame.dt, frame.values[place], frame.velocities[place])

    def hand_over(self, name: str, time: float, label: str) -> None:
        """Another plan drives a property from a time on. Of several at one time the last counts."""
        marks = self._marks.setdefault(name, [])
        time = max(time, self.origin)
        if marks and abs(marks[-1][0] - time) <= SAME_TIME:
            _ = marks.pop()
        marks.append((time, label))

    def end(self, time: float) -> None:
        """Ends the tracks: a property at rest keeps its value until then."""
        for name, samples in self._samples.items():
            last = samples[-1]
            if last[0] < time and not last[2].any():
                self._add(name, time, last[1], last[2])

    @property
    def tracks(self) -> list[Track]:
        """The tracks so far."""
        return [
            Track(
                name,
                np.array([time for time, _, _ in samples]),
                np.array([value for _, value, _ in samples]),
                np.array([velocity for _, _, velocity in samples]),
                self._marks.get(name, []),
            )
            for name, samples in self._samples.items()
        ]

    def _take(self, name: str, time: float, dt: float, value: Doubles, velocity: Doubles) -> None:
        samples = self._samples.setdefault(name, [])
        last = samples[-1] if samples else None
        if last is None:
            time = max(time, self.origin)
        elif time <= last[0] or last[1].size != value.size:
            return
        elif time - dt > last[0] + SAME_TIME:
            self._add(name, time - dt, last[1], last[2])
        self._add(name, time, value, velocity)

    def _add(self, name: str, time: float, value: Doubles, velocity: Doubles) -> None:
        if self._count >= MOST_SAMPLES:
            self.is_full = True
            return
        self._count += 1
        self._samples[name].append((time, value, velocity))


def draw(frames: Iterable[Frame], *, title: str = "") -> Drawing:
    """A drawing of frames that were watched, with `every=True` for exact curves. It has no hand-overs."""
    remedy = "Give frames that a watch has received: draw([watch.next() for _ in range(100)])."
    if not isinstance(cast("object", frames), Iterable):
        raise PlanError(f"frames: {shown(frames)} are no frames", remedy, field="frames")
    builder = TrackBuilder()
    for frame in frames:
        if not isinstance(cast("object", frame), Frame):
            raise PlanError(f"frames: {shown(frame)} is no frame", remedy, field="frames")
        builder.take(frame)
    return Drawing(builder.tracks, title=title)


def from_json(text: str | bytes, *, title: str = "") -> Drawing:
    """A drawing of what `motionctl draw --json` printed."""
    try:
        content = cast("Mapping[str, list[dict[str, object]]]", json.loads(text))
        return Drawing([_track(row) for row in content["tracks"]], title=title)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise MotionError(f"the text is not what motionctl draw --json prints: {error!r}", code="drawing") from error


def _track(row: Mapping[str, object]) -> Track:
    samples = cast("list[Mapping[str, object]]", row["samples"])
    marks = cast("list[Mapping[str, object]]", row["handOvers"])
    return Track(
        f"{row['target']}.{row['property']}",
        np.array([sample["time"] for sample in samples], np.float64),
        np.array([sample["value"] for sample in samples], np.float64),
        np.array([sample["velocity"] for sample in samples], np.float64),
        [(cast("float", mark["time"]), str(mark["to"])) for mark in marks],
    )
