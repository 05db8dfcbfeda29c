"""Events of a thread, its kernel, its turns and its talk with the model."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from cave_lab.protocol.content import Looked, OutsideChange, Part, Target, Usage, Variable
from cave_lab.protocol.event import EventBase
from cave_lab.protocol.ids import (
    BlobId,
    CellId,
    Generation,
    MessageId,
    RunId,
    Sha256,
    ThreadId,
    TurnId,
)
from cave_lab.protocol.words import ActionFormat, Mode, NextStep, PrivacyMode, Refusal, StopReason

# ── the thread


class ThreadCreated(EventBase):
    """A chat begins."""

    type: Literal["thread.created"] = "thread.created"
    title: str
    owner: str
    target: Target
    mode: Mode
    privacy: PrivacyMode
    model: str | None = None
    parent: ThreadId | None = None


class ThreadChanged(EventBase):
    """Something the person set; fields left out stay as they are."""

    type: Literal["thread.changed"] = "thread.changed"
    title: str | None = None
    target: Target | None = None
    model: str | None = None
    mode: Mode | None = None
    privacy: PrivacyMode | None = None
    max_runs: int | None = None
    budget_extended: bool | None = None
    """The person lets the thread go on: its budget counts from here."""
    deleted: bool | None = None


class ThreadSnapshot(EventBase):
    """The folded state so far; older events may be pruned."""

    type: Literal["thread.snapshot"] = "thread.snapshot"
    state: dict[str, JsonValue]
    """A `ThreadState` as JSON; the fold validates it."""


class KernelChanged(EventBase):
    """The thread's kernel is another one, or its memory is gone; `lost` names variables.

    What matters most is named first. A total of None means that nobody knows what there was.
    """

    type: Literal["kernel.changed"] = "kernel.changed"
    reason: Literal["bound", "lost", "restarted", "switched", "shut_down"]
    generation: Generation | None = None
    lost: list[str] = Field(default_factory=list)
    lost_total: int | None = 0


# ── a turn


class TurnStarted(EventBase):
    """The person's message, with where it acts and what the notebook looked like."""

    type: Literal["turn.started"] = "turn.started"
    turn_id: TurnId
    parent_turn_id: TurnId | None = None
    content: list[Part]
    target: Target
    anchor: CellId | None = None
    outline: BlobId | None = None
    outline_sha256: Sha256 | None = None
    message_id: MessageId | None = None
    origin: Literal["browser", "api"] = "browser"
    """The kind of connection it came over: a person's browser, or a program with a token."""


class MessageQueued(EventBase):
    """A message written while a turn runs, kept until it is sent."""

    type: Literal["message.queued"] = "message.queued"
    message_id: MessageId
    content: list[Part]
    target: Target | None = None
    anchor: CellId | None = None
    outline: BlobId | None = None
    when: Literal["after_turn", "steer"] = "after_turn"


class MessageUnqueued(EventBase):
    """A queued message left the queue; `steered` gave it to the running turn."""

    type: Literal["message.unqueued"] = "message.unqueued"
    message_id: MessageId
    reason: Literal["sent", "steered", "removed"]
    turn_id: TurnId | None = None


class VariablesSeen(EventBase):
    """What the probe saw at this point of the turn; `unavailable` says why there is nothing.

    `age_seconds` is above 0 when the kernel did not answer and this is what was seen last.
    `changes` is what other cells than the thread's runs did since the last look, up to the kernel's
    `mark`. There may be more unless they are `changes_complete`; of `changes_lost` cells it is not
    known any more.
    """

    type: Literal["variables.seen"] = "variables.seen"
    turn_id: TurnId
    generation: Generation | None = None
    variables: list[Variable] = Field(default_factory=list)
    total: int = 0
    omitted: dict[str, int] = Field(default_factory=dict)
    unavailable: str | None = None
    age_seconds: float = 0.0
    changes: list[OutsideChange] = Field(default_factory=list)
    changes_complete: bool = True
    changes_lost: int = 0
    mark: int | None = None


class VariablesLooked(EventBase):
    """A look without a cell, asked for by the model in `call`, or by the person with `@name`."""

    type: Literal["variables.looked"] = "variables.looked"
    turn_id: TurnId
    call: int
    by: Literal["model", "user"]
    names: list[str]
    detail: str = ""
    answers: list[Looked] = Field(default_factory=list)


class ContextSent(EventBase):
    """One model call and exactly what it was given, message by message.

    `outline` is the notebook as the person had changed it since the last call, or None.
    """

    type: Literal["context.sent"] = "context.sent"
    turn_id: TurnId
    call: int
    model: str
    messages: list[BlobId]
    variables: int
    cells: int
    estimated_tokens: int
    outline: BlobId | None = None
    format: ActionFormat = "tools"


class TextDelta(EventBase):
    """More of the answer."""

    type: Literal["text.delta"] = "text.delta"
    turn_id: TurnId
    call: int
    text: str


class ReasoningDelta(EventBase):
    """More of the model's reasoning."""

    type: Literal["reasoning.delta"] = "reasoning.delta"
    turn_id: TurnId
    call: int
    text: str


class ActionDelta(EventBase):
    """More of the code that the model is writing."""

    type: Literal["action.delta"] = "action.delta"
    turn_id: TurnId
    call: int
    run_id: RunId
    delta: str


class ActionRefused(EventBase):
    """The model asked for something that can't be run; it is told, and the person sees it."""

    type: Literal["action.refused"] = "action.refused"
    turn_id: TurnId
    call: int
    code: Refusal
    text: str


class ModelRetrying(EventBase):
    """The provider failed before the first token; we wait, then try again."""

    type: Literal["model.retrying"] = "model.retrying"
    turn_id: TurnId
    call: int
    attempt: int
    wait_seconds: float
    code: str
    text: str


class ContextCompacted(EventBase):
    """What was said before a call is shortened for the model from here on; it stays in the journal.

    `stubs` leaves a line of each older result, `summary` puts its text in the place of the talk,
    `trimmed` leaves the talk out. `variables` is what lived in the kernel at that moment.
    """

    type: Literal["context.compacted"] = "context.compacted"
    turn_id: TurnId
    call: int
    tier: Literal["stubs", "summary", "trimmed"]
    reason: Literal["window", "overflow"] = "window"
    """The talk came near the model's window, or the provider said that it was beyond it."""
    before_tokens: int
    after_tokens: int
    up_to_turn: TurnId | None = None
    up_to_call: int = 1
    """What comes before this call of this turn is shortened; the turn's question is kept."""
    summary: str | None = None
    privacy: PrivacyMode = "full"
    """The mode a summary was made under: it is not told under a stricter one."""
    generation: Generation | None = None
    variables: list[Variable] = Field(default_factory=list)
    variables_total: int = 0


class ReplyKept(EventBase):
    """What the provider wants back of one reply, such as signed reasoning; never shown."""

    type: Literal["reply.kept"] = "reply.kept"
    turn_id: TurnId
    call: int
    blob: BlobId


class UsageReported(EventBase):
    """What one model call used, as the provider counts, or `estimated` here if it did not say."""

    type: Literal["usage"] = "usage"
    turn_id: TurnId
    call: int
    prompt: int
    completion: int
    cached: int = 0
    cost: float | None = None
    price_source: str | None = None
    estimated: bool = False
    seconds: float = 0.0


class Notice(EventBase):
    """A sentence for the person, with the next steps as buttons."""

    type: Literal["notice"] = "notice"
    turn_id: TurnId | None = None
    level: Literal["info", "warning", "error"]
    code: str
    text: str
    detail: str | None = None
    actions: list[NextStep] = Field(default_factory=list)


class TurnEnded(EventBase):
    """The one end of a turn."""

    type: Literal["turn.ended"] = "turn.ended"
    turn_id: TurnId
    stop_reason: StopReason
    usage: Usage
    suggestions: list[str] = Field(default_factory=list)
