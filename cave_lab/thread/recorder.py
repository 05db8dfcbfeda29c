"""Writes a thread's events in order: awaited ones at once, others gathered into batches."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Protocol

from cave_lab import errors
from cave_lab.journal.drafts import Draft
from cave_lab.limits import Limits
from cave_lab.protocol.events import Event
from cave_lab.protocol.ids import Seq, ThreadId
from cave_lab.thread.deltas import join

_log = logging.getLogger("cave_lab")

_CLOSED = "This thread is being put away, so nothing was changed. Open it again, then try again."
_UNWRITABLE = (
    "CaveLab could not write down what happened in this thread. The server's log says why."
)

Told = Callable[[Sequence[Event]], None]
Failed = Callable[[errors.CaveLabError], None]


class Appends(Protocol):
    """The part of the journal that the recorder needs."""

    async def append(
        self,
        thread_id: ThreadId,
        drafts: Sequence[Draft],
        *,
        after: Seq | None = None,
        on_commit: Callable[[list[Event]], None] | None = None,
    ) -> list[Event]:
        """Number, date and commit in the order of calls, if `after` is the last event by then."""


@dataclass
class _Batch:
    drafts: list[Draft] = field(default_factory=list)
    committed: list[asyncio.Future[None]] = field(default_factory=list)


class Recorder:
    """One thread's pen. Events reach `told` only after their commit, in order.

    While a batch of deltas is on its way the next one gathers; an awaited event does not wait for
    that, and the journal then commits both together. After a failure, which `failed` hears of,
    nothing more is written until `recover`, not even what was on its way behind it.
    """

    def __init__(
        self, journal: Appends, thread_id: ThreadId, limits: Limits, told: Told, failed: Failed
    ) -> None:
        self._journal = journal
        self._thread_id = thread_id
        self._limits = limits
        self._told = told
        self._failed = failed
        self._batch = _Batch()
        self._woken = asyncio.Event()
        self._hurry = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._writing: set[asyncio.Task[None]] = set()
        self._last = 0
        """The number of the last event that is known to be committed."""
        self._ahead = 0
        """Events on their way behind it."""
        self._work: asyncio.Task[None] | None = None
        self.closed = True
        """Whether the pen is down: before `start` and after `close`."""
        self.failure: errors.CaveLabError | None = None

    # ── life

    def start(self, last: Seq) -> None:
        """Take up the pen behind the thread's last event."""
        self.closed, self._last = False, last
        self._work = asyncio.create_task(self._serve(), name=f"write {self._thread_id}")

    async def close(self) -> None:
        """Write what is left and put the pen down; may be called twice."""
        self.closed = True
        work, self._work = self._work, None
        if work is not None:
            work.cancel()
            await asyncio.wait({work})
        self._write()
        await asyncio.gather(*self._writing)

    async def settle(self) -> None:
        """Return when nothing is on its way any more; what waits behind a failure fails too."""
        if self.failure is not None:
            self._write()
        while self._writing:
            await asyncio.wait(set(self._writing))

    def recover(self, last: Seq) -> None:
        """Try again after a failure, behind the thread's last event; `settle` comes before."""
        self.failure, self._last = None, last

    # ── writing

    async def soft(self, *drafts: Draft) -> None:
        """Write with the next batch; returns at once unless the disk is far behind."""
        self._admit()
        while not self._room.is_set():
            await self._room.wait()
            self._admit()
        self._put(drafts)

    async def full(self, *drafts: Draft) -> None:
        """Write and return after the commit; raises JournalError, and then nothing was written."""
        self._admit()
        committed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._batch.committed.append(committed)
        self._put(drafts)
        self._hurry.set()
        await asyncio.shield(committed)

    async def flush(self) -> None:
        """Return when all that was written before is committed; raises if it was not."""
        await self.full()

    def _admit(self) -> None:
        if self.failure is not None:
            # A copy: a kept error that is raised again and again collects tracebacks.
            raise copy(self.failure)
        if self.closed:
            raise errors.JournalUnavailable(_CLOSED)

    def _put(self, drafts: Sequence[Draft]) -> None:
        for draft in drafts:
            last = self._batch.drafts[-1] if self._batch.drafts else None
            joined = join(last, draft) if last is not None else None
            if joined is None:
                self._batch.drafts.append(draft)
            else:
                self._batch.drafts[-1] = joined
        if len(self._batch.drafts) >= self._limits.waiting_drafts:
            self._room.clear()
        self._woken.set()

    # ── the work behind it

    async def _serve(self) -> None:
        """Write batch after batch until cancelled."""
        while True:
            await self._woken.wait()
            await self._gather()
            self._write()

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
            earlier, after = set(self._writing), Seq(self._last + self._ahead)
            self._ahead += len(batch.drafts)
            task = asyncio.create_task(self._append(batch, after, earlier), name="append")
            self._writing.add(task)
            task.add_done_callback(self._writing.discard)

    async def _append(self, batch: _Batch, after: Seq, earlier: set[asyncio.Task[None]]) -> None:
        failure = await self._commit(batch.drafts, after, earlier)
        self._ahead -= len(batch.drafts)
        if failure is None:
            self._last += len(batch.drafts)
        for committed in batch.committed:
            if committed.done():
                continue
            if failure is None:
                committed.set_result(None)
            else:
                committed.set_exception(copy(failure))

    async def _commit(
        self, drafts: Sequence[Draft], after: Seq, earlier: set[asyncio.Task[None]]
    ) -> errors.CaveLabError | None:
        """Returns what went wrong; a batch without drafts waits for those before it."""
        if self.failure is not None:
            return self.failure
        if not drafts:
            if earlier:
                await asyncio.wait(earlier)
            return self.failure
        try:
            await self._journal.append(self._thread_id, drafts, after=after, on_commit=self._told)
        except errors.CaveLabError as error:
            return self._fail(error)
        except Exception:  # noqa: BLE001 whoever waits must hear of it, or would wait for ever
            _log.exception("Events of the thread %s could not be written.", self._thread_id)
            return self._fail(errors.CaveLabError(_UNWRITABLE))
        return None

    def _fail(self, error: errors.CaveLabError) -> errors.CaveLabError:
        if self.failure is not None:
            # What came behind a failure fails for that reason, not for one of its own.
            return self.failure
        self.failure = copy(error)
        self._failed(self.failure)
        return self.failure
