"""Where the journal lies and how it is stored: connections to it, and its errors in our words."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cave_lab.errors import JournalUnavailable
from cave_lab.journal.faults import in_our_words, is_damage
from cave_lab.limits import Limits

log = logging.getLogger(__name__)

FILE_NAME = "cave_lab.sqlite"

Storage = Literal["wal", "rollback"]
"""A write-ahead log; or, on network file systems, SQLite's rollback journal."""


@dataclass(frozen=True)
class Place:
    """The journal's file, made and checked, with what there is to say about it."""

    path: Path
    storage: Storage
    busy_seconds: float
    wal_bytes: int
    notes: tuple[str, ...] = ()

    @property
    def suspect(self) -> Path:
        """The mark that damage was met while running, so that the next start looks closely."""
        return self.path.with_name(f"{FILE_NAME}.suspect")

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Raise the storage's errors as JournalUnavailable or JournalCorrupt."""
        try:
            yield
        except sqlite3.Error as error:
            ours = in_our_words(error)
            if ours is None:
                raise
            if is_damage(error):
                self._mark_suspect()
            raise ours from error

    def writer(self) -> sqlite3.Connection:
        """Open the one connection that writes."""
        connection = self._connect()
        try:
            settle_storage(connection, self.storage)
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute(f"PRAGMA journal_size_limit = {self.wal_bytes:d}")
            # macOS only: before the log is reused, the disk's own cache is emptied too.
            connection.execute("PRAGMA checkpoint_fullfsync = ON")
        except BaseException:
            connection.close()
            raise
        return connection

    def reader(self) -> sqlite3.Connection:
        """Open a connection that only reads; any thread may close it."""
        connection = self._connect()
        connection.execute("PRAGMA query_only = ON")
        return connection

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=self.busy_seconds, isolation_level=None, check_same_thread=False
        )
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        return connection

    def _mark_suspect(self) -> None:
        try:
            self.suspect.touch(0o600)
        except OSError as error:
            log.warning("The damaged journal could not be marked: %s", error)


def place_in(folder: Path, storage: Storage, limits: Limits, notes: tuple[str, ...] = ()) -> Place:
    """Describe the journal of a folder."""
    return Place(
        path=folder / FILE_NAME,
        storage=storage,
        busy_seconds=limits.busy_seconds,
        wal_bytes=limits.journal_wal_bytes,
        notes=notes,
    )


def settle_storage(connection: sqlite3.Connection, wanted: Storage) -> Storage:
    """Put the file into the wanted mode; return the one it is in.

    Where shared memory is missing, SQLite refuses the write-ahead log and keeps a rollback journal.
    Raises JournalUnavailable if a server on another machine keeps it in write-ahead mode.
    """
    mode = "WAL" if wanted == "wal" else "DELETE"
    with closing(connection.execute(f"PRAGMA journal_mode = {mode}")) as rows:
        found: Storage = "wal" if rows.fetchone()[0] == "wal" else "rollback"
    if found == "wal" and wanted == "rollback":
        raise JournalUnavailable(
            "CaveLab's journal is in use on another machine in a way that is not safe from here, "
            "so nothing was run. Stop that Jupyter server, or give this one its own journal folder."
        )
    if found == "rollback":
        connection.execute("PRAGMA synchronous = FULL")
    return found


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit what is written inside, or undo all of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def checkpoint(connection: sqlite3.Connection) -> bool:
    """Move the write-ahead log into the file and empty it; False if someone still reads it."""
    with closing(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")) as rows:
        return bool(rows.fetchone()[0] == 0)
