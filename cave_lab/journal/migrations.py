"""The journal's schema, as numbered steps; `PRAGMA user_version` is the number of the last."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing

from cave_lab.errors import JournalTooNew
from cave_lab.journal.place import transaction

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE servers (
            id TEXT PRIMARY KEY,
            host TEXT NOT NULL,
            pid INTEGER NOT NULL,
            born TEXT NOT NULL,
            started REAL NOT NULL,
            beat REAL NOT NULL
        ) WITHOUT ROWID""",
        """CREATE TABLE threads (
            id TEXT PRIMARY KEY,
            owner TEXT NOT NULL,
            title TEXT NOT NULL,
            target TEXT NOT NULL,
            created TEXT NOT NULL,
            changed TEXT NOT NULL,
            last_seq INTEGER NOT NULL,
            deleted INTEGER NOT NULL DEFAULT 0,
            erased INTEGER NOT NULL DEFAULT 0,
            server_id TEXT,
            claimed REAL
        )""",
        "CREATE INDEX threads_of_owner ON threads (owner)",
        "CREATE INDEX threads_of_server ON threads (server_id)",
        """CREATE TABLE events (
            thread_id TEXT NOT NULL,
            seq INTEGER NOT NULL,
            type TEXT NOT NULL,
            body TEXT NOT NULL,
            UNIQUE (thread_id, seq)
        )""",
        """CREATE TABLE unfinished (
            thread_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            id TEXT NOT NULL,
            PRIMARY KEY (thread_id, kind, id)
        ) WITHOUT ROWID""",
        """CREATE TABLE blobs (
            id TEXT PRIMARY KEY,
            data BLOB NOT NULL
        )""",
        """CREATE TABLE blob_refs (
            thread_id TEXT NOT NULL,
            blob_id TEXT NOT NULL,
            mime TEXT NOT NULL,
            PRIMARY KEY (thread_id, blob_id)
        ) WITHOUT ROWID""",
        "CREATE INDEX refs_of_blob ON blob_refs (blob_id)",
        """CREATE TABLE settings (
            owner TEXT NOT NULL,
            key TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (owner, key)
        ) WITHOUT ROWID""",
    ),
)
"""Never change a step that was released: add one."""


def version_of(connection: sqlite3.Connection) -> int:
    """Return the number of the last step that the file has seen; 0 for a new file."""
    with closing(connection.execute("PRAGMA user_version")) as rows:
        return int(rows.fetchone()[0])


def refuse_newer(connection: sqlite3.Connection, newest: int = len(MIGRATIONS)) -> None:
    """Raise JournalTooNew if the file has seen steps that this CaveLab does not know."""
    if version_of(connection) > newest:
        raise JournalTooNew


def migrate(
    connection: sqlite3.Connection, steps: Sequence[Sequence[str]] = MIGRATIONS
) -> list[int]:
    """Bring the file to the newest step, each in a transaction of its own; return those done."""
    refuse_newer(connection, len(steps))
    done = []
    while (number := version_of(connection) + 1) <= len(steps):
        if _take(connection, number, steps[number - 1]):
            done.append(number)
    return done


def _take(connection: sqlite3.Connection, number: int, step: Sequence[str]) -> bool:
    with transaction(connection):
        # Another server may have taken the step while we waited for the lock.
        ours = version_of(connection) == number - 1
        for statement in step if ours else ():
            connection.execute(statement)
        if ours:
            connection.execute(f"PRAGMA user_version = {number:d}")
    return ours
