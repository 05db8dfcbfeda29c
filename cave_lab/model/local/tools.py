"""Whether a model has tools, by the word of the server on this machine that serves it."""

from __future__ import annotations

from collections.abc import Mapping

from cave_lab.limits import Limits
from cave_lab.model.local.asked import LocalModel, Told, row_of
from cave_lab.model.port import ModelChoice


async def tools_of(choice: ModelChoice, environ: Mapping[str, str], limits: Limits) -> bool | None:
    """Ask a server on this machine whether a model has tools; None if it does not say."""
    model = LocalModel.of(choice, environ)
    if model is None:
        return None
    asked = await model.ask(limits, model.llama_cpp, model.lm_studio, model.ollama)
    props, listed, shown = asked
    opinions = (llama_cpp_tools(props), lm_studio_tools(listed, model.name), ollama_tools(shown))
    return next((opinion for opinion in opinions if opinion is not None), None)


def llama_cpp_tools(props: Told) -> bool | None:
    """Read /props of llama.cpp: what it found in the chat template, else the template itself."""
    caps = props.get("chat_template_caps")
    if isinstance(caps, dict) and isinstance(caps.get("supports_tools"), bool):
        # A template that can't write an earlier call would hide from the model what it did.
        return caps["supports_tools"] and caps.get("supports_tool_calls") is not False
    if props.get("chat_template_tool_use"):
        return True
    template = props.get("chat_template")
    return "tools" in template if isinstance(template, str) and template else None


def lm_studio_tools(listed: Told, model: str) -> bool | None:
    """Read /api/v0/models of LM Studio, which leaves the capabilities out if there are none."""
    capabilities = row_of(listed.get("data"), model, "id").get("capabilities")
    return "tool_use" in capabilities if isinstance(capabilities, list) else None


def ollama_tools(shown: Told) -> bool | None:
    """Read /api/show of Ollama.

    Some builds of llama.cpp imitate it and never name tools; only Ollama says when it was modified.
    """
    capabilities = shown.get("capabilities")
    if not isinstance(capabilities, list) or "modified_at" not in shown:
        return None
    return "tools" in capabilities
