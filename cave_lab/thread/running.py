"""Carries one run from the model's proposal to its end."""

from __future__ import annotations

import asyncio
from typing import Literal

from cave_lab import errors
from cave_lab.approval.digest import canonical, digest
from cave_lab.approval.policy import CHAT_SENTENCE
from cave_lab.approval.reading import fault_of
from cave_lab.approval.risks import risks_of
from cave_lab.journal.drafts import DRAFT
from cave_lab.kernel.port import KernelLink, RunOutcome, RunRequest
from cave_lab.protocol.content import RunCellAction
from cave_lab.protocol.ids import CellId, Generation, RunId, TurnId, new_id
from cave_lab.protocol.run_events import RunProposed
from cave_lab.protocol.thread_events import Notice
from cave_lab.state.values import RunState, TurnState
from cave_lab.thread import run_drafts
from cave_lab.thread.asking import NEVER_RAN, Asking
from cave_lab.thread.clock import WorkClock
from cave_lab.thread.cut import TurnCut
from cave_lab.thread.host import Host
from cave_lab.thread.observer import NotAllowed, Observer

_NO_NOTEBOOK = (
    "This thread has no notebook, so there is no kernel to run a cell in. "
    "Open or create a notebook, then send the message again."
)


Proposer = Literal["model", "user"]


class BrokenCell(Exception):
    """The model's code can't even be read; its text says why."""


class Running:
    """The runs of one turn, one after the other."""

    def __init__(self, host: Host, turn_id: TurnId, clock: WorkClock) -> None:
        self._host = host
        self._turn_id = turn_id
        self._clock = clock
        self._asking = Asking(host, clock)

    async def carry_out(
        self, action: RunCellAction, run_id: RunId, call: int, by: Proposer = "model"
    ) -> None:
        """Propose, ask, run to the end; what the person chose themselves is not asked again.

        Raises TurnCut, JournalError, and KernelError if no kernel can take the run. Whatever is
        raised for the first and the last, the run has been ended. Raises BrokenCell before the run
        is proposed.
        """
        try:
            link, generation = await self._host.cut.guard(self._kernel())
        except (TurnCut, errors.KernelError) as error:
            # Why there is no kernel is said once, in the turn's notice with its next steps.
            reason = NEVER_RAN[error.reason] if isinstance(error, TurnCut) else None
            proposal = self._proposal(action, run_id, call, by)
            await self._host.recorder.full(proposal, run_drafts.never_ran(run_id, reason))
            raise
        fault = fault_of(canonical(action.code), link.facts.language, link.facts.version)
        if fault is not None:
            raise BrokenCell(f"The cell can't be read as Python, so nothing was run. {fault}")
        proposal = self._proposal(action, run_id, call, by)
        await self._host.recorder.soft(proposal)
        approved = await self._asking.approve(proposal)
        if approved is not None:
            await self._unless_cut(approved)
            # The generation it was approved for: the kernel may forget at any moment.
            await self._execute(approved, link, generation)

    async def _kernel(self) -> tuple[KernelLink, Generation]:
        """The kernel as it is now; raises NoKernel, KernelSilent, or TurnCut if it is another."""
        link = await self._host.bind()
        generation = link.generation if link is not None else None
        if link is None or generation is None:
            notebook = self._host.state.target.notebook
            raise errors.NoKernel(None if notebook is not None else _NO_NOTEBOOK)
        seen = self._turn.seen
        if seen is not None and seen.generation not in (None, generation):
            # The model was told of another memory than this.
            raise TurnCut("kernel_lost")
        return link, generation

    async def _unless_cut(self, approved: RunProposed) -> None:
        reason = self._host.cut.reason
        if reason is not None:
            await self._host.recorder.full(run_drafts.never_ran(approved.run_id, NEVER_RAN[reason]))
            raise TurnCut(reason)

    @property
    def _turn(self) -> TurnState:
        return self._host.state.turns[-1]

    # ── proposing

    def _proposal(
        self, action: RunCellAction, run_id: RunId, call: int, by: Proposer
    ) -> RunProposed:
        code, target = canonical(action.code), self._host.state.target
        return RunProposed(
            **DRAFT,
            run_id=run_id,
            turn_id=self._turn_id,
            call=call,
            action=action,
            purpose=action.purpose,
            code=code,
            sha256=digest(code),
            by=by,
            target=target,
            repairs=None if action.scratch else self._failed_before(),
            scratch=action.scratch,
            risks=risks_of(code, target.language),
        )

    def _runs_of_turn(self) -> list[RunState]:
        runs = self._host.state.runs.values()
        return [run for run in runs if run.turn_id == self._turn_id and run.phase == "ended"]

    def _failed_before(self) -> RunId | None:
        """The turn's last cell, if it failed: the next one is taken for its repair.

        A cell that was rejected in between was another attempt, and the next may be anything.
        """
        runs = self._runs_of_turn()
        edited = {run.replaces for run in runs}
        cells = [run for run in runs if run.sha256 and run.run_id not in edited and not run.scratch]
        return cells[-1].run_id if cells and cells[-1].status == "error" else None

    # ── running

    async def _execute(
        self, proposal: RunProposed, link: KernelLink, generation: Generation
    ) -> None:
        cell_id = None if proposal.scratch else CellId(new_id("cell"))
        observer = Observer(
            self._host,
            self._clock,
            run_id=proposal.run_id,
            cell_id=cell_id,
            after=self._after(),
        )
        request = RunRequest(
            proposal.run_id, proposal.code, generation, cell_id, scratch=proposal.scratch
        )
        try:
            outcome = await self._watched(link, request, observer)
        except TurnCut as cut:
            reason = NEVER_RAN[cut.reason]
            await self._host.recorder.full(run_drafts.never_ran(proposal.run_id, reason))
            raise
        except NotAllowed:
            await self._host.recorder.full(run_drafts.never_ran(proposal.run_id, CHAT_SENTENCE))
            return
        services = self._host.services
        # Redacted before it is cut: half a secret would not be recognised.
        shown = services.shorten(observer.finish())
        await self._host.recorder.full(run_drafts.ended(proposal.run_id, outcome, shown))
        self._raise_if_over(outcome)

    def _after(self) -> CellId | None:
        """The turn's last cell, else the cell the person was in."""
        cells = [run.cell_id for run in self._runs_of_turn() if run.cell_id is not None]
        return cells[-1] if cells else self._turn.anchor

    async def _watched(
        self, link: KernelLink, request: RunRequest, observer: Observer
    ) -> RunOutcome:
        """Run to the end; each Stop stops the run, and its true end is awaited all the same.

        Raises TurnCut if the turn was cut before the request went out; then it never does.
        """
        run = asyncio.ensure_future(link.run(request, observer))
        stop = asyncio.ensure_future(self._host.cut.stop_pressed())
        lost = asyncio.ensure_future(self._host.cut.lost())
        try:
            while not run.done():
                waiting = {run, stop} if observer.intended else {run, stop, lost}
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                if lost.done() and not (run.done() or observer.intended):
                    raise TurnCut("kernel_lost")
                if stop.done() and not run.done():
                    stop = asyncio.ensure_future(self._host.cut.stop_pressed())
                    await self._stop(link, request.run_id)
            return run.result()
        finally:
            self._clock.go_on()
            for task in (run, stop, lost):
                task.cancel()
            await asyncio.wait({run, stop, lost})
            if not run.cancelled():
                run.exception()  # retrieved: when this is cancelled, nobody asks for it

    async def _stop(self, link: KernelLink, run_id: RunId) -> None:
        stopped = await link.stop(run_id)
        if stopped.outcome in ("stuck", "silent"):
            await self._host.recorder.soft(
                Notice(
                    **DRAFT,
                    turn_id=self._turn_id,
                    level="warning",
                    code=f"kernel_{stopped.outcome}",
                    text=stopped.sentence,
                    actions=["wait_for_kernel", "restart_kernel"],
                )
            )

    def _raise_if_over(self, outcome: RunOutcome) -> None:
        if outcome.status in ("kernel_died", "kernel_restarted"):
            raise TurnCut("kernel_lost")
        if outcome.interrupted_by == "person":
            raise TurnCut("stop")
        self._host.cut.check()
