"""Any bytes at all leave a worker as it is, or change it as a valid message does: nothing raises."""

from __future__ import annotations

import random

from google.protobuf.message import DecodeError

from link_table import Table, word
from motiond import executors
from motiond._link_decode import decode, split_topic
from motiond._link_messages import Apply, Exit, Provision, Run
from motiond._proto import motion_pb2 as pb
from motiond._worker_session import Session, frame_of
from test_worker_session import declare_rows, ramp

import motiond

#: Forged messages in one run of the test.
ROUNDS = 20_000


def samples() -> list[pb.Envelope]:
    """A message of each kind that motiond sends."""
    state = pb.PropertyState(value=[1, 2], velocity=[0, 0])
    reads = [pb.ReadProperty(property=pb.PropertyReference(target="t1", property="y"), state=state)]
    bodies = [
        {"tick": pb.Tick(frame=pb.Frame(number=11, time=0.1, dt=0.01), last_command=5)},
        {"coordinator_heartbeat": pb.CoordinatorHeartbeat(last_command=5, interval=1)},
        {"inspect": pb.Inspect(executors=[1])},
        {"snapshot": pb.Snapshot(command=5, frame=pb.Frame(number=10), properties=reads, executors=[_executor()])},
        *(
            {"command": pb.Command(number=6, **{name: part})}
            for name, part in {
                "add": pb.Add(
                    executor=2, key=pb.ExecutorKey(target="t2", type="Ramp"), intention=_executor().intentions[0]
                ),
                "remove": pb.Remove(executor=1, identity=pb.IntentionIdentity(sequence=3)),
                "remove_executor": pb.RemoveExecutor(executor=1),
                "displaced": pb.Displaced(executor=1, property="x"),
                "resumed": pb.Resumed(executor=1, property="x", state=state, time=1),
                "properties": pb.Properties(properties=reads),
                "input": pb.ExecutorInput(
                    executor=1,
                    input=pb.Input(target="t1", device="d", events=[pb.PointerEvent(id=1, phase=1, x=1)]),
                    properties=reads,
                ),
            }.items()
        ),
    ]
    return [pb.Envelope(protocol=1, epoch=7, sequence=1, reply_to=2, **body) for body in bodies]


def _executor() -> pb.Snapshot.Executor:
    fields = [pb.Field(name="speed", value=pb.FieldValue(number=3))]
    planned = pb.PlannedIntention(
        identity=pb.IntentionIdentity(sequence=3, path=[1]),
        intention=pb.Intention(type="Ramp", fields=fields),
        starts=[
            pb.PlannedIntention.Start(property="x", handle=4, state=pb.PropertyState(value=[1], velocity=[0]))
        ],
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
    before = list(executors.declared)
    executors.declared.clear()
    motiond.executor("Ramp", kind="standing")(ramp)
    declare_rows()
    encoded = [sample.SerializeToString() for sample in samples()]
    table, dropped = Table(), 0
    try:
        session = Session(executors.declared, lambda text: None)
        for _ in range(ROUNDS):
            link = table.link(generator.choice(["awaiting", "serving", "serving", "draining"]))
            data = forged(generator, generator.choice(encoded))
            envelope = decode(data)
            if envelope is None:
                dropped += 1
                continue
            for action in link.received(envelope, table.start):
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
            assert word(link)
            link.deadline(table.start + generator.randrange(10**10))
        assert ROUNDS * 0.2 < dropped < ROUNDS * 0.95
    finally:
        executors.declared[:] = before


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
