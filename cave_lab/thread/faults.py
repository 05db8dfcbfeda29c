"""What is said, and written, when the journal or CaveLab itself fails."""

from __future__ import annotations

from typing import Final

from cave_lab import errors
from cave_lab.journal.drafts import DRAFT
from cave_lab.protocol.frames import ThreadFault
from cave_lab.protocol.ids import TurnId
from cave_lab.protocol.thread_events import Notice
from cave_lab.protocol.words import StopReason
from cave_lab.state import ThreadState

JOURNAL_FAILED: Final = (errors.JournalError, errors.ThreadElsewhere)
"""The thread can't be written; any other error is a fault of something else."""

_STILL_RUNS = " The cell that runs goes on, but what it puts out is not kept. Press Stop to end it."


def fault_of(state: ThreadState, error: errors.CaveLabError, *, busy: bool) -> ThreadFault:
    """The journal failed, so this can only be told."""
    running = any(run.phase == "running" for run in state.runs.values())
    more = _STILL_RUNS if busy and running else ""
    return ThreadFault(thread_id=state.thread_id, code=error.code, text=f"{error}{more}")


def reason_after(failure: errors.CaveLabError) -> StopReason:
    """Why a turn ends of which something could not be written down."""
    return "journal_unavailable" if isinstance(failure, JOURNAL_FAILED) else "internal_error"


def internal_error(turn_id: TurnId) -> Notice:
    """The turn ended by a mistake of ours."""
    return Notice(
        **DRAFT,
        turn_id=turn_id,
        level="error",
        code="internal_error",
        text="CaveLab failed in this turn. What it did so far is above; the kernel goes on. "
        "The server's log says more.",
        actions=["try_again"],
    )
