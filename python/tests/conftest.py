"""Fixtures of all tests."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator

import pytest
from daemon import Daemon

import motiond

# A test run that is terminated ends as one that is interrupted: with what it has started.
_ = signal.signal(signal.SIGTERM, signal.default_int_handler)


@pytest.fixture
def seeded(request: pytest.FixtureRequest) -> random.Random:
    """A source of random numbers whose seed is printed; MOTION_SEED repeats one."""
    seed = int(os.environ.get("MOTION_SEED") or random.SystemRandom().randrange(2**32))
    print(f"{request.node.name}: seed {seed} (repeat with MOTION_SEED={seed})")
    return random.Random(seed)


@pytest.fixture(scope="module")
def daemon() -> Iterator[Daemon]:
    """A motiond for the tests of a module."""
    with Daemon() as daemon:
        yield daemon


@pytest.fixture
def client(daemon: Daemon) -> Iterator[motiond.Client]:
    """A client of it; everything is stopped before."""
    with motiond.connect(daemon.runtime, name="test") as client:
        client.stop(outputs=True)
        yield client
