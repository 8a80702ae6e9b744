"""Claims of a worker that motiond did not start."""

from __future__ import annotations

from motiond._link_claim import Assigned, ClaimLink, Wait
from motiond._link_messages import Exit, Send
from motiond._link_timing import SECOND
from motiond._proto import motion_pb2 as pb

NOW = 1000 * SECOND


def link() -> ClaimLink:
    return ClaimLink(pb.Claim(claimant=5, address=pb.WorkerAddress(plugin="tween")), NOW)


def answer(reply_to: int, **body: object) -> pb.Envelope:
    return pb.Envelope(protocol=1, epoch=7, reply_to=reply_to, **body)  # pyright: ignore[reportArgumentType]


ASSIGNMENT = pb.Assignment(incarnation=3, lease=15, commands_port=1, ticks_port=2, events_port=3)


def test_a_claim_is_resent_without_an_end() -> None:
    claims = link()
    claims.begin(NOW)
    sent = 0
    while (due := claims.next_deadline) is not None and due < NOW + 100 * SECOND:
        sent += len(claims.deadline(due))
    assert sent > 95 and claims.counters.retries == sent


def test_the_lease_counts_from_the_claim_that_was_answered() -> None:
    claims = link()
    claims.begin(NOW)
    claims.deadline(NOW + SECOND)
    (assigned,) = claims.received(answer(1, assignment=ASSIGNMENT), NOW + 2 * SECOND)
    assert isinstance(assigned, Assigned) and assigned.epoch == 7
    assert assigned.lease.end == NOW + 15 * SECOND
    assert claims.next_deadline is None


def test_an_answer_that_took_longer_than_its_lease_is_ignored() -> None:
    claims = link()
    claims.begin(NOW)
    assert claims.received(answer(1, assignment=ASSIGNMENT), NOW + 15 * SECOND) == []
    assert claims.received(answer(9, assignment=ASSIGNMENT), NOW) == []
    assert claims.counters.old == 2


def test_each_life_claims_with_the_next_attempt() -> None:
    claims = link()
    for attempt in (1, 2, 3):
        (action,) = claims.begin(NOW)
        assert isinstance(action, Send) and isinstance(action.message.body, pb.Claim)
        assert action.message.body.attempt == attempt
        assert (action.message.epoch, action.message.incarnation) == (0, 0)


def test_some_refusals_are_final() -> None:
    for code, is_final in [("assignment-taken", False), ("no-assignment", False), ("new", False), ("version", True)]:
        claims = link()
        claims.begin(NOW)
        (action,) = claims.received(answer(1, refusal=pb.Refusal(code=code, message="no")), NOW)
        assert isinstance(action, Exit if is_final else Wait)
        assert (claims.next_deadline is None) == is_final
