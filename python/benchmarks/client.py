"""Measures the client beside a program of a few lines that only uses pyzmq, in the same run.

    MOTION_BIN=… MOTION_PLUGINS=… python -m benchmarks.client [--seconds 5] [--lanes 100000] [--rate 120] [--commits
    10000]

Watch: the processor time that a process takes to receive so many lanes, with velocities, at so many frames a second,
each frame as an array; beside it, that of a process that receives the same messages and drops them.
Commit: transactions a second that one client gets acknowledged, with a motiond without a journal; beside it, those of a
program that sends the same messages, encoded before, and counts the answers.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import zmq

import motiond
from motiond import spring
from motiond._client_conversation import WINDOW
from motiond._proto import motion_pb2 as pb
from tests.daemon import Daemon

ROOT = Path(__file__).resolve().parents[1]


def watch_by_client(directory: Path, seconds: float) -> tuple[float, int, int]:
    """The share of a core, the frames, and those that were left out."""
    with motiond.connect(directory, outcomes=False) as m, m.watch(every=True) as frames:
        _ = next(frames)
        begin, used, count, missed = time.monotonic(), time.process_time(), 0, 0
        while time.monotonic() < begin + seconds:
            frame = next(frames)
            count += 1
            missed += frame.missed
            assert frame.values[-1] == frame.number % 8 / 8
        return (time.process_time() - used) / (time.monotonic() - begin), count, missed


def watch_by_socket(directory: Path, seconds: float) -> tuple[float, int, int]:
    """The same of a process that only receives: frames are counted by the messages of 64 KiB."""
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    socket = context.socket(zmq.SUB)
    socket.setsockopt(zmq.RCVHWM, 4096)
    socket.connect(f"ipc://{directory}/client/values.ipc")
    socket.subscribe(b"m/\0")
    _ = socket.recv()
    begin, used, count = time.monotonic(), time.process_time(), 0
    while time.monotonic() < begin + seconds:
        _ = socket.recv()
        count += 1
    return (time.process_time() - used) / (time.monotonic() - begin), count, 0


def commit_by_client(directory: Path, commits: int) -> float:
    """Acknowledged transactions a second."""
    with motiond.connect(directory) as m:
        begin = time.monotonic()
        results = m.commit_all([spring("ball.position", (i % 100, 0)) for i in range(commits)])
        assert not any(isinstance(result, motiond.Refusal) for result in results)
        return commits / (time.monotonic() - begin)


def commit_by_socket(directory: Path, commits: int) -> float:
    """The same of a program that only sends bytes and counts the answers."""
    messages: list[bytes] = []
    incarnation = secrets.randbits(63) + 1
    for i in range(commits):
        commit = pb.Commit(
            id_high=secrets.randbits(64), id_low=1, operations=[spring("ball.position", (i % 100, 0)).operation()]
        )
        messages.append(
            pb.Envelope(protocol=1, incarnation=incarnation, sequence=i + 1, commit=commit).SerializeToString()
        )
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    socket = context.socket(zmq.DEALER)
    socket.setsockopt(zmq.LINGER, 0)
    socket.connect(f"ipc://{directory}/client/control.ipc")
    begin = time.monotonic()
    for i in range(commits + WINDOW):
        if i < commits:
            socket.send(messages[i])
        if i >= WINDOW:
            _ = socket.recv()
    return commits / (time.monotonic() - begin)


def _measured(name: str, directory: Path, amount: float) -> list[float]:
    """Runs a measurement in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.client", "--one", name, str(directory), str(amount)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=True)
    return json.loads(done.stdout)


def one(name: str, directory: Path, amount: float) -> None:
    """Prints one measurement as JSON."""
    if name == "watch-client":
        result: object = watch_by_client(directory, amount)
    elif name == "watch-socket":
        result = watch_by_socket(directory, amount)
    elif name == "commit-client":
        result = [commit_by_client(directory, int(amount))]
    else:
        result = [commit_by_socket(directory, int(amount))]
    print(json.dumps(result))


def measure_watch(lanes: int, rate: float, seconds: float) -> None:
    """Prints the cost of a watch."""
    with tempfile.TemporaryDirectory(prefix="motiond-bench-") as directory:
        os.chmod(directory, 0o700)
        place = Path(directory)
        command = [sys.executable, "-m", "benchmarks.publisher", directory, str(lanes), str(rate)]
        results: dict[str, list[float]] = {}
        for name in ("watch-socket", "watch-client"):
            publisher = subprocess.Popen(command, cwd=ROOT)
            try:
                while not (place / "client" / "control.ipc").exists():
                    time.sleep(0.01)
                results[name] = _measured(name, place, seconds)
            finally:
                publisher.kill()
                _ = publisher.wait()
                (place / "client" / "control.ipc").unlink(missing_ok=True)
    (bare, messages, _), (share, frames, missed) = results["watch-socket"], results["watch-client"]
    print(f"watch  {lanes} lanes at {rate:g} Hz, with velocities, {seconds:g} s")
    print(f"       client {share:6.1%} of a core, {frames / seconds:.1f} frames/s, {missed:.0f} missed")
    print(f"       pyzmq  {bare:6.1%} of a core, {messages / seconds:.0f} messages/s")
    print(f"       ratio  {share / bare:.2f}")


def measure_commits(commits: int) -> None:
    """Prints the rate of commits."""
    results: dict[str, float] = {}
    for name in ("commit-socket", "commit-client"):
        with Daemon("--journal", "none", "--history", "none") as daemon:
            results[name] = _measured(name, daemon.runtime, commits)[0]
    print(f"commit {commits} transactions of one client, pipelined, without a journal")
    print(f"       client {results['commit-client']:6.0f} /s")
    print(f"       pyzmq  {results['commit-socket']:6.0f} /s")
    print(f"       ratio  {results['commit-client'] / results['commit-socket']:.2f}")


def main() -> None:
    """Reads the options and measures."""
    if sys.argv[1:2] == ["--one"]:
        one(sys.argv[2], Path(sys.argv[3]), float(sys.argv[4]))
        return
    parser = argparse.ArgumentParser(description="Measures the client beside bare pyzmq.")
    _ = parser.add_argument("--seconds", type=float, default=5)
    _ = parser.add_argument("--lanes", type=int, default=100_000)
    _ = parser.add_argument("--rate", type=float, default=120)
    _ = parser.add_argument("--commits", type=int, default=10_000)
    options = parser.parse_args()
    measure_watch(options.lanes, options.rate, options.seconds)
    measure_commits(options.commits)


if __name__ == "__main__":
    main()
