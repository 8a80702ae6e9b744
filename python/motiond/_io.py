"""The I/O thread of a client: it owns all sockets, and nothing else touches them.

Other threads post tasks to it; a pair of sockets wakes it, which works on every system. It polls its channels, lets
each read what has arrived, and calls them when a timeout is due.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
import logging
import os
import socket
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import zmq

from ._errors import Closed, Forked, MotionError

_logger = logging.getLogger("motiond")

#: The longest message of a client, and the longest that is published (docs/protocol.md, Limits).
LONGEST_CONTROL, LONGEST_PUBLISHED = 64 << 20, 1 << 20
#: The limit of queued subscribe and unsubscribe messages; libzmq silently drops those beyond.
SUBSCRIPTIONS = 2 * 65_536


@dataclass(frozen=True)
class Keys:
    """The keys of a client and of its daemon, in Z85."""

    public: bytes
    secret: bytes
    server: bytes


@dataclass(frozen=True)
class Door:
    """An address that sockets connect to, with keys if it is on another machine."""

    endpoint: str
    keys: Keys | None = None

    def connect(self, socket: zmq.Socket[bytes]) -> None:
        """Sets the options of every socket, and connects it."""
        socket.setsockopt(zmq.LINGER, 0)
        if self.keys is not None:
            socket.setsockopt(zmq.CURVE_SERVERKEY, self.keys.server)
            socket.setsockopt(zmq.CURVE_PUBLICKEY, self.keys.public)
            socket.setsockopt(zmq.CURVE_SECRETKEY, self.keys.secret)
            socket.setsockopt(zmq.IPV6, 1)
            # A machine that was switched off sends nothing: after this timeout libzmq reconnects.
            socket.setsockopt(zmq.HEARTBEAT_IVL, 10_000)
            socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, 30_000)
        socket.connect(self.endpoint)


def dealer(context: zmq.Context[zmq.Socket[bytes]], door: Door, queue: int) -> zmq.Socket[bytes]:
    """A socket for requests."""
    made = context.socket(zmq.DEALER)
    made.setsockopt(zmq.SNDHWM, queue)
    made.setsockopt(zmq.RCVHWM, 0)
    made.setsockopt(zmq.MAXMSGSIZE, LONGEST_CONTROL)
    door.connect(made)
    return made


def subscriber(context: zmq.Context[zmq.Socket[bytes]], door: Door, queue: int) -> zmq.Socket[bytes]:
    """A socket for what motiond publishes."""
    made = context.socket(zmq.SUB)
    made.setsockopt(zmq.SNDHWM, SUBSCRIPTIONS)
    made.setsockopt(zmq.RCVHWM, queue)
    made.setsockopt(zmq.MAXMSGSIZE, LONGEST_PUBLISHED)
    door.connect(made)
    return made


def boot_now() -> float:
    """Seconds of a clock that never goes back: the boot clock where there is one, which counts suspended time, too."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class Channel(ABC):
    """A socket with its conversation, in the I/O thread."""

    socket: zmq.Socket[bytes]

    @abstractmethod
    def receive(self, now: float) -> bool:
        """Processes what has arrived, as far as its turn goes. Returns whether there may be more."""

    @property
    @abstractmethod
    def next_due(self) -> float:
        """When `elapsed` has something to do; infinite if never."""

    @abstractmethod
    def elapsed(self, now: float) -> None:
        """Handles timeouts."""

    @abstractmethod
    def close(self, error: MotionError | None = None) -> None:
        """Closes the socket, and ends those that wait for it."""

    @staticmethod
    def _now() -> float:
        return boot_now()


class IOThread:
    """The thread. Only `post` and `stop` may be called from others."""

    def __init__(self) -> None:
        self.context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._tasks: deque[Callable[[], None]] = deque()
        self._wakes, self._woken = socket.socketpair()
        self._wakes.setblocking(False)
        self._woken.setblocking(False)
        self._is_woken = False
        self._channels: list[Channel] = []
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._is_stopping = False
        # Reentrant: a finalizer may post a task in the midst of posting one.
        self._lock = threading.RLock()
        self._process = os.getpid()
        self._thread = threading.Thread(target=self._run, name="motiond", daemon=True)
        self._thread.start()

    # ------------------------------------------------------------------------------------------------ for other threads

    def post(self, task: Callable[[], None]) -> None:
        """Runs a task in the thread. Raises `Forked` in another process, `Closed` after the end."""
        if os.getpid() != self._process:
            raise Forked
        with self._lock:
            if self._is_stopping:
                raise Closed
            self._tasks.append(task)
            if self._is_woken:
                return
            self._is_woken = True
        self._wake()

    def stop(self) -> None:
        """Ends the thread and closes all sockets; waits until that is done. Harmless if it was done, or after a
        fork."""
        if os.getpid() != self._process:
            return
        with self._lock:
            self._is_stopping = True
        self._wake()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    @property
    def is_running(self) -> bool:
        """Whether tasks can be posted, from this process."""
        return not self._is_stopping and os.getpid() == self._process

    # ---------------------------------------------------------------------------------------------------- in the thread

    def add(self, channel: Channel) -> None:
        """Polls a channel from now on."""
        self._channels.append(channel)

    def remove(self, channel: Channel) -> None:
        """Closes a channel."""
        if channel in self._channels:
            self._channels.remove(channel)
            channel.close()

    def call_at(self, when: float, task: Callable[[], None]) -> None:
        """Runs a task at a time of the boot clock."""
        heapq.heappush(self._timers, (when, next(self._order), task))

    def _wake(self) -> None:
        # It may be gone already.
        with contextlib.suppress(OSError):
            _ = self._wakes.send(b"\0")

    def _run(self) -> None:
        try:
            while not self._is_stopping:
                self._turn()
        finally:
            with self._lock:
                self._is_stopping = True
            self._run_tasks()
            for channel in self._channels:
                channel.close(Closed())
            self._channels.clear()
            for _, _, task in self._timers:
                self._guard(task)
            self._wakes.close()
            self._woken.close()
            self.context.term()

    def _turn(self) -> None:
        poller = zmq.Poller()
        poller.register(self._woken, zmq.POLLIN)
        for channel in self._channels:
            poller.register(channel.socket, zmq.POLLIN)
        busy: list[Channel] = []
        while not self._is_stopping:
            now = boot_now()
            due = min((channel.next_due for channel in self._channels), default=float("inf"))
            if self._timers:
                due = min(due, self._timers[0][0])
            wait = 0 if busy else None if due == float("inf") else max(0, int((due - now) * 1000) + 1)
            ready = {source for source, _ in poller.poll(wait)}
            now = boot_now()
            before = [channel.socket for channel in self._channels]
            if self._woken.fileno() in ready:
                with contextlib.suppress(BlockingIOError):
                    while self._woken.recv(4096):
                        pass
                # After the bytes: a task that is posted from here on sends another one.
                with self._lock:
                    self._is_woken = False
                self._run_tasks()
            busy = [channel for channel in self._channels if channel.socket in ready and self._serve(channel, now)]
            for channel in list(self._channels):
                if channel.next_due <= now:
                    self._guard(partial(channel.elapsed, now))
            while self._timers and self._timers[0][0] <= now:
                self._guard(heapq.heappop(self._timers)[2])
            if [channel.socket for channel in self._channels] != before:
                return

    def _run_tasks(self) -> None:
        while self._tasks:
            self._guard(self._tasks.popleft())

    def _serve(self, channel: Channel, now: float) -> bool:
        try:
            return channel.receive(now)
        except Exception:
            _logger.exception("motiond: an error in the client's I/O thread")
            return False

    def _guard(self, task: Callable[[], None]) -> None:
        """An error of a task is a mistake of this package: it must not end the thread, which others wait for."""
        try:
            task()
        except Exception:
            _logger.exception("motiond: an error in the client's I/O thread")
