"""The journal as the rest of CaveLab sees it: what happened, kept before anyone is told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from pydantic import JsonValue

from cave_lab.errors import JournalError, LimitReached
from cave_lab.journal import (
    blobs,
    claims,
    events,
    removal,
    servers,
    settings,
    threads,
    unfinished,
)
from cave_lab.journal.blobs import Blob
from cave_lab.journal.claims import Claim
from cave_lab.journal.drafts import Draft
from cave_lab.journal.opening import open_place
from cave_lab.journal.place import Place, Storage
from cave_lab.journal.readers import Readers
from cave_lab.journal.servers import Clock, ThisServer, this_server, utc_now
from cave_lab.journal.threads import ThreadRecord
from cave_lab.journal.upkeep import Upkeep
from cave_lab.journal.writer import Writer
from cave_lab.limits import Limits
from cave_lab.protocol.events import BATCHED, Event
from cave_lab.protocol.ids import BlobId, Seq, ServerId, ThreadId

log = logging.getLogger(__name__)

BEGINNING: Final = Seq(0)
"""Before the first event."""


class Journal:
    """One open journal: made by `open`, ended by `close`.

    Every method raises JournalUnavailable when the storage fails; nothing of the call is kept then,
    and the next call tries again.
    """

    def __init__(self, place: Place, writer: Writer, us: ThisServer, limits: Limits) -> None:
        self._place = place
        self._writer = writer
        self._readers = Readers(place, limits)
        self._us = us
        self._limits = limits
        self._upkeep = Upkeep(writer, us, limits)
        self._closing: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls,
        folder: Path,
        limits: Limits,
        *,
        now: Clock = utc_now,
        storage: Storage | None = None,
    ) -> Journal:
        """Open or begin the journal in `folder`; `storage` None fits the file system.

        Raises JournalUnavailable, JournalTooNew, or JournalCorrupt when a damaged file can't be set
        aside because another server has it open.
        """
        us = this_server(now, limits.claim_stale_seconds)
        writer = Writer(partial(open_place, folder, limits, now, storage), limits)
        place = await writer.start()
        try:
            await writer.run(partial(servers.sign_on, us=us))
        except BaseException:
            await writer.stop()
            raise
        return cls(place, writer, us, limits)

    @property
    def server_id(self) -> ServerId:
        """The id under which this server claims threads."""
        return self._us.id

    @property
    def notes(self) -> Sequence[str]:
        """What the person should know of the opening, as sentences; mostly nothing."""
        return self._place.notes

    @property
    def storage(self) -> Storage:
        """How the file is kept: with a write-ahead log, or with a rollback journal."""
        return self._place.storage

    async def close(self) -> None:
        """Finish what was asked for, give all claims back, empty the log; may be called twice."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        await self._upkeep.stop()
        await self._readers.stop()
        try:
            await self._writer.run(partial(servers.sign_off, us=self._us), alone=True)
        except JournalError as error:
            log.warning(
                "This server could not sign off; others will see that it is gone: %s", error
            )
        finally:
            await self._writer.stop()

    # ── events

    async def append(
        self,
        thread_id: ThreadId,
        drafts: Sequence[Draft],
        *,
        after: Seq | None = None,
        on_commit: Callable[[list[Event]], None] | None = None,
    ) -> list[Event]:
        """Number, date and commit the drafts together; return the events they became.

        With `after` they are refused unless that is the thread's last event by then, so that
        nothing is written behind something that failed.

        Drafts that are all of a batched type wait a moment for others and are not synced by
        themselves; any other is synced, with all that was appended before it. Calls are committed
        in their order. `on_commit` is called on the event loop in the order of commits, before this
        returns, and also when the caller was cancelled after the commit had begun.

        A thread begins with `thread.created` and is ours; one that nobody holds becomes ours.
        Raises NotFound, ThreadElsewhere, JournalUnavailable, or ValueError if a thread would begin
        twice.
        """
        if not drafts:
            return []
        batched = all(draft.type in BATCHED for draft in drafts)
        return await self._writer.run(
            partial(
                events.append,
                us=self._us,
                thread_id=thread_id,
                drafts=tuple(drafts),
                after=after,
            ),
            durable=not batched,
            patient=batched,
            on_commit=on_commit,
        )

    async def events(
        self, thread_id: ThreadId, after: Seq = BEGINNING, limit: int | None = None
    ) -> list[Event]:
        """Return the next page of events after a number; an empty page is the end.

        Raises NotFound, or JournalCorrupt if one can't be read.
        """
        most = self._limits.journal_page_events
        return await self._readers.run(
            partial(
                events.page,
                thread_id=thread_id,
                after=after,
                limit=most if limit is None else min(limit, most),
                page_bytes=self._limits.journal_page_bytes,
            )
        )

    async def pages(
        self, thread_id: ThreadId, after: Seq = BEGINNING
    ) -> AsyncGenerator[list[Event], None]:
        """Yield all events after a number, page by page, up to the moment of the last page."""
        while found := await self.events(thread_id, after):
            yield found
            after = found[-1].seq

    async def prune(self, thread_id: ThreadId, before_seq: Seq) -> int:
        """Remove the events before the `thread.snapshot` at `before_seq`; return how many.

        Raises NotFound, ThreadElsewhere, ValueError if there is no snapshot.
        """
        return await self._upkeep.remove(
            partial(removal.prune, us=self._us, thread_id=thread_id, before_seq=before_seq)
        )

    # ── threads

    async def threads(self, owner: str, limit: int | None = None) -> list[ThreadRecord]:
        """Return an owner's threads, the last changed first, without deleted ones."""
        most = self._limits.threads_listed
        return await self._readers.run(
            partial(
                threads.list_threads,
                us=self._us,
                owner=owner,
                limit=most if limit is None else min(limit, most),
            )
        )

    async def thread(self, thread_id: ThreadId) -> ThreadRecord:
        """Return one thread, whoever owns it. Raises NotFound."""
        return await self._readers.run(
            partial(threads.get_thread, us=self._us, thread_id=thread_id)
        )

    async def last_seq(self, thread_id: ThreadId) -> Seq:
        """Return the last number given in a thread, also in an erased one. Raises NotFound."""
        return await self._readers.run(partial(threads.last_seq_of, thread_id=thread_id))

    async def delete_thread(self, thread_id: ThreadId) -> None:
        """Remove the thread's events, and its blobs where no other thread has them, for good.

        Its id and last number stay, so neither is given again. Raises NotFound, ThreadElsewhere.
        """
        await self._upkeep.remove(partial(removal.erase, us=self._us, thread_id=thread_id))

    # ── claims

    async def claim(self, thread_id: ThreadId) -> Claim:
        """Take the thread, or learn which living server has it. Raises NotFound."""
        return await self._writer.run(partial(claims.claim, us=self._us, thread_id=thread_id))

    async def release(self, thread_id: ThreadId) -> None:
        """Give the thread back; nothing happens if it is not ours."""
        await self._writer.run(partial(claims.release, us=self._us, thread_id=thread_id))

    async def orphans(self) -> list[ThreadId]:
        """Return threads with a turn, run, approval or queued message left open by a server that
        is gone; `claim` takes one over and says what is open."""
        return await self._readers.run(partial(unfinished.orphans, us=self._us))

    # ── blobs and settings

    async def put_blob(self, data: bytes, mime: str, thread_id: ThreadId) -> BlobId:
        """Store bytes for a thread and return their sha256. Raises LimitReached, NotFound."""
        blob_id = await self._readers.call(partial(blobs.name_of, data))
        await self.put_blobs({blob_id: data}, mime, thread_id)
        return blob_id

    async def put_blobs(
        self, named: Mapping[BlobId, bytes], mime: str, thread_id: ThreadId
    ) -> None:
        """Store bytes that are named already (`name_of`), all or none; raises as `put_blob`."""
        if any(len(data) > self._limits.blob_bytes for data in named.values()):
            raise LimitReached
        await self._writer.run(
            partial(blobs.put, us=self._us, thread_id=thread_id, named=named, mime=mime),
            durable=False,
        )

    async def get_blob(self, blob_id: BlobId, thread_id: ThreadId) -> Blob:
        """Return a blob that the thread refers to. Raises NotFound."""
        return await self._readers.run(partial(blobs.get, thread_id=thread_id, blob_id=blob_id))

    async def get_setting(self, owner: str, key: str) -> JsonValue:
        """Return what the owner chose, or None."""
        return await self._readers.run(partial(settings.get, owner=owner, key=key))

    async def set_setting(self, owner: str, key: str, value: JsonValue) -> None:
        """Keep what the owner chose; None forgets it."""
        await self._writer.run(partial(settings.put, owner=owner, key=key, value=value))
