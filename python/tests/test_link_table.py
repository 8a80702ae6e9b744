"""The worker's end of the link behaves as the table of states and events says, as the Swift machine does."""

from __future__ import annotations

from typing import Any

import pytest
from link_table import Table, word

TABLE = Table()


@pytest.mark.parametrize("state", TABLE.starts)
def test_steps_lead_to_the_state(state: str) -> None:
    assert word(TABLE.link(state)) == state


@pytest.mark.parametrize("event", TABLE.events, ids=lambda event: event["name"])
def test_every_event_leads_from_every_state_to_that_of_the_table(event: dict[str, Any]) -> None:
    ends: dict[str, str] = event["ends"]
    steps: list[dict[str, Any]] = event["steps"]
    assert set(ends) == set(TABLE.starts)
    for state, end in ends.items():
        link = TABLE.link(state)
        for step in steps:
            TABLE.play(step, link)
        assert word(link) == end, f"{state}, {event['name']}"


def test_table_has_every_state_and_no_event_twice() -> None:
    assert set(TABLE.starts) == {"greeting", "subscribing", "awaiting", "serving", "draining", "ended"}
    names = [event["name"] for event in TABLE.events]
    assert len(names) == len(set(names)) >= 23
