"""The examples of executors, installed as their first lines say, under a real motiond."""

from __future__ import annotations

import itertools
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from stage import BIN, PACKAGE, Stage, await_fact, needs_motiond, staged

from motiond.__main__ import main

EXAMPLES = PACKAGE / "examples"


def installed(stage: Stage, name: str) -> Path:
    """Installs an example."""
    assert main(["new", name, "--from", str(EXAMPLES / f"{name}.py"), "--in", str(stage.plugins), "--untrusted"]) == 0
    return stage.plugins / name


def motionctl(stage: Stage, *words: str) -> str:
    """What motionctl prints."""
    command = [f"{BIN}/motionctl", *words, "--runtime-dir", f"{stage.folder}/run"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@needs_motiond
def test_noise_drifts_between_its_bounds_with_true_velocities() -> None:
    with staged() as stage:
        installed(stage, "noise")
        client = stage.start().client()
        motionctl(stage, "add", "Noise", "--to", "lamp", "property=level", "low=2", "high=3", "scale=200ms", "seed=7")
        values = client.subscribe("m/lamp")

        def on_time() -> list[Any]:
            """The states since it has taken over, without those of frames that it answered late."""
            return [point for point in values.receive().tracks.get("lamp/level", [])[60:] if not point[3]]

        await_fact("it drifts", lambda: len(on_time()) > 150)
        points = on_time()
        assert all(2 <= point[1][0] <= 3 for point in points)
        assert max(point[1][0] for point in points) - min(point[1][0] for point in points) > 0.2
        for (t0, v0, s0, _), (t1, v1, s1, _) in itertools.pairwise(points):
            if 0 < t1 - t0 < 0.02:
                # The velocity between two frames is about the mean of theirs.
                assert (v1[0] - v0[0]) / (t1 - t0) == pytest.approx((s0[0] + s1[0]) / 2, abs=0.1)


@needs_motiond
def test_the_executor_of_the_guide_is_found_by_a_running_motiond_and_moves_a_lamp(tmp_path: Path) -> None:
    text = (PACKAGE.parent / "docs/python.md").read_text("utf-8")
    code = re.search(r"^```python executor\n(.*?)^```", text, re.M | re.S)
    assert code is not None
    program = tmp_path / "breathe.py"
    program.write_text(code.group(1), "utf-8")
    with staged() as stage:
        client = stage.start().client()
        assert main(["new", "breathe", "--from", str(program), "--in", str(stage.plugins), "--untrusted"]) == 0
        assert stage.process is not None
        stage.process.send_signal(signal.SIGHUP)
        await_fact("its type is known", lambda: "Breathe" in motionctl(stage, "list", "types"))
        motionctl(stage, "add", "Breathe", "--to", "lamp", "period=500ms")
        values = client.subscribe("m/lamp")
        await_fact("it breathes", lambda: len(values.receive().tracks.get("lamp/opacity", [])) > 100)
        points = [point[1][0] for point in values.tracks["lamp/opacity"][30:]]
        assert min(points) < 0.65 and max(points) > 0.95 and all(0.55 < point < 1.05 for point in points)


@needs_motiond
def test_a_thousand_leds_run_through_the_rainbow() -> None:
    # A debug build of motiond takes 0.15 s for a frame of them; a frame that is answered late has no velocity.
    with staged(rate=4) as stage:
        installed(stage, "leds")
        client = stage.start().client()
        motionctl(stage, "add", "Rainbow", "--to", "led{1..1000}", "phase=0..10", "--timeout", "30s")
        values = client.subscribe("m/led1", "m/led1000")

        def on_time() -> list[tuple[Any, Any]]:
            """The states of the first and the last in the same frames, of those that were answered in time."""
            tracks = values.receive().tracks
            first = {point[0]: point for point in tracks.get("led1/color", [])}
            return [
                (first[point[0]], point)
                for point in tracks.get("led1000/color", [])
                if not point[3] and point[0] in first
            ]

        await_fact("they run", lambda: len(on_time()) > 10, 60)
        first, last = on_time()[-1]
        assert len(first[1]) == 4 and first[1][3] == 1
        # Ten turns apart: the same colors, and the same velocities.
        assert first[1] == pytest.approx(last[1], abs=0.1)
        assert any(abs(velocity) > 0.1 for velocity in last[2])
        assert first[2] == pytest.approx(last[2], abs=0.2)


@pytest.mark.parametrize("name", ["leds", "noise"])
def test_examples_are_programs_that_say_how_they_are_used(name: str) -> None:
    found = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py")],
        env={"PYTHONPATH": str(PACKAGE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 2
    assert "MOTION_INSTANCE is not set" in found.stderr
