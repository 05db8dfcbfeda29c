"""The OpenAI chat format, from the server's side."""

import json
import re
from typing import Any

from cave_lab.model.pieces import finish_of
from cave_lab.model.port import ReasoningChunk, TextChunk, ToolChunk
from cave_lab.model.script import ScriptedTurn, Seen
from cave_lab.protocol.words import ActionFormat

_BLOCK = re.compile(
    r"^(?P<fence>`{3,}|~{3,})(?:\w+ (?:run|scratch)|look\b).*\n(?P<code>(?s:.*?))\n(?P=fence)$",
    re.MULTILINE,
)


def seen_in_body(body: dict[str, Any]) -> Seen:
    """Reduce a request body to what a script asks about."""
    messages = _without_figures(body.get("messages") or [])
    texts = [_text(message) for message in messages]
    codes = [code for message in messages for code in _codes(message)]
    return Seen(
        last=texts[-1] if texts else "",
        role=_role(messages) if messages else "user",
        code=codes[-1] if codes else "",
        whole="\n\n".join(texts),
    )


def _without_figures(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages without one of images behind a result: it belongs to that."""
    *others, last = messages or [{}]
    parts = last.get("content")
    shows = isinstance(parts, list) and any(part["type"] == "image_url" for part in parts)
    return others if shows and others and others[-1]["role"] == "tool" else messages


def format_of(body: dict[str, Any]) -> ActionFormat:
    """How this model asks for cells: one whose name says `plain` has no tools."""
    return "fences" if has_no_tools(str(body.get("model", ""))) else "tools"


def has_no_tools(model: str) -> bool:
    """Whether a model of this server has no tools."""
    return "plain" in model


def _role(messages: list[dict[str, Any]]) -> Any:
    """Who sent the last message; in fences a result comes as the person's."""
    role = messages[-1]["role"]
    after_a_block = len(messages) > 1 and bool(_codes(messages[-2]))
    return "tool" if role == "user" and after_a_block else role


def _codes(message: dict[str, Any]) -> list[str]:
    if message["role"] != "assistant":
        return []
    calls = [_code(call) for call in message.get("tool_calls") or []]
    return calls or [found["code"] for found in _BLOCK.finditer(_text(message))]


def delta(piece: TextChunk | ReasoningChunk | ToolChunk) -> dict[str, Any]:
    """One piece of an answer as a streamed chunk."""
    match piece:
        case TextChunk(text):
            return _chunk({"content": text})
        case ReasoningChunk(text):
            return _chunk({"reasoning_content": text})
        case ToolChunk():
            function = {"arguments": piece.arguments}
            call: dict[str, Any] = {"index": piece.index, "function": function}
            if piece.name is not None:
                call |= {"id": piece.call_id, "type": "function"}
                function["name"] = piece.name
            return _chunk({"tool_calls": [call]})


def first() -> dict[str, Any]:
    """The chunk that only says who speaks."""
    return _chunk({"role": "assistant", "content": ""})


def last(turn: ScriptedTurn, format: ActionFormat = "tools") -> list[dict[str, Any]]:
    """The chunks that end an answer: why, and what was used."""
    chunks = [_chunk({}, finish_of(turn, format))]
    if turn.usage is not None:
        used = turn.usage
        usage = {
            "prompt_tokens": used.prompt,
            "completion_tokens": used.completion,
            "total_tokens": used.prompt + used.completion,
            "prompt_tokens_details": {"cached_tokens": used.cached},
        }
        chunks.append({**_chunk({}), "choices": [], "usage": usage})
    return chunks


def _chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    head = {"id": "fake", "object": "chat.completion.chunk", "created": 1, "model": "fake"}
    return {**head, "choices": [choice]}


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, list):
        content = "\n".join(part.get("text", "") for part in content)
    codes = [_code(call) for call in message.get("tool_calls") or []]
    return "\n".join([content, *codes]) if codes else content


def _code(call: dict[str, Any]) -> str:
    return asked_in(json.loads(call["function"]["arguments"]))


def asked_in(arguments: dict[str, Any]) -> str:
    """The text of an action: a cell's code, or the names that are looked at."""
    return str(arguments.get("code") or "\n".join(arguments.get("names", ())))
