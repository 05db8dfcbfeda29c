"""What a choice of model comes to: an address, and a key that stays in the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from cave_lab.errors import ModelKeyMissing, ModelUnreachable
from cave_lab.model.port import ModelChoice

NO_KEY = "no-key"
"""Sent to a base URL that was given no key: an empty one makes clients look for another's."""


@dataclass(frozen=True)
class LocalServer:
    """A server on the person's machine that also speaks the OpenAI format."""

    variable: str
    """The environment variable that moves it elsewhere."""
    address: str
    path: str


_OLLAMA = LocalServer("OLLAMA_API_BASE", "http://localhost:11434", "/v1")
LOCAL_SERVERS = {
    "ollama": _OLLAMA,
    "ollama_chat": _OLLAMA,
    "lemonade": LocalServer("LEMONADE_API_BASE", "http://localhost:8000", "/api/v1"),
}
"""By provider. For their own formats litellm asks the server about the model, and the event loop
waits for the answer."""


def spoken(choice: ModelChoice, environ: Mapping[str, str]) -> ModelChoice:
    """Name a model of a local server as one of the OpenAI format; any other stays as it is."""
    provider, _, model = choice.name.partition("/")
    server = LOCAL_SERVERS.get(provider)
    if server is None:
        return choice
    base = (choice.api_base or environ.get(server.variable) or server.address).rstrip("/")
    if base.count("/") == 2:
        base += server.path
    return replace(choice, name=f"openai/{model}", api_base=base)


def key_names(environ: Mapping[str, str]) -> list[str]:
    """Name the variables that seem to hold a provider's key; never their values."""
    return sorted(name for name, value in environ.items() if name.endswith("_API_KEY") and value)


def key_for(choice: ModelChoice, environ: Mapping[str, str]) -> str | None:
    """Read the key of a choice; None leaves it to the provider's usual variable.

    A base URL of the person's own never gets the usual variable's key: it belongs to someone else.
    Raises ModelKeyMissing if the variable named is not set.
    """
    if choice.key_env is None:
        return NO_KEY if choice.api_base else None
    return key_in(choice.key_env, environ)


def key_in(variable: str, environ: Mapping[str, str]) -> str:
    """Read a key; raises ModelKeyMissing if there is none."""
    # What reads a key from a file often leaves a line's end behind it, which no header may hold.
    key = environ.get(variable, "").strip()
    if not key:
        raise missing(variable)
    return key


def missing(variable: str) -> ModelKeyMissing:
    """The error that no key stands in a variable."""
    return ModelKeyMissing(
        f"The environment variable {variable} is not set where the Jupyter server runs, or is "
        "empty, so nothing was sent. Set it, then restart the server."
    )


def address_of(choice: ModelChoice) -> str | None:
    """Give the base URL, None for the provider's own; raises ModelUnreachable if it is none."""
    if not choice.api_base:
        return None
    try:
        parts = urlsplit(choice.api_base)
        well_formed = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        well_formed = False
    if not well_formed:
        raise ModelUnreachable(
            "The base URL is not a web address. Write it as in http://localhost:8000/v1."
        )
    return choice.api_base
