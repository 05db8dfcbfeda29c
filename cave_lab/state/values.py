"""What a thread is after its events so far; all of it frozen."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from cave_lab.protocol.base import Wire
from cave_lab.protocol.content import (
    Excerpt,
    Looked,
    Output,
    OutsideChange,
    Part,
    Risk,
    RunError,
    Target,
    Usage,
    Variable,
    VariableChange,
)
from cave_lab.protocol.ids import (
    ApprovalId,
    BlobId,
    CellId,
    Generation,
    MessageId,
    RunId,
    Seq,
    Sha256,
    ThreadId,
    TurnId,
)
from cave_lab.protocol.words import (
    ActionFormat,
    ApprovalOutcome,
    Mode,
    NextStep,
    PrivacyMode,
    RunStatus,
    StopReason,
)

# ── a run

RunPhase = TypeAliasType(
    "RunPhase", Literal["writing", "proposed", "waiting", "queued", "intended", "running", "ended"]
)
Verdict = TypeAliasType("Verdict", Literal["kept", "undone", "edited_since", "deleted_by_user"])


class ApprovalState(Wire):
    """The question put to the person, open while `outcome` is None."""

    approval_id: ApprovalId
    sha256: Sha256
    reasons: list[str] = Field(default_factory=list)
    outcome: ApprovalOutcome | None = None
    reason: str | None = None
    allowed_by: str | None = None


class StdinState(Wire):
    """The cell waits for a line."""

    prompt: str
    password: bool
    question: int = 1


class RunState(Wire):
    """One cell on its way from being written to being ended and reviewed."""

    run_id: RunId
    turn_id: TurnId
    call: int
    phase: RunPhase
    code: str = ""
    purpose: str = ""
    sha256: Sha256 | None = None
    by: Literal["model", "user"] = "model"
    replaces: RunId | None = None
    repairs: RunId | None = None
    attempt_of: RunId | None = None
    scratch: bool = False
    risks: list[Risk] = Field(default_factory=list)
    target: Target | None = None
    approval: ApprovalState | None = None
    generation: Generation | None = None
    cell_id: CellId | None = None
    after: CellId | None = None
    started_at: datetime | None = None
    execution_count: int | None = None
    outputs: list[Output] = Field(default_factory=list)
    truncated: str | None = None
    stdin: StdinState | None = None
    status: RunStatus | None = None
    reason: str | None = None
    duration_seconds: float | None = None
    error: RunError | None = None
    variables: list[VariableChange] = Field(default_factory=list)
    variables_complete: bool = False
    excerpt: Excerpt | None = None
    placed: Literal["in_document", "in_file"] | None = None
    verdict: Verdict | None = None


# ── a turn


class TextItem(Wire):
    """A stretch of the answer."""

    type: Literal["text"] = "text"
    call: int
    text: str


class ReasoningItem(Wire):
    """A stretch of reasoning."""

    type: Literal["reasoning"] = "reasoning"
    call: int
    text: str


class RunItem(Wire):
    """A run's place in the answer."""

    type: Literal["run"] = "run"
    call: int
    run_id: RunId


class SteerItem(Wire):
    """What the person said in the middle of the turn."""

    type: Literal["steer"] = "steer"
    message_id: MessageId
    content: list[Part]


class RefusedItem(Wire):
    """An action that could not be used."""

    type: Literal["refused"] = "refused"
    call: int
    code: str
    text: str


class RetryItem(Wire):
    """A failed attempt at calling the model, to be tried again."""

    type: Literal["retry"] = "retry"
    call: int
    attempt: int
    wait_seconds: float
    text: str


class LookItem(Wire):
    """A look at variables or outputs without a cell, and the privacy mode in force then."""

    type: Literal["look"] = "look"
    call: int
    by: Literal["model", "user"]
    names: list[str]
    detail: str
    answers: list[Looked]
    privacy: PrivacyMode = "full"


class CompactedItem(Wire):
    """The talk was shortened for the model here."""

    type: Literal["compacted"] = "compacted"
    call: int
    tier: Literal["stubs", "summary", "trimmed"]
    reason: Literal["window", "overflow"] = "window"
    before_tokens: int
    after_tokens: int
    up_to_turn: TurnId | None = None
    up_to_call: int = 1
    summary: str | None = None
    privacy: PrivacyMode = "full"
    generation: Generation | None = None
    variables: list[Variable] = Field(default_factory=list)
    variables_total: int = 0


class NoticeItem(Wire):
    """A sentence with next steps."""

    type: Literal["notice"] = "notice"
    level: Literal["info", "warning", "error"]
    code: str
    text: str
    detail: str | None = None
    actions: list[NextStep] = Field(default_factory=list)


Item = TypeAliasType(
    "Item",
    Annotated[
        TextItem
        | ReasoningItem
        | RunItem
        | SteerItem
        | RefusedItem
        | RetryItem
        | LookItem
        | CompactedItem
        | NoticeItem,
        Field(discriminator="type"),
    ],
)


class VariablesView(Wire):
    """The variables as seen when the turn began."""

    generation: Generation | None
    variables: list[Variable]
    total: int
    omitted: dict[str, int]
    unavailable: str | None
    age_seconds: float = 0.0
    changes: list[OutsideChange] = Field(default_factory=list)
    changes_complete: bool = True
    changes_lost: int = 0
    mark: int | None = None


class CallState(Wire):
    """One model call: what was sent, and what it used."""

    call: int
    model: str
    messages: list[BlobId]
    variables: int
    cells: int
    estimated_tokens: int
    outline: BlobId | None = None
    format: ActionFormat = "tools"
    kept: BlobId | None = None
    """What the provider wants back of the reply."""
    usage: Usage | None = None


class TurnState(Wire):
    """One message of the person's and all that came of it; running while `stop_reason` is None."""

    turn_id: TurnId
    parent_turn_id: TurnId | None
    message_id: MessageId | None
    content: list[Part]
    target: Target
    anchor: CellId | None
    outline: BlobId | None
    started_at: datetime
    origin: Literal["browser", "api"] = "browser"
    """The kind of connection that the message came over: a person's browser, or a program."""
    seen: VariablesView | None = None
    items: list[Item] = Field(default_factory=list)
    calls: list[CallState] = Field(default_factory=list)
    stop_reason: StopReason | None = None
    usage: Usage = Field(default_factory=Usage)
    suggestions: list[str] = Field(default_factory=list)
    ended_at: datetime | None = None


# ── the thread


class QueuedMessage(Wire):
    """A message that waits for the turn to end, or for the next result."""

    message_id: MessageId
    content: list[Part]
    target: Target | None
    anchor: CellId | None
    outline: BlobId | None
    when: Literal["after_turn", "steer"]


class KernelLoss(Wire):
    """The last time that the kernel's memory went, and held something as far as is known."""

    reason: Literal["lost", "restarted", "switched", "shut_down"]
    at: datetime
    lost: list[str]
    lost_total: int | None


class ThreadState(Wire):
    """One chat: its settings, its turns in order, its runs by id."""

    thread_id: ThreadId
    seq: Seq
    title: str
    owner: str
    created_at: datetime
    target: Target
    mode: Mode
    privacy: PrivacyMode
    model: str | None = None
    max_runs: int | None = None
    parent: ThreadId | None = None
    deleted: bool = False
    generation: Generation | None = None
    loss: KernelLoss | None = None
    turns: list[TurnState] = Field(default_factory=list)
    runs: dict[RunId, RunState] = Field(default_factory=dict)
    queue: list[QueuedMessage] = Field(default_factory=list)
    notices: list[NoticeItem] = Field(default_factory=list)
    usage: Usage = Field(default_factory=Usage)
    budget_from: Usage = Field(default_factory=Usage)
    """The usage when the person last let the thread go on: its budget counts from there."""

    @property
    def turn(self) -> TurnState | None:
        """The running turn, if there is one."""
        last = self.turns[-1] if self.turns else None
        return last if last is not None and last.stop_reason is None else None
