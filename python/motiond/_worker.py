"""A worker's process: started by motiond, or by hand for a motiond of another machine."""

from __future__ import annotations

import faulthandler
import io
import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import NoReturn, cast

import numpy as np
import zmq

from ._link_messages import Exit
from ._worker_declarations import Declaration
from ._worker_environment import HELP, Environment, StartError, program_name, read_connection, read_environment
from ._worker_loop import WorkerLoop
from ._worker_session import Session
from ._worker_trust import of_python

#: The most time that the process may take to end after a signal, in seconds; then it is killed.
TERMINATION_LIMIT = 1

#: What numpy warns of; before numpy 1.25 it has no module for it.
_COMPLEX = cast("type[Warning]", getattr(getattr(np, "exceptions", np), "ComplexWarning"))


def say(text: str) -> None:
    """Writes a line for operators to standard error, from which motiond reads its log."""
    try:
        os.write(2, (text + "\n").encode("utf-8", "backslashreplace"))
    except OSError:
        pass


class StopSignal:
    """A descriptor that becomes readable when TERM or INT arrives."""

    def __init__(self) -> None:
        self.descriptor, self._end = os.pipe()
        os.set_blocking(self._end, False)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._handle)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        limit_time()
        try:
            os.write(self._end, b"1")
        except BlockingIOError:
            pass


def check_python() -> None:
    """Raises ``StartError`` if another user could change the interpreter or the packages of this program.

    motiond checks the same of the plugin's own folder before it starts the program.
    """
    if problems := of_python():
        raise StartError(
            f"other users could make motiond run any program: {'; '.join(problems)}. Use an interpreter and packages "
            "that belong to root or to motiond's user and that no other user can write (chmod go-w)"
        )


def stale_here(declarations: Sequence[Declaration], arguments: Sequence[str]) -> str | None:
    """Why the ``plugin.json`` beside the running program does not declare what the program does, with the remedy.

    `None` if it does, and if there is none: motiond has read another one then.
    """
    from .manifest import difference_of_types

    return difference_of_types(declarations, Path(arguments[0]).resolve()) if arguments else None


def limit_time() -> None:
    """From now on the process has no longer than ``TERMINATION_LIMIT``, even if it hangs."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(TERMINATION_LIMIT)


def main(
    declarations: Sequence[Declaration],
    *,
    rest: Callable[[], None] = lambda: None,
    finish: Callable[[], None] = lambda: None,
    arguments: Sequence[str] | None = None,
) -> NoReturn:
    """Runs the worker until it has to end, and ends the process; see ``executors.run``."""
    arguments = sys.argv if arguments is None else arguments
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    # What executors print is in motiond's log at once, and so is the place of a crash in a library.
    output: object = sys.stdout
    if isinstance(output, io.TextIOWrapper):
        output.reconfigure(line_buffering=True)
    faulthandler.enable()
    # Half of a complex number would be lost in a column.
    warnings.filterwarnings("error", category=_COMPLEX)
    try:
        if "--help" in arguments:
            print(HELP.format(program=program_name(arguments)), end="")
            sys.exit(0)
        if not declarations:
            raise StartError(
                "the program declares no executor: decorate one with @motiond.executor before motiond.run()"
            )
        connection = read_connection(arguments, os.environ)
        stop = StopSignal()
        session = Session(declarations, say)
        if connection is not None:
            from ._worker_remote import serve as serve_remote

            name = f"{connection.plugin}.{connection.instance}"
            end = serve_remote(connection, session, stop.descriptor, say=say, rest=rest, finish=finish)
        else:
            environment = read_environment(os.environ)
            check_python()
            if problem := stale_here(declarations, arguments):
                say(problem)
            name = f"{environment.plugin}.{environment.instance}"
            end = serve(environment, session, stop.descriptor, rest=rest, finish=finish)
    except StartError as error:
        say(str(error))
        sys.exit(2)
    except Exception:
        say(f"it failed: {traceback.format_exc().rstrip()}")
        sys.exit(1)
    say(f"{name} ends: {end.text}")
    sys.stdout.flush()
    sys.exit(end.code)


def serve(
    environment: Environment, session: Session, stop: int, *, rest: Callable[[], None], finish: Callable[[], None]
) -> Exit:
    """Works for the motiond that started the process, until it has to end."""
    context = zmq.Context[zmq.Socket[bytes]]()
    loop = WorkerLoop(environment, session, context, lifeline=0, stop=stop, say=say, rest=rest)
    end = loop.run()
    limit_time()
    session.clear()
    if session.ends_for_good:
        finish()
    if environment.rests_when_lost:
        rest()
    context.term()
    return end
