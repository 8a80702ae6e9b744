"""The Python machine does what the Swift machine did in random schedules.

The Swift test ``LinkTraceTests`` writes the traces; set MOTION_LINK_TRACES to their folder here, too. The traces in the
repository are short: they show that the replay works, and that it finds what is wrong.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from link_trace import Disagreement, replay

FOLDER = os.environ.get("MOTION_LINK_TRACES", "")
SAMPLES = [Path(__file__).parent / "data" / f"{name}-sample.trace" for name in ("link", "lease")]


@pytest.mark.skipif(not FOLDER, reason="MOTION_LINK_TRACES names no folder of traces")
def test_traces_of_the_swift_machine_are_replayed() -> None:
    schedules = sum(replay(path) for path in sorted(Path(FOLDER).glob("*.trace")))
    print(f"{schedules} schedules agree")
    assert schedules > 0


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_sample_is_replayed(sample: Path) -> None:
    assert replay(sample) == 1


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_a_difference_is_found(sample: Path, tmp_path: Path) -> None:
    lines = sample.read_text().splitlines()
    file = tmp_path / "altered.trace"
    for index, line in enumerate(lines):
        if line.startswith("> "):
            altered: list[str] = []
        elif line.startswith("= "):
            altered = [line[:-1] + ("1" if line[-1] != "1" else "2")]
        else:
            continue
        file.write_text("\n".join([*lines[:index], *altered, *lines[index + 1 :]]) + "\n")
        with pytest.raises(Disagreement, match=rf"altered.trace:{index + 1}|altered.trace:{index + 2}"):
            replay(file)
