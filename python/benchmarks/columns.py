"""What a column executor costs: 10,000 lanes at 120 frames a second under a real motiond, beside a bare pyzmq process.

    MOTION_BIN=DIR python benchmarks/columns.py [--targets 10000] [--rate 120] [--seconds 10]

The worker's processor time per frame is read from /proc. The reference is a process that receives as many ticks and
publishes messages of the same size, which it has encoded before: nobody can be cheaper in Python. Both are measured in
the same run, so the ratio does not depend on the machine. Only the worker is measured: motiond may be a debug build,
which does not keep up; then the frames that it announced are counted.
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

import zmq  # noqa: E402

from motiond._proto import motion_pb2 as pb  # noqa: E402
from stage import await_fact, staged  # noqa: E402

PLUGIN = '''
import numpy as np

@motiond.columns("Ripple", kind="standing")
class Ripple:
    "A wave over all targets."
    property: motiond.Writes = motiond.field(motiond.Writes("level"), "What moves.")
    rate: motiond.Numbers = motiond.field(1.0, "Turns per second.")
    phase: motiond.Numbers = motiond.field(0.0, "Where it begins, in turns.")

    def update(self, t, out):
        out.value[:, 0] = 0.5 + 0.5 * np.sin(2 * np.pi * (self.rate * t + self.phase))
'''

#: Operations in one transaction of the set-up.
BATCH = 5000


def processor_time(process: int) -> float:
    """The seconds that a process and its threads have computed."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure_worker(targets: int, rate: int, seconds: float) -> tuple[float, float]:
    """The worker's processor time per frame in seconds, and the frames per second that reached it."""
    with staged(rate=rate) as stage:
        stage.plugin("ripple", PLUGIN)
        client = stage.start().client()
        for first in range(0, targets, BATCH):
            client.commit(
                *(
                    pb.Operation(
                        add=pb.Operation.Add(
                            intention=pb.Intention(
                                type="Ripple",
                                fields=[pb.Field(name="phase", value=pb.FieldValue(number=index / targets))],
                            ),
                            to=f"lamp{index}",
                        )
                    )
                    for index in range(first, min(first + BATCH, targets))
                )
            )
        worker = await_fact("the worker serves", lambda: client.worker("ripple"), 120).process_id
        values = client.subscribe(f"v/lamp{targets - 1}")
        track = f"lamp{targets - 1}/level"
        # The events of the start have been acknowledged by then.
        await_fact("it runs", lambda: len(values.receive().tracks.get(track, [])) > 100, 120)
        before, count, began = processor_time(worker), len(values.receive().tracks[track]), time.monotonic()
        while time.monotonic() < began + seconds:
            time.sleep(0.2)
            values.receive()
        spent, frames = processor_time(worker) - before, len(values.receive().tracks[track]) - count
        return spent / frames, frames / (time.monotonic() - began)


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
            while sink.poll(max(0, (began + (frames + 1) / rate - now) * 1000)):
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
    worker, reached = measure_worker(given.targets, given.rate, given.seconds)
    print(f"{given.targets} lanes in columns, {given.rate} frames a second wanted, {reached:.0f} reached")
    print(f"  worker           {worker * 1e3:7.3f} ms a frame, {worker * given.rate * 100:5.1f} % of a core at {given.rate}/s")
    print(f"  bare pyzmq       {bare * 1e3:7.3f} ms a frame, {bare * given.rate * 100:5.1f} %")
    print(f"  ratio            {worker / bare:7.1f}")


if __name__ == "__main__":
    try:
        main()
    except (KeyboardInterrupt, subprocess.SubprocessError):
        sys.exit(1)
