"""Events of a run: proposed, approved, intended, running, ended, and its cell."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from cave_lab.protocol.content import (
    Action,
    Excerpt,
    Output,
    Risk,
    RunError,
    Target,
    VariableChange,
)
from cave_lab.protocol.event import EventBase
from cave_lab.protocol.ids import (
    ApprovalId,
    CellId,
    ClientId,
    Generation,
    RunId,
    Sha256,
    TurnId,
)
from cave_lab.protocol.words import ApprovalOutcome, RunStatus

# ── a run


class RunProposed(EventBase):
    """A complete cell; `replaces` is the proposal it was edited from, `repairs` a failed run."""

    type: Literal["run.proposed"] = "run.proposed"
    run_id: RunId
    turn_id: TurnId
    call: int
    action: Action
    purpose: str
    code: str
    sha256: Sha256
    by: Literal["model", "user"]
    target: Target
    replaces: RunId | None = None
    repairs: RunId | None = None
    attempt_of: RunId | None = None
    scratch: bool = False
    risks: list[Risk] = Field(default_factory=list)


class ApprovalRequested(EventBase):
    """The person is asked; never closes by time."""

    type: Literal["approval.requested"] = "approval.requested"
    approval_id: ApprovalId
    run_id: RunId
    sha256: Sha256
    reasons: list[str]


class ApprovalClosed(EventBase):
    """The one end of an approval."""

    type: Literal["approval.closed"] = "approval.closed"
    approval_id: ApprovalId
    run_id: RunId
    sha256: Sha256
    outcome: ApprovalOutcome
    reason: str | None = None
    allowed_by: str | None = None
    """The mode or scope that allowed it, as `mode:auto` or `scope:turn`."""


class RunIntended(EventBase):
    """Committed with a full sync before the request goes out: from here it ran, or is unknown."""

    type: Literal["run.intended"] = "run.intended"
    run_id: RunId
    cell_id: CellId | None
    target: Target
    generation: Generation
    after: CellId | None = None
    """The cell of ours it follows, or the turn's anchor."""


class RunStarted(EventBase):
    """The kernel took the cell up."""

    type: Literal["run.started"] = "run.started"
    run_id: RunId
    execution_count: int | None


class OutputAdded(EventBase):
    """A new output at `index`, the end of the list."""

    type: Literal["output.added"] = "output.added"
    run_id: RunId
    index: int
    output: Output
    late: bool = False


class OutputAppended(EventBase):
    """More text of the stream at `index`."""

    type: Literal["output.appended"] = "output.appended"
    run_id: RunId
    index: int
    text: str
    late: bool = False


class OutputUpdated(EventBase):
    """The output at `index` is another one now (a display was updated)."""

    type: Literal["output.updated"] = "output.updated"
    run_id: RunId
    index: int
    output: Output
    late: bool = False


class OutputCleared(EventBase):
    """All outputs of the run are gone, as the cell asked."""

    type: Literal["output.cleared"] = "output.cleared"
    run_id: RunId
    late: bool = False


class OutputTruncated(EventBase):
    """From here on outputs are not kept; `text` says what and how much, once a run."""

    type: Literal["output.truncated"] = "output.truncated"
    run_id: RunId
    text: str


class StdinRequested(EventBase):
    """The cell asks the person for a line."""

    type: Literal["stdin.requested"] = "stdin.requested"
    run_id: RunId
    prompt: str
    password: bool
    question: int = 1
    """Which one of the run it is, from 1."""


class StdinClosed(EventBase):
    """The question was answered or withdrawn; the answer is not stored."""

    type: Literal["stdin.closed"] = "stdin.closed"
    run_id: RunId
    reason: Literal["answered", "cancelled"]


class RunEnded(EventBase):
    """The one end of a run; `variables_complete` says whether the list can be relied on."""

    type: Literal["run.ended"] = "run.ended"
    run_id: RunId
    status: RunStatus
    reason: str | None = None
    execution_count: int | None = None
    duration_seconds: float | None = None
    error: RunError | None = None
    variables: list[VariableChange] = Field(default_factory=list)
    variables_complete: bool = False
    excerpt: Excerpt | None = None
    """The run's text output as the model may be given it."""


# ── the cells


class CellPlaced(EventBase):
    """A browser confirmed where the cell is."""

    type: Literal["cell.placed"] = "cell.placed"
    run_id: RunId
    cell_id: CellId
    level: Literal["in_document", "in_file"]
    by: ClientId


class CellReviewed(EventBase):
    """What the person made of a cell."""

    type: Literal["cell.reviewed"] = "cell.reviewed"
    run_id: RunId
    cell_id: CellId
    verdict: Literal["kept", "undone", "edited_since", "deleted_by_user"]
