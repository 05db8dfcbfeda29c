"""What to write for a turn whose server, or journal, went away: nothing is replayed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cave_lab.journal.drafts import DRAFT, Draft
from cave_lab.protocol.run_events import ApprovalClosed, RunEnded
from cave_lab.protocol.thread_events import TurnEnded
from cave_lab.protocol.words import StopReason
from cave_lab.state.values import RunState, ThreadState, TurnState

_UNKNOWN = "The server went away while it ran. It may have run in part, or to its end."
_NEVER_SENT = "The server went away before it was sent. It did not run."


def closing(
    state: ThreadState, reason: StopReason = "interrupted", suggestions: Sequence[str] = ()
) -> list[Draft]:
    """End all that is open in a thread, truthfully; empty if nothing is."""
    return [
        draft
        for turn in state.turns
        if turn.stop_reason is None
        for draft in _close_turn(turn, state, reason, suggestions)
    ]


def _close_turn(
    turn: TurnState, state: ThreadState, reason: StopReason, suggestions: Sequence[str]
) -> Iterator[Draft]:
    for run in state.runs.values():
        if run.turn_id == turn.turn_id and run.phase != "ended":
            yield from _close_run(run)
    yield TurnEnded(
        **DRAFT,
        turn_id=turn.turn_id,
        stop_reason=reason,
        usage=turn.usage,
        suggestions=list(suggestions),
    )


def _close_run(run: RunState) -> Iterator[Draft]:
    approval = run.approval
    if approval is not None and approval.outcome is None:
        yield ApprovalClosed(
            **DRAFT,
            approval_id=approval.approval_id,
            run_id=run.run_id,
            sha256=approval.sha256,
            outcome="server_restarted",
        )
    sent = run.phase in ("intended", "running")
    yield RunEnded(
        **DRAFT,
        run_id=run.run_id,
        status="unknown" if sent else "not_run",
        reason=_UNKNOWN if sent else _NEVER_SENT,
    )
