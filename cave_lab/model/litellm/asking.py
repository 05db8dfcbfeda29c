"""What litellm is given for one call."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cave_lab.errors import ToolsUnsupported
from cave_lab.limits import Limits
from cave_lab.model.choice import address_of
from cave_lab.model.kept import begins_with_thinking, without_thinking
from cave_lab.model.litellm.counting import table_entry
from cave_lab.model.litellm.keys import key_of
from cave_lab.model.litellm.route import Route
from cave_lab.model.port import ModelChoice, ModelRequest
from cave_lab.model.wire import messages_of, tools_of
from cave_lab.protocol.words import Effort


def arguments_of(
    litellm: Any, request: ModelRequest, route: Route, limits: Limits
) -> dict[str, Any]:
    """Write the call, without fields that have no value.

    Raises ModelKeyMissing and ToolsUnsupported.
    """
    choice = request.choice
    tools = tools_of(request)
    known = litellm.get_supported_openai_params(route.model, route.provider) or ["tools"]
    if tools and "tools" not in known and not route.openai_format:
        raise ToolsUnsupported
    effort = _effort(litellm, choice, route, known)
    if _must_not_think(litellm, request, route, effort):
        effort, request = None, replace(request, messages=without_thinking(request.messages))
    arguments = {
        "model": route.model,
        "custom_llm_provider": route.provider,
        "messages": messages_of(request, cache_marks=route.provider == "anthropic"),
        "stream": True,
        "stream_options": {"include_usage": True},
        "api_base": address_of(choice),
        "api_key": key_of(choice, route, os.environ),
        # The clocks are ours: this one would be put back by every keep-alive.
        "timeout": limits.total_model_seconds,
        "num_retries": 0,
        "max_retries": 0,
        "drop_params": True,
        "reasoning_effort": effort,
        # Else it would leave out what it does not know of a model.
        "allowed_openai_params": [*tools, "reasoning_effort"] if route.openai_format else None,
        **tools,
    }
    return {name: value for name, value in arguments.items() if value is not None}


def _effort(litellm: Any, choice: ModelChoice, route: Route, known: Sequence[str]) -> Effort | None:
    """How much reasoning to ask for; a model of which it is known that it takes none is not asked.

    One that nobody knows, as on the person's own server, is asked: the person chose the effort.
    """
    unknown = route.openai_format and table_entry(litellm, route) is None
    return choice.effort if unknown or "reasoning_effort" in known else None


def _must_not_think(
    litellm: Any, request: ModelRequest, route: Route, effort: Effort | None
) -> bool:
    """Whether the provider would refuse to think on in an exchange that has lost its thinking.

    Models that decide by themselves when to think do not mind.
    """
    if effort is None or request.format != "tools" or "claude" not in route.model:
        return False
    if begins_with_thinking(request.messages):
        return False
    mapped = litellm.get_optional_params(
        model=route.model,
        custom_llm_provider=route.provider,
        reasoning_effort=effort,
        drop_params=True,
    )
    return bool((mapped.get("thinking") or {}).get("type") == "enabled")
