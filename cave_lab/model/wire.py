"""A request in the OpenAI chat format, which litellm turns into every provider's own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, assert_never

from cave_lab.model.actions import LOOK, RUN_CELL, TOOLS
from cave_lab.model.kept import Kept, takes_reasoning, write_back
from cave_lab.model.port import (
    ActionCall,
    AssistantMessage,
    CellCall,
    LookCall,
    ModelMessage,
    ModelRequest,
    ResultMessage,
    SystemMessage,
    UserMessage,
)

CACHE_MARK = {"type": "ephemeral"}

Message = dict[str, Any]

_JSON = json.JSONEncoder(ensure_ascii=False)

_FIGURES = "(The figures that this cell drew.)"


def messages_of(request: ModelRequest, *, cache_marks: bool) -> list[Message]:
    """Write the messages; fields without a value are left out.

    With `cache_marks` the system prompt and the last message are marked as ends of what may be
    cached; only one provider knows such marks.
    """
    if request.format == "fences":
        messages = _merged(_fenced(message, request.language) for message in request.messages)
    else:
        messages = [written for message in request.messages for written in _written(message)]
        if takes_reasoning(request.choice.name):
            _fill_reasoning(messages)
    if cache_marks and messages:
        firsts = [message for message in messages if message["role"] == "system"][:1]
        for message in [*firsts, messages[-1]]:
            _mark(message)
    return messages


def tools_of(request: ModelRequest) -> dict[str, Any]:
    """Write the tools. Words alone need none, unless earlier messages hold calls of them."""
    if request.format == "fences":
        return {}
    if request.actions:
        return {"tools": [*TOOLS]}
    acted = any(isinstance(m, AssistantMessage) and m.action for m in request.messages)
    return {"tools": [*TOOLS], "tool_choice": "none"} if acted else {}


# ── with tools


def _written(message: ModelMessage) -> Iterator[Message]:
    """Write a message; its images follow a result in one of their own, which may hold such."""
    yield _message(message)
    if isinstance(message, ResultMessage) and message.images:
        yield {"role": "user", "content": _with_images(_FIGURES, message.images)}


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
        case ResultMessage(call_id, text, _):
            return {"role": "tool", "tool_call_id": call_id, "content": text}
        case _:
            assert_never(message)


def _with_images(text: str, images: Any) -> list[Message]:
    pictures = [{"type": "image_url", "image_url": {"url": url}} for url in images]
    return [{"type": "text", "text": text}, *pictures]


def _call(action: ActionCall) -> Message:
    name, values = _arguments(action)
    function = {"name": name, "arguments": _JSON.encode(values)}
    return {"id": action.call_id, "type": "function", "function": function}


def _arguments(action: ActionCall) -> tuple[str, dict[str, Any]]:
    """The tool and what it is called with; what was left to its default is left out again."""
    match action:
        case CellCall(_, code, purpose, scratch):
            cell = {"purpose": purpose, "code": code}
            return RUN_CELL, {**cell, "scratch": True} if scratch else cell
        case LookCall(_, names, detail):
            look = {"names": list(names)}
            return LOOK, {**look, "detail": detail} if detail else look


def _fill_reasoning(messages: Iterable[Message]) -> None:
    """Say that there was no reasoning, to models that refuse a call without any."""
    for message in messages:
        if message["role"] == "assistant":
            message.setdefault("reasoning_content", " ")


# ── in fences


def _fenced(message: ModelMessage, language: str) -> Message:
    match message:
        case AssistantMessage(text, action, _) if action is not None:
            block = _block(action, language)
            return {"role": "assistant", "content": f"{text}\n\n{block}" if text else block}
        case ResultMessage(_, text, images):
            return {"role": "user", "content": _with_images(text, images) if images else text}
        case _:
            return _message(message)


def _block(action: ActionCall, language: str) -> str:
    match action:
        case CellCall():
            return fenced_block(action.code, action.purpose, language, scratch=action.scratch)
        case LookCall():
            return look_block(action.names, action.detail)


def look_block(names: Iterable[str], detail: str) -> str:
    """Write a look as the block that asks for it."""
    # The name of a column may hold a backtick, which only tildes can stand before.
    mark = "~" if "`" in detail else "`"
    lines = list(names)
    fence = _fence(mark, lines)
    return "\n".join([f"{fence}look {' '.join(detail.splitlines())}".rstrip(), *lines, fence])


def fenced_block(code: str, purpose: str, language: str, *, scratch: bool = False) -> str:
    """Write a cell as the block that asks for it."""
    verb = "scratch" if scratch else "run"
    fence = _fence("`", code.split("\n"))
    # A backtick would end the line's being a fence.
    words = " ".join(purpose.replace("`", "'").split())
    return f"{fence}{language} {verb} {words}".rstrip() + f"\n{code}\n{fence}"


def _fence(mark: str, lines: Iterable[str]) -> str:
    """A fence that is longer than any inside."""
    starts = [line.lstrip() for line in lines]
    return mark * max([3, *(len(start) - len(start.lstrip(mark)) + 1 for start in starts)])


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
