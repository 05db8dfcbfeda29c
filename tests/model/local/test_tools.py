"""A local server's own word on a model's tools."""

import asyncio
from dataclasses import replace

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.local.asked import LocalRoot, local_root
from cave_lab.model.local.tools import tools_of
from cave_lab.model.port import ModelChoice
from tests.fakes.local_servers import (
    LocalServer,
    dripping,
    jan,
    llama_cpp,
    lm_studio,
    ollama,
    paths,
    refuses,
    says,
    silent,
    vllm,
)
from tests.waiting import until

PATIENT = replace(DEFAULT_LIMITS, local_answer_seconds=20.0)


def caps(**values: object) -> dict[str, object]:
    return {f"supports_{name}": value for name, value in values.items()}


@pytest.mark.parametrize(
    "behaviour, expected",
    [
        (ollama("m", capabilities=["completion", "tools"]), True),
        (ollama("m", capabilities=["completion"]), False),
        (ollama("m"), None),
        (lm_studio("m", capabilities=["tool_use"]), True),
        (lm_studio("m", capabilities=["vision"]), False),
        (lm_studio("m"), None),
        (lm_studio("another", capabilities=["tool_use"]), None),
        (llama_cpp("m", chat_template_caps=caps(tools=True, tool_calls=True)), True),
        (llama_cpp("m", chat_template_caps=caps(tools=True, tool_calls=False)), False),
        (llama_cpp("m", chat_template_caps=caps(tools=False, tool_calls=False)), False),
        (llama_cpp("m", chat_template_caps=caps(tools=False), chat_template="{{tools}}"), False),
        (llama_cpp("m", chat_template_caps={}, chat_template="{% if tools %}"), True),
        (llama_cpp("m", chat_template="{% if tools %}"), True),
        (llama_cpp("m", chat_template_tool_use="{% if x %}"), True),
        (llama_cpp("m"), False),
        (llama_cpp("m", chat_template=""), None),
        (llama_cpp("m", imitates_ollama=True, chat_template_caps=caps(tools=True)), True),
        (llama_cpp("m", imitates_ollama=True, chat_template=""), None),
        (vllm("m"), None),
        (jan("m"), None),
        (refuses("Missing authorization header"), None),
        (says(b"<html>"), None),
        (says(b"[]"), None),
        (paths({"/props": 1, "/api/v0/models": {"data": [1]}, "/api/show": []}), None),
        (paths({"/api/show": {"capabilities": "tools", "modified_at": ""}}), None),
    ],
)
async def test_each_kind_of_server_is_understood(behaviour, expected):
    async with LocalServer(behaviour) as server:
        assert await tools_of(ModelChoice("openai/m", server.url), {}, PATIENT) is expected


async def test_the_three_questions_are_asked_at_once_above_the_base_url():
    together = asyncio.Barrier(3)
    there = ollama("qwen/qwen3 8b", capabilities=["tools"])

    async def behave(request, answer):
        await together.wait()
        await there(request, answer)

    async with LocalServer(behave) as server:
        choice = ModelChoice("openai/qwen/qwen3 8b", server.url + "/")
        assert await tools_of(choice, {}, PATIENT) is True
        assert server.asked == [
            ("GET", "/api/v0/models"),
            ("GET", "/props?model=qwen%2Fqwen3%208b&autoload=false"),
            ("POST", "/api/show"),
        ]
        [shown] = [request for request in server.requests if request.method == "POST"]
        assert shown.json() == {"model": "qwen/qwen3 8b"}


@pytest.mark.parametrize("name", ["ollama/m", "ollama_chat/m"])
async def test_a_model_named_by_its_local_provider_is_asked_about_where_that_listens(name):
    async with LocalServer(ollama("m", capabilities=["tools"])) as server:
        environ = {"OLLAMA_API_BASE": f"http://localhost:{server.port}"}
        assert await tools_of(ModelChoice(name), environ, PATIENT) is True


@pytest.mark.parametrize("behaviour", [silent, dripping], ids=["silent", "dripping"])
async def test_a_server_that_does_not_answer_in_time_has_said_nothing(behaviour):
    soon = replace(DEFAULT_LIMITS, local_answer_seconds=0.3)
    async with LocalServer(behaviour) as server, asyncio.timeout(10):
        assert await tools_of(ModelChoice("openai/m", server.url), {}, soon) is None
        await until(lambda: server.hung_up == server.connections, "the end of the connections")


async def test_nobody_there_has_said_nothing():
    async with LocalServer(silent) as server:
        url = server.url
    assert await tools_of(ModelChoice("openai/m", url), {}, PATIENT) is None


@pytest.mark.parametrize("name", ["gpt-4.1", "openai/\ud800", "openai/", "m"])
async def test_any_name_can_be_asked_about(name):
    async with LocalServer(vllm("m")) as server:
        assert await tools_of(ModelChoice(name, server.url), {}, PATIENT) is None
        assert server.connections == 3


BOTH = ("127.0.0.1", "::1")


@pytest.mark.parametrize(
    "base, expected",
    [
        ("http://localhost:11434/v1", LocalRoot(BOTH, 11434, "")),
        ("http://LOCALHOST:11434", LocalRoot(BOTH, 11434, "")),
        ("http://127.0.0.1:8080/v1/", LocalRoot(("127.0.0.1",), 8080, "")),
        ("http://127.0.0.5/x y/v1", LocalRoot(("127.0.0.5",), 80, "/x%20y")),
        ("http://[::1]:1234/v1", LocalRoot(("::1",), 1234, "")),
        ("http://me:secret@127.0.0.1:1/v1", LocalRoot(("127.0.0.1",), 1, "")),
        (None, None),
        ("", None),
        ("nonsense", None),
        ("https://localhost:11434/v1", None),
        ("http://localhost:99999/v1", None),
        ("http://[", None),
        ("http://0.0.0.0:1/v1", None),
        ("http://10.0.0.7:11434/v1", None),
        ("http://gpu:11434/v1", None),
        ("http://localhost.example.org/v1", None),
        ("http://127.0.0.1.example.org/v1", None),
        ("http://127.0.0.1:1@example.org/v1", None),
        ("http://localhost/\ud800", None),
    ],
)
def test_only_a_base_url_that_is_surely_of_this_machine_is_asked(base, expected):
    assert local_root(base) == expected
