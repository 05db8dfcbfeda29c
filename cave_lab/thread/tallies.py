"""Counts the messages and the tools of one thread, each once."""

from __future__ import annotations

from collections.abc import Mapping

from cave_lab.model.counted import frame_of, text_of, tools_text
from cave_lab.model.port import ModelMessage, ModelRequest, Replies
from cave_lab.model.tokens import Measured, Tally, rough
from cave_lab.protocol.ids import BlobId
from cave_lab.protocol.words import ActionFormat
from cave_lab.state.values import CallState, ThreadState
from cave_lab.thread.naming import Naming


class Tallies:
    """Our own counts of messages by their names; in the other format a message has another."""

    def __init__(self, replies: Replies) -> None:
        self._replies = replies
        self._counted: dict[ActionFormat, dict[BlobId, Tally]] = {"tools": {}, "fences": {}}
        self._tools: dict[str, Tally] = {}

    async def measured(self, naming: Naming, request: ModelRequest) -> Measured:
        """Count a request, as far as it was not counted before."""
        counted = self._counted[request.format]
        named = dict(zip(naming.blobs, naming.messages, strict=True))
        new = {name: message for name, message in named.items() if name not in counted}
        texts = [text_of(message, request) for message in new.values()]
        tools = tools_text(request)
        unknown = [tools] if tools not in self._tools else []
        tallies = await self._replies.count([*texts, *unknown])
        if tallies is None:
            return _roughly(naming.blobs, named, tools, request)
        for (name, message), tally in zip(new.items(), tallies, strict=False):
            counted[name] = tally + frame_of(message)
        self._tools.update(zip(unknown, tallies[len(texts) :], strict=True))
        return Measured(naming.blobs, counted, self._tools[tools])


def _roughly(
    blobs: list[BlobId], named: Mapping[BlobId, ModelMessage], tools: str, request: ModelRequest
) -> Measured:
    tallies = {name: rough(text_of(m, request)) + frame_of(m) for name, m in named.items()}
    return Measured(blobs, tallies, rough(tools))


def calls_to(state: ThreadState, request: ModelRequest) -> list[CallState]:
    """The earlier calls of a thread that went to the same model in the same format."""
    return [
        call
        for turn in state.turns
        for call in turn.calls
        if (call.model, call.format) == (request.choice.name, request.format)
    ]
