"""All threads of one server, behind one small port: a client hands in commands and is told."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from copy import copy

from cave_lab import errors
from cave_lab.journal.drafts import DRAFT
from cave_lab.journal.threads import ThreadRecord
from cave_lab.protocol import commands as cmd
from cave_lab.protocol.frames import Result, ThreadResult, ThreadsResult, ThreadSummary
from cave_lab.protocol.ids import ClientId, CommandId, ThreadId, new_id
from cave_lab.protocol.thread_events import ThreadChanged, ThreadCreated
from cave_lab.state import fold
from cave_lab.thread.changes import DEFAULT_TITLE
from cave_lab.thread.glance import look_at
from cave_lab.thread.inbox import ThreadCommand, carry_out, check_model
from cave_lab.thread.registry import Registry, elsewhere
from cave_lab.thread.rights import check_rights
from cave_lab.thread.roots import is_here, stamped
from cave_lab.thread.services import Client, Origin, Services
from cave_lab.thread.tasks import Tasks
from cave_lab.thread.thread import Thread
from cave_lab.thread.writers import Writers

_Key = tuple[str, CommandId]
_Answer = Result | errors.CaveLabError | None

_ASKING = (cmd.ThreadList, cmd.ThreadOpen, cmd.ThreadClose, cmd.VariablesLook, cmd.TargetLook)
"""Commands that change nothing, or only what the connection itself is told."""


class ThreadService:
    """The domain's port."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._writers = Writers()
        self._registry = Registry(services, self._moved)
        self._replies: OrderedDict[_Key, asyncio.Task[_Answer]] = OrderedDict()
        self._working: set[asyncio.Task[_Answer]] = set()
        self._tasks = Tasks()

    # ── life

    async def recover(self) -> None:
        """End what a server that is gone left open; from now on, let idle threads go."""
        await self._registry.recover()
        self._tasks.spawn(self._registry.tend(), "tend threads")

    async def close(self) -> None:
        """End all threads truthfully; what is being carried out is given up."""
        await self._tasks.close()
        working = list(self._working)
        for command in working:
            command.cancel()
        await asyncio.gather(*working, return_exceptions=True)
        await self._registry.close()

    def disconnect(self, client_id: ClientId) -> None:
        """Forget a connection; its notebooks are free for another writer."""
        for thread in self._registry:
            thread.followers.remove(client_id)
        self._writers.leave(self._registry, client_id)

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
        while len(self._replies) > self.services.limits.remembered_replies:
            self._replies.popitem(last=False)

    async def _handle(self, command: cmd.Command, client: Client) -> Result | None:
        origin = client.origin
        check_rights(command, origin)
        command = stamped(command, self.services.root_id)
        match command:
            case cmd.ThreadList():
                return await self.list(origin.owner, command.path)
            case cmd.ThreadCreate():
                return await self.create(command, origin)
            case cmd.TargetLook():
                return await look_at(self.services, command.target)
            case _:
                async with self._registry.using(command.thread_id, origin.owner) as thread:
                    return await self._in_thread(command, client, thread)

    async def _in_thread(
        self,
        command: cmd.ThreadOpen
        | cmd.ThreadClose
        | cmd.ThreadDelete
        | cmd.WriterClaim
        | cmd.WriterRelease
        | ThreadCommand,
        client: Client,
        thread: Thread,
    ) -> Result | None:
        client_id = client.origin.client_id
        match command:
            case cmd.ThreadOpen():
                await thread.follow(client, command.from_seq)
                self._writers.tell(client, thread)
            case cmd.ThreadClose():
                thread.followers.remove(client_id)
            case cmd.ThreadDelete():
                await self.delete(thread)
            case cmd.WriterClaim():
                self._writers.claim(self._registry, thread, client_id)
            case cmd.WriterRelease():
                self._writers.release(self._registry, thread, client_id)
            case _:
                if isinstance(command, cmd.CellPlacedReport):
                    self._writers.check(thread, client_id)
                result = await carry_out(thread, command, client.origin)
                if isinstance(command, cmd.MessageSend) and client.origin.kind == "browser":
                    self._writers.grant(self._registry, thread, client_id)
                return result
        return None

    def _moved(self, before: str, after: str) -> None:
        self._writers.moved(self._registry, before, after)

    # ── threads

    async def get(self, thread_id: ThreadId, owner: str) -> Thread:
        """The live thread; raises NotFound also when it is someone else's."""
        return await self._registry.get(thread_id, owner)

    async def list(self, owner: str, path: str | None) -> Result:
        """The threads of a notebook first, then others, each the last changed first."""
        records = await self.services.journal.threads(owner)
        root_id = self.services.root_id
        records.sort(key=lambda one: not is_here(one.target.notebook, path, root_id))
        return ThreadsResult(threads=[self._summary(record) for record in records])

    def _summary(self, record: ThreadRecord) -> ThreadSummary:
        live = self._registry.live(record.thread_id)
        held = record.holder is not None and record.holder.alive and not record.holder.ours
        return ThreadSummary(
            thread_id=record.thread_id,
            title=record.title,
            target=record.target,
            created=record.created,
            changed=record.changed,
            last_seq=record.last_seq,
            running=live.busy if live and not held else record.running and held,
            usage=live.state.usage if live else None,
            read_only=elsewhere(record.holder) if held and record.holder else None,
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
        self._registry.add(self._registry.make(fold(None, events[0])))
        return ThreadResult(thread_id=thread_id)

    async def delete(self, thread: Thread) -> None:
        """Delete a thread and what it stored; followers hear of it first."""
        if thread.read_only is not None:
            raise errors.ThreadElsewhere(thread.read_only)
        await thread.mend()
        thread.cut.set("stop")
        await thread.recorder.full(ThreadChanged(**DRAFT, deleted=True))
        await self._registry.erase(thread)
