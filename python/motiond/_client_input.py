"""Input: events of pointers, and named values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from ._arguments import flag_of, lanes_of, mapping_of, name_of, number_of, time_of, whole_of
from ._errors import PlanError
from ._proto import motion_pb2 as pb
from ._types_values import Lanes, Seconds, shown

#: Events, and values, of one message.
_MOST = 1024


@dataclass(frozen=True)
class PointerEvent:
    """An event of one pointer: of a finger from its down to its up. The functions `pointer_…` make them."""

    phase: pb.PointerEvent.Phase
    x: float
    y: float
    #: Distinguishes the pointers of the device.
    pointer: int = 0
    #: When it happened, in seconds of the boot clock (`time.clock_gettime(time.CLOCK_BOOTTIME)`); 0 is now.
    time: float = 0

    @property
    def is_down(self) -> bool:
        """Whether the pointer touches with this event."""
        return self.phase == pb.PointerEvent.PHASE_DOWN


def pointer_down(x: float, y: float, *, pointer: int = 0, time: Seconds = 0) -> PointerEvent:
    """The pointer touches, at a place in the units of the target's position."""
    return _event(pb.PointerEvent.PHASE_DOWN, x, y, pointer, time)


def pointer_move(x: float, y: float, *, pointer: int = 0, time: Seconds = 0) -> PointerEvent:
    """The pointer moves while it is down."""
    return _event(pb.PointerEvent.PHASE_MOVE, x, y, pointer, time)


def pointer_up(x: float, y: float, *, pointer: int = 0, time: Seconds = 0) -> PointerEvent:
    """The pointer lifts."""
    return _event(pb.PointerEvent.PHASE_UP, x, y, pointer, time)


def pointer_cancel(x: float = 0, y: float = 0, *, pointer: int = 0, time: Seconds = 0) -> PointerEvent:
    """The events since the pointer went down do not count."""
    return _event(pb.PointerEvent.PHASE_CANCEL, x, y, pointer, time)


def _event(phase: pb.PointerEvent.Phase, x: float, y: float, pointer: int, time: Seconds) -> PointerEvent:
    number = whole_of(pointer, "pointer", 0, 2**64 - 1)
    return PointerEvent(phase, number_of(x, "x"), number_of(y, "y"), number, time_of(time, "time"))


def encoded_events(events: Sequence[PointerEvent]) -> list[pb.PointerEvent]:
    """The events as they are sent."""
    is_list = isinstance(cast("object", events), Sequence)
    if not is_list or not all(isinstance(cast("object", event), PointerEvent) for event in events):
        remedy = "Give a list of them: point(target, [pointer_down(0, 0)])."
        raise PlanError(f"{shown(events)} are no events of pointers", remedy, field="events")
    _check(len(events))
    return [
        pb.PointerEvent(id=event.pointer, phase=event.phase, x=event.x, y=event.y, time=event.time) for event in events
    ]


def encoded_values(values: Mapping[str, Lanes | None], hold: bool, time: Seconds) -> list[pb.InputValue]:
    """The values as they are sent."""
    _check(len(mapping_of(values, "values")))
    seconds, is_held = time_of(time, "time"), flag_of(hold, "hold")
    return [
        pb.InputValue(name=name_of(name, "values"), lanes=lanes_of(value, name), time=seconds, hold=is_held)
        for name, value in values.items()
    ]


def _check(count: int) -> None:
    if not 1 <= count <= _MOST:
        raise PlanError(
            f"a message of input has 1 to {_MOST} events or values, not {count}", "Send several.", code="limit"
        )
