import asyncio
import sqlite3
import threading

import pytest

from cave_lab.errors import JournalUnavailable
from cave_lab.journal.place import place_in
from cave_lab.journal.readers import Readers
from cave_lab.limits import DEFAULT_LIMITS
from tests.journal.making import THREAD, created, turn_started


def one(connection: sqlite3.Connection) -> int:
    return connection.execute("SELECT 1").fetchone()[0]


async def test_a_long_read_holds_neither_the_writer_nor_another_reader_up(journal, thread):
    go_on = threading.Event()
    begun = threading.Event()

    def long_read(connection: sqlite3.Connection) -> int:
        rows = connection.execute("SELECT seq FROM events")
        begun.set()
        assert go_on.wait(20)
        return len(rows.fetchall())

    reading = asyncio.create_task(journal._readers.run(long_read))
    assert await asyncio.to_thread(begun.wait, 20)
    await journal.append(thread, [turn_started()])
    assert await journal.last_seq(thread) == 2
    go_on.set()
    # A read sees the moment it began at.
    assert await reading == 1


async def test_a_reader_can_not_write(journal, thread):
    def write(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM events")

    with pytest.raises(JournalUnavailable):
        await journal._readers.run(write)
    assert len(await journal.events(thread)) == 1


async def test_a_connection_that_failed_is_replaced(journal):
    connections: list[sqlite3.Connection] = []

    def fail(connection: sqlite3.Connection) -> None:
        connections.append(connection)
        connection.execute("SELECT * FROM nowhere")

    for _ in range(2 * DEFAULT_LIMITS.journal_readers):
        with pytest.raises(sqlite3.OperationalError, match="no such table"):
            await journal._readers.run(fail)
    assert len({id(connection) for connection in connections}) == len(connections)
    assert await journal._readers.run(one) == 1


async def test_stopped_readers_have_closed_their_connections_and_say_so(journal, folder):
    await journal.append(THREAD, [created()])
    readers = Readers(place_in(folder, "wal", DEFAULT_LIMITS), DEFAULT_LIMITS)
    assert await asyncio.gather(*(readers.run(one) for _ in range(5))) == [1] * 5
    kept = list(readers._connections)
    await readers.stop()
    await readers.stop()
    assert kept
    for connection in kept:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            one(connection)
    with pytest.raises(JournalUnavailable, match="closed"):
        await readers.run(one)
