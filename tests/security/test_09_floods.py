"""Case 9: a client that floods, and one that does not read, harm only themselves."""

import asyncio
import json
import time
from collections import Counter
from dataclasses import replace

import pytest

from cave_lab.journal.drafts import DRAFT
from cave_lab.limits import DEFAULT_LIMITS, KIB
from cave_lab.model.script import Say, ScriptedTurn
from cave_lab.protocol.content import Target
from cave_lab.protocol.frames import CLOSE_RESUME
from cave_lab.protocol.ids import ThreadId
from cave_lab.protocol.thread_events import Notice, ThreadCreated
from cave_lab.server import domain as server_domain
from tests.fakes.model_server import ModelServer
from tests.security.stuck import StuckReader
from tests.server.scenarios import script
from tests.talk import Frame, Lab, Person
from tests.waiting import until

FLOOD = 12_000_000
"""Characters of an answer: more than our queue and the buffers of both sockets together."""


@pytest.fixture
def small_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """What may wait for one slow reader, made small, so that the test need not be large."""
    limits = replace(DEFAULT_LIMITS, send_queue_bytes=512 * KIB)
    monkeypatch.setattr(server_domain, "DEFAULT_LIMITS", limits)


def numbers(frames: list[Frame]) -> list[int]:
    """The sequence numbers among frames."""
    return [frame["seq"] for frame in frames if "at" in frame]


@pytest.mark.usefixtures("small_queue")
async def test_a_reader_that_stops_reading_is_closed_with_4001_and_resumes_without_a_gap(
    lab: Lab, model: ModelServer
) -> None:
    model.load(script(ScriptedTurn("flood", answer=(Say("y" * FLOOD),), piece_chars=60_000)))
    person = await Person.at(lab, {}, mode="chat")
    stuck = await StuckReader.at(lab)
    await stuck.send({"type": "thread.open", "command_id": "1", "thread_id": person.thread_id})
    domain = await lab.domain()
    followers = domain.threads._threads[person.thread_id].followers
    await until(lambda: len(followers._by_client) == 2, "both following")

    await person.say("go")
    assert await person.ended() == "end_turn", "the person at the same thread notices nothing"
    frames, code = await stuck.rest()
    stuck.close()
    assert code == CLOSE_RESUME
    last = numbers(frames)[-1]
    assert numbers(frames) == list(range(1, last + 1))
    assert last < person.state.seq

    again = await lab.connect()
    await again.ask("thread.open", thread_id=person.thread_id, from_seq=last)
    await again.event("turn.ended")
    assert numbers(again.frames) == list(range(last + 1, person.state.seq + 1))


async def test_a_long_thread_is_sent_to_a_slow_reader_without_closing_it(lab: Lab) -> None:
    """Stored events are read faster than any line carries them, so reading waits for the line."""
    domain = await lab.domain()
    thread_id = ThreadId("thread-long")
    created = ThreadCreated(
        **DRAFT, title="t", owner="local", target=Target(), mode="chat", privacy="standard"
    )
    await domain.journal.append(thread_id, [created])
    notice = Notice(**DRAFT, level="info", code="long", text="y" * 100_000)
    for _ in range(20):
        await domain.journal.append(thread_id, [notice] * 10)
    assert 2 * DEFAULT_LIMITS.send_queue_bytes < 200 * 100_000
    talk = await lab.connect()
    await talk.ask("thread.open", thread_id=thread_id)
    assert numbers(talk.frames) == list(range(1, 202))


async def test_a_thousand_commands_at_once_are_each_answered_and_others_are_served(
    lab: Lab,
) -> None:
    flood, other = await lab.connect(), await lab.connect()
    commands = [
        json.dumps({"type": "thread.list", "command_id": f"c-{number}"}) for number in range(1_000)
    ]

    async def pour() -> None:
        for command in commands:
            await flood.raw(command)

    pouring = asyncio.create_task(pour())
    slowest = 0.0
    while not pouring.done():
        asked_at = time.monotonic()
        await other.ask("thread.list")
        slowest = max(slowest, time.monotonic() - asked_at)
    await pouring

    def replies() -> list[Frame]:
        return [f for f in flood.frames if f["type"].startswith("command.")]

    await until(lambda: len(replies()) == 1_000, "a reply to each command")
    assert len({reply["command_id"] for reply in replies()}) == 1_000
    kinds = Counter(reply.get("code", "ok") for reply in replies())
    assert set(kinds) == {"ok", "limit_reached"}
    assert kinds["ok"] >= DEFAULT_LIMITS.commands_per_second
    assert slowest < 2.0
    domain = await lab.domain()
    assert len(domain.threads._replies) == 0, "what only asks is not remembered"
