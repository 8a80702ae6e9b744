"""A client of something that is not motiond, or a broken one: whatever it sends, calls end and the client goes on."""

from __future__ import annotations

import os
import random
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import zmq
from test_client_values import _envelope, _mutated

import motiond
from motiond import spring
from motiond._proto import motion_pb2 as pb


class Rogue:
    """Answers greetings, and everything else with nonsense; publishes nonsense."""

    def __init__(self, random: random.Random) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="motiond-rogue-"))
        os.chmod(self.directory, 0o700)
        (self.directory / "client").mkdir()
        self._random = random
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._control = self._context.socket(zmq.ROUTER)
        self._values = self._context.socket(zmq.XPUB)
        self._endpoint = f"ipc://{self.directory}/client/values.ipc"
        self._control.bind(f"ipc://{self.directory}/client/control.ipc")
        self._values.bind(self._endpoint)
        self.is_sane = False
        self._is_over = False
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def close(self) -> None:
        self._is_over = True
        self._thread.join()
        self._control.close(0)
        self._values.close(0)
        self._context.term()

    def _run(self) -> None:
        topics: list[bytes] = []
        while not self._is_over:
            if self._values.poll(1):
                subscription = self._values.recv()
                if subscription[:1] == b"\x01":
                    topics.append(subscription[1:])
            for topic in topics:
                self._values.send_multipart([self._published(topic)] * self._random.choice([1, 1, 1, 2]))
                if b"barrier" in topic:
                    empty = pb.Envelope(protocol=1, epoch=1, values=pb.Values(complete=True))
                    self._values.send(topic + empty.SerializeToString())
            while self._control.poll(0):
                sender, request = self._control.recv_multipart()
                self._answer(sender, pb.Envelope.FromString(request))

    def _published(self, topic: bytes) -> bytes:
        envelope = _envelope(self._random)
        envelope.epoch, envelope.sequence = self._random.choice([1, 1, 1, 2]), self._random.randrange(50)
        message = envelope.SerializeToString()
        if self._random.random() < 0.5:
            message = _mutated(self._random, message)
        return self._random.choice([topic, topic, topic, topic[:-1], b""]) + message

    def _answer(self, sender: bytes, request: pb.Envelope) -> None:
        answer = pb.Envelope(protocol=1, epoch=1, reply_to=request.sequence)
        if request.WhichOneof("body") == "greeting":
            answer.service.values_endpoint = self._endpoint
        elif self.is_sane:
            answer.answer.status.epoch = 77
        else:
            kind = self._random.randrange(8)
            if kind == 0:
                answer.refusal.message = "nonsense"
            elif kind == 1:
                answer.service.values_endpoint = "nonsense"
            elif kind == 2:
                answer.answer.targets.SetInParent()
            elif kind == 3:
                answer.receipt.sequence = 5
            elif kind == 4:
                answer.history.part = b"x"
            elif kind == 5:
                answer.reply_to += self._random.choice([-1, 1])
        message = answer.SerializeToString()
        if not self.is_sane and self._random.random() < 0.3 and not answer.HasField("service"):
            message = _mutated(self._random, message)
        self._control.send_multipart([sender, message])


@pytest.fixture
def rogue(seeded: random.Random) -> Iterator[Rogue]:
    rogue = Rogue(seeded)
    yield rogue
    rogue.close()


def test_calls_end_and_the_client_goes_on(
    rogue: Rogue, seeded: random.Random, caplog: pytest.LogCaptureFixture
) -> None:
    with motiond.connect(rogue.directory, timeout=0.2) as m:
        watches = [m.watch(), m.watch("ball", every=True), m.watch("lamp*")]
        calls = [
            m.status,
            m.targets,
            m.pause,
            m.history,
            m.descriptions,
            lambda: m.commit(spring("ball.position", 1)).settled(timeout=0.1),
            lambda: m.commit_all([spring("ball.position", 1)] * 5),
            lambda: m.send_values({"x": 1}),
            lambda: [frames.next(timeout=0.01) for frames in watches],
        ]
        for _ in range(120):
            try:
                _ = seeded.choice(calls)()
            except motiond.MotionError as error:
                assert str(error)
        rogue.is_sane = True
        m.timeout = 20
        assert m.status().epoch == 77
        for frames in watches:
            frames.close()
    assert not caplog.records, caplog.text
