"""How a run's events change a thread."""

from __future__ import annotations

from cave_lab.protocol.content import StreamOutput, Usage
from cave_lab.protocol.run_events import (
    ApprovalClosed,
    ApprovalRequested,
    CellPlaced,
    CellReviewed,
    OutputAdded,
    OutputAppended,
    OutputCleared,
    OutputTruncated,
    OutputUpdated,
    RunEnded,
    RunIntended,
    RunProposed,
    RunStarted,
    StdinClosed,
    StdinRequested,
)
from cave_lab.state.change import add_item, add_to_usage, put_run, replaced, with_run
from cave_lab.state.values import ApprovalState, RunItem, RunState, StdinState, ThreadState

_GOES_AHEAD = frozenset({"run", "allowed_by"})


def proposed(state: ThreadState, event: RunProposed) -> ThreadState:
    """A complete cell takes the place of the one being written, or joins the turn."""
    known = event.run_id in state.runs
    run = RunState(
        run_id=event.run_id,
        turn_id=event.turn_id,
        call=event.call,
        phase="proposed",
        code=event.code,
        purpose=event.purpose,
        sha256=event.sha256,
        by=event.by,
        replaces=event.replaces,
        repairs=event.repairs,
        attempt_of=event.attempt_of,
        scratch=event.scratch,
        risks=event.risks,
        target=event.target,
    )
    state = put_run(state, run)
    if known:
        return state
    return add_item(state, event.turn_id, RunItem(call=event.call, run_id=event.run_id))


def approval_requested(state: ThreadState, event: ApprovalRequested) -> ThreadState:
    """The run waits for the person."""
    approval = ApprovalState(
        approval_id=event.approval_id, sha256=event.sha256, reasons=event.reasons
    )
    return with_run(state, event.run_id, phase="waiting", approval=approval)


def approval_closed(state: ThreadState, event: ApprovalClosed) -> ThreadState:
    """The question is closed; the run queues if it may go ahead."""
    run = state.runs.get(event.run_id)
    if run is None:
        return state
    asked = run.approval or ApprovalState(approval_id=event.approval_id, sha256=event.sha256)
    approval = asked.model_copy(
        update={
            "outcome": event.outcome,
            "reason": event.reason,
            "allowed_by": event.allowed_by,
        }
    )
    phase = "queued" if event.outcome in _GOES_AHEAD else run.phase
    return with_run(state, event.run_id, approval=approval, phase=phase)


def intended(state: ThreadState, event: RunIntended) -> ThreadState:
    """The request is about to go out, and the cell belongs in the notebook."""
    run = state.runs.get(event.run_id)
    if run is None:
        return state
    state = add_to_usage(state, run.turn_id, Usage(runs=1))
    return with_run(
        state,
        event.run_id,
        phase="intended",
        cell_id=event.cell_id,
        target=event.target,
        generation=event.generation,
        after=event.after,
    )


def started(state: ThreadState, event: RunStarted) -> ThreadState:
    """The kernel took the cell up."""
    return with_run(
        state,
        event.run_id,
        phase="running",
        started_at=event.at,
        execution_count=event.execution_count,
    )


def output_added(state: ThreadState, event: OutputAdded) -> ThreadState:
    """An output joins the list."""
    run = state.runs.get(event.run_id)
    if run is None:
        return state
    return with_run(state, event.run_id, outputs=replaced(run.outputs, event.index, event.output))


def output_appended(state: ThreadState, event: OutputAppended) -> ThreadState:
    """A stream grows."""
    run = state.runs.get(event.run_id)
    if run is None or not 0 <= event.index < len(run.outputs):
        return state
    old = run.outputs[event.index]
    if not isinstance(old, StreamOutput):
        return state
    grown = old.model_copy(update={"text": old.text + event.text})
    return with_run(state, event.run_id, outputs=replaced(run.outputs, event.index, grown))


def output_updated(state: ThreadState, event: OutputUpdated) -> ThreadState:
    """An output becomes another one."""
    run = state.runs.get(event.run_id)
    if run is None or not 0 <= event.index < len(run.outputs):
        return state
    return with_run(state, event.run_id, outputs=replaced(run.outputs, event.index, event.output))


def output_cleared(state: ThreadState, event: OutputCleared) -> ThreadState:
    """The list is empty again."""
    return with_run(state, event.run_id, outputs=[])


def output_truncated(state: ThreadState, event: OutputTruncated) -> ThreadState:
    """What comes from here on is not kept."""
    return with_run(state, event.run_id, truncated=event.text)


def stdin_requested(state: ThreadState, event: StdinRequested) -> ThreadState:
    """The cell asks for a line."""
    stdin = StdinState(prompt=event.prompt, password=event.password, question=event.question)
    return with_run(state, event.run_id, stdin=stdin)


def stdin_closed(state: ThreadState, event: StdinClosed) -> ThreadState:
    """The question is gone."""
    return with_run(state, event.run_id, stdin=None)


def ended(state: ThreadState, event: RunEnded) -> ThreadState:
    """The run is over, once and for all."""
    run = state.runs.get(event.run_id)
    if run is None:
        return state
    count = run.execution_count if event.execution_count is None else event.execution_count
    state = add_to_usage(state, run.turn_id, Usage(seconds=event.duration_seconds or 0.0))
    return with_run(
        state,
        event.run_id,
        phase="ended",
        status=event.status,
        reason=event.reason,
        execution_count=count,
        duration_seconds=event.duration_seconds,
        error=event.error,
        variables=event.variables,
        variables_complete=event.variables_complete,
        excerpt=event.excerpt,
        stdin=None,
    )


def cell_placed(state: ThreadState, event: CellPlaced) -> ThreadState:
    """A browser has the cell; one that is back is not deleted.

    A saved cell stays saved, unless it was out: the file may have been saved without it meanwhile.
    """
    run = state.runs.get(event.run_id)
    if run is None:
        return state
    out = run.verdict in ("deleted_by_user", "undone")
    level = "in_file" if run.placed == "in_file" and not out else event.level
    verdict = None if run.verdict == "deleted_by_user" else run.verdict
    return with_run(state, event.run_id, placed=level, verdict=verdict)


def cell_reviewed(state: ThreadState, event: CellReviewed) -> ThreadState:
    """The person decided, or was seen to have changed the cell."""
    return with_run(state, event.run_id, verdict=event.verdict)
