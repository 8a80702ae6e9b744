"""Constructors for types that are known at run time only: those of motiond's plugins."""

from __future__ import annotations

from collections.abc import Callable

from ._client_plan import Plan
from ._types import TypeCatalog
from ._types_values import Seconds, Value


class Types:
    """The types of plans that motiond has, as constructors: `m.types.Breathe("lamp", property="level", period=4)`.

    Fields are checked at once if the description of the type is known, otherwise when the plan is committed.
    `load_types` of the client fetches all descriptions, so that names and documentation are there for completion.
    """

    def __init__(self, catalog: TypeCatalog) -> None:
        self._catalog = catalog

    def __getattr__(self, name: str) -> Callable[..., Plan]:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str) -> Callable[..., Plan]:
        """The constructor of a type whose name is no identifier in Python."""

        def make(
            target: str,
            *,
            named: str | None = None,
            priority: int = 0,
            after: Seconds = 0,
            **fields: Value,
        ) -> Plan:
            # A keyword of Python, such as from, is given with an underscore at its end.
            given = {key.removesuffix("_"): value for key, value in fields.items()}
            type = self._catalog.get(name) or name
            return Plan(type, target, given, named=named, priority=priority, after=after)

        known = self._catalog.get(name)
        make.__name__ = make.__qualname__ = name
        make.__doc__ = known.documentation if known is not None else f"A plan of the type {name}."
        return make

    def __dir__(self) -> list[str]:
        return self._catalog.names
