"""Carries one run from the model's proposal to its end."""

from __future__ import annotations

import asyncio
from typing import Literal

from cave_lab import errors
from cave_lab.approval.digest import canonical, digest
from cave_lab.approval.gate import Answer, Withdrawn
from cave_lab.approval.policy import Allow, Ask, Refuse, decide
from cave_lab.approval.risks import risks_of
from cave_lab.journal.drafts import DRAFT, Draft
from cave_lab.kernel.port import KernelLink, RunOutcome, RunRequest
from cave_lab.privacy.excerpt import excerpt, outputs_text
from cave_lab.protocol.content import RunCellAction, Target
from cave_lab.protocol.ids import ApprovalId, CellId, Generation, RunId, TurnId, new_id
from cave_lab.protocol.run_events import ApprovalClosed, ApprovalRequested, RunEnded, RunProposed
from cave_lab.protocol.thread_events import Notice
from cave_lab.state.values import RunState
from cave_lab.thread.clock import WorkClock
from cave_lab.thread.cut import TurnCut
from cave_lab.thread.host import Host
from cave_lab.thread.observer import Observer

_STOPPED = "You pressed Stop before it ran."
_KERNEL_CHANGED = "The kernel was restarted or changed before it ran."


class Running:
    """The runs of one turn, one after the other."""

    def __init__(self, host: Host, turn_id: TurnId, clock: WorkClock) -> None:
        self._host = host
        self._turn_id = turn_id
        self._clock = clock
        self._allowed_for_turn = False

    async def carry_out(self, action: RunCellAction, run_id: RunId, call: int) -> RunState:
        """Propose, ask, run; returns the run as it ended. Raises TurnCut and JournalError."""
        link = await self._host.bind()
        generation = link.generation if link is not None else None
        proposal = self._proposal(action, run_id, call)
        if link is None or generation is None:
            await self._record(proposal, _end(run_id, "not_run", errors.NoKernel.default))
            raise errors.NoKernel
        await self._host.recorder.soft(proposal)
        approved = await self._approve(proposal)
        if approved is None:
            return self._run(run_id)
        # The generation that was there when it was asked: the kernel may have forgotten meanwhile.
        return await self._execute(approved, link, generation)

    def _run(self, run_id: RunId) -> RunState:
        return self._host.state.runs[run_id]

    async def _record(self, *drafts: Draft) -> None:
        await self._host.recorder.full(*drafts)

    # ── proposing

    def _proposal(self, action: RunCellAction, run_id: RunId, call: int) -> RunProposed:
        code = canonical(action.code)
        return RunProposed(
            **DRAFT,
            run_id=run_id,
            turn_id=self._turn_id,
            call=call,
            action=action,
            purpose=action.purpose,
            code=code,
            sha256=digest(code),
            by="model",
            target=self._target(),
            repairs=self._failed_before(),
            risks=risks_of(code),
        )

    def _target(self) -> Target:
        return self._host.state.target

    def _runs_of_turn(self) -> list[RunState]:
        runs = self._host.state.runs.values()
        return [run for run in runs if run.turn_id == self._turn_id and run.phase == "ended"]

    def _failed_before(self) -> RunId | None:
        """The turn's last run, if it failed: the next one is taken for its repair."""
        sent = [run for run in self._runs_of_turn() if run.cell_id is not None]
        return sent[-1].run_id if sent and sent[-1].status == "error" else None

    # ── asking

    async def _approve(self, proposal: RunProposed) -> RunProposed | None:
        """Return the proposal that may run (another one if it was edited), or None."""
        mode = self._host.state.mode
        match decide(mode, allowed_for_turn=self._allowed_for_turn, risks=proposal.risks):
            case Refuse(sentence=sentence):
                await self._record(_end(proposal.run_id, "not_run", sentence))
                return None
            case Allow(by=by):
                await self._host.recorder.soft(_allowed(proposal, by))
                return proposal
            case Ask(reasons=reasons):
                return await self._ask(proposal, list(reasons))

    async def _ask(self, proposal: RunProposed, reasons: list[str]) -> RunProposed | None:
        approval_id = ApprovalId(new_id("ap"))
        waiting = self._host.gate.ask(approval_id, proposal.run_id, proposal.sha256)
        requested = ApprovalRequested(
            **DRAFT,
            approval_id=approval_id,
            run_id=proposal.run_id,
            sha256=proposal.sha256,
            reasons=reasons,
        )
        try:
            await self._record(requested)
            with self._clock.paused():
                answer = await self._host.cut.guard(waiting.outcome())
        except TurnCut as cut:
            why = Withdrawn("cancelled" if cut.reason == "stop" else "kernel_changed")
            await self._withdrawn(proposal, approval_id, why)
            raise
        if isinstance(answer, Withdrawn):
            await self._withdrawn(proposal, approval_id, answer)
            raise TurnCut("stop" if answer.outcome == "cancelled" else "kernel_lost")
        return await self._answered(proposal, approval_id, answer)

    async def _withdrawn(
        self, proposal: RunProposed, approval_id: ApprovalId, answer: Withdrawn
    ) -> None:
        reason = _STOPPED if answer.outcome == "cancelled" else _KERNEL_CHANGED
        await self._record(
            _closed(proposal, approval_id, answer.outcome),
            _end(proposal.run_id, "not_run", reason),
        )

    async def _answered(
        self, proposal: RunProposed, approval_id: ApprovalId, answer: Answer
    ) -> RunProposed | None:
        self._allowed_for_turn = self._allowed_for_turn or answer.for_turn
        match answer.outcome:
            case "run":
                await self._record(_closed(proposal, approval_id, "run"))
                return proposal
            case "rejected":
                await self._record(
                    _closed(proposal, approval_id, "rejected", answer.reason),
                    _end(proposal.run_id, "rejected", answer.reason),
                )
                return None
            case "run_edited":
                return await self._edited(proposal, approval_id, answer.code or "")

    async def _edited(
        self, proposal: RunProposed, approval_id: ApprovalId, code: str
    ) -> RunProposed:
        """Journal the person's own code as a new proposal, approved by the same click."""
        code = canonical(code)
        edited = proposal.model_copy(
            update={
                "run_id": RunId(new_id("run")),
                "action": RunCellAction(code=code, purpose=proposal.purpose),
                "code": code,
                "sha256": digest(code),
                "by": "user",
                "replaces": proposal.run_id,
                "risks": risks_of(code),
            }
        )
        await self._record(
            _closed(proposal, approval_id, "run_edited"),
            _end(proposal.run_id, "not_run", "You edited it; the edited cell ran instead."),
            edited,
            _closed(edited, ApprovalId(new_id("ap")), "run"),
        )
        return edited

    # ── running

    async def _execute(
        self, proposal: RunProposed, link: KernelLink, generation: Generation
    ) -> RunState:
        cell_id = None if proposal.scratch else CellId(new_id("cell"))
        observer = Observer(
            self._host.recorder,
            self._host.services,
            self._host.state.thread_id,
            proposal.run_id,
            self._target(),
            cell_id,
            self._after(),
        )
        request = RunRequest(proposal.run_id, proposal.code, generation)
        outcome = await self._watched(link, request, observer)
        text = outputs_text(observer.outputs)
        limit = self._host.services.limits.result_chars
        await self._record(_ended(proposal.run_id, outcome, text, limit))
        self._raise_if_over(outcome)
        return self._run(proposal.run_id)

    def _after(self) -> CellId | None:
        """The turn's last cell, else the cell the person was in."""
        cells = [run.cell_id for run in self._runs_of_turn() if run.cell_id is not None]
        turn = self._host.state.turns[-1]
        return cells[-1] if cells else turn.anchor

    async def _watched(
        self, link: KernelLink, request: RunRequest, observer: Observer
    ) -> RunOutcome:
        """Run to the end; a cut stops the run, and its true end is awaited all the same."""
        run = asyncio.ensure_future(link.run(request, observer))
        cut = asyncio.ensure_future(self._host.cut.wait())
        try:
            await asyncio.wait({run, cut}, return_when=asyncio.FIRST_COMPLETED)
            if not run.done() and self._host.cut.reason == "stop":
                await self._stop(link, request.run_id)
            return await run
        finally:
            cut.cancel()
            if not run.done():
                run.cancel()
            await asyncio.wait({run, cut})

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


# ── the events, made


def _end(run_id: RunId, status: Literal["not_run", "rejected"], reason: str | None) -> RunEnded:
    return RunEnded(**DRAFT, run_id=run_id, status=status, reason=reason)


def _closed(
    proposal: RunProposed,
    approval_id: ApprovalId,
    outcome: Literal["run", "run_edited", "rejected", "cancelled", "kernel_changed"],
    reason: str | None = None,
) -> ApprovalClosed:
    return ApprovalClosed(
        **DRAFT,
        approval_id=approval_id,
        run_id=proposal.run_id,
        sha256=proposal.sha256,
        outcome=outcome,
        reason=reason,
    )


def _allowed(proposal: RunProposed, by: str) -> ApprovalClosed:
    return ApprovalClosed(
        **DRAFT,
        approval_id=ApprovalId(new_id("ap")),
        run_id=proposal.run_id,
        sha256=proposal.sha256,
        outcome="allowed_by",
        allowed_by=by,
    )


def _ended(run_id: RunId, outcome: RunOutcome, text: str, limit: int) -> RunEnded:
    return RunEnded(
        **DRAFT,
        run_id=run_id,
        status=outcome.status,
        reason=outcome.reason,
        execution_count=outcome.execution_count,
        duration_seconds=outcome.duration_seconds,
        error=outcome.error,
        variables=list(outcome.variables),
        variables_complete=outcome.variables_complete,
        excerpt=excerpt(text, limit),
    )
