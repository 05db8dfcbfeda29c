"""The way of one run through the queue to the kernel and back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, Literal

from cave_lab.kernel import outcome
from cave_lab.kernel.life import Life
from cave_lab.kernel.lives import Lives
from cave_lab.kernel.managed import ManagedKernel
from cave_lab.kernel.port import RunObserver, RunOutcome, RunRequest, StopOutcome
from cave_lab.kernel.pulse import Pulse
from cave_lab.kernel.run_queue import RunQueue, Ticket
from cave_lab.kernel.stopping import DEQUEUED, NOT_RUNNING, Stopper
from cave_lab.limits import Limits
from cave_lab.protocol.ids import RunId

_Behind = tuple[Literal["ours", "theirs"], int]


class Runner:
    """Sends our runs one at a time, each only when the kernel is free and unchanged."""

    def __init__(
        self,
        managed: ManagedKernel,
        lives: Lives,
        queue: RunQueue,
        pulse: Pulse,
        limits: Limits,
        keep: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._managed = managed
        self._lives = lives
        self._queue = queue
        self._pulse = pulse
        self._limits = limits
        self._keep = keep

    async def run(self, request: RunRequest, observer: RunObserver) -> RunOutcome:
        """Run a cell at most once.

        Cancelled before the request went out, it never goes out. Cancelled later, the cell is
        stopped in the background, its observer hears no more, and the next run waits for its end.
        """
        ticket = self._queue.enter(request)
        try:
            refusal = await self._turn(ticket, observer)
            if refusal is not None:
                return refusal
            return await self._execute(ticket, observer)
        finally:
            if ticket.execution is None or ticket.execution.ended:
                self._queue.leave(ticket)

    async def stop(self, run_id: RunId) -> StopOutcome:
        """Take a run out of the queue, or ask the kernel to stop it."""
        ticket = self._queue.find(run_id)
        if ticket is None:
            return NOT_RUNNING
        if ticket.execution is None:
            self._queue.withdraw(ticket)
            return DEQUEUED
        life = self._lives.life
        if life is None:
            return NOT_RUNNING
        stopper = Stopper(ticket.execution, life, self._managed, self._limits)
        stopped = await stopper.stop()
        if not ticket.execution.started and not ticket.execution.ended:
            self._keep(stopper.stop_at_start())
        return stopped

    # ── in the queue

    async def _turn(self, ticket: Ticket, observer: RunObserver) -> RunOutcome | None:
        """Return when the request may go out, or with the end of a run that never will."""
        told: _Behind | None = None
        intended = False
        while True:
            refusal = self._refusal(ticket)
            if refusal is not None:
                return refusal
            behind = self._behind(ticket)
            if behind is None and intended:
                return None
            if behind is None:
                await observer.intend(ticket.request.generation)
                intended = True
            elif behind != told and not intended:
                await observer.queued(*behind)
                told = behind
            else:
                await self._pulse.next()

    def _refusal(self, ticket: Ticket) -> RunOutcome | None:
        if ticket.withdrawn:
            return outcome.WITHDRAWN
        if self._lives.generation != ticket.request.generation:
            return outcome.never_sent(self._lives.fate(ticket.request.generation))
        return None

    def _behind(self, ticket: Ticket) -> _Behind | None:
        ahead = self._queue.ahead_of(ticket)
        if ahead:
            return "ours", ahead
        life = self._lives.life
        if life is None or life.phase != "ready" or life.shell.occupant is not None:
            return "theirs", 0
        if self._restarting():
            # A request sent now would wait in the channel for the new kernel, and run there.
            return "theirs", 0
        return None

    # ── at the kernel

    async def _execute(self, ticket: Ticket, observer: RunObserver) -> RunOutcome:
        life = self._lives.life
        if life is None:
            raise AssertionError("a turn came in no life")
        execution = ticket.execution = life.send(ticket.request, observer)
        try:
            ending = await execution.observe(self._restarting)
            ending = await self._with_changes(life, ending, ticket.request.run_id)
        except asyncio.CancelledError:
            if not execution.ended:
                self._keep(self._abandon(ticket, life))
                raise
            life.release(execution, observed=False)
            raise
        except Exception:
            life.release(execution, observed=False)
            raise
        life.release(execution)
        return ending

    async def _with_changes(self, life: Life, ending: RunOutcome, run_id: RunId) -> RunOutcome:
        if life.prober is None or ending.status not in ("ok", "error", "interrupted"):
            return ending
        changes, complete = await life.prober.changes(run_id)
        life.seen.note(run_id, changes)
        return replace(ending, variables=changes, variables_complete=complete)

    async def _abandon(self, ticket: Ticket, life: Life) -> None:
        """Nobody waits for the run any more: stop it, and hold the next one until it is over."""
        execution = ticket.execution
        if execution is None:
            return
        stopper = Stopper(execution, life, self._managed, self._limits)
        try:
            async with asyncio.TaskGroup() as group:
                stopping = group.create_task(stopper.stop())
                await execution.until_ended(self._restarting)
                stopping.cancel()
        finally:
            life.release(execution, observed=False)
            self._queue.leave(ticket)

    def _restarting(self) -> bool:
        return self._managed.present and self._managed.being_stopped
