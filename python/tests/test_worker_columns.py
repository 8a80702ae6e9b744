"""Column executors: one call per frame for all targets."""

from __future__ import annotations

import pytest
from stage import await_fact, needs_motiond, staged

from motiond._proto import motion_pb2 as pb

pytestmark = needs_motiond

COLUMNS = """
import numpy as np

@columns("Ramp", kind="standing")
class Ramp:
    "Moves evenly."
    property: Writes = field(Writes("level"), "What moves.")
    speed: Numbers = field(1.0, "How fast.")

    def update(self, t, out):
        out.value = out.start + (self.speed * t)[:, None]

@columns("Reach", kind="one-shot")
class Reach:
    "Goes to a value."
    property: Writes = field(Writes("level"), "What moves.")
    to: Values = field(1.0, "Where it ends.", lanes_of="property")
    duration: Durations = field(0.3, "How long it takes.")

    def update(self, t, out):
        share = np.clip(t / self.duration, 0, 1)[:, None]
        out.value = out.start + (self.to - out.start) * share
        out.velocity = np.where(share < 1, (self.to - out.start) / self.duration[:, None], 0)
        out.remaining = np.maximum(self.duration - t, 0)
        out.done = t >= self.duration

@columns("Wild", kind="standing")
class Wild:
    "Is not finite on some targets."
    property: Writes = field(Writes("level"), "What moves.")
    start: Numbers = field(0.0, "The number of which the root is taken.")

    def update(self, t, out):
        out.value = np.sqrt(self.start - 1.0)[:, None] + t[:, None]
"""


def test_rows_move_evenly_with_exact_velocities() -> None:
    with staged() as stage:
        stage.plugin("ramp", COLUMNS)
        client = stage.start().client()
        values = client.subscribe("m/")
        for index in range(20):
            client.add(f"lamp{index}", "Ramp", speed=float(index))
        # Frames that the worker answered late, on a loaded machine, do not count.
        def moved() -> bool:
            values.receive()
            tracks = [values.tracks.get(f"lamp{index}/level", []) for index in range(1, 20)]
            return all(sum(not point[3] for point in track[20:]) > 20 for track in tracks)

        await_fact("they move", moved)
        for index in range(1, 20):
            points = [point for point in values.tracks[f"lamp{index}/level"][20:] if not point[3]]
            assert points
            for time, _, velocity, _ in points[5:]:
                assert velocity[0] == pytest.approx(index, abs=1e-6), (index, time)


def test_a_plan_may_be_removed_and_the_others_go_on() -> None:
    with staged() as stage:
        stage.plugin("ramp", COLUMNS)
        client = stage.start().client()
        values = client.subscribe("m/")
        for index in range(5):
            client.add(f"lamp{index}", "Ramp", name="go", speed=1.0)
        await_fact("they move", lambda: len(values.receive().tracks.get("lamp4/level", [])) > 20)
        client.remove("lamp1", "go")
        await_fact("it is gone", lambda: len(client.plans()) == 4)
        values.receive()
        stopped, moving = len(values.tracks["lamp1/level"]), len(values.tracks["lamp4/level"])
        await_fact("the others move", lambda: len(values.receive().tracks["lamp4/level"]) > moving + 60)
        assert len(values.tracks["lamp1/level"]) < stopped + 40
        worker = client.worker("ramp")
        assert worker is not None and worker.restarts == 0


def test_one_shots_end_each_at_its_time() -> None:
    with staged() as stage:
        stage.plugin("ramp", COLUMNS)
        client = stage.start().client()
        values = client.subscribe("m/", "o/")
        for index in range(10):
            client.add(f"lamp{index}", "Reach", to=float(index))
        await_fact("all end", lambda: len(values.receive().ended) == 10)
        assert {ended.outcome for ended in values.ended} == {pb.OUTCOME_COMPLETED}
        for index in range(1, 10):
            await_fact("it rests", lambda: values.receive().tracks[f"lamp{index}/level"][-1][1] == (float(index),))
        status = client.query(pb.Query.SUBJECT_STATUS).status
        await_fact("motiond is idle", lambda: not client.query(pb.Query.SUBJECT_STATUS).status.active)
        assert status is not None


def test_a_row_that_is_not_finite_fails_alone() -> None:
    with staged() as stage:
        stage.plugin("ramp", COLUMNS)
        client = stage.start().client()
        values = client.subscribe("m/")
        client.add("good", "Wild", start=2.0)
        client.add("bad", "Wild", start=0.0)
        failed = await_fact(
            "it fails", lambda: [plan for plan in client.plans() if plan.state == pb.IntentionRow.STATE_FAILED]
        )
        assert [plan.target for plan in failed] == ["bad"]
        assert "not finite" in failed[0].reason
        await_fact("the other moves", lambda: len(values.receive().tracks.get("good/level", [])) > 20)
