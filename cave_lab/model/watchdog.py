"""Two clocks on one model call: how long without content, and how long in all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


class TooQuiet(Exception):
    """No content came for so many seconds."""


class TooLong(Exception):
    """The call took so many seconds in all."""


class Watchdog:
    """Waits for a stream; only content, not keep-alives, puts the first clock back."""

    def __init__(self, quiet_seconds: float, total_seconds: float) -> None:
        self._now = asyncio.get_running_loop().time
        self._quiet_seconds = quiet_seconds
        self._total_seconds = total_seconds
        self._quiet_since = self._now()
        self._end = self._now() + total_seconds

    def content(self) -> None:
        """Put the first clock back: content came, and has been passed on."""
        self._quiet_since = self._now()

    async def wait(self, work: Awaitable[T]) -> T:
        """Wait for the next piece; cancels it and raises TooQuiet or TooLong in time."""
        quiet_end = self._quiet_since + self._quiet_seconds
        clock = asyncio.timeout_at(min(quiet_end, self._end))
        try:
            async with clock:
                return await work
        except TimeoutError:
            if not clock.expired():
                raise
        if self._end <= quiet_end:
            raise TooLong(f"{self._total_seconds:g} seconds")
        raise TooQuiet(f"{self._quiet_seconds:g} seconds")
