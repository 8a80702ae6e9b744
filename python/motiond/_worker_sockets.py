"""The four sockets of a worker and its poller; all belong to one thread."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import zmq

from ._link_decode import MESSAGE_BYTES, TOPIC_BYTES, decode, split_topic
from ._link_messages import Outgoing
from ._proto import motion_pb2 as pb
from ._worker_environment import Environment, Keys
from ._worker_update import Block, SentShape, encode

#: The limit of queued requests while motiond does not receive them; each is resent.
REQUESTS_WAITING = 64
#: The limit of queued commands: a transaction's 100,000 operations may arrive as one command each.
COMMANDS_WAITING = 100_000
#: The limit of queued ticks while the worker is busy: one second at 1 kHz, of which the last counts.
TICKS_WAITING = 1000
#: The limit of queued updates while motiond does not receive them: one second at 1 kHz.
UPDATES_WAITING = 1000
#: How long a closed socket continues to send, in milliseconds: the last events of a worker that was shut down.
FAREWELL = 200


def boot_time() -> int:
    """The time since boot in nanoseconds; it continues while the machine sleeps."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


def apply_keys(socket: zmq.Socket[bytes], keys: Keys | None) -> None:
    """Authenticates a socket over a network."""
    if keys is not None:
        socket.curve_publickey = keys.public
        socket.curve_secretkey = keys.secret
        socket.curve_serverkey = keys.server
        socket.ipv6 = True


class WorkerSockets:
    """Sends and receives; contains no decisions."""

    def __init__(self, environment: Environment, context: zmq.Context[zmq.Socket[bytes]], keys: Keys | None) -> None:
        name = f"{environment.plugin}.{environment.instance}"
        self._topic = f"e/{name}/{environment.incarnation}\0".encode()
        self._context = context
        self._keys = keys
        self._shape = SentShape()
        #: The number of messages that could not be decoded.
        self.malformed = 0
        size = MESSAGE_BYTES + TOPIC_BYTES
        self._link = self._socket(zmq.DEALER, size, REQUESTS_WAITING, FAREWELL)
        self._link.sndhwm = REQUESTS_WAITING
        self._link.routing_id = f"{name}/{environment.incarnation}".encode()
        self._commands = self._socket(zmq.SUB, size, COMMANDS_WAITING, 0)
        # Only the newest tick counts, and this side finds it: ZMQ_CONFLATE may withhold it until another arrives.
        self._ticks = self._socket(zmq.SUB, 4096, TICKS_WAITING, 0)
        self._events = self._socket(zmq.XPUB, 4096, 0, FAREWELL)
        self._events.sndhwm = UPDATES_WAITING
        self._events.xpub_verboser = 1
        # Immediate, so that a broken connection ends motiond's subscription, and reports the end.
        self._events.immediate = 1
        self._poller = zmq.Poller()
        for socket in (self._link, self._commands, self._ticks, self._events):
            self._poller.register(socket, zmq.POLLIN)
        self._ready: dict[object, int] = {}
        self._events.connect(environment.events)
        self._commands.connect(environment.commands)
        self._ticks.connect(environment.ticks)
        self._link.connect(environment.link)

    def _socket(self, kind: int, size: int, queue: int, linger: int) -> zmq.Socket[bytes]:
        socket = self._context.socket(kind)
        socket.maxmsgsize = size
        socket.rcvhwm = queue
        socket.linger = linger
        apply_keys(socket, self._keys)
        return socket

    def watch(self, descriptor: int) -> None:
        """Lets ``wait`` return when a descriptor is readable."""
        self._poller.register(descriptor, zmq.POLLIN)

    def close(self) -> None:
        """Closes the sockets; the last events are sent for ``FAREWELL``."""
        for socket in (self._link, self._commands, self._ticks, self._events):
            socket.close()

    # ---------------------------------------------------------------------------------------------------------- Waiting

    def wait(self, deadline: int | None) -> None:
        """Waits until something can be received, or until a time of the boot clock in nanoseconds."""
        timeout = None if deadline is None else max(0, -(-(deadline - boot_time()) // 1_000_000))
        self._ready = dict(self._poller.poll(timeout))

    def is_readable(self, descriptor: int) -> bool:
        """Whether a watched descriptor was readable after the last wait."""
        return descriptor in self._ready

    # ---------------------------------------------------------------------------------------------------------- Sending

    def send(self, message: Outgoing) -> None:
        """Sends a request. One that does not fit into the queue is dropped, because it is resent."""
        self._dropping(lambda: self._link.send(encode(message), zmq.NOBLOCK))

    def publish(self, message: Outgoing, blocks: list[Block] | None = None, shape: int = 0) -> None:
        """Publishes values, events or a heartbeat; all but values are resent if they do not fit.

        `shape` is the one that motiond has.
        """
        data = encode(message, blocks, self._topic, self._shape.number(blocks or [], shape))
        self._dropping(lambda: self._events.send(data, zmq.NOBLOCK))

    def subscribe(self, welcome: pb.Welcome) -> None:
        """Subscribes to the worker's topics."""
        self._commands.subscribe(welcome.command_topic.encode() + b"\0")
        if welcome.wants_updates:
            self._ticks.subscribe(welcome.tick_topic.encode() + b"\0")

    @staticmethod
    def _dropping(send: Callable[[], object]) -> None:
        try:
            send()
        except zmq.Again:
            pass

    # -------------------------------------------------------------------------------------------------------- Receiving

    def next_subscription(self) -> tuple[str, bool] | None:
        """The next topic that motiond subscribed to (true) or unsubscribed from; `None` when nothing is left."""
        while self._events in self._ready:
            data = self._receive(self._events)
            if data is None:
                return None
            if data[-1:] == b"\0" and data[:1] in (b"\0", b"\1") and len(data) <= TOPIC_BYTES + 2:
                return data[1:-1].decode("utf-8", "replace"), data[0] == 1
            self.malformed += 1
        return None

    def next(self) -> pb.Envelope | None:
        """The next answer, or the next command, or else the newest tick; `None` when nothing is left.

        Commands come before ticks, so that the commands that a tick announces were applied before it.
        """
        while (data := self._receive(self._link)) is not None:
            if (envelope := self._decoded(data)) is not None:
                return envelope
        while (data := self._receive(self._commands)) is not None:
            if (envelope := self._behind_topic(data)) is not None:
                return envelope
        newest: bytes | None = None
        while (data := self._receive(self._ticks)) is not None:
            newest = data
        return self._behind_topic(newest) if newest is not None else None

    def _receive(self, socket: zmq.Socket[bytes]) -> bytes | None:
        """One frame; `None` if none has arrived in this turn. Messages of several frames are dropped."""
        while socket in self._ready:
            try:
                data = socket.recv(zmq.NOBLOCK)
            except zmq.Again:
                del self._ready[socket]
                return None
            if not socket.rcvmore:
                return data
            self.malformed += 1
            while socket.rcvmore:
                socket.recv(zmq.NOBLOCK)
        return None

    def _behind_topic(self, data: bytes) -> pb.Envelope | None:
        parts = split_topic(data)
        if parts is None:
            self.malformed += 1
            return None
        return self._decoded(parts[1])

    def _decoded(self, data: bytes) -> pb.Envelope | None:
        envelope = decode(data)
        if envelope is None:
            self.malformed += 1
        return envelope


def has_ended(descriptor: int) -> bool:
    """Whether the other end of a lifeline is closed. Data received through it is ignored."""
    try:
        return not os.read(descriptor, 4096)
    except InterruptedError:
        return False
    except OSError:
        return True
