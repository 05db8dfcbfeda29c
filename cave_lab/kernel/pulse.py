"""Waiting inside the event loop for a condition that only our own code changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Pulse:
    """Wakes all who wait whenever something changed; each looks for itself at what it needs."""

    def __init__(self) -> None:
        self._sleepers: set[asyncio.Future[None]] = set()

    def beat(self) -> None:
        """Tell that something changed."""
        sleepers, self._sleepers = self._sleepers, set()
        for sleeper in sleepers:
            if not sleeper.done():
                sleeper.set_result(None)

    async def next(self) -> None:
        """Return at the next change."""
        sleeper = asyncio.get_running_loop().create_future()
        self._sleepers.add(sleeper)
        try:
            await sleeper
        finally:
            self._sleepers.discard(sleeper)

    async def until(self, condition: Callable[[], object], seconds: float | None = None) -> bool:
        """Return True once the condition holds, False if it did not within `seconds`."""
        try:
            async with asyncio.timeout(seconds):
                while not condition():
                    await self.next()
        except TimeoutError:
            return bool(condition())
        return True
