"""Runs one incarnation of a worker on the calling thread: waits, processes messages, and checks deadlines.

The link decides on actions, the session carries them out, and the results are published. Heartbeats are sent by the
thread that runs the executors: a worker whose executors hang sends none, and is replaced.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import zmq

from ._link import WorkerLink
from ._link_messages import (
    PROTOCOL,
    Action,
    Apply,
    Exit,
    Inspect,
    LeaseLost,
    Provision,
    Publish,
    Run,
    Send,
    Subscribe,
)
from ._link_timing import LOCAL, MILLISECOND, NETWORK, Lease
from ._proto import motion_pb2 as pb
from ._worker_environment import Environment, Keys
from ._worker_session import Session, frame_of
from ._worker_sockets import WorkerSockets, boot_time, has_ended

#: The most messages processed before the clock is checked: less than a heartbeat's interval of work.
MESSAGES_PER_TURN = 1024
#: A turn longer than this was busy: messages that arrived meanwhile are processed before silence is judged.
BUSY_TURN = 50 * MILLISECOND

#: Ends of a worker that the link does not decide on.
ABANDONED = Exit("shutdown", "motiond has ended")
STOPPED = Exit("shutdown", "it was asked to stop")


class WorkerLoop:
    """The sockets, the link and the executors of one incarnation."""

    def __init__(
        self,
        environment: Environment,
        session: Session,
        context: zmq.Context[zmq.Socket[bytes]],
        *,
        lifeline: int | None,
        stop: int,
        say: Callable[[str], None],
        rest: Callable[[], None],
        lease: Lease | None = None,
        keys: Keys | None = None,
    ) -> None:
        """Connects, ready for the handshake.

        `lifeline` is the descriptor whose end of file means that motiond has exited, `stop` one that is readable when
        the worker has to stop. `rest` puts outputs to rest, if the manifest requires that.
        """
        self._session = session
        self._lifeline = lifeline
        self._stop = stop
        self._say = say
        self._rest = rest if environment.rests_when_lost else None
        self._sockets = WorkerSockets(environment, context, keys)
        for descriptor in (lifeline, stop):
            if descriptor is not None:
                self._sockets.watch(descriptor)
        both = pb.VersionRange(lowest=PROTOCOL, highest=PROTOCOL)
        hello = pb.Hello(
            handshake_versions=both,
            protocol_versions=both,
            address=pb.WorkerAddress(plugin=environment.plugin, instance=environment.instance),
            process_id=os.getpid(),
            executors=session.types,
        )
        timing = LOCAL if lease is None else NETWORK
        epoch, incarnation = environment.epoch, environment.incarnation
        self._link = WorkerLink(epoch, incarnation, hello, boot_time(), lease=lease, timing=timing)
        self._exit: Exit | None = None

    @property
    def lease_end(self) -> int | None:
        """When its lease ends, if it has one: until then the executors may act, even after the link has ended."""
        return self._link.lease_end

    def run(self) -> Exit:
        """Runs until the worker has to end, and returns the reason."""
        try:
            self._perform(self._link.start(boot_time()))
            while self._exit is None:
                self._turn()
            return self._exit
        finally:
            self._sockets.close()

    def _turn(self) -> None:
        self._sockets.wait(self._link.next_deadline)
        if self._sockets.is_readable(self._stop):
            self._exit = STOPPED
        elif self._lifeline is not None and self._sockets.is_readable(self._lifeline) and has_ended(self._lifeline):
            self._exit = ABANDONED
        if self._exit is not None:
            return
        began = boot_time()
        # A worker that was suspended past its lease detects that before it processes anything else.
        self._perform(self._link.lapse(began))
        self._receive()
        now = boot_time()
        if now - began > BUSY_TURN:
            self._link.was_stalled(now)
        if self._exit is None:
            self._perform(self._link.deadline(now))

    def _receive(self) -> None:
        while (subscription := self._sockets.next_subscription()) is not None:
            topic, begins = subscription
            self._perform(self._link.subscribed(topic, boot_time()) if begins else self._link.unsubscribed(topic))
        for _ in range(MESSAGES_PER_TURN):
            envelope = self._sockets.next() if self._exit is None else None
            if envelope is None:
                break
            self._perform(self._link.received(envelope, boot_time()))
        if self._exit is None:
            # Values that were written meanwhile do not wait for a tick.
            self._publish_output(None)

    def _perform(self, actions: list[Action]) -> None:
        for action in actions:
            if self._exit is not None:
                return
            match action:
                case Publish(message):
                    self._sockets.publish(message)
                case Run(frame):
                    self._run_frame(frame)
                case Apply(command):
                    self._session.apply(command)
                case Send(message):
                    self._sockets.send(message)
                case Provision(snapshot):
                    self._session.provision(snapshot, self._heartbeat)
                case Subscribe(welcome):
                    self._sockets.subscribe(welcome)
                case Inspect(_, question):
                    # Executors in Python are not made of streams.
                    self._sockets.send(self._link.report(pb.StreamReport(), question, boot_time()))
                case LeaseLost():
                    self._session.clear()
                    self._say("no messages from motiond; holding all values until it is back")
                    if self._rest is not None:
                        self._rest()
                case Exit():
                    self._exit = action
            self._note_events()

    def _run_frame(self, frame: pb.Frame) -> None:
        # A long frame must not look like a hanging worker.
        self._session.run(frame_of(frame), self._heartbeat)
        self._publish_output(frame.number)

    def _heartbeat(self) -> None:
        if (heartbeat := self._link.heartbeat_if_due(boot_time())) is not None:
            self._sockets.publish(heartbeat)

    def _note_events(self) -> None:
        """Passes new events to the link, which numbers them."""
        for event in self._session.take_events():
            self._link.record(event)
        self._link.tokens = self._session.tokens
        self._link.set_active(self._session.is_active, boot_time())

    def _publish_output(self, frame: int | None) -> None:
        """Publishes an update: always for a frame, otherwise if there are values."""
        self._note_events()
        blocks = self._session.take_blocks()
        now = boot_time()
        # If the lease ended during the frame, the frame's result is discarded.
        if lapse := self._link.lapse(now):
            self._perform(lapse)
        elif frame is not None or blocks:
            number = self._session.frame.number if frame is None else frame
            self._sockets.publish(self._link.update(number, now), blocks, self._link.shape)
