"""Loads litellm late, once, and keeps it harmless."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from cave_lab.model.choice import NO_KEY

_GUARDS = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_OFFLINE_MODE": "true",
    # Else a `.env` beside the server would be loaded into the server's environment.
    "LITELLM_MODE": "PRODUCTION",
    "REPEATED_STREAMING_CHUNK_LIMIT": "1000000",
}
"""No look-ups over the network while importing, and no end of a stream for equal chunks."""

_NEWER_FILE = "fb374d419588a4632f3f557e76b4b70aebbca790"
"""How the file of `o200k_base` is called: the SHA-1 of where it could be fetched."""

_loading = threading.Lock()


@contextmanager
def _guarded_environment() -> Iterator[None]:
    # Kernels inherit the environment, so nothing of this may stay, nor what the import adds.
    before = {name: os.environ.get(name) for name in [*_GUARDS, "TIKTOKEN_CACHE_DIR"]}
    os.environ.update(_GUARDS)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def load() -> Any:
    """Import litellm, or give it if it is there: seconds of work, so call it in a thread."""
    with _loading, _guarded_environment():
        import litellm

        for loaded_late in ("acompletion", "get_llm_provider", "encoding"):
            getattr(litellm, loaded_late)
        with suppress(ImportError):
            from litellm.anthropic_beta_headers_manager import get_provider_name

            get_provider_name("anthropic")
    _quiet(litellm)
    return litellm


@cache
def tokenizer(litellm: Any) -> Any:
    """The tokenizer to count with, from the library's own files: nothing is fetched for it.

    The newer of its two is nearer to what most models make of Chinese, Japanese and Korean.
    """
    folder = Path(litellm.__file__).parent / "litellm_core_utils" / "tokenizers"
    if not (folder / _NEWER_FILE).is_file():
        return litellm.encoding
    import tiktoken

    with _loading, _guarded_environment():
        os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
        return tiktoken.get_encoding("o200k_base")


def _quiet(litellm: Any) -> None:
    # At DEBUG these write whole prompts into the server's log.
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "openai", "httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)
        logging.getLogger(name).propagate = not name.startswith("LiteLLM")
    litellm.suppress_debug_info = True
    # Else dozens of providers that have no key of their own are sent OpenAI's.
    litellm.openai_key = NO_KEY
    litellm.disable_hf_tokenizer_download = True
    # Where a provider reports no usage it would guess, with a tokenizer fetched for the purpose.
    litellm.disable_token_counter = True
    litellm.REPEATED_STREAMING_CHUNK_LIMIT = int(_GUARDS["REPEATED_STREAMING_CHUNK_LIMIT"])
