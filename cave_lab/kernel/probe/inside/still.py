"""Moments in which a library's lock can be taken without freezing the kernel."""

from __future__ import annotations

import sys
from threading import RLock, get_ident
from typing import Any, Callable

from cave_lab.kernel.probe.inside.plain import LABEL_CHARS


class Stillness:
    """Reads through libraries that lock, while nothing runs that may hold such a lock.

    Who holds one may be waiting for Python's own lock, which we have while we wait for theirs:
    then nothing would go on ever again. So no such library is read while a cell runs, or while
    another thread is inside that library.
    """

    def __init__(self, watched: bool) -> None:
        self._lock = RLock()
        """Taken again while it is held: what one frame holds may be another."""
        self._running = not watched
        """Also if nobody tells us of cells."""

    def cell_starts(self) -> None:
        """A cell runs from here on; returns when no read is under way."""
        with self._lock:
            self._running = True

    def cell_ends(self) -> None:
        """No cell runs any more."""
        self._running = False

    def read(self, package: str, reader: Callable[[], Any]) -> Any:
        """What the reader returns; None if this is not the moment."""
        with self._lock:
            busy = self._running or is_inside(package)
            return None if busy else reader()


def is_inside(package: str) -> bool:
    """Whether another thread is in the code of a package now, or in what that code called."""
    me = get_ident()
    return any(
        passes(frame, package) for thread, frame in sys._current_frames().items() if thread != me
    )


def passes(frame: Any, package: str) -> bool:
    """Whether a stack goes through a package."""
    while frame is not None:
        name = dict.get(frame.f_globals, "__name__")
        if type(name) is str and name[:LABEL_CHARS].split(".")[0] == package:
            return True
        frame = frame.f_back
    return False
