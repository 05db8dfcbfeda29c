"""Readers: a few threads with connections of their own, beside the writer."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from cave_lab.errors import JournalUnavailable
from cave_lab.journal.place import Place
from cave_lab.limits import Limits

T = TypeVar("T")


class Readers:
    """Runs queries off the event loop; each thread keeps one connection."""

    def __init__(self, place: Place, limits: Limits) -> None:
        self._place = place
        self._mine = threading.local()
        self._connections: set[sqlite3.Connection] = set()
        self._pool: ThreadPoolExecutor | None = ThreadPoolExecutor(
            limits.journal_readers, thread_name_prefix="cave-lab-journal-reader"
        )

    async def run(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Run a query on one of the threads. Raises JournalError and what `query` raises."""
        return await self.call(lambda: self._query(query))

    async def call(self, work: Callable[[], T]) -> T:
        """Run other work that would hold the event loop up."""
        if self._pool is None:
            raise JournalUnavailable("CaveLab's journal is closed. Restart Jupyter to read it.")
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    async def stop(self) -> None:
        """Finish what runs, then close all connections."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(pool.shutdown)
            for connection in self._connections:
                connection.close()
            self._connections.clear()

    def _query(self, query: Callable[[sqlite3.Connection], T]) -> T:
        with self._place.guard():
            try:
                return query(self._connection())
            except sqlite3.Error:
                self._drop()
                raise

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._mine, "connection", None)
        if connection is None:
            connection = self._mine.connection = self._place.reader()
            self._connections.add(connection)
        return connection

    def _drop(self) -> None:
        """A connection that failed is not trusted again."""
        connection: sqlite3.Connection | None = getattr(self._mine, "connection", None)
        if connection is not None:
            self._mine.connection = None
            self._connections.discard(connection)
            connection.close()
