"""The Anthropic Messages format, from the server's side.

With thinking on, an answer's reasoning comes as a thinking block with a signature over its words
and over all that came before it; reasoning that begins with `(hidden)` comes redacted.
"""

import json

from cave_lab.model.pieces import finish_of
from cave_lab.model.port import ReasoningChunk, TextChunk, ToolChunk
from cave_lab.model.script import ScriptedTurn, Seen
from cave_lab.protocol.words import ActionFormat
from tests.fakes.anthropic_rules import (
    HIDDEN,
    Block,
    Body,
    all_blocks,
    blocks_of,
    is_a,
    prefix,
    rules_broken,
    signature,
    thinks,
)
from tests.fakes.http import HttpAnswer
from tests.fakes.openai import asked_in, seen_in_body

_STOPS = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "length": "max_tokens",
    "content_filter": "refusal",
}


class AnthropicAnswer:
    """One answer of `/v1/messages`: what was asked, and how the answer is told."""

    def __init__(self, body: Body, answer: HttpAnswer) -> None:
        self._body = body
        self._answer = answer
        self._open: str | None = None
        self._index = -1
        self._thought = ""

    @property
    def seen(self) -> Seen:
        """The request, reduced to what a script asks about."""
        messages = self._body.get("messages") or []
        if self.format == "fences":
            texts = [{"role": m["role"], "content": _text(m)} for m in messages]
            return seen_in_body({"messages": texts})
        codes = [asked_in(b["input"]) for b in all_blocks(messages) if is_a(b, "tool_use")]
        whole = [_words(blocks_of(self._body.get("system") or [])), *map(_text, messages)]
        # Figures that follow a result belong to it.
        *_, last = [b for b in all_blocks(messages) if not _is_of_figures(b, messages[-1])]
        return Seen(
            last=_words([last]),
            role="tool" if is_a(last, "tool_result") else "user",
            code=codes[-1] if codes else "",
            whole="\n\n".join(whole),
        )

    @property
    def format(self) -> ActionFormat:
        """How the model asks for cells here."""
        return "tools" if self._body.get("tools") else "fences"

    def refusal(self) -> Body | None:
        """The body of the 400 that this request deserves, if it does."""
        broken = rules_broken(self._body)
        error = {"type": "invalid_request_error", "message": broken}
        return {"type": "error", "error": error} if broken else None

    async def begin(self, turn: ScriptedTurn) -> None:
        """Say what is read of the request, and how much of it was cached."""
        used = turn.usage
        usage = {
            "input_tokens": used.prompt - used.cached if used else 0,
            "cache_read_input_tokens": used.cached if used else 0,
            "cache_creation_input_tokens": 0,
            "output_tokens": 1,
        }
        message = {
            "id": "msg_fake",
            "type": "message",
            "role": "assistant",
            "model": self._body["model"],
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": usage,
        }
        await self._event({"type": "message_start", "message": message})

    async def piece(self, piece: TextChunk | ReasoningChunk | ToolChunk) -> None:
        """Tell one piece; without thinking there is no reasoning to be told."""
        match piece:
            case TextChunk(text):
                await self._into("text", {"type": "text", "text": ""})
                await self._delta({"type": "text_delta", "text": text})
            case ReasoningChunk(text):
                if thinks(self._body):
                    await self._think(text)
            case ToolChunk():
                await self._call(piece)

    async def end(self, turn: ScriptedTurn) -> None:
        """Say why the answer ends, and what was written."""
        await self._close()
        used = {"output_tokens": turn.usage.completion if turn.usage else 0}
        reason = _STOPS[finish_of(turn, self.format)]
        delta = {"stop_reason": reason, "stop_sequence": None}
        await self._event({"type": "message_delta", "delta": delta, "usage": used})
        await self._event({"type": "message_stop"})
        await self._answer.end_events()

    async def _think(self, text: str) -> None:
        if self._open == "redacted_thinking":
            return
        if text.startswith(HIDDEN):
            data = signature(HIDDEN, prefix(self._body, len(self._body["messages"])))
            await self._into("redacted_thinking", {"type": "redacted_thinking", "data": data})
            return
        await self._into("thinking", {"type": "thinking", "thinking": "", "signature": ""})
        self._thought += text
        await self._delta({"type": "thinking_delta", "thinking": text})

    async def _call(self, piece: ToolChunk) -> None:
        if piece.name is not None:
            await self._close()
            use = {"type": "tool_use", "id": f"toolu_{piece.call_id}", "name": piece.name}
            await self._into("tool_use", {**use, "input": {}})
        if piece.arguments:
            await self._delta({"type": "input_json_delta", "partial_json": piece.arguments})

    async def _into(self, kind: str, block: Block) -> None:
        """Go on in a block of this kind, or begin one."""
        if self._open != kind:
            await self._close()
            self._open, self._index = kind, self._index + 1
            start = {"type": "content_block_start", "index": self._index, "content_block": block}
            await self._event(start)

    async def _close(self) -> None:
        if self._open == "thinking":
            signed = signature(self._thought, prefix(self._body, len(self._body["messages"])))
            await self._delta({"type": "signature_delta", "signature": signed})
            self._thought = ""
        if self._open is not None:
            await self._event({"type": "content_block_stop", "index": self._index})
        self._open = None

    async def _delta(self, delta: Block) -> None:
        await self._event({"type": "content_block_delta", "index": self._index, "delta": delta})

    async def _event(self, event: Body) -> None:
        await self._answer.raw(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n")


def _is_of_figures(block: Block, last: Body) -> bool:
    """Whether a block of the last message is an image, or the words about images."""
    blocks = blocks_of(last["content"])
    results = [b for b in blocks if is_a(b, "tool_result")]
    shows = any(is_a(b, "image") for b in blocks)
    return bool(results) and shows and block in blocks and block not in results


def _text(message: Body) -> str:
    return _words(blocks_of(message["content"]))


def _words(blocks: list[Block]) -> str:
    texts = []
    for block in blocks:
        match block["type"]:
            case "text":
                texts.append(block["text"])
            case "tool_use":
                texts.append(asked_in(block["input"]))
            case "tool_result":
                texts.append(_words(blocks_of(block["content"])))
            case _:
                continue
    return "\n".join(texts)
