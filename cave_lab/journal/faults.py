"""SQLite's faults in our words."""

from __future__ import annotations

import sqlite3

from cave_lab.errors import JournalCorrupt, JournalError, JournalUnavailable

DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})

SENTENCES = {
    sqlite3.SQLITE_FULL: (
        "The disk is full, so CaveLab's journal can't be written and nothing was run. "
        "Free some space, then try again."
    ),
    sqlite3.SQLITE_READONLY: (
        "CaveLab's journal may not be written by this server, so nothing was run. "
        "Check the rights of its folder, then try again."
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "CaveLab's journal can't be opened, so nothing was run. "
        "Check the rights of its folder, then try again."
    ),
    sqlite3.SQLITE_BUSY: (
        "CaveLab's journal is locked by another process, so nothing was run. Try again in a moment."
    ),
    sqlite3.SQLITE_IOERR: (
        "The disk refused to store CaveLab's journal, so nothing was run. "
        "Check the disk and its space, then try again."
    ),
}
OTHER_FAULTS = frozenset(
    {
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_NOLFS,
        sqlite3.SQLITE_AUTH,
    }
)

DAMAGE_SENTENCE = (
    "CaveLab's journal is damaged, so nothing was run. Restart Jupyter: "
    "the damaged file will be set aside unchanged and a new one begun."
)


def is_damage(error: sqlite3.Error) -> bool:
    """Say whether the error means that the file is broken."""
    return _primary(error) in DAMAGED


def in_our_words(error: sqlite3.Error) -> JournalError | None:
    """Turn an error of the storage into one of ours; None if it is a mistake of the program."""
    code = _primary(error)
    if code in DAMAGED:
        return JournalCorrupt(DAMAGE_SENTENCE, detail=str(error))
    if code in SENTENCES or code in OTHER_FAULTS:
        return JournalUnavailable(SENTENCES.get(code), detail=str(error))
    return None


def _primary(error: sqlite3.Error) -> int:
    # Errors that Python's own module raises carry no code of SQLite's.
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_MISUSE) & 0xFF
