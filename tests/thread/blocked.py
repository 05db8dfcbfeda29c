"""Another process that holds the journal's file: what is written meanwhile fails."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any


class Block:
    """Holds the write lock of a journal's file while entered."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "cave_lab.sqlite"

    @contextmanager
    def __call__(self) -> Iterator[None]:
        with closing(sqlite3.connect(self.file, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield
            connection.execute("ROLLBACK")

    def rows(self, query: str, *values: Any) -> list[Any]:
        """What the file holds now, read past the journal."""
        with closing(sqlite3.connect(self.file)) as connection:
            return connection.execute(query, values).fetchall()
