"""A provider's own count of requests, by a real tokenizer, and its refusal of too long ones."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from cave_lab.model.script import Fault, ScriptedTurn, StatusFault, Tokens

FRAME = 4
"""Tokens of a message besides its words."""


@dataclass
class Counting:
    """Counts the words of each request and of its tools."""

    count: Callable[[str], int]
    limit: int | None = None
    """More tokens than these are refused."""
    wording: StatusFault = "context_code"
    """How a refusal is worded."""
    prompts: list[int] = field(default_factory=list)
    """The counts so far, refused ones too."""

    def counted(self, turn: ScriptedTurn, body: dict[str, Any]) -> ScriptedTurn:
        """The turn with the usage of this request, or with its refusal."""
        tokens = self.tokens(body)
        self.prompts.append(tokens)
        if self.limit is not None and tokens > self.limit:
            return replace(turn, answer=(), fault=Fault(self.wording))
        return replace(turn, usage=Tokens(prompt=tokens, completion=20))

    def tokens(self, body: dict[str, Any]) -> int:
        """The tokens of a request in the OpenAI format."""
        messages = body["messages"]
        texts = [_text(message) for message in messages]
        tools = json.dumps(body["tools"]) if body.get("tools") else ""
        return sum(map(self.count, texts)) + FRAME * len(messages) + self.count(tools)


def _text(message: dict[str, Any]) -> str:
    calls = [call["function"] for call in message.get("tool_calls") or []]
    return str(message.get("content") or "") + "".join(
        f"{call['name']}{call['arguments']}" for call in calls
    )
