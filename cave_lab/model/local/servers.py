"""Finding model servers on this machine, when a person asks for it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from cave_lab.limits import Limits
from cave_lab.model.local.http import LOOPBACK, Answer, Question, ask, authority
from cave_lab.model.local.owner import owner_of

ServerKind = Literal["ollama", "lm_studio", "llama_cpp", "vllm", "jan"]

USUAL_PORTS: Mapping[ServerKind, int] = {
    "ollama": 11434,
    "lm_studio": 1234,
    "llama_cpp": 8080,
    "vllm": 8000,
    "jan": 1337,
}
"""Where each listens unless its owner says otherwise."""

LABELS: Mapping[ServerKind, str] = {
    "ollama": "Ollama",
    "lm_studio": "LM Studio",
    "llama_cpp": "llama.cpp",
    "vllm": "vLLM",
    "jan": "Jan",
}
UNNAMED = "OpenAI-style server"
"""What is shown of one that does not say what it is, on a port that many programs use."""

HUB_VARIABLES = ("JUPYTERHUB_API_TOKEN", "JUPYTERHUB_USER", "JUPYTERHUB_SERVICE_PREFIX")
ON_A_HUB = (
    "No model server was looked for: this Jupyter server runs under JupyterHub, where a port of "
    "the machine can be anybody's. If you know a server and trust its owner, give its base URL "
    "by hand, as in http://127.0.0.1:11434/v1."
)

_OWNED_BY: Mapping[str, ServerKind] = {
    "llamacpp": "llama_cpp",
    "vllm": "vllm",
    "organization_owner": "lm_studio",
}
"""What these servers write as the owner of their models."""
_PORTS_OF_MANY: tuple[ServerKind, ...] = ("llama_cpp", "vllm")
_ASKS_FOR_A_KEY: Mapping[ServerKind, bytes] = {
    "lm_studio": b"LM Studio API token",
    "jan": b"authorization header",
}
"""Words of a refusal that only this server writes; Jan wants a key of everybody."""


@dataclass(frozen=True)
class FoundModel:
    """A model that a server offers, and how it is named in CaveLab with the server's address."""

    name: str
    litellm_name: str


@dataclass(frozen=True)
class FoundServer:
    """A model server that answered; `needs_key` if it does not tell its models without a key."""

    kind: ServerKind
    name: str
    address: str
    """The base URL."""
    owner: str | None
    """The user who runs it; None if unknown."""
    models: tuple[FoundModel, ...]
    needs_key: bool = False


@dataclass(frozen=True)
class Found:
    """The servers that answered; `refused` is the reason if none was looked for."""

    servers: tuple[FoundServer, ...]
    refused: str | None = None


@dataclass(frozen=True)
class _Listing:
    kind: ServerKind
    name: str
    models: tuple[FoundModel, ...] = ()
    needs_key: bool = False


async def find_servers(
    limits: Limits, environ: Mapping[str, str], ports: Mapping[ServerKind, int] = USUAL_PORTS
) -> Found:
    """Ask the usual ports of this machine, all at once, who is there; never under JupyterHub."""
    if any(environ.get(name) for name in HUB_VARIABLES):
        return Found((), ON_A_HUB)
    async with asyncio.TaskGroup() as group:
        visits = [group.create_task(_visit(kind, port, limits)) for kind, port in ports.items()]
    return Found(tuple(server for visit in visits if (server := visit.result())))


async def _visit(kind: ServerKind, port: int, limits: Limits) -> FoundServer | None:
    question = Question("/api/tags" if kind == "ollama" else "/v1/models")
    answer = await ask(LOOPBACK, port, question, limits)
    listing = _listing(kind, answer, limits) if answer else None
    if not answer or not listing:
        return None
    return FoundServer(
        kind=listing.kind,
        name=listing.name,
        address=f"http://{authority(answer.host, port)}/v1",
        owner=await asyncio.to_thread(owner_of, answer.host, port),
        models=listing.models,
        needs_key=listing.needs_key,
    )


def _listing(kind: ServerKind, answer: Answer, limits: Limits) -> _Listing | None:
    """Read the answer to `_visit`; None if it is not that of a model server."""
    words = _ASKS_FOR_A_KEY.get(kind)
    if answer.status == 401 and words and words in answer.body:
        return _Listing(kind, LABELS[kind], needs_key=True)
    told = answer.json()
    if not isinstance(told, dict):
        return None
    if kind == "ollama":
        names = _names(told.get("models"), "name")
        return None if names is None else _Listing(kind, LABELS[kind], _models(names, limits))
    rows = told.get("data") if told.get("object") == "list" else None
    names = _names(rows, "id")
    return None if names is None else _Listing(*_told_kind(kind, rows), _models(names, limits))


def _names(rows: Any, key: str) -> list[str] | None:
    """Take the names from a list of models; None if it is none."""
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return None
    names = [row.get(key) for row in rows]
    return names if all(isinstance(name, str) for name in names) else None


def _told_kind(kind: ServerKind, rows: Any) -> tuple[ServerKind, str]:
    """Say what a server is by what it writes of itself, else by its port if that is telling."""
    owners = [row.get("owned_by") for row in rows]
    told = next(
        (_OWNED_BY[own] for own in owners if isinstance(own, str) and own in _OWNED_BY), None
    )
    if told is not None:
        return told, LABELS[told]
    return kind, UNNAMED if kind in _PORTS_OF_MANY else LABELS[kind]


def _models(names: list[str], limits: Limits) -> tuple[FoundModel, ...]:
    """Offer models; a name with controls in it, or of absurd length, is nothing to offer."""
    fit = [
        name
        for name in names
        if name.strip() and name.isprintable() and len(name) <= limits.local_name_chars
    ]
    return tuple(FoundModel(name, f"openai/{name}") for name in fit[: limits.local_models])
