"""Column executors without a process: rows follow their plans."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator

import numpy as np
import pytest
from numpy.typing import NDArray
from worker_world import DT, WRITES_X, World, declare_rows, largest_jump, no_declarations

from motiond import executors
from motiond._proto import motion_pb2 as pb


@pytest.fixture(autouse=True)
def clean() -> Generator[None]:
    """Each test declares its own executors."""
    with no_declarations():
        yield


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


@pytest.mark.parametrize("replaces", [False, True])
def test_a_row_that_begins_does_not_advance_the_states_of_the_others(replaces: bool) -> None:
    @executors.columns("Count", kind="standing")
    class Count:  # pyright: ignore[reportUnusedClass]
        "Counts its frames."

        property: executors.Writes = executors.field(executors.Writes("x"), "What counts.")
        frames: executors.Numbers = executors.state(0.0)
        pairs: executors.Numbers = executors.state(0.0, width=2)

        def update(self, t: NDArray[np.float64], out: executors.Columns) -> None:
            if replaces:
                self.frames = self.frames + 1
                self.pairs = self.pairs + (1, 2)
            else:
                self.frames += 1
                self.pairs += (1, 2)
            out.value[:, 0] = self.frames + self.pairs.sum(axis=1)

    world = World()
    for number in range(1, 6):
        world.add(number, "Count")
        world.run()
        assert world.values == {row: (4.0 * (number - row + 1),) for row in range(1, number + 1)}


def test_a_state_of_another_shape_fails_the_plans() -> None:
    @executors.columns("Count", kind="standing")
    class Count:  # pyright: ignore[reportUnusedClass]
        "Forgets its rows."

        property: executors.Writes = executors.field(executors.Writes("x"), "What counts.")
        frames: executors.Numbers = executors.state(0.0)

        def update(self, t: NDArray[np.float64], out: executors.Columns) -> None:
            self.frames = np.zeros(7)
            out.value[:, 0] = 1

    world = World()
    for number in (1, 2):
        world.add(number, "Count")
    world.run(2)
    assert sorted(world.ends()) == [("failed", 1), ("failed", 2)]


def no_number(out: executors.Columns) -> None:
    raise ZeroDivisionError


def no_rows(out: executors.Columns) -> None:
    out.value = np.zeros(7)


def no_flags(out: executors.Columns) -> None:
    out.done = np.zeros(7, np.bool_)


def no_times(out: executors.Columns) -> None:
    out.remaining = "soon"  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize("fill", [no_number, no_rows, no_flags, no_times])
def test_columns_that_raise_fail_their_plans(fill: Callable[[executors.Columns], None]) -> None:
    def update(self: object, t: NDArray[np.float64], out: executors.Columns) -> None:
        fill(out)

    shape = type("Odd", (), {**WRITES_X, "update": update})
    executors.columns("Odd", kind="standing", doc="Raises.")(shape)
    declare_rows()
    world = World()
    for number in (1, 2, 3):
        world.add(number, "Odd")
    world.add(4, "Rows")
    world.run(2)
    assert sorted(world.ends()) == [("failed", 1), ("failed", 2), ("failed", 3)]
    assert set(world.values) == {4}


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("value", "the value [nan] is not finite, or above 1e+120: change out.value"),
        ("velocity", "the velocity [inf] is not finite, or above 1e+140: change out.velocity"),
    ],
)
def test_a_row_that_is_not_finite_names_its_value_or_its_velocity(part: str, text: str) -> None:
    def update(self: object, t: NDArray[np.float64], out: executors.Columns) -> None:
        out.value[:, 0] = np.nan if part == "value" else 3.0
        out.velocity[:] = 0 if part == "value" else np.inf

    executors.columns("Odd", kind="standing", doc="Is not finite.")(type("Odd", (), {**WRITES_X, "update": update}))
    world = World()
    world.add(1, "Odd")
    world.run(2)
    (reason,) = [event.failed.reason for event in world.events if event.WhichOneof("event") == "failed"]
    assert text in reason


def test_rows_that_rest_need_no_frames() -> None:
    @executors.columns("Rest", kind="standing")
    class Rest:  # pyright: ignore[reportUnusedClass]
        "Rests after a while."

        property: executors.Writes = executors.field(executors.Writes("x"), "What moves.")
        until: executors.Numbers = executors.field(1.0, "When it rests, in frames.")

        def update(self, t: NDArray[np.float64], out: executors.Columns) -> None:
            out.value[:, 0] = np.minimum(t / DT, self.until)
            out.rests = np.greater_equal(t / DT, self.until - 1e-6)

    world = World()
    world.add(1, "Rest", until=3.0)
    world.add(2, "Rest", until=6.0)
    world.run(4)
    assert set(world.values) == {2} and world.session.is_active
    world.run(3)
    assert world.values == {} and not world.session.is_active
    activities = [(e.activity.executor, e.activity.active) for e in world.events if e.WhichOneof("event") == "activity"]
    assert activities == [(1, True), (2, True), (1, False), (2, False)]
