"""A watch: the frames of some properties, one after the other, for both kinds of callers."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, Self
from weakref import finalize

from ._arguments import flag_of, timeout_of
from ._client_calls import Face, awaiting, blocking, run_asyncio, run_blocking
from ._errors import Closed, Timeout
from ._io import boot_now
from ._types_values import Seconds
from ._values_frame import Frame
from ._values_watch import WatchChannel

if TYPE_CHECKING:
    from ._client_core import Core


_BUSY = "motiond may be stopped or very busy: see its log."


def _absent(places: list[str]) -> Timeout | None:
    """The error of places whose values have not arrived: no frame is whole without them."""
    if not places:
        return None
    more = f" and {len(places) - 5} more" if len(places) > 5 else ""
    return Timeout(
        f"no values of {', '.join(places[:5])}{more} were received in time",
        f"{_BUSY} A gateway may not show them to its clients: watch the others alone.",
    )


class CoreWatch:
    """Starts with the first call, and ends with `close` or when it is no longer used."""

    def __init__(self, core: Core, places: Sequence[str], *, every: bool, velocities: bool) -> None:
        self._core = core
        self._places = places
        self._every = flag_of(every, "every")
        self._velocities = flag_of(velocities, "velocities")
        self._channel: WatchChannel | None = None
        self._end: finalize[[WatchChannel], CoreWatch] | None = None
        self._is_closed = False

    async def start(self) -> WatchChannel:
        """Subscribes, if that was not done."""
        self._core.check_process()
        if self._channel is None:
            self._channel = await self._core.follow(self._places, every=self._every, velocities=self._velocities)
            self._end = finalize(self, self._core.link.unwatch, self._channel)
        return self._channel

    async def ready(self, timeout: Seconds | None = None) -> None:
        """Waits until the values of all places have arrived: from then on no frame is missed. Raises `Timeout`."""
        channel = await self.start()
        seconds = self._core.patience(timeout)
        if not await self._core.link.synchronised(channel, seconds):
            raise _absent(channel.awaited) or Timeout("the values were not received in time", _BUSY)

    async def next(self, timeout: Seconds | None = None) -> Frame:
        """The next frame; waits for one, at most `timeout` seconds. Raises `Timeout`, and `Closed` when the watch or
        its client is closed, also meanwhile. Values that do not change cause no frame."""
        frame = await self.following(timeout)
        if frame is None:
            raise Closed("the watch is closed", "Watch again.")
        return frame

    async def following(self, timeout: Seconds | None = None) -> Frame | None:
        """The next frame; `None` when the watch is closed. Raises `Timeout`."""
        patience = None if timeout is None else timeout_of(timeout)
        channel = await self.start()
        deadline = None if patience in (None, inf) else boot_now() + patience
        while True:
            self._core.check_process()
            frame = channel.take()
            if frame is not None:
                return frame
            if channel.is_closed or self._is_closed:
                return None
            arrival = channel.arrival()
            if deadline is None:
                await arrival
            elif boot_now() >= deadline:
                raise _absent(channel.awaited) or Timeout("no frame arrived in time", "Values that do not change cause no frame.")
            else:
                await self._core.link.first(arrival, deadline)

    def close(self) -> None:
        """Ends the watch, and the iteration over it."""
        self._is_closed = True
        if self._end is not None:
            _ = self._end()


class Watch(Face[CoreWatch]):
    """Frames for a thread that waits: iterate over it. In a `with` statement it is ready when the body begins."""

    ready = blocking(CoreWatch.ready)
    next = blocking(CoreWatch.next)

    def close(self) -> None:
        """Ends the watch, and the iteration over it; may be called by another thread."""
        self.core.close()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Frame:
        frame = run_blocking(self.core.following())
        if frame is None:
            raise StopIteration
        return frame

    def __enter__(self) -> Self:
        run_blocking(self.core.ready())
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncWatch(Face[CoreWatch]):
    """Frames for asyncio: iterate over it with `async for`. In an `async with` statement it is ready when the body
    begins.

    Cancelling the wait for a frame loses none.
    """

    ready = awaiting(CoreWatch.ready)
    next = awaiting(CoreWatch.next)

    def close(self) -> None:
        """Ends the watch, and the iteration over it."""
        self.core.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Frame:
        frame = await run_asyncio(self.core.following())
        if frame is None:
            raise StopAsyncIteration
        return frame

    async def __aenter__(self) -> Self:
        await run_asyncio(self.core.ready())
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()
