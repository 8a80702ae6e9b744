"""Frames of a watch of several places: each is handed over once, with the values of all places at its end."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
import zmq

import motiond
from motiond import forget, wave
from motiond._io import Door
from motiond._proto import motion_pb2 as pb
from motiond._values_frame import Frame
from motiond._values_open import MOTION, REST
from motiond._values_watch import WatchChannel

#: A frame of 120 Hz.
DT = 1 / 120


class FakeSocket:
    """Has the messages that a test puts into it."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []

    def recv(self, flags: int) -> bytes:
        if not self.messages:
            raise zmq.Again
        return self.messages.pop(0)

    def subscribe(self, topic: bytes) -> None:
        """The test sends what it wants."""

    def unsubscribe(self, topic: bytes) -> None:
        """The test sends what it wants."""

    def close(self, linger: int) -> None:
        """Nothing to close."""


class Watched:
    """A watch of the targets a, b, ..., each with the property x, and the messages that motiond would send."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], *targets: str, every: bool = True) -> None:
        topics = {f"m/{target}": lambda target, property: True for target in targets}
        self.channel = WatchChannel(
            context, Door("inproc://nothing"), topics, every=every, see_epoch=lambda epoch: None, now=0
        )
        self.channel.socket.close(0)
        self.socket = FakeSocket()
        self.channel.socket = self.socket  # pyright: ignore[reportAttributeAccessIssue]
        self.now, self.epoch = 100.0, 1
        self.sequences = dict.fromkeys(targets, 0)
        self.values = {target: 0.0 for target in targets}

    def _send(self, target: str, **body: object) -> None:
        envelope = pb.Envelope(protocol=1, epoch=self.epoch, sequence=self.sequences[target], **body)  # pyright: ignore
        self.socket.messages.append(f"m/{target}\0".encode() + envelope.SerializeToString())
        _ = self.channel.receive(self.now)

    def name(self, target: str) -> None:
        """Sends the name of a property, without a value."""
        handle, place = ord(target), pb.PropertyReference(target=target, property="x")
        self._send(target, names=pb.Names(names=[pb.Names.Name(handle=handle, property=place, lanes=1)]))

    def complete(self, target: str, frame: int) -> None:
        """Sends the values of a target for its subscription."""
        self.name(target)
        self._send(target, values=self._values(target, frame, True))

    def change(self, target: str, frame: int, value: float | None = None) -> None:
        """Sends another value of a target."""
        self.sequences[target] += 1
        self.values[target] = float(frame) if value is None else value
        self._send(target, values=self._values(target, frame, False))

    def _values(self, target: str, frame: int, is_complete: bool) -> pb.Values:
        lane = self.values[target]
        return pb.Values(
            frame=frame,
            time=frame * DT,
            dt=DT,
            handles=[ord(target)],
            counts=[1],
            lanes=[lane],
            velocities=[0.0],
            complete=is_complete,
        )

    def wait(self, seconds: float) -> None:
        """Lets time pass, in which nothing arrives."""
        end = self.now + seconds
        while (due := self.channel.next_due) <= end:
            self.now = max(self.now, due)
            self.channel.elapsed(self.now)
        self.now = end

    def taken(self) -> list[tuple[int, dict[str, float]]]:
        """The numbers and values of the frames that were handed over since the last call."""
        frames: list[Frame] = []
        while (frame := self.channel.take()) is not None:
            frames.append(frame)
        return [(frame.number, {name[0]: frame[name].number for name in frame}) for frame in frames]


@pytest.fixture
def context() -> Iterator[zmq.Context[zmq.Socket[bytes]]]:
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    yield context
    context.destroy(0)


def joined(context: zmq.Context[zmq.Socket[bytes]], *targets: str) -> Watched:
    """A watch that has the first values of all its targets."""
    watched = Watched(context, *targets)
    for target in targets:
        watched.complete(target, 1)
    assert watched.taken() == [(1, dict.fromkeys(targets, 0.0))]
    return watched


def test_the_first_frame_has_all_places(context: zmq.Context[zmq.Socket[bytes]]) -> None:
    watched = Watched(context, "a", "b")
    watched.complete("a", 1)
    watched.change("a", 2)
    watched.wait(0.5)
    watched.name("b")
    watched.wait(0.1)
    assert watched.taken() == []
    watched.values["b"] = 81.3
    watched.complete("b", 3)
    watched.wait(REST)
    assert watched.taken() == [(3, {"a": 2.0, "b": 81.3})]


def test_a_place_at_rest_is_there_at_the_first_frame_and_after_a_restart(
    context: zmq.Context[zmq.Socket[bytes]],
) -> None:
    watched = joined(context, "a", "b")
    watched.epoch, watched.sequences = 2, {"a": 0, "b": 0}
    watched.complete("a", 1)
    watched.wait(0.5)
    assert watched.taken() == []
    watched.complete("b", 2)
    watched.wait(REST)
    assert watched.taken() == [(2, {"a": 0.0, "b": 0.0})]


def test_places_that_move_come_together_however_late(context: zmq.Context[zmq.Socket[bytes]]) -> None:
    watched = joined(context, "a", "b")
    for number in range(2, 30):
        watched.change("a", number)
        watched.wait(0.9 * MOTION)
        assert watched.taken() == []
        watched.change("b", number)
        assert watched.taken() == [(number, {"a": number, "b": number})]


def test_a_place_at_rest_delays_no_frame(context: zmq.Context[zmq.Socket[bytes]]) -> None:
    watched = joined(context, "a", "b")
    watched.wait(2 * MOTION)
    for number in range(2, 10):
        watched.change("a", number)
        watched.wait(REST)
        assert watched.taken() == [(number, {"a": number, "b": 0.0})]
        watched.wait(DT - REST)
    watched.change("a", 10)
    watched.change("b", 10)
    assert watched.taken() == [(10, {"a": 10.0, "b": 10.0})]
    watched.change("a", 11)
    watched.wait(DT)
    # b was in the frame before: its message may follow until the next frame begins.
    assert watched.taken() == []
    watched.change("a", 12)
    watched.wait(REST)
    assert watched.taken() == [(11, {"a": 11.0, "b": 10.0}), (12, {"a": 12.0, "b": 10.0})]


def test_a_place_without_properties_delays_no_frame(context: zmq.Context[zmq.Socket[bytes]]) -> None:
    watched = Watched(context, "a", "b")
    watched.complete("a", 1)
    watched._send("b", names=pb.Names())
    watched._send("b", values=pb.Values(frame=1, time=DT, dt=DT, complete=True))
    assert watched.taken() == [(1, {"a": 0.0})]
    for number in range(2, 5):
        watched.change("a", number)
        assert watched.taken() == [(number, {"a": number})]


def test_places_that_begin_in_one_frame_come_together(context: zmq.Context[zmq.Socket[bytes]]) -> None:
    watched = Watched(context, "a", "b", "c")
    for target in "abc":
        watched._send(target, values=pb.Values(frame=1, time=DT, dt=DT, complete=True))
    for target in "ab":
        watched.name(target)
        watched.change(target, 2)
        watched.wait(0.9 * MOTION)
        assert watched.taken() == []
    watched.wait(MOTION)
    assert watched.taken() == [(2, {"a": 2.0, "b": 2.0})]
    # c has no property: nothing waits for it.
    watched.change("a", 3)
    watched.change("b", 3)
    assert watched.taken() == [(3, {"a": 3.0, "b": 3.0})]


def test_a_value_that_comes_too_late_is_in_the_next_frame_or_alone(context: zmq.Context[zmq.Socket[bytes]]) -> None:
    watched = joined(context, "a", "b", "c")
    for number in (2, 3):
        watched.wait(2 * MOTION)
        watched.change("a", number)
        watched.wait(REST)
        assert [found for found, _ in watched.taken()] == [number]
    watched.change("b", 3)
    watched.wait(REST)
    assert watched.taken() == []
    watched.change("a", 4)
    watched.change("b", 4)
    watched.wait(REST)
    assert watched.taken() == [(4, {"a": 4.0, "b": 4.0, "c": 0.0})]
    watched.change("c", 4)
    watched.wait(MOTION)
    assert watched.taken() == [(4, {"a": 4.0, "b": 4.0, "c": 4.0})]


def test_a_property_is_shown_with_its_first_value(context: zmq.Context[zmq.Socket[bytes]]) -> None:
    watched = Watched(context, "a", "b")
    watched.complete("a", 1)
    watched._send("b", values=pb.Values(frame=1, time=DT, dt=DT, complete=True))
    assert watched.taken() == [(1, {"a": 0.0})]
    watched.change("a", 2)
    watched.name("b")
    watched.change("b", 3, 7.0)
    watched.change("a", 3)
    assert watched.taken() == [(2, {"a": 2.0}), (3, {"a": 3.0, "b": 7.0})]


@pytest.mark.parametrize("every", [True, False])
def test_random_pauses_between_messages_tear_no_frame(
    context: zmq.Context[zmq.Socket[bytes]], seeded: random.Random, every: bool
) -> None:
    for _ in range(20):
        targets = "abcdefgh"[: seeded.randint(2, 8)]
        watched = Watched(context, *targets, every=every)
        for target in targets:
            watched.complete(target, 1)
        truth = {1: dict(watched.values)}
        shown = watched.taken()
        moving = set(targets)
        for number in range(2, 120):
            awaited = moving
            moving = {target for target in targets if seeded.random() < (0.95 if target in moving else 0.05)}
            for target in sorted(moving or {"a"}):
                watched.change(target, number)
                awaited = awaited - {target}
                watched.wait(seeded.uniform(0, DT / 4 if awaited else 0.9 * REST))
            moving = moving or {"a"}
            truth[number] = dict(watched.values)
            if seeded.random() < 0.5:
                shown += watched.taken()
            watched.wait(seeded.uniform(DT / 2, DT))
        watched.wait(2 * MOTION)
        shown += watched.taken()
        numbers = [number for number, _ in shown]
        assert numbers == sorted(set(numbers))
        assert {number: truth[number] for number in numbers} == dict(shown)
        watched.channel.close()


def test_a_real_watch_of_two_places_is_not_torn(client: motiond.Client) -> None:
    _ = client.commit(wave("Pt.x", offset=0, amplitude=100), wave("Qt.x", offset=0, amplitude=100))
    for every in (True, False):
        with client.watch("Pt", "Qt", every=every) as frames:
            shown = [frames.next(5) for _ in range(60)]
        assert all(before.number < after.number for before, after in zip(shown, shown[1:], strict=False))
        assert [frame["Pt.x"].number for frame in shown] == [frame["Qt.x"].number for frame in shown]
    for _ in range(20):
        with client.watch("Pt.x", "Qt", "none.x") as frames:
            assert set(frames.next(5)) == {"Pt.x", "Qt.x"}
    _ = client.commit(forget("Pt"), forget("Qt"))
