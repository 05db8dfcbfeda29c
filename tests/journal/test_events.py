import asyncio
import sqlite3
from datetime import UTC, datetime

import pytest

from cave_lab.errors import JournalCorrupt, NotFound, ThreadElsewhere
from cave_lab.journal.journal import Journal
from cave_lab.limits import DEFAULT_LIMITS, Limits
from cave_lab.protocol.ids import Seq, ThreadId
from tests.journal.making import (
    THREAD,
    Clock,
    created,
    delta,
    texts,
    turn_ended,
    turn_started,
)


async def test_events_are_numbered_from_one_and_dated_by_the_journal(folder):
    clock = Clock()
    journal = await Journal.open(folder, DEFAULT_LIMITS, now=clock)
    try:
        first = await journal.append(THREAD, [created(), delta("a")])
        clock.time = datetime(2027, 5, 6, 7, 8, 9, 10, tzinfo=UTC)
        second = await journal.append(THREAD, [turn_started()])
        stored = await journal.events(THREAD)
    finally:
        await journal.close()
    assert [event.seq for event in first + second] == [1, 2, 3]
    assert {event.thread_id for event in first + second} == {THREAD}
    assert [event.at.year for event in first + second] == [2026, 2026, 2027]
    assert stored == first + second


async def test_numbers_are_contiguous_and_unique_when_many_threads_write_at_once(journal):
    names = [ThreadId(f"thread-{number}") for number in range(12)]

    async def write(name: ThreadId) -> list[int]:
        await journal.append(name, [created()])
        seqs = []
        for number in range(20):
            draft = turn_started() if number % 5 == 4 else delta(f"{name} {number}")
            seqs += [event.seq for event in await journal.append(name, [draft])]
        return seqs

    assert await asyncio.gather(*map(write, names)) == [list(range(2, 22))] * 12
    for name in names:
        assert [event.seq for event in await journal.events(name)] == list(range(1, 22))
        assert await journal.last_seq(name) == 21


async def test_appends_of_one_thread_keep_the_order_of_the_calls(journal, thread):
    drafts = [turn_started(str(n)) if n % 7 == 6 else delta(str(n)) for n in range(100)]
    appended = await asyncio.gather(*(journal.append(thread, [draft]) for draft in drafts))
    assert [events[0].seq for events in appended] == list(range(2, 102))
    assert [event.type for event in await journal.events(thread, Seq(1))] == [
        draft.type for draft in drafts
    ]


async def test_an_append_of_nothing_gives_nothing(journal, thread):
    assert await journal.append(thread, []) == []
    assert await journal.last_seq(thread) == 1


async def test_a_thread_has_to_begin_with_its_creation(journal):
    with pytest.raises(NotFound):
        await journal.append(THREAD, [delta("too early")])
    with pytest.raises(NotFound):
        await journal.events(THREAD)
    with pytest.raises(NotFound):
        await journal.last_seq(THREAD)


async def test_a_thread_begins_only_once(journal, thread):
    with pytest.raises(ValueError, match="has begun before"):
        await journal.append(thread, [created()])
    with pytest.raises(ValueError, match="has begun before"):
        await journal.append(thread, [delta("a"), created()])
    with pytest.raises(ValueError, match="has begun before"):
        await journal.append(ThreadId("thread-2"), [created(), created()])
    assert await journal.last_seq(thread) == 1


async def test_another_server_reads_a_thread_but_does_not_write_it(journal, other, thread):
    assert [event.type for event in await other.events(thread)] == ["thread.created"]
    with pytest.raises(ThreadElsewhere):
        await other.append(thread, [delta("not mine")])
    assert await journal.last_seq(thread) == 1


async def test_a_refused_append_does_not_undo_those_it_is_committed_with(journal, thread):
    wanted = [
        journal.append(thread, [delta("a")]),
        journal.append(ThreadId("nowhere"), [delta("b")]),
        journal.append(thread, [created()]),
        journal.append(thread, [turn_started()]),
    ]
    answers = await asyncio.gather(*wanted, return_exceptions=True)
    assert [type(answer) for answer in answers] == [list, NotFound, ValueError, list]
    assert [event.type for event in await journal.events(thread, Seq(1))] == [
        "text.delta",
        "turn.started",
    ]


async def test_events_are_read_after_a_number_and_up_to_a_limit(journal, thread):
    await journal.append(thread, [delta(str(number)) for number in range(10)])
    assert texts(await journal.events(thread, Seq(4), 3)) == ["3", "4", "5"]
    assert await journal.events(thread, Seq(11)) == []


async def test_a_page_ends_where_it_is_full_and_pages_lose_nothing(folder):
    limits = Limits(journal_page_events=7, journal_page_bytes=2_000)
    journal = await Journal.open(folder, limits)
    try:
        await journal.append(THREAD, [created()])
        await journal.append(THREAD, [delta(str(number)) for number in range(30)])
        await journal.append(THREAD, [delta("x" * 5_000), delta("y" * 5_000), turn_ended()])
        pages = [page async for page in journal.pages(THREAD)]
    finally:
        await journal.close()
    assert [len(page) for page in pages] == [7, 7, 7, 7, 4, 1, 1]
    assert [event.seq for page in pages for event in page] == list(range(1, 35))


async def test_an_unreadable_event_is_said_and_the_other_threads_go_on(journal, thread, folder):
    healthy = ThreadId("thread-2")
    await journal.append(healthy, [created()])
    with sqlite3.connect(folder / "cave_lab.sqlite") as outside:
        outside.execute("UPDATE events SET body = '{\"seq\": ' WHERE thread_id = ?", (thread,))
    outside.close()
    with pytest.raises(JournalCorrupt, match="can't be read"):
        await journal.events(thread)
    assert len(await journal.events(healthy)) == 1
