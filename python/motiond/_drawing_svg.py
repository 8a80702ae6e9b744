"""Draws tracks as SVG: for each property a panel of values above one of velocities, with a curve for each lane.

The picture is that of `Sources/MotionDrawing`, to the byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ._drawing_scale import Scale, place
from ._values import Doubles

if TYPE_CHECKING:
    from .drawing import Track

_WIDTH, _LEFT, _RIGHT = 860.0, 66.0, 18.0
_VALUE_HEIGHT, _VELOCITY_HEIGHT, _LINE_HEIGHT, _GAP = 170.0, 110.0, 17.0, 30.0
#: The lines of labels above a panel; further hand-overs are marked by their line alone.
_MOST_LINES = 3
#: A label's width is estimated: six units a character are enough for its font.
_CHARACTER = 6.2
#: The units of well-known properties. Those that describe a range are no units.
_UNITS = {
    "position": "points",
    "translation": "points",
    "width": "points",
    "height": "points",
    "cornerRadius": "points",
    "rotation": "rad",
}

_STYLE = (
    "<style>\n"
    ".ground{fill:#fff}.title{font-size:14px;font-weight:600;fill:#111827}.name{font-weight:600;fill:#111827}\n"
    ".axis{fill:#4b5563}.grid{stroke:#e5e7eb}.frame{fill:none;stroke:#9ca3af}.curve{fill:none;stroke-width:1.8;"
    "stroke-linejoin:round}\n"
    ".mark{stroke:#be123c;stroke-dasharray:4 3}.label{fill:#be123c}.over{paint-order:stroke;stroke:#fff;stroke-width:4;"
    "stroke-linejoin:round}\n"
    ".l0{stroke:#2563eb}.l1{stroke:#c2410c}.l2{stroke:#047857}.l3{stroke:#7e22ce}\n"
    "@media (prefers-color-scheme:dark){.ground{fill:#0d1117}.title,.name{fill:#f3f4f6}.axis{fill:#9ca3af}"
    ".grid{stroke:#21262d}.frame{stroke:#6b7280}.mark{stroke:#fb7185}.label{fill:#fb7185}.over{stroke:#0d1117}\n"
    ".l0{stroke:#60a5fa}.l1{stroke:#fb923c}.l2{stroke:#34d399}.l3{stroke:#c084fc}}\n"
    "</style>"
)


def svg(tracks: Sequence[Track], title: str) -> str:
    """The text of the picture, with one axis of times for all tracks."""
    body: list[str] = []
    y = 12.0
    if title:
        y += _LINE_HEIGHT
        body.append(_element("text", title, {"class": "title", "x": "16", "y": place(y)}))
        y += 8
    times = _shared_times(tracks)
    for track in tracks:
        chart = _Chart(track, times, y)
        body += chart.elements()
        y = chart.bottom
    lines = "\n".join(body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {place(_WIDTH)} {place(y + 8)}" role="img" '
        f'aria-label="{_escaped(_summary(tracks, title))}" font-family="system-ui, sans-serif" font-size="12">\n'
        f'{_STYLE}\n<rect class="ground" width="100%" height="100%"/>\n{lines}\n</svg>\n'
    )


def _shared_times(tracks: Sequence[Track]) -> tuple[float, float]:
    if not tracks:
        return 0.0, 1.0
    firsts = [min(float(track.times[0]), track.hand_overs[0][0] if track.hand_overs else np.inf) for track in tracks]
    return min(firsts), max(float(track.times[-1]) for track in tracks)


def _summary(tracks: Sequence[Track], title: str) -> str:
    sentences: list[str] = []
    for track in tracks:
        marks = ", then ".join(label for _, label in track.hand_overs)
        driven = f", driven by {marks}" if marks else ""
        sentences.append(f"{_slashed(track.name)}: value and velocity over time{driven}")
    return (f"{title}. " if title else "") + ". ".join(sentences)


class _Label(NamedTuple):
    x: float
    text: str
    #: The index of its line of text, from 0 at the bottom; None if there is no room.
    line: int | None
    #: Whether it is to the left of its line, because the picture ends on the right.
    is_turned: bool


class _Chart:
    """One property in the picture."""

    def __init__(self, track: Track, times: tuple[float, float], top: float) -> None:
        self._track = track
        self._times = times
        self._top = top
        marks = [(self._x(time), text) for time, text in track.hand_overs if times[0] <= time <= times[1]]
        self._labels = _placed(marks)
        lines = 1 + max((label.line for label in self._labels if label.line is not None), default=-1)
        self._value_top = top + _LINE_HEIGHT * (1 + lines) + 14
        self._velocity_top = self._value_top + _VALUE_HEIGHT + _GAP
        #: The top of the next chart.
        self.bottom = self._velocity_top + _VELOCITY_HEIGHT + _GAP + 8

    def elements(self) -> list[str]:
        """All elements, from back to front."""
        unit = _UNITS.get(self._track.name.rpartition(".")[2], "")
        title = f"velocity, {unit} per s" if unit else "velocity per s"
        return [
            *self._heading(f"value, {unit}" if unit else "value"),
            *self._panel(self._track.values, self._value_top, _VALUE_HEIGHT, 5),
            *self._panel(self._track.velocities, self._velocity_top, _VELOCITY_HEIGHT, 3),
            *self._marks(),
            _text(title, _LEFT, self._velocity_top - 7, "axis over"),
            *self._time_numbers(),
        ]

    def _heading(self, title: str) -> list[str]:
        y = self._top + _LINE_HEIGHT
        name = _slashed(self._track.name)
        elements = [_text(name, _LEFT, y, "name"), _text(title, _LEFT + 16 + 7 * len(name), y, "axis")]
        lanes = self._track.values.shape[1]
        if lanes == 1:
            return elements
        letters = "rgba" if self._track.name.lower().endswith("color") else "xyzw"
        x = _WIDTH - _RIGHT - 46 * lanes
        for lane in range(lanes):
            elements.append(_line(x + 10, y - 4, x + 28, y - 4, f"curve l{lane}"))
            elements.append(_text(letters[lane], x + 33, y, "axis"))
            x += 46
        return elements

    def _panel(self, values: Doubles, top: float, height: float, ticks: int) -> list[str]:
        times = self._track.times
        is_inside = (times >= self._times[0]) & (times <= self._times[1])
        times, values = times[is_inside], values[is_inside]
        scale = Scale(float(values.min(initial=np.inf)), float(values.max(initial=-np.inf)), ticks)
        right = _WIDTH - _RIGHT
        elements: list[str] = []
        for tick in scale.ticks:
            y = top + height * (1 - scale.place(tick))
            elements.append(_line(_LEFT, y, right, y, "grid"))
            elements.append(_text(scale.text(tick), _LEFT - 6, y + 4, "axis", "end"))
        frame = {
            "class": "frame",
            "x": place(_LEFT),
            "y": place(top),
            "width": place(right - _LEFT),
            "height": place(height),
        }
        elements.append(_element("rect", "", frame))
        for lane in range(values.shape[1]):
            kept = _thinned(times, values[:, lane], int(right - _LEFT), self._times)
            points = " ".join(
                f"{place(self._x(float(times[i])))},{place(top + height * (1 - scale.place(float(values[i, lane]))))}"
                for i in kept
            )
            elements.append(_element("polyline", "", {"class": f"curve l{lane}", "points": points}))
        return elements

    def _marks(self) -> Iterable[str]:
        bottom = self._velocity_top + _VELOCITY_HEIGHT
        for label in self._labels:
            if label.line is None:
                yield _line(label.x, self._value_top, label.x, bottom, "mark")
                continue
            y = self._value_top - 6 - _LINE_HEIGHT * label.line
            yield _line(label.x, y - 9, label.x, bottom, "mark")
            yield _text(
                label.text,
                label.x + (-4 if label.is_turned else 4),
                y,
                "label over",
                "end" if label.is_turned else "start",
            )

    def _time_numbers(self) -> list[str]:
        y = self._velocity_top + _VELOCITY_HEIGHT + _LINE_HEIGHT
        span = self._times[1] - self._times[0]
        scale = Scale(0, span, 8)
        ticks = [tick for tick in scale.ticks if tick <= span * (1 + 1e-9)]
        return [_text(f"{scale.text(tick)} s", self._x(self._times[0] + tick), y, "axis", "middle") for tick in ticks]

    def _x(self, time: float) -> float:
        span = self._times[1] - self._times[0]
        return _LEFT + ((time - self._times[0]) / span if span > 0 else 0) * (_WIDTH - _LEFT - _RIGHT)


def _placed(marks: list[tuple[float, str]]) -> list[_Label]:
    """Places labels beside their lines, from right to left, high enough that no line of a later one crosses them."""
    placed: list[_Label] = []
    for x, text in reversed(marks):
        width = _CHARACTER * len(text) + 8
        is_turned = x + width > _WIDTH - _RIGHT
        end = x if is_turned else x + width
        in_the_way = [
            other.line
            for other in placed
            if other.line is not None
            and (other.x - _CHARACTER * len(other.text) - 8 if other.is_turned else other.x) < end
        ]
        line = max(in_the_way, default=-1) + 1
        placed.append(_Label(x, text, line if line < _MOST_LINES else None, is_turned))
    return placed[::-1]


def _thinned(times: Doubles, values: Doubles, columns: int, span: tuple[float, float]) -> Iterable[int]:
    """At most four points for each column: the first, the last, the lowest and the highest. The others would be drawn
    over."""
    width = span[1] - span[0]
    if times.size <= 4 * columns or width <= 0:
        return range(times.size)
    column = ((times - span[0]) / width * columns).astype(np.int64)
    kept: list[int] = []
    starts = np.concatenate(([0], np.flatnonzero(np.diff(column)) + 1, [times.size]))
    for first, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        part = values[first:end]
        kept += sorted({first, first + int(part.argmin()), first + int(part.argmax()), end - 1})
    return kept


def _slashed(name: str) -> str:
    target, _, property = name.rpartition(".")
    return f"{target}/{property}"


def _element(name: str, text: str, attributes: dict[str, str]) -> str:
    listed = "".join(f' {key}="{_escaped(value)}"' for key, value in sorted(attributes.items()))
    return f"<{name}{listed}>{_escaped(text)}</{name}>" if text else f"<{name}{listed}/>"


def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    return _element("line", "", {"class": style, "x1": place(x1), "y1": place(y1), "x2": place(x2), "y2": place(y2)})


def _text(text: str, x: float, y: float, style: str, anchor: str = "start") -> str:
    return _element("text", text, {"class": style, "x": place(x), "y": place(y), "text-anchor": anchor})


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
