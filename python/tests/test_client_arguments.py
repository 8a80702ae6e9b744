"""Wrong arguments: each raises `PlanError` with the argument and a remedy, before anything is sent."""

from __future__ import annotations

import asyncio
import math
import time
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from daemon import Daemon

import motiond
from motiond import cue, cues, drawing, messages, plans, pointer_down, recording, spring
from motiond._client_queries import Queries
from motiond._values_frame import Frame
from motiond._values_state import Layout

NAN = math.nan
#: A number that no float holds, and a time of numpy, which counts as a whole number there.
HUGE, HALF = 10**400, np.timedelta64(500, "ms")
FRAME = Frame(Layout(), np.zeros(0), np.zeros(0), np.zeros(0, np.bool_), np.zeros(0, np.uint64), (1, 0.0, 0.0, 1), 0)


def wrong(value: object) -> Any:
    """A value that the types forbid."""
    return value


PLANS: list[tuple[Callable[[], object], str | None]] = [
    (lambda: spring(wrong(3), 1), "property"),
    (lambda: spring("a.b", 1, after=wrong("x")), "after"),
    (lambda: spring("a.b", 1, after=NAN), "after"),
    (lambda: spring("a.b", 1, named=wrong(5)), "named"),
    (lambda: spring("a.b", 1, named=""), "named"),
    (lambda: spring("a.b", 1, named="a\nb"), "named"),
    (lambda: spring("a.b", 1, priority=wrong("high")), "priority"),
    (lambda: spring("a.b", 1, priority=wrong(0.5)), "priority"),
    (lambda: spring("a.b", 1, priority=True), "priority"),
    (lambda: spring("\ud800.x", 1), "target"),
    (lambda: spring("\ud800*.x", 1), "target"),
    (lambda: spring("a b.x", 1), "target"),
    (lambda: spring("a.\ud800", 1), "property"),
    (lambda: spring("a.b c", 1), "property"),
    (lambda: spring("lamp*.x", 1).staggered(wrong("x")), "stagger"),
    (lambda: spring("lamp*.x", 1).staggered(1, by=wrong(5)), "by"),
    (lambda: plans.SpringTo(wrong(5), property="x", destination=1), "target"),
    (lambda: plans.SpringTo("", property="x", destination=1), "target"),
    (lambda: plans.Tween("a", property="x", to=1, easing="\ud800"), "easing"),
    (lambda: spring("a.b", wrong(b"ab")), "destination"),
    (lambda: motiond.Plan("Tween", "a", wrong(5)), "fields"),
    (lambda: motiond.Plan(wrong(5), "a", {}), "type"),
    (lambda: cues("c", wrong(spring("x.y", 1))), "cues"),
    (lambda: cues("c d"), "name"),
    (lambda: cue("1", wrong([spring("x.y", 1)])), None),
    (lambda: cue(wrong(1)), "name"),
    (lambda: cue("1", at=NAN), "at"),
    (lambda: cue("1", wait=wrong("x")), "wait"),
    (lambda: motiond.remove(wrong(5), "ball"), "name"),
    (lambda: motiond.remove("x", ""), "target"),
    (lambda: motiond.remove_plan(wrong(5), "ball"), "identity"),
    (lambda: motiond.forget(wrong(None)), "target"),
    (lambda: motiond.limit("a.x", velocity=wrong("fast")), "velocity"),
    (lambda: motiond.limit("a.x", velocity=NAN), "velocity"),
    (lambda: motiond.limit("a.x", none=wrong("yes")), "none"),
    (lambda: motiond.limit("a.x", on_lost=wrong(5)), "on_lost"),
    (lambda: motiond.limit(wrong(5)), "property"),
    (lambda: motiond.group(wrong(5)), "name"),
    (lambda: motiond.group("g", wrong(5)), "members"),
    (lambda: motiond.scene("a b"), "name"),
    (lambda: motiond.scene("a", wrong(["b"])), "target"),
    (lambda: motiond.recall("a", wrong("x")), "seconds"),
    (lambda: motiond.go(wrong(5)), "cues"),
    (lambda: motiond.goto(wrong(5)), "cue"),
    (lambda: pointer_down(0, 0, pointer=-1), "pointer"),
    (lambda: pointer_down(NAN, 0), "x"),
    (lambda: pointer_down(0, wrong("y")), "y"),
    (lambda: pointer_down(0, 0, time=NAN), "time"),
    (lambda: motiond.connect(timeout=-1), "timeout"),
    (lambda: motiond.connect(name=wrong(5)), "name"),
    (lambda: motiond.connect(wrong(5)), "place"),
    (lambda: motiond.connect("/run/\0"), "place"),
    (lambda: motiond.connect("\ud800"), "place"),
    (lambda: motiond.connect("tcp://stage:5570", key=wrong(5), server_key="x"), "key"),
    (lambda: motiond.connect("tcp://stage:5570", key="x", server_key=wrong(6)), "server_key"),
    (lambda: motiond.connect(outcomes=wrong(np.zeros(2))), "outcomes"),
    (lambda: motiond.connect(timeout=HUGE), "timeout"),
    (lambda: motiond.connect(timeout=wrong(np.array([1, 2]))), "timeout"),
    (lambda: motiond.tween("a.x", 1, wrong(HALF)), "duration"),
    (lambda: motiond.tween("a.x", wrong(HALF), 1), "to"),
    (lambda: motiond.tween("a.x", wrong([HALF, HALF]), 1), "to"),
    (lambda: spring("a.x", wrong(np.complex64(1))), "destination"),
    (lambda: spring("a.x", 1, after=wrong(HALF)), "after"),
    (lambda: spring("a.x", 1, after=HUGE), "after"),
    (lambda: spring("a.x", 1, priority=wrong(HALF)), "priority"),
    (lambda: motiond.limit("a.x", velocity=HUGE), "velocity"),
    (lambda: motiond.limit("a.x", velocity=wrong(HALF)), "velocity"),
    (lambda: pointer_down(HUGE, 0), "x"),
    (lambda: cue("1", wait=HUGE), "wait"),
    (lambda: cue("1", at=HUGE), "at"),
    (lambda: FRAME[wrong(5)], "name"),
    (lambda: FRAME[wrong([1])], "name"),
    (lambda: FRAME.lanes_of(wrong(5)), "name"),
    (lambda: drawing.draw(wrong([1, 2])), "frames"),
    (lambda: drawing.draw(wrong(5)), "frames"),
    (lambda: drawing.draw([FRAME])[wrong(5)], "name"),
    (lambda: drawing.draw([FRAME]).to_numpy(wrong(5)), "name"),
    (lambda: drawing.draw([FRAME]).save(wrong(5)), "path"),
    (lambda: recording.read(wrong(5)), "source"),
    (lambda: recording.read_values(wrong(5)), "source"),
]


@pytest.mark.parametrize(("make", "field"), PLANS)
def test_a_wrong_plan_has_a_field_and_a_remedy(make: Callable[[], object], field: str | None) -> None:
    with pytest.raises(motiond.PlanError) as caught:
        _ = make()
    assert caught.value.field == field and caught.value.remedy and caught.value.message
    assert caught.value.operation is None
    _ = str(caught.value).encode()


CALLS: list[tuple[Callable[[motiond.Client], object], str | None]] = [
    (lambda m: m.commit(spring("a.b", 1), id=wrong("abc")), "id"),
    (lambda m: m.commit(spring("a.b", 1), id=uuid.UUID(int=0)), "id"),
    (lambda m: m.commit(spring("a.b", 1), comment=wrong(5)), "comment"),
    (lambda m: m.commit(spring("a.b", 1), comment="x" * 257), "comment"),
    (lambda m: m.commit(spring("a.b", 1), timeout=wrong("x")), "timeout"),
    (lambda m: m.commit(spring("a.b", 1), timeout=-1), "timeout"),
    (lambda m: m.commit(spring("a.b", 1), timeout=NAN), "timeout"),
    (lambda m: m.commit(spring("a.b", 1), at=NAN), "at"),
    (lambda m: m.commit(spring("a.b", 1), at=wrong("now")), "at"),
    (lambda m: m.commit(spring("a.b", 1), while_connected=wrong("yes")), "while_connected"),
    (lambda m: m.commit_all(wrong(5)), None),
    (lambda m: m.commit_all(wrong(spring("a.b", 1))), None),
    (lambda m: m.commit_all(wrong(np.array(3.0))), None),
    (lambda m: m.commit(spring("a.b", 1), at=HUGE), "at"),
    (lambda m: m.status(timeout=wrong(np.array([1, 2]))), "timeout"),
    (lambda m: m.status(timeout=wrong(HALF)), "timeout"),
    (lambda m: m.speed(HUGE), "speed"),
    (lambda m: m.step(wrong(HALF)), "frames"),
    (lambda m: m.query(wrong(5)), "query"),
    (lambda m: m.ask(wrong("status")), "body"),
    (lambda m: m.step(-1), "frames"),
    (lambda m: m.step(0), "frames"),
    (lambda m: m.step(wrong(1.5)), "frames"),
    (lambda m: m.cancel(-1), "sequence"),
    (lambda m: m.speed(wrong("fast")), "speed"),
    (lambda m: m.speed(NAN), "speed"),
    (lambda m: m.stop(wrong(["a"])), "target"),
    (lambda m: m.stop(outputs=wrong("x")), "outputs"),
    (lambda m: m.hold(refuse=wrong("x")), "refuse"),
    (lambda m: m.restart(wrong(5)), "plugin"),
    (lambda m: m.record(wrong(5)), "path"),
    (lambda m: m.point("a", wrong(pointer_down(0, 0))), "events"),
    (lambda m: m.point("a", wrong([5])), "events"),
    (lambda m: m.point("a", [pointer_down(0, 0)], device=""), "device"),
    (lambda m: m.send_values({"a": wrong("x")}), "a"),
    (lambda m: m.send_values({"a": NAN}), "a"),
    (lambda m: m.send_values({"a": [1, 2, 3, 4, 5]}), "a"),
    (lambda m: m.send_values({wrong(5): 1}), "values"),
    (lambda m: m.send_values(wrong("x")), "values"),
    (lambda m: m.send_values({"a": 1}, hold=wrong("x")), "hold"),
    (lambda m: m.stream_values({"a": 1}, time=wrong("x")), "time"),
    (lambda m: m.status(timeout=-1), "timeout"),
    (lambda m: m.properties(wrong(5)), "target"),
    (lambda m: m.why(wrong(5)), "property"),
    (lambda m: m.history_segment(-1), "segment"),
    (lambda m: m.watch(wrong(5)).next(1), "places"),
    (lambda m: m.watch("a").next(-1), "timeout"),
    (lambda m: m.watch("a").ready(NAN), "timeout"),
    (lambda m: m.watch("a", every=wrong("x")), "every"),
    (lambda m: setattr(m, "timeout", -1), "timeout"),
]


@pytest.mark.parametrize(("call", "field"), CALLS)
def test_a_wrong_call_has_a_field_and_a_remedy(
    client: motiond.Client, call: Callable[[motiond.Client], object], field: str | None
) -> None:
    with pytest.raises(motiond.PlanError) as caught:
        _ = call(client)
    assert caught.value.field == field and caught.value.remedy and caught.value.code in ("value", "name", "limit")
    assert caught.value.operation is None


def test_what_is_no_plan_has_its_index_and_the_right_call(client: motiond.Client) -> None:
    plan = spring("b.x", 1)
    for steps, index in ((([plan],), 0), (("hello",), 0), ((None,), 0), ((plan, [plan]), 1)):
        with pytest.raises(motiond.PlanError, match=r"commit\(a, b\), or commit\(\*plans\)") as caught:
            _ = client.commit(*wrong(steps))
        assert caught.value.operation == index and f"operation {index}: " in str(caught.value)
    with pytest.raises(motiond.PlanError) as several:
        _ = client.commit_all([plan, [plan, wrong(5)]])
    assert (several.value.transaction, several.value.operation) == (1, 1)
    assert str(several.value).startswith("transaction 1, operation 1: 5 is neither")
    with pytest.raises(motiond.PlanError) as none:
        _ = client.commit_all([plan, wrong(None)])
    assert (none.value.transaction, none.value.operation) == (1, None)


def test_a_wrong_plan_of_a_transaction_has_its_index_and_nothing_is_sent(client: motiond.Client) -> None:
    sequence = client.commit(spring("index.x", 1)).sequence
    unchecked = motiond.Plan("Tween", "index", {"property": "x", "too": 1})
    with pytest.raises(motiond.PlanError) as caught:
        _ = client.commit(spring("index.x", 1), unchecked)
    assert (caught.value.operation, caught.value.field, caught.value.code) == (1, "too", "unknown-field")
    with pytest.raises(motiond.PlanError) as several:
        _ = client.commit_all([spring("index.x", 1), [cues("main", cue("1", unchecked))]])
    assert (several.value.transaction, several.value.operation) == (1, 0)
    assert client.commit(spring("index.x", 1)).sequence == sequence + 1


def test_arguments_may_be_times_and_numbers_of_numpy(client: motiond.Client) -> None:
    now = client.status().clock.time
    receipt = client.commit(
        spring("times.x", np.array(1.0), priority=wrong(np.int64(3)), after=wrong(np.float64(0.5))),
        at=timedelta(seconds=now + 1000),
        timeout=timedelta(seconds=20),
    )
    assert receipt.at == pytest.approx(now + 1000, abs=1e-5)
    _ = receipt.cancel()
    _ = client.send_values({"times": np.array([1.0, 2.0]), "one": np.array(1.0)}, time=timedelta(0))
    assert {row.name: list(row.lanes) for row in client.inputs()} == {"times": [1, 2], "one": [1]}
    _ = client.commit(spring("times.x", 2), timeout=math.inf)
    with client.watch("times") as frames:
        assert "times.x" in frames.next(timedelta(seconds=20))


def test_every_query_has_a_timeout() -> None:
    with Daemon() as daemon, motiond.connect(daemon.runtime, timeout=60) as m:
        daemon.kill()
        names = [
            name
            for name, member in vars(Queries).items()
            if asyncio.iscoroutinefunction(member) and not name.startswith("_")
        ]
        arguments: dict[str, list[object]] = {
            "why": ["ball.x"],
            "history_segment": [1],
            "query": [messages.Query(subject=8)],
            "ask": [messages.Envelope(alive=messages.Alive())],
        }
        for name in names:
            begin = time.monotonic()
            with pytest.raises(motiond.Timeout):
                _ = getattr(m, name)(*arguments.get(name, []), timeout=0.01)
            assert time.monotonic() - begin < 30, f"{name} waits for the timeout of the client"
        assert {"status", "targets", "snapshot"} <= set(names)


def test_refused_names_have_a_remedy() -> None:
    text = '"a b" is not a valid property name: use 1 to 64 of A-Z a-z 0-9 _ -, without dot or slash'
    refusal = motiond.Refusal.of(messages.Refusal(code="name", message=text))
    assert refusal.remedy == "Use 1 to 64 of A-Z a-z 0-9 _ -, without dot or slash."
    assert refusal.message == '"a b" is not a valid property name'
    assert motiond.Refusal.of(messages.Refusal(code="name", message="wrong")).remedy


def test_a_name_that_motiond_refuses_has_a_remedy(client: motiond.Client) -> None:
    message = messages.Operation(group=messages.Operation.Group(name="a b", members=["c"]))
    with pytest.raises(motiond.Refusal) as caught:
        _ = client.commit(motiond.Operation(message))
    assert caught.value.code == "name" and caught.value.remedy
