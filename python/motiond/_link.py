"""A worker's end of the link to motiond: messages and time in, actions out.

It reads no clock and uses no socket. The owner of the sockets calls ``start``, passes every received message
(``received``, ``subscribed``, ``unsubscribed``) and records the executors' events (``record``). It performs the
returned actions in their order, and then calls ``deadline``, again at ``next_deadline``. Times are nanoseconds of the
boot clock.

It is a port of the Swift machine in ``Sources/MotionLink/Worker``. Both are held against the table of states and events
in ``Tests/Fixtures/Link/worker-link.json``, and agree in every action of random schedules (``test_link_traces.py``).
"""

from __future__ import annotations

from dataclasses import replace

from ._link_messages import (
    Action,
    Apply,
    Exit,
    Inspect,
    LeaseLost,
    Outgoing,
    Provision,
    Publish,
    Run,
    Send,
    Subscribe,
    refused,
)
from ._link_parts import UNACKNOWLEDGED_EVENTS, CommandBuffer
from ._link_sending import Sending
from ._link_state import SHUTDOWN, AwaitingSnapshot, Draining, Ended, Greeting, Request, Serving, Subscribing
from ._link_timing import LOCAL, SECOND, Lease, LinkTiming, Retry, Silence
from ._proto import motion_pb2 as pb


class WorkerLink(Sending):
    """One incarnation of a worker. A remote worker makes another for each assignment."""

    def __init__(
        self,
        epoch: int,
        incarnation: int,
        hello: pb.Hello,
        now: int,
        *,
        lease: Lease | None = None,
        timing: LinkTiming = LOCAL,
    ) -> None:
        """The worker's end for the start that `hello` describes, in motiond's start `epoch`.

        With a `lease`, which came with a claimed assignment, the link ends with it.
        """
        state = Greeting(Request(Retry(timing, now), now, CommandBuffer()), is_subscribed=False)
        super().__init__(epoch, incarnation, state, timing, now)
        self._epoch = epoch
        self._hello = hello
        self._lease = lease
        self._silence = Silence(timing, now)
        self._last_frame = 0
        self._last_tick_sequence = 0
        #: The number of the shape that motiond has of the worker's updates, by the last tick; 0 if none.
        self.shape = 0
        address = hello.address
        self._event_topic = f"e/{address.plugin}.{address.instance}/{incarnation}"

    # --------------------------------------------------------------------------------------------------- Its owner asks

    @property
    def is_awaiting_snapshot(self) -> bool:
        """Whether the worker has requested a snapshot and not received it."""
        return isinstance(self.state, AwaitingSnapshot)

    @property
    def lease_end(self) -> int | None:
        """When the lease ends, if it has one."""
        return self._lease.end if self._lease else None

    @property
    def next_deadline(self) -> int | None:
        """When to call ``deadline`` next; 0 if there is something to send at once. `None` after the end."""
        return 0 if self._has_news else self._earliest_timer()

    # ------------------------------------------------------------------------------------------------- What is received

    def start(self, now: int) -> list[Action]:
        """Starts the handshake with the first hello."""
        return self._greet(False, CommandBuffer(), now)

    def received(self, envelope: pb.Envelope, now: int) -> list[Action]:
        """A message came from motiond, on the link or on one of the worker's topics."""
        if isinstance(self.state, Ended):
            self.counters.fenced += 1
            return []
        # A message that was buffered while the lease expired is not obeyed.
        if lapse := self.lapse(now):
            self.counters.fenced += 1
            return lapse
        if envelope.epoch != self._epoch or envelope.incarnation != 0:
            self.counters.fenced += 1
            if envelope.epoch > self._epoch:
                text = f"motiond was started again (epoch {envelope.epoch}) and starts its own workers"
                return self._end(Exit("superseded", text))
            return []
        self._silence.received(now)
        match envelope.WhichOneof("body"):
            case "tick":
                return self._announced(envelope.tick, envelope.sequence, now)
            case "command":
                return self._commanded(envelope.command, now)
            case "coordinator_heartbeat":
                return self._heartbeat_received(envelope.coordinator_heartbeat, envelope.sequence, now)
            case "snapshot":
                return self._provisioned(envelope.snapshot, envelope.reply_to, now)
            case "welcome":
                return self._welcomed(envelope.welcome, now)
            case "refusal":
                return self._end(refused(envelope.refusal))
            case "inspect":
                return [Inspect(tuple(envelope.inspect.executors), envelope.sequence)]
            case _:
                self.counters.unexpected += 1
                return []

    def subscribed(self, topic: str, now: int) -> list[Action]:
        """The worker's events socket reported a subscription."""
        if topic != self._event_topic:
            return []
        self._has_event_subscription = True
        if not isinstance(self.state, Subscribing):
            return []
        return self._request_first_snapshot(self.state.request, self.state.tick, now)

    def unsubscribed(self, topic: str) -> list[Action]:
        """The worker's events socket reported the end of a subscription.

        motiond does not receive what the worker publishes until it is back. A worker that claimed its assignment claims
        it again, because another motiond may be running by then.
        """
        if topic != self._event_topic:
            return []
        self._has_event_subscription = False
        if self._lease is None or isinstance(self.state, Ended):
            return []
        return self._end(Exit("disconnected", "the connection to motiond is broken"))

    def was_stalled(self, now: int) -> None:
        """The caller was suspended until `now`: motiond's silence in that time does not count."""
        self.counters.stalls += 1
        self._silence.received(now)

    def lapse(self, now: int) -> list[Action]:
        """The actions at the end of the lease, if it has expired: to be checked before each action."""
        if self._lease is None or isinstance(self.state, Ended) or not self._lease.is_over(now):
            return []
        return [LeaseLost(), *self._end(Exit("lease-ended", "its lease has expired"))]

    # ------------------------------------------------------------------------------------------------------------- Time

    def deadline(self, now: int) -> list[Action]:
        """The actions that are due at `now`; an early call has no effect.

        If a deadline is checked later than ``LinkTiming.stall``, the caller itself was suspended, and motiond gets its
        full timeout again. A lease expires all the same.
        """
        due = self._earliest_timer()
        if due is None or not (now >= due or self._has_news):
            return []
        if lapse := self.lapse(now):
            return lapse
        if now > due + self._timing.stall:
            self.was_stalled(now)
        if (end := self._exit_due(now)) is not None:
            return self._end(end)
        if self._lease is None and self._is_judging and now >= self._silence.deadline:
            return self._lose_lease(now)
        return self._send_due(now)

    def _earliest_timer(self) -> int | None:
        state = self.state
        if isinstance(state, Ended):
            return None
        times: list[int] = []
        if (repeat := self._repeat_due) is not None:
            times.append(repeat)
        if self._can_publish:
            times.append(self._heartbeat_due)
        if self._lease is not None:
            times.append(self._lease.end)
        elif self._is_judging:
            times.append(self._silence.deadline)
        if isinstance(state, Serving):
            if state.tick is not None:
                times.append(state.tick_deadline)
        elif isinstance(state, Draining):
            times.append(state.since + self._timing.drain_limit)
        else:
            times.append(state.request.retry.due)
            times.append(state.request.since + self._timing.unanswered_limit)
        return min(times, default=None)

    def _exit_due(self, now: int) -> Exit | None:
        state = self.state
        if (count := len(self._outbox)) > UNACKNOWLEDGED_EVENTS:
            return Exit("out-of-step", f"motiond has not acknowledged {count} events")
        if isinstance(state, (Greeting, Subscribing, AwaitingSnapshot)):
            waited = now - state.request.since
            if waited >= self._timing.unanswered_limit:
                return Exit("unanswered", f"motiond did not answer for {waited // SECOND} s")
        if isinstance(state, Draining) and now >= state.since + self._timing.drain_limit:
            return SHUTDOWN
        return None

    def _lose_lease(self, now: int) -> list[Action]:
        # No property may receive values from two workers: a worker that receives nothing stops, and greets again.
        self._silence.relax()
        state = self.state
        commands = state.request.commands if isinstance(state, AwaitingSnapshot) else CommandBuffer()
        return [LeaseLost(), *self._greet(True, commands, now)]

    def _send_due(self, now: int) -> list[Action]:
        actions: list[Action] = []
        repeat = self._repeat_due
        if self._has_news or (repeat is not None and now >= repeat):
            actions.append(Publish(self.update(self._last_frame, now)))
        if (heartbeat := self.heartbeat_if_due(now)) is not None:
            actions.append(Publish(heartbeat))
        state = self.state
        if isinstance(state, Serving):
            if state.tick is not None and now >= state.tick_deadline:
                return actions + self._request_again(CommandBuffer(), now)
        elif isinstance(state, (Greeting, Subscribing, AwaitingSnapshot)) and now >= state.request.retry.due:
            self.counters.retries += 1
            state.request.retry.resent(now)
            return [*actions, Send(self._request_message(now))]
        return actions

    @property
    def _is_acting(self) -> bool:
        # From the first snapshot until the lease is lost.
        state = self.state
        return isinstance(state, (Serving, Draining)) or (isinstance(state, AwaitingSnapshot) and state.is_acting)

    @property
    def _is_judging(self) -> bool:
        # motiond's silence is checked as long as executors act on its behalf.
        return self._is_acting and not isinstance(self.state, Draining)

    # -------------------------------------------------------------------------------------------------------- Handshake

    def _greet(self, is_subscribed: bool, commands: CommandBuffer, now: int) -> list[Action]:
        self.state = Greeting(Request(Retry(self._timing, now), now, commands), is_subscribed)
        return [Send(self._link_stamp.message(self._hello, now))]

    def _welcomed(self, welcome: pb.Welcome, now: int) -> list[Action]:
        state = self.state
        if not isinstance(state, Greeting):
            self.counters.old += 1
            return []
        versions = self._hello.protocol_versions
        supported = versions.lowest <= welcome.protocol_version <= versions.highest
        if not supported or welcome.event_topic != self._event_topic:
            address = self._hello.address
            return self._end(
                refused(
                    pb.Refusal(
                        code="version",
                        message=f"motiond welcomed {address.plugin}.{address.instance} with message version "
                        f"{welcome.protocol_version} and the topic {welcome.event_topic}",
                        remedy="Use motiond and this package from the same release",
                    )
                )
            )
        self.state = Subscribing(state.request, None)
        actions: list[Action] = [] if state.is_subscribed else [Subscribe(welcome)]
        if self._has_event_subscription:
            actions += self._request_first_snapshot(state.request, None, now)
        return actions

    def _request_first_snapshot(self, hello: Request, tick: pb.Tick | None, now: int) -> list[Action]:
        return self._request_snapshot(hello.since, hello.commands, tick, False, now)

    def _request_again(self, commands: CommandBuffer, now: int) -> list[Action]:
        # A command is missing; the executors continue to act. `commands` came after the missing one.
        state = self.state
        if not isinstance(state, Serving):
            return []
        self.counters.gaps += 1
        return self._request_snapshot(now, commands, state.tick, True, now)

    def _request_snapshot(
        self, since: int, commands: CommandBuffer, tick: pb.Tick | None, is_acting: bool, now: int
    ) -> list[Action]:
        request = Request(Retry(self._timing, now), since, commands)
        self.state = AwaitingSnapshot(request, self._link_stamp.last + 1, tick, is_acting)
        self._heartbeat_due = max(self._heartbeat_due, now)
        return [Send(self._request_message(now))]

    def _request_message(self, now: int) -> Outgoing:
        body = pb.Resync(commands_applied=self.commands_applied) if self.is_awaiting_snapshot else self._hello
        return self._link_stamp.message(body, now)

    # ----------------------------------------------------------------------------------------------- Commands and ticks

    def _provisioned(self, snapshot: pb.Snapshot, reply_to: int, now: int) -> list[Action]:
        wait = self.state
        self._outbox.remove_ended(snapshot)
        if not isinstance(wait, AwaitingSnapshot) or reply_to < wait.first:
            self.counters.old += 1
            return []
        self.state = Serving(wait.tick, now + self._timing.tick_timeout)
        self.commands_applied = snapshot.command
        self._last_frame = max(self._last_frame, snapshot.frame.number)
        # The heartbeat reports that the snapshot is held, even if its command number was sent before.
        self._heartbeat_due = now
        commands = wait.request.commands
        actions: list[Action] = [Provision(snapshot)]
        for command in commands.take(snapshot.command):
            actions += self._obey(command, now)
        if commands.last > self.commands_applied:
            return actions + self._request_again(commands, now)
        return actions + self._run_waiting_tick()

    def _commanded(self, command: pb.Command, now: int) -> list[Action]:
        state = self.state
        if isinstance(state, Serving):
            if command.number == self.commands_applied + 1:
                return self._obey(command, now) + self._run_waiting_tick()
            if command.number > self.commands_applied:
                commands = CommandBuffer()
                commands.keep(command)
                return self._request_again(commands, now)
        elif not isinstance(state, (Draining, Ended)):
            state.request.commands.keep(command)
            return []
        self.counters.old += 1
        return []

    def _heartbeat_received(self, heartbeat: pb.CoordinatorHeartbeat, sequence: int, now: int) -> list[Action]:
        self._silence.announced(heartbeat.interval)
        if self._lease is not None:
            self._lease.renew(heartbeat.heard_sent, heartbeat.lease, sequence, now)
        self._outbox.acknowledge(min(heartbeat.last_event_applied, self._outbox.last))
        if isinstance(self.state, Serving):
            self._outbox.settle()
            return self._request_again(CommandBuffer(), now) if heartbeat.last_command > self.commands_applied else []
        if isinstance(self.state, Draining) and not len(self._outbox):
            return self._end(SHUTDOWN)
        return []

    def _announced(self, tick: pb.Tick, sequence: int, now: int) -> list[Action]:
        if sequence > self._last_tick_sequence:
            self.counters.conflated_ticks += sequence - self._last_tick_sequence - 1
            self._last_tick_sequence = sequence
        state = self.state
        waiting = state.tick if isinstance(state, (Subscribing, AwaitingSnapshot, Serving)) else None
        if tick.frame.number <= max(self._last_frame, waiting.frame.number if waiting else 0):
            self.counters.old += 1
            return []
        self.shape = tick.shape
        if isinstance(state, Serving):
            deadline = state.tick_deadline if waiting else now + self._timing.tick_timeout
            self.state = Serving(tick, deadline)
        elif isinstance(state, (Subscribing, AwaitingSnapshot)):
            # A tick that comes before the snapshot is run after it.
            self.state = replace(state, tick=tick)
        else:
            self.counters.old += 1
        return self._run_waiting_tick()

    def _obey(self, command: pb.Command, now: int) -> list[Action]:
        state = self.state
        if not isinstance(state, Serving):
            return []
        self.commands_applied += 1
        if command.WhichOneof("command") == "shutdown":
            self.state = Draining(now)
        elif state.tick is not None:
            # A received command shows that more are in transit.
            self.state = Serving(state.tick, now + self._timing.tick_timeout)
        return [Apply(command)]

    def _run_waiting_tick(self) -> list[Action]:
        state = self.state
        if not isinstance(state, Serving) or state.tick is None or state.tick.last_command > self.commands_applied:
            return []
        self.state = Serving(None, 0)
        frame = state.tick.frame
        if frame.number <= self._last_frame:
            return []
        self._last_frame = frame.number
        return [Run(frame)]

    def _end(self, reason: Exit) -> list[Action]:
        self.state = Ended()
        return [reason]
