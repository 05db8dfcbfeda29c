import sqlite3

import pytest

from cave_lab.errors import JournalCorrupt, JournalUnavailable
from cave_lab.journal.faults import in_our_words, is_damage


def fault(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("SQLite's own words")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    "code, words",
    [
        (sqlite3.SQLITE_FULL, "disk is full"),
        (sqlite3.SQLITE_READONLY, "may not be written"),
        (sqlite3.SQLITE_READONLY_DIRECTORY, "may not be written"),
        (sqlite3.SQLITE_CANTOPEN, "can't be opened"),
        (sqlite3.SQLITE_BUSY_RECOVERY, "locked by another process"),
        (sqlite3.SQLITE_IOERR_FSYNC, "disk refused"),
        (sqlite3.SQLITE_NOMEM, "can't be written"),
    ],
)
def test_a_fault_of_the_storage_makes_the_journal_unavailable(code, words):
    ours = in_our_words(fault(code))
    assert isinstance(ours, JournalUnavailable)
    assert words in str(ours)
    assert ours.detail == "SQLite's own words"
    assert not is_damage(fault(code))


@pytest.mark.parametrize(
    "code", [sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_CORRUPT_INDEX, sqlite3.SQLITE_NOTADB]
)
def test_damage_is_told_apart(code):
    assert is_damage(fault(code))
    assert isinstance(in_our_words(fault(code)), JournalCorrupt)


@pytest.mark.parametrize("code", [sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT_UNIQUE])
def test_a_mistake_of_the_program_stays_what_it_is(code):
    assert in_our_words(fault(code)) is None


def test_an_error_of_pythons_own_has_no_code():
    assert in_our_words(sqlite3.ProgrammingError("Cannot operate on a closed database.")) is None
