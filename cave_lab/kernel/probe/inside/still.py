"""Moments in which a library's lock can be taken without freezing the kernel."""

from __future__ import annotations

import sys
from itertools import compress, starmap
from threading import RLock, get_ident
from typing import Any, Callable

from cave_lab.kernel.probe.inside.plain import LABEL_CHARS

TRIES = 8
"""How often the other threads are looked at before one call: they may go on in between."""


class Unstill(Exception):
    """Another thread is inside a library now, or does not rest long enough to be sure."""


class Stillness:
    """Reads through libraries that lock, while nothing runs that may hold such a lock.

    Who holds one may be waiting for Python's own lock, which we have while we wait for theirs:
    then nothing would go on ever again. So no such library is read while a cell runs, or while
    another thread is inside that library; of that `call_alone` makes sure for each single call.
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

    def read(self, reader: Callable[[], Any]) -> Any:
        """What the reader returns; None if this is not the moment."""
        with self._lock:
            try:
                return None if self._running else reader()
            except Unstill:
                return None


def call_alone(package: str, method: Any, *arguments: Any) -> Any:
    """What a compiled function returns, called while no other thread is inside its package.

    To look first and call then would leave a gap: Python may let another thread go on between any
    two steps of ours, and it would enter the package there. So the threads are looked at twice. The
    second time, that they are where they were and the call itself are one chain of compiled
    functions, in which Python lets no other thread go on. Raises `Unstill`.
    """
    for _ in range(TRIES):
        frames = sys._current_frames()
        try:
            if is_inside(package, frames):
                break
            as_before = map(frames.__eq__, starmap(sys._current_frames, ((),)))
            found = list(starmap(method, compress((arguments,), as_before)))
        finally:
            # They hold this very frame, and the variables of the others.
            frames.clear()
        if found:
            return found[0]
    raise Unstill


def is_inside(package: str, frames: dict[int, Any]) -> bool:
    """Whether another of these threads is in the code of a package, or in what that code called."""
    me = get_ident()
    return any(passes(frame, package) for thread, frame in frames.items() if thread != me)


def passes(frame: Any, package: str) -> bool:
    """Whether a stack goes through a package."""
    while frame is not None:
        name = dict.get(frame.f_globals, "__name__")
        if type(name) is str and name[:LABEL_CHARS].split(".")[0] == package:
            return True
        frame = frame.f_back
    return False
