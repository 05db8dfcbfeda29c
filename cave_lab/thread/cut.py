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
    """A cut that may come; the first reason stays, while Stop can be pressed again."""

    def __init__(self) -> None:
        self._came = asyncio.Event()
        self._stop = asyncio.Event()
        self._lost = asyncio.Event()
        self.reason: Reason | None = None

    def set(self, reason: Reason) -> None:
        """Cut."""
        if reason == "stop":
            self._stop.set()
        else:
            self._lost.set()
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

    async def lost(self) -> None:
        """Wait until the kernel's memory is lost to the turn, whatever else cut it."""
        await self._lost.wait()

    async def stop_pressed(self) -> None:
        """Wait for a Stop that nobody has taken up yet, whatever else cut the turn, and take it."""
        await self._stop.wait()
        self._stop.clear()

    async def guard(self, work: Coroutine[Any, Any, T]) -> T:
        """Do `work` unless the cut comes first: then it is cancelled, and TurnCut raised."""
        task = asyncio.ensure_future(work)
        watcher = asyncio.ensure_future(self.wait())
        try:
            await asyncio.wait({task, watcher}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            watcher.cancel()
            task.cancel()
            await asyncio.wait({task, watcher})
            if not task.cancelled():
                task.exception()  # retrieved: when cut or cancelled, nobody asks for it
        self.check()
        return task.result()
