"""Updates in columns are encoded as protobuf encodes them."""

from __future__ import annotations

import random

import numpy as np

from motiond._link_messages import Outgoing, UpdateBody
from motiond._proto import motion_pb2 as pb
from motiond._worker_update import Block, SentShape, Shape, encode, packed_varints


def test_updates_are_encoded_as_protobuf_encodes_them() -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    generator, numbered = np.random.default_rng(seed), random.Random(seed)
    for _ in range(200):
        blocks: list[Block] = []
        wanted = pb.Update(frame=numbered.randrange(2**40), commands_applied=numbered.randrange(2**20))
        parts: dict[str, list[list[float]]] = {"imposes": [], "remaining": [], "carry": []}
        for _ in range(int(generator.integers(1, 4))):
            rows = int(generator.integers(1, 50))
            numbers = [generator.integers(0, 2 ** int(generator.integers(1, 32)), rows).astype(np.uint32) for _ in "ab"]
            counts = generator.integers(1, 5, rows).astype(np.uint32)
            lanes, velocities = generator.normal(size=int(counts.sum())), generator.normal(size=int(counts.sum()))
            imposes = generator.integers(0, 4, rows).astype(np.uint8) if generator.random() < 0.5 else None
            times = [generator.uniform(0, 9, rows) if generator.random() < 0.5 else None for _ in "ab"]
            blocks.append(Block(Shape(numbers[0], numbers[1], counts), lanes, velocities, imposes, times[0], times[1]))
            wanted.executors.extend(numbers[0].tolist())
            wanted.handles.extend(numbers[1].tolist())
            wanted.counts.extend(counts.tolist())
            wanted.lanes.extend(lanes.tolist())
            wanted.velocities.extend(velocities.tolist())
            parts["imposes"].append([0] * rows if imposes is None else imposes.tolist())
            parts["remaining"].append([-1.0] * rows if times[0] is None else times[0].tolist())
            parts["carry"].append([-1.0] * rows if times[1] is None else times[1].tolist())
        for name, column in parts.items():
            numbers_of_all = [number for part in column for number in part]
            if any(getattr(block, name) is not None for block in blocks):
                getattr(wanted, name).extend(int(n) for n in numbers_of_all) if name == "imposes" else getattr(
                    wanted, name
                ).extend(numbers_of_all)
        event = pb.Update.Event(number=4, activity=pb.Update.Activity(executor=3, active=True))
        wanted.events.append(event)
        body = UpdateBody(wanted.frame, wanted.commands_applied, (pb.Update(events=[event]).SerializeToString(),))
        data = encode(Outgoing(7, 3, 5, 0, 99, body), blocks, b"topic\0")
        assert data.startswith(b"topic\0")
        envelope = pb.Envelope.FromString(data[6:])
        assert envelope.update == wanted
        assert (envelope.protocol, envelope.epoch, envelope.incarnation, envelope.sequence) == (1, 7, 3, 5)


def test_numbers_of_every_length_are_packed() -> None:
    numbers = [0, 1, 127, 128, 16383, 16384, 2**21 - 1, 2**21, 2**28 - 1, 2**28, 2**32 - 1]
    packed = packed_varints(np.array(numbers, np.uint32))
    assert list(pb.Update.FromString(b"\x1a" + bytes([len(packed)]) + packed).executors) == numbers
    assert packed_varints(np.array([], np.uint32)) == b""


def _block(rows: int, first: int = 1) -> Block:
    handles = np.arange(first, first + rows, dtype=np.uint32)
    return Block(Shape(np.full(rows, 7, np.uint32), handles, np.ones(rows, np.uint32)), handles * 0.5, handles * 0.25)


def test_rows_that_stay_are_announced_and_left_out_once_a_tick_has_acknowledged_them() -> None:
    sent = SentShape()
    assert sent.number([_block(3)], 0) == (0, False)
    assert sent.number([_block(3)], 0) == (1, False)
    # The announcement may be lost.
    assert sent.number([_block(3)], 0) == (1, False)
    assert sent.number([_block(3)], 1) == (1, True)
    assert sent.number([], 1) == (0, False)
    assert sent.number([_block(3)], 1) == (1, True)
    for other in ([_block(4)], [_block(3, 2)], [_block(3), _block(1, 9)], [_block(3)]):
        assert sent.number(other, 1) == (0, False)
    assert sent.number([_block(3)], 1) == (5, False)
    assert sent.number([_block(3)], 5) == (5, True)


def test_an_update_that_names_its_shape_has_no_rows() -> None:
    blocks = [_block(300), _block(200, 1000)]
    message = Outgoing(7, 3, 5, 0, 99, UpdateBody(40, 2, ()))
    announced = pb.Envelope.FromString(encode(message, blocks, b"", (6, False))).update
    named = pb.Envelope.FromString(encode(message, blocks, b"", (6, True))).update
    assert (announced.shape, len(announced.handles), len(announced.counts)) == (6, 500, 500)
    assert (named.shape, list(named.executors), list(named.handles), list(named.counts)) == (6, [], [], [])
    assert (list(named.lanes), list(named.velocities)) == (list(announced.lanes), list(announced.velocities))
