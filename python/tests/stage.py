"""A motiond in a temporary directory, with plugins in Python, and a bare client. Ends every process that it started."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

import pytest
import zmq

from motiond import manifest
from motiond._proto import motion_pb2 as pb

PACKAGE = Path(__file__).resolve().parents[1]
BIN = os.environ.get("MOTION_BIN", "")
PLUGINS = os.environ.get("MOTION_PLUGINS", "")

needs_motiond = pytest.mark.skipif(
    not BIN or not (Path(BIN) / "motiond").is_file(), reason="MOTION_BIN names no folder with motiond"
)

#: How long a fact is awaited, in seconds: a busy machine with debug builds needs several.
PATIENCE = 30.0

Found = TypeVar("Found")


def await_fact(what: str, look: Callable[[], Found | None], patience: float = PATIENCE) -> Found:
    """Waits until `look` returns something true, and returns it."""
    end = time.monotonic() + patience
    while True:
        if found := look():
            return found
        if time.monotonic() > end:
            raise AssertionError(f"waited {patience} s in vain: {what}")
        time.sleep(0.005)


HEADER = """\
#!{interpreter}
import sys
sys.path.insert(0, {package!r})
import motiond
from motiond.executors import *
"""


class Stage:
    """A motiond with plugins, until ``close``."""

    def __init__(self, *, rate: int = 120, arguments: tuple[str, ...] = (), package: Path = PACKAGE) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="motiond-python-"))
        self.plugins = self.folder / "plugins"
        self.plugins.mkdir(mode=0o755)
        self.rate = rate
        self.arguments = arguments
        # What its plugins import.
        self.package = package
        self.process: subprocess.Popen[bytes] | None = None
        self.log = self.folder / "log"
        self._others: list[subprocess.Popen[bytes]] = []
        self.clients: list[Client] = []

    def plugin(self, name: str, code: str, **entries: Any) -> Path:
        """Writes a plugin of this code, with the manifest that is made of it and these further entries."""
        folder = self.plugins / name
        folder.mkdir(mode=0o755)
        program = folder / f"{name}.py"
        header = HEADER.format(interpreter=sys.executable, package=str(self.package))
        program.write_text(header + code + "\nif __name__ == '__main__':\n    motiond.run()\n")
        program.chmod(0o755)
        (folder / "plugin.json").write_text("{}")
        content = manifest.of_program(program) | entries
        (folder / "plugin.json").write_text(manifest.text(content))
        return folder

    def start(self) -> Stage:
        """Starts motiond, and waits until it serves."""
        command = [f"{BIN}/motiond", "--runtime-dir", f"{self.folder}/run", "--state-dir", f"{self.folder}/state"]
        command += ["--plugin-path", str(self.plugins), "--rate", str(self.rate), *self.arguments]
        if PLUGINS:
            command += ["--plugin-path", PLUGINS]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.client()
        return self

    def client(self) -> Client:
        """A client that has greeted."""
        client = Client(self.folder / "run")
        self.clients.append(client)

        def greets() -> bool:
            assert self.process is not None
            assert self.process.poll() is None, self.log.read_text()
            return client.greet(500)

        await_fact("motiond serves", greets)
        return client

    def run(
        self, *command: str, output: IO[bytes] | None = None, environment: dict[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """Starts another process, which ends with the stage."""
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment)
        self._others.append(process)
        return process

    def kill(self) -> None:
        """Kills motiond."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def text(self) -> str:
        """The log so far."""
        return self.log.read_text(errors="replace")

    def close(self) -> None:
        """Ends everything."""
        for client in self.clients:
            client.close()
        for process in [*self._others, *([self.process] if self.process else [])]:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.terminate()
        for process in [*self._others, *([self.process] if self.process else [])]:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def staged(**options: Any) -> Generator[Stage]:
    """A stage that is closed whatever happens; the log is printed if the test fails."""
    stage = Stage(**options)
    try:
        yield stage
    except BaseException:
        if stage.log.exists():
            print(stage.text()[-8000:])
        raise
    finally:
        stage.close()


class Client:
    """Asks on the control socket, and receives values: as little as these tests need."""

    def __init__(self, runtime: Path) -> None:
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._runtime = runtime
        self._incarnation, self._sequence, self.epoch = secrets.randbits(63) + 1, 0, 0
        self.service = pb.Service()
        self._control = self._connect()

    def _connect(self) -> zmq.Socket[bytes]:
        socket = self._context.socket(zmq.DEALER)
        socket.linger = 0
        socket.connect(f"ipc://{self._runtime}/client/control.ipc")
        return socket

    def close(self) -> None:
        """Closes its sockets."""
        self._context.destroy(linger=0)

    def greet(self, timeout: int = 3000) -> bool:
        """Greets; false if nobody answers in time."""
        self.epoch = 0
        both = pb.VersionRange(lowest=1, highest=1)
        reply = self._ask(timeout, greeting=pb.Greeting(handshake_versions=both, protocol_versions=both, name="test"))
        if reply is None:
            return False
        self.epoch, self.service = reply.epoch, reply.service
        return True

    def ask(self, **body: Any) -> pb.Envelope:
        """The answer to a request. Raises `AssertionError` for a refusal."""
        reply = self._ask(10_000, **body)
        assert reply is not None, "motiond does not answer"
        assert reply.WhichOneof("body") != "refusal", str(reply.refusal)
        return reply

    def _ask(self, timeout: int, **body: Any) -> pb.Envelope | None:
        self._sequence += 1
        sender = {"epoch": self.epoch, "incarnation": self._incarnation, "sequence": self._sequence}
        self._control.send(pb.Envelope(protocol=1, **sender, **body).SerializeToString())
        while self._control.poll(timeout):
            reply = pb.Envelope.FromString(self._control.recv())
            if reply.reply_to == self._sequence:
                return reply
        return None

    def commit(self, *operations: pb.Operation) -> pb.Receipt:
        """Commits operations."""
        high, low = secrets.randbits(64), secrets.randbits(64)
        return self.ask(commit=pb.Commit(id_high=high, id_low=low, client="test", operations=operations)).receipt

    def add(self, target: str, type: str, name: str | None = None, **fields: Any) -> pb.Receipt:
        """Adds a plan."""
        from motiond._worker_fields import field_value

        written = [pb.Field(name=key, value=field_value(value)) for key, value in fields.items()]
        add = pb.Operation.Add(intention=pb.Intention(type=type, fields=written), to=target, named=name)
        return self.commit(pb.Operation(add=add))

    def remove(self, target: str, name: str) -> pb.Receipt:
        """Removes a plan by its name."""
        return self.commit(pb.Operation(remove=pb.Operation.Remove(named=name, **{"from": target})))

    def query(self, subject: pb.Query.Subject) -> pb.Answer:
        """The answer to a query."""
        return self.ask(query=pb.Query(subject=subject)).answer

    def plans(self) -> list[pb.IntentionRow]:
        """The plans on all targets, including failed ones."""
        return list(self.query(pb.Query.SUBJECT_INTENTIONS).intentions.rows)

    def worker(self, plugin: str) -> pb.WorkerRow | None:
        """The first worker of a plugin, if it is ready."""
        for row in self.query(pb.Query.SUBJECT_PLUGINS).plugins.rows:
            for worker in row.workers:
                if worker.address.plugin == plugin and worker.state == pb.WorkerRow.STATE_READY:
                    return worker
        return None

    def subscribe(self, *topics: str) -> Values:
        """Subscribes to topics of values."""
        return Values(self._context, self.service.values_endpoint, topics)


class Values:
    """Receives the values of topics: for each property its points in order."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], endpoint: str, topics: tuple[str, ...]) -> None:
        self._socket = context.socket(zmq.SUB)
        self._socket.linger = 0
        self._socket.rcvhwm = 100_000
        self._socket.connect(endpoint)
        for topic in topics:
            self._socket.subscribe(topic.encode() + b"\0")
        self._names: dict[int, str] = {}
        #: For each property, as ``target/property``: time, value, velocity and whether it is late.
        self.tracks: dict[str, list[tuple[float, tuple[float, ...], tuple[float, ...], bool]]] = {}
        #: The plans that ended.
        self.ended: list[Any] = []

    def receive(self) -> Values:
        """Receives what has arrived."""
        while self._socket.poll(0):
            envelope = pb.Envelope.FromString(self._socket.recv().split(b"\0", 1)[1])
            match envelope.WhichOneof("body"):
                case "names":
                    for name in envelope.names.names:
                        self._names[name.handle] = f"{name.property.target}/{name.property.property}"
                case "values":
                    self._note(envelope.values)
                case "ended":
                    self.ended += envelope.ended.intentions
                case _:
                    pass
        return self

    def _note(self, values: pb.Values) -> None:
        first, late = 0, set(values.late)
        for handle, count in zip(values.handles, values.counts, strict=True):
            lanes = tuple(values.lanes[first : first + count])
            velocities = tuple(values.velocities[first : first + count])
            first += count
            if not values.complete:
                point = (values.time, lanes, velocities, handle in late)
                self.tracks.setdefault(self._names[handle], []).append(point)
