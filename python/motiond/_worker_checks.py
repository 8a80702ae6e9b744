"""Checks what a program declares by the rules of motiond, so that the error is where the declaration is."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeGuard, cast

import numpy as np

from ._errors import PlanError
from ._names import PLUGIN, PLUGIN_RULE, PROPERTY, PROPERTY_RULE, is_unicode
from ._proto import motion_pb2 as pb
from ._types_values import FieldEncoder, Property, float_of, is_number, shown
from ._worker_fields import REQUIRED, DeclarationError, FieldSpec
from ._worker_types import Reference

if TYPE_CHECKING:
    from ._worker_declarations import Declaration

#: Fields of a type, and groups of them; choices of a field; arguments of a program.
_MOST_FIELDS, _MOST_CHOICES, _MOST_ARGUMENTS = 64, 4096, 64
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
#: The limits of a worker with their ranges (docs/plugins.md).
_LIMITS = {
    "memoryMiB": (64, 16 << 20),
    "descriptors": (32, 1_048_576),
    "processes": (1, 4_194_304),
    "coreMiB": (0, 1 << 20),
    "niceness": (0, 19),
    "cpuWeight": (1, 10_000),
}

_SHAPES = {
    "number": pb.FIELD_SHAPE_NUMBER,
    "vector": pb.FIELD_SHAPE_VECTOR,
    "text": pb.FIELD_SHAPE_TEXT,
    "flag": pb.FIELD_SHAPE_FLAG,
    "duration": pb.FIELD_SHAPE_DURATION,
    "property": pb.FIELD_SHAPE_PROPERTY,
    "enum": pb.FIELD_SHAPE_CHOICE,
    "list": pb.FIELD_SHAPE_LIST,
    "reference": pb.FIELD_SHAPE_REFERENCE,
}


def checked_fields(about: Declaration) -> tuple[FieldSpec, ...]:
    """The fields of a type, with defaults in the form that plans have: a `timedelta` becomes seconds.

    Raises `DeclarationError` for one that motiond would refuse.
    """
    type = about.type
    if len(about.fields) > _MOST_FIELDS:
        raise DeclarationError(f"{type}: {len(about.fields)} fields are too many", f"Declare at most {_MOST_FIELDS}.")
    owners = [field.name for field in about.fields if "property" in field.accepts]
    for argument, names in (("writes", about.writes), ("reads", about.reads)):
        for name in names:
            if not _is_property(name):
                problem = f"{type}: {shown(name)} is no name of a property"
                raise DeclarationError(problem, f"{PROPERTY_RULE}.", field=argument)
    return tuple(_checked(type, field, owners) for field in about.fields)


def _checked(type: str, field: FieldSpec, owners: Sequence[str]) -> FieldSpec:
    meta, place = field.meta, f"{type}.{field.name}"
    for text in (meta.doc, meta.unit, *field.choices):
        if not isinstance(cast("object", text), str) or not is_unicode(text):
            remedy = "Its documentation, its unit and its choices are texts in Unicode."
            raise DeclarationError(f"{place}: {shown(text)} is no text", remedy, field=field.name)
    if len(field.choices) > _MOST_CHOICES:
        remedy = f"List at most {_MOST_CHOICES}, or take a str."
        raise DeclarationError(f"{place}: {len(field.choices)} choices are too many", remedy, field=field.name)
    if meta.lanes_of is not None and meta.lanes_of not in owners:
        known = f"Name one of {', '.join(owners)}." if owners else "Declare one as Writes, Reads or Names."
        problem = f"{place}: lanes_of={shown(meta.lanes_of)} is no property field of {type}"
        raise DeclarationError(problem, known, field=field.name)
    bounds = _bounds(place, field)
    if field.default is REQUIRED or field.default is None:
        return field
    default = _plain(field.default)
    description = pb.FieldDescription(
        name=field.name,
        accepts=[_SHAPES[shape] for shape in field.accepts],
        elements=[_SHAPES[shape] for shape in field.elements],
        choices=field.choices,
        excludes_lower_bound=meta.above,
        bounds=bounds,
    )
    try:
        encoded = FieldEncoder(type, description).encode(default)
    except PlanError as error:
        raise DeclarationError(f"{error.message}, as the default", error.remedy, field=field.name) from error
    if isinstance(default, Property):
        default = Reference(default.target, default.property)
    elif encoded.WhichOneof("value") == "reference":
        default = Reference(encoded.reference.target, encoded.reference.property)
    return dataclasses.replace(field, default=default)


def _bounds(place: str, field: FieldSpec) -> pb.FieldDescription.Bounds | None:
    if field.meta.range is None:
        return None
    ends = cast("object", field.meta.range)
    if isinstance(ends, (tuple, list)) and all(map(_is_bound, cast("Sequence[object]", ends))):
        bounds = cast("Sequence[float | None]", ends)
        if len(bounds) == 2 and (bounds[0] is None or bounds[1] is None or bounds[0] <= bounds[1]):
            return pb.FieldDescription.Bounds(lowest=bounds[0], highest=bounds[1])
    raise DeclarationError(
        f"{place}: {shown(field.meta.range)} is no range",
        "Write (lowest, highest): numbers, seconds for a duration, None where there is no bound.",
        field=field.name,
    )


def _is_bound(value: object) -> bool:
    return value is None or isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_property(name: object) -> bool:
    return isinstance(name, str) and PROPERTY.fullmatch(name) is not None


def _plain(value: Any) -> Any:
    """A default without classes that only Python has."""
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Reference):
        return Property(value.target, value.property)
    if isinstance(value, np.ndarray):
        return _plain(value.item()) if not value.ndim else tuple(cast("list[object]", value.tolist()))
    if isinstance(value, np.generic):
        return cast("object", value.item())
    if isinstance(value, (list, tuple)):
        elements = [_plain(element) for element in cast("Iterable[object]", value)]
        return elements if isinstance(value, list) else tuple(elements)
    return value


# ------------------------------------------------------------------------------------------------------- Of arguments


def names_of(names: object, argument: str) -> tuple[Any, ...]:
    """The elements of a list of names. Raises `DeclarationError` for a text, whose characters would be the names."""
    text = shown(names)
    if isinstance(names, (str, bytes, Mapping)) or not isinstance(names, Iterable):
        remedy = f"Write a list, such as {argument}=[{text if isinstance(names, str) else repr('name')}]."
        raise DeclarationError(f"{argument}: {text} is no list", remedy, field=argument)
    return tuple(cast("Iterable[Any]", names))


def groups_of(groups: object, argument: str) -> tuple[tuple[Any, ...], ...]:
    """Lists of names. Raises `DeclarationError` for anything else."""
    return tuple(names_of(group, argument) for group in names_of(groups, argument))


def doc_of(doc: object, argument: str = "doc") -> str:
    """A text, empty without one. Raises `DeclarationError` for anything else, and for half of a character."""
    if doc is not None and (not isinstance(doc, str) or not is_unicode(doc)):
        raise DeclarationError(f"{argument}: {shown(doc)} is no text", "Use a text in Unicode.", field=argument)
    return doc or ""


def initial_of(number: object) -> float:
    """The first element of a column. Raises `DeclarationError` for what is no number."""
    if not isinstance(number, bool) and not is_number(number):
        raise DeclarationError(f"initial: {shown(number)} is no number", "Use a number.", field="initial")
    return float_of(number)


def width_of(width: object) -> int | None:
    """The elements of a row of a column. Raises `DeclarationError` for what is no number of them."""
    if width is not None and not (_is_whole(width) and width >= 1):
        problem = f"width: {shown(width)} is no number of elements"
        raise DeclarationError(problem, "Use 1 or more, or None for one number.", field="width")
    return width


# ------------------------------------------------------------------------------------------------------- Of all types


def check_beside(made: Declaration, others: Sequence[Declaration]) -> None:
    """Raises `DeclarationError` if a type cannot be declared beside others of its program."""
    for other in others:
        if made.type == other.type:
            raise DeclarationError(f"{made.type} is declared twice", "Give one of them another type.", field="type")
        if made.executor == other.executor and (made.kind == "manipulation") != (other.kind == "manipulation"):
            raise DeclarationError(
                f"{made.type} and {other.type} share the executor {made.executor}, and only one is a manipulation",
                "Give one of them an executor of its own.",
                field="executor",
            )


def check_settings(settings: Mapping[str, Any]) -> None:
    """Raises `DeclarationError` for what motiond would refuse in a manifest beside its types."""
    name = settings.get("name")
    if name is not None and not (isinstance(name, str) and PLUGIN.fullmatch(name)):
        raise DeclarationError(f"{shown(name)} is no name of a plugin", f"{PLUGIN_RULE}.", field="name")
    instances = settings["instances"]
    if not (_is_whole(instances) and 1 <= instances <= 16):
        problem = f"instances: {shown(instances)} is out of range"
        raise DeclarationError(problem, "Use 1 to 16 processes.", field="instances")
    if settings["on_lost"] not in ("hold", "rest"):
        problem = f"on_lost: {shown(settings['on_lost'])} is no choice"
        raise DeclarationError(problem, 'Use "hold" or "rest".', field="on_lost")
    _check_limits(settings["limits"])
    for key in ("arguments", "environment"):
        for text in settings[key]:
            if not isinstance(text, str) or not is_unicode(text) or "\0" in text:
                problem = f"{key}: {shown(text)} cannot be passed to a program"
                raise DeclarationError(problem, "Use a text without zero bytes.", field=key)
        if len(settings[key]) > _MOST_ARGUMENTS:
            problem = f"{key}: {len(settings[key])} are too many"
            raise DeclarationError(problem, f"Use at most {_MOST_ARGUMENTS}.", field=key)
    for name in settings["environment"]:
        if not _VARIABLE.fullmatch(name) or name.startswith("MOTION_"):
            remedy = "Use names of variables; those that begin with MOTION_ are set in any case."
            raise DeclarationError(f"environment: {shown(name)} cannot be passed on", remedy, field="environment")


def _check_limits(limits: object) -> None:
    known = f"The limits are {', '.join(_LIMITS)}."
    if not isinstance(limits, Mapping):
        raise DeclarationError(f"limits: {shown(limits)} is no dictionary", known, field="limits")
    for name, value in cast("Mapping[object, object]", limits).items():
        if not isinstance(name, str) or name not in _LIMITS:
            raise DeclarationError(f"limits: there is no limit {shown(name)}", known, field="limits")
        lowest, highest = _LIMITS[name]
        if not _is_whole(value) or not lowest <= value <= highest:
            remedy = f"Use a whole number from {lowest} to {highest}."
            raise DeclarationError(f"limits: {name} = {shown(value)} is out of range", remedy, field="limits")


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
