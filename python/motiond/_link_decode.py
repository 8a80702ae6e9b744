"""Reads messages of motiond, which may be any bytes at all.

A message that breaks a rule of ``motion.proto`` is dropped and counted: it changes nothing, and raises nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from math import inf

from google.protobuf.message import DecodeError

from ._link_messages import PROTOCOL
from ._names import PROPERTY, TARGET
from ._proto import motion_pb2 as pb

#: The longest message of commands, in bytes; the limit of the Swift kit.
MESSAGE_BYTES = 64 << 20
#: The longest topic, in bytes, without the zero byte that ends it.
TOPIC_BYTES = 256

_HIGHEST_ORDINAL = 1 << 62
_TYPE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")


class Malformed(Exception):
    """A message breaks a rule."""


def decode(data: bytes) -> pb.Envelope | None:
    """The message in these bytes, if they are one that motiond may send to a worker; else `None`."""
    try:
        envelope = pb.Envelope()
        # Some versions of protobuf stop at an end of a group that never began.
        _check(envelope.MergeFromString(data) == len(data))
        _check(envelope.protocol == PROTOCOL)
        body = envelope.WhichOneof("body")
        _check(body is not None)
        if body in _RULES:
            _RULES[body](envelope)
    except (DecodeError, Malformed, ValueError, RecursionError):
        return None
    return envelope


def split_topic(frame: bytes) -> tuple[str, bytes] | None:
    """The topic of a frame and its message; `None` if the frame has no topic."""
    end = frame.find(b"\0", 0, TOPIC_BYTES + 1)
    if end < 0:
        return None
    try:
        return frame[:end].decode(), frame[end + 1 :]
    except UnicodeDecodeError:
        return None


def _check(is_right: bool) -> None:
    if not is_right:
        raise Malformed


def _finite(number: float) -> None:
    # A comparison is false for NaN; no call to another module.
    _check(-inf < number < inf)


def _name(text: str, rule: re.Pattern[str]) -> None:
    _check(rule.fullmatch(text) is not None)


def _state(state: pb.PropertyState) -> None:
    value = state.value
    velocity = state.velocity
    _check(1 <= len(value) <= 4 and len(value) == len(velocity))
    for number in value:
        _finite(number)
    for number in velocity:
        _finite(number)


def _frame(frame: pb.Frame) -> None:
    _check(frame.number <= _HIGHEST_ORDINAL)
    _finite(frame.time)
    _check(0 <= frame.dt < inf)


def _key(key: pb.ExecutorKey) -> None:
    _name(key.target, TARGET)
    _name(key.type, _TYPE)


def _reads(properties: Iterable[pb.ReadProperty]) -> None:
    for read in properties:
        _check(read.HasField("property"))
        _name(read.property.target, TARGET)
        _name(read.property.property, PROPERTY)
        if read.HasField("state"):
            _state(read.state)


def _start(start: pb.PlannedIntention.Start) -> None:
    _name(start.property, PROPERTY)
    _check(start.HasField("state"))
    _state(start.state)


def _plan(plan: pb.PlannedIntention) -> None:
    _check(plan.HasField("identity") and plan.HasField("intention"))
    _check(len(plan.identity.path) <= 16)
    _name(plan.intention.type, _TYPE)
    _check(len(plan.intention.fields) <= 64 and len(plan.starts) <= 256)
    _finite(plan.start_time)
    for field in plan.intention.fields:
        _check(field.value.WhichOneof("value") is not None)
    for start in plan.starts:
        _start(start)


def _welcome(envelope: pb.Envelope) -> None:
    welcome = envelope.welcome
    for topic in (welcome.command_topic, welcome.tick_topic, welcome.event_topic):
        _check(len(topic.encode()) <= TOPIC_BYTES)


def _snapshot(envelope: pb.Envelope) -> None:
    snapshot = envelope.snapshot
    _check(snapshot.HasField("frame"))
    _frame(snapshot.frame)
    for executor in snapshot.executors:
        _check(executor.HasField("key"))
        _key(executor.key)
        for plan in executor.intentions:
            _plan(plan)
        for name in executor.displaced:
            _name(name, PROPERTY)
        for start in executor.driven:
            _start(start)
    _reads(snapshot.properties)


def _command(envelope: pb.Envelope) -> None:
    command = envelope.command
    match command.WhichOneof("command"):
        case "add":
            _check(command.add.HasField("key") and command.add.HasField("intention"))
            _key(command.add.key)
            _plan(command.add.intention)
        case "remove":
            _check(command.remove.HasField("identity"))
        case "displaced":
            _name(command.displaced.property, PROPERTY)
        case "resumed":
            _name(command.resumed.property, PROPERTY)
            _check(command.resumed.HasField("state"))
            _state(command.resumed.state)
            _finite(command.resumed.time)
        case "properties":
            _reads(command.properties.properties)
        case "input":
            _check(command.input.HasField("input"))
            for event in command.input.input.events:
                _finite(event.x)
                _finite(event.y)
                _finite(event.time)
            _reads(command.input.properties)
        case None:
            raise Malformed
        case _:
            pass


def _heartbeat(envelope: pb.Envelope) -> None:
    heartbeat = envelope.coordinator_heartbeat
    _check(0 <= heartbeat.interval <= 60 and 0 <= heartbeat.lease <= 3600)


def _tick(envelope: pb.Envelope) -> None:
    _check(envelope.tick.HasField("frame"))
    _frame(envelope.tick.frame)


def _assignment(envelope: pb.Envelope) -> None:
    assignment = envelope.assignment
    _check(0 <= assignment.lease <= 3600)
    for port in (assignment.commands_port, assignment.ticks_port, assignment.events_port):
        _check(1 <= port <= 65535)


_RULES: dict[str, Callable[[pb.Envelope], None]] = {
    "tick": _tick,
    "command": _command,
    "coordinator_heartbeat": _heartbeat,
    "snapshot": _snapshot,
    "welcome": _welcome,
    "assignment": _assignment,
}
