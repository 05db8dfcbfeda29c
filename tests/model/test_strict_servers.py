"""Local servers that refuse what is null, and fields they do not know: none of ours is."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from cave_lab.errors import ModelBadRequest
from cave_lab.model.port import (
    AssistantMessage,
    CellCall,
    LookCall,
    ModelChoice,
    ModelMessage,
    ModelRequest,
    ResultMessage,
    SystemMessage,
    UserMessage,
)
from cave_lab.model.script import Say, ScriptedTurn
from cave_lab.protocol.words import ActionFormat, Effort
from tests.fakes.model_server import ModelServer
from tests.model.helpers import KEY_ENV, chunks_of, script, text_of

FIRST: tuple[ModelMessage, ...] = (SystemMessage("Be brief."), UserMessage("hi"))
CALL = CellCall("call_1", "x = 1", "")
LOOK = LookCall("call_2", ("x", "y"), "head")
PIXEL = (
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
)
STORIES: dict[str, Sequence[ModelMessage]] = {
    "a first message": FIRST,
    "a picture": (UserMessage("look", (PIXEL,)),),
    "behind an action": (*FIRST, AssistantMessage("Now.", CALL), ResultMessage("call_1", "1")),
    "behind an action without words": (
        *(*FIRST, AssistantMessage("", CALL), ResultMessage("call_1", "")),
        *(AssistantMessage("", replace(CALL, call_id="call_2")), ResultMessage("call_2", "1")),
    ),
    "behind looks": (
        *(*FIRST, AssistantMessage("", LookCall("call_1", ("x",)))),
        *(ResultMessage("call_1", "x: int"), AssistantMessage("Closer.", LOOK)),
        ResultMessage("call_2", "1"),
    ),
    "behind a scratch cell": (
        *(*FIRST, AssistantMessage("", replace(CALL, scratch=True)), ResultMessage("call_1", "1")),
    ),
    "behind a cut": (*FIRST, AssistantMessage("It goes on and"), UserMessage("(It was cut.)")),
    "behind nothing": (*FIRST, AssistantMessage(""), UserMessage("Go on.")),
}


@pytest.mark.parametrize("effort", [None, "low"])
@pytest.mark.parametrize("actions", [True, False], ids=["acts", "talks"])
@pytest.mark.parametrize("format", ["tools", "fences"])
@pytest.mark.parametrize("name", ["openai/strict", "hosted_vllm/strict", "strict", "ollama/strict"])
async def test_no_request_of_ours_holds_a_null_or_a_field_of_somebody_elses(
    model_server: ModelServer,
    model,
    name: str,
    format: ActionFormat,
    actions: bool,
    effort: Effort | None,
):
    model_server.load(script(ScriptedTurn("x", answer=(Say("ok"),))))
    choice = ModelChoice(name, model_server.url, KEY_ENV, effort)
    for story, messages in STORIES.items():
        asked = ModelRequest(choice, messages, actions=actions, format=format)
        assert text_of(await chunks_of(model, asked)) == "ok", story
    bodies = [request.body for request in model_server.requests]
    assert {body.get("reasoning_effort") for body in bodies} == {effort}
    assert all(("tools" in body) == (format == "tools") for body in bodies) or not actions


async def test_the_strict_server_is_strict(model_server, model):
    model_server.load(script(ScriptedTurn("x", answer=(Say("ok"),))))
    choice = ModelChoice("openai/strict", model_server.url, KEY_ENV)
    unknown = CellCall(None, "x = 1", "")  # type: ignore[arg-type]
    asked = (*FIRST, AssistantMessage("", unknown), ResultMessage("call_1", "1"))
    with pytest.raises(ModelBadRequest) as caught:
        await chunks_of(model, ModelRequest(choice, asked))
    assert "none is not an allowed value" in str(caught.value.detail)
