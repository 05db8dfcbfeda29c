"""Whether a model has tools, by the word of the server on this machine that serves it."""

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


@dataclass(frozen=True)
class LocalRoot:
    """A server on this machine: its addresses, and the path above its OpenAI format."""

    hosts: tuple[str, ...]
    port: int
    path: str


async def tools_of(choice: ModelChoice, environ: Mapping[str, str], limits: Limits) -> bool | None:
    """Ask a server on this machine whether a model has tools; None if it does not say.

    Which server it is need not be known: each is asked in its own way, at once, and without a key.
    """
    choice = spoken(choice, environ)
    root = local_root(choice.api_base)
    if root is None:
        return None
    model = choice.name.partition("/")[2] or choice.name
    questions = [
        # Without the last word a llama.cpp of many models would load the one asked about.
        Question(f"{root.path}/props?model={quote(model, '', errors='replace')}&autoload=false"),
        Question(f"{root.path}/api/v0/models"),
        Question(f"{root.path}/api/show", json.dumps({"model": model}).encode()),
    ]
    async with asyncio.TaskGroup() as group:
        asked = [
            group.create_task(ask(root.hosts, root.port, question, limits))
            for question in questions
        ]
    props, listed, shown = [_told(answer.result()) for answer in asked]
    opinions = (llama_cpp_tools(props), lm_studio_tools(listed, model), ollama_tools(shown))
    return next((opinion for opinion in opinions if opinion is not None), None)


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


def llama_cpp_tools(props: Mapping[str, Any]) -> bool | None:
    """Read /props of llama.cpp: what it found in the chat template, else the template itself."""
    caps = props.get("chat_template_caps")
    if isinstance(caps, dict) and isinstance(caps.get("supports_tools"), bool):
        # A template that can't write an earlier call would hide from the model what it did.
        return caps["supports_tools"] and caps.get("supports_tool_calls") is not False
    if props.get("chat_template_tool_use"):
        return True
    template = props.get("chat_template")
    return "tools" in template if isinstance(template, str) and template else None


def lm_studio_tools(listed: Mapping[str, Any], model: str) -> bool | None:
    """Read /api/v0/models of LM Studio, which leaves the capabilities out if there are none."""
    rows = listed.get("data")
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and row.get("id") == model:
            capabilities = row.get("capabilities")
            return "tool_use" in capabilities if isinstance(capabilities, list) else None
    return None


def ollama_tools(shown: Mapping[str, Any]) -> bool | None:
    """Read /api/show of Ollama.

    Some builds of llama.cpp imitate it and never name tools; only Ollama says when it was modified.
    """
    capabilities = shown.get("capabilities")
    if not isinstance(capabilities, list) or "modified_at" not in shown:
        return None
    return "tools" in capabilities


def _told(answer: Answer | None) -> Mapping[str, Any]:
    told = answer.json() if answer else None
    return told if isinstance(told, dict) else {}
