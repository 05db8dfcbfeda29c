"""The table of events: numbered by the writer, read in pages."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing

from pydantic import ValidationError

from cave_lab.errors import JournalCorrupt, JournalUnavailable, NotFound
from cave_lab.journal import threads, unfinished
from cave_lab.journal.claims import admit
from cave_lab.journal.drafts import Draft, stamped
from cave_lab.journal.servers import ThisServer
from cave_lab.protocol.events import Event, ThreadCreated, decode_event, encode_event
from cave_lab.protocol.ids import Seq, ThreadId

GAP = "What happened before this could not be written down, so this was not either."


def append(
    connection: sqlite3.Connection,
    us: ThisServer,
    thread_id: ThreadId,
    drafts: Sequence[Draft],
    after: Seq | None,
) -> list[Event]:
    """Number, date and store the drafts; `thread.created` begins a thread.

    Raises NotFound, ThreadElsewhere, JournalUnavailable if another event than `after` is the last,
    or ValueError if a thread would begin twice.
    """
    new = isinstance(drafts[0], ThreadCreated)
    again = any(isinstance(draft, ThreadCreated) for draft in drafts[int(new) :])
    if again or (new and _exists(connection, thread_id)):
        raise ValueError(f"the thread {thread_id} has begun before")
    last = 0 if new else admit(connection, us, thread_id)
    if after is not None and last != after:
        raise JournalUnavailable(GAP)
    at = us.now()
    events = [
        stamped(draft, {"seq": Seq(seq), "thread_id": thread_id, "at": at})
        for seq, draft in enumerate(drafts, last + 1)
    ]
    if isinstance(events[0], ThreadCreated):
        threads.begin(connection, us, events[0])
    _store(connection, events)
    return events


def _exists(connection: sqlite3.Connection, thread_id: ThreadId) -> bool:
    with closing(connection.execute("SELECT 1 FROM threads WHERE id = ?", (thread_id,))) as rows:
        return rows.fetchone() is not None


def _store(connection: sqlite3.Connection, events: Sequence[Event]) -> None:
    connection.executemany(
        "INSERT INTO events (thread_id, seq, type, body) VALUES (?, ?, ?, ?)",
        [(event.thread_id, event.seq, event.type, encode_event(event)) for event in events],
    )
    for event in events:
        threads.follow(connection, event)
        unfinished.follow(connection, event)
    threads.advance(connection, events[-1])


def page(
    connection: sqlite3.Connection, thread_id: ThreadId, after: Seq, limit: int, page_bytes: int
) -> list[Event]:
    """Return the events that follow `after`, at most `limit`, cut where a page is full.

    Raises NotFound, or JournalCorrupt if one can't be read.
    """
    query = "SELECT body FROM events WHERE thread_id = ? AND seq > ? ORDER BY seq LIMIT ?"
    with closing(connection.execute(query, (thread_id, after, limit))) as rows:
        bodies = _up_to((row[0] for row in rows), page_bytes)
    if not bodies:
        _require(connection, thread_id)
    return [_decoded(body) for body in bodies]


def _up_to(bodies: Iterable[str], page_bytes: int) -> list[str]:
    kept, size = [], 0
    for body in bodies:
        kept.append(body)
        size += len(body)
        if size >= page_bytes:
            break
    return kept


def _require(connection: sqlite3.Connection, thread_id: ThreadId) -> None:
    query = "SELECT 1 FROM threads WHERE id = ? AND erased = 0"
    with closing(connection.execute(query, (thread_id,))) as rows:
        if rows.fetchone() is None:
            raise NotFound


def _decoded(body: str) -> Event:
    try:
        return decode_event(body)
    except ValidationError as error:
        raise JournalCorrupt(
            "A part of this thread's journal can't be read, so the thread can't be shown. "
            "Nothing was changed. Begin a new thread: the notebook is not affected.",
            detail=f"{error.error_count()} errors in an event",
        ) from error
