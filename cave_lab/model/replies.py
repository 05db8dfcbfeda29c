"""The model side as the turn loop sees it: a source of streams, retried and decoded."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing

from cave_lab.errors import ModelInterrupted, ModelNotSet
from cave_lab.limits import Limits
from cave_lab.model.actions import CHAT, CUT, CallReader
from cave_lab.model.check import SCRIPTED, CheckReport, check, failed
from cave_lab.model.litellm import LiteLLMModel
from cave_lab.model.port import (
    Chunk,
    CodeDelta,
    FinishChunk,
    FinishReason,
    Model,
    ModelChoice,
    ModelRequest,
    ReplyEnded,
    ReplyPart,
    Retrying,
    ToolChunk,
)
from cave_lab.model.retry import with_retries
from cave_lab.model.tour import TOUR_PREFIX, tour_model


class ModelReplies:
    """Implements `Replies` over litellm and the guided tour."""

    def __init__(self, limits: Limits, tour: Model | None = None) -> None:
        self._limits = limits
        self._provider = LiteLLMModel(limits)
        self._tour = tour or tour_model(limits.tour_tokens_per_second)

    async def prepare(self) -> None:
        """Load what the first message would have to wait for; off the event loop."""
        await self._provider.prepare()

    async def close(self) -> None:
        """Close the clients."""
        await self._provider.close()

    async def check(self, choice: ModelChoice) -> CheckReport:
        """Try a choice with one tiny call, and say what was tried and what came back."""
        try:
            source = self._source(choice)
        except ModelNotSet as error:
            return failed(choice, error)
        if source is self._tour:
            return SCRIPTED
        # Loading is our own slowness, not that of the server under test.
        await self.prepare()
        return await check(choice, source, self._limits)

    async def reply(self, request: ModelRequest) -> AsyncGenerator[ReplyPart, None]:
        """Stream one reply, retried visibly; closing it ends the call. Raises ModelError."""
        source = self._source(request.choice)
        reply = _Reply(CallReader(self._limits))
        async with aclosing(with_retries(lambda: source.stream(request), self._limits)) as chunks:
            try:
                async for chunk in chunks:
                    for part in reply.read(chunk):
                        yield part
            except ModelInterrupted:
                if reply.calls.begun:
                    yield CUT
                raise
        for part in reply.end(may_act=request.actions):
            yield part

    def _source(self, choice: ModelChoice) -> Model:
        if not choice.name.strip():
            raise ModelNotSet
        return self._tour if choice.name.startswith(TOUR_PREFIX) else self._provider


class _Reply:
    """One reply being read."""

    def __init__(self, calls: CallReader) -> None:
        self.calls = calls
        self._reason: FinishReason = "stop"

    def read(self, chunk: Chunk | Retrying) -> Iterator[ReplyPart]:
        match chunk:
            case ToolChunk():
                code = self.calls.feed(chunk)
                if code:
                    yield CodeDelta(code)
            case FinishChunk(reason):
                self._reason = reason
            case _:
                yield chunk

    def end(self, *, may_act: bool) -> Iterator[ReplyPart]:
        if self.calls.begun:
            yield self.calls.outcome(self._reason) if may_act else CHAT
        yield ReplyEnded(self._reason)
