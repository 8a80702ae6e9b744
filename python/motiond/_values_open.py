"""Decides when a frame of a watch is complete, of which motiond sends the messages topic by topic.

The messages of a frame follow each other, and a topic without changes has none. No message is marked as the last one
of its frame. A frame is complete when each topic has sent its messages, when a message of another frame arrives, or
when no message follows for a while: a long one only if a topic is missing that sent in the frame before, or that has no
property yet while another topic gets its first.
"""

from __future__ import annotations

#: How long the other messages of a frame may take to follow, in seconds: motiond sends them within microseconds.
REST = 0.001
#: How long a topic that moves may take, on a busy machine. As a rule the next frame ends this wait.
MOTION = 0.050

#: The number of a frame, its simulated time, the time it covers, and the epoch.
Head = tuple[int, float, float, int]


class OpenFrame:
    """The frame whose messages arrive. It uses no clock."""

    def __init__(self, topics: int) -> None:
        """The frame of a watch of so many topics."""
        self._topics = topics
        #: The frame, if there is one to hand over.
        self.head: Head | None = None
        self._number = 0
        #: The topics that have properties.
        self._inhabited: set[bytes] = set()
        #: Whether a topic got its first property in this frame: another one may get its first, too.
        self._is_first = False
        #: The topics with properties that have sent all of this frame, and those that are to follow.
        self._arrived: set[bytes] = set()
        self._expected: set[bytes] = set()
        #: The frame that was handed over last, by number and epoch.
        self._shown = (0, 0)
        self._changed_at = 0.0

    @property
    def was_shown(self) -> bool:
        """Whether the frame was handed over before: messages came late, or something changed since."""
        return self.head is not None and (self.head[0], self.head[3]) == self._shown

    @property
    def due(self) -> float:
        """When the frame is complete, if nothing else arrives; infinite without one."""
        if self.head is None:
            return float("inf")
        return self._changed_at + (MOTION if self._lacks or self.was_shown else REST)

    @property
    def is_complete(self) -> bool:
        """Whether all topics with properties have sent their messages."""
        return self.head is not None and len(self._arrived) == len(self._inhabited) and not self._lacks

    def is_ended_by(self, number: int) -> bool:
        """Whether a message of this frame shows that no message of the open frame follows."""
        return self.head is not None and self.head[0] != number

    def begin(self, topic: bytes, number: int, now: float) -> None:
        """A message of a topic in this frame has arrived, and more are to follow."""
        self._turn(number, now)
        self._expected.add(topic)

    def end(self, topic: bytes, head: Head, now: float, *, has_properties: bool, is_complete: bool) -> None:
        """The last message of a topic in a frame has arrived: of changes, or of complete values."""
        self._turn(head[0], now)
        self._expected.discard(topic)
        if has_properties:
            self._is_first = self._is_first or (topic not in self._inhabited and not is_complete)
            self._inhabited.add(topic)
            self._arrived.add(topic)
        else:
            self._inhabited.discard(topic)
            self._arrived.discard(topic)
        self.head = head

    def ignore(self, topic: bytes) -> None:
        """The last message of a topic in a frame has arrived, and has changed nothing."""
        self._expected.discard(topic)

    def take(self) -> Head | None:
        """The frame, to hand it over."""
        head, self.head = self.head, None
        if head is not None:
            self._shown = (head[0], head[3])
        return head

    @property
    def _lacks(self) -> bool:
        """Whether a topic is probably missing."""
        return bool(self._expected) or (self._is_first and len(self._inhabited) < self._topics)

    def _turn(self, number: int, now: float) -> None:
        if number != self._number:
            # What moves sends in each frame.
            self._expected = self._arrived if now - self._changed_at < MOTION else set()
            self._arrived = set()
            self._is_first = False
            self._number = number
        self._changed_at = now
