"""What ends a turn from outside: a Stop, or a kernel that lost its memory."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Literal, TypeVar

T = TypeVar("T")

Reason = Literal["stop", "kernel_lost"]


class TurnCut(Exception):
    """The turn is cut; `reason` says by what."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


class Cut:
    """A cut that may come, once."""

    def __init__(self) -> None:
        self._came = asyncio.Event()
        self.reason: Reason | None = None

    def set(self, reason: Reason) -> None:
        """Cut; a second cut changes nothing."""
        if self.reason is None:
            self.reason = reason
            self._came.set()

    def check(self) -> None:
        """Raise TurnCut if it came."""
        if self.reason is not None:
            raise TurnCut(self.reason)

    async def wait(self) -> Reason:
        """Wait for the cut."""
        await self._came.wait()
        assert self.reason is not None
        return self.reason

    async def guard(self, work: Coroutine[Any, Any, T]) -> T:
        """Do `work` unless the cut comes first: then it is cancelled, and TurnCut raised."""
        task = asyncio.ensure_future(work)
        watcher = asyncio.ensure_future(self.wait())
        try:
            await asyncio.wait({task, watcher}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            watcher.cancel()
            if not task.done():
                task.cancel()
            await asyncio.wait({task, watcher})
        if self.reason is not None:
            if not task.cancelled():
                task.exception()  # retrieved, so that it is not logged as lost: the cut wins
            raise TurnCut(self.reason)
        return task.result()
