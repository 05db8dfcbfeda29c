"""Ownership of background tasks: none outlives its owner, none fails unheard."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Coroutine
from typing import Any, TypeVar

_log = logging.getLogger("cave_lab")

T = TypeVar("T")


class Tasks:
    """Tasks that belong to one object and end with it."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._running)

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Start a task; a failure is logged, with its traceback."""
        task = asyncio.create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("The task %s failed.", task.get_name(), exc_info=error)

    async def close(self) -> None:
        """Cancel what runs and wait until it has ended, also what is started by its ending."""
        while self._running:
            running = list(self._running)
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)


async def to_the_end(work: Awaitable[T]) -> T:
    """Finish `work` even if cancelled meanwhile; the cancellation is raised behind it."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        if not task.cancelled():
            task.exception()  # retrieved, so that it is not logged as lost
        raise cancelled
    return task.result()
