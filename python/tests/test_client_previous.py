"""Former wheels of the package with the motiond of today: their clients and their executors."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from stage import needs_motiond, staged

WHEELS = sorted((Path(__file__).parent / "data/previous").glob("*.whl"))

ROWS = """
@columns("Rows", kind="standing")
class Rows:
    "Moves evenly."
    property: Writes = Writes("x")
    speed: Numbers = 1.0

    def update(self, t, out):
        out.value[:, 0] = out.start[:, 0] + self.speed * t
        out.velocity[:, 0] = self.speed

@motiond.executor("Ramp", kind="one-shot")
def ramp(plan, frame, *, property: Writes = Writes("y"), to: float = 1.0):
    "Reaches a value in a tenth of a second."
    while plan.elapsed < 0.1:
        yield to * plan.elapsed / 0.1
    yield to
"""

CLIENT = """
import asyncio, sys
sys.path.insert(0, sys.argv[1])
import motiond
from motiond import spring

assert motiond.__file__.startswith(sys.argv[1]), motiond.__file__

async def main():
    async with motiond.connect(sys.argv[2]) as m:
        receipt = await m.commit(spring("ball.position", (100, 50)))
        await receipt.settled()
        await (await m.commit(m.types.Ramp("ball", property="y", to=3.0))).settled()
        await m.commit(*[m.types.Rows(f"led{index}", property="x", speed=2.0) for index in range(20)])
        async for frame in m.watch("led*", "ball"):
            # Values that come late on a busy machine are blended for some frames.
            if "led19.x" in frame and frame["led19.x"].value[0] > 1 and abs(frame["led19.x"].velocity[0] - 2) < 1e-6:
                assert tuple(frame["ball.position"].value) == (100, 50)
                assert frame["ball.y"].value[0] == 3
                print("done")
                return

asyncio.run(asyncio.wait_for(main(), 60))
"""


@needs_motiond
@pytest.mark.parametrize("wheel", WHEELS, ids=lambda wheel: wheel.name)
def test_a_former_wheel_works_with_this_motiond(wheel: Path, tmp_path: Path) -> None:
    package = tmp_path / "package"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(package)
    program = tmp_path / "client.py"
    program.write_text(CLIENT)
    with staged(package=package) as stage:
        _ = stage.plugin("rows", ROWS)
        stage.start()
        command = [sys.executable, str(program), str(package), str(stage.folder / "run")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and done.stdout == "done\n", done.stdout + done.stderr + stage.text()


def test_there_is_a_former_wheel() -> None:
    assert WHEELS, "python/tests/data/previous holds the wheels before this one"
