"""Declarations that motiond would refuse are refused where they are made, with the field and a remedy; motiond accepts
all others."""

from __future__ import annotations

import dataclasses
import json
import subprocess
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from stage import BIN, needs_motiond

from motiond import executors, manifest
from motiond.__main__ import main
from motiond._worker_declarations import Declaration
from motiond._worker_fields import REQUIRED, spec
from motiond.executors import DeclarationError, Field, Names, Numbers, Reads, Reference, Seconds, Value, Values, Writes


def wrong(value: object) -> Any:
    """A value that the types forbid."""
    return value


@pytest.fixture(autouse=True)
def declared() -> Iterator[list[Declaration]]:
    """The declarations of a test, which end with it."""
    before, settings = list(executors.declared), dict(executors.settings)
    executors.declared.clear()
    yield executors.declared
    executors.declared[:] = before
    executors.settings.clear()
    executors.settings.update(settings)


def declaration(annotation: Any, default: Any = REQUIRED, name: str = "x") -> Declaration:
    """A type with a property and one further field."""
    fields = (spec("property", Writes, REQUIRED), spec(name, annotation, default))
    return Declaration("T", "standing", "T", "", fields).checked()


@pytest.mark.parametrize(
    ("annotation", "default", "text"),
    [
        (float, "a", "'a' is not accepted here, as the default. Use a number"),
        (float, True, "True is not accepted here"),
        (bool, "yes", "Use True or False"),
        (str, 5, "Use a text"),
        (int, "3", "Use a number"),
        (float, float("nan"), "nan is not a finite number"),
        (float, 1e300, "too large"),
        (Annotated[float, Field("d", range=(0, 1))], 5.0, "Use a number of at least 0 and of at most 1"),
        (Annotated[float, Field("d", range=(0, 1), above=True)], 0.0, "above 0"),
        (Annotated[Seconds, Field("d", range=(0.1, 1))], 2.0, "2 s is out of range"),
        (Annotated[float, Field("d", range=(2, 1))], 1.5, "is no range. Write .lowest, highest."),
        (Annotated[float, Field("d", range=(0, float("inf")))], REQUIRED, "None where there is no bound"),
        (Annotated[float, Field("d", range=wrong(("a", "b")))], REQUIRED, "is no range"),
        (Annotated[float, Field("d", range=wrong(5))], REQUIRED, "is no range"),
        (Annotated[float, Field("d", lanes_of="nope")], 1.0, "lanes_of='nope' .* Name one of property"),
        (Annotated[float, Field("d", unit=wrong(5))], 1.0, "is no text"),
        (Literal["a", "b"], "c", "'c' is no choice, as the default. The choices are a, b"),
        (Literal[1, 2], 1, "Use one of the choices"),
        (Writes, Writes("a b"), "no name of a property, as the default. Use 1 to 64"),
        (Reads, Reads(""), "no name of a property"),
        (Reference, "ab", 'Write "target.property"'),
        (Reference, Reference("a b", "x"), "names no property"),
        (Value, (1.0, 2, 3, 4, 5), "Use a number or a vector of 2 to 4 numbers"),
        (tuple[float, float], (1.0,), "Use a vector"),
        (Numbers, (1.0, 2.0), "Use a number"),
        (list[float], ["a"], "Use a number"),
        (list[float], [float("inf")], "not a finite number"),
        (str, "\ud800", "half of a character"),
        (Seconds, "1s", "Use a duration"),
        (Seconds, 1e10, "a hundred years"),
    ],
)
def test_a_field_that_motiond_would_refuse_is_refused_with_field_and_remedy(
    annotation: Any, default: Any, text: str
) -> None:
    with pytest.raises(DeclarationError, match=text) as caught:
        _ = declaration(annotation, default)
    assert caught.value.field == "x" and caught.value.remedy and "T.x" in str(caught.value)


ACCEPTED: list[tuple[Any, Any, Any]] = [
    (float, 1e100, 1e100),
    (float, np.float32(0.5), 0.5),
    (int, 3, 3),
    (bool, False, False),
    (str, "", ""),
    (Seconds, timedelta(seconds=1), "1s"),
    (Seconds, timedelta(milliseconds=1500), "1.5s"),
    (Seconds, 1e-7, 1e-7),
    (Seconds, 3_155_760_000, "3155760000s"),
    (list[Seconds], [timedelta(seconds=1), 2], [1, 2]),
    (Literal["forever"] | Seconds, timedelta(seconds=2), 2),
    (Annotated[float, Field("d", range=(None, 1), above=True)], 1.0, 1),
    (Annotated[Value, Field("d", lanes_of="property")], (1.0, 2.0), [1, 2]),
    (Value, (1.0,), [1]),
    (Values, np.array([1.0, 2.5]), [1, 2.5]),
    (list[Value], [1.0, (2.0, 3.0)], [1, [2, 3]]),
    (Literal["a", "b"], "b", "b"),
    (Reads, Reads("x"), "x"),
    (Names, "y-1", "y-1"),
    (Reference, Reference("ball", "position"), "ball/position"),
    (Reference, "ball.position", "ball/position"),
    (float | None, None, None),
]


def entry_of(made: Declaration) -> dict[str, Any]:
    content = manifest.manifest([made], {"name": "x", "executable": "x"})
    return json.loads(manifest.text(content))["intentions"][0]["fields"][1]


@pytest.mark.parametrize(("annotation", "default", "entry"), ACCEPTED)
def test_a_default_is_written_as_motiond_reads_it(annotation: Any, default: Any, entry: Any) -> None:
    assert entry_of(declaration(annotation, default)).get("default") == entry


def test_a_default_reaches_the_executor_in_the_form_of_a_plan() -> None:
    assert declaration(Seconds, timedelta(seconds=1)).fields[1].read({}) == 1.0
    assert declaration(Reference, "ball.position").fields[1].read({}) == Reference("ball", "position")


def test_types_and_settings_that_motiond_would_refuse_are_refused() -> None:
    def function(plan: executors.Plan, frame: executors.Frame, *, property: Writes) -> float:
        return 0.0

    with pytest.raises(DeclarationError, match="no name of a property"):
        _ = executors.executor("T", kind="standing", reads=["a b"])(function)
    _ = executors.executor("T", kind="standing", executor="E")(function)
    with pytest.raises(DeclarationError, match="share the executor E"):
        _ = executors.executor("U", kind="manipulation", executor="E")(function)
    many = tuple(spec(f"x{index}", float, 1.0) for index in range(64))
    with pytest.raises(DeclarationError, match="65 fields are too many"):
        _ = Declaration("T", "standing", "T", "", (spec("property", Writes, REQUIRED), *many)).checked()
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"name": "My plugin"}, "no name of a plugin"),
        ({"instances": 0}, "1 to 16"),
        ({"on_lost": "fall"}, '"hold" or "rest"'),
        ({"limits": {"memory": 5}}, "The limits are memoryMiB"),
        ({"limits": {"niceness": 20}}, "from 0 to 19"),
        ({"environment": ["A=B"]}, "names of variables"),
        ({"arguments": ["a\0b"]}, "zero bytes"),
        ({"arguments": ["a"] * 65}, "at most 64"),
    ]
    for settings, text in wrong:
        with pytest.raises(DeclarationError, match=text):
            executors.plugin(**settings)


ARGUMENTS: list[tuple[str, object, str]] = [
    ("type", None, "None cannot name a type"),
    ("type", 5, "5 cannot name a type"),
    ("kind", [], "the kind is one of"),
    ("executor", 5, "5 cannot name a type"),
    ("executor", "", "'' cannot name a type"),
    ("doc", 5, "5 is no text"),
    ("doc", "\ud800", "is no text"),
    ("writes", None, "writes: None is no list"),
    ("writes", [5], "5 is no name of a property"),
    ("reads", "abc", r"reads: 'abc' is no list. Write a list, such as reads=\['abc'\]"),
    ("reads", {"a": 1}, "is no list"),
    ("exclusive", [5], "exclusive: 5 is no list"),
    ("exclusive", ["property"], "'property' is no list"),
    ("requires_one_of", 5, "requires_one_of: 5 is no list"),
    ("requires_one_of", [["property", 5]], "are not two fields"),
    ("reaches_outside", [5], "neither True nor False"),
]


@pytest.mark.parametrize(("argument", "value", "text"), ARGUMENTS)
def test_a_wrong_argument_is_refused_with_its_name_and_a_remedy(argument: str, value: object, text: str) -> None:
    def function(plan: executors.Plan, frame: executors.Frame, *, property: Writes, x: float = 1.0) -> float:
        return x

    given: dict[str, Any] = {"type": "T", "kind": "standing", argument: value}
    with pytest.raises(DeclarationError, match=text) as caught:
        _ = executors.executor(**given)(function)
    assert caught.value.field == argument and caught.value.remedy
    if argument in ("writes", "reaches_outside"):
        return
    shape = type("Shape", (), {"__annotations__": {"property": Writes}, "update": lambda self, t, out: None})
    with pytest.raises(DeclarationError, match=text) as caught:
        _ = executors.columns(**given)(shape)
    assert caught.value.field == argument and caught.value.remedy


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("doc", 5),
        ("doc", "\ud800"),
        ("arguments", 5),
        ("arguments", {"a": 1}),
        ("arguments", [5]),
        ("environment", "PATH"),
        ("environment", ["A=B"]),
        ("instances", True),
        ("on_lost", []),
        ("limits", 5),
        ("limits", {5: 5}),
        ("limits", {"niceness": True}),
        ("name", 5),
    ],
)
def test_a_wrong_setting_is_refused_with_its_name_and_a_remedy(argument: str, value: object) -> None:
    settings: dict[str, Any] = {argument: value}
    with pytest.raises(DeclarationError) as caught:
        executors.plugin(**settings)
    assert caught.value.field == argument and caught.value.remedy and not executors.settings


class Whole(executors.Executor):
    """Has all methods."""

    property: Writes = Writes("x")


async def awaited(self: object, frame: executors.Frame) -> float:
    """Is asynchronous."""
    return 0.0


def without(self: object) -> float:
    """Takes no frame."""
    return 0.0


def made_of(self: object, speed: float) -> None:
    """Takes an argument."""


def yielding(self: object, frame: executors.Frame) -> Iterator[float]:
    """Is a generator."""
    yield 0.0


@pytest.mark.parametrize(
    ("code", "text", "field"),
    [
        (5, "5 is no function", None),
        (awaited, "awaited is asynchronous. Write it with def", None),
        (type("Odd", (Whole,), {"update": awaited}), "Odd.update is asynchronous", None),
        (type("Odd", (Whole,), {"update": without}), r"Odd.update takes .* Write def update\(self, frame\)", None),
        (type("Odd", (Whole,), {"update": yielding}), "Odd.update is a generator", None),
        (type("Odd", (Whole,), {"resumed": without}), r"Write def resumed\(self, property, state, time\)", None),
        (type("Odd", (Whole,), {"__init__": made_of}), "cannot be made: missing .* 'speed'", None),
        (type("Odd", (), {"update": awaited}), "no method start. Derive the class from motiond.Executor", None),
        (type("Odd", (Whole,), {"__annotations__": {"stop": float}}), "stop is a method", "stop"),
        (type("Odd", (Whole,), {"speed": executors.field(1.0)}), "speed has no annotation", "speed"),
        (type("Odd", (Whole,), {"n": executors.state(), "__annotations__": {"n": float}}), "n is a column", "n"),
        (type("Odd", (Whole,), {"__annotations__": {"n": "Unknown"}}), "'Unknown' is not defined", None),
        (type("Odd", (Whole,), {"__annotations__": {"n": complex}}), "stands for no shape", "n"),
    ],
)
def test_code_of_a_wrong_form_is_refused(code: Any, text: str, field: str | None) -> None:
    with pytest.raises(DeclarationError, match=text) as caught:
        _ = executors.executor("T", kind="standing")(code)
    assert caught.value.field == field and caught.value.remedy


@pytest.mark.parametrize(
    ("content", "text", "field"),
    [
        ({}, r"no method update. Write def update\(self, t, out\)", None),
        ({"update": without}, "takes other arguments", None),
        ({"update": awaited}, "asynchronous", None),
        ({"n": executors.state()}, "n has no annotation. Write n: Numbers", "n"),
        ({"__annotations__": {"property": Writes, "y": Writes}}, "columns write one property", "y"),
        ({"__annotations__": {"property": Writes, "y": float | str}}, "values of one shape", "y"),
    ],
)
def test_columns_of_a_wrong_form_are_refused(content: dict[str, Any], text: str, field: str | None) -> None:
    def update(self: object, t: object, out: object) -> None:
        """Leaves all values."""

    base = {"__annotations__": {"property": Writes}} | ({"update": update} if content else {})
    with pytest.raises(DeclarationError, match=text) as caught:
        _ = executors.columns("T", kind="standing")(type("Odd", (), base | content))
    assert caught.value.field == field and caught.value.remedy
    with pytest.raises(DeclarationError, match="5 is no class"):
        _ = executors.columns("T", kind="standing")(5)


def test_a_column_begins_with_a_number() -> None:
    for arguments, field in ((("x", None), "initial"), ((0, -1), "width"), ((0, 1.5), "width")):
        with pytest.raises(DeclarationError) as caught:
            _ = executors.state(*wrong(arguments))
        assert caught.value.field == field and caught.value.remedy


def test_the_command_names_the_line_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "moves.py"
    _ = program.write_text(
        'import motiond\nfrom motiond.executors import *\n\n@motiond.executor("T", kind="standing")\n'
        'def move(plan, frame, *, property: Writes, x: float = float("nan")) -> float:\n    return x\n\nmotiond.run()\n'
    )
    for command in (
        ["new", "mover", "--from", str(program), "--in", str(tmp_path), "--untrusted"],
        ["manifest", str(program)],
        ["manifest", str(program), "--check"],
    ):
        _ = (tmp_path / "plugin.json").write_text("{}")
        assert main(command) == 1
        error = capsys.readouterr().err
        assert "moves.py:4: DeclarationError: T.x: nan" in error
    assert not (tmp_path / "mover").exists()


@needs_motiond
def test_motiond_accepts_what_the_package_accepts(tmp_path: Path) -> None:
    plugin = tmp_path / "plugins" / "accepted"
    plugin.mkdir(parents=True, mode=0o755)
    made: Sequence[Declaration] = [
        dataclasses.replace(declaration(annotation, default), type=f"T{index}", executor=f"T{index}")
        for index, (annotation, default, _) in enumerate(ACCEPTED)
    ]
    content = manifest.manifest(made, {"name": "accepted", "executable": "accepted", "limits": {"niceness": 19}})
    _ = (plugin / "plugin.json").write_text(manifest.text(content))
    _ = (plugin / "accepted").write_text("#!/bin/sh\n")
    (plugin / "accepted").chmod(0o755)
    command = [f"{BIN}/motiond", "--check", "--plugin-path", str(plugin.parent), "--state-dir", f"{tmp_path}/state"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0 and "no problems" in found.stdout, found.stdout + found.stderr
    assert "plugin         accepted " in found.stdout
