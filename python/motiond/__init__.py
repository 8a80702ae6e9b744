"""A client of motiond, a motion server: commit plans, watch values, control time.

    import motiond
    from motiond import spring

    with motiond.connect() as m:
        m.commit(spring("ball.position", (100, 50))).settled()
        for frame in m.watch("ball"):
            print(frame["ball.position"].value)

The same with asyncio: `async with motiond.connect() as m: await m.commit(…)`. docs/python.md is the guide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import drawing, plans, recording
from ._client_async import AsyncClient, AsyncReceipt
from ._client_connect import Connecting, connect
from ._client_helpers import follow, move, spring, tween, wave
from ._client_input import PointerEvent, pointer_cancel, pointer_down, pointer_move, pointer_up
from ._client_outcomes import EndedPlan, Outcome
from ._client_plan import Plan
from ._client_sync import Client, Receipt
from ._client_transaction import (
    Cue,
    Operation,
    back,
    cue,
    cues,
    forget,
    go,
    goto,
    group,
    halt,
    limit,
    recall,
    remove,
    remove_plan,
    scene,
)
from ._client_watch import AsyncWatch, Watch
from ._errors import (
    Closed,
    Forked,
    KeyFileError,
    MotionError,
    PlanError,
    ProtocolError,
    RecordingError,
    Refusal,
    Timeout,
    Unreachable,
)
from ._proto import motion_pb2 as messages
from ._types_values import Property, Spread, spread
from ._values_frame import Frame, PropertyValue
from ._version import __version__

if TYPE_CHECKING:
    from .executors import Executor, executor, run

__all__ = [
    "AsyncClient",
    "AsyncReceipt",
    "AsyncWatch",
    "Client",
    "Closed",
    "Connecting",
    "Cue",
    "EndedPlan",
    "Executor",
    "Forked",
    "Frame",
    "KeyFileError",
    "MotionError",
    "Operation",
    "Outcome",
    "Plan",
    "PlanError",
    "PointerEvent",
    "Property",
    "PropertyValue",
    "ProtocolError",
    "Receipt",
    "RecordingError",
    "Refusal",
    "Spread",
    "Timeout",
    "Unreachable",
    "Watch",
    "__version__",
    "back",
    "connect",
    "cue",
    "cues",
    "drawing",
    "executor",
    "follow",
    "forget",
    "go",
    "goto",
    "group",
    "halt",
    "limit",
    "messages",
    "move",
    "plans",
    "pointer_cancel",
    "pointer_down",
    "pointer_move",
    "pointer_up",
    "recall",
    "recording",
    "remove",
    "remove_plan",
    "run",
    "scene",
    "spread",
    "spring",
    "tween",
    "wave",
]

#: The names of `motiond.executors`, which is imported only when one of them is used: a client needs none of it.
_EXECUTORS = frozenset({"Executor", "executor", "run"})


def __getattr__(name: str) -> object:
    if name in _EXECUTORS:
        from . import executors

        return getattr(executors, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
