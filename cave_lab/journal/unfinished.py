"""What has begun and not ended in a thread: what a recovery has to look at."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

from cave_lab.journal.servers import ThisServer, dead_servers
from cave_lab.protocol.events import (
    ApprovalClosed,
    ApprovalRequested,
    Event,
    MessageQueued,
    MessageUnqueued,
    RunEnded,
    RunIntended,
    TurnEnded,
    TurnStarted,
)
from cave_lab.protocol.ids import ThreadId

Kind = Literal["turn", "run", "approval", "message"]


@dataclass(frozen=True)
class Begun:
    """A turn, an intended run, an approval or a queued message that has not ended."""

    kind: Kind
    id: str


def begins(event: Event) -> Begun | None:
    """Return what the event begins."""
    match event:
        case TurnStarted():
            return Begun("turn", event.turn_id)
        case RunIntended():
            return Begun("run", event.run_id)
        case ApprovalRequested():
            return Begun("approval", event.approval_id)
        case MessageQueued():
            return Begun("message", event.message_id)
        case _:
            return None


def ends(event: Event) -> Begun | None:
    """Return what the event ends."""
    match event:
        case TurnEnded():
            return Begun("turn", event.turn_id)
        case RunEnded():
            return Begun("run", event.run_id)
        case ApprovalClosed():
            return Begun("approval", event.approval_id)
        case MessageUnqueued():
            return Begun("message", event.message_id)
        case _:
            return None


def follow(connection: sqlite3.Connection, event: Event) -> None:
    """Keep the table in step with an event."""
    if begun := begins(event):
        connection.execute(
            "INSERT OR IGNORE INTO unfinished (thread_id, kind, id) VALUES (?, ?, ?)",
            (event.thread_id, begun.kind, begun.id),
        )
    if ended := ends(event):
        connection.execute(
            "DELETE FROM unfinished WHERE thread_id = ? AND kind = ? AND id = ?",
            (event.thread_id, ended.kind, ended.id),
        )


def unfinished_of(connection: sqlite3.Connection, thread_id: ThreadId) -> Sequence[Begun]:
    """Return what has begun and not ended in a thread."""
    query = "SELECT kind, id FROM unfinished WHERE thread_id = ? ORDER BY kind, id"
    with closing(connection.execute(query, (thread_id,))) as rows:
        return tuple(Begun(kind, name) for kind, name in rows)


def orphans(connection: sqlite3.Connection, us: ThisServer) -> list[ThreadId]:
    """Return the threads with something unfinished that no living server holds."""
    dead = set(dead_servers(connection, us))
    query = (
        "SELECT DISTINCT t.id, s.id FROM threads t"
        " JOIN unfinished u ON u.thread_id = t.id LEFT JOIN servers s ON s.id = t.server_id"
        " WHERE t.erased = 0 ORDER BY t.changed, t.id"
    )
    with closing(connection.execute(query)) as rows:
        return [ThreadId(name) for name, server in rows if server is None or server in dead]
