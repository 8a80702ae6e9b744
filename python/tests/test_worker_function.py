"""Executors of functions and generators under a real motiond."""

from __future__ import annotations

import itertools
import math

import pytest
from stage import await_fact, needs_motiond, staged

from motiond._proto import motion_pb2 as pb

pytestmark = needs_motiond

BREATHE = """
import math

@motiond.executor("Breathe", kind="standing")
def breathe(plan, frame, *, property: Writes = Writes("level"), period: Seconds = 1.0):
    "Lets a property breathe."
    return 0.8 + 0.2 * math.cos(2 * math.pi * plan.elapsed / period)

@motiond.executor("Go", kind="one-shot")
def go(plan, frame, *, property: Writes = Writes("x"),
       to: float = 100.0, duration: Seconds = 0.5):
    "Goes evenly to a value."
    start, share = plan.start().value[0], min(1.0, plan.elapsed / duration)
    return Motion(start + (to - start) * share, remaining=max(0.0, duration - plan.elapsed))

@motiond.executor("Blink", kind="one-shot")
def blink(plan, frame, *, property: Writes = Writes("lamp"), times: int = 3):
    "Switches a property on and off."
    for count in range(times):
        yield 1.0
        frame = yield 0.0
"""


def test_function_moves_a_property_with_true_velocities() -> None:
    with staged() as stage:
        stage.plugin("breath", BREATHE)
        client = stage.start().client()
        values = client.subscribe("m/lamp", "o/lamp")
        client.add("lamp", "Breathe")

        def on_time() -> list[tuple[float, tuple[float, ...], tuple[float, ...], bool]]:
            track = values.receive().tracks.get("lamp/level", [])
            return [point for point in track if not point[3]]

        # A busy machine is late with some; the first are those in which it takes over.
        await_fact("200 frames in time", lambda: len(on_time()) > 200)
        assert [plan.intention.type for plan in client.plans()] == ["Breathe"]
        tail = on_time()[60:]
        for (t0, v0, _, _), (t1, v1, speed, _) in itertools.pairwise(tail):
            if t1 - t0 < 0.01:
                assert speed[0] == pytest.approx((v1[0] - v0[0]) / (t1 - t0), abs=1e-6)
        assert max(point[1][0] for point in tail) <= 1.0 + 1e-9
        assert max(abs(point[2][0]) for point in tail) > 0.2 * 2 * math.pi * 0.9


def test_one_shot_ends_at_its_value() -> None:
    with staged() as stage:
        stage.plugin("breath", BREATHE)
        client = stage.start().client()
        values = client.subscribe("m/lamp", "o/lamp")
        client.add("lamp", "Go")
        await_fact("the end", lambda: values.receive().ended)
        assert values.ended[0].outcome == pb.OUTCOME_COMPLETED
        await_fact("rest", lambda: values.receive().tracks["lamp/x"][-1][1] == (100.0,))


def test_generator_ends_a_one_shot() -> None:
    with staged() as stage:
        stage.plugin("breath", BREATHE)
        client = stage.start().client()
        values = client.subscribe("m/lamp", "o/lamp")
        client.add("lamp", "Blink")
        await_fact("the end", lambda: values.receive().ended)
        assert values.ended[0].outcome == pb.OUTCOME_COMPLETED
