"""Upkeep: the beat that shows others that we live, and the emptying of the write-ahead log."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from typing import TypeVar

from cave_lab.errors import JournalError
from cave_lab.journal.place import checkpoint, transaction
from cave_lab.journal.servers import ThisServer
from cave_lab.journal.writer import Work, Writer
from cave_lab.limits import Limits

log = logging.getLogger(__name__)

T = TypeVar("T")


class Upkeep:
    """Beats from the moment it is made until `stop`."""

    def __init__(self, writer: Writer, us: ThisServer, limits: Limits) -> None:
        self._writer = writer
        self._us = us
        self._seconds = limits.claim_beat_seconds
        self._removed_in_log = False
        self._beating = asyncio.create_task(self._beat())

    async def stop(self) -> None:
        """End the beat."""
        self._beating.cancel()
        (outcome,) = await asyncio.gather(self._beating, return_exceptions=True)
        if isinstance(outcome, Exception):
            log.error("The beat had ended before its time.", exc_info=outcome)

    async def remove(self, work: Work[T]) -> T:
        """Commit a removal, then take what was removed out of the write-ahead log as well.

        If a reader keeps the log from being emptied, each beat tries again.
        """

        def remove(connection: sqlite3.Connection) -> T:
            with transaction(connection):
                result = work(connection)
            self._empty_log(connection)
            return result

        return await self._writer.run(remove, alone=True)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._seconds)
            try:
                await self._writer.run(self._us.beat, durable=False, patient=True)
                if self._removed_in_log:
                    await self._writer.run(self._empty_log, alone=True)
            except JournalError as error:
                log.warning("This server could not say that it lives: %s", error)

    def _empty_log(self, connection: sqlite3.Connection) -> None:
        try:
            self._removed_in_log = not checkpoint(connection)
        except sqlite3.Error as error:
            # The removal itself is committed.
            self._removed_in_log = True
            log.warning("The journal's log could not be emptied; it is tried again: %s", error)
