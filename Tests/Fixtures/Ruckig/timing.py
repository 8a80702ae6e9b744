"""Prints the mean time in µs that Ruckig takes for the states of a file of states.py, by its own measurement.

Ruckig reads a clock before and after each calculation. The best of seven rounds counts.
"""

import array
import sys

import ruckig

values = array.array("d")
with open(sys.argv[1], "rb") as file:
    values.frombytes(file.read())
inputs = []
for i in range(0, len(values), 9):
    given = ruckig.InputParameter(1)
    given.current_position, given.current_velocity = [values[i]], [values[i + 1]]
    given.current_acceleration = [values[i + 2]]
    given.target_position, given.target_velocity, given.target_acceleration = [values[i + 3]], [values[i + 4]], [0.0]
    given.max_velocity, given.max_acceleration = [values[i + 5]], [values[i + 6]]
    given.max_jerk = [values[i + 7]]
    inputs.append(given)
best = float("inf")
for _ in range(7):
    total = 0.0
    for given in inputs:
        output = ruckig.OutputParameter(1)
        ruckig.Ruckig(1, 0.01).update(given, output)
        total += output.calculation_duration
    best = min(best, total / len(inputs))
print(best)
