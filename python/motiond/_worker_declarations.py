"""What a program declares: which intentions it fulfils, with which fields, and by which code."""

from __future__ import annotations

import dataclasses
import inspect
import re
import typing
from collections.abc import Callable
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from ._names import is_unicode
from ._types_values import shown
from ._worker_checks import checked_fields
from ._worker_code import COLUMN_METHODS, METHODS, check_class, check_function, hints_of
from ._worker_columns import ColumnGroup, ColumnRun
from ._worker_fields import REQUIRED, STALE, DeclarationError, FieldError, FieldSpec, spec
from ._worker_plan import Plan
from ._worker_runs import FunctionRun, GeneratorRun, ObjectRun, Run
from ._worker_types import Field, Kind, Reference

_TYPE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")
_KINDS = typing.get_args(Kind)


@dataclasses.dataclass(frozen=True, slots=True)
class Default:
    """The default and the meaning of a field of a class; made by ``field``."""

    value: Any
    meta: Field


@dataclasses.dataclass(frozen=True, slots=True)
class Column:
    """A column that a column executor keeps for itself; made by ``state``."""

    initial: float
    width: int | None


@dataclasses.dataclass
class Declaration:
    """A type of intention and the code that fulfils its plans."""

    type: str
    kind: Kind
    executor: str
    documentation: str
    fields: tuple[FieldSpec, ...] = ()
    writes: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    exclusive: tuple[tuple[str, ...], ...] = ()
    requires_one_of: tuple[tuple[str, ...], ...] = ()
    reaches_outside: bool = False
    build: Callable[[Plan, Kind, dict[str, Any]], Run] | None = None

    def checked(self) -> Declaration:
        """The complete declaration. Raises ``DeclarationError`` if motiond would not accept it."""
        for argument, name in (("type", self.type), ("executor", self.executor)):
            if not isinstance(cast("object", name), str) or not _TYPE.fullmatch(name):
                remedy = "Use a letter, then up to 63 of A-Z a-z 0-9 _ . -"
                raise DeclarationError(f"{shown(name)} cannot name a type", remedy, field=argument)
        if self.kind not in _KINDS:
            problem = f"{self.type}: the kind is one of {', '.join(_KINDS)}, not {shown(self.kind)}"
            raise DeclarationError(problem, "Use one of these.", field="kind")
        if not is_unicode(self.documentation):
            problem = f"{self.type}: its documentation {shown(self.documentation)} has half of a character"
            raise DeclarationError(problem, "Use a text in Unicode.", field="doc")
        names = [field.name for field in self.fields]
        for argument, groups in (("exclusive", self.exclusive), ("requires_one_of", self.requires_one_of)):
            for group in groups:
                if len(group) < 2 or not all(name in names for name in group):
                    problem = f"{self.type}: {group} are not two fields or more of {names}"
                    raise DeclarationError(problem, "Write lists of names of fields.", field=argument)
        if not isinstance(cast("object", self.reaches_outside), bool):
            problem = f"{self.type}: reaches_outside={shown(self.reaches_outside)} is neither True nor False"
            raise DeclarationError(problem, "Use True or False.", field="reaches_outside")
        written = [field.name for field in self.fields if field.access == "writes"]
        if self.kind == "output" and (written or self.writes):
            remedy = "Change its kind, or annotate the field as Reads or Names."
            raise DeclarationError(f"{self.type}: an output writes no property", remedy, field=(*written, "writes")[0])
        if self.kind != "output" and not written and not self.writes:
            raise DeclarationError(f"{self.type}: it writes no property", "Annotate a field as Writes.")
        self.fields = checked_fields(self)
        return self

    def make(self, plan: Plan) -> Run:
        """What fulfils a plan. Raises what the author's code raises, and ``FieldError``."""
        assert self.build is not None
        return self.build(plan, self.kind_of(plan), self.read(plan))

    def kind_of(self, plan: Plan) -> Kind:
        """How long a plan lasts: a one-shot that is to repeat itself ``forever`` is standing."""
        repeats = any(field.name == "repeat" and field.value.choice == "forever" for field in plan.intention.fields)
        return "standing" if repeats and self.kind == "one-shot" else self.kind

    def read(self, plan: Plan) -> dict[str, Any]:
        """The values of a plan's fields."""
        given = {field.name: field.value for field in plan.intention.fields}
        for name in given.keys() - {field.name for field in self.fields}:
            raise FieldError(f"the program has no field {name!r} of {self.type}: {STALE}")
        return {field.attribute: field.read(given) for field in self.fields}

    def reads_of(self, plan: Plan) -> list[Reference]:
        """The properties that a plan reads."""
        if not self.reads and not any(field.access == "reads" or "reference" in field.accepts for field in self.fields):
            return []
        values = self.read(plan)
        named = [values[field.attribute] for field in self.fields if field.access == "reads"]
        own = [*self.reads, *(str(name) for name in named if name is not None)]
        references = [value for value in values.values() if isinstance(value, Reference)]
        return [*(Reference(plan.target, name) for name in own), *references]


@dataclasses.dataclass
class ColumnDeclaration(Declaration):
    """A type of intention whose plans are rows of columns."""

    instance: type[Any] = object
    #: Whether a call for an earlier moment does no harm.
    repeatable: bool = True
    states: dict[str, Column] = dataclasses.field(default_factory=dict[str, Column])

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the attributes that are columns."""
        return (*(field.attribute for field in self.fields), *self.states)

    def checked(self) -> Declaration:
        super().checked()
        written = [field for field in self.fields if field.access == "writes"]
        if len(written) + len(self.writes) != 1:
            remedy = "Declare a type for each."
            field = written[1].name if len(written) > 1 else None
            raise DeclarationError(f"{self.type}: columns write one property", remedy, field=field)
        for field in self.fields:
            if len(field.accepts) > 1 and field.accepts != ("number", "vector"):
                problem = f"{self.type}: the column {field.name} has values of one shape"
                raise DeclarationError(problem, "Annotate it with one.", field=field.name)
        return self

    def make(self, plan: Plan) -> Run:
        return ColumnRun(plan, self, self.read(plan))

    def make_group(self, width: int) -> ColumnGroup:
        """The rows of properties with so many lanes."""
        return ColumnGroup(self, self.instance(), width)

    def empty_columns(self, width: int) -> dict[str, NDArray[Any]]:
        """The columns of fields and states, without rows."""
        columns: dict[str, NDArray[Any]] = {}
        for field in self.fields:
            if "vector" in field.accepts:
                columns[field.attribute] = np.zeros((0, width))
            elif field.accepts[0] in ("number", "duration"):
                columns[field.attribute] = np.zeros(0)
            elif field.accepts[0] == "flag":
                columns[field.attribute] = np.zeros(0, np.bool_)
            else:
                columns[field.attribute] = np.zeros(0, np.object_)
        for name, column in self.states.items():
            columns[name] = np.zeros(0) if column.width is None else np.zeros((0, column.width))
        return columns

    def row(self, values: dict[str, Any]) -> dict[str, Any]:
        """The elements of a plan in the columns."""
        row: dict[str, Any] = {}
        for field in self.fields:
            value = values[field.attribute]
            if value is None and field.accepts[0] in ("number", "duration", "vector"):
                value = np.nan
            row[field.attribute] = value
        return row | {name: column.initial for name, column in self.states.items()}


# ------------------------------------------------------------------------------------------------------- From functions


def of_function(function: Callable[..., Any], about: Declaration) -> Declaration:
    """Completes a declaration by a function of (plan, frame) whose keyword parameters, or dataclass, are the fields."""
    check_function(function)
    signature = inspect.signature(function)
    hints = hints_of(function)
    positional = [p for p in signature.parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    keywords = [p for p in signature.parameters.values() if p.kind is p.KEYWORD_ONLY]
    if len(positional) not in (2, 3):
        problem = f"{function.__name__} takes (plan, frame, *, fields) or (plan, frame, fields)"
        raise DeclarationError(problem, "Make the fields keyword parameters, or a dataclass.")
    shape: type[Any] | None = None
    if len(positional) == 3:
        shape = hints.get(positional[2].name)
        if shape is None or not dataclasses.is_dataclass(shape) or keywords:
            problem = f"{function.__name__}: {positional[2].name} has no fields"
            raise DeclarationError(problem, "Annotate it with a dataclass of the fields, and declare no others.")
        fields = of_dataclass(shape)
    else:
        fields = tuple(
            spec(p.name, hints.get(p.name, type(p.default)), REQUIRED if p.default is p.empty else p.default)
            for p in keywords
        )
    kind = GeneratorRun if inspect.isgeneratorfunction(function) else FunctionRun

    def build(plan: Plan, life: Kind, values: dict[str, Any]) -> Run:
        if shape is not None:
            return kind(plan, life, function, (shape(**values),), {})
        return kind(plan, life, function, (), values)

    documentation = about.documentation or inspect.getdoc(function) or ""
    return dataclasses.replace(about, documentation=_sentence(documentation), fields=fields, build=build)


def of_dataclass(shape: type[Any]) -> tuple[FieldSpec, ...]:
    """The fields that a dataclass declares."""
    hints = hints_of(shape)
    specs: list[FieldSpec] = []
    for field in dataclasses.fields(shape):
        default: Any = REQUIRED
        if field.default is not dataclasses.MISSING:
            default = field.default
        elif field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        specs.append(spec(field.name, hints[field.name], default))
    return tuple(specs)


# --------------------------------------------------------------------------------------------------------- From classes


def of_class(shape: type[Any], about: Declaration) -> Declaration:
    """Completes a declaration by a class whose annotated attributes are the fields."""
    fields, states = _attributes(shape)
    for name in states:
        problem = f"{shape.__name__}: {name} is a column, and only column executors have any"
        raise DeclarationError(problem, "Set an attribute in start.", field=name)
    check_class(shape, fields, METHODS)

    def build(plan: Plan, life: Kind, values: dict[str, Any]) -> Run:
        return ObjectRun(plan, life, shape, values)

    documentation = about.documentation or inspect.cleandoc(shape.__doc__ or "")
    return dataclasses.replace(about, documentation=_sentence(documentation), fields=fields, build=build)


def of_columns(shape: type[Any], about: Declaration, *, repeatable: bool) -> ColumnDeclaration:
    """Completes a declaration by a class whose annotated attributes are columns."""
    fields, states = _attributes(shape)
    check_class(shape, fields, COLUMN_METHODS)
    given = {item.name: getattr(about, item.name) for item in dataclasses.fields(Declaration)}
    documentation = about.documentation or inspect.cleandoc(shape.__doc__ or "")
    given |= {"documentation": _sentence(documentation), "fields": fields}
    return ColumnDeclaration(**given, instance=shape, repeatable=repeatable, states=states)


def _attributes(shape: type[Any]) -> tuple[tuple[FieldSpec, ...], dict[str, Column]]:
    fields: list[FieldSpec] = []
    states: dict[str, Column] = {}
    if not inspect.isclass(shape):
        raise DeclarationError(f"{shown(shape)} is no class", "Write the decorator above a class.")
    hints = hints_of(shape)
    for name, value in inspect.getmembers_static(shape):
        if isinstance(value, (Column, Default)) and name not in hints:
            remedy = f"Write {name}: Numbers = ..., or another type of fields."
            raise DeclarationError(f"{shape.__name__}: {name} has no annotation", remedy, field=name)
    for name, annotation in hints.items():
        default = getattr(shape, name, REQUIRED)
        if isinstance(default, Column):
            states[name] = default
            continue
        if name.startswith("_") or name == "plan" or typing.get_origin(annotation) is ClassVar:
            continue
        meta: Field | None = None
        if isinstance(default, Default):
            default, meta = default.value, default.meta
        made = spec(name, annotation, default)
        fields.append(dataclasses.replace(made, meta=meta) if meta is not None else made)
    return tuple(fields), states


def _sentence(text: str) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join(text.strip().split("\n\n")[0].split())
