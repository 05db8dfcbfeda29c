"""Commands: what a client asks for; each gets exactly one reply."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import FailFast, Field, TypeAdapter
from typing_extensions import TypeAliasType

from cave_lab.protocol.base import Wire
from cave_lab.protocol.content import Outline, Part, Target
from cave_lab.protocol.ids import (
    ApprovalId,
    CellId,
    CommandId,
    MessageId,
    RunId,
    Seq,
    Sha256,
    ThreadId,
)
from cave_lab.protocol.words import Mode, PrivacyMode

MAX_TEXT = 200_000
"""Characters of one text a person types; the limits' `message_chars` may be lower."""


class CommandBase(Wire):
    """What every command carries; a repeated id gets the first reply again."""

    command_id: CommandId


class ThreadSettings(Wire):
    """What a new thread begins with; None takes the server's default."""

    mode: Mode | None = None
    privacy: PrivacyMode | None = None
    model: str | None = Field(default=None, max_length=256)
    title: str | None = Field(default=None, max_length=200)


class ThreadList(CommandBase):
    """List the threads of a notebook first, then recent others."""

    type: Literal["thread.list"] = "thread.list"
    path: str | None = Field(default=None, max_length=4096)


class ThreadCreate(CommandBase):
    """Begin a thread."""

    type: Literal["thread.create"] = "thread.create"
    target: Target
    settings: ThreadSettings = Field(default_factory=ThreadSettings)


class ThreadOpen(CommandBase):
    """Follow a thread: its events after `from_seq`, then all that come."""

    type: Literal["thread.open"] = "thread.open"
    thread_id: ThreadId
    from_seq: Seq = Seq(0)


class ThreadClose(CommandBase):
    """Stop following a thread."""

    type: Literal["thread.close"] = "thread.close"
    thread_id: ThreadId


class ThreadChange(CommandBase):
    """Change what a thread is bound to or set to."""

    type: Literal["thread.change"] = "thread.change"
    thread_id: ThreadId
    title: str | None = Field(default=None, min_length=1, max_length=200)
    target: Target | None = None
    model: str | None = Field(default=None, max_length=256)
    mode: Mode | None = None
    privacy: PrivacyMode | None = None
    max_runs: int | None = Field(default=None, ge=1, le=200)
    extend_budget: Literal[True] | None = None
    """Let the thread go on: its budget counts from here."""


class ThreadDelete(CommandBase):
    """Delete a thread and what it stored."""

    type: Literal["thread.delete"] = "thread.delete"
    thread_id: ThreadId


class MessageSend(CommandBase):
    """Say something; while a turn runs it queues, or steers the turn."""

    type: Literal["message.send"] = "message.send"
    thread_id: ThreadId
    content: Annotated[list[Part], FailFast()] = Field(min_length=1, max_length=64)
    target: Target | None = None
    anchor: CellId | None = None
    outline: Outline | None = None
    when: Literal["after_turn", "steer"] = "after_turn"


class MessageUnqueue(CommandBase):
    """Take a queued message back."""

    type: Literal["message.unqueue"] = "message.unqueue"
    thread_id: ThreadId
    message_id: MessageId


class TurnStop(CommandBase):
    """Stop the running turn: its model call and its run, nothing of the person's."""

    type: Literal["turn.stop"] = "turn.stop"
    thread_id: ThreadId


class ApprovalAnswer(CommandBase):
    """Answer a proposal; `edited_code` runs instead when the outcome is `run_edited`."""

    type: Literal["approval.answer"] = "approval.answer"
    thread_id: ThreadId
    approval_id: ApprovalId
    sha256: Sha256
    outcome: Literal["run", "run_edited", "rejected"]
    edited_code: str | None = Field(default=None, max_length=MAX_TEXT)
    reason: str | None = Field(default=None, max_length=4_000)
    scope: Literal["once", "turn"] = "once"


class StdinAnswer(CommandBase):
    """Answer a cell's `input()`; `question` says which one was shown, if the run asks several."""

    type: Literal["stdin.answer"] = "stdin.answer"
    thread_id: ThreadId
    run_id: RunId
    question: int | None = None
    value: str = Field(max_length=MAX_TEXT)


class CellPlacedReport(CommandBase):
    """The writer says where a cell is."""

    type: Literal["cell.placed"] = "cell.placed"
    thread_id: ThreadId
    run_id: RunId
    cell_id: CellId
    level: Literal["in_document", "in_file"]


class CellReview(CommandBase):
    """The person kept or undid a cell, or the writer saw that it was edited or deleted."""

    type: Literal["cell.review"] = "cell.review"
    thread_id: ThreadId
    run_id: RunId
    verdict: Literal["kept", "undone", "edited_since", "deleted_by_user"]


class NotebookOutline(CommandBase):
    """The writer's newer view of the notebook."""

    type: Literal["notebook.outline"] = "notebook.outline"
    thread_id: ThreadId
    outline: Outline


class KernelChoice(CommandBase):
    """The person's answer when a kernel is stuck or lost."""

    type: Literal["kernel.choice"] = "kernel.choice"
    thread_id: ThreadId
    choice: Literal["wait", "restart", "continue"]


class WriterClaim(CommandBase):
    """Ask to be the one client that writes this notebook for us."""

    type: Literal["writer.claim"] = "writer.claim"
    thread_id: ThreadId


class WriterRelease(CommandBase):
    """Give the lease back."""

    type: Literal["writer.release"] = "writer.release"
    thread_id: ThreadId


class VariablesLook(CommandBase):
    """Ask what the model would be told of the kernel's variables now."""

    type: Literal["variables.look"] = "variables.look"
    thread_id: ThreadId


class TargetLook(CommandBase):
    """Ask what a thread that begins at a target would be told of the kernel's variables now."""

    type: Literal["target.look"] = "target.look"
    target: Target


Command = TypeAliasType(
    "Command",
    Annotated[
        ThreadList
        | ThreadCreate
        | ThreadOpen
        | ThreadClose
        | ThreadChange
        | ThreadDelete
        | MessageSend
        | MessageUnqueue
        | TurnStop
        | ApprovalAnswer
        | StdinAnswer
        | CellPlacedReport
        | CellReview
        | NotebookOutline
        | KernelChoice
        | WriterClaim
        | WriterRelease
        | VariablesLook
        | TargetLook,
        Field(discriminator="type"),
    ],
)

COMMAND_ADAPTER: TypeAdapter[Command] = TypeAdapter(Command)
