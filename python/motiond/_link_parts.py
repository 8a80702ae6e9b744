"""What a worker's end of the link keeps: tokens, commands that came early, events that are not acknowledged."""

from __future__ import annotations

from dataclasses import dataclass, field

from ._proto import motion_pb2 as pb

#: As many commands are kept as one transaction may contain; beyond that a second snapshot is cheaper.
COMMANDS_KEPT = 100_000
#: More events than this without an acknowledgement end the worker.
UNACKNOWLEDGED_EVENTS = 100_000

_MASK = (1 << 64) - 1


@dataclass(slots=True)
class LinkCounters:
    """The numbers of messages that a link did not use, by reason; for status and tests."""

    #: Messages of another epoch or incarnation, or after the end of the link.
    fenced: int = 0
    #: Messages that were received before, or that later ones made obsolete.
    old: int = 0
    #: Messages that are not valid in the state in which they came.
    unexpected: int = 0
    #: The number of times that a message turned out to be missing.
    gaps: int = 0
    #: Requests that were resent.
    retries: int = 0
    #: The number of times that this end itself was suspended.
    stalls: int = 0
    #: Ticks that newer ones replaced before the worker received them.
    conflated_ticks: int = 0


def token_hash(executor: int, token: str) -> int:
    """The hash of one token that an executor holds, as docs/protocol.md defines it."""
    text = token.encode()
    state = 0xCBF29CE484222325 ^ executor
    for byte in text + len(text).to_bytes(8, "little"):
        state = ((state ^ byte) * 0x100000001B3) & _MASK
    state = ((state ^ (state >> 33)) * 0xFF51AFD7ED558CCD) & _MASK
    state = ((state ^ (state >> 33)) * 0xC4CEB9FE1A85EC53) & _MASK
    return state ^ (state >> 33)


class TokenSet:
    """The tokens that a worker's executors hold, with the hash by which both ends compare."""

    def __init__(self) -> None:
        self._names: dict[int, set[str]] = {}
        #: The sum of the tokens' hashes modulo 2^64; 0 without any. A token that starts or ends costs one hash.
        self.hash = 0

    def __bool__(self) -> bool:
        return bool(self._names)

    def of(self, executor: int) -> frozenset[str]:
        """The tokens of one executor."""
        return frozenset(self._names.get(executor, ()))

    def insert(self, executor: int, token: str) -> bool:
        """The executor holds the token; false if it held it before."""
        names = self._names.setdefault(executor, set())
        if token in names:
            return False
        names.add(token)
        self.hash = (self.hash + token_hash(executor, token)) & _MASK
        return True

    def remove(self, executor: int, token: str) -> bool:
        """The executor no longer holds the token; false if it did not before."""
        names = self._names.get(executor)
        if names is None or token not in names:
            return False
        names.remove(token)
        if not names:
            del self._names[executor]
        self.hash = (self.hash - token_hash(executor, token)) & _MASK
        return True


class CommandBuffer:
    """Keeps commands that came before the snapshot they follow: the latest run of numbers without gaps."""

    __slots__ = ("_commands", "_first")

    def __init__(self) -> None:
        self._first = 0
        self._commands: list[pb.Command] = []

    def keep(self, command: pb.Command) -> None:
        """Keeps a command. One that does not follow the last begins a new run: the commands between are missing."""
        following = self._first + len(self._commands)
        if self._commands and command.number < following:
            return
        if not self._commands or command.number > following or len(self._commands) >= COMMANDS_KEPT:
            self._commands = []
            self._first = command.number
        self._commands.append(command)

    def take(self, after: int) -> list[pb.Command]:
        """Takes out the commands after number `after`, if the next one is among them, and drops all up to it."""
        if not self._commands or self._first > after + 1:
            return []
        taken = self._commands[after + 1 - self._first :]
        self._commands = []
        return taken

    @property
    def last(self) -> int:
        """The number of the last command that is kept; 0 if there is none."""
        return self._first + len(self._commands) - 1 if self._commands else 0


Identity = tuple[int, int, tuple[int, ...]]


def identity_of(message: pb.IntentionIdentity) -> Identity:
    """The identity of a plan in a form that can be compared and hashed."""
    return (message.sequence, message.operation, tuple(message.path))


@dataclass(slots=True)
class EventOutbox:
    """Numbers a worker's events from 1 and keeps each until it is acknowledged."""

    #: The number of the last event.
    last: int = 0
    #: The last event that was sent at least once.
    last_sent: int = 0
    _first: int = 1
    # Each as the bytes of an Update with this event alone: an update repeats all of them, and joins these bytes.
    _events: list[bytes] = field(default_factory=list[bytes])
    # The plans that events have ended, as long as a snapshot may come that does not reflect them.
    _endings: list[tuple[int, Identity]] = field(default_factory=list[tuple[int, Identity]])

    def __len__(self) -> int:
        return len(self._events)

    @property
    def events(self) -> tuple[bytes, ...]:
        """The events that are not acknowledged, in order, each as the bytes of an ``Update`` with this event alone."""
        return tuple(self._events)

    def record(self, event: pb.Update.Event) -> None:
        """Numbers an event and keeps it."""
        self.last += 1
        event.number = self.last
        self._events.append(pb.Update(events=[event]).SerializeToString())
        kind = event.WhichOneof("event")
        if kind == "finished":
            self._endings.append((self.last, identity_of(event.finished.identity)))
        elif kind == "failed":
            self._endings.append((self.last, identity_of(event.failed.identity)))

    def acknowledge(self, number: int) -> None:
        """Drops the events up to this one, which need not be resent."""
        if self._events and number >= self._first:
            del self._events[: number - self._first + 1]
            self._first = self.last - len(self._events) + 1

    def sent(self) -> None:
        """All kept events have been sent."""
        self.last_sent = self.last

    def settle(self) -> None:
        """Drops the ended plans whose events are acknowledged: a later snapshot reflects them."""
        acknowledged = self._first - 1 if self._events else self.last
        if self._endings and self._endings[0][0] <= acknowledged:
            self._endings = [ending for ending in self._endings if ending[0] > acknowledged]

    def remove_ended(self, snapshot: pb.Snapshot) -> None:
        """Removes from a snapshot the plans that this worker has ended since: they must not begin again."""
        ended = {identity for number, identity in self._endings if number > snapshot.last_event_applied}
        if not ended:
            return
        for executor in snapshot.executors:
            live = [plan for plan in executor.intentions if identity_of(plan.identity) not in ended]
            if len(live) < len(executor.intentions):
                del executor.intentions[:]
                executor.intentions.extend(live)
