"""``python -m motiond new``: the names that a plugin can have, and the first example in it."""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
from pathlib import Path

import pytest
from daemon import Daemon, wait_until
from stage import needs_motiond

import motiond
from motiond import spring
from motiond.__main__ import main
from motiond._plugin_template import first_program


@pytest.mark.parametrize("name", ["random", "signal", "sys", "numpy", "typing", "motiond", "google", "zmq"])
def test_a_name_that_would_hide_a_module_is_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", name, "--in", str(tmp_path), "--untrusted"]) == 2
    error = capsys.readouterr().err
    assert f"{name!r} is the name of a Python module" in error and f"take another name, such as my-{name}" in error
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_the_working_directory_is_no_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hop").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")
    assert main(["new", "hop", "--in", str(tmp_path / "plugins"), "--untrusted"]) == 0


def test_a_type_that_is_declared_elsewhere_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("tween", "spring-to", "follow"):
        assert main(["new", name, "--in", str(tmp_path), "--untrusted"]) == 1
        assert "declares the type" in capsys.readouterr().err
    assert main(["new", "my-ball", "--in", str(tmp_path), "--untrusted"]) == 0
    _ = capsys.readouterr()
    assert main(["new", "my_ball", "--in", str(tmp_path), "--untrusted"]) == 1
    error = capsys.readouterr().err
    assert f"{tmp_path}/my-ball/plugin.json declares the type 'MyBall' already: take another name" in error
    source = tmp_path / "source.py"
    _ = source.write_text(
        'import motiond\nfrom motiond.executors import Writes\n@motiond.executor("Wave", kind="standing")\n'
        "def wave(plan, frame, *, property: Writes): ...\nmotiond.run()\n"
    )
    assert main(["new", "mine", "--from", str(source), "--in", str(tmp_path), "--untrusted"]) == 1
    assert "declares the type 'Wave' already" in capsys.readouterr().err
    # What cannot be read declares nothing: motiond reports it.
    for content in ("[]", "{", '{"intentions": 5}', '{"intentions": [5, {"type": 5}]}'):
        _ = (tmp_path / "my-ball" / "plugin.json").write_text(content)
        assert main(["new", "my_ball", "--in", str(tmp_path), "--untrusted"]) == 0
        shutil.rmtree(tmp_path / "my_ball")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["my-ball", "source.py"]


def test_the_function_is_named_after_the_plugin() -> None:
    for name, function in (("hop", "hop"), ("my-ball", "my_ball"), ("7up", "p7up"), ("if", "if_"), ("zip", "zip_")):
        text = first_program(name)
        _ = compile(text, name, "exec")
        assert f"\ndef {function}(" in text and "breathe" not in text


@needs_motiond
def test_the_first_example_moves_properties_of_any_number_of_lanes(tmp_path: Path) -> None:
    os.chmod(tmp_path, 0o755)
    assert main(["new", "hop", "--in", str(tmp_path), "--untrusted"]) == 0
    with Daemon(plugins=tmp_path) as daemon, motiond.connect(daemon.runtime, timeout=20) as m:
        _ = m.commit(spring("ball.position", (100, 50)), spring("lamp.level", 0.5)).settled(timeout=20)
        _ = daemon.ctl("add", "Hop", "--to", "ball", "property=position", "period=2s")
        _ = daemon.ctl("add", "Hop", "--to", "lamp", "property=level", "period=2s", "amplitude=0.25")
        with m.watch("ball", "lamp", every=True) as frames:
            lows, highs = [math.inf] * 3, [-math.inf] * 3
            while any(high - low < width for low, high, width in zip(lows, highs, (18, 18, 0.45), strict=True)):
                frame = frames.next(20)
                if len(frame) < 2:
                    continue
                values = [*frame["ball.position"].value, *frame["lamp.level"].value]
                lows = [min(pair) for pair in zip(lows, values, strict=True)]
                highs = [max(pair) for pair in zip(highs, values, strict=True)]
        for low, high, (least, most) in zip(lows, highs, ((90, 110), (40, 60), (0.25, 0.75)), strict=True):
            # On a busy machine the worker is late, and motiond continues its motion evenly meanwhile.
            beyond = (most - least) / 10
            assert least - beyond <= low and high <= most + beyond
        assert not [row for row in m.intentions() if row.reason]


FAILING = """\
#!{interpreter}
import sys
sys.path.insert(0, {package!r})
import motiond
from motiond.executors import Writes

@motiond.executor("One", kind="standing")
def one(plan, frame, *, property: Writes = Writes("position")):
    return 0.5

@motiond.executor("Two", kind="standing")
def two(plan, frame, *, property: Writes = Writes("position")):
    frame = yield (0.0, 0.0)
    while True:
        frame = yield 1.0

@motiond.executor("Three", kind="standing")
class Three(motiond.Executor):
    property: Writes = Writes("position")

    def update(self, frame):
        return (1.0, 2.0, 3.0)

motiond.run()
"""


@needs_motiond
def test_a_wrong_number_of_lanes_names_the_line_of_the_program_and_the_remedy(tmp_path: Path) -> None:
    os.chmod(tmp_path, 0o755)
    program = tmp_path / "failing.py"
    package = str(Path(motiond.__file__).parents[1])
    _ = program.write_text(FAILING.format(interpreter=sys.executable, package=package))
    assert main(["new", "failing", "--from", str(program), "--in", str(tmp_path / "p"), "--untrusted"]) == 0
    declared = json.loads((tmp_path / "p/failing/plugin.json").read_text())["intentions"]
    assert [row["type"] for row in declared] == ["One", "Two", "Three"]
    with Daemon(plugins=tmp_path / "p") as daemon, motiond.connect(daemon.runtime, timeout=20) as m:
        for index, type in enumerate(("One", "Two", "Three")):
            _ = m.commit(m.types[type](f"ball{index}", property="position"))
        wait_until(lambda: len([row for row in m.intentions() if row.reason]) == 3)
        reasons = {row.intention.type: row.reason for row in m.intentions()}
        assert "a property of 2: return a tuple of 2 numbers (failing.py:9 in one: return 0.5)" in reasons["One"]
        assert "(failing.py:15 in two: frame = yield 1.0)" in reasons["Two"]
        assert "3 lanes were" in reasons["Three"]
        assert "(failing.py:22 in update: return (1.0, 2.0, 3.0))" in reasons["Three"]
        assert "_worker" not in daemon.log


@pytest.mark.parametrize(("end", "code"), [("sys.exit()", 0), ("sys.exit(3)", 3), ("raise SystemExit('no device')", "no device")])
def test_a_program_that_ends_before_it_runs_is_no_plugin(
    end: str, code: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "tool.py"
    _ = program.write_text(f"import sys\nassert sys.argv == [__file__], sys.argv\n{end}\nimport motiond\n")
    for command in (["new", "tool", "--from", str(program), "--in", str(tmp_path)], ["manifest", str(program)]):
        assert main([*command, "--untrusted"] if command[0] == "new" else command) == 1
        error = capsys.readouterr().err
        assert f"tool.py:3: the program ended by itself (exit code {code}) before it called motiond.run()" in error
    assert not (tmp_path / "tool").exists()


def test_what_is_no_program_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing, binary = tmp_path / "missing.py", tmp_path / "binary"
    _ = binary.write_bytes(b"\x7fELF\0\1\xff")
    for program, text in ((missing, "missing.py: No such file or directory"), (binary, "this is no program in Python")):
        for command in (["manifest", str(program)], ["manifest", str(program), "--check"]):
            assert main(command) == 1
            assert text in (error := capsys.readouterr().err) and "plugin.json" not in error
        assert main(["new", "a", "--from", str(program), "--in", str(tmp_path), "--untrusted"]) == 1
        assert text in capsys.readouterr().err
    assert not (tmp_path / "a").exists()


def test_an_interpreter_in_a_folder_with_spaces_is_refused_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "executable", "/opt/my tools/bin/python")
    assert main(["new", "a", "--in", str(tmp_path), "--untrusted"]) == 1
    assert "Make the environment in a folder without spaces" in capsys.readouterr().err
