"""The events of a run's way, made."""

from __future__ import annotations

from typing import Literal

from cave_lab.journal.drafts import DRAFT
from cave_lab.kernel.port import RunOutcome
from cave_lab.protocol.content import Excerpt
from cave_lab.protocol.ids import ApprovalId, RunId, new_id
from cave_lab.protocol.run_events import ApprovalClosed, ApprovalRequested, RunEnded, RunProposed


def requested(
    proposal: RunProposed, approval_id: ApprovalId, reasons: list[str]
) -> ApprovalRequested:
    """The person is asked."""
    return ApprovalRequested(
        **DRAFT,
        approval_id=approval_id,
        run_id=proposal.run_id,
        sha256=proposal.sha256,
        reasons=reasons,
    )


def closed(
    proposal: RunProposed,
    approval_id: ApprovalId,
    outcome: Literal["run", "run_edited", "rejected", "cancelled", "kernel_changed"],
    reason: str | None = None,
) -> ApprovalClosed:
    """The question is closed."""
    return ApprovalClosed(
        **DRAFT,
        approval_id=approval_id,
        run_id=proposal.run_id,
        sha256=proposal.sha256,
        outcome=outcome,
        reason=reason,
    )


def allowed(proposal: RunProposed, by: str) -> ApprovalClosed:
    """Nobody had to be asked; `by` is the mode or scope that allowed it."""
    return ApprovalClosed(
        **DRAFT,
        approval_id=ApprovalId(new_id("ap")),
        run_id=proposal.run_id,
        sha256=proposal.sha256,
        outcome="allowed_by",
        allowed_by=by,
    )


def never_ran(
    run_id: RunId, reason: str | None, status: Literal["not_run", "rejected"] = "not_run"
) -> RunEnded:
    """The end of a run that was never sent."""
    return RunEnded(**DRAFT, run_id=run_id, status=status, reason=reason)


def ended(run_id: RunId, outcome: RunOutcome, shown: Excerpt) -> RunEnded:
    """The end of a run as the kernel told it."""
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
        excerpt=shown,
    )
