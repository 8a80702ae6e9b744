"""The package as a whole: version, generated files, types, and an installation in an empty environment."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import motiond
from motiond._types import built_in

PACKAGE = Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parent


def test_the_version_is_that_of_motiond() -> None:
    text = (ROOT / "Sources/MotionModel/Release.swift").read_text()
    found = re.search(r'version = "([^"]+)"', text)
    assert found is not None and motiond.__version__ == found.group(1)


def test_the_messages_are_those_of_motion_proto(tmp_path: Path) -> None:
    from motiond._proto import motion_pb2

    try:
        output = subprocess.run(["protoc", "--version"], capture_output=True, text=True, check=True).stdout
    except FileNotFoundError:
        pytest.fail("protoc is not installed: apt install protobuf-compiler")
    _ = subprocess.run(
        ["protoc", f"-I{ROOT / 'Sources/MotionWire'}", f"--descriptor_set_out={tmp_path / 'set'}", "motion.proto"],
        check=True,
    )
    from google.protobuf import descriptor_pb2

    files = descriptor_pb2.FileDescriptorSet.FromString((tmp_path / "set").read_bytes())
    present = descriptor_pb2.FileDescriptorProto()
    motion_pb2.DESCRIPTOR.CopyToProto(present)
    expected = files.file[0]
    expected.ClearField("source_code_info")
    # Without the names of JSON, which protoc adds, and the path.
    for message in (present, expected):
        message.name = "motion.proto"
        _strip(message)
    assert present == expected, "_proto is stale: run tools/generate_proto.sh"
    if "3.21" in output:
        _ = subprocess.run([str(PACKAGE / "tools/generate_proto.sh"), str(tmp_path)], check=True)
        for name in ("motion_pb2.py", "motion_pb2.pyi"):
            assert (tmp_path / name).read_text() == (PACKAGE / "motiond/_proto" / name).read_text(), f"{name} is stale"


def _strip(message: object) -> None:
    for field in getattr(message, "field", []):
        field.ClearField("json_name")
    for inner in [*getattr(message, "message_type", []), *getattr(message, "nested_type", [])]:
        _strip(inner)


def test_the_constructors_are_those_of_motionds_types() -> None:
    done = subprocess.run(
        [sys.executable, "tools/generate_plans.py", "--check"], cwd=PACKAGE, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_every_type_has_a_constructor_with_its_fields() -> None:
    import inspect

    from motiond._types_source import parameter

    assert set(motiond.plans.__all__) == set(built_in().names)
    for name in motiond.plans.__all__:
        parameters = set(inspect.signature(getattr(motiond.plans, name)).parameters)
        assert {parameter(field) for field in built_in().require(name).field_names} <= parameters


def test_the_types_are_strict() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable],
        cwd=PACKAGE,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_no_file_is_long_or_names_a_place_of_this_machine() -> None:
    for path in [*PACKAGE.rglob("*.py"), ROOT / "docs/python.md"]:
        text = path.read_text("utf-8")
        is_generated = path.name in ("plans.py", "motion_pb2.py")
        assert is_generated or len(text.splitlines()) <= 400, path
        assert re.search(r"/(tmp|home|root|work)/", text.replace('r"/(tmp|', "")) is None, path


@pytest.mark.parametrize("requirement", ["protobuf", "protobuf==4.21.12"])
def test_it_is_installed_into_an_empty_environment_without_protoc(tmp_path: Path, requirement: str) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    source = tmp_path / "source"
    _ = subprocess.run(["git", "-C", str(PACKAGE), "rev-parse"], check=True, capture_output=True)
    names = subprocess.run(
        ["git", "ls-files", "."], cwd=PACKAGE, capture_output=True, text=True, check=True
    ).stdout.split()
    for name in names:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        if (PACKAGE / name).exists():
            _ = (source / name).write_bytes((PACKAGE / name).read_bytes())
    _ = subprocess.run([python, "-m", "pip", "-q", "install", requirement, str(source)], check=True)
    program = (
        "import motiond, numpy; print(motiond.__version__, motiond.spring('a.b', 1), motiond.plans.Wave.__doc__[:5])\n"
        "import motiond.drawing, motiond.recording\n"
        "assert motiond.__file__.startswith(__import__('sys').prefix)\n"
    )
    done = subprocess.run([python, "-W", "error", "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(motiond.__version__)
