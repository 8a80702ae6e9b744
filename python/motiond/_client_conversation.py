"""The client's side of the control socket: numbers requests, resends them, and assigns answers. No I/O, no clock.

Many requests may be in flight; they are sent in the order in which they were made. Each is resent until it is answered
or its deadline passes. A resent request follows a new greeting, because a restarted motiond has a new epoch and drops
requests for the old one. Resending is harmless: a commit is recognised by its id, and queries change nothing. A request
that is not repeatable (a step) is sent once.

A motiond that answers that it is stopping has done nothing, and its successor may start soon: the request is resent. If
no other answer arrives in time, that refusal is the outcome. Without answers the client reconnects with backoff: after
two timeouts in a row, then after four, eight and so on.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from ._errors import Closed, MotionError, Refusal, Timeout
from ._proto import motion_pb2 as pb

#: The timeout before the first resend: three times what the largest transaction takes. It doubles with every resend.
FIRST_TIMEOUT = 1.0
#: The timeout before a greeting is resent. Answering one costs motiond nothing.
GREETING_TIMEOUT = 1.0
#: How long to wait after motiond answered that it is stopping: it ends within this time, and starts within as much.
STOPPING_TIMEOUT = 0.25
#: Requests in flight: enough to hide the time of a disk (3,000 a second at 40 ms), a quarter of motiond's queue.
WINDOW = 256
#: How long, and how many, messages without an answer may follow each other.
TOLD_TIMEOUT, TOLD_LIMIT = 1.0, 32

_VERSIONS = pb.VersionRange(lowest=1, highest=1)


class Request:
    """A request with the place for its outcome.

    `body` is an encoded Envelope that holds the body only: the bytes of the header are put before it.
    """

    __slots__ = ("again", "body", "deadline", "finish", "is_repeatable", "numbers", "refusal", "resends", "timeout")

    def __init__(
        self,
        body: bytes,
        deadline: float,
        finish: Callable[[pb.Envelope | MotionError], None],
        *,
        is_repeatable: bool = True,
    ) -> None:
        self.body = body
        self.deadline = deadline
        self.finish = finish
        self.is_repeatable = is_repeatable
        self.numbers: list[int] = []
        self.timeout = FIRST_TIMEOUT
        self.again = deadline
        self.resends = False
        self.refusal: Refusal | None = None


class Conversation:
    """The requests of one client. It belongs to the I/O thread."""

    def __init__(self, incarnation: int, name: str, send: Callable[[bytes], None], connect: Callable[[], None]) -> None:
        """`send` sends an Envelope; `connect` drops the connection with all that is in transit, and makes another."""
        self.incarnation = incarnation
        #: motiond's description of itself in its last answer to a greeting. It stays while motiond is away.
        self.service: pb.Service | None = None
        self.epoch = 0
        self.moment: pb.Moment | None = None
        self._name = name
        self._send = send
        self._connect = connect
        #: Whether a greeting was answered and motiond answers since then. Otherwise the next request begins with one.
        self._is_greeted = False
        self._last_number = 0
        self._unanswered = 0
        self._waiting: deque[Request] = deque()
        self._sent: dict[int, Request] = {}
        self._by_number: dict[int, Request] = {}
        self._greeting: int | None = None
        self._greeting_again = 0.0
        self._is_new_connection = False
        self._due = float("inf")
        self._last_answer = float("-inf")
        self._told = 0

    # ------------------------------------------------------------------------------------------------------- requests

    def ask(self, request: Request, now: float) -> None:
        """Sends a request as soon as there is room for it, after those that were made before."""
        self._waiting.append(request)
        self._due = min(self._due, request.deadline)
        self._go_on(now)

    def tell(self, body: bytes, now: float) -> bool:
        """Sends a request that needs no answer. False if it is time for an answer: then ask."""
        is_due = now - self._last_answer >= TOLD_TIMEOUT or self._told >= TOLD_LIMIT
        if not self._is_greeted or self._greeting is not None or self._unanswered or self._waiting or is_due:
            return False
        self._told += 1
        self._send(self._header(0, self.epoch) + body)
        return True

    @property
    def has_requests(self) -> bool:
        """Whether a request has no answer yet."""
        return bool(self._sent or self._waiting)

    # ---------------------------------------------------------------------------------------------------------- events

    def receive(self, envelope: pb.Envelope, now: float) -> None:
        """Processes an answer. One to no pending request (late or repeated) is ignored."""
        self._unanswered = 0
        self._last_answer, self._told = now, 0
        number = envelope.reply_to
        request = self._by_number.get(number)
        if number == self._greeting and number:
            self._greeted(envelope, now)
        elif request is not None:
            self._answered(request, envelope, now)
        self._go_on(now)

    def see_epoch(self, epoch: int, now: float) -> None:
        """The values socket has a message of a later start of motiond: greet it at once, without waiting for
        timeouts, and also if an earlier greeting was given up."""
        if epoch > self.epoch and self._greeting is None:
            self._greet(now)

    def require_greeting(self) -> None:
        """Makes the next request begin with a greeting, because motiond may have been replaced."""
        self._is_greeted = False

    @property
    def next_due(self) -> float:
        """When `elapsed` may have something to do; infinite if no request is pending."""
        return min(self._due, self._greeting_again) if self._greeting is not None else self._due

    def elapsed(self, now: float) -> None:
        """Handles timeouts: resends unanswered requests, or ends them with an error."""
        if now < self.next_due:
            return
        is_greeting_late = self._greeting is not None and now >= self._greeting_again
        is_late = is_greeting_late
        is_time_to_greet = is_greeting_late
        for request in [*self._sent.values(), *self._waiting]:
            if now >= request.deadline:
                is_late = True
                self._finish(request, request.refusal or self._timeout())
            elif request.is_repeatable and now >= request.again and request.numbers:
                request.timeout *= 2
                request.again = now + request.timeout
                request.resends = True
                is_late = True
                is_time_to_greet = is_time_to_greet or self._greeting is None
        # Once for all that is late together: the backoff counts intervals of silence, not requests.
        self._unanswered += is_late
        self._due = min(
            (min(request.deadline, request.again) for request in [*self._sent.values(), *self._waiting]),
            default=float("inf"),
        )
        if is_time_to_greet and (self._sent or self._waiting):
            self._greet(now)
        elif is_time_to_greet:
            self._greeting, self._is_greeted = None, False
        self._go_on(now)

    def close(self) -> None:
        """Ends all requests."""
        for request in [*self._sent.values(), *self._waiting]:
            self._finish(request, Closed("the client was closed before motiond answered"))

    # ----------------------------------------------------------------------------------------------------------- steps

    def _go_on(self, now: float) -> None:
        if not self._waiting or self._greeting is not None:
            return
        if not self._is_greeted or self._unanswered > 1:
            self._greet(now)
            return
        while self._waiting and len(self._sent) < WINDOW:
            self._say(self._waiting.popleft(), now)

    def _greet(self, now: float) -> None:
        unanswered = self._unanswered
        if unanswered > 1 and unanswered & (unanswered - 1) == 0:
            self._connect()
            self._is_new_connection = True
        greeting = pb.Greeting(handshake_versions=_VERSIONS, protocol_versions=_VERSIONS, name=self._name)
        self._greeting = self._next_number()
        self._greeting_again = now + GREETING_TIMEOUT
        # Without an epoch, so that a motiond of any epoch accepts it.
        self._send(self._header(self._greeting, 0) + pb.Envelope(greeting=greeting).SerializeToString())

    def _greeted(self, envelope: pb.Envelope, now: float) -> None:
        self._greeting = None
        if envelope.WhichOneof("body") != "service":
            is_refusal = envelope.WhichOneof("body") == "refusal"
            error = Refusal.of(envelope.refusal) if is_refusal else _unexpected(envelope)
            if error.code == "stopping":
                # Its successor may start soon; the next greeting follows the timeout.
                self._greeting, self._greeting_again = -1, now + STOPPING_TIMEOUT
                return
            for request in [*self._sent.values(), *self._waiting]:
                self._finish(request, error)
            return
        is_lost = self._is_new_connection or envelope.epoch != self.epoch
        self.service = pb.Service()
        self.service.CopyFrom(envelope.service)
        self._is_greeted = True
        self.epoch = envelope.epoch
        self._is_new_connection = False
        for request in list(self._sent.values()):
            if request.is_repeatable and (is_lost or request.resends):
                self._say(request, now)
            elif is_lost and not request.is_repeatable:
                self._finish(request, Timeout("motiond was restarted before it answered", _UNKNOWN))

    def _say(self, request: Request, now: float) -> None:
        number = self._next_number()
        if not request.numbers:
            self._sent[id(request)] = request
        request.numbers.append(number)
        self._by_number[number] = request
        request.resends = False
        request.again = now + request.timeout if request.is_repeatable else request.deadline
        self._due = min(self._due, request.again, request.deadline)
        self._send(self._header(number, self.epoch) + request.body)

    def _answered(self, request: Request, envelope: pb.Envelope, now: float) -> None:
        if envelope.HasField("moment"):
            self.moment = envelope.moment
        if envelope.WhichOneof("body") != "refusal":
            self._finish(request, envelope)
            return
        refusal = Refusal.of(envelope.refusal)
        if refusal.code == "stopping" and request.is_repeatable:
            request.refusal = refusal
            request.again = now + STOPPING_TIMEOUT
            self._due = min(self._due, request.again)
        else:
            self._finish(request, refusal)

    def _finish(self, request: Request, outcome: pb.Envelope | MotionError) -> None:
        if self._sent.pop(id(request), None) is None:
            self._waiting.remove(request)
        for number in request.numbers:
            self._by_number.pop(number, None)
        request.finish(outcome)

    def _next_number(self) -> int:
        self._last_number += 1
        return self._last_number

    def _header(self, number: int, epoch: int) -> bytes:
        return pb.Envelope(
            protocol=1, epoch=epoch, incarnation=self.incarnation, sequence=number, sent=_boot_nanoseconds()
        ).SerializeToString()

    def _timeout(self) -> Timeout:
        if not self._is_greeted:
            return Timeout("motiond did not answer the greeting in time", "Check that it runs, and its log.")
        return Timeout("motiond did not answer in time", _UNKNOWN)


_UNKNOWN = "It may be stopped or very busy; whether it carries the request out is unknown. See its log."


def _unexpected(envelope: pb.Envelope) -> MotionError:
    return MotionError(f"motiond answered a greeting with {envelope.WhichOneof('body')}", code="protocol")


def _boot_nanoseconds() -> int:
    """The boot clock, where there is one; elsewhere 0: the sender may leave it out."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else 0
