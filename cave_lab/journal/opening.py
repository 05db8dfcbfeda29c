"""Opening the journal's folder: made private, checked, set aside if damaged, migrated."""

from __future__ import annotations

import logging
import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from cave_lab.errors import JournalCorrupt, JournalUnavailable
from cave_lab.journal.filesystem import network_kind
from cave_lab.journal.lock import FolderLock
from cave_lab.journal.migrations import migrate, refuse_newer
from cave_lab.journal.place import (
    Place,
    Storage,
    checkpoint,
    place_in,
    settle_storage,
)
from cave_lab.limits import Limits

log = logging.getLogger(__name__)

COMPANIONS = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside its file."""


def open_place(
    folder: Path, limits: Limits, now: Callable[[], datetime], storage: Storage | None
) -> tuple[Place, FolderLock]:
    """Make or check the journal in `folder`; `storage` None looks at the file system.

    Raises JournalUnavailable, JournalTooNew, or JournalCorrupt if another server has it open.
    """
    try:
        kind = _make_private(folder)
        lock = FolderLock(folder / "cave_lab.lock", limits.busy_seconds)
    except OSError as error:
        raise JournalUnavailable(detail=str(error)) from error
    try:
        place = place_in(folder, storage or ("rollback" if kind else "wal"), limits)
        place = _checked(place, lock, limits, now)
        place = _begun(place, lock)
        lock.share()
    except OSError as error:
        lock.close()
        raise JournalUnavailable(detail=str(error)) from error
    except BaseException:
        lock.close()
        raise
    _say(place, kind)
    return place, lock


def _make_private(folder: Path) -> str | None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _tighten(folder, 0o700)
    return network_kind(folder)


def _tighten(path: Path, mode: int) -> None:
    """Take the rights of others away; where we may not, the log says so."""
    if stat.S_IMODE(path.stat().st_mode) & ~mode == 0:
        return
    try:
        path.chmod(mode)
    except PermissionError:
        log.warning("Other users may look into %s; its owner should run chmod %o.", path, mode)


def _checked(place: Place, lock: FolderLock, limits: Limits, now: Callable[[], datetime]) -> Place:
    if not place.path.exists():
        return place
    damage = find_damage(place, limits.journal_check_bytes)
    if damage is None:
        place.suspect.unlink(missing_ok=True)
        return place
    if not lock.alone:
        raise JournalCorrupt(
            "CaveLab's journal is damaged and another Jupyter server has it open. Stop all Jupyter "
            "servers that use it and start one: it will be set aside unchanged.",
            detail=damage,
        )
    aside = set_aside(place, now())
    note = (
        f"CaveLab's journal was damaged. It was set aside unchanged as {aside.name} and a new one "
        "was begun, so earlier chats are not shown. Notebooks are not affected."
    )
    log.error("%s (%s)", note, damage)
    return replace(place, notes=(*place.notes, note))


def find_damage(place: Place, check_bytes: int) -> str | None:
    """Say what is broken in the file, or None; writes nothing into it.

    A file above `check_bytes` is only read through if damage was met while it was in use.
    Raises JournalTooNew.
    """
    thorough = place.suspect.exists() or place.path.stat().st_size <= check_bytes
    try:
        with place.guard():
            return _inspect(place, "ro", thorough=thorough)
    except JournalCorrupt as error:
        return error.detail or str(error)
    except JournalUnavailable:
        # A rollback journal left by a crash must first be played back, which is a write.
        with place.guard():
            return _inspect(place, "rw", thorough=thorough)


def _inspect(place: Place, access: str, *, thorough: bool) -> str | None:
    # Opened for reading, SQLite neither checkpoints nor removes the write-ahead log.
    uri = f"{place.path.absolute().as_uri()}?mode={access}"
    with closing(sqlite3.connect(uri, uri=True, timeout=place.busy_seconds)) as connection:
        refuse_newer(connection)
        if not thorough:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            return None
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    return None if found == "ok" else str(found)


def set_aside(place: Place, at: datetime) -> Path:
    """Rename the file and its companions; return the new name. Never overwrites."""
    stem = f"{place.path.name}.corrupt-{at:%Y%m%dT%H%M%SZ}"
    aside = place.path.with_name(stem)
    count = 1
    while aside.exists():
        count += 1
        aside = place.path.with_name(f"{stem}-{count}")
    place.path.rename(aside)
    for companion in COMPANIONS:
        with suppress(FileNotFoundError):
            Path(f"{place.path}{companion}").rename(f"{aside}{companion}")
    place.suspect.unlink(missing_ok=True)
    return aside


def _begun(place: Place, lock: FolderLock) -> Place:
    # SQLite would give a new file the rights of the umask; its companions get the file's.
    with suppress(FileExistsError):
        os.close(os.open(place.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    _tighten(place.path, 0o600)
    with place.guard(), closing(place.writer()) as connection:
        for number in migrate(connection):
            log.info("The journal's schema is at step %d.", number)
        found = settle_storage(connection, place.storage)
        if found == "wal" and lock.alone:
            # A crash may have left deleted words in the log.
            checkpoint(connection)
    return replace(place, storage=found)


def _say(place: Place, kind: str | None) -> None:
    mode = "a write-ahead log" if place.storage == "wal" else "a rollback journal, full sync"
    reason = f", as it lies on a network file system ({kind})" if kind else ""
    log.info("CaveLab's journal is %s, kept with %s%s.", place.path, mode, reason)
