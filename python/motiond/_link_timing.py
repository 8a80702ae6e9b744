"""The times of the link between a worker and motiond, and the small clocks made of them.

All times are whole nanoseconds of the boot clock (``CLOCK_BOOTTIME``), passed in by the caller: nothing here reads a
clock. The numbers and rules are those of the Swift machine in ``Sources/MotionLink/Shared``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

MILLISECOND = 1_000_000
SECOND = 1_000_000_000

#: The longest interval or lease that a message may announce, in seconds.
LONGEST_ANNOUNCEMENT = 3600.0


def nanoseconds(seconds: float) -> int:
    """Whole nanoseconds of a finite number of seconds."""
    return round(seconds * SECOND)


def next_beat(now: int, interval: int) -> int:
    """The first full multiple of `interval` on the boot clock after `now`: all senders of a machine wake together."""
    return (now // interval + 1) * interval


@dataclass(frozen=True, slots=True)
class LinkTiming:
    """The heartbeat intervals of both ends of a link, and how long each end waits for the other."""

    #: The interval between heartbeats while something moves.
    heartbeat_while_active: int = 200 * MILLISECOND
    #: The interval between heartbeats while nothing moves: an idle machine may cost one wake-up a second.
    heartbeat_while_idle: int = SECOND
    #: How many intervals may pass without a message of the other end.
    missed_heartbeats: int = 5
    #: The longest interval that the other end may announce.
    longest_interval: int = 10 * SECOND
    #: The first wait before a request is resent; each further wait is twice as long.
    first_retry: int = 200 * MILLISECOND
    #: The longest wait before a request is resent.
    longest_retry: int = SECOND
    #: How long a worker sends requests without an answer before it exits.
    unanswered_limit: int = 60 * SECOND
    #: How long a worker that was told to shut down waits until its last events are acknowledged.
    drain_limit: int = 500 * MILLISECOND
    #: How long a worker waits for the commands that a tick announced before it requests a snapshot.
    tick_timeout: int = 200 * MILLISECOND
    #: How long a worker waits before it resends unacknowledged events when no update carries them.
    event_repeat: int = 200 * MILLISECOND
    #: How late a deadline may be checked. A caller that checks later was suspended itself.
    stall: int = 300 * MILLISECOND

    def interval(self, is_active: bool) -> int:
        """The interval between heartbeats."""
        return self.heartbeat_while_active if is_active else self.heartbeat_while_idle


#: The timing between processes of one machine.
LOCAL = LinkTiming()
#: The timing over a network: the same intervals, three times the timeout.
NETWORK = LinkTiming(missed_heartbeats=15)


class Retry:
    """The retry schedule of a request: soon, then after twice the wait each time, up to a longest wait."""

    __slots__ = ("_longest", "_wait", "due")

    def __init__(self, timing: LinkTiming, now: int) -> None:
        self._wait = timing.first_retry
        self._longest = timing.longest_retry
        self.due = now + self._wait

    def resent(self, now: int) -> None:
        """The request was resent at `now`."""
        self._wait = min(self._wait * 2, self._longest)
        self.due = now + self._wait


class Silence:
    """The liveness timeout of the other end, based on the heartbeat interval that it announced itself."""

    __slots__ = ("_interval", "_last", "_timing")

    def __init__(self, timing: LinkTiming, now: int) -> None:
        self._timing = timing
        self._last = now
        self._interval = timing.heartbeat_while_idle

    @property
    def deadline(self) -> int:
        """When the silence has lasted too long."""
        return self._last + self._interval * self._timing.missed_heartbeats

    def received(self, now: int) -> None:
        """A valid message of any kind was received."""
        self._last = max(self._last, now)

    def announced(self, seconds: float) -> None:
        """The other end sends its next heartbeat in `seconds`; an impossible value changes nothing."""
        if math.isfinite(seconds) and seconds > 0:
            self._interval = min(nanoseconds(min(seconds, LONGEST_ANNOUNCEMENT)), self._timing.longest_interval)

    def relax(self) -> None:
        """The other end may be silent for the idle interval again."""
        self._interval = self._timing.heartbeat_while_idle


class Lease:
    """How long a worker that motiond cannot kill may act, on the worker's own boot clock.

    It counts from the time at which the worker sent the newest message that motiond has received. So the worker stops
    first, whatever the two clocks show and however late messages are (docs/protocol.md).
    """

    __slots__ = ("_renewed_from", "_sequence", "end")

    def __init__(self, sent: int, length: int) -> None:
        """A lease of `length` nanoseconds that counts from `sent`, when the worker requested it."""
        self.end = sent + length
        self._renewed_from = max(0, sent)
        self._sequence = 0

    def is_over(self, now: int) -> bool:
        """Whether it has expired: from this moment on, the worker obeys no message."""
        return now >= self.end

    def renew(self, heard_sent: int, seconds: float, sequence: int, now: int) -> None:
        """motiond has received the message that was sent at `heard_sent`, and permits `seconds` from then.

        A renewal that is older than the last one, or has impossible values, changes nothing.
        """
        if sequence <= self._sequence or not self._renewed_from <= heard_sent <= max(0, now):
            return
        if not (math.isfinite(seconds) and seconds > 0):
            return
        self._sequence = sequence
        self._renewed_from = heard_sent
        self.end = heard_sent + nanoseconds(min(seconds, LONGEST_ANNOUNCEMENT))
