"""Whose key goes where, over real sockets: no provider is ever sent the key of another."""

import contextlib
import os

import pytest

from cave_lab.errors import ModelError, ModelKeyMissing, ModelKeyRejected
from cave_lab.model.litellm.keys import VARIABLES, key_of
from cave_lab.model.litellm.route import Route
from cave_lab.model.port import ModelChoice, ModelRequest, UserMessage
from cave_lab.model.script import Fault, Say, ScriptedTurn
from tests.fakes.model_server import ModelServer
from tests.fakes.record import key_mark
from tests.model.helpers import CANARY, KEY_ENV, chunks_of, script

OTHERS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "AZURE_API_KEY", "HF_TOKEN")
EMPTY = pytest.mark.parametrize("value", [None, "", "  "], ids=["not set", "empty", "blank"])


@pytest.fixture(autouse=True)
def keys_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the great providers has a key here, and it is none of anybody else's business."""
    for name in [name for name in os.environ if name.endswith(("_API_KEY", "_API_BASE"))]:
        monkeypatch.delenv(name)
    for name in OTHERS:
        monkeypatch.setenv(name, CANARY)


def ask(choice: ModelChoice) -> ModelRequest:
    return ModelRequest(choice, (UserMessage("hi"),))


def sent(server: ModelServer) -> str:
    """All that the server was sent of headers and paths; a key stands there as its mark."""
    return str([(request.headers, request.path) for request in server.requests])


def put(monkeypatch: pytest.MonkeyPatch, name: str, value: str | None) -> None:
    if value is None:
        monkeypatch.delenv(name, raising=False)
    else:
        monkeypatch.setenv(name, value)


@EMPTY
@pytest.mark.parametrize(
    "provider, base, key",
    [
        ("perplexity", "PERPLEXITY_API_BASE", "PERPLEXITYAI_API_KEY"),
        ("deepinfra", "DEEPINFRA_API_BASE", "DEEPINFRA_API_KEY"),
        ("cerebras", "CEREBRAS_API_BASE", "CEREBRAS_API_KEY"),
        ("nvidia_nim", "NVIDIA_NIM_API_BASE", "NVIDIA_NIM_API_KEY"),
        ("moonshot", "MOONSHOT_API_BASE", "MOONSHOT_API_KEY"),
        ("deepseek", "DEEPSEEK_API_BASE", "DEEPSEEK_API_KEY"),
        ("groq", "GROQ_API_BASE", "GROQ_API_KEY"),
        ("openrouter", "OPENROUTER_API_BASE", "OPENROUTER_API_KEY"),
        ("hosted_vllm", "HOSTED_VLLM_API_BASE", "HOSTED_VLLM_API_KEY"),
    ],
)
async def test_a_provider_without_a_key_is_not_sent_that_of_another(
    model_server, model, monkeypatch, provider, base, key, value
):
    monkeypatch.setenv(base, model_server.url)
    put(monkeypatch, key, value)
    model_server.load(script(ScriptedTurn("x", answer=(Say("ok"),))))
    await chunks_of(model, ask(ModelChoice(f"{provider}/some-model")))
    assert len(model_server.requests) == 1
    assert key_mark(CANARY) not in sent(model_server)
    assert CANARY not in sent(model_server)


@pytest.mark.parametrize("provider", ["groq", "deepinfra"])
async def test_the_end_of_a_line_in_a_providers_own_variable_is_told_as_a_wrong_key(
    model_server, model, monkeypatch, provider
):
    monkeypatch.setenv(f"{provider.upper()}_API_BASE", model_server.url)
    monkeypatch.setenv(f"{provider.upper()}_API_KEY", "its own\n")
    with pytest.raises(ModelKeyRejected, match="Check the environment variable") as caught:
        await chunks_of(model, ask(ModelChoice(f"{provider}/some-model")))
    assert "control character" in str(caught.value.detail)
    assert model_server.requests == []


@pytest.mark.parametrize("provider", ["perplexity", "deepinfra", "moonshot"])
async def test_a_provider_that_has_a_key_is_sent_its_own(
    model_server, model, monkeypatch, provider
):
    variable = {"perplexity": "PERPLEXITYAI"}.get(provider, provider.upper())
    monkeypatch.setenv(f"{provider.upper()}_API_BASE", model_server.url)
    monkeypatch.setenv(f"{variable}_API_KEY", "its own")
    model_server.load(script(ScriptedTurn("x", answer=(Say("ok"),))))
    await chunks_of(model, ask(ModelChoice(f"{provider}/some-model")))
    assert model_server.requests[0].headers["authorization"] == key_mark("its own")


async def test_openai_is_sent_its_own_key(model_server, model, monkeypatch):
    monkeypatch.setenv("OPENAI_API_BASE", model_server.url)
    model_server.load(script(ScriptedTurn("x", answer=(Say("ok"),))))
    await chunks_of(model, ask(ModelChoice("gpt-4o")))
    assert model_server.requests[0].headers["authorization"] == key_mark(CANARY)


@EMPTY
async def test_openai_without_a_key_is_not_asked_and_the_variable_is_named(
    model_server, model, monkeypatch, value
):
    monkeypatch.setenv("OPENAI_API_BASE", model_server.url)
    put(monkeypatch, "OPENAI_API_KEY", value)
    with pytest.raises(ModelKeyMissing, match="OPENAI_API_KEY is not set .* nothing was sent"):
        await chunks_of(model, ask(ModelChoice("gpt-4o")))
    assert model_server.requests == []


@EMPTY
@pytest.mark.parametrize("provider", ["openai", "groq", "anthropic"])
async def test_an_empty_variable_that_was_named_is_told_and_nothing_is_sent(
    model_server, model, monkeypatch, provider, value
):
    put(monkeypatch, KEY_ENV, value)
    choice = ModelChoice(f"{provider}/some-model", model_server.url, KEY_ENV)
    with pytest.raises(ModelKeyMissing, match=f"{KEY_ENV} is not set .*empty.*Set it"):
        await chunks_of(model, ask(choice))
    assert model_server.requests == []


@pytest.mark.parametrize(
    "provider", ["openai", "perplexity", "groq", "hosted_vllm", "some-model", "ollama"]
)
async def test_a_base_url_without_a_key_is_sent_nobodys(model_server, model, provider):
    model_server.load(script(ScriptedTurn("x", answer=(Say("ok"),))))
    await chunks_of(model, ask(ModelChoice(f"{provider}/some-model", model_server.url)))
    assert model_server.requests[0].headers["authorization"] == key_mark("no-key")
    assert key_mark(CANARY) not in sent(model_server)


@EMPTY
@pytest.mark.parametrize("provider", sorted(VARIABLES))
async def test_a_provider_without_its_key_is_not_asked_and_the_variable_is_named(
    model, monkeypatch, provider, value
):
    for name in (*OTHERS, *VARIABLES[provider]):
        put(monkeypatch, name, value)
    with pytest.raises(ModelKeyMissing, match="is not set .* so nothing was sent") as caught:
        await chunks_of(model, ask(ModelChoice(f"{provider}/some-model")))
    assert VARIABLES[provider][0] in str(caught.value)
    assert caught.value.detail is None


@pytest.mark.parametrize(
    "provider, base, variable",
    [
        ("gemini", "GEMINI_API_BASE", "GOOGLE_API_KEY"),
        ("gemini", "GEMINI_API_BASE", "GEMINI_API_KEY"),
        ("anthropic", "ANTHROPIC_API_BASE", "ANTHROPIC_AUTH_TOKEN"),
        ("mistral", "MISTRAL_AZURE_API_BASE", "MISTRAL_AZURE_API_KEY"),
        ("mistral", "MISTRAL_AZURE_API_BASE", "MISTRAL_API_KEY"),
        ("openrouter", "OPENROUTER_API_BASE", "OR_API_KEY"),
        ("together_ai", "TOGETHER_AI_API_BASE", "TOGETHER_API_KEY"),
        ("together_ai", "TOGETHER_AI_API_BASE", "TOGETHER_AI_TOKEN"),
        ("fireworks_ai", "FIREWORKS_API_BASE", "FIREWORKS_AI_TOKEN"),
        ("perplexity", "PERPLEXITY_API_BASE", "PERPLEXITY_API_KEY"),
    ],
)
async def test_each_variable_that_a_provider_may_have_its_key_in_will_do(
    model_server, model, monkeypatch, provider, base, variable
):
    for name in OTHERS:
        monkeypatch.delenv(name)
    monkeypatch.setenv(base, model_server.url)
    monkeypatch.setenv(variable, "its own")
    model_server.load(script(ScriptedTurn("x", answer=(Say("ok"),))))
    with contextlib.suppress(ModelError):
        # Some speak a format that this server answers in no way: what was sent is there.
        await chunks_of(model, ask(ModelChoice(f"{provider}/some-model")))
    assert variable in VARIABLES[provider]
    assert key_mark("its own") in sent(model_server)


@pytest.mark.parametrize(
    "provider, variable",
    [
        ("fireworks_ai", "FIREWORKS_API_BASE"),
        ("cohere_chat", "COHERE_API_BASE"),
        ("anthropic", "ANTHROPIC_FEDERATION_RULE_ID"),
    ],
)
def test_a_gateway_or_an_identity_of_the_machine_needs_no_key(provider, variable):
    choice = ModelChoice(f"{provider}/some-model")
    route = Route("some-model", provider, openai_format=False)
    assert key_of(choice, route, {variable: "set"}) is None


@pytest.mark.parametrize("provider", ["maritalk", "amazon_nova", "cloudflare", "bedrock"])
async def test_what_litellm_itself_does_not_send_for_want_of_a_key_is_told_as_not_sent(
    model, monkeypatch, provider
):
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with pytest.raises(ModelKeyMissing, match="nothing was sent"):
        await chunks_of(model, ask(ModelChoice(f"{provider}/some-model")))


async def test_a_key_from_a_file_is_sent_and_masked_without_the_end_of_its_line(
    model_server, model, monkeypatch
):
    monkeypatch.setenv(KEY_ENV, f"{CANARY}\n")
    model_server.load(script(ScriptedTurn("x", answer=(Say("ok"),))))
    await chunks_of(model, ask(ModelChoice("openai/fake", model_server.url, KEY_ENV)))
    assert model_server.requests[0].headers["authorization"] == key_mark(CANARY)


async def test_a_server_that_wants_a_key_where_none_is_named_says_where_to_name_it(
    model_server, model
):
    model_server.load(script(ScriptedTurn("locked", fault=Fault("key_missing"))))
    with pytest.raises(ModelKeyRejected, match="none is named for this base URL") as caught:
        await chunks_of(model, ask(ModelChoice("openai/fake", model_server.url)))
    assert "model settings" in str(caught.value)
