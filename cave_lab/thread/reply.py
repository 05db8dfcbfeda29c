"""Reads one reply of the model and writes it down as it comes."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Literal

from cave_lab.journal.drafts import DRAFT
from cave_lab.model.port import (
    ActionReady,
    ActionUnusable,
    CodeDelta,
    ModelRequest,
    ReasoningChunk,
    Replies,
    ReplyEnded,
    ReplyPart,
    Retrying,
    SuggestionsChunk,
    TextChunk,
    UsageChunk,
)
from cave_lab.protocol.ids import RunId, TurnId, new_id
from cave_lab.protocol.thread_events import (
    ActionDelta,
    ActionRefused,
    ModelRetrying,
    ReasoningDelta,
    TextDelta,
    UsageReported,
)
from cave_lab.thread.halves import Halves
from cave_lab.thread.recorder import Recorder


@dataclass
class Reply:
    """What one call gave, filled while it streams."""

    call: int
    run_id: RunId | None = None
    """Set as soon as code is being written."""
    action: ActionReady | None = None
    refused: bool = False
    finish: Literal["stop", "tool_calls", "length", "refusal"] = "stop"
    usage: UsageChunk | None = None
    suggestions: list[str] = field(default_factory=list)
    said: Halves = field(default_factory=Halves)
    thought: Halves = field(default_factory=Halves)
    written: Halves = field(default_factory=Halves)


async def read(
    replies: Replies, request: ModelRequest, recorder: Recorder, turn_id: TurnId, reply: Reply
) -> None:
    """Stream into the journal and into `reply`; raises ModelError, and keeps what came."""
    try:
        async with aclosing(replies.reply(request)) as parts:
            async for part in parts:
                await _take(part, recorder, turn_id, reply)
    finally:
        if reply.usage is not None:
            await recorder.soft(_usage(reply.usage, turn_id, reply.call))


def _usage(used: UsageChunk, turn_id: TurnId, call: int) -> UsageReported:
    return UsageReported(
        **DRAFT,
        turn_id=turn_id,
        call=call,
        prompt=used.prompt,
        completion=used.completion,
        cached=used.cached,
        cost=used.cost,
        price_source=used.price_source,
    )


async def _take(part: ReplyPart, recorder: Recorder, turn_id: TurnId, reply: Reply) -> None:
    call = reply.call
    match part:
        case TextChunk():
            text = reply.said.join(part.text)
            await recorder.soft(TextDelta(**DRAFT, turn_id=turn_id, call=call, text=text))
        case ReasoningChunk():
            text = reply.thought.join(part.text)
            await recorder.soft(ReasoningDelta(**DRAFT, turn_id=turn_id, call=call, text=text))
        case CodeDelta():
            run_id = reply.run_id = reply.run_id or RunId(new_id("run"))
            code = reply.written.join(part.text)
            await recorder.soft(
                ActionDelta(**DRAFT, turn_id=turn_id, call=call, run_id=run_id, delta=code)
            )
        case ActionReady():
            reply.action = part
        case ActionUnusable():
            reply.refused = True
            await recorder.soft(
                ActionRefused(
                    **DRAFT, turn_id=turn_id, call=call, code=part.code, text=part.sentence
                )
            )
        case Retrying():
            await recorder.soft(
                ModelRetrying(
                    **DRAFT,
                    turn_id=turn_id,
                    call=call,
                    attempt=part.attempt,
                    wait_seconds=part.wait_seconds,
                    code=part.code,
                    text=part.sentence,
                )
            )
        case UsageChunk():
            reply.usage = part
        case SuggestionsChunk():
            reply.suggestions = list(part.prompts)
        case ReplyEnded():
            reply.finish = part.reason
