"""From a notebook to its live kernel: the session tells, and nothing is ever started."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import zmq
import zmq.asyncio
from jupyter_server.services.kernels.kernelmanager import MappingKernelManager
from jupyter_server.services.sessions.sessionmanager import SessionManager

from cave_lab.errors import NoKernel
from cave_lab.kernel.link import Link
from cave_lab.kernel.managed import ManagedKernel
from cave_lab.kernel.port import Binding
from cave_lab.limits import DEFAULT_LIMITS, Limits
from cave_lab.protocol.content import NotebookRef, Target
from cave_lab.protocol.ids import KernelId, SessionId


class JupyterKernels:
    """Implements `Kernels` on a Jupyter server: one link per kernel id, made when first needed."""

    def __init__(
        self,
        session_manager: SessionManager,
        kernel_manager: MappingKernelManager,
        *,
        limits: Limits = DEFAULT_LIMITS,
        probe: bool = True,
        root_id: str = "",
    ) -> None:
        self._sessions = session_manager
        self._kernels = kernel_manager
        self._limits = limits
        self._probe = probe
        self._root_id = root_id
        self._links: dict[KernelId, Link] = {}
        self._context: zmq.asyncio.Context | None = None

    async def bind(self, target: Target) -> Binding:
        """Find the kernel by session, then by path, then by its id if the session is gone.

        The target comes back as it is now: a renamed notebook has another path, a switched kernel
        another id. Raises NoKernel or KernelSilent.
        """
        sessions = await self._session_records()
        # Looked up last: a kernel may be culled while the sessions are read.
        running = set(self._kernels.list_kernel_ids())
        found = corrected(target, sessions, running, self._root_id)
        if found is None or found.kernel_id is None:
            raise NoKernel
        link = self._link(found.kernel_id)
        await link.known()
        return Binding(found.model_copy(update={"language": link.facts.language}), link)

    async def close(self) -> None:
        """End all links; the kernels go on."""
        await asyncio.gather(*(link.close() for link in list(self._links.values())))
        if self._context is not None:
            self._context.destroy(linger=0)
            self._context = None

    async def _session_records(self) -> list[Mapping[str, Any]]:
        records: list[Mapping[str, Any]] = await self._sessions.list_sessions()  # type: ignore[no-untyped-call]
        return records

    def _link(self, kernel_id: KernelId) -> Link:
        if kernel_id not in self._links:
            self._links[kernel_id] = Link(
                self._managed(kernel_id),
                self._shared_context(),
                self._limits,
                probe=self._probe,
                on_gone=lambda link: self._forget(kernel_id, link),
            )
        return self._links[kernel_id]

    def _managed(self, kernel_id: KernelId) -> ManagedKernel:
        try:
            return ManagedKernel(self._kernels, kernel_id)
        except KeyError as error:
            raise NoKernel from error

    def _forget(self, kernel_id: KernelId, link: Link) -> None:
        if self._links.get(kernel_id) is link:
            del self._links[kernel_id]

    def _shared_context(self) -> zmq.asyncio.Context:
        if self._context is None:
            self._context = zmq.asyncio.Context()
            self._context.setsockopt(zmq.RCVHWM, self._limits.iopub_backlog)
        return self._context


def corrected(
    target: Target, sessions: Sequence[Mapping[str, Any]], running: set[str], root_id: str = ""
) -> Target | None:
    """The target as the server's session records have it now; None if no kernel of it runs."""
    session = _session_of(target, sessions, root_id)
    if session is None:
        alone = target.kernel_id is not None and target.kernel_id in running
        return target.model_copy(update={"session_id": None}) if alone else None
    kernel = session.get("kernel") or {}
    if kernel.get("id") not in running:
        return None
    root = target.notebook.root_id if target.notebook else ""
    return Target(
        notebook=NotebookRef(root_id=root, path=session["path"]),
        session_id=SessionId(session["id"]),
        kernel_id=KernelId(kernel["id"]),
        language=target.language,
    )


def _session_of(
    target: Target, sessions: Sequence[Mapping[str, Any]], root_id: str
) -> Mapping[str, Any] | None:
    for session in sessions:
        if target.session_id is not None and session["id"] == target.session_id:
            return session
    notebook = target.notebook
    # The same path below another server's folder is another notebook.
    here = notebook is not None and notebook.root_id in ("", root_id)
    path = notebook.path.lstrip("/") if notebook is not None and here else None
    for session in sessions:
        if path is not None and str(session["path"]).lstrip("/") == path:
            return session
    return None
