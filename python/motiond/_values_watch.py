"""A watch's side in the I/O thread: its socket, the followers of its topics, and the frames for the reader."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

import zmq

from ._client_calls import Pending
from ._errors import MotionError
from ._io import Channel, Door, subscriber
from ._values import ValuesMessage, WireError, split_topic
from ._values_follower import TopicFollower
from ._values_frame import Frame
from ._values_open import OpenFrame
from ._values_past import Memory, Moment
from ._values_state import ValueState
from ._values_template import TopicReader

#: Messages that wait in the socket: more than a second of 64 KiB messages at 200 MB/s.
QUEUE = 4096
#: Frames, and bytes of them, that wait for a reader who wants every frame. The oldest beyond are counted as missed.
MOST_FRAMES, MOST_BYTES = 4096, 256 << 20
#: Messages that are read before other sockets have their turn.
TURN = 256
#: How long to wait for the next message of a frame, in milliseconds: a fraction of a frame, for other sockets wait,
#: too.
PATIENCE = 2
#: Topics that are subscribed to at once: complete values of more would overflow motiond's queue.
TOPICS_AT_ONCE = 400


class WatchChannel(Channel):
    """Follows topics and hands frames over to the thread that reads them."""

    def __init__(
        self,
        context: zmq.Context[zmq.Socket[bytes]],
        door: Door,
        topics: dict[str, Callable[[str, str], bool]],
        *,
        every: bool,
        see_epoch: Callable[[int], None],
        now: float,
        keeps_past: bool = True,
    ) -> None:
        """`keeps_past` lets frames draw the curves of the seconds before them."""
        self.socket = subscriber(context, door, QUEUE)
        self.socket.setsockopt(zmq.RCVTIMEO, PATIENCE)
        self._state = ValueState()
        self._accepts = topics
        self._followers: dict[bytes, TopicFollower] = {}
        self._readers: dict[bytes, TopicReader] = {}
        self._waiting = deque(topics)
        self._every = every
        self._see_epoch = see_epoch
        self._epoch = 0
        self._open = OpenFrame(len(topics))
        #: Whether the values of all topics have arrived in this epoch: no frame is handed over before.
        self._is_whole = False
        #: The frames that were missed before the open one.
        self._missed = 0
        self._is_within_frame = False
        self._lock = threading.Lock()
        self._ready: deque[Frame] = deque()
        self._ready_bytes = 0
        self._reader: Pending[None] | None = None
        self._memory = Memory() if keeps_past else None
        self._synchronised: list[Pending[bool]] = []
        self._error: MotionError | None = None
        self._is_closed = False
        self._subscribe(now)

    # -------------------------------------------------------------------------------------- for the reader's thread

    def take(self) -> Frame | None:
        """The next frame, if there is one. Raises the error that ended the watch."""
        with self._lock:
            if self._ready:
                frame = self._ready.popleft()
                self._ready_bytes -= _size(frame)
                return frame
            if self._error is not None:
                raise self._error
            return None

    def arrival(self) -> Pending[None]:
        """Is done when `take` may have something. One for all readers, so that a cancelled wait loses nothing."""
        with self._lock:
            if self._reader is None:
                self._reader = Pending()
                if self._ready or self._is_closed:
                    self._reader.succeed(None)
            reader = self._reader
            if reader.done():
                self._reader = None
            return reader

    @property
    def awaited(self) -> list[str]:
        """The places whose values have not arrived."""
        topics = [topic.decode() for topic, follower in list(self._followers.items()) if not follower.is_synchronised]
        names = [topic.partition("/")[2].replace("/", ".") or "all targets" for topic in topics + list(self._waiting)]
        # A place such as lamp.x may be a property or a target.
        return list(dict.fromkeys(names))

    @property
    def is_closed(self) -> bool:
        """Whether no frames follow those that wait."""
        return self._is_closed

    # ---------------------------------------------------------------------------------------------- in the I/O thread

    def synchronised(self, pending: Pending[bool]) -> None:
        """Lets `pending` succeed when complete values of all topics were received, and nothing was missed since."""
        self._synchronised.append(pending)
        self._report()

    def receive(self, now: float) -> bool:
        for _ in range(TURN):
            try:
                # In the midst of a frame the next message is on its way: to wait for it here costs less than another
                # turn.
                message = self.socket.recv(0 if self._is_within_frame else zmq.NOBLOCK)
            except zmq.Again:
                self._is_within_frame = False
                if self._has_all() and self._open.is_complete:
                    self._emit()
                self._report()
                return False
            # motiond sends no message of several parts; the parts of one would not be messages of this protocol.
            self._take(message, now)
        return True

    @property
    def next_due(self) -> float:
        due = self._open.due if self._is_whole else float("inf")
        return min([due, *(follower.next_due for follower in self._followers.values())])

    def elapsed(self, now: float) -> None:
        if self._is_whole and self._open.due <= now:
            self._emit()
        for topic, follower in self._followers.items():
            if follower.elapsed(now):
                self._subscribe_again(topic)

    def close(self, error: MotionError | None = None) -> None:
        self.socket.close(0)
        for pending in self._synchronised:
            pending.fail(error or MotionError("the watch is closed", code="closed"))
        with self._lock:
            self._is_closed, self._error = True, error
            reader, self._reader = self._reader, None
        if reader is not None:
            reader.succeed(None)

    # ----------------------------------------------------------------------------------------------------------- steps

    def _subscribe(self, now: float) -> None:
        """Subscribes to the next topics, if the complete values of those before have arrived."""
        for _ in range(min(TOPICS_AT_ONCE, len(self._waiting))):
            topic = self._waiting.popleft()
            self._followers[topic.encode()] = TopicFollower(self._state, self._accepts[topic], now)
            self._readers[topic.encode()] = TopicReader()
            self.socket.subscribe(topic.encode() + b"\0")

    def _subscribe_again(self, topic: bytes) -> None:
        # libzmq counts subscriptions: without this order there would be a moment without one.
        self.socket.subscribe(topic + b"\0")
        self.socket.unsubscribe(topic + b"\0")

    def _take(self, message: bytes, now: float) -> None:
        try:
            topic, start = split_topic(message)
            follower = self._followers.get(topic)
            if follower is None:
                return
            published = self._readers[topic].read(message, start)
        except WireError:
            # It counts as lost: the next sequence shows it.
            return
        if published.epoch != self._epoch:
            self._begin(published.epoch, now)
            follower = self._followers[topic]
        body = published.body
        if isinstance(body, ValuesMessage) and self._open.is_ended_by(body.frame) and not self._open.was_shown:
            self._emit()
        self._is_within_frame = isinstance(body, ValuesMessage) and body.has_more
        outcome = follower.receive(published, now)
        self._missed += outcome.missed
        if outcome.resubscribes:
            self._subscribe_again(topic)
        if isinstance(body, ValuesMessage):
            if body.has_more:
                self._open.begin(topic, body.frame, now)
            elif outcome.is_frame:
                head = (body.frame, body.time, body.dt, published.epoch)
                self._open.end(
                    topic, head, now, has_properties=follower.has_properties, is_complete=outcome.is_complete
                )
            else:
                self._open.ignore(topic)

    def _begin(self, epoch: int, now: float) -> None:
        """Another start of motiond: its handles, sequences and frames are others."""
        self._emit()
        is_first = self._epoch == 0
        self._epoch = epoch
        self._see_epoch(epoch)
        if is_first:
            return
        self._open, self._is_whole = OpenFrame(len(self._accepts)), False
        if self._memory is not None:
            self._memory.forget()
        self._state = ValueState()
        for topic in self._followers:
            self._followers[topic] = TopicFollower(self._state, self._accepts[topic.decode()], now)

    def _has_all(self) -> bool:
        """Whether frames can be handed over."""
        if not self._is_whole and not self._waiting:
            self._is_whole = all(follower.is_synchronised for follower in self._followers.values())
        return self._is_whole

    def _report(self) -> None:
        if not all(follower.is_synchronised for follower in self._followers.values()):
            return
        if self._waiting:
            self._subscribe(self._now())
        elif self._synchronised:
            waiting, self._synchronised = self._synchronised, []
            for pending in waiting:
                pending.succeed(True)

    def _emit(self) -> None:
        """Hands the open frame over. It copies the arrays: the next messages change them."""
        head = self._open.take() if self._has_all() else None
        if head is None:
            return
        state = self._state
        properties, lanes = len(state.layout.names), state.layout.lanes
        if not properties:
            return
        with self._lock:
            if not self._every and self._ready:
                self._missed += 1 + self._ready.popleft().missed
                self._ready_bytes = 0
        moment = Moment(
            state.layout,
            state.values[:lanes].copy(),
            state.velocities[:lanes].copy(),
            state.late[:properties].copy(),
            state.changed[:properties].copy(),
            head,
        )
        frame = Frame(*moment, self._missed, None if self._memory is None else self._memory.add(moment))
        self._missed = 0
        with self._lock:
            self._ready.append(frame)
            self._ready_bytes += _size(frame)
            while len(self._ready) > 1 and (len(self._ready) > MOST_FRAMES or self._ready_bytes > MOST_BYTES):
                lost = self._ready.popleft()
                self._ready_bytes -= _size(lost)
                self._ready[0].missed += 1 + lost.missed
            reader, self._reader = self._reader, None
        if reader is not None:
            reader.succeed(None)


def _size(frame: Frame) -> int:
    return frame.values.nbytes * 2 + frame.changed_at.nbytes
