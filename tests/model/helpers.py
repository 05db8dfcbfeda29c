"""What the tests of the model side share."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import TypeVar

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.litellm import LiteLLMModel
from cave_lab.model.port import (
    Chunk,
    CodeDelta,
    Model,
    ModelChoice,
    ModelRequest,
    Replies,
    ReplyPart,
    SystemMessage,
    TextChunk,
    UserMessage,
)
from cave_lab.model.replies import ModelReplies
from cave_lab.model.script import Say, ScriptedTurn, Trajectory
from tests.fakes.model_server import ModelServer

T = TypeVar("T")

CANARY = "sk-canary-4f1e9b7c2d"
KEY_ENV = "TEST_PROVIDER_API_KEY"

QUICK = replace(DEFAULT_LIMITS, idle_model_seconds=30.0, retry_first_seconds=0.01)
HASTY = replace(QUICK, idle_model_seconds=0.5)


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    """Put the canary where the tests' choices look for a key."""
    monkeypatch.setenv(KEY_ENV, CANARY)
    return CANARY


@pytest.fixture
async def model(key: str) -> AsyncIterator[LiteLLMModel]:
    """The real adapter, closed behind the test."""
    model = LiteLLMModel(QUICK)
    yield model
    await model.close()


@pytest.fixture
async def hasty(model: LiteLLMModel) -> AsyncIterator[LiteLLMModel]:
    """The adapter with a short patience, when the slow first call is behind it."""
    async with ModelServer(script(ScriptedTurn("warm-up", answer=(Say("ok"),)))) as server:
        await chunks_of(model, request(server))
    hasty = LiteLLMModel(HASTY)
    yield hasty
    await hasty.close()


@pytest.fixture
async def hasty_replies(hasty: LiteLLMModel) -> AsyncIterator[ModelReplies]:
    """The whole model side with a short patience."""
    replies = ModelReplies(HASTY)
    await replies.prepare()
    yield replies
    await replies.close()


@pytest.fixture
async def replies(key: str) -> AsyncIterator[ModelReplies]:
    """The whole model side, closed behind the test."""
    replies = ModelReplies(QUICK)
    yield replies
    await replies.close()


def request(server: ModelServer, words: str = "hi", *, actions: bool = True) -> ModelRequest:
    """A small request to the fake server."""
    choice = ModelChoice("openai/fake", server.url, KEY_ENV)
    return ModelRequest(choice, (SystemMessage("Be brief."), UserMessage(words)), actions=actions)


def script(*turns: ScriptedTurn) -> Trajectory:
    """A trajectory of these turns."""
    return Trajectory("test", turns)


async def chunks_of(model: Model, asked: ModelRequest) -> list[Chunk]:
    """All chunks of one call."""
    return [chunk async for chunk in model.stream(asked)]


async def parts_of(replies: Replies, asked: ModelRequest) -> list[ReplyPart]:
    """All parts of one reply."""
    return [part async for part in replies.reply(asked)]


async def collect(stream: AsyncIterator[T], into: list[T]) -> None:
    """Take what comes, so that it is there when the stream fails."""
    async for part in stream:
        into.append(part)  # noqa: PERF401


def text_of(parts: list[Chunk] | list[ReplyPart]) -> str:
    """The words of a reply."""
    return "".join(part.text for part in parts if isinstance(part, TextChunk))


def code_of(parts: list[ReplyPart]) -> str:
    """The code of a reply as it was typed."""
    return "".join(part.text for part in parts if isinstance(part, CodeDelta))
