"""Types of a plugin that this client does not know: checked before they are sent, by the description that motiond
has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta

import numpy as np
import pytest
from daemon import Daemon

import motiond
from motiond import Plan, Property, plans, spread, spring
from motiond import messages as pb

MANIFEST = {
    "name": "breathe",
    "executable": "breathe",
    "protocol": 1,
    "documentation": "Lets lamps breathe.",
    "intentions": [
        {
            "type": "Breathe",
            "kind": "standing",
            "executor": "Breathe",
            "documentation": "Breathes.",
            "fields": [
                {
                    "name": "property",
                    "accepts": ["property"],
                    "required": True,
                    "access": "writes",
                    "documentation": "Which.",
                },
                {
                    "name": "period",
                    "accepts": ["duration"],
                    "default": "4s",
                    "range": [0.1, 60],
                    "documentation": "How long.",
                },
                {"name": "from", "accepts": ["number"], "default": 0, "documentation": "The lowest."},
                {"name": "like", "accepts": ["reference"], "documentation": "Another property."},
                {"name": "shape", "accepts": ["enum"], "choices": ["soft", "hard"], "documentation": "How."},
            ],
        }
    ],
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[motiond.Client]:
    folder = tmp_path_factory.mktemp("plugins") / "breathe"
    folder.mkdir(mode=0o755)
    _ = (folder / "plugin.json").write_text(json.dumps(MANIFEST))
    program = folder / "breathe"
    _ = program.write_text("#!/bin/sh\nexec cat\n")
    program.chmod(0o755)
    with Daemon(plugins=folder.parent) as daemon, motiond.connect(daemon.runtime) as m:
        yield m


def test_a_plan_of_an_unknown_type_is_checked_when_it_is_committed(client: motiond.Client) -> None:
    assert client.core.catalog.get("Breathe") is None
    plan = client.types.Breathe("lamp", property="level", perod=2)
    assert not plan.is_checked
    with pytest.raises(motiond.PlanError) as caught:
        _ = client.commit(plan)
    assert caught.value.field == "perod" and "period" in caught.value.remedy
    # From now on its description is known.
    with pytest.raises(motiond.PlanError) as shape:
        _ = client.types.Breathe("lamp", property="level", period="long")
    assert shape.value.field == "period" and "duration" in shape.value.remedy
    with pytest.raises(motiond.PlanError, match="out of range"):
        _ = client.types.Breathe("lamp", property="level", period=0.01)
    with pytest.raises(motiond.PlanError, match="requires the field 'property'"):
        _ = client.types.Breathe("lamp")
    receipt = client.commit(
        client.types.Breathe("lamp", property="level", period=2, from_=0.5, like="a.b", shape="soft")
    )
    assert receipt.message.plugins[0].plugin == "breathe"
    assert "Breathe" in client.load_types() and "Breathe" in dir(client.types)
    assert "How long." in (client.types.Breathe.__doc__ or "")


def _fields(plan: Plan) -> dict[str, pb.FieldValue]:
    return {field.name: field.value for field in plan.operation().add.intention.fields}


def test_values_become_the_shapes_of_their_fields(client: motiond.Client) -> None:
    _ = client.load_types()
    fields = _fields(
        client.types.Breathe("lamp", property="x", period=timedelta(milliseconds=250), like=Property("a", "b"))
    )
    assert fields["period"].duration.nanoseconds == 250_000_000
    assert (fields["like"].reference.target, fields["like"].reference.property) == ("a", "b")
    assert _fields(spring("a.b", np.array([1.0, 2.0])))["destination"].vector.lanes == [1, 2]
    assert _fields(spring("a.b", np.float32(3)))["destination"].number == 3
    assert _fields(spring("a.b", [4]))["destination"].number == 4
    assert _fields(spring("room-3.wall:7.x", 1))["property"].property == "x"
    tween = _fields(
        plans.Tween("a", property="x", values=[(0, 0), (1, 2)], offsets=[0, 1], easing=["linear"], repeat="forever")
    )
    assert [list(element.vector.lanes) for element in tween["values"].list.elements] == [[0, 0], [1, 2]]
    assert tween["repeat"].choice == "forever" and tween["easing"].list.elements[0].text == "linear"
    several = (
        spring("lamp{1..3}.x", spread((0, 0), (1, 2)), after=1, priority=5, named="n")
        .staggered(0.5, by="-x")
        .operation()
    )
    assert several.each == "lamp{1..3}" and several.spread.by == "-x" and several.spread.stagger == 0.5
    assert list(several.spread.to[0].value.vector.lanes) == [1, 2]
    assert (several.add.intention.after, several.add.intention.priority, several.add.named) == (1, 5, "n")
    for wrong in (
        lambda: spring("a.b", True),
        lambda: spring("a.b", float("nan")),
        lambda: spring("a.b", 1e101),
        lambda: spring("a.b", [1, 2, 3, 4, 5]),
        lambda: spring("ab", 1),
        lambda: spring("a.b", 1, priority=101),
        lambda: spring("a.b", 1, after=-1),
        lambda: spring("a.b", 1).staggered(1),
        lambda: spring("a.b", spread(0, 1)),
        lambda: plans.Wave("a", property="x", offset=0, amplitude=1, shape="round"),  # pyright: ignore[reportArgumentType]
    ):
        with pytest.raises(motiond.PlanError) as caught:
            _ = wrong()
        assert caught.value.remedy


def test_errors_can_be_pickled() -> None:
    import pickle

    refusal = motiond.Refusal("lanes", "wrong", "do right", operation=3, field="to")
    again = pickle.loads(pickle.dumps(refusal))
    assert (again.code, again.operation, again.field, str(again)) == ("lanes", 3, "to", str(refusal))
    assert isinstance(pickle.loads(pickle.dumps(motiond.Timeout("late"))), TimeoutError)
