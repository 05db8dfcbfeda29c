"""Which provider serves a model, as litellm has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cave_lab.errors import ModelNotFound
from cave_lab.model.port import ModelChoice

_SIGN_IN = ("github_copilot", "chatgpt")
"""Merely asked for their route, they ask the network for a code to sign in with, print it, and wait
for minutes while the event loop stands still."""


@dataclass(frozen=True)
class Route:
    """Which provider serves a model, and by what name there."""

    model: str
    provider: str
    openai_format: bool

    @classmethod
    def of(cls, litellm: Any, choice: ModelChoice) -> Route:
        """Find the route; a name that litellm can't place is taken for the base URL's own.

        Raises ModelNotFound if there is no base URL either, and for a provider of `_SIGN_IN`.
        """
        if choice.name.partition("/")[0] in _SIGN_IN:
            raise ModelNotFound(
                f"The provider of {choice.name!r} wants a sign-in that can't be done here, so "
                "nothing was sent. Choose another model."
            )
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
