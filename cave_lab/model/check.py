"""Tries a choice of model with one tiny call, and says in sentences what came back."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass

from cave_lab.errors import ModelError, ModelTimeout
from cave_lab.limits import Limits
from cave_lab.model.actions import RUN_CELL
from cave_lab.model.port import (
    Model,
    ModelChoice,
    ModelRequest,
    SystemMessage,
    TextChunk,
    ToolChunk,
    UserMessage,
)
from cave_lab.privacy.redact import Redactor

_SYSTEM = SystemMessage(
    f"This is a test of the connection. Call the tool `{RUN_CELL}`, nothing else."
)
_USER = UserMessage(f"Call `{RUN_CELL}` with the purpose 'test' and the code '1'.")
_WORDS_ENOUGH = 400
"""Characters of an answer without a call after which none is to be expected."""


@dataclass(frozen=True)
class CheckReport:
    """What was tried, what came back, and what it means; never the key."""

    ok: bool
    """The model answered and called the tool."""
    tried: str
    outcome: str
    """The whole verdict in sentences, tools included: nothing has to be added to it."""
    tools: bool | None
    """Whether the model called the tool; None if that was not found out."""
    seconds: float
    code: str | None = None
    """The error's stable code, if there was one."""
    detail: str | None = None
    """The provider's own words, scrubbed."""


SCRIPTED = CheckReport(
    True, "The guided tour.", "It is scripted, not an AI, and needs no server.", True, 0.0
)


async def check(choice: ModelChoice, model: Model, limits: Limits) -> CheckReport:
    """Make one short streamed call, ended once it has shown enough; a failure is a report too."""
    loop = asyncio.get_running_loop()
    start = loop.time()
    try:
        async with asyncio.timeout(limits.check_seconds):
            called = await _calls_tool(model, ModelRequest(choice, (_SYSTEM, _USER)))
    except TimeoutError:
        late = ModelTimeout(f"Nothing useful came back within {limits.check_seconds:g} seconds.")
        return failed(choice, late, loop.time() - start)
    except ModelError as error:
        return failed(choice, error, loop.time() - start)
    outcome = (
        "It answered and called the tool: it can run cells here."
        if called
        else "It answered in words and did not call the tool as it was told, so it can't be relied "
        "on to run cells here. Choose a model with tools."
    )
    return CheckReport(called, _tried(choice), outcome, called, loop.time() - start)


async def _calls_tool(model: Model, request: ModelRequest) -> bool:
    words = 0
    async with aclosing(model.stream(request)) as chunks:
        async for chunk in chunks:
            if isinstance(chunk, ToolChunk) and chunk.name == RUN_CELL:
                return True
            words += len(chunk.text) if isinstance(chunk, TextChunk) else 0
            if words > _WORDS_ENOUGH:
                return False
    return False


def failed(choice: ModelChoice, error: ModelError, seconds: float = 0.0) -> CheckReport:
    """Report a failure."""
    tools = False if error.code == "tools_unsupported" else None
    return CheckReport(
        False, _tried(choice), str(error), tools, seconds, code=error.code, detail=error.detail
    )


def _tried(choice: ModelChoice) -> str:
    # An address may hold a password, which is redacted by its shape.
    where = f"at {Redactor({})(choice.api_base)}" if choice.api_base else "at its usual address"
    key = f"the key in {choice.key_env}" if choice.key_env else "no key named"
    return f"The model {choice.name!r} {where}, with {key}."
