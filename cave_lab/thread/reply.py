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
from cave_lab.protocol.content import Action, LookAction
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
    words: list[str] = field(default_factory=list)
    """The answer itself."""
    heard: list[str] = field(default_factory=list)
    """All that came, for a count of its tokens."""
    said: Halves = field(default_factory=Halves)
    thought: Halves = field(default_factory=Halves)
    written: Halves = field(default_factory=Halves)


async def read(
    replies: Replies,
    request: ModelRequest,
    recorder: Recorder,
    turn_id: TurnId,
    reply: Reply,
    *,
    shown: bool = True,
) -> None:
    """Stream into the journal and into `reply`; raises ModelError, and keeps what came.

    Of one that is not shown only its retries and its usage are written down.
    Its usage is written down however it ends: a call that was broken off has cost something too.
    """
    began = time.monotonic()
    charged = True
    try:
        async with aclosing(replies.reply(request)) as parts:
            async for part in parts:
                _hear(part, reply)
                if not shown and not isinstance(part, Retrying):
                    continue
                event = _event(part, {**DRAFT, "turn_id": turn_id, "call": reply.call}, reply)
                if event is not None:
                    await recorder.soft(event)
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


def _event(part: ReplyPart, about: Any, reply: Reply) -> Draft | None:
    """What the person is told of a part while it comes."""
    match part:
        case TextChunk(text):
            return TextDelta(**about, text=reply.said.join(text))
        case ReasoningChunk(text):
            return ReasoningDelta(**about, text=reply.thought.join(text))
        case CodeDelta(text):
            run_id = reply.run_id = reply.run_id or RunId(new_id("run"))
            return ActionDelta(**about, run_id=run_id, delta=reply.written.join(text))
        case ActionUnusable():
            return ActionRefused(**about, code=part.code, text=part.sentence)
        case Retrying():
            return ModelRetrying(
                **about,
                attempt=part.attempt,
                wait_seconds=part.wait_seconds,
                code=part.code,
                text=part.sentence,
            )
        case _:
            return None


def _hear(part: ReplyPart, reply: Reply) -> None:
    """Keep what a part says of the reply."""
    reply.waits = isinstance(part, Retrying)
    match part:
        case TextChunk(text):
            reply.heard.append(text)
            reply.words.append(text)
        case ReasoningChunk(text) | CodeDelta(text):
            reply.heard.append(text)
        case ActionUnusable():
            reply.refused = part.code
        case ActionReady():
            reply.action = part
            reply.heard += _unwritten(part.action)
        case UsageChunk():
            reply.usage = part
        case KeptChunk(data):
            reply.kept = data
        case SuggestionsChunk(prompts):
            reply.suggestions = list(prompts)
        case ReplyEnded(reason):
            reply.finish = reason
        case Retrying():
            pass


def _unwritten(action: Action) -> list[str]:
    """The words of an action that did not come one by one: nothing is shown of a look before."""
    return [*action.names, action.detail] if isinstance(action, LookAction) else []
