"""The Python machine does what the Swift machine did in random schedules.

The Swift test ``LinkTraceTests`` writes the traces; set MOTION_LINK_TRACES to their folder here, too. The trace in the
repository is short: it shows that the replay works, and finds what is wrong.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from link_trace import Disagreement, replay

FOLDER = os.environ.get("MOTION_LINK_TRACES", "")
SAMPLE = Path(__file__).parent / "data" / "link-sample.trace"


@pytest.mark.skipif(not FOLDER, reason="MOTION_LINK_TRACES names no folder of traces")
def test_traces_of_the_swift_machine_are_replayed() -> None:
    schedules = sum(replay(path) for path in sorted(Path(FOLDER).glob("*.trace")))
    print(f"{schedules} schedules agree")
    assert schedules > 0


def test_sample_is_replayed() -> None:
    assert replay(SAMPLE) == 1


def test_a_difference_is_found(tmp_path: Path) -> None:
    lines = SAMPLE.read_text().splitlines()
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
