"""The real adapter and a real model: tokens, their count, a Stop, and a context that is full."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from cave_lab.errors import ContextTooLong, ModelKeyRejected
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.local.servers import find_servers
from cave_lab.model.local.tools import tools_of
from cave_lab.model.port import (
    ActionReady,
    ActionUnusable,
    AssistantMessage,
    FinishChunk,
    ModelChoice,
    ModelMessage,
    ModelRequest,
    ReplyEnded,
    ReplyPart,
    SystemMessage,
    TextChunk,
    UsageChunk,
    UserMessage,
)
from cave_lab.model.replies import ModelReplies
from cave_lab.model.tokens import estimate
from cave_lab.protocol.content import Usage
from cave_lab.protocol.ids import BlobId
from cave_lab.protocol.words import ActionFormat
from cave_lab.state.values import CallState
from cave_lab.thread.naming import Naming
from cave_lab.thread.tallies import Tallies
from tests.fakes.real_model import Counted, RealModel
from tests.model.helpers import KEY_ENV, chunks_of, collect, parts_of, text_of
from tests.model.tokenizers import CHINESE, JAPANESE, KOREAN, table
from tests.waiting import until

# On a busy machine a real model takes its time.
pytestmark = pytest.mark.timeout(300)

PATIENT = replace(DEFAULT_LIMITS, local_answer_seconds=20.0)


@pytest.fixture
async def real() -> AsyncIterator[RealModel]:
    """A model whose answers are short, by themselves or by their limit."""
    async with RealModel(most=48) as real:
        yield real


@pytest.fixture
async def endless() -> AsyncIterator[RealModel]:
    """A model that writes until nothing more fits."""
    async with RealModel(endless=True) as real:
        yield real


def choice(real: RealModel) -> ModelChoice:
    return ModelChoice("openai/smollm2", real.url, KEY_ENV)


def asked(
    real: RealModel, words: str, *, actions: bool = False, format: ActionFormat = "tools"
) -> ModelRequest:
    return ModelRequest(
        choice(real),
        (SystemMessage("Be brief."), UserMessage(words)),
        actions=actions,
        format=format,
        plain_fences_run=True,
    )


# ── tokens


async def test_its_words_come_in_pieces_and_its_usage_is_what_the_server_counted(model, real):
    first = await chunks_of(model, asked(real, "Say hello."))
    again = await chunks_of(model, asked(real, "Say hello to the sea."))
    for chunks in (first, again):
        assert len([chunk for chunk in chunks if isinstance(chunk, TextChunk)]) > 2
        assert text_of(chunks).strip()
        assert isinstance(chunks[-1], FinishChunk)
    usage = [chunk for chunk in (*first, *again) if isinstance(chunk, UsageChunk)]
    assert len(usage) == 2
    assert all(used.prompt > 0 and used.completion > 0 for used in usage)
    assert not any(used.estimated for used in usage)
    assert await real.counted() == Counted(
        sum(used.prompt for used in usage), sum(used.completion for used in usage)
    )
    assert usage[0].cached == 0
    assert 0 < usage[1].cached < usage[1].prompt, "the prompts begin alike"


@pytest.mark.parametrize("format", ["tools", "fences"])
async def test_whatever_it_says_when_it_may_act_the_reply_ends_whole(replies, real, format):
    words = "Write Python code that prints 1 + 2. Put it into a fence."
    parts = await parts_of(replies, asked(real, words, actions=True, format=format))
    assert text_of(parts) or any(isinstance(part, ActionReady) for part in parts)
    assert len([p for p in parts if isinstance(p, ActionReady | ActionUnusable)]) <= 1
    assert isinstance(parts[-1], ReplyEnded)
    await until(real.idle, "the server rest", seconds=60)


# ── Stop


async def test_closing_the_stream_frees_the_server(model, endless):
    async with aclosing(model.stream(asked(endless, "Tell me a story."))) as chunks:
        assert isinstance(await anext(chunks), TextChunk)
        assert not await endless.idle()
    await is_freed(endless)


async def test_cancelling_a_call_frees_the_server(model, endless):
    async def working() -> bool:
        return (await endless.counted()).prompt > 0

    async with asyncio.TaskGroup() as group:
        task = group.create_task(chunks_of(model, asked(endless, "Tell me a story.")))
        await until(working, "the model at work", seconds=60)
        task.cancel()
    await is_freed(endless)


async def is_freed(real: RealModel) -> None:
    """It rests, and not because nothing more fitted: it was told that nobody listens."""
    await until(real.idle, "the server rest", seconds=60)
    counted = await real.counted()
    assert counted.prompt + counted.completion < real.context


# ── a context that is full


async def test_an_answer_that_fills_the_context_is_cut_and_counted(model):
    async with RealModel(context=256, endless=True) as full:
        chunks = await chunks_of(model, asked(full, "word " * 180))
    [usage] = [chunk for chunk in chunks if isinstance(chunk, UsageChunk)]
    assert usage.prompt + usage.completion == full.context
    assert chunks[-1] == FinishChunk("length")


async def test_a_prompt_that_does_not_fit_is_told_and_not_tried_again(replies, real):
    parts: list[ReplyPart] = []
    with pytest.raises(ContextTooLong) as caught:
        await collect(replies.reply(asked(real, "word " * 2 * real.context)), parts)
    assert f"({real.context} tokens)" in (caught.value.detail or "")
    assert parts == []
    assert await real.counted() == Counted(0, 0)


# ── what a call will be


@pytest.mark.parametrize(
    "texts",
    [
        [CHINESE, CHINESE * 2],
        [JAPANESE, JAPANESE * 2],
        [KOREAN * 2, KOREAN * 3],
        [table(4, 1), table(8, 2)],
        ["Say hello. " * 40, CHINESE[:30]],
    ],
    ids=["Chinese", "Japanese", "Korean", "tables", "English, then some Chinese"],
)
async def test_after_one_call_the_next_is_estimated_within_15_percent(key, texts):
    replies = ModelReplies(DEFAULT_LIMITS)
    tallies = Tallies(replies)
    messages: list[ModelMessage] = [SystemMessage("Be brief.")]
    calls: list[CallState] = []
    await replies.prepare()
    async with RealModel(context=8_192, most=8) as real:
        for text in texts:
            messages.append(UserMessage(text))
            request = ModelRequest(choice(real), list(messages), format="fences", actions=False)
            naming = Naming()
            naming.add_all(messages, [None] * len(messages))
            expected = estimate(await tallies.measured(naming, request), calls)
            parts = await parts_of(replies, request)
            [used] = [part for part in parts if isinstance(part, UsageChunk)]
            if calls:
                assert expected == pytest.approx(used.prompt, rel=0.15)
            calls.append(called(naming.blobs, used.prompt))
            messages.append(AssistantMessage(text_of(parts)))
    await replies.close()


def called(blobs: list[BlobId], prompt: int) -> CallState:
    """A call that the server has counted."""
    return CallState(
        call=1,
        model="openai/smollm2",
        messages=blobs,
        variables=0,
        cells=0,
        estimated_tokens=0,
        usage=Usage(calls=1, prompt=prompt),
    )


# ── what the server says of itself


async def test_it_says_itself_that_its_model_has_no_tools(real):
    assert await tools_of(choice(real), {}, PATIENT) is False


async def test_it_is_found_and_answers_by_the_name_it_is_found_under(model, real):
    port = urlsplit(real.url).port
    [server] = (await find_servers(PATIENT, {}, {"llama_cpp": port})).servers
    assert (server.kind, server.address, server.needs_key) == ("llama_cpp", real.url, False)
    [found] = server.models
    request = asked(real, "Say hello.")
    request = replace(request, choice=ModelChoice(found.litellm_name, server.address))
    assert text_of(await chunks_of(model, request)).strip()


async def test_a_key_that_it_does_not_know_is_rejected(model, key):
    async with RealModel(key=f"not {key}") as locked:
        with pytest.raises(ModelKeyRejected):
            await chunks_of(model, asked(locked, "Say hello."))
