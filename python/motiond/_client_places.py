"""Finds the motiond of this machine: the directory of its sockets."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Mapping
from pathlib import Path

from ._errors import Unreachable
from ._io import Door

#: The longest path of a Unix socket.
_LONGEST = 107


def candidates(directory: str | os.PathLike[str] | None, environment: Mapping[str, str]) -> list[Path]:
    """The directories in which motiond may be found, in order: the given one, `MOTIOND_RUNTIME_DIR`,
    `XDG_RUNTIME_DIR/motiond`, `/run/motiond`. An empty variable counts as absent."""
    if directory is not None:
        return [Path(directory)]
    if named := environment.get("MOTIOND_RUNTIME_DIR"):
        return [Path(named)]
    user = environment.get("XDG_RUNTIME_DIR")
    return [Path(user) / "motiond", Path("/run/motiond")] if user else [Path("/run/motiond")]


def local_door(directory: str | os.PathLike[str] | None, environment: Mapping[str, str]) -> tuple[Door, Path]:
    """The address of the first motiond that listens, and its directory. Raises `Unreachable` at once if none does:
    libzmq would try for ever."""
    tried: list[str] = []
    for place in candidates(directory, environment):
        path = place / "client" / "control.ipc"
        reason = _distrust(place) or refusal(path)
        if reason is None:
            return Door(f"ipc://{path}"), place
        tried.append(f"{path} ({reason})")
    raise Unreachable(
        f"no motiond listens on {' or '.join(tried)}",
        "Start one with motiond, or give connect() the runtime directory of a running one.",
    )


def refusal(path: Path) -> str | None:
    """Why no motiond can be reached on a socket file; None if one listens."""
    if not hasattr(socket, "AF_UNIX"):
        return "this system has no Unix sockets: connect by tcp"
    if len(os.fsencode(path)) > _LONGEST:
        return f"the path is longer than {_LONGEST} bytes"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        try:
            probe.connect(os.fspath(path))
        except BlockingIOError:
            # The queue of connections is full: motiond must be suspended or very busy, but it is there.
            return None
        except FileNotFoundError:
            return "no such socket"
        except ConnectionRefusedError:
            return "a daemon that has ended left it"
        except OSError as error:
            return error.strerror or str(error)
    return None


def _distrust(directory: Path) -> str | None:
    """Why a directory is not used although it may exist: another user could answer in it, or replace it."""
    if os.name != "posix":
        return None
    path = Path(os.path.abspath(directory))
    trusted = {0, os.geteuid()}
    for place in [path, *path.parents]:
        try:
            facts = os.stat(place)
        except OSError:
            continue
        is_shared = bool(facts.st_mode & 0o022)
        is_sticky = bool(facts.st_mode & stat.S_ISVTX) and place != path
        if is_shared and not is_sticky:
            return f"it is not used: other users can write {place}, so that another user could answer there"
        if place != path and facts.st_uid not in trusted:
            return f"it is not used: {place} belongs to another user, who could answer there"
    return None
