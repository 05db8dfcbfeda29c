"""A request in the OpenAI chat format, which litellm turns into every provider's own."""

from __future__ import annotations

import json
from typing import Any, assert_never

from cave_lab.model.actions import RUN_CELL, TOOL
from cave_lab.model.port import (
    ActionCall,
    AssistantMessage,
    ModelMessage,
    ModelRequest,
    ResultMessage,
    SystemMessage,
    UserMessage,
)

CACHE_MARK = {"type": "ephemeral"}


def messages_of(request: ModelRequest, *, cache_marks: bool) -> list[dict[str, Any]]:
    """Write the messages; fields without a value are left out.

    With `cache_marks` the system prompt and the last message are marked as ends of what may be
    cached; only one provider knows such marks.
    """
    messages = [_message(message) for message in request.messages]
    if cache_marks and messages:
        firsts = [message for message in messages if message["role"] == "system"][:1]
        for message in [*firsts, messages[-1]]:
            _mark(message)
    return messages


def tools_of(request: ModelRequest) -> dict[str, Any]:
    """Write the tool. Words alone need none, unless earlier messages hold calls of it."""
    if request.actions:
        return {"tools": [TOOL]}
    acted = any(isinstance(m, AssistantMessage) and m.action for m in request.messages)
    return {"tools": [TOOL], "tool_choice": "none"} if acted else {}


def _message(message: ModelMessage) -> dict[str, Any]:
    match message:
        case SystemMessage(text):
            return {"role": "system", "content": text}
        case UserMessage(text, images):
            return {"role": "user", "content": _with_images(text, images) if images else text}
        case AssistantMessage(text, action):
            written: dict[str, Any] = {"role": "assistant"}
            if text or action is None:
                written["content"] = text
            if action is not None:
                written["tool_calls"] = [_call(action)]
            return written
        case ResultMessage(call_id, text):
            return {"role": "tool", "tool_call_id": call_id, "content": text}
        case _:
            assert_never(message)


def _with_images(text: str, images: Any) -> list[dict[str, Any]]:
    pictures = [{"type": "image_url", "image_url": {"url": url}} for url in images]
    return [{"type": "text", "text": text}, *pictures]


def _call(action: ActionCall) -> dict[str, Any]:
    arguments = json.dumps({"purpose": action.purpose, "code": action.code}, ensure_ascii=False)
    function = {"name": RUN_CELL, "arguments": arguments}
    return {"id": action.call_id, "type": "function", "function": function}


def _mark(message: dict[str, Any]) -> None:
    content = message.get("content")
    if message["role"] == "tool" or not content:
        message["cache_control"] = CACHE_MARK
    elif isinstance(content, str):
        message["content"] = [{"type": "text", "text": content, "cache_control": CACHE_MARK}]
    else:
        content[-1]["cache_control"] = CACHE_MARK
