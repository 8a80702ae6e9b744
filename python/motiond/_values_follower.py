"""Follows one topic: detects missed messages by their sequence numbers, and asks for complete values after a gap.

It decides and uses no socket. Input: messages and the time; output: whether a frame is complete, how many messages were
missed, and whether to subscribe again, which makes motiond send names and complete values. The rules are those of
docs/protocol.md, and the same as in `Sources/MotionClient/TopicFollower.swift`.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto

from ._proto import motion_pb2 as pb
from ._values import PublishedMessage, ValuesMessage, WireError, read_integers
from ._values_state import Placement, ValueState

#: The timeout for complete values, after which the client subscribes again. It doubles each time, up to the longest.
FIRST_TIMEOUT, LONGEST_TIMEOUT = 1.0, 8.0


class _State(Enum):
    #: The first complete values are awaited. Earlier messages cannot be interpreted.
    JOINING = auto()
    #: All messages up to the last sequence were received.
    FOLLOWING = auto()
    #: Messages were missed. Values are still delivered, and complete ones awaited.
    HEALING = auto()


class Outcome:
    """The result of a message."""

    __slots__ = ("is_complete", "is_frame", "missed", "resubscribes")

    def __init__(
        self, is_frame: bool = False, missed: int = 0, resubscribes: bool = False, complete: bool = False
    ) -> None:
        #: Whether the message was the last one of a frame, which can be shown now.
        self.is_frame = is_frame
        #: The messages of the topic that were missed before this one.
        self.missed = missed
        self.resubscribes = resubscribes
        #: Whether the frame holds every property of the topic.
        self.is_complete = complete


_NOTHING = Outcome()


class TopicFollower:
    """Follows a topic of values and puts them into the arrays of its watch."""

    def __init__(self, state: ValueState, accepts: Callable[[str, str], bool], now: float) -> None:
        """`accepts` tells by target and property which properties of the topic are of interest."""
        self._values = state
        self._accepts = accepts
        self._named: set[int] = set()
        #: Names whose values have not arrived: only with these they are shown.
        self._names: dict[int, tuple[str, int]] = {}
        self._ignored: set[int] = set()
        self._state = _State.JOINING
        self._last = 0
        self._timeout = FIRST_TIMEOUT
        self._asked_at = now
        #: The parts of complete values so far: sequence, frame, next part, handles, and whether names were missing.
        self._gathered: tuple[int, int, int, set[int], bool] | None = None
        self._missed = 0

    @property
    def is_synchronised(self) -> bool:
        """Whether complete values were received and nothing was missed since."""
        return self._state is _State.FOLLOWING

    @property
    def has_properties(self) -> bool:
        """Whether the topic has a property of interest."""
        return bool(self._named)

    @property
    def next_due(self) -> float:
        """When `elapsed` has something to do; infinite if no complete values are awaited."""
        return float("inf") if self.is_synchronised else self._asked_at + self._timeout

    def elapsed(self, now: float) -> bool:
        """Handles the timeout. Returns whether to subscribe again, because complete values did not arrive."""
        if now < self.next_due:
            return False
        self._timeout = min(self._timeout * 2, LONGEST_TIMEOUT)
        self._asked_at = now
        return True

    def receive(self, message: PublishedMessage, now: float) -> Outcome:
        """Processes a message of the topic. Bodies that are unknown or do not fit are ignored."""
        body = message.body
        if isinstance(body, ValuesMessage):
            try:
                if body.is_complete:
                    return self._complete(body, message.sequence)
                return self._changes(body, message.sequence, now)
            except WireError:
                # It counts as lost: the next sequence shows it, or the timeout.
                return _NOTHING
        if isinstance(body, pb.Names):
            self._name(body)
        return _NOTHING

    # ----------------------------------------------------------------------------------------------------------- steps

    def _name(self, names: pb.Names) -> None:
        for name in names.names:
            target, property = name.property.target, name.property.property
            if not 1 <= name.lanes <= 4 or not target or not property:
                continue
            if not self._accepts(target, property):
                self._ignored.add(name.handle)
                continue
            self._named.add(name.handle)
            self._names[name.handle] = (f"{target}.{property}", name.lanes)

    def _put(self, values: ValuesMessage) -> Placement:
        if self._names:
            for handle in map(int, read_integers(values.handles)):
                if (name := self._names.pop(handle, None)) is not None:
                    self._values.add(handle, *name)
        return self._values.put(values)

    def _complete(self, values: ValuesMessage, sequence: int) -> Outcome:
        whole = self._gather(values, sequence)
        if whole is None:
            return _NOTHING
        handles, lacks_names = whole
        former, last = self._state, self._last
        self._last = sequence
        if lacks_names:
            # The names got lost, though the values did not: `elapsed` asks for both again.
            self._state = _State.HEALING
        else:
            self._state = _State.FOLLOWING
            self._timeout = FIRST_TIMEOUT
        self._remove(self._named - handles)
        if former is _State.JOINING:
            return Outcome(True, complete=True)
        if former is _State.FOLLOWING and sequence == last:
            # Sent for another client, which has just subscribed.
            return _NOTHING
        return Outcome(True, missed=max(0, sequence - last), complete=True)

    def _gather(self, values: ValuesMessage, sequence: int) -> tuple[set[int], bool] | None:
        """Adds one message of complete values to the previous ones. The handles, when this is the last; None if it is
        not, or one in between was lost: `elapsed` then asks for all again."""
        if values.part:
            begun = self._gathered
            if begun is None or begun[:3] != (sequence, values.frame, values.part):
                self._gathered = None
                return None
            _, _, _, handles, lacks_names = begun
        else:
            handles, lacks_names = set[int](), False
        placement = self._put(values)
        handles |= self._values.handles_of(placement)
        lacks_names = lacks_names or self._has_gap(values, placement.unknown)
        self._gathered = (sequence, values.frame, values.part + 1, handles, lacks_names) if values.has_more else None
        return None if values.has_more else (handles, lacks_names)

    def _changes(self, values: ValuesMessage, sequence: int, now: float) -> Outcome:
        # A topic without new values resends its last message, with the same sequence number.
        if self._state is _State.JOINING or sequence <= self._last:
            return _NOTHING
        if values.forgotten:
            self._remove(set(map(int, read_integers(values.forgotten))))
        placement = self._put(values)
        missed = sequence - self._last - 1
        is_healing = self._state is _State.HEALING
        has_gap = missed > 0 or self._has_gap(values, placement.unknown)
        self._last = sequence
        self._state = _State.HEALING if is_healing or has_gap else _State.FOLLOWING
        self._missed += missed
        # While healing, `elapsed` makes the next request: a lossy topic is not subscribed to with every message.
        resubscribes = has_gap and not is_healing
        if resubscribes:
            self._asked_at = now
        if values.has_more:
            return Outcome(resubscribes=resubscribes) if resubscribes else _NOTHING
        missed, self._missed = self._missed, 0
        return Outcome(True, missed, resubscribes)

    def _has_gap(self, values: ValuesMessage, unknown: int) -> bool:
        """Whether the message has handles whose names were missed."""
        if not unknown:
            return False
        if not self._ignored:
            return True
        handles = set(map(int, read_integers(values.handles)))
        return not handles <= self._named | self._ignored

    def _remove(self, handles: set[int]) -> None:
        self._named -= handles
        self._ignored -= handles
        for handle in handles:
            self._names.pop(handle, None)
        self._values.remove(handles)
