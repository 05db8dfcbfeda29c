"""Figures as images: to a model that sees, of the running turn, and to no other."""

import base64
import json
from typing import Any

import pytest

from cave_lab.model.script import Cell, Fault, Say, ScriptedTurn, When
from cave_lab.state.values import NoticeItem
from tests.fakes.model_server import ModelServer
from tests.lab import KEY
from tests.server.scenarios import asked, begun, told, told_whole
from tests.talk import Browser, Lab, Person

PLOT = "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\nplt.show()"
DOT = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)
SMALL = (
    "import base64\nfrom IPython.display import Image, display\n"
    f"display(Image(data=base64.b64decode('{DOT}')))"
)
WORDS = "Invalid content type. image_url is only supported by certain models."


async def chosen(browser: Browser, server: ModelServer, **options: Any) -> None:
    """Choose the scripted model, and what it can."""
    body = {"model": "openai/scripted", "api_base": server.url, "key_env": KEY, "options": options}
    answer = await browser.fetch("cave-lab/settings", method="PUT", body=body)
    assert answer.code == 200, answer.body


def after(number: int, *answer: Any, **more: Any) -> ScriptedTurn:
    """The answer to the n-th result of a turn."""
    return ScriptedTurn(f"result {number}", When(role="tool"), answer, times=1, **more)


async def plotted(lab: Lab, model: ModelServer, *answers: ScriptedTurn, **options: Any) -> Person:
    """A turn whose first cell draws, with a model that has these options."""
    await chosen(lab, model, **options)
    first = asked("draw it", Cell(PLOT, "Plot"))
    person = await begun(lab, model, first, *answers, asked("thanks", Say("Bye.")), mode="auto")
    await person.say("draw it")
    assert await person.ended() == "end_turn"
    return person


def images(body: dict[str, Any]) -> list[tuple[int, str]]:
    """The images of a request: the place of their message, and their data."""
    return [
        (at, part["image_url"]["url"])
        for at, message in enumerate(body["messages"])
        if isinstance(message.get("content"), list)
        for part in message["content"]
        if part["type"] == "image_url"
    ]


async def test_a_model_that_sees_is_given_the_figures_of_its_turn(
    lab: Lab, model: ModelServer
) -> None:
    answers = after(1, Cell("1 + 1", "Add")), after(2, Say("It goes up and down."))
    person = await plotted(lab, model, *answers, sees=True, format="tools")
    first, second, third = (request.body for request in model.requests)
    assert images(first) == []
    [(at, url)] = images(second)
    assert base64.b64decode(url.removeprefix("data:image/png;base64,")).startswith(b"\x89PNG")
    assert second["messages"][at]["role"] == "user"
    result = second["messages"][at - 1]
    assert result["role"] == "tool"
    assert "[figure: PNG " in result["content"]
    assert third["messages"][: len(second["messages"])] == second["messages"]
    await person.say("thanks")
    assert await person.ended(2) == "end_turn"
    assert images(model.requests[-1].body) == [], "those of earlier turns are lines again"
    assert "[figure: PNG " in json.dumps(model.requests[-1].body, ensure_ascii=False)


async def test_what_was_sent_can_be_opened_with_its_images(lab: Lab, model: ModelServer) -> None:
    person = await plotted(lab, model, after(1, Say("Yes.")), sees=True, format="tools")
    state = await told_whole(lab, person)
    sent = state.turns[0].calls[1].messages[-1]
    message = json.loads((await lab.fetch(f"cave-lab/blobs/{person.thread_id}/{sent}")).body)
    [(_, url)] = images(model.requests[1].body)
    assert (message["role"], message["images"]) == ("result", [url])


async def test_in_fenced_blocks_the_figures_stand_beside_the_result(
    lab: Lab, model: ModelServer
) -> None:
    await chosen(lab, model, sees=True, format="fences")
    block = f"```python run Plot\n{PLOT}\n```\n"
    person = await begun(
        lab, model, asked("draw it", Say(block)), told("figure: PNG", Say("Yes.")), mode="auto"
    )
    await person.say("draw it")
    assert await person.ended() == "end_turn"
    [(at, _)] = images(model.requests[1].body)
    parts = model.requests[1].body["messages"][at]["content"]
    assert "[figure: PNG " in parts[0]["text"]


@pytest.mark.parametrize("options", [{"sees": False}, {}])
async def test_a_model_that_does_not_see_is_told_in_words(
    lab: Lab, model: ModelServer, options: dict[str, Any]
) -> None:
    await plotted(lab, model, told("[figure: PNG ", Say("Yes.")), format="tools", **options)
    assert images(model.requests[1].body) == []


async def test_in_schema_no_figure_leaves_the_machine(lab: Lab, model: ModelServer) -> None:
    await chosen(lab, model, sees=True, format="tools")
    person = await begun(
        lab,
        model,
        asked("draw it", Cell(PLOT)),
        after(1, Say("Yes.")),
        mode="auto",
        privacy="schema",
    )
    await person.say("draw it")
    assert await person.ended() == "end_turn"
    assert images(model.requests[1].body) == []
    assert "iVBOR" not in json.dumps(model.requests[1].body)


async def test_a_model_that_refuses_images_goes_on_in_words_and_it_is_said(
    lab: Lab, model: ModelServer
) -> None:
    refused = after(1, fault=Fault("bad_request", message=WORDS))
    answers = refused, after(2, Cell(PLOT, "Again")), after(3, Say("Yes."))
    person = await plotted(lab, model, *answers, sees=True, format="tools")
    counts = [len(images(request.body)) for request in model.requests]
    assert counts == [0, 1, 0, 0]
    state = await told_whole(lab, person)
    notices = [item for item in state.turns[0].items if isinstance(item, NoticeItem)]
    assert [notice.code for notice in notices] == ["images_refused"]
    assert notices[0].level == "info"
    assert len(state.runs) == 2, "nothing was run twice"


async def test_figures_that_are_too_many_are_words_until_the_turn_ends_and_no_longer(
    lab: Lab, model: ModelServer
) -> None:
    refused = after(1, fault=Fault("bad_request", message="At most 1 image(s) in one prompt."))
    answers = refused, after(2, Say("Yes.")), asked("again", Cell(PLOT)), after(4, Say("Seen."))
    person = await plotted(lab, model, *answers, sees=True, format="tools")
    await person.say("again")
    assert await person.ended(2) == "end_turn"
    assert [len(images(request.body)) for request in model.requests[:3]] == [0, 1, 0]
    assert len(images(model.requests[-1].body)) == 1, "the next turn has figures again"
    state = await told_whole(lab, person)
    notices = [item for turn in state.turns for item in turn.items if isinstance(item, NoticeItem)]
    assert [(notice.code, notice.level) for notice in notices] == [("figures_refused", "info")]
    assert "At most 1 image(s)" in (notices[0].detail or "")


async def test_a_refusal_that_is_not_about_images_stays_one(lab: Lab, model: ModelServer) -> None:
    await chosen(lab, model, sees=True, format="tools")
    refused = after(1, fault=Fault("bad_request"))
    person = await begun(lab, model, asked("draw it", Cell(PLOT)), refused, mode="auto")
    await person.say("draw it")
    assert await person.ended() == "model_error"


async def test_a_small_image_that_lies_in_the_event_itself_is_sent_too(
    lab: Lab, model: ModelServer
) -> None:
    await chosen(lab, model, sees=True, format="tools")
    person = await begun(
        lab, model, asked("show", Cell(SMALL)), told("PNG 1×1", Say("Yes.")), mode="auto"
    )
    await person.say("show")
    assert await person.ended() == "end_turn"
    [(_, url)] = images(model.requests[1].body)
    assert url == f"data:image/png;base64,{DOT}"


async def test_claude_is_given_the_figure_with_the_result_and_goes_on_thinking(
    lab: Lab, model: ModelServer
) -> None:
    options = {"sees": True, "effort": "low"}
    body = {"model": "anthropic/claude-sonnet-4-5", "api_base": model.root, "key_env": KEY}
    answer = await lab.fetch("cave-lab/settings", method="PUT", body={**body, "options": options})
    assert answer.code == 200, answer.body
    person = await begun(
        lab,
        model,
        asked("draw it", Cell(PLOT)),
        told("[figure: PNG ", Cell("1 + 1")),
        told("2", Say("Yes.")),
        mode="auto",
    )
    await person.say("draw it")
    assert await person.ended() == "end_turn"
    third = model.requests[2].body["messages"]
    kinds = [block["type"] for block in third[2]["content"]]
    assert kinds[0] == "tool_result"
    assert "image" in kinds
    assert [message["role"] for message in third] == ["user", "assistant"] * 2 + ["user"]
