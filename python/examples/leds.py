#!/usr/bin/env python3
"""Lets a thousand LEDs run through the rainbow, all of them in one call per frame.

    python -m motiond new leds --from leds.py --in ~/.local/share/motiond/plugins
    motionctl add Rainbow --to 'led{1..1000}' phase=0..10

Each LED is a target with the property `color` (red, green, blue, alpha). Phases from 0 to 10 spread ten rainbows over
them. The fields of all plans are columns, and `out.value` has a row of four lanes for each: what is computed here costs
some 0.2 ms a frame for all 1,000.
"""

import numpy as np
from numpy.typing import NDArray

import motiond
from motiond.executors import Columns, Numbers, Writes, columns, field

#: Where red, green and blue are brightest, in turns of the wheel of colours.
BRIGHTEST = np.array([0.0, 1 / 3, 2 / 3])


@columns("Rainbow", kind="standing")
class Rainbow:
    """Lets a color run through the rainbow."""

    property: Writes = field(Writes("color"), "The color: red, green, blue and perhaps alpha.")
    rate: Numbers = field(0.2, "Turns per second.", unit="1/s")
    phase: Numbers = field(0.0, "Where it begins, in turns.")
    brightness: Numbers = field(1.0, "The brightest value of a lane.", range=(0, 1))

    def update(self, t: NDArray[np.float64], out: Columns) -> None:
        """The colors of all plans at the end of the frame, with their exact velocities."""
        lanes = min(out.shape[1], 3)
        angle = 2 * np.pi * ((self.rate * t + self.phase)[:, None] - BRIGHTEST[:lanes])
        half = self.brightness[:, None] / 2
        out.value[:, :lanes] = half * (1 + np.cos(angle))
        out.value[:, 3:] = 1
        out.velocity[:, :lanes] = -half * np.sin(angle) * (2 * np.pi * self.rate)[:, None]


if __name__ == "__main__":
    motiond.run()
