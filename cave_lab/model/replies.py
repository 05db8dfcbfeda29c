"""The model side as the turn loop sees it: a source of streams, retried and decoded."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing

from cave_lab.errors import ModelInterrupted, ModelNotSet
from cave_lab.limits import Limits
from cave_lab.model.actions import CHAT, CUT, TWO_ACTIONS, CallReader
from cave_lab.model.calls_as_text import CALL_AS_TEXT, looks_like_a_call
from cave_lab.model.check import SCRIPTED, CheckReport, check, failed
from cave_lab.model.fences import FenceReader
from cave_lab.model.litellm import LiteLLMModel
from cave_lab.model.local.sight import sees_by
from cave_lab.model.local.tools import tools_of
from cave_lab.model.local.windows import window_of
from cave_lab.model.port import (
    ActionReady,
    ActionUnusable,
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
    TextChunk,
    ToolChunk,
    UsageChunk,
)
from cave_lab.model.retry import with_retries
from cave_lab.model.tokens import Tally
from cave_lab.model.tour import TOUR_PREFIX, tour_model
from cave_lab.protocol.words import ActionFormat

_NO_WINDOW = 1_000_000_000
"""A script reads as much as there is."""


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

    async def check(
        self,
        choice: ModelChoice,
        format: ActionFormat | None = None,
        *,
        plain_fences_run: bool = False,
    ) -> CheckReport:
        """Try a choice with a tiny call or two, and say what was tried and what came back."""
        try:
            source = self._source(choice)
        except ModelNotSet as error:
            return failed(choice, error)
        if source is self._tour:
            return SCRIPTED
        # Loading is our own slowness, not that of the server under test.
        await self.prepare()
        return await check(
            choice, self.once, format, self._limits, plain_fences_run=plain_fences_run
        )

    async def has_tools(self, choice: ModelChoice) -> bool | None:
        """Ask the model's own server if it is on this machine, else the library's table."""
        if self._source(choice) is self._tour:
            return True
        told = await tools_of(choice, os.environ, self._limits)
        return await self._provider.has_tools(choice) if told is None else told

    async def sees(self, choice: ModelChoice) -> bool | None:
        """Ask the model's own server if it is on this machine, else the library's table."""
        if self._source(choice) is self._tour:
            return False
        told = await sees_by(choice, os.environ, self._limits)
        return await self._provider.sees(choice) if told is None else told

    async def window(self, choice: ModelChoice) -> int | None:
        """Ask the model's own server if it is on this machine, else the library's table."""
        if self._source(choice) is self._tour:
            return _NO_WINDOW
        told = await window_of(choice, os.environ, self._limits)
        return await self._provider.window(choice) if told is None else told

    async def count(self, texts: Sequence[str]) -> Sequence[Tally] | None:
        """Count the tokens of texts; None while there is no tokenizer yet."""
        return await self._provider.count(texts)

    async def estimate(self, request: ModelRequest, heard: str) -> UsageChunk | None:
        """Count what a call used whose provider did not say; the script uses nothing."""
        if self._source(request.choice) is self._tour:
            return UsageChunk(0, 0, cost=0.0)
        return await self._provider.estimate(request, heard)

    async def reply(self, request: ModelRequest) -> AsyncGenerator[ReplyPart, None]:
        """Stream one reply, retried visibly; closing it ends the call. Raises ModelError."""
        source = self._source(request.choice)
        chunks = with_retries(lambda: source.stream(request), self._limits)
        async with aclosing(self._decoded(request, chunks)) as parts:
            async for part in parts:
                yield part

    async def once(self, request: ModelRequest) -> AsyncGenerator[ReplyPart, None]:
        """Stream one reply, tried a single time; closing it ends the call. Raises ModelError."""
        chunks = self._source(request.choice).stream(request)
        async with aclosing(self._decoded(request, chunks)) as parts:
            async for part in parts:
                yield part

    async def _decoded(
        self, request: ModelRequest, chunks: AsyncGenerator[Chunk | Retrying, None]
    ) -> AsyncGenerator[ReplyPart, None]:
        reply = _Reply(request, self._limits)
        async with aclosing(chunks):
            try:
                async for chunk in chunks:
                    for part in reply.read(chunk):
                        yield part
                    if reply.done:
                        break
            except ModelInterrupted:
                for part in reply.broken_off():
                    yield part
                raise
        for part in reply.end():
            yield part

    def _source(self, choice: ModelChoice) -> Model:
        if not choice.name.strip():
            raise ModelNotSet
        return self._tour if choice.name.startswith(TOUR_PREFIX) else self._provider


class _Reply:
    """One reply being read: words, calls of the tool, and fenced blocks if those are asked for."""

    def __init__(self, request: ModelRequest, limits: Limits) -> None:
        self._may_act = request.actions
        self._calls = CallReader(limits)
        self._fences = (
            FenceReader(request.language, plain_run=request.plain_fences_run, limits=limits)
            if request.actions and request.format == "fences"
            else None
        )
        self._said: list[str] = []
        self._reason: FinishReason = "stop"

    @property
    def begun(self) -> bool:
        """Whether an action was being written."""
        return self._calls.begun or (self._fences is not None and self._fences.begun)

    @property
    def done(self) -> bool:
        """Whether an action is complete, so that nothing behind it is read."""
        return self._fences is not None and self._fences.done

    def read(self, chunk: Chunk | Retrying) -> Iterator[ReplyPart]:
        match chunk:
            case TextChunk(text):
                self._said.append(text)
                yield from (chunk,) if self._fences is None else self._fences.feed(text)
            case ToolChunk():
                code = self._calls.feed(chunk)
                if code:
                    yield CodeDelta(code)
            case FinishChunk(reason):
                self._reason = reason
            case _:
                yield chunk

    def broken_off(self) -> Iterator[ReplyPart]:
        """What was held back, and that an action being written is lost, when the stream broke."""
        if self._fences is not None:
            yield from self._fences.end(cut=True)
        if self.begun:
            yield CUT

    def end(self) -> Iterator[ReplyPart]:
        if self._fences is not None and not self._fences.done:
            yield from self._fences.end(cut=self._reason in ("length", "refusal"))
        outcome = self._outcome()
        if outcome is not None:
            yield outcome
        acts = isinstance(outcome, ActionReady)
        yield ReplyEnded("tool_calls" if acts else self._reason)

    def _outcome(self) -> ActionReady | ActionUnusable | None:
        if self._calls.begun and not self._may_act:
            return CHAT
        if self._calls.begun and self._fences is not None and self._fences.begun:
            return TWO_ACTIONS
        if self._calls.begun:
            return self._calls.outcome(self._reason)
        found = None if self._fences is None else self._fences.outcome
        if found is None and self._may_act and looks_like_a_call("".join(self._said)):
            return CALL_AS_TEXT
        return found
