"""An executor in this worker: the plans of one type of executor on one target.

Of several plans that write a property the latest moves it. Earlier one-shots are displaced. Earlier standing plans
wait, and continue from the property's present state when the later plans are gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._link_parts import Identity
from ._proto import motion_pb2 as pb
from ._worker_failures import own_lines, shortened, traced
from ._worker_motion import Mover
from ._worker_plan import Plan, state_of
from ._worker_runs import Run
from ._worker_types import PARTS, Frame, Motion, Parts, Pointer, Reference, State

if TYPE_CHECKING:
    from ._worker_declarations import Declaration
    from ._worker_session import Session

#: The most tokens that an executor may hold.
MOST_TOKENS = 1024


class HostedExecutor:
    """One executor. All calls come from the worker's thread."""

    def __init__(
        self, session: Session, handle: int, key: pb.ExecutorKey, declarations: dict[str, Declaration]
    ) -> None:
        self.session = session
        self.handle = handle
        self.target: str = key.target
        self.type: str = key.type
        #: Its plans, in the order of their addition.
        self.runs: list[Run] = []
        self.handles: dict[str, int] = {}
        self.displaced: set[str] = set()
        #: Whether it needs the next frame, and what was last reported.
        self.wants_frame = False
        self.reported_activity = False
        #: The last frame it ran, if it has wanted every frame since.
        self.last_frame: Frame | None = None
        self._declarations = declarations
        # The last known states of the properties that it writes, each with its simulated time.
        self._states: dict[str, tuple[State, float]] = {}
        # Properties that it took hold of before motiond has confirmed that it drives them.
        self._taken: set[str] = set()

    # --------------------------------------------------------------------------------------------------------- Commands

    def add(self, planned: pb.PlannedIntention) -> None:
        """Takes a plan over. One that cannot begin is reported as failed."""
        declaration = self._declarations.get(planned.intention.type)
        if declaration is None:
            known = ", ".join(self._declarations)
            reason = f"this plugin has no intention {planned.intention.type}, only {known}"
            return self.session.report_failed(self.handle, planned.identity, reason)
        for start in planned.starts:
            self.handles[start.property] = start.handle
            self._states[start.property] = (state_of(start.state), planned.start_time)
            self.displaced.discard(start.property)
        plan = Plan(planned, self)
        try:
            run = declaration.make(plan)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return self.session.report_failed(self.handle, planned.identity, shortened(error))
        self.runs.append(run)
        reads = declaration.reads_of(plan)
        run.may_wait = run.may_wait or bool(reads)
        self.session.reads.add(run, reads, self)
        if run.kind not in ("manipulation", "output"):
            self._take_over(run)
        self._call(run, run.begin)
        if run in self.runs:
            self.wake(run)

    def remove(self, identity: Identity) -> None:
        """Stops fulfilling a plan; the properties stay where they are."""
        run = next((run for run in self.runs if run.plan.identity == identity), None)
        if run is not None:
            self._drop(run)
            for other in self.runs:
                self.wake(other)

    def displace(self, name: str) -> None:
        """Another executor moves the property: one-shots on it end."""
        if name in self.displaced:
            return
        self.displaced.add(name)
        self._taken.discard(name)
        for run in list(self.runs):
            if name not in run.plan.properties:
                continue
            if run.kind == "one-shot":
                self._drop(run)
            else:
                self._stop_moving(run, name)
        self.note_wants(self.last_frame)

    def resume(self, name: str, state: State, time: float) -> None:
        """This executor moves the property again, from this state on."""
        if name in self._taken:
            self._taken.discard(name)
            return
        self.displaced.discard(name)
        self._states[name] = (state, time)
        heir = self._heir(name)
        for run in list(self.runs):
            holds = any(name in held for held in run.tokens.values())
            if run is heir or (run.kind == "manipulation" and holds):
                self._move(run, name, fades=run.kind != "manipulation")
                self._call(run, lambda run=run: run.resumed(name, state, time))
                self.wake(run)

    def note_driven(self, name: str, state: State, time: float) -> None:
        """The present state of a property that it drives, from a snapshot."""
        if name in self.displaced:
            self.resume(name, state, time)
            return
        self._states[name] = (state, time)
        for run in self.runs:
            # A plan that has not moved it yet begins from there.
            if name in run.movers and not run.movers[name].has_begun:
                run.movers[name] = Mover(state, time, fades=False)

    def receive(self, events: list[Pointer], places: list[pb.ReadProperty]) -> None:
        """Pointers had events on the target."""
        for place in places:
            if place.property.target == self.target and place.HasField("state"):
                self._states[place.property.property] = (state_of(place.state), self.session.frame.time)
        for run in list(self.runs):
            if run.kind != "manipulation":
                continue
            for event in events:
                if run in self.runs:
                    self._call(run, lambda run=run, event=event: run.pointer(event))
            self.wake(run)

    def notice(self, place: Reference, state: State | None) -> None:
        """A property that a plan reads has changed."""
        for run in list(self.runs):
            self._call(run, lambda run=run: run.noticed(place, state))
            self.wake(run)

    def clear(self) -> None:
        """Ends all plans, without a report: the executor is removed."""
        for run in list(self.runs):
            self.runs.remove(run)
            self._end(run)

    # ----------------------------------------------------------------------------------------------------------- Frames

    def advance(self, frame: Frame) -> bool:
        """Runs the plans that need the frame, and writes what they return.

        Returns whether a plan of them needs the next.
        """
        last = self.last_frame
        if last is not None and last.number + 1 < frame.number and last.time < frame.time:
            frame = Frame(frame.number, frame.time, frame.time - last.time)
        for run in self.runs.copy():
            if run.wants_frame and not run.is_row and run in self.runs:
                # As `_call` does; without a closure for each plan and frame.
                try:
                    self._advance(run, frame)
                except KeyboardInterrupt:
                    raise
                except BaseException as error:
                    self.fail(run, error)
        self.note_wants(frame)
        for run in self.runs:
            if run.wants_frame and not run.is_row:
                return True
        return False

    def note_wants(self, frame: Frame | None = None) -> None:
        """Works out whether any plan needs the next frame."""
        wants = False
        for run in self.runs:
            wants = wants or run.wants_frame
        self.last_frame = frame if wants else None
        self.session.set_wants_frame(self, wants)

    def _advance(self, run: Run, frame: Frame) -> None:
        if not run.movers and run.kind not in ("output", "manipulation"):
            # Another plan moves all of its properties.
            run.wants_frame = False
            return
        for name, (state, motion) in run.advance(frame).items():
            self._states[name] = (state, frame.time)
            imposes = PARTS[self._imposed(run, motion, frame)] if motion.imposes else 0
            self.session.write(self.handle, self.handles[name], state, imposes, motion)
        if run.is_finished:
            self.finish(run)

    @staticmethod
    def _imposed(run: Run, motion: Motion, frame: Frame) -> Parts:
        # A plan sets values by itself only when it begins: a worker that takes over in the middle must not jump.
        if run.kind == "manipulation" or run.plan.begins(frame):
            return motion.imposes
        return ""

    # --------------------------------------------------------------------------------------------- What a plan asks for

    def state(self, reference: Reference) -> State | None:
        """The present state of a property: of its own the last write, of any other motiond's last value."""
        own = None
        if reference.target == self.target:
            known = self._states.get(reference.property)
            own = known[0] if known is not None else None
            for run in self.runs:
                if run.is_row and reference.property in run.movers:
                    own = self.session.column_state(run) or own
            if own is not None and reference.property not in self.displaced:
                return own
        return self.session.read.get(reference, own)

    def emit(self, run: Run, intention: pb.Intention, ordinal: int, name: str | None) -> None:
        if run not in self.runs or ordinal in run.emitted:
            return
        run.emitted.add(ordinal)
        emitted = pb.Update.Emitted(
            executor=self.handle, parent=run.plan.message, ordinal=ordinal, intention=intention, name=name
        )
        self.session.record(pb.Update.Event(emitted=emitted))

    def hold(self, run: Run, properties: tuple[str, ...], token: str, is_relative: bool) -> None:
        if run not in self.runs or run.kind != "manipulation":
            raise TypeError(f"{run.plan.type} is not a manipulation: it cannot hold properties")
        unknown = [name for name in properties if name not in self.handles]
        if unknown:
            raise KeyError(f"{run.plan.type} does not write {', '.join(unknown)}")
        if len(self.session.tokens.of(self.handle)) >= MOST_TOKENS or not self.session.tokens.insert(
            self.handle, token
        ):
            return
        places = [self.state(Reference(self.target, name)) for name in properties] if is_relative else []
        values = [place.value for place in places if place is not None]
        if len(values) != len(properties):
            values = []
        execution = pb.Update.Execution(
            executor=self.handle,
            token=token,
            moving=properties,
            counts=[len(value) for value in values],
            lanes=[lane for value in values for lane in value],
        )
        self.session.record(pb.Update.Event(started=execution))
        run.tokens[token] = properties
        for name in properties:
            if name in self.displaced:
                self.displaced.discard(name)
                self._taken.add(name)
            self._move(run, name, fades=False)
        self.wake(run)

    def release(self, run: Run, token: str) -> None:
        properties = run.tokens.pop(token, None)
        if properties is None:
            return
        if self.session.tokens.remove(self.handle, token):
            ended = pb.Update.Execution(executor=self.handle, token=token)
            self.session.record(pb.Update.Event(ended=ended))
        for name in properties:
            run.movers.pop(name, None)

    def wake(self, run: Run) -> None:
        """Gives a plan the next frame."""
        if run in self.runs and self.session.wake_run(run, self):
            run.wants_frame = True
            self.session.set_wants_frame(self, True)

    # ---------------------------------------------------------------------------------------------------------- Endings

    def finish(self, run: Run, outcome: pb.Outcome = pb.OUTCOME_COMPLETED) -> None:
        """Ends a plan that is fulfilled, or displaced."""
        if run not in self.runs:
            return
        self._drop(run)
        finished = pb.Update.Finished(executor=self.handle, identity=run.plan.message, outcome=outcome)
        self.session.record(pb.Update.Event(finished=finished))

    def fail(self, run: Run, error: BaseException | str) -> None:
        """Ends a plan that cannot be fulfilled, with the reason for people."""
        if run not in self.runs:
            return
        if isinstance(error, BaseException):
            text = shortened(error, run.place)
            self.session.say(traced(error) if own_lines(error) else f"{run.plan} failed: {text}")
            error = text
        self._drop(run)
        self.session.report_failed(self.handle, run.plan.message, error)

    def _call(self, run: Run, method: object) -> None:
        """Calls code of the executor's author: what it raises fails the plan, and nothing else.

        `sys.exit` in a plan is a mistake as any other. Only an interruption of the program ends the worker.
        """
        try:
            method()  # pyright: ignore[reportCallIssue]
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.fail(run, error)

    def _drop(self, run: Run) -> None:
        self.runs.remove(run)
        properties = tuple(run.movers)
        self._end(run)
        if run.kind != "manipulation":
            for name in properties:
                self._give_back(name)
        self.note_wants(self.last_frame)

    def _end(self, run: Run) -> None:
        for token in list(run.tokens):
            self.release(run, token)
        for name in list(run.movers):
            self._stop_moving(run, name, notify=False)
        self.session.reads.remove(run, self)
        try:
            run.end()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.session.say(f"{run.plan} failed at its end: {shortened(error)}")
        run.plan.attach(None)

    # --------------------------------------------------------------------------------------------------- Who moves what

    def _take_over(self, run: Run) -> None:
        for other in list(self.runs):
            shared = [name for name in run.plan.properties if name in other.plan.properties]
            if other is run or other.kind == "manipulation" or not shared:
                continue
            if other.kind == "one-shot":
                self.runs.remove(other)
                self._end(other)
                finished = pb.Update.Finished(
                    executor=self.handle, identity=other.plan.message, outcome=pb.OUTCOME_DISPLACED
                )
                self.session.record(pb.Update.Event(finished=finished))
                continue
            for name in shared:
                self._stop_moving(other, name)
        for name in run.plan.properties:
            self._move(run, name, fades=False)

    def _move(self, run: Run, name: str, *, fades: bool) -> None:
        known = self._states.get(name)
        if known is None or name not in run.plan.properties:
            return
        run.movers[name] = Mover(known[0], known[1], fades=fades)
        self._call(run, lambda: self.session.began_to_move(self, run, *known, fades))

    def _stop_moving(self, run: Run, name: str, *, notify: bool = True) -> None:
        if name not in run.movers:
            return
        state = self.session.stopped_moving(run)
        if state is not None:
            self._states[name] = (state, self.session.frame.time)
        del run.movers[name]
        if notify:
            self._call(run, lambda: run.displaced(name))

    def _heir(self, name: str) -> Run | None:
        return next(
            (run for run in reversed(self.runs) if run.kind != "manipulation" and name in run.plan.properties), None
        )

    def _give_back(self, name: str) -> None:
        """Lets the latest plan that writes a property continue with it, unless another executor drives it."""
        heir = None if name in self.displaced else self._heir(name)
        known = self._states.get(name)
        if heir is None or known is None or name in heir.movers:
            return
        self._move(heir, name, fades=True)
        self._call(heir, lambda: heir.resumed(name, *known))
        self.wake(heir)
