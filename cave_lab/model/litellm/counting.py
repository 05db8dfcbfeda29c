"""What a call used and cost, and what the library's tables know of a model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cave_lab.errors import ModelNotFound
from cave_lab.model.counted import texts_of
from cave_lab.model.litellm.library import tokenizer
from cave_lab.model.litellm.route import Route
from cave_lab.model.port import ModelChoice, ModelRequest, UsageChunk
from cave_lab.model.tokens import FRAME, Rates, Tally

TABLE = "litellm's table"
PROVIDER = "the provider"
"""Where a price comes from."""

_WIDE = re.compile(
    "(?: ?[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef"
    "\U00020000-\U0003ffff])+"
)
"""Hangul, kana and Chinese characters; a space belongs to the word behind it."""
_PIECE = 4_000
"""Characters encoded at once: the time for a run without any gap grows with its square."""


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

    *asked, said = tallies(litellm, [*texts_of(request), heard])
    ours = Rates()
    usage = litellm.Usage(
        prompt_tokens=round(sum(ours.of(FRAME + tally) for tally in asked)),
        completion_tokens=round(ours.of(said)),
    )
    return replace(counted(litellm, usage, Route.of(litellm, request.choice)), estimated=True)


def tallies(litellm: Any, texts: Sequence[str]) -> list[Tally]:
    """Count texts; work for a thread."""
    encoding = tokenizer(litellm)

    def count(text: str) -> int:
        pieces = (text[at : at + _PIECE] for at in range(0, len(text), _PIECE))
        return sum(len(encoding.encode(piece, disallowed_special=())) for piece in pieces)

    def tally(text: str) -> Tally:
        wide = "".join(_WIDE.findall(text))
        return Tally(count(_WIDE.sub("", text) if wide else text), count(wide))

    return [tally(text) for text in texts]


def table_window(litellm: Any, choice: ModelChoice) -> int | None:
    """What one call to a model may hold, by the library's table; None if it does not say."""
    try:
        entry = table_entry(litellm, Route.of(litellm, choice))
    except ModelNotFound:
        return None
    told = entry.get("max_input_tokens") if entry is not None else None
    return told if isinstance(told, int) and told > 0 else None


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
