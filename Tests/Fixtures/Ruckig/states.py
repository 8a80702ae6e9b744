"""Writes random states with the durations that Ruckig finds, as a binary file.

    states.py SEED COUNT KIND FILE

Each record holds nine doubles in the byte order of the machine: initial position, velocity and acceleration, final
position and velocity, the three limits, and Ruckig's duration: NaN if Ruckig finds no move, and negative if its move
misses the target by more than 1e-11, relative to the positions and to velocity limit times duration.
KIND is one of: inside, edges, tiny, above, trapezoid, lasting, together. In `lasting` the record has a tenth double: a
minimum duration that was given to Ruckig; the duration is then the one that Ruckig's second step chose. In `together`
the record has three states of eight doubles that arrive together, and the duration.
"""

import array
import math
import random
import sys

import ruckig


def magnitude(r, low=-2.0, high=2.0):
    return 10.0 ** r.uniform(low, high)


def inside(r):
    v, a, j = magnitude(r), magnitude(r), magnitude(r)
    a0 = r.uniform(-1, 1) * a
    # A velocity that can stay within its limit although the acceleration has to ramp down first.
    stopping = a0 * abs(a0) / (2 * j)
    low, high = -v - min(stopping, 0.0), v - max(stopping, 0.0)
    if low > high:
        a0 = r.uniform(-1, 1) * min(a, math.sqrt(2 * j * v))
        stopping = a0 * abs(a0) / (2 * j)
        low, high = -v - min(stopping, 0.0), v - max(stopping, 0.0)
    v0 = r.uniform(low, high)
    scale = magnitude(r)
    return [r.uniform(-1, 1) * scale, v0, a0, r.uniform(-1, 1) * scale, r.uniform(-1, 1) * v, v, a, j]


def edges(r):
    """Zeros, touched limits and values that are a few units in the last place beside them."""
    v, a, j = (r.choice([0.5, 1.0, 2.0, 3.0, magnitude(r)]) for _ in range(3))

    def near(limit):
        x = r.choice([0.0, 0.0, 1.0, -1.0, 0.5, -0.5, r.uniform(-1, 1)]) * limit
        return x * (1 + r.choice([0, 0, 0, -1e-15, -1e-12, -1e-9, -1e-6]))

    for _ in range(1000):
        v0, a0, vf = near(v), near(a), near(v)
        if abs(v0 + a0 * abs(a0) / (2 * j)) <= v:
            break
    else:
        a0 = 0.0
    p0 = r.choice([0.0, 0.0, 1.0, r.uniform(-10, 10)])
    pf = p0 + r.choice([0.0, 1e-9, -1e-6, 1.0, -1.0, 1e-3, r.uniform(-10, 10)]) * r.choice([1, 1, 1 + 1e-12])
    return [p0, v0, a0, pf, vf, v, a, j]


def tiny(r):
    state = inside(r)
    state[3] = state[0] + r.uniform(-1, 1) * 10.0 ** r.uniform(-7, -2)
    return state


def above(r):
    state = inside(r)
    state[1] = r.uniform(-3, 3) * state[5]
    state[2] = r.uniform(-2, 2) * state[6]
    return state


def trapezoid(r):
    state = inside(r)
    state[1] = r.uniform(-1, 1) * state[5]
    state[2] = 0.0
    state[7] = math.inf
    return state


def record(state, minimum=None):
    p0, v0, a0, pf, vf, v, a, j = state
    given = ruckig.InputParameter(1)
    given.current_position, given.current_velocity, given.current_acceleration = [p0], [v0], [a0]
    given.target_position, given.target_velocity, given.target_acceleration = [pf], [vf], [0.0]
    given.max_velocity, given.max_acceleration, given.max_jerk = [v], [a], [j]
    if minimum is not None:
        given.minimum_duration = minimum
    trajectory = ruckig.Trajectory(1)
    try:
        result = SOLVER.calculate(given, trajectory)
    except Exception:
        return state + [math.nan]
    if result != ruckig.Result.Working:
        return state + [math.nan]
    # Ruckig accepts positions that are 1e-8 beside the target. Such a move is not one to compare with.
    end = trajectory.at_time(trajectory.duration)[0][0]
    scale = max(abs(p0), abs(pf), v * trajectory.duration)
    return state + [trajectory.duration if abs(end - pf) <= EXACT * scale else -trajectory.duration]


def together(r):
    states = [inside(r) for _ in range(3)]
    given = ruckig.InputParameter(3)
    columns = list(zip(*states))
    given.current_position, given.current_velocity, given.current_acceleration = map(list, columns[0:3])
    given.target_position, given.target_velocity = map(list, columns[3:5])
    given.max_velocity, given.max_acceleration, given.max_jerk = map(list, columns[5:8])
    trajectory = ruckig.Trajectory(3)
    try:
        result = SOLVER_OF_THREE.calculate(given, trajectory)
        duration = trajectory.duration if result == ruckig.Result.Working else math.nan
    except Exception:
        duration = math.nan
    return states[0] + states[1] + states[2] + [duration]


EXACT = 1e-11
SOLVER = ruckig.Ruckig(1)
SOLVER_OF_THREE = ruckig.Ruckig(3)


def main():
    seed, count, kind, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
    r = random.Random(seed)
    values = array.array("d")
    for _ in range(count):
        if kind == "lasting":
            found = record(inside(r))
            minimum = 0.0 if math.isnan(found[8]) else found[8] * (1 + 10.0 ** r.uniform(-4, 1))
            values.extend(record(found[:8], minimum) + [minimum])
        elif kind == "together":
            values.extend(together(r))
        else:
            values.extend(record(globals()[kind](r)))
    with open(path, "wb") as file:
        values.tofile(file)


main()
