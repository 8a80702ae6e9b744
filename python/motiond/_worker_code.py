"""Checks the code that a declaration decorates, so that a wrong form is an error there, and not of each plan."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from ._types_values import shown
from ._worker_fields import DeclarationError, FieldSpec

#: What each method of an executor is called with.
METHODS: Mapping[str, tuple[str, ...]] = {
    "start": (),
    "update": ("frame",),
    "pointer": ("event",),
    "displaced": ("property",),
    "resumed": ("property", "state", "time"),
    "noticed": ("place", "state"),
    "stop": (),
}
#: The same of a class of columns.
COLUMN_METHODS: Mapping[str, tuple[str, ...]] = {"update": ("t", "out")}


def check_function(function: object) -> None:
    """Raises `DeclarationError` for what is no function, or one that is awaited."""
    if not callable(function) or not hasattr(function, "__name__"):
        remedy = "Write @motiond.executor(...) above a function, a generator or a class."
        raise DeclarationError(f"{shown(function)} is no function", remedy)
    _check_is_called(function, cast("Any", function).__name__)


def check_class(shape: type[Any], fields: Iterable[FieldSpec], methods: Mapping[str, tuple[str, ...]]) -> None:
    """Raises `DeclarationError` for a class that cannot be made, lacks a method, or has another form of it."""
    for field in fields:
        if field.attribute in methods:
            problem = f"{shape.__name__}: {field.attribute} is a method of executors, and cannot be a field"
            raise DeclarationError(problem, "Give the field another name.", field=field.name)
    for name, arguments in methods.items():
        _check_method(shape, name, arguments)
    try:
        _ = inspect.signature(shape).bind()
    except TypeError as error:
        remedy = "It is made without arguments: give those of __init__ defaults."
        raise DeclarationError(f"{shape.__name__} cannot be made: {error}", remedy) from error
    except ValueError:
        # A class that is not written in Python has no signature.
        pass


def hints_of(code: Any) -> dict[str, Any]:
    """The annotations of a function or a class. Raises `DeclarationError` if a name in them is unknown."""
    try:
        return typing.get_type_hints(code, include_extras=True)
    except (NameError, TypeError, AttributeError, SyntaxError) as error:
        problem = f"{code.__name__}: an annotation cannot be read: {error}"
        raise DeclarationError(problem, "Import the names of its annotations in the program.") from error


def _check_method(shape: type[Any], name: str, arguments: tuple[str, ...]) -> None:
    method = getattr(shape, name, None)
    call = f"def {name}({', '.join(('self', *arguments))})"
    if not callable(method):
        is_of_columns = arguments == COLUMN_METHODS.get(name)
        remedy = f"Write {call}." if is_of_columns else "Derive the class from motiond.Executor."
        raise DeclarationError(f"{shape.__name__} has no method {name}", remedy)
    _check_is_called(method, f"{shape.__name__}.{name}")
    if inspect.isgeneratorfunction(method):
        remedy = "Return the value: only a function may be a generator."
        raise DeclarationError(f"{shape.__name__}.{name} is a generator", remedy)
    is_bound = isinstance(inspect.getattr_static(shape, name), (staticmethod, classmethod))
    try:
        _ = inspect.signature(method).bind(*([] if is_bound else [None]), *arguments)
    except TypeError as error:
        raise DeclarationError(f"{shape.__name__}.{name} takes other arguments", f"Write {call}.") from error
    except ValueError:
        pass


def _check_is_called(function: Callable[..., Any], name: str) -> None:
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise DeclarationError(f"{name} is asynchronous", "Write it with def: it is called in each frame.")
