"""What a column executor costs: 10,000 lanes at 120 frames a second, beside a bare pyzmq process.

    python benchmarks/columns.py [--targets 10000] [--rate 120] [--seconds 10]

The worker's processor time is read from /proc. Its coordinator is played here, so that a slow motiond does not decide
how many frames there are. The reference is a process that receives as many ticks and publishes messages of the same
size, which it has encoded before: nothing in Python is cheaper. Both are measured in the same run, so their ratio does
not depend on the machine.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "tests")]

import zmq
from puppet import executor, planned, puppeteer
from stage import await_fact, staged

PLUGIN = """
import numpy as np

@columns("Ripple", kind="standing")
class Ripple:
    "A wave over all targets."
    property: Writes = field(Writes("level"), "What moves.")
    rate: Numbers = field(1.0, "Turns per second.")
    phase: Numbers = field(0.0, "Where it begins, in turns.")

    def update(self, t, out):
        out.value[:, 0] = 0.5 + 0.5 * np.sin(2 * np.pi * (self.rate * t + self.phase))
"""


def processor_time(process: int) -> float:
    """The seconds that a process and its threads have computed."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure_worker(targets: int, rate: int, seconds: float, *, named: bool) -> tuple[float, float]:
    """The worker's processor time per frame in seconds, and the bytes that it answered per frame.

    Its coordinator is played here: it announces each frame at its time. If `named`, it acknowledges the shape of the
    updates, so that their rows are announced once and named by a number then.
    """
    with puppeteer(PLUGIN) as puppet:
        puppet.executors = [
            executor(number, planned(number, "Ripple", "level", phase=number / targets))
            for number in range(1, targets + 1)
        ]
        puppet.serve()
        puppet.tick()
        # The events of the start are acknowledged: from here on an update has values only.
        await_fact("the executors' reports", lambda: len(puppet.events()) == targets)
        puppet.acknowledged = targets
        puppet.beat(0.2)
        shape = 0
        while named and not shape:
            # It announces rows that come twice.
            puppet.tick(1 / rate)
            shape = max(update.shape for update in puppet.of("update"))
        before, answered, frames, began = 0.0, 0, -rate, time.monotonic()
        while frames < seconds * rate:
            if frames == 0:
                # After a second everything is warm.
                puppet.drain()
                before, answered = processor_time(puppet.process.pid), 0
            if frames % (rate // 5) == 0:
                puppet.beat(0.2)
            puppet.tick(1 / rate, shape)
            frames += 1
            due = began + (frames + rate) / rate
            while (now := time.monotonic()) < due:
                time.sleep(min(0.001, due - now))
                answered += puppet.drain()
        spent = processor_time(puppet.process.pid) - before
        return spent / frames, answered / frames


def measure_reference(size: int, rate: int, seconds: float) -> float:
    """The processor time per frame of a process that publishes messages of this size and does nothing else."""
    with staged() as stage:
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        ticks, sink = context.socket(zmq.PUB), context.socket(zmq.SUB)
        ticks.bind(f"ipc://{stage.folder}/ticks")
        sink.bind(f"ipc://{stage.folder}/values")
        sink.subscribe(b"")
        process = stage.run(sys.executable, __file__, "--reference", str(stage.folder), "--size", str(size))

        def answers() -> bool:
            ticks.send(b"tick" * 10)
            return bool(sink.poll(20)) and bool(sink.recv())

        await_fact("the reference answers", answers)
        before, frames, began = processor_time(process.pid), 0, time.monotonic()
        while (now := time.monotonic()) < began + seconds:
            ticks.send(b"tick" * 10)
            while sink.poll(max(0, int(1000 * (began + (frames + 1) / rate - now)))):
                sink.recv()
                now = time.monotonic()
                if now >= began + (frames + 1) / rate:
                    break
            time.sleep(max(0.0, began + (frames + 1) / rate - time.monotonic()))
            frames += 1
        spent = processor_time(process.pid) - before
        context.destroy(linger=0)
        return spent / frames


def reference(folder: str, size: int) -> None:
    """The bare process: receives a tick, publishes a message."""
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    ticks, values = context.socket(zmq.SUB), context.socket(zmq.PUB)
    ticks.connect(f"ipc://{folder}/ticks")
    values.connect(f"ipc://{folder}/values")
    ticks.subscribe(b"")
    message = os.urandom(size)
    while True:
        ticks.recv()
        values.send(message)


def message_bytes(targets: int) -> int:
    """The size of an update with so many values of one lane."""
    handles = sum(1 if index < 128 else 2 if index < 16384 else 3 for index in range(targets))
    return 2 * handles + 17 * targets + 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--targets", type=int, default=10_000)
    parser.add_argument("--rate", type=int, default=120)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--reference")
    parser.add_argument("--size", type=int, default=0)
    given = parser.parse_args()
    if given.reference:
        return reference(given.reference, given.size)
    bare = measure_reference(message_bytes(given.targets), given.rate, given.seconds)
    print(f"{given.targets} lanes in columns, {given.rate} frames a second")
    print(f"  bare pyzmq         {bare * 1e3:7.3f} ms a frame, {bare * given.rate * 100:5.1f} % of a core")
    for named, what in [(False, "rows each time"), (True, "rows announced once")]:
        worker, answered = measure_worker(given.targets, given.rate, given.seconds, named=named)
        print(
            f"  {what:19}{worker * 1e3:6.3f} ms a frame, {worker * given.rate * 100:5.1f} % of a core, "
            f"{worker / bare:.1f} times, {answered:.0f} bytes a frame"
        )


if __name__ == "__main__":
    try:
        main()
    except (KeyboardInterrupt, subprocess.SubprocessError):
        sys.exit(1)
