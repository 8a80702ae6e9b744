"""The operations of a client, each written once. The faces `Client` and `AsyncClient` show them to two kinds of
callers."""

from __future__ import annotations

import os
import random
import secrets
import uuid
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from ._arguments import flag_of, id_of, label_of, name_of, number_of, path_of, target_of, text_of, time_of, whole_of
from ._client_calls import Pending
from ._client_conversation import WINDOW
from ._client_input import PointerEvent, encoded_events, encoded_values
from ._client_link import Link, unexpected
from ._client_outcomes import Settlement
from ._client_queries import Queries
from ._client_receipt import CoreReceipt
from ._client_transaction import Step, batches_of, check_plans, check_steps, expected_plans, unchecked
from ._drawing_core import LONGEST_LAST, LONGEST_NEXT, draw_last, draw_next, drawn_seconds
from ._errors import Forked, PlanError, Refusal
from ._io import boot_now
from ._proto import motion_pb2 as pb
from ._types import TypeCatalog, built_in
from ._types_values import Lanes, Seconds
from ._values_places import topics_of
from ._values_watch import WatchChannel
from .drawing import Drawing

#: The transactions of `commit_all` that are under way at a time: those that a connection has in flight.
PIPELINE = WINDOW
#: Bytes of a comment.
_COMMENT = 256
#: Frames of one step, and the highest sequence.
_MOST_STEPS, _HIGHEST = 1_000_000, 2**64 - 1


class Core(Queries):
    """A connected client. Its operations may be called from any thread of the process."""

    def __init__(self, link: Link, timeout: float, *, outcomes: bool) -> None:
        super().__init__(link, timeout)
        self._process = os.getpid()
        # Ids have to be unique, not secret: a generator costs a hundredth of a call of the system.
        self._ids = random.Random(secrets.randbits(256))
        self.follows_outcomes = outcomes
        self.catalog = TypeCatalog(type.message for type in map(built_in().require, built_in().names))
        self.unkept = ""
        #: The frame that applies the last commit.
        self.applied_by: int = 0

    async def start(self) -> None:
        """Greets motiond, and prepares to receive outcomes."""
        greeting = pb.VersionRange(lowest=1, highest=1)
        body = pb.Greeting(handshake_versions=greeting, protocol_versions=greeting, name=self.link.name)
        _ = await self.link.ask(pb.Envelope(greeting=body), self.timeout)
        if self.follows_outcomes:
            await self.link.follow_outcomes()

    def check_process(self) -> None:
        """Raises `Forked` in a process that was forked from the one that connected."""
        if os.getpid() != self._process:
            raise Forked

    # -------------------------------------------------------------------------------------------------------- changes

    async def commit(
        self,
        *steps: Step,
        at: Seconds | None = None,
        while_connected: bool = False,
        comment: str = "",
        id: uuid.UUID | None = None,
        timeout: Seconds | None = None,
    ) -> CoreReceipt:
        """Commits a transaction: all of its plans and operations, or none.

        It is sent again until motiond answers or `timeout` (seconds) has passed, and takes effect once, because it
        has an id. Give your own `id` to be able to repeat a commit later: the first receipt is returned then.
        Cancelling the call does not withdraw the commit.

        `at` is the simulated time at which it is applied, in seconds or as a `timedelta`; otherwise the next frame
        applies it. With `while_connected`, its plans end 3 s after this client is gone. `comment` is a reason for
        people, at most 256 bytes.

        Returns the receipt, which does not wait for a frame. Raises `Refusal`, `PlanError` or `Timeout`.
        """
        check_steps(steps)
        if unchecked(steps):
            await self._check(steps, timeout)
        sent = self._send(steps, at, while_connected, comment, id, timeout)
        return CoreReceipt(self, *await sent, steps)

    async def commit_all(
        self, transactions: Iterable[Step | Sequence[Step]], *, comment: str = "", timeout: Seconds | None = None
    ) -> list[CoreReceipt | Refusal]:
        """Commits many transactions, one after the other, without waiting for each answer: thousands a second.

        Each element is a plan, an operation, or a sequence of them. They take effect in their order, unless a
        connection over a network breaks meanwhile. Returns for each the receipt, or the refusal. Raises any other
        error.
        """
        batches = batches_of(transactions)
        for index, batch in enumerate(batches):
            try:
                check_steps(batch)
                if unchecked(batch):
                    await self._check(batch, timeout)
            except PlanError as error:
                error.transaction = index
                raise
        results: list[CoreReceipt | Refusal] = []
        # The timeout of each counts from when it is sent, however many there are before it.
        in_flight: deque[tuple[Pending[tuple[pb.Receipt, Settlement]], Sequence[Step]]] = deque()
        for batch in [*batches, *[None] * PIPELINE]:
            if batch is not None:
                in_flight.append((self._send(batch, None, False, comment, None, timeout), batch))
            if in_flight and (batch is None or len(in_flight) >= PIPELINE):
                sent, steps = in_flight.popleft()
                try:
                    results.append(CoreReceipt(self, *await sent, steps))
                except Refusal as refusal:
                    results.append(refusal)
        return results

    async def cancel(self, sequence: int, *, timeout: Seconds | None = None) -> pb.ClockState:
        """Cancels a transaction that waits for its `at`, by the sequence of its receipt. Refused with `not-found` if
        it does not wait."""
        cancel = pb.Cancel(sequence=whole_of(sequence, "sequence", 1, _HIGHEST))
        return await self._done(pb.Envelope(cancel=cancel), "cancel", timeout)

    async def stop(
        self, *targets: str, outputs: bool = False, ramp: bool = False, timeout: Seconds | None = None
    ) -> pb.ClockState:
        """Lets all properties of these targets (names, patterns, groups) stand at once, or of all if there are none,
        and removes their plans; outputs only with `outputs`. With `ramp` the properties brake within their limits."""
        names = [target_of(target) for target in targets]
        stop = pb.Stop(targets=names, outputs=flag_of(outputs, "outputs"), ramp=flag_of(ramp, "ramp"))
        return await self._done(pb.Envelope(stop=stop), "stop", timeout)

    async def restart(self, plugin: str, *, timeout: Seconds | None = None) -> pb.ClockState:
        """Drains the workers of a plugin and starts them again; lifts a quarantine. It is not sent again."""
        body = pb.Envelope(restart=pb.Restart(plugin=text_of(plugin, "plugin")))
        return await self._done(body, "restart", timeout, is_repeatable=False)

    async def record(self, path: str | os.PathLike[str], *, timeout: Seconds | None = None) -> pb.ClockState:
        """Begins a recording of the run, with the present state, into a file on motiond's machine. The path is
        absolute."""
        body = pb.Envelope(record=pb.Record(start=path_of(path, "path")))
        return await self._done(body, "record", timeout, is_repeatable=False)

    async def stop_recording(self, *, timeout: Seconds | None = None) -> pb.ClockState:
        """Ends the recording. Its file is complete when this returns."""
        body = pb.Envelope(record=pb.Record(stop=pb.Record.Stop()))
        return await self._done(body, "record", timeout, is_repeatable=False)

    async def load_types(self, *, timeout: Seconds | None = None) -> list[str]:
        """Fetches the descriptions of all types that motiond has, so that `types` knows them. Returns their names."""
        self.catalog.update(await self.descriptions(timeout=timeout))
        return self.catalog.names

    # ---------------------------------------------------------------------------------------------------------- clock

    async def pause(self, *, timeout: Seconds | None = None) -> pb.ClockState:
        """Pauses simulated time."""
        return await self._clock(pb.Clock(pause=pb.Clock.Pause()), timeout)

    async def resume(self, *, timeout: Seconds | None = None) -> pb.ClockState:
        """Resumes simulated time."""
        return await self._clock(pb.Clock(resume=pb.Clock.Resume()), timeout)

    async def speed(self, speed: float, *, timeout: Seconds | None = None) -> pb.ClockState:
        """Runs so many simulated seconds per second: 0.000001 to 1000."""
        return await self._clock(pb.Clock(speed=number_of(speed, "speed")), timeout)

    async def step(self, frames: int = 1, *, timeout: Seconds | None = None) -> pb.ClockState:
        """While time is paused, runs so many frames. It is not sent again: two steps are not one."""
        step = whole_of(frames, "frames", 1, _MOST_STEPS)
        return await self._clock(pb.Clock(step=step), timeout, is_repeatable=False)

    async def hold(self, *, refuse: bool = False, timeout: Seconds | None = None) -> pb.ClockState:
        """Holds all motion until `release`, also over restarts: time slows down and stands. With `refuse`,
        transactions are refused meanwhile; otherwise they wait."""
        return await self._clock(pb.Clock(hold=pb.ClockHold(refuse=flag_of(refuse, "refuse"))), timeout)

    async def release(self, *, timeout: Seconds | None = None) -> pb.ClockState:
        """Ends a hold."""
        return await self._clock(pb.Clock(release=pb.Clock.Release()), timeout)

    # ---------------------------------------------------------------------------------------------------------- input

    async def point(
        self, target: str, events: Sequence[PointerEvent], *, device: str = "python", timeout: Seconds | None = None
    ) -> pb.ClockState:
        """Sends the events of a device's pointers on a target, in order: see `pointer_down` and its siblings.

        They reach the manipulations on the target with the next frame; without any they are dropped. They are not sent
        again. While a pointer is down, this client sends signs of life: the pointers of one that is gone are cancelled.
        """
        encoded = encoded_events(events)
        message = pb.Input(target=name_of(target, "target"), device=label_of(device, "device"), events=encoded)
        body = pb.Envelope(input=message)
        if any(event.is_down for event in events):
            self.link.keep_present()
        return await self._done(body, "input", timeout, is_repeatable=False)

    async def send_values(
        self,
        values: Mapping[str, Lanes | None],
        *,
        device: str = "python",
        hold: bool = False,
        time: Seconds = 0,
        timeout: Seconds | None = None,
    ) -> pb.ClockState:
        """Sends named values, which plans of the type `Follow` move properties by; None withdraws a name.

        `time` is when they were measured, in seconds of the boot clock; 0 is now. They are withdrawn 3 s after this
        client is gone, unless `hold` is set.
        """
        return await self._done(self._values(values, device, hold, time), "input", timeout)

    async def stream_values(
        self,
        values: Mapping[str, Lanes | None],
        *,
        device: str = "python",
        hold: bool = False,
        time: Seconds = 0,
        timeout: Seconds | None = None,
    ) -> None:
        """As `send_values`, for many a second: it waits for an answer once a second, and for each 33rd. A refusal is
        raised up to a second later. End a stream with `send_values`."""
        body = self._values(values, device, hold, time)
        await self.link.tell(body, self.patience(timeout))

    # ---------------------------------------------------------------------------------------------------------- watch

    async def known_groups(self) -> list[pb.Operation.Group]:
        """The groups with those that this client has committed: the next frame applies a commit."""
        deadline = boot_now() + min(1.0, self.timeout)
        while self.applied_by and boot_now() < deadline:
            status = await self.status()
            if status.frame.number >= self.applied_by or status.clock.paused or status.clock.HasField("hold"):
                break
            never: Pending[None] = Pending()
            await self.link.first(never, boot_now() + 0.002)
        return await self.groups()

    async def follow(self, places: Sequence[str], *, every: bool, velocities: bool) -> WatchChannel:
        """Follows places: see `watch` of the faces."""
        self.check_process()
        topics = await topics_of(places, "m" if velocities else "v", self.known_groups)
        return await self.link.watch(topics, every=every, keeps_past=velocities)

    async def draw(self, *places: str, last: Seconds | None = None, next: Seconds | None = None) -> Drawing:
        """Draws places, as `motionctl draw` does: value and velocity of each lane over time, and a line at each
        hand-over.

        `last` draws so many seconds of motiond's history; that needs the program motionctl on this machine. `next`
        draws the seconds that follow; the call takes as long. Without either, the next three. A notebook shows the
        result.
        """
        self.check_process()
        if last is not None and next is not None:
            raise PlanError("last and next exclude each other", "Draw either: leave one out.", field="next")
        if last is not None:
            return await draw_last(self, places, drawn_seconds(last, "last", LONGEST_LAST))
        return await draw_next(self, places, drawn_seconds(3 if next is None else next, "next", LONGEST_NEXT))

    # ----------------------------------------------------------------------------------------------------------- steps

    def _send(
        self,
        steps: Sequence[Step],
        at: Seconds | None,
        while_connected: bool,
        comment: str,
        id: uuid.UUID | None,
        timeout: Seconds | None,
    ) -> Pending[tuple[pb.Receipt, Settlement]]:
        operations = [step.operation() for step in steps]
        number = id_of(id) or self._ids.getrandbits(128) or 1
        commit = pb.Commit(
            id_high=number >> 64,
            id_low=number & 0xFFFF_FFFF_FFFF_FFFF,
            operations=operations,
            while_connected=flag_of(while_connected, "while_connected"),
            comment=text_of(comment, "comment", _COMMENT),
            client=self.link.name,
        )
        if at is not None:
            commit.at = time_of(at, "at")
        count = partial(expected_plans, operations)
        return self.link.commit(commit, count, self.patience(timeout))

    async def _check(self, steps: Sequence[Step], timeout: Seconds | None) -> None:
        """Checks plans by the descriptions of their types, and fetches those that are not known."""
        if any(self.catalog.get(plan.type) is None for plan in unchecked(steps)):
            self.catalog.update(await self.descriptions(timeout=timeout))
        check_plans(steps, self.catalog)

    def _values(self, values: Mapping[str, Lanes | None], device: str, hold: bool, time: Seconds) -> pb.Envelope:
        message = pb.Input(device=label_of(device, "device"), values=encoded_values(values, hold, time))
        if not hold and any(value is not None for value in values.values()):
            self.link.keep_present()
        return pb.Envelope(input=message)

    async def _clock(self, clock: pb.Clock, timeout: Seconds | None, *, is_repeatable: bool = True) -> pb.ClockState:
        return await self._done(pb.Envelope(clock=clock), "clock command", timeout, is_repeatable=is_repeatable)

    async def _done(
        self, body: pb.Envelope, request: str, timeout: Seconds | None, *, is_repeatable: bool = True
    ) -> pb.ClockState:
        answer = await self.ask(body, timeout, is_repeatable=is_repeatable)
        if answer.WhichOneof("body") != "done":
            raise unexpected(answer, request)
        self.unkept = answer.done.unkept
        return answer.done.clock
