"""The executors of a worker: commands and frames in, values and events out.

It uses no socket and no clock, so that it can be tested in any process. All calls come from one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

import numpy as np

from ._link_parts import TokenSet, identity_of
from ._proto import motion_pb2 as pb
from ._worker_columns import ColumnGroup, ColumnRun
from ._worker_declarations import Declaration
from ._worker_hosted import HostedExecutor
from ._worker_plan import state_of
from ._worker_runs import Run
from ._worker_types import Frame, Motion, Pointer, Reference, State
from ._worker_update import UNKNOWN, VALUE_MAGNITUDE, VELOCITY_MAGNITUDE, Block, Shape

_PHASES: dict[int, Literal["down", "move", "up", "cancel"]] = {
    pb.PointerEvent.PHASE_DOWN: "down",
    pb.PointerEvent.PHASE_MOVE: "move",
    pb.PointerEvent.PHASE_UP: "up",
    pb.PointerEvent.PHASE_CANCEL: "cancel",
}


def frame_of(message: pb.Frame) -> Frame:
    """The frame that a message carries."""
    return Frame(message.number, message.time, message.dt)


class ReadIndex:
    """The executors that read a property: the cost of its change depends on them alone."""

    def __init__(self) -> None:
        self._readers: dict[Reference, dict[Run, HostedExecutor]] = {}
        self._places: dict[Run, list[Reference]] = {}

    def add(self, run: Run, places: list[Reference], executor: HostedExecutor) -> None:
        """A plan of an executor reads these properties."""
        if places:
            self._places[run] = places
        for place in places:
            self._readers.setdefault(place, {})[run] = executor

    def remove(self, run: Run, executor: HostedExecutor) -> None:
        """A plan has ended."""
        for place in self._places.pop(run, ()):
            readers = self._readers.get(place, {})
            readers.pop(run, None)
            if not readers:
                self._readers.pop(place, None)

    def readers(self, place: Reference) -> list[HostedExecutor]:
        """The executors that read a property, in order of creation."""
        return sorted(set(self._readers.get(place, {}).values()), key=lambda executor: executor.handle)


class Session:
    """The executors of one worker."""

    def __init__(self, declarations: Iterable[Declaration], say: Callable[[str], None]) -> None:
        """Makes a worker that can make executors of these declarations; texts for operators go to `say`."""
        self._declarations: dict[str, dict[str, Declaration]] = {}
        for declaration in declarations:
            self._declarations.setdefault(declaration.executor, {})[declaration.type] = declaration
        self.say = say
        #: The newest frame that was run or received in a snapshot.
        self.frame = Frame(0, 0.0, 0.0)
        #: The states of the properties that executors read, as motiond last sent them.
        self.read: dict[Reference, State] = {}
        self.reads = ReadIndex()
        self.tokens = TokenSet()
        #: Whether it was told to end together with motiond.
        self.ends_for_good = False
        self._executors: dict[int, HostedExecutor] = {}
        self._awake: dict[int, HostedExecutor] = {}
        # Those of them with plans that are called one by one.
        self._called: dict[int, HostedExecutor] = {}
        self._restless: dict[int, HostedExecutor] = {}
        self._groups: dict[tuple[str, str, int], ColumnGroup] = {}
        self._events: list[pb.Update.Event] = []
        self._writes: dict[tuple[int, int], tuple[State, int, Motion]] = {}
        self._blocks: list[Block] = []

    @property
    def types(self) -> list[str]:
        """The types of executors that it can make."""
        return sorted(self._declarations)

    @property
    def is_active(self) -> bool:
        """Whether any executor needs a frame or holds a token."""
        return bool(self._awake) or bool(self.tokens)

    def take_events(self) -> list[pb.Update.Event]:
        """The events since the last call, in order."""
        for executor in self._restless.values():
            wants = executor.wants_frame
            if executor.reported_activity != wants and executor.handle in self._executors:
                executor.reported_activity = wants
                activity = pb.Update.Activity(executor=executor.handle, active=wants)
                self._events.append(pb.Update.Event(activity=activity))
        self._restless = {}
        events, self._events = self._events, []
        return events

    def take_blocks(self) -> list[Block]:
        """The values written since the last call."""
        blocks, self._blocks = self._blocks, []
        if self._writes:
            blocks.append(self._scalar_block())
            self._writes = {}
        return blocks

    # --------------------------------------------------------------------------------------------------------- Commands

    def apply(self, command: pb.Command) -> None:
        """Applies a command."""
        match command.WhichOneof("command"):
            case "add":
                self._add(command.add.executor, command.add.key, command.add.intention)
            case "remove":
                if executor := self._executors.get(command.remove.executor):
                    executor.remove(identity_of(command.remove.identity))
            case "remove_executor":
                self._remove_executor(command.remove_executor.executor)
            case "displaced":
                if executor := self._executors.get(command.displaced.executor):
                    executor.displace(command.displaced.property)
            case "resumed":
                resumed = command.resumed
                if executor := self._executors.get(resumed.executor):
                    executor.resume(resumed.property, state_of(resumed.state), resumed.time)
            case "properties":
                self._note(command.properties.properties)
            case "input":
                self._receive(command.input)
            case "shutdown":
                self.ends_for_good = command.shutdown.final
            case _:
                pass

    def provision(self, snapshot: pb.Snapshot, pause: Callable[[], None] = lambda: None) -> None:
        """Makes the worker hold exactly the contents of the snapshot.

        `pause` is called after each executor, so that a large snapshot does not look like a hanging worker.
        """
        self.frame = frame_of(snapshot.frame)
        self.read = {}
        self._note(snapshot.properties)
        wanted = {executor.handle: executor for executor in snapshot.executors}
        for handle, executor in list(self._executors.items()):
            key = wanted[handle].key if handle in wanted else None
            if key is None or (key.target, key.type) != (executor.target, executor.type):
                self._remove_executor(handle)
        for executor in snapshot.executors:
            self._reconcile(executor)
            pause()

    def clear(self) -> None:
        """Removes all executors and their tokens; the next snapshot restores the contents."""
        for handle in reversed(list(self._executors)):
            self._remove_executor(handle)
        self.read = {}

    def begin_life(self) -> None:
        """Starts a new life: removes everything, and discards what was not sent."""
        self.clear()
        self.take_events()
        self.take_blocks()

    def _add(self, handle: int, key: pb.ExecutorKey, planned: pb.PlannedIntention) -> None:
        executor = self._find_or_make(handle, key)
        if executor is None:
            reason = f"this plugin has no executor {key.type}, only {', '.join(self.types)}"
            return self.report_failed(handle, planned.identity, reason)
        executor.add(planned)

    def _find_or_make(self, handle: int, key: pb.ExecutorKey) -> HostedExecutor | None:
        if (executor := self._executors.get(handle)) is not None:
            return executor
        declarations = self._declarations.get(key.type)
        if declarations is None:
            return None
        executor = HostedExecutor(self, handle, key, declarations)
        self._executors[handle] = executor
        return executor

    def _remove_executor(self, handle: int) -> None:
        executor = self._executors.pop(handle, None)
        if executor is not None:
            executor.clear()
            self._awake.pop(handle, None)
            self._called.pop(handle, None)
            self._restless.pop(handle, None)

    def _reconcile(self, wanted: pb.Snapshot.Executor) -> None:
        identities = {identity_of(plan.identity) for plan in wanted.intentions}
        executor = self._executors.get(wanted.handle)
        known = {run.plan.identity for run in executor.runs} if executor else set[tuple[int, int, tuple[int, ...]]]()
        if executor is not None:
            for identity in known - identities:
                executor.remove(identity)
        for planned in wanted.intentions:
            if identity_of(planned.identity) not in known:
                self._add(wanted.handle, wanted.key, planned)
        executor = self._find_or_make(wanted.handle, wanted.key)
        if executor is None:
            return
        for name in wanted.displaced:
            executor.displace(name)
        for driven in wanted.driven:
            if driven.property not in wanted.displaced:
                executor.note_driven(driven.property, state_of(driven.state), self.frame.time)

    def _note(self, properties: Iterable[pb.ReadProperty]) -> None:
        for read in properties:
            place = Reference(read.property.target, read.property.property)
            state = state_of(read.state) if read.HasField("state") else None
            if self.read.get(place) == state:
                continue
            if state is None:
                self.read.pop(place, None)
            else:
                self.read[place] = state
            for executor in self.reads.readers(place):
                executor.notice(place, state)

    def _receive(self, message: pb.ExecutorInput) -> None:
        executor = self._executors.get(message.executor)
        if executor is None:
            return
        events = [
            Pointer(message.input.device, event.id, _PHASES[event.phase], event.x, event.y, event.time)
            for event in message.input.events
            if event.phase in _PHASES
        ]
        executor.receive(events, list(message.properties))

    # ----------------------------------------------------------------------------------------------------------- Frames

    def run(self, frame: Frame, pause: Callable[[], None] = lambda: None) -> None:
        """Runs a frame: every executor that needs it, and then the columns.

        `pause` is called after each executor, so that the worker can send heartbeats during a long frame.
        """
        self.frame = frame
        for handle in sorted(self._called):
            executor = self._called.get(handle)
            if executor is not None:
                if not executor.advance(frame):
                    self._called.pop(handle, None)
                pause()
        for group in list(self._groups.values()):
            if block := group.run(frame):
                self._blocks.append(block)
            pause()

    def set_wants_frame(self, executor: HostedExecutor, wants: bool) -> None:
        """An executor needs the next frame, or no longer does."""
        if executor.wants_frame == wants:
            return
        executor.wants_frame = wants
        self._restless[executor.handle] = executor
        if wants:
            self._awake[executor.handle] = executor
        else:
            self._awake.pop(executor.handle, None)

    def write(self, executor: int, handle: int, state: State, imposes: int, motion: Motion) -> None:
        """Queues a value for the next update; the last write of a property counts.

        Raises `ValueError` for a value that motiond would refuse.
        """
        for number in state.value:
            # False for NaN, too.
            if not -VALUE_MAGNITUDE <= number <= VALUE_MAGNITUDE:
                raise ValueError(f"the value {number} is not finite, or above {VALUE_MAGNITUDE} in magnitude")
        for number in state.velocity:
            if not -VELOCITY_MAGNITUDE <= number <= VELOCITY_MAGNITUDE:
                raise ValueError(f"the velocity {number} is not finite, or above {VELOCITY_MAGNITUDE} in magnitude")
        self._writes[(executor, handle)] = (state, imposes, motion)

    def _scalar_block(self) -> Block:
        keys = np.array(list(self._writes), dtype=np.uint32)
        rows = list(self._writes.values())
        counts = np.array([len(state.value) for state, _, _ in rows], dtype=np.uint32)
        imposes = np.array([parts for _, parts, _ in rows], dtype=np.uint8)
        return Block(
            Shape(keys[:, 0], keys[:, 1], counts),
            np.array([lane for state, _, _ in rows for lane in state.value]),
            np.array([lane for state, _, _ in rows for lane in state.velocity]),
            imposes if imposes.any() else None,
            _times([motion.remaining for _, _, motion in rows]),
            _times([motion.carry for _, _, motion in rows]),
        )

    # ---------------------------------------------------------------------------------------------------------- Columns

    @staticmethod
    def column_state(run: Run) -> State | None:
        """The present state of a plan's row."""
        return run.state() if isinstance(run, ColumnRun) else None

    def wake_run(self, run: Run, executor: HostedExecutor) -> bool:
        """A plan needs frames again; false if it waits for its property."""
        if isinstance(run, ColumnRun):
            run.rejoin()
            return run.moves
        self._called[executor.handle] = executor
        return True

    def began_to_move(self, executor: HostedExecutor, run: Run, origin: State, since: float, fades: bool) -> None:
        """A plan moves a property from now on: one of columns gets a row."""
        if isinstance(run, ColumnRun):
            key = (executor.type, run.plan.type, len(origin.value))
            group = self._groups.get(key)
            if group is None:
                group = self._groups[key] = run.declaration.make_group(len(origin.value))
            run.join(group, executor, origin, since, fades)

    def stopped_moving(self, run: Run) -> State | None:
        """A plan no longer moves its property: its row is removed. Returns the last state."""
        if not isinstance(run, ColumnRun):
            return None
        state = run.state()
        run.leave()
        return state

    # ----------------------------------------------------------------------------------------------------------- Events

    def record(self, event: pb.Update.Event) -> None:
        """Queues an event."""
        self._events.append(event)

    def report_failed(self, executor: int, identity: pb.IntentionIdentity, reason: str) -> None:
        """Reports that a plan cannot be fulfilled."""
        failed = pb.Update.Failed(executor=executor, identity=identity, reason=reason)
        self.record(pb.Update.Event(failed=failed))

    @property
    def executors(self) -> Mapping[int, HostedExecutor]:
        """The executors by their handles."""
        return self._executors


def _times(times: list[float | None]) -> np.ndarray[tuple[int], np.dtype[np.float64]] | None:
    if all(time is None for time in times):
        return None
    return np.array([UNKNOWN if time is None else max(0.0, time) for time in times])
