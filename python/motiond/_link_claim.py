"""How a worker that motiond did not start obtains an assignment: messages and time in, actions out.

It claims until it gets one: motiond may not be running yet, or may have to wait until the lease of another process has
expired. A port of ``Sources/MotionLink/Worker/ClaimLink.swift``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ._link_messages import Exit, Outgoing, Send, Stamp, refused
from ._link_parts import LinkCounters
from ._link_timing import NETWORK, Lease, LinkTiming, Retry, nanoseconds
from ._proto import motion_pb2 as pb

#: How many claims are recorded: as many as can be in transit. An answer to an earlier claim is ignored.
CLAIMS_RECORDED = 64

# After these codes the same claim gets no other answer.
_FINAL = ("version", "malformed")


@dataclass(frozen=True, slots=True)
class Assigned:
    """An assignment was granted: begin a ``WorkerLink`` with this epoch, incarnation and lease."""

    epoch: int
    assignment: pb.Assignment
    lease: Lease


@dataclass(frozen=True, slots=True)
class Wait:
    """No assignment is available now, for this reason; the link continues to claim."""

    refusal: pb.Refusal


ClaimAction: TypeAlias = Send | Assigned | Wait | Exit


class ClaimLink:
    """Claims an assignment, again for each incarnation."""

    def __init__(self, claim: pb.Claim, now: int, timing: LinkTiming = NETWORK) -> None:
        """Claims what `claim` describes; its attempt is counted here."""
        self._claim = claim
        self._claim.attempt = 0
        self._timing = timing
        self._stamp = Stamp(0, 0)
        self._retry = Retry(timing, now)
        self._is_asking = False
        self._sent: dict[int, int] = {}
        self.counters = LinkCounters()

    def begin(self, now: int) -> list[ClaimAction]:
        """Claims a new incarnation. The first claim ends the previous one."""
        self._claim.attempt += 1
        self._is_asking = True
        self._sent = {}
        self._retry = Retry(self._timing, now)
        return [self._ask(now)]

    @property
    def next_deadline(self) -> int | None:
        """When to call ``deadline`` next; `None` while no claim is open."""
        return self._retry.due if self._is_asking else None

    def deadline(self, now: int) -> list[ClaimAction]:
        """Resends the claim, if that is due."""
        if not self._is_asking or now < self._retry.due:
            return []
        self.counters.retries += 1
        self._retry.resent(now)
        return [self._ask(now)]

    def received(self, envelope: pb.Envelope, now: int) -> list[ClaimAction]:
        """A message came on the link."""
        asked = self._sent.get(envelope.reply_to)
        if not self._is_asking or asked is None:
            self.counters.old += 1
            return []
        match envelope.WhichOneof("body"):
            case "assignment":
                lease = Lease(asked, nanoseconds(envelope.assignment.lease))
                if lease.is_over(now):
                    # The answer took longer than the lease that it grants.
                    self.counters.old += 1
                    return []
                self._is_asking = False
                return [Assigned(envelope.epoch, envelope.assignment, lease)]
            case "refusal":
                if envelope.refusal.code not in _FINAL:
                    return [Wait(envelope.refusal)]
                self._is_asking = False
                return [refused(envelope.refusal)]
            case _:
                self.counters.unexpected += 1
                return []

    def _ask(self, now: int) -> Send:
        claim = pb.Claim()
        claim.CopyFrom(self._claim)
        message: Outgoing = self._stamp.message(claim, now)
        self._sent[message.sequence] = now
        if len(self._sent) > CLAIMS_RECORDED:
            del self._sent[next(iter(self._sent))]
        return Send(message)
