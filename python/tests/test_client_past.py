"""The curves of a frame: those of what its watch received in the seconds before it."""

from __future__ import annotations

import base64
import pickle
import re

import numpy as np
from daemon import Daemon

import motiond
from motiond import drawing, plans, spring
from motiond._values_frame import Frame
from motiond._values_past import MOST_FRAMES, MOST_PROPERTIES, SECONDS, Memory, Moment, Past
from motiond._values_state import Layout


def moment(layout: Layout, number: int, dt: float = 1 / 120) -> Moment:
    """A frame in which every property has moved to the frame's time."""
    time, count = number * dt, len(layout.names)
    values = np.full(layout.lanes, time)
    changed = np.full(count, number, np.uint64)
    return Moment(layout, values, np.ones(layout.lanes), np.zeros(count, np.bool_), changed, (number, time, dt, 1))


def layout_of(count: int) -> Layout:
    layout = Layout()
    for index in range(count):
        _ = layout.add(f"t{index}.x", 1)
    return layout


def test_each_frame_has_the_last_seconds_before_it_also_when_others_have_followed() -> None:
    memory, layout = Memory(), layout_of(2)
    pasts: list[Past] = []
    for number in range(1, 3 * MOST_FRAMES):
        past = memory.add(moment(layout, number))
        assert past is not None and len(past.moments) <= 2 * MOST_FRAMES
        pasts.append(past)
    for number, past in enumerate(pasts, 1):
        moments = past.last(SECONDS)
        last, first = moments[-1].head, moments[0].head
        assert last[0] == number and first[0] == max(1, number - MOST_FRAMES + 1)
        assert [found.head[0] for found in moments] == list(range(first[0], number + 1))
    # The one before the last second has the values at its beginning.
    assert len(pasts[-1].last(1)) in (121, 122)


def test_many_properties_are_not_kept_and_another_start_begins_again() -> None:
    memory = Memory()
    for number in range(1, 4):
        assert memory.add(moment(layout_of(MOST_PROPERTIES), number)) is not None
    assert memory.add(moment(layout_of(MOST_PROPERTIES + 1), 4)) is None
    past = memory.add(moment(layout_of(1), 5))
    assert past is not None and past.size == 1
    memory.forget()
    past = memory.add(moment(layout_of(1), 1))
    assert past is not None and past.size == 1


def test_a_frame_of_many_properties_has_a_table_alone() -> None:
    memory, layout = Memory(), layout_of(MOST_PROPERTIES + 1)
    made = moment(layout, 1)
    frame = Frame(*made, 0, memory.add(made))
    assert frame._repr_svg_() is None and frame._repr_html_().startswith("<p>frame 1")


def test_a_frame_draws_the_curves_of_its_watch() -> None:
    with Daemon() as daemon, motiond.connect(daemon.runtime, timeout=20) as m:
        _ = m.commit(spring("ball.position", (0, 0)), spring("lamp.level", 0.5)).settled()
        with m.watch("ball", "lamp", every=True) as frames, m.watch("ball", "lamp") as newest:
            (end,) = m.commit(plans.Tween("ball", property="position", to=(100, 50), duration=0.5)).settled()
            received = [frames.next()]
            while received[-1].number < end.frame:
                received.append(frames.next())
            frame, all_alone = received[-1], newest.next()
            while all_alone.number < end.frame:
                all_alone = newest.next()
        shown = drawing.TrackBuilder(frame.time - SECONDS)
        for one in received:
            shown.take(one)
        shown.end(frame.time)
        picture = frame._repr_svg_()
        assert picture == drawing.Drawing(shown.tracks).svg
        assert all(name in picture for name in ("ball/position", "lamp/level"))
        # Two lanes and one, each with its value and its velocity.
        points = re.findall(r'points="([^"]*)"', picture)
        assert len(points) == 6 and max(len(row.split()) for row in points) > 30
        # A watch whose reader took only the last frame has received the others, too.
        assert "ball/position" in (found := all_alone._repr_svg_() or "")
        assert max(len(row.split()) for row in re.findall(r'points="([^"]*)"', found)) > 30
        # Notebooks prefer HTML: it has the picture, whose style does not reach the page.
        html = frame._repr_html_()
        encoded = re.match(r'<img alt="curves" src="data:image/svg\+xml;base64,([^"]*)">', html)
        assert encoded is not None and base64.b64decode(encoded.group(1)).decode() == picture and "<table>" in html
        # A copy in another process has the frame alone.
        again = pickle.loads(pickle.dumps(frame))
        assert again["ball.position"].value.tolist() == [100, 50] and again._repr_svg_() is None
        with m.watch("lamp", velocities=False) as flat:
            _ = m.commit(spring("lamp.level", 1))
            assert flat.next()._repr_svg_() is None


def test_a_restart_begins_new_curves() -> None:
    with Daemon() as daemon, motiond.connect(daemon.runtime, timeout=20) as m:
        _ = m.commit(plans.Wave("ball", property="x", offset=0, amplitude=1))
        with m.watch("ball") as frames:
            first = frames.next(20)
            daemon.restart()
            frame = first
            while frame.epoch == first.epoch:
                frame = frames.next(20)
            assert frame._past is not None
            assert {found.head[3] for found in frame._past.last(SECONDS)} == {frame.epoch}
