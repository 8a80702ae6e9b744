"""Encodes a Python value as the value of a field, by the description of the field."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from numbers import Real
from typing import Union, cast

import numpy as np
from numpy.typing import NDArray

from ._errors import PlanError
from ._names import PROPERTY, PROPERTY_RULE, TARGET, TARGET_RULE, is_unicode
from ._proto import motion_pb2 as pb

#: Bounds of docs/protocol.md, Limits and Messages.
MAGNITUDE, DURATION, TEXT, ELEMENTS, NESTING, LANES = 1e100, 3_155_760_000.0, 16_384, 4096, 4, 4


@dataclass(frozen=True)
class Property:
    """A property of any target, as the value of a field: `Property("ball", "position")`."""

    target: str
    property: str

    def __str__(self) -> str:
        return f"{self.target}.{self.property}"

    @classmethod
    def parse(cls, text: str) -> Property:
        """Reads `target.property` or `target/property`. Names of properties have no dots: the last one separates."""
        remedy = 'Write "target.property", such as "ball.position".'
        if not isinstance(cast("object", text), str):
            raise PlanError(f"{shown(text)} names no property", remedy, field="property")
        separator = "/" if "/" in text else "."
        target, found, name = text.rpartition(separator)
        if not found or not target or not name:
            raise PlanError(f"{text!r} names no property", remedy, field="property")
        return cls(target, name)

    @classmethod
    def of(cls, value: str | Property) -> Property:
        """The property itself, or the one that a text names."""
        return value if isinstance(value, Property) else cls.parse(value)


@dataclass(frozen=True)
class Spread:
    """Values that lie evenly between two, over the targets of a selector: see `spread`."""

    first: Single
    last: Single


Lanes = Union[float, Sequence[float], "NDArray[np.floating]"]
Single = Union[
    float,
    str,
    bool,
    timedelta,
    Property,
    Sequence["float | str | Sequence[float] | NDArray[np.floating]"],
    "NDArray[np.floating]",
    None,
]
Value = Union[Single, Spread]
Seconds = Union[float, timedelta]

#: The classes of values, in tuples whose types are not looked into: numpy's have parameters that mean nothing here.
FLAGS: tuple[type, ...] = (bool, np.bool_)
_NUMBERS: tuple[type, ...] = (float, int, Real)
#: A length of time of numpy is a whole number for numpy, but converts to none.
_NO_NUMBERS: tuple[type, ...] = (*FLAGS, np.timedelta64)
_SEQUENCES: tuple[type, ...] = (Sequence, np.ndarray)

_WORDS: dict[int, str] = {
    pb.FIELD_SHAPE_NUMBER: "a number",
    pb.FIELD_SHAPE_VECTOR: "a vector of 2 to 4 numbers",
    pb.FIELD_SHAPE_TEXT: "a text",
    pb.FIELD_SHAPE_FLAG: "True or False",
    pb.FIELD_SHAPE_DURATION: "a duration (seconds, or a timedelta)",
    pb.FIELD_SHAPE_PROPERTY: "the name of a property",
    pb.FIELD_SHAPE_CHOICE: "one of the choices",
    pb.FIELD_SHAPE_LIST: "a list",
    pb.FIELD_SHAPE_REFERENCE: 'a property "target.property"',
}


def spread(first: Single, last: Single) -> Spread:
    """A value for each target of a selector: `first` for the first target, `last` for the last one, those between
    evenly spaced. Numbers, vectors and durations can be spread.

        spring("lamp*.level", spread(0, 1))
    """
    return Spread(first, last)


class FieldEncoder:
    """Encodes the values of one field of a type."""

    def __init__(self, type: str, field: pb.FieldDescription) -> None:
        self.field: pb.FieldDescription = field
        self._type = type
        self._accepts = list(field.accepts)
        self._elements = list(field.elements)
        bounds = field.bounds if field.HasField("bounds") else None
        self._lowest = bounds.lowest if bounds is not None and bounds.HasField("lowest") else -math.inf
        self._highest = bounds.highest if bounds is not None and bounds.HasField("highest") else math.inf
        self._excludes_lowest = field.excludes_lower_bound

    @property
    def summary(self) -> str:
        """What it takes, and its meaning."""
        shapes = " or ".join(_WORDS.get(shape, "another value") for shape in self._accepts)
        choices = f" ({', '.join(self.field.choices)})" if self.field.choices else ""
        return f"{shapes}{choices}. {self.field.documentation}"

    def encode(self, value: object) -> pb.FieldValue:
        """The value as motiond takes it. Raises `PlanError` if it has the wrong shape or size."""
        return self._encode(value, self._accepts, 0)

    # ----------------------------------------------------------------------------------------------------------- steps

    def _encode(self, value: object, accepts: Sequence[int], depth: int) -> pb.FieldValue:
        # In order of frequency; a bool is a number in Python, but not here.
        if isinstance(value, FLAGS):
            if pb.FIELD_SHAPE_FLAG in accepts:
                return pb.FieldValue(flag=bool(value))
        elif is_number(value):
            if pb.FIELD_SHAPE_NUMBER in accepts:
                return pb.FieldValue(number=self._number(float_of(value)))
            if pb.FIELD_SHAPE_DURATION in accepts:
                return self._duration(float_of(value))
        elif isinstance(value, str):
            encoded = self._text(value, accepts)
            if encoded is not None:
                return encoded
        elif isinstance(value, timedelta):
            if pb.FIELD_SHAPE_DURATION in accepts:
                return self._duration(value.total_seconds())
        elif isinstance(value, Property):
            if pb.FIELD_SHAPE_REFERENCE in accepts:
                return self._reference(value)
        elif isinstance(elements := elements_of(value), list):
            encoded = self._several(cast("list[object]", elements), accepts, depth)
            if encoded is not None:
                return encoded
        elif elements is not value:
            return self._encode(elements, accepts, depth)
        words = " or ".join(_WORDS.get(shape, "another value") for shape in accepts)
        raise self._error(f"{shown(value)} is not accepted here", f"Use {words}.")

    def _number(self, number: float) -> float:
        if not math.isfinite(number):
            raise self._error(f"{number} is not a finite number", "Use a finite number.")
        self._check_range(number, f"{number:g}")
        if abs(number) > MAGNITUDE:
            raise self._error(f"{number:g} is too large", f"Use a number from -{MAGNITUDE:g} to {MAGNITUDE:g}.")
        return number

    def _check_range(self, number: float, shown: str) -> None:
        is_low = number <= self._lowest if self._excludes_lowest else number < self._lowest
        if is_low or number > self._highest:
            bounds: list[str] = []
            if self._lowest > -math.inf:
                bounds.append(f"{'above' if self._excludes_lowest else 'of at least'} {self._lowest:g}")
            if self._highest < 1e300:
                bounds.append(f"of at most {self._highest:g}")
            raise self._error(f"{shown} is out of range", f"Use a number {' and '.join(bounds)}.")

    def _duration(self, seconds: float) -> pb.FieldValue:
        if not math.isfinite(seconds) or abs(seconds) > DURATION:
            raise self._error(f"{seconds} s is no duration", "Use at most a hundred years, in seconds.")
        self._check_range(seconds, f"{seconds:g} s")
        return pb.FieldValue(duration=pb.Duration(nanoseconds=round(seconds * 1e9)))

    def _text(self, text: str, accepts: Sequence[int]) -> pb.FieldValue | None:
        if pb.FIELD_SHAPE_CHOICE in accepts and (text in self.field.choices or len(accepts) == 1):
            if text not in self.field.choices:
                raise self._error(f"{text!r} is no choice", f"The choices are {', '.join(self.field.choices)}.")
            return pb.FieldValue(choice=text)
        if pb.FIELD_SHAPE_PROPERTY in accepts:
            if not PROPERTY.fullmatch(text):
                raise self._error(f"{shown(text)} is no name of a property", f"{PROPERTY_RULE}.", code="name")
            return pb.FieldValue(property=text)
        if pb.FIELD_SHAPE_REFERENCE in accepts:
            return self._reference(self._parsed(text))
        if not is_unicode(text):
            raise self._error(f"{shown(text)} has half of a character", "Use a text in Unicode.")
        if pb.FIELD_SHAPE_TEXT in accepts:
            if len(text.encode()) > TEXT:
                raise self._error("the text is too long", f"Use at most {TEXT} bytes.")
            return pb.FieldValue(text=text)
        if pb.FIELD_SHAPE_CHOICE in accepts:
            raise self._error(f"{text!r} is no choice", f"The choices are {', '.join(self.field.choices)}.")
        return None

    def _parsed(self, text: str) -> Property:
        try:
            return Property.parse(text)
        except PlanError as error:
            raise self._error(error.message, error.remedy) from None

    def _reference(self, place: Property) -> pb.FieldValue:
        for name, rule, words in ((place.target, TARGET, TARGET_RULE), (place.property, PROPERTY, PROPERTY_RULE)):
            if not rule.fullmatch(name):
                raise self._error(f"{shown(str(place))} names no property: {shown(name)}", f"{words}.", code="name")
        return pb.FieldValue(reference=pb.PropertyReference(target=place.target, property=place.property))

    def _several(self, values: list[object], accepts: Sequence[int], depth: int) -> pb.FieldValue | None:
        are_numbers = all(map(is_number, values))
        if are_numbers and pb.FIELD_SHAPE_VECTOR in accepts and 2 <= len(values) <= LANES:
            return pb.FieldValue(vector=pb.FieldValue.Vector(lanes=[self._number(float_of(value)) for value in values]))
        if are_numbers and pb.FIELD_SHAPE_NUMBER in accepts and len(values) == 1:
            return pb.FieldValue(number=self._number(float_of(values[0])))
        if pb.FIELD_SHAPE_LIST not in accepts:
            return None
        if len(values) > ELEMENTS or depth >= NESTING:
            raise self._error(
                "the list is too long or too deep", f"Lists hold at most {ELEMENTS} elements, and lie {NESTING} deep."
            )
        inner = self._elements or list(_WORDS)
        elements = [self._encode(value, inner, depth + 1) for value in values]
        return pb.FieldValue(list=pb.FieldValue.List(elements=elements))

    def _error(self, message: str, remedy: str, code: str = "value") -> PlanError:
        name = self.field.name
        return PlanError(f"{self._type}.{name}: {message}", remedy, field=name, code=code)


def is_number(value: object) -> bool:
    """Whether a value is a real number; True and False are none."""
    return isinstance(value, _NUMBERS) and not isinstance(value, _NO_NUMBERS)


def float_of(value: object) -> float:
    """A number as a float, infinity if it is too large for one."""
    try:
        return float(value)  # pyright: ignore[reportArgumentType]
    except OverflowError:
        return math.inf


def elements_of(value: object) -> object:
    """The list of a sequence, the number of an array without dimensions, or the value itself."""
    if isinstance(value, (tuple, list)):
        return list(cast("Sequence[object]", value))
    if isinstance(value, np.ndarray) and not value.ndim:
        return cast("object", value.item())
    if isinstance(value, _SEQUENCES) and not isinstance(value, (str, bytes, bytearray, memoryview)):
        return list(cast("Sequence[object]", value))
    return cast("object", value)


def shown(value: object) -> str:
    """A value for messages, shortened."""
    text = repr(value)
    return text if len(text) <= 64 else text[:61] + "..."
