"""A model of a server on this machine, and what that server can be asked about it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import quote, urlsplit

from cave_lab.limits import Limits
from cave_lab.model.choice import spoken
from cave_lab.model.local.http import LOOPBACK, Answer, Question, ask
from cave_lab.model.port import ModelChoice

Told = Mapping[str, Any]
"""An answer in JSON; empty if none came that could be read."""


@dataclass(frozen=True)
class LocalRoot:
    """A server on this machine: its addresses, and the path above its OpenAI format."""

    hosts: tuple[str, ...]
    port: int
    path: str


@dataclass(frozen=True)
class LocalModel:
    """A model by its name on its server; which program that is need not be known."""

    root: LocalRoot
    name: str

    @classmethod
    def of(cls, choice: ModelChoice, environ: Mapping[str, str]) -> LocalModel | None:
        """Find the server of a choice; None unless it is surely on this machine."""
        choice = spoken(choice, environ)
        root = local_root(choice.api_base)
        return None if root is None else cls(root, choice.name.partition("/")[2] or choice.name)

    async def ask(self, limits: Limits, *questions: Question) -> list[Told]:
        """Ask all at once, without a key."""
        async with asyncio.TaskGroup() as group:
            asked = [
                group.create_task(ask(self.root.hosts, self.root.port, question, limits))
                for question in questions
            ]
        return [_told(answer.result()) for answer in asked]

    # ── what each program is asked

    @property
    def llama_cpp(self) -> Question:
        """The properties of a model that llama.cpp has loaded."""
        # Without the last word a llama.cpp of many models would load the one asked about.
        name = quote(self.name, "", errors="replace")
        return Question(f"{self.root.path}/props?model={name}&autoload=false")

    @property
    def lm_studio(self) -> Question:
        """The models of LM Studio with their properties."""
        return Question(f"{self.root.path}/api/v0/models")

    @property
    def ollama(self) -> Question:
        """What Ollama shows of a model."""
        body = json.dumps({"model": self.name}).encode()
        return Question(f"{self.root.path}/api/show", body)

    @property
    def ollama_loaded(self) -> Question:
        """The models that Ollama has in memory."""
        return Question(f"{self.root.path}/api/ps")

    @property
    def openai(self) -> Question:
        """The models as the OpenAI format lists them; vLLM says more there."""
        return Question(f"{self.root.path}/v1/models")


def local_root(api_base: str | None) -> LocalRoot | None:
    """Find the server a base URL names; None unless it is surely on this machine."""
    try:
        parts = urlsplit(api_base or "")
        hosts = _loopback(parts.hostname or "")
        port = parts.port or 80
        path = quote(parts.path.rstrip("/").removesuffix("/v1"), safe="/%")
    except ValueError:
        return None
    if parts.scheme != "http" or not hosts:
        return None
    return LocalRoot(hosts, port, path)


def _loopback(host: str) -> tuple[str, ...]:
    if host == "localhost":
        return LOOPBACK
    try:
        return (host,) if ip_address(host).is_loopback else ()
    except ValueError:
        return ()


def row_of(rows: Any, name: str, *keys: str) -> Told:
    """Find a model in a list by one of the keys that name it; empty if it is not there."""
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and any(row.get(key) == name for key in keys):
            return row
    return {}


def _told(answer: Answer | None) -> Told:
    told = answer.json() if answer else None
    return told if isinstance(told, dict) else {}
