"""The messages that a worker sends, and the actions that its end of the link demands of its owner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ._proto import motion_pb2 as pb

#: The version of the handshake and of the messages that this package supports.
PROTOCOL = 1


@dataclass(frozen=True, slots=True)
class UpdateBody:
    """An update without its values, which ``_worker_update`` adds when it encodes it."""

    frame: int
    commands_applied: int
    #: Each as the bytes of an ``Update`` with this event alone.
    events: tuple[bytes, ...]


Body: TypeAlias = pb.Hello | pb.Resync | pb.StreamReport | pb.Claim | pb.WorkerHeartbeat | pb.Log | UpdateBody

_FIELDS: dict[type, str] = {
    pb.Hello: "hello",
    pb.Resync: "resync",
    pb.StreamReport: "stream_report",
    pb.Claim: "claim",
    pb.WorkerHeartbeat: "worker_heartbeat",
    pb.Log: "log",
}


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message of the worker with its sender, number and time."""

    epoch: int
    incarnation: int
    sequence: int
    reply_to: int
    #: Nanoseconds of the boot clock.
    sent: int
    body: Body

    def header(self) -> pb.Envelope:
        """The envelope without its body."""
        return pb.Envelope(
            protocol=PROTOCOL,
            epoch=self.epoch,
            incarnation=self.incarnation,
            sequence=self.sequence,
            reply_to=self.reply_to,
            sent=self.sent,
        )

    def envelope(self) -> pb.Envelope:
        """The complete envelope; an update has no values."""
        envelope = self.header()
        if isinstance(self.body, UpdateBody):
            update = envelope.update
            update.SetInParent()
            update.frame = self.body.frame
            update.commands_applied = self.body.commands_applied
            update.MergeFromString(b"".join(self.body.events))
        else:
            part: pb.Hello = getattr(envelope, _FIELDS[type(self.body)])
            part.SetInParent()
            part.MergeFrom(self.body)  # pyright: ignore[reportArgumentType]
        return envelope


class Stamp:
    """Puts a sender's epoch and incarnation into messages, and numbers them from 1 on one socket or topic."""

    __slots__ = ("epoch", "incarnation", "last")

    def __init__(self, epoch: int, incarnation: int) -> None:
        self.epoch = epoch
        self.incarnation = incarnation
        self.last = 0

    def message(self, body: Body, now: int, reply_to: int = 0) -> Outgoing:
        """The next message, sent at `now`."""
        self.last += 1
        return Outgoing(self.epoch, self.incarnation, self.last, reply_to, max(0, now), body)


# -------------------------------------------------------------------------------------------------------------- Actions


@dataclass(frozen=True, slots=True)
class Send:
    """Send this to motiond on the link."""

    message: Outgoing


@dataclass(frozen=True, slots=True)
class Publish:
    """Publish this on the topic of events."""

    message: Outgoing


@dataclass(frozen=True, slots=True)
class Subscribe:
    """Subscribe to these topics; comes once."""

    welcome: pb.Welcome


@dataclass(frozen=True, slots=True)
class Provision:
    """Replace all held state by the content of the snapshot."""

    snapshot: pb.Snapshot


@dataclass(frozen=True, slots=True)
class Apply:
    """Obey a command."""

    command: pb.Command


@dataclass(frozen=True, slots=True)
class Run:
    """Run a frame and answer with ``WorkerLink.update``."""

    frame: pb.Frame


@dataclass(frozen=True, slots=True)
class Inspect:
    """Report the streams of these executors: answer with ``WorkerLink.report``."""

    executors: tuple[int, ...]
    question: int


@dataclass(frozen=True, slots=True)
class LeaseLost:
    """motiond is silent: stop acting, and follow ``onLost`` of the manifest."""


@dataclass(frozen=True, slots=True)
class Exit:
    """End the process, or claim the next assignment."""

    #: ``shutdown``, ``refused``, ``unanswered``, ``superseded``, ``out-of-step``, ``lease-ended`` or ``disconnected``.
    reason: str
    #: The reason, for people.
    text: str
    #: The refusal, if motiond refused the worker.
    refusal: pb.Refusal | None = None

    @property
    def is_worth_a_claim(self) -> bool:
        """Whether a worker that claimed its assignment may claim another."""
        return self.refusal is None or self.refusal.code == "stopping"

    @property
    def code(self) -> int:
        """The exit code of the process: 0 after a shutdown, 1 out of step, 3 not answered, 4 refused."""
        return {"shutdown": 0, "out-of-step": 1, "refused": 4, "superseded": 4}.get(self.reason, 3)


Action: TypeAlias = Send | Publish | Subscribe | Provision | Apply | Run | Inspect | LeaseLost | Exit


def refused(refusal: pb.Refusal) -> Exit:
    """The exit of a worker that motiond refused."""
    text = f"motiond refused it: {refusal.message}" + (f". {refusal.remedy}" if refusal.remedy else "")
    return Exit("refused", text, refusal)
