"""The plugin tween in Python: the Swift suites run against it, too. It fulfils `Tween` as section 13 of the
specification, with the named easings."""

import math
from collections.abc import Callable
from typing import Annotated, Literal

import motiond
from motiond.executors import Executor, Frame, Motion, Reads, Seconds, State, Value, Writes, executor

#: An easing: the share of the way at a share of the time, and its derivative.
Easing = Callable[[float], tuple[float, float]]

NAMED = {
    "ease": (0.25, 0.1, 0.25, 1.0),
    "ease-in": (0.42, 0.0, 1.0, 1.0),
    "ease-out": (0.0, 0.0, 0.58, 1.0),
    "ease-in-out": (0.42, 0.0, 0.58, 1.0),
}


def bezier(x1: float, y1: float, x2: float, y2: float) -> Easing:
    """The easing `cubic-bezier` of CSS."""

    def at(a: float, b: float, s: float) -> tuple[float, float]:
        c1, c2, c3 = 3 * a, 3 * (b - 2 * a), 1 + 3 * (a - b)
        return ((c3 * s + c2) * s + c1) * s, (3 * c3 * s + 2 * c2) * s + c1

    def ease(x: float) -> tuple[float, float]:
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if at(x1, x2, middle)[0] < x else (low, middle)
        (y, dy), (_, dx) = at(y1, y2, high), at(x1, x2, high)
        return (0.0, 0.0) if x <= 0 and dx == 0 else (y, dy / dx if dx else 0.0)

    return ease


def easing(text: str) -> Easing:
    """The easing of this name."""
    if text == "linear":
        return lambda x: (x, 1.0)
    if text in NAMED:
        return bezier(*NAMED[text])
    raise ValueError(f"{text} is not an easing of this worker")


def lanes(value: Value) -> tuple[float, ...]:
    return tuple(value) if isinstance(value, tuple) else (value,)


class Curve:
    """The movement of a tween as a function of its time."""

    def __init__(self, tween: "Tween", start: State) -> None:
        values = [lanes(value) for value in tween.values or [tween.to]]
        if tween.from_ is not None:
            values.insert(0, lanes(tween.from_))
        elif len(values) == 1:
            values.insert(0, start.value)
        self.values = values
        self.offsets = tween.offsets or [index / (len(values) - 1) for index in range(len(values))]
        easings = [tween.easing] if isinstance(tween.easing, str) else tween.easing
        self.easings = list(map(easing, easings)) * (len(values) - 1 if len(easings) == 1 else 1)
        self.duration, self.delay, self.autoreverse = tween.duration, tween.delay, tween.autoreverse
        self.repeat = math.inf if tween.repeat == "forever" else float(tween.repeat)
        self.total = self.delay + (self.duration * self.repeat if self.duration > 0 else 0.0)
        self.carries = tween.carry and any(start.velocity)
        self.carried = tuple(0.0 for _ in start.value)
        self.carry_time = 0.0
        if self.carries and self.duration > 0:
            own = self.carried if self.delay > 0 else tuple(v / self.duration for v in self._at(0)[1])
            self.carried = tuple(v - w for v, w in zip(start.velocity, own, strict=True))
            speed = math.hypot(*self.carried)
            reach = max(math.dist(value, values[0]) for value in values)
            if speed > 0:
                self.carry_time = min(self.duration, max(1 / 60, min(0.15, reach / (2 * speed))))

    def sample(self, elapsed: float) -> tuple[list[float], list[float]]:
        """Value and velocity, so many seconds after the beginning."""
        if elapsed >= self.total:
            return self._at(self._end())[0], [0.0] * len(self.carried)
        value, velocity = list(self.values[0]), [0.0] * len(self.carried)
        if elapsed >= self.delay:
            progress, direction = self._progress((elapsed - self.delay) / self.duration)
            value, slope = self._at(progress)
            velocity = [v * direction / self.duration for v in slope]
        if elapsed < self.carry_time:
            share = elapsed / self.carry_time
            for lane, carried in enumerate(self.carried):
                value[lane] += carried * elapsed * (1 - share) ** 2
                velocity[lane] += carried * (1 - share) * (1 - 3 * share)
        return value, velocity

    def _progress(self, passes: float) -> tuple[float, int]:
        whole = math.floor(passes)
        backwards = self.autoreverse and whole % 2 == 1
        return (1 - (passes - whole), -1) if backwards else (passes - whole, 1)

    def _end(self) -> float:
        if self.repeat.is_integer():
            return 0.0 if self.autoreverse and self.repeat % 2 == 0 else 1.0
        return self._progress(self.repeat)[0]

    def _at(self, progress: float) -> tuple[list[float], list[float]]:
        place = max(index for index in range(len(self.easings)) if index == 0 or self.offsets[index] <= progress)
        first, last = self.offsets[place], self.offsets[place + 1]
        share, slope = self.easings[place](1.0 if progress >= last else (progress - first) / (last - first))
        pairs = list(zip(self.values[place], self.values[place + 1], strict=True))
        return (
            [b if share == 1 else a + share * (b - a) for a, b in pairs],
            [slope * (b - a) / (last - first) for a, b in pairs],
        )


@executor("Tween", kind="one-shot", exclusive=[("to", "values")], requires_one_of=[("to", "values")])
class Tween(Executor):
    """Moves a property to a value, or through several, in a given time."""

    property: Writes
    to: Value | None = None
    values: list[float | tuple[float, ...]] | None = None
    from_: Value | None = None
    offsets: list[float] | None = None
    easing: str | list[str] = "linear"
    duration: Seconds = 0.3
    delay: Seconds = 0.0
    repeat: float | Literal["forever"] = 1.0
    autoreverse: bool = False
    carry: bool = True

    def start(self) -> None:
        self._curve = Curve(self, self.plan.start())

    def update(self, frame: Frame) -> Motion:
        elapsed, curve = self.plan.elapsed, self._curve
        value, velocity = curve.sample(elapsed)
        sets_value = self.from_ is not None or self.values is not None and len(self.values) > 1
        parts = ("value" if sets_value else "", "velocity" if not curve.carries else "")
        remaining = max(0.0, curve.total - max(0.0, elapsed))
        return Motion(
            value,
            velocity,
            remaining=remaining if math.isfinite(remaining) else None,
            carry=curve.carry_time if curve.carry_time > 0 else None,
            imposes="both" if all(parts) else parts[0] or parts[1],
        )


@executor("SquashAndStretch", kind="standing", writes=("scale", "rotation"))
class SquashAndStretch(Executor):
    """Is in the manifest, and does nothing here."""

    strength: float = 1.0
    of: Annotated[Reads, "Is not read."] = Reads("position")

    def update(self, frame: Frame) -> None:
        return None


if __name__ == "__main__":
    motiond.run()
