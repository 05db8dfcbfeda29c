"""What a call used and cost, and what the library's tables know of a model."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from cave_lab.errors import ModelNotFound
from cave_lab.model.kept import Kept
from cave_lab.model.litellm.route import Route
from cave_lab.model.port import (
    AssistantMessage,
    ModelChoice,
    ModelRequest,
    UsageChunk,
    asked_in,
)
from cave_lab.model.wire import tools_of

TABLE = "litellm's table"
PROVIDER = "the provider"
"""Where a price comes from."""

MESSAGE_TOKENS = 4
"""What the frame of a message costs in most chat templates."""


def counted(litellm: Any, usage: Any, route: Route) -> UsageChunk:
    """Read the usage that a provider reported; what the table has no price for, some price."""
    details = getattr(usage, "prompt_tokens_details", None)
    listed = _by_table(litellm, usage, route)
    cost = _told(usage) if listed is None else listed
    return UsageChunk(
        prompt=usage.prompt_tokens or 0,
        completion=usage.completion_tokens or 0,
        cached=getattr(details, "cached_tokens", None) or 0,
        cost=cost,
        price_source=None if cost is None else PROVIDER if listed is None else TABLE,
    )


def _told(usage: Any) -> float | None:
    told = getattr(usage, "cost", None)
    return float(told) if isinstance(told, int | float) else None


def _by_table(litellm: Any, usage: Any, route: Route) -> float | None:
    try:
        prompt, completion = litellm.cost_per_token(
            model=route.model, custom_llm_provider=route.provider, usage_object=usage
        )
    except Exception:  # noqa: BLE001
        # It has no price for this model; each release says so by another class.
        return None
    return float(prompt + completion)


def estimated(litellm: Any, request: ModelRequest, heard: str) -> UsageChunk:
    """Count the tokens of a call whose provider did not say; work for a thread."""

    def count(text: str) -> int:
        return len(litellm.encoding.encode(text, disallowed_special=()))

    tools = tools_of(request)
    texts = [message.text for message in request.messages]
    texts += [
        asked_in(m.action) for m in request.messages if isinstance(m, AssistantMessage) and m.action
    ]
    texts += [
        Kept.read(m.kept).words
        for m in request.messages
        if isinstance(m, AssistantMessage) and m.kept
    ]
    frames = MESSAGE_TOKENS * len(request.messages)
    usage = litellm.Usage(
        prompt_tokens=sum(map(count, texts)) + frames + (count(json.dumps(tools)) if tools else 0),
        completion_tokens=count(heard),
    )
    return replace(counted(litellm, usage, Route.of(litellm, request.choice)), estimated=True)


def table_has_tools(litellm: Any, choice: ModelChoice) -> bool | None:
    """Whether the library's table says that a model has tools; None if it does not know it."""
    try:
        route = Route.of(litellm, choice)
    except ModelNotFound:
        return None
    entry = table_entry(litellm, route)
    return None if entry is None else bool(entry.get("supports_function_calling"))


def table_entry(litellm: Any, route: Route) -> dict[str, Any] | None:
    """What the library's table has of a model; None if it does not know it."""
    names = (f"{route.provider}/{route.model}", route.model)
    found = (litellm.model_cost.get(name) for name in names)
    return next((entry for entry in found if entry is not None), None)
