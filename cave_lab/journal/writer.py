"""The one writer: a thread that runs jobs in transactions, many jobs a commit."""

from __future__ import annotations

import asyncio
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from cave_lab.errors import JournalUnavailable
from cave_lab.journal.faults import in_our_words
from cave_lab.journal.lock import FolderLock
from cave_lab.journal.place import Place
from cave_lab.limits import Limits

log = logging.getLogger(__name__)

T = TypeVar("T")

Work = Callable[[sqlite3.Connection], T]

CLOSED = (
    "CaveLab's journal is closed, so nothing was run. Restart Jupyter if it is not shutting down."
)


@dataclass(frozen=True)
class Job(Generic[T]):
    """Work for the writer, and who waits for it.

    `durable`: its commit is synced to the disk. `patient`: it may wait for others. `alone`: it
    makes its own transaction.
    """

    work: Work[T]
    future: asyncio.Future[T]
    on_commit: Callable[[T], None] | None = None
    durable: bool = True
    patient: bool = False
    alone: bool = False

    def succeed(self, result: T) -> None:
        """Tell what was committed, even to one who no longer waits; on the event loop."""
        try:
            if self.on_commit is not None:
                self.on_commit(result)
        except Exception as error:  # noqa: BLE001 - handed to the one who waits
            self.fail(error)
        else:
            settle(self.future, result)

    def fail(self, error: Exception) -> None:
        """Tell that nothing was committed; on the event loop."""
        if not self.future.done():
            self.future.set_exception(error)


def settle(future: asyncio.Future[T], result: T) -> None:
    """Set the result unless the one who waits has gone."""
    if not future.done():
        future.set_result(result)


class Writer:
    """Owns the writing thread, its connection and the folder's lock, from `start` to `stop`."""

    def __init__(self, opener: Callable[[], tuple[Place, FolderLock]], limits: Limits) -> None:
        self._opener = opener
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.SimpleQueue[Job[Any] | None] = queue.SimpleQueue()
        self._next: Job[Any] | None = None
        self._ready: asyncio.Future[Place] = self._loop.create_future()
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._connection: sqlite3.Connection | None = None
        self._batch_due = 0.0
        self._open = False
        self._thread = threading.Thread(target=self._live, name="cave-lab-journal", daemon=True)

    async def start(self) -> Place:
        """Open the journal on the thread; raises what the opening raises."""
        self._open = True
        self._thread.start()
        try:
            return await asyncio.shield(self._ready)
        except BaseException:
            await self.stop()
            if self._ready.done():
                # Seen, or the loop would report it a second time.
                self._ready.exception()
            raise

    async def stop(self) -> None:
        """Finish all jobs, close the connection, give the lock back, end the thread."""
        if self._open:
            self._open = False
            self._jobs.put(None)
        await asyncio.shield(self._ended)
        self._thread.join()

    async def run(
        self,
        work: Work[T],
        *,
        durable: bool = True,
        patient: bool = False,
        alone: bool = False,
        on_commit: Callable[[T], None] | None = None,
    ) -> T:
        """Run `work` in the order of calls and return its result once it is committed.

        A call that is cancelled before its commit began leaves nothing; later it is committed all
        the same, and `on_commit` is told. Raises JournalError and whatever `work` raises.
        """
        if not self._open:
            raise JournalUnavailable(CLOSED)
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.put(Job(work, future, on_commit, durable, patient, alone))
        return await future

    # ── on the thread

    def _live(self) -> None:
        try:
            place, lock = self._opener()
        except Exception as error:  # noqa: BLE001 - handed to the one who opens
            self._tell([partial(_refuse, self._ready, error), partial(settle, self._ended, None)])
            return
        self._tell([partial(settle, self._ready, place)])
        with closing(lock):
            while group := self._group():
                self._tell(self._outcomes(place, group))
            self._drop_connection()
        self._tell([partial(settle, self._ended, None)])

    def _tell(self, outcomes: Sequence[Callable[[], None]]) -> None:
        self._loop.call_soon_threadsafe(_call_all, outcomes)

    def _group(self) -> list[Job[Any]]:
        """Wait for jobs that go into one commit; none when it is time to end."""
        first = self._next or self._jobs.get()
        self._next = None
        if first is None or first.alone:
            return [] if first is None else [first]
        group, patient = [first], first.patient
        while len(group) < self._limits.commit_jobs:
            wait = self._batch_due - time.monotonic() if patient else 0.0
            try:
                job = self._jobs.get(timeout=max(0.0, wait))
            except queue.Empty:
                break
            if job is None or job.alone:
                self._put_back(job)
                break
            group.append(job)
            patient = patient and job.patient
        return group

    def _put_back(self, job: Job[Any] | None) -> None:
        if job is None:
            self._jobs.put(None)
        else:
            self._next = job

    def _outcomes(self, place: Place, group: list[Job[Any]]) -> list[Callable[[], None]]:
        waiting = [job for job in group if not job.future.cancelled()]
        try:
            with place.guard():
                self._connection = self._connection or place.writer()
                outcomes = self._commit(self._connection, place, waiting)
        except Exception as error:  # noqa: BLE001 - handed to all who wait
            # Closing rolls back; the next job begins on a fresh connection.
            self._drop_connection()
            outcomes = [partial(job.fail, error) for job in waiting]
        self._batch_due = time.monotonic() + self._limits.batch_seconds
        return outcomes

    def _commit(
        self, connection: sqlite3.Connection, place: Place, group: list[Job[Any]]
    ) -> list[Callable[[], None]]:
        if place.storage == "wal":
            full = any(job.durable for job in group)
            connection.execute(f"PRAGMA synchronous = {'FULL' if full else 'NORMAL'}")
        if group and group[0].alone:
            return [partial(group[0].succeed, group[0].work(connection))]
        connection.execute("BEGIN IMMEDIATE")
        outcomes = [_attempt(connection, job) for job in group]
        connection.execute("COMMIT")
        return outcomes

    def _drop_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def _attempt(connection: sqlite3.Connection, job: Job[Any]) -> Callable[[], None]:
    """Run one job so that its refusal undoes its own work only."""
    connection.execute("SAVEPOINT job")
    try:
        outcome = partial(job.succeed, job.work(connection))
    except Exception as error:
        if isinstance(error, sqlite3.Error) and in_our_words(error) is not None:
            raise
        connection.execute("ROLLBACK TO job")
        outcome = partial(job.fail, error)
    connection.execute("RELEASE job")
    return outcome


def _refuse(future: asyncio.Future[Any], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)


def _call_all(outcomes: Sequence[Callable[[], None]]) -> None:
    for outcome in outcomes:
        outcome()
