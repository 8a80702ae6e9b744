"""The fields of an intention, from the annotations and defaults of Python code."""

from __future__ import annotations

import keyword
import math
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from ._proto import motion_pb2 as pb
from ._worker_types import Field, Names, Reads, Reference, Shapes, Writes

#: Marks a field that has no default.
REQUIRED: Any = object()

_ACCESS = {Writes: "writes", Reads: "reads", Names: "names"}


class DeclarationError(TypeError):
    """An executor is declared in a way that motiond would not accept.

    `remedy` is what to change. `field` is the field or the argument at fault, if one is.
    """

    def __init__(self, message: str, remedy: str = "", *, field: str | None = None) -> None:
        super().__init__(f"{message}. {remedy}" if remedy else message)
        self.message: str = message
        self.remedy: str = remedy
        self.field: str | None = field


#: What to do about a plugin.json that is not what the program says.
STALE = "plugin.json is stale. Run python -m motiond manifest PROGRAM --write, and start motiond again"


class FieldError(ValueError):
    """A plan has a field that the executor cannot read; motiond's own checks prevent that."""


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A field of an intention: what a manifest says of it, and how its value is read."""

    name: str
    #: The names of the shapes, the usual one first, as in a manifest.
    accepts: tuple[str, ...]
    #: The default; ``REQUIRED`` without one, `None` if its absence has a meaning of its own.
    default: Any
    meta: Field
    choices: tuple[str, ...] = ()
    elements: tuple[str, ...] = ()
    access: str | None = None
    is_whole: bool = False
    is_column: bool = False

    @property
    def attribute(self) -> str:
        """Its name in Python: a word of the language has an underscore behind it."""
        return f"{self.name}_" if keyword.iskeyword(self.name) else self.name

    def read(self, fields: Mapping[str, pb.FieldValue]) -> Any:
        """The field's value in a plan, or its default."""
        given = fields.get(self.name)
        if given is None:
            if self.default is REQUIRED:
                raise FieldError(f"the field {self.name} is missing")
            return self.default
        shape = _SHAPES[given.WhichOneof("value") or ""]
        if shape not in self.accepts:
            raise FieldError(f"the field {self.name} is a {shape}, not {' or '.join(self.accepts)}")
        value = python_value(given)
        if self.is_whole:
            return round(value)
        if self.access == "writes":
            return Writes(value)
        if self.access == "reads":
            return Reads(value)
        return Names(value) if self.access == "names" else value


_SHAPES = {
    "number": "number",
    "vector": "vector",
    "text": "text",
    "flag": "flag",
    "duration": "duration",
    "property": "property",
    "choice": "enum",
    "list": "list",
    "reference": "reference",
    "": "nothing",
}


def python_value(value: pb.FieldValue, depth: int = 1) -> Any:
    """The value of a field in Python: a duration is seconds, a vector a tuple, a reference a ``Reference``."""
    match value.WhichOneof("value"):
        case "number":
            return value.number
        case "vector":
            return tuple(value.vector.lanes)
        case "text":
            return value.text
        case "flag":
            return value.flag
        case "duration":
            return value.duration.nanoseconds / 1e9 + value.duration.attoseconds / 1e18
        case "property":
            return value.property
        case "choice":
            return value.choice
        case "reference":
            return Reference(value.reference.target, value.reference.property)
        case "list" if depth <= 4:
            return [python_value(element, depth + 1) for element in value.list.elements]
        case _:
            raise FieldError("a field has no value, or lists that are nested too deep")


# ----------------------------------------------------------------------------------------------------- From annotations


def spec(name: str, annotation: Any, default: Any) -> FieldSpec:
    """The field that a parameter or attribute with this annotation and default declares.

    Raises ``DeclarationError`` if the annotation stands for no shape of fields.
    """
    if keyword.iskeyword(name.removesuffix("_")):
        name = name.removesuffix("_")
    if not (name.isascii() and name[:1].isalpha() and name not in ("type", "priority", "after") and len(name) <= 64):
        remedy = "Use letters, digits and _, but not type, priority, after."
        raise DeclarationError(f"{name!r} cannot name a field", remedy, field=name)
    meta = Field()
    shapes: tuple[str, ...] = ()
    is_optional = is_column = False
    if typing.get_origin(annotation) is typing.Annotated:
        annotation, *extras = typing.get_args(annotation)
        for extra in extras:
            if isinstance(extra, str):
                meta = Field(extra)
            elif isinstance(extra, Field):
                meta = extra
            elif isinstance(extra, Shapes):
                shapes = extra.names
                is_column = shapes != ("duration",) or annotation is not float
    if shapes:
        return FieldSpec(name, shapes, default, meta, is_column=is_column)
    options = _options(annotation)
    if type(None) in options:
        options = [option for option in options if option is not type(None)]
        is_optional = True
    if len(options) == 1 and typing.get_origin(options[0]) is typing.Annotated:
        return spec(name, options[0], None if default is REQUIRED else default)
    if is_optional and default is REQUIRED:
        default = None
    result = _of_options(name, options, default, meta)
    if result is None:
        raise DeclarationError(
            f"{name}: {annotation} stands for no shape of fields",
            "Use float, int, bool, str, Seconds, Value, a Literal, list[float], unions of these, Writes, Reads, Names "
            "or Reference.",
            field=name,
        )
    return result


def _options(annotation: Any) -> list[Any]:
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return list(typing.get_args(annotation))
    return [annotation]


def _of_options(name: str, options: list[Any], default: Any, meta: Field) -> FieldSpec | None:
    if len(options) == 1:
        only = options[0]
        if only in _ACCESS:
            return FieldSpec(name, ("property",), default, meta, access=_ACCESS[only])
        if only is Reference:
            return FieldSpec(name, ("reference",), default, meta)
        if only is int:
            return FieldSpec(name, ("number",), default, meta, is_whole=True)
    accepts = _shapes(options)
    choices = [str(word) for option in options if _is(option, Literal) for word in typing.get_args(option)]
    lists = [_shapes(_options(typing.get_args(option)[0])) for option in options if _is(option, list)]
    if not accepts or len(lists) > 1 or any(not set(elements) <= set(_PLAIN) or not elements for elements in lists):
        return None
    return FieldSpec(name, accepts, default, meta, choices=tuple(choices), elements=lists[0] if lists else ())


def _is(option: Any, origin: Any) -> bool:
    return typing.get_origin(option) is origin


#: The shapes that elements of lists have.
_PLAIN = ("number", "vector", "flag", "text", "duration")


def _shapes(options: list[Any]) -> tuple[str, ...]:
    """The shapes of types; nothing if one of them stands for none."""
    shapes: list[str] = []
    for option in options:
        if option is float or option is int:
            shapes.append("number")
        elif typing.get_origin(option) is tuple:
            shapes.append("vector")
        elif option is bool:
            shapes.append("flag")
        elif option is str:
            shapes.append("text")
        elif typing.get_origin(option) is typing.Annotated and Shapes(("duration",)) in typing.get_args(option):
            shapes.append("duration")
        elif _is(option, Literal):
            shapes.append("enum")
        elif _is(option, list):
            shapes.append("list")
        else:
            return ()
    return tuple(dict.fromkeys(shapes))


# ---------------------------------------------------------------------------------------------------- For plans emitted


def field_value(value: Any) -> pb.FieldValue:
    """A value of Python as that of a field: a tuple is a vector, a `timedelta` a duration.

    Raises `TypeError` for a value that no field has, and `ValueError` for a number that is not finite.
    """
    import datetime

    if isinstance(value, bool):
        return pb.FieldValue(flag=value)
    if isinstance(value, (int, float)):
        if not math.isfinite(value):
            raise ValueError(f"{value} is not a finite number")
        return pb.FieldValue(number=value)
    if isinstance(value, (Writes, Reads, Names)):
        return pb.FieldValue(property=str(value))
    if isinstance(value, datetime.timedelta):
        microseconds = value // datetime.timedelta(microseconds=1)
        return pb.FieldValue(duration=pb.Duration(nanoseconds=microseconds * 1000))
    if isinstance(value, Reference):
        return pb.FieldValue(reference=pb.PropertyReference(target=value.target, property=value.property))
    if isinstance(value, str):
        from ._worker_types import Choice

        return pb.FieldValue(choice=str(value)) if isinstance(value, Choice) else pb.FieldValue(text=value)
    if isinstance(value, tuple):
        numbers = [float(lane) for lane in cast("Iterable[float]", value)]
        return pb.FieldValue(vector=pb.FieldValue.Vector(lanes=numbers))
    if isinstance(value, list):
        elements = [field_value(element) for element in cast("Iterable[Any]", value)]
        return pb.FieldValue(list=pb.FieldValue.List(elements=elements))
    raise TypeError(f"{type(value).__name__} is not the value of any field")
