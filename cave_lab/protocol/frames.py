"""What the server sends: hello, events, signals and replies."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter
from typing_extensions import TypeAliasType

from cave_lab.protocol.base import Wire
from cave_lab.protocol.content import Target, Usage, Variable
from cave_lab.protocol.events import Event
from cave_lab.protocol.ids import (
    ApprovalId,
    ClientId,
    CommandId,
    Generation,
    KernelId,
    MessageId,
    RunId,
    Seq,
    ServerId,
    ThreadId,
    TurnId,
)
from cave_lab.protocol.words import Mode

PROTOCOL_VERSION = 1

CLOSE_RESUME = 4001
"""Too slow or flooded: reconnect with your last seq."""
CLOSE_VERSION = 4002
CLOSE_FORBIDDEN = 4003
CLOSE_GOING_AWAY = 1001
CLOSE_ABUSE = 1008
CLOSE_TOO_BIG = 1009


class Hello(Wire):
    """The first frame of a connection."""

    type: Literal["hello"] = "hello"
    protocol_version: int = PROTOCOL_VERSION
    server_version: str
    server_id: ServerId
    client_id: ClientId
    root_id: str
    """Names the folder that notebooks' paths are relative to."""
    may_approve: bool
    """Whether this connection may answer approvals and change modes."""
    allowed_modes: list[Mode]


# ── signals: told, not journaled


class KernelState(Wire):
    """What the thread's kernel is doing, and for whom."""

    type: Literal["kernel.state"] = "kernel.state"
    thread_id: ThreadId
    kernel_id: KernelId | None
    state: Literal["none", "starting", "idle", "busy", "silent", "dead"]
    whose: Literal["ours", "theirs"] | None = None
    queued: int = 0
    language: str | None = None
    display_name: str | None = None
    generation: Generation | None = None
    variables: bool = False
    """Whether the probe can see this kernel's variables."""


class WriterLease(Wire):
    """Who may write this thread's notebook for us."""

    type: Literal["writer.lease"] = "writer.lease"
    thread_id: ThreadId
    path: str
    holder: ClientId | None


class CaughtUp(Wire):
    """All stored events of a `thread.open` have been sent."""

    type: Literal["caught_up"] = "caught_up"
    thread_id: ThreadId
    seq: Seq
    read_only: str | None = None
    """Why this server can only show the thread, or None."""


class ThreadFault(Wire):
    """The journal failed, so nothing more can be told by events; a sentence for the person."""

    type: Literal["thread.fault"] = "thread.fault"
    thread_id: ThreadId
    code: str
    text: str


Signal = TypeAliasType(
    "Signal",
    Annotated[KernelState | WriterLease | CaughtUp | ThreadFault, Field(discriminator="type")],
)


# ── replies


class ThreadSummary(Wire):
    """One line of the list of threads."""

    thread_id: ThreadId
    title: str
    target: Target
    created: datetime
    changed: datetime
    last_seq: Seq
    running: bool
    usage: Usage | None
    """None while the thread is not loaded."""
    read_only: str | None = None


class ThreadsResult(Wire):
    """Reply to `thread.list`."""

    type: Literal["threads"] = "threads"
    threads: list[ThreadSummary]


class ThreadResult(Wire):
    """Reply to `thread.create`."""

    type: Literal["thread"] = "thread"
    thread_id: ThreadId


class TurnResult(Wire):
    """Reply to `message.send` that began a turn."""

    type: Literal["turn"] = "turn"
    turn_id: TurnId


class QueuedResult(Wire):
    """Reply to `message.send` that has to wait."""

    type: Literal["queued"] = "queued"
    message_id: MessageId


class ApprovedResult(Wire):
    """Reply to `approval.answer`; the run may be a new one if the code was edited."""

    type: Literal["approved"] = "approved"
    approval_id: ApprovalId
    run_id: RunId


class VariablesResult(Wire):
    """Reply to `variables.look`, exactly as the model would be told."""

    type: Literal["variables"] = "variables"
    variables: list[Variable]
    total: int
    unavailable: str | None = None


Result = TypeAliasType(
    "Result",
    Annotated[
        ThreadsResult | ThreadResult | TurnResult | QueuedResult | ApprovedResult | VariablesResult,
        Field(discriminator="type"),
    ],
)


class CommandOk(Wire):
    """The command was carried out."""

    type: Literal["command.ok"] = "command.ok"
    command_id: CommandId
    result: Result | None = None


class CommandRejected(Wire):
    """The command was not carried out, and nothing changed."""

    type: Literal["command.rejected"] = "command.rejected"
    command_id: CommandId | None
    """None when the frame was too broken to hold one."""
    code: str
    message: str


Frame = TypeAliasType(
    "Frame",
    Annotated[
        Hello | Event | Signal | CommandOk | CommandRejected,
        Field(discriminator="type"),
    ],
)

FRAME_ADAPTER: TypeAdapter[Frame] = TypeAdapter(Frame)


def encode_frame(frame: Frame) -> bytes:
    """Write a frame as compact JSON in UTF-8."""
    return FRAME_ADAPTER.dump_json(frame)
