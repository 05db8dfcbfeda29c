"""The live threads of one server: read when first needed, let go when nobody needs them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from cave_lab import errors
from cave_lab.journal.claims import Held
from cave_lab.journal.threads import Holder
from cave_lab.protocol.ids import ThreadId
from cave_lab.state import ThreadState, fold
from cave_lab.thread.recovery import closing
from cave_lab.thread.rights import within_policy
from cave_lab.thread.services import Services
from cave_lab.thread.thread import Moved, Thread

_log = logging.getLogger("cave_lab")

_CLOSED = "CaveLab is shutting down, so nothing was changed."


class Registry:
    """Each thread is live at most once; a thread of another server is read again when asked for."""

    def __init__(
        self, services: Services, moved: Moved, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._services = services
        self._moved = moved
        self._now = now
        self._threads: dict[ThreadId, Thread] = {}
        self._users: Counter[ThreadId] = Counter()
        """Commands that are being carried out, by thread."""
        self._idle_since: dict[ThreadId, float] = {}
        self._locks: WeakValueDictionary[ThreadId, asyncio.Lock] = WeakValueDictionary()
        """Held while a thread is read or let go."""
        self._closed = False

    # ── life

    async def recover(self) -> None:
        """End what a server that is gone left open; nothing is replayed."""
        for thread_id in await self._services.journal.orphans():
            try:
                await self._let_go(await self._load(thread_id))
            except Exception as error:  # noqa: BLE001 one bad thread must not keep the others away
                _log.warning("The thread %s could not be recovered: %s", thread_id, error)

    async def tend(self) -> None:
        """Let go, from time to time, of threads that nobody has needed for long."""
        while True:
            await asyncio.sleep(self._services.limits.idle_thread_seconds / 2)
            try:
                await self.sweep()
            except errors.CaveLabError as error:
                _log.warning("Idle threads could not be let go this time: %s", error)

    async def close(self) -> None:
        """End all threads truthfully; none becomes live any more."""
        self._closed = True
        threads, self._threads = list(self._threads.values()), {}
        await asyncio.gather(*(thread.close() for thread in threads))

    # ── finding

    def __iter__(self) -> Iterator[Thread]:
        return iter(list(self._threads.values()))

    def live(self, thread_id: ThreadId) -> Thread | None:
        """The thread if it is live now."""
        return self._threads.get(thread_id)

    async def get(self, thread_id: ThreadId, owner: str) -> Thread:
        """The live thread; raises NotFound also when it is someone else's."""
        if thread_id not in self._threads:
            # Loading claims a thread and may write; nothing is done for one who may not see it.
            record = await self._services.journal.thread(thread_id)
            if record.owner != owner:
                raise errors.NotFound
        thread = await self._load(thread_id)
        if thread.state.owner != owner or thread.state.deleted:
            raise errors.NotFound
        return thread

    @asynccontextmanager
    async def using(self, thread_id: ThreadId, owner: str) -> AsyncIterator[Thread]:
        """The live thread, which is not let go meanwhile. Raises NotFound."""
        self._users[thread_id] += 1
        try:
            yield await self.get(thread_id, owner)
        finally:
            self._users[thread_id] -= 1
            if not self._users[thread_id]:
                del self._users[thread_id]

    def add(self, thread: Thread) -> None:
        """Take in a thread that has just begun."""
        self._threads[thread.state.thread_id] = thread

    def make(self, state: ThreadState, read_only: str | None = None) -> Thread:
        """A thread in this state, with its pen taken up if it is ours to write."""
        thread = Thread(self._services, state, read_only, self._moved)
        if read_only is None:
            thread.start()
        return thread

    # ── reading

    def _lock(self, thread_id: ThreadId) -> asyncio.Lock:
        return self._locks.setdefault(thread_id, asyncio.Lock())

    async def _load(self, thread_id: ThreadId) -> Thread:
        live = self._threads.get(thread_id)
        if live is not None and live.read_only is None:
            return live
        # It may still be ending by its own pen; a second one must not write beside it.
        self._refuse_if_closed()
        async with self._lock(thread_id):
            former = self._threads.get(thread_id)
            if former is not None and former.read_only is None:
                return former
            thread = await self._read(thread_id, former)
            if thread is former:
                return former
            try:
                self._refuse_if_closed()
            except errors.JournalUnavailable:
                await thread.close()
                raise
            self._threads[thread_id] = thread
            if former is not None:
                await self._succeed(former, thread)
            return thread

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise errors.JournalUnavailable(_CLOSED)

    async def _succeed(self, former: Thread, thread: Thread) -> None:
        """Whoever followed it while it ran elsewhere follows it on, from where they stand."""
        for client in former.followers.clients:
            thread.invite(client, former.state.seq)
        await former.close()

    async def _read(self, thread_id: ThreadId, former: Thread | None) -> Thread:
        """Claim and fold; what a server that is gone left open is ended at once.

        A thread that still runs elsewhere, where nothing happened since, stays the former one.
        """
        journal = self._services.journal
        claim = await journal.claim(thread_id)
        if former is not None and isinstance(claim, Held):
            same = former.read_only == elsewhere(claim.holder)
            if same and await journal.last_seq(thread_id) == former.state.seq:
                return former
        state = await self._folded(thread_id)
        if isinstance(claim, Held):
            return self.make(state, elsewhere(claim.holder))
        drafts = [
            *closing(state, self._services.shorten),
            *within_policy(state, self._services.policy),
        ]
        if drafts:
            for event in await journal.append(thread_id, drafts):
                state = fold(state, event)
        return self.make(state)

    async def _folded(self, thread_id: ThreadId) -> ThreadState:
        state: ThreadState | None = None
        try:
            async for page in self._services.journal.pages(thread_id):
                for event in page:
                    state = fold(state, event)
        except ValueError as error:
            raise errors.JournalCorrupt(
                "This thread's journal can't be read by this version, so it can't be shown. "
                "Nothing was changed. Begin a new thread: the notebook is not affected."
            ) from error
        if state is None:
            raise errors.NotFound
        return state

    # ── letting go

    async def sweep(self) -> None:
        """Mend what could not be written down, and let go of what was not needed for long."""
        limit = self._services.limits.idle_thread_seconds
        for thread in self:
            thread_id = thread.state.thread_id
            if thread.broken:
                await thread.try_to_mend()
            if self._needed(thread):
                self._idle_since.pop(thread_id, None)
            elif self._now() - self._idle_since.setdefault(thread_id, self._now()) >= limit:
                await self._let_go(thread)

    def _needed(self, thread: Thread) -> bool:
        return bool(self._users[thread.state.thread_id]) or thread.in_use or thread.broken

    async def _let_go(self, thread: Thread) -> None:
        """Close a thread and give its claim back, unless it is needed again."""
        thread_id = thread.state.thread_id
        async with self._lock(thread_id):
            if self._needed(thread) or self._threads.get(thread_id) is not thread:
                return
            del self._threads[thread_id]
            self._idle_since.pop(thread_id, None)
            await thread.close()
            if thread.read_only is None:
                await self._release(thread_id)

    async def _release(self, thread_id: ThreadId) -> None:
        try:
            await self._services.journal.release(thread_id)
        except errors.JournalError as error:
            # It stays ours; nothing else changes.
            _log.warning("The claim of an idle thread could not be given back: %s", error)

    async def erase(self, thread: Thread) -> None:
        """Close a thread that is marked as deleted, and remove all that it stored."""
        thread_id = thread.state.thread_id
        async with self._lock(thread_id):
            await thread.close()
            # Kept until then: whoever asks meanwhile sees that it is deleted.
            await self._services.journal.delete_thread(thread_id)
            self._threads.pop(thread_id, None)


def elsewhere(holder: Holder) -> str:
    """Say where a thread runs that can only be read here."""
    return (
        f"This thread is in use by another Jupyter server (process {holder.pid} on {holder.host}). "
        "It can only be read here."
    )
