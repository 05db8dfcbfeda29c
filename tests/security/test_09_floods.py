"""Case 9: a client that floods, and one that does not read, harm only themselves."""

import asyncio
import json
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cave_lab.journal.drafts import DRAFT
from cave_lab.limits import DEFAULT_LIMITS, Limits
from cave_lab.protocol.content import Target
from cave_lab.protocol.frames import CLOSE_RESUME
from cave_lab.protocol.ids import ThreadId
from cave_lab.protocol.thread_events import Notice, ThreadCreated
from tests.security.stuck import StuckReader
from tests.server.process import Served
from tests.talk import Frame, Lab, Person, Talk
from tests.waiting import until

NOTICE = Notice(**DRAFT, level="info", code="long", text="y" * 100_000)
FLOOD = 160
"""Notices: more than our queue and the buffers of both sockets hold together."""


@pytest.fixture
def stuck(lab: Lab) -> Iterator[StuckReader]:
    """A client that reads only when told to."""
    reader = StuckReader(lab)
    yield reader
    reader.close()


def numbers(frames: list[Frame]) -> list[int]:
    """The sequence numbers among frames."""
    return [frame["seq"] for frame in frames if "at" in frame]


async def test_a_reader_that_stops_reading_is_closed_with_4001_and_resumes_without_a_gap(
    lab: Lab, stuck: StuckReader
) -> None:
    person = await Person.at(lab, {})
    await stuck.connect()
    await stuck.send({"type": "thread.open", "command_id": "1", "thread_id": person.thread_id})
    domain = await lab.domain()
    thread = await domain.threads.get(person.thread_id, "local")
    await until(lambda: len(thread.followers._by_client) == 2, "both following")

    held = 0
    for _ in range(FLOOD):
        await thread.recorder.full(NOTICE)
        held = max(held, *(connection._waiting_bytes for connection in domain._connections))
        if any(connection._closed for connection in domain._connections):
            break
    frames, code = await stuck.rest()
    assert code == CLOSE_RESUME
    one_more = 2 * len(NOTICE.text)
    most = DEFAULT_LIMITS.send_queue_bytes
    assert most / 2 < held < most + one_more, "what waited for it was counted, and bounded"
    last = numbers(frames)[-1]
    assert numbers(frames) == list(range(1, last + 1))
    assert last < thread.state.seq
    await person.talk.event("notice", seq=thread.state.seq)
    assert not person.talk.closed, "who reads at the same thread notices nothing"

    again = await lab.connect()
    await again.ask("thread.open", thread_id=person.thread_id, from_seq=last)
    await again.event("notice", seq=person.state.seq)
    assert numbers(again.frames) == list(range(last + 1, person.state.seq + 1))


async def test_a_long_thread_is_sent_to_a_slow_reader_without_closing_it(lab: Lab) -> None:
    """Stored events are read faster than any line carries them, so reading waits for the line."""
    domain = await lab.domain()
    thread_id = ThreadId("thread-long")
    created = ThreadCreated(
        **DRAFT, title="t", owner="local", target=Target(), mode="chat", privacy="standard"
    )
    await domain.journal.append(thread_id, [created])
    for _ in range(20):
        await domain.journal.append(thread_id, [NOTICE] * 10)
    assert 2 * DEFAULT_LIMITS.send_queue_bytes < 200 * 100_000
    talk = await lab.connect()
    await talk.ask("thread.open", thread_id=thread_id)
    assert numbers(talk.frames) == list(range(1, 202))


@pytest.fixture
def few_commands(monkeypatch: pytest.MonkeyPatch) -> Limits:
    """A limit that a flood is over on the slowest machine too."""
    limits = replace(DEFAULT_LIMITS, commands_per_second=50.0)
    monkeypatch.setattr("cave_lab.server.domain.DEFAULT_LIMITS", limits)
    return limits


async def test_a_thousand_commands_at_once_are_each_answered_and_others_are_served(
    few_commands: Limits, lab: Lab
) -> None:
    flood, other = await lab.connect(), await lab.connect()
    commands = [
        json.dumps({"type": "thread.list", "command_id": f"c-{number}"}) for number in range(1_000)
    ]

    poured = [flood.socket.write_message(command) for command in commands]
    for _ in range(20):
        await asyncio.wait_for(other.ask("thread.list"), 20)
    await asyncio.gather(*poured)

    def replies() -> list[Frame]:
        return [f for f in flood.frames if f["type"].startswith("command.")]

    await until(lambda: len(replies()) == 1_000, "a reply to each command")
    assert len({reply["command_id"] for reply in replies()}) == 1_000
    kinds = Counter(reply.get("code", "ok") for reply in replies())
    assert set(kinds) == {"ok", "limit_reached"}
    assert kinds["ok"] >= few_commands.commands_per_second
    domain = await lab.domain()
    assert len(domain.threads._replies) == 0, "what only asks is not remembered"


# ── what a flood costs the server, in a process of its own


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """A server whose memory and processor time are its own."""
    served = Served(tmp_path)
    await served.start()
    yield served
    await served.stop(signal.SIGKILL)


async def pour(talk: Talk, count: int, type_: str, **fields: Any) -> None:
    """Send so many commands as fast as they go, and wait for all their replies."""
    before = len(talk.frames)
    for number in range(count):
        command = {"type": type_, "command_id": f"{before}-{number}", **fields}
        await talk.socket.write_message(json.dumps(command))
    await until(lambda: len(talk.frames) >= before + count, f"{count} replies")


@pytest.mark.timeout(300)
async def test_a_flood_makes_a_server_grow_by_less_than_50_mb_and_leaves_others_half_of_its_time(
    served: Served,
) -> None:
    """At half of its time used, those who wait in line wait twice as long; clocks aren't asked."""
    browser = await served.browser()
    talk, flood = await browser.connect(), await browser.connect()
    thread_id = (await talk.ask("thread.create", target={}, settings={}))["thread_id"]
    await pour(flood, 50, "thread.list")
    memory, used = served.most_memory, served.cpu_seconds
    await pour(flood, 5_000, "thread.list")
    assert (served.cpu_seconds - used) / 5 < 0.5, "processor seconds for a thousand commands"
    long = [{"type": "text", "text": "x" * 190_000}] * 4
    await pour(flood, 100, "message.send", thread_id=thread_id, content=long)
    assert flood.frames[-1]["code"] == "limit_reached"
    assert served.most_memory - memory < 50_000_000
    assert not flood.closed
    assert len((await talk.ask("thread.list"))["threads"]) == 1
