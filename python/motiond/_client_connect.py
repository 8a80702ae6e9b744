"""Connects to a motiond of this machine, or of another one."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

from ._arguments import file_of, flag_of, text_of, timeout_of
from ._client_async import AsyncClient
from ._client_calls import run_asyncio, run_blocking
from ._client_core import Core
from ._client_keys import remote_doors
from ._client_link import Link
from ._client_places import local_door
from ._client_sync import Client
from ._errors import MotionError, Timeout
from ._types_values import Seconds

#: How long a call waits for its answer, in seconds: longer than a restart of motiond takes.
TIMEOUT = 5.0
#: Bytes of the name of a client.
_NAME = 128


class Connecting:
    """A connection that is not made yet: `with` it for a `Client`, or `async with` it for an `AsyncClient`.

    Without a statement, `open()` returns the one, and `await` the other; close it yourself then.
    """

    def __init__(
        self,
        place: str | None,
        name: str,
        timeout: float,
        key: str | None,
        server_key: str | None,
        outcomes: bool,
    ) -> None:
        self._place = place
        self._name = name
        self._timeout = timeout
        self._key = key
        self._server_key = server_key
        self._outcomes = outcomes
        self._opened: Client | AsyncClient | None = None

    def open(self) -> Client:
        """Connects, and returns the client."""
        return Client(run_blocking(self._connect()))

    def __await__(self) -> Generator[Any, Any, AsyncClient]:
        return self._open_async().__await__()

    def __enter__(self) -> Client:
        client = self.open()
        self._opened = client
        return client

    def __exit__(self, *_: object) -> None:
        if self._opened is not None:
            self._opened.close()

    async def __aenter__(self) -> AsyncClient:
        client = await self._open_async()
        self._opened = client
        return client

    async def __aexit__(self, *_: object) -> None:
        if self._opened is not None:
            self._opened.close()

    async def _open_async(self) -> AsyncClient:
        return AsyncClient(await run_asyncio(self._connect()))

    async def _connect(self) -> Core:
        place = self._place or ""
        is_remote = "://" in place
        if is_remote:
            if not place.startswith("tcp://"):
                raise MotionError(
                    f"{place[:100]!r} is no address of a motiond",
                    "Give one such as tcp://stage:5570, or the runtime directory of a motiond on this machine.",
                    code="address",
                )
            if self._key is None or self._server_key is None:
                raise MotionError(
                    "a motiond on another machine needs keys",
                    "Give key, the file of your own pair (motionctl key new NAME), and server_key, its public key.",
                    code="key",
                )
            control, values = remote_doors(place, self._key, self._server_key)
            arguments = ["--connect", place, "--key", self._key, "--server-key", self._server_key]
        else:
            control, directory = local_door(self._place, os.environ)
            values, arguments = None, ["--runtime-dir", os.fspath(directory)]
        link = Link(control, values, self._name, arguments)
        core = Core(link, self._timeout, outcomes=self._outcomes)
        try:
            await core.start()
        except BaseException as error:
            link.close()
            if is_remote and isinstance(error, Timeout) and control.keys is not None:
                key = control.keys.public.decode()
                raise Timeout(
                    f"no motiond at {self._place} answered the greeting in time",
                    "Check that it runs with --listen, that the server key is its own, and that its log does not "
                    f"report that the key {key} was refused. Its file of authorized keys needs the line: "
                    f"client {key} NAME",
                ) from error
            raise
        return core


def connect(
    place: str | os.PathLike[str] | None = None,
    *,
    name: str | None = None,
    timeout: Seconds = TIMEOUT,
    key: str | os.PathLike[str] | None = None,
    server_key: str | os.PathLike[str] | None = None,
    outcomes: bool = True,
) -> Connecting:
    """Connects to motiond.

        with motiond.connect() as m:            # blocking
        async with motiond.connect() as m:      # asyncio
        m = motiond.connect().open()            # in a notebook

    `place` is the runtime directory of a motiond of this machine; without it, `MOTIOND_RUNTIME_DIR`, then
    `XDG_RUNTIME_DIR/motiond` and `/run/motiond` are tried. Or it is the address of another machine,
    `tcp://HOST:PORT`, with `key`, the file of the client's pair of keys, and `server_key`, motiond's public key or
    its file.

    `name` is the client's name for itself, which motiond stores with its plans: that of the program if it is left out.
    `timeout` is how long a call waits for its answer, in seconds. Without `outcomes` the client does not receive how
    plans ended, and receipts cannot be waited for: for clients that only watch.

    Raises, when the connection is made, `Unreachable` at once if no motiond listens, `Timeout` if it does not answer,
    and `Refusal` if the versions do not fit.
    """
    name = Path(sys.argv[0] if sys.argv and sys.argv[0] else "python").name if name is None else name
    return Connecting(
        None if place is None else file_of(place, "place"),
        text_of(name, "name", _NAME),
        timeout_of(timeout),
        None if key is None else file_of(key, "key"),
        None if server_key is None else file_of(server_key, "server_key"),
        flag_of(outcomes, "outcomes"),
    )
