#!/usr/bin/env python3
"""Lets properties drift as in a breeze.

    python -m motiond new noise --from noise.py --in ~/.local/share/motiond/plugins
    motionctl add Noise --to lamp property=opacity low=0.4 high=1 scale=2s

Noise of one dimension: between whole multiples of `scale` the value follows a smooth curve through random numbers,
which depend on `seed` and their place alone. So a worker that restarts continues the same curve. The velocity is its
exact derivative: a spring that takes over begins with it.
"""

import random
from typing import Annotated

import motiond
from motiond.executors import Field, Frame, Motion, Plan, Seconds, Writes


def lattice(seed: int, place: int) -> float:
    """The random number of a place, from 0 to 1."""
    return random.Random(seed * 1_000_003 + place).random()


@motiond.executor("Noise", kind="standing")
def noise(
    plan: Plan,
    frame: Frame,
    *,
    property: Annotated[Writes, "What drifts: a property of one lane."] = Writes("opacity"),
    low: Annotated[float, "The lowest value."] = 0.0,
    high: Annotated[float, "The highest value."] = 1.0,
    scale: Annotated[Seconds, Field("How long a swing takes, about.", range=(0.01, 3600))] = 1.0,
    seed: Annotated[int, "Another number is another curve."] = 0,
) -> Motion:
    """Lets a property drift between two values by noise."""
    place, share = divmod(plan.elapsed / scale, 1)
    one, other = lattice(seed, int(place)), lattice(seed, int(place) + 1)
    curve, slope = share * share * (3 - 2 * share), 6 * share * (1 - share)
    return Motion(
        low + (high - low) * (one + (other - one) * curve),
        velocity=(high - low) * (other - one) * slope / scale,
    )


if __name__ == "__main__":
    motiond.run()
