"""What a watch received in the last seconds, for the curves of a frame in a notebook."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._values import Doubles
from ._values_state import Layout

#: The seconds and the frames that a picture has at most: five seconds at 120 frames a second.
SECONDS, MOST_FRAMES = 5.0, 600
#: Of more properties nothing is kept: a picture would have no room for them, and each frame would be held in memory.
MOST_PROPERTIES = 32


class Moment(NamedTuple):
    """The content of a frame. Its arrays are those of the frame itself."""

    layout: Layout
    values: Doubles
    velocities: Doubles
    late: NDArray[np.bool_]
    changed_at: NDArray[np.uint64]
    #: Number, time, dt and epoch.
    head: tuple[int, float, float, int]


class Past(NamedTuple):
    """The moments up to a frame: the first ones of a list that later frames share."""

    moments: list[Moment]
    size: int

    def last(self, seconds: float) -> list[Moment]:
        """The moments of the last seconds, with the one before them, which has the values at their beginning."""
        moments = self.moments[max(0, self.size - MOST_FRAMES) : self.size]
        begin = moments[-1].head[1] - seconds
        first = next(index for index, moment in enumerate(moments) if moment.head[1] >= begin)
        return moments[max(0, first - 1) :]


class Memory:
    """Keeps the last moments of a watch. It belongs to the I/O thread.

    Each frame has its place in a list, so that it costs one append; a list that is full is replaced by one with its
    last moments. Frames that are kept hold the list of their time only.
    """

    def __init__(self) -> None:
        self._moments: list[Moment] = []

    def add(self, moment: Moment) -> Past | None:
        """The moments up to this one; None if it has too many properties."""
        if len(moment.late) > MOST_PROPERTIES:
            self.forget()
            return None
        if len(self._moments) >= 2 * MOST_FRAMES:
            self._moments = self._moments[-MOST_FRAMES:]
        self._moments.append(moment)
        return Past(self._moments, len(self._moments))

    def forget(self) -> None:
        """Begins again: another start of motiond has other times."""
        if self._moments:
            self._moments = []
