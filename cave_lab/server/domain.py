"""Puts the rooms together for one server."""

from __future__ import annotations

import asyncio
import logging
import os
from contextlib import AsyncExitStack
from hashlib import sha256
from typing import TYPE_CHECKING

from cave_lab import __version__, errors
from cave_lab.journal.journal import Journal
from cave_lab.kernel.binding import JupyterKernels
from cave_lab.limits import DEFAULT_LIMITS, Limits
from cave_lab.model.check import CheckReport
from cave_lab.model.port import ModelChoice
from cave_lab.model.prompt import system_prompt
from cave_lab.model.replies import ModelReplies
from cave_lab.model.tour import TOUR_PREFIX
from cave_lab.privacy.redact import Redactor
from cave_lab.protocol.frames import CLOSE_GOING_AWAY, Hello
from cave_lab.protocol.rest import ModelName, ModelSettings
from cave_lab.server.budgets import OwnBudgets
from cave_lab.server.choices import Choices
from cave_lab.server.connection import Connection, Socket
from cave_lab.server.manners import ModelManners
from cave_lab.server.policy import configured_model, journal_folder, policy_of
from cave_lab.thread.service import ThreadService
from cave_lab.thread.services import Origin, Policy, Services
from cave_lab.thread.tasks import Tasks

if TYPE_CHECKING:
    from jupyter_server.serverapp import ServerApp

    from cave_lab.server.config import Settings

_log = logging.getLogger("cave_lab")


class Domain:
    """The open rooms of one server, and the clients that are connected to them."""

    def __init__(
        self,
        journal: Journal,
        kernels: JupyterKernels,
        replies: ModelReplies,
        policy: Policy,
        configured: ModelChoice | None,
        limits: Limits,
        root_id: str,
    ) -> None:
        self.journal = journal
        self.replies = replies
        self.policy = policy
        self.choices = Choices(journal, policy, configured)
        self.manners = ModelManners(journal, replies.has_tools, replies.window, replies.sees)
        self.budgets = OwnBudgets(journal, policy.budgets)
        self._limits = limits
        self._kernels = kernels
        self._connections: set[Connection] = set()
        self._tasks = Tasks()
        self._warming: asyncio.Task[None] | None = None
        self.threads = ThreadService(
            Services(
                journal=journal,
                kernels=kernels,
                replies=replies,
                choice=self.choices.choose,
                manners=self.manners,
                budgets=self.budgets.in_force,
                system_prompt=system_prompt,
                redact=Redactor(os.environ),
                policy=policy,
                limits=limits,
                root_id=root_id,
            )
        )

    @classmethod
    async def open(cls, settings: Settings, server: ServerApp) -> Domain:
        """Open the journal and find the rooms' places; raises JournalError."""
        limits = DEFAULT_LIMITS
        root_id = root_of(server)
        journal = await Journal.open(journal_folder(settings), limits)
        for note in journal.notes:
            _log.warning("%s", note)
        kernels = JupyterKernels(
            server.session_manager,
            server.kernel_manager,
            limits=limits,
            probe=settings.probe,
            root_id=root_id,
        )
        policy, configured = policy_of(settings), configured_model(settings)
        domain = cls(journal, kernels, ModelReplies(limits), policy, configured, limits, root_id)
        try:
            await domain.threads.recover()
        except BaseException:
            await domain.close()
            raise
        return domain

    async def close(self) -> None:
        """End clients, turns, links and the journal, in this order."""
        connections, self._connections = self._connections, set()
        for connection in connections:
            connection.close(CLOSE_GOING_AWAY, "the server is stopping")
        async with AsyncExitStack() as rooms:
            # Last in, first out; and one that fails does not keep the others open.
            rooms.push_async_callback(self.journal.close)
            rooms.push_async_callback(self.replies.close)
            rooms.push_async_callback(self._kernels.close)
            rooms.push_async_callback(self.threads.close)
            rooms.push_async_callback(self._tasks.close)
            await asyncio.gather(*(connection.stop() for connection in connections))

    # ── clients

    def hello(self, origin: Origin) -> Hello:
        """What a client is told first."""
        return Hello(
            server_version=__version__,
            server_id=self.journal.server_id,
            client_id=origin.client_id,
            root_id=self.threads.services.root_id,
            may_approve=origin.may_approve,
            allowed_modes=list(self.policy.allowed_modes),
        )

    def join(self, socket: Socket, origin: Origin) -> Connection:
        """Take a client in, and say hello to it."""
        connection = Connection(socket, origin, self.threads, self._limits)
        self._connections.add(connection)
        connection.start(self.hello(origin))
        self.warm_up(origin.owner)
        return connection

    def leave(self, connection: Connection) -> None:
        """Let a client go that has hung up."""
        if connection in self._connections:
            self._connections.remove(connection)
            self._tasks.spawn(connection.stop(), "forget a client")

    # ── the person's settings

    async def settings(self, owner: str) -> ModelSettings | None:
        """The model in force for an owner, with what they decided about it."""
        chosen = await self.choices.settings(owner)
        if chosen is None:
            return None
        options = await self.manners.options(owner, name_of(chosen))
        return chosen.model_copy(update={"options": options})

    async def save_settings(self, owner: str, settings: ModelSettings) -> None:
        """Keep a choice and what was decided about its model; raises Forbidden if it is fixed."""
        await self.choices.save(owner, settings)
        await self.manners.decide(owner, name_of(settings), settings.options)

    async def check(self, owner: str, settings: ModelSettings) -> CheckReport:
        """Try a choice, and remember what was seen of its tools; raises Forbidden."""
        await self.choices.settings(owner)
        self.choices.admit(owner, settings)
        choice = ModelChoice(
            settings.model,
            settings.api_base or None,
            settings.key_env or None,
            settings.options.effort,
        )
        options = settings.options
        report = await self.replies.check(
            choice, options.format, plain_fences_run=options.plain_fences_run
        )
        if report.seen in ("called_the_tool", "tools_refused"):
            await self.manners.learn(owner, choice, report.seen)
        return report

    # ── the model's library

    def warm_up(self, owner: str) -> None:
        """Begin to load what a first message would wait for, if this owner's model needs it."""
        settings = self.choices.in_force(owner)
        named = settings.model if settings is not None else ""
        needed = bool(named) and not named.startswith(TOUR_PREFIX)
        if needed and (self._warming is None or self._warming.done()):
            self._warming = self._tasks.spawn(self._prepare(), "load the model's library")

    async def _prepare(self) -> None:
        try:
            await self.replies.prepare()
        except errors.ModelError as error:
            _log.warning("%s It is tried again at the first message.", error)


def name_of(settings: ModelSettings) -> ModelName:
    """What memory of a model is kept by."""
    return ModelName(model=settings.model, api_base=settings.api_base)


def root_of(server: ServerApp) -> str:
    """Name the server's folder without telling it: all servers of a person share one journal."""
    folder = os.path.realpath(server.root_dir)
    return sha256(folder.encode("utf-8", "surrogateescape")).hexdigest()[:16]
