"""What a worker in Python survives, and what it reports, under a real motiond."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess

import pytest
from stage import BIN, Client, Stage, await_fact, needs_motiond, staged

from motiond._proto import motion_pb2 as pb

pytestmark = needs_motiond

CODE = """
import math, time

@motiond.executor("Glide", kind="one-shot")
def glide(plan, frame, *, property: Writes = Writes("x"),
          to: float = 100.0, duration: Seconds = 1.0):
    "Goes to a value, and is at rest at both ends."
    start = plan.start().value[0]
    share = min(1.0, plan.elapsed / duration)
    return Motion(
        start + (to - start) * (1 - math.cos(math.pi * share)) / 2,
        velocity=(to - start) * math.pi / 2 / duration * math.sin(math.pi * share),
        remaining=max(0.0, duration - plan.elapsed))

@motiond.executor("Fault", kind="standing")
def fault(plan, frame, *, property: Writes = Writes("x"), sleeps: float = 0.0):
    "Raises, or hangs."
    if plan.elapsed > 0.05:
        if sleeps:
            time.sleep(sleeps)
        return 1 / 0
    return plan.elapsed

@motiond.executor("Sway", kind="standing")
def sway(plan, frame, *, property: Writes = Writes("x"), period: Seconds = 2.0):
    "Sways around 0."
    return 50 * math.sin(2 * math.pi * plan.elapsed / period)

@motiond.executor("Drag", kind="manipulation")
class Drag(motiond.Executor):
    "Lets a finger drag the target."
    property: Writes = field(Writes("x"), "What is dragged.")

    def start(self):
        self.value = None

    def pointer(self, event):
        if event.phase == "down":
            self.plan.hold(token="drag")
            self.origin, self.place, self.value = event.x, self.plan.state().value[0], None
        if event.phase in ("down", "move"):
            self.value = self.place + event.x - self.origin
        if event.phase in ("up", "cancel"):
            self.plan.release("drag")
            self.value = None

    def update(self, frame):
        return self.value
"""


def started(stage: Stage) -> Client:
    stage.plugin("glide", CODE)
    return stage.start().client()


def process(client: Client, plugin: str = "glide") -> int:
    """The process of the plugin's worker, once it serves."""
    return await_fact("the worker serves", lambda: client.worker(plugin)).process_id


def another(client: Client, first: int) -> pb.WorkerRow:
    """The worker that serves in place of the first."""

    def look() -> pb.WorkerRow | None:
        worker = client.worker("glide")
        return worker if worker is not None and worker.process_id != first else None

    return await_fact("another worker serves", look)


Track = list[tuple[float, tuple[float, ...], tuple[float, ...], bool]]


def largest_step(track: Track) -> float:
    """The largest distance between two consecutive frames, less what the velocities account for."""
    worst = 0.0
    for (t0, v0, s0, _), (t1, v1, s1, _) in itertools.pairwise(track):
        if 0 < t1 - t0 < 0.03:
            worst = max(worst, abs(v1[0] - v0[0] - (s0[0] + s1[0]) / 2 * (t1 - t0)))
    return worst


def largest_jerk(track: Track) -> float:
    """The largest change of velocity between two consecutive frames, of 120 a second: others are left out as late."""
    pairs = [pair for pair in itertools.pairwise(track) if 0 < pair[1][0] - pair[0][0] < 1.5 / 120]
    return max((abs(b[2][0] - a[2][0]) for a, b in pairs), default=0.0)


def test_a_tween_interrupted_by_a_spring_and_back_is_one_trajectory() -> None:
    with staged() as stage:
        client = started(stage)
        client.add("ball", "Glide", to=10.0)
        process(client)
        values = client.subscribe("m/ball", "o/ball")
        await_fact("the worker has begun", lambda: values.receive().tracks.get("ball/x"))
        client.add("ball", "Glide", to=100.0)
        await_fact("in mid-course", lambda: values.receive().tracks["ball/x"][-1][1][0] > 40)
        client.add("ball", "SpringTo", property=_property("x"), destination=0.0, tension=60.0, friction=10.0)
        await_fact("the spring turns it", lambda: values.receive().tracks["ball/x"][-1][2][0] < -30)
        client.add("ball", "Glide", to=80.0)
        await_fact("the tween turns it", lambda: values.receive().tracks["ball/x"][-1][2][0] > 20)
        await_fact("it arrives", lambda: values.receive().tracks["ball/x"][-1][1][0] == pytest.approx(80, abs=1e-6))
        track = [point for point in values.tracks["ball/x"] if not point[3]]
        assert largest_step(track) < 0.6
        # A difference in velocity fades within 150 ms, by less than a quarter in a frame: nothing is lost at once.
        assert largest_jerk(track) < 0.3 * max(abs(point[2][0]) for point in track)
        assert max(point[1][0] for point in track) < 120


def test_a_standing_plan_is_given_its_property_back_without_a_jump() -> None:
    with staged() as stage:
        client = started(stage)
        client.add("ball", "Sway")
        process(client)
        values = client.subscribe("m/ball")
        await_fact("it sways", lambda: len(values.receive().tracks.get("ball/x", [])) > 60)
        client.add("ball", "SpringTo", name="pull", property=_property("x"), destination=200.0)
        await_fact("the spring pulls", lambda: values.receive().tracks["ball/x"][-1][1][0] > 150)
        client.remove("ball", "pull")
        count = len(values.tracks["ball/x"])
        await_fact("it sways again", lambda: len(values.receive().tracks["ball/x"]) > count + 120)
        track = [point for point in values.tracks["ball/x"][20:] if not point[3]]
        assert abs(track[-1][1][0]) <= 50.001
        assert largest_step(track) < 6


def test_death_in_mid_tween_costs_no_jump_and_the_tween_arrives() -> None:
    with staged() as stage:
        client = started(stage)
        client.add("ball", "Glide", to=0.0, duration=_seconds(0.1))
        process(client)
        values = client.subscribe("m/ball", "o/ball")
        client.add("ball", "Glide", to=100.0, duration=_seconds(3.0))
        await_fact("in mid-course", lambda: (values.receive().tracks.get("ball/x") or [(0, (0.0,))])[-1][1][0] > 30)
        os.kill(process(client), signal.SIGKILL)
        await_fact("it arrives", lambda: values.receive().tracks["ball/x"][-1][1] == (100.0,))
        worker = client.worker("glide")
        assert worker is not None and worker.restarts == 1
        assert largest_step(values.tracks["ball/x"]) < 3


def test_a_suspended_worker_is_replaced() -> None:
    with staged() as stage:
        client = started(stage)
        client.add("ball", "Sway")
        first = process(client)
        values = client.subscribe("m/ball")
        await_fact("it sways", lambda: len(values.receive().tracks.get("ball/x", [])) > 30)
        os.kill(first, signal.SIGSTOP)
        second = another(client, first)
        assert second.restarts == 1
        count = len(values.receive().tracks["ball/x"])
        await_fact("it sways again", lambda: len(values.receive().tracks["ball/x"]) > count + 60)
        assert largest_step(values.tracks["ball/x"]) < 6


def test_a_briefly_suspended_worker_continues() -> None:
    with staged() as stage:
        client = started(stage)
        client.add("ball", "Sway")
        first = process(client)
        values = client.subscribe("m/ball")
        await_fact("it sways", lambda: len(values.receive().tracks.get("ball/x", [])) > 30)
        os.kill(first, signal.SIGSTOP)
        await_fact("it is late", lambda: values.receive().tracks["ball/x"][-1][3])
        os.kill(first, signal.SIGCONT)
        await_fact("it is back", lambda: not values.receive().tracks["ball/x"][-1][3])
        assert process(client) == first


def test_a_killed_motiond_goes_on_with_another_worker() -> None:
    with staged() as stage:
        client = started(stage)
        client.add("ball", "Sway")
        first = process(client)
        stage.kill()
        await_fact("the worker has ended", lambda: not _exists(first))
        client = stage.start().client()
        assert client.epoch == 2
        assert process(client) != first
        values = client.subscribe("m/ball")
        await_fact("it sways again", lambda: len(values.receive().tracks.get("ball/x", [])) > 60)


def test_an_executor_that_raises_fails_its_plan_with_the_reason() -> None:
    with staged() as stage:
        client = started(stage)
        values = client.subscribe("m/", "o/")
        client.add("ball", "Sway")
        client.add("lamp", "Fault")
        failed = await_fact(
            "it fails", lambda: [plan for plan in client.plans() if plan.state == pb.IntentionRow.STATE_FAILED]
        )
        assert "ZeroDivisionError" in failed[0].reason and "in fault" in failed[0].reason
        await_fact(
            "its outcome", lambda: [plan for plan in values.receive().ended if plan.outcome == pb.OUTCOME_FAILED]
        )
        shown = subprocess.run(
            [f"{BIN}/motionctl", "list", "intentions", "--runtime-dir", f"{stage.folder}/run"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert "ZeroDivisionError" in shown
        assert "glide.py" in shown
        count = len(values.tracks["ball/x"])
        await_fact("the other goes on", lambda: len(values.receive().tracks["ball/x"]) > count + 60)
        worker = client.worker("glide")
        assert worker is not None and worker.restarts == 0
        assert "Traceback" in stage.text()


def test_an_executor_that_blocks_is_fenced() -> None:
    with staged() as stage:
        client = started(stage)
        client.add("lamp", "Fault", sleeps=1000.0)
        first = process(client)
        second = another(client, first)
        assert second.restarts >= 1
        await_fact("the first has ended", lambda: not _exists(first))


def test_a_property_with_other_lanes_fails_the_plan() -> None:
    with staged() as stage:
        client = started(stage)
        client.add("ball", "Sway", property=_property("position"))
        failed = await_fact("it fails", lambda: [plan for plan in client.plans() if plan.reason])
        assert "1 lanes were returned for a property of 2" in failed[0].reason


def test_a_shutdown_ends_the_worker_with_0() -> None:
    with staged() as stage:
        client = started(stage)
        client.add("ball", "Sway")
        first = process(client)
        assert stage.process is not None
        stage.process.terminate()
        assert stage.process.wait(20) == 0
        assert not _exists(first)
        assert "motiond shut it down" in stage.text()


def test_a_manipulation_holds_and_lets_go() -> None:
    with staged() as stage:
        client = started(stage)
        client.add("ball", "Drag")
        process(client)
        values = client.subscribe("m/ball")
        client.add("ball", "AnchoredSpring", property=_property("x"), destination=0.0)

        def touch(phase: pb.PointerEvent.Phase, x: float) -> None:
            event = pb.PointerEvent(id=1, phase=phase, x=x, y=0)
            client.ask(input=pb.Input(target="ball", device="finger", events=[event]))

        await_fact("the executor exists", lambda: client.query(pb.Query.SUBJECT_EXECUTORS).executors.rows)
        touch(pb.PointerEvent.PHASE_DOWN, 0)
        for x in range(0, 60, 10):
            touch(pb.PointerEvent.PHASE_MOVE, float(x))
        await_fact("it is held", lambda: client.query(pb.Query.SUBJECT_TOKENS).tokens.rows)
        await_fact("it follows", lambda: (values.receive().tracks.get("ball/x") or [(0, (0.0,))])[-1][1][0] == 50)
        touch(pb.PointerEvent.PHASE_UP, 50)
        await_fact("it is let go", lambda: not client.query(pb.Query.SUBJECT_TOKENS).tokens.rows)
        await_fact("the spring has it", lambda: abs(values.receive().tracks["ball/x"][-1][1][0]) < 1)


def _exists(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def _property(name: str) -> object:
    from motiond._worker_types import Names

    return Names(name)


def _seconds(number: float) -> object:
    import datetime

    return datetime.timedelta(seconds=number)
