"""The pure fold: state and event give the next state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from cave_lab.protocol import run_events as run
from cave_lab.protocol import thread_events as thread
from cave_lab.protocol.events import Event
from cave_lab.state import fold_runs, fold_thread
from cave_lab.state.values import ThreadState

_FOLDS: dict[type[Any], Callable[[ThreadState, Any], ThreadState]] = {
    thread.ThreadChanged: fold_thread.changed,
    thread.KernelChanged: fold_thread.kernel_changed,
    thread.TurnStarted: fold_thread.turn_started,
    thread.MessageQueued: fold_thread.queued,
    thread.MessageUnqueued: fold_thread.unqueued,
    thread.VariablesSeen: fold_thread.variables_seen,
    thread.VariablesLooked: fold_thread.variables_looked,
    thread.ContextSent: fold_thread.context_sent,
    thread.TextDelta: fold_thread.text_delta,
    thread.ReasoningDelta: fold_thread.reasoning_delta,
    thread.ActionDelta: fold_thread.action_delta,
    thread.ActionRefused: fold_thread.action_refused,
    thread.ModelRetrying: fold_thread.retrying,
    thread.ContextCompacted: fold_thread.compacted,
    thread.ReplyKept: fold_thread.reply_kept,
    thread.UsageReported: fold_thread.usage,
    thread.Notice: fold_thread.notice,
    thread.TurnEnded: fold_thread.turn_ended,
    run.RunProposed: fold_runs.proposed,
    run.ApprovalRequested: fold_runs.approval_requested,
    run.ApprovalClosed: fold_runs.approval_closed,
    run.RunIntended: fold_runs.intended,
    run.RunStarted: fold_runs.started,
    run.OutputAdded: fold_runs.output_added,
    run.OutputAppended: fold_runs.output_appended,
    run.OutputUpdated: fold_runs.output_updated,
    run.OutputCleared: fold_runs.output_cleared,
    run.OutputTruncated: fold_runs.output_truncated,
    run.StdinRequested: fold_runs.stdin_requested,
    run.StdinClosed: fold_runs.stdin_closed,
    run.RunEnded: fold_runs.ended,
    run.CellPlaced: fold_runs.cell_placed,
    run.CellReviewed: fold_runs.cell_reviewed,
}


def fold(state: ThreadState | None, event: Event) -> ThreadState:
    """Apply one event; the first must create the thread or be its snapshot (ValueError)."""
    if isinstance(event, thread.ThreadCreated):
        return fold_thread.created(event)
    if isinstance(event, thread.ThreadSnapshot):
        state = ThreadState.model_validate(event.state)
        return state.model_copy(update={"seq": event.seq})
    if state is None:
        raise ValueError(f"A thread begins with thread.created, not with {event.type}.")
    state = _FOLDS[type(event)](state, event)
    return state.model_copy(update={"seq": event.seq})


def replay(events: Iterable[Event]) -> ThreadState | None:
    """Fold events from the first; None if there are none."""
    state: ThreadState | None = None
    for event in events:
        state = fold(state, event)
    return state
