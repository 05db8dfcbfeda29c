"""Which key is sent, and which variables a provider's own may stand in, as litellm reads them."""

from __future__ import annotations

from collections.abc import Mapping

from cave_lab.model.choice import key_for, key_in, missing
from cave_lab.model.litellm.route import Route
from cave_lab.model.port import ModelChoice

_OPENAI = ("openai", "text-completion-openai")
"""The provider itself, by its names here."""

_ONE_VARIABLE = (
    "cerebras",
    "dashscope",
    "deepinfra",
    "deepseek",
    "groq",
    "hyperbolic",
    "minimax",
    "moonshot",
    "nebius",
    "novita",
    "nvidia_nim",
    "sambanova",
    "xai",
    "zai",
)
_COHERE = ("COHERE_API_KEY", "CO_API_KEY")
VARIABLES: Mapping[str, tuple[str, ...]] = {
    **{provider: (f"{provider.upper()}_API_KEY",) for provider in _ONE_VARIABLE},
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "cohere": _COHERE,
    "cohere_chat": _COHERE,
    "fireworks_ai": (
        "FIREWORKS_AI_API_KEY",
        "FIREWORKS_API_KEY",
        "FIREWORKSAI_API_KEY",
        "FIREWORKS_AI_TOKEN",
    ),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY", "PALM_API_KEY"),
    "mistral": ("MISTRAL_API_KEY", "MISTRAL_AZURE_API_KEY"),
    "openrouter": ("OPENROUTER_API_KEY", "OR_API_KEY"),
    "perplexity": ("PERPLEXITYAI_API_KEY", "PERPLEXITY_API_KEY"),
    "together_ai": (
        "TOGETHERAI_API_KEY",
        "TOGETHER_API_KEY",
        "TOGETHER_AI_API_KEY",
        "TOGETHER_AI_TOKEN",
    ),
}
"""By provider, the usual one first; any of them will do. Only providers that answer nobody without
a key: those with credentials of another kind, or with none, are left to litellm."""

_BASES = ("API_BASE", "BASE_URL", "AZURE_API_BASE")
_OTHER_CREDENTIALS = {"anthropic": ("ANTHROPIC_FEDERATION_RULE_ID",)}
"""An identity that the machine itself has."""


def key_of(choice: ModelChoice, route: Route, environ: Mapping[str, str]) -> str | None:
    """The key to send; None leaves a provider to its own variables, which OpenAI may not share.

    Raises ModelKeyMissing if a variable is not set without which no answer would come.
    """
    key = key_for(choice, environ)
    if key is not None:
        return key
    if route.provider in _OPENAI:
        return key_in("OPENAI_API_KEY", environ)
    variables = VARIABLES.get(route.provider, ())
    unset = not any(environ.get(name, "").strip() for name in variables)
    if variables and unset and not _is_elsewhere(route.provider, environ):
        raise missing(variables[0])
    return None


def _is_elsewhere(provider: str, environ: Mapping[str, str]) -> bool:
    """Whether a variable gives other credentials, or an address which may want none."""
    keys = VARIABLES[provider]
    names = {provider.upper(), *(key.removesuffix("_API_KEY") for key in keys)}
    bases = [f"{name}_{end}" for name in names for end in _BASES]
    return any(environ.get(name) for name in (*bases, *_OTHER_CREDENTIALS.get(provider, ())))
