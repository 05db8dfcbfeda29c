import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest

from cave_lab.errors import NotFound
from cave_lab.journal.journal import Journal
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.protocol.content import NotebookRef, Target
from cave_lab.protocol.ids import ThreadId
from tests.journal.making import (
    TARGET,
    THREAD,
    Clock,
    changed,
    created,
    kernel_changed,
    queued,
    snapshot,
    turn_ended,
    turn_started,
)


async def test_a_record_follows_the_events_of_its_thread(folder):
    clock = Clock()
    begun = clock()
    journal = await Journal.open(folder, DEFAULT_LIMITS, now=clock)
    try:
        await journal.append(THREAD, [created(owner="ada", title="First")])
        first = await journal.thread(THREAD)
        clock.time += timedelta(minutes=5)
        moved = Target(notebook=NotebookRef(path="moved.ipynb"))
        await journal.append(THREAD, [changed(title="Second"), changed(target=moved)])
        second = await journal.thread(THREAD)
    finally:
        await journal.close()
    assert (first.owner, first.title, first.target, first.last_seq) == ("ada", "First", TARGET, 1)
    assert (second.owner, second.title, second.target, second.last_seq) == (
        "ada",
        "Second",
        moved,
        3,
    )
    assert (second.created, second.changed) == (begun, begun)


async def test_the_time_of_a_thread_is_that_of_its_last_message_or_answer(folder):
    clock = Clock()
    begun = clock()
    journal = await Journal.open(folder, DEFAULT_LIMITS, now=clock)
    seen = []
    try:
        await journal.append(THREAD, [created()])
        for event in (
            turn_started(),
            turn_ended(),
            queued(),
            # What a server that was started again adds by itself.
            kernel_changed(),
            turn_ended(stop_reason="interrupted"),
            snapshot(),
        ):
            clock.time += timedelta(minutes=1)
            await journal.append(THREAD, [event])
            seen.append((await journal.thread(THREAD)).changed - begun)
    finally:
        await journal.close()
    assert [time.total_seconds() / 60 for time in seen] == [1, 2, 3, 3, 3, 3]


async def test_a_thread_runs_from_the_start_of_a_turn_to_its_end(journal, thread):
    assert not (await journal.thread(thread)).running
    await journal.append(thread, [turn_started()])
    assert (await journal.thread(thread)).running
    await journal.append(thread, [turn_ended()])
    assert not (await journal.thread(thread)).running


async def test_a_list_holds_the_owners_threads_the_last_changed_first(folder):
    clock = Clock()
    journal = await Journal.open(folder, DEFAULT_LIMITS, now=clock)
    try:
        for name, owner in (("a", "ada"), ("b", "bob"), ("c", "ada"), ("d", "ada")):
            clock.time += timedelta(seconds=1)
            await journal.append(ThreadId(name), [created(owner=owner)])
        clock.time += timedelta(seconds=1)
        await journal.append(ThreadId("a"), [turn_started()])
        listed = [record.thread_id for record in await journal.threads("ada")]
        shorter = [record.thread_id for record in await journal.threads("ada", limit=2)]
    finally:
        await journal.close()
    assert listed == ["a", "d", "c"]
    assert shorter == ["a", "d"]


async def test_a_thread_marked_as_deleted_is_not_listed_until_it_is_taken_back(journal, thread):
    await journal.append(thread, [changed(deleted=True)])
    assert await journal.threads("local") == []
    assert (await journal.thread(thread)).deleted
    await journal.append(thread, [changed(deleted=False)])
    assert [record.thread_id for record in await journal.threads("local")] == [thread]


async def test_a_record_names_the_server_that_holds_the_thread(journal, other, thread):
    ours = (await journal.thread(thread)).holder
    theirs = (await other.thread(thread)).holder
    assert ours is not None
    assert theirs is not None
    assert ours.ours
    assert not theirs.ours
    assert theirs.server_id == journal.server_id
    assert theirs.alive
    await journal.release(thread)
    assert (await other.thread(thread)).holder is None


async def test_an_unknown_thread_is_not_found(journal):
    with pytest.raises(NotFound):
        await journal.thread(THREAD)


async def test_a_thread_that_can_not_be_read_does_not_hide_the_others(folder, journal):
    for name in ("a", "b"):
        await journal.append(ThreadId(name), [created(owner="ada")])
    with closing(sqlite3.connect(folder / "cave_lab.sqlite", isolation_level=None)) as outside:
        outside.execute("UPDATE threads SET target = '{\"of_later\": 1}' WHERE id = 'a'")
    assert [record.thread_id for record in await journal.threads("ada")] == ["b"]
