"""Writes a thread's events in order: awaited ones at once, others gathered into batches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from cave_lab import errors
from cave_lab.journal.drafts import Draft
from cave_lab.protocol.events import Event
from cave_lab.protocol.ids import ThreadId
from cave_lab.thread.deltas import join

WAITING_DRAFTS = 2_000
"""So many deltas may wait for the disk before those who make them have to wait too."""

Told = Callable[[Sequence[Event]], None]


class Appends(Protocol):
    """The part of the journal that the recorder needs."""

    async def append(
        self,
        thread_id: ThreadId,
        drafts: Sequence[Draft],
        *,
        on_commit: Callable[[list[Event]], None] | None = None,
    ) -> list[Event]:
        """Number, date and commit in the order of calls; batched types wait a moment."""


@dataclass
class _Batch:
    drafts: list[Draft] = field(default_factory=list)
    committed: list[asyncio.Future[None]] = field(default_factory=list)


class Recorder:
    """One thread's pen. Events reach `told` only after their commit, in order.

    While a batch of deltas is on its way the next one gathers; an awaited event does not wait for
    that, and the journal then commits both together.
    """

    def __init__(self, journal: Appends, thread_id: ThreadId, told: Told) -> None:
        self._journal = journal
        self._thread_id = thread_id
        self._told = told
        self._batch = _Batch()
        self._woken = asyncio.Event()
        self._hurry = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._writing: set[asyncio.Task[None]] = set()
        self.failure: errors.CaveLabError | None = None

    async def soft(self, *drafts: Draft) -> None:
        """Write with the next batch; returns at once unless the disk is far behind."""
        self._raise_failure()
        await self._room.wait()
        self._put(drafts)

    async def full(self, *drafts: Draft) -> None:
        """Write and return after the commit; raises JournalError, and then nothing was written."""
        self._raise_failure()
        committed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._batch.committed.append(committed)
        self._put(drafts)
        self._hurry.set()
        await asyncio.shield(committed)

    async def flush(self) -> None:
        """Return when all that was written before is committed."""
        await self.full()

    def recover(self) -> None:
        """Try again after a failure."""
        self.failure = None

    def _raise_failure(self) -> None:
        if self.failure is not None:
            raise self.failure

    def _put(self, drafts: Sequence[Draft]) -> None:
        for draft in drafts:
            last = self._batch.drafts[-1] if self._batch.drafts else None
            joined = join(last, draft) if last is not None else None
            if joined is None:
                self._batch.drafts.append(draft)
            else:
                self._batch.drafts[-1] = joined
        if len(self._batch.drafts) > WAITING_DRAFTS:
            self._room.clear()
        self._woken.set()

    async def run(self) -> None:
        """Write batch after batch until cancelled; what is left is written then."""
        try:
            while True:
                await self._woken.wait()
                await self._gather()
                self._write()
        finally:
            self._write()
            await asyncio.gather(*self._writing)

    async def _gather(self) -> None:
        """Let deltas gather while others are being written; an awaited event ends that."""
        if not self._writing or self._hurry.is_set():
            return
        hurry = asyncio.ensure_future(self._hurry.wait())
        try:
            await asyncio.wait({hurry, *self._writing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            hurry.cancel()

    def _write(self) -> None:
        batch, self._batch = self._batch, _Batch()
        self._woken.clear()
        self._hurry.clear()
        self._room.set()
        if batch.drafts or batch.committed:
            task = asyncio.create_task(self._append(batch), name=f"append to {self._thread_id}")
            self._writing.add(task)
            task.add_done_callback(self._writing.discard)

    async def _append(self, batch: _Batch) -> None:
        failure: errors.CaveLabError | None = None
        try:
            if batch.drafts:
                await self._journal.append(self._thread_id, batch.drafts, on_commit=self._told)
            else:
                await asyncio.gather(*(self._writing - {asyncio.current_task()}))
        except errors.CaveLabError as error:
            self.failure = failure = error
        for committed in batch.committed:
            if committed.done():
                continue
            if failure is None:
                committed.set_result(None)
            else:
                committed.set_exception(failure)
