"""A client of a gateway that is restricted to some targets: it publishes nothing of all targets together."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from daemon import PATIENCE, Daemon, binary, wait_until

import motiond
from motiond import Outcome, spring
from motiond._client_places import refusal


@contextmanager
def gateway(daemon: Daemon, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A gateway that serves targets of visitors, in a folder of its own."""
    process = subprocess.Popen(
        [binary("motion-gateway"), "--gateway-dir", folder, "--target", "visitor-"],
        env={**os.environ, "MOTIOND_RUNTIME_DIR": str(daemon.runtime)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: refusal(folder / "client" / "control.ipc") is None)
        yield process
    finally:
        process.kill()
        _ = process.wait(PATIENCE)


def test_behind_a_restricted_gateway_plans_settle_and_frames_arrive_over_kills_of_both() -> None:
    with Daemon() as daemon:
        folder = daemon.directory / "g"
        with gateway(daemon, folder) as first:
            m = motiond.connect(folder).open()
            with pytest.raises(motiond.Refusal, match="names begin with visitor-"):
                m.commit(spring("lamp.x", 1))
            # It ends; how, only the topic of all outcomes says, and that is not for this client.
            (end,) = m.commit(spring("visitor-1.x", 5)).settled(timeout=PATIENCE)
            assert end.outcome is Outcome.UNKNOWN
            with m.watch("visitor-1") as frames:
                m.commit(spring("visitor-1.x", 8))
                while frames.next(timeout=PATIENCE)["visitor-1.x"].value[0] != 8:
                    pass
            # A place that the gateway withholds is named.
            frames = m.watch("visitor-1", "lamp.x")
            for call in (frames.ready, frames.next):
                with pytest.raises(motiond.Timeout, match=r"^no values of lamp\.x were") as error:
                    _ = call(timeout=0.5)
                assert "gateway" in str(error.value.remedy)
            frames.close()
            daemon.end(signal.SIGKILL)
            daemon.start()
            assert m.commit(spring("visitor-1.x", 2)).sequence > 0
            first.kill()
            _ = first.wait(PATIENCE)
        with gateway(daemon, folder):
            assert m.commit(spring("visitor-1.x", 3)).settled(timeout=PATIENCE)
            m.close()
