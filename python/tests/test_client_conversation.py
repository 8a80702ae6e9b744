"""The control conversation beside a model of motiond behind a bad connection: messages are lost, delayed and garbled,
and motiond stops, restarts and stays silent. Nothing is applied twice, and what is acknowledged was applied."""

from __future__ import annotations

import heapq
import itertools
import random

import pytest
from google.protobuf.message import DecodeError

from motiond._client_conversation import FIRST_TIMEOUT, WINDOW, Conversation, Request
from motiond._errors import Closed, MotionError, Refusal, Timeout
from motiond._proto import motion_pb2 as pb


class Server:
    """motiond's side: ids are remembered over restarts, as its journal does."""

    def __init__(self) -> None:
        self.epoch = 1
        self.is_stopping = False
        self.applied: list[int] = []
        self.steps: list[int] = []
        self._receipts: dict[int, int] = {}

    def answer(self, message: bytes) -> bytes | None:
        try:
            envelope = pb.Envelope.FromString(message)
        except DecodeError:
            return None
        if envelope.epoch not in (0, self.epoch):
            return None
        answer = pb.Envelope(protocol=1, epoch=self.epoch, reply_to=envelope.sequence)
        kind = envelope.WhichOneof("body")
        if kind == "greeting":
            answer.service.protocol_version = 1
        elif self.is_stopping:
            answer.refusal.code = "stopping"
        elif kind == "commit":
            id = envelope.commit.id_low
            if id not in self._receipts:
                self.applied.append(id)
                self._receipts[id] = len(self.applied)
            answer.receipt.sequence = self._receipts[id]
        elif kind == "clock":
            self.steps.append(envelope.clock.step)
            answer.done.SetInParent()
        else:
            answer.done.SetInParent()
        return answer.SerializeToString()


class World:
    """Time, the connection in both directions, and one client."""

    def __init__(self, random: random.Random, loss: float) -> None:
        self.random = random
        self.loss = loss
        self.now = 0.0
        self.server = Server()
        self.is_up = True
        self.connections = 1
        self._events: list[tuple[float, int, bool, int, bytes]] = []
        self._order = itertools.count()
        self._last = [0.0, 0.0]
        self.conversation = Conversation(7, "model", self.send, self.connect)

    def connect(self) -> None:
        self.connections += 1

    def send(self, message: bytes) -> None:
        self._post(False, message)

    def _post(self, is_answer: bool, message: bytes) -> None:
        if self.random.random() < self.loss:
            return
        # Each connection keeps the order.
        delay = self.random.choice([0.0, 0.001, 0.3 if self.loss else 0.01])
        self._last[is_answer] = max(self._last[is_answer], self.now + delay)
        event = (self._last[is_answer], next(self._order), is_answer, self.connections, message)
        heapq.heappush(self._events, event)

    def run(self, until: float) -> None:
        while True:
            due = self._events[0][0] if self._events else float("inf")
            next_time = min(due, max(self.now, self.conversation.next_due))
            if next_time > until:
                self.now = until
                return
            self.now = next_time
            if due <= self.now:
                _, _, is_answer, connection, message = heapq.heappop(self._events)
                if is_answer:
                    if connection == self.connections:
                        self.conversation.receive(pb.Envelope.FromString(message), self.now)
                elif self.is_up and (answer := self.server.answer(message)) is not None:
                    self._post(True, answer)
            if self.conversation.next_due <= self.now:
                self.conversation.elapsed(self.now)

    def commit(self, id: int, outcomes: dict[int, pb.Envelope | MotionError], timeout: float = 5) -> None:
        def finish(outcome: pb.Envelope | MotionError) -> None:
            assert id not in outcomes
            outcomes[id] = outcome

        body = pb.Envelope(commit=pb.Commit(id_low=id)).SerializeToString()
        self.conversation.ask(Request(body, self.now + timeout, finish), self.now)


@pytest.mark.parametrize("loss", [0.0, 0.1, 0.5])
def test_every_request_ends_once_and_what_is_acknowledged_was_applied_once(seeded: random.Random, loss: float) -> None:
    for _ in range(20):
        world = World(seeded, loss)
        outcomes: dict[int, pb.Envelope | MotionError] = {}
        ids = itertools.count(1)
        asked = 0
        for _ in range(60):
            event = seeded.random()
            if event < 0.6:
                for _ in range(seeded.choice([1, 3, 40, 300])):
                    asked = next(ids)
                    world.commit(asked, outcomes, seeded.choice([0.5, 5, 20]))
            elif event < 0.65:
                world.is_up = False
            elif event < 0.7:
                world.server.is_stopping = True
            elif event < 0.9:
                if not world.is_up or world.server.is_stopping:
                    world.server.epoch += 1
                    if seeded.random() < 0.5:
                        world.conversation.see_epoch(world.server.epoch, world.now)
                world.is_up, world.server.is_stopping = True, False
            world.run(world.now + seeded.choice([0.0, 0.01, 0.5, 2.0]))
        world.is_up, world.server.is_stopping = True, False
        world.run(world.now + 60)
        assert sorted(outcomes) == list(range(1, asked + 1))
        assert len(set(world.server.applied)) == len(world.server.applied)
        for id, outcome in outcomes.items():
            if isinstance(outcome, MotionError):
                assert isinstance(outcome, Timeout) or outcome.code == "stopping"
            else:
                assert world.server.applied[outcome.receipt.sequence - 1] == id
        assert not world.conversation.has_requests
        assert world.conversation.next_due == float("inf")


def test_without_losses_commits_are_applied_in_their_order_also_over_restarts(seeded: random.Random) -> None:
    for _ in range(20):
        world = World(seeded, 0)
        outcomes: dict[int, pb.Envelope | MotionError] = {}
        for id in range(1, 1000):
            world.commit(id, outcomes, 100)
            if seeded.random() < 0.005:
                # It goes down with requests that it has not read.
                world.is_up = False
                world.run(world.now + seeded.choice([0.0, 0.2]))
                world.server.epoch += 1
                world.is_up = True
            world.run(world.now + seeded.choice([0, 0, 0.001]))
        world.run(world.now + 60)
        assert world.server.applied == list(range(1, 1000))
        assert len(outcomes) == 999


def test_a_request_that_is_not_repeatable_is_sent_once(seeded: random.Random) -> None:
    for _ in range(50):
        world = World(seeded, 0.3)
        outcomes: list[pb.Envelope | MotionError] = []
        for step in range(1, 11):
            body = pb.Envelope(clock=pb.Clock(step=step)).SerializeToString()
            world.conversation.ask(Request(body, world.now + 3, outcomes.append, is_repeatable=False), world.now)
            world.run(world.now + 0.5)
        world.run(world.now + 30)
        assert len(outcomes) == 10
        assert len(set(world.server.steps)) == len(world.server.steps)


def test_a_refused_version_ends_all_requests() -> None:
    world = World(random.Random(1), 0)
    outcomes: dict[int, pb.Envelope | MotionError] = {}
    world.commit(1, outcomes)
    world.conversation.receive(pb.Envelope(reply_to=1, refusal=pb.Refusal(code="version", message="no")), 0)
    assert isinstance(outcomes[1], Refusal) and outcomes[1].code == "version"


def test_silence_leads_to_another_connection_with_backoff() -> None:
    world = World(random.Random(1), 0)
    world.is_up = False
    outcomes: dict[int, pb.Envelope | MotionError] = {}
    world.commit(1, outcomes, timeout=40)
    world.run(39)
    assert not outcomes and 4 <= world.connections <= 6
    world.run(41)
    assert isinstance(outcomes[1], Timeout)
    # Later than that, the first answer is enough.
    world.is_up = True
    world.commit(2, outcomes)
    world.run(world.now + 2 * FIRST_TIMEOUT)
    assert isinstance(outcomes[2], pb.Envelope)


def test_a_stream_of_untold_values_is_answered_now_and_then() -> None:
    world = World(random.Random(1), 0)
    body = pb.Envelope(alive=pb.Alive()).SerializeToString()
    assert not world.conversation.tell(body, world.now)
    world.commit(1, {})
    world.run(1)
    told = 0
    while world.conversation.tell(body, world.now):
        told += 1
    assert told == 32


def test_no_more_than_a_window_is_in_flight_and_closing_ends_all() -> None:
    world = World(random.Random(1), 0)
    outcomes: dict[int, pb.Envelope | MotionError] = {}
    for id in range(1, 2 * WINDOW):
        world.commit(id, outcomes)
    world.conversation.close()
    assert len(outcomes) == 2 * WINDOW - 1
    assert all(isinstance(outcome, Closed) for outcome in outcomes.values())


def test_answers_that_make_no_sense_are_ignored(seeded: random.Random) -> None:
    world = World(seeded, 0)
    outcomes: dict[int, pb.Envelope | MotionError] = {}
    world.commit(1, outcomes)
    for _ in range(2000):
        envelope = pb.Envelope(reply_to=seeded.choice([0, 5, 2**63]), epoch=seeded.randrange(3))
        if seeded.random() < 0.5:
            envelope.service.protocol_version = 1
        else:
            envelope.refusal.code = "stopping"
        world.conversation.receive(envelope, world.now)
        if seeded.random() < 0.1:
            world.run(world.now + 0.1)
    world.run(world.now + 10)
    assert isinstance(outcomes[1], pb.Envelope)


def test_the_last_service_stays_known_in_an_outage_and_a_new_epoch_ends_it() -> None:
    world = World(random.Random(1), 0)
    outcomes: dict[int, pb.Envelope | MotionError] = {}
    world.commit(1, outcomes)
    world.run(world.now + 1)
    world.is_up = False
    for id in (2, 3):
        world.commit(id, outcomes, 2 * FIRST_TIMEOUT)
        world.run(world.now + 10)
        assert isinstance(outcomes[id], Timeout)
    assert world.conversation.service is not None and world.conversation.service.protocol_version == 1
    # A program that only watches makes no requests: the values socket sees the new start of motiond first.
    world.is_up, world.server.epoch = True, 2
    world.conversation.see_epoch(2, world.now)
    world.run(world.now + 1)
    assert world.conversation.epoch == 2
