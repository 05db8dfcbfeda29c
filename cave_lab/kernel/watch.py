"""Noticing that a kernel's memory is gone, as early as the platform allows."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from cave_lab.kernel.managed import ManagedKernel
from cave_lab.kernel.outcome import MemoryLossReason
from cave_lab.kernel.pulse import Pulse
from cave_lab.limits import Limits

Succession = Literal["launched", "given_up", "gone"]
"""What follows a process: another one, none by itself, or none ever under this kernel id."""


class LossWatch:
    """Watches one life of a kernel: the process that held its memory.

    A local process is watched by its descriptor (Linux) and by a look every heartbeat; everything
    else that is heard only makes it look at once. A process that ends while the server stops it was
    restarted or shut down, any other one died.
    """

    def __init__(self, managed: ManagedKernel, limits: Limits) -> None:
        self._managed = managed
        self._limits = limits
        self._pulse = Pulse()
        self.process_id = managed.process_id
        far = self.process_id is None
        self._look_seconds = limits.far_look_seconds if far else limits.heartbeat_seconds
        self._on_purpose = False
        self._heard: MemoryLossReason | None = None
        self._hints = 0
        self.on_interrupt: Callable[[], None] = lambda: None
        """Called when the kernel is interrupted through the server."""

    def hint(self, heard: MemoryLossReason | None = None) -> None:
        """Something suggests a loss; `heard` is believed where no process can be looked at."""
        self._heard = heard or self._heard
        self._hints += 1
        self._pulse.beat()

    def stopping(self) -> None:
        """The kernel said good-bye, as it does when it is shut down or restarted."""
        self._on_purpose = True
        self.hint()

    async def lost(self) -> MemoryLossReason:
        """Return when this life's memory is gone."""
        with self._managed.actions(self._on_action), _process_end(self.process_id, self.hint):
            while True:
                hints = self._hints
                reason = await self._look()
                if reason is not None:
                    return reason
                if self._hints == hints:
                    await self._pulse.until(self._next_hint(hints), self._look_seconds)

    def _next_hint(self, seen: int) -> Callable[[], bool]:
        return lambda: self._hints != seen

    def _on_action(self, action: str) -> None:
        if action == "interrupt":
            self.on_interrupt()
        else:
            self.hint("restarted" if action == "restart" else None)

    async def _look(self) -> MemoryLossReason | None:
        if not self._managed.present:
            return "shut_down"
        if self.process_id is None:
            return self._heard if await self._managed.alive() else self._heard or "lost"
        if self._managed.process_id == self.process_id and await self._managed.alive():
            return None
        if self._managed.being_stopped:
            self._on_purpose = True
        return await self._why_stopped() if self._on_purpose else "lost"

    async def _why_stopped(self) -> MemoryLossReason:
        """The process was stopped on purpose: see what takes its place."""
        try:
            async with asyncio.timeout(self._limits.kernel_ready_seconds):
                follows = await successor(self._managed, self.process_id, self._limits)
        except TimeoutError:
            return "lost"
        return _REASONS[follows]


_REASONS: dict[Succession, MemoryLossReason] = {
    "launched": "restarted",
    "given_up": "lost",
    "gone": "shut_down",
}


async def successor(
    managed: ManagedKernel, former: int | None, limits: Limits, *, by_hand: bool = False
) -> Succession:
    """Return when it is known what follows the process; `by_hand` waits on for a person's start."""
    while managed.present:
        launched = managed.process_id != former if former is not None else await managed.alive()
        if launched:
            return "launched"
        if managed.given_up and not by_hand:
            return "given_up"
        # Nothing tells of a launch: the manager has no callback for it.
        await asyncio.sleep(limits.reconnect_seconds)
    return "gone"


@contextmanager
def _process_end(process_id: int | None, ended: Callable[[], None]) -> Iterator[None]:
    """Call `ended` when the process ends, where the system can tell."""
    descriptor = _descriptor_of(process_id)
    if descriptor is None:
        yield
        return
    loop = asyncio.get_running_loop()

    def call_once() -> None:
        loop.remove_reader(descriptor)
        ended()

    loop.add_reader(descriptor, call_once)
    try:
        yield
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)


def _descriptor_of(process_id: int | None) -> int | None:
    if process_id is None or not hasattr(os, "pidfd_open"):
        return None
    try:
        return os.pidfd_open(process_id)
    except OSError:
        # It has ended already, which the first look will see.
        return None
