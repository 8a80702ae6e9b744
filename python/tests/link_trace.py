"""Replays traces of the Swift machine (``LinkTrace.swift`` describes the form), and compares every action and state."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from google.protobuf.message import DecodeError
from link_table import word

from motiond._link import WorkerLink
from motiond._link_claim import Assigned, ClaimAction, ClaimLink, Wait
from motiond._link_messages import (
    Action,
    Apply,
    Exit,
    Inspect,
    LeaseLost,
    Provision,
    Publish,
    Run,
    Send,
    Subscribe,
)
from motiond._link_parts import TokenSet
from motiond._link_timing import NETWORK, Lease
from motiond._proto import motion_pb2 as pb

#: The worker of the schedules.
HELLO = pb.Hello(
    handshake_versions=pb.VersionRange(lowest=1, highest=1),
    protocol_versions=pb.VersionRange(lowest=1, highest=1),
    address=pb.WorkerAddress(plugin="tween"),
    process_id=4711,
    executors=["Tween"],
)


class Disagreement(AssertionError):
    """The machines differ; the text says where, and how."""


def replay(path: Path) -> int:
    """Replays a file and returns the number of its schedules. Raises ``Disagreement``."""
    with path.open() as file:
        if file.readline() != "motiond-link-trace 1\n":
            raise Disagreement(f"{path} is no trace of this form")
        return _replay(path, enumerate((line.rstrip("\n") for line in file), start=2))


class Claims:
    """A process that claims an assignment, and the lease that it got last."""

    def __init__(self, link: ClaimLink) -> None:
        self.link = link
        self.lease: Lease | None = None


def _replay(path: Path, lines: Iterator[tuple[int, str]]) -> int:
    schedules = 0
    seed = ""
    links: dict[str, WorkerLink | Claims] = {}
    worker, actions, number = "", list[Action | ClaimAction](), 0
    for number, line in lines:
        try:
            if line.startswith("schedule "):
                schedules, seed, links = schedules + 1, line.split()[1], {}
            elif line.startswith("> "):
                _compare(line[2:], actions.pop(0) if actions else None)
            elif line.startswith("= "):
                if actions:
                    raise Disagreement(f"Python also has {actions}")
                _compare_state(line[2:], links[worker])
            else:
                worker, call, *arguments = line.split(" ")
                actions = _call(worker, call, arguments, links)
        except (Disagreement, DecodeError, KeyError, IndexError, ValueError) as error:
            raise Disagreement(f"{path}:{number}, schedule {seed}: {error}") from error
    return schedules


def _call(
    worker: str, call: str, arguments: list[str], links: dict[str, WorkerLink | Claims]
) -> list[Action | ClaimAction]:
    match call, arguments:
        case "new", [epoch, incarnation, now]:
            links[worker] = WorkerLink(int(epoch), int(incarnation), HELLO, int(now))
            return []
        case "new", [epoch, incarnation, now, number]:
            claims = links[number]
            if not isinstance(claims, Claims) or claims.lease is None:
                raise Disagreement(f"{number} has no lease")
            lease, claims.lease = claims.lease, None
            links[worker] = WorkerLink(int(epoch), int(incarnation), HELLO, int(now), lease=lease, timing=NETWORK)
            return []
        case "claims", [now, message]:
            links[worker] = Claims(ClaimLink(_envelope(message).claim, int(now), NETWORK))
            return []
        case _:
            link = links[worker]
            if isinstance(link, Claims):
                return [*_claim(link, call, arguments)]
            return [*_serve(link, call, arguments)]


def _claim(claims: Claims, call: str, arguments: list[str]) -> list[ClaimAction]:
    match call, arguments:
        case "begin", [now]:
            return claims.link.begin(int(now))
        case "receive", [now, message]:
            actions = claims.link.received(_envelope(message), int(now))
            for action in actions:
                if isinstance(action, Assigned):
                    claims.lease = action.lease
            return actions
        case "deadline", [now]:
            return claims.link.deadline(int(now))
        case _:
            raise Disagreement(f"{call} is no call of claims")


def _serve(link: WorkerLink, call: str, arguments: list[str]) -> list[Action]:
    match call, arguments:
        case "start", [now]:
            return link.start(int(now))
        case "receive", [now, message]:
            return link.received(_envelope(message), int(now))
        case "subscribed", [now, topic]:
            return link.subscribed(topic, int(now))
        case "unsubscribed", [topic]:
            return link.unsubscribed(topic)
        case "deadline", [now]:
            return link.deadline(int(now))
        case "record", [message]:
            link.record(_envelope(message).update.events[0])
            return []
        case "tokens", held:
            link.tokens = TokenSet()
            for token in held:
                executor, name = token.split(":", 1)
                link.tokens.insert(int(executor), name)
            return []
        case "active", [flag, now]:
            link.set_active(flag == "1", int(now))
            return []
        case "update", [frame, now]:
            return [Publish(link.update(int(frame), int(now)))]
        case _:
            raise Disagreement(f"{call} is no call")


def _envelope(text: str) -> pb.Envelope:
    return pb.Envelope.FromString(bytes.fromhex(text))


def _same(ours: object, theirs: object) -> None:
    if ours != theirs:
        raise Disagreement(f"Swift has\n{theirs}\nand Python\n{ours}")


def _compare(line: str, action: Action | ClaimAction | None) -> None:
    kind, *arguments = line.split(" ")
    match kind, action:
        case "send", Send(message):
            _same(message.envelope(), _envelope(arguments[0]))
        case "publish", Publish(message):
            _same(message.envelope(), _envelope(arguments[0]))
        case "subscribe", Subscribe(welcome):
            _same(welcome, _envelope(arguments[0]).welcome)
        case "provision", Provision(snapshot):
            theirs = _envelope(arguments[0]).snapshot
            ours = pb.Snapshot()
            ours.CopyFrom(snapshot)
            # The action in Swift lacks these two numbers.
            ours.command, ours.last_event_applied = theirs.command, theirs.last_event_applied
            _same(ours, theirs)
        case "apply", Apply(command):
            theirs = _envelope(arguments[0]).command
            ours = pb.Command()
            ours.CopyFrom(command)
            ours.number = theirs.number
            _same(ours, theirs)
        case "run", Run(frame):
            numbers = [_bits(frame.time), _bits(frame.dt)]
            _same([str(frame.number), *numbers], arguments)
        case "inspect", Inspect(executors, question):
            _same([str(question), ",".join(map(str, executors))], arguments)
        case "lost", LeaseLost():
            pass
        case "assigned", Assigned(epoch, assignment, lease):
            _same([str(epoch), str(lease.end)], arguments[:2])
            _same(assignment, _envelope(arguments[2]).assignment)
        case "wait", Wait(refusal):
            _same(refusal, _envelope(arguments[0]).refusal)
        case "exit", Exit(reason):
            _same(reason, arguments[0])
        case _:
            raise Disagreement(f"Swift has {line}, and Python {action}")


def _bits(number: float) -> str:
    return f"{struct.unpack('<Q', struct.pack('<d', number))[0]:x}"


def _compare_state(line: str, link: WorkerLink | Claims) -> None:
    if isinstance(link, Claims):
        due, counters = link.link.next_deadline, link.link.counters
        state = ["settled" if due is None else "claiming", counters.retries, counters.old + counters.unexpected]
    else:
        due = link.next_deadline
        state = [word(link), link.commands_applied, link.unacknowledged_events]
    _same(" ".join(map(str, [*state, "-" if due is None else due])), line)
