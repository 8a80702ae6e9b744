"""Checks of arguments before they are sent. Each returns the argument in the form that is sent, or raises `PlanError`
with the name of the argument and the remedy."""

from __future__ import annotations

import contextlib
import math
import os
import uuid
from collections.abc import Mapping
from datetime import timedelta
from numbers import Integral
from typing import TypeVar, cast

from ._errors import PlanError
from ._names import PROPERTY, PROPERTY_RULE, TARGET, TARGET_RULE, is_unicode
from ._types_values import DURATION, FLAGS, TEXT, elements_of, float_of, is_number, shown

T = TypeVar("T")

#: Bytes of the name of a plan or of a device.
_PLAIN = 128


def is_selector(target: str) -> bool:
    """Whether a text stands for several targets: a pattern, a group, or a list."""
    return any(character in target for character in "*?{,@")


def number_of(value: object, name: str) -> float:
    """A finite number."""
    if not is_number(value):
        raise PlanError(f"{name}: {shown(value)} is no number", "Use a number.", field=name)
    number = float_of(value)
    if not math.isfinite(number):
        raise PlanError(f"{name}: {number} is not a finite number", "Use a finite number.", field=name)
    return number


def whole_of(value: object, name: str, lowest: int, highest: int) -> int:
    """A whole number within bounds."""
    if type(value) is int and lowest <= value <= highest:
        return value
    if not is_number(value) or not isinstance(value, Integral):
        raise PlanError(f"{name}: {shown(value)} is no whole number", "Use a whole number, such as 1.", field=name)
    number = int(value)
    if not lowest <= number <= highest:
        remedy = f"Use a whole number from {lowest} to {highest}."
        raise PlanError(f"the {name} {number} is out of range", remedy, field=name)
    return number


def flag_of(value: object, name: str) -> bool:
    """True or False."""
    if not isinstance(value, FLAGS):
        raise PlanError(f"{name}: {shown(value)} is neither True nor False", "Use True or False.", field=name)
    return bool(value)


def time_of(value: object, name: str) -> float:
    """A point in time in seconds: a finite number, or a `timedelta`."""
    return value.total_seconds() if isinstance(value, timedelta) else number_of(value, name)


def seconds_of(value: object, name: str) -> float:
    """A length of time in seconds: not negative, and at most a hundred years."""
    if (type(value) is int or type(value) is float) and 0 <= value <= DURATION:
        return float(value)
    if not isinstance(value, timedelta) and not is_number(value):
        raise PlanError(f"{name}: {shown(value)} is no time", "Use seconds, or a timedelta.", field=name)
    seconds = value.total_seconds() if isinstance(value, timedelta) else float_of(value)
    if not 0 <= seconds <= DURATION:
        raise PlanError(
            f"{name}: {seconds} s is out of range", "Use 0 or more seconds, at most a hundred years.", field=name
        )
    return seconds


def timeout_of(value: object, name: str = "timeout") -> float:
    """How long a call waits, in seconds; infinity is no limit."""
    return math.inf if is_number(value) and value == math.inf else seconds_of(value, name)


def text_of(value: object, name: str, most: int = TEXT) -> str:
    """A text of at most so many bytes."""
    if isinstance(value, str) and value.isascii() and len(value) <= most:
        return value
    if not isinstance(value, str):
        raise PlanError(f"{name}: {shown(value)} is no text", "Use a text.", field=name)
    if not is_unicode(value):
        raise PlanError(f"{name}: {shown(value)} has half of a character", "Use a text in Unicode.", field=name)
    if len(value.encode()) > most:
        raise PlanError(f"{name}: the text is too long", f"Use at most {most} bytes of UTF-8.", field=name)
    return value


def label_of(value: object, name: str) -> str:
    """The name of a plan or of a device: any text of one line."""
    text = text_of(value, name)
    is_plain = 1 <= len(text.encode()) <= _PLAIN and all(c >= " " and c != "\x7f" for c in text)
    if not is_plain:
        raise PlanError(
            f"{name}: {shown(text)} is no name",
            f"Use 1 to {_PLAIN} bytes without control characters.",
            field=name,
            code="name",
        )
    return text


def name_of(value: object, name: str) -> str:
    """The name of one target, group, scene, list, cue or input."""
    if not isinstance(value, str) or not TARGET.fullmatch(value):
        raise PlanError(f"{name}: {shown(value)} is no name", f"{TARGET_RULE}.", field=name, code="name")
    return value


def target_of(value: object, name: str = "target") -> str:
    """A target, or a selector of several: motiond reads that."""
    if isinstance(value, str):
        if TARGET.fullmatch(value):
            return value
        if is_selector(value):
            return text_of(value, name)
    remedy = f'Name one, such as "ball": {TARGET_RULE[0].lower()}{TARGET_RULE[1:]}.'
    raise PlanError(f"{name}: {shown(value)} names no target", remedy, field=name, code="name")


def property_of(value: object, name: str = "property") -> str:
    """The name of a property of a target."""
    if not isinstance(value, str) or not PROPERTY.fullmatch(value):
        raise PlanError(
            f"{name}: {shown(value)} is no name of a property", f"{PROPERTY_RULE}.", field=name, code="name"
        )
    return value


def lanes_of(value: object, name: str) -> list[float]:
    """The lanes of a value, 1 to 4 numbers; none of None."""
    if value is None:
        return []
    value = elements_of(value)
    if isinstance(value, list):
        lanes = [number_of(lane, name) for lane in cast("list[object]", value)]
    else:
        lanes = [number_of(value, name)]
    if not 1 <= len(lanes) <= 4:
        raise PlanError(
            f"{name}: {len(lanes)} numbers are not 1 to 4 lanes", "Give one, or one for each lane.", field=name
        )
    return lanes


def path_of(value: object, name: str) -> str:
    """A path of a file."""
    if not isinstance(value, (str, os.PathLike)):
        raise PlanError(f"{name}: {shown(value)} is no path", "Use a text or a pathlib.Path.", field=name)
    return text_of(os.fspath(cast("str | os.PathLike[str]", value)), name)


def file_of(value: object, name: str) -> str:
    """The path of a file or a directory of this machine."""
    wrong = PlanError(f"{name}: {shown(value)} is no path", "Use a text or a pathlib.Path.", field=name)
    if not isinstance(value, (str, os.PathLike)):
        raise wrong
    path = os.fsdecode(cast("str | os.PathLike[str]", value))
    # A zero byte, or half of a character that stands for no byte, is in no name of a file.
    with contextlib.suppress(UnicodeEncodeError):
        if b"\0" not in os.fsencode(path):
            return path
    raise wrong


def dotted_of(value: object, name: str = "name") -> str:
    """The name of a property as `target.property`, also of one that is written with a slash."""
    if not isinstance(value, str):
        remedy = 'Use "target.property", such as "ball.position".'
        raise PlanError(f"{name}: {shown(value)} is no name of a property", remedy, field=name)
    return value.replace("/", ".")


def message_of(value: T, kind: type[T], name: str) -> T:
    """A message of the protocol."""
    if not isinstance(value, kind):
        remedy = f"Use motiond.messages.{kind.__name__}."
        raise PlanError(f"{name}: {shown(value)} is no {kind.__name__}", remedy, field=name)
    return value


def mapping_of(value: Mapping[str, T], name: str) -> Mapping[str, T]:
    """A dictionary."""
    if not isinstance(cast("object", value), Mapping):
        remedy = 'Give names with their values, such as {"fader.1": 0.5}.'
        raise PlanError(f"{name}: {shown(value)} is no dictionary", remedy, field=name)
    return value


def id_of(value: object) -> int | None:
    """The number of the id of a commit."""
    if value is None:
        return None
    if not isinstance(value, uuid.UUID):
        raise PlanError(f"id: {shown(value)} is no uuid.UUID", "Use uuid.uuid4().", field="id")
    if not value.int:
        raise PlanError("the id of a commit is never 0", "Use uuid.uuid4().", field="id")
    return value.int
