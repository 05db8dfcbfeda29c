"""All threads of one server, behind one small port: a client hands in commands and is told."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from copy import copy

from cave_lab import errors
from cave_lab.journal.claims import Held
from cave_lab.journal.drafts import DRAFT
from cave_lab.journal.threads import Holder, ThreadRecord
from cave_lab.notebook.lease import Leases
from cave_lab.protocol import commands as cmd
from cave_lab.protocol.frames import (
    Result,
    ThreadResult,
    ThreadsResult,
    ThreadSummary,
    WriterLease,
)
from cave_lab.protocol.ids import ClientId, CommandId, ThreadId, new_id
from cave_lab.protocol.thread_events import ThreadChanged, ThreadCreated
from cave_lab.state import ThreadState, fold
from cave_lab.thread.inbox import DEFAULT_TITLE, ThreadCommand, carry_out, check_model
from cave_lab.thread.recovery import closing
from cave_lab.thread.rights import check_rights, within_policy
from cave_lab.thread.services import Client, Origin, Services
from cave_lab.thread.thread import Thread

_log = logging.getLogger("cave_lab")

REMEMBERED_REPLIES = 2_000
"""Replies kept for commands that are sent again after a lost connection."""

_Key = tuple[str, CommandId]
_Answer = Result | errors.CaveLabError | None

_ASKING = (cmd.ThreadList, cmd.ThreadOpen, cmd.ThreadClose, cmd.VariablesLook)
"""Commands that change nothing, or only what the connection itself is told."""


class ThreadService:
    """The domain's port."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.leases = Leases()
        self._threads: dict[ThreadId, Thread] = {}
        self._loading: dict[ThreadId, asyncio.Future[Thread]] = {}
        self._replies: OrderedDict[_Key, asyncio.Task[_Answer]] = OrderedDict()
        self._working: set[asyncio.Task[_Answer]] = set()

    # ── life

    async def recover(self) -> None:
        """End what a server that is gone left open; nothing is replayed."""
        for thread_id in await self.services.journal.orphans():
            try:
                await self._load(thread_id)
            except errors.CaveLabError as error:
                _log.warning("The thread %s could not be recovered: %s", thread_id, error)

    async def close(self) -> None:
        """End all threads truthfully; what is being carried out is given up."""
        working = list(self._working)
        for command in working:
            command.cancel()
        await asyncio.gather(*working, return_exceptions=True)
        await asyncio.gather(*(thread.close() for thread in self._threads.values()))
        self._threads.clear()

    def disconnect(self, client_id: ClientId) -> None:
        """Forget a connection; its notebooks are free for another writer."""
        for thread in self._threads.values():
            thread.followers.remove(client_id)
        for path in self.leases.release_all(client_id):
            self._tell_lease(path)

    # ── commands

    async def handle(self, command: cmd.Command, client: Client) -> Result | None:
        """Carry out a command once, also if its client hangs up meanwhile.

        A repeated one gets the first reply again; those that only ask are answered anew.
        """
        if isinstance(command, _ASKING):
            return await self._handle(command, client)
        key = (client.origin.owner, command.command_id)
        reply = self._replies.get(key)
        if reply is None:
            reply = asyncio.create_task(self._answer(command, client), name=command.type)
            self._remember(key, reply)
        answer = await asyncio.shield(reply)
        if isinstance(answer, errors.CaveLabError):
            raise copy(answer)
        return answer

    async def _answer(self, command: cmd.Command, client: Client) -> _Answer:
        try:
            return await self._handle(command, client)
        except errors.CaveLabError as error:
            # A copy has no traceback, which would keep the command and its client in memory.
            return copy(error)

    def _remember(self, key: _Key, reply: asyncio.Task[_Answer]) -> None:
        self._replies[key] = reply
        self._working.add(reply)

        def done(reply: asyncio.Task[_Answer]) -> None:
            self._working.discard(reply)
            if reply.cancelled() or reply.exception() is not None:
                # Not an answer: sent again, it is tried again.
                self._replies.pop(key, None)

        reply.add_done_callback(done)
        while len(self._replies) > REMEMBERED_REPLIES:
            self._replies.popitem(last=False)

    async def _handle(self, command: cmd.Command, client: Client) -> Result | None:
        origin = client.origin
        check_rights(command, origin)
        match command:
            case cmd.ThreadList():
                return await self.list(origin.owner, command.path)
            case cmd.ThreadCreate():
                return await self.create(command, origin)
            case cmd.ThreadOpen():
                thread = await self.get(command.thread_id, origin.owner)
                await thread.follow(client, command.from_seq)
                self._tell_lease_to(client, thread)
                return None
            case cmd.ThreadClose():
                thread = await self.get(command.thread_id, origin.owner)
                thread.followers.remove(origin.client_id)
                return None
            case cmd.ThreadDelete():
                await self.delete(command.thread_id, origin)
                return None
            case cmd.WriterClaim() | cmd.WriterRelease():
                await self._lease(command, origin)
                return None
            case _:
                return await self._in_thread(command, origin)

    async def _in_thread(self, command: ThreadCommand, origin: Origin) -> Result | None:
        thread = await self.get(command.thread_id, origin.owner)
        before = _path(thread.state)
        result = await carry_out(thread, command, origin)
        self._follow_path(before, _path(thread.state))
        if isinstance(command, cmd.MessageSend) and origin.kind == "browser":
            self._grant(thread, origin.client_id)
        return result

    # ── threads

    async def list(self, owner: str, path: str | None) -> Result:
        """The threads of a notebook first, then others, each the last changed first."""
        records = await self.services.journal.threads(owner)
        records.sort(key=lambda record: _record_path(record) != path)
        return ThreadsResult(threads=[self._summary(record) for record in records])

    def _summary(self, record: ThreadRecord) -> ThreadSummary:
        live = self._threads.get(record.thread_id)
        held = record.holder is not None and record.holder.alive and not record.holder.ours
        return ThreadSummary(
            thread_id=record.thread_id,
            title=record.title,
            target=record.target,
            created=record.created,
            changed=record.changed,
            last_seq=record.last_seq,
            running=live.busy if live else record.running and held,
            usage=live.state.usage if live else None,
            read_only=_elsewhere(record.holder) if held and record.holder else None,
        )

    async def create(self, command: cmd.ThreadCreate, origin: Origin) -> Result:
        """Begin a thread; a mode other than the default needs the right to approve."""
        settings, policy = command.settings, self.services.policy
        mode = settings.mode or policy.default_mode
        if mode not in policy.allowed_modes:
            raise errors.ModeNotAllowed
        privacy = settings.privacy or policy.default_privacy
        special = mode != policy.default_mode or privacy != policy.default_privacy
        if not origin.may_approve and (special or settings.model):
            raise errors.Forbidden("These settings can only be chosen in the panel.")
        check_model(policy.allowed_models, settings.model)
        thread_id = ThreadId(new_id("thread"))
        created = ThreadCreated(
            **DRAFT,
            title=settings.title or DEFAULT_TITLE,
            owner=origin.owner,
            target=command.target,
            mode=mode,
            privacy=privacy,
            model=settings.model,
        )
        events = await self.services.journal.append(thread_id, [created])
        thread = Thread(self.services, fold(None, events[0]), None)
        thread.start()
        self._threads[thread_id] = thread
        return ThreadResult(thread_id=thread_id)

    async def get(self, thread_id: ThreadId, owner: str) -> Thread:
        """The live thread; raises NotFound also when it is someone else's."""
        if thread_id not in self._threads:
            # Loading claims a thread and may write; nothing is done for one who may not see it.
            record = await self.services.journal.thread(thread_id)
            if record.owner != owner:
                raise errors.NotFound
        thread = await self._load(thread_id)
        if thread.state.owner != owner or thread.state.deleted:
            raise errors.NotFound
        return thread

    async def _load(self, thread_id: ThreadId) -> Thread:
        live = self._threads.get(thread_id)
        if live is not None and live.read_only is None:
            return live
        loading = self._loading.get(thread_id)
        if loading is not None:
            return await asyncio.shield(loading)
        loading = asyncio.ensure_future(self._read(thread_id))
        self._loading[thread_id] = loading
        try:
            thread = await asyncio.shield(loading)
        finally:
            self._loading.pop(thread_id, None)
        self._threads[thread_id] = thread
        return thread

    async def _read(self, thread_id: ThreadId) -> Thread:
        """Claim and fold; what a server that is gone left open is ended at once."""
        journal = self.services.journal
        claim = await journal.claim(thread_id)
        state: ThreadState | None = None
        async for page in journal.pages(thread_id):
            for event in page:
                state = fold(state, event)
        if state is None:
            raise errors.NotFound
        if isinstance(claim, Held):
            return Thread(self.services, state, _elsewhere(claim.holder))
        drafts = [*closing(state), *within_policy(state, self.services.policy)]
        if drafts:
            for event in await journal.append(thread_id, drafts):
                state = fold(state, event)
        thread = Thread(self.services, state, None)
        thread.start()
        return thread

    async def delete(self, thread_id: ThreadId, origin: Origin) -> None:
        """Delete a thread and what it stored; followers hear of it first."""
        thread = await self.get(thread_id, origin.owner)
        if thread.read_only is not None:
            raise errors.ThreadElsewhere(thread.read_only)
        thread.cut.set("stop")
        await thread.recorder.full(ThreadChanged(**DRAFT, deleted=True))
        await thread.close()
        del self._threads[thread_id]
        await self.services.journal.delete_thread(thread_id)

    # ── leases

    async def _lease(self, command: cmd.WriterClaim | cmd.WriterRelease, origin: Origin) -> None:
        thread = await self.get(command.thread_id, origin.owner)
        path = _path(thread.state)
        if path is None:
            return
        if isinstance(command, cmd.WriterClaim):
            if origin.client_id not in thread.followers:
                raise errors.Forbidden("Only a panel that has the thread open writes its notebook.")
            self.leases.claim(path, origin.client_id)
        else:
            self.leases.release(path, origin.client_id)
        self._tell_lease(path)

    def _grant(self, thread: Thread, client_id: ClientId) -> None:
        path = _path(thread.state)
        if client_id not in thread.followers:
            # It hung up meanwhile; nobody could take the notebook from it again.
            return
        if path is not None and self.leases.holder(path) != client_id:
            self.leases.grant(path, client_id)
            self._tell_lease(path)

    def _follow_path(self, before: str | None, after: str | None) -> None:
        if before is not None and after is not None and before != after:
            self.leases.rename(before, after)
            self._tell_lease(after)

    def _tell_lease(self, path: str) -> None:
        for thread in self._threads.values():
            if _path(thread.state) == path:
                thread.signal(self._lease_of(thread, path))

    def _tell_lease_to(self, client: Client, thread: Thread) -> None:
        path = _path(thread.state)
        if path is not None:
            client.receive(self._lease_of(thread, path))

    def _lease_of(self, thread: Thread, path: str) -> WriterLease:
        return WriterLease(
            thread_id=thread.state.thread_id, path=path, holder=self.leases.holder(path)
        )


def _path(state: ThreadState) -> str | None:
    return state.target.notebook.path if state.target.notebook else None


def _record_path(record: ThreadRecord) -> str | None:
    return record.target.notebook.path if record.target.notebook else None


def _elsewhere(holder: Holder) -> str:
    return (
        f"This thread is in use by another Jupyter server (process {holder.pid} on {holder.host}). "
        "It can only be read here."
    )
