"""Receives how plans ended, for the receipts of this client.

Outcomes have no complete form, so the topic `o/` is subscribed to before the first commit. A message that was missed is
noticed by its sequence; then, and when a plan takes long, the receipt asks motiond whether its plans still exist.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from weakref import WeakValueDictionary

import zmq

from ._client_calls import Pending
from ._errors import Closed, MotionError
from ._io import Channel, Door, subscriber
from ._proto import motion_pb2 as pb
from ._values import ValuesMessage, WireError, read_published, split_topic

#: Messages that wait in the socket.
QUEUE = 4096
#: Ended plans of transactions whose receipt has not arrived: those of the largest transaction.
MOST_EARLY = 100_000
#: A topic without values. Its complete values, which are empty, arrive after all that was published before they were
#: requested: so the client knows that it has received everything up to then.
BARRIER = "v/motiond-python-barrier"
_TOPIC, _BARRIER = b"o/\0", BARRIER.encode() + b"\0"
#: The time after which a barrier is requested again.
BARRIER_TIMEOUT = 1.0
#: The requests after which the client goes on without outcomes: a gateway that is restricted to targets publishes nothing
#: of all targets.
MOST_BARRIERS = 3


class Outcome(Enum):
    """How a plan ended."""

    #: It was fulfilled.
    COMPLETED = "completed"
    #: Another plan took its property over.
    DISPLACED = "displaced"
    #: It could not be fulfilled; a reason is given.
    FAILED = "failed"
    #: It was removed, by name, by a stop, with its target or with its client, or its transaction was cancelled.
    REMOVED = "removed"
    #: It ended while the client did not receive outcomes: motiond was restarted, or messages were lost.
    UNKNOWN = "unknown"


_OUTCOMES = {
    pb.OUTCOME_COMPLETED: Outcome.COMPLETED,
    pb.OUTCOME_DISPLACED: Outcome.DISPLACED,
    pb.OUTCOME_FAILED: Outcome.FAILED,
}


@dataclass(frozen=True)
class EndedPlan:
    """A plan that ended. Plans that were not reported have only an outcome."""

    outcome: Outcome
    target: str = ""
    type: str = ""
    name: str | None = None
    #: The operation of the transaction that added it.
    operation: int | None = None
    #: The frame in which it ended; 0 if that is not known.
    frame: int = 0
    #: Why it failed, or which plan of a higher priority displaced it.
    reason: str = ""


class Settlement:
    """What is known of the end of one transaction's plans. The I/O thread writes it."""

    def __init__(self, expected: int | None) -> None:
        #: How many plans the transaction adds; None if that is not known.
        self.expected = expected
        self.ended: dict[tuple[int, str], EndedPlan] = {}
        #: Whether outcomes may have been missed, since when the plans have to be asked for.
        self.has_gap = False
        self.is_over = expected == 0
        self._waiting: list[Pending[None]] = []

    def wait(self, pending: Pending[None]) -> None:
        """Lets `pending` succeed when all plans have ended, or there was a gap."""
        if self.is_over:
            pending.succeed(None)
        else:
            self._waiting.append(pending)

    def add(self, plan: pb.Ended.Intention) -> None:
        """A plan has ended. Those that other plans emitted belong to these."""
        if plan.identity.path:
            return
        outcome = _OUTCOMES.get(plan.outcome, Outcome.UNKNOWN)
        name = plan.name if plan.HasField("name") else None
        self.ended[plan.identity.operation, plan.target] = EndedPlan(
            outcome, plan.target, plan.type, name, plan.identity.operation, plan.frame, plan.reason
        )
        if self.expected is not None and len(self.ended) >= self.expected:
            self.end()

    def end(self) -> None:
        """All plans have ended."""
        self.is_over = True
        self.notify()

    def notify(self) -> None:
        """Wakes those that wait."""
        waiting, self._waiting = self._waiting, []
        for pending in waiting:
            pending.succeed(None)


class OutcomeChannel(Channel):
    """Follows the topic of all outcomes."""

    def __init__(
        self,
        context: zmq.Context[zmq.Socket[bytes]],
        door: Door,
        see_epoch: Callable[[int], None],
        has_commits: Callable[[], bool],
    ) -> None:
        self.socket = subscriber(context, door, QUEUE)
        self._see_epoch = see_epoch
        self._has_commits = has_commits
        self._epoch = 0
        self._last: int | None = None
        self._tracked: WeakValueDictionary[int, Settlement] = WeakValueDictionary()
        self._early: dict[int, list[pb.Ended.Intention]] = {}
        self._early_count = 0
        self._barriers: list[Pending[None]] = []
        self._is_barrier_requested = False
        self._barrier_due = float("inf")
        self._barriers_requested = 0
        #: Whether outcomes are not published here: then receipts ask for their plans.
        self._is_withheld = False
        self.socket.subscribe(_TOPIC)

    def track(self, sequence: int, settlement: Settlement) -> None:
        """Collects the outcomes of a transaction, including those that arrived before its receipt."""
        early = self._early.pop(sequence, [])
        self._early_count -= len(early)
        for plan in early:
            settlement.add(plan)
        if self._is_withheld:
            settlement.has_gap = True
        if not settlement.is_over:
            self._tracked[sequence] = settlement
        if not self._has_commits():
            self._forget_early()

    def barrier(self, pending: Pending[None]) -> None:
        """Lets `pending` succeed when everything that was published until now has been received."""
        if self._is_withheld:
            pending.succeed(None)
            return
        self._barriers.append(pending)
        if len(self._barriers) == 1:
            self._barriers_requested = 0
            self._request_barrier()

    def receive(self, now: float) -> bool:
        for _ in range(256):
            try:
                parts = self.socket.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return False
            if len(parts) == 1:
                self._take(parts[0], now)
        return True

    @property
    def next_due(self) -> float:
        return self._barrier_due

    def elapsed(self, now: float) -> None:
        if self._barriers_requested < MOST_BARRIERS:
            self._request_barrier()
        else:
            self._is_withheld = True
            self._pass_barrier()

    def close(self, error: MotionError | None = None) -> None:
        self.socket.close(0)
        for pending in self._barriers:
            pending.fail(error or Closed())
        for settlement in list(self._tracked.values()):
            settlement.notify()

    # ----------------------------------------------------------------------------------------------------------- steps

    def _request_barrier(self) -> None:
        # The new subscription before the old one ends; the first time there is none to end.
        self.socket.subscribe(_BARRIER)
        if self._is_barrier_requested:
            self.socket.unsubscribe(_BARRIER)
        self._is_barrier_requested = True
        self._barriers_requested += 1
        self._barrier_due = self._now() + BARRIER_TIMEOUT

    def _pass_barrier(self) -> None:
        waiting, self._barriers = self._barriers, []
        self._barrier_due = float("inf")
        for pending in waiting:
            pending.succeed(None)

    def _take(self, message: bytes, now: float) -> None:
        try:
            topic, start = split_topic(message)
            published = read_published(message, start)
        except WireError:
            return
        if published.epoch != self._epoch:
            if self._epoch:
                self._gap()
                self._forget_early()
            self._epoch, self._last = published.epoch, None
            self._see_epoch(published.epoch)
        body = published.body
        if isinstance(body, ValuesMessage) and body.is_complete and topic == BARRIER.encode():
            self._is_withheld = False
            self._pass_barrier()
        elif isinstance(body, pb.Ended) and topic == b"o/":
            self._is_withheld = False
            if self._last is not None:
                if published.sequence <= self._last:
                    return
                if published.sequence > self._last + 1:
                    self._gap()
            self._last = published.sequence
            self._end(body)

    def _end(self, ended: pb.Ended) -> None:
        for plan in ended.intentions:
            sequence = plan.identity.sequence
            settlement = self._tracked.get(sequence)
            if settlement is not None:
                settlement.add(plan)
                if settlement.is_over:
                    _ = self._tracked.pop(sequence, None)
            elif self._has_commits() and not plan.identity.path and self._early_count < MOST_EARLY:
                self._early.setdefault(sequence, []).append(plan)
                self._early_count += 1

    def _forget_early(self) -> None:
        self._early.clear()
        self._early_count = 0

    def _gap(self) -> None:
        for settlement in list(self._tracked.values()):
            settlement.has_gap = True
            settlement.notify()
