"""Executors that compute all their targets at once: one call per frame, with an array element for each plan.

A plan that moves its property is a row. The last row moves into the place of one that is removed. A frame costs a few
numpy operations over all rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._worker_failures import Naming, line_of, shortened, traced
from ._worker_motion import LONGEST_FADE
from ._worker_runs import Run
from ._worker_types import PARTS, Frame, Parts, State
from ._worker_update import UNKNOWN, VALUE_MAGNITUDE, VELOCITY_MAGNITUDE, Block, Floats, Shape, is_sound

if TYPE_CHECKING:
    from ._worker_declarations import ColumnDeclaration
    from ._worker_hosted import HostedExecutor
    from ._worker_plan import Plan


class Rows:
    """Columns of equal length that grow and shrink together. Adding and removing a row costs one copy per column."""

    def __init__(self, columns: dict[str, NDArray[Any]]) -> None:
        """Columns by name, each given by an empty array of its type and width."""
        self._columns = columns
        self.count = 0

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A column, as a view that is valid until the next row is added."""
        return self._columns[name][: self.count]

    def append(self, values: dict[str, Any]) -> None:
        """Adds a row."""
        for name, column in self._columns.items():
            if len(column) == self.count:
                # Twice as many, so that many additions cost little each.
                grown = np.zeros((max(16, 2 * self.count), *column.shape[1:]), column.dtype)
                grown[: self.count] = column
                self._columns[name] = column = grown
            column[self.count] = values[name]
        self.count += 1

    def remove(self, row: int) -> None:
        """Removes a row; the last one takes its place."""
        self.count -= 1
        for column in self._columns.values():
            column[row] = column[self.count]


class Columns:
    """What a column executor fills in a frame, a row for each plan: ``out.value[:, 0] = ...``."""

    def __init__(self, rows: Rows, targets: list[str], frame: Frame) -> None:
        self._rows = rows
        #: The target of each row.
        self.targets = targets
        #: The frame in progress.
        self.frame = frame
        count, width = rows["value"].shape
        self._velocity: Floats | None = None
        #: Rows whose plan is fulfilled after this frame: of one-shots.
        self.done: NDArray[np.bool_] = np.zeros(count, np.bool_)
        #: Rows that need no further frame until something changes.
        self.rests: NDArray[np.bool_] = np.zeros(count, np.bool_)
        #: For each row the seconds until its movement ends, -1 if unknown; `None` if unknown for all.
        self.remaining: Floats | None = None
        #: For each row the seconds in which a hand-over blends out the old velocity; likewise.
        self.carry: Floats | None = None
        #: What the plans set by themselves at their beginning, so that a hand-over does not blend it.
        self.imposes: Parts = ""
        #: The shape of ``value`` and ``velocity``: rows and lanes.
        self.shape: tuple[int, int] = (count, width)

    @property
    def value(self) -> Floats:
        """The values at the end of the frame; those of the last frame until they are set."""
        return self._rows["value"]

    @value.setter
    def value(self, values: Any) -> None:
        self._rows["value"][...] = values

    @property
    def velocity(self) -> Floats:
        """The velocities per second. Without them they are derived from the values: exact for even motion."""
        if self._velocity is None:
            self._velocity = np.zeros(self.shape)
        return self._velocity

    @velocity.setter
    def velocity(self, values: Any) -> None:
        self.velocity[...] = values

    @property
    def start(self) -> Floats:
        """The values that the properties had when the plans began."""
        return self._rows["start"]

    @property
    def start_velocity(self) -> Floats:
        """The velocities that the properties had when the plans began."""
        return self._rows["start_velocity"]

    @property
    def given_velocity(self) -> Floats | None:
        """The velocities, if the executor has set any."""
        return self._velocity


class ColumnRun(Run):
    """A plan of a column executor: a row while it moves its property."""

    is_row = True

    def __init__(self, plan: Plan, declaration: ColumnDeclaration, fields: dict[str, Any]) -> None:
        super().__init__(plan, declaration.kind_of(plan))
        self.declaration = declaration
        self.fields = fields
        self.executor: HostedExecutor | None = None
        self.row = -1
        self._group: ColumnGroup | None = None
        self._resting: State | None = None

    @property
    def moves(self) -> bool:
        """Whether it moves its property now."""
        return self.row >= 0

    def join(self, group: ColumnGroup, executor: HostedExecutor, origin: State, since: float, fades: bool) -> None:
        """Becomes a row, which begins with the property in this state."""
        self.leave()
        self._group, self.executor, self._resting = group, executor, None
        group.add(self, executor, origin, since, fades)

    def leave(self) -> None:
        """Is no row any more."""
        if self._group is not None and self.moves:
            self._group.remove(self)
        self.wants_frame = False
        self._resting = None

    def rest(self) -> None:
        """Needs no frames until something changes."""
        state = self.state()
        self.leave()
        self._resting = state

    def rejoin(self) -> None:
        """Needs frames again after a rest."""
        if self._resting is not None and self._group is not None and self.executor is not None:
            self.join(self._group, self.executor, self._resting, self.executor.session.frame.time, False)

    def state(self) -> State | None:
        """The state that it wrote last."""
        return self._group.state(self.row) if self._group is not None and self.moves else self._resting


class ColumnGroup:
    """The rows of a column executor whose properties have a number of lanes, and the object that computes them."""

    def __init__(self, declaration: ColumnDeclaration, instance: Any, lanes: int) -> None:
        self._declaration = declaration
        self._instance = instance
        self._lanes = lanes
        self._runs: list[ColumnRun] = []
        self._targets: list[str] = []
        self._shape: Shape | None = None
        wide, narrow = np.zeros((0, lanes)), np.zeros(0)
        base: dict[str, NDArray[Any]] = {
            name: wide.copy()
            for name in ("value", "start", "start_velocity", "last", "last_velocity", "fade", "fade_velocity")
        }
        base |= {name: narrow.copy() for name in ("start_time", "last_time", "fade_since", "fade_length")}
        base |= {name: wide.copy() for name in ("origin", "origin_velocity")}
        base |= {"origin_time": narrow.copy(), "must_fade": np.zeros(0, np.bool_)}
        base |= {name: np.zeros(0, np.uint32) for name in ("executor", "handle")}
        self._rows = Rows(base)
        self._fields = Rows(declaration.empty_columns(lanes))

    # ------------------------------------------------------------------------------------------------------------- Rows

    def add(self, run: ColumnRun, executor: HostedExecutor, origin: State, since: float, fades: bool) -> None:
        """Adds the row of a plan."""
        start = run.plan.start()
        name = run.plan.properties[0]
        zero = (0.0,) * self._lanes
        # First, because a value that does not fit raises.
        self._fields.append(self._declaration.row(run.fields))
        self._rows.append(
            {
                "value": origin.value,
                "start": start.value,
                "start_velocity": start.velocity,
                "last": origin.value,
                "last_velocity": zero,
                "fade": zero,
                "fade_velocity": zero,
                "start_time": run.plan.start_time,
                "last_time": np.nan,
                "fade_since": 0.0,
                "fade_length": 0.0,
                "origin": origin.value,
                "origin_velocity": origin.velocity,
                "origin_time": since,
                "must_fade": fades,
                "executor": executor.handle,
                "handle": executor.handles[name],
            }
        )
        run.row = len(self._runs)
        self._runs.append(run)
        self._targets.append(run.plan.target)
        self._shape = None

    def remove(self, run: ColumnRun) -> None:
        """Removes the row of a plan."""
        row, run.row = run.row, -1
        self._rows.remove(row)
        self._fields.remove(row)
        last, target = self._runs.pop(), self._targets.pop()
        if last is not run:
            self._runs[row], self._targets[row], last.row = last, target, row
        self._shape = None

    def state(self, row: int) -> State:
        """The state that a row wrote last."""
        rows = self._rows
        return State(tuple(map(float, rows["value"][row])), tuple(map(float, rows["last_velocity"][row])))

    # ----------------------------------------------------------------------------------------------------------- Frames

    def run(self, frame: Frame) -> Block | None:
        """Computes all rows at the end of the frame; `None` without any."""
        if not self._runs:
            return None
        try:
            return self._run(frame)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self._fail_all(error)
            return None

    def _run(self, frame: Frame) -> Block:
        out, velocities = self._compute(frame)
        rows, count = self._rows, len(self._runs)
        imposes = self._begin_fades(out, velocities, frame)
        values, velocities = self._faded(rows["value"], velocities, frame.time)
        rows["last_velocity"][...] = velocities
        if self._shape is None:
            self._shape = Shape(rows["executor"], rows["handle"], np.full(count, self._lanes, np.uint32))
        remaining, carry = _times(out.remaining, count), _times(out.carry, count)
        block = Block(self._shape, values.reshape(-1), velocities.reshape(-1), imposes, remaining, carry)
        if not (is_sound(values, VALUE_MAGNITUDE) and is_sound(velocities, VELOCITY_MAGNITUDE)):
            return self._without_unsound(values.copy(), velocities.copy())
        with Naming("out.done or out.rests"):
            done, rests = np.broadcast_to(out.done, count), np.broadcast_to(out.rests, count)
        if done.any() or rests.any():
            # The rows change their places below.
            block.lanes, block.velocities = block.lanes.copy(), block.velocities.copy()
            self._end_rows(done, rests)
        return block

    def _fail_all(self, error: BaseException) -> None:
        """The call was for all rows: none is known to be the cause."""
        if self._runs[0].executor is not None:
            self._runs[0].executor.session.say(traced(error))
        for run in list(self._runs):
            _fail(run, shortened(error, line_of(self._instance.update)))

    def _compute(self, frame: Frame) -> tuple[Columns, Floats]:
        """Calls the executor, and works out the velocities."""
        rows, time = self._rows, frame.time
        elapsed = time - rows["start_time"]
        is_new = np.isnan(rows["last_time"])
        if is_new.any() and self._declaration.repeatable:
            self._compute_before(frame, elapsed, is_new)
        out = Columns(rows, self._targets, frame)
        self._update(elapsed, out)
        velocities = out.given_velocity
        if velocities is None:
            dt = time - rows["last_time"]
            with np.errstate(all="ignore"):
                velocities = (rows["value"] - rows["last"]) / dt[:, None]
            unknown = ~(np.abs(dt) > 0)
            if unknown.any():
                velocities[unknown] = rows["last_velocity"][unknown]
        rows["last"][...] = rows["value"]
        rows["last_time"][...] = time
        return out, velocities

    def _update(self, elapsed: Floats, out: Columns) -> None:
        """Calls the executor. A column of `state` may also be replaced: ``self.n = self.n + 1``."""
        views = {name: self._fields[name] for name in self._declaration.columns}
        for name, view in views.items():
            setattr(self._instance, name, view)
        if (returned := self._instance.update(elapsed, out)) is not None:
            raise TypeError(f"update returned {type(returned).__name__}: set out.value, and return nothing")
        for name in self._declaration.states:
            with Naming(f"self.{name}"):
                if (given := getattr(self._instance, name)) is not views[name]:
                    views[name][...] = given

    def _compute_before(self, frame: Frame, elapsed: Floats, is_new: NDArray[np.bool_]) -> None:
        """The values of new rows a moment before the frame's end, from which their first velocities are derived.

        The call is for all rows. What it leaves in the columns is not kept: a frame advances a state once.
        """
        rows = self._rows
        dt = frame.dt if frame.dt > 0 else 1e-3
        # Not before the plan's own beginning, except in its very first moment.
        before = np.where(elapsed > 0, np.maximum(elapsed - dt, 0.0), elapsed + dt)
        kept = rows["value"].copy()
        states = {name: self._fields[name].copy() for name in self._declaration.states}
        self._update(before, Columns(rows, self._targets, Frame(frame.number, frame.time - dt, dt)))
        rows["last"][is_new] = rows["value"][is_new]
        rows["last_time"][is_new] = (rows["start_time"] + before)[is_new]
        rows["value"][...] = kept
        for name, column in states.items():
            self._fields[name][...] = column

    def _begin_fades(self, out: Columns, velocities: Floats, frame: Frame) -> NDArray[np.uint8] | None:
        """Lets the difference of rows that move again fade, and works out what the rows impose."""
        rows = self._rows
        must = rows["must_fade"]
        if must.any():
            dt = (frame.time - rows["origin_time"])[:, None]
            rows["fade"][must] = (rows["origin"] + rows["origin_velocity"] * dt - rows["value"])[must]
            rows["fade_velocity"][must] = (rows["origin_velocity"] - velocities)[must]
            rows["fade_since"][must] = frame.time
            rows["fade_length"][must] = LONGEST_FADE
            if out.remaining is not None:
                known = must & (out.remaining >= 0)
                rows["fade_length"][known] = np.minimum(LONGEST_FADE, out.remaining[known])
            rows["must_fade"][must] = False
        if not out.imposes:
            return None
        begins = frame.time - rows["start_time"] <= max(0.1, 2 * frame.dt)
        return np.where(begins, np.uint8(PARTS[out.imposes]), np.uint8(0)) if begins.any() else None

    def _faded(self, values: Floats, velocities: Floats, time: float) -> tuple[Floats, Floats]:
        """The values and velocities with what is left of interruptions; see ``Fade``."""
        rows = self._rows
        length = rows["fade_length"]
        if not length.any():
            return values, velocities
        over = time - rows["fade_since"] >= length
        length[over] = 0
        active = ~over
        duration = length[active][:, None]
        s = (time - rows["fade_since"][active])[:, None] / duration
        left = 1 - s
        p, q = rows["fade"][active], rows["fade_velocity"][active]
        values, velocities = values.copy(), velocities.copy()
        values[active] += (1 + 2 * s) * left * left * p + duration * s * left * left * q
        velocities[active] += -6 * s * left / duration * p + left * (1 - 3 * s) * q
        return values, velocities

    def _without_unsound(self, values: Floats, velocities: Floats) -> Block:
        """Fails the plans whose values motiond would refuse; returns the others."""
        sound = (np.abs(values) <= VALUE_MAGNITUDE).all(axis=1) & (np.abs(velocities) <= VELOCITY_MAGNITUDE).all(axis=1)
        rows = self._rows
        shape = Shape(rows["executor"][sound], rows["handle"][sound], np.full(int(sound.sum()), self._lanes, np.uint32))
        block = Block(shape, values[sound].reshape(-1), velocities[sound].reshape(-1))
        for row, run in [(row, self._runs[row]) for row in np.flatnonzero(~sound)]:
            is_value = bool((np.abs(values[row]) <= VALUE_MAGNITUDE).all())
            name, most = ("velocity", VELOCITY_MAGNITUDE) if is_value else ("value", VALUE_MAGNITUDE)
            found = (velocities if is_value else values)[row].tolist()
            _fail(run, f"ValueError: the {name} {found} is not finite, or above {most:g}: change out.{name}")
        return block

    def _end_rows(self, done: NDArray[np.bool_], rests: NDArray[np.bool_]) -> None:
        for run, is_done in [(self._runs[row], bool(done[row])) for row in np.flatnonzero(done | rests)]:
            executor = run.executor
            if executor is None:
                continue
            if is_done and run.kind == "one-shot":
                executor.finish(run)
            else:
                run.rest()
                executor.note_wants()


def _fail(run: ColumnRun, reason: str) -> None:
    if run.executor is not None:
        run.executor.fail(run, reason)


def _times(times: Any, count: int) -> Floats | None:
    if times is None:
        return None
    column = np.broadcast_to(np.asarray(times, np.float64), count)
    # A number that is not finite or is negative means that it is unknown.
    return np.where(np.isfinite(column) & (column >= 0), column, UNKNOWN)
