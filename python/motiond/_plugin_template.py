"""The first program of a new plugin, and the names that it can have."""

from __future__ import annotations

import builtins
import json
import keyword
import os
import re
import sys
from collections.abc import Iterable
from importlib.machinery import PathFinder
from pathlib import Path
from typing import cast

from ._names import PLUGIN, PLUGIN_RULE
from ._types import built_in

_PROGRAM = '''\
"""Moves properties to and fro."""

import math
from typing import Annotated

import motiond
from motiond.executors import Field, Frame, Plan, Seconds, Writes


@motiond.executor("{type}", kind="standing")
def {function}(
    plan: Plan,
    frame: Frame,
    *,
    property: Annotated[Writes, "What moves."] = Writes("position"),
    amplitude: Annotated[float, Field("How far it moves to each side, in the unit of the property.")] = 10.0,
    period: Annotated[Seconds, Field("How long it takes to and fro.", range=(0.01, 3600))] = 4.0,
) -> tuple[float, ...]:
    """Moves a property to and fro around the value that it had at the beginning."""
    offset = amplitude * math.sin(2 * math.pi * plan.elapsed / period)
    # One number for each lane: a level has one, a position has two.
    return tuple(lane + offset for lane in plan.start().value)


# The manifest is made from this file: python -m motiond manifest {file} --write
if __name__ == "__main__":
    motiond.run()
'''


def first_program(name: str) -> str:
    """The first example for a plugin of this name."""
    function = re.sub(r"\W", "_", name)
    function = f"p{function}" if function[0].isdigit() else function
    if keyword.iskeyword(function) or hasattr(builtins, function):
        function += "_"
    return _PROGRAM.format(type=type_of(name), function=function, file=f"{name}.py")


def type_of(name: str) -> str:
    """The type of the first example."""
    type_name = "".join(part.capitalize() for part in re.split(r"[._-]", name) if part)
    return type_name if type_name[0].isalpha() else f"P{type_name}"


def problem_of_name(name: str) -> str | None:
    """Why a plugin cannot have a name, with the remedy; `None` if it can.

    The folder of NAME/NAME.py comes first in the search for modules: a module of the same name would not be found.
    """
    if not PLUGIN.fullmatch(name):
        return f"{name!r} is no name of a plugin: {PLUGIN_RULE[0].lower()}{PLUGIN_RULE[1:]}"
    place = _module(name)
    if place is None:
        return None
    return (
        f"{name!r} is the name of a Python module ({place}), which programs would no longer find beside {name}.py: "
        f"take another name, such as my-{name}"
    )


def _module(name: str) -> str | None:
    """Where a module of this name is found from any folder; `None` if there is none."""
    if name in sys.stdlib_module_names or name in sys.builtin_module_names:
        return "of the standard library"
    if name == (__package__ or "motiond"):
        return "this package"
    here = os.getcwd()
    found = PathFinder.find_spec(name, [path for path in sys.path if path and os.path.abspath(path) != here])
    if found is None:
        return None
    return found.origin or ", ".join(found.submodule_search_locations or ["installed"])


def problem_of_types(types: Iterable[str], folder: Path) -> str | None:
    """Why a new plugin in a folder cannot declare types, with the remedy; `None` if it can."""
    owners = {type: "motiond, or a plugin that comes with it," for type in built_in().names}
    for file in sorted(folder.glob("*/plugin.json")):
        owners |= dict.fromkeys(_types_in(file), str(file))
    for type in types:
        if type in owners:
            return (
                f"{owners[type]} declares the type {type!r} already: take another name, or give --from a program "
                "that declares another type"
            )
    return None


def _types_in(file: Path) -> list[str]:
    """The types that a manifest declares; none of one that cannot be read, which motiond reports."""
    try:
        content: object = json.loads(file.read_text())
    except (OSError, ValueError):
        return []
    rows = cast("dict[str, object]", content).get("intentions") if isinstance(content, dict) else None
    listed = cast("list[object]", rows) if isinstance(rows, list) else []
    names = [cast("dict[str, object]", row).get("type") for row in listed if isinstance(row, dict)]
    return [name for name in names if isinstance(name, str)]
