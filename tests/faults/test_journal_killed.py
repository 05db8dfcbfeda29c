"""A server killed at any moment loses nothing that it had acknowledged."""

import random
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from cave_lab.journal.claims import Ours
from cave_lab.journal.journal import Journal
from cave_lab.journal.place import Storage
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.protocol.content import TextPart
from cave_lab.protocol.events import Event, TextDelta, ThreadCreated, TurnStarted
from cave_lab.protocol.ids import ThreadId
from tests.faults.conftest import JournalProcess, Launch
from tests.faults.journal_process import draft, words
from tests.journal.making import turn_started

KILLS_A_TEST = 5


def words_of(event: Event) -> str:
    match event:
        case ThreadCreated():
            return event.title
        case TextDelta():
            return event.text
        case TurnStarted(content=[TextPart(text=text)]):
            return text
        case _:
            raise AssertionError(f"never written: {event!r}")


async def stored(journal: Journal, name: str) -> list[Event]:
    return [event async for page in journal.pages(ThreadId(name)) for event in page]


async def check(journal: Journal, acknowledged: dict[str, int]) -> None:
    """Every thread holds what was written, in order, at least up to what was acknowledged."""
    for name, least in acknowledged.items():
        events = await stored(journal, name)
        assert len(events) >= least
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        for number, event in enumerate(events, 1):
            assert event.type == draft(name, number).type
            assert words_of(event) == words(name, number)
        assert await journal.last_seq(ThreadId(name)) == len(events)


def last_of(said: list[Any]) -> dict[str, int]:
    acknowledged: dict[str, int] = defaultdict(int)
    for name, number in said:
        assert number > acknowledged[name]
        acknowledged[name] = number
    return acknowledged


async def said_until(process: JournalProcess, count: int) -> list[Any]:
    said = [await process.line() for _ in range(count)]
    assert None not in said
    return said


async def killed(launch: Launch, folder: Path, seed: str, role: str = "write") -> dict[str, int]:
    """Let a writer run to a random point, kill it, and return what it acknowledged."""
    process = await launch(role, folder, seed)
    said = await said_until(process, random.Random(seed).randint(1, 150))
    return last_of(said + await process.kill())


STORAGES: list[tuple[str, Storage, int]] = [
    *(("write", "wal", first) for first in range(0, 40, KILLS_A_TEST)),
    *(("write_without_log", "rollback", first) for first in range(40, 60, KILLS_A_TEST)),
]


@pytest.mark.parametrize("role, storage, first", STORAGES)
async def test_acknowledged_events_are_a_prefix_of_the_journal_whenever_it_is_killed(
    launch, folder, role, storage, first
):
    for seed in range(first, first + KILLS_A_TEST):
        acknowledged = await killed(launch, folder, str(seed), role)
        journal = await Journal.open(folder, DEFAULT_LIMITS, storage=storage)
        try:
            assert journal.storage == storage
            assert journal.notes == ()
            await check(journal, acknowledged)
        finally:
            await journal.close()


async def test_two_writers_on_one_folder_are_killed_and_lose_nothing(launch, folder):
    first = await launch("write", folder, "a")
    second = await launch("write", folder, "b")
    said_first = await said_until(first, 60)
    said_second = await said_until(second, 60)
    acknowledged = last_of(said_first + await first.kill())
    acknowledged |= last_of(said_second + await second.kill())
    journal = await Journal.open(folder, DEFAULT_LIMITS)
    try:
        await check(journal, acknowledged)
    finally:
        await journal.close()


async def test_the_threads_of_a_killed_server_are_orphans_and_go_on_in_the_next(launch, folder):
    acknowledged = await killed(launch, folder, "x")
    journal = await Journal.open(folder, DEFAULT_LIMITS)
    try:
        names = {
            name
            for name in acknowledged
            if any(event.type == "turn.started" for event in await stored(journal, name))
        }
        assert names
        assert set(await journal.orphans()) == names
        for name in names:
            claim = await journal.claim(ThreadId(name))
            assert isinstance(claim, Ours)
            assert claim.taken_over
            assert {begun.kind for begun in claim.unfinished} == {"turn"}
            last = await journal.last_seq(ThreadId(name))
            assert (await journal.append(ThreadId(name), [turn_started()]))[0].seq == last + 1
        assert await journal.orphans() == []
    finally:
        await journal.close()
