"""What a turn needs of the thread it belongs to."""

from __future__ import annotations

import asyncio
from typing import Protocol

from cave_lab.approval.gate import Gate
from cave_lab.kernel.port import KernelLink
from cave_lab.state.values import ThreadState
from cave_lab.thread.context import ContextRoom
from cave_lab.thread.cut import Cut
from cave_lab.thread.recorder import Recorder
from cave_lab.thread.services import Services


class Host(Protocol):
    """The thread, as its turn sees it."""

    @property
    def state(self) -> ThreadState:
        """The folded state; it changes with each committed event."""

    @property
    def services(self) -> Services:
        """The rooms below."""

    @property
    def recorder(self) -> Recorder:
        """The thread's pen."""

    @property
    def inbox(self) -> asyncio.Lock:
        """Held while the queue of messages changes."""

    @property
    def gate(self) -> Gate:
        """The open approvals."""

    @property
    def cut(self) -> Cut:
        """What may end this turn from outside."""

    @property
    def contexts(self) -> ContextRoom:
        """Where model calls are prepared."""

    async def bind(self) -> KernelLink | None:
        """Find the thread's live kernel now; None if there is none."""
