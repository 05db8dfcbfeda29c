"""A local server's own word on how much a model takes."""

from dataclasses import replace
from typing import Any

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.local.windows import window_of
from cave_lab.model.port import ModelChoice
from tests.fakes.local_servers import LocalServer, llama_cpp, lm_studio, paths, says, vllm
from tests.fakes.real_model import RealModel

PATIENT = replace(DEFAULT_LIMITS, local_answer_seconds=20.0)


def ollama(
    *, trained: int = 131_072, file: int | None = None, loaded: int | None = None, name: str = "m"
) -> Any:
    """Ollama with a model that was trained for much, and what it is run with."""
    parameters = 'stop "<|end|>"\nnum_ctx                        ' + str(file) if file else ""
    running = [{"name": f"{name}:latest", "context_length": loaded}] if loaded else []
    return paths(
        {
            "/api/show": {
                "modified_at": "2026-11-01T10:00:00Z",
                "parameters": parameters,
                "model_info": {
                    "general.architecture": "llama",
                    "llama.context_length": trained,
                },
            },
            "/api/ps": {"models": running},
        }
    )


def listed(**fields: Any) -> Any:
    """LM Studio's own list."""
    rows = [{"id": "other", "loaded_context_length": 1}, {"id": "m", **fields}]
    return paths({"/api/v0/models": {"object": "list", "data": rows}})


@pytest.mark.parametrize(
    "behaviour, expected",
    [
        (llama_cpp("m", default_generation_settings={"n_ctx": 4_096}), 4_096),
        (llama_cpp("m", default_generation_settings={"n_ctx": 0}), None),
        (llama_cpp("m"), None),
        (listed(loaded_context_length=16_384, max_context_length=131_072), 16_384),
        (listed(max_context_length=131_072), None),
        (lm_studio("m"), None),
        (ollama(loaded=8_000), 8_000),
        (ollama(file=32_768), 32_768),
        (ollama(file=32_768, loaded=8_000), 8_000),
        (ollama(), None),
        (ollama(trained=2_048), 2_048),
        (paths({"/v1/models": {"data": [{"id": "m", "max_model_len": 40_960}]}}), 40_960),
        (vllm("m"), None),
        (says(b'{"data": [7], "models": "x", "default_generation_settings": []}'), None),
        (says(b'{"default_generation_settings": {"n_ctx": true}}'), None),
        (says(b'{"default_generation_settings": {"n_ctx": "4096"}}'), None),
        (says(b"not JSON"), None),
    ],
)
async def test_each_program_says_it_in_its_own_way(behaviour: Any, expected: int | None) -> None:
    async with LocalServer(behaviour) as server:
        assert await window_of(ModelChoice("openai/m", server.url), {}, PATIENT) == expected


async def test_no_other_machine_is_asked() -> None:
    assert await window_of(ModelChoice("openai/m", "http://192.0.2.1/v1"), {}, PATIENT) is None
    assert await window_of(ModelChoice("openai/m"), {}, PATIENT) is None


async def test_a_real_server_says_what_its_slot_holds() -> None:
    async with RealModel(context=1_024) as real:
        assert await window_of(ModelChoice("openai/smollm2", real.url), {}, PATIENT) == 1_024
