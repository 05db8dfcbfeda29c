import asyncio
import logging
import os
from contextlib import aclosing
from dataclasses import replace

import pytest

from cave_lab.errors import (
    ModelError,
    ModelInterrupted,
    ModelKeyRejected,
    ModelNotFound,
    ModelRateLimited,
    ToolsUnsupported,
)
from cave_lab.model.litellm import LiteLLMModel
from cave_lab.model.port import (
    AssistantMessage,
    CellCall,
    FinishChunk,
    ModelChoice,
    ModelRequest,
    ReasoningChunk,
    ResultMessage,
    SystemMessage,
    TextChunk,
    ToolChunk,
    UsageChunk,
    UserMessage,
)
from cave_lab.model.script import Cell, Fault, Gate, Item, RawCall, Say, ScriptedTurn, Think, Tokens
from tests.fakes.model_server import ModelServer
from tests.fakes.record import key_mark
from tests.model.helpers import CANARY, HASTY, KEY_ENV, chunks_of, request, script, text_of
from tests.waiting import until

HALF = (Say("Half an answer"),)


async def test_an_answer_comes_as_it_was_streamed(model_server, model):
    turn = ScriptedTurn(
        "all",
        answer=(Think("hm"), Say("Hello there."), Cell("x = 1", "set x")),
        usage=Tokens(90, 12, cached=64),
    )
    model_server.load(script(turn))
    chunks = await chunks_of(model, request(model_server))
    assert chunks[:3] == [ReasoningChunk("hm"), TextChunk("Hello there."), chunks[2]]
    tools = [chunk for chunk in chunks if isinstance(chunk, ToolChunk)]
    assert (tools[0].name, bool(tools[0].call_id)) == ("run_cell", True)
    assert "".join(t.arguments for t in tools) == '{"purpose": "set x", "code": "x = 1"}'
    assert chunks[-2:] == [UsageChunk(90, 12, cached=64), FinishChunk("tool_calls")]


async def test_reasoning_left_in_the_text_is_told_apart(model_server, model):
    turn = ScriptedTurn("thinks", answer=(Say("<think>a, b</think>\nHello."),), piece_chars=3)
    model_server.load(script(turn))
    chunks = await chunks_of(model, request(model_server))
    thought = "".join(c.text for c in chunks if isinstance(c, ReasoningChunk))
    assert (thought, text_of(chunks)) == ("a, b", "Hello.")


@pytest.mark.parametrize("kind", [TextChunk, ReasoningChunk, ToolChunk])
async def test_two_hundred_equal_pieces_are_an_answer_not_an_error(model_server, model, kind):
    same = "ab" * 200
    items: dict[type, Item] = {
        TextChunk: Say(same),
        ReasoningChunk: Think(same),
        ToolChunk: RawCall(same),
    }
    model_server.load(script(ScriptedTurn("same", answer=(items[kind],), piece_chars=2)))
    chunks = [c for c in await chunks_of(model, request(model_server)) if isinstance(c, kind)]
    told = "".join(c.arguments if isinstance(c, ToolChunk) else c.text for c in chunks)
    assert (told, len(chunks) >= 200) == (same, True)


async def test_behind_an_answer_no_work_of_the_librarys_goes_on_with_the_talk(model_server, model):
    """For logs that nobody has it would copy all messages, which takes longer with each call."""
    model_server.load(script(ScriptedTurn("said", answer=(Say("Hello."),), usage=Tokens(9, 2))))
    for _ in range(2):
        await chunks_of(model, request(model_server))
        left = {getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks()}
        assert not {name for name in left if "success" in name}, left


# ── what goes out


async def test_a_request_carries_only_what_was_set(model_server, model):
    model_server.load(script(ScriptedTurn("x", answer=(Say("ok"),))))
    await chunks_of(model, request(model_server, actions=False))
    [sent] = model_server.requests
    assert sent.body == {
        "model": "fake",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "hi"},
        ],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    assert sent.headers["authorization"] == key_mark(CANARY)


async def test_earlier_actions_and_results_are_told_again(model_server, model):
    model_server.load(script(ScriptedTurn("x", answer=(Say("ok"),))))
    asked = request(model_server)
    messages = (
        *asked.messages,
        AssistantMessage("", CellCall("call_1", "x = 'é'", "set")),
        ResultMessage("call_1", "Finished."),
    )
    await chunks_of(model, ModelRequest(asked.choice, messages))
    [sent] = model_server.requests
    assert [tool["function"]["name"] for tool in sent.body["tools"]] == ["run_cell", "look"]
    assistant, result = sent.body["messages"][2:]
    assert "content" not in assistant
    assert assistant["tool_calls"][0]["function"] == {
        "name": "run_cell",
        "arguments": '{"purpose": "set", "code": "x = \'é\'"}',
    }
    assert result == {"role": "tool", "tool_call_id": "call_1", "content": "Finished."}


async def test_a_name_without_a_provider_is_taken_for_the_base_urls_own(model_server, model):
    model_server.load(script(ScriptedTurn("x", answer=(Say("ok"),))))
    choice = ModelChoice("Some/Model-7B", model_server.url, KEY_ENV)
    await chunks_of(model, ModelRequest(choice, (UserMessage("hi"),)))
    assert model_server.requests[0].body["model"] == "Some/Model-7B"


async def test_a_base_url_without_a_key_is_not_sent_another_providers(
    model_server, model, monkeypatch
):
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    model_server.load(script(ScriptedTurn("x", answer=(Say("ok"),))))
    choice = ModelChoice("openai/fake", model_server.url)
    await chunks_of(model, ModelRequest(choice, (UserMessage("hi"),)))
    assert model_server.requests[0].headers["authorization"] == key_mark("no-key")


async def test_ollama_is_asked_nothing_but_the_question_and_gets_no_key(
    model_server, model, monkeypatch
):
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    model_server.load(script(ScriptedTurn("x", answer=(Say("ok"),))))
    choice = ModelChoice("ollama/llama3:8b", model_server.root)
    chunks = await chunks_of(model, ModelRequest(choice, (UserMessage("hi"),)))
    assert text_of(chunks) == "ok"
    [sent] = model_server.requests
    assert (sent.path, sent.body["model"]) == ("/v1/chat/completions", "llama3:8b")
    assert sent.headers["authorization"] == key_mark("no-key")


async def test_only_anthropic_is_sent_cache_marks(model_server, model):
    model_server.load(script(ScriptedTurn("x", answer=(Say("ok"),))))
    messages = (SystemMessage("Be brief."), UserMessage("hi"))
    choice = ModelChoice("anthropic/claude-sonnet-4-5", model_server.root, KEY_ENV)
    await chunks_of(model, ModelRequest(choice, messages))
    await chunks_of(model, request(model_server))
    anthropic, other = model_server.requests
    mark = {"type": "ephemeral"}
    assert anthropic.body["system"][0]["cache_control"] == mark
    assert anthropic.body["messages"][-1]["content"][-1]["cache_control"] == mark
    assert str(anthropic.body).count("cache_control") == 2
    assert "cache_control" not in str(other.body)


async def test_a_known_model_has_a_price_and_says_whose(model_server, model):
    model_server.load(script(ScriptedTurn("x", answer=(Say("ok"),), usage=Tokens(1000, 10))))
    choice = ModelChoice("openai/gpt-4o", model_server.url, KEY_ENV)
    chunks = await chunks_of(model, ModelRequest(choice, (UserMessage("hi"),)))
    [usage] = [chunk for chunk in chunks if isinstance(chunk, UsageChunk)]
    assert usage.cost is not None
    assert 0.0005 < usage.cost < 0.05
    assert usage.price_source == "litellm's table"


async def test_usage_that_was_not_reported_is_not_guessed(model_server, model):
    model_server.load(script(ScriptedTurn("x", answer=(Say("ok"),), usage=None)))
    chunks = await chunks_of(model, request(model_server))
    assert chunks == [TextChunk("ok"), FinishChunk("stop")]


# ── what goes wrong


async def test_slow_headers_are_waited_for(model_server, model):
    fault = Fault("slow_headers", seconds=0.1)
    model_server.load(script(ScriptedTurn("slow", answer=HALF, fault=fault)))
    assert text_of(await chunks_of(model, request(model_server))) == "Half an answer"


async def test_an_answer_cut_by_its_length_says_so(model_server, model):
    model_server.load(script(ScriptedTurn("long", answer=HALF, finish="length")))
    assert (await chunks_of(model, request(model_server)))[-1] == FinishChunk("length")


async def test_a_refusal_by_the_filter_is_not_an_empty_answer(model_server, model):
    model_server.load(script(ScriptedTurn("no", finish="content_filter")))
    assert (await chunks_of(model, request(model_server)))[-1] == FinishChunk("refusal")


async def test_the_wait_that_the_provider_asks_for_is_read(model_server, model):
    fault = Fault("rate_limited", retry_after="7")
    model_server.load(script(ScriptedTurn("busy", fault=fault)))
    with pytest.raises(ModelRateLimited) as caught:
        await chunks_of(model, request(model_server))
    assert caught.value.retry_after == 7


async def test_a_name_that_no_provider_has_is_explained(model):
    with pytest.raises(ModelNotFound, match="provider/model"):
        await chunks_of(model, ModelRequest(ModelChoice("nope"), (UserMessage("hi"),)))


async def test_a_name_that_the_library_itself_refuses_is_told_like_any_failure(model):
    with pytest.raises(ModelError):
        await chunks_of(model, ModelRequest(ModelChoice("scaledown/no"), (UserMessage("hi"),)))


@pytest.mark.parametrize("provider", ["github_copilot", "chatgpt"])
async def test_a_provider_that_would_wait_for_a_sign_in_is_refused_at_once(
    model, provider, monkeypatch
):
    await model.prepare()
    monkeypatch.setattr(model._litellm, "get_llm_provider", pytest.fail)
    choice = ModelChoice(f"{provider}/gpt-4o")
    with pytest.raises(ModelNotFound, match="sign-in"):
        await chunks_of(model, ModelRequest(choice, (UserMessage("hi"),)))
    assert await model.has_tools(choice) is None


async def test_a_provider_without_tools_is_not_even_called(model):
    choice = ModelChoice("nlp_cloud/some-model")
    with pytest.raises(ToolsUnsupported):
        await chunks_of(model, ModelRequest(choice, (UserMessage("hi"),)))


# ── who hangs up


async def test_a_server_that_never_stops_is_hung_up_on(model_server, hasty):
    endless = LiteLLMModel(replace(HASTY, total_model_seconds=1.0))
    turn = ScriptedTurn("endless", answer=(Say("word " * 400),), tokens_per_second=100)
    model_server.load(script(turn))
    with pytest.raises(ModelInterrupted, match=r"more than 1 seconds"):
        await chunks_of(endless, request(model_server))
    await hung_up(model_server)


async def hung_up(server: ModelServer) -> float:
    await until(lambda: server.requests[0].when("hung_up"), "the client hanging up")
    return server.requests[0].when("hung_up") or 0.0


async def test_closing_the_stream_hangs_up_at_once(model_server, model):
    model_server.load(script(ScriptedTurn("long", answer=(*HALF, Gate("never")))))
    async with aclosing(model.stream(request(model_server))) as chunks:
        assert isinstance(await anext(chunks), TextChunk)
    await hung_up(model_server)


@pytest.mark.parametrize("answer", [(Gate("never"),), (*HALF, Gate("never"))])
async def test_cancelling_hangs_up(model_server, model, answer):
    model_server.load(script(ScriptedTurn("long", answer=answer)))
    async with asyncio.TaskGroup() as group:
        task = group.create_task(chunks_of(model, request(model_server)))
        await until(
            lambda: model_server.requests and model_server.requests[0].when("gate"), "the gate"
        )
        task.cancel()
    assert task.cancelled()
    await hung_up(model_server)


async def test_cancelling_before_the_headers_hangs_up(model_server, model):
    model_server.load(script(ScriptedTurn("silent", fault=Fault("hang"))))
    async with asyncio.TaskGroup() as group:
        task = group.create_task(chunks_of(model, request(model_server)))
        await until(lambda: model_server.requests, "the request")
        task.cancel()
    await hung_up(model_server)


# ── what is kept quiet


async def test_the_key_is_in_no_error_log_or_output(model_server, model, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    fault = Fault("key_missing", message=f"Wrong key {CANARY}, sent as Bearer {CANARY}")
    model_server.load(script(ScriptedTurn("no", fault=fault)))
    with pytest.raises(ModelKeyRejected) as caught:
        await chunks_of(model, request(model_server))
    assert caught.value.detail == "Wrong key [redacted], sent as Bearer [redacted]"
    assert CANARY not in repr(caught.value.__dict__)
    output = capfd.readouterr()
    assert CANARY not in caplog.text + output.out + output.err
    assert "Be brief." not in caplog.text + output.out + output.err


async def test_loading_leaves_no_trace_in_the_environment(model):
    await model.prepare()
    names = [name for name in os.environ if name.startswith(("LITELLM", "TIKTOKEN", "REPEATED"))]
    assert names == []
