"""How a worker is started: by motiond through its environment, or by hand with a key."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_PLUGIN = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_Z85 = re.compile(r"[0-9a-zA-Z.:+=^!/*?&<>()\[\]{}@%$#-]{40}")
#: The processes of one plugin.
MOST_INSTANCES = 16
_LONGEST_KEY_FILE = 4096


class StartError(Exception):
    """The program was not started as a worker, or its arguments are wrong; the text has the remedy."""


@dataclass(frozen=True, slots=True)
class Environment:
    """The identity of a worker's start, and the addresses of motiond's sockets."""

    plugin: str
    instance: int
    incarnation: int
    epoch: int
    link: str
    commands: str
    ticks: str
    events: str
    #: Whether outputs are put to rest when motiond is lost.
    rests_when_lost: bool


@dataclass(frozen=True, slots=True)
class Keys:
    """The CURVE keys of a remote worker, in Z85."""

    public: bytes
    secret: bytes
    server: bytes


@dataclass(frozen=True, slots=True)
class Connection:
    """How a worker that motiond did not start connects to it."""

    plugin: str
    instance: int
    #: ``tcp://HOST:PORT`` of ``motiond --listen-workers``.
    link: str
    keys: Keys

    def endpoint(self, port: int) -> str:
        """The address of another socket, on the host of the link."""
        return f"{self.link.rsplit(':', 1)[0]}:{port}"


def read_environment(variables: Mapping[str, str]) -> Environment:
    """What motiond has put into the environment. Raises ``StartError``."""

    def value(name: str, rule: str) -> str:
        text = variables.get(name, "")
        if not re.fullmatch(rule, text):
            problem = f'is "{text[:128]}", which is not valid' if text else "is not set"
            raise StartError(
                f"{name} {problem}: this program is a plugin of motiond and is started by it; put its folder on the "
                "plugin path (motiond --plugin-path DIR) and add an intention of its types"
            )
        return text

    instance = int(value("MOTION_INSTANCE", r"\d{1,2}"))
    if instance >= MOST_INSTANCES:
        raise StartError(f"MOTION_INSTANCE is {instance}; there are {MOST_INSTANCES} at most")
    on_lost = value("MOTION_ON_LOST", "hold|rest") if "MOTION_ON_LOST" in variables else "hold"
    address = r"(ipc|tcp)://.+"
    return Environment(
        plugin=value("MOTION_PLUGIN", _PLUGIN.pattern),
        instance=instance,
        incarnation=int(value("MOTION_INCARNATION", r"\d{1,20}")),
        epoch=int(value("MOTION_EPOCH", r"\d{1,20}")),
        link=value("MOTION_LINK", address),
        commands=value("MOTION_COMMANDS", address),
        ticks=value("MOTION_TICKS", address),
        events=value("MOTION_EVENTS", address),
        rests_when_lost=on_lost == "rest",
    )


HELP = """\
USAGE: {program} --connect tcp://HOST:PORT --key FILE --server-key KEY [--instance N] [--plugin NAME]

A plugin of motiond. motiond starts it by itself where its folder is on the plugin path; with --connect it
works for a motiond of another machine, until it is ended by TERM or INT.

  --connect tcp://HOST:PORT  where motiond listens (motiond --listen-workers); or MOTION_CONNECT
  --key FILE                 this worker's pair of keys (motionctl key new); or MOTION_KEY
  --server-key KEY           motiond's public key, or the file that holds it; or MOTION_SERVER_KEY
  --instance N               which of the plugin's workers, from 0; or MOTION_INSTANCE
  --plugin NAME              which plugin (default: {program}); or MOTION_PLUGIN
  --help                     this text
"""


def read_connection(arguments: Sequence[str], variables: Mapping[str, str]) -> Connection | None:
    """How to connect, from the command line (with the program first) and the environment; the former has precedence.

    `None` if neither requests a connection. Raises ``StartError``.
    """
    given = _options(arguments[1:])

    def text(name: str) -> str | None:
        return given.get(name) or variables.get("MOTION_" + name.upper().replace("-", "_")) or None

    connect = text("connect")
    if connect is None:
        return None
    plugin = text("plugin") or program_name(arguments)
    if not _PLUGIN.fullmatch(plugin):
        raise StartError(
            f'--plugin "{plugin[:128]}" is no name of a plugin: a-z or 0-9, then up to 63 of a-z 0-9 . _ -'
        )
    instance = text("instance") or "0"
    if not re.fullmatch(r"\d{1,2}", instance) or int(instance) >= MOST_INSTANCES:
        raise StartError(f"--instance is a number from 0 to {MOST_INSTANCES - 1}")
    if not re.fullmatch(r"tcp://.+:\d{1,5}", connect):
        raise StartError(f'--connect "{connect[:128]}" is not an address; write tcp://HOST:PORT')
    key, server_key = text("key"), text("server-key")
    if key is None or server_key is None:
        missing = "key" if key is None else "server-key"
        raise StartError(f"--{missing} is missing: over tcp both sides need a key; make one with motionctl key new")
    public, secret = read_pair(key)
    return Connection(plugin, int(instance), connect, Keys(public, secret, read_public_key(server_key)))


def program_name(arguments: Sequence[str]) -> str:
    """The name of the program, without folder and ``.py``."""
    return os.path.basename(arguments[0] if arguments else "worker").removesuffix(".py")


_NAMES = ("connect", "key", "server-key", "instance", "plugin")


def _options(arguments: Sequence[str]) -> dict[str, str]:
    """The values of ``--name value`` and ``--name=value``; all other arguments belong to the program."""
    given: dict[str, str] = {}
    rest = list(arguments)
    while rest:
        name, separator, value = rest.pop(0).partition("=")
        if name.removeprefix("--") in _NAMES and name.startswith("--"):
            given[name[2:]] = value if separator else (rest.pop(0) if rest else "")
    return given


# ----------------------------------------------------------------------------------------------------------------- Keys


def read_pair(path: str) -> tuple[bytes, bytes]:
    """The public and the secret key of a pair's file, which only its owner may read. Raises ``StartError``."""
    lines = _lines(path, is_secret=True)
    keys = {words[0]: words[1] for words in lines if len(words) == 2 and _Z85.fullmatch(words[1])}
    if "public" not in keys or "secret" not in keys:
        raise StartError(
            f'{path}: it does not hold the two lines "public KEY" and "secret KEY". Give the .key file of a pair, or '
            "make a pair: motionctl key new NAME"
        )
    return keys["public"].encode(), keys["secret"].encode()


def read_public_key(text: str) -> bytes:
    """A public key: the text itself, or the file that holds it. Raises ``StartError``."""
    if _Z85.fullmatch(text):
        return text.encode()
    lines = _lines(text, is_secret=False)
    for words in lines:
        if _Z85.fullmatch(words[0]):
            return words[0].encode()
        if len(words) == 2 and words[0] == "public" and _Z85.fullmatch(words[1]):
            return words[1].encode()
    raise StartError(
        f"{text}: it holds no public key. Give the file that ends in .pub, or the 40 characters of the key"
    )


def _lines(path: str, *, is_secret: bool) -> list[list[str]]:
    """The words of each line that is no comment."""
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            if is_secret and status.st_uid not in (0, os.geteuid()):
                raise StartError(f"{path}: it belongs to user {status.st_uid}. Give it to the worker's own user: chown")
            if is_secret and stat.S_IMODE(status.st_mode) & 0o077:
                raise StartError(f"{path}: users other than its owner may read it. Keep it secret: chmod 600 {path}")
            content = file.read(_LONGEST_KEY_FILE + 1)
    except OSError as error:
        raise StartError(f"{path}: {error.strerror}. Give a file of motionctl key new") from error
    if len(content) > _LONGEST_KEY_FILE:
        raise StartError(f"{path}: it is longer than a file of keys")
    lines = [line.split() for line in content.decode("utf-8", "replace").splitlines()]
    return [words for words in lines if words and not words[0].startswith("#")]
