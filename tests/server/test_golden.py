"""Real threads, recorded: the same events fold to the same state in Python and in TypeScript.

`CAVE_LAB_RECORD=1 pytest tests/server/test_golden.py` records them anew.
"""

import json
import os
from typing import Any

import pytest

from cave_lab.protocol.events import decode_event
from cave_lab.state import ThreadState, replay
from tests.fakes.model_server import ModelServer
from tests.golden import FOLDER, normalised, settled
from tests.server.scenarios import STORIES, Told, all_told
from tests.talk import Lab


def _fold(lines: list[dict[str, Any]]) -> dict[str, Any]:
    state = replay(decode_event(json.dumps(line)) for line in lines)
    assert isinstance(state, ThreadState)
    return state.model_dump(mode="json")


def _record(name: str, lines: list[dict[str, Any]], state: dict[str, Any]) -> None:
    FOLDER.mkdir(exist_ok=True)
    events = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (FOLDER / f"{name}.jsonl").write_text(events)
    (FOLDER / f"{name}.state.json").write_text(
        json.dumps(state, indent=1, ensure_ascii=False) + "\n"
    )


@pytest.mark.parametrize("told", STORIES, ids=lambda told: told.name)
async def test_a_thread_played_now_ends_in_the_recorded_state(
    lab: Lab, model: ModelServer, told: Told
) -> None:
    person = await told.story(lab, model)
    await all_told(person)
    events = person.talk.events(person.thread_id)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    lines = normalised(events)
    state = _fold(lines)
    if os.environ.get("CAVE_LAB_RECORD"):
        _record(told.name, lines, state)
    recorded = json.loads((FOLDER / f"{told.name}.state.json").read_text())
    now, then = settled(state), settled(recorded)
    now.pop("seq"), then.pop("seq")  # how many deltas the text came in differs
    assert now == then


@pytest.mark.parametrize("told", STORIES, ids=lambda told: told.name)
def test_the_recorded_events_fold_to_the_recorded_state(told: Told) -> None:
    lines = [json.loads(line) for line in (FOLDER / f"{told.name}.jsonl").read_text().splitlines()]
    assert _fold(lines) == json.loads((FOLDER / f"{told.name}.state.json").read_text())
