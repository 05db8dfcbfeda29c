"""Interrupting the cell that runs now, as Ctrl-C in a terminal does it, and nothing else."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress
from typing import Any

PROC = "/proc"
CHILDREN = 64
"""Processes that one interrupt may reach below the cell."""


def boot_clock() -> float | None:
    """Seconds since the machine started, the clock of process start times; None without /proc."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return None if clock is None or not os.path.isdir(PROC) else time.clock_gettime(clock)


def interrupt_main_thread() -> None:
    """Raise the signal in the main thread, so that it is pending there when this returns."""
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)
    else:
        signal.raise_signal(signal.SIGINT)


def let_signals_in() -> None:
    """Return after a signal that is pending for this thread has been handled.

    The system hands it over at the end of a system call, Python runs its handler at the end of a
    loop's step.
    """
    for _ in range(3):
        time.sleep(0)


def wake(loop: Any) -> None:
    """Make an event loop that sleeps look at what the signal's handler left for it."""
    loop.asyncio_loop.call_soon_threadsafe(nothing)


def nothing() -> None:
    """Do nothing; being called is the point."""


def interrupt_children(since: float | None) -> None:
    """Interrupt the processes that were started since a moment, as a terminal would.

    A shell command holds up its parent with the signal ignored. Processes from before stay alone:
    they are of an earlier cell. Without /proc they can't be told apart, so none is touched.
    """
    if since is None:
        return
    group = os.getpgrp()
    for pid in descendants(since):
        with suppress(OSError):  # It ended meanwhile.
            if os.getpgid(pid) == group:
                os.kill(pid, signal.SIGINT)


def descendants(since: float) -> list[int]:
    """The processes below this one that were started since, by their ids."""
    tick = os.sysconf("SC_CLK_TCK")
    earliest = int(since * tick)
    found: list[int] = []
    waiting = [os.getpid()]
    while waiting and len(found) < CHILDREN:
        for child in children(waiting.pop()):
            if start_tick(child) >= earliest:
                found.append(child)
                waiting.append(child)
    return found


def children(pid: int) -> list[int]:
    """The children of all threads of a process."""
    found: list[int] = []
    threads = PROC + "/" + str(pid) + "/task"
    try:
        for thread in os.listdir(threads):
            with open(threads + "/" + thread + "/children", "rb") as listing:
                found.extend(int(child) for child in listing.read().split())
    except OSError:  # It ended meanwhile, or this system lists no children.
        return found
    return found


def start_tick(pid: int) -> int:
    """When a process was started, in the system's ticks since boot; -1 if it is gone."""
    try:
        with open(PROC + "/" + str(pid) + "/stat", "rb") as stat:
            fields = stat.read().rpartition(b")")[2].split()
    except OSError:
        return -1
    return int(fields[19])
