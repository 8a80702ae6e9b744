"""A client of a motiond on another machine: CURVE keys, and the errors of wrong ones."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from daemon import Daemon, binary

import motiond
from motiond import spring


def _free_ports() -> int:
    """A port that is free together with the next one."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
            except (OSError, OverflowError):
                continue
            return port


class Remote:
    """A motiond that listens, and the keys of a client."""

    def __init__(self, daemon: Daemon, port: int, directory: Path) -> None:
        self.daemon = daemon
        self.address = f"tcp://127.0.0.1:{port}"
        self.key = directory / "desk.key"
        self.server_key = daemon.state / "motiond.pub"
        self.other_key = directory / "other.key"


def _make_key(directory: Path, name: str) -> str:
    done = subprocess.run(
        [binary("motionctl"), "key", "new", name], cwd=directory, capture_output=True, text=True, check=True
    )
    return next(line for line in done.stdout.splitlines() if line.startswith("client "))


@pytest.fixture(scope="module")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Remote]:
    directory = tmp_path_factory.mktemp("keys")
    line = _make_key(directory, "desk")
    _ = _make_key(directory, "other")
    port = _free_ports()
    daemon = Daemon("--listen", f"tcp://127.0.0.1:{port}")
    daemon.state.mkdir(mode=0o700)
    keys = daemon.state / "authorized-keys"
    _ = keys.write_text(line + "\n")
    keys.chmod(0o600)
    with daemon:
        yield Remote(daemon, port, directory)


def test_a_remote_client_commits_and_watches(remote: Remote) -> None:
    with motiond.connect(remote.address, key=remote.key, server_key=remote.server_key) as m, m.watch("far") as frames:
        (end,) = m.commit(spring("far.x", 5)).settled(timeout=20)
        assert end.outcome is motiond.Outcome.COMPLETED
        while frames.next(timeout=20)["far.x"].number != 5:
            pass
        assert m.commit(spring("far.x", 6)).sequence
    text = remote.server_key.read_text().split()[0]
    with motiond.connect(remote.address, key=remote.key, server_key=text) as m:
        assert m.status().epoch


def test_a_key_that_is_not_authorized_is_named_in_the_error(remote: Remote) -> None:
    with pytest.raises(motiond.Timeout, match="client .* NAME"):
        _ = motiond.connect(remote.address, key=remote.other_key, server_key=remote.server_key, timeout=1).open()


def test_wrong_key_files_are_errors_with_a_remedy(remote: Remote, tmp_path: Path) -> None:
    def error(
        key: object, server_key: object = remote.server_key, address: str = remote.address
    ) -> motiond.MotionError:
        with pytest.raises(motiond.MotionError) as caught:
            _ = motiond.connect(address, key=key, server_key=server_key, timeout=1).open()  # pyright: ignore
        assert caught.value.remedy
        return caught.value

    assert error(None).code == "key"
    assert "No such file" in str(error(tmp_path / "none"))
    assert "other users" in str(error(remote.server_key))
    shown = tmp_path / "shown.key"
    _ = shown.write_text(remote.key.read_text())
    os.chmod(shown, 0o644)
    assert "other users" in str(error(shown))
    mixed = tmp_path / "mixed.key"
    lines = remote.key.read_text().splitlines()[:2] + remote.other_key.read_text().splitlines()[2:]
    _ = mixed.write_text("\n".join(lines))
    os.chmod(mixed, 0o600)
    assert "no pair" in str(error(mixed))
    assert isinstance(error(remote.key, address="tcp://nowhere"), motiond.Unreachable)
    long = tmp_path / "long.key"
    _ = long.write_text("x" * 5000)
    os.chmod(long, 0o600)
    assert "4096" in str(error(long))


@pytest.mark.parametrize("place", ["http://stage:5570", "ipc:///run/motiond", "tcp//x://y"])
def test_an_address_of_another_kind_is_named(place: str) -> None:
    with pytest.raises(motiond.MotionError, match="no address of a motiond") as error:
        motiond.connect(place).open()
    assert "tcp://stage:5570" in error.value.remedy
