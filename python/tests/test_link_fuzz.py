"""Any bytes at all leave a worker as it is, or change it as a valid message does: nothing raises."""

from __future__ import annotations

import random
from typing import Any

from google.protobuf.message import DecodeError
from link_table import Table, word
from worker_world import declare_rows, no_declarations, ramp

from motiond import executors
from motiond._link import WorkerLink
from motiond._link_decode import decode, split_topic
from motiond._link_messages import Apply, Exit, Provision, Run
from motiond._proto import motion_pb2 as pb
from motiond._worker_session import Session, frame_of

TABLE = Table()
#: Forged messages in one run of the test.
ROUNDS = 20_000


def samples() -> list[pb.Envelope]:
    """A message of each kind that motiond sends."""
    state = pb.PropertyState(value=[1, 2], velocity=[0, 0])
    reads = [pb.ReadProperty(property=pb.PropertyReference(target="t1", property="y"), state=state)]
    bodies: list[dict[str, Any]] = [
        {"tick": pb.Tick(frame=pb.Frame(number=11, time=0.1, dt=0.01), last_command=5)},
        {"coordinator_heartbeat": pb.CoordinatorHeartbeat(last_command=5, interval=1)},
        {"inspect": pb.Inspect(executors=[1])},
        {"snapshot": pb.Snapshot(command=5, frame=pb.Frame(number=10), properties=reads, executors=[_executor()])},
        *({"command": command} for command in _commands(state, reads)),
    ]
    return [pb.Envelope(protocol=1, epoch=7, sequence=1, reply_to=2, **body) for body in bodies]


def _commands(state: pb.PropertyState, reads: list[pb.ReadProperty]) -> list[pb.Command]:
    touch = pb.PointerEvent(id=1, phase=pb.PointerEvent.PHASE_DOWN, x=1)
    planned = _executor().intentions[0]
    return [
        pb.Command(number=6, add=pb.Add(executor=2, key=pb.ExecutorKey(target="t2", type="Ramp"), intention=planned)),
        pb.Command(number=6, remove=pb.Remove(executor=1, identity=pb.IntentionIdentity(sequence=3))),
        pb.Command(number=6, remove_executor=pb.RemoveExecutor(executor=1)),
        pb.Command(number=6, displaced=pb.Displaced(executor=1, property="x")),
        pb.Command(number=6, resumed=pb.Resumed(executor=1, property="x", state=state, time=1)),
        pb.Command(number=6, properties=pb.Properties(properties=reads)),
        pb.Command(
            number=6,
            input=pb.ExecutorInput(
                executor=1, input=pb.Input(target="t1", device="d", events=[touch]), properties=reads
            ),
        ),
    ]


def _executor() -> pb.Snapshot.Executor:
    fields = [pb.Field(name="speed", value=pb.FieldValue(number=3))]
    planned = pb.PlannedIntention(
        identity=pb.IntentionIdentity(sequence=3, path=[1]),
        intention=pb.Intention(type="Ramp", fields=fields),
        starts=[pb.PlannedIntention.Start(property="x", handle=4, state=pb.PropertyState(value=[1], velocity=[0]))],
    )
    return pb.Snapshot.Executor(
        handle=1, key=pb.ExecutorKey(target="t1", type="Ramp"), intentions=[planned], driven=planned.starts
    )


def forged(generator: random.Random, data: bytes) -> bytes:
    """A message in which some bytes are changed, missing or inserted."""
    changed = bytearray(data)
    for _ in range(generator.randrange(1, 5)):
        place = generator.randrange(len(changed) + 1)
        match generator.randrange(4):
            case 0 if place < len(changed):
                changed[place] = generator.randrange(256)
            case 1:
                del changed[place : place + generator.randrange(1, 9)]
            case 2:
                changed[place:place] = generator.randbytes(generator.randrange(1, 9))
            case _:
                # A part of the message once more.
                changed[place:place] = changed[place : place + generator.randrange(1, 20)]
    return bytes(changed)


def test_forged_messages_raise_nothing() -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    generator = random.Random(seed)
    encoded = [sample.SerializeToString() for sample in samples()]
    dropped = 0
    with no_declarations():
        executors.executor("Ramp", kind="standing")(ramp)
        declare_rows()
        session = Session(executors.declared, lambda text: None)
    for _ in range(ROUNDS):
        link = TABLE.link(generator.choice(["awaiting", "serving", "serving", "draining"]))
        envelope = decode(forged(generator, generator.choice(encoded)))
        if envelope is None:
            dropped += 1
            continue
        perform(link, session, envelope)
        assert word(link)
        link.deadline(TABLE.start + generator.randrange(10**10))
    assert ROUNDS * 0.2 < dropped < ROUNDS * 0.95


def perform(link: WorkerLink, session: Session, envelope: pb.Envelope) -> None:
    """Does what a worker does with a message."""
    for action in link.received(envelope, TABLE.start):
        match action:
            case Provision(snapshot):
                session.provision(snapshot)
            case Apply(command):
                session.apply(command)
            case Run(frame):
                session.run(frame_of(frame))
            case Exit():
                assert envelope.epoch > 7 or envelope.WhichOneof("body") in ("refusal", "coordinator_heartbeat")
            case _:
                pass
        for event in session.take_events():
            link.record(event)
        session.take_blocks()


def test_random_bytes_are_no_messages() -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    generator = random.Random(seed)
    for _ in range(20_000):
        data = generator.randbytes(generator.randrange(300))
        envelope = decode(data)
        if envelope is not None:
            assert envelope.protocol == 1
        split_topic(data)


def test_numbers_that_are_not_finite_and_wrong_names_are_refused() -> None:
    def refused(envelope: pb.Envelope) -> bool:
        return decode(envelope.SerializeToString()) is None

    good = {sample.WhichOneof("body"): sample for sample in samples()}
    assert not any(refused(sample) for sample in samples())
    for number in (float("nan"), float("inf"), -float("inf")):
        tick = pb.Envelope.FromString(good["tick"].SerializeToString())
        tick.tick.frame.time = number
        assert refused(tick)
        snapshot = pb.Envelope.FromString(good["snapshot"].SerializeToString())
        snapshot.snapshot.executors[0].driven[0].state.value[0] = number
        assert refused(snapshot)
    for name in ("", "a b", "x" * 65, "é", "a\0"):
        snapshot = pb.Envelope.FromString(good["snapshot"].SerializeToString())
        snapshot.snapshot.executors[0].displaced.append(name)
        assert refused(snapshot)
    lanes = pb.Envelope.FromString(good["snapshot"].SerializeToString())
    lanes.snapshot.executors[0].driven[0].state.value.append(1)
    assert refused(lanes)
    for sample in samples():
        sample.protocol = 2
        assert refused(sample)
    assert refused(pb.Envelope(protocol=1))
    try:
        pb.Envelope.FromString(b"\x0a\xff")
    except DecodeError:
        assert decode(b"\x0a\xff") is None
