"""What an executor raises fails its plan with the reason, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest
from worker_world import WRITES_X, World, no_declarations, ramp

from motiond import executors


@pytest.fixture(autouse=True)
def clean() -> Generator[None]:
    """Each test declares its own executors."""
    with no_declarations():
        executors.executor("Ramp", kind="standing")(ramp)
        yield


class Unshown(Exception):
    """An error without a text."""

    def __str__(self) -> str:
        raise RuntimeError


def failed(world: World) -> str:
    """Runs frames in which the plan 1 fails and the plan 2 goes on; returns the reason, as it is sent."""
    world.add(2, "Ramp")
    world.run(3)
    assert world.ends() == [("failed", 1)]
    assert set(world.values) == {2}
    (reason,) = [event.failed.reason for event in world.events if event.WhichOneof("event") == "failed"]
    return reason


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("no such picture: " + os.fsdecode(b"caf\xe9.png")), r"no such picture: caf\udce9.png (test_w"),
        (Unshown(), "Unshown: its message cannot be shown"),
        (SystemExit("the end"), "SystemExit: the end (test_worker_failures.py:"),
        (GeneratorExit(), "GeneratorExit: no message"),
    ],
)
@pytest.mark.parametrize("form", ["function", "generator", "start", "columns", "stop"])
def test_whatever_is_raised_fails_the_plan(form: str, error: BaseException, text: str) -> None:
    def raising(*arguments: Any) -> Any:
        raise error

    def function(
        plan: executors.Plan, frame: executors.Frame, *, property: executors.Writes = executors.Writes("x")
    ) -> float:
        raise error

    def generator(
        plan: executors.Plan, frame: executors.Frame, *, property: executors.Writes = executors.Writes("x")
    ) -> Generator[float, executors.Frame]:
        yield 0.0
        raise error

    def update(self: object, *arguments: Any) -> Any:
        return raising() if form == "columns" else 0.0

    world = World()
    if form in ("function", "generator"):
        executors.executor("Odd", kind="standing", doc="Raises.")(function if form == "function" else generator)
    elif form == "columns":
        executors.columns("Odd", kind="standing", doc="Raises.")(type("Odd", (), {**WRITES_X, "update": update}))
    else:
        shape = type("Odd", (executors.Executor,), {**WRITES_X, "update": update, form: raising})
        executors.executor("Odd", kind="standing", doc="Raises.")(shape)
    world = World()
    world.add(1, "Odd")
    if form == "stop":
        world.run()
        world.remove(1)
        assert any(text in said for said in world.said)
        return
    assert text in failed(world)


def test_an_interruption_of_the_program_ends_the_worker() -> None:
    @executors.executor("Odd", kind="standing", doc="Is interrupted.")
    def odd(  # pyright: ignore[reportUnusedFunction]
        plan: executors.Plan, frame: executors.Frame, *, property: executors.Writes = executors.Writes("x")
    ) -> float:
        raise KeyboardInterrupt

    world = World()
    world.add(1, "Odd")
    with pytest.raises(KeyboardInterrupt):
        world.run()


@pytest.mark.parametrize(
    ("motion", "text"),
    [
        ({"remaining": "x"}, "TypeError: Motion(remaining='x'): give seconds as a number, or None if they are unknown"),
        ({"carry": [1]}, "TypeError: Motion(carry=[1]): give seconds as a number, or None"),
        ({"remaining": 10**400}, "TypeError: Motion(remaining=1000"),
        ({"imposes": "all"}, "ValueError: Motion(imposes='all'): use"),
        ({"velocity": "3"}, "TypeError: '3' is no value"),
    ],
)
def test_a_motion_that_cannot_be_sent_fails_the_plan(motion: dict[str, Any], text: str) -> None:
    @executors.executor("Odd", kind="standing", doc="Returns anything.")
    def odd(  # pyright: ignore[reportUnusedFunction]
        plan: executors.Plan, frame: executors.Frame, *, property: executors.Writes = executors.Writes("x")
    ) -> executors.Motion:
        return executors.Motion(1.0, **motion)

    world = World()
    world.add(1, "Odd")
    assert text in failed(world)


def test_times_of_a_motion_that_are_not_finite_are_unknown() -> None:
    @executors.executor("Odd", kind="one-shot", doc="Never ends.")
    def odd(  # pyright: ignore[reportUnusedFunction]
        plan: executors.Plan, frame: executors.Frame, *, property: executors.Writes = executors.Writes("x")
    ) -> executors.Motion:
        carry: Any = np.float32("nan")
        return executors.Motion(1.0, 0.0, remaining=float("inf"), carry=carry)

    world = World()
    world.add(1, "Odd")
    world.run(2)
    assert world.ends() == [] and world.values == {1: (1.0,)} and world.remaining == {}


def test_a_class_of_columns_that_cannot_be_made_fails_its_plan() -> None:
    def make(self: object) -> None:
        raise OSError("no device")

    def update(self: object, t: Any, out: executors.Columns) -> None:
        """Leaves all values."""

    shape = type("Odd", (), {**WRITES_X, "__init__": make, "update": update})
    executors.columns("Odd", kind="standing", doc="Has no device.")(shape)
    world = World()
    world.add(1, "Odd")
    assert "OSError: no device (test_worker_failures.py:" in failed(world)


def test_a_row_that_does_not_fit_fails_its_plan() -> None:
    @executors.columns("Odd", kind="standing", doc="Has a vector.")
    class Odd:  # pyright: ignore[reportUnusedClass]
        property: executors.Writes = executors.field(executors.Writes("x"), "What moves.")
        to: executors.Values = executors.field((1.0, 2.0), "Where it is.")

        def update(self, t: Any, out: executors.Columns) -> None:
            out.value = self.to

    world = World()
    world.add(1, "Odd")
    world.add(3, "Odd", value=(0.0, 0.0))
    world.run(2)
    assert world.ends() == [("failed", 1)] and world.values == {3: (1.0, 2.0)}
