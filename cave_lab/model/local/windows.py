"""How much one call may hold, by the word of the server on this machine that serves the model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from cave_lab.limits import Limits
from cave_lab.model.local.asked import LocalModel, Told, row_of
from cave_lab.model.port import ModelChoice

_NUM_CTX = re.compile(r"^num_ctx\s+(\d{1,9})\s*$", re.MULTILINE)


async def window_of(choice: ModelChoice, environ: Mapping[str, str], limits: Limits) -> int | None:
    """Ask a server on this machine for a model's window in tokens; None if it does not say."""
    model = LocalModel.of(choice, environ)
    if model is None:
        return None
    props, listed, shown, loaded, served = await model.ask(
        limits, model.llama_cpp, model.lm_studio, model.ollama, model.ollama_loaded, model.openai
    )
    opinions = (
        llama_cpp_window(props),
        lm_studio_window(listed, model.name),
        ollama_window(shown, loaded, model.name, limits),
        vllm_window(served, model.name),
    )
    return next((opinion for opinion in opinions if opinion is not None), None)


def llama_cpp_window(props: Told) -> int | None:
    """Read /props of llama.cpp: what one of its slots holds."""
    settings = props.get("default_generation_settings")
    return _tokens(settings.get("n_ctx")) if isinstance(settings, dict) else None


def lm_studio_window(listed: Told, model: str) -> int | None:
    """Read /api/v0/models of LM Studio: what the model was loaded with.

    What it could be loaded with at most says nothing of how it will be.
    """
    return _tokens(row_of(listed.get("data"), model, "id").get("loaded_context_length"))


def ollama_window(shown: Told, loaded: Told, model: str, limits: Limits) -> int | None:
    """Read Ollama: what the model runs with, else what its file sets, else what it can if little.

    The length in `/api/show` is what the model was trained for. Ollama loads models with far less
    unless it is told otherwise, and cuts a longer talk at its beginning without a word.
    """
    running = row_of(loaded.get("models"), model, "name", "model")
    if not running and ":" not in model:
        running = row_of(loaded.get("models"), f"{model}:latest", "name", "model")
    set_by_file = _NUM_CTX.search(str(shown.get("parameters", "")))
    told = _tokens(running.get("context_length"))
    told = told or (_tokens(int(set_by_file[1])) if set_by_file else None)
    return told or _at_most(_trained(shown), limits.unknown_window)


def vllm_window(served: Told, model: str) -> int | None:
    """Read /v1/models of vLLM."""
    return _tokens(row_of(served.get("data"), model, "id").get("max_model_len"))


def _trained(shown: Told) -> int | None:
    """The length a model was trained for, under a name that begins with its architecture."""
    info = shown.get("model_info")
    pairs = info.items() if isinstance(info, dict) else ()
    return next((_tokens(v) for k, v in pairs if str(k).endswith(".context_length")), None)


def _at_most(tokens: int | None, most: int) -> int | None:
    return tokens if tokens is not None and tokens < most else None


def _tokens(value: Any) -> int | None:
    """A number of tokens; None for what is none."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and value > 0 else None
