"""What to write for a turn that ends with something open: the truth, and nothing is replayed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from cave_lab.journal.drafts import DRAFT, Draft
from cave_lab.protocol.content import Excerpt, Output
from cave_lab.protocol.ids import TurnId
from cave_lab.protocol.run_events import ApprovalClosed, RunEnded
from cave_lab.protocol.thread_events import Notice, TurnEnded
from cave_lab.protocol.words import ApprovalOutcome, StopReason
from cave_lab.state.values import RunState, ThreadState, TurnState


@dataclass(frozen=True)
class _Words:
    """What became of a run that was sent, of one that was not, and of an open approval."""

    sent: str
    unsent: str
    approval: ApprovalOutcome = "cancelled"


_WORDS: dict[StopReason, _Words] = {
    "interrupted": _Words(
        "The server went away while it ran. It may have run in part, or to its end.",
        "The server went away before it was sent. It did not run.",
        "server_restarted",
    ),
    "journal_unavailable": _Words(
        "The journal failed while it ran. It may have run in part, or to its end.",
        "The journal failed before it was sent. It did not run.",
    ),
}
_FAILED = _Words(
    "CaveLab failed while it ran. It may have run in part, or to its end.",
    "The turn ended before it was sent. It did not run.",
)


Shorten = Callable[[Sequence[Output]], Excerpt]
"""What is kept of a run's outputs for the model: redacted, then shortened, in this order."""


def closing(
    state: ThreadState,
    shorten: Shorten,
    reason: StopReason = "interrupted",
    suggestions: Sequence[str] = (),
) -> list[Draft]:
    """End all that is open in a thread, truthfully; empty if nothing is."""
    return [
        draft
        for turn in state.turns
        if turn.stop_reason is None
        for draft in _close_turn(turn, state, shorten, reason, suggestions)
    ]


def _close_turn(
    turn: TurnState,
    state: ThreadState,
    shorten: Shorten,
    reason: StopReason,
    suggestions: Sequence[str],
) -> Iterator[Draft]:
    words = _WORDS.get(reason, _FAILED)
    for run in state.runs.values():
        if run.turn_id == turn.turn_id and run.phase != "ended":
            yield from _close_run(run, words, shorten)
    if reason == "interrupted" and state.queue:
        yield kept_back(turn.turn_id, len(state.queue))
    yield TurnEnded(
        **DRAFT,
        turn_id=turn.turn_id,
        stop_reason=reason,
        usage=turn.usage,
        suggestions=list(suggestions),
    )


def kept_back(turn_id: TurnId, count: int) -> Notice:
    """Say that messages were queued behind a turn that was cut short, and what to do with them."""
    what = "The queued message was" if count == 1 else f"The {count} queued messages were"
    return Notice(
        **DRAFT,
        turn_id=turn_id,
        level="info",
        code="queue_kept_back",
        text=f"{what} not sent when this turn was cut short. You can send, change or remove "
        f"{'it' if count == 1 else 'them'} in the queue above the field.",
    )


def _close_run(run: RunState, words: _Words, shorten: Shorten) -> Iterator[Draft]:
    approval = run.approval
    if approval is not None and approval.outcome is None:
        yield ApprovalClosed(
            **DRAFT,
            approval_id=approval.approval_id,
            run_id=run.run_id,
            sha256=approval.sha256,
            outcome=words.approval,
        )
    sent = run.phase in ("intended", "running")
    shown = shorten(run.outputs) if sent else None
    yield RunEnded(
        **DRAFT,
        run_id=run.run_id,
        status="unknown" if sent else "not_run",
        reason=words.sent if sent else words.unsent,
        excerpt=shown,
    )
