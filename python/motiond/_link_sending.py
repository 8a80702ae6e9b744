"""What a worker publishes: updates with events until they are acknowledged, heartbeats, lines for the log."""

from __future__ import annotations

from ._link_messages import Outgoing, Stamp, UpdateBody
from ._link_parts import EventOutbox, LinkCounters, TokenSet
from ._link_state import AwaitingSnapshot, Draining, Serving, State
from ._link_timing import SECOND, LinkTiming, next_beat
from ._proto import motion_pb2 as pb


class Sending:
    """The part of the link that numbers and sends."""

    def __init__(self, epoch: int, incarnation: int, state: State, timing: LinkTiming, now: int) -> None:
        self.state: State = state
        #: The tokens that its executors hold; the caller keeps them up to date.
        self.tokens = TokenSet()
        #: The last command whose effect the worker holds.
        self.commands_applied = 0
        self.counters = LinkCounters()
        self._timing = timing
        self._is_active = False
        self._heartbeat_due = now
        self._outbox = EventOutbox()
        self._has_event_subscription = False
        self._sent_at = now
        self._sent_command = 0
        self._link_stamp = Stamp(epoch, incarnation)
        self._event_stamp = Stamp(epoch, incarnation)

    @property
    def unacknowledged_events(self) -> int:
        """The number of events that motiond has not acknowledged."""
        return len(self._outbox)

    def record(self, event: pb.Update.Event) -> None:
        """Numbers an event. It is sent with every update until motiond acknowledges it."""
        self._outbox.record(event)

    def update(self, frame: int, now: int) -> Outgoing:
        """Answers a tick: the message to publish, with all events not yet acknowledged, to which values are added."""
        self._outbox.sent()
        self._sent_at = now
        self._sent_command = self.commands_applied
        return self._event_stamp.message(UpdateBody(frame, self.commands_applied, self._outbox.events), now)

    def report(self, report: pb.StreamReport, question: int, now: int) -> Outgoing:
        """Answers a question about streams: the message to send on the link."""
        return self._link_stamp.message(report, now, reply_to=question)

    def log(self, line: pb.Log, now: int) -> Outgoing:
        """A line for motiond's log, as the message to publish. Lines may get lost."""
        return self._event_stamp.message(line, now)

    def set_active(self, is_active: bool, now: int) -> None:
        """Whether something moves: heartbeats become frequent at once, or rare after the next one."""
        if is_active and not self._is_active:
            self._heartbeat_due = now
        self._is_active = is_active

    def heartbeat_if_due(self, now: int) -> Outgoing | None:
        """The heartbeat to publish, if one is due: for a caller that is busy with a long frame."""
        if not (self._can_publish and now >= self._heartbeat_due):
            return None
        interval = self._timing.interval(self._is_active)
        self._heartbeat_due = next_beat(now, interval)
        heartbeat = pb.WorkerHeartbeat(
            commands_applied=self.commands_applied,
            last_event=self._outbox.last,
            tokens=self.tokens.hash,
            interval=interval / SECOND,
            conflated_ticks=self.counters.conflated_ticks,
        )
        return self._event_stamp.message(heartbeat, now)

    @property
    def _can_publish(self) -> bool:
        return self._has_event_subscription and isinstance(self.state, (AwaitingSnapshot, Serving, Draining))

    @property
    def _has_news(self) -> bool:
        # An event or acknowledgement that was never sent does not wait for a tick.
        if self._outbox.last_sent >= self._outbox.last and self._sent_command >= self.commands_applied:
            return False
        return self._has_event_subscription and isinstance(self.state, (Serving, Draining))

    @property
    def _repeat_due(self) -> int | None:
        return self._sent_at + self._timing.event_repeat if len(self._outbox) and self._can_publish else None
