"""Removing for good: pruning below a snapshot, and erasing a thread."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from cave_lab.journal.claims import admit
from cave_lab.journal.servers import ThisServer
from cave_lab.protocol.ids import Seq, ThreadId


def prune(
    connection: sqlite3.Connection, us: ThisServer, thread_id: ThreadId, before_seq: Seq
) -> int:
    """Remove the events before a snapshot; return how many.

    Raises NotFound, ThreadElsewhere, or ValueError if the event at `before_seq` is no snapshot.
    """
    admit(connection, us, thread_id)
    query = "SELECT type FROM events WHERE thread_id = ? AND seq = ?"
    with closing(connection.execute(query, (thread_id, before_seq))) as rows:
        if rows.fetchone() != ("thread.snapshot",):
            raise ValueError(f"event {before_seq} of {thread_id} is not a snapshot")
    removal = "DELETE FROM events WHERE thread_id = ? AND seq < ?"
    with closing(connection.execute(removal, (thread_id, before_seq))) as removed:
        return removed.rowcount


def erase(connection: sqlite3.Connection, us: ThisServer, thread_id: ThreadId) -> None:
    """Remove all that a thread stored; its row keeps id and last number.

    Raises NotFound or ThreadElsewhere.
    """
    admit(connection, us, thread_id)
    connection.execute(
        "DELETE FROM blobs WHERE id IN (SELECT blob_id FROM blob_refs WHERE thread_id = ?)"
        " AND NOT EXISTS (SELECT 1 FROM blob_refs WHERE blob_id = blobs.id AND thread_id != ?)",
        (thread_id, thread_id),
    )
    connection.execute("DELETE FROM blob_refs WHERE thread_id = ?", (thread_id,))
    connection.execute("DELETE FROM unfinished WHERE thread_id = ?", (thread_id,))
    connection.execute("DELETE FROM events WHERE thread_id = ?", (thread_id,))
    connection.execute(
        "UPDATE threads SET owner = '', title = '', target = '{}', deleted = 1, erased = 1,"
        " server_id = NULL, claimed = NULL WHERE id = ?",
        (thread_id,),
    )
