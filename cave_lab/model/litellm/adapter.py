"""Streams calls through litellm."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from cave_lab.errors import (
    UNCHANGED,
    EmptyResponse,
    FiguresRefused,
    ImagesRefused,
    ModelBadRequest,
    ModelError,
    ModelInterrupted,
    ModelKeyRejected,
    ModelServerFault,
    ModelTimeout,
)
from cave_lab.limits import Limits
from cave_lab.model.choice import spoken
from cave_lab.model.delta import DeltaReader
from cave_lab.model.faults import classify, trouble_in
from cave_lab.model.kept import going_back, without_kept
from cave_lab.model.litellm.asking import arguments_of
from cave_lab.model.litellm.counting import (
    counted,
    estimated,
    table_has_tools,
    table_window,
    tallies,
)
from cave_lab.model.litellm.keeping import Keeper
from cave_lab.model.litellm.library import load
from cave_lab.model.litellm.route import Route
from cave_lab.model.litellm.sight import figures_refused, images_refused, table_sees
from cave_lab.model.port import (
    Chunk,
    FinishChunk,
    KeptChunk,
    ModelChoice,
    ModelRequest,
    UsageChunk,
)
from cave_lab.model.tokens import Tally
from cave_lab.model.watchdog import TooLong, TooQuiet, Watchdog
from cave_lab.privacy.redact import Redactor

_ABOUT_REASONING = re.compile(r"thinking|thought|reasoning|signature", re.IGNORECASE)


class LiteLLMModel:
    """Implements `Model` over litellm; `close` must be called when the server stops."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._litellm: Any = None

    async def prepare(self) -> None:
        """Load litellm off the event loop; the first call does so by itself."""
        if self._litellm is None:
            try:
                self._litellm = await asyncio.to_thread(load)
            except Exception as error:
                # Sixty packages: half an installation fails in many ways.
                raise ModelError(
                    "The library that talks to models could not be loaded. Restart the Jupyter "
                    "server; if that does not help, install cave-lab again in its environment.",
                    detail=f"{type(error).__name__}: {error}",
                ) from error

    async def close(self) -> None:
        """Close the connections that litellm keeps open."""
        if self._litellm is not None:
            await self._litellm.close_litellm_async_clients()
            self._litellm.in_memory_llm_clients_cache.flush_cache()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Chunk, None]:
        """Stream one call; raises ModelError, ModelInterrupted once something has come.

        A provider that refuses what it wanted back is asked once more without it: a signature may
        have run out, and a thread must not hang on it.
        """
        await self.prepare()
        back = going_back(request.messages, request.choice, request.format)
        request = replace(request, messages=back)
        bare = replace(request, messages=without_kept(back))
        try:
            async with aclosing(self._stream(request)) as chunks:
                async for chunk in chunks:
                    yield chunk
        except (ModelBadRequest, ModelServerFault) as error:
            if images_refused(error, request):
                raise ImagesRefused(detail=error.detail) from None
            if bare == request or not _about_reasoning(error):
                if figures_refused(error, request):
                    raise FiguresRefused(detail=error.detail) from None
                raise
        else:
            return
        async with aclosing(self._stream(bare)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def _stream(self, request: ModelRequest) -> AsyncGenerator[Chunk, None]:
        keeper = Keeper(request.choice)
        request = replace(request, choice=spoken(request.choice, os.environ))
        route = Route.of(self._litellm, request.choice)
        reader = DeltaReader()
        failure: ModelError | None = None
        watchdog = Watchdog(self._limits.idle_model_seconds, self._limits.total_model_seconds)
        stream: Any = None
        try:
            arguments = arguments_of(self._litellm, request, route, self._limits)
            stream = await watchdog.wait(self._litellm.acompletion(**arguments))
            chunks = aiter(stream)
            # Asked on when all is there, it would copy the whole talk for logs that nobody has.
            while (
                not reader.complete
                and (chunk := await watchdog.wait(anext(chunks, None))) is not None
            ):
                keeper.read(chunk, reader.said)
                for content in reader.read(chunk):
                    yield content
                    watchdog.content()
            if route.openai_format and not _was_finished(stream):
                reader.finish = None
        except Exception as error:  # noqa: BLE001
            failure = self._failure(error, request.choice, reader.any_content)
        finally:
            # Else the provider goes on writing, and the person goes on paying.
            if stream is not None:
                await stream.aclose()
        if failure is not None:
            # Raised out here, so that it carries no trace of what litellm was given.
            raise failure
        for chunk in self._ending(reader, route):
            yield chunk
        if request.format == "tools" and keeper.wanted:
            kept = await asyncio.to_thread(keeper.kept, self._litellm, reader.said)
            if kept is not None:
                yield KeptChunk(kept.data)
        yield FinishChunk(reader.finish or "stop")

    def _failure(self, error: Exception, choice: ModelChoice, begun: bool) -> ModelError:
        sentence = None
        if isinstance(error, ModelError):
            return error
        if isinstance(error, TooQuiet):
            sentence = f"The model sent nothing for {error}, so the call was ended."
        elif isinstance(error, TooLong):
            sentence = f"The model took more than {error}, so the call was ended."
        if sentence and not begun:
            return ModelTimeout(f"{sentence} {UNCHANGED} Try again, or choose another model.")
        limit = self._limits.provider_words_chars
        known = classify(trouble_in(error), redactor(choice, os.environ), limit)
        if not begun:
            nameless = bool(choice.api_base) and choice.key_env is None
            if nameless and isinstance(known, ModelKeyRejected):
                return ModelKeyRejected(ModelKeyRejected.unnamed, detail=known.detail)
            return known
        sentence = sentence and f"{sentence} {ModelInterrupted.rest}"
        return ModelInterrupted(sentence, detail=None if sentence else known.detail)

    def _ending(self, reader: DeltaReader, route: Route) -> Iterator[Chunk]:
        yield from reader.end()
        if reader.usage is not None and reader.usage.prompt_tokens:
            # Also of an answer that is none: the provider has counted it.
            yield counted(self._litellm, reader.usage, route)
        if not reader.any_content and reader.finish in ("stop", "tool_calls", None):
            raise EmptyResponse
        if reader.finish is None:
            raise ModelInterrupted

    # ── what is known without a call, or when a provider did not say

    async def has_tools(self, choice: ModelChoice) -> bool | None:
        """Whether the library's table says that a model has tools; None if it does not know it."""
        await self.prepare()
        return table_has_tools(self._litellm, spoken(choice, os.environ))

    async def sees(self, choice: ModelChoice) -> bool | None:
        """Whether the library's table says that a model sees; None if it does not know it."""
        await self.prepare()
        return table_sees(self._litellm, spoken(choice, os.environ))

    async def window(self, choice: ModelChoice) -> int | None:
        """What one call to a model may hold, by the library's table; None if it is not there."""
        await self.prepare()
        return table_window(self._litellm, spoken(choice, os.environ))

    async def count(self, texts: Sequence[str]) -> Sequence[Tally] | None:
        """Count the tokens of texts; None while the library is not loaded."""
        if self._litellm is None:
            return None
        return await asyncio.to_thread(tallies, self._litellm, texts)

    async def estimate(self, request: ModelRequest, heard: str) -> UsageChunk | None:
        """Count the tokens of a call with the library's tokenizer, priced as usual."""
        if self._litellm is None:
            return None
        choice = spoken(request.choice, os.environ)
        return await asyncio.to_thread(
            estimated, self._litellm, replace(request, choice=choice), heard
        )


def _about_reasoning(error: ModelError) -> bool:
    """Whether a request was refused for the reasoning in it."""
    refused = isinstance(error, ModelBadRequest)
    return refused and _ABOUT_REASONING.search(error.detail or "") is not None


def _was_finished(stream: Any) -> bool:
    """Older releases call a stream that just stops complete, and make up a reason."""
    return getattr(stream, "received_finish_reason", "unknown") is not None


def redactor(choice: ModelChoice, environ: Mapping[str, str]) -> Redactor:
    """Hide the key of a choice too, whatever its variable is called."""
    key = environ.get(choice.key_env or "", "").strip()
    return Redactor({**environ, "CHOSEN_KEY": key})
