"""Streamed chunks in the OpenAI format, read into the port's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from cave_lab.model.port import Chunk, FinishReason, ReasoningChunk, TextChunk, ToolChunk
from cave_lab.model.thinking import ThinkSplitter

_FINISHES: dict[str, FinishReason] = {
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "refusal",
    "refusal": "refusal",
}


class DeltaReader:
    """Reads one stream; keeps why it ended, what it used, and whether anything came."""

    def __init__(self) -> None:
        self.finish: FinishReason | None = None
        self.usage: Any = None
        self.any_content = False
        self.said = 0
        """How many characters of the answer came so far."""
        self._thinking = ThinkSplitter()

    def read(self, chunk: Any) -> Iterator[Chunk]:
        """Give the content of one chunk; a chunk without content gives nothing."""
        self.usage = getattr(chunk, "usage", None) or self.usage
        for choice in chunk.choices[:1]:
            yield from self._counted(self._content(choice.delta))
            if choice.finish_reason:
                self.finish = _FINISHES.get(choice.finish_reason, "stop")

    @property
    def complete(self) -> bool:
        """Whether the answer has ended and its usage, which comes last, is there."""
        return self.finish is not None and self.usage is not None

    def end(self) -> Iterator[Chunk]:
        """Give what was held back, when the stream has ended."""
        yield from self._counted(self._thinking.end())

    def _counted(self, contents: Iterator[Chunk]) -> Iterator[Chunk]:
        for content in contents:
            self.any_content = True
            if isinstance(content, TextChunk):
                self.said += len(content.text)
            yield content

    def _content(self, delta: Any) -> Iterator[Chunk]:
        # Servers differ in the name; litellm evens out most of them.
        reasoning = getattr(delta, "reasoning_content", None) or getattr(delta, "reasoning", None)
        if reasoning:
            yield ReasoningChunk(reasoning)
        if isinstance(delta.content, str) and delta.content:
            yield from self._thinking.feed(delta.content)
        for call in getattr(delta, "tool_calls", None) or ():
            yield _tool(call)


def _tool(call: Any) -> ToolChunk:
    arguments = call.function.arguments or ""
    # Some local servers send the arguments as an object, not as the text of one.
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return ToolChunk(call.index or 0, text, call.function.name or None, call.id or None)
