"""motiond's side of the link, played by a test: it says what it likes, loses what it likes, and sees every message."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import zmq
from stage import HEADER, PACKAGE, await_fact

from motiond._proto import motion_pb2 as pb

NAME = "puppet"


class PuppetCoordinator:
    """A coordinator with one worker, a program in Python that it starts."""

    def __init__(self, folder: Path, code: str) -> None:
        self.context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._link = self._bound(zmq.ROUTER, folder / "link")
        self._commands = self._bound(zmq.XPUB, folder / "commands")
        self._ticks = self._bound(zmq.XPUB, folder / "ticks")
        self._events = self._bound(zmq.SUB, folder / "events")
        self.epoch, self.incarnation = 7, 3
        #: What the worker has sent, in order.
        self.heard: list[pb.Envelope] = []
        self.executors: list[pb.Snapshot.Executor] = []
        self.command = 0
        self.frame = 0
        #: The last event that it has acknowledged.
        self.acknowledged: int = 0
        #: How many snapshots were sent.
        self.snapshots = 0
        self._route = b""
        self._sequence = 0
        self._tick_sequence = 0
        self._subscriptions: set[bytes] = set()
        program = folder / f"{NAME}.py"
        header = HEADER.format(interpreter=sys.executable, package=str(PACKAGE))
        program.write_text(header + code + "\nif __name__ == '__main__':\n    motiond.run()\n")
        environment = {
            "MOTION_PLUGIN": NAME,
            "MOTION_INSTANCE": "0",
            "MOTION_INCARNATION": str(self.incarnation),
            "MOTION_EPOCH": str(self.epoch),
            "MOTION_LINK": f"ipc://{folder}/link",
            "MOTION_COMMANDS": f"ipc://{folder}/commands",
            "MOTION_TICKS": f"ipc://{folder}/ticks",
            "MOTION_EVENTS": f"ipc://{folder}/events",
            "MOTION_ON_LOST": "rest",
        }
        self.log = folder / "log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(program)], stdin=subprocess.PIPE, stdout=log, stderr=log, env=environment
            )

    def _bound(self, kind: int, path: Path) -> zmq.Socket[bytes]:
        socket = self.context.socket(kind)
        socket.linger = 0
        socket.sndhwm = socket.rcvhwm = 0
        socket.bind(f"ipc://{path}")
        return socket

    def close(self) -> None:
        """Ends the worker, and everything else."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.context.destroy(linger=0)

    # ---------------------------------------------------------------------------------------------------------- Sending

    def _envelope(self, reply_to: int = 0, sequence: int | None = None, **body: Any) -> bytes:
        self._sequence += 1
        number = self._sequence if sequence is None else sequence
        return pb.Envelope(protocol=1, epoch=self.epoch, sequence=number, reply_to=reply_to, **body).SerializeToString()

    def _topic(self, kind: str) -> bytes:
        return f"{kind}/{NAME}.0/{self.incarnation}\0".encode()

    def answer(self, reply_to: int = 0, **body: Any) -> None:
        """Sends on the link."""
        self._link.send_multipart([self._route, self._envelope(reply_to, **body)])

    def publish_bytes(self, data: bytes, kind: str = "c") -> None:
        """Publishes any bytes as a command or a tick."""
        (self._ticks if kind == "t" else self._commands).send(self._topic(kind) + data)

    def send_bytes(self, data: bytes) -> None:
        """Sends any bytes on the link."""
        self._link.send_multipart([self._route, data])

    def tell(self, *, lost: bool = False, **command: Any) -> int:
        """Sends the next command, or counts it and loses it."""
        self.command += 1
        if not lost:
            message = self._envelope(command=pb.Command(number=self.command, **command))
            self._commands.send(self._topic("c") + message)
        return self.command

    def beat(self, interval: float = 1.0, last_command: int | None = None) -> None:
        """Sends a heartbeat."""
        heartbeat = pb.CoordinatorHeartbeat(
            last_command=self.command if last_command is None else last_command,
            last_event_applied=self.acknowledged,
            interval=interval,
        )
        self._commands.send(self._topic("c") + self._envelope(coordinator_heartbeat=heartbeat))

    def tick(self, dt: float = 1 / 120, shape: int = 0) -> int:
        """Announces the next frame."""
        self.frame += 1
        self._tick_sequence += 1
        frame = pb.Frame(number=self.frame, time=self.frame * dt, dt=dt)
        tick = pb.Tick(frame=frame, last_command=self.command, shape=shape)
        message = self._envelope(sequence=self._tick_sequence, tick=tick)
        self._ticks.send(self._topic("t") + message)
        return self.frame

    # -------------------------------------------------------------------------------------------------------- Receiving

    def receive(self) -> list[pb.Envelope]:
        """Receives what has arrived, and answers the handshake. Returns the new messages."""
        new: list[pb.Envelope] = []
        while self._link.poll(0):
            self._route, data = self._link.recv_multipart()
            envelope = pb.Envelope.FromString(data)
            new.append(envelope)
            match envelope.WhichOneof("body"):
                case "hello":
                    self._events.subscribe(self._topic("e"))
                    welcome = pb.Welcome(
                        protocol_version=1,
                        command_topic=self._topic("c")[:-1].decode(),
                        tick_topic=self._topic("t")[:-1].decode(),
                        event_topic=self._topic("e")[:-1].decode(),
                        wants_updates=True,
                    )
                    self.answer(envelope.sequence, welcome=welcome)
                case "resync" if len(self._subscriptions) == 2:
                    self.answer(envelope.sequence, snapshot=self.snapshot())
                    self.snapshots += 1
                case _:
                    pass
        for socket in (self._commands, self._ticks):
            while socket.poll(0):
                data = socket.recv()
                if data[0]:
                    self._subscriptions.add(data[1:])
        while self._events.poll(0):
            new.append(pb.Envelope.FromString(self._events.recv().split(b"\0", 1)[1]))
        self.heard += new
        return new

    def drain(self) -> int:
        """Receives the worker's updates and heartbeats without reading them; returns their bytes."""
        count = 0
        while self._events.poll(0):
            count += len(self._events.recv())
        return count

    def snapshot(self) -> pb.Snapshot:
        """The worker's complete state."""
        return pb.Snapshot(
            command=self.command,
            frame=pb.Frame(number=self.frame, time=self.frame / 120, dt=1 / 120),
            executors=self.executors,
            last_event_applied=self.acknowledged,
        )

    def of(self, kind: str) -> list[Any]:
        """The bodies of this kind that the worker has sent so far."""
        self.receive()
        return [getattr(envelope, kind) for envelope in self.heard if envelope.WhichOneof("body") == kind]

    def await_body(self, kind: str, since: int = 0) -> Any:
        """Waits for a message of this kind, after so many messages."""

        def look() -> Any:
            self.receive()
            return next((e for e in self.heard[since:] if e.WhichOneof("body") == kind), None)

        return getattr(await_fact(f"{kind} ({self.log.read_text()})", look), kind)

    def events(self) -> list[pb.Update.Event]:
        """The worker's events, each once and in order."""
        events: dict[int, pb.Update.Event] = {}
        for update in self.of("update"):
            events |= {event.number: event for event in update.events}
        return [events[number] for number in sorted(events)]

    def serve(self) -> None:
        """Waits until the worker holds its snapshot."""
        await_fact(f"a snapshot ({self.log.read_text()})", lambda: self.of("resync") and self.snapshots)
        # The worker acknowledges it by a heartbeat at once.
        self.await_body("worker_heartbeat", len(self.heard))


def planned(number: int, type: str, property: str = "x", value: float = 0.0, **fields: float) -> pb.PlannedIntention:
    """A plan of a type that writes one property."""
    return pb.PlannedIntention(
        identity=pb.IntentionIdentity(sequence=number),
        intention=pb.Intention(
            type=type, fields=[pb.Field(name=name, value=pb.FieldValue(number=given)) for name, given in fields.items()]
        ),
        starts=[
            pb.PlannedIntention.Start(
                property=property, handle=number, state=pb.PropertyState(value=[value], velocity=[0.0])
            )
        ],
    )


def executor(number: int, plan: pb.PlannedIntention, target: str | None = None) -> pb.Snapshot.Executor:
    """An executor of a snapshot, with one plan that drives its property."""
    return pb.Snapshot.Executor(
        handle=number,
        key=pb.ExecutorKey(target=target or f"t{number}", type=plan.intention.type),
        intentions=[plan],
        driven=plan.starts,
    )


@contextmanager
def puppeteer(code: str) -> Generator[PuppetCoordinator]:
    """A coordinator that is closed whatever happens."""
    with tempfile.TemporaryDirectory(prefix="puppet-") as folder:
        puppet = PuppetCoordinator(Path(folder), code)
        try:
            yield puppet
        except BaseException:
            print(puppet.log.read_text()[-4000:])
            raise
        finally:
            puppet.close()


def exists(process: int) -> bool:
    """Whether a process runs."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def pause() -> None:
    """A moment for other processes."""
    time.sleep(0.001)
