"""The face of a client for asyncio. Every operation is written once, in the core; here it gets its face."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from ._client_calls import Face, awaiting, awaiting_as, run_asyncio
from ._client_core import Core
from ._client_face import ClientFace
from ._client_receipt import CoreReceipt, ReceiptFields
from ._client_transaction import Step
from ._client_watch import AsyncWatch, CoreWatch
from ._errors import Refusal
from ._types_values import Seconds


class AsyncReceipt(ReceiptFields[CoreReceipt]):
    """A transaction is accepted: it is valid, it has its place in the order of all, and it will be applied."""

    settled = awaiting(CoreReceipt.settled)
    cancel = awaiting(CoreReceipt.cancel)


class AsyncClient(ClientFace, Face[Core]):
    """A connection to motiond for asyncio. It may be used by several loops and threads at once, and is closed at the
    end of an `async with` statement, or by `close`. After a fork, connect again: in the other process every call raises
    `Forked`.

    A call without an answer is repeated, also to a motiond that was restarted meanwhile, until its `timeout` has
    passed. It then raises `Timeout`; a request that is refused raises `Refusal`. Cancelling a call ends the waiting
    only: what was sent takes effect.
    """

    commit = awaiting_as(AsyncReceipt, Core.commit)
    cancel = awaiting(Core.cancel)
    stop = awaiting(Core.stop)
    restart = awaiting(Core.restart)
    record = awaiting(Core.record)
    stop_recording = awaiting(Core.stop_recording)
    pause = awaiting(Core.pause)
    resume = awaiting(Core.resume)
    speed = awaiting(Core.speed)
    step = awaiting(Core.step)
    hold = awaiting(Core.hold)
    release = awaiting(Core.release)
    point = awaiting(Core.point)
    send_values = awaiting(Core.send_values)
    stream_values = awaiting(Core.stream_values)
    targets = awaiting(Core.targets)
    properties = awaiting(Core.properties)
    executors = awaiting(Core.executors)
    intentions = awaiting(Core.intentions)
    tokens = awaiting(Core.tokens)
    plugins = awaiting(Core.plugins)
    descriptions = awaiting(Core.descriptions)
    load_types = awaiting(Core.load_types)
    status = awaiting(Core.status)
    graph = awaiting(Core.graph)
    waiting = awaiting(Core.waiting)
    inputs = awaiting(Core.inputs)
    clients = awaiting(Core.clients)
    groups = awaiting(Core.groups)
    scenes = awaiting(Core.scenes)
    cue_lists = awaiting(Core.cue_lists)
    why = awaiting(Core.why)
    snapshot = awaiting(Core.snapshot)
    query = awaiting(Core.query)
    history = awaiting(Core.history)
    history_segment = awaiting(Core.history_segment)
    erase_history = awaiting(Core.erase_history)
    draw = awaiting(Core.draw)
    ask = awaiting(Core.ask)

    async def commit_all(
        self, transactions: Iterable[Step | Sequence[Step]], *, comment: str = "", timeout: Seconds | None = None
    ) -> list[AsyncReceipt | Refusal]:
        """As `commit`, for many transactions, thousands a second: see `Core.commit_all`."""
        results = await run_asyncio(self.core.commit_all(transactions, comment=comment, timeout=timeout))
        return [result if isinstance(result, Refusal) else AsyncReceipt(result) for result in results]

    def watch(self, *places: str, every: bool = False, velocities: bool = True) -> AsyncWatch:
        """As `Client.watch`; iterate with `async for`. It begins with the first iteration, or with `async with`."""
        return AsyncWatch(CoreWatch(self.core, places, every=every, velocities=velocities))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()
