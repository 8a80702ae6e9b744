"""Whatever the network does: once it works, both ends agree, and nothing was done twice or out of order.

The other end is a model of motiond's: it answers, and keeps the plans that result from its commands. Schedules of the
Swift machine are replayed by ``test_link_traces.py``.
"""

from __future__ import annotations

import os
import random
from typing import Any

from link_table import word
from link_trace import HELLO

from motiond._link import WorkerLink
from motiond._link_messages import Apply, Exit, LeaseLost, Provision, Publish, Run, Send, Subscribe
from motiond._link_timing import MILLISECOND, SECOND
from motiond._proto import motion_pb2 as pb

#: The schedules in one run of the test.
SCHEDULES = max(1, 500 // int(os.environ.get("MOTION_ROUNDS_DIVISOR", "1")))
TOPIC = "e/tween.0/1"


class Wire:
    """One direction of a connection, which loses, repeats and delays messages."""

    def __init__(self, generator: random.Random) -> None:
        self._random = generator
        self.drop = 0.0 if generator.random() < 0.3 else generator.uniform(0, 0.5)
        self.repeat = generator.uniform(0, 0.3)
        self.delay = generator.randrange(60) * MILLISECOND
        #: Until then every message is lost.
        self.cut_until = 0
        self._under_way: list[tuple[int, int, bytes]] = []
        self._count = 0

    def repair(self) -> None:
        """From now on every message arrives at once."""
        self.drop, self.repeat, self.delay, self.cut_until = 0.0, 0.0, 0, 0

    def send(self, message: bytes, now: int) -> None:
        """Sends a message."""
        for chance in (1 - self.drop, self.repeat):
            if self._random.random() < chance and now >= self.cut_until:
                self._count += 1
                self._under_way.append((now + self._random.randint(0, self.delay), self._count, message))

    def receive(self, now: int) -> list[pb.Envelope]:
        """What has arrived, in its order of arrival."""
        arrived = sorted(entry for entry in self._under_way if entry[0] <= now)
        self._under_way = [entry for entry in self._under_way if entry[0] > now]
        return [pb.Envelope.FromString(message) for _, _, message in arrived]


class World:
    """A worker's end, a model of motiond's, and the network between them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.now = 1000 * SECOND
        self.link = WorkerLink(1, 1, HELLO, self.now)
        self.to_worker = Wire(self.random)
        self.to_motiond = Wire(self.random)
        # motiond: the plans after each command, and the events that it has applied.
        self.owed: list[frozenset[int]] = [frozenset()]
        self.live: set[int] = set()
        self.plans = 0
        self.frame = 0
        self.announced: dict[int, int] = {}
        self.applied: list[int] = []
        self.next_heartbeat = self.now
        self.sequence = 0
        # The worker: the plans that it holds and has ended, and its events.
        self.held: set[int] = set()
        self.ended: set[int] = set()
        self.recorded: list[int] = []
        self.last_frame = 0
        self.suspended_until = 0
        self.losses = 0
        self.perform(self.link.start(self.now))
        self.perform(self.link.subscribed(TOPIC, self.now))

    # ------------------------------------------------------------------------------------------------------- motiond

    def say(self, reply_to: int = 0, **body: Any) -> None:
        self.sequence += 1
        message = pb.Envelope(protocol=1, epoch=1, sequence=self.sequence, reply_to=reply_to, **body)
        self.to_worker.send(message.SerializeToString(), self.now)

    def command(self) -> None:
        """Adds a plan, or removes one."""
        number = len(self.owed)
        if self.live and self.random.random() < 0.3:
            plan = self.random.choice(sorted(self.live))
            self.live.remove(plan)
            self.owed.append(self.owed[-1] - {plan})
            command = pb.Command(number=number, remove=pb.Remove(executor=plan, identity=identity(plan)))
        else:
            self.plans += 1
            self.live.add(self.plans)
            self.owed.append(self.owed[-1] | {self.plans})
            command = pb.Command(number=number, add=pb.Add(executor=self.plans, intention=planned(self.plans)))
        self.say(command=command)

    def tick(self) -> None:
        """Announces a frame."""
        self.frame += 1
        last = len(self.owed) - 1
        self.announced[self.frame] = last
        self.say(tick=pb.Tick(frame=pb.Frame(number=self.frame), last_command=last))

    def heartbeat(self) -> None:
        if self.now >= self.next_heartbeat:
            self.next_heartbeat = self.now + 200 * MILLISECOND
            last, applied = len(self.owed) - 1, len(self.applied)
            beat = pb.CoordinatorHeartbeat(last_command=last, last_event_applied=applied, interval=0.2)
            self.say(coordinator_heartbeat=beat)

    def hear(self, envelope: pb.Envelope) -> None:
        match envelope.WhichOneof("body"):
            case "hello":
                self.say(envelope.sequence, welcome=pb.Welcome(protocol_version=1, event_topic=TOPIC))
            case "resync":
                executors = [pb.Snapshot.Executor(handle=p, intentions=[planned(p)]) for p in sorted(self.live)]
                snapshot = pb.Snapshot(
                    command=len(self.owed) - 1,
                    frame=pb.Frame(number=self.frame),
                    executors=executors,
                    last_event_applied=len(self.applied),
                )
                self.say(envelope.sequence, snapshot=snapshot)
            case "update":
                for event in envelope.update.events:
                    if event.number == len(self.applied) + 1:
                        self.applied.append(event.finished.identity.sequence)
                        self.live.discard(event.finished.identity.sequence)
            case _:
                pass

    # ---------------------------------------------------------------------------------------------------- The worker

    def perform(self, actions: list[Any]) -> None:
        for action in actions:
            match action:
                case Send(message) | Publish(message):
                    self.to_motiond.send(message.envelope().SerializeToString(), self.now)
                case Provision(snapshot):
                    plans = [plan.identity.sequence for e in snapshot.executors for plan in e.intentions]
                    assert not self.ended.intersection(plans), "a plan that has ended begins again"
                    self.held = set(plans)
                case Apply(command):
                    self.obey(command)
                case Run(frame):
                    self.run(frame.number)
                case LeaseLost():
                    self.losses += 1
                    self.held = set()
                case Exit():
                    raise AssertionError(f"the worker exits: {action.text}")
                case Subscribe() | _:
                    pass

    def obey(self, command: pb.Command) -> None:
        if command.WhichOneof("command") == "add":
            plan = command.add.intention.identity.sequence
            assert plan not in self.held and plan not in self.ended, f"{plan} is added twice"
            self.held.add(plan)
        else:
            self.held.discard(command.remove.identity.sequence)

    def run(self, frame: int) -> None:
        assert frame > self.last_frame, f"frame {frame} is run twice"
        assert self.link.commands_applied >= self.announced[frame], "a frame is run before its commands"
        owed = self.owed[self.link.commands_applied]
        assert self.held <= owed, "it holds plans that no command has added"
        assert not (owed - self.held - self.ended) & self.live, "it lacks plans"
        self.last_frame = frame
        self.perform([Publish(self.link.update(frame, self.now))])

    def finish(self) -> None:
        """A plan ends in the worker."""
        if self.held and word(self.link) in ("serving", "awaiting"):
            plan = self.random.choice(sorted(self.held))
            self.held.remove(plan)
            self.ended.add(plan)
            self.recorded.append(plan)
            finished = pb.Update.Finished(executor=plan, identity=identity(plan), outcome=pb.OUTCOME_COMPLETED)
            self.link.record(pb.Update.Event(finished=finished))

    # ---------------------------------------------------------------------------------------------------------- Time

    def advance(self, time: int) -> None:
        """Lets time pass; both ends receive and send, unless the worker is suspended."""
        self.now += time
        self.heartbeat()
        for envelope in self.to_motiond.receive(self.now):
            self.hear(envelope)
        if self.now < self.suspended_until:
            return
        for envelope in self.to_worker.receive(self.now):
            self.perform(self.link.received(envelope, self.now))
        self.perform(self.link.deadline(self.now))

    def disagreement(self) -> str | None:
        """The remaining difference, if there is one."""
        ours = (word(self.link), self.held, self.link.commands_applied, self.recorded, self.link.unacknowledged_events)
        theirs = ("serving", self.live, len(self.owed) - 1, self.applied, 0)
        return None if ours == theirs else f"{ours} and {theirs}"


def identity(plan: int) -> pb.IntentionIdentity:
    return pb.IntentionIdentity(sequence=plan)


def planned(plan: int) -> pb.PlannedIntention:
    return pb.PlannedIntention(identity=identity(plan))


def play(seed: int) -> World:
    """Two seconds of faults, then time without any until both ends agree."""
    world = World(seed)
    suspends, generator = world.random.random() < 0.5, world.random
    for _ in range(100):
        if generator.random() < 0.3:
            world.command()
        if generator.random() < 0.3:
            world.finish()
        if generator.random() < 0.5:
            world.tick()
        if suspends and generator.random() < 0.02:
            world.suspended_until = world.now + generator.randrange(100, 3000) * MILLISECOND
        if generator.random() < 0.01:
            wire = generator.choice([world.to_worker, world.to_motiond])
            wire.cut_until = world.now + generator.randrange(100, 3000) * MILLISECOND
        world.advance(20 * MILLISECOND)
    world.to_worker.repair()
    world.to_motiond.repair()
    for _ in range(400):
        if world.disagreement() is None:
            break
        world.tick()
        world.advance(50 * MILLISECOND)
    return world


def test_both_ends_agree_after_any_schedule() -> None:
    seed = int(os.environ.get("MOTION_TEST_SEED", random.randrange(2**32)))
    print(f"MOTION_TEST_SEED={seed}")
    generator = random.Random(seed)
    gaps = losses = 0
    for schedule in range(SCHEDULES):
        own = generator.randrange(2**63)
        try:
            world = play(own)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, schedule {schedule}: {error}") from error
        assert world.disagreement() is None, f"seed {seed}, schedule {schedule}: {world.disagreement()}"
        gaps += world.link.counters.gaps
        losses += world.losses
    # The schedules are severe enough to show something.
    assert gaps > SCHEDULES and losses > 0


def test_a_perfect_network_needs_no_repair() -> None:
    world = World(1)
    world.to_worker.repair()
    world.to_motiond.repair()
    for step in range(200):
        if step % 10 == 0:
            world.command()
        world.tick()
        world.advance(5 * MILLISECOND)
    world.advance(5 * MILLISECOND)
    world.advance(5 * MILLISECOND)
    assert world.disagreement() is None
    assert (world.link.counters.gaps, world.losses) == (0, 0)
