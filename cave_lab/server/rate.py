"""Counts within a sliding window."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable


class Window:
    """Admits at most `limit` things in `seconds`."""

    def __init__(
        self, limit: int, seconds: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._limit = limit
        self._seconds = seconds
        self._now = now
        self._times: deque[float] = deque()

    def admit(self) -> bool:
        """Count one more; False if it is over the limit (and then it is not counted)."""
        now = self._now()
        while self._times and now - self._times[0] >= self._seconds:
            self._times.popleft()
        if len(self._times) >= self._limit:
            return False
        self._times.append(now)
        return True
