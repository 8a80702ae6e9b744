"""Results that are none fail their plan, instead of leaving a property where it is without a word."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from stage import await_fact, needs_motiond, staged
from worker_world import WRITES_X, World, no_declarations

from motiond import executors
from motiond.__main__ import main
from motiond.executors import Frame, Plan, Reads, Writes


@pytest.fixture(autouse=True)
def clean() -> Generator[None]:
    """Each test declares its own executors."""
    with no_declarations():
        yield


def ran(frames: int = 3) -> tuple[World, str]:
    """A world with a plan of the type Odd after some frames, and why the plan failed."""
    world = World()
    world.add(1, "Odd")
    world.run(frames)
    reasons = [event.failed.reason for event in world.events if event.WhichOneof("event") == "failed"]
    return world, " ".join(reasons)


@pytest.mark.parametrize("form", ["function", "generator"])
def test_no_value_fails_the_plan(form: str) -> None:
    def function(plan: Plan, frame: Frame, *, property: Writes = Writes("x")) -> None:
        """Lacks a return."""

    def generator(plan: Plan, frame: Frame, *, property: Writes = Writes("x")) -> Generator[None, Frame]:
        while True:
            yield

    executors.executor("Odd", kind="standing", doc="Moves nothing.")(function if form == "function" else generator)
    assert "Odd has no value for x: return or yield one in each frame" in ran()[1]


def waits(plan: Plan, frame: Frame, *, property: Writes = Writes("x"), other: Reads = Reads("y")) -> float | None:
    place = plan.state(str(other))
    return None if place is None else place.value[0]


def rests(plan: Plan, frame: Frame, *, property: Writes = Writes("x")) -> float | None:
    return plan.elapsed if plan.elapsed < 0.02 else None


def finishes(plan: Plan, frame: Frame, *, property: Writes = Writes("x")) -> None:
    plan.finish()


def ends(plan: Plan, frame: Frame, *, property: Writes = Writes("x")) -> Generator[float, Frame]:
    yield from ()


def emits(plan: Plan, frame: Frame, *, property: Writes = Writes("x")) -> None:
    plan.emit("SpringTo", {"property": "y", "destination": 1.0}, ordinal=1)


@pytest.mark.parametrize("function", [waits, rests, finishes, ends, emits])
def test_a_plan_that_waits_or_rests_or_ends_may_have_no_value(function: Callable[..., Any]) -> None:
    executors.executor("Odd", kind="standing", doc="Needs no value.")(function)
    assert ran(6)[1] == ""


def test_a_plan_that_rests_does_so_in_a_worker_that_takes_over(clean: None) -> None:
    executors.executor("Odd", kind="standing", doc="Rests after a while.")(rests)
    world = World()
    world.add(1, "Odd")
    world.frame = 60
    world.run(3)
    assert world.ends() == []


@pytest.mark.parametrize("result", [np.zeros(1), 0.5, [1.0]])
def test_a_result_of_columns_has_no_effect_and_fails_the_plans(result: Any) -> None:
    def update(self: object, t: Any, out: executors.Columns) -> Any:
        return result

    executors.columns("Odd", kind="standing", doc="Returns values.")(type("Odd", (), {**WRITES_X, "update": update}))
    assert "set out.value, and return nothing" in ran()[1]


def test_a_field_that_the_program_lacks_fails_the_plan() -> None:
    executors.executor("Odd", kind="standing", doc="Has no rate.")(rests)
    world = World()
    world.add(1, "Odd", rate=2.0)
    world.run()
    (reason,) = [event.failed.reason for event in world.events if event.WhichOneof("event") == "failed"]
    assert "the program has no field 'rate' of Odd: plugin.json is stale" in reason and "--write" in reason


PROGRAM = '''"""Moves."""
import motiond
import numpy as np
from motiond.executors import Columns, Writes, columns, field

@motiond.executor("Turn", kind="standing")
def turn(plan, frame, *, property: Writes = Writes("angle"), speed: float = 1.0) -> float:
    """Turns."""
    return speed * plan.elapsed

@columns("Odd", kind="standing")
class Odd:
    """Is complex."""
    property: Writes = field(Writes("angle"), "What moves.")

    def update(self, t, out: Columns) -> None:
        out.value[:, 0] = np.exp(1j * t)

if __name__ == "__main__":
    motiond.run()
'''


@needs_motiond
def test_a_stale_manifest_is_logged_and_fails_what_names_its_fields(tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    _ = source.write_text(PROGRAM)
    with staged() as stage:
        assert main(["new", "turner", "--from", str(source), "--in", str(stage.plugins), "--untrusted"]) == 0
        program = stage.plugins / "turner" / "turner.py"
        _ = program.write_text(program.read_text().replace("speed", "rate"))
        client = stage.start().client()
        client.add("lamp", "Turn", speed=2.0)
        await_fact("the plan has failed", lambda: "has no field 'speed' of Turn" in stage.text())
        assert "turner/plugin.json is stale: intentions[0].fields[1].name differs from turner.py; write it:" in stage.text()
        client.add("dial", "Odd")
        await_fact("the plan has failed", lambda: "ComplexWarning" in stage.text())


@pytest.mark.parametrize("result", [np.array([[1.0, 2.0]]), np.array([1, None]), (1j, 2), {1.0}, 1j, object()])
def test_what_is_no_value_is_named_with_the_remedy(result: Any) -> None:
    def function(plan: Plan, frame: Frame, *, property: Writes = Writes("x")) -> Any:
        return result

    executors.executor("Odd", kind="standing", doc="Returns anything.")(function)
    assert "is no value: return a number, or 1 to 4 of them (test_worker_results.py:" in ran()[1]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda self, out: setattr(self, "n", np.zeros(3)), "ValueError: self.n: could not broadcast"),
        (lambda self, out: setattr(out, "rests", np.zeros(3, bool)), "ValueError: out.done or out.rests: "),
    ],
)
def test_a_column_of_a_wrong_length_is_named(change: Callable[[Any, executors.Columns], None], text: str) -> None:
    def update(self: object, t: Any, out: executors.Columns) -> None:
        change(self, out)

    body = {**WRITES_X, "update": update, "n": executors.state()}
    body["__annotations__"] = {**WRITES_X["__annotations__"], "n": executors.Numbers}
    executors.columns("Odd", kind="standing", doc="Is of a wrong shape.")(type("Odd", (), body))
    world = World()
    world.add(1, "Odd")
    world.add(2, "Odd")
    world.run(3)
    reasons = [event.failed.reason for event in world.events if event.WhichOneof("event") == "failed"]
    assert len(reasons) == 2 and all(text in reason for reason in reasons), reasons
    assert all("(test_worker_results.py:" in reason for reason in reasons), reasons


@needs_motiond
def test_a_kill_with_a_plugin_of_python_loses_no_motion(tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    _ = source.write_text(PROGRAM)
    with staged() as stage:
        assert main(["new", "turner", "--from", str(source), "--in", str(stage.plugins), "--untrusted"]) == 0
        assert '"libraries"' in (stage.plugins / "turner" / "plugin.json").read_text()
        client = stage.start().client()
        client.add("lamp", "Turn")
        await_fact("it moves", lambda: client.worker("turner"))
        for start in (1, 2, 3):
            stage.kill()
            stage.start()
            await_fact("it continues", lambda start=start: stage.text().count("continues from frame") == start)
        assert "of no use" not in stage.text()
