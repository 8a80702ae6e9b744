"""How a plan moves one property: velocities from values, and the continuation after an interruption."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias, cast

from ._worker_types import PARTS, Motion, State, lanes

Lanes: TypeAlias = tuple[float, ...]

#: The seconds in which the difference at a hand-over fades, as in motiond.
LONGEST_FADE = 0.150


def checked(motion: Motion) -> Motion:
    """The motion with times that can be sent: those that are not finite are unknown.

    Raises `TypeError` or `ValueError` for what is no time, or no part of a motion.
    """
    motion.remaining = _seconds("remaining", motion.remaining)
    motion.carry = _seconds("carry", motion.carry)
    if motion.imposes not in PARTS:
        raise ValueError(f'Motion(imposes={motion.imposes!r}): use "value", "velocity", "both", or "" for nothing')
    return motion


def _seconds(name: str, given: object) -> float | None:
    if given is None:
        return None
    try:
        if isinstance(given, (str, bytes)):
            raise TypeError
        seconds = float(cast("float", given))
    except (TypeError, ValueError, OverflowError):
        remedy = "give seconds as a number, or None if they are unknown"
        raise TypeError(f"Motion({name}={given!r}): {remedy}") from None
    return seconds if math.isfinite(seconds) else None


class Fade:
    """A difference in value and velocity that vanishes by a cubic, without a jump in value or velocity."""

    __slots__ = ("_duration", "_since", "_value", "_velocity")

    def __init__(self, value: Lanes, velocity: Lanes, since: float, duration: float) -> None:
        self._value = value
        self._velocity = velocity
        self._since = since
        self._duration = duration

    def is_over(self, time: float) -> bool:
        """Whether nothing of it is left at this simulated time."""
        return time - self._since >= self._duration

    def added(self, value: Lanes, velocity: Lanes, time: float) -> tuple[Lanes, Lanes]:
        """This value and velocity with what is left of the difference."""
        s = max(time - self._since, 0.0) / self._duration
        left = 1 - s
        a, b = (1 + 2 * s) * left * left, self._duration * s * left * left
        c, d = -6 * s * left / self._duration, left * (1 - 3 * s)
        rest = list(zip(self._value, self._velocity, strict=True))
        return (
            tuple(x + a * p + b * q for x, (p, q) in zip(value, rest, strict=True)),
            tuple(v + c * p + d * q for v, (p, q) in zip(velocity, rest, strict=True)),
        )


class Mover:
    """The motion of one property by one plan, from when it begins to drive the property."""

    __slots__ = ("_count", "_fade", "_fades", "_last", "_origin", "_since", "_velocity")

    def __init__(self, origin: State, since: float, *, fades: bool) -> None:
        """Starts with the property in the state `origin` at the simulated time `since`.

        With `fades` the difference between the property and the plan fades here, because motiond sees no hand-over:
        the plan drives the property again. At its beginning motiond blends.
        """
        self._origin = origin
        self._since = since
        self._fades = fades
        self._fade: Fade | None = None
        self._count = len(origin.value)
        self._last: tuple[Lanes, float] | None = None
        self._velocity: Lanes | None = None

    def step(self, motion: Motion, time: float, earlier: Callable[[], tuple[Lanes, float] | None]) -> State:
        """The property's state at the end of the frame.

        A velocity that is not given is derived: from the last frame's value; in the first frame from `earlier`, the
        value at a moment before, if that is known. Without it, the property moves on evenly for one frame.

        Raises `TypeError` for a value with the wrong number of lanes.
        """
        value = self._lanes(motion.value)
        velocity = self._lanes(motion.velocity) if motion.velocity is not None else self._derived(value, time, earlier)
        is_first = self._last is None
        self._last = (value, time)
        self._velocity = velocity
        if velocity is None:
            return self._without_velocity(value, motion, time)
        if is_first or self._fades:
            self._begin_fade(value, velocity, motion, time)
        if self._fade is not None:
            if self._fade.is_over(time):
                self._fade = None
            else:
                return State(*self._fade.added(value, velocity, time))
        return State(value, velocity)

    @property
    def has_begun(self) -> bool:
        """Whether it has moved the property."""
        return self._last is not None

    @property
    def is_fading(self) -> bool:
        """Whether the difference after an interruption has not faded."""
        return self._fade is not None or self._fades

    def _lanes(self, value: object) -> Lanes:
        result = lanes(value)
        if len(result) != self._count:
            remedy = "return one number" if self._count == 1 else f"return a tuple of {self._count} numbers"
            raise TypeError(f"{len(result)} lanes were returned for a property of {self._count}: {remedy}")
        return result

    def _derived(self, value: Lanes, time: float, earlier: Callable[[], tuple[Lanes, float] | None]) -> Lanes | None:
        before = self._last
        if before is None:
            known = earlier()
            before = (self._lanes(known[0]), known[1]) if known is not None else None
        if before is None or before[1] == time:
            return self._velocity
        dt = time - before[1]
        return tuple((new - old) / dt for new, old in zip(value, before[0], strict=True))

    def _onward(self, time: float) -> Lanes:
        dt = time - self._since
        return tuple(x + v * dt for x, v in zip(self._origin.value, self._origin.velocity, strict=True))

    def _without_velocity(self, value: Lanes, motion: Motion, time: float) -> State:
        # The plan's velocity is known in its second frame. A property that rests at its beginning takes its value.
        # Another one goes on evenly until then.
        if motion.imposes == "both" or not (self._fades or any(self._origin.velocity)):
            return State(value, (0.0,) * self._count)
        self._fades = True
        shown = value if motion.imposes == "value" else self._onward(time)
        return State(shown, (0.0,) * self._count if motion.imposes == "velocity" else self._origin.velocity)

    def _begin_fade(self, value: Lanes, velocity: Lanes, motion: Motion, time: float) -> None:
        if not self._fades:
            return
        self._fades = False
        difference = tuple(x - y for x, y in zip(self._onward(time), value, strict=True))
        speed = tuple(x - y for x, y in zip(self._origin.velocity, velocity, strict=True))
        if motion.imposes in ("value", "both"):
            difference = (0.0,) * self._count
        if motion.imposes in ("velocity", "both"):
            speed = (0.0,) * self._count
        duration = LONGEST_FADE if motion.remaining is None else min(LONGEST_FADE, motion.remaining)
        if duration > 0 and (any(difference) or any(speed)):
            self._fade = Fade(difference, speed, time, duration)
