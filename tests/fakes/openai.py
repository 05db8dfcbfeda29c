"""The OpenAI chat format, from the server's side."""

import json
from typing import Any

from cave_lab.model.pieces import finish_of
from cave_lab.model.port import ReasoningChunk, TextChunk, ToolChunk
from cave_lab.model.script import ScriptedTurn, Seen


def seen_in_body(body: dict[str, Any]) -> Seen:
    """Reduce a request body to what a script asks about."""
    messages = body.get("messages") or []
    calls = [call for message in messages for call in message.get("tool_calls") or []]
    texts = [_text(message) for message in messages]
    return Seen(
        last=texts[-1] if texts else "",
        role=messages[-1]["role"] if messages else "user",
        code=_code(calls[-1]) if calls else "",
        whole="\n\n".join(texts),
    )


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


def last(turn: ScriptedTurn) -> list[dict[str, Any]]:
    """The chunks that end an answer: why, and what was used."""
    chunks = [_chunk({}, finish_of(turn))]
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
    arguments = json.loads(call["function"]["arguments"])
    return str(arguments.get("code", ""))
