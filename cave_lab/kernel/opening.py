"""The beginning of a kernel's life as we see it: it answers, it is free, the probe goes in."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

from cave_lab.errors import KernelSilent, ProbeUnavailable
from cave_lab.kernel.dialect import Dialect
from cave_lab.kernel.life import Life
from cave_lab.kernel.managed import ManagedKernel
from cave_lab.kernel.prober import Prober
from cave_lab.kernel.pulse import Pulse
from cave_lab.kernel.shell import UNKNOWN_CELL
from cave_lab.limits import Limits

log = logging.getLogger(__name__)


class Opening:
    """Brings a life from `starting` to `ready`; a kernel that runs a cell is waited for."""

    def __init__(
        self, managed: ManagedKernel, pulse: Pulse, limits: Limits, *, probe: bool
    ) -> None:
        self._managed = managed
        self._pulse = pulse
        self._limits = limits
        self._probe = probe

    async def open(self, life: Life) -> None:
        """Return when the kernel is ours to use, with the probe if it can have one."""
        async with asyncio.TaskGroup() as group:
            watching = group.create_task(self._know_it(life))
            await self._until_it_is_free(life)
            if not await life.can_ask(self._limits.stdin_seconds):
                log.warning("Kernel %s has no stdin: its cells can't ask.", self._managed.kernel_id)
            if self._may_have_probe(life):
                await self._inject(life)
            watching.cancel()
        life.phase = "ready"
        self._pulse.beat()

    async def _know_it(self, life: Life) -> None:
        """Know the kernel as occupied if a cell keeps us from it, before that cell or another."""
        await self._until_it_answers(life)
        while life.phase == "starting":
            await self._pulse.until(lambda: life.shell.occupant)
            if not await self._pulse.until(
                lambda: life.shell.occupant is None, self._limits.first_free_seconds
            ):
                await self._find_probe(life)
                life.phase = "occupied"
                self._pulse.beat()

    async def _until_it_answers(self, life: Life) -> None:
        """The control channel answers while a cell runs; what it publishes shows that we hear."""
        while not (life.dialect and life.heard):
            try:
                info = await life.requests.ask(
                    "control", "kernel_info_request", {}, seconds=self._limits.control_seconds
                )
            except KernelSilent:
                if self._managed.believed_busy and life.phase == "starting":
                    life.phase = "occupied"
                    self._pulse.beat()
                continue
            self._learn(life, info)
            await self._pulse.until(lambda: life.heard, self._limits.reconnect_seconds)

    async def _until_it_is_free(self, life: Life) -> None:
        """Ask on the shell; only while we hear does the answer mean that no cell has begun."""
        heard = False
        while not heard:
            heard = life.heard
            info = await life.requests.ask("shell", "kernel_info_request", {}, seconds=None)
            # IRkernel sets everything aside that waits behind a failing cell.
            heard = heard and info.get("status") != "aborted"
            self._learn(life, info)
            # Ask again all the same: what R is asked on control it may not notice before that.
            await self._pulse.until(lambda: life.heard, self._limits.reconnect_seconds)
        life.shell.release(UNKNOWN_CELL)
        self._pulse.beat()

    def _learn(self, life: Life, info: Mapping[str, object]) -> None:
        if info.get("status") == "aborted":
            return
        life.dialect = Dialect.of(info, self._managed.language)

    async def _find_probe(self, life: Life) -> None:
        """In a kernel that is busy the probe may be from before; then it answers at once."""
        if not self._may_have_probe(life):
            return
        prober = Prober(life.requests, self._limits)
        try:
            life.generation = await prober.hello(self._limits.first_free_seconds)
        except (KernelSilent, ProbeUnavailable):
            log.info("Kernel %s is busy and has no probe yet.", self._managed.kernel_id)
        else:
            life.prober = prober

    def _may_have_probe(self, life: Life) -> bool:
        return self._probe and life.dialect is not None and life.dialect.has_handler_tables

    async def _inject(self, life: Life) -> None:
        prober = Prober(life.requests, self._limits)
        try:
            await life.until_free()
            while not await prober.inject(life.generation):
                # A failing cell of the person's set our request aside.
                await life.until_free()
            life.generation = await prober.hello(self._limits.probe_seconds)
        except (KernelSilent, ProbeUnavailable) as error:
            log.warning(
                "Variables are not available for kernel %s: %s",
                self._managed.kernel_id,
                error.detail or error,
            )
            return
        life.prober = prober
