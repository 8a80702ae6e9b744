"""Manifests that are made from code, and the commands that write plugins."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from stage import BIN, PACKAGE, needs_motiond

from motiond import executors, manifest
from motiond.__main__ import main
from motiond._worker_declarations import Declaration, of_function
from motiond._worker_fields import REQUIRED, spec
from motiond._worker_trust import weakness

EXAMPLES = PACKAGE / "examples"


def field_of(annotation: Any, default: Any = REQUIRED) -> dict[str, Any]:
    """The entry of a field with this annotation and default."""

    def function(plan: executors.Plan, frame: executors.Frame) -> None: ...

    del function
    declaration = Declaration("T", "output", "T", "", (spec("name", annotation, default),))
    return manifest.manifest([declaration], {"name": "x", "executable": "x"})["intentions"][0]["fields"][0]


@pytest.mark.parametrize(
    ("annotation", "default", "entry"),
    [
        (float, REQUIRED, {"accepts": ["number"], "required": True}),
        (float, 0.5, {"accepts": ["number"], "default": 0.5}),
        (float, 2.0, {"accepts": ["number"], "default": 2}),
        (int, 3, {"accepts": ["number"], "default": 3}),
        (bool, True, {"accepts": ["flag"], "default": True}),
        (str, "a", {"accepts": ["text"], "default": "a"}),
        (executors.Seconds, 0.3, {"accepts": ["duration"], "default": "300ms"}),
        (executors.Seconds, 1.5, {"accepts": ["duration"], "default": "1.5s"}),
        (executors.Seconds | None, None, {"accepts": ["duration"]}),
        (executors.Value, (1.0, 2.5), {"accepts": ["number", "vector"], "default": [1, 2.5]}),
        (Literal["up", "down"], "up", {"accepts": ["enum"], "default": "up", "choices": ["up", "down"]}),
        (list[float], REQUIRED, {"accepts": ["list"], "required": True, "elements": ["number"]}),
        (list[executors.Value], None, {"accepts": ["list"], "elements": ["number", "vector"]}),
        (executors.Writes, executors.Writes("x"), {"accepts": ["property"], "default": "x", "access": "writes"}),
        (executors.Reads, REQUIRED, {"accepts": ["property"], "required": True, "access": "reads"}),
        (executors.Names, REQUIRED, {"accepts": ["property"], "required": True, "access": "names"}),
        (executors.Reference, REQUIRED, {"accepts": ["reference"], "required": True}),
        (float | None, REQUIRED, {"accepts": ["number"]}),
        (float | Literal["forever"], 1.0, {"accepts": ["number", "enum"], "default": 1, "choices": ["forever"]}),
        (str | list[str], "a", {"accepts": ["text", "list"], "default": "a", "elements": ["text"]}),
        (executors.Numbers, 1.0, {"accepts": ["number"], "default": 1}),
        (executors.Values, 1.0, {"accepts": ["number", "vector"], "default": 1}),
    ],
)
def test_annotations_become_fields(annotation: Any, default: Any, entry: dict[str, Any]) -> None:
    assert field_of(annotation, default) == {"name": "name", **entry, "documentation": ""}


def test_what_is_annotated_becomes_documentation_and_bounds() -> None:
    annotation = Annotated[
        float, executors.Field("How far.", range=(0, None), above=True, unit="m", lanes_of="property")
    ]
    assert field_of(annotation) == {
        "name": "name",
        "accepts": ["number"],
        "required": True,
        "range": [0, None],
        "exclusiveMinimum": True,
        "unit": "m",
        "lanesOf": "property",
        "documentation": "How far.",
    }
    assert field_of(Annotated[executors.Seconds, "How long."], 1.0)["documentation"] == "How long."


@pytest.mark.parametrize("annotation", [dict[str, float], set[int], object, complex, list[object]])
def test_an_annotation_without_a_shape_is_refused(annotation: Any) -> None:
    with pytest.raises(executors.DeclarationError, match="stands for no shape"):
        spec("name", annotation, REQUIRED)


@pytest.fixture
def declared() -> Any:
    """The declarations of a test, which end with it."""
    before = list(executors.declared)
    executors.declared.clear()
    yield executors.declared
    executors.declared[:] = before


def test_declarations_that_motiond_would_refuse_are_refused(declared: list[Declaration]) -> None:
    def writes_nothing(plan: executors.Plan, frame: executors.Frame) -> float:
        return 0.0

    def function(plan: executors.Plan, frame: executors.Frame, *, property: executors.Writes) -> float:
        return 0.0

    def with_one(plan: executors.Plan) -> float:
        return 0.0

    attempts: list[tuple[Callable[[], Any], str]] = [
        (lambda: executors.executor("T", kind="standing")(writes_nothing), "writes no property"),
        (lambda: executors.executor("T", kind="output")(function), "output writes no property"),
        (lambda: executors.executor("1", kind="standing")(function), "cannot name a type"),
        (lambda: executors.executor("T", kind="forever")(function), "the kind is one of"),  # pyright: ignore[reportArgumentType]
        (lambda: executors.executor("T", kind="standing")(with_one), "takes .plan, frame"),
        (
            lambda: executors.executor("T", kind="standing", exclusive=[["property", "to"]])(function),
            "are not two fields",
        ),
    ]
    for attempt, text in attempts:
        with pytest.raises(executors.DeclarationError, match=text):
            attempt()
    with pytest.raises(executors.DeclarationError, match="values of one shape"):
        executors.columns("T", kind="standing")(Mixed)
    executors.executor("T", kind="standing")(function)
    with pytest.raises(executors.DeclarationError, match="declared twice"):
        executors.executor("T", kind="standing")(function)
    assert [declaration.type for declaration in declared] == ["T"]


class Mixed:
    property: executors.Writes
    repeat: float | Literal["forever"] = 1.0

    def update(self, t: Any, out: executors.Columns) -> None: ...


@dataclasses.dataclass
class Fields:
    property: executors.Writes
    speed: float = 2.0


def test_fields_may_come_from_a_dataclass() -> None:
    def function(plan: executors.Plan, frame: executors.Frame, fields: Fields) -> float:
        "Moves. And more.\n\n    A second paragraph."
        return fields.speed

    made = of_function(function, Declaration("Move", "standing", "Move", "")).checked()
    content = manifest.manifest([made], {"name": "move", "executable": "move.py"})
    assert [field["name"] for field in content["intentions"][0]["fields"]] == ["property", "speed"]
    assert content["intentions"][0]["documentation"] == "Moves. And more."


def test_settings_become_entries(tmp_path: Path) -> None:
    program = tmp_path / "moves.py"
    program.write_text(
        '"""Moves things.\n\nMore of it."""\nimport motiond\nfrom motiond.executors import plugin\n'
        'plugin(instances=2, on_lost="rest", limits={"memoryMiB": 512}, environment=["HOME"],\n'
        '  arguments=["-v"])\n'
        '@motiond.executor("Move", kind="standing", executor="Mover", writes=["x"], reads=["y"],\n'
        "  reaches_outside=True)\n"
        'def move(plan, frame, *, a: float = 1, b: float = 2):\n    "Moves."\n'
        "motiond.run()\nraise SystemExit('never')\n"
    )
    content = manifest.of_program(program)
    assert content["name"] == "moves" and content["executable"] == "moves.py" and content["protocol"] == 1
    assert content["documentation"] == "Moves things."
    assert (content["instances"], content["onLost"], content["limits"]) == (2, "rest", {"memoryMiB": 512})
    assert (content["environment"], content["arguments"]) == (["HOME"], ["-v"])
    (intention,) = content["intentions"]
    assert intention["executor"] == "Mover" and intention["reachesOutside"] is True
    assert (intention["writes"], intention["reads"]) == (["x"], ["y"])


def test_the_text_is_that_of_motiond() -> None:
    for plugin in ("tween", "osc", "dmx"):
        # motiond leaves no line above 120 columns where it can break it; ours are the same for its own manifests.
        content = json.loads((PACKAGE.parent / "plugins" / plugin / "plugin.json").read_text())
        assert json.loads(manifest.text(content)) == content
        assert max(map(len, manifest.text({"fields": ["x" * 20] * 10}).splitlines())) <= 120


def test_a_stale_manifest_is_found_and_written_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "breath", "--in", str(tmp_path), "--untrusted"]) == 0
    program = tmp_path / "breath" / "breath.py"
    assert manifest.stale(program) is None
    assert main(["manifest", str(program), "--check"]) == 0
    listed = json.loads((program.parent / "plugin.json").read_text())["libraries"]
    assert str(Path(np.__file__).parent.parent) in listed and all(map(os.path.isdir, listed))
    program.write_text(program.read_text().replace("= 4.0", "= 5.0"))
    problem = manifest.stale(program)
    assert problem is not None and "intentions[0].fields[2].default" in problem
    assert main(["manifest", str(program), "--check"]) == 1
    assert "is stale" in capsys.readouterr().err
    assert main(["manifest", str(program), "--write"]) == 0
    assert manifest.stale(program) is None and capsys.readouterr().err == ""
    # What motiond could not start is named, with the remedy.
    text = program.read_text()
    program.write_text(text.split("\n", 1)[1])
    assert main(["manifest", str(program), "--write"]) == 0
    assert f"Let its first line be #!{sys.executable}" in capsys.readouterr().err
    program.write_text(text)
    program.chmod(0o644)
    assert main(["manifest", str(program), "--write"]) == 0
    assert f"chmod 755 {program}" in capsys.readouterr().err
    (program.parent / "plugin.json").unlink()
    assert "No such file" in (manifest.stale(program) or "")


def test_a_program_without_executors_has_no_manifest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "empty.py"
    program.write_text("import motiond\nmotiond.run()\n")
    assert main(["manifest", str(program)]) == 1
    assert "declares no executor" in capsys.readouterr().err
    program.write_text("1 / 0\n")
    assert main(["manifest", str(program)]) == 1
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_names_that_no_plugin_has_are_refused(tmp_path: Path) -> None:
    for name in ("Breath", "", "../x", "a" * 65):
        assert main(["new", name, "--in", str(tmp_path)]) == 2
    assert list(tmp_path.iterdir()) == []


@needs_motiond
def test_motiond_accepts_what_is_written(tmp_path: Path) -> None:
    os.chmod(tmp_path, 0o755)
    assert main(["new", "breath", "--in", str(tmp_path), "--untrusted"]) == 0
    for example in ("leds", "noise"):
        source = str(EXAMPLES / f"{example}.py")
        assert main(["new", example, "--from", source, "--in", str(tmp_path), "--untrusted"]) == 0
    found = subprocess.run(
        [f"{BIN}/motiond", "--check", "--plugin-path", str(tmp_path), "--state-dir", f"{tmp_path}/state"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr
    assert "no problems" in found.stdout
    for name in ("breath", "leds", "noise"):
        assert f"plugin         {name} " in found.stdout


# ---------------------------------------------------------------------------------------------------------------- Trust


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to other users")
def test_places_that_other_users_can_change_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o755)
    file = folder / "file"
    file.write_text("")
    link = tmp_path / "link"
    link.symlink_to(file)
    base = weakness(str(tmp_path))
    assert base is None
    assert weakness(str(file)) is None and weakness(str(link)) is None
    file.chmod(0o666)
    assert "may be written by others" in (weakness(str(link)) or "")
    file.chmod(0o644)
    folder.chmod(0o777)
    assert f"{folder} may be written by others" in (weakness(str(file)) or "")
    folder.chmod(0o1777)
    assert weakness(str(file)) is None
    os.chown(file, 12345, 12345)
    assert "belongs to user 12345" in (weakness(str(link)) or "")


def test_new_makes_the_folders_on_the_way_and_leaves_nothing_of_a_program_that_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plugins = tmp_path / "share/motiond/plugins"
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import motiond\n@motiond.executor('X Y')\ndef f(plan): return 1\n")
    for source in (wrong, tmp_path / "absent.py"):
        assert main(["new", "breath", "--from", str(source), "--in", str(plugins), "--untrusted"]) == 1
        assert capsys.readouterr().err != "" and not (plugins / "breath").exists()
    assert main(["new", "breath", "--in", str(plugins), "--untrusted"]) == 0
    before = (plugins / "breath/breath.py").read_text()
    assert main(["new", "breath", "--from", str(wrong), "--in", str(plugins), "--untrusted"]) == 1
    assert "is there already" in capsys.readouterr().err
    assert (plugins / "breath/breath.py").read_text() == before
