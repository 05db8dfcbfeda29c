"""A local server's own word on whether a model sees."""

from dataclasses import replace

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.local.sight import sees_by
from cave_lab.model.port import ModelChoice
from tests.fakes.local_servers import LocalServer, jan, llama_cpp, lm_studio, ollama, says, vllm

PATIENT = replace(DEFAULT_LIMITS, local_answer_seconds=20.0)


@pytest.mark.parametrize(
    "behaviour, expected",
    [
        (ollama("m", capabilities=["completion", "vision"]), True),
        (ollama("m", capabilities=["completion", "tools"]), False),
        (ollama("m"), None),
        (lm_studio("m", type="vlm"), True),
        (lm_studio("m", type="llm"), False),
        (lm_studio("another", type="vlm"), None),
        (llama_cpp("m", modalities={"vision": True, "audio": False}), True),
        (llama_cpp("m", modalities={"vision": False}), False),
        (llama_cpp("m", modalities=["vision"]), None),
        (llama_cpp("m"), None),
        (vllm("m"), None),
        (jan("m"), None),
        (says(b"[]"), None),
    ],
)
async def test_each_kind_of_server_is_understood(behaviour, expected):
    async with LocalServer(behaviour) as server:
        choice = ModelChoice("openai/m", server.url)
        assert await sees_by(choice, {}, PATIENT) is expected


async def test_a_server_that_is_not_on_this_machine_is_not_asked():
    assert await sees_by(ModelChoice("openai/m", "https://example.com/v1"), {}, PATIENT) is None
    assert await sees_by(ModelChoice("openai/gpt-4.1"), {}, PATIENT) is None
