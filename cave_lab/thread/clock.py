"""Measures a turn's work: the model's time and the runs', not the person's."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class WorkClock:
    """Counts seconds, except while paused."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._worked = 0.0
        self._since: float | None = now()

    @property
    def seconds(self) -> float:
        """Seconds of work so far."""
        running = 0.0 if self._since is None else self._now() - self._since
        return self._worked + running

    def pause(self) -> None:
        """Count no more until `go_on`; a paused clock stays so."""
        self._worked, self._since = self.seconds, None

    def go_on(self) -> None:
        """Count again; a running clock goes on."""
        if self._since is None:
            self._since = self._now()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Don't count what happens inside."""
        self.pause()
        try:
            yield
        finally:
            self.go_on()
