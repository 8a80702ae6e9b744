"""Short forms of the frequent plans, with the property as one name: `spring("ball.position", (100, 50))`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ._client_plan import Plan
from ._types import built_in
from ._types_values import Lanes, Property, Seconds, Spread, Value


def spring(
    property: str | Property,
    destination: Lanes | Spread,
    *,
    tension: float | None = None,
    friction: float | None = None,
    duration: Seconds | None = None,
    bounce: float | None = None,
    named: str | None = None,
    priority: int = 0,
    after: Seconds = 0,
) -> Plan:
    """Moves a property to a destination by a spring, and ends there: a `SpringTo`.

    The feel is given by tension and friction, or by duration and bounce (0 does not overshoot).
    """
    fields: dict[str, Value] = {
        "destination": destination,
        "tension": tension,
        "friction": friction,
        "duration": duration,
        "bounce": bounce,
    }
    return _plan("SpringTo", property, fields, named, priority, after)


def tween(
    property: str | Property,
    to: Lanes | Sequence[Lanes] | Spread,
    duration: Seconds | Spread | None = None,
    *,
    start: Lanes | Spread | None = None,
    easing: str | Sequence[str] | None = None,
    delay: Seconds | Spread | None = None,
    repeat: float | Literal["forever"] | None = None,
    autoreverse: bool | None = None,
    named: str | None = None,
    priority: int = 0,
    after: Seconds = 0,
) -> Plan:
    """Moves a property to a value in a given time: a `Tween`. For values on the way, use `plans.Tween(values=…)`."""
    fields: dict[str, Value] = {
        "to": to,  # pyright: ignore[reportAssignmentType]
        "from": start,
        "duration": duration,
        "easing": easing,
        "delay": delay,
        "repeat": repeat,
        "autoreverse": autoreverse,
    }
    return _plan("Tween", property, fields, named, priority, after)


def move(
    property: str | Property,
    destination: Lanes | Spread,
    *,
    velocity: float | None = None,
    acceleration: float | None = None,
    jerk: float | None = None,
    duration: Seconds | None = None,
    together: bool | None = None,
    named: str | None = None,
    priority: int = 0,
    after: Seconds = 0,
) -> Plan:
    """Moves a property to a destination as fast as limits permit, and ends there: a `MoveTo`.

    A limit that is left out is that of the property; `together` lets all such moves of a transaction arrive at one
    time.
    """
    fields: dict[str, Value] = {
        "destination": destination,
        "maxVelocity": velocity,
        "maxAcceleration": acceleration,
        "maxJerk": jerk,
        "duration": duration,
        "arriveTogether": together,
    }
    return _plan("MoveTo", property, fields, named, priority, after)


def wave(
    property: str | Property,
    *,
    offset: Lanes | Spread,
    amplitude: Lanes | Spread,
    rate: Lanes | Spread | None = None,
    phase: Lanes | Spread | None = None,
    shape: Literal["sine", "triangle", "saw", "pulse"] | None = None,
    width: float | None = None,
    named: str | None = None,
    priority: int = 0,
    after: Seconds = 0,
) -> Plan:
    """Moves a property to and fro around `offset` until it is removed: a `Wave`."""
    fields: dict[str, Value] = {
        "offset": offset,
        "amplitude": amplitude,
        "rate": rate,
        "phase": phase,
        "shape": shape,
        "width": width,
    }
    return _plan("Wave", property, fields, named, priority, after)


def follow(
    property: str | Property,
    input: str,
    *,
    mode: Literal["spring", "smoothing", "direct"] | None = None,
    scale: float | None = None,
    offset: Lanes | None = None,
    named: str | None = None,
    priority: int = 0,
    after: Seconds = 0,
) -> Plan:
    """Moves a property by a live input value until it is removed: a `Follow`. Send values by `send_values`."""
    fields: dict[str, Value] = {"input": input, "mode": mode, "scale": scale, "offset": offset}
    return _plan("Follow", property, fields, named, priority, after)


def _plan(
    type: str, property: str | Property, fields: dict[str, Value], named: str | None, priority: int, after: Seconds
) -> Plan:
    place = Property.of(property)
    return Plan(
        built_in().require(type),
        place.target,
        {"property": place.property, **fields},
        named=named,
        priority=priority,
        after=after,
    )
