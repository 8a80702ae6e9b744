"""A client and a real motiond: each operation has its effect, and each error its place."""

from __future__ import annotations

import asyncio
import os
import threading
import uuid

import numpy as np
import pytest
from daemon import Daemon, wait_until

import motiond
from motiond import Outcome, plans, spring, tween
from motiond import messages as pb


def test_a_spring_settles_at_its_destination_and_every_frame_shows_it(client: motiond.Client) -> None:
    with client.watch("ball1", every=True) as frames:
        receipt = client.commit(spring("ball1.position", (100, 50)))
        (end,) = receipt.settled(timeout=20)
        assert (end.outcome, end.target, end.type, end.operation) == (Outcome.COMPLETED, "ball1", "SpringTo", 0)
        numbers: list[int] = []
        while True:
            frame = frames.next(timeout=20)
            numbers.append(frame.number)
            if frame.number >= end.frame:
                break
        assert frame["ball1.position"].value.tolist() == [100, 50]
        assert frame["ball1/position"].velocity.tolist() == [0, 0]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert frame.values[frame.lanes_of("ball1.position")].tolist() == [100, 50]
        assert "ball1.position" in frame and "ball2.position" not in frame
        with pytest.raises(KeyError):
            _ = frame["ball1.nothing"]
        with pytest.raises(ValueError, match="read-only"):
            frame.values[0] = 1


def test_the_asyncio_face_does_the_same(daemon: Daemon) -> None:
    async def run() -> None:
        async with motiond.connect(daemon.runtime) as m, m.watch("ball2") as frames:
            receipt = await m.commit(spring("ball2.position", (1, 2)))
            assert [end.outcome for end in await receipt.settled(timeout=20)] == [Outcome.COMPLETED]
            async for frame in frames:
                if frame["ball2.position"].value.tolist() == [1, 2]:
                    break
        with pytest.raises(motiond.Closed):
            _ = await m.status()

    asyncio.run(run())


def test_both_faces_have_every_operation_of_the_core() -> None:
    from motiond._client_core import Core

    internal = {"start", "follow", "known_groups"}
    operations = {
        name
        for kind in Core.__mro__
        for name, member in vars(kind).items()
        if not name.startswith("_") and asyncio.iscoroutinefunction(member)
    } - internal
    for face in (motiond.Client, motiond.AsyncClient):
        assert operations <= set(dir(face)), operations - set(dir(face))
        for name in operations:
            assert getattr(face, name).__doc__, name


def test_a_refusal_names_operation_field_message_and_remedy(client: motiond.Client) -> None:
    with pytest.raises(motiond.Refusal) as caught:
        _ = client.commit(spring("ball3.position", (1, 2)), spring("ball3.position", 5))
    assert (caught.value.code, caught.value.operation) == ("lanes", 1)
    assert caught.value.message and caught.value.remedy and str(caught.value).startswith("operation 1")


def test_a_wrong_plan_is_rejected_where_it_is_made_with_field_and_remedy(client: motiond.Client) -> None:
    with pytest.raises(motiond.PlanError) as shape:
        _ = plans.SpringTo("ball", property="position", destination="there")  # pyright: ignore[reportArgumentType]
    assert shape.value.field == "destination" and shape.value.remedy
    with pytest.raises(motiond.PlanError) as unknown:
        _ = client.types.Tween("ball", property="x", too=1)
    assert unknown.value.field == "too" and "to" in unknown.value.remedy
    with pytest.raises(motiond.PlanError) as missing:
        _ = client.commit(client.types.Nonsense("ball"))
    assert missing.value.code == "unknown-type"
    with pytest.raises(motiond.PlanError, match="out of range"):
        _ = plans.Tween("ball", property="x", to=1, repeat=0.5)
    with pytest.raises(motiond.PlanError, match="exclude"):
        _ = spring("ball.position", 1, tension=3, bounce=0.5)


def test_a_commit_with_the_same_id_takes_effect_once(client: motiond.Client) -> None:
    id = uuid.uuid4()
    first = client.commit(spring("ball4.x", 1), id=id)
    again = client.commit(spring("ball4.x", 1), id=id)
    assert first.sequence == again.sequence and again.is_repeated and not first.is_repeated
    with pytest.raises(motiond.Refusal) as caught:
        _ = client.commit(spring("ball4.x", 2), id=id)
    assert caught.value.code == "id-reused"


def test_many_commits_are_applied_in_their_order_and_a_refusal_has_its_place(client: motiond.Client) -> None:
    wrong = spring("ball5.x", (1, 2))
    _ = client.commit(spring("ball5.x", 0)).settled(timeout=20)
    batch = [spring("ball5.x", i + 1) for i in range(300)]
    results = client.commit_all([*batch[:100], wrong, *batch[100:]])
    assert isinstance(results[100], motiond.Refusal)
    receipts = [result for result in results if isinstance(result, motiond.Receipt)]
    assert len(receipts) == 300
    sequences = [receipt.sequence for receipt in receipts]
    assert sequences == sorted(sequences)
    _ = receipts[-1].settled(timeout=20)
    (row,) = client.properties("ball5")
    assert list(row.state.value) == [300]
    assert receipts[0].settled(timeout=20)[0].outcome is Outcome.DISPLACED


def test_a_plan_that_is_removed_is_settled_too(client: motiond.Client) -> None:
    receipt = client.commit(plans.Wave("lamp1", property="level", offset=0.5, amplitude=0.5, named="pulse"))
    with pytest.raises(motiond.Timeout):
        _ = receipt.settled(timeout=0.1)
    _ = client.commit(motiond.remove("pulse", "lamp1"))
    assert [end.outcome for end in receipt.settled(timeout=20)] == [Outcome.REMOVED]


def test_at_waits_for_its_time_and_can_be_cancelled(client: motiond.Client) -> None:
    now = client.status().clock.time
    receipt = client.commit(tween("ball6.x", 1, 0.01), at=now + 1000)
    assert receipt.at == now + 1000 and receipt.frame is None
    assert receipt.sequence in [row.sequence for row in client.waiting()]
    _ = receipt.cancel()
    assert [end.outcome for end in receipt.settled(timeout=20)] == [Outcome.REMOVED]
    with pytest.raises(motiond.Refusal) as caught:
        _ = receipt.cancel()
    assert caught.value.code == "not-found"
    late = client.commit(spring("ball6.x", 1), at=max(0, now - 5))
    assert late.overdue is not None and late.overdue > 0


def test_selectors_groups_spreads_scenes_and_limits(client: motiond.Client) -> None:
    names = [f"wall{i}" for i in range(1, 5)]
    _ = client.commit(motiond.group("front", *names), *[spring(f"{name}.level", 0) for name in names]).settled(
        timeout=20
    )
    assert {row.name: list(row.members) for row in client.groups()}["front"] == names
    receipt = client.commit(spring("@front.level", motiond.spread(0, 3)).staggered(0.01))
    assert receipt.message.addressed[0].targets == 4
    assert len(receipt.settled(timeout=20)) == 4
    values = {row.property.target: row.state.value[0] for row in client.properties() if row.property.target in names}
    assert [values[name] for name in names] == [0, 1, 2, 3]
    _ = client.commit(motiond.scene("dusk", "@front"))
    _ = client.commit(spring("wall{1..4}.level", 9)).settled(timeout=20)
    _ = client.commit(motiond.recall("dusk", 0.05)).settled(timeout=20)
    with client.watch("@front.level") as frames:
        assert frames.next(timeout=20).values.tolist() == pytest.approx([0, 1, 2, 3])
    _ = client.commit(motiond.limit("wall1.level", lower=0, upper=1, velocity=2))
    wait_until(lambda: list(client.properties("wall1")[0].limits.upper) == [1])
    assert list(client.properties("wall1")[0].limits.velocity) == [2]
    _ = client.commit(motiond.forget("wall*"), motiond.group("front"), motiond.scene("dusk"))
    wait_until(lambda: not [row for row in client.targets() if row.target.startswith("wall")])


def test_cues_go_back_and_forth(client: motiond.Client) -> None:
    show = motiond.cues(
        "main",
        motiond.cue("1", spring("cue1.level", 1)),
        motiond.cue("2", spring("cue1.level", 2), follow=3),
        timeline=None,
    )
    _ = client.commit(show)
    receipt = client.commit(motiond.go())
    assert receipt.message.cues[0].current == "1" and receipt.message.cues[0].next == "2"
    _ = client.commit(motiond.goto("2"))
    wait_until(lambda: client.cue_lists("main")[0].current == "2")
    assert [cue.name for cue in client.cue_lists("main")[0].content.cues] == ["1", "2"]
    _ = client.commit(motiond.back())
    _ = client.commit(motiond.halt())
    wait_until(lambda: client.cue_lists()[0].current == "1")
    _ = client.commit(motiond.cues("main"))
    wait_until(lambda: client.cue_lists() == [])


def test_the_clock_pauses_steps_changes_speed_holds_and_releases(client: motiond.Client) -> None:
    assert client.pause().paused
    _ = client.commit(tween("ball7.x", 1, 10, start=0))
    before = client.status().frame.number
    _ = client.step(5)
    assert client.status().frame.number == before + 5
    assert not client.resume().paused
    assert client.speed(2).speed == 2
    assert client.speed(1).speed == 1
    assert client.hold(refuse=True).hold.refuse
    with pytest.raises(motiond.Refusal) as caught:
        _ = client.commit(spring("ball7.x", 1))
    assert caught.value.code == "held"
    assert not client.release().HasField("hold")


def test_pointers_drag_and_values_are_followed(client: motiond.Client) -> None:
    _ = client.commit(plans.Draggable("drag1", slop=0, named="drag"), spring("drag1.position", (0, 0)))

    def is_ready() -> bool:
        workers = [worker for row in client.plugins() for worker in row.workers if worker.address.plugin == "gesture"]
        return any(worker.state == pb.WorkerRow.STATE_READY for worker in workers)

    wait_until(is_ready)
    _ = client.point("drag1", [motiond.pointer_down(0, 0)])
    _ = client.point("drag1", [motiond.pointer_move(10 * step, 0) for step in range(1, 11)])
    with client.watch("drag1.position") as frames:
        while frames.next(timeout=20)["drag1.position"].value[0] != 100:
            pass
    _ = client.point("drag1", [motiond.pointer_cancel()])
    _ = client.commit(motiond.follow("fader1.level", "python.fader", mode="direct"))
    _ = client.send_values({"python.fader": 0.75})
    assert [row.lanes[0] for row in client.inputs() if row.name == "python.fader"] == [0.75]
    for step in range(100):
        client.stream_values({"python.fader": step / 100})
    with client.watch("fader1.level") as frames:
        while frames.next(timeout=20)["fader1.level"].number != 0.99:
            pass
    _ = client.send_values({"python.fader": None})
    assert not [row for row in client.inputs() if row.name == "python.fader"]


def test_queries_have_their_rows(client: motiond.Client) -> None:
    _ = client.commit(plans.Wave("query1", property="level", offset=0, amplitude=1, named="w"), comment="a reason")
    wait_until(lambda: "query1" in [row.target for row in client.targets()])
    assert "query1" in [row.target for row in client.targets()]
    explanation = client.why("query1.level")
    assert explanation.plan.provenance.comment == "a reason" and explanation.plan.provenance.client.name == "test"
    assert [row.intention.type for row in client.intentions("query1")] == ["Wave"]
    assert client.executors("query1")[0].key.type
    assert client.tokens() == []
    assert {"tween", "gesture"} <= {row.name for row in client.plugins()}
    assert "Wave" in [row.type for row in client.descriptions()]
    assert client.descriptions("Wave")[0].type == "Wave"
    assert "query1" in [node.target.target for node in client.graph("query1").nodes]
    assert "test" in [row.client.name for row in client.clients()]
    assert client.snapshot().checkpoint.IsInitialized()
    assert client.status().version == motiond.__version__
    assert client.moment is not None and client.epoch == client.status().epoch
    with pytest.raises(motiond.Refusal, match="query9"):
        _ = client.properties("query9")
    _ = client.stop("query1")


def test_history_is_listed_and_read(client: motiond.Client) -> None:
    _ = client.commit(spring("history1.x", 1)).settled(timeout=20)
    segments = client.history().segments
    assert segments
    content = client.history_segment(segments[-1].number)
    assert content.startswith(b"\x89MCAP")
    _ = client.erase_history()


def test_watches_follow_patterns_properties_and_targets_that_come_later(client: motiond.Client) -> None:
    with client.watch("row?.level", "row{7..9}", velocities=False) as frames:
        _ = client.commit(*[spring(f"row{i}.level", i) for i in range(1, 4)], spring("row8.other", 8)).settled(
            timeout=20
        )
        while True:
            frame = frames.next(timeout=20)
            if len(frame) == 4 and frame["row3.level"].number == 3 and frame["row8.other"].number == 8:
                break
        assert sorted(frame) == ["row1.level", "row2.level", "row3.level", "row8.other"]
        assert not frame.velocities.any()
        _ = client.commit(motiond.forget("row2"), spring("row1.level", 5))
        while "row2.level" in (frame := frames.next(timeout=20)):
            pass
        assert frame["row3.level"].number == 3
        assert frame["row1.level"].number != 0


def test_a_commit_goes_on_when_its_await_is_cancelled(daemon: Daemon) -> None:
    async def run() -> None:
        async with motiond.connect(daemon.runtime) as m:
            id = uuid.uuid4()
            task = asyncio.ensure_future(m.commit(spring("cancel1.x", 1), id=id))
            await asyncio.sleep(0)
            _ = task.cancel()
            with pytest.raises(asyncio.CancelledError):
                _ = await task
            frame = await m.watch("cancel1").next(timeout=20)
            assert "cancel1.x" in frame
            assert (await m.commit(spring("cancel1.x", 1), id=id)).is_repeated

    asyncio.run(run())


def test_a_cancelled_wait_for_a_frame_loses_none(daemon: Daemon) -> None:
    async def run() -> None:
        async with motiond.connect(daemon.runtime) as m, m.watch("cancel2", every=True) as frames:
            waiting = asyncio.ensure_future(frames.next())
            await asyncio.sleep(0.01)
            _ = waiting.cancel()
            receipt = await m.commit(spring("cancel2.x", 1))
            (end,) = await receipt.settled(timeout=20)
            first = await frames.next(timeout=20)
            numbers = [first.number]
            while numbers[-1] < end.frame:
                numbers.append((await frames.next(timeout=20)).number)
            assert first.number == receipt.frame
            assert numbers == list(range(numbers[0], end.frame + 1))

    asyncio.run(run())


def test_several_threads_share_a_client(client: motiond.Client) -> None:
    errors: list[BaseException] = []

    def work(index: int) -> None:
        try:
            for step in range(20):
                _ = client.commit(spring(f"thread{index}.x", step))
                assert client.status().epoch
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def test_a_client_is_refused_after_a_fork(client: motiond.Client) -> None:
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            _ = client.status()
            answer = b"no error"
        except motiond.Forked as error:
            answer = str(error).encode()
        except BaseException as error:
            answer = repr(error).encode()
        _ = os.write(write, answer)
        os._exit(0)
    os.close(write)
    answer = os.read(read, 1000)
    os.close(read)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert b"before a fork" in answer
    assert client.status().epoch


def test_a_closed_client_says_so_and_ends_those_that_wait(daemon: Daemon) -> None:
    client = motiond.connect(daemon.runtime).open()
    frames = client.watch("nothing")
    errors: list[BaseException] = []

    def wait() -> None:
        try:
            _ = next(frames)
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    client.close()
    thread.join(20)
    assert not thread.is_alive() and isinstance(errors[0], motiond.Closed)
    with pytest.raises(motiond.Closed):
        _ = client.status()
    client.close()


def test_no_motiond_is_an_error_at_once(tmp_path: object) -> None:
    with pytest.raises(motiond.Unreachable, match="no such socket"):
        _ = motiond.connect(str(tmp_path)).open()


def test_plans_that_hold_while_connected_end_with_the_client(client: motiond.Client, daemon: Daemon) -> None:
    with motiond.connect(daemon.runtime) as other:
        wave = plans.Wave("alive1", property="x", offset=0, amplitude=1)
        receipt = other.commit(wave, while_connected=True)
        assert [row.transactions for row in client.clients() if row.transactions] == [1]
        assert np.isfinite(receipt.sequence)
        # It sends signs of life: after more than the 3 s of a silent client the plan is still there.
        silent = client.status().uptime + 4
        wait_until(lambda: client.status().uptime > silent)
        assert client.intentions("alive1")
    wait_until(lambda: not client.intentions("alive1"))
