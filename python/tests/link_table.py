"""Reads the table of states and events of a worker's end of the link, and plays its steps.

The file is ``Tests/Fixtures/Link/worker-link.json``; the Swift machine runs the same file (``LinkTableTests.swift``).

- ``fixture``: the worker (``hello``), motiond's ``epoch``, the worker's ``incarnation``, and ``start``, the time of all
  steps in nanoseconds of the boot clock.
- ``starts``: for each state the steps that lead to it, from a new link on.
- ``events``: for each event its steps, and in ``ends`` the state after them, by the state before.

A step is one of ``{"start": true}``, ``{"receive": ENVELOPE}``, ``{"subscribed": TOPIC}``, ``{"record": EVENT}``,
``{"deadline": NANOSECONDS}`` (checked so long after the start) and ``{"pass": NANOSECONDS}`` (checked at each deadline
until so long after the start). Messages are in protobuf's JSON; ``bytes`` beside them is their encoding: that
of an event is an envelope with an update that has it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from google.protobuf import json_format

from motiond._link import WorkerLink
from motiond._link_state import AwaitingSnapshot, Draining, Ended, Greeting, Serving, State, Subscribing
from motiond._proto import motion_pb2 as pb

TABLE = Path(__file__).resolve().parents[2] / "Tests" / "Fixtures" / "Link" / "worker-link.json"

_WORDS: dict[type[State], str] = {
    Greeting: "greeting",
    Subscribing: "subscribing",
    AwaitingSnapshot: "awaiting",
    Serving: "serving",
    Draining: "draining",
    Ended: "ended",
}


def word(link: WorkerLink) -> str:
    """The name of a link's state in the table."""
    return _WORDS[type(link.state)]


class Table:
    """The table, read."""

    def __init__(self, path: Path = TABLE) -> None:
        content: dict[str, Any] = json.loads(path.read_text())
        assert content["format"] == 1
        fixture = content["fixture"]
        self.hello = json_format.ParseDict(fixture["hello"], pb.Hello())
        assert self.hello.SerializeToString().hex() == fixture["bytes"]
        self.epoch: int = fixture["epoch"]
        self.incarnation: int = fixture["incarnation"]
        self.start: int = fixture["start"]
        self.starts: dict[str, list[dict[str, Any]]] = content["starts"]
        self.events: list[dict[str, Any]] = content["events"]

    def link(self, state: str) -> WorkerLink:
        """A link in this state."""
        link = WorkerLink(self.epoch, self.incarnation, self.hello, self.start)
        for step in self.starts[state]:
            self.play(step, link)
        return link

    def play(self, step: dict[str, Any], link: WorkerLink) -> None:
        """Does one step."""
        match step:
            case {"start": True}:
                link.start(self.start)
            case {"receive": message, "bytes": encoding}:
                envelope = json_format.ParseDict(message, pb.Envelope())
                assert envelope == pb.Envelope.FromString(bytes.fromhex(encoding)), f"{message}"
                link.received(envelope, self.start)
            case {"subscribed": topic}:
                link.subscribed(topic, self.start)
            case {"record": message, "bytes": encoding}:
                event = json_format.ParseDict(message, pb.Update.Event())
                assert [event] == list(pb.Envelope.FromString(bytes.fromhex(encoding)).update.events), f"{message}"
                link.record(event)
            case {"deadline": after}:
                link.deadline(self.start + after)
            case {"pass": after}:
                pass_time(link, after, self.start)
            case _:
                raise AssertionError(f"{step} is no step")


def pass_time(link: WorkerLink, time: int, since: int) -> list[Any]:
    """Lets time pass from deadline to deadline, without receiving anything."""
    actions: list[Any] = []
    while (due := link.next_deadline) is not None and due <= since + time:
        actions += link.deadline(max(since, due))
    return actions
