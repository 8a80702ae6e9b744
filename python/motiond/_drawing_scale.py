"""Round numbers along an axis, and decimal numbers as text."""

from __future__ import annotations

import math

#: Values farther out are drawn here: otherwise the span of the axis would overflow.
_FARTHEST = 1e150
#: A double has about fifteen digits in all.
_MOST_DIGITS = 12


class Scale:
    """An axis for numbers from `low` to `high` with about `count` labels."""

    def __init__(self, low: float, high: float, count: int) -> None:
        if low > high:
            low = high = 0.0
        low = min(max(low, -_FARTHEST), _FARTHEST)
        high = min(max(high, low), _FARTHEST)
        # Values closer than this differ only by rounding: they lie in the middle of a short axis.
        if high - low <= 1e-9 * max(abs(low), abs(high)) or high - low < 1e-12:
            margin = max(0.5, 0.01 * max(abs(low), abs(high)))
            low, high = low - margin, high + margin
        self._step, self._digits = _step((high - low) / count)
        self.low = math.floor(low / self._step) * self._step
        self.high = math.ceil(high / self._step) * self._step

    @property
    def ticks(self) -> list[float]:
        """The numbers that are labelled."""
        count = _rounded((self.high - self.low) / self._step)
        return [self.low + index * self._step for index in range(count + 1)]

    def text(self, number: float) -> str:
        """A number of this axis, with as many digits as its neighbours."""
        return decimals(number, self._digits)

    def place(self, number: float) -> float:
        """Its position between the ends: 0 at the low one, 1 at the high one."""
        return (min(max(number, self.low), self.high) - self.low) / (self.high - self.low)


def _step(least: float) -> tuple[float, int]:
    """The next round number from `least` up, and the decimals of its multiples."""
    power, exponent = 1.0, 0
    while power * 10 <= least:
        power, exponent = power * 10, exponent + 1
    while power > least:
        power, exponent = power / 10, exponent - 1
    factor = least / power
    number = 1.0 if factor <= 1 else 2.0 if factor <= 2 else 5.0 if factor <= 5 else 10.0
    return number * power, max(0, -(exponent + 1 if number == 10 else exponent))


def decimals(number: float, digits: int) -> str:
    """A number with so many decimals; -0 is 0."""
    digits = min(max(digits, 0), _MOST_DIGITS)
    scale = 10.0**digits
    scaled = _rounded(abs(number) * scale)
    # Beyond 2^53 a double has no fraction.
    if scaled >= 2**53:
        return repr(number)
    whole, fraction = divmod(scaled, int(scale))
    sign = "-" if number < 0 and scaled else ""
    return f"{sign}{whole}.{fraction:0{digits}d}" if digits else f"{sign}{whole}"


def place(number: float) -> str:
    """A coordinate in a picture: a tenth of a unit is finer than a screen."""
    return decimals(number, 1).removesuffix(".0")


def _rounded(number: float) -> int:
    """The nearest whole number; halves go away from 0, not to the even one as in Python."""
    whole = math.floor(number)
    return whole + (number - whole >= 0.5)
