"""A plan as its executor sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from ._link_parts import Identity, identity_of
from ._proto import motion_pb2 as pb
from ._worker_types import Frame, Reference, State

if TYPE_CHECKING:
    from ._worker_runs import Run


class PlanHost(Protocol):
    """What a plan asks of the executor that it belongs to."""

    target: str

    def state(self, reference: Reference) -> State | None: ...
    def emit(self, run: Run, intention: pb.Intention, ordinal: int, name: str | None) -> None: ...
    def hold(self, run: Run, properties: tuple[str, ...], token: str, is_relative: bool) -> None: ...
    def release(self, run: Run, token: str) -> None: ...
    def wake(self, run: Run) -> None: ...


def state_of(message: pb.PropertyState) -> State:
    """The value and velocity that a message carries."""
    return State(tuple(message.value), tuple(message.velocity))


class Plan:
    """An intention that an executor fulfils on a target, from its start to its end."""

    def __init__(self, planned: pb.PlannedIntention, host: PlanHost) -> None:
        self._host = host
        self._run: Run | None = None
        self._message = planned.identity
        self._intention = planned.intention
        #: Identifies the plan in all processes.
        self.identity: Identity = identity_of(planned.identity)
        #: The type of the intention.
        self.type: str = planned.intention.type
        #: The target on which it acts.
        self.target: str = host.target
        #: The name it was added under, if any.
        self.name: str | None = planned.name if planned.HasField("name") else None
        #: The simulated time at which it began, in seconds: in the past, if a worker restarts in the middle of it.
        self.start_time: float = planned.start_time
        #: The frame in progress.
        self.frame = Frame(planned.start_frame, planned.start_time, 0.0)
        self._starts = {start.property: state_of(start.state) for start in planned.starts}

    def __repr__(self) -> str:
        return f"<{self.type} on {self.target}>"

    @property
    def elapsed(self) -> float:
        """The seconds since it began, at the end of the frame. Compute from this; frames may be skipped."""
        return self.frame.time - self.start_time

    @property
    def properties(self) -> tuple[str, ...]:
        """The properties that it writes."""
        return tuple(self._starts)

    def start(self, name: str | None = None) -> State:
        """The state of a property when the plan began; of its only or first one without a name.

        Raises `KeyError` if the plan does not write it.
        """
        return self._starts[next(iter(self._starts)) if name is None else str(name)]

    def state(self, place: str | Reference | None = None) -> State | None:
        """The present state of a property that the plan writes or reads; `None` if there is none."""
        if place is None:
            place = next(iter(self._starts))
        return self._host.state(place if isinstance(place, Reference) else Reference(self.target, str(place)))

    def finish(self) -> None:
        """Ends the plan as fulfilled, after the values of this frame."""
        if self._run is not None:
            self._run.is_finished = True
            self._host.wake(self._run)

    def wake(self) -> None:
        """Asks for the next frame, after ``update`` had returned `None`."""
        if self._run is not None:
            self._host.wake(self._run)

    def emit(
        self, type: str, fields: Mapping[str, Any] | None = None, *, ordinal: int, name: str | None = None
    ) -> None:
        """Adds another plan to the target on behalf of this one, as its `ordinal`-th.

        The same ordinal again does nothing, so that a restarted executor may emit again. Children are removed with
        their parent.
        """
        from ._worker_fields import field_value

        intention = pb.Intention(
            type=type,
            fields=[pb.Field(name=key, value=field_value(value)) for key, value in (fields or {}).items()],
        )
        if self._run is not None:
            self._host.emit(self._run, intention, ordinal, name)

    def hold(self, *properties: str, token: str = "hold", relative: bool = True) -> None:
        """Takes hold of properties, of a manipulation: it drives them over every other movement until the release.

        `token` names what it does, as inspection shows it. With `relative`, the values count from the property's value
        at this moment, as those of a drag do; the movement of the property until motiond receives the start is then
        added to them.
        """
        if self._run is not None:
            self._host.hold(self._run, tuple(map(str, properties or self.properties)), token, relative)

    def release(self, token: str = "hold") -> None:
        """Lets go of what it holds under this token."""
        if self._run is not None:
            self._host.release(self._run, token)

    # --------------------------------------------------------------------------------------------------- For the worker

    def attach(self, run: Run | None) -> None:
        """Connects the plan with what fulfils it."""
        self._run = run

    def begins(self, frame: Frame) -> bool:
        """Whether a frame is one of its first: a worker that takes over in the middle begins in a later one."""
        return frame.time - self.start_time <= max(0.1, 2 * frame.dt)

    @property
    def intention(self) -> pb.Intention:
        """Its type and fields, as they were committed."""
        return self._intention

    @property
    def message(self) -> pb.IntentionIdentity:
        """Its identity for events."""
        return self._message
