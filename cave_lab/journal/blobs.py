"""The table of blobs: stored once by content, reached only through a thread that refers to them."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass

from cave_lab.errors import NotFound
from cave_lab.journal.claims import admit
from cave_lab.journal.servers import ThisServer
from cave_lab.protocol.ids import BlobId, ThreadId


@dataclass(frozen=True)
class Blob:
    """Bytes with the type that the thread gave them."""

    data: bytes
    mime: str


def name_of(data: bytes) -> BlobId:
    """Return the id of these bytes."""
    return BlobId(hashlib.sha256(data).hexdigest())


def put(
    connection: sqlite3.Connection,
    us: ThisServer,
    thread_id: ThreadId,
    named: Mapping[BlobId, bytes],
    mime: str,
) -> None:
    """Store blobs and let the thread refer to them. Raises NotFound or ThreadElsewhere."""
    admit(connection, us, thread_id)
    connection.executemany("INSERT OR IGNORE INTO blobs (id, data) VALUES (?, ?)", named.items())
    connection.executemany(
        "INSERT OR IGNORE INTO blob_refs (thread_id, blob_id, mime) VALUES (?, ?, ?)",
        [(thread_id, blob_id, mime) for blob_id in named],
    )


def get(connection: sqlite3.Connection, thread_id: ThreadId, blob_id: BlobId) -> Blob:
    """Return a blob of the thread. Raises NotFound, also if only other threads refer to it."""
    query = (
        "SELECT data, mime FROM blob_refs JOIN blobs ON blobs.id = blob_id"
        " WHERE thread_id = ? AND blob_id = ?"
    )
    with closing(connection.execute(query, (thread_id, blob_id))) as rows:
        row = rows.fetchone()
    if row is None:
        raise NotFound("This output is not there. The thread may have been deleted.")
    return Blob(*row)
