"""One kernel as Jupyter's server manages it: what may be asked of it, by capability.

Servers put kernels behind gateways and provisioners; an attribute of a local process may be
missing anywhere, and is then answered by the most careful value.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from typing import Any, cast

import zmq.asyncio
from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.kernelspec import NoSuchKernel
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning.local_provisioner import LocalProvisioner
from jupyter_client.session import Session
from jupyter_core.utils import ensure_async
from jupyter_server.gateway.managers import GatewayKernelManager
from jupyter_server.services.kernels.kernelmanager import MappingKernelManager

from cave_lab.kernel.channels import Channels, ZmqChannels
from cave_lab.kernel.gateway import GatewayChannels
from cave_lab.limits import Limits
from cave_lab.protocol.ids import KernelId

log = logging.getLogger(__name__)

_ACTIONS = "https://events.jupyter.org/jupyter_server/kernel_actions/v1"


class ManagedKernel:
    """A kernel id of the server's kernel manager; the process behind it may change."""

    def __init__(self, kernels: MappingKernelManager, kernel_id: KernelId) -> None:
        self._kernels = kernels
        self.kernel_id = kernel_id
        self._one = cast(AsyncKernelManager, kernels.get_kernel(kernel_id))
        self._restarting = False

    # ── what it is

    @property
    def language(self) -> str:
        """The language that its kernel spec names."""
        return str(getattr(self._spec, "language", "") or "")

    @property
    def display_name(self) -> str:
        """The name that a person chose it by."""
        return str(getattr(self._spec, "display_name", "") or self._one.kernel_name)

    @property
    def interrupted_by_signal(self) -> bool:
        """Whether its kernel spec asks for SIGINT, not for a message."""
        return str(getattr(self._spec, "interrupt_mode", "signal")) != "message"

    @property
    def _spec(self) -> object:
        try:
            return self._one.kernel_spec
        except NoSuchKernel:
            # Its spec was removed since, or lies on the gateway.
            return None

    @property
    def _behind_gateway(self) -> bool:
        return isinstance(self._one, GatewayKernelManager)

    # ── how it is

    @property
    def present(self) -> bool:
        """Whether the server still has a kernel of this id."""
        return self.kernel_id in self._kernels and (
            self._kernels.get_kernel(self.kernel_id) is self._one
        )

    @property
    def process_id(self) -> int | None:
        """Its process on this machine, None if it runs elsewhere."""
        provisioner = getattr(self._one, "provisioner", None)
        return provisioner.pid if isinstance(provisioner, LocalProvisioner) else None

    @property
    def being_stopped(self) -> bool:
        """Whether the server is shutting it down, perhaps to start it anew."""
        # A gateway's kernel does not say so itself.
        return self._restarting or bool(getattr(self._one, "shutting_down", False))

    @property
    def restarts_itself(self) -> bool:
        """Whether the server starts it anew when it dies."""
        return bool(getattr(self._one, "autorestart", False))

    @property
    def given_up(self) -> bool:
        """Whether the server starts it no more by itself: it died too often, or a start failed."""
        if getattr(self._one, "execution_state", None) == "dead":
            return True
        ready = self._one.ready
        return ready.done() and not ready.cancelled() and ready.exception() is not None

    @property
    def believed_busy(self) -> bool:
        """What the server last heard of it."""
        return getattr(self._one, "execution_state", None) == "busy"

    async def alive(self) -> bool:
        """Whether its process runs; yes if that can't be told."""
        try:
            return bool(await ensure_async(cast(Awaitable[bool], self._one.is_alive())))
        except Exception:
            log.exception("Whether kernel %s is alive can't be told.", self.kernel_id)
            return True

    async def launched(self) -> None:
        """Return when its process was started; raises what kept it from starting."""
        if self._behind_gateway or not self._one.owns_kernel:
            # Nothing of ours is launched, and `ready` would never be resolved.
            return
        ready = self._one.ready
        await (ready if isinstance(ready, Awaitable) else asyncio.wrap_future(ready))

    # ── what may be done to it

    async def interrupt(self) -> None:
        """Interrupt whatever it runs, in the way its kernel spec asks for."""
        await ensure_async(cast(Any, self._kernels).interrupt_kernel(self.kernel_id))

    async def restart(self) -> None:
        """Restart it, as the person's own click on restart does."""
        self._restarting = True
        try:
            answered: object = await ensure_async(
                cast(Any, self._kernels).restart_kernel(self.kernel_id)
            )
            if isinstance(answered, Awaitable):
                await answered
        finally:
            self._restarting = False

    def touch(self) -> None:
        """Note that it is in use, so that neither it nor the server is culled."""
        now = datetime.now(UTC)
        for owner, name in ((self._one, "last_activity"), (self._kernels, "last_kernel_activity")):
            if hasattr(owner, name):
                setattr(owner, name, now)

    def leave_untracked(self, message_types: Iterable[str]) -> None:
        """Keep requests of these types from counting as the person's activity."""
        known = getattr(self._kernels, "untracked_message_types", None)
        if known is not None:
            new = [kind for kind in message_types if kind not in known]
            if new:
                self._kernels.untracked_message_types = [*known, *new]

    # ── how to reach it

    def connect(self, context: zmq.asyncio.Context, limits: Limits) -> Channels:
        """Open our own connection to its present process."""
        if self._behind_gateway:
            return GatewayChannels(self.kernel_id, limits)
        theirs = self._one.session
        session = Session(
            config=theirs.config,
            key=theirs.key,
            signature_scheme=theirs.signature_scheme,
        )
        client: AsyncKernelClient = self._one.client_factory(context=context, session=session)
        client.load_connection_info(self._one.get_connection_info())
        return ZmqChannels(client, session, limits)

    def actions(self, heard: Callable[[str], None]) -> AbstractContextManager[None]:
        """Hear of `restart`, `shutdown` and the like while the context is open."""
        return _listening(getattr(self._one, "event_logger", None), self.kernel_id, heard)


@contextmanager
def _listening(logger: Any, kernel_id: str, heard: Callable[[str], None]) -> Iterator[None]:
    async def listen(logger: Any, schema_id: str, data: dict[str, Any]) -> None:
        if data.get("kernel_id") == kernel_id and data.get("status") == "success":
            heard(str(data.get("action")))

    if logger is None:
        yield
        return
    logger.add_listener(schema_id=_ACTIONS, listener=listen)
    try:
        yield
    finally:
        logger.remove_listener(listener=listen)
