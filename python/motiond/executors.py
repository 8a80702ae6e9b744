"""Executors: code that fulfils intentions, in a worker process of motiond.

    import math
    import motiond
    from motiond.executors import Seconds, Writes

    @motiond.executor("Breathe", kind="standing")
    def breathe(plan, frame, *, property: Writes = Writes("opacity"), period: Seconds = 4.0):
        "Lets a property breathe."
        return 0.8 + 0.2 * math.cos(2 * math.pi * plan.elapsed / period)

    if __name__ == "__main__":
        motiond.run()

The keyword parameters are the fields of the intention; their annotations and defaults become the manifest
(``python -m motiond manifest PROGRAM``). ``python -m motiond new NAME`` writes the folder of a plugin.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NoReturn, TypeVar

from ._worker_checks import check_beside, check_settings, doc_of, groups_of, initial_of, names_of, width_of
from ._worker_columns import Columns
from ._worker_declarations import Column, Declaration, Default, of_class, of_columns, of_function
from ._worker_fields import DeclarationError, FieldError
from ._worker_plan import Plan
from ._worker_types import (
    Choice,
    Durations,
    Field,
    Flags,
    Frame,
    Kind,
    Motion,
    Names,
    Numbers,
    Pointer,
    Reads,
    Reference,
    Result,
    Seconds,
    State,
    Texts,
    Value,
    Values,
    Writes,
)

__all__ = [
    "Choice",
    "Columns",
    "DeclarationError",
    "Durations",
    "Executor",
    "Field",
    "FieldError",
    "Flags",
    "Frame",
    "Motion",
    "Names",
    "Numbers",
    "Plan",
    "Pointer",
    "Reads",
    "Reference",
    "Result",
    "Seconds",
    "State",
    "Texts",
    "Value",
    "Values",
    "Writes",
    "columns",
    "executor",
    "field",
    "plugin",
    "run",
    "state",
]

#: What this program has declared, in order.
declared: list[Declaration] = []
#: What this program says of its plugin; see ``plugin``.
settings: dict[str, Any] = {}
#: Whether a manifest is made of the program: ``run`` then raises ``Collected``.
is_collecting = False


class Collected(BaseException):
    """The program has declared everything."""


_Code = TypeVar("_Code", bound=Callable[..., Any])
_Shape = TypeVar("_Shape")


class Executor:
    """An executor in the form of a class: one object for each plan.

        @motiond.executor("Drag", kind="manipulation")
        class Drag(motiond.Executor):
            "Lets a finger drag the target."
            property: Writes = field(Writes("position"), "What is dragged.")

    Annotated attributes are the fields; ``field`` adds documentation and bounds. What a method raises fails the plan.
    """

    #: The plan that it fulfils.
    plan: Plan

    def start(self) -> None:
        """The plan begins; fields and ``plan`` are set."""

    def update(self, frame: Frame) -> Result:
        """The values at the end of the frame; `None` if there is nothing to do until something changes."""
        return None

    def pointer(self, event: Pointer) -> None:
        """A finger, a pen or a mouse had an event on the target; only manipulations receive them.

        A manipulation moves what it holds: ``self.plan.hold()`` when the finger goes down, ``self.plan.release()`` when
        it goes up. Values for what it does not hold have no effect.
        """

    def displaced(self, property: str) -> None:
        """Another plan moves the property now: what ``update`` returns for it is ignored."""

    def resumed(self, property: str, state: State, time: float) -> None:
        """The plan moves the property again, from this state at this simulated time on."""

    def noticed(self, place: Reference, state: State | None) -> None:
        """A property that the plan reads has changed; `None` if it was removed with its target."""

    def stop(self) -> None:
        """The plan has ended, for whatever reason."""


def field(
    default: Any = ...,
    doc: str = "",
    *,
    range: tuple[float | None, float | None] | None = None,
    above: bool = False,
    unit: str = "",
    lanes_of: str | None = None,
) -> Any:
    """The default and the meaning of an annotated attribute that is a field; without a default it is required."""
    from ._worker_fields import REQUIRED

    return Default(REQUIRED if default is ... else default, Field(doc, range, above, unit, lanes_of))


def state(initial: float = 0.0, width: int | None = None) -> Any:
    """A column that a column executor keeps for itself from frame to frame.

    It has an element for each plan, or a row of `width`, and begins with `initial`. Raises ``DeclarationError`` for
    what is no number.
    """
    return Column(initial_of(initial), width_of(width))


def executor(
    type: str,
    *,
    kind: Kind,
    executor: str | None = None,
    doc: str = "",
    writes: Sequence[str] = (),
    reads: Sequence[str] = (),
    exclusive: Sequence[Sequence[str]] = (),
    requires_one_of: Sequence[Sequence[str]] = (),
    reaches_outside: bool = False,
) -> Callable[[_Code], _Code]:
    """Declares that a function, a generator or a class fulfils the intentions of a type.

    - A function of (plan, frame) returns the value at the end of the frame. Compute it from ``plan.elapsed``, because
      frames may be skipped. It is called once more for the moment before its first frame, unless it returns velocities.
    - A generator yields values and receives frames; its end ends a one-shot.
    - A class has the methods of ``Executor``.

    `kind`: ``standing`` holds until it is removed; ``one-shot`` ends with a ``Motion`` whose ``remaining`` is 0;
    ``manipulation`` acts while a hand does; ``output`` writes no property. Types with the same `executor` (by default
    the type) share one executor on each target: of their plans for a property the newest moves it. `writes` and `reads`
    are properties that no field names; `doc` replaces the docstring.

    Raises ``DeclarationError`` if motiond would not accept the declaration.
    """
    about = Declaration(
        type,
        kind,
        type if executor is None else executor,
        doc_of(doc),
        writes=names_of(writes, "writes"),
        reads=names_of(reads, "reads"),
        exclusive=groups_of(exclusive, "exclusive"),
        requires_one_of=groups_of(requires_one_of, "requires_one_of"),
        reaches_outside=reaches_outside,
    )

    def declare(code: _Code) -> _Code:
        anything: Any = code
        made = of_class(anything, about) if inspect.isclass(anything) else of_function(anything, about)
        _add(made.checked())
        return code

    return declare


def columns(
    type: str,
    *,
    kind: Kind,
    executor: str | None = None,
    doc: str = "",
    reads: Sequence[str] = (),
    exclusive: Sequence[Sequence[str]] = (),
    requires_one_of: Sequence[Sequence[str]] = (),
    repeatable: bool = True,
) -> Callable[[_Shape], _Shape]:
    """Declares a class that fulfils all plans of a type at once: for hundreds of targets and more.

        @columns("Glow", kind="standing")
        class Glow:
            "Lets a property glow."
            property: Writes = field(Writes("level"), "What glows.")
            rate: Numbers = field(1.0, "How often a second.")

            def update(self, t, out):
                out.value[:, 0] = 0.5 + 0.5 * np.sin(2 * np.pi * self.rate * t)

    ``update(t, out)`` is called once per frame for all rows. `t` holds the seconds since each plan began, ``out`` is a
    ``Columns``: a row for each plan that moves its property, and a column for each lane. Fields are columns, too, and
    so is what ``state`` declares. A plan writes one property. Properties with another number of lanes have an object
    of their own.

    Velocities that ``update`` does not set are derived from the values. In a frame in which plans begin, it is called
    once more before, for all rows and the moment before, to derive their first velocities. What that call leaves in
    columns of ``state`` is not kept. With `repeatable` false there is no such call, and new rows begin with velocity 0:
    for an ``update`` that changes anything else, draws random numbers or reads a device.

    An error that it raises fails all plans of the call. 10,000 rows cost some 0.3 ms a frame besides the call itself.

    Raises ``DeclarationError`` if motiond would not accept the declaration.
    """
    about = Declaration(
        type,
        kind,
        type if executor is None else executor,
        doc_of(doc),
        reads=names_of(reads, "reads"),
        exclusive=groups_of(exclusive, "exclusive"),
        requires_one_of=groups_of(requires_one_of, "requires_one_of"),
    )

    def declare(shape: Any) -> Any:
        _add(of_columns(shape, about, repeatable=repeatable).checked())
        return shape

    return declare


def plugin(
    name: str | None = None,
    *,
    doc: str | None = None,
    arguments: Sequence[str] = (),
    environment: Sequence[str] = (),
    instances: int = 1,
    on_lost: Literal["hold", "rest"] = "hold",
    limits: Mapping[str, int] | None = None,
) -> None:
    """Says what the manifest of this program has besides its executors; all of it is optional.

    - `name`: by default that of the plugin's folder. `doc`: by default the first paragraph of the module's docstring.
    - `arguments` of the program; names of motiond's `environment` variables that are passed to it.
    - `instances`: how many processes share its targets, 1 to 16.
    - `on_lost`: whether ``run(rest=...)`` puts outputs to rest when motiond is lost.
    - `limits`: the worker's resource limits (docs/plugins.md), such as ``{"memoryMiB": 1024}``.

    Raises ``DeclarationError`` if motiond would not accept them.
    """
    given: dict[str, Any] = {
        "name": name,
        "doc": None if doc is None else doc_of(doc),
        "arguments": names_of(arguments, "arguments"),
        "environment": names_of(environment, "environment"),
        "instances": instances,
        "on_lost": on_lost,
        "limits": {} if limits is None else limits,
    }
    check_settings(given)
    given["limits"] = dict(given["limits"])
    settings.update({key: value for key, value in given.items() if value is not None})


def run(
    *,
    rest: Callable[[], None] = lambda: None,
    finish: Callable[[], None] = lambda: None,
    arguments: Sequence[str] | None = None,
) -> NoReturn:
    """Runs the declared executors until motiond ends the worker, and ends the process.

    motiond starts the program as it starts any plugin. With ``--connect tcp://HOST:PORT --key FILE --server-key KEY``
    it works for a motiond of another machine (``--help`` lists the options).

    - `rest` puts outputs to rest: called when motiond is gone and the manifest has ``"onLost": "rest"``.
    - `finish` ends streams to others: called when motiond ends orderly, and this worker with it.

    The exit code is 0 after a normal end, 1 after a failure, 2 if the program was not started by motiond or has wrong
    arguments, 3 if motiond did not answer, 4 if motiond refused the worker.
    """
    if is_collecting:
        raise Collected
    from ._worker import main

    main(declared, rest=rest, finish=finish, arguments=arguments)


def _add(made: Declaration) -> None:
    check_beside(made, declared)
    declared.append(made)
