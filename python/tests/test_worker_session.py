"""The executors of a worker without a process: commands and frames in, values and events out."""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Any, Literal

import numpy as np
import pytest
from worker_world import DT, WRITES_X, World, largest_jump, no_declarations, ramp

from motiond import executors
from motiond._proto import motion_pb2 as pb


@pytest.fixture(autouse=True)
def clean() -> Generator[None]:
    """Each test declares its own executors."""
    with no_declarations():
        yield


# ----------------------------------------------------------------------------------------------------------- Velocities


def test_even_motion_has_its_exact_velocity_from_the_first_frame() -> None:
    executors.executor("Ramp", kind="standing")(ramp)
    world = World()
    world.add(1, "Ramp", speed=7.0)
    for _ in range(5):
        world.run()
        assert world.values[1][0] == pytest.approx(7 * world.frame * DT)
        assert world.velocities[1][0] == pytest.approx(7)


def test_skipped_frames_change_nothing() -> None:
    executors.executor("Ramp", kind="standing")(ramp)
    world = World()
    world.add(1, "Ramp", speed=7.0)
    for skipped in (0, 3, 10, 1):
        world.frame += skipped
        world.run()
        assert world.values[1][0] == pytest.approx(7 * world.frame * DT)
        assert world.velocities[1][0] == pytest.approx(7)


def test_a_generator_on_a_moving_property_begins_without_a_jump() -> None:
    @executors.executor("Stand", kind="standing")
    def stand(  # pyright: ignore[reportUnusedFunction]
        plan: executors.Plan, frame: executors.Frame, *, property: executors.Writes = executors.Writes("x")
    ) -> Generator[float, executors.Frame]:
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


# ------------------------------------------------------------------------------------------------------- Who moves what


def test_the_latest_plan_moves_a_property_and_an_earlier_one_continues() -> None:
    executors.executor("Ramp", kind="standing")(ramp)
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


@pytest.mark.parametrize("form", ["generator", "class"])
@pytest.mark.parametrize("speed", [0.0, 40.0])
def test_a_plan_without_velocities_gets_its_property_back_without_a_jump(form: str, speed: float) -> None:
    def sway(  # pyright: ignore[reportUnusedFunction]
        plan: executors.Plan, frame: executors.Frame, *, property: executors.Writes = executors.Writes("x")
    ) -> Generator[float, executors.Frame]:
        "Sways."
        while True:
            yield 100 * math.sin(3 * plan.elapsed)

    def update(self: Any, frame: executors.Frame) -> float:
        return 100 * math.sin(3 * self.plan.elapsed)

    shape = type("Sway", (executors.Executor,), {**WRITES_X, "update": update})
    executors.executor("Sway", kind="standing", doc="Sways.")(sway if form == "generator" else shape)
    world = World()
    world.add(1, "Sway")
    world.run(60)
    world.apply(displaced=pb.Displaced(executor=1, property="x"))
    world.run(60)
    state = pb.PropertyState(value=[50.0], velocity=[speed])
    world.apply(resumed=pb.Resumed(executor=1, property="x", state=state, time=world.frame * DT))
    track = [(50.0, speed)]
    for _ in range(40):
        world.run()
        track.append((world.values[1][0], world.velocities[1][0]))
    assert largest_jump(track) < 6
    assert track[-1][0] == pytest.approx(100 * math.sin(3 * world.frame * DT))


def test_a_later_plan_displaces_a_one_shot() -> None:
    @executors.executor("Go", kind="one-shot", executor="Mover")
    def go(  # pyright: ignore[reportUnusedFunction]
        plan: executors.Plan,
        frame: executors.Frame,
        *,
        property: executors.Writes = executors.Writes("x"),
        to: float = 1,
    ) -> executors.Motion:
        "Goes in a second."
        return executors.Motion(to * min(1, plan.elapsed), remaining=max(0, 1 - plan.elapsed))

    world = World()
    world.add(1, "Go", executor="Mover", to=5.0)
    world.run(10)
    world.add(2, "Go", on=1, executor="Mover", value=world.values[1], to=3.0)
    world.run(130)
    outcomes = [event.finished.outcome for event in world.events if event.WhichOneof("event") == "finished"]
    assert world.ends() == [("finished", 1), ("finished", 2)]
    assert outcomes == [pb.OUTCOME_DISPLACED, pb.OUTCOME_COMPLETED]


def test_a_one_shot_that_repeats_forever_waits_under_a_later_plan_and_continues() -> None:
    @executors.executor("Swing", kind="one-shot")
    def swing(  # pyright: ignore[reportUnusedFunction]
        plan: executors.Plan,
        frame: executors.Frame,
        *,
        property: executors.Writes = executors.Writes("x"),
        from_: float = 0.0,
        repeat: float | Literal["forever"] = 1.0,
    ) -> executors.Motion:
        "Goes on and on."
        assert repeat == "forever"
        return executors.Motion(from_ + plan.elapsed, 1.0)

    world = World()
    forever = [pb.Field(name="repeat", value=pb.FieldValue(choice="forever"))]
    forever.append(pb.Field(name="from", value=pb.FieldValue(number=100)))
    state = pb.PropertyState(value=[0.0], velocity=[0.0])
    planned = pb.PlannedIntention(
        identity=pb.IntentionIdentity(sequence=1),
        intention=pb.Intention(type="Swing", fields=forever),
        starts=[pb.PlannedIntention.Start(property="x", handle=1, state=state)],
    )
    world.apply(add=pb.Add(executor=1, key=pb.ExecutorKey(target="t", type="Swing"), intention=planned))
    world.run(3)
    assert world.values[1] == pytest.approx((100 + 3 * DT,))
    world.apply(displaced=pb.Displaced(executor=1, property="x"))
    world.run(3)
    assert not world.values and world.ends() == []
    resumed = pb.Resumed(executor=1, property="x", state=state, time=world.frame * DT)
    world.apply(resumed=resumed)
    world.run(60)
    assert world.values[1] == pytest.approx((100 + 66 * DT,))


def test_displaced_and_resumed_plans_wait_and_continue() -> None:
    calls: list[str] = []

    @executors.executor("Ramp", kind="standing")
    class Ramp(executors.Executor):  # pyright: ignore[reportUnusedClass]
        "Moves evenly."

        property: executors.Writes = executors.Writes("x")
        speed: float = 1

        def start(self) -> None:
            calls.append("start")

        def update(self, frame: executors.Frame) -> float:
            return self.speed * self.plan.elapsed

        def displaced(self, property: str) -> None:
            calls.append(f"displaced {property}")

        def resumed(self, property: str, state: executors.State, time: float) -> None:
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
    @executors.executor("From", kind="standing")
    def from_five(  # pyright: ignore[reportUnusedFunction]
        plan: executors.Plan, frame: executors.Frame, *, property: executors.Writes = executors.Writes("x")
    ) -> executors.Motion:
        "Begins at 5."
        return executors.Motion(5 + plan.elapsed, velocity=1, remaining=9 - plan.elapsed, imposes="value")

    world = World()
    world.add(1, "From")
    world.run()
    assert world.imposes == {1: 1} and world.remaining[1] == pytest.approx(9 - DT)
    world.run(20)
    assert world.imposes == {}


def test_what_is_read_is_noticed() -> None:
    seen: list[float] = []

    @executors.executor("Follow", kind="standing")
    class Follow(executors.Executor):  # pyright: ignore[reportUnusedClass]
        "Is where another property is."

        property: executors.Writes = executors.Writes("x")
        other: executors.Reads = executors.Reads("y")

        def noticed(self, place: executors.Reference, state: executors.State | None) -> None:
            seen.append(state.value[0] if state else math.nan)

        def update(self, frame: executors.Frame) -> executors.Result:
            state = self.plan.state(self.other)
            return executors.Motion(state.value[0] if state else 0.0, velocity=0, rests=True)

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


# --------------------------------------------------------------------------------------------------------------- Errors


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ((1.0, 2.0), "TypeError: 2 lanes were returned for a property of 1"),
        ("12", "TypeError: '12' is no value"),
        (math.nan, "is not finite"),
        (1e121, "above 1e"),
        (object(), "TypeError"),
        ({}, None),
        ({"x": 1.0}, None),
        ({"x": 1.0, "y": 1.0}, "ValueError: Odd does not write 'y': return values for x"),
        ({"x": None}, "TypeError: None is no value: return a number, or 1 to 4 of them"),
        (np.float32(1), None),
        (np.array([1.0]), None),
        (True, None),
    ],
)
def test_results_that_motiond_would_refuse_fail_the_plan(result: Any, text: str | None) -> None:
    @executors.executor("Odd", kind="standing")
    def odd(plan: executors.Plan, frame: executors.Frame, *, property: executors.Writes = executors.Writes("x")) -> Any:  # pyright: ignore[reportUnusedFunction]
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

    def update(self: object, frame: executors.Frame) -> float:
        return 1.0

    shape = type("Odd", (executors.Executor,), {**WRITES_X, "update": update, method: raising})
    executors.executor("Odd", kind="standing", doc="Raises.")(shape)
    executors.executor("Ramp", kind="standing")(ramp)
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
    executors.executor("Ramp", kind="standing")(ramp)
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
    @executors.executor("Parent", kind="standing")
    def parent(  # pyright: ignore[reportUnusedFunction]
        plan: executors.Plan, frame: executors.Frame, *, property: executors.Writes = executors.Writes("x")
    ) -> float:
        "Emits another plan."
        plan.emit("SpringTo", {"property": executors.Names("y"), "destination": (1.0, 2.0)}, ordinal=3, name="child")
        return 0.0

    world = World()
    world.add(1, "Parent")
    world.run(3)
    (emitted,) = [event.emitted for event in world.events if event.WhichOneof("event") == "emitted"]
    assert (emitted.ordinal, emitted.name, emitted.intention.type) == (3, "child", "SpringTo")
    assert emitted.intention.fields[0].value.property == "y"
