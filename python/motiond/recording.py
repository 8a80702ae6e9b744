"""Reads recordings of motiond, files in the format MCAP, as arrays. It needs no other package.

    show = recording.read("show.mcap")
    show.frames.wall_time                                   # of every frame
    values = recording.read_values("show.mcap")             # computed again by motionctl
    times, value, velocity = values["ball.position"].arrays
    values.draw("ball.position")

A recording holds what happened, from which motiond computes the values again: `motionctl export --values` writes them
into the file, and `read_values` does that for you. docs/recording.md describes the channels.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
from google.protobuf.message import DecodeError
from google.protobuf.message import Message as ProtobufMessage
from numpy.typing import NDArray

from ._arguments import dotted_of, file_of
from ._drawing_core import motionctl
from ._errors import RecordingError
from ._proto import motion_pb2 as pb
from ._recording_mcap import Message, read_file
from ._values import Doubles
from .drawing import Drawing, Track

_VALUES = "values/"


class FrameTable(NamedTuple):
    """The frames of a recording, an array for each column."""

    number: NDArray[np.uint64]
    #: The simulated time at the end of each, and the time that it covers, in seconds.
    time: Doubles
    dt: Doubles
    #: When it had run: nanoseconds since 1970, and of the boot clock.
    wall_time: NDArray[np.int64]
    boot_time: NDArray[np.int64]
    #: How many events were applied in it.
    events: NDArray[np.int64]


class Samples(NamedTuple):
    """A property in the frames that changed it."""

    #: The numbers of the frames, and the simulated times at their ends in seconds.
    frame: NDArray[np.uint64]
    time: Doubles
    #: n rows with the lanes, and the velocities per second.
    value: Doubles
    velocity: Doubles

    @property
    def arrays(self) -> tuple[Doubles, Doubles, Doubles]:
        """Times, values and velocities."""
        return self.time, self.value, self.velocity


class Recording:
    """A recording that was read. Its channels are decoded when they are first used."""

    def __init__(self, content: bytes, name: str, *, is_computed: bool = False) -> None:
        """`is_computed`: whether the values of all properties were added to what happened; there may be none."""
        file = read_file(content, name)
        self._is_computed = is_computed
        #: The conventions of the file: `motiond` of a recording.
        self.profile: str = file.profile
        #: Texts about the file, by the name of the record: versions.
        self.metadata: dict[str, dict[str, str]] = file.metadata
        #: Whether the file has its end; otherwise it was interrupted, and everything up to there is valid.
        self.is_complete: bool = file.is_complete
        self._messages = file.messages

    @property
    def topics(self) -> list[str]:
        """The topics of its channels."""
        return sorted(self._messages)

    def messages(self, topic: str) -> list[Message]:
        """The messages of a topic, as bytes with their time of logging; none if there is no such topic."""
        return self._messages.get(topic, [])

    @cached_property
    def header(self) -> pb.RecordingHeader:
        """The beginning: rate, plugins, and the initial state. Raises `RecordingError` if the file is no recording."""
        messages = self.messages("motiond/header")
        if not messages:
            raise RecordingError("the file has no header of a recording", "Give a file that motiond has written.")
        return _decoded(pb.RecordingHeader, messages[0])

    def recorded_frames(self) -> Iterator[pb.RecordedFrame]:
        """The frames with their events, one by one."""
        return (_decoded(pb.RecordedFrame, message) for message in self.messages("motiond/frames"))

    @cached_property
    def frames(self) -> FrameTable:
        """All frames."""
        rows = [
            (row.frame.number, row.frame.time, row.frame.dt, row.wall_time, row.boot_time, len(row.events))
            for row in self.recorded_frames()
        ]
        number, time, dt, wall, boot, events = zip(*rows, strict=True) if rows else ((),) * 6
        return FrameTable(
            np.array(number, np.uint64),
            np.array(time, np.float64),
            np.array(dt, np.float64),
            np.array(wall, np.int64),
            np.array(boot, np.int64),
            np.array(events, np.int64),
        )

    @property
    def properties(self) -> list[str]:
        """The properties whose values the file has, as `target.property`."""
        names = [topic.removeprefix(_VALUES) for topic in self.topics if topic.startswith(_VALUES)]
        return [_dotted(name) for name in names]

    def keys(self) -> list[str]:
        """The properties whose values the file has: so `dict` makes a dictionary of it, with the samples of each."""
        return self.properties

    def __iter__(self) -> Iterator[str]:
        return iter(self.properties)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.replace("/", ".") in self.properties

    def __getitem__(self, name: str) -> Samples:
        """The values of a property, `target.property`. Raises `RecordingError` if the values were not computed, and
        `KeyError` if there are none of this property."""
        dotted = dotted_of(name)
        known = {_dotted(topic.removeprefix(_VALUES)): topic for topic in self.topics if topic.startswith(_VALUES)}
        if not known and not self._is_computed:
            raise RecordingError(
                "the recording has no values: they are computed from what happened",
                "Use recording.read_values, or motionctl export RECORDING FILE --values.",
            )
        rows = [_decoded(pb.PropertySample, message) for message in self.messages(known[dotted])]
        lanes = max((len(row.value) for row in rows), default=1)
        return Samples(
            np.array([row.frame for row in rows], np.uint64),
            np.array([row.time for row in rows], np.float64),
            _table([row.value for row in rows], lanes),
            _table([row.velocity for row in rows], lanes),
        )

    @cached_property
    def drivers(self) -> list[pb.DriverSample]:
        """The changes of drivers, in order, if the file has values."""
        return [_decoded(pb.DriverSample, message) for message in self.messages("motiond/drivers")]

    @cached_property
    def events(self) -> list[pb.EventSample]:
        """What happened, as texts, in order, if the file has values."""
        return [_decoded(pb.EventSample, message) for message in self.messages("motiond/events")]

    def draw(self, *names: str, title: str = "") -> Drawing:
        """Draws properties, or all whose values the file has: at most 64."""
        tracks: list[Track] = []
        for name in list(names or self.properties)[:64]:
            samples = self[name]
            dotted = dotted_of(name)
            marks = [
                (row.time, row.driver.partition(" ")[0] or "nobody")
                for row in self.drivers
                if f"{row.target}.{row.property}" == dotted
            ]
            tracks.append(Track(dotted, samples.time, samples.value, samples.velocity, marks))
        return Drawing(tracks, title=title)

    def __repr__(self) -> str:
        end = "" if self.is_complete else ", interrupted"
        return f"<Recording of {len(self.messages('motiond/frames'))} frames{end}>"


def read(source: str | os.PathLike[str] | bytes) -> Recording:
    """Reads a recording: a file, or its bytes, such as those of `history_segment`.

    Raises `RecordingError` with the place for a file that was altered or compressed. One that was interrupted is read
    up to its last whole message; without any it is an error, too.
    """
    if isinstance(source, bytes):
        return Recording(source, "the recording")
    path = file_of(source, "source")
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise RecordingError(f"{path}: {error.strerror}", "Name a file that exists.") from error
    return Recording(content, path)


def read_values(source: str | os.PathLike[str]) -> Recording:
    """Reads a recording with the values of all its properties, which motionctl computes again. It must be on the
    search path, or in the folder MOTION_BIN."""
    path = file_of(source, "source")
    recording = read(path)
    if recording.properties:
        return recording
    with tempfile.TemporaryDirectory(prefix="motiond-") as directory:
        output = Path(directory) / "values.mcap"
        command = [str(motionctl()), "export", path, str(output), "--values"]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if not output.exists():
            raise RecordingError(f"motionctl export failed: {done.stderr.strip() or done.returncode}")
        return Recording(output.read_bytes(), path, is_computed=True)


M = TypeVar("M", bound=ProtobufMessage)


def _decoded(kind: type[M], message: Message) -> M:
    try:
        return kind.FromString(message.data)
    except DecodeError as error:
        raise RecordingError(f"a message of the recording is damaged: {error}") from error


def _dotted(name: str) -> str:
    target, _, property = name.rpartition("/")
    return f"{target}.{property}"


def _table(rows: Sequence[Sequence[float]], lanes: int) -> Doubles:
    """The rows as one array. A property that was forgotten may come again with fewer lanes: the others are NaN then."""
    table = np.full((len(rows), lanes), np.nan)
    for row, values in zip(table, rows, strict=True):
        row[: len(values)] = values
    return table
