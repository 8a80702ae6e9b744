"""Generates `motiond/plans.py` and `motiond/_types_builtin.json` from the descriptions of a running motiond.

    MOTION_BIN=… MOTION_PLUGINS=… python tools/generate_plans.py [--check]

It starts a motiond of its own. With `--check` it writes nothing, and fails if the files are stale.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from google.protobuf import json_format

import motiond
from motiond._types_source import source
from tests.daemon import Daemon

PACKAGE = Path(__file__).resolve().parents[1] / "motiond"


def generated() -> dict[Path, str]:
    """The files and their content."""
    with Daemon() as daemon, motiond.connect(daemon.runtime) as client:
        rows = sorted(client.descriptions(), key=lambda row: row.type)
    texts = [json_format.MessageToDict(row, preserving_proto_field_name=True) for row in rows]
    table = json.dumps(texts, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    return {PACKAGE / "_types_builtin.json": table, PACKAGE / "plans.py": source(rows)}


def main() -> int:
    """Writes the files, or compares them."""
    stale = 0
    for path, text in generated().items():
        if "--check" not in sys.argv:
            path.write_text(text, "utf-8")
        elif not path.exists() or path.read_text("utf-8") != text:
            print(f"{path.name} is stale: run tools/generate_plans.py", file=sys.stderr)
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
