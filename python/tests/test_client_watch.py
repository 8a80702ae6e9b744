"""A watch beside a model of motiond that loses messages, splits frames, forgets targets and restarts: each frame that
is shown without a loss is that of the model, and after any loss the values are repaired."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
import zmq

from motiond._io import Door
from motiond._proto import motion_pb2 as pb
from motiond._values_frame import Frame
from motiond._values_places import topics_of
from motiond._values_watch import WatchChannel


class FakeSocket:
    """Notes subscriptions instead of making them."""

    def __init__(self) -> None:
        self.subscribed: list[bytes] = []

    def subscribe(self, topic: bytes) -> None:
        self.subscribed.append(topic)

    def unsubscribe(self, topic: bytes) -> None:
        """The other subscription to the topic stays."""

    def close(self, linger: int) -> None:
        """Nothing to close."""


class Model:
    """The side of motiond: properties with values, and the messages of a topic."""

    def __init__(self, random: random.Random, epoch: int) -> None:
        self.random = random
        self.epoch = epoch
        self.sequence = 0
        self.frame = 0
        self.next_handle = 1
        self.values: dict[str, tuple[int, list[float]]] = {}
        self.named: set[int] = set()

    def _message(self, **body: object) -> bytes:
        envelope = pb.Envelope(protocol=1, epoch=self.epoch, sequence=self.sequence, **body)  # pyright: ignore
        return b"m/\0" + envelope.SerializeToString()

    def _names(self, names: list[str]) -> Iterator[bytes]:
        rows = [
            pb.Names.Name(
                handle=self.values[name][0],
                property=pb.PropertyReference(target=name.split(".")[0], property=name.split(".")[1]),
                lanes=len(self.values[name][1]),
            )
            for name in names
        ]
        for first in range(0, len(rows), 3):
            yield self._message(names=pb.Names(names=rows[first : first + 3]))

    def _parts(self, names: list[str], *, complete: bool, forgotten: list[int]) -> Iterator[bytes]:
        size = self.random.randint(1, 4)
        chunks = [names[first : first + size] for first in range(0, len(names), size)] or [[]]
        for index, chunk in enumerate(chunks):
            if not complete:
                self.sequence += 1
            lanes = [lane for name in chunk for lane in self.values[name][1]]
            yield self._message(
                values=pb.Values(
                    frame=self.frame,
                    time=self.frame / 100,
                    dt=0.01,
                    handles=[self.values[name][0] for name in chunk],
                    counts=[len(self.values[name][1]) for name in chunk],
                    lanes=lanes,
                    velocities=[-lane for lane in lanes],
                    complete=complete,
                    forgotten=forgotten if index == 0 else [],
                    part=index,
                    more=index + 1 < len(chunks),
                )
            )

    def subscribe(self) -> list[bytes]:
        """The messages after a subscription."""
        names = list(self.values)
        self.named = {handle for handle, _ in self.values.values()}
        return [*self._names(names), *self._parts(names, complete=True, forgotten=[])]

    def step(self) -> list[bytes]:
        """A frame in which properties begin, change and disappear."""
        self.frame += 1
        changed: set[str] = set()
        forgotten: list[int] = []
        if self.values and self.random.random() < 0.1:
            name = self.random.choice(list(self.values))
            handle, _ = self.values.pop(name)
            if handle in self.named:
                forgotten.append(handle)
        for _ in range(self.random.choice([0, 0, 0, 1, 4])):
            name = f"t{self.random.randrange(12)}.p{self.random.randrange(2)}"
            if name not in self.values:
                self.values[name] = (self.next_handle, [0.0] * self.random.randint(1, 4))
                self.next_handle += 1
                changed.add(name)
        changed |= {name for name in self.values if self.random.random() < 0.5}
        for name in changed:
            handle, lanes = self.values[name]
            self.values[name] = (handle, [self.random.random() for _ in lanes])
        if not changed and not forgotten:
            return []
        names = sorted(changed, key=lambda name: self.values[name][0])
        unnamed = [name for name in names if self.values[name][0] not in self.named]
        self.named |= {self.values[name][0] for name in unnamed}
        before = list(self._names(unnamed))
        return [*before, *self._parts(names, complete=False, forgotten=forgotten)]


def _shown(frame: Frame) -> dict[str, list[float]]:
    return {name: frame[name].value.tolist() for name in frame}


def _expected(model: Model) -> dict[str, list[float]]:
    return {name: lanes for name, (_, lanes) in model.values.items()}


@pytest.mark.parametrize("loss", [0.0, 0.02, 0.2])
def test_frames_are_those_of_the_model_and_losses_are_repaired(seeded: random.Random, loss: float) -> None:
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    for _ in range(30):
        channel = WatchChannel(
            context,
            Door("inproc://nothing"),
            {"m/": lambda target, property: True},
            every=True,
            see_epoch=lambda epoch: None,
            now=0,
        )
        channel.socket.close(0)
        fake = FakeSocket()
        channel.socket = fake  # pyright: ignore[reportAttributeAccessIssue]
        model, now = Model(seeded, 1), 0.0
        waiting = model.subscribe()
        missed = lost_frames = 0
        for step in range(200):
            now += 0.01
            if seeded.random() < 0.01:
                model = Model(seeded, model.epoch + seeded.choice([1, 3]))
                waiting = model.subscribe()
            waiting += model.step()
            is_lossy = loss > 0 and step < 150
            was_lost = False
            for message in waiting:
                if is_lossy and seeded.random() < loss:
                    was_lost = True
                elif seeded.random() < 0.02:
                    channel._take(seeded.randbytes(50) + b"\0" + message, now)
                    channel._take(message, now)
                    channel._take(message, now)
                else:
                    channel._take(message, now)
            lost_frames += was_lost
            waiting = []
            if channel.next_due <= now:
                channel.elapsed(now)
            if fake.subscribed:
                fake.subscribed.clear()
                waiting += model.subscribe()
            channel._emit()
            while (frame := channel.take()) is not None:
                missed += frame.missed
                for array in (frame.values, frame.velocities, frame.late, frame.changed_at):
                    assert np.isfinite(array).all()
                assert (frame.velocities == -frame.values).all()
                if loss == 0 and frame.number == model.frame and frame.epoch == model.epoch:
                    assert _shown(frame) == _expected(model)
        # Whatever was lost: after a while the state is that of the model. A timeout asks for what is still missing.
        for _ in range(20):
            now += 10
            if channel.next_due <= now:
                channel.elapsed(now)
            if fake.subscribed:
                fake.subscribed.clear()
                for message in model.subscribe():
                    channel._take(message, now)
            for message in model.step():
                channel._take(message, now)
        layout = channel._state.layout
        lanes = {
            name: channel._state.values[first : first + count].tolist()
            for name, first, count in zip(layout.names, layout.firsts, layout.counts, strict=True)
        }
        assert lanes == _expected(model)
        assert loss > 0 or missed == 0
        channel.close()
    context.term()


def test_only_the_newest_frame_waits_and_missed_counts_the_others() -> None:
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    channel = WatchChannel(
        context,
        Door("inproc://x"),
        {"m/": lambda target, property: True},
        every=False,
        see_epoch=lambda epoch: None,
        now=0,
    )
    model = Model(random.Random(1), 1)
    while not model.values:
        _ = model.step()
    for message in model.subscribe():
        channel._take(message, 0)
    frames = 0
    for _ in range(10):
        frames += bool(messages := model.step())
        for message in messages:
            channel._take(message, 0)
    channel._emit()
    frame = channel.take()
    assert frame is not None and frame.missed == frames and _shown(frame) == _expected(model)
    assert channel.take() is None
    channel.close()
    context.term()


def _topics(*places: str) -> list[str]:
    async def groups() -> list[pb.Operation.Group]:
        return [pb.Operation.Group(name="front", members=["a", "b"]), pb.Operation.Group(name="all.of", members=["c"])]

    try:
        topics_of(places, "m", groups).send(None)
    except StopIteration as end:
        return list(end.value)
    raise AssertionError


def test_places_become_topics() -> None:
    assert _topics() == ["m/"]
    assert _topics("ball") == ["m/ball"]
    assert _topics("ball/position") == ["m/ball/position"]
    assert _topics("ball.position") == ["m/ball.position", "m/ball/position"]
    assert _topics("ball", "ball/position") == ["m/ball"]
    assert _topics("lamp{1..3}") == ["m/lamp1", "m/lamp2", "m/lamp3"]
    assert _topics("{left,right}-lamp,x") == ["m/left-lamp", "m/right-lamp", "m/x"]
    assert _topics("lamp{08..10}/x") == ["m/lamp08/x", "m/lamp09/x", "m/lamp10/x"]
    assert _topics("@front") == ["m/a", "m/b"]
    assert _topics("@front.level", "@all.of.x") == ["m/a/level", "m/b/level", "m/c/x"]
    assert _topics("lamp*") == ["m/"]
    for wrong in ("", "a b", "a/b/c", "@back", "lamp{1..5", "ä"):
        with pytest.raises(Exception, match=r"names no|no group"):
            _ = _topics(wrong)
