"""The table of threads: one row a thread, kept in step with its events."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime

from cave_lab.errors import NotFound
from cave_lab.journal.servers import Server, ThisServer
from cave_lab.protocol.content import Target
from cave_lab.protocol.events import (
    Event,
    MessageQueued,
    ThreadChanged,
    ThreadCreated,
    TurnEnded,
    TurnStarted,
)
from cave_lab.protocol.ids import Seq, ServerId, ThreadId

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Holder:
    """The server that a thread was claimed by; a dead one no longer holds it."""

    server_id: ServerId
    host: str
    pid: int
    since: datetime
    alive: bool
    ours: bool


@dataclass(frozen=True)
class ThreadRecord:
    """What the journal knows of a thread without reading its events."""

    thread_id: ThreadId
    owner: str
    title: str
    target: Target
    created: datetime
    changed: datetime
    """When something was said in it last; a server that comes back says nothing."""
    last_seq: Seq
    deleted: bool
    running: bool
    """Whether a turn has started and not ended."""
    holder: Holder | None


RECORD = (
    "SELECT t.id, t.owner, t.title, t.target, t.created, t.changed, t.last_seq, t.deleted,"
    " EXISTS (SELECT 1 FROM unfinished u WHERE u.thread_id = t.id AND u.kind = 'turn'),"
    " t.claimed, s.id, s.host, s.pid, s.born, s.beat"
    " FROM threads t LEFT JOIN servers s ON s.id = t.server_id"
    " WHERE t.erased = 0 AND "
)


def list_threads(
    connection: sqlite3.Connection, us: ThisServer, owner: str, limit: int
) -> list[ThreadRecord]:
    """Return an owner's threads, the last changed first, without deleted and unreadable ones."""
    query = RECORD + "t.owner = ? AND t.deleted = 0 ORDER BY t.changed DESC, t.id LIMIT ?"
    with closing(connection.execute(query, (owner, limit))) as rows:
        return [record for row in rows if (record := _readable(row, us)) is not None]


def get_thread(connection: sqlite3.Connection, us: ThisServer, thread_id: ThreadId) -> ThreadRecord:
    """Return one thread. Raises NotFound, also for an erased one."""
    with closing(connection.execute(RECORD + "t.id = ?", (thread_id,))) as rows:
        row = rows.fetchone()
    if row is None:
        raise NotFound
    return _record(row, us)


def last_seq_of(connection: sqlite3.Connection, thread_id: ThreadId) -> Seq:
    """Return the last number a thread has given, also of an erased one. Raises NotFound."""
    with closing(
        connection.execute("SELECT last_seq FROM threads WHERE id = ?", (thread_id,))
    ) as rows:
        row = rows.fetchone()
    if row is None:
        raise NotFound
    return Seq(row[0])


def holder_of(us: ThisServer, server: Server, since: float) -> Holder:
    """Describe the server that claimed a thread."""
    return Holder(
        server_id=server.id,
        host=server.host.partition("/")[0],
        pid=server.pid,
        since=datetime.fromtimestamp(since, UTC),
        alive=us.is_alive(server),
        ours=server.id == us.id,
    )


def begin(connection: sqlite3.Connection, us: ThisServer, event: ThreadCreated) -> None:
    """Make the row of a new thread, ours from the start."""
    at = event.at.isoformat()
    connection.execute(
        "INSERT INTO threads (id, owner, title, target, created, changed, last_seq, server_id,"
        " claimed) VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?)",
        (
            event.thread_id,
            event.owner,
            event.title,
            event.target.model_dump_json(),
            at,
            at,
            us.id,
            us.now().timestamp(),
        ),
    )


def follow(connection: sqlite3.Connection, event: Event) -> None:
    """Bring the row up to an event that changes what the row shows."""
    if isinstance(event, ThreadChanged):
        _set(connection, event)
    elif _says(event):
        connection.execute(
            "UPDATE threads SET changed = ? WHERE id = ?", (event.at.isoformat(), event.thread_id)
        )


def _says(event: Event) -> bool:
    """A message, or the end of its answer; not the end that a server writes for one that died."""
    if isinstance(event, TurnEnded):
        return event.stop_reason != "interrupted"
    return isinstance(event, TurnStarted | MessageQueued)


def _set(connection: sqlite3.Connection, event: ThreadChanged) -> None:
    connection.execute(
        "UPDATE threads SET title = coalesce(?, title), target = coalesce(?, target),"
        " deleted = coalesce(?, deleted) WHERE id = ?",
        (
            event.title,
            None if event.target is None else event.target.model_dump_json(),
            event.deleted,
            event.thread_id,
        ),
    )


def advance(connection: sqlite3.Connection, last: Event) -> None:
    """Note the thread's last event."""
    connection.execute("UPDATE threads SET last_seq = ? WHERE id = ?", (last.seq, last.thread_id))


def _readable(row: tuple, us: ThisServer) -> ThreadRecord | None:  # type: ignore[type-arg]
    """One row that can't be read must not hide all others."""
    try:
        return _record(row, us)
    except ValueError:
        log.warning("Thread %s can't be read by this version and is left out.", row[0])
        return None


def _record(row: tuple, us: ThisServer) -> ThreadRecord:  # type: ignore[type-arg]
    thread_id, owner, title, target, created, changed, last_seq, deleted, running = row[:9]
    since, *server = row[9:]
    return ThreadRecord(
        thread_id=ThreadId(thread_id),
        owner=owner,
        title=title,
        target=Target.model_validate_json(target),
        created=datetime.fromisoformat(created),
        changed=datetime.fromisoformat(changed),
        last_seq=Seq(last_seq),
        deleted=bool(deleted),
        running=bool(running),
        holder=None if server[0] is None else holder_of(us, Server(*server), since),
    )
