"""Operations of a transaction beside plans: remove, forget, limit, group, scene, recall, and lists of cues."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Union, cast

from ._arguments import (
    flag_of,
    is_selector,
    label_of,
    lanes_of,
    name_of,
    number_of,
    property_of,
    seconds_of,
    target_of,
)
from ._client_plan import Plan
from ._errors import PlanError
from ._proto import motion_pb2 as pb
from ._types import TypeCatalog
from ._types_values import Lanes, Property, Seconds, elements_of, shown

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
    operation = pb.Operation(remove=pb.Operation.Remove(named=label_of(name, "name")))
    return _on(operation, target, lambda: setattr(operation.remove, "from", target))


def remove_plan(identity: pb.IntentionIdentity, target: str) -> Operation:
    """Removes the plan of an identity, which queries return, named or not."""
    if not isinstance(cast("object", identity), pb.IntentionIdentity):
        raise PlanError(f"{shown(identity)} is no identity of a plan", "Use that of a query's row.", field="identity")
    operation = pb.Operation(remove_plan=pb.Operation.RemovePlan(identity=identity))
    setattr(operation.remove_plan, "from", name_of(target, "target"))
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
        none=flag_of(none, "none"),
        lower=lanes_of(lower, "lower"),
        upper=lanes_of(upper, "upper"),
        velocity=lanes_of(velocity, "velocity"),
        acceleration=lanes_of(acceleration, "acceleration"),
        jerk=lanes_of(jerk, "jerk"),
    )
    if on_lost is not None:
        if not isinstance(cast("object", on_lost), tuple) or len(on_lost) != 2:
            raise PlanError(f"on_lost: {shown(on_lost)} is no pair", "Give (value, seconds).", field="on_lost")
        value, seconds = on_lost
        setting.on_lost.value.extend(lanes_of(value, "on_lost"))
        setting.on_lost.seconds = seconds_of(seconds, "on_lost")
    operation = pb.Operation(limit=pb.Operation.Limit(property=place.property, setting=setting))
    return _on(operation, place.target, lambda: setattr(operation.limit, "on", place.target))


def group(name: str, *members: str) -> Operation:
    """Sets the members of a group, which replace all former ones; `@name` stands for them. Without members, it is
    gone."""
    operation = pb.Operation(group=pb.Operation.Group(name=name_of(name, "name")))
    members = tuple(target_of(member, "members") for member in members)
    if any(map(is_selector, members)):
        operation.each = ",".join(members)
    else:
        operation.group.members.extend(members)
    return Operation(operation)


def scene(name: str, *targets: str) -> Operation:
    """Saves the present state of targets, or of selectors, as a scene. Without targets, the scene is gone."""
    operation = pb.Operation(scene=pb.Operation.Scene(name=name_of(name, "name")))
    if targets:
        operation.each = ",".join(target_of(target) for target in targets)
    return Operation(operation)


def recall(scene: str, seconds: Seconds | None = None) -> Operation:
    """Recalls a scene: its properties go there by springs, or by tweens within so many seconds; with 0 at once."""
    message = pb.Operation.Recall(scene=name_of(scene, "scene"))
    if seconds is not None:
        message.seconds = seconds_of(seconds, "seconds")
    return Operation(pb.Operation(recall=message))


def cue(name: str, *steps: Step, wait: Seconds = 0, follow: Seconds | None = None, at: float | None = None) -> Cue:
    """A cue of a list: what it does, and when.

    `wait` is the time from its go to its beginning, `follow` the time from there to the go of the next cue, which
    otherwise waits for a `go`, and `at` its place on the timeline of the list.
    """
    check_steps(steps, cue=name_of(name, "name"))
    message = pb.Operation.CueList.Cue(name=name, wait=seconds_of(wait, "wait"))
    if follow is not None:
        message.follow = seconds_of(follow, "follow")
    if at is not None:
        message.at = number_of(at, "at")
    return Cue(message, list(steps))


def cues(name: str, *cues: Cue, timeline: str | Property | None = None) -> Operation:
    """Sets a list of cues, before its first one; it replaces the former list of that name. Without cues, it is gone.

    `timeline` is the property that fires the cues that have a place, each when it rises past that.
    """
    for given in cues:
        if not isinstance(cast("object", given), Cue):
            remedy = 'Put plans into cues: cues("main", cue("1", plan), cue("2", plan)).'
            raise PlanError(f"{shown(given)} is no cue", remedy, field="cues")
    message = pb.Operation.CueList(name=name_of(name, "name"))
    if timeline is not None:
        place = _property(timeline)
        message.timeline.target, message.timeline.property = place.target, place.property
    return CueList(pb.Operation(cues=message), list(cues))


def go(cues: str = "main") -> Operation:
    """The next cue of a list goes; one that waits begins at once."""
    return Operation(pb.Operation(cue_step=pb.Operation.CueStep(list=name_of(cues, "cues"), go=True)))


def back(cues: str = "main") -> Operation:
    """The state of the cue before the present one; nothing follows."""
    return Operation(pb.Operation(cue_step=pb.Operation.CueStep(list=name_of(cues, "cues"), back=True)))


def goto(cue: str, cues: str = "main") -> Operation:
    """The state of the cue of this name, and on from there."""
    return Operation(pb.Operation(cue_step=pb.Operation.CueStep(list=name_of(cues, "cues"), goto=name_of(cue, "cue"))))


def halt(cues: str = "main") -> Operation:
    """The list does not go on by itself until the next command."""
    return Operation(pb.Operation(cue_step=pb.Operation.CueStep(list=name_of(cues, "cues"), stop=True)))


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


def batches_of(transactions: Iterable[Step | Sequence[Step]]) -> list[list[Step]]:
    """The operations of each transaction: of a plan, an operation, or a sequence of them."""
    given = cast("object", transactions)
    # An array without dimensions has the methods of a sequence, and is none.
    if isinstance(given, (Plan, Operation, str)) or not isinstance(elements_of(given), Iterable):
        raise PlanError(f"{shown(given)} are no transactions", "Give a list: commit_all([a, b, [c, d]]).")
    batches: list[list[Step]] = []
    for index, batch in enumerate(transactions):
        if isinstance(batch, (Plan, Operation)):
            batches.append([batch])
        elif isinstance(cast("object", batch), Sequence) and not isinstance(cast("object", batch), str):
            batches.append(list(batch))
        else:
            error = PlanError(f"{shown(batch)} is no transaction", "Give a plan, an operation, or a list of them.")
            error.transaction = index
            raise error
    return batches


def check_steps(steps: Sequence[object], *, cue: str | None = None) -> None:
    """Raises `PlanError` for what is neither a plan nor an operation, and for too many of them. The error has the index
    unless they are those of a cue."""
    if len(steps) > MOST_OPERATIONS:
        raise PlanError(
            f"{len(steps)} operations are too many", f"Commit at most {MOST_OPERATIONS} at a time.", code="limit"
        )
    for index, step in enumerate(steps):
        if not isinstance(step, (Plan, Operation)):
            call = "commit(a, b), or commit(*plans)" if cue is None else f"cue({cue!r}, a, b), or cue({cue!r}, *plans)"
            error = PlanError(
                f"{shown(step)} is neither a plan nor an operation", f"Give plans one after the other: {call}."
            )
            error.operation = index if cue is None else None
            raise error


def check_plans(steps: Sequence[Step], catalog: TypeCatalog) -> None:
    """Checks the fields of plans that were made without the description of their type. Raises `PlanError` with the
    index."""
    for index, step in enumerate(steps):
        try:
            for plan in unchecked([step]):
                _ = plan.checked(catalog)
        except PlanError as error:
            error.operation = index
            raise


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
    _ = target_of(target)
    if is_selector(target):
        operation.each = target
    else:
        set_target()
    return Operation(operation)


def _property(property: str | Property) -> Property:
    place = Property.of(property)
    return Property(target_of(place.target), property_of(place.property))
