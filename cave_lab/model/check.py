"""Tries a choice of model with a tiny call or two, and says in sentences what came back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Literal

from cave_lab.errors import UNCHANGED, ModelError, ModelTimeout, ToolsUnsupported
from cave_lab.limits import Limits
from cave_lab.model.actions import RUN_CELL
from cave_lab.model.port import (
    ActionReady,
    CodeDelta,
    ModelChoice,
    ModelRequest,
    ReplyPart,
    SystemMessage,
    TextChunk,
    UserMessage,
)
from cave_lab.privacy.redact import Redactor
from cave_lab.protocol.words import ActionFormat

_ASKED: dict[ActionFormat, tuple[SystemMessage, UserMessage]] = {
    "tools": (
        SystemMessage(
            f"This is a test of the connection. Call the tool `{RUN_CELL}`, nothing else."
        ),
        UserMessage(f"Call `{RUN_CELL}` with the purpose 'test' and the code '1'."),
    ),
    "fences": (
        SystemMessage("This is a test of the connection. Answer with this block, nothing else."),
        UserMessage("Write exactly this:\n\n```python run test\n1\n```"),
    ),
}
_WORDS_ENOUGH = 400
"""Characters of an answer without an action after which none is to be expected."""

_CAN_RUN = "it can run cells here."
_BY_TOOL = f"It answered and called the tool: {_CAN_RUN}"
_BY_FENCE = f"wrote a fenced block as it was told: {_CAN_RUN}"
_NEITHER = (
    "It answered in words, and did not ask for a cell in the way it was told, so it can't be "
    "relied on to run cells here. Choose another model, or talk with it in the mode Chat only."
)

Ask = Callable[[ModelRequest], AsyncGenerator[ReplyPart, None]]
"""Makes one call, tried a single time."""

Seen = Literal["called_the_tool", "tools_refused", "tool_not_called"]


@dataclass(frozen=True)
class CheckReport:
    """What was tried, what came back, and what it means; never the key."""

    ok: bool
    """The model answered and asked for a cell."""
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
    seen: Seen | None = None
    """What is worth remembering of the model."""


SCRIPTED = CheckReport(
    True, "The guided tour.", "It is scripted, not an AI, and needs no server.", True, 0.0
)


async def check(
    choice: ModelChoice,
    ask: Ask,
    format: ActionFormat | None,
    limits: Limits,
    *,
    plain_fences_run: bool = False,
) -> CheckReport:
    """Make one short streamed call, ended once it has shown enough; a failure is a report too.

    Without a format the tool is tried first, then a fenced block; with `plain_fences_run` one
    without the word `run` will do.
    """
    trial = ModelRequest(choice, (), plain_fences_run=plain_fences_run)
    loop = asyncio.get_running_loop()
    start = loop.time()
    try:
        async with asyncio.timeout(limits.check_seconds):
            outcome, seen, ok = await _tried_out(trial, ask, format)
    except TimeoutError:
        late = ModelTimeout(f"Nothing useful came back within {limits.check_seconds:g} seconds.")
        return failed(choice, late, loop.time() - start)
    except ModelError as error:
        return failed(choice, error, loop.time() - start)
    tools = None if seen is None else seen == "called_the_tool"
    return CheckReport(ok, _tried(choice), outcome, tools, loop.time() - start, seen=seen)


async def _tried_out(
    trial: ModelRequest, ask: Ask, format: ActionFormat | None
) -> tuple[str, Seen | None, bool]:
    """The outcome in words, what was seen of tools, and whether the model can run cells."""
    first = "It "
    seen: Seen | None = None
    if format != "fences":
        try:
            if await _acts(ask, trial, "tools"):
                return _BY_TOOL, "called_the_tool", True
            first, seen = "It did not call the tool, but ", "tool_not_called"
        except ToolsUnsupported:
            if format == "tools":
                raise
            first, seen = "It has no tools, but ", "tools_refused"
        if format == "tools":
            return _NEITHER, seen, False
    if await _acts(ask, trial, "fences"):
        return f"{first}{_BY_FENCE}", seen, True
    return _NEITHER, seen, False


async def _acts(ask: Ask, trial: ModelRequest, format: ActionFormat) -> bool:
    """Whether the model asks for a cell in this format."""
    words = 0
    request = replace(trial, messages=_ASKED[format], format=format)
    async with aclosing(ask(request)) as parts:
        async for part in parts:
            # A call's code shows as soon as it is begun; a block counts once it is complete.
            if isinstance(part, ActionReady) or (format == "tools" and isinstance(part, CodeDelta)):
                return True
            words += len(part.text) if isinstance(part, TextChunk) else 0
            if words > _WORDS_ENOUGH:
                return False
    return False


def failed(choice: ModelChoice, error: ModelError, seconds: float = 0.0) -> CheckReport:
    """Report a failure; nobody expects of a test that it changes a notebook."""
    refused = isinstance(error, ToolsUnsupported)
    return CheckReport(
        False,
        _tried(choice),
        str(error).replace(f"{UNCHANGED} ", ""),
        False if refused else None,
        seconds,
        code=error.code,
        detail=error.detail,
        seen="tools_refused" if refused else None,
    )


def _tried(choice: ModelChoice) -> str:
    # An address may hold a password, which is redacted by its shape.
    where = f"at {Redactor({})(choice.api_base)}" if choice.api_base else "at its usual address"
    key = f"the key in {choice.key_env}" if choice.key_env else "no key named"
    return f"The model {choice.name!r} {where}, with {key}."
