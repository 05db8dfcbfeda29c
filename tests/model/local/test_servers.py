"""Finding model servers, over real sockets on ports of the tests' own."""

import asyncio
import os
import pwd
import sys
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.local.servers import (
    USUAL_PORTS,
    FoundModel,
    FoundServer,
    ServerKind,
    find_servers,
)
from tests.fakes.local_servers import (
    Behaviour,
    LocalServer,
    dripping,
    endless,
    jan,
    llama_cpp,
    lm_studio,
    needs_ipv6,
    ollama,
    openai_list,
    paths,
    raw,
    redirects,
    refuses,
    says,
    silent,
    vllm,
)
from tests.waiting import until

PATIENT = replace(DEFAULT_LIMITS, local_answer_seconds=20.0)
ME = pwd.getpwuid(os.getuid()).pw_name if sys.platform == "linux" else None
MODEL_SERVERS: dict[ServerKind, Behaviour] = {
    "ollama": ollama("llama3.2:latest", "qwen3:8b"),
    "lm_studio": lm_studio("qwen/qwen3-8b"),
    "llama_cpp": llama_cpp("/models/SmolLM2.gguf"),
    "vllm": vllm("mistralai/Mistral-7B"),
    "jan": jan("jan-v3-4b"),
}


@asynccontextmanager
async def listening(behaviours: dict[ServerKind, Behaviour]):
    async with AsyncExitStack() as stack:
        yield {
            kind: await stack.enter_async_context(LocalServer(behaviour))
            for kind, behaviour in behaviours.items()
        }


async def found(behaviours: dict[ServerKind, Behaviour], limits=PATIENT):
    async with listening(behaviours) as servers:
        ports = {kind: server.port for kind, server in servers.items()}
        return (await find_servers(limits, {}, ports)).servers


async def only(kind: ServerKind, behaviour: Behaviour, limits=PATIENT) -> FoundServer | None:
    servers = await found({kind: behaviour}, limits)
    return servers[0] if servers else None


async def names(kind: ServerKind, behaviour: Behaviour, limits=PATIENT) -> list[str]:
    server = await only(kind, behaviour, limits)
    assert server is not None
    return [model.name for model in server.models]


@pytest.mark.parametrize(
    "kind, name, models",
    [
        ("ollama", "Ollama", ["llama3.2:latest", "qwen3:8b"]),
        ("lm_studio", "LM Studio", ["qwen/qwen3-8b"]),
        ("llama_cpp", "llama.cpp", ["/models/SmolLM2.gguf"]),
        ("vllm", "vLLM", ["mistralai/Mistral-7B"]),
        ("jan", "Jan", ["jan-v3-4b"]),
    ],
)
async def test_a_server_is_found_with_its_address_owner_and_models(kind, name, models):
    async with LocalServer(MODEL_SERVERS[kind]) as server:
        result = await find_servers(PATIENT, {}, {kind: server.port})
    offered = tuple(FoundModel(model, f"openai/{model}") for model in models)
    assert result.refused is None
    assert result.servers == (FoundServer(kind, name, server.url, ME, offered),)


def test_the_usual_ports_are_those_of_the_servers():
    assert USUAL_PORTS == {
        "ollama": 11434,
        "lm_studio": 1234,
        "llama_cpp": 8080,
        "vllm": 8000,
        "jan": 1337,
    }


async def test_all_ports_are_asked_at_once():
    together = asyncio.Barrier(len(MODEL_SERVERS))

    def when_all_are_asked(behaviour: Behaviour) -> Behaviour:
        async def behave(request, answer):
            await together.wait()
            await behaviour(request, answer)

        return behave

    waiting = {kind: when_all_are_asked(behaviour) for kind, behaviour in MODEL_SERVERS.items()}
    assert [server.kind for server in await found(waiting)] == list(MODEL_SERVERS)


async def test_where_nobody_listens_nothing_is_found():
    async with listening(MODEL_SERVERS) as servers:
        ports = {kind: server.port for kind, server in servers.items()}
    assert (await find_servers(PATIENT, {}, ports)).servers == ()


async def test_servers_that_never_end_are_left_and_the_others_still_found():
    behaviours: dict[ServerKind, Behaviour] = {
        **MODEL_SERVERS,
        "ollama": silent,
        "vllm": dripping,
        "llama_cpp": endless,
    }
    limits = replace(DEFAULT_LIMITS, local_answer_seconds=2.0)
    async with listening(behaviours) as servers, asyncio.timeout(20):
        ports = {kind: server.port for kind, server in servers.items()}
        result = await find_servers(limits, {}, ports)
        assert [server.kind for server in result.servers] == ["lm_studio", "jan"]
        unending = [servers["ollama"], servers["vllm"], servers["llama_cpp"]]
        await until(lambda: all(server.hung_up == 1 for server in unending), "them left alone")


@pytest.mark.parametrize(
    "body",
    [
        b"<!doctype html><title>JupyterLab</title>",
        b"[]",
        b"null",
        b'"data"',
        b"{}",
        b'{"data": [], "models": 1}',
        b'{"object": "list", "data": {}, "models": {}}',
        b'{"object": "list", "data": ["a"], "models": ["a"]}',
        b'{"object": "list", "data": [{"id": 1}], "models": [{"name": null}]}',
        b'{"object": "list", "data": [{"id": "a"}, 1], "models": [{"name": "a"}, 1]}',
        b'{"error": "Unexpected endpoint or method."}',
        b"[" * 100_000,
    ],
    ids=range(12),
)
@pytest.mark.parametrize("kind", ["ollama", "llama_cpp"])
async def test_what_is_no_model_server_is_left_out(kind, body):
    assert await only(kind, says(body)) is None


@pytest.mark.parametrize(
    "behaviour",
    [
        raw(b"SSH-2.0-OpenSSH_9.6\r\n"),
        redirects("http://127.0.0.1:9/v1/models"),
        refuses('{"error":"Unauthorized"}'),
        paths({}, otherwise=(404, {"models": [{"name": "m"}], **openai_list("m")})),
        says(b"Missing authorization header, no LM Studio API token"),
    ],
    ids=["no HTTP", "redirect", "refusal", "404", "words"],
)
@pytest.mark.parametrize("kind", ["ollama", "lm_studio", "vllm", "jan"])
async def test_who_gives_no_list_is_left_out(kind, behaviour):
    assert await only(kind, behaviour) is None


@pytest.mark.parametrize(
    "kind, words",
    [
        ("jan", "Missing authorization header"),
        ("lm_studio", '{"error": {"message": "An LM Studio API token is required to …"}}'),
    ],
)
async def test_a_server_that_asks_for_a_key_in_its_own_words_is_found_so(kind, words):
    server = await only(kind, refuses(words))
    assert server is not None
    assert (server.kind, server.models, server.needs_key) == (kind, (), True)


@pytest.mark.parametrize("kind", ["ollama", "lm_studio", "llama_cpp", "vllm", "jan"])
async def test_a_server_without_models_is_found_without_models(kind):
    assert (
        await names(kind, paths({"/api/tags": {"models": []}, "/v1/models": openai_list()})) == []
    )


@pytest.mark.parametrize(
    "port_of, behaviour, kind, name",
    [
        ("vllm", llama_cpp("m"), "llama_cpp", "llama.cpp"),
        ("llama_cpp", vllm("m"), "vllm", "vLLM"),
        ("llama_cpp", lm_studio("m"), "lm_studio", "LM Studio"),
        ("vllm", jan("m"), "vllm", "OpenAI-style server"),
        ("llama_cpp", jan("m"), "llama_cpp", "OpenAI-style server"),
    ],
)
async def test_on_a_port_that_many_use_a_server_is_called_what_it_says_it_is(
    port_of, behaviour, kind, name
):
    server = await only(port_of, behaviour)
    assert server is not None
    assert (server.kind, server.name) == (kind, name)


@pytest.mark.parametrize(
    "bad", ["", " ", "a\nb", "a\x1b[2J", "a\u202eb", "a\u200bb", "\ud800", "a" * 201]
)
async def test_a_name_that_can_not_be_shown_as_it_is_is_not_offered(bad):
    assert await names("vllm", vllm("good", bad, "größe-7b")) == ["good", "größe-7b"]


async def test_only_so_many_models_are_offered():
    few = replace(PATIENT, local_models=3)
    assert await names("ollama", ollama(*"abcde"), few) == ["a", "b", "c"]


async def test_a_list_longer_than_the_bound_is_left_out():
    many = [f"{n:0190}" for n in range(6_000)]
    assert await only("ollama", ollama(*many)) is None


@needs_ipv6
async def test_a_server_on_the_other_loopback_is_found_at_that_address():
    async with LocalServer(MODEL_SERVERS["ollama"], host="::1") as server:
        [found_server] = (await find_servers(PATIENT, {}, {"ollama": server.port})).servers
    assert found_server.address == f"http://[::1]:{server.port}/v1"
    assert found_server.owner == ME


async def test_cancelling_leaves_every_server():
    async with listening(dict.fromkeys(MODEL_SERVERS, silent)) as servers:
        ports = {kind: server.port for kind, server in servers.items()}
        finding = asyncio.ensure_future(find_servers(PATIENT, {}, ports))
        await until(lambda: all(s.requests for s in servers.values()), "all being asked")
        finding.cancel()
        with pytest.raises(asyncio.CancelledError):
            await finding
        await until(lambda: all(s.hung_up for s in servers.values()), "all being left")
