"""The only module that knows litellm: loads it late, keeps it harmless, streams through it."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

from cave_lab.errors import (
    EmptyResponse,
    ModelError,
    ModelInterrupted,
    ModelNotFound,
    ModelTimeout,
    ToolsUnsupported,
)
from cave_lab.limits import Limits
from cave_lab.model.choice import address_of, key_for, spoken
from cave_lab.model.delta import DeltaReader
from cave_lab.model.faults import classify, trouble_in
from cave_lab.model.port import Chunk, FinishChunk, ModelChoice, ModelRequest, UsageChunk
from cave_lab.model.watchdog import TooLong, TooQuiet, Watchdog
from cave_lab.model.wire import messages_of, tools_of
from cave_lab.privacy.redact import Redactor

PRICE_SOURCE = "litellm's table"

_GUARDS = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_OFFLINE_MODE": "true",
    # Else a `.env` beside the server would be loaded into the server's environment.
    "LITELLM_MODE": "PRODUCTION",
    "REPEATED_STREAMING_CHUNK_LIMIT": "1000000",
}
"""No look-ups over the network while importing, and no end of a stream for equal chunks."""

_loading = threading.Lock()


# ── the library, once


@contextmanager
def _guarded_environment() -> Iterator[None]:
    # Kernels inherit the environment, so nothing of this may stay, nor what the import adds.
    before = {name: os.environ.get(name) for name in [*_GUARDS, "TIKTOKEN_CACHE_DIR"]}
    os.environ.update(_GUARDS)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def load() -> Any:
    """Import litellm, or give it if it is there: seconds of work, so call it in a thread."""
    with _loading, _guarded_environment():
        import litellm

        for loaded_late in ("acompletion", "get_llm_provider", "encoding"):
            getattr(litellm, loaded_late)
        with suppress(ImportError):
            from litellm.anthropic_beta_headers_manager import get_provider_name

            get_provider_name("anthropic")
    _quiet(litellm)
    return litellm


def _quiet(litellm: Any) -> None:
    # At DEBUG these write whole prompts into the server's log.
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "openai", "httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)
        logging.getLogger(name).propagate = not name.startswith("LiteLLM")
    litellm.suppress_debug_info = True
    litellm.disable_hf_tokenizer_download = True
    # Where a provider reports no usage it would guess, with a tokenizer fetched for the purpose.
    litellm.disable_token_counter = True
    litellm.REPEATED_STREAMING_CHUNK_LIMIT = int(_GUARDS["REPEATED_STREAMING_CHUNK_LIMIT"])


# ── a choice of model, as litellm wants to hear it


@dataclass(frozen=True)
class Route:
    """Which provider serves a model, and by what name there."""

    model: str
    provider: str
    openai_format: bool

    @classmethod
    def of(cls, litellm: Any, choice: ModelChoice) -> Route:
        """Find the route; a name that litellm can't place is taken for the base URL's own.

        Raises ModelNotFound if there is no base URL either.
        """
        try:
            model, provider, _, _ = litellm.get_llm_provider(choice.name, api_base=choice.api_base)
        except Exception:  # noqa: BLE001
            # By many classes, one a provider, and some only speak of a missing key.
            if choice.api_base:
                return cls(choice.name, "openai", openai_format=True)
            raise ModelNotFound(
                f"No provider is known for the model {choice.name!r}. Write it as provider/model, "
                "as in openai/gpt-4.1, or give the base URL of the server that has it."
            ) from None
        same = provider == "openai" or provider in litellm.openai_compatible_providers
        return cls(model, provider, openai_format=same)


# ── the model


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
        """Stream one call; raises ModelError, ModelInterrupted once something has come."""
        await self.prepare()
        request = replace(request, choice=spoken(request.choice, os.environ))
        route = Route.of(self._litellm, request.choice)
        arguments = self._arguments(request, route)
        reader = DeltaReader()
        failure: ModelError | None = None
        watchdog = Watchdog(self._limits.idle_model_seconds, self._limits.total_model_seconds)
        stream: Any = None
        try:
            stream = await watchdog.wait(self._litellm.acompletion(**arguments))
            chunks = aiter(stream)
            while (chunk := await watchdog.wait(anext(chunks, None))) is not None:
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

    def _arguments(self, request: ModelRequest, route: Route) -> dict[str, Any]:
        choice = request.choice
        tools = tools_of(request)
        known = self._litellm.get_supported_openai_params(route.model, route.provider) or ["tools"]
        if tools and "tools" not in known and not route.openai_format:
            raise ToolsUnsupported
        arguments = {
            "model": route.model,
            "custom_llm_provider": route.provider,
            "messages": messages_of(request, cache_marks=route.provider == "anthropic"),
            "stream": True,
            "stream_options": {"include_usage": True},
            "api_base": address_of(choice),
            "api_key": key_for(choice, os.environ),
            # The clocks are ours: this one would be put back by every keep-alive.
            "timeout": self._limits.total_model_seconds,
            "num_retries": 0,
            "max_retries": 0,
            "drop_params": True,
            "allowed_openai_params": list(tools) if route.openai_format else None,
            **tools,
        }
        return {name: value for name, value in arguments.items() if value is not None}

    def _failure(self, error: Exception, choice: ModelChoice, begun: bool) -> ModelError:
        sentence = None
        if isinstance(error, ModelError):
            return error
        if isinstance(error, TooQuiet):
            sentence = f"The model sent nothing for {error}, so the call was ended."
        elif isinstance(error, TooLong):
            sentence = f"The model took more than {error}, so the call was ended."
        if sentence and not begun:
            return ModelTimeout(f"{sentence} Try again.")
        limit = self._limits.provider_words_chars
        known = classify(trouble_in(error), redactor(choice, os.environ), limit)
        if not begun:
            return known
        sentence = sentence and f"{sentence} What came so far is kept; no unfinished cell ran."
        return ModelInterrupted(sentence, detail=None if sentence else known.detail)

    def _ending(self, reader: DeltaReader, route: Route) -> Iterator[Chunk]:
        yield from reader.end()
        if not reader.any_content and reader.finish in ("stop", "tool_calls", None):
            raise EmptyResponse
        if reader.finish is None:
            raise ModelInterrupted
        if reader.usage is not None and reader.usage.prompt_tokens:
            yield self._usage(reader.usage, route)
        yield FinishChunk(reader.finish)

    def _usage(self, usage: Any, route: Route) -> UsageChunk:
        details = getattr(usage, "prompt_tokens_details", None)
        cost = self._cost(usage, route)
        return UsageChunk(
            prompt=usage.prompt_tokens or 0,
            completion=usage.completion_tokens or 0,
            cached=getattr(details, "cached_tokens", None) or 0,
            cost=cost,
            price_source=None if cost is None else PRICE_SOURCE,
        )

    def _cost(self, usage: Any, route: Route) -> float | None:
        try:
            prompt, completion = self._litellm.cost_per_token(
                model=route.model, custom_llm_provider=route.provider, usage_object=usage
            )
        except Exception:  # noqa: BLE001
            # It has no price for this model; each release says so by another class.
            return None
        return float(prompt + completion)


def _was_finished(stream: Any) -> bool:
    """Older releases call a stream that just stops complete, and make up a reason."""
    return getattr(stream, "received_finish_reason", "unknown") is not None


def redactor(choice: ModelChoice, environ: Mapping[str, str]) -> Redactor:
    """Hide the key of a choice too, whatever its variable is called."""
    key = environ.get(choice.key_env or "", "")
    return Redactor({**environ, "CHOSEN_KEY": key})
