"""A worker process before a coordinator that loses, forges and repeats messages."""

from __future__ import annotations

import os
import random
import signal
import time

from puppet import PuppetCoordinator, executor, pause, planned, puppeteer
from stage import await_fact

from motiond._proto import motion_pb2 as pb

CODE = """
@motiond.executor("Ramp", kind="standing")
def ramp(plan, frame, *, property: Writes = Writes("x"), speed: float = 1.0):
    "Moves evenly."
    return plan.start().value[0] + speed * plan.elapsed

@motiond.executor("Stand", kind="standing")
def stand(plan, frame, *, property: Writes = Writes("x")):
    "Writes once."
    return Motion(5.0, velocity=0.0, rests=True)
"""


def served(puppet: PuppetCoordinator) -> PuppetCoordinator:
    puppet.executors = [executor(1, planned(1, "Ramp", speed=10.0))]
    puppet.serve()
    return puppet


def await_update(puppet: PuppetCoordinator, frame: int) -> pb.Update:
    def look() -> pb.Update | None:
        return next((update for update in puppet.of("update") if update.frame == frame and len(update.lanes)), None)

    return await_fact(f"the update of frame {frame}", look)


def test_a_tick_is_answered_with_the_exact_value_and_velocity() -> None:
    with puppeteer(CODE) as puppet:
        served(puppet)
        for _ in range(5):
            frame = puppet.tick()
            update = await_update(puppet, frame)
            assert list(update.handles) == [1] and list(update.executors) == [1] and list(update.counts) == [1]
            assert abs(update.lanes[0] - 10 * frame / 120) < 1e-12
            assert abs(update.velocities[0] - 10) < 1e-9


def test_rows_are_left_out_as_long_as_ticks_acknowledge_their_number() -> None:
    with puppeteer(CODE) as puppet:
        served(puppet)
        shapes = [0, 0, 0, 1, 1, 0, 1]
        updates = [await_update(puppet, puppet.tick(shape=shape)) for shape in shapes]
        assert [update.shape for update in updates] == [0, 1, 1, 1, 1, 1, 1]
        assert [list(update.handles) for update in updates] == [[1], [1], [1], [], [], [1], []]
        assert all(len(update.lanes) == len(update.velocities) == 1 for update in updates)
        second = planned(2, "Ramp", speed=3.0)
        puppet.tell(add=pb.Add(executor=2, key=pb.ExecutorKey(target="t2", type="Ramp"), intention=second))
        updates = [await_update(puppet, puppet.tick(shape=shape)) for shape in (1, 1, 2)]
        assert [len(update.handles) for update in updates] == [2, 2, 0]
        assert [len(update.lanes) for update in updates] == [2, 2, 2]


def test_a_lost_command_is_found_and_a_snapshot_requested() -> None:
    with puppeteer(CODE) as puppet:
        served(puppet)
        resyncs = len(puppet.of("resync"))
        second = planned(2, "Ramp", speed=3.0)
        puppet.executors.append(executor(2, second))
        add = pb.Add(executor=2, key=pb.ExecutorKey(target="t2", type="Ramp"), intention=second)
        puppet.tell(lost=True, add=add)
        puppet.tell(displaced=pb.Displaced(executor=1, property="x"))
        puppet.executors[0].displaced.append("x")
        del puppet.executors[0].driven[:]
        await_fact("a resync", lambda: len(puppet.of("resync")) > resyncs)
        frame = puppet.tick()
        assert list(await_update(puppet, frame).executors) == [2]


def test_a_heartbeat_and_a_tick_reveal_lost_commands() -> None:
    for reveals_by_tick in (False, True):
        with puppeteer(CODE) as puppet:
            served(puppet)
            resyncs = len(puppet.of("resync"))
            puppet.tell(lost=True, remove_executor=pb.RemoveExecutor(executor=1))
            puppet.executors = []
            if reveals_by_tick:
                puppet.tick()
            else:
                puppet.beat()
            await_fact("a resync", lambda: len(puppet.of("resync")) > resyncs)
            await_fact(
                "the executor is gone",
                lambda: any(update.commands_applied == 1 for update in puppet.of("update")),
            )


def test_events_are_resent_until_they_are_acknowledged() -> None:
    with puppeteer(CODE) as puppet:
        puppet.serve()
        plan = planned(1, "Nobody")
        puppet.tell(add=pb.Add(executor=1, key=pb.ExecutorKey(target="t", type="Nobody"), intention=plan))

        def times(number: int) -> int:
            return sum(any(event.number == number for event in update.events) for update in puppet.of("update"))

        await_fact("the event twice", lambda: times(1) >= 2)
        failed = puppet.events()[0].failed
        assert "no executor Nobody" in failed.reason and failed.identity.sequence == 1
        puppet.acknowledged = 1
        puppet.beat()
        await_fact("a heartbeat", lambda: puppet.of("worker_heartbeat"))
        count = times(1)
        end = time.monotonic() + 0.6
        await_fact("nothing is resent", lambda: times(1) <= count + 1 and time.monotonic() > end)


def test_an_executor_that_rests_reports_that_it_needs_no_frames() -> None:
    with puppeteer(CODE) as puppet:
        puppet.executors = [executor(1, planned(1, "Stand"))]
        puppet.serve()
        frame = puppet.tick()
        assert list(await_update(puppet, frame).lanes) == [5.0]

        def activities() -> list[bool]:
            return [event.activity.active for event in puppet.events() if event.WhichOneof("event") == "activity"]

        await_fact("both reports", lambda: activities() == [True, False])


def test_silence_ends_the_executors_and_the_worker_greets_again() -> None:
    with puppeteer(CODE) as puppet:
        served(puppet)
        hellos, snapshots = len(puppet.of("hello")), puppet.snapshots
        puppet.beat(interval=0.05)
        await_fact("a hello", lambda: len(puppet.of("hello")) > hellos)
        assert "no messages from motiond" in puppet.log.read_text()
        await_fact("a resync", lambda: puppet.of("resync") and puppet.snapshots > snapshots)
        puppet.await_body("worker_heartbeat", len(puppet.heard))
        await_update(puppet, puppet.tick())


def test_a_newer_epoch_and_a_refusal_end_the_worker_with_4() -> None:
    for is_epoch in (True, False):
        with puppeteer(CODE) as puppet:
            served(puppet)
            if is_epoch:
                puppet.epoch = 8
                puppet.beat()
            else:
                puppet.answer(refusal=pb.Refusal(code="stopping", message="no more"))
            assert puppet.process.wait(20) == 4


def test_the_end_of_the_lifeline_and_signals_end_the_worker() -> None:
    for way in ("lifeline", "term", "shutdown"):
        with puppeteer(CODE) as puppet:
            served(puppet)
            if way == "lifeline":
                assert puppet.process.stdin is not None
                puppet.process.stdin.close()
            elif way == "term":
                os.kill(puppet.process.pid, signal.SIGTERM)
            else:
                puppet.tell(shutdown=pb.Shutdown(final=True))
            assert puppet.process.wait(20) == 0, way


def test_no_message_ends_the_worker() -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    generator = random.Random(seed)
    with puppeteer(CODE) as puppet:
        served(puppet)
        samples = [
            pb.Envelope(protocol=1, epoch=7, sequence=1, tick=pb.Tick(frame=pb.Frame(number=5), last_command=1)),
            pb.Envelope(protocol=1, epoch=7, snapshot=puppet.snapshot()),
            pb.Envelope(protocol=1, epoch=7, inspect=pb.Inspect(executors=[1])),
            pb.Envelope(
                protocol=1,
                epoch=7,
                command=pb.Command(
                    number=1,
                    add=pb.Add(
                        executor=2, key=pb.ExecutorKey(target="a", type="Ramp"), intention=planned(9, "Ramp", speed=1)
                    ),
                ),
            ),
        ]
        encoded = [sample.SerializeToString() for sample in samples]
        for _ in range(3000):
            data = forged(generator, encoded)
            # A message that another start of motiond has sent, or that ends the worker by intention, is no forgery.
            try:
                envelope = pb.Envelope.FromString(data)
                if envelope.epoch > 7 or envelope.WhichOneof("body") == "refusal":
                    continue
            except Exception:
                pass
            generator.choice(
                [
                    lambda data=data: puppet.publish_bytes(data),
                    lambda data=data: puppet.publish_bytes(data, "t"),
                    lambda data=data: puppet.send_bytes(data),
                ]
            )()
            if generator.random() < 0.02:
                puppet.receive()
                pause()
        puppet.command, puppet.frame = 10**6, 2**62 - 10
        puppet.executors = [executor(1, planned(1, "Ramp", speed=10.0))]
        before = len(puppet.of("resync"))
        puppet.beat()
        await_fact("it still serves", lambda: len(puppet.of("resync")) > before)
        assert puppet.process.poll() is None


def forged(generator: random.Random, samples: list[bytes]) -> bytes:
    """Random bytes, or a message in which some bytes are changed, missing or doubled."""
    if generator.random() < 0.2:
        return generator.randbytes(generator.randrange(200))
    data = bytearray(generator.choice(samples))
    for _ in range(generator.randrange(1, 4)):
        place = generator.randrange(len(data) + 1)
        match generator.randrange(3):
            case 0 if place < len(data):
                data[place] = generator.randrange(256)
            case 1:
                del data[place : place + generator.randrange(1, 9)]
            case _:
                data[place:place] = generator.randbytes(generator.randrange(1, 5))
        if not data:
            return b""
    return bytes(data)
