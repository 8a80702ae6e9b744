"""The manifest of a plugin, ``plugin.json``, from the code of its program.

The text is the one that motiond itself writes for the same manifest: two manifests are equal if their texts are.
"""

from __future__ import annotations

import ast
import json
import os
import runpy
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from . import executors
from ._names import is_unicode
from ._worker_declarations import Declaration
from ._worker_fields import REQUIRED, FieldSpec
from ._worker_types import Reference

#: The width of the lines of a manifest, as in those that motiond writes.
WIDTH = 120


class ManifestError(Exception):
    """A program has no manifest; the text says why."""


def manifest(declarations: Sequence[Declaration], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The content of ``plugin.json``.

    `settings` has ``name`` and ``executable``, and what ``executors.plugin`` accepts.
    """
    result: dict[str, Any] = {"name": settings["name"], "executable": settings["executable"]}
    for key in ("arguments", "environment"):
        if settings.get(key):
            result[key] = list(settings[key])
    result["protocol"] = 1
    if settings.get("doc"):
        result["documentation"] = settings["doc"]
    if settings.get("instances", 1) != 1:
        result["instances"] = settings["instances"]
    if settings.get("on_lost", "hold") != "hold":
        result["onLost"] = settings["on_lost"]
    if settings.get("limits"):
        result["limits"] = dict(settings["limits"])
    result["intentions"] = [_intention(declaration) for declaration in declarations]
    return result


def _intention(declaration: Declaration) -> dict[str, Any]:
    result: dict[str, Any] = {
        "type": declaration.type,
        "kind": declaration.kind,
        "executor": declaration.executor,
        "documentation": declaration.documentation,
        "fields": [_field(field) for field in declaration.fields],
    }
    if declaration.writes:
        result["writes"] = list(declaration.writes)
    if declaration.reads:
        result["reads"] = list(declaration.reads)
    if declaration.exclusive:
        result["exclusive"] = [list(group) for group in declaration.exclusive]
    if declaration.requires_one_of:
        result["requiresOneOf"] = [list(group) for group in declaration.requires_one_of]
    if declaration.reaches_outside:
        result["reachesOutside"] = True
    return result


def _field(field: FieldSpec) -> dict[str, Any]:
    result: dict[str, Any] = {"name": field.name, "accepts": list(field.accepts)}
    if field.default is REQUIRED:
        result["required"] = True
    elif field.default is not None:
        result["default"] = _default(field)
    if field.meta.range is not None:
        result["range"] = [None if bound is None else _number(bound) for bound in field.meta.range]
    if field.meta.above:
        result["exclusiveMinimum"] = True
    if field.meta.unit:
        result["unit"] = field.meta.unit
    if field.choices:
        result["choices"] = list(field.choices)
    if field.elements:
        result["elements"] = list(field.elements)
    if field.access is not None:
        result["access"] = field.access
    if field.meta.lanes_of is not None:
        result["lanesOf"] = field.meta.lanes_of
    result["documentation"] = field.meta.doc
    return result


def _default(field: FieldSpec) -> Any:
    value = field.default
    if field.accepts[0] == "duration" and isinstance(value, (int, float)):
        return duration_text(value)
    return _json(value)


def _json(value: Any) -> Any:
    if isinstance(value, Reference):
        return f"{value.target}/{value.property}"
    if isinstance(value, bool) or not isinstance(value, (int, float, tuple, list)):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, (int, float)):
        return _number(value)
    return [_json(element) for element in cast("Sequence[Any]", value)]


def _number(value: float) -> float | int:
    """A number as motiond writes it: a whole one without a decimal point."""
    return int(value) if float(value).is_integer() and abs(value) < 1e15 else value


def duration_text(seconds: float) -> Any:
    """A length of time as people write it: ``300ms``, ``1.5s``; a number of seconds if it has no short form."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        number = seconds / size
        if seconds == 0 or abs(number) >= 1:
            text = repr(round(number, 6))
            if float(text) * size == seconds or abs(float(text) * size - seconds) < 1e-15:
                return f"{text.removesuffix('.0')}{unit}"
    return _number(seconds)


# ----------------------------------------------------------------------------------------------------------------- Text


def text(content: Any) -> str:
    """A manifest as the text of its file."""
    return _lines(content, 0, 0) + "\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _lines(value: Any, indentation: int, taken: int) -> str:
    line = _line(value)
    if len(line) + indentation + taken <= WIDTH or not isinstance(value, (list, dict)):
        return line
    inner = " " * (indentation + 2)
    if isinstance(value, list):
        elements = cast("list[Any]", value)
        parts = [inner + _lines(element, indentation + 2, 1) for element in elements]
        brackets = "[]"
    else:
        members = cast("dict[str, Any]", value)
        parts = list[str]()
        for key, member in members.items():
            name = json.dumps(key, ensure_ascii=False) + ": "
            parts.append(inner + name + _lines(member, indentation + 2, len(name) + 1))
        brackets = "{}"
    return brackets[0] + "\n" + ",\n".join(parts) + "\n" + " " * indentation + brackets[1]


# ------------------------------------------------------------------------------------------------------- From a program


def of_program(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The manifest of a program: runs it up to ``motiond.run()``, and reads what it has declared.

    The plugin's name is that of ``executors.plugin``, else that of the folder with a ``plugin.json``, else that of the
    program.
    Raises ``ManifestError`` if the program cannot be run or declares nothing.
    """
    program = Path(path).resolve()
    _check_readable(program)
    before = list(executors.declared), dict(executors.settings), list(sys.path), list(sys.argv)
    executors.declared.clear()
    executors.settings.clear()
    sys.path.insert(0, str(program.parent))
    sys.argv[:] = [str(program)]
    executors.is_collecting = True
    try:
        runpy.run_path(str(program), run_name="motiond_manifest")
    except executors.Collected:
        pass
    except SystemExit as end:
        raise ManifestError(
            f"{_place(program, end)}: the program ended by itself (exit code {end.code or 0}) before it called "
            "motiond.run(). Declare the executors and call it first, or end only when run() has"
        ) from end
    except Exception as error:
        raise ManifestError(f"{_place(program, error)}: {type(error).__name__}: {error}") from error
    finally:
        executors.is_collecting = False
        declared, settings = list(executors.declared), dict(executors.settings)
        executors.declared[:], sys.path[:], sys.argv[:] = before[0], before[2], before[3]
        executors.settings.clear()
        executors.settings.update(before[1])
    if not declared:
        raise ManifestError(f"{program} declares no executor: decorate one with @motiond.executor")
    is_folder = (program.parent / "plugin.json").exists()
    settings.setdefault("name", program.parent.name if is_folder else program.stem)
    settings.setdefault("doc", _module_doc(program))
    settings["executable"] = program.name
    return manifest(declared, settings)


def _check_readable(program: Path) -> None:
    """Raises ``ManifestError`` unless the file is a program in Python."""
    try:
        content = program.read_bytes()
    except OSError as error:
        raise ManifestError(f"{program}: {error.strerror}. Name the program of a plugin, a file in Python") from error
    try:
        ast.parse(content)
    except (SyntaxError, ValueError) as error:
        place = f"{program}:{error.lineno}" if isinstance(error, SyntaxError) and error.lineno else str(program)
        raise ManifestError(f"{place}: this is no program in Python: {error}") from error


def _place(program: Path, error: BaseException) -> str:
    """The line of a program at which an error was raised."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(program)]
    return f"{program}:{frames[-1].lineno}" if frames else str(program)


def placed(content: Mapping[str, Any], libraries: Sequence[str]) -> dict[str, Any]:
    """A manifest that names the folders of libraries on this machine, which motiond checks as it checks the plugin's."""
    result = dict[str, Any]()
    for key, value in content.items():
        if key == "protocol" and libraries:
            result["libraries"] = list(libraries)
        result[key] = value
    return result


def _module_doc(program: Path) -> str:
    doc = ast.get_docstring(ast.parse(program.read_text())) or ""
    if not is_unicode(doc):
        raise ManifestError(f"{program}: its docstring has half of a character. Use a text in Unicode.")
    return " ".join(doc.split("\n\n")[0].split())


def stale(path: str | os.PathLike[str]) -> str | None:
    """Why the ``plugin.json`` beside a program is not what its code says; `None` if it is. Its ``libraries`` do not count.

    For a test of the plugin: ``assert motiond.manifest.stale("noise.py") is None``.
    """
    program = Path(path).resolve()
    file = program.parent / "plugin.json"
    _check_readable(program)
    try:
        found = json.loads(file.read_text())
    except OSError as error:
        return f"{file}: {error.strerror}; {_remedy(program.name)}"
    except ValueError as error:
        return f"{file} is no JSON ({error}); {_remedy(program.name)}"
    return difference(found, of_program(program), file, program.name)


def difference_of_types(declarations: Sequence[Declaration], program: Path) -> str | None:
    """Why the ``plugin.json`` beside a program declares other intentions; `None` if it does not, and if there is none.

    Documentation does not count.
    """
    file = program.parent / "plugin.json"
    try:
        found = json.loads(file.read_text())["intentions"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    content = {"intentions": [_intention(declaration) for declaration in declarations]}
    return difference(_undocumented({"intentions": found}), _undocumented(content), file, program.name)


def _undocumented(content: Any) -> Any:
    if isinstance(content, dict):
        members = cast("dict[str, Any]", content)
        return {key: _undocumented(value) for key, value in members.items() if key != "documentation"}
    return [_undocumented(value) for value in cast("list[Any]", content)] if isinstance(content, list) else content


def difference(found: Any, wanted: dict[str, Any], file: Path, program: str) -> str | None:
    """Why the content of a ``plugin.json`` is not the one wanted for a program, with the remedy; `None` if it is."""
    if isinstance(found, dict):
        cast("dict[str, Any]", found).pop("libraries", None)
    if found == wanted:
        return None
    place = _difference(found, wanted, "") or "it"
    return f"{file} is stale: {place} differs from {program}; {_remedy(program)}"


def _remedy(program: str) -> str:
    return f"write it: python -m motiond manifest {program} --write"


def _difference(found: Any, wanted: Any, place: str) -> str | None:
    """The first place at which two contents differ."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        left, right = cast("dict[str, Any]", found), cast("dict[str, Any]", wanted)
        for key in [*right, *(key for key in left if key not in right)]:
            if key not in left or key not in right:
                return f"{place}.{key}".lstrip(".")
            if (inner := _difference(left[key], right[key], f"{place}.{key}")) is not None:
                return inner
        return None
    if isinstance(found, list) and isinstance(wanted, list):
        ours, theirs = cast("list[Any]", found), cast("list[Any]", wanted)
        for index, (one, other) in enumerate(zip(ours, theirs, strict=False)):
            if (inner := _difference(one, other, f"{place}[{index}]")) is not None:
                return inner
        return None if len(ours) == len(theirs) else f"{place}: the number of elements".lstrip(".")
    return None if found == wanted else place.lstrip(".")
