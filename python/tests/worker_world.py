"""A session of a worker without a process, for tests: adds plans, runs frames, and notes what is said."""

from __future__ import annotations

import itertools
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motiond import executors
from motiond._link_messages import Outgoing, UpdateBody
from motiond._proto import motion_pb2 as pb
from motiond._worker_session import Session
from motiond._worker_types import Frame
from motiond._worker_update import encode

DT = 1 / 120

#: The body of a class with one field.
WRITES_X: dict[str, Any] = {"__annotations__": {"property": executors.Writes}, "property": executors.Writes("x")}


@contextmanager
def no_declarations() -> Generator[None]:
    """What is declared inside ends with it."""
    before = list(executors.declared)
    executors.declared.clear()
    try:
        yield
    finally:
        executors.declared[:] = before


class World:
    """A session, and what it says."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.session = Session(executors.declared, self.said.append)
        self.frame = 0
        self.values: dict[int, tuple[float, ...]] = {}
        self.velocities: dict[int, tuple[float, ...]] = {}
        self.imposes: dict[int, int] = {}
        self.remaining: dict[int, float] = {}
        self.events: list[pb.Update.Event] = []

    def add(
        self,
        number: int,
        type: str,
        *,
        on: int | None = None,
        executor: str | None = None,
        value: tuple[float, ...] = (0.0,),
        velocity: tuple[float, ...] | None = None,
        **fields: float,
    ) -> None:
        """Adds a plan of this number to the executor `on`, by default one of its own."""
        state = pb.PropertyState(value=value, velocity=velocity or (0.0,) * len(value))
        intention = pb.Intention(
            type=type, fields=[pb.Field(name=name, value=pb.FieldValue(number=given)) for name, given in fields.items()]
        )
        planned = pb.PlannedIntention(
            identity=pb.IntentionIdentity(sequence=number),
            intention=intention,
            start_frame=self.frame,
            start_time=self.frame * DT,
            starts=[pb.PlannedIntention.Start(property="x", handle=on or number, state=state)],
        )
        key = pb.ExecutorKey(target=f"t{on or number}", type=executor or type)
        self.apply(add=pb.Add(executor=on or number, key=key, intention=planned))

    def apply(self, **command: Any) -> None:
        self.session.apply(pb.Command(number=1, **command))

    def remove(self, number: int, on: int | None = None) -> None:
        self.apply(remove=pb.Remove(executor=on or number, identity=pb.IntentionIdentity(sequence=number)))

    def run(self, frames: int = 1) -> None:
        """Runs frames, and notes the values of the last one."""
        for _ in range(frames):
            self.frame += 1
            self.session.run(Frame(self.frame, self.frame * DT, DT))
            message = Outgoing(1, 1, 1, 0, 0, UpdateBody(self.frame, 0, ()))
            update = pb.Envelope.FromString(encode(message, self.session.take_blocks())).update
            self.values, self.velocities, self.imposes, self.remaining = {}, {}, {}, {}
            first = 0
            for index, (handle, count) in enumerate(zip(update.handles, update.counts, strict=True)):
                self.values[handle] = tuple(update.lanes[first : first + count])
                self.velocities[handle] = tuple(update.velocities[first : first + count])
                if update.imposes:
                    self.imposes[handle] = update.imposes[index]
                if update.remaining:
                    self.remaining[handle] = update.remaining[index]
                first += count
            self.events += self.session.take_events()

    def ends(self) -> list[tuple[str, int]]:
        """The plans that ended, with how."""
        return [
            (kind, getattr(event, kind).identity.sequence)
            for event in self.events
            if (kind := event.WhichOneof("event")) in ("finished", "failed")
        ]


def ramp(
    plan: executors.Plan,
    frame: executors.Frame,
    *,
    property: executors.Writes = executors.Writes("x"),
    speed: float = 1,
) -> float:
    """Moves evenly."""
    return plan.start().value[0] + speed * plan.elapsed


def declare_rows(calls: list[int] | None = None) -> None:
    @executors.columns("Rows", kind="standing")
    class Rows:  # pyright: ignore[reportUnusedClass]
        "Moves evenly, and counts its frames."

        property: executors.Writes = executors.field(executors.Writes("x"), "What moves.")
        speed: executors.Numbers = executors.field(1.0, "How fast.")
        frames: executors.Numbers = executors.state(0.0)

        def update(self, t: NDArray[np.float64], out: executors.Columns) -> None:
            if calls is not None:
                calls.append(len(t))
            self.frames += 1
            out.value = out.start + (self.speed * t)[:, None]


def largest_jump(track: list[tuple[float, float]]) -> float:
    """The largest difference between a step and what the velocities account for."""
    return max(abs(b[0] - a[0] - (a[1] + b[1]) / 2 * DT) for a, b in itertools.pairwise(track))
