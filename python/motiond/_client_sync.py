"""The blocking face of a client. Every operation is written once, in the core; here it gets its face."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from ._client_calls import Face, blocking, blocking_as, run_blocking
from ._client_core import Core
from ._client_face import ClientFace
from ._client_receipt import CoreReceipt, ReceiptFields
from ._client_transaction import Step
from ._client_watch import CoreWatch, Watch
from ._errors import Refusal
from ._types_values import Seconds


class Receipt(ReceiptFields[CoreReceipt]):
    """A transaction is accepted: it is valid, it has its place in the order of all, and it will be applied."""

    settled = blocking(CoreReceipt.settled)
    cancel = blocking(CoreReceipt.cancel)


class Client(ClientFace, Face[Core]):
    """A connection to motiond for threads that wait. It may be used by several threads at once, and is closed at the
    end of a `with` statement, or by `close`. After a fork, connect again: in the other process every call raises
    `Forked`.

    A call without an answer is repeated, also to a motiond that was restarted meanwhile, until its `timeout` has
    passed. It then raises `Timeout`; a request that is refused raises `Refusal`.
    """

    commit = blocking_as(Receipt, Core.commit)
    cancel = blocking(Core.cancel)
    stop = blocking(Core.stop)
    restart = blocking(Core.restart)
    record = blocking(Core.record)
    stop_recording = blocking(Core.stop_recording)
    pause = blocking(Core.pause)
    resume = blocking(Core.resume)
    speed = blocking(Core.speed)
    step = blocking(Core.step)
    hold = blocking(Core.hold)
    release = blocking(Core.release)
    point = blocking(Core.point)
    send_values = blocking(Core.send_values)
    stream_values = blocking(Core.stream_values)
    targets = blocking(Core.targets)
    properties = blocking(Core.properties)
    executors = blocking(Core.executors)
    intentions = blocking(Core.intentions)
    tokens = blocking(Core.tokens)
    plugins = blocking(Core.plugins)
    descriptions = blocking(Core.descriptions)
    load_types = blocking(Core.load_types)
    status = blocking(Core.status)
    graph = blocking(Core.graph)
    waiting = blocking(Core.waiting)
    inputs = blocking(Core.inputs)
    clients = blocking(Core.clients)
    groups = blocking(Core.groups)
    scenes = blocking(Core.scenes)
    cue_lists = blocking(Core.cue_lists)
    why = blocking(Core.why)
    snapshot = blocking(Core.snapshot)
    query = blocking(Core.query)
    history = blocking(Core.history)
    history_segment = blocking(Core.history_segment)
    erase_history = blocking(Core.erase_history)
    draw = blocking(Core.draw)
    ask = blocking(Core.ask)

    def commit_all(
        self, transactions: Iterable[Step | Sequence[Step]], *, comment: str = "", timeout: Seconds | None = None
    ) -> list[Receipt | Refusal]:
        """As `commit`, for many transactions, thousands a second: see `Core.commit_all`."""
        results = run_blocking(self.core.commit_all(transactions, comment=comment, timeout=timeout))
        return [result if isinstance(result, Refusal) else Receipt(result) for result in results]

    def watch(self, *places: str, every: bool = False, velocities: bool = True) -> Watch:
        """The frames of places: targets (`ball`), properties (`ball.position`), patterns (`lamp*`,
        `lamp{1..12}.level`), groups (`@front`); of everything without places.

        Iterate over the result, `for frame in m.watch("ball")`. The first frame has everything, the others follow
        when a value changes; each has all properties. Only the newest frame waits for you, and `frame.missed` counts
        those left out; with `every`, all wait. Lost values are repaired, and a restart of motiond is outlived.
        """
        return Watch(CoreWatch(self.core, places, every=every, velocities=velocities))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
