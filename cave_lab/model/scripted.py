"""A model that plays a trajectory through the same port as a provider."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import assert_never

from cave_lab.model.pieces import finish_of, pieces, seconds_of
from cave_lab.model.port import (
    AssistantMessage,
    Chunk,
    FinishChunk,
    FinishReason,
    ModelMessage,
    ModelRequest,
    ResultMessage,
    SuggestionsChunk,
    SystemMessage,
    UserMessage,
    asked_in,
)
from cave_lab.model.script import (
    Gate,
    Role,
    Say,
    ScriptedTurn,
    Seen,
    Trajectory,
    choose,
    explain,
)


class ScriptedModel:
    """Implements `Model`; `tokens_per_second` None plays as fast as it goes."""

    def __init__(self, trajectory: Trajectory, tokens_per_second: float | None = None) -> None:
        self._trajectory = trajectory
        self._tokens_per_second = tokens_per_second

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Chunk, None]:
        """Answer as the script says; a request that it does not know gets an answer saying so."""
        seen = seen_in(request.messages)
        turn = choose(self._trajectory, seen) or _no_turn(self._trajectory, seen)
        if turn.fault is not None:
            raise ValueError(f"{turn.name}: only a server on the wire can play a fault")
        pace = turn.tokens_per_second or self._tokens_per_second
        for piece in pieces(turn, seen):
            if isinstance(piece, Gate):
                raise TypeError(f"{turn.name}: only a server on the wire has gates")
            await asyncio.sleep(seconds_of(piece, pace))
            yield piece
        if turn.suggest:
            yield SuggestionsChunk(turn.suggest)
        yield FinishChunk(_reason(turn))


def _no_turn(trajectory: Trajectory, seen: Seen) -> ScriptedTurn:
    return ScriptedTurn("no turn fits", answer=(Say(explain(trajectory, seen)),))


def _reason(turn: ScriptedTurn) -> FinishReason:
    reason = finish_of(turn)
    return "refusal" if reason == "content_filter" else reason


def seen_in(messages: Sequence[ModelMessage]) -> Seen:
    """Reduce the messages of a request to what a script asks about."""
    texts = [_text(message) for message in messages]
    actions = [m.action for m in messages if isinstance(m, AssistantMessage) and m.action]
    return Seen(
        last=texts[-1] if texts else "",
        role=_role(messages[-1]) if messages else "user",
        code=asked_in(actions[-1]) if actions else "",
        whole="\n\n".join(texts),
    )


def _text(message: ModelMessage) -> str:
    if isinstance(message, AssistantMessage) and message.action:
        return f"{message.text}\n{asked_in(message.action)}"
    return message.text


def _role(message: ModelMessage) -> Role:
    match message:
        case SystemMessage():
            return "system"
        case UserMessage():
            return "user"
        case AssistantMessage():
            return "assistant"
        case ResultMessage():
            return "tool"
        case _:
            assert_never(message)
