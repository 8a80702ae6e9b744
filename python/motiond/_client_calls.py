"""Runs an operation of the client's core in two ways: blocking, or in asyncio.

An operation is written once, as a coroutine that awaits `Pending` results of the I/O thread. `blocking` makes a method
of it that waits with a lock; `awaiting` makes one that is awaited in any asyncio loop. Cancelling such an await stops
the waiting only: what the I/O thread has taken over goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Future, InvalidStateError
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, cast
from weakref import WeakKeyDictionary

P = ParamSpec("P")
T = TypeVar("T")
U = TypeVar("U")
C = TypeVar("C")


class Pending(Future[T], Generic[T]):
    """A result that another thread sets, awaited by an operation."""

    def __await__(self) -> Generator[Pending[Any], None, T]:
        if not self.done():
            yield self
        return self.result()

    def succeed(self, result: T) -> None:
        """Sets the result, unless there is one; of several threads the first counts."""
        with contextlib.suppress(InvalidStateError):
            self.set_result(result)

    def fail(self, error: BaseException) -> None:
        """Sets the error, unless there is a result."""
        with contextlib.suppress(InvalidStateError):
            self.set_exception(error)


Operation = Coroutine[Pending[Any], None, T]


def run_blocking(operation: Coroutine[Any, Any, T]) -> T:
    """Runs an operation to its end in this thread."""
    try:
        while True:
            pending = cast("Pending[object]", operation.send(None))
            # Only waits: the operation itself receives the result, or the error.
            _ = pending.exception()
    except StopIteration as end:
        return cast("T", end.value)
    finally:
        operation.close()


async def run_asyncio(operation: Coroutine[Any, Any, T]) -> T:
    """Runs an operation to its end in the running loop of asyncio."""
    try:
        while True:
            await _arrival(cast("Pending[object]", operation.send(None)))
    except StopIteration as end:
        return cast("T", end.value)
    finally:
        operation.close()


class _Mailbox:
    """Wakes futures of one loop from other threads: one wake-up of the loop for all that arrives meanwhile."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._lock = threading.Lock()
        self._arrived: list[asyncio.Future[None]] = []

    def put(self, future: asyncio.Future[None]) -> None:
        with self._lock:
            self._arrived.append(future)
            if len(self._arrived) > 1:
                return
        try:
            self._loop.call_soon_threadsafe(self._deliver)
        except RuntimeError:
            # The loop is closed: nobody waits any more.
            with self._lock:
                self._arrived.clear()

    def _deliver(self) -> None:
        with self._lock:
            arrived, self._arrived = self._arrived, []
        for future in arrived:
            if not future.done():
                future.set_result(None)


_mailboxes: WeakKeyDictionary[asyncio.AbstractEventLoop, _Mailbox] = WeakKeyDictionary()


def _arrival(pending: Pending[Any]) -> asyncio.Future[None]:
    """A future of the running loop that is done when the result is there."""
    loop = asyncio.get_running_loop()
    mailbox = _mailboxes.get(loop)
    if mailbox is None:
        mailbox = _mailboxes[loop] = _Mailbox(loop)
    arrival: asyncio.Future[None] = loop.create_future()
    pending.add_done_callback(lambda _: mailbox.put(arrival))
    return arrival


class Face(Generic[C]):
    """An object that shows the operations of its core to callers of one kind."""

    def __init__(self, core: C) -> None:
        self._core: C = core

    @property
    def core(self) -> C:
        """The object that both faces share."""
        return self._core


def blocking(
    operation: Callable[Concatenate[C, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Face[C], P], T]:
    """The method of a blocking face that runs an operation of its core."""

    @wraps(operation)
    def call(self: Face[C], *args: P.args, **kwargs: P.kwargs) -> T:
        return run_blocking(operation(self.core, *args, **kwargs))

    return call


def blocking_as(
    wrap: Callable[[T], U], operation: Callable[Concatenate[C, P], Coroutine[Any, Any, T]]
) -> Callable[Concatenate[Face[C], P], U]:
    """As `blocking`, with a result that is wrapped in its own face."""

    @wraps(operation)
    def call(self: Face[C], *args: P.args, **kwargs: P.kwargs) -> U:
        return wrap(run_blocking(operation(self.core, *args, **kwargs)))

    return call


def awaiting(
    operation: Callable[Concatenate[C, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Face[C], P], Coroutine[Any, Any, T]]:
    """The method of a face for asyncio that runs an operation of its core."""

    @wraps(operation)
    def call(self: Face[C], *args: P.args, **kwargs: P.kwargs) -> Coroutine[Any, Any, T]:
        return run_asyncio(operation(self.core, *args, **kwargs))

    return call


def awaiting_as(
    wrap: Callable[[T], U], operation: Callable[Concatenate[C, P], Coroutine[Any, Any, T]]
) -> Callable[Concatenate[Face[C], P], Coroutine[Any, Any, U]]:
    """As `awaiting`, with a result that is wrapped in its own face."""

    @wraps(operation)
    async def call(self: Face[C], *args: P.args, **kwargs: P.kwargs) -> U:
        return wrap(await run_asyncio(operation(self.core, *args, **kwargs)))

    return call
