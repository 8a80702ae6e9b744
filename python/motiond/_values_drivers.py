"""Follows which plans drive some properties."""

from __future__ import annotations

import zmq

from ._errors import MotionError
from ._io import Channel, Door, subscriber
from ._proto import motion_pb2 as pb
from ._values import WireError, read_published, split_topic

#: Changes that are kept, of all properties: more than a picture has columns.
MOST_CHANGES = 100_000


class DriverChannel(Channel):
    """Collects the changes of drivers on topics that begin with `d/`. The reader's thread may read `changes` after
    the end."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], door: Door, topics: list[str]) -> None:
        self.socket = subscriber(context, door, 4096)
        self.changes: list[pb.Drivers.Change] = []
        self._topics = {topic.encode() for topic in topics}
        self._last: dict[bytes, int] = {}
        self._epoch = 0
        for topic in self._topics:
            self.socket.subscribe(topic + b"\0")

    def receive(self, now: float) -> bool:
        for _ in range(256):
            try:
                parts = self.socket.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return False
            if len(parts) == 1:
                self._take(parts[0])
        return True

    @property
    def next_due(self) -> float:
        return float("inf")

    def elapsed(self, now: float) -> None:
        """Nothing is due."""

    def close(self, error: MotionError | None = None) -> None:
        self.socket.close(0)

    def _take(self, message: bytes) -> None:
        try:
            topic, start = split_topic(message)
            published = read_published(message, start)
        except WireError:
            return
        if topic not in self._topics or not isinstance(published.body, pb.Drivers):
            return
        if published.epoch != self._epoch:
            self._epoch, self._last = published.epoch, {}
        # A message with the same number is sent again.
        if published.sequence > self._last.get(topic, -1):
            self._last[topic] = published.sequence
            self.changes += list(published.body.changes)[: MOST_CHANGES - len(self.changes)]
