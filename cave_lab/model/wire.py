"""A request in the OpenAI chat format, which litellm turns into every provider's own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, assert_never

from cave_lab.model.actions import RUN_CELL, TOOL
from cave_lab.model.kept import Kept, takes_reasoning, write_back
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

Message = dict[str, Any]

_TICKS = re.compile(r"^\s*(`{3,})", re.MULTILINE)


def messages_of(request: ModelRequest, *, cache_marks: bool) -> list[Message]:
    """Write the messages; fields without a value are left out.

    With `cache_marks` the system prompt and the last message are marked as ends of what may be
    cached; only one provider knows such marks.
    """
    if request.format == "fences":
        messages = _merged(_fenced(message, request.language) for message in request.messages)
    else:
        messages = [_message(message) for message in request.messages]
        if takes_reasoning(request.choice.name):
            _fill_reasoning(messages)
    if cache_marks and messages:
        firsts = [message for message in messages if message["role"] == "system"][:1]
        for message in [*firsts, messages[-1]]:
            _mark(message)
    return messages


def tools_of(request: ModelRequest) -> dict[str, Any]:
    """Write the tool. Words alone need none, unless earlier messages hold calls of it."""
    if request.format == "fences":
        return {}
    if request.actions:
        return {"tools": [TOOL]}
    acted = any(isinstance(m, AssistantMessage) and m.action for m in request.messages)
    return {"tools": [TOOL], "tool_choice": "none"} if acted else {}


# ── with tools


def _message(message: ModelMessage) -> Message:
    match message:
        case SystemMessage(text):
            return {"role": "system", "content": text}
        case UserMessage(text, images):
            return {"role": "user", "content": _with_images(text, images) if images else text}
        case AssistantMessage(text, action, kept):
            written: Message = {"role": "assistant"}
            if text or action is None:
                written["content"] = text
            if action is not None:
                written["tool_calls"] = [_call(action)]
                if kept is not None:
                    write_back(Kept.read(kept), written)
            return written
        case ResultMessage(call_id, text):
            return {"role": "tool", "tool_call_id": call_id, "content": text}
        case _:
            assert_never(message)


def _with_images(text: str, images: Any) -> list[Message]:
    pictures = [{"type": "image_url", "image_url": {"url": url}} for url in images]
    return [{"type": "text", "text": text}, *pictures]


def _call(action: ActionCall) -> Message:
    arguments = json.dumps({"purpose": action.purpose, "code": action.code}, ensure_ascii=False)
    function = {"name": RUN_CELL, "arguments": arguments}
    return {"id": action.call_id, "type": "function", "function": function}


def _fill_reasoning(messages: Iterable[Message]) -> None:
    """Say that there was no reasoning, to models that refuse a call without any."""
    for message in messages:
        if message["role"] == "assistant":
            message.setdefault("reasoning_content", " ")


# ── in fences


def _fenced(message: ModelMessage, language: str) -> Message:
    match message:
        case AssistantMessage(text, action, _) if action is not None:
            block = fenced_block(action.code, action.purpose, language)
            return {"role": "assistant", "content": f"{text}\n\n{block}" if text else block}
        case ResultMessage(_, text):
            return {"role": "user", "content": text}
        case _:
            return _message(message)


def fenced_block(code: str, purpose: str, language: str) -> str:
    """Write a cell as the block that asks for it; its fence is longer than any inside."""
    longest = max((len(ticks) for ticks in _TICKS.findall(code)), default=2)
    fence = "`" * max(3, longest + 1)
    # A backtick would end the line's being a fence.
    words = " ".join(purpose.replace("`", "'").split())
    return f"{fence}{language} run {words}".rstrip() + f"\n{code}\n{fence}"


def _merged(messages: Iterable[Message]) -> list[Message]:
    """Join neighbours of one role: the templates of many models want the roles to take turns."""
    merged: list[Message] = []
    for message in messages:
        before = merged[-1] if merged else None
        if before is not None and before["role"] == message["role"] != "system":
            before["content"] = _joined(before["content"], message["content"])
        else:
            merged.append(message)
    return merged


def _joined(first: Any, second: Any) -> Any:
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}\n\n{second}"
    return [*_as_parts(first), *_as_parts(second)]


def _as_parts(content: Any) -> list[Message]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def _mark(message: Message) -> None:
    content = message.get("content")
    if message["role"] == "tool" or not content:
        message["cache_control"] = CACHE_MARK
    elif isinstance(content, str):
        message["content"] = [{"type": "text", "text": content, "cache_control": CACHE_MARK}]
    else:
        content[-1]["cache_control"] = CACHE_MARK
