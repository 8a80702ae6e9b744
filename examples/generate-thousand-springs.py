#!/usr/bin/env python3
"""Writes thousand-springs.json: 1,000 targets, each with a spring to its place on a spiral.

The places are those of the seeds in a sunflower: the n-th lies at n times the golden angle, at a distance of the
square root of n, so that they are spread evenly. The numbers are rounded, so that every machine writes the same file.

    examples/generate-thousand-springs.py > examples/thousand-springs.json
"""

import json
import math

COUNT = 1000
GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))
SPACING = 16  # points between neighbours


def place(n):
    distance = SPACING * math.sqrt(n)
    return [round(distance * math.cos(n * GOLDEN_ANGLE), 1), round(distance * math.sin(n * GOLDEN_ANGLE), 1)]


def operation(n):
    # Softer springs further out, so that the spiral opens from its middle.
    tension = round(400 - 0.3 * n)
    spring = {"type": "SpringTo", "property": "position", "destination": place(n), "tension": tension}
    return json.dumps({"add": spring, "to": f"seed:{n:04}"})


print('{"transaction": [')
print(",\n".join("  " + operation(n) for n in range(1, COUNT + 1)))
print("]}")
