"""Trying again, visibly: only before the first token, and only what may pass by itself."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from cave_lab.errors import (
    UNCHANGED,
    ModelDropped,
    ModelError,
    ModelRateLimited,
    ModelServerFault,
)
from cave_lab.limits import Limits
from cave_lab.model.port import Chunk, ReasoningChunk, Retrying, TextChunk, ToolChunk

PASSING = (ModelRateLimited, ModelServerFault, ModelDropped)
"""Key, billing, quota, policy and a bad request are the same a second later."""


async def with_retries(
    begin: Callable[[], AsyncGenerator[Chunk, None]], limits: Limits
) -> AsyncGenerator[Chunk | Retrying, None]:
    """Stream one call, begun anew after a passing failure; raises the last ModelError."""
    attempt = 0
    while True:
        visible = False
        try:
            async with aclosing(begin()) as chunks:
                async for chunk in chunks:
                    visible = visible or isinstance(chunk, TextChunk | ReasoningChunk | ToolChunk)
                    yield chunk
        except PASSING as error:
            attempt += 1
            wait = wait_before(attempt, error, limits)
            if visible or wait is None:
                raise _with_its_wait(error, limits) from None
            retrying = Retrying(attempt, wait, error.code, error.happened)
        else:
            return
        yield retrying
        await asyncio.sleep(wait)


def wait_before(attempt: int, error: ModelError, limits: Limits) -> float | None:
    """Seconds before a try, the first being 1; None when there is no sense in another.

    A provider that asks for a longer wait than we would make would only refuse again.
    """
    asked = error.retry_after
    if attempt > limits.model_retries or (asked or 0) > limits.retry_after_max_seconds:
        return None
    # Spread, so that the threads of a busy server do not all come back at once.
    own = limits.retry_first_seconds * 2.0 ** (attempt - 1) * random.uniform(0.8, 1.2)
    return min(max(own, asked or 0), limits.retry_after_max_seconds)


def _with_its_wait(error: ModelError, limits: Limits) -> ModelError:
    """Say how long the provider asks to wait, where that is longer than we would."""
    asked = error.retry_after
    if asked is None or asked <= limits.retry_after_max_seconds:
        return error
    sentence = f"{error.happened} It asks to wait {_span(asked)}. {UNCHANGED} Try again after that."
    return type(error)(sentence, detail=error.detail, retry_after=asked)


def _span(seconds: float) -> str:
    """A time in the largest unit of which there are at least two, rounded up."""
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{math.ceil(seconds / size)} {unit}"
    return f"{math.ceil(seconds)} seconds"
