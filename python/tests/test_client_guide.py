"""The guide and the examples run as they are written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from daemon import Daemon

PACKAGE = Path(__file__).resolve().parents[1]


def test_the_programs_of_the_guide_run(daemon: Daemon, tmp_path: Path) -> None:
    text = (PACKAGE.parent / "docs/python.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert len(blocks) >= 8
    program = tmp_path / "guide.py"
    _ = program.write_text("\n".join(blocks), "utf-8")
    done = subprocess.run(
        [sys.executable, program], cwd=tmp_path, env=_environment(daemon), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "1 Outcome.COMPLETED\n[0. 0.]\n" in done.stdout and "\nup\nlanes 0 " in done.stdout, done.stdout
    assert (tmp_path / "ball.svg").read_text().startswith("<svg")


def test_the_program_of_the_readme_runs(daemon: Daemon) -> None:
    text = (PACKAGE.parent / "README.md").read_text("utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    done = subprocess.run([sys.executable, "-c", block], env=_environment(daemon), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"\[[\d.e-]+ +[\d.e-]+\]\n", done.stdout), done.stdout


@pytest.mark.parametrize("example", [("follow_sensor.py", "2"), ("sequencer.py", "1")])
def test_the_examples_run(daemon: Daemon, example: tuple[str, str]) -> None:
    name, amount = example
    command = [sys.executable, PACKAGE / "examples" / name, daemon.runtime, amount]
    done = subprocess.run(command, env=_environment(daemon), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "head" in done.stdout or "pan" in done.stdout or "steps" in done.stdout


def _environment(daemon: Daemon) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(PACKAGE), "MOTIOND_RUNTIME_DIR": str(daemon.runtime)}
