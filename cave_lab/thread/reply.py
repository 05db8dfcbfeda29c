"""Reads one reply of the model and writes it down as it comes."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Literal

from cave_lab.errors import ModelError, ModelInterrupted, ModelTimeout
from cave_lab.journal.drafts import DRAFT, Draft
from cave_lab.model.port import (
    ActionReady,
    ActionUnusable,
    CodeDelta,
    KeptChunk,
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
from cave_lab.protocol.content import LookAction
from cave_lab.protocol.ids import RunId, TurnId, new_id
from cave_lab.protocol.thread_events import (
    ActionDelta,
    ActionRefused,
    ModelRetrying,
    ReasoningDelta,
    TextDelta,
    UsageReported,
)
from cave_lab.protocol.words import Refusal
from cave_lab.thread.halves import Halves
from cave_lab.thread.recorder import Recorder
from cave_lab.thread.tasks import to_the_end


@dataclass
class Reply:
    """What one call gave, filled while it streams."""

    call: int
    run_id: RunId | None = None
    """Set as soon as code is being written."""
    action: ActionReady | None = None
    refused: Refusal | None = None
    """Why the action that was asked for can't be used."""
    kept: str | None = None
    """What the provider wants back of it."""
    finish: Literal["stop", "tool_calls", "length", "refusal"] = "stop"
    usage: UsageChunk | None = None
    waits: bool = False
    """Whether it was refused, and nothing has come since of another try."""
    suggestions: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    """All that came, for a count of its tokens."""
    said: Halves = field(default_factory=Halves)
    thought: Halves = field(default_factory=Halves)
    written: Halves = field(default_factory=Halves)


async def read(
    replies: Replies, request: ModelRequest, recorder: Recorder, turn_id: TurnId, reply: Reply
) -> None:
    """Stream into the journal and into `reply`; raises ModelError, and keeps what came.

    Its usage is written down however it ends: a call that was broken off has cost something too.
    """
    began = time.monotonic()
    charged = True
    try:
        async with aclosing(replies.reply(request)) as parts:
            async for part in parts:
                await _take(part, recorder, turn_id, reply)
    except asyncio.CancelledError:
        charged = not reply.waits
        raise
    except ModelError as error:
        # A call that was refused, or never reached anyone, is charged by nobody.
        charged = isinstance(error, ModelInterrupted | ModelTimeout)
        raise
    finally:
        seconds = time.monotonic() - began
        if charged or reply.usage is not None:
            used = reply.usage or await to_the_end(replies.estimate(request, "".join(reply.heard)))
            if used is not None:
                await recorder.soft(_usage(used, turn_id, reply.call, seconds))


def _usage(used: UsageChunk, turn_id: TurnId, call: int, seconds: float) -> UsageReported:
    return UsageReported(
        **DRAFT,
        turn_id=turn_id,
        call=call,
        seconds=seconds,
        estimated=used.estimated,
        prompt=used.prompt,
        completion=used.completion,
        cached=used.cached,
        cost=used.cost,
        price_source=used.price_source,
    )


async def _take(part: ReplyPart, recorder: Recorder, turn_id: TurnId, reply: Reply) -> None:
    about = {**DRAFT, "turn_id": turn_id, "call": reply.call}
    reply.waits = isinstance(part, Retrying)
    match part:
        case TextChunk() | ReasoningChunk() | CodeDelta():
            reply.heard.append(part.text)
            await recorder.soft(_more(part, about, reply))
        case ActionUnusable():
            reply.refused = part.code
            await recorder.soft(ActionRefused(**about, code=part.code, text=part.sentence))
        case Retrying():
            await recorder.soft(
                ModelRetrying(
                    **about,
                    attempt=part.attempt,
                    wait_seconds=part.wait_seconds,
                    code=part.code,
                    text=part.sentence,
                )
            )
        case _:
            _keep(part, reply)


def _more(part: TextChunk | ReasoningChunk | CodeDelta, about: Any, reply: Reply) -> Draft:
    match part:
        case TextChunk(text):
            return TextDelta(**about, text=reply.said.join(text))
        case ReasoningChunk(text):
            return ReasoningDelta(**about, text=reply.thought.join(text))
        case CodeDelta(text):
            run_id = reply.run_id = reply.run_id or RunId(new_id("run"))
            return ActionDelta(**about, run_id=run_id, delta=reply.written.join(text))


def _keep(
    part: ActionReady | UsageChunk | KeptChunk | SuggestionsChunk | ReplyEnded, reply: Reply
) -> None:
    match part:
        case ActionReady(action=action):
            reply.action = part
            if isinstance(action, LookAction):
                # Of a look nothing is shown while it is written.
                reply.heard += [*action.names, action.detail]
        case UsageChunk():
            reply.usage = part
        case KeptChunk(data):
            reply.kept = data
        case SuggestionsChunk(prompts):
            reply.suggestions = list(prompts)
        case ReplyEnded(reason):
            reply.finish = reason
