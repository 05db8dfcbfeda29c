"""Events: what happened in a thread, journaled and numbered before anyone is told."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, TypeAdapter
from typing_extensions import TypeAliasType

from cave_lab.protocol.event import EVENT_VERSION, EventBase
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
from cave_lab.protocol.thread_events import (
    ActionDelta,
    ActionRefused,
    ContextCompacted,
    ContextSent,
    KernelChanged,
    MessageQueued,
    MessageUnqueued,
    ModelRetrying,
    Notice,
    ReasoningDelta,
    ReplyKept,
    TextDelta,
    ThreadChanged,
    ThreadCreated,
    ThreadSnapshot,
    TurnEnded,
    TurnStarted,
    UsageReported,
    VariablesLooked,
    VariablesSeen,
)

Event = TypeAliasType(
    "Event",
    Annotated[
        ThreadCreated
        | ThreadChanged
        | ThreadSnapshot
        | KernelChanged
        | TurnStarted
        | MessageQueued
        | MessageUnqueued
        | VariablesSeen
        | VariablesLooked
        | ContextSent
        | TextDelta
        | ReasoningDelta
        | ActionDelta
        | ActionRefused
        | ModelRetrying
        | ContextCompacted
        | ReplyKept
        | UsageReported
        | Notice
        | TurnEnded
        | RunProposed
        | ApprovalRequested
        | ApprovalClosed
        | RunIntended
        | RunStarted
        | OutputAdded
        | OutputAppended
        | OutputUpdated
        | OutputCleared
        | OutputTruncated
        | StdinRequested
        | StdinClosed
        | RunEnded
        | CellPlaced
        | CellReviewed,
        Field(discriminator="type"),
    ],
)

BATCHED: frozenset[str] = frozenset(
    {
        "variables.seen",
        "context.sent",
        "text.delta",
        "reasoning.delta",
        "action.delta",
        "model.retrying",
        "context.compacted",
        "usage",
        "notice",
        "run.started",
        "output.added",
        "output.appended",
        "output.updated",
        "output.cleared",
        "output.truncated",
        "cell.placed",
    }
)
"""Types committed in batches without a sync of their own; all others are committed in full."""

EVENT_ADAPTER: TypeAdapter[Event] = TypeAdapter(Event)


def encode_event(event: Event) -> str:
    """Write an event as compact JSON."""
    return EVENT_ADAPTER.dump_json(event).decode()


def decode_event(text: str | bytes) -> Event:
    """Read an event from JSON; raises pydantic's ValidationError."""
    return EVENT_ADAPTER.validate_json(text)


__all__ = [
    "BATCHED",
    "EVENT_ADAPTER",
    "EVENT_VERSION",
    "ActionDelta",
    "ActionRefused",
    "ApprovalClosed",
    "ApprovalRequested",
    "CellPlaced",
    "CellReviewed",
    "ContextCompacted",
    "ContextSent",
    "Event",
    "EventBase",
    "KernelChanged",
    "MessageQueued",
    "MessageUnqueued",
    "ModelRetrying",
    "Notice",
    "OutputAdded",
    "OutputAppended",
    "OutputCleared",
    "OutputTruncated",
    "OutputUpdated",
    "ReasoningDelta",
    "RunEnded",
    "RunIntended",
    "RunProposed",
    "RunStarted",
    "StdinClosed",
    "StdinRequested",
    "TextDelta",
    "ThreadChanged",
    "ThreadCreated",
    "ThreadSnapshot",
    "TurnEnded",
    "TurnStarted",
    "UsageReported",
    "VariablesLooked",
    "VariablesSeen",
    "decode_event",
    "encode_event",
]
