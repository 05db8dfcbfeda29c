"""The words of a request that tokens are counted of, as they go out."""

from __future__ import annotations

import json

from cave_lab.model.kept import Kept
from cave_lab.model.port import (
    AssistantMessage,
    ModelMessage,
    ModelRequest,
    ResultMessage,
    UserMessage,
)
from cave_lab.model.tokens import FRAME, Tally
from cave_lab.model.wire import messages_of, tools_of

_IMAGE = Tally(1_000)
"""A figure of the size that is sent, at most: what providers make of it differs by a half."""


def texts_of(request: ModelRequest) -> list[str]:
    """The text of each message, and behind them that of the tools."""
    return [*(text_of(message, request) for message in request.messages), tools_text(request)]


def text_of(message: ModelMessage, request: ModelRequest) -> str:
    """All the words of one message, in the format that the request asks for."""
    if not isinstance(message, AssistantMessage):
        return message.text
    alone = ModelRequest(
        request.choice,
        (message,),
        language=request.language,
        format=request.format,
    )
    kept = Kept.read(message.kept).words if message.kept else ""
    return kept + "".join(_words(written) for written in messages_of(alone, cache_marks=False))


def _words(written: dict[str, object]) -> str:
    content = written.get("content")
    calls = written.get("tool_calls") or ()
    asked = [call["function"] for call in calls] if isinstance(calls, list) else []
    parts = content if isinstance(content, list) else [{"text": content}]
    spoken = "".join(str(part.get("text") or "") for part in parts)
    return spoken + "".join(f"{call['name']}{call['arguments']}" for call in asked)


def tools_text(request: ModelRequest) -> str:
    """The tools of a request as they are described to the model."""
    tools = tools_of(request)
    return json.dumps(tools, ensure_ascii=False) if tools else ""


def frame_of(message: ModelMessage) -> Tally:
    """What a message costs besides its words."""
    shown = message.images if isinstance(message, UserMessage | ResultMessage) else ()
    images = len(shown)
    return FRAME + Tally(_IMAGE.narrow * images)
