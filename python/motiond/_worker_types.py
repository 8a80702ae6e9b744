"""The values that executors receive and return."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from ._types_values import shown


class Frame(NamedTuple):
    """One step of simulated time."""

    #: From 1; numbers may be skipped.
    number: int
    #: The simulated time at its end, in seconds.
    time: float
    #: The simulated seconds since the executor's last frame, or since the frame's start.
    dt: float


class State(NamedTuple):
    """The value of a property and its velocity per second, with 1 to 4 lanes each."""

    value: tuple[float, ...]
    velocity: tuple[float, ...]


class Writes(str):
    """The name of a property of the plan's target that the plan writes."""


class Reads(str):
    """The name of a property of the plan's target that the plan reads."""


class Names(str):
    """The name of a property that the plan only names, for plans that it emits."""


class Choice(str):
    """One of the words that a field lists, in a plan that is emitted."""


class Reference(NamedTuple):
    """A property of any target."""

    target: str
    property: str


@dataclass(frozen=True, slots=True)
class Field:
    """What an annotation adds to the type of a field: ``Annotated[float, Field("How far.", range=(0, 1))]``.

    A text alone is its documentation: ``Annotated[float, "How far."]``.
    """

    #: The field's meaning, in a sentence.
    doc: str = ""
    #: The bounds of a number, of each lane, or of a duration in seconds; `None` for no bound.
    range: tuple[float | None, float | None] | None = None
    #: Whether the lower bound itself is outside.
    above: bool = False
    #: The unit of a number, for people.
    unit: str = ""
    #: The property field whose lanes the value has.
    lanes_of: str | None = None


@dataclass(frozen=True, slots=True)
class Shapes:
    """Marks a type as that of fields with these shapes; for the aliases below."""

    names: tuple[str, ...]


#: A field that is a length of time, in seconds.
Seconds: TypeAlias = Annotated[float, Shapes(("duration",))]
#: A field that is a number, or two to four lanes.
Value: TypeAlias = float | tuple[float, ...]

#: Fields of a column executor: one element (or row of lanes) for each plan.
Numbers: TypeAlias = Annotated[NDArray[np.float64], Shapes(("number",))]
#: Two to four lanes for each plan, or one: an array of the shape (plans, lanes of the property).
Values: TypeAlias = Annotated[NDArray[np.float64], Shapes(("number", "vector"))]
#: Lengths of time in seconds.
Durations: TypeAlias = Annotated[NDArray[np.float64], Shapes(("duration",))]
#: Flags.
Flags: TypeAlias = Annotated[NDArray[np.bool_], Shapes(("flag",))]
#: Texts.
Texts: TypeAlias = Annotated[NDArray[np.object_], Shapes(("text",))]

Kind: TypeAlias = Literal["standing", "one-shot", "manipulation", "output"]
Parts: TypeAlias = Literal["", "value", "velocity", "both"]

#: The bits of `imposes` in an update.
PARTS: dict[Parts, int] = {"": 0, "value": 1, "velocity": 2, "both": 3}


@dataclass(slots=True)
class Motion:
    """Where a property is at the end of the frame, with what a hand-over needs to know."""

    #: A number, or 1 to 4 lanes.
    value: float | Sequence[float]
    #: Per second, with the same lanes. Without it, it is derived from the values: exact for even motion, and half a
    #: frame late for other motion.
    velocity: float | Sequence[float] | None = None
    #: The seconds until the movement ends; 0 ends a one-shot. A hand-over blends no longer than that.
    remaining: float | None = None
    #: The seconds in which a hand-over blends out the old driver's velocity, if sooner than the difference in value.
    carry: float | None = None
    #: What the plan sets by itself, so that a hand-over does not blend it: a tween with `from` imposes the value.
    imposes: Parts = ""
    #: Whether no further frame is needed until something changes.
    rests: bool = False


#: What an executor returns for a frame: for its property a number, lanes or a ``Motion``; for several properties a
#: dictionary of those; `None` if it has nothing to do until something changes.
Result: TypeAlias = float | Sequence[float] | Motion | dict[str, Any] | None


class Pointer(NamedTuple):
    """An event of a finger, a pen or a mouse on the plan's target."""

    #: The device, and the number of the pointer on it.
    device: str
    id: int
    phase: Literal["down", "move", "up", "cancel"]
    #: In the units of the target's position.
    x: float
    y: float
    #: The simulated time, in seconds.
    time: float


#: What could be read as numbers, but has no order, or is text.
_NO_VALUES = (str, bytes, dict, set, frozenset)


def _numbers(value: object) -> tuple[float, ...] | None:
    """Several numbers, or one that is none of Python's own; `None` for anything else."""
    if isinstance(value, _NO_VALUES):
        return None
    try:
        return tuple(float(lane) for lane in cast("Iterable[float]", value))
    except (TypeError, ValueError):
        pass
    try:
        return (float(cast("float", value)),)
    except (TypeError, ValueError):
        return None


def lanes(value: object) -> tuple[float, ...]:
    """A value as 1 to 4 lanes.

    Raises `TypeError` for what is neither a number nor 1 to 4 of them.
    """
    if isinstance(value, (int, float)):
        return (float(value),)
    numbers = _numbers(value)
    if numbers is None:
        raise TypeError(f"{shown(value)} is no value: return a number, or 1 to 4 of them")
    if not 1 <= len(numbers) <= 4:
        raise TypeError(f"a value has 1 to 4 lanes, not {len(numbers)}")
    return numbers
