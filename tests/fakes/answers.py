"""How an answer is told in each provider's format."""

import json
from typing import Any, Protocol

from cave_lab.model.port import ReasoningChunk, TextChunk, ToolChunk
from cave_lab.model.script import ScriptedTurn, Seen
from cave_lab.protocol.words import ActionFormat
from tests.fakes import openai
from tests.fakes.anthropic import AnthropicAnswer
from tests.fakes.http import HttpAnswer
from tests.fakes.strict import strict_refusal


class FormattedAnswer(Protocol):
    """One answer, in the format of the route that was asked."""

    @property
    def seen(self) -> Seen:
        """The request, reduced to what a script asks about."""

    @property
    def format(self) -> ActionFormat:
        """How the model asks for cells here."""

    def refusal(self) -> dict[str, Any] | None:
        """The body of the 400 that this request deserves, if it does."""

    async def begin(self, turn: ScriptedTurn) -> None:
        """Tell what comes before the first piece."""

    async def piece(self, piece: TextChunk | ReasoningChunk | ToolChunk) -> None:
        """Tell one piece."""

    async def end(self, turn: ScriptedTurn) -> None:
        """Tell why it ends and what was used, and end the stream."""


class OpenAIAnswer:
    """One answer of `/v1/chat/completions`."""

    def __init__(self, body: dict[str, Any], answer: HttpAnswer) -> None:
        self._answer = answer
        self.seen = openai.seen_in_body(body)
        self.format: ActionFormat = openai.format_of(body)
        self._body = body

    def refusal(self) -> dict[str, Any] | None:
        """A strict model refuses fields that it does not know, and every null."""
        return strict_refusal(self._body)

    async def begin(self, turn: ScriptedTurn) -> None:
        """Say who speaks."""
        await self._answer.event(json.dumps(openai.first()))

    async def piece(self, piece: TextChunk | ReasoningChunk | ToolChunk) -> None:
        """Tell one piece."""
        await self._answer.event(json.dumps(openai.delta(piece)))

    async def end(self, turn: ScriptedTurn) -> None:
        """Say why it ends and what was used."""
        for chunk in openai.last(turn, self.format):
            await self._answer.event(json.dumps(chunk))
        await self._answer.event("[DONE]")
        await self._answer.end_events()


def answer_for(path: str, body: dict[str, Any], answer: HttpAnswer) -> FormattedAnswer | None:
    """The format of a route; None if no model is asked there."""
    if path.endswith("/chat/completions"):
        return OpenAIAnswer(body, answer)
    return AnthropicAnswer(body, answer) if path.endswith("/messages") else None
