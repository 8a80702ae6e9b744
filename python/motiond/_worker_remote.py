"""A worker for a motiond of another machine, through any number of assignments.

motiond cannot end its process, so it acts on a lease, and stops by itself when that is over.
"""

from __future__ import annotations

import os
import secrets
import socket as network
from collections.abc import Callable

import zmq

from ._link_claim import Assigned, ClaimAction, ClaimLink, Wait
from ._link_decode import decode
from ._link_messages import PROTOCOL, Exit, Send
from ._link_timing import Lease
from ._proto import motion_pb2 as pb
from ._worker_environment import Connection, Environment
from ._worker_loop import STOPPED, WorkerLoop
from ._worker_session import Session
from ._worker_sockets import apply_keys, boot_time
from ._worker_update import encode

#: The limit of queued claims; each is resent.
CLAIMS_WAITING = 4
#: How long one attempt to connect may take, in milliseconds: over a cut line the kernel would wait for minutes.
CONNECT_TIME = 2000
#: The shortest and the longest wait before a reconnection, in milliseconds.
RECONNECT_TIMES = (100, 1000)
#: The longest answer to a claim, in bytes.
ANSWER_BYTES = 65536


class ClaimLoop:
    """Claims assignments. Each run has a socket of its own, so that messages for an earlier one are not received."""

    def __init__(
        self,
        connection: Connection,
        context: zmq.Context[zmq.Socket[bytes]],
        stop: int,
        say: Callable[[str], None],
    ) -> None:
        self._connection = connection
        self._context = context
        self._stop = stop
        self._say = say
        self._last_refusal = ""
        both = pb.VersionRange(lowest=PROTOCOL, highest=PROTOCOL)
        claim = pb.Claim(
            handshake_versions=both,
            address=pb.WorkerAddress(plugin=connection.plugin, instance=connection.instance),
            claimant=secrets.randbelow(2**64 - 1) + 1,
            process_id=os.getpid(),
            host=network.gethostname()[:64],
        )
        self._link = ClaimLink(claim, boot_time())

    def run(self, lapse: int | None, lapsed: Callable[[], None]) -> Assigned | Exit:
        """Waits for an assignment.

        `lapse` is when the lease of the previous life ends, if it has not ended yet; `lapsed` is called then, once.
        """
        socket = self._context.socket(zmq.DEALER)
        try:
            socket.maxmsgsize = ANSWER_BYTES
            socket.sndhwm = socket.rcvhwm = CLAIMS_WAITING
            socket.linger = 0
            socket.reconnect_ivl, socket.reconnect_ivl_max = RECONNECT_TIMES
            socket.connect_timeout = CONNECT_TIME
            apply_keys(socket, self._connection.keys)
            socket.connect(self._connection.link)
            return self._claim(socket, lapse, lapsed)
        finally:
            socket.close()

    def _claim(self, socket: zmq.Socket[bytes], lapse: int | None, lapsed: Callable[[], None]) -> Assigned | Exit:
        poller = zmq.Poller()
        poller.register(socket, zmq.POLLIN)
        poller.register(self._stop, zmq.POLLIN)
        outcome = self._perform(self._link.begin(boot_time()), socket)
        while outcome is None:
            due = min((time for time in (self._link.next_deadline, lapse) if time is not None), default=None)
            timeout = None if due is None else max(0, -(-(due - boot_time()) // 1_000_000))
            ready = dict(poller.poll(timeout))
            if self._stop in ready:
                return STOPPED
            now = boot_time()
            if lapse is not None and now >= lapse:
                lapse = None
                lapsed()
            while outcome is None and socket in ready:
                try:
                    parts = socket.recv_multipart(zmq.NOBLOCK)
                except zmq.Again:
                    break
                envelope = decode(parts[0]) if len(parts) == 1 else None
                if envelope is not None:
                    outcome = self._perform(self._link.received(envelope, now), socket)
            if outcome is None:
                outcome = self._perform(self._link.deadline(now), socket)
        return outcome

    def _perform(self, actions: list[ClaimAction], socket: zmq.Socket[bytes]) -> Assigned | Exit | None:
        for action in actions:
            match action:
                case Send(message):
                    try:
                        socket.send(encode(message), zmq.NOBLOCK)
                    except zmq.Again:
                        pass
                case Wait(refusal):
                    if refusal.message != self._last_refusal:
                        self._say(f"there is no assignment yet: {refusal.message}. {refusal.remedy}")
                    self._last_refusal = refusal.message
                case Assigned() | Exit():
                    self._last_refusal = ""
                    return action
        return None


def serve(
    connection: Connection,
    session: Session,
    stop: int,
    *,
    say: Callable[[str], None],
    rest: Callable[[], None],
    finish: Callable[[], None],
) -> Exit:
    """Works until it is stopped or refused, and returns the reason.

    Its executors act while its lease lasts. If the lease ends before the next assignment, all executors are removed,
    and `rest` is called if the manifest requires that.
    """
    context = zmq.Context[zmq.Socket[bytes]]()
    claims = ClaimLoop(connection, context, stop, say)
    rests_when_lost = False
    lease_end: int | None = None

    def let_go() -> None:
        session.clear()
        if rests_when_lost:
            rest()

    def lapsed() -> None:
        say("it has lost its lease; holding all values until motiond is back")
        let_go()

    while True:
        outcome = claims.run(lease_end, lapsed)
        if isinstance(outcome, Exit):
            let_go()
            return outcome
        environment = _environment(connection, outcome)
        say(f"it has an assignment: epoch {environment.epoch}, incarnation {environment.incarnation}")
        rests_when_lost = environment.rests_when_lost
        # motiond sends everything that an earlier life held again.
        session.begin_life()
        loop = _loop(environment, session, context, stop, say, rest, outcome.lease, connection)
        end = loop.run()
        if session.ends_for_good:
            finish()
        if end is STOPPED or not end.is_worth_a_claim:
            let_go()
            return end
        say(f"it claims its assignment again: {end.text}")
        lease_end = None if end.reason in ("lease-ended", "shutdown") else loop.lease_end
        if end.reason == "shutdown":
            let_go()


def _loop(
    environment: Environment,
    session: Session,
    context: zmq.Context[zmq.Socket[bytes]],
    stop: int,
    say: Callable[[str], None],
    rest: Callable[[], None],
    lease: Lease,
    connection: Connection,
) -> WorkerLoop:
    return WorkerLoop(
        environment,
        session,
        context,
        lifeline=None,
        stop=stop,
        say=say,
        rest=rest,
        lease=lease,
        keys=connection.keys,
    )


def _environment(connection: Connection, assigned: Assigned) -> Environment:
    assignment = assigned.assignment
    return Environment(
        plugin=connection.plugin,
        instance=connection.instance,
        incarnation=assignment.incarnation,
        epoch=assigned.epoch,
        link=connection.link,
        commands=connection.endpoint(assignment.commands_port),
        ticks=connection.endpoint(assignment.ticks_port),
        events=connection.endpoint(assignment.events_port),
        rests_when_lost=assignment.rests_when_lost,
    )
