"""What fulfils one plan: a function, a generator, or an object of a class."""

from __future__ import annotations

from collections.abc import Callable, Generator
from traceback import FrameSummary
from types import FrameType
from typing import TYPE_CHECKING, Any, cast

from ._worker_failures import line_of
from ._worker_motion import Lanes, Mover, checked
from ._worker_types import Frame, Kind, Motion, Pointer, Reference, Result, State, lanes

if TYPE_CHECKING:
    from ._worker_plan import Plan


class Run:
    """A plan at work. The executor calls it; what it raises fails the plan."""

    #: Whether it is a row of columns, which are computed for all executors at once.
    is_row: bool = False
    #: Whether it may have nothing to do before its first value: something else asks for a frame later.
    may_wait: bool = True

    def __init__(self, plan: Plan, kind: Kind) -> None:
        self.plan = plan
        self.kind: Kind = kind
        #: The properties that it moves now, each with its motion.
        self.movers: dict[str, Mover] = {}
        #: The tokens that it holds, each with the properties that it moves.
        self.tokens: dict[str, tuple[str, ...]] = {}
        #: Whether it needs the next frame.
        self.wants_frame = False
        #: Whether the plan is fulfilled, after the values of this frame.
        self.is_finished = False
        #: The ordinals of the plans that it emitted.
        self.emitted: set[int] = set()
        plan.attach(self)

    def begin(self) -> None:
        """The plan begins."""

    def compute(self, frame: Frame) -> Result:
        """The values at the end of the frame."""
        raise NotImplementedError

    def earlier(self, frame: Frame) -> Result:
        """The values a moment before, to derive the first velocity; `None` if they cannot be computed."""
        return None

    def pointer(self, event: Pointer) -> None:
        """A pointer had an event on the target."""

    def displaced(self, name: str) -> None:
        """Another plan moves the property now."""

    def resumed(self, name: str, state: State, time: float) -> None:
        """It moves the property again, from this state at this simulated time on."""

    def noticed(self, place: Reference, state: State | None) -> None:
        """A property that it reads has changed; `None` if it was removed."""

    def end(self) -> None:
        """The plan has ended, for whatever reason."""

    @property
    def place(self) -> FrameSummary | None:
        """The line of the author's code that returned the last result, as far as it is known; for failures."""
        return None

    def advance(self, frame: Frame) -> dict[str, tuple[State, Motion]]:
        """Moves on by a frame: the state of each property that it moves, and what was said of it."""
        self.plan.frame = frame
        result = self.compute(frame)
        if result is None:
            self._check_silence(frame)
            self.wants_frame = False
            return {}
        motions = self._motions(result)
        earlier: dict[str, Motion] | None = None

        def before(name: str) -> tuple[Lanes, float] | None:
            nonlocal earlier
            moment = self._moment_before(frame)
            if earlier is None:
                self.plan.frame = moment
                past = self.earlier(moment)
                self.plan.frame = frame
                earlier = {} if past is None else self._motions(past)
            return (lanes(earlier[name].value), moment.time) if name in earlier else None

        states: dict[str, tuple[State, Motion]] = {}
        rests, is_done = True, self.kind == "one-shot" and bool(motions)
        for name, motion in motions.items():
            rests = rests and motion.rests
            is_done = is_done and motion.remaining is not None and motion.remaining <= 0
            mover = self.movers.get(name)
            if mover is None:
                continue
            if self.kind == "manipulation":
                motion.imposes = "both"
            earlier_value = _unknown if mover.has_begun else (lambda name=name: before(name))
            states[name] = (mover.step(motion, frame.time, earlier_value), motion)
            rests = rests and not mover.is_fading
        if rests:
            self.wants_frame = False
        if is_done:
            self.is_finished = True
        return states

    def _check_silence(self, frame: Frame) -> None:
        """The frame has no value. Raises `TypeError` for a plan that begins so, if nothing would ask for another frame."""
        has_begun = any(mover.has_begun for mover in self.movers.values()) or not self.plan.begins(frame)
        if self.may_wait or has_begun or self.is_finished or self.emitted or not self.movers:
            return
        raise TypeError(
            f"{self.plan.type} has no value for {', '.join(self.movers)}: return or yield one in each frame. None is "
            "for a plan that reads other properties, and waits until they change"
        )

    def _moment_before(self, frame: Frame) -> Frame:
        dt = frame.dt if frame.dt > 0 else 1e-3
        time = frame.time - dt
        if time < self.plan.start_time:
            # Not before the plan's own beginning, except in its very first moment.
            time = self.plan.start_time if frame.time > self.plan.start_time else frame.time + dt
        return Frame(frame.number, time, dt)

    def _motions(self, result: Result) -> dict[str, Motion]:
        properties = self.plan.properties
        if isinstance(result, dict):
            if not all(name in properties for name in result):
                unknown = ", ".join(repr(name) for name in result if name not in properties)
                remedy = f"return values for {', '.join(properties)}" if properties else "return None"
                raise ValueError(f"{self.plan.type} does not write {unknown}: {remedy}")
            return {str(name): _motion(value) for name, value in result.items()}
        if len(properties) != 1:
            raise TypeError(
                f"{self.plan.type} writes {len(properties)} properties: return a dictionary with a value for each"
            )
        return {properties[0]: _motion(result)}


def _unknown() -> tuple[Lanes, float] | None:
    return None


def _motion(value: Any) -> Motion:
    return checked(value) if isinstance(value, Motion) else Motion(value)


class FunctionRun(Run):
    """A function of the plan and the frame: called in each frame, and once more for the moment before the first."""

    may_wait = False

    def __init__(
        self,
        plan: Plan,
        kind: Kind,
        function: Callable[..., Result],
        arguments: tuple[Any, ...],
        fields: dict[str, Any],
    ) -> None:
        super().__init__(plan, kind)
        self._function = function
        self._arguments = arguments
        self._fields = fields

    def compute(self, frame: Frame) -> Result:
        return self._function(self.plan, frame, *self._arguments, **self._fields)

    def earlier(self, frame: Frame) -> Result:
        return self.compute(frame)

    @property
    def place(self) -> FrameSummary | None:
        return line_of(self._function)


class GeneratorRun(Run):
    """A generator that yields what a function would return, and receives the next frame. Its end ends a one-shot."""

    may_wait = False

    def __init__(
        self,
        plan: Plan,
        kind: Kind,
        function: Callable[..., Generator[Result, Frame, Result]],
        arguments: tuple[Any, ...],
        fields: dict[str, Any],
    ) -> None:
        super().__init__(plan, kind)

        self._function = function

        def make(frame: Frame) -> Generator[Result, Frame, Result]:
            return function(plan, frame, *arguments, **fields)

        self._make = make
        self._generator: Generator[Result, Frame, Result] | None = None
        self._is_over = False

    def compute(self, frame: Frame) -> Result:
        if self._is_over:
            return None
        try:
            if self._generator is None:
                self._generator = self._make(frame)
                return next(self._generator)
            return self._generator.send(frame)
        except StopIteration as stop:
            self._is_over = self.may_wait = True
            self.wants_frame = False
            self.is_finished = self.kind == "one-shot"
            return cast("Result", stop.value)

    def end(self) -> None:
        if self._generator is not None:
            self._generator.close()

    @property
    def place(self) -> FrameSummary | None:
        frame: FrameType | None = getattr(self._generator, "gi_frame", None)
        return line_of(self._function, frame.f_lineno if frame is not None else None)


class ObjectRun(Run):
    """An object of a class with the methods of ``Executor``; one object for each plan."""

    def __init__(self, plan: Plan, kind: Kind, make: Callable[[], Any], fields: dict[str, Any]) -> None:
        super().__init__(plan, kind)
        self._object = make()
        self._object.plan = plan
        for name, value in fields.items():
            setattr(self._object, name, value)

    def begin(self) -> None:
        self._object.start()

    def compute(self, frame: Frame) -> Result:
        return self._object.update(frame)

    def pointer(self, event: Pointer) -> None:
        self._object.pointer(event)

    def displaced(self, name: str) -> None:
        self._object.displaced(name)

    def resumed(self, name: str, state: State, time: float) -> None:
        self._object.resumed(name, state, time)

    def noticed(self, place: Reference, state: State | None) -> None:
        self._object.noticed(place, state)

    def end(self) -> None:
        self._object.stop()

    @property
    def place(self) -> FrameSummary | None:
        update: Callable[..., Result] = self._object.update
        return line_of(update)
