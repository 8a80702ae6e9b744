"""Publishes frames as motiond does, at a rate, without computing anything: the other end of the benchmark of watches.

    python -m benchmarks.publisher RUNTIME_DIR LANES RATE [LANES_OF_A_PROPERTY]

It answers greetings and publishes on `m/`: names, complete values, then changes of every property, split into
messages of at most 64 KiB.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import zmq

from motiond._proto import motion_pb2 as pb

#: The longest message of motiond.
LONGEST = 65_536
_TOPIC = b"m/\0"


def parts(lanes: int, per_property: int) -> Iterator[tuple[int, int]]:
    """The ranges of properties of the messages of a frame."""
    properties = lanes // per_property
    # Value and velocity of each lane, a handle of three bytes, and a count.
    size = (LONGEST - 256) // (16 * per_property + 4)
    for first in range(0, properties, size):
        yield first, min(first + size, properties)


class Frames:
    """Encodes the frames. Numbers of frames begin at 2^28, so that each is five bytes, which are replaced in a
    message that was encoded before: the publisher has to cost little of the machine that is measured."""

    FIRST = 1 << 28

    def __init__(self, lanes: int, per_property: int) -> None:
        self._parts = list(parts(lanes, per_property))
        self._per_property = per_property
        self._sequence = 0
        self._bodies = [[self._body(index, step) for index in range(len(self._parts))] for step in range(8)]

    def names(self) -> Iterator[bytes]:
        """The messages with the names."""
        count = self._parts[-1][1]
        for first in range(0, count, 1000):
            names = [
                pb.Names.Name(
                    handle=i + 1,
                    property=pb.PropertyReference(target=f"lamp{i + 1}", property="level"),
                    lanes=self._per_property,
                )
                for i in range(first, min(first + 1000, count))
            ]
            message = pb.Envelope(protocol=1, epoch=1, sequence=self._sequence, names=pb.Names(names=names))
            yield _TOPIC + message.SerializeToString()

    def complete(self, number: int) -> Iterator[bytes]:
        """The messages of complete values."""
        complete = pb.Values(complete=True).SerializeToString()
        for index in range(len(self._parts)):
            yield self._message(self._bodies[number % 8][index] + complete, number)

    def frame(self, number: int) -> Iterator[bytes]:
        """The messages of a frame."""
        for body in self._bodies[number % 8]:
            self._sequence += 1
            yield self._message(body, number)

    def _body(self, index: int, step: int) -> bytes:
        """The Values of a message, without the number of the frame."""
        first, end = self._parts[index]
        lanes = np.full((end - first) * self._per_property, step / 8)
        values = pb.Values(
            time=1,
            dt=1 / 120,
            handles=range(first + 1, end + 1),
            counts=[self._per_property] * (end - first),
            lanes=lanes,
            velocities=lanes,
            part=index,
            more=index + 1 < len(self._parts),
        )
        return values.SerializeToString()

    def _message(self, body: bytes, number: int) -> bytes:
        head = pb.Envelope(protocol=1, epoch=1, sequence=self._sequence).SerializeToString()
        frame = pb.Values(frame=self.FIRST + number).SerializeToString()
        return b"".join((_TOPIC, head, b"\xf2\x01", _varint(len(frame) + len(body)), frame, body))


def _varint(number: int) -> bytes:
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def main() -> None:
    """Serves until it is killed."""
    directory, lanes, rate = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    frames = Frames(lanes, int(sys.argv[4]) if len(sys.argv) > 4 else 4)
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    control, values = context.socket(zmq.ROUTER), context.socket(zmq.XPUB)
    values.setsockopt(zmq.SNDHWM, 2048)
    values.setsockopt(zmq.XPUB_VERBOSE, 1)
    (directory / "client").mkdir(parents=True, exist_ok=True)
    endpoint = f"ipc://{directory}/client/values.ipc"
    values.bind(endpoint)
    control.bind(f"ipc://{directory}/client/control.ipc")
    poller = zmq.Poller()
    poller.register(control, zmq.POLLIN)
    poller.register(values, zmq.POLLIN)
    number, due, is_wanted = 0, 0.0, False
    while True:
        wait = max(0, int((due - time.monotonic()) * 1000)) if is_wanted else None
        ready = {socket for socket, _ in poller.poll(wait)}
        if control in ready:
            sender, request = control.recv_multipart()
            asked = pb.Envelope.FromString(request)
            answer = pb.Envelope(protocol=1, epoch=1, reply_to=asked.sequence, done=pb.Done())
            if asked.WhichOneof("body") == "greeting":
                service = pb.Service(protocol_version=1, values_endpoint=endpoint, rate_per_second=rate)
                answer = pb.Envelope(protocol=1, epoch=1, reply_to=asked.sequence, service=service)
            control.send_multipart([sender, answer.SerializeToString()])
        if values in ready:
            subscription = values.recv()
            if subscription == b"\x01" + _TOPIC:
                for message in (*frames.names(), *frames.complete(number)):
                    values.send(message)
                is_wanted, due = True, time.monotonic()
            elif subscription[:1] == b"\x01":
                empty = pb.Envelope(protocol=1, epoch=1, values=pb.Values(complete=True))
                values.send(subscription[1:] + empty.SerializeToString())
        if is_wanted and time.monotonic() >= due:
            number += 1
            due += 1 / rate
            for message in frames.frame(number):
                values.send(message)


if __name__ == "__main__":
    main()
