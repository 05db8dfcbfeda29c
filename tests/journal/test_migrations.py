import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from cave_lab.errors import JournalTooNew
from cave_lab.journal.migrations import MIGRATIONS, migrate, version_of

NEXT = (*MIGRATIONS, ("ALTER TABLE settings ADD COLUMN note TEXT", "CREATE TABLE more (x)"))
BROKEN = (*MIGRATIONS, ("CREATE TABLE more (x)", "ALTER TABLE nowhere ADD COLUMN y"))


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        yield connection


def test_a_new_file_takes_every_step_once(connection):
    assert migrate(connection) == list(range(1, len(MIGRATIONS) + 1))
    assert migrate(connection) == []
    assert version_of(connection) == len(MIGRATIONS)


def test_an_older_file_takes_the_steps_it_lacks_and_keeps_its_content(connection):
    migrate(connection)
    connection.execute("INSERT INTO settings VALUES ('ada', 'model', '1')")
    assert migrate(connection, NEXT) == [len(NEXT)]
    assert connection.execute("SELECT * FROM settings").fetchall() == [("ada", "model", "1", None)]


def test_a_step_that_fails_leaves_the_file_as_it_was(connection):
    migrate(connection)
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        migrate(connection, BROKEN)
    assert version_of(connection) == len(MIGRATIONS)
    assert migrate(connection, NEXT) == [len(NEXT)]


def test_a_newer_file_is_refused(connection):
    migrate(connection, NEXT)
    with pytest.raises(JournalTooNew):
        migrate(connection)
