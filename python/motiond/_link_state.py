"""The states of a worker's end of the link, and the data that exist only in them."""

from __future__ import annotations

from dataclasses import dataclass

from ._link_messages import Exit
from ._link_parts import CommandBuffer
from ._link_timing import Retry
from ._proto import motion_pb2 as pb


@dataclass(slots=True)
class Request:
    """A request without an answer, hello or resync, and the commands that have come before its answer."""

    retry: Retry
    #: Since when the worker has been without a snapshot: a resync that follows a hello continues its time.
    since: int
    commands: CommandBuffer


@dataclass(frozen=True, slots=True)
class Greeting:
    """The worker sends hello, with retries, and has not been welcomed, or motiond fell silent."""

    request: Request
    is_subscribed: bool


@dataclass(frozen=True, slots=True)
class Subscribing:
    """The worker was welcomed, and its events would be lost: motiond has not subscribed to them."""

    request: Request
    tick: pb.Tick | None


@dataclass(frozen=True, slots=True)
class AwaitingSnapshot:
    """The worker requests a snapshot, for the first time or because a command is missing."""

    request: Request
    #: The sequence of its first resync: answers to earlier ones are out of date.
    first: int
    tick: pb.Tick | None
    #: Whether the executors act: they hold an earlier snapshot, and only a command is missing.
    is_acting: bool


@dataclass(frozen=True, slots=True)
class Serving:
    """The worker holds its snapshot, and executes commands and ticks in their order."""

    #: A tick that waits for the commands that it announced.
    tick: pb.Tick | None
    #: When a snapshot is requested instead, because the commands are lost.
    tick_deadline: int


@dataclass(frozen=True, slots=True)
class Draining:
    """The worker received the shutdown command, and its last events are not all acknowledged."""

    since: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The worker's process has to end."""


#: The end of a worker that motiond shut down.
SHUTDOWN = Exit("shutdown", "motiond shut it down")

State = Greeting | Subscribing | AwaitingSnapshot | Serving | Draining | Ended
