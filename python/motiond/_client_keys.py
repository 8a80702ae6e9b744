"""Keys for a motiond on another machine: files that `motionctl key new` makes."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import zmq

from ._errors import KeyFileError, Unreachable
from ._io import Door, Keys

_KEY = re.compile(r"[0-9a-zA-Z.\-:+=^!/*?&<>()\[\]{}@%$#]{40}")
_LONGEST = 4096
_PAIR = "Give the .key file of a pair, or make a pair: motionctl key new NAME."


def remote_doors(address: str, key: str | os.PathLike[str], server_key: str | os.PathLike[str]) -> tuple[Door, Door]:
    """The addresses for requests and for values: those at the next port."""
    host, colon, port = address.removeprefix("tcp://").rpartition(":")
    if not address.startswith("tcp://") or not host or not colon or not port.isdigit() or not 1 <= int(port) <= 65534:
        raise Unreachable(f"{address!r} is not an address of a motiond on another machine", "Write tcp://HOST:PORT.")
    if not zmq.has("curve"):
        raise KeyFileError(str(key), "this libzmq was built without CURVE", "Install pyzmq from PyPI.")
    public, secret = _pair(Path(key))
    keys = Keys(public, secret, _public(server_key))
    return Door(address, keys), Door(f"tcp://{host}:{int(port) + 1}", keys)


def _pair(path: Path) -> tuple[bytes, bytes]:
    """The public and the secret key of a file that only its owner can read."""
    found: dict[str, list[str]] = {"public": [], "secret": []}
    for words in _lines(path, is_secret=True):
        if len(words) == 2 and words[0] in found:
            found[words[0]].append(words[1])
    public, secret = found["public"], found["secret"]
    if len(public) != 1 or len(secret) != 1 or not _KEY.fullmatch(public[0]) or not _KEY.fullmatch(secret[0]):
        raise KeyFileError(str(path), 'it does not hold the two lines "public KEY" and "secret KEY"', _PAIR)
    if zmq.curve_public(secret[0].encode()) != public[0].encode():
        raise KeyFileError(str(path), "its two keys are no pair", _PAIR)
    return public[0].encode(), secret[0].encode()


def _public(key: str | os.PathLike[str]) -> bytes:
    """A public key from a file, or from the text itself if that is a key."""
    if isinstance(key, str) and _KEY.fullmatch(key):
        return key.encode()
    lines = _lines(Path(key), is_secret=False)
    for words in lines:
        if words[0] == "public" and len(words) == 2 and _KEY.fullmatch(words[1]):
            return words[1].encode()
    if lines and _KEY.fullmatch(lines[0][0]):
        return lines[0][0].encode()
    raise KeyFileError(
        str(key), "it holds no public key", "Give the file that ends in .pub, or the 40 characters of the key."
    )


def _lines(path: Path, *, is_secret: bool) -> list[list[str]]:
    """The words of the lines that are no comments. Refuses a file that other users can read or write."""
    try:
        with path.open("rb") as file:
            facts = os.fstat(file.fileno())
            content = file.read(_LONGEST + 1)
    except OSError as error:
        raise KeyFileError(
            str(path), error.strerror or str(error), "Name a file that exists and that you can read."
        ) from error
    if os.name == "posix":
        open_to = 0o077 if is_secret else 0o022
        if facts.st_uid not in (0, os.geteuid()) or stat.S_IMODE(facts.st_mode) & open_to:
            raise KeyFileError(
                str(path),
                f"other users can {'read' if is_secret else 'change'} it",
                f"chmod {'600' if is_secret else '644'} it.",
            )
    if len(content) > _LONGEST:
        raise KeyFileError(str(path), f"it has more than {_LONGEST} bytes", _PAIR)
    lines = [line.split() for line in content.decode("utf-8", "replace").splitlines()]
    return [words for words in lines if words and not words[0].startswith("#")]
