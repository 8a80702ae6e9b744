"""Input: events of pointers, and named values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ._client_transaction import lanes_of
from ._errors import PlanError
from ._proto import motion_pb2 as pb
from ._types_values import Lanes

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


def pointer_down(x: float, y: float, *, pointer: int = 0, time: float = 0) -> PointerEvent:
    """The pointer touches, at a place in the units of the target's position."""
    return PointerEvent(pb.PointerEvent.PHASE_DOWN, x, y, pointer, time)


def pointer_move(x: float, y: float, *, pointer: int = 0, time: float = 0) -> PointerEvent:
    """The pointer moves while it is down."""
    return PointerEvent(pb.PointerEvent.PHASE_MOVE, x, y, pointer, time)


def pointer_up(x: float, y: float, *, pointer: int = 0, time: float = 0) -> PointerEvent:
    """The pointer lifts."""
    return PointerEvent(pb.PointerEvent.PHASE_UP, x, y, pointer, time)


def pointer_cancel(x: float = 0, y: float = 0, *, pointer: int = 0, time: float = 0) -> PointerEvent:
    """The events since the pointer went down do not count."""
    return PointerEvent(pb.PointerEvent.PHASE_CANCEL, x, y, pointer, time)


def encoded_events(events: Sequence[PointerEvent]) -> list[pb.PointerEvent]:
    """The events as they are sent."""
    _check(len(events))
    return [
        pb.PointerEvent(id=event.pointer, phase=event.phase, x=event.x, y=event.y, time=event.time) for event in events
    ]


def encoded_values(values: Mapping[str, Lanes | None], hold: bool, time: float) -> list[pb.InputValue]:
    """The values as they are sent."""
    _check(len(values))
    return [
        pb.InputValue(name=name, lanes=lanes_of(value, name), time=time, hold=hold) for name, value in values.items()
    ]


def _check(count: int) -> None:
    if not 1 <= count <= _MOST:
        raise PlanError(
            f"a message of input has 1 to {_MOST} events or values, not {count}", "Send several.", code="limit"
        )
