"""Clients and watches that are closed, dropped or left to the end of the process leave nothing behind."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import threading
from contextlib import suppress

import pytest
from daemon import Daemon, wait_until

import motiond
from motiond import Outcome, plans, spring, tween


def _threads() -> int:
    return sum(thread.name == "motiond" for thread in threading.enumerate())


def test_a_client_that_is_dropped_ends_its_thread(daemon: Daemon) -> None:
    before = _threads()
    for _ in range(3):
        client = motiond.connect(daemon.runtime).open()
        frames = client.watch("ball")
        _ = client.commit(spring("ball.x", 1))
        _ = next(frames)
        del client, frames
    _ = gc.collect()
    wait_until(lambda: _threads() == before)


def test_a_watch_that_is_dropped_ends_its_subscription(client: motiond.Client) -> None:
    frames = client.watch("dropped")
    _ = client.commit(plans.Wave("dropped", property="x", offset=0, amplitude=1, named="w"))
    _ = next(frames)
    assert len(client.core.link._thread._channels) == 3
    del frames
    _ = gc.collect()
    wait_until(lambda: len(client.core.link._thread._channels) == 2)
    for frame in client.watch("dropped"):
        assert frame
        break
    _ = gc.collect()
    wait_until(lambda: len(client.core.link._thread._channels) == 2)


def test_closing_a_watch_ends_the_iteration_of_both_faces(daemon: Daemon, client: motiond.Client) -> None:
    frames = client.watch("nothing")
    with frames:
        timer = threading.Timer(0.05, frames.close)
        timer.start()
        assert list(frames) == []
    assert list(frames) == []

    async def run() -> None:
        async with motiond.connect(daemon.runtime) as m, m.watch("nothing") as others:
            asyncio.get_running_loop().call_later(0.05, others.close)
            assert [frame async for frame in others] == []

    asyncio.run(run())


def test_a_wait_for_a_frame_of_a_closed_watch_is_an_error(daemon: Daemon, client: motiond.Client) -> None:
    watch = client.watch("nothing")
    watch.close()
    with pytest.raises(motiond.Closed, match="the watch is closed. Watch again."):
        _ = watch.next()
    watch = client.watch("nothing")
    closer = threading.Timer(0.05, watch.close)
    closer.start()
    with pytest.raises(motiond.Closed, match="the watch is closed"):
        _ = watch.next(timeout=60)
    assert list(watch) == []

    async def wait() -> None:
        async with motiond.connect(daemon.runtime) as m:
            frames = m.watch("nothing")
            frames.close()
            with pytest.raises(motiond.Closed):
                _ = await frames.next()

    asyncio.run(wait())


def test_a_group_can_be_watched_once_it_is_committed(client: motiond.Client) -> None:
    for number in range(5):
        _ = client.commit(motiond.group(f"g{number}", f"left{number}", f"right{number}"))
        with client.watch(f"@g{number}") as watch:
            _ = client.commit(spring(f"right{number}.x", 1.0))
            assert watch.next(timeout=20)[f"right{number}.x"].value.size == 1
    _ = client.commit_all([motiond.group("all", "left0", "right0")])
    client.watch("@all").ready(timeout=20)
    client.pause()
    _ = client.commit(motiond.group("later", "left1"))
    with pytest.raises(motiond.PlanError, match="there is no group 'later'"):
        client.watch("@later").ready(timeout=20)
    client.resume()


def test_a_wait_for_a_frame_has_a_timeout_and_loses_nothing(client: motiond.Client) -> None:
    with client.watch("late") as frames:
        with pytest.raises(motiond.Timeout):
            _ = frames.next(timeout=0.05)
        _ = client.commit(spring("late.x", 1))
        assert "late.x" in frames.next(timeout=20)


def test_one_client_serves_several_loops_and_threads(daemon: Daemon) -> None:
    client = asyncio.run(_opened(daemon))

    async def use(name: str) -> None:
        for step in range(10):
            _ = await client.commit(spring(f"{name}.x", step))

    async def both() -> None:
        _ = await asyncio.gather(use("loop1"), use("loop2"))

    threads = [threading.Thread(target=asyncio.run, args=(both(),)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()
    client.close()


async def _opened(daemon: Daemon) -> motiond.AsyncClient:
    return await motiond.connect(daemon.runtime)


@pytest.mark.parametrize("end", ["", "raise SystemExit(0)", "import gc; m.watch('x')"])
def test_a_process_ends_although_it_closes_nothing(daemon: Daemon, end: str) -> None:
    program = (
        "import motiond\n"
        f"m = motiond.connect({str(daemon.runtime)!r}).open()\n"
        "w = m.watch('ball'); m.commit(motiond.spring('ball.x', 1)); next(w)\n" + end
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_interrupt_ends_a_wait(daemon: Daemon) -> None:
    program = (
        "import faulthandler, motiond, os, signal, threading\n"
        "faulthandler.dump_traceback_later(20)\n"
        # A shell lets what it starts in the background ignore interrupts.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"with motiond.connect({str(daemon.runtime)!r}) as m:\n"
        "    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "    try: next(m.watch('nothing'))\n"
        "    except KeyboardInterrupt: print(m.status().epoch)\n"
    )
    try:
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    except subprocess.TimeoutExpired as hang:
        pytest.fail(f"it hangs: {hang.stderr}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


def test_a_removed_plan_has_its_place_and_is_looked_for_before_the_timeout(client: motiond.Client) -> None:
    wave = plans.Wave("lamp2", property="level", offset=0.5, amplitude=0.5, named="pulse")
    receipt = client.commit(wave, tween("ball7.x", 1, 0.01))
    wait_until(lambda: len(receipt.ended) == 1)
    _ = client.commit(motiond.remove("pulse", "lamp2"))
    wait_until(lambda: not client.intentions("lamp2"))
    conversation = client.core.link._control.conversation
    before = conversation._last_number
    with suppress(motiond.Timeout):  # A busy machine may answer later.
        _ = receipt.settled(timeout=0.5)
    assert conversation._last_number > before
    ends = receipt.settled(timeout=20)
    assert [(end.outcome, end.target, end.type, end.name, end.operation) for end in ends] == [
        (Outcome.REMOVED, "lamp2", "Wave", "pulse", 0),
        (Outcome.COMPLETED, "ball7", "Tween", None, 1),
    ]
