"""The reader of values: equal to the protobuf library for every message, and an error for every other text of bytes."""

from __future__ import annotations

import contextlib
import random
import warnings

import numpy as np
import pytest
from google.protobuf.message import DecodeError

from motiond import _values_template
from motiond._proto import motion_pb2 as pb
from motiond._values import (
    PublishedMessage,
    ValuesMessage,
    WireError,
    pack_integers,
    read_integers,
    read_published,
    split_topic,
)
from motiond._values_template import Template, TopicReader


def _number(random: random.Random) -> float:
    return random.choice([0.0, -0.0, 1.5, -1e120, random.gauss(0, 100), 5e-324])


def _values(random: random.Random) -> pb.Values:
    count = random.choice([0, 1, 2, 5, 200])
    counts = [random.randint(1, 4) for _ in range(count)]
    lanes = [_number(random) for _ in range(sum(counts))]
    return pb.Values(
        frame=random.choice([0, 1, 127, 128, 2**40]),
        time=_number(random),
        dt=_number(random),
        handles=[random.choice([1, 127, 128, 70_000, 2**32 - 1]) for _ in counts],
        counts=counts,
        lanes=lanes,
        velocities=lanes if random.random() < 0.5 else [],
        late=[random.randrange(300) for _ in range(random.choice([0, 0, 3]))],
        complete=random.random() < 0.3,
        forgotten=[random.randrange(300) for _ in range(random.choice([0, 0, 3]))],
        part=random.choice([0, 1, 300]),
        more=random.random() < 0.3,
    )


def _envelope(random: random.Random) -> pb.Envelope:
    envelope = pb.Envelope(
        protocol=1,
        epoch=random.choice([0, 1, 300, 2**50]),
        incarnation=random.choice([0, random.getrandbits(64)]),
        sequence=random.choice([0, 1, 2**63]),
        reply_to=random.choice([0, 0, 5]),
        sent=random.getrandbits(64),
    )
    kind = random.randrange(6)
    if kind < 3:
        envelope.values.CopyFrom(_values(random))
    elif kind == 3:
        reference = pb.PropertyReference(target="ball", property="position")
        envelope.names.names.append(pb.Names.Name(handle=3, property=reference, lanes=2))
    elif kind == 4:
        envelope.ended.intentions.append(pb.Ended.Intention(target="ball", type="Tween", outcome=pb.OUTCOME_FAILED))
    else:
        envelope.drivers.changes.append(pb.Drivers.Change(frame=3))
    if random.random() < 0.1:
        envelope.moment.time = 3
    return envelope


def _mutated(random: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice([1, 1, 2, 5])):
        kind = random.randrange(5)
        at = random.randrange(len(changed) + 1)
        if kind == 0 and changed:
            changed[at % len(changed)] = random.randrange(256)
        elif kind == 1:
            changed[at:at] = random.randbytes(random.randint(1, 4))
        elif kind == 2:
            del changed[at : at + random.randint(1, 9)]
        elif kind == 3:
            del changed[at:]
        else:
            changed += _envelope(random).SerializeToString()
    return bytes(changed)


def _check(data: bytes) -> None:
    """Compares the reader with the library."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            expected = pb.Envelope.FromString(data)
        except DecodeError:
            expected = None
    # Debian's library reads up to an end of a group that had no beginning, and warns.
    if expected is None or caught:
        # The reader may accept more where it does not look: unknown fields, and strings of bodies that it leaves out.
        with warnings.catch_warnings(), contextlib.suppress(WireError):
            warnings.simplefilter("ignore")
            _ = read_published(data)
        return
    published = read_published(data)
    assert (published.epoch, published.sequence) == (expected.epoch, expected.sequence)
    body, name = published.body, expected.WhichOneof("body")
    if not isinstance(body, ValuesMessage):
        assert name != "values"
        assert body is None or body == getattr(expected, name or "")
        return
    values = expected.values
    assert name == "values"
    assert (body.frame, body.part) == (values.frame, values.part)
    assert (body.is_complete, body.has_more) == (values.complete, values.more)
    np.testing.assert_equal([body.time, body.dt], [values.time, values.dt])
    np.testing.assert_equal(body.lanes, np.array(values.lanes, np.float64))
    np.testing.assert_equal(body.velocities, np.array(values.velocities, np.float64))
    for packed, numbers in ((body.handles, values.handles), (body.counts, values.counts), (body.late, values.late)):
        assert read_integers(packed).tolist() == list(numbers)
    assert read_integers(body.forgotten).tolist() == list(values.forgotten)


def test_every_message_is_read_as_the_library_reads_it(seeded: random.Random) -> None:
    for _ in range(2000):
        _check(_envelope(seeded).SerializeToString())


def test_changed_bytes_are_read_as_the_library_reads_them_or_refused(seeded: random.Random) -> None:
    for _ in range(20_000):
        _check(_mutated(seeded, _envelope(seeded).SerializeToString()))


def test_random_bytes_never_do_more_than_raise(seeded: random.Random) -> None:
    for _ in range(20_000):
        data = seeded.randbytes(seeded.choice([0, 1, 3, 10, 100]))
        _check(data)
        with contextlib.suppress(WireError):
            _, start = split_topic(data)
            _ = read_published(data, start)


def test_lists_of_numbers_are_read_whatever_their_size(seeded: random.Random) -> None:
    for _ in range(2000):
        numbers = [seeded.randrange(2 ** seeded.choice([1, 7, 8, 14, 21, 28, 32])) for _ in range(seeded.randrange(40))]
        assert read_integers(pack_integers(numbers)).tolist() == numbers
    with pytest.raises(WireError):
        _ = read_integers(b"\x80")
    with pytest.raises(WireError):
        _ = read_integers(b"\x80" * 10 + b"\x01")


def test_messages_of_one_form_are_read_as_any_other(seeded: random.Random, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_values_template, "SHORTEST", 0)
    by_template = 0
    read = Template.read

    def counted(self: Template, message: bytes) -> PublishedMessage | None:
        nonlocal by_template
        published = read(self, message)
        by_template += published is not None
        return published

    monkeypatch.setattr(Template, "read", counted)
    for _ in range(300):
        reader = TopicReader()
        envelope = _envelope(seeded)
        for _ in range(20):
            envelope.sequence += 1
            envelope.sent = seeded.getrandbits(64)
            values = envelope.values if envelope.HasField("values") else pb.Values()
            values.frame += 1
            values.time, values.dt = seeded.random(), seeded.random()
            kind = seeded.random()
            if kind < 0.7:
                values.lanes[:] = [seeded.random() for _ in values.lanes]
                values.velocities[:] = [seeded.random() for _ in values.velocities]
            elif kind < 0.8 and values.handles:
                values.handles[0] ^= 1
            elif kind < 0.9:
                envelope.CopyFrom(_envelope(seeded))
            message = b"m/\0" + envelope.SerializeToString()
            if seeded.random() < 0.3:
                message = _mutated(seeded, message)
            try:
                expected = read_published(message, 3)
            except WireError:
                with pytest.raises(WireError):
                    _ = reader.read(message, 3)
                continue
            published = reader.read(message, 3)
            assert published[:2] == expected[:2]
            if not isinstance(expected.body, ValuesMessage):
                assert published.body == expected.body
                continue
            assert isinstance(published.body, ValuesMessage)
            for one, other in zip(published.body, expected.body, strict=True):
                np.testing.assert_equal(one, other)
    assert by_template > 100
