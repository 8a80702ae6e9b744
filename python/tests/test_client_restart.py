"""A client and a motiond that is killed and started again, in random order with everything else that a client does."""

from __future__ import annotations

import asyncio
import random
import threading
import time
import uuid

import pytest
from daemon import Daemon, wait_until

import motiond
from motiond import Outcome, plans, spring


def test_nothing_acknowledged_is_lost_and_each_id_is_applied_once(seeded: random.Random) -> None:
    """Commits, watches, cancellations and restarts of motiond in random order.

    Each commit adds one standing plan of a name of its own, so that the plans tell in the end what was applied.
    """

    async def run(daemon: Daemon) -> None:
        acknowledged: dict[str, int] = {}
        unknown: dict[str, tuple[uuid.UUID, motiond.Plan]] = {}
        count = restarts = frames_seen = 0

        async with motiond.connect(daemon.runtime, timeout=20) as m:

            async def commit(name: str, id: uuid.UUID, plan: motiond.Plan) -> None:
                unknown[name] = (id, plan)
                receipt = await m.commit(plan, id=id)
                acknowledged[name] = receipt.sequence
                _ = unknown.pop(name, None)

            async def watch(every: bool) -> None:
                nonlocal frames_seen
                last = (0, 0)
                async with m.watch("target*", every=every) as frames:
                    async for frame in frames:
                        assert (frame.epoch, frame.number) >= last, "frames go back"
                        last = (frame.epoch, frame.number)
                        frames_seen += 1

            tasks: list[asyncio.Task[None]] = []
            watches: list[asyncio.Task[None]] = []
            for _ in range(150):
                event = seeded.random()
                if event < 0.6:
                    for _ in range(seeded.choice([1, 1, 5, 30])):
                        count += 1
                        name = f"plan{count}"
                        target, property = f"target{count % 7}", f"p{count}"
                        plan = plans.AnchoredSpring(target, property=property, destination=count, named=name)
                        tasks.append(asyncio.ensure_future(commit(name, uuid.UUID(int=seeded.getrandbits(128)), plan)))
                elif event < 0.7 and tasks:
                    _ = seeded.choice(tasks).cancel()
                elif event < 0.8:
                    watches.append(asyncio.ensure_future(watch(seeded.random() < 0.5)))
                elif event < 0.85 and watches:
                    _ = watches.pop(seeded.randrange(len(watches))).cancel()
                elif event < 0.88 and restarts < 4:
                    restarts += 1
                    daemon.kill()
                    await asyncio.sleep(seeded.choice([0, 0.05]))
                    await asyncio.to_thread(daemon.start)
                else:
                    await asyncio.sleep(seeded.choice([0, 0.001, 0.05]))
            if not restarts:
                daemon.kill()
                await asyncio.to_thread(daemon.start)
            results = await asyncio.gather(*tasks, return_exceptions=True)
            errors = [result for result in results if isinstance(result, Exception)]
            assert not errors, errors[:3]
            # A commit whose await was cancelled has been sent, or never was: the same id gives the answer.
            for name, (id, plan) in list(unknown.items()):
                acknowledged[name] = (await m.commit(plan, id=id)).sequence

            _ = await m.commit(spring("last.x", 1))
            await m.watch("last").next(timeout=30)
            rows = await m.intentions()
            applied = [row.name for row in rows if row.intention.type == "AnchoredSpring"]
            assert len(applied) == len(set(applied)), "an id was applied twice"
            assert set(acknowledged) <= set(applied), "an acknowledged commit was lost"
            sequences = {row.name: row.identity.sequence for row in rows}
            assert all(sequences[name] == sequence for name, sequence in acknowledged.items())
            # Watches have outlived it all: they still follow.
            for task in watches:
                if task.done():
                    _ = task.result()
            before = frames_seen
            _ = await m.commit(spring("target0.more", 1))
            while watches and frames_seen == before:
                await asyncio.sleep(0.01)
            for task in watches:
                _ = task.cancel()
            _ = await asyncio.gather(*watches, return_exceptions=True)

    with Daemon() as daemon:
        asyncio.run(run(daemon))


def test_a_watch_outlives_a_restart_and_shows_the_values_of_the_new_motiond() -> None:
    with Daemon() as daemon, motiond.connect(daemon.runtime, timeout=20) as m:
        _ = m.commit(spring("ball.x", 7)).settled(timeout=20)
        with m.watch("ball") as frames:
            first = frames.next(timeout=20)
            daemon.restart()
            frame = first
            while frame.epoch == first.epoch:
                frame = frames.next(timeout=20)
            assert frame["ball.x"].number == 7
            _ = m.commit(spring("ball.x", 8))
            while frames.next(timeout=20)["ball.x"].number != 8:
                pass
        assert m.epoch == first.epoch + 1


def test_a_receipt_settles_although_motiond_was_restarted_meanwhile() -> None:
    with Daemon() as daemon, motiond.connect(daemon.runtime, timeout=20) as m:
        long = m.commit(plans.Tween("a", property="x", to=1, duration=0.5))
        late = m.commit(spring("b.x", 1), at=m.status().clock.time + 1)
        daemon.restart()
        assert long.settled(timeout=30)[0].outcome in (Outcome.COMPLETED, Outcome.UNKNOWN)
        assert late.settled(timeout=30)[0].outcome in (Outcome.COMPLETED, Outcome.UNKNOWN)
        assert [list(row.state.value) for row in m.properties("b")] == [[1]]


def test_a_call_waits_for_a_motiond_that_is_away_and_raises_when_its_time_is_over() -> None:
    with Daemon() as daemon, motiond.connect(daemon.runtime, timeout=20) as m:
        daemon.kill()
        begin = time.monotonic()
        try:
            _ = m.query(motiond.messages.Query(subject=8), timeout=0.3)
            raise AssertionError("nobody could answer")
        except motiond.Timeout:
            assert time.monotonic() - begin < 10
        daemon.start()
        assert m.status().epoch == 2


def test_watches_and_draws_begin_in_an_outage_that_made_a_greeting_fail() -> None:
    with Daemon() as daemon, motiond.connect(daemon.runtime, timeout=1) as m:
        daemon.kill()
        for _ in range(3):
            with pytest.raises(motiond.Timeout):
                _ = m.status()
        # Without requests the greeting is given up.
        wait_until(lambda: not m.core.link._control.conversation._is_greeted)
        begin = time.monotonic()
        with pytest.raises(motiond.Timeout):
            _ = m.watch("a").next(0.5)
        assert time.monotonic() - begin >= 0.5
        watch = m.watch("a", every=True)
        with pytest.raises(motiond.Timeout):
            _ = watch.next(0.01)
        daemon.start()
        # This client only watches: another one moves.
        with motiond.connect(daemon.runtime, timeout=20) as other:
            _ = other.commit(spring("a.x", 1))
        assert "a.x" in watch.next(20)
        wait_until(lambda: m.epoch == 2)
        assert m.draw("a.x", next=0.1).tracks


def test_a_wait_for_the_end_of_plans_outlives_an_outage_and_ends_at_its_own_timeout() -> None:
    with Daemon() as daemon, motiond.connect(daemon.runtime, timeout=0.3) as m:
        receipt = m.commit(plans.Tween("a", property="x", to=1, duration=0.5))
        daemon.kill()
        begin = time.monotonic()
        with pytest.raises(motiond.Timeout, match="have not ended"):
            _ = receipt.settled(1.5)
        assert 1.4 < time.monotonic() - begin < 4
        results: list[object] = []

        def wait() -> None:
            try:
                results.extend(receipt.settled())
            except BaseException as error:
                results.append(error)

        conversation = m.core.link._control.conversation
        before = conversation._last_number
        thread = threading.Thread(target=wait)
        thread.start()
        # Its queries get no answer: those that it sends end.
        wait_until(lambda: conversation._last_number > before and not conversation.has_requests)
        assert thread.is_alive()
        daemon.start()
        thread.join(60)
        assert isinstance(results[0], motiond.EndedPlan), results


def test_plans_while_connected_survive_a_restart_that_their_client_survives() -> None:
    with Daemon() as daemon, motiond.connect(daemon.runtime, timeout=20) as m:
        _ = m.commit(plans.Wave("a", property="x", offset=0, amplitude=1), while_connected=True)
        daemon.restart()
        with motiond.connect(daemon.runtime, timeout=20) as other:
            wait_until(lambda: other.status().uptime > 6)
            assert [row.intention.type for row in other.intentions("a")] == ["Wave"]
