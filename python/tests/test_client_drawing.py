"""Drawings and recordings: the same as those of motionctl, and an error for every damage."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from daemon import Daemon, wait_until

import motiond
from motiond import drawing, plans, recording, spring, tween


@pytest.fixture(scope="module")
def moved() -> Iterator[Daemon]:
    """A motiond in which something has moved: spring, tween, colours and a hand-over."""
    with Daemon() as daemon, motiond.connect(daemon.runtime) as m:
        _ = m.record(daemon.directory / "show.mcap")
        receipts = [
            m.commit(spring("ball.position", (100, 50)), plans.Tween("lamp", property="level", to=3, duration=0.4)),
            m.commit(tween("ball.position", (0, 0), 0.3), spring("sign.backgroundColor", (1, 0.5, 0.25, 1))),
        ]
        for receipt in receipts:
            _ = receipt.settled(timeout=30)
        _ = m.stop_recording()
        yield daemon


def test_the_picture_is_that_of_motionctl_to_the_byte(moved: Daemon, tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    text = moved.ctl(
        "draw", "--recording", str(moved.directory / "show.mcap"), "--json", "--svg", str(picture), runtime=False
    )
    drawn = drawing.from_json(text)
    assert {track.name for track in drawn.tracks} == {"ball.position", "lamp.level", "sign.backgroundColor"}
    assert drawn.svg == picture.read_text()
    drawn.save(tmp_path / "ours.svg")
    assert (tmp_path / "ours.svg").read_text() == drawn._repr_svg_()
    times, values, velocities = drawn.to_numpy("ball.position")
    assert values.shape == velocities.shape == (times.size, 2)
    with pytest.raises(KeyError):
        _ = drawn.to_numpy()


def test_random_tracks_are_drawn_as_motionctl_draws_them(seeded: random.Random) -> None:
    for _ in range(50):
        tracks: list[drawing.Track] = []
        for index in range(seeded.randrange(3)):
            count, lanes = seeded.choice([1, 2, 50, 5000]), seeded.randint(1, 4)
            scale = seeded.choice([0, 1e-9, 1, 1e6, 1e120])
            times = np.sort(np.array([seeded.random() * 10 for _ in range(count)]))
            values = np.array([[seeded.gauss(0, 1) * scale for _ in range(lanes)] for _ in range(count)])
            marks = sorted(
                (seeded.random() * 12, seeded.choice(["Tween", "<&>", "x" * 60])) for _ in range(seeded.randrange(9))
            )
            tracks.append(drawing.Track(f"t{index}.p", times, values, -values, marks))
        text = drawing.Drawing(tracks, title=seeded.choice(["", "a <title>"])).svg
        assert text.startswith("<svg ") and text.endswith("</svg>\n") and "nan" not in text and "inf" not in text


def test_the_client_draws_the_last_seconds_and_the_next_ones(moved: Daemon) -> None:
    with motiond.connect(moved.runtime) as m:
        last = m.draw("ball.position", last=30)
        assert [track.name for track in last.tracks] == ["ball.position"]
        assert {label for _, label in last["ball.position"].hand_overs} >= {"SpringTo", "Tween"}
        _ = m.commit(plans.Wave("lamp", property="level", offset=0, amplitude=1, named="w"))
        wait_until(lambda: bool(m.intentions("lamp")))
        following = m.draw("lamp.level", next=0.3)
        assert [label for _, label in following["lamp.level"].hand_overs] == ["Wave"]
        times, values, _ = following.to_numpy()
        assert 0.05 < times[-1] - times[0] < 5 and np.ptp(values) > 0
        with m.watch("lamp", every=True) as frames:
            seen = drawing.draw([frames.next(timeout=20) for _ in range(10)])
        assert seen.to_numpy("lamp.level")[0].size >= 10
        assert "frame" in (frame := frames.core._channel.take() or m.watch("lamp").next(timeout=20))._repr_html_()
        assert frame["lamp.level"].value.size == 1
        _ = m.commit(motiond.remove("w", "lamp"))


def test_a_place_with_a_dot_is_the_property_and_the_target_of_that_name(moved: Daemon) -> None:
    with motiond.connect(moved.runtime) as m:
        m.commit(spring("dial.needle", 1.0), spring("dial.needle/tip", 2.0)).settled(timeout=20)
        for span in ({"last": 30}, {"next": 0.1}):
            drawn = m.draw("dial.needle", **span)
            assert {track.name for track in drawn.tracks} >= {"dial.needle", "dial.needle.tip"}, span
        assert [track.name for track in m.draw("dial/needle", last=30).tracks] == ["dial.needle"]
        m.commit(motiond.forget("dial"), motiond.forget("dial.needle"))
        none: Any = None
        for span in ({"last": 1}, {"next": 0.1}):
            with pytest.raises(motiond.PlanError, match="places"):
                _ = m.draw(none, **span)
            with pytest.raises(motiond.PlanError, match="'' names no target"):
                _ = m.draw("", **span)


@pytest.mark.parametrize("seconds", [-1, 0, float("nan"), 1e9, "x", 1e-12])
def test_a_time_that_cannot_be_drawn_is_refused_with_a_remedy(moved: Daemon, seconds: float) -> None:
    with motiond.connect(moved.runtime) as m:
        for name in ("last", "next"):
            with pytest.raises(motiond.PlanError) as caught:
                _ = m.draw("ball.position", **{name: seconds})
            assert caught.value.field == name and caught.value.remedy
        with pytest.raises(motiond.PlanError, match="exclude each other"):
            _ = m.draw("ball.position", last=1, next=1)
        assert m.draw("ball.position", last=timedelta(hours=24)).tracks
        _ = m.draw("ball.position", last=1e-7)


def test_a_recording_gives_arrays(moved: Daemon) -> None:
    show = recording.read(moved.directory / "show.mcap")
    assert show.is_complete and show.profile == "motiond" and show.metadata["motiond"]
    assert show.header.rate_per_second == 120
    assert (np.diff(show.frames.number.astype(np.int64)) == 1).all()
    assert (np.diff(show.frames.boot_time) > 0).all()
    assert show.frames.events.sum() >= 2
    with pytest.raises(motiond.RecordingError, match="no values"):
        _ = show["ball.position"]
    values = recording.read_values(moved.directory / "show.mcap")
    samples = values["ball.position"]
    assert samples.value.shape == samples.velocity.shape == (samples.time.size, 2)
    assert samples.value[-1].tolist() == [0, 0]
    assert set(values.properties) == {"ball.position", "lamp.level", "sign.backgroundColor"}
    assert list(values) == values.keys() == values.properties and "ball/position" in values and 5 not in values
    assert "ball.nothing" not in values and list(show) == []
    assert dict(values)["lamp.level"].value.shape[1] == 1
    assert any("commit" in row.text for row in values.events)
    assert "Tween" in {label for _, label in values.draw("ball.position")["ball.position"].hand_overs}


def test_a_recording_without_motion_has_no_property(tmp_path: Path) -> None:
    with Daemon() as daemon, motiond.connect(daemon.runtime) as m:
        _ = m.record(tmp_path / "still.mcap")
        _ = m.stop_recording()
    values = recording.read_values(tmp_path / "still.mcap")
    assert values.properties == []
    with pytest.raises(KeyError, match="ball.position"):
        _ = values["ball.position"]


def test_segments_of_the_history_are_recordings(moved: Daemon) -> None:
    with motiond.connect(moved.runtime) as m:
        segments = m.history().segments
        parts = [recording.read(m.history_segment(segment.number)) for segment in segments]
    assert sum(part.frames.number.size for part in parts) > 10


def test_a_damaged_recording_is_an_error_and_an_interrupted_one_is_read_up_to_its_end(
    moved: Daemon, seeded: random.Random
) -> None:
    content = (moved.directory / "show.mcap").read_bytes()
    whole = recording.read(content).frames.number.size
    refused, read = [0], [len(content)]
    for cut in [8, 9, 16, *(seeded.randrange(8, len(content)) for _ in range(100))]:
        try:
            assert recording.read(content[:cut]).frames.number.size <= whole
            read.append(cut)
        except motiond.RecordingError as error:
            assert "before its first message" in str(error) and error.remedy
            refused.append(cut)
    # It is an error until the first message is there, and never from there on.
    assert {8, 9, 16} <= set(refused) and max(refused) < min(read)
    with pytest.raises(motiond.RecordingError, match="at byte 8, before its first message"):
        _ = recording.read(content[:8])
    changed = bytearray(content)
    changed[15] = 1
    with pytest.raises(motiond.RecordingError, match="at byte 8, before its first message"):
        _ = recording.read(bytes(changed))
    for _ in range(300):
        changed = bytearray(content)
        for _ in range(seeded.choice([1, 5])):
            changed[seeded.randrange(len(changed))] = seeded.randrange(256)
        try:
            show = recording.read(bytes(changed))
            _ = show.frames
        except motiond.RecordingError as error:
            assert str(error)
    with pytest.raises(motiond.RecordingError):
        _ = recording.read(b"MOTIONR1")
    with pytest.raises(motiond.RecordingError):
        _ = recording.read(moved.directory / "nothing")
