"""The operation `draw` of a client: from motiond's history by motionctl, or from the seconds that follow."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ._arguments import text_of, time_of
from ._client_calls import Pending
from ._client_watch import CoreWatch
from ._errors import MotionError, PlanError, Timeout
from ._io import boot_now
from ._types_values import Property, Seconds
from ._values_places import LONGEST_PLACE, filter_of, topics_of
from .drawing import MOST_TRACKS, Drawing, TrackBuilder, from_json

if TYPE_CHECKING:
    from ._client_core import Core

#: The longest time that is drawn live, and the longest of the history, in seconds.
LONGEST_NEXT, LONGEST_LAST = 3600.0, 86_400.0
#: The shortest time, in seconds: motionctl reads no shorter ones.
SHORTEST = 1e-9


def drawn_seconds(value: Seconds, name: str, longest: float) -> float:
    """The length of a drawing in seconds. Raises `PlanError`."""
    seconds = time_of(value, name)
    if not SHORTEST <= seconds <= longest:
        remedy = f"Use more than 0 and at most {longest:g} s."
        raise PlanError(f"{name}: {seconds:g} s cannot be drawn", remedy, field=name)
    return seconds


def motionctl() -> Path:
    """The program motionctl: in MOTION_BIN, or on the search path."""
    folder = os.environ.get("MOTION_BIN")
    found = shutil.which("motionctl", path=folder) if folder else None
    found = found or shutil.which("motionctl")
    if found is None:
        raise MotionError(
            "motiond's history is replayed by motionctl, which is not on the search path",
            "Install motionctl here, or draw the seconds that follow: draw(…, next=5).",
            code="motionctl",
        )
    return Path(found)


async def draw_last(core: Core, places: Sequence[str], seconds: float) -> Drawing:
    """The last seconds of motiond's history. The history holds the commits, not the values: motionctl computes them
    again."""
    arguments = [str(motionctl()), "draw", "--json", "--last", f"{seconds:.9f}s", *core.link.arguments]
    checked = [text_of(place, "places", LONGEST_PLACE) for place in places]
    arguments += [f"--target={place}" for place in await _slashed(core, checked)]
    finished: Pending[subprocess.CompletedProcess[bytes]] = Pending()

    def run() -> None:
        try:
            finished.succeed(subprocess.run(arguments, capture_output=True, stdin=subprocess.DEVNULL, timeout=60))
        except (OSError, subprocess.SubprocessError) as error:
            finished.fail(MotionError(f"motionctl failed: {error}", code="motionctl"))

    threading.Thread(target=run, name="motiond draw", daemon=True).start()
    done = await finished
    if done.returncode:
        text = done.stderr.decode("utf-8", "replace").strip().removeprefix("error: ")
        message, _, remedy = text.partition("\n  try: ")
        raise MotionError(f"motionctl draw: {message or done.returncode}", remedy, code="motionctl")
    return from_json(done.stdout)


async def draw_next(core: Core, places: Sequence[str], seconds: float) -> Drawing:
    """The seconds that follow, with a line at each hand-over."""
    topics = [topic.replace("m/", "d/", 1) for topic in await topics_of(places, "m", core.known_groups)]
    drivers = await core.link.follow_drivers(topics)
    watch = CoreWatch(core, places, every=True, velocities=True)
    try:
        # The drivers first: when the values are there, the earlier subscriptions are in effect, too.
        await watch.ready()
        deadline = boot_now() + seconds
        builder = TrackBuilder((await core.status()).clock.time)
        for name, type in (await _drivers(core, places)).items():
            builder.hand_over(name, builder.origin, type)
        while (left := deadline - boot_now()) > 0 and not builder.is_full:
            try:
                builder.take(await watch.next(left))
            except Timeout:
                break
        builder.end((await core.status()).clock.time)
    finally:
        watch.close()
        core.link.unfollow(drivers)
    for change in drivers.changes:
        name = str(Property(change.property.target, change.property.property))
        builder.hand_over(name, change.time, change.driver.type if change.HasField("driver") else "nobody")
    return Drawing(builder.tracks)


async def _drivers(core: Core, places: Sequence[str]) -> dict[str, str]:
    """The types of the plans that drive properties now."""
    rows = [row for row in await core.properties() if row.because]
    accepts = await filter_of(places, core.known_groups)
    rows = [row for row in rows if accepts(row.property.target, row.property.property)][:MOST_TRACKS]
    types: dict[str, str] = {}
    for target in {row.property.target for row in rows}:
        plans = {plan.identity.SerializeToString(): plan.intention.type for plan in await core.intentions(target)}
        for row in rows:
            type = plans.get(row.because[-1].SerializeToString())
            if row.property.target == target and type is not None:
                types[f"{target}.{row.property.property}"] = type
    return types


async def _slashed(core: Core, places: Sequence[str]) -> list[str]:
    """Places as motionctl reads them: with a slash before the property, which is how it knows it from a dot in a
    name."""
    # A place of the live kind, too, so that both refuse the same.
    _ = await topics_of(places, "m", core.known_groups)
    targets = {row.target for row in await core.targets()}
    slashed: list[str] = []
    for place in places:
        target, dot, property = place.rpartition(".")
        if not dot or "/" in place or "," in place:
            slashed.append(place)
            continue
        if place in targets:
            slashed.append(place)
        if place not in targets or target in targets:
            slashed.append(f"{target}/{property}")
    return slashed
