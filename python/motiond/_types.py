"""Types of intentions: their descriptions, and the check and encoding of the fields of a plan before it is sent."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources

from google.protobuf import json_format

from ._errors import PlanError
from ._proto import motion_pb2 as pb
from ._types_values import FieldEncoder, Value

#: Fields of one intention, as motiond allows.
_MOST_FIELDS = 64


class TypeDescription:
    """A type of intention: what it does, and which fields a plan of it has."""

    def __init__(self, message: pb.IntentionDescription) -> None:
        #: The description, as motiond publishes it.
        self.message: pb.IntentionDescription = message
        #: The name of the type.
        self.type: str = message.type
        self._fields: dict[str, FieldEncoder] = {
            field.name: FieldEncoder(message.type, field) for field in message.fields
        }
        self._required = [field.name for field in message.fields if field.required]
        self._exclusive = [list(group.names) for group in message.exclusive]
        self._one_of = [list(group.names) for group in message.requires_one_of]

    @property
    def field_names(self) -> list[str]:
        """The names of its fields."""
        return list(self._fields)

    @property
    def documentation(self) -> str:
        """What it does, and a line for each field."""
        lines = [self.message.documentation, ""]
        for encoder in self._fields.values():
            lines.append(f"{encoder.field.name}: {encoder.summary}")
        return "\n".join(lines)

    def encode(self, fields: Mapping[str, Value]) -> dict[str, pb.FieldValue]:
        """Checks and encodes the fields of a plan; those that are None count as absent.

        Raises `PlanError`, with the field and a remedy, for a field that is unknown, missing, excluded by another
        one, or of the wrong shape or size. Costs some 2 µs for each field.
        """
        encoded: dict[str, pb.FieldValue] = {}
        for name, value in fields.items():
            if value is None:
                continue
            encoder = self._fields.get(name)
            if encoder is None:
                raise PlanError(
                    f"{self.type} has no field {name!r}",
                    nearest(name, self._fields, "fields"),
                    field=name,
                    code="unknown-field",
                )
            encoded[name] = encoder.encode(value)
        if len(encoded) > _MOST_FIELDS:
            raise PlanError(f"{len(encoded)} fields are too many", f"Use at most {_MOST_FIELDS}.", code="limit")
        self._check_groups(encoded)
        return encoded

    def encode_field(self, name: str, value: Value) -> pb.FieldValue:
        """Checks and encodes the value of one field."""
        return self._fields[name].encode(value)

    def _check_groups(self, given: Mapping[str, object]) -> None:
        for name in self._required:
            if name not in given:
                summary = self._fields[name].summary
                raise PlanError(
                    f"{self.type} requires the field {name!r}", f"Add it: {summary}", field=name, code="fields"
                )
        for group in self._exclusive:
            found = [name for name in group if name in given]
            if len(found) > 1:
                raise PlanError(
                    f"{self.type}: {found[0]!r} and {found[1]!r} exclude each other",
                    "Leave one of them out.",
                    field=found[1],
                    code="fields",
                )
        for group in self._one_of:
            if not any(name in given for name in group):
                names = ", ".join(map(repr, group))
                raise PlanError(
                    f"{self.type} requires one of {names}", "Add one of them.", field=group[0], code="fields"
                )


class TypeCatalog:
    """The types that a client knows, by name."""

    def __init__(self, descriptions: Iterable[pb.IntentionDescription] = ()) -> None:
        self._types: dict[str, TypeDescription] = {}
        self.update(descriptions)

    def update(self, descriptions: Iterable[pb.IntentionDescription]) -> None:
        """Adds types, or replaces those of the same names."""
        for description in descriptions:
            self._types[description.type] = TypeDescription(description)

    def get(self, name: str) -> TypeDescription | None:
        """The type of this name, if it is known."""
        return self._types.get(name)

    @property
    def names(self) -> list[str]:
        """The names of all known types, sorted."""
        return sorted(self._types)

    def require(self, name: str) -> TypeDescription:
        """The type of this name. Raises `PlanError` if it is not known."""
        known = self._types.get(name)
        if known is None:
            raise PlanError(f"there is no type {name!r}", nearest(name, self._types, "types"), code="unknown-type")
        return known


@cache
def built_in() -> TypeCatalog:
    """The types that every motiond has, and those of the plugins that come with it."""
    text = resources.files(__package__ or "motiond").joinpath("_types_builtin.json").read_text("utf-8")
    rows = [
        json_format.ParseDict(row, pb.IntentionDescription(), ignore_unknown_fields=True) for row in json.loads(text)
    ]
    return TypeCatalog(rows)


def nearest(name: str, names: Iterable[str], plural: str) -> str:
    """A remedy: the name that was perhaps meant, or all."""
    names = sorted(names)
    close = difflib.get_close_matches(name, names, 1)
    if close:
        return f"Perhaps {close[0]!r} is meant."
    return f"The {plural} are {', '.join(names)}." if names else f"It has no {plural}."
