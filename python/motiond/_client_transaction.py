"""Operations of a transaction beside plans: remove, forget, limit, group, scene, recall, and lists of cues."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Union

import numpy as np

from ._client_plan import Plan, is_selector, seconds_of
from ._errors import PlanError
from ._proto import motion_pb2 as pb
from ._types import TypeCatalog
from ._types_values import Lanes, Property, Seconds

#: Operations of one transaction, as motiond allows.
MOST_OPERATIONS = 100_000


class Operation:
    """One operation of a transaction, other than a plan. The functions of this module make them."""

    __slots__ = ("_message",)

    def __init__(self, message: pb.Operation) -> None:
        self._message = message

    def operation(self) -> pb.Operation:
        """The operation as it is sent."""
        return self._message

    def __repr__(self) -> str:
        return f"<operation {self._message.WhichOneof('operation')}>"


class Cue:
    """A cue of a list: see `cue`."""

    __slots__ = ("message", "plans")

    def __init__(self, message: pb.Operation.CueList.Cue, plans: list[Plan | Operation]) -> None:
        self.message = message
        self.plans = plans


class CueList(Operation):
    """A list of cues, whose plans are checked when it is committed."""

    __slots__ = ("cues",)

    def __init__(self, message: pb.Operation, cues: list[Cue]) -> None:
        super().__init__(message)
        self.cues = cues

    def operation(self) -> pb.Operation:
        message = pb.Operation()
        message.CopyFrom(self._message)
        for cue in self.cues:
            row = message.cues.cues.add()
            row.CopyFrom(cue.message)
            row.operations.extend(operation.operation() for operation in cue.plans)
        return message


Step = Union[Plan, Operation]


def remove(name: str, target: str) -> Operation:
    """Removes the plan of this name from a target, or from all of a selector. Without such a plan nothing happens."""
    operation = pb.Operation(remove=pb.Operation.Remove(named=name))
    return _on(operation, target, lambda: setattr(operation.remove, "from", target))


def remove_plan(identity: pb.IntentionIdentity, target: str) -> Operation:
    """Removes the plan of an identity, which queries return, named or not."""
    operation = pb.Operation(remove_plan=pb.Operation.RemovePlan(identity=identity))
    setattr(operation.remove_plan, "from", target)
    return Operation(operation)


def forget(target: str) -> Operation:
    """Forgets a target, or all of a selector: plans and properties."""
    operation = pb.Operation(forget="")
    return _on(operation, target, lambda: setattr(operation, "forget", target))


def limit(
    property: str | Property,
    *,
    lower: Lanes | None = None,
    upper: Lanes | None = None,
    velocity: Lanes | None = None,
    acceleration: Lanes | None = None,
    jerk: Lanes | None = None,
    none: bool = False,
    on_lost: tuple[Lanes | None, Seconds] | None = None,
) -> Operation:
    """Sets the limits of a property, `"target.property"`, whatever drives it; they replace all former ones.

    Each is a number for all lanes, or one for each lane, and does not apply if it is absent. A range has both ends.
    `none` removes all limits, also the natural range. `on_lost` is where the property goes when the worker that moves
    it is lost, and in how many seconds; None as the value lets it stay.
    """
    if (lower is None) != (upper is None):
        raise PlanError("a range has a lower and an upper end", "Give both, or none.", field="lower")
    place = _property(property)
    setting = pb.LimitSetting(
        none=none,
        lower=lanes_of(lower, "lower"),
        upper=lanes_of(upper, "upper"),
        velocity=lanes_of(velocity, "velocity"),
        acceleration=lanes_of(acceleration, "acceleration"),
        jerk=lanes_of(jerk, "jerk"),
    )
    if on_lost is not None:
        value, seconds = on_lost
        setting.on_lost.value.extend(lanes_of(value, "on_lost"))
        setting.on_lost.seconds = seconds_of(seconds, "on_lost")
    operation = pb.Operation(limit=pb.Operation.Limit(property=place.property, setting=setting))
    return _on(operation, place.target, lambda: setattr(operation.limit, "on", place.target))


def group(name: str, *members: str) -> Operation:
    """Sets the members of a group, which replace all former ones; `@name` stands for them. Without members, it is
    gone."""
    operation = pb.Operation(group=pb.Operation.Group(name=name))
    if any(map(is_selector, members)):
        operation.each = ",".join(members)
    else:
        operation.group.members.extend(members)
    return Operation(operation)


def scene(name: str, *targets: str) -> Operation:
    """Saves the present state of targets, or of selectors, as a scene. Without targets, the scene is gone."""
    operation = pb.Operation(scene=pb.Operation.Scene(name=name))
    if targets:
        operation.each = ",".join(targets)
    return Operation(operation)


def recall(scene: str, seconds: Seconds | None = None) -> Operation:
    """Recalls a scene: its properties go there by springs, or by tweens within so many seconds; with 0 at once."""
    message = pb.Operation.Recall(scene=scene)
    if seconds is not None:
        message.seconds = seconds_of(seconds, "seconds")
    return Operation(pb.Operation(recall=message))


def cue(name: str, *steps: Step, wait: Seconds = 0, follow: Seconds | None = None, at: float | None = None) -> Cue:
    """A cue of a list: what it does, and when.

    `wait` is the time from its go to its beginning, `follow` the time from there to the go of the next cue, which
    otherwise waits for a `go`, and `at` its place on the timeline of the list.
    """
    message = pb.Operation.CueList.Cue(name=name, wait=seconds_of(wait, "wait"))
    if follow is not None:
        message.follow = seconds_of(follow, "follow")
    if at is not None:
        message.at = at
    return Cue(message, list(steps))


def cues(name: str, *cues: Cue, timeline: str | Property | None = None) -> Operation:
    """Sets a list of cues, before its first one; it replaces the former list of that name. Without cues, it is gone.

    `timeline` is the property that fires the cues that have a place, each when it rises past that.
    """
    message = pb.Operation.CueList(name=name)
    if timeline is not None:
        place = _property(timeline)
        message.timeline.target, message.timeline.property = place.target, place.property
    return CueList(pb.Operation(cues=message), list(cues))


def go(cues: str = "main") -> Operation:
    """The next cue of a list goes; one that waits begins at once."""
    return Operation(pb.Operation(cue_step=pb.Operation.CueStep(list=cues, go=True)))


def back(cues: str = "main") -> Operation:
    """The state of the cue before the present one; nothing follows."""
    return Operation(pb.Operation(cue_step=pb.Operation.CueStep(list=cues, back=True)))


def goto(cue: str, cues: str = "main") -> Operation:
    """The state of the cue of this name, and on from there."""
    return Operation(pb.Operation(cue_step=pb.Operation.CueStep(list=cues, goto=cue)))


def halt(cues: str = "main") -> Operation:
    """The list does not go on by itself until the next command."""
    return Operation(pb.Operation(cue_step=pb.Operation.CueStep(list=cues, stop=True)))


def unchecked(steps: Iterable[Step]) -> list[Plan]:
    """The plans among these whose type has to be looked up."""
    found: list[Plan] = []
    for step in steps:
        if isinstance(step, Plan):
            if not step.is_checked:
                found.append(step)
        elif isinstance(step, CueList):
            for cue in step.cues:
                found += unchecked(cue.plans)
    return found


def encoded(steps: Sequence[Step], catalog: TypeCatalog) -> list[pb.Operation]:
    """The operations of a transaction. Raises `PlanError` for a plan that does not fit its type."""
    if len(steps) > MOST_OPERATIONS:
        raise PlanError(
            f"{len(steps)} operations are too many", f"Commit at most {MOST_OPERATIONS} at a time.", code="limit"
        )
    for plan in unchecked(steps):
        _ = plan.checked(catalog)
    return [step.operation() for step in steps]


def expected_plans(operations: Sequence[pb.Operation], receipt: pb.Receipt) -> int | None:
    """How many plans a transaction adds, as far as operations and receipt tell."""
    if receipt.HasField("counts"):
        return receipt.counts.added
    addressed = {row.operation: row.targets for row in receipt.addressed}
    count = 0
    for index, operation in enumerate(operations):
        kind = operation.WhichOneof("operation")
        if kind in ("recall", "cue_step"):
            return None
        if kind == "add":
            targets = addressed.get(index) if operation.each else 1
            if targets is None:
                return None
            count += targets
    return count


def _on(operation: pb.Operation, target: str, set_target: Callable[[], None]) -> Operation:
    if not target:
        raise PlanError("an operation needs a target", 'Name one, such as "ball".', code="name")
    if is_selector(target):
        operation.each = target
    else:
        set_target()
    return Operation(operation)


def _property(property: str | Property) -> Property:
    return property if isinstance(property, Property) else Property.parse(property)


def lanes_of(value: Lanes | None, name: str) -> list[float]:
    """The lanes of a value, 1 to 4 numbers; none of None."""
    if value is None:
        return []
    lanes = [float(lane) for lane in np.atleast_1d(np.asarray(value, np.float64))]
    if not 1 <= len(lanes) <= 4:
        raise PlanError(
            f"{name}: {len(lanes)} numbers are not 1 to 4 lanes", "Give one, or one for each lane.", field=name
        )
    return lanes
