import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from functools import partial

import pytest

from cave_lab.errors import JournalUnavailable
from cave_lab.journal.journal import Journal
from cave_lab.journal.opening import open_place
from cave_lab.journal.servers import utc_now
from cave_lab.journal.writer import Writer
from cave_lab.limits import DEFAULT_LIMITS, Limits
from cave_lab.protocol.ids import Seq
from tests.journal.making import THREAD, created, delta, texts, turn_started
from tests.waiting import until


@pytest.fixture
async def writer(folder) -> AsyncIterator[Writer]:
    writer = Writer(partial(open_place, folder, DEFAULT_LIMITS, utc_now, None), DEFAULT_LIMITS)
    await writer.start()
    yield writer
    await writer.stop()


@pytest.fixture
async def slow(folder) -> AsyncIterator[Journal]:
    """A journal whose batches would wait for an hour, with a thread."""
    journal = await Journal.open(folder, Limits(batch_seconds=3_600.0))
    await journal.append(THREAD, [created()])
    yield journal
    await journal.close()


async def trace(journal: Journal) -> list[str]:
    """The statements that the journal's writer carries out from now on."""
    statements: list[str] = []
    await journal._writer.run(lambda connection: connection.set_trace_callback(statements.append))
    statements.clear()
    return statements


def synchronous(connection: sqlite3.Connection) -> int:
    with closing(connection.execute("PRAGMA synchronous")) as rows:
        return rows.fetchone()[0]


async def test_a_durable_commit_is_synced_and_a_batch_is_not(writer):
    full, normal = 2, 1
    assert await writer.run(synchronous) == full
    assert await writer.run(synchronous, durable=False, patient=True) == normal
    assert await writer.run(synchronous) == full


async def test_deltas_wait_for_each_other_and_share_a_commit(journal, thread):
    statements = await trace(journal)
    await asyncio.gather(*(journal.append(thread, [delta(str(n))]) for n in range(50)))
    assert statements.count("COMMIT") <= 2
    assert texts(await journal.events(thread)) == [str(n) for n in range(50)]


async def test_a_full_event_commits_with_the_deltas_before_it(slow):
    statements = await trace(slow)
    drafts = [delta("a"), delta("b"), turn_started()]
    async with asyncio.timeout(10):
        await asyncio.gather(*(slow.append(THREAD, [draft]) for draft in drafts))
    assert statements.count("COMMIT") == 1
    assert [event.type for event in await slow.events(THREAD, Seq(1))] == [
        "text.delta",
        "text.delta",
        "turn.started",
    ]


async def test_the_first_delta_after_a_pause_is_committed_at_once(slow):
    slow._writer._batch_due = 0.0
    async with asyncio.timeout(10):
        assert (await slow.append(THREAD, [delta("a")]))[0].seq == 2


async def test_a_failing_job_is_told_and_the_writer_goes_on(writer):
    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half (x)")
        raise RuntimeError("in the job")

    with pytest.raises(RuntimeError, match="in the job"):
        await writer.run(fail)
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        await writer.run(lambda connection: connection.execute("SELECT * FROM half"))
    with pytest.raises(RuntimeError, match="in the job"):
        await writer.run(fail, alone=True)
    assert await writer.run(synchronous) == 2


async def test_the_event_loop_runs_on_while_another_process_holds_the_file(journal, thread, folder):
    with closing(sqlite3.connect(folder / "cave_lab.sqlite", isolation_level=None)) as outside:
        outside.execute("BEGIN IMMEDIATE")
        append = asyncio.create_task(journal.append(thread, [turn_started()]))
        for _ in range(1_000):
            await asyncio.sleep(0)
        assert not append.done()
        outside.execute("ROLLBACK")
        assert (await append)[0].seq == 2


async def test_a_file_that_stays_locked_makes_the_journal_unavailable_until_it_is_free(folder):
    journal = await Journal.open(folder, Limits(busy_seconds=0.1))
    try:
        await journal.append(THREAD, [created()])
        with closing(sqlite3.connect(folder / "cave_lab.sqlite", isolation_level=None)) as outside:
            outside.execute("BEGIN IMMEDIATE")
            with pytest.raises(JournalUnavailable, match="locked by another process"):
                await journal.append(THREAD, [turn_started("lost")])
            outside.execute("ROLLBACK")
        assert (await journal.append(THREAD, [turn_started("kept")]))[0].seq == 2
    finally:
        await journal.close()


async def test_a_full_disk_makes_the_journal_unavailable_and_nothing_is_half_written(
    journal, thread
):
    def no_more_pages(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA max_page_count = 1")

    await journal._writer.run(no_more_pages)
    with pytest.raises(JournalUnavailable, match="disk is full"):
        await journal.append(thread, [delta("x"), delta("y" * 100_000), turn_started()])
    assert await journal.last_seq(thread) == 1
    # A failed connection is replaced, and with it goes its bound on pages.
    assert [event.seq for event in await journal.append(thread, [turn_started()])] == [2]
    assert [event.seq for event in await journal.events(thread)] == [1, 2]


async def test_an_append_cancelled_before_its_commit_begins_leaves_nothing(journal, thread):
    go_on = threading.Event()
    blocked = asyncio.create_task(journal._writer.run(lambda connection: go_on.wait(10)))
    await asyncio.sleep(0)
    append = asyncio.create_task(journal.append(thread, [turn_started("never")]))
    await asyncio.sleep(0)
    append.cancel()
    await asyncio.gather(append, return_exceptions=True)
    go_on.set()
    await blocked
    assert append.cancelled()
    assert (await journal.append(thread, [delta("next")]))[0].seq == 2
    assert texts(await journal.events(thread)) == ["next"]


async def test_an_append_cancelled_in_its_commit_is_stored_and_told(journal, thread, folder):
    told: list[int] = []
    statements = await trace(journal)
    with closing(sqlite3.connect(folder / "cave_lab.sqlite", isolation_level=None)) as outside:
        outside.execute("BEGIN IMMEDIATE")
        append = asyncio.create_task(
            journal.append(
                thread, [turn_started()], on_commit=lambda events: told.append(events[0].seq)
            )
        )
        await until(lambda: "BEGIN IMMEDIATE" in statements, "the commit begin")
        append.cancel()
        await asyncio.gather(append, return_exceptions=True)
        outside.execute("ROLLBACK")
    await until(lambda: told, "the events told")
    assert append.cancelled()
    assert told == [2]
    assert [event.seq for event in await journal.events(thread, Seq(1))] == [2]


async def test_commits_are_told_in_their_order(journal, thread):
    told: list[int] = []

    def note(events):
        told.extend(event.seq for event in events)

    drafts = [turn_started() if n % 3 == 0 else delta(str(n)) for n in range(30)]
    await asyncio.gather(*(journal.append(thread, [d], on_commit=note) for d in drafts))
    assert told == list(range(2, 32))


async def test_an_error_of_the_one_who_is_told_reaches_the_caller(journal, thread):
    def stumble(events):
        raise RuntimeError("in on_commit")

    with pytest.raises(RuntimeError, match="in on_commit"):
        await journal.append(thread, [turn_started()], on_commit=stumble)
    assert await journal.last_seq(thread) == 2


async def test_stopping_finishes_what_was_asked_for(slow):
    deltas = [asyncio.create_task(slow.append(THREAD, [delta(str(n))])) for n in range(5)]
    await asyncio.sleep(0)
    async with asyncio.timeout(10):
        await slow.close()
    assert [event[0].seq for event in await asyncio.gather(*deltas)] == [2, 3, 4, 5, 6]
