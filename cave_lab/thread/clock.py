"""Measures a turn's work: the model's time and the runs', not the person's thinking."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class WorkClock:
    """Counts seconds, except while paused."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._began = now()
        self._paused = 0.0

    @property
    def seconds(self) -> float:
        """Seconds of work so far."""
        return self._now() - self._began - self._paused

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Don't count what happens inside."""
        began = self._now()
        try:
            yield
        finally:
            self._paused += self._now() - began
