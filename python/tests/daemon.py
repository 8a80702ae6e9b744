"""A motiond for tests: in a directory of its own, ended by its process id, whatever happens."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from motiond._client_places import refusal

#: A limit for everything that waits for a fact: only a hang reaches it.
PATIENCE = 30.0


def _folder(variable: str) -> Path:
    value = os.environ.get(variable)
    if not value:
        raise RuntimeError(
            f"{variable} is not set: tests of a running motiond need MOTION_BIN, the folder of motiond and motionctl, "
            "and MOTION_PLUGINS, the folder of its plugins"
        )
    return Path(value)


def binary(name: str) -> Path:
    """The path of a program of motiond."""
    path = _folder("MOTION_BIN") / name
    if not path.exists():
        raise RuntimeError(f"there is no {path}: build motiond, and set MOTION_BIN to the folder of its programs")
    return path


class Daemon:
    """A motiond with its own directories. `restart` and `kill` keep the state."""

    def __init__(self, *arguments: str, plugins: Path | None = None) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="motiond-py-"))
        self.runtime = self.directory / "r"
        self.state = self.directory / "s"
        self._arguments = arguments
        self._plugins = plugins or _folder("MOTION_PLUGINS")
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Daemon:
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            if sys.exc_info()[0] is not None:
                print(self.log[-4000:], file=sys.stderr)
            self.end(signal.SIGKILL)
        shutil.rmtree(self.directory, ignore_errors=True)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        path = self.directory / "log"
        return path.read_text("utf-8", "replace") if path.exists() else ""

    def start(self) -> None:
        """Starts it, and returns when it serves."""
        with (self.directory / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    binary("motiond"),
                    "--runtime-dir",
                    self.runtime,
                    "--state-dir",
                    self.state,
                    "--plugin-path",
                    self._plugins,
                    *self._arguments,
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, "TMPDIR": str(self.directory)},
            )
        wait_until(lambda: self._has_ended() or refusal(self.runtime / "client" / "control.ipc") is None)
        if self._has_ended():
            raise RuntimeError(f"motiond did not start:\n{self.log}")

    def end(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Ends it by a signal."""
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(number)
            try:
                _ = self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                _ = self._process.wait()

    def kill(self) -> None:
        """Ends it as a loss of power would end the process."""
        self.end(signal.SIGKILL)

    def restart(self) -> None:
        """Kills it, and starts it with the same state."""
        self.kill()
        self.start()

    def ctl(self, *arguments: str, runtime: bool = True) -> str:
        """Runs motionctl, for this motiond unless `runtime` is False, and returns its output."""
        place = ["--runtime-dir", str(self.runtime)] if runtime else []
        command = [str(binary("motionctl")), *arguments, *place]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode:
            raise RuntimeError(f"motionctl {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def _has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None


def wait_until(fact: Callable[[], bool], patience: float = PATIENCE) -> None:
    """Waits for a fact."""
    end = time.monotonic() + patience
    while not fact():
        if time.monotonic() > end:
            raise TimeoutError("a fact that a test waits for did not come")
        time.sleep(0.005)
