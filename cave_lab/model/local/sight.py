"""Whether a model sees images, by the word of the server on this machine that serves it."""

from __future__ import annotations

from collections.abc import Mapping

from cave_lab.limits import Limits
from cave_lab.model.local.asked import LocalModel, Told, row_of
from cave_lab.model.port import ModelChoice


async def sees_by(choice: ModelChoice, environ: Mapping[str, str], limits: Limits) -> bool | None:
    """Ask a server on this machine whether a model sees images; None if it does not say."""
    model = LocalModel.of(choice, environ)
    if model is None:
        return None
    props, listed, shown = await model.ask(limits, model.llama_cpp, model.lm_studio, model.ollama)
    opinions = (llama_cpp_sees(props), lm_studio_sees(listed, model.name), ollama_sees(shown))
    return next((opinion for opinion in opinions if opinion is not None), None)


def llama_cpp_sees(props: Told) -> bool | None:
    """Read /props of llama.cpp: whether it was started with the part of the model that sees."""
    modalities = props.get("modalities")
    vision = modalities.get("vision") if isinstance(modalities, dict) else None
    return vision if isinstance(vision, bool) else None


def lm_studio_sees(listed: Told, model: str) -> bool | None:
    """Read /api/v0/models of LM Studio, where models that see are a type of their own."""
    kind = row_of(listed.get("data"), model, "id").get("type")
    return kind == "vlm" if isinstance(kind, str) else None


def ollama_sees(shown: Told) -> bool | None:
    """Read /api/show of Ollama; only that says when a model was modified."""
    capabilities = shown.get("capabilities")
    if not isinstance(capabilities, list) or "modified_at" not in shown:
        return None
    return "vision" in capabilities
