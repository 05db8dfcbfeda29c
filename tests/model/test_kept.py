"""What each provider wants back, and what goes to nobody."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from cave_lab.model.kept import (
    Kept,
    begins_with_thinking,
    going_back,
    takes_reasoning,
    without_kept,
    without_thinking,
    write_back,
)
from cave_lab.model.port import (
    AssistantMessage,
    CellCall,
    KeptChunk,
    ModelChoice,
    ModelMessage,
    ModelRequest,
    ReasoningChunk,
    ResultMessage,
    SystemMessage,
    UserMessage,
)
from cave_lab.model.script import Cell, Say, ScriptedTurn, Think, When
from tests.fakes.http import HttpAnswer, read_request
from tests.model.helpers import KEY_ENV, chunks_of, script

CLAUDE = ModelChoice("anthropic/claude", "http://one.test", effort="low")
BLOCK = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
CALL = CellCall("call_1", "x = 1", "p")
RESULT = ResultMessage("call_1", "Finished.")
ASKED = (SystemMessage("Be brief."), UserMessage("hi"))


def acted(kept: Kept | None, text: str = "So:") -> AssistantMessage:
    """A message that asked for a cell, and what was kept of it."""
    return AssistantMessage(text, CALL, None if kept is None else kept.data)


def thought(choice: ModelChoice = CLAUDE) -> Kept:
    """Signed reasoning of a model."""
    return replace(Kept.by(choice), thinking=[BLOCK], places=[0], said=3)


def kept_in(messages: Any) -> list[str | None]:
    """What is kept of each message of the assistant's."""
    return [m.kept for m in messages if isinstance(m, AssistantMessage)]


# ── the record


def test_it_is_read_as_it_was_written_to_the_last_sign() -> None:
    odd = {**BLOCK, "thinking": "é\n\ud800 \u2028"}
    kept = replace(thought(), thinking=[odd], call={"extra_content": {"google": {"a": "b"}}})
    assert Kept.read(kept.data) == kept
    assert Kept.read(kept.data).data == kept.data
    assert kept.data.isascii()


def test_it_names_the_model_and_not_the_address() -> None:
    assert "one.test" not in thought().data
    assert Kept.by(ModelChoice("a")).address == ""


# ── whom it goes to


def test_it_goes_to_the_model_it_came_from() -> None:
    messages: list[ModelMessage] = [*ASKED, acted(thought()), RESULT]
    assert going_back(messages, CLAUDE, "tools") == messages


@pytest.mark.parametrize(
    "other",
    [
        replace(CLAUDE, name="anthropic/other"),
        replace(CLAUDE, api_base="http://two.test"),
        replace(CLAUDE, api_base=None),
    ],
    ids=["model", "address", "the provider's own"],
)
def test_it_goes_to_nobody_else(other: ModelChoice) -> None:
    messages: list[ModelMessage] = [*ASKED, acted(thought()), RESULT]
    assert kept_in(going_back(messages, other, "tools")) == [None]


def test_fenced_blocks_take_none() -> None:
    assert kept_in(going_back([*ASKED, acted(thought()), RESULT], CLAUDE, "fences")) == [None]


def test_signed_reasoning_goes_back_until_the_model_has_answered() -> None:
    messages: list[ModelMessage] = [*ASKED, acted(thought()), RESULT, acted(thought()), RESULT]
    assert None not in kept_in(going_back(messages, CLAUDE, "tools"))
    answered: list[ModelMessage] = [
        *messages,
        AssistantMessage("Done."),
        UserMessage("more"),
        acted(thought()),
        RESULT,
    ]
    assert kept_in(going_back(answered, CLAUDE, "tools")) == [None, None, None, thought().data]


def test_what_is_wanted_in_every_turn_stays() -> None:
    kept = replace(Kept.by(CLAUDE), reasoning="Hm.", call={"extra_content": {"a": 1}})
    messages: list[ModelMessage] = [
        *ASKED,
        acted(kept),
        RESULT,
        AssistantMessage("Done."),
        UserMessage("more"),
    ]
    assert going_back(messages, CLAUDE, "tools") == messages
    messages[2] = acted(replace(kept, thinking=[BLOCK], places=[0], said=3))
    assert kept_in(going_back(messages, CLAUDE, "tools")) == [kept.data, None]


def test_thinking_is_left_out_where_it_was_asked_for_and_no_longer_is() -> None:
    messages: list[ModelMessage] = [*ASKED, acted(thought()), RESULT]
    assert kept_in(going_back(messages, replace(CLAUDE, effort=None), "tools")) == [None]
    unasked = acted(replace(thought(), effort=None))
    assert kept_in(going_back([*ASKED, unasked, RESULT], CLAUDE, "tools")) == [unasked.kept]


# ── when it is missing

GOES_ON: list[tuple[str, list[ModelMessage], bool]] = [
    ("nothing ran yet", [], True),
    ("the first has it", [acted(thought()), RESULT, acted(None), RESULT], True),
    ("the first has none", [acted(None), RESULT, acted(thought()), RESULT], False),
    ("all is answered", [acted(None), RESULT, AssistantMessage("Done."), UserMessage("?")], True),
    ("a stopped turn has none", [acted(None), RESULT, UserMessage("?")], False),
    (
        "the turn behind a stopped one has none",
        [acted(thought()), RESULT, UserMessage("?"), acted(None), RESULT],
        False,
    ),
]


@pytest.mark.parametrize("behind, begins", [g[1:] for g in GOES_ON], ids=[g[0] for g in GOES_ON])
def test_an_exchange_goes_on_thinking_only_as_it_began(
    behind: list[ModelMessage], begins: bool
) -> None:
    assert begins_with_thinking([*ASKED, *behind]) is begins


def test_leaving_it_out_leaves_the_rest() -> None:
    kept = replace(thought(), call={"extra_content": {"a": 1}})
    messages: list[ModelMessage] = [*ASKED, acted(kept), RESULT]
    [without] = kept_in(without_thinking(messages))
    assert without is not None
    assert (Kept.read(without).thinking, Kept.read(without).call) == ((), kept.call)
    assert kept_in(without_kept(messages)) == [None]
    assert without_thinking([*ASKED, acted(thought()), RESULT])[2] == acted(None)


# ── how it is written


def written(kept: Kept, text: str) -> dict[str, Any]:
    """A message with what was kept of it."""
    message = {"role": "assistant", "content": text, "tool_calls": [{"id": "call_1"}]}
    write_back(kept, message)
    return message


def test_blocks_before_the_text_stand_beside_it() -> None:
    message = written(thought(), "So:")
    assert (message["thinking_blocks"], message["content"]) == ([BLOCK], "So:")


def test_blocks_within_the_text_stand_where_they_stood() -> None:
    other = {"type": "redacted_thinking", "data": "x"}
    kept = replace(thought(), thinking=[BLOCK, other, other], places=[0, 2, 6], said=6)
    assert written(kept, "So it ")["content"] == [
        BLOCK,
        {"type": "text", "text": "So"},
        other,
        {"type": "text", "text": " it "},
        other,
    ]


def test_text_that_is_no_longer_as_long_is_not_cut() -> None:
    kept = replace(thought(), places=[2], said=6)
    assert written(kept, "[redacted]")["content"] == "[redacted]"


# ── providers that want it as text, or want nothing

ACTING = script(
    ScriptedTurn(
        "asked", When(last=("hi",)), (Think("First, "), Think("look."), Say("So:"), Cell("x"))
    ),
    ScriptedTurn("more", answer=(Say("Done."),)),
)
LATER = (AssistantMessage("Done."), UserMessage("more"))


async def told_again(model: Any, server: Any, choice: ModelChoice) -> list[dict[str, Any]]:
    """Act once, and give the messages of the assistant's that the next turn sends."""
    server.load(ACTING)
    chunks = await chunks_of(model, ModelRequest(choice, ASKED))
    assert [c.text for c in chunks if isinstance(c, ReasoningChunk)] == ["First, ", "look."]
    kept = [c.data for c in chunks if isinstance(c, KeptChunk)]
    acted = AssistantMessage("So:", CALL, kept[0] if kept else None)
    await chunks_of(model, ModelRequest(choice, (*ASKED, acted, RESULT, *LATER)))
    messages = server.requests[-1].body["messages"]
    return [message for message in messages if message["role"] == "assistant"]


@pytest.mark.parametrize(
    "name", ["deepseek/deepseek-chat", "moonshot/kimi-k2-thinking", "openai/zai-org/GLM-5"]
)
async def test_reasoning_as_text_goes_back_with_its_call_in_every_turn(model_server, model, name):
    choice = ModelChoice(name, model_server.url, KEY_ENV)
    call, answer = await told_again(model, model_server, choice)
    assert call["reasoning_content"] == "First, look."
    assert call["tool_calls"][0]["id"] == "call_1"
    assert answer["reasoning_content"].strip() == ""


async def test_a_call_by_another_model_goes_to_one_that_wants_reasoning_without_any(
    model_server, model
):
    model_server.load(ACTING)
    choice = ModelChoice("deepseek/deepseek-chat", model_server.url, KEY_ENV)
    other = thought(replace(choice, name="openai/other"))
    await chunks_of(model, ModelRequest(choice, (*ASKED, acted(other), RESULT)))
    body = model_server.requests[-1].body
    assert body["messages"][2]["reasoning_content"] == " "
    assert "Hm." not in json.dumps(body)


@pytest.mark.parametrize("name", ["openai/gpt-5", "openai/fake", "groq/moonshotai/kimi-k2"])
async def test_who_wants_nothing_is_sent_nothing(model_server, model, name):
    choice = ModelChoice(name, model_server.url, KEY_ENV)
    assert [set(m) for m in await told_again(model, model_server, choice)] == [
        {"role", "content", "tool_calls"},
        {"role", "content"},
    ]


def test_a_strict_provider_is_sent_no_field_that_it_does_not_know() -> None:
    assert takes_reasoning("openrouter/deepseek/deepseek-v4")
    assert not takes_reasoning("groq/deepseek-r1")
    assert not takes_reasoning("openai/gpt-5")
    assert not takes_reasoning("openai/single-model")


# ── Gemini, which signs the call itself


@pytest.fixture
async def gemini() -> AsyncIterator[tuple[str, list[Any]]]:
    """A server that answers with one signed call, in both of Gemini's formats."""
    bodies: list[Any] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await read_request(reader)
        if request is not None:
            bodies.append(request.json())
            answer = HttpAnswer(writer)
            for event in OPENAI if request.path.endswith("/chat/completions") else NATIVE:
                await answer.event(json.dumps(event))
            await answer.end_events()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", bodies


ARGUMENTS = {"purpose": "p", "code": "x = 1"}
PARTS = [
    {"text": "Hm.", "thought": True},
    {"functionCall": {"name": "run_cell", "args": ARGUMENTS}, "thoughtSignature": "c2ln"},
]
NATIVE = [
    {"candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0}]} for part in PARTS
]
NATIVE[-1]["candidates"][0]["finishReason"] = "STOP"
FUNCTION = {"name": "run_cell", "arguments": json.dumps(ARGUMENTS)}
SIGNED = {
    "index": 0,
    "id": "call_g",
    "type": "function",
    "function": FUNCTION,
    "extra_content": {"google": {"thought_signature": "c2ln"}},
}
OPENAI = [
    {
        "id": "x",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }
    for delta, finish in (({"role": "assistant", "tool_calls": [SIGNED]}, None), ({}, "tool_calls"))
]


async def test_geminis_signature_goes_back_at_its_call(gemini, model):
    address, bodies = gemini
    choice = ModelChoice("gemini/gemini-3-pro-preview", address, KEY_ENV)
    [kept] = [
        c.data
        for c in await chunks_of(model, ModelRequest(choice, ASKED))
        if isinstance(c, KeptChunk)
    ]
    messages = (*ASKED, AssistantMessage("So:", CALL, kept), RESULT, *LATER)
    await chunks_of(model, ModelRequest(choice, messages))
    [call] = [
        part
        for content in bodies[-1]["contents"]
        for part in content["parts"]
        if "function_call" in part
    ]
    assert call["thoughtSignature"] == "c2ln"
    assert "Hm." not in json.dumps(bodies[-1])


async def test_geminis_signature_goes_back_in_the_openai_format_too(gemini, model):
    address, bodies = gemini
    choice = ModelChoice("openai/gemini-3-pro-preview", f"{address}/v1", KEY_ENV)
    chunks = await chunks_of(model, ModelRequest(choice, ASKED))
    [kept] = [c.data for c in chunks if isinstance(c, KeptChunk)]
    messages = (*ASKED, AssistantMessage("So:", CALL, kept), RESULT)
    await chunks_of(model, ModelRequest(choice, messages))
    [call] = bodies[-1]["messages"][2]["tool_calls"]
    assert (call["id"], call["extra_content"]) == ("call_1", SIGNED["extra_content"])
    assert bodies[-1]["messages"][3]["tool_call_id"] == "call_1"
