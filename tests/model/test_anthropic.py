"""Reasoning with tools against the Messages format: what comes back has to be as it was."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from cave_lab.errors import ModelBadRequest
from cave_lab.model.kept import Kept, without_kept
from cave_lab.model.port import (
    AssistantMessage,
    CellCall,
    Chunk,
    FinishChunk,
    KeptChunk,
    LookCall,
    ModelChoice,
    ModelMessage,
    ModelRequest,
    ReasoningChunk,
    ResultMessage,
    SystemMessage,
    ToolChunk,
    UsageChunk,
    UserMessage,
)
from cave_lab.model.script import Cell, Fault, Item, Look, Say, ScriptedTurn, Think, Tokens, When
from tests.fakes.anthropic_rules import signature
from tests.model.helpers import KEY_ENV, chunks_of, script, text_of

SONNET = "anthropic/claude-sonnet-4-5"
OPUS = "anthropic/claude-opus-4-6"
"""The first has a fixed budget for thinking, the second decides by itself when to think."""
ASKED = (SystemMessage("Be brief."), UserMessage("hi"))


def turn(name: str, last: str, *answer: Item) -> ScriptedTurn:
    """An answer to a last message that holds these words."""
    return ScriptedTurn(name, When(last=(last,)), answer)


TWO_CALLS = (
    turn("asked", "hi", Think("First, look."), Say("I look."), Cell("x = 1\nx", "Look")),
    turn("again", "It is 1.", Think("Then, add."), Cell("x + 1", "Add")),
    turn("done", "It is 2.", Think("Enough."), Say("Two.")),
    turn("later", "bye", Think("Polite."), Say("Bye.")),
)


def choice(server: Any, model: str = SONNET, effort: Any = "low") -> ModelChoice:
    """A model of the fake provider."""
    return ModelChoice(model, server.root, KEY_ENV, effort)


async def step(
    model: Any, asked: ModelRequest, result: str, *, number: int = 1
) -> tuple[ModelRequest, list[Chunk]]:
    """Make a call, and put its cell and the result behind the messages, as a turn does."""
    chunks = await chunks_of(model, asked)
    arguments = "".join(c.arguments for c in chunks if isinstance(c, ToolChunk))
    call = CellCall(f"call_{number}", json.loads(arguments)["code"], "p")
    kept = [c.data for c in chunks if isinstance(c, KeptChunk)]
    said = AssistantMessage(text_of(chunks), call, kept[0] if kept else None)
    messages = (*asked.messages, said, ResultMessage(call.call_id, result))
    return replace(asked, messages=messages), chunks


def thought(request: Any) -> list[list[str]]:
    """The kinds of the blocks of each of its assistant messages."""
    return [
        [block["type"] for block in message["content"]]
        for message in request.body["messages"]
        if message["role"] == "assistant"
    ]


async def test_reasoning_comes_piece_by_piece_and_what_is_wanted_back_comes_at_the_end(
    model_server, model
):
    answer = (Think("First, look."), Say("I look."), Cell("x", "Look"))
    model_server.load(
        script(ScriptedTurn("a", answer=answer, usage=Tokens(90, 12, cached=64), piece_chars=4))
    )
    chunks = await chunks_of(model, ModelRequest(choice(model_server), ASKED))
    assert [c.text for c in chunks if isinstance(c, ReasoningChunk)] == ["Firs", "t, l", "ook."]
    assert text_of(chunks) == "I look."
    *_, usage, kept, finish = chunks
    assert isinstance(usage, UsageChunk)
    assert (usage.prompt, usage.completion, usage.cached) == (90, 12, 64)
    assert finish == FinishChunk("tool_calls")
    assert isinstance(kept, KeptChunk)
    told = Kept.read(kept.data)
    assert told.model == SONNET
    [block] = told.thinking
    assert (block["type"], block["thinking"]) == ("thinking", "First, look.")
    assert (told.reasoning, told.call) == ("", {})


async def test_two_cells_in_a_row_go_on_with_their_reasoning(model_server, model):
    model_server.load(script(*TWO_CALLS))
    asked = ModelRequest(choice(model_server), ASKED)
    asked, _ = await step(model, asked, "It is 1.")
    asked, _ = await step(model, asked, "It is 2.", number=2)
    assert text_of(await chunks_of(model, asked)) == "Two."
    third = model_server.requests[2]
    assert thought(third) == [["thinking", "text", "tool_use"], ["thinking", "tool_use"]]
    first = third.body["messages"][1]["content"][0]
    assert first["thinking"] == "First, look."
    sent = model_server.requests[0].body
    unmarked = json.loads(json.dumps(sent).replace(', "cache_control": {"type": "ephemeral"}', ""))
    before = [unmarked["system"], unmarked["tools"], unmarked["messages"]]
    assert first["signature"] == signature("First, look.", json.dumps(before, sort_keys=True))
    assert [m["content"][0]["tool_use_id"] for m in third.body["messages"][2::2]] == [
        "call_1",
        "call_2",
    ]


async def test_looks_and_scratch_cells_go_on_with_their_reasoning(model_server, model):
    model_server.load(
        script(
            turn("asked", "hi", Think("First, look."), Look(("df",), "head")),
            turn("again", "df: DataFrame", Think("Then, count."), Cell("1", "Count", scratch=True)),
            turn("done", "It is 1.", Think("Enough."), Say("One.")),
        )
    )
    asked = ModelRequest(choice(model_server), ASKED)
    chunks = await chunks_of(model, asked)
    arguments = "".join(c.arguments for c in chunks if isinstance(c, ToolChunk))
    assert json.loads(arguments) == {"names": ["df"], "detail": "head"}
    [kept] = [c.data for c in chunks if isinstance(c, KeptChunk)]
    looked = AssistantMessage("", LookCall("call_0", ("df",), "head"), kept)
    messages = (*ASKED, looked, ResultMessage("call_0", "df: DataFrame"))
    asked, _ = await step(model, replace(asked, messages=messages), "It is 1.")
    assert text_of(await chunks_of(model, asked)) == "One."
    third = model_server.requests[-1]
    assert thought(third) == [["thinking", "tool_use"], ["thinking", "tool_use"]]
    uses = [m["content"][-1] for m in third.body["messages"] if m["role"] == "assistant"]
    assert [use["name"] for use in uses] == ["look", "run_cell"]
    assert uses[0]["input"] == {"names": ["df"], "detail": "head"}


async def test_a_thread_that_only_talks_may_have_looked_before(model_server, model):
    model_server.load(script(turn("later", "bye", Say("Bye."))))
    looked = AssistantMessage("", LookCall("call_0", ("df",)))
    messages = (*ASKED, looked, ResultMessage("call_0", "df: DataFrame"), UserMessage("bye"))
    asked = ModelRequest(choice(model_server, effort=None), messages, actions=False)
    assert text_of(await chunks_of(model, asked)) == "Bye."


async def test_reasoning_of_an_exchange_that_is_over_is_not_sent_again(model_server, model):
    model_server.load(script(*TWO_CALLS))
    asked, _ = await step(model, ModelRequest(choice(model_server), ASKED), "It is 1.")
    asked, _ = await step(model, asked, "It is 2.", number=2)
    over = (*asked.messages, AssistantMessage("Two."), UserMessage("bye"))
    await chunks_of(model, replace(asked, messages=over))
    assert thought(model_server.requests[-1]) == [["text", "tool_use"], ["tool_use"], ["text"]]


async def test_a_turn_that_was_stopped_leaves_its_reasoning_to_the_next(model_server, model):
    model_server.load(script(*TWO_CALLS))
    asked, _ = await step(model, ModelRequest(choice(model_server), ASKED), "Stopped.")
    asked = replace(asked, messages=(*asked.messages, UserMessage("bye")))
    assert text_of(await chunks_of(model, asked)) == "Bye."
    assert thought(model_server.requests[-1]) == [["thinking", "text", "tool_use"]]


async def test_redacted_reasoning_goes_back_too_and_each_block_stays_in_its_place(
    model_server, model
):
    answer = (Think("One."), Say("Said. "), Think("(hidden)"), Say("More."), Cell("x", "Look"))
    model_server.load(script(turn("a", "hi", *answer), turn("b", "It is 1.", Say("Done."))))
    asked, chunks = await step(model, ModelRequest(choice(model_server), ASKED), "It is 1.")
    assert text_of(chunks) == "Said. More."
    assert "(hidden)" not in str([c for c in chunks if not isinstance(c, KeptChunk)])
    assert text_of(await chunks_of(model, asked)) == "Done."
    [sent] = thought(model_server.requests[-1])
    assert sent == ["thinking", "text", "redacted_thinking", "text", "tool_use"]


async def test_text_that_was_redacted_since_does_not_move_a_block_into_a_word(model_server, model):
    answer = (Say("Said. "), Think("One."), Say("More."), Cell("x", "Look"))
    model_server.load(script(turn("a", "hi", *answer), turn("b", "It is 1.", Say("Done."))))
    asked = ModelRequest(choice(model_server, OPUS), ASKED)
    asked, _ = await step(model, asked, "It is 1.")
    messages = [
        replace(m, text="[redacted]") if isinstance(m, AssistantMessage) else m
        for m in asked.messages
    ]
    await chunks_of(model, replace(asked, messages=messages))
    assert thought(model_server.requests[-1]) == [["thinking", "text", "tool_use"]]


async def test_a_reply_without_reasoning_or_without_a_cell_leaves_nothing(model_server, model):
    model_server.load(
        script(turn("a", "hi", Cell("x", "Look")), turn("b", "ho", Think("Hm."), Say("Ho.")))
    )
    for words, effort in (("hi", None), ("ho", "low")):
        asked = ModelRequest(choice(model_server, effort=effort), (UserMessage(words),))
        assert not [c for c in await chunks_of(model, asked) if isinstance(c, KeptChunk)]


# ── who does not get it


@pytest.mark.parametrize("other", ["model", "address", "format"])
async def test_reasoning_goes_to_no_other_model_address_or_format(model_server, model, other):
    model_server.load(script(*TWO_CALLS))
    asked, _ = await step(model, ModelRequest(choice(model_server), ASKED), "It is 1.")
    if other == "model":
        asked = replace(asked, choice=choice(model_server, "anthropic/claude-haiku-4-5"))
    elif other == "address":
        asked = replace(asked, choice=replace(asked.choice, api_base=f"{model_server.root}/"))
    else:
        asked = replace(asked, format="fences")
    await chunks_of(model, asked)
    sent = model_server.requests[-1]
    assert "thinking" not in str(thought(sent))
    assert "First, look." not in json.dumps(sent.body)
    assert ("thinking" in sent.body) == (other == "format"), "it may not think on without"


async def test_a_model_that_thinks_when_it_likes_thinks_on_without_what_was_lost(
    model_server, model
):
    model_server.load(script(*TWO_CALLS))
    asked = ModelRequest(choice(model_server, OPUS), ASKED)
    asked, _ = await step(model, asked, "It is 1.")
    lost = replace(asked, messages=without_kept(asked.messages))
    await chunks_of(model, lost)
    assert model_server.requests[-1].body["thinking"]["type"] == "adaptive"


async def test_reasoning_switched_off_in_an_exchange_is_left_out_of_it(model_server, model):
    model_server.load(script(*TWO_CALLS))
    asked, _ = await step(model, ModelRequest(choice(model_server), ASKED), "It is 1.")
    await chunks_of(model, replace(asked, choice=choice(model_server, effort=None)))
    sent = model_server.requests[-1]
    assert "thinking" not in sent.body
    assert thought(sent) == [["text", "tool_use"]]


# ── what a provider no longer takes


def forged(messages: Sequence[ModelMessage]) -> list[ModelMessage]:
    """The messages with words of the reasoning changed."""
    return [
        replace(m, kept=m.kept.replace("First", "Last"))
        if isinstance(m, AssistantMessage) and m.kept
        else m
        for m in messages
    ]


async def test_a_signature_that_is_refused_costs_the_reasoning_not_the_thread(model_server, model):
    model_server.load(script(*TWO_CALLS))
    asked, _ = await step(model, ModelRequest(choice(model_server), ASKED), "It is 1.")
    chunks = await chunks_of(model, replace(asked, messages=forged(asked.messages)))
    assert any(isinstance(c, ToolChunk) for c in chunks)
    _, refused, again = model_server.requests
    assert "Last, look." in json.dumps(refused.body)
    assert thought(again) == [["text", "tool_use"]]
    assert "thinking" not in again.body


async def test_another_refusal_is_not_asked_again(model_server, model):
    fault = ScriptedTurn("no", When(last=("It is 1.",)), fault=Fault("bad_request"))
    model_server.load(script(TWO_CALLS[0], fault))
    asked, _ = await step(model, ModelRequest(choice(model_server), ASKED), "It is 1.")
    with pytest.raises(ModelBadRequest):
        await chunks_of(model, asked)
    assert len(model_server.requests) == 2


# ── effort


@pytest.mark.parametrize(
    "name, effort, thinking",
    [
        (SONNET, "low", {"type": "enabled", "budget_tokens": 1024}),
        (SONNET, "high", {"type": "enabled", "budget_tokens": 4096}),
        (OPUS, "high", {"type": "adaptive", "display": "summarized"}),
        (SONNET, None, None),
        ("anthropic/claude-3-haiku-20240307", "high", None),
    ],
)
async def test_effort_asks_for_thinking_where_the_model_has_it(
    model_server, model, caplog, name, effort, thinking
):
    model_server.load(script(ScriptedTurn("x", answer=(Say("ok"),))))
    await chunks_of(model, ModelRequest(choice(model_server, name, effort), ASKED))
    body = model_server.requests[0].body
    assert body.get("thinking") == thinking
    assert "null" not in json.dumps(body)
    assert "reasoning_effort" not in caplog.text, "nobody is told of it at each call"


@pytest.mark.parametrize(
    "name, effort, sent",
    [
        ("openai/gpt-5", "high", "high"),
        ("openai/gpt-4o", "high", None),
        ("openai/of-my-own", "high", "high"),
        ("openai/of-my-own", None, None),
    ],
)
async def test_effort_is_sent_to_all_that_take_it_or_that_nobody_knows(
    model_server, model, name, effort, sent
):
    model_server.load(script(ScriptedTurn("x", answer=(Say("ok"),))))
    asked = ModelChoice(name, model_server.url, KEY_ENV, effort)
    await chunks_of(model, ModelRequest(asked, ASKED))
    body = model_server.requests[0].body
    assert body.get("reasoning_effort") == sent
    assert "null" not in json.dumps(body)


# ── cache marks


async def test_the_cache_marks_stay_at_the_prompt_and_the_last_result(model_server, model):
    model_server.load(script(*TWO_CALLS))
    asked, _ = await step(model, ModelRequest(choice(model_server), ASKED), "It is 1.")
    await chunks_of(model, asked)
    body = model_server.requests[-1].body
    mark = {"type": "ephemeral"}
    assert json.dumps(body).count("cache_control") == 2
    assert body["system"][0]["cache_control"] == mark
    assert body["messages"][-1]["content"][-1]["cache_control"] == mark
