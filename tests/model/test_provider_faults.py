"""Every fault of a provider, through the real adapter over real sockets."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from cave_lab.errors import (
    UNCHANGED,
    EmptyResponse,
    ModelError,
    ModelInterrupted,
    ModelRateLimited,
    ModelTimeout,
)
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.actions import CUT
from cave_lab.model.litellm import LiteLLMModel
from cave_lab.model.port import (
    ActionReady,
    Chunk,
    ModelChoice,
    ModelRequest,
    ReasoningChunk,
    ReplyPart,
    Retrying,
    TextChunk,
    ToolChunk,
    UserMessage,
)
from cave_lab.model.script import Fault, Item, RawCall, Say, ScriptedTurn, Think
from cave_lab.protocol.words import ActionFormat
from tests.fakes.model_server import ModelServer
from tests.model.fault_table import BEFORE, HALFWAY, HARMLESS, KINDS, SILENT, UNREACHABLE
from tests.model.helpers import (
    HASTY,
    KEY_ENV,
    chunks_of,
    code_of,
    collect,
    parts_of,
    request,
    script,
    text_of,
)
from tests.waiting import until

HALF = RawCall('{"purpose": "x", "code": "ran = 1')
NEXT_STEP = re.compile(r"\b(Check|Choose|Try again|Wait|Begin|Rephrase)\b[^.]*\.")


def fault(kind: Any, **more) -> Fault:
    return Fault(kind, seconds=0.02, **more)


async def failure(model, model_server, turn: ScriptedTurn) -> ModelError:
    model_server.load(script(turn))
    with pytest.raises(ModelError) as caught:
        await chunks_of(model, request(model_server))
    return caught.value


# ── before the first word


def test_every_fault_has_its_row():
    assert set(BEFORE) | HARMLESS == set(KINDS)


@pytest.mark.parametrize("kind", sorted(BEFORE.keys() - SILENT))
async def test_every_fault_has_its_error(model_server, model, kind):
    error = await failure(model, model_server, ScriptedTurn(kind, fault=fault(kind)))
    assert type(error) is BEFORE[kind].error
    # No trace of what the library was given goes into a log with it.
    assert error.__cause__ is error.__context__ is None


@pytest.mark.parametrize("kind", sorted(SILENT))
async def test_what_is_no_content_does_not_put_the_clock_back(model_server, hasty, kind):
    error = await failure(hasty, model_server, ScriptedTurn(kind, fault=fault(kind)))
    assert type(error) is ModelTimeout
    assert "nothing for 0.5 seconds" in str(error)
    await hung_up(model_server)


@pytest.mark.parametrize("kind", sorted(SILENT - {"hang", "headers_only"}))
async def test_what_is_no_content_does_not_stop_the_clock_for_the_whole(model_server, hasty, kind):
    patient = LiteLLMModel(replace(HASTY, idle_model_seconds=30.0, total_model_seconds=0.5))
    error = await failure(patient, model_server, ScriptedTurn(kind, fault=fault(kind)))
    assert type(error) is ModelTimeout
    assert "more than 0.5 seconds" in str(error)
    await hung_up(model_server)


async def test_headers_that_are_later_than_our_patience_end_the_call(model_server, hasty):
    slow = Fault("slow_headers", seconds=30.0)
    error = await failure(hasty, model_server, ScriptedTurn("slow", fault=slow))
    assert type(error) is ModelTimeout
    await hung_up(model_server)


@pytest.mark.parametrize("error", sorted({fate.error for fate in BEFORE.values()}, key=repr))
def test_every_error_says_what_happened_how_things_are_and_what_to_do(error):
    told = str(error())
    assert told.startswith(f"{error.happened} ")
    assert UNCHANGED in told
    assert NEXT_STEP.search(told.partition(UNCHANGED)[2]), told


def test_an_answer_that_broke_off_says_what_is_kept_and_what_to_do():
    assert str(ModelInterrupted()) == (
        "The answer broke off. What came so far is kept; nothing of an unfinished cell ran. "
        "Go on from there, or try again."
    )


@pytest.mark.parametrize(
    "base",
    ["http://127.0.0.1:1/v1", "http://nowhere.invalid/v1", "TLS", "nobody"],
)
async def test_a_server_that_is_not_there_is_unreachable_and_not_tried_again(
    model_server, replies, base
):
    async with ModelServer() as gone:
        nobody = gone.url
    url = {"TLS": model_server.url.replace("http:", "https:"), "nobody": nobody}.get(base, base)
    asked = ModelRequest(ModelChoice("openai/fake", url, KEY_ENV), (UserMessage("hi"),))
    parts: list[ReplyPart] = []
    with pytest.raises(ModelError) as caught:
        await collect(replies.reply(asked), parts)
    assert (type(caught.value), parts) == (UNREACHABLE.error, [])
    assert "Check the base URL" in str(caught.value)


@pytest.mark.parametrize("kind", ["html", "json_error", "garbage", "empty", "not_streamed"])
async def test_an_answer_that_is_no_models_asks_to_check_the_base_url(model_server, model, kind):
    error = await failure(model, model_server, ScriptedTurn(kind, fault=fault(kind)))
    assert type(error) is EmptyResponse
    assert "Check" in str(error)
    assert "base URL" in str(error)


# ── in the middle of an answer


@pytest.mark.parametrize("kind", sorted(HALFWAY))
async def test_what_came_before_a_fault_is_kept_and_the_cell_marked_cut(
    model_server, hasty_replies, kind
):
    halves: dict[ActionFormat, tuple[Item, ...]] = {
        "tools": (Say("Half an answer."), HALF),
        "fences": (Say("Half an answer.\n\n```python run x\nran = 1"),),
    }
    for format, answer in halves.items():
        model_server.load(script(ScriptedTurn(kind, answer=answer, fault=fault(kind))))
        parts: list[ReplyPart] = []
        asked = replace(request(model_server), format=format)
        with pytest.raises(ModelInterrupted, match=r"came so far is kept.*ran\. Go on"):
            await collect(hasty_replies.reply(asked), parts)
        assert text_of(parts).strip() == "Half an answer."
        assert code_of(parts) == "ran = 1"
        assert parts[-1] == CUT
        assert not [part for part in parts if isinstance(part, ActionReady | Retrying)]
    assert len(model_server.requests) == 2


@pytest.mark.parametrize(
    "first, seen",
    [(Say("Half"), TextChunk), (Think("Half"), ReasoningChunk), (HALF, ToolChunk)],
)
@pytest.mark.parametrize("kind", ["reset", "error_event"])
async def test_nothing_is_tried_again_after_the_first_sign_of_an_answer(
    model_server, model, replies, first, seen, kind
):
    turn = ScriptedTurn("breaks", answer=(first,), fault=fault(kind))
    model_server.load(script(turn))
    came: list[Chunk] = []
    with pytest.raises(ModelInterrupted):
        await collect(model.stream(request(model_server)), came)
    assert {type(chunk) for chunk in came} == {seen}
    with pytest.raises(ModelInterrupted):
        await parts_of(replies, request(model_server))
    assert len(model_server.requests) == 2


# ── tried again


@pytest.mark.parametrize("kind", sorted(BEFORE.keys() - SILENT))
async def test_only_what_may_pass_is_tried_again(model_server, replies, kind):
    model_server.load(
        script(
            ScriptedTurn("first", fault=fault(kind), times=1),
            ScriptedTurn("then", answer=(Say("Hello."),)),
        )
    )
    parts: list[ReplyPart] = []
    fate = BEFORE[kind]
    if fate.again:
        await collect(replies.reply(request(model_server)), parts)
        [retrying] = [part for part in parts if isinstance(part, Retrying)]
        assert (retrying.attempt, retrying.code) == (1, fate.error.code)
        assert retrying.sentence == fate.error.happened
        assert text_of(parts) == "Hello."
    else:
        with pytest.raises(fate.error):
            await collect(replies.reply(request(model_server)), parts)
        assert parts == []
    assert len(model_server.requests) == (2 if fate.again else 1)


def in_seconds(seconds: float) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.parametrize("kind", ["rate_limited", "unavailable", "overloaded"])
async def test_a_wait_until_a_date_is_made(model_server, replies, kind):
    model_server.load(
        script(
            ScriptedTurn("busy", fault=fault(kind, retry_after=in_seconds(3)), times=1),
            ScriptedTurn("then", answer=(Say("Hello."),)),
        )
    )
    retrying, *rest = await parts_of(replies, request(model_server))
    assert isinstance(retrying, Retrying)
    # A date has whole seconds, and its own seconds pass on the way.
    assert 0.0 < retrying.wait_seconds <= 3.0
    first, second = model_server.requests
    assert second.at - first.at >= retrying.wait_seconds
    assert text_of(rest) == "Hello."


async def test_too_long_a_wait_is_told_and_not_made(model_server, replies):
    late = in_seconds(DEFAULT_LIMITS.retry_after_max_seconds + 3_600)
    busy = ScriptedTurn("busy", fault=fault("rate_limited", retry_after=late))
    model_server.load(script(busy))
    with pytest.raises(ModelRateLimited, match="asks to wait 61 minutes"):
        await parts_of(replies, request(model_server))
    assert len(model_server.requests) == 1


async def hung_up(server: ModelServer) -> None:
    await until(lambda: server.requests[-1].when("hung_up"), "the client hanging up")
