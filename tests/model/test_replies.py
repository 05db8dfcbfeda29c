import json
from contextlib import aclosing
from dataclasses import replace

import pytest

from cave_lab.errors import ModelInterrupted, ModelNotSet
from cave_lab.model.actions import BROKEN, CHAT, CUT, EMPTY, TWO_ACTIONS
from cave_lab.model.port import (
    ActionReady,
    ActionUnusable,
    CodeDelta,
    ModelChoice,
    ModelRequest,
    ReplyEnded,
    ReplyPart,
    SuggestionsChunk,
    TextChunk,
    UsageChunk,
    UserMessage,
)
from cave_lab.model.replies import ModelReplies
from cave_lab.model.script import Cell, Fault, Gate, Look, RawCall, Say, ScriptedTurn
from cave_lab.protocol.content import LookAction, RunCellAction
from tests.model.helpers import code_of, collect, parts_of, request, script, text_of
from tests.waiting import until

CODE = 'print("é 🎈 \\\\ {}")\nfor i in range(3):\n\tprint(i)\n'
GOOD = json.dumps({"purpose": "Count", "code": CODE})


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("arguments", [GOOD, json.dumps(json.loads(GOOD), ensure_ascii=False)])
async def test_code_is_shown_as_it_is_typed_and_the_whole_is_what_runs(
    model_server, replies, size, arguments
):
    turn = ScriptedTurn("cell", answer=(Say("Now."), RawCall(arguments)), piece_chars=size)
    model_server.load(script(turn))
    parts = await parts_of(replies, request(model_server))
    assert (text_of(parts), code_of(parts)) == ("Now.", CODE)
    [ready] = [part for part in parts if isinstance(part, ActionReady)]
    assert ready.action == RunCellAction(code=CODE, purpose="Count")
    assert parts[-1] == ReplyEnded("tool_calls")
    assert any(isinstance(part, UsageChunk) for part in parts)
    if size == 1:
        assert sum(isinstance(part, CodeDelta) for part in parts) > len(CODE) / 2


async def test_code_is_there_while_the_rest_is_still_to_come(model_server, replies):
    turn = ScriptedTurn(
        "slow", answer=(Cell("x = 1\n" * 20), Gate("rest"), Say(".")), piece_chars=5
    )
    model_server.load(script(turn))
    async with aclosing(replies.reply(request(model_server))) as parts:
        first = await anext(parts)
        assert isinstance(first, CodeDelta)
        await until(lambda: model_server.requests[0].when("gate", "rest"), "the gate")
        model_server.release("rest")
        rest = [part async for part in parts]
    assert code_of([first, *rest]) == "x = 1\n" * 20


@pytest.mark.parametrize(
    "answer, finish, outcome",
    [
        ((Cell("x = 1"), Cell("y = 2")), None, TWO_ACTIONS),
        ((RawCall("{'code': 'x'}"),), None, BROKEN),
        ((RawCall(GOOD[:-2]),), None, BROKEN),
        ((Cell("  "),), None, EMPTY),
        ((RawCall(GOOD[:30]),), "length", CUT),
        ((Cell("x = 1"),), "length", CUT),
    ],
)
async def test_an_unusable_action_is_told_and_nothing_is_ready(
    model_server, replies, answer, finish, outcome
):
    model_server.load(script(ScriptedTurn("bad", answer=answer, finish=finish)))
    parts = await parts_of(replies, request(model_server))
    assert [p for p in parts if isinstance(p, ActionReady | ActionUnusable)] == [outcome]
    assert isinstance(parts[-1], ReplyEnded)


async def test_a_call_and_a_block_in_one_reply_are_two_actions_and_neither_is_ready(
    model_server, replies
):
    block = Say("```python run Second\ny = 2\n```\n")
    model_server.load(script(ScriptedTurn("both", answer=(RawCall(GOOD), block))))
    parts = await parts_of(replies, replace(request(model_server), format="fences"))
    assert [p for p in parts if isinstance(p, ActionReady | ActionUnusable)] == [TWO_ACTIONS]


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("format", ["tools", "fences"])
async def test_a_look_is_ready_and_shows_nothing_as_code_or_words(
    model_server, replies, format, size
):
    name = "openai/plain" if format == "fences" else "openai/fake"
    answer = (Say("I look."), Look(("df", "x"), "column price"))
    model_server.load(script(ScriptedTurn("look", answer=answer, piece_chars=size)))
    asked = request(model_server)
    asked = replace(asked, choice=replace(asked.choice, name=name), format=format)
    parts = await parts_of(replies, asked)
    [ready] = [part for part in parts if isinstance(part, ActionReady)]
    assert ready.action == LookAction(names=["df", "x"], detail="column price")
    assert (text_of(parts).rstrip(), code_of(parts)) == ("I look.", "")
    assert parts[-1] == ReplyEnded("tool_calls")


@pytest.mark.parametrize("format", ["tools", "fences"])
async def test_a_scratch_cell_is_ready_as_one(model_server, replies, format):
    name = "openai/plain" if format == "fences" else "openai/fake"
    answer = (Cell("len(x)", "Count", scratch=True),)
    model_server.load(script(ScriptedTurn("scratch", answer=answer)))
    asked = request(model_server)
    asked = replace(asked, choice=replace(asked.choice, name=name), format=format)
    parts = await parts_of(replies, asked)
    [ready] = [part for part in parts if isinstance(part, ActionReady)]
    assert ready.action == RunCellAction(code="len(x)", purpose="Count", scratch=True)
    assert code_of(parts) == "len(x)"


async def test_a_thread_that_only_talks_looks_at_nothing(model_server, replies):
    block = "```look\ndf\n```\n"
    model_server.load(script(ScriptedTurn("looks", answer=(Say(block), Look(("x",))))))
    parts = await parts_of(replies, request(model_server, actions=False))
    assert [p for p in parts if isinstance(p, ActionReady | ActionUnusable)] == [CHAT]
    assert text_of(parts) == block


async def test_an_unknown_tool_shows_no_code(model_server, replies):
    model_server.load(script(ScriptedTurn("bad", answer=(RawCall(GOOD, "delete_all"),))))
    parts = await parts_of(replies, request(model_server))
    [unusable] = [part for part in parts if isinstance(part, ActionUnusable)]
    assert (unusable.code, code_of(parts)) == ("unknown_tool", "")
    assert "“delete_all”" in unusable.sentence


@pytest.mark.parametrize("kind", ["reset", "eof", "no_finish", "error_event", "malformed_chunk"])
async def test_a_cell_that_the_stream_broke_is_cut_and_said_so_before_the_error(
    model_server, replies, kind
):
    turn = ScriptedTurn("breaks", answer=(Say("Now."), Cell("x = 1")), fault=Fault(kind))
    model_server.load(script(turn))
    parts: list[ReplyPart] = []
    with pytest.raises(ModelInterrupted):
        await collect(replies.reply(request(model_server)), parts)
    assert (text_of(parts), code_of(parts), parts[-1]) == ("Now.", "x = 1", CUT)


async def test_a_thread_that_only_talks_offers_no_tool_and_runs_none(model_server, replies):
    model_server.load(script(ScriptedTurn("acts", answer=(Cell("x = 1"),))))
    parts = await parts_of(replies, request(model_server, actions=False))
    assert "tools" not in model_server.requests[0].body
    assert [p for p in parts if isinstance(p, ActionReady | ActionUnusable)] == [CHAT]


async def test_closing_the_reply_hangs_up(model_server, replies):
    model_server.load(script(ScriptedTurn("long", answer=(Say("Hello there."), Gate("never")))))
    async with aclosing(replies.reply(request(model_server))) as parts:
        assert isinstance(await anext(parts), TextChunk)
    await until(lambda: model_server.requests[0].when("hung_up"), "the client hanging up")


@pytest.mark.parametrize("name", ["", "  "])
async def test_without_a_name_there_is_no_model(replies, name):
    with pytest.raises(ModelNotSet):
        await parts_of(replies, ModelRequest(ModelChoice(name), (UserMessage("hi"),)))


async def test_the_tours_name_goes_to_the_script(replies: ModelReplies):
    choice = ModelChoice("cave-lab/tour")
    parts = await parts_of(replies, ModelRequest(choice, (UserMessage("What is love?"),)))
    assert "This is a script" in text_of(parts)
    assert any(isinstance(part, SuggestionsChunk) for part in parts)
    assert parts[-1] == ReplyEnded("stop")
