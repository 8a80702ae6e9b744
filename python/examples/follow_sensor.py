"""A property that follows a sensor: follow_sensor.py [RUNTIME_DIR]

Reads a sensor fifty times a second, here a slow circle with noise, and sends its values. motiond smooths them, and
the head keeps its limits. When this program ends, the values are withdrawn 3 s later, and the head comes to rest.
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Iterator

import motiond


def sensor() -> Iterator[tuple[float, float]]:
    """Readings of an imaginary sensor: pan and tilt in degrees."""
    begin = time.monotonic()
    while True:
        angle = (time.monotonic() - begin) * 0.5
        yield 40 * math.cos(angle) + random.gauss(0, 1), 15 * math.sin(angle) + random.gauss(0, 1)


def main(directory: str | None, seconds: float) -> None:
    """Sends readings for some seconds."""
    with motiond.connect(directory, name="follow_sensor") as m:
        _ = m.commit(
            motiond.limit("head.pan", velocity=180, acceleration=720),
            motiond.limit("head.tilt", velocity=180, acceleration=720),
            motiond.follow("head.pan", "sensor.pan", mode="smoothing", named="pan"),
            motiond.follow("head.tilt", "sensor.tilt", mode="smoothing", named="tilt"),
            comment="the head follows the sensor",
        )
        end = time.monotonic() + seconds
        for pan, tilt in sensor():
            if time.monotonic() > end:
                break
            m.stream_values({"sensor.pan": pan, "sensor.tilt": tilt}, device="sensor")
            time.sleep(0.02)
        for row in m.properties("head"):
            print(f"{row.property.property}: {row.state.value[0]:.1f}°")
        _ = m.send_values({"sensor.pan": None, "sensor.tilt": None}, device="sensor")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None, float(sys.argv[2]) if len(sys.argv) > 2 else 10)
