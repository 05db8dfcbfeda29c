"""Whether a proposed run may go ahead: the mode's word, or the person's."""

from __future__ import annotations

from cave_lab.approval.digest import canonical, digest
from cave_lab.approval.gate import Answer, Question, Withdrawn
from cave_lab.approval.policy import Allow, Ask, Refuse, decide
from cave_lab.approval.risks import risks_of
from cave_lab.protocol.content import RunCellAction
from cave_lab.protocol.ids import ApprovalId, RunId, new_id
from cave_lab.protocol.run_events import RunProposed
from cave_lab.thread import run_drafts
from cave_lab.thread.clock import WorkClock
from cave_lab.thread.cut import Reason, TurnCut
from cave_lab.thread.host import Host

NEVER_RAN: dict[Reason, str] = {
    "stop": "Stop was pressed before it ran.",
    "kernel_lost": "The kernel was restarted or changed before it ran.",
}
_EDITED = "It was edited; the edited cell ran instead."


class Asking:
    """The approvals of one turn."""

    def __init__(self, host: Host, clock: WorkClock) -> None:
        self._host = host
        self._clock = clock
        self._allowed_for_turn = False

    async def approve(self, proposal: RunProposed) -> RunProposed | None:
        """Return the proposal that may run (another one if it was edited), or None.

        What the person proposed themselves was approved by the same click. A proposal that may not
        run has been ended. Raises TurnCut and JournalError.
        """
        if proposal.by == "user":
            approval_id = ApprovalId(new_id("ap"))
            await self._host.recorder.soft(run_drafts.closed(proposal, approval_id, "run"))
            return proposal
        mode = self._host.state.mode
        match decide(mode, allowed_for_turn=self._allowed_for_turn, risks=proposal.risks):
            case Refuse(sentence=sentence):
                await self._host.recorder.full(run_drafts.never_ran(proposal.run_id, sentence))
                return None
            case Allow(by=by):
                await self._host.recorder.soft(run_drafts.allowed(proposal, by))
                return proposal
            case Ask(reasons=reasons):
                return await self._ask(proposal, list(reasons))

    async def _ask(self, proposal: RunProposed, reasons: list[str]) -> RunProposed | None:
        approval_id = ApprovalId(new_id("ap"))
        with self._host.gate.ask(approval_id, proposal.sha256) as question:
            await self._host.recorder.full(run_drafts.requested(proposal, approval_id, reasons))
            answer = await self._wait(question)
            if isinstance(answer, Answer):
                return await self._answered(proposal, approval_id, answer, question)
            await self._withdraw(proposal, approval_id, answer)
        raise TurnCut("stop" if answer.outcome == "cancelled" else "kernel_lost")

    async def _wait(self, question: Question) -> Answer | Withdrawn:
        """Wait for an answer; what cuts the turn withdraws the question."""
        try:
            with self._clock.paused():
                return await self._host.cut.guard(question.outcome())
        except TurnCut as cut:
            return Withdrawn("cancelled" if cut.reason == "stop" else "kernel_changed")

    async def _withdraw(
        self, proposal: RunProposed, approval_id: ApprovalId, withdrawn: Withdrawn
    ) -> None:
        reason = NEVER_RAN["stop" if withdrawn.outcome == "cancelled" else "kernel_lost"]
        await self._host.recorder.full(
            run_drafts.closed(proposal, approval_id, withdrawn.outcome),
            run_drafts.never_ran(proposal.run_id, reason),
        )

    async def _answered(
        self, proposal: RunProposed, approval_id: ApprovalId, answer: Answer, question: Question
    ) -> RunProposed | None:
        """Write the answer down before the one who gave it hears that it counts."""
        approved = await self._decided(proposal, approval_id, answer)
        self._allowed_for_turn |= answer.for_turn and approved is not None
        question.settle((approved or proposal).run_id)
        return approved

    async def _decided(
        self, proposal: RunProposed, approval_id: ApprovalId, answer: Answer
    ) -> RunProposed | None:
        match answer.outcome:
            case "run":
                await self._host.recorder.full(run_drafts.closed(proposal, approval_id, "run"))
                return proposal
            case "run_edited":
                return await self._edited(proposal, approval_id, canonical(answer.code or ""))
            case "rejected":
                await self._host.recorder.full(
                    run_drafts.closed(proposal, approval_id, "rejected", answer.reason),
                    run_drafts.never_ran(proposal.run_id, answer.reason, "rejected"),
                )
                return None

    async def _edited(
        self, proposal: RunProposed, approval_id: ApprovalId, code: str
    ) -> RunProposed:
        """Journal the person's own code as a new proposal, approved by the same click."""
        edited = proposal.model_copy(
            update={
                "run_id": RunId(new_id("run")),
                "action": RunCellAction(
                    code=code, purpose=proposal.purpose, scratch=proposal.scratch
                ),
                "code": code,
                "sha256": digest(code),
                "by": "user",
                "replaces": proposal.run_id,
                "risks": risks_of(code, proposal.target.language),
            }
        )
        await self._host.recorder.full(
            run_drafts.closed(proposal, approval_id, "run_edited"),
            run_drafts.never_ran(proposal.run_id, _EDITED),
            edited,
            run_drafts.closed(edited, ApprovalId(new_id("ap")), "run"),
        )
        return edited
