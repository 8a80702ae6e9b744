"""The worker's end of the link, action by action: the tests of the Swift machine, in ``WorkerLinkTests.swift``."""

from __future__ import annotations

from typing import Any

import pytest
from link_table import Table, pass_time, word

from motiond._link import WorkerLink
from motiond._link_messages import Apply, Exit, Inspect, LeaseLost, Provision, Publish, Run, Send, Subscribe, UpdateBody
from motiond._link_parts import UNACKNOWLEDGED_EVENTS, CommandBuffer, TokenSet, identity_of, token_hash
from motiond._link_timing import MILLISECOND, NETWORK, SECOND, Lease
from motiond._proto import motion_pb2 as pb

TABLE = Table()
NOW = TABLE.start
TOPIC = "e/tween.0/3"
WELCOME = pb.Welcome(
    protocol_version=1, command_topic="c/tween.0/3", tick_topic="t/tween.0/3", event_topic=TOPIC, wants_updates=True
)


def receive(link: WorkerLink, now: int = NOW, reply_to: int = 0, sequence: int = 0, **body: Any) -> list[Any]:
    envelope = pb.Envelope(protocol=1, epoch=7, sequence=sequence, reply_to=reply_to)
    for name, message in body.items():
        getattr(envelope, name).CopyFrom(message)
    return link.received(envelope, now)


def frame(number: int) -> pb.Frame:
    return pb.Frame(number=number, time=number / 100, dt=0.01)


def command(number: int) -> pb.Command:
    return pb.Command(number=number, remove_executor=pb.RemoveExecutor(executor=number))


def tick(number: int, last: int) -> pb.Tick:
    return pb.Tick(frame=frame(number), last_command=last)


def beat(last: int, event: int, interval: float = 1) -> pb.CoordinatorHeartbeat:
    return pb.CoordinatorHeartbeat(last_command=last, last_event_applied=event, interval=interval)


def snapshot(number: int, last: int, plans: tuple[int, ...] = (), event: int = 0) -> pb.Snapshot:
    executors = [
        pb.Snapshot.Executor(
            handle=handle,
            intentions=[pb.PlannedIntention(identity=pb.IntentionIdentity(sequence=handle))] if handle in plans else [],
        )
        for handle in (1, 2)
    ]
    return pb.Snapshot(command=last, frame=frame(number), executors=executors, last_event_applied=event)


def event(number: int) -> pb.Update.Event:
    return pb.Update.Event(activity=pb.Update.Activity(executor=number, active=True))


def bodies(actions: list[Any]) -> list[str]:
    """The kinds of the messages among actions."""
    return [type(action.message.body).__name__ for action in actions if isinstance(action, (Send, Publish))]


def numbers(actions: list[Any]) -> list[list[int]]:
    """The numbers of the events in each update."""
    updates = [action.message for action in actions if isinstance(action, Publish)]
    return [
        [event.number for event in message.envelope().update.events]
        for message in updates
        if isinstance(message.body, UpdateBody)
    ]


def test_an_unanswered_hello_is_resent_and_the_worker_exits_after_a_minute() -> None:
    actions = pass_time(TABLE.link("greeting"), 70 * SECOND, NOW)
    assert bodies(actions).count("Hello") == 61
    assert actions[-1].reason == "unanswered" and actions[-1].code == 3


def test_a_worker_subscribes_once_and_requests_its_snapshot_when_events_are_subscribed() -> None:
    link = TABLE.link("greeting")
    assert receive(link, welcome=WELCOME) == [Subscribe(WELCOME)]
    assert receive(link, welcome=WELCOME) == []
    assert bodies(link.subscribed(TOPIC, NOW)) == ["Resync"]
    early = TABLE.link("greeting")
    assert early.subscribed(TOPIC, NOW) == []
    actions = receive(early, welcome=WELCOME)
    assert actions[0] == Subscribe(WELCOME) and bodies(actions) == ["Resync"]


def test_a_resync_is_resent_until_the_snapshot_arrives() -> None:
    actions = pass_time(TABLE.link("awaiting"), 3 * SECOND, NOW)
    assert bodies(actions).count("Resync") == 4


def test_commands_that_overtook_the_snapshot_follow_it() -> None:
    link = TABLE.link("awaiting")
    for number in range(4, 9):
        assert receive(link, command=command(number)) == []
    actions = receive(link, reply_to=2, snapshot=snapshot(3, 6))
    assert isinstance(actions[0], Provision)
    assert actions[1:] == [Apply(command(7)), Apply(command(8))]
    assert link.commands_applied == 8


def test_a_gap_behind_the_snapshot_causes_another_resync() -> None:
    link = TABLE.link("awaiting")
    receive(link, command=command(9))
    assert bodies(receive(link, reply_to=2, snapshot=snapshot(3, 6))) == ["Resync"]
    assert link.is_awaiting_snapshot
    actions = receive(link, reply_to=3, snapshot=snapshot(4, 8))
    assert actions[1:] == [Apply(command(9))]


def test_a_plan_that_has_ended_is_not_taken_from_an_older_snapshot() -> None:
    def link_with_two_endings() -> WorkerLink:
        link = TABLE.link("serving")
        for number in (1, 2):
            finished = pb.Update.Finished(
                executor=number, identity=pb.IntentionIdentity(sequence=number), outcome=pb.OUTCOME_COMPLETED
            )
            link.record(pb.Update.Event(finished=finished))
        receive(link, command=command(8))
        # motiond has applied the first end; a snapshot that it sent earlier arrives after this acknowledgement.
        receive(link, coordinator_heartbeat=beat(8, 1))
        return link

    for applied, left in [(0, []), (1, [1]), (2, [1, 2])]:
        action = receive(link_with_two_endings(), reply_to=3, snapshot=snapshot(20, 8, (1, 2), applied))[0]
        assert isinstance(action, Provision)
        plans = [plan.identity.sequence for executor in action.snapshot.executors for plan in executor.intentions]
        assert plans == left


def test_commands_are_applied_once_and_in_order() -> None:
    link = TABLE.link("serving")
    assert receive(link, command=command(6)) == [Apply(command(6))]
    assert receive(link, command=command(6)) == []
    assert receive(link, command=command(5)) == []
    assert bodies(receive(link, command=command(8))) == ["Resync"]
    assert link.counters.gaps == 1


def test_the_newest_tick_waits_for_the_commands_that_it_announces() -> None:
    link = TABLE.link("serving")
    assert receive(link, tick=tick(11, 6)) == []
    assert receive(link, tick=tick(12, 7)) == []
    assert receive(link, tick=tick(11, 6)) == []
    assert receive(link, command=command(6)) == [Apply(command(6))]
    assert receive(link, command=command(7)) == [Apply(command(7)), Run(frame(12))]
    assert receive(link, tick=tick(12, 7)) == []
    assert receive(link, tick=tick(13, 7)) == [Run(frame(13))]


def test_a_tick_of_a_frame_that_the_snapshot_contains_is_not_run() -> None:
    link = TABLE.link("awaiting")
    receive(link, tick=tick(3, 0))
    assert len(receive(link, reply_to=2, snapshot=snapshot(3, 0))) == 1
    following = TABLE.link("awaiting")
    receive(following, tick=tick(4, 0))
    assert receive(following, reply_to=2, snapshot=snapshot(3, 0))[1:] == [Run(frame(4))]


def test_commands_under_way_prolong_the_timeout_of_a_tick() -> None:
    link = TABLE.link("serving")
    receive(link, tick=tick(11, 8))
    receive(link, NOW + 150 * MILLISECOND, command=command(6))
    pass_time(link, 300 * MILLISECOND, NOW)
    assert word(link) == "serving"
    pass_time(link, 350 * MILLISECOND, NOW)
    assert link.is_awaiting_snapshot


def test_a_snapshot_is_acknowledged_at_once_even_if_its_number_is_not_new() -> None:
    link = TABLE.link("awaiting")
    link.deadline(NOW)
    receive(link, reply_to=2, snapshot=snapshot(3, 0))
    assert "WorkerHeartbeat" in bodies(link.deadline(NOW))


def test_events_are_sent_at_once_and_with_every_update_until_acknowledged() -> None:
    link = TABLE.link("serving")
    link.record(event(1))
    assert link.next_deadline == 0
    assert numbers(link.deadline(NOW)) == [[1]]
    link.record(event(2))
    assert numbers([Publish(link.update(11, NOW))]) == [[1, 2]]
    assert numbers(link.deadline(NOW)) == []
    assert numbers(pass_time(link, 200 * MILLISECOND, NOW)) == [[1, 2]]
    receive(link, coordinator_heartbeat=beat(5, 1))
    assert numbers(pass_time(link, 400 * MILLISECOND, NOW)) == [[2]]
    receive(link, coordinator_heartbeat=beat(5, 2**64 - 1))
    assert link.unacknowledged_events == 0
    assert numbers(pass_time(link, SECOND, NOW)) == []


def test_too_many_unacknowledged_events_end_the_worker() -> None:
    link = TABLE.link("serving")
    for number in range(UNACKNOWLEDGED_EVENTS + 1):
        link.record(event(number))
    (action,) = link.deadline(NOW)
    assert isinstance(action, Exit) and action.reason == "out-of-step" and action.code == 1


def test_a_lost_connection_is_reported_once_and_then_hello_is_sent_again() -> None:
    link = TABLE.link("serving")
    receive(link, coordinator_heartbeat=beat(5, 0, 0.2))
    receive(link, tick=tick(11, 9))
    actions = pass_time(link, 30 * SECOND, NOW)
    assert actions.count(LeaseLost()) == 1
    assert "Hello" in bodies(actions)
    woken = NOW + 30 * SECOND
    assert receive(link, woken, command=command(6)) == []
    assert receive(link, woken, tick=tick(20, 5)) == []
    assert bodies(receive(link, woken, welcome=WELCOME)) == ["Resync"]
    assert receive(link, woken, reply_to=2, snapshot=snapshot(10, 5)) == []
    assert receive(link, woken, reply_to=1000, snapshot=snapshot(20, 5))[1:] == [Apply(command(6))]


@pytest.mark.parametrize(("interval", "limit"), [(0.2, SECOND), (1, 5 * SECOND)])
def test_the_silence_limit_depends_on_the_interval_of_motiond(interval: float, limit: int) -> None:
    link = TABLE.link("serving")
    receive(link, coordinator_heartbeat=beat(5, 0, interval))
    assert LeaseLost() not in pass_time(link, limit - MILLISECOND, NOW)
    assert LeaseLost() in pass_time(link, limit, NOW)


def test_a_shutdown_waits_for_the_last_events_for_at_most_half_a_second() -> None:
    link = TABLE.link("draining")
    assert not any(isinstance(action, Exit) for action in pass_time(link, 499 * MILLISECOND, NOW))
    assert pass_time(link, 500 * MILLISECOND, NOW)[-1].reason == "shutdown"
    acknowledged = TABLE.link("draining")
    assert receive(acknowledged, coordinator_heartbeat=beat(6, 1))[0].reason == "shutdown"


def test_nothing_is_published_before_the_events_are_subscribed() -> None:
    link = TABLE.link("subscribing")
    link.record(event(1))
    assert not any(isinstance(action, Publish) for action in pass_time(link, 30 * SECOND, NOW))


def test_an_inspection_is_passed_on_and_answered() -> None:
    for state in ("awaiting", "serving", "draining"):
        link = TABLE.link(state)
        assert receive(link, sequence=9, inspect=pb.Inspect(executors=[4])) == [Inspect((4,), 9)]
        assert link.report(pb.StreamReport(), 9, NOW).reply_to == 9


def test_conflated_ticks_are_counted_and_reported() -> None:
    link = TABLE.link("serving")
    for sequence in (1, 2, 5, 4, 6, 106):
        receive(link, sequence=sequence, tick=tick(100 + sequence, 0))
    message = link.heartbeat_if_due(NOW + SECOND)
    assert message is not None and isinstance(message.body, pb.WorkerHeartbeat)
    assert message.body.conflated_ticks == 101


@pytest.mark.parametrize("offset", [0, 1, 400, 999])
def test_idle_workers_send_heartbeats_at_full_seconds(offset: int) -> None:
    link, now, beats = TABLE.link("serving"), NOW + offset * MILLISECOND, list[int]()
    while (due := link.next_deadline) is not None and due <= NOW + 5 * SECOND:
        now = max(now, due)
        if "WorkerHeartbeat" in bodies(link.deadline(now)) and now > NOW + offset * MILLISECOND:
            beats.append(now)
        receive(link, now, coordinator_heartbeat=beat(0, 0))
    assert beats == [NOW + second * SECOND for second in range(1, 6)]


# --------------------------------------------------------------------------------------------------------------- Leases


def leased(end: int) -> WorkerLink:
    link = WorkerLink(7, 3, TABLE.hello, NOW, lease=Lease(NOW, end - NOW), timing=NETWORK)
    link.start(NOW)
    receive(link, welcome=WELCOME)
    link.subscribed(TOPIC, NOW)
    receive(link, reply_to=2, snapshot=snapshot(10, 5))
    return link


def test_a_lease_counts_from_the_sending_of_the_message_that_renewed_it() -> None:
    lease = Lease(100 * SECOND, 15 * SECOND)
    assert not lease.is_over(114 * SECOND) and lease.is_over(115 * SECOND)
    lease.renew(103 * SECOND, 3, 2, 105 * SECOND)
    assert lease.end == 106 * SECOND
    # Older, from the future, without an end, or of no length: no effect.
    lease.renew(104 * SECOND, 15, 1, 105 * SECOND)
    lease.renew(102 * SECOND, 15, 3, 105 * SECOND)
    lease.renew(105 * SECOND + 1, 15, 4, 105 * SECOND)
    lease.renew(105 * SECOND, float("inf"), 5, 105 * SECOND)
    lease.renew(105 * SECOND, 0, 6, 105 * SECOND)
    assert lease.end == 106 * SECOND


def test_a_worker_suspended_past_its_lease_ignores_what_it_received_meanwhile() -> None:
    link, woken = leased(NOW + 15 * SECOND), NOW + 16 * SECOND
    lost, end = receive(link, woken, tick=tick(11, 5))
    assert lost == LeaseLost() and end.reason == "lease-ended"
    assert receive(link, woken, command=command(6)) == []
    assert link.counters.fenced == 2
    idle = leased(NOW + 15 * SECOND)
    assert (idle.next_deadline or 0) <= NOW + 15 * SECOND
    assert idle.deadline(woken)[0] == LeaseLost()


def test_a_broken_connection_ends_a_remote_life_and_not_a_local_one() -> None:
    (end,) = leased(NOW + 15 * SECOND).unsubscribed(TOPIC)
    assert isinstance(end, Exit) and end.reason == "disconnected" and end.is_worth_a_claim
    local = TABLE.link("serving")
    assert local.unsubscribed(TOPIC) == [] and word(local) == "serving"


# ---------------------------------------------------------------------------------------------------------------- Parts


def test_the_hash_of_a_token_is_that_of_the_protocol() -> None:
    assert token_hash(1, "fade") == 683817643480816419
    tokens = TokenSet()
    assert tokens.insert(1, "fade") and not tokens.insert(1, "fade")
    assert tokens.insert(2, "fade") and tokens.hash == (token_hash(1, "fade") + token_hash(2, "fade")) % 2**64
    assert tokens.remove(1, "fade") and not tokens.remove(1, "fade") and tokens.remove(2, "fade")
    assert tokens.hash == 0 and not tokens


def test_commands_are_kept_as_the_latest_run_without_gaps() -> None:
    buffer = CommandBuffer()
    for number in (3, 4, 4, 3, 7, 8):
        buffer.keep(command(number))
    assert buffer.last == 8
    assert buffer.take(5) == []
    assert [command.number for command in buffer.take(6)] == [7, 8]
    assert buffer.last == 0


def test_an_identity_is_comparable() -> None:
    message = pb.IntentionIdentity(sequence=3, operation=1, path=[2, 5])
    assert identity_of(message) == (3, 1, (2, 5))
