"""A plan: an intention for a target, checked and encoded when it is made, so that an error shows where it was made."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Self

from ._arguments import is_selector, label_of, mapping_of, seconds_of, target_of, text_of, whole_of
from ._errors import PlanError
from ._proto import motion_pb2 as pb
from ._types import TypeCatalog, TypeDescription
from ._types_values import Property, Seconds, Single, Spread, Value, spread

__all__ = ["Plan", "Property", "Seconds", "Single", "Spread", "Value", "is_selector", "seconds_of", "spread"]


class Plan:
    """An intention for a target, or for all targets of a selector (`lamp*`, `lamp{1..12}`, `@front`, `left,right`).

    `named` is a name by which to replace or remove the plan; `priority` (-100 to 100) its rank; `after` how many
    simulated seconds after its frame it begins. Fields that are None are absent.

    A plan of a type that this client does not know is checked when it is committed: motiond may have the type.
    """

    __slots__ = ("_add", "_spread", "_target", "_unchecked")

    def __init__(
        self,
        type: str | TypeDescription,
        target: str,
        fields: Mapping[str, Value],
        *,
        named: str | None = None,
        priority: int = 0,
        after: Seconds = 0,
    ) -> None:
        self._target = target_of(target)
        self._add = pb.Operation.Add(
            intention=pb.Intention(
                type=text_of(_name(type), "type"),
                priority=whole_of(priority, "priority", -100, 100),
                after=seconds_of(after, "after"),
            )
        )
        if named is not None:
            self._add.named = label_of(named, "named")
        self._spread: pb.Operation.Spread | None = None
        self._unchecked: dict[str, Value] | None = None
        if isinstance(type, TypeDescription):
            self._set(type, mapping_of(fields, "fields"))
        else:
            self._unchecked = dict(mapping_of(fields, "fields"))

    @property
    def type(self) -> str:
        """The type of the intention."""
        return self._add.intention.type

    @property
    def target(self) -> str:
        """The target, or the selector of several."""
        return self._target

    @property
    def name(self) -> str | None:
        """The name of the plan, if it has one."""
        return self._add.named if self._add.HasField("named") else None

    def staggered(self, seconds: Seconds, by: str = "") -> Self:
        """The plan with targets that begin one after the other, so many seconds apart: in the natural order of their
        names, or by the value of a property that each has (`"x"`, `"-position.y"`). The plan needs a selector."""
        other = copy(self)
        several = pb.Operation.Spread()
        several.CopyFrom(self._several())
        several.stagger, several.by = seconds_of(seconds, "stagger"), text_of(by, "by")
        other._spread = several
        return other

    def checked(self, catalog: TypeCatalog) -> Plan:
        """The plan with fields that the catalog has checked. Raises `PlanError`."""
        if self._unchecked is not None:
            self._set(catalog.require(self.type), self._unchecked)
            self._unchecked = None
        return self

    @property
    def is_checked(self) -> bool:
        """Whether its fields were checked against the description of the type."""
        return self._unchecked is None

    def operation(self) -> pb.Operation:
        """The operation that adds the plan."""
        operation = pb.Operation(add=self._add)
        if is_selector(self._target):
            operation.each = self._target
            if self._spread is not None:
                operation.spread.CopyFrom(self._spread)
        else:
            operation.add.to = self._target
        return operation

    def __repr__(self) -> str:
        name = f" {self.name!r}" if self.name is not None else ""
        return f"<{self.type}{name} for {self._target}>"

    def _set(self, type: TypeDescription, fields: Mapping[str, Value]) -> None:
        firsts = {name: value.first if isinstance(value, Spread) else value for name, value in fields.items()}
        encoded = type.encode(firsts)
        self._add.intention.fields.extend(pb.Field(name=name, value=value) for name, value in encoded.items())
        lasts = {name: value.last for name, value in fields.items() if isinstance(value, Spread)}
        if lasts:
            last = [pb.Field(name=name, value=type.encode_field(name, value)) for name, value in lasts.items()]
            self._several().to.extend(last)

    def _several(self) -> pb.Operation.Spread:
        if not is_selector(self._target):
            raise PlanError(
                f"{self._target!r} is one target, over which nothing is spread", 'Use a selector, such as "lamp*".'
            )
        if self._spread is None:
            self._spread = pb.Operation.Spread()
        return self._spread


def _name(type: str | TypeDescription) -> str:
    return type.type if isinstance(type, TypeDescription) else type
