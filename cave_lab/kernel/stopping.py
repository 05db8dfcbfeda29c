"""Stopping one run and nothing else: the kernel itself decides whether it is the one running."""

from __future__ import annotations

import asyncio
import logging
from typing import Literal

from cave_lab.errors import KernelSilent, ProbeUnavailable
from cave_lab.kernel.execution import Execution
from cave_lab.kernel.life import Life
from cave_lab.kernel.managed import ManagedKernel
from cave_lab.kernel.port import StopOutcome
from cave_lab.limits import Limits

log = logging.getLogger(__name__)

DEQUEUED = StopOutcome("dequeued", "The cell was taken out of the queue. It did not run.")
NOT_RUNNING = StopOutcome("not_running", "The cell is not running any more.")

REFUSED = StopOutcome(
    "silent",
    "Jupyter could not pass the interrupt on to the kernel, so the cell may still be running. "
    "Wait, or restart the kernel, which loses its variables.",
)
UNKNOWN_WHOSE = StopOutcome(
    "silent",
    "The kernel does not answer, and it is not known whose cell holds it, so nothing was "
    "interrupted. Wait, or restart the kernel, which loses its variables.",
)
BEHIND = StopOutcome(
    "stuck",
    "The cell waits behind yours in the kernel and can't be taken back. It will be interrupted as "
    "soon as it starts.",
)
HELD = StopOutcome(
    "silent",
    "The kernel does not answer: compiled code may be holding it. Wait, or restart the kernel, "
    "which loses its variables.",
)
STUCK = StopOutcome(
    "stuck",
    "The cell goes on in spite of the interrupt. Wait, or restart the kernel, which loses its "
    "variables.",
)
_DEADLY = (
    "This kernel ({name}) ends when it is interrupted, so it was not. The cell goes on. Wait, or "
    "restart the kernel, which loses its variables, as an interrupt would."
)

_Step = Literal["withdrawn", "asked", "asked_manager", "refused", "not_started", "deadly"]

_BY_MANAGER = " The kernel did not answer CaveLab, so Jupyter's own interrupt was used."


class Stopper:
    """Asks a sent run to stop, again and again, until it ends or a person must decide."""

    def __init__(
        self, execution: Execution, life: Life, managed: ManagedKernel, limits: Limits
    ) -> None:
        self._execution = execution
        self._life = life
        self._managed = managed
        self._limits = limits
        self._through_manager = False

    async def stop(self) -> StopOutcome:
        """Return when the run has ended, or after the time at which the person is asked."""
        run = self._execution
        run.stop_asked = True
        with run.questions.held():
            return await self._until_ended()

    async def _until_ended(self) -> StopOutcome:
        run = self._execution
        clock = asyncio.get_running_loop().time
        deadline = clock() + self._limits.interrupt_ask_seconds
        while not run.ended:
            step = await self._step()
            if step == "withdrawn":
                run.withdraw()
                return DEQUEUED
            if step == "deadly":
                return self._unheard(step)
            left = deadline - clock()
            if await run.ends_within(min(self._limits.interrupt_repeat_seconds, max(left, 0))):
                break
            if left <= self._limits.interrupt_repeat_seconds:
                return self._unheard(step)
        return self._ended()

    async def stop_at_start(self) -> None:
        """Interrupt a run that could not be taken back, as soon as it starts."""
        run = self._execution
        await run.changed.until(lambda: run.started or run.ended)
        if not run.ended:
            # Again and again: between two cells a kernel lets an interrupt pass unheard.
            await self.stop()

    async def _step(self) -> _Step:
        prober, run = self._life.prober, self._execution
        if prober is None:
            return await self._by_manager()
        try:
            state = await prober.cancel(run.run_id)
            if not state.ran:
                return "withdrawn"
            asked = run.questions.current
            if state.running and await prober.interrupt(run.run_id):
                run.reach(asked)
                await self._nudge()
        except (KernelSilent, ProbeUnavailable):
            return await self._by_manager()
        return "asked"

    async def _by_manager(self) -> _Step:
        """Jupyter's interrupt hits whatever runs: only while our run is known to be that."""
        run = self._execution
        if not run.started or run.answered:
            return "not_started"
        if self._is_deadly:
            return "deadly"
        if self._life.prober is None and await self._ends_while_it_settles():
            return "not_started"
        asked = run.questions.current
        try:
            await self._managed.interrupt()
        except Exception:
            # A restart is under way, the kernel is gone, or its gateway fails; which of them is
            # not known, so it is tried again like an interrupt that was not heard.
            log.warning("Jupyter refused to interrupt run %s.", run.run_id, exc_info=True)
            return "refused"
        self._through_manager = self._life.prober is not None
        run.reach(asked)
        await self._nudge()
        return "asked_manager"

    @property
    def _is_deadly(self) -> bool:
        dialect = self._life.dialect
        return (
            dialect is not None and dialect.dies_of_sigint and self._managed.interrupted_by_signal
        )

    async def _ends_while_it_settles(self) -> bool:
        """Whether the run is over before the kernel has surely got to its code.

        Before that IRkernel catches no interrupt: it would end, and with it the variables.
        """
        run = self._execution
        return await run.ends_within(self._limits.interrupt_settle_seconds - run.started_seconds)

    async def _nudge(self) -> None:
        """Wake a waiting `await`, which notices the interrupt only when its loop turns."""
        if not await self._execution.ends_within(self._limits.nudge_seconds):
            self._life.requests.tell("shell", "kernel_info_request", {})

    def _ended(self) -> StopOutcome:
        words = _BY_MANAGER if self._through_manager else ""
        if self._execution.interrupted:
            return StopOutcome("interrupted", "The cell was interrupted." + words)
        return StopOutcome("not_running", NOT_RUNNING.sentence + words)

    def _unheard(self, step: _Step) -> StopOutcome:
        if step == "deadly":
            return StopOutcome("stuck", _DEADLY.format(name=self._managed.display_name))
        if step == "refused":
            return REFUSED
        probed = self._life.prober is not None
        if step == "not_started":
            return UNKNOWN_WHOSE if probed else BEHIND
        return HELD if step == "asked_manager" and probed else STUCK
