"""The connection of a client: its I/O thread with the control socket, presence, outcomes and watches."""

from __future__ import annotations

import math
import secrets
import weakref
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import zmq
from google.protobuf.message import DecodeError

from ._client_calls import Pending
from ._client_conversation import WINDOW, Conversation, Request
from ._client_outcomes import OutcomeChannel, Settlement
from ._errors import MotionError, ProtocolError
from ._io import Channel, Door, IOThread, boot_now, dealer
from ._proto import motion_pb2 as pb
from ._values_drivers import DriverChannel
from ._values_watch import WatchChannel

T = TypeVar("T")

#: The interval of signs of life: a third of the time after which a silent client counts as gone.
PRESENCE = 1.0


class ControlChannel(Channel):
    """The control socket: executes the decisions of `Conversation`."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], door: Door, incarnation: int, name: str) -> None:
        self._context = context
        self._door = door
        self.socket = self._connected()
        self.conversation = Conversation(incarnation, name, self._send, self._reconnect)
        #: The commits without an answer.
        self.commits = 0
        self._next_sign = float("inf")
        self._sign: Request | None = None

    def keep_present(self) -> None:
        """Sends a sign of life at each full second from now on, as all clients do."""
        if self._next_sign == float("inf"):
            self._next_sign = boot_now()

    def see_epoch(self, epoch: int) -> None:
        """The values socket has a message of this start of motiond."""
        self.conversation.see_epoch(epoch, boot_now())

    def has_commits(self) -> bool:
        """Whether a commit has no answer yet."""
        return self.commits > 0

    def receive(self, now: float) -> bool:
        for _ in range(WINDOW):
            try:
                parts = self.socket.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return False
            if len(parts) != 1:
                continue
            try:
                envelope = pb.Envelope.FromString(parts[0])
            except DecodeError:
                # An unreadable message is no answer: the request is resent, or times out.
                continue
            self.conversation.receive(envelope, now)
        return True

    @property
    def next_due(self) -> float:
        return min(self.conversation.next_due, self._next_sign)

    def elapsed(self, now: float) -> None:
        self.conversation.elapsed(now)
        if now >= self._next_sign:
            # After a long suspension of the machine one message is enough.
            self._next_sign = (math.floor(now / PRESENCE) + 1) * PRESENCE
            self._send_sign(now)

    def close(self, error: MotionError | None = None) -> None:
        self.conversation.close()
        self.socket.close(0)

    # ----------------------------------------------------------------------------------------------------------- steps

    def _send_sign(self, now: float) -> None:
        if self._sign is not None:
            return

        def finish(outcome: pb.Envelope | MotionError) -> None:
            self._sign = None
            if isinstance(outcome, MotionError):
                # Perhaps another start of motiond: the next one begins with a greeting.
                self.conversation.require_greeting()

        body = pb.Envelope(alive=pb.Alive()).SerializeToString()
        self._sign = Request(body, now + PRESENCE, finish, is_repeatable=False)
        self.conversation.ask(self._sign, now)

    def _connected(self) -> zmq.Socket[bytes]:
        return dealer(self._context, self._door, 2 * WINDOW)

    def _reconnect(self) -> None:
        self.socket.close(0)
        self.socket = self._connected()

    def _send(self, message: bytes) -> None:
        try:
            self.socket.send(message, zmq.NOBLOCK)
        except zmq.Again:
            # It does not fit into the full queue, and counts as lost: it is resent.
            return


class Link:
    """Owns the I/O thread of one client. Its methods may be called from any thread of the process."""

    def __init__(self, control: Door, values: Door | None, name: str, arguments: list[str]) -> None:
        """`values` is the address of the values if the one that motiond reports cannot be used from here, and
        `arguments` are those with which motionctl connects to the same motiond."""
        self.name = name
        self.arguments = arguments
        #: The identity of this client at motiond: random, never 0.
        self.incarnation = secrets.randbits(63) + 1
        self._values = values
        self._thread = IOThread()
        self._control = ControlChannel(self._thread.context, control, self.incarnation, name)
        self._outcomes: OutcomeChannel | None = None
        self._thread.post(partial(self._thread.add, self._control))
        #: Ends the thread when the link is no longer used, and at the end of the process.
        self._close = weakref.finalize(self, IOThread.stop, self._thread)

    @property
    def is_open(self) -> bool:
        """Whether requests can be made."""
        return self._thread.is_running

    @property
    def service(self) -> pb.Service | None:
        """motiond's description of itself in its last answer to a greeting."""
        return self._control.conversation.service

    @property
    def epoch(self) -> int:
        """The number of the start of motiond that answered last; 0 before the first answer."""
        return self._control.conversation.epoch

    @property
    def moment(self) -> pb.Moment | None:
        """motiond's clocks when it answered last."""
        return self._control.conversation.moment

    def close(self) -> None:
        """Ends the thread. Requests without an answer fail."""
        self._close()

    def ask(self, envelope: pb.Envelope, timeout: float, *, is_repeatable: bool = True) -> Pending[pb.Envelope]:
        """Sends a request, whose body is the Envelope's. The answer, or the error, is the result."""
        pending: Pending[pb.Envelope] = Pending()
        request = Request(
            envelope.SerializeToString(), boot_now() + timeout, partial(_finish, pending), is_repeatable=is_repeatable
        )
        self._thread.post(partial(self._ask, request))
        return pending

    def commit(
        self, commit: pb.Commit, expected: Callable[[pb.Receipt], int | None], timeout: float
    ) -> Pending[tuple[pb.Receipt, Settlement]]:
        """Commits a transaction, and collects its outcomes from the receipt on."""
        pending: Pending[tuple[pb.Receipt, Settlement]] = Pending()

        def finish(outcome: pb.Envelope | MotionError) -> None:
            self._control.commits -= 1
            if isinstance(outcome, MotionError):
                pending.fail(outcome)
            elif outcome.WhichOneof("body") != "receipt":
                pending.fail(unexpected(outcome, "commit"))
            else:
                settlement = Settlement(expected(outcome.receipt))
                if self._outcomes is not None:
                    self._outcomes.track(outcome.receipt.sequence, settlement)
                pending.succeed((outcome.receipt, settlement))

        def start() -> None:
            self._control.commits += 1
            if commit.while_connected:
                # Before the commit, so that motiond never waits for the first sign of life.
                self._control.keep_present()
            self._ask(request)

        body = pb.Envelope(commit=commit).SerializeToString()
        request = Request(body, boot_now() + timeout, finish)
        self._thread.post(start)
        return pending

    def tell(self, envelope: pb.Envelope, timeout: float) -> Pending[None]:
        """Sends a request of which most need no answer: once a second, and each 33rd time, it is answered."""
        pending: Pending[None] = Pending()
        body = envelope.SerializeToString()

        def finish(outcome: pb.Envelope | MotionError) -> None:
            if isinstance(outcome, MotionError):
                pending.fail(outcome)
            else:
                pending.succeed(None)

        def start() -> None:
            if self._control.conversation.tell(body, boot_now()):
                pending.succeed(None)
            else:
                self._ask(Request(body, boot_now() + timeout, finish))

        self._thread.post(start)
        return pending

    def keep_present(self) -> None:
        """Sends signs of life from now on."""
        self._thread.post(self._control.keep_present)

    def follow_outcomes(self) -> Pending[None]:
        """Subscribes to outcomes; succeeds when none can be missed any more."""
        pending: Pending[None] = Pending()

        def start() -> None:
            if self._outcomes is None:
                self._outcomes = OutcomeChannel(
                    self._thread.context, self.values, self._control.see_epoch, self._control.has_commits
                )
                self._thread.add(self._outcomes)
            self._outcomes.barrier(pending)

        return self._start(pending, start)

    def wait_for(self, settlement: Settlement, seconds: float) -> Pending[None]:
        """Succeeds when the plans have ended, when outcomes were missed, or after so many seconds."""
        pending: Pending[None] = Pending()

        def start() -> None:
            settlement.wait(pending)
            if not pending.done():
                self._thread.call_at(boot_now() + seconds, partial(pending.succeed, None))

        self._thread.post(start)
        return pending

    def watch(
        self, topics: dict[str, Callable[[str, str], bool]], *, every: bool, keeps_past: bool
    ) -> Pending[WatchChannel]:
        """Follows topics."""
        pending: Pending[WatchChannel] = Pending()

        def start() -> None:
            channel = WatchChannel(
                self._thread.context,
                self.values,
                topics,
                every=every,
                see_epoch=self._control.see_epoch,
                now=boot_now(),
                keeps_past=keeps_past,
            )
            self._thread.add(channel)
            pending.succeed(channel)

        return self._start(pending, start)

    def follow_drivers(self, topics: list[str]) -> Pending[DriverChannel]:
        """Collects the changes of drivers on topics."""
        pending: Pending[DriverChannel] = Pending()

        def start() -> None:
            channel = DriverChannel(self._thread.context, self.values, topics)
            self._thread.add(channel)
            pending.succeed(channel)

        return self._start(pending, start)

    def unfollow(self, channel: DriverChannel) -> None:
        """Ends collecting."""
        if self.is_open:
            self._thread.post(partial(self._thread.remove, channel))

    def unwatch(self, channel: WatchChannel) -> None:
        """Ends a watch."""
        if self.is_open:
            self._thread.post(partial(self._thread.remove, channel))

    def synchronised(self, channel: WatchChannel, seconds: float) -> Pending[bool]:
        """Succeeds when the watch has complete values of all its topics, or after so many seconds: then with False."""
        pending: Pending[bool] = Pending()

        def start() -> None:
            channel.synchronised(pending)
            self._thread.call_at(boot_now() + seconds, partial(pending.succeed, False))

        return self._start(pending, start)

    def first(self, arrival: Pending[None], deadline: float) -> Pending[None]:
        """Succeeds with `arrival`, or at a time of the boot clock."""
        pending: Pending[None] = Pending()

        def arrived(_: object) -> None:
            pending.succeed(None)

        arrival.add_done_callback(arrived)
        self._thread.post(partial(self._thread.call_at, deadline, partial(pending.succeed, None)))
        return pending

    # ----------------------------------------------------------------------------------------------------------- steps

    @property
    def values(self) -> Door:
        """Where values are published: the last address that motiond gave, also while motiond does not answer. Its
        sockets reconnect by themselves."""
        if self._values is not None:
            return self._values
        service = self.service
        if service is None:
            raise ProtocolError("motiond has not answered the greeting")
        return Door(service.values_endpoint)

    def _ask(self, request: Request) -> None:
        self._control.conversation.ask(request, boot_now())

    def _start(self, pending: Pending[T], task: Callable[[], None]) -> Pending[T]:
        """Runs a task in the I/O thread; its error is that of the result."""

        def run() -> None:
            try:
                task()
            except zmq.ZMQError as error:
                pending.fail(MotionError(f"a socket cannot be made: {error}", code="socket"))
            except MotionError as error:
                pending.fail(error)

        self._thread.post(run)
        return pending


def _finish(pending: Pending[pb.Envelope], outcome: pb.Envelope | MotionError) -> None:
    if isinstance(outcome, MotionError):
        pending.fail(outcome)
    else:
        pending.succeed(outcome)


def unexpected(answer: pb.Envelope, request: str) -> ProtocolError:
    """The error for an answer that does not fit."""
    return ProtocolError(f"motiond answered a {request} with {answer.WhichOneof('body') or 'an unknown message'}")
