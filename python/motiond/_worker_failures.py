"""Texts for failures of plans, with the lines of the author's code."""

from __future__ import annotations

import dis
import inspect
import traceback
from collections.abc import Callable
from traceback import FrameSummary
from typing import Any

#: The longest reason of a failure, in characters.
_LONGEST_REASON = 1000
#: How the names of this package's files begin that run executors.
_HERE = __file__.rsplit("/", 1)[0] + "/_"


def traced(error: BaseException) -> str:
    """An error with the lines of the author's code that lead to it, for the log."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None and place.tb_frame.f_code.co_filename.startswith(_HERE):
        place = place.tb_next
    return "".join(traceback.format_exception(type(error), error, place)).rstrip()


def shortened(error: BaseException, place: FrameSummary | None = None) -> str:
    """An error with the place where it was raised, on one line: what `motionctl list` shows of a failed plan.

    `place` stands for the author's code if the error was raised outside of it.
    """
    try:
        text = str(error) or "no message"
    except Exception:
        text = "its message cannot be shown"
    own = own_lines(error) or ([place] if place is not None else list(traceback.extract_tb(error.__traceback__)))
    places = [f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno} in {frame.name}" for frame in own[-3:]]
    line = f": {own[-1].line}" if own and own[-1].line else ""
    found = f" ({' > '.join(places)}{line})" if places else ""
    reason = f"{type(error).__name__}: {text[:_LONGEST_REASON]}{found}"[: 2 * _LONGEST_REASON]
    # Names of files may have bytes that are no text; protobuf refuses them.
    return reason.encode("utf-8", "backslashreplace").decode()


class Naming:
    """What is raised in it names what the author has set."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        pass

    def __exit__(self, type: object, error: BaseException | None, place: object) -> None:
        if isinstance(error, (AttributeError, TypeError, ValueError)):
            raise error.__class__(f"{self._what}: {error}") from None


def own_lines(error: BaseException) -> list[FrameSummary]:
    """The lines of the author's code that lead to an error."""
    return [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(_HERE)]


def line_of(function: Callable[..., Any], line: int | None = None) -> FrameSummary | None:
    """A line of a function: the given one, the one that returns if there is one of them, else that of its name."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if not inspect.iscode(code):
        return None
    returns = {
        found.positions.lineno
        for found in dis.get_instructions(code)
        if found.opname.startswith("RETURN_") and found.opname != "RETURN_GENERATOR" and found.positions is not None
    }
    if line is None:
        line = next(iter(returns)) if len(returns) == 1 else None
    return FrameSummary(code.co_filename, line or code.co_firstlineno, code.co_name)
