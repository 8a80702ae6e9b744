"""Whether another user could replace the files that a worker's program is made of.

motiond checks the folder of a plugin. A program in Python is also its interpreter and its packages: a user who can
change those runs programs as motiond's user. The rule is that of motiond's ``PathTrust``.
"""

from __future__ import annotations

import grp
import os
import pwd
import site
import stat
import sys
import sysconfig
from pathlib import Path

#: Symbolic links that are followed on one path: as many as Linux follows.
MOST_LINKS = 40


def weakness(path: str, user: int | None = None) -> str | None:
    """The first place on a path at which another user could put another file, with the problem; `None` without one.

    - Each directory and the file itself belong to root or to `user`, and no other user can write them.
    - In a sticky directory others may add entries, but not replace those of root and `user`.
    - Symbolic links are followed, each in a directory that was checked.
    """
    user = os.geteuid() if user is None else user
    rest = os.path.abspath(path).split("/")[::-1]
    directory, links = "", 0
    while rest:
        name = rest.pop()
        if name in ("", "."):
            continue
        if name == "..":
            directory = os.path.dirname(directory).rstrip("/")
            continue
        place = directory or "/"
        try:
            above, entry = os.stat(place), os.lstat(f"{directory}/{name}")
        except OSError:
            return None
        if (problem := _problem(above, user)) is not None:
            return f"{place} {problem}"
        here = f"{directory}/{name}"
        if _is_shared(above, user) and entry.st_uid not in (0, user):
            return f"{here} belongs to user {entry.st_uid}, and all users may make it"
        if not stat.S_ISLNK(entry.st_mode):
            if not rest and (problem := _problem(entry, user)) is not None:
                return f"{here} {problem}"
            directory = here
            continue
        links += 1
        if links > MOST_LINKS:
            return f"{here} has too many links"
        target = os.readlink(here)
        rest += target.split("/")[::-1]
        if target.startswith("/"):
            directory = ""
    return None


def of_python() -> list[str]:
    """The weaknesses of this interpreter, of its standard library and of its packages; empty if there are none."""
    places = [sys.executable, sys.prefix, *(path for path in sys.path if path and os.path.exists(path))]
    found = [weakness(place) for place in dict.fromkeys(places)]
    return list(dict.fromkeys(problem for problem in found if problem is not None))


def libraries() -> list[str]:
    """The folders from which a program of this interpreter takes code: the standard library, its packages, this one."""
    paths = [sysconfig.get_path("stdlib"), *site.getsitepackages()]
    if site.ENABLE_USER_SITE:
        paths.append(site.getusersitepackages())
    paths.append(str(Path(__file__).resolve().parent.parent))
    return list(dict.fromkeys(path for path in paths if os.path.isdir(path)))


def _is_shared(status: os.stat_result, user: int) -> bool:
    """Whether other users may write a directory or a file."""
    if status.st_mode & 0o002:
        return True
    return bool(status.st_mode & 0o020) and status.st_gid != 0 and not _is_private(status.st_gid, user)


def _is_private(group: int, user: int) -> bool:
    """Whether a group is the user's own: it has the user's name, and no other member."""
    try:
        name, entry = pwd.getpwuid(user).pw_name, grp.getgrgid(group)
    except KeyError:
        return False
    return entry.gr_name == name and all(member == name for member in entry.gr_mem)


def _problem(status: os.stat_result, user: int) -> str | None:
    if status.st_uid not in (0, user):
        return f"belongs to user {status.st_uid}"
    if _is_shared(status, user) and not status.st_mode & stat.S_ISVTX:
        return "may be written by others"
    return None
