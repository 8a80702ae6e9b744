"""Workers that motiond does not start: over tcp, with keys and a lease."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from stage import BIN, PACKAGE, Stage, await_fact, needs_motiond, staged

from motiond._worker_environment import StartError, read_connection, read_environment

CODE = """
@motiond.executor("Ramp", kind="standing")
def ramp(plan, frame, *, property: Writes = Writes("x"), speed: float = 10.0):
    "Moves evenly."
    return speed * plan.elapsed

def rest():
    import os
    os.write(2, b"at rest\\n")
"""


def free_ports() -> int:
    """The first of four ports that are free now."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            first = probe.getsockname()[1]
        others: list[socket.socket] = []
        try:
            for port in range(first, first + 4):
                other = socket.socket()
                others.append(other)
                other.bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
        finally:
            for other in others:
                other.close()


class Remote:
    """A motiond that waits for a worker, and the worker's program."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.program = stage.plugin("ramp", CODE, onLost="rest") / "ramp.py"
        self.program.write_text(self.program.read_text().replace("motiond.run()", "motiond.run(rest=rest)"))
        self.address = f"tcp://127.0.0.1:{free_ports()}"
        lines = "".join(self.make_key(name, "ramp") for name in ("ramp",))
        (stage.folder / "authorized").write_text(lines)
        stage.arguments = (
            "--listen-workers",
            self.address,
            "--authorized-keys",
            str(stage.folder / "authorized"),
        )

    def make_key(self, name: str, plugin: str) -> str:
        """Makes a pair of keys, and returns the line that authorizes it."""
        command = [f"{BIN}/motionctl", "key", "new", name]
        subprocess.run(command, cwd=self.stage.folder, check=True, capture_output=True)
        return f"worker {(self.stage.folder / f'{name}.pub').read_text().split()[0]} {plugin}\n"

    def start(self, key: str = "ramp") -> subprocess.Popen[bytes]:
        """Starts the worker as a user of another machine would."""
        with (self.stage.folder / "worker.log").open("ab") as log:
            return self.stage.run(
                sys.executable,
                str(self.program),
                "--connect",
                self.address,
                "--key",
                str(self.stage.folder / f"{key}.key"),
                "--server-key",
                str(self.stage.folder / "state" / "motiond.pub"),
                output=log,
                environment={},
            )

    def text(self) -> str:
        """What the worker has printed."""
        return (self.stage.folder / "worker.log").read_text()


@needs_motiond
def test_a_remote_worker_serves_and_returns_after_a_restart_of_motiond() -> None:
    with staged() as stage:
        remote = Remote(stage)
        client = stage.start().client()
        client.add("ball", "Ramp")
        worker = remote.start()
        values = client.subscribe("m/ball")
        await_fact("it moves", lambda: len(values.receive().tracks.get("ball/x", [])) > 30)
        stage.kill()
        client = stage.start().client()
        values = client.subscribe("m/ball")
        await_fact("it moves again", lambda: len(values.receive().tracks.get("ball/x", [])) > 30)
        assert worker.poll() is None
        assert "claims its assignment again" in remote.text()
        worker.terminate()
        assert worker.wait(10) == 0
        assert "at rest" in remote.text()


@needs_motiond
def test_a_suspended_remote_worker_loses_its_lease_and_claims_again() -> None:
    with staged() as stage:
        remote = Remote(stage)
        client = stage.start().client()
        client.add("ball", "Ramp")
        worker = remote.start()
        values = client.subscribe("m/ball")
        await_fact("it moves", lambda: len(values.receive().tracks.get("ball/x", [])) > 30)
        worker.send_signal(signal.SIGSTOP)
        await_fact("motiond has lost it", lambda: client.worker("ramp") is None)
        worker.send_signal(signal.SIGCONT)
        await_fact("it serves again", lambda: client.worker("ramp"))
        count = len(values.receive().tracks["ball/x"])
        await_fact("it moves again", lambda: len(values.receive().tracks["ball/x"]) > count + 30)


@needs_motiond
def test_a_second_worker_waits_for_the_assignment() -> None:
    with staged() as stage:
        remote = Remote(stage)
        client = stage.start().client()
        client.add("ball", "Ramp")
        first = remote.start()
        await_fact("it serves", lambda: client.worker("ramp"))
        remote.start()
        await_fact("the second waits", lambda: "there is no assignment yet" in remote.text())
        first.terminate()
        assert first.wait(10) == 0
        await_fact("the second has it", lambda: remote.text().count("it has an assignment") == 2)
        await_fact("the second serves", lambda: client.worker("ramp"))


def test_wrong_arguments_are_refused_with_a_remedy(tmp_path: Path) -> None:
    pair = tmp_path / "a.key"
    z85 = "0" * 40
    pair.write_text(f"# A comment\npublic {z85}\nsecret {z85}\n")
    pair.chmod(0o600)
    start = ["ramp.py", "--connect", "tcp://here:5580"]
    keys = ["--key", str(pair), "--server-key", z85]
    connection = read_connection([*start, *keys, "--instance=3"], {})
    assert connection is not None
    assert (connection.plugin, connection.instance, connection.endpoint(5)) == ("ramp", 3, "tcp://here:5")
    assert read_connection(["ramp.py", "own", "--argument"], {}) is None
    by_environment = read_connection(
        ["x"], {"MOTION_CONNECT": "tcp://here:1", "MOTION_KEY": str(pair), "MOTION_SERVER_KEY": z85}
    )
    assert by_environment is not None and by_environment.plugin == "x"
    wrong: list[tuple[list[str], str]] = [
        (start, "--key is missing"),
        ([*start, "--key", str(pair)], "--server-key is missing"),
        (["x", "--connect", "here", *keys], "write tcp://HOST:PORT"),
        ([*start, *keys, "--instance", "16"], "from 0 to 15"),
        ([*start, *keys, "--plugin", "A"], "no name of a plugin"),
        ([*start, "--key", str(tmp_path / "b"), "--server-key", z85], "No such file"),
        ([*start, "--key", str(pair), "--server-key", str(tmp_path)], "Is a directory"),
    ]
    for arguments, text in wrong:
        with pytest.raises(StartError, match=text):
            read_connection(arguments, {})
    pair.chmod(0o644)
    with pytest.raises(StartError, match="chmod 600"):
        read_connection([*start, *keys], {})


def test_a_program_that_motiond_did_not_start_says_so() -> None:
    complete = {
        "MOTION_PLUGIN": "tween",
        "MOTION_INSTANCE": "0",
        "MOTION_INCARNATION": "1",
        "MOTION_EPOCH": "2",
        "MOTION_LINK": "ipc:///a",
        "MOTION_COMMANDS": "ipc:///b",
        "MOTION_TICKS": "ipc:///c",
        "MOTION_EVENTS": "ipc:///d",
    }
    assert read_environment(complete).rests_when_lost is False
    assert read_environment(complete | {"MOTION_ON_LOST": "rest"}).rests_when_lost is True
    for name in complete:
        for text in (None, "", "\n"):
            changed = {key: value for key, value in complete.items() if key != name}
            if text is not None:
                changed[name] = text
            with pytest.raises(StartError, match=name):
                read_environment(changed)
    found = subprocess.run(
        [sys.executable, "-c", "import motiond; motiond.run(arguments=['x', '--help'])"],
        env={"PYTHONPATH": str(PACKAGE)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "--server-key" in found.stdout
    assert os.linesep in found.stdout
