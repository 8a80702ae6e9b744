"""The executors of a worker without a process: commands and frames in, values and events out."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Generator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import motiond
from motiond import executors
from motiond._link_messages import Outgoing, UpdateBody
from motiond._proto import motion_pb2 as pb
from motiond._worker_declarations import Declaration
from motiond._worker_session import Session
from motiond._worker_types import Frame
from motiond._worker_update import Block, Shape, encode, packed_varints

DT = 1 / 120


@pytest.fixture(autouse=True)
def declared() -> Generator[list[Declaration]]:
    """The declarations of a test, which end with it."""
    before = list(executors.declared)
    executors.declared.clear()
    yield executors.declared
    executors.declared[:] = before


#: The body of a class with one field.
WRITES_X: dict[str, Any] = {"__annotations__": {"property": motiond.Writes}, "property": motiond.Writes("x")}


class World:
    """A session, and what it says."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.session = Session(executors.declared, self.said.append)
        self.frame = 0
        self.values: dict[int, tuple[float, ...]] = {}
        self.velocities: dict[int, tuple[float, ...]] = {}
        self.imposes: dict[int, int] = {}
        self.remaining: dict[int, float] = {}
        self.events: list[pb.Update.Event] = []

    def add(
        self,
        number: int,
        type: str,
        *,
        on: int | None = None,
        executor: str | None = None,
        value: tuple[float, ...] = (0.0,),
        velocity: tuple[float, ...] | None = None,
        **fields: float,
    ) -> None:
        """Adds a plan of this number to the executor `on`, by default one of its own."""
        state = pb.PropertyState(value=value, velocity=velocity or (0.0,) * len(value))
        intention = pb.Intention(
            type=type, fields=[pb.Field(name=name, value=pb.FieldValue(number=given)) for name, given in fields.items()]
        )
        planned = pb.PlannedIntention(
            identity=pb.IntentionIdentity(sequence=number),
            intention=intention,
            start_frame=self.frame,
            start_time=self.frame * DT,
            starts=[pb.PlannedIntention.Start(property="x", handle=on or number, state=state)],
        )
        key = pb.ExecutorKey(target=f"t{on or number}", type=executor or type)
        self.apply(add=pb.Add(executor=on or number, key=key, intention=planned))

    def apply(self, **command: Any) -> None:
        self.session.apply(pb.Command(number=1, **command))

    def remove(self, number: int, on: int | None = None) -> None:
        self.apply(remove=pb.Remove(executor=on or number, identity=pb.IntentionIdentity(sequence=number)))

    def run(self, frames: int = 1) -> None:
        """Runs frames, and notes the values of the last one."""
        for _ in range(frames):
            self.frame += 1
            self.session.run(Frame(self.frame, self.frame * DT, DT))
            message = Outgoing(1, 1, 1, 0, 0, UpdateBody(self.frame, 0, ()))
            update = pb.Envelope.FromString(encode(message, self.session.take_blocks())).update
            self.values, self.velocities, self.imposes, self.remaining = {}, {}, {}, {}
            first = 0
            for index, (handle, count) in enumerate(zip(update.handles, update.counts, strict=True)):
                self.values[handle] = tuple(update.lanes[first : first + count])
                self.velocities[handle] = tuple(update.velocities[first : first + count])
                if update.imposes:
                    self.imposes[handle] = update.imposes[index]
                if update.remaining:
                    self.remaining[handle] = update.remaining[index]
                first += count
            self.events += self.session.take_events()

    def ends(self) -> list[tuple[str, int]]:
        """The plans that ended, with how."""
        return [
            (kind, getattr(event, kind).identity.sequence)
            for event in self.events
            if (kind := event.WhichOneof("event")) in ("finished", "failed")
        ]


def ramp(plan: motiond.Plan, frame: motiond.Frame, *, property: motiond.Writes = motiond.Writes("x"), speed: float = 1) -> float:
    """Moves evenly."""
    return plan.start().value[0] + speed * plan.elapsed


# -------------------------------------------------------------------------------------------------------------- Velocities


def test_even_motion_has_its_exact_velocity_from_the_first_frame() -> None:
    motiond.executor("Ramp", kind="standing")(ramp)
    world = World()
    world.add(1, "Ramp", speed=7.0)
    for _ in range(5):
        world.run()
        assert world.values[1][0] == pytest.approx(7 * world.frame * DT)
        assert world.velocities[1][0] == pytest.approx(7)


def test_skipped_frames_change_nothing() -> None:
    motiond.executor("Ramp", kind="standing")(ramp)
    world = World()
    world.add(1, "Ramp", speed=7.0)
    for skipped in (0, 3, 10, 1):
        world.frame += skipped
        world.run()
        assert world.values[1][0] == pytest.approx(7 * world.frame * DT)
        assert world.velocities[1][0] == pytest.approx(7)


def test_a_generator_on_a_moving_property_begins_without_a_jump() -> None:
    @motiond.executor("Stand", kind="standing")
    def stand(  # pyright: ignore[reportUnusedFunction]
        plan: motiond.Plan, frame: motiond.Frame, *, property: motiond.Writes = motiond.Writes("x")
    ) -> Generator[float, motiond.Frame]:
        "Stands at 10."
        while True:
            yield 10.0

    world = World()
    world.add(1, "Stand", value=(0.0,), velocity=(60.0,))
    track: list[tuple[float, float]] = []
    for _ in range(40):
        world.run()
        track.append((world.values[1][0], world.velocities[1][0]))
    assert track[0] == pytest.approx((60 * DT, 60))
    assert largest_jump(track) < 0.6
    assert track[-1] == (10.0, 0.0)


def largest_jump(track: list[tuple[float, float]]) -> float:
    """The largest difference between a step and what the velocities account for."""
    return max(abs(b[0] - a[0] - (a[1] + b[1]) / 2 * DT) for a, b in zip(track, track[1:], strict=False))


# ----------------------------------------------------------------------------------------------------- Who moves what


def test_the_latest_plan_moves_a_property_and_an_earlier_one_continues() -> None:
    motiond.executor("Ramp", kind="standing")(ramp)
    world = World()
    world.add(1, "Ramp", speed=10.0)
    world.run(60)
    world.add(2, "Ramp", on=1, value=world.values[1], velocity=world.velocities[1], speed=-100.0)
    world.run(60)
    assert world.velocities[1][0] == pytest.approx(-100)
    before = (world.values[1][0], world.velocities[1][0])
    world.remove(2, on=1)
    track = [before]
    for _ in range(60):
        world.run()
        track.append((world.values[1][0], world.velocities[1][0]))
    assert largest_jump(track) < 0.6
    # It goes on as if it had never been interrupted.
    assert track[-1] == pytest.approx((10 * world.frame * DT, 10))


def test_a_later_plan_displaces_a_one_shot() -> None:
    @motiond.executor("Go", kind="one-shot", executor="Mover")
    def go(  # pyright: ignore[reportUnusedFunction]
        plan: motiond.Plan, frame: motiond.Frame, *, property: motiond.Writes = motiond.Writes("x"), to: float = 1
    ) -> motiond.Motion:
        "Goes in a second."
        return motiond.Motion(to * min(1, plan.elapsed), remaining=max(0, 1 - plan.elapsed))

    world = World()
    world.add(1, "Go", executor="Mover", to=5.0)
    world.run(10)
    world.add(2, "Go", on=1, executor="Mover", value=world.values[1], to=3.0)
    world.run(130)
    outcomes = [event.finished.outcome for event in world.events if event.WhichOneof("event") == "finished"]
    assert world.ends() == [("finished", 1), ("finished", 2)]
    assert outcomes == [pb.OUTCOME_DISPLACED, pb.OUTCOME_COMPLETED]


def test_displaced_and_resumed_plans_wait_and_continue() -> None:
    calls: list[str] = []

    @motiond.executor("Ramp", kind="standing")
    class Ramp(motiond.Executor):  # pyright: ignore[reportUnusedClass]
        "Moves evenly."
        property: motiond.Writes = motiond.Writes("x")
        speed: float = 1

        def start(self) -> None:
            calls.append("start")

        def update(self, frame: motiond.Frame) -> float:
            return self.speed * self.plan.elapsed

        def displaced(self, property: str) -> None:
            calls.append(f"displaced {property}")

        def resumed(self, property: str, state: motiond.State, time: float) -> None:
            calls.append(f"resumed {property} {state.value[0]:.0f}")

        def stop(self) -> None:
            calls.append("stop")

    world = World()
    world.add(1, "Ramp", speed=2.0)
    world.run(3)
    world.apply(displaced=pb.Displaced(executor=1, property="x"))
    world.run(3)
    assert world.values == {}
    state = pb.PropertyState(value=[50.0], velocity=[-20.0])
    world.apply(resumed=pb.Resumed(executor=1, property="x", state=state, time=world.frame * DT))
    track = [(50.0, -20.0)]
    for _ in range(40):
        world.run()
        track.append((world.values[1][0], world.velocities[1][0]))
    assert largest_jump(track) < 0.6
    assert track[-1] == pytest.approx((2 * world.frame * DT, 2))
    world.remove(1)
    world.run()
    assert world.values == {}
    assert calls == ["start", "displaced x", "resumed x 50", "stop"]


def test_a_value_is_imposed_at_the_beginning_only() -> None:
    @motiond.executor("From", kind="standing")
    def from_five(  # pyright: ignore[reportUnusedFunction]
        plan: motiond.Plan, frame: motiond.Frame, *, property: motiond.Writes = motiond.Writes("x")
    ) -> motiond.Motion:
        "Begins at 5."
        return motiond.Motion(5 + plan.elapsed, velocity=1, remaining=9 - plan.elapsed, imposes="value")

    world = World()
    world.add(1, "From")
    world.run()
    assert world.imposes == {1: 1} and world.remaining[1] == pytest.approx(9 - DT)
    world.run(20)
    assert world.imposes == {}


def test_what_is_read_is_noticed() -> None:
    seen: list[float] = []

    @motiond.executor("Follow", kind="standing")
    class Follow(motiond.Executor):  # pyright: ignore[reportUnusedClass]
        "Is where another property is."
        property: motiond.Writes = motiond.Writes("x")
        other: motiond.Reads = motiond.Reads("y")

        def noticed(self, place: motiond.Reference, state: motiond.State | None) -> None:
            seen.append(state.value[0] if state else math.nan)

        def update(self, frame: motiond.Frame) -> motiond.Result:
            state = self.plan.state(self.other)
            return motiond.Motion(state.value[0] if state else 0.0, velocity=0, rests=True)

    world = World()
    world.add(1, "Follow")
    world.run(2)
    assert world.values == {} and not world.session.is_active
    for value in (3.0, 3.0, 4.0):
        reads = pb.ReadProperty(
            property=pb.PropertyReference(target="t1", property="y"),
            state=pb.PropertyState(value=[value], velocity=[0]),
        )
        world.apply(properties=pb.Properties(properties=[reads]))
        world.run()
    assert world.values == {1: (4.0,)}
    assert seen == [3.0, 4.0]


# ---------------------------------------------------------------------------------------------------------------- Errors


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ((1.0, 2.0), "TypeError: 2 lanes were returned for a property of 1"),
        ("five", "ValueError"),
        (math.nan, "is not finite"),
        (1e121, "above 1e"),
        (object(), "TypeError"),
        ({}, None),
        (np.float32(1), None),
        (np.array([1.0]), None),
        (True, None),
    ],
)
def test_results_that_motiond_would_refuse_fail_the_plan(result: Any, text: str | None) -> None:
    @motiond.executor("Odd", kind="standing")
    def odd(plan: motiond.Plan, frame: motiond.Frame, *, property: motiond.Writes = motiond.Writes("x")) -> Any:  # pyright: ignore[reportUnusedFunction]
        "Returns anything."
        return result

    world = World()
    world.add(1, "Odd")
    world.run(2)
    if text is None:
        assert world.ends() == []
    else:
        assert world.ends() == [("failed", 1)]
        (reason,) = [event.failed.reason for event in world.events if event.WhichOneof("event") == "failed"]
        assert text in reason


@pytest.mark.parametrize("method", ["start", "update", "displaced", "resumed", "stop"])
def test_a_method_that_raises_fails_its_plan_and_no_other(method: str) -> None:
    def raising(*arguments: Any) -> None:
        raise RuntimeError(f"no {method}")

    shape = type("Odd", (motiond.Executor,), {**WRITES_X, method: raising})
    shape.update = shape.__dict__.get("update", lambda self, frame: 1.0)
    motiond.executor("Odd", kind="standing", doc="Raises.")(shape)
    motiond.executor("Ramp", kind="standing")(ramp)
    world = World()
    for number, type_name in ((1, "Odd"), (2, "Ramp")):
        world.add(number, type_name)
    world.run()
    world.apply(displaced=pb.Displaced(executor=1, property="x"))
    state = pb.PropertyState(value=[0], velocity=[0])
    world.apply(resumed=pb.Resumed(executor=1, property="x", state=state))
    world.run()
    world.remove(1)
    world.run()
    # A plan that has ended cannot fail: its text goes to the log.
    assert world.ends() == ([] if method == "stop" else [("failed", 1)])
    assert any(f"no {method}" in text for text in world.said)
    assert set(world.values) == {2}


def test_unknown_handles_and_types_change_nothing() -> None:
    motiond.executor("Ramp", kind="standing")(ramp)
    world = World()
    world.add(1, "Unknown")
    world.add(2, "Unknown", executor="Ramp")
    world.remove(7)
    state = pb.PropertyState(value=[0], velocity=[0])
    world.apply(resumed=pb.Resumed(executor=9, property="x", state=state))
    world.apply(displaced=pb.Displaced(executor=2, property="unknown"))
    world.apply(remove_executor=pb.RemoveExecutor(executor=9))
    world.apply(input=pb.ExecutorInput(executor=9))
    world.run()
    assert world.ends() == [("failed", 1), ("failed", 2)]


def test_what_is_emitted_is_emitted_once() -> None:
    @motiond.executor("Parent", kind="standing")
    def parent(  # pyright: ignore[reportUnusedFunction]
        plan: motiond.Plan, frame: motiond.Frame, *, property: motiond.Writes = motiond.Writes("x")
    ) -> float:
        "Emits another plan."
        plan.emit("SpringTo", {"property": motiond.Names("y"), "destination": (1.0, 2.0)}, ordinal=3, name="child")
        return 0.0

    world = World()
    world.add(1, "Parent")
    world.run(3)
    (emitted,) = [event.emitted for event in world.events if event.WhichOneof("event") == "emitted"]
    assert (emitted.ordinal, emitted.name, emitted.intention.type) == (3, "child", "SpringTo")
    assert emitted.intention.fields[0].value.property == "y"


# --------------------------------------------------------------------------------------------------------------- Columns


def declare_rows(calls: list[int] | None = None) -> None:
    @motiond.columns("Rows", kind="standing")
    class Rows:  # pyright: ignore[reportUnusedClass]
        "Moves evenly, and counts its frames."
        property: motiond.Writes = motiond.field(motiond.Writes("x"), "What moves.")
        speed: motiond.Numbers = motiond.field(1.0, "How fast.")
        frames: motiond.Numbers = motiond.state(0.0)

        def update(self, t: NDArray[np.float64], out: motiond.Columns) -> None:
            if calls is not None:
                calls.append(len(t))
            self.frames += 1
            out.value = out.start + (self.speed * t)[:, None]


def test_rows_follow_their_plans_through_random_changes() -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    generator = random.Random(seed)
    declare_rows()
    world = World()
    live: dict[int, tuple[float, int, int]] = {}
    number = 0
    for _ in range(400):
        for _ in range(generator.randrange(3)):
            number += 1
            width = generator.randrange(1, 4)
            live[number] = (generator.uniform(-5, 5), world.frame, width)
            world.add(number, "Rows", value=(float(number),) * width, speed=live[number][0])
        if live and generator.random() < 0.6:
            gone = generator.choice(list(live))
            del live[gone]
            world.remove(gone) if generator.random() < 0.5 else world.apply(
                remove_executor=pb.RemoveExecutor(executor=gone)
            )
        world.run()
        assert set(world.values) == set(live)
        for row, (speed, began, width) in live.items():
            expected = row + speed * (world.frame - began) * DT
            assert world.values[row] == pytest.approx((expected,) * width, abs=1e-9)
            assert world.velocities[row] == pytest.approx((speed,) * width, abs=1e-6)
    assert world.ends() == []


def test_a_row_that_is_resumed_continues_without_a_jump() -> None:
    declare_rows()
    world = World()
    world.add(1, "Rows", speed=2.0)
    world.add(2, "Rows", speed=3.0)
    world.run(3)
    world.apply(displaced=pb.Displaced(executor=1, property="x"))
    world.run(3)
    assert set(world.values) == {2}
    state = pb.PropertyState(value=[50.0], velocity=[-20.0])
    world.apply(resumed=pb.Resumed(executor=1, property="x", state=state, time=world.frame * DT))
    track = [(50.0, -20.0)]
    for _ in range(40):
        world.run()
        assert world.values[2][0] == pytest.approx(3 * world.frame * DT)
        track.append((world.values[1][0], world.velocities[1][0]))
    assert largest_jump(track) < 0.6
    assert track[-1] == pytest.approx((2 * world.frame * DT, 2))


def test_columns_are_called_once_per_frame_and_once_more_for_new_rows() -> None:
    calls: list[int] = []
    declare_rows(calls)
    world = World()
    for number in range(1, 11):
        world.add(number, "Rows")
    world.run(3)
    assert calls == [10, 10, 10, 10]


@pytest.mark.parametrize(
    "update",
    [
        lambda self, t, out: 1 / 0,
        lambda self, t, out: setattr(out, "value", np.zeros(7)),
        lambda self, t, out: setattr(out, "done", np.zeros(7, bool)),
        lambda self, t, out: setattr(out, "remaining", "soon"),
    ],
)
def test_columns_that_raise_fail_their_plans(update: Callable[..., None]) -> None:
    shape = type("Odd", (), {**WRITES_X, "update": update})
    motiond.columns("Odd", kind="standing", doc="Raises.")(shape)
    declare_rows()
    world = World()
    for number in (1, 2, 3):
        world.add(number, "Odd")
    world.add(4, "Rows")
    world.run(2)
    assert sorted(world.ends()) == [("failed", 1), ("failed", 2), ("failed", 3)]
    assert set(world.values) == {4}


def test_rows_that_rest_need_no_frames() -> None:
    @motiond.columns("Rest", kind="standing")
    class Rest:  # pyright: ignore[reportUnusedClass]
        "Rests after a while."
        property: motiond.Writes = motiond.field(motiond.Writes("x"), "What moves.")
        until: motiond.Numbers = motiond.field(1.0, "When it rests, in frames.")

        def update(self, t: NDArray[np.float64], out: motiond.Columns) -> None:
            out.value[:, 0] = np.minimum(t / DT, self.until)
            out.rests = t / DT >= self.until - 1e-6

    world = World()
    world.add(1, "Rest", until=3.0)
    world.add(2, "Rest", until=6.0)
    world.run(4)
    assert set(world.values) == {2} and world.session.is_active
    world.run(3)
    assert world.values == {} and not world.session.is_active
    activities = [(e.activity.executor, e.activity.active) for e in world.events if e.WhichOneof("event") == "activity"]
    assert activities == [(1, True), (2, True), (1, False), (2, False)]


# --------------------------------------------------------------------------------------------------------------- Encoding


def test_updates_are_encoded_as_protobuf_encodes_them() -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    generator = np.random.default_rng(seed)
    for _ in range(200):
        blocks: list[Block] = []
        wanted = pb.Update(frame=int(generator.integers(2**40)), commands_applied=int(generator.integers(2**20)))
        parts: dict[str, list[list[float]]] = {"imposes": [], "remaining": [], "carry": []}
        for _ in range(int(generator.integers(1, 4))):
            rows = int(generator.integers(1, 50))
            numbers = [generator.integers(0, 2 ** int(generator.integers(1, 32)), rows).astype(np.uint32) for _ in "ab"]
            counts = generator.integers(1, 5, rows).astype(np.uint32)
            lanes, velocities = generator.normal(size=int(counts.sum())), generator.normal(size=int(counts.sum()))
            imposes = generator.integers(0, 4, rows).astype(np.uint8) if generator.random() < 0.5 else None
            times = [generator.uniform(0, 9, rows) if generator.random() < 0.5 else None for _ in "ab"]
            blocks.append(Block(Shape(numbers[0], numbers[1], counts), lanes, velocities, imposes, times[0], times[1]))
            wanted.executors.extend(numbers[0].tolist())
            wanted.handles.extend(numbers[1].tolist())
            wanted.counts.extend(counts.tolist())
            wanted.lanes.extend(lanes.tolist())
            wanted.velocities.extend(velocities.tolist())
            parts["imposes"].append([0] * rows if imposes is None else imposes.tolist())
            parts["remaining"].append([-1.0] * rows if times[0] is None else times[0].tolist())
            parts["carry"].append([-1.0] * rows if times[1] is None else times[1].tolist())
        for name, column in parts.items():
            numbers_of_all = [number for part in column for number in part]
            if any(getattr(block, name) is not None for block in blocks):
                getattr(wanted, name).extend(int(n) for n in numbers_of_all) if name == "imposes" else getattr(
                    wanted, name
                ).extend(numbers_of_all)
        event = pb.Update.Event(number=4, activity=pb.Update.Activity(executor=3, active=True))
        wanted.events.append(event)
        body = UpdateBody(wanted.frame, wanted.commands_applied, (pb.Update(events=[event]).SerializeToString(),))
        data = encode(Outgoing(7, 3, 5, 0, 99, body), blocks, b"topic\0")
        assert data.startswith(b"topic\0")
        envelope = pb.Envelope.FromString(data[6:])
        assert envelope.update == wanted
        assert (envelope.protocol, envelope.epoch, envelope.incarnation, envelope.sequence) == (1, 7, 3, 5)


def test_numbers_of_every_length_are_packed() -> None:
    numbers = [0, 1, 127, 128, 16383, 16384, 2**21 - 1, 2**21, 2**28 - 1, 2**28, 2**32 - 1]
    packed = packed_varints(np.array(numbers, np.uint32))
    assert list(pb.Update.FromString(b"\x1a" + bytes([len(packed)]) + packed).executors) == numbers
    assert packed_varints(np.array([], np.uint32)) == b""
