"""The plugin unruly in Python, without a vice: it moves a property evenly. With a vice the Swift program runs."""

import os
import sys

import motiond
from motiond.executors import Executor, Frame, Motion, Seconds, Value, Writes, executor

OPTIONS = dict(zip(sys.argv[1::2], sys.argv[2::2], strict=False))
IS_OTHER = any(os.environ.get(name) for name in ("UNRULY_VICE", "UNRULY_TICK"))
if OPTIONS.get("--vice", "none") != "none" or "--print-manifest" in sys.argv or "--made-of" in OPTIONS or IS_OTHER:
    os.execv(SWIFT, [SWIFT, *sys.argv[1:]])  # noqa: F821 — stated in the first lines


@executor(OPTIONS.get("--type", "Unruly"), kind="one-shot")
class Unruly(Executor):
    """Moves a property evenly to a value."""

    property: Writes = Writes("level")
    to: Value = 1.0
    duration: Seconds = 0.3

    def start(self) -> None:
        self._from = self.plan.start().value

    def update(self, frame: Frame) -> Motion:
        to = self.to if isinstance(self.to, tuple) else (self.to,)
        left = max(0.0, self.duration - self.plan.elapsed)
        share = 1 - left / self.duration if left > 0 else 1.0
        way = [b - a for a, b in zip(self._from, to, strict=True)]
        return Motion(
            to if left == 0 else [a + w * share for a, w in zip(self._from, way, strict=True)],
            [0.0] * len(way) if left == 0 else [w / self.duration for w in way],
            remaining=left,
        )


if __name__ == "__main__":
    own = [word for name in ("--vice", "--tick", "--type") if name in OPTIONS for word in (name, OPTIONS[name])]
    sys.argv = [sys.argv[0], *(word for word in sys.argv[1:] if word not in own)]
    motiond.run(rest=lambda: print("unruly: puts its outputs to rest", file=sys.stderr, flush=True))
