"""Looking for model servers gives nothing away, follows nobody, and stays off a shared host."""

from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.local.servers import HUB_VARIABLES, ServerKind, find_servers
from cave_lab.model.local.tools import tools_of
from cave_lab.model.port import ModelChoice
from tests.fakes.local_servers import (
    Behaviour,
    LocalServer,
    jan,
    llama_cpp,
    lm_studio,
    ollama,
    redirects,
    says,
    vllm,
)

PATIENT = replace(DEFAULT_LIMITS, local_answer_seconds=20.0)
SERVERS: dict[ServerKind, Behaviour] = {
    "ollama": ollama("m", capabilities=["tools"]),
    "lm_studio": lm_studio("m"),
    "llama_cpp": llama_cpp("m"),
    "vllm": vllm("m"),
    "jan": jan("m"),
}
HEADERS = {"host", "user-agent", "accept", "connection"}
CANARY = "sk-canary-7351"
KEYS = ("OPENAI_API_KEY", "OLLAMA_API_KEY", "LM_STUDIO_API_KEY", "JAN_API_KEY")


@asynccontextmanager
async def listening(behaviours):
    async with AsyncExitStack() as stack:
        yield {
            kind: await stack.enter_async_context(LocalServer(behaviour))
            for kind, behaviour in behaviours.items()
        }


def ports_of(servers) -> dict[ServerKind, int]:
    return {kind: server.port for kind, server in servers.items()}


@pytest.mark.parametrize("variable", HUB_VARIABLES)
async def test_on_a_hub_nobody_is_asked_and_the_reason_is_told(variable):
    async with listening(SERVERS) as servers:
        result = await find_servers(PATIENT, {variable: "x"}, ports_of(servers))
        assert [server.connections for server in servers.values()] == [0] * 5
    assert result.servers == ()
    assert result.refused is not None
    assert "anybody's" in result.refused
    assert "give its base URL by hand" in result.refused


async def test_an_empty_variable_makes_no_hub():
    async with listening(SERVERS) as servers:
        result = await find_servers(PATIENT, {"JUPYTERHUB_USER": ""}, ports_of(servers))
    assert result.refused is None
    assert len(result.servers) == 5


async def test_each_port_gets_one_bare_get_and_no_key(monkeypatch):
    environ = dict.fromkeys(KEYS, CANARY)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    async with listening(SERVERS) as servers:
        await find_servers(PATIENT, environ, ports_of(servers))
    for kind, server in servers.items():
        path = "/api/tags" if kind == "ollama" else "/v1/models"
        assert server.asked == [("GET", path)]
        assert server.connections == 1
        [request] = server.requests
        assert set(request.headers) == HEADERS
        assert request.headers["user-agent"] == "CaveLab"
        assert request.headers["host"] == f"127.0.0.1:{server.port}"
        assert request.body == b""


async def test_asking_for_tools_sends_the_models_name_and_no_key(monkeypatch):
    environ = dict.fromkeys(KEYS, CANARY)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    async with LocalServer(SERVERS["ollama"]) as server:
        base = f"http://me:{CANARY}@127.0.0.1:{server.port}/v1"
        choice = ModelChoice("openai/m", base, key_env="OPENAI_API_KEY")
        assert await tools_of(choice, environ, PATIENT) is True
    assert server.asked == [
        ("GET", "/api/v0/models"),
        ("GET", "/props?model=m&autoload=false"),
        ("POST", "/api/show"),
    ]
    for request in server.requests:
        more = {"content-type", "content-length"} if request.method == "POST" else set()
        assert set(request.headers) == HEADERS | more
        assert CANARY not in f"{request}"


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
async def test_no_proxy_is_used(monkeypatch, variable):
    async with LocalServer(says(b"{}")) as proxy, LocalServer(SERVERS["ollama"]) as server:
        monkeypatch.setenv(variable, f"http://127.0.0.1:{proxy.port}")
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        [found] = (await find_servers(PATIENT, {}, {"ollama": server.port})).servers
        assert await tools_of(ModelChoice("openai/m", found.address), {}, PATIENT) is True
        assert proxy.connections == 0


async def test_no_redirect_is_followed():
    async with LocalServer(SERVERS["ollama"]) as elsewhere:
        behaviours = dict.fromkeys(
            SERVERS, redirects(f"http://127.0.0.1:{elsewhere.port}/api/tags")
        )
        async with listening(behaviours) as servers:
            assert (await find_servers(PATIENT, {}, ports_of(servers))).servers == ()
            choice = ModelChoice("openai/m", servers["ollama"].url)
            assert await tools_of(choice, {}, PATIENT) is None
        assert elsewhere.connections == 0
