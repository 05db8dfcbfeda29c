"""Collects from a stream what its provider wants back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cave_lab.model.kept import Kept, takes_reasoning
from cave_lab.model.port import ModelChoice


class Keeper:
    """Listens to one stream; only reasoning is collected, for text is never wanted back."""

    def __init__(self, choice: ModelChoice) -> None:
        self._choice = choice
        self._reasons = takes_reasoning(choice.name)
        self._chunks: list[Any] = []
        self._places: list[int] = []
        self._in_block = False
        self._called = False
        self._call: dict[str, Any] = {}

    def read(self, chunk: Any, said: int) -> None:
        """Take one chunk; `said` is how many characters of the answer came before it."""
        for choice in chunk.choices[:1]:
            delta = choice.delta
            blocks = getattr(delta, "thinking_blocks", None) or ()
            calls = getattr(delta, "tool_calls", None) or ()
            if blocks or getattr(delta, "reasoning_content", None):
                self._chunks.append(chunk)
            for block in blocks:
                self._place(block, said)
            for call in calls[:1]:
                self._called = True
                self._sign(call)

    def _place(self, block: Any, said: int) -> None:
        if not self._in_block:
            self._places.append(said)
        self._in_block = not (block.get("signature") or block.get("type") == "redacted_thinking")

    def _sign(self, call: Any) -> None:
        # Gemini's signature: by its own interface, and by its OpenAI-compatible one.
        fields = getattr(call, "provider_specific_fields", None) or {}
        if fields.get("thought_signature"):
            signature = {"thought_signature": fields["thought_signature"]}
            self._call["provider_specific_fields"] = signature
        extra = getattr(call, "extra_content", None)
        if extra:
            self._call["extra_content"] = extra

    @property
    def wanted(self) -> bool:
        """Whether anything came that may be wanted back."""
        reasoned = self._chunks and self._reasons
        return self._called and bool(self._places or self._call or reasoned)

    def kept(self, litellm: Any, said: int) -> Kept | None:
        """What is wanted back of the reply, `said` characters long; None if nothing is.

        Of a long reasoning this is work for a thread.
        """
        message = self._rebuilt(litellm)
        thinking = getattr(message, "thinking_blocks", None) or []
        reasoning = getattr(message, "reasoning_content", None)
        placed = len(thinking) == len(self._places)
        kept = replace(
            Kept.by(self._choice),
            thinking=[dict(block) for block in thinking],
            places=self._places if placed else [0] * len(thinking),
            said=said if thinking else 0,
            reasoning=reasoning or "" if self._reasons else "",
            call=self._call,
        )
        return None if kept.empty else kept

    def _rebuilt(self, litellm: Any) -> Any:
        """Put the reasoning together from its pieces; None if it is not wanted."""
        if not (self._chunks and (self._places or self._reasons)):
            return None
        return litellm.stream_chunk_builder(self._chunks).choices[0].message
