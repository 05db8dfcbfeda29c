"""Reasoning on its way: shown, given back to whom it came from, and written into no notebook."""

import json
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from cave_lab.model.script import Cell, Gate, Say, ScriptedTurn, Think
from cave_lab.state import ThreadState
from cave_lab.state.values import ReasoningItem, TextItem
from tests.fakes.model_server import ModelServer
from tests.fakes.record import Recorded
from tests.lab import KEY, KEY_VALUE
from tests.server.process import Served
from tests.server.scenarios import asked, begun, script, told, told_whole
from tests.talk import Browser, Lab, Person

SONNET = "anthropic/claude-sonnet-4-5"
HAIKU = "anthropic/claude-haiku-4-5"
SECRET = "Nobody must read this in a notebook."
PIECES = ("Nobody must", "read this", "in a notebook")
LOOK = asked("look", Think(SECRET), Say("I look. "), Cell("x = 6 * 7\nx", "Look"))
ADD = told("42", Think("Then one more."), Cell("x + 1", "Add"))
DONE = told("43", Say("It is 43."))
VALUE = re.compile("(?<![0-9a-f])42(?![0-9a-f])")
"""The value that was looked at; the random id of a call may hold these digits too."""


async def chosen(browser: Browser, server: ModelServer, model: str, **options: Any) -> None:
    """Choose a model of the fake Anthropic, and how it works."""
    body = {"model": model, "api_base": server.root, "key_env": KEY, "options": options}
    answer = await browser.fetch("cave-lab/settings", method="PUT", body=body)
    assert answer.code == 200, answer.body


async def looking(
    lab: Lab, model: ModelServer, *turns: ScriptedTurn, mode: str = "auto", **options: Any
) -> Person:
    """A person who asked a model that reasons for a look."""
    await chosen(lab, model, HAIKU, effort="low")
    await chosen(lab, model, SONNET, **{"effort": "low", **options})
    person = await begun(lab, model, *turns, mode=mode)
    await person.say("look")
    return person


def blocks(request: Recorded) -> list[list[dict[str, Any]]]:
    """The blocks of each message of the assistant's."""
    messages = request.body["messages"]
    return [message["content"] for message in messages if message["role"] == "assistant"]


def kinds(request: Recorded) -> list[list[str]]:
    """The kinds of the blocks of each message of the assistant's."""
    return [[block["type"] for block in message] for message in blocks(request)]


def kept(state: ThreadState) -> list[bool]:
    """Of which calls something was kept."""
    return [call.kept is not None for turn in state.turns for call in turn.calls]


# ── back to whom it came from


async def test_two_cells_in_a_row_go_on_with_their_reasoning(lab: Lab, model: ModelServer) -> None:
    bye = asked("bye", Say("Bye."))
    person = await looking(lab, model, LOOK, ADD, DONE, bye)
    assert await person.ended() == "end_turn"
    first, second, third = model.requests
    assert kinds(second) == [["thinking", "text", "tool_use"]]
    assert kinds(third) == [["thinking", "text", "tool_use"], ["thinking", "tool_use"]]
    assert blocks(second)[0][0] == blocks(third)[0][0]
    assert blocks(second)[0][0]["thinking"] == SECRET
    assert first.body["thinking"] == third.body["thinking"]
    state = await told_whole(lab, person)
    assert kept(state) == [True, True, False], "an answer alone is never wanted back"
    await person.say("bye")
    assert await person.ended(2) == "end_turn"
    assert kinds(model.requests[-1]) == [["text", "tool_use"], ["tool_use"], ["text"]]


async def test_what_the_panel_can_open_is_what_was_sent(lab: Lab, model: ModelServer) -> None:
    person = await looking(lab, model, LOOK, told("42", Say("It is 42.")))
    assert await person.ended() == "end_turn"
    state = await told_whole(lab, person)
    [*_, sent, _] = state.turns[0].calls[1].messages
    path = f"cave-lab/blobs/{person.thread_id}/{sent}"
    message = json.loads((await lab.fetch(path)).body)
    assert message["role"] == "assistant"
    assert json.loads(message["kept"])["thinking"][0]["thinking"] == SECRET


async def test_another_model_in_the_middle_of_a_turn_is_not_told_of_it(
    lab: Lab, model: ModelServer
) -> None:
    person = await looking(lab, model, LOOK, told("42", Say("It is 42.")), mode="review")
    card = await person.asked()
    await person.do("thread.change", model=HAIKU)
    await person.answer(card)
    assert await person.ended() == "end_turn"
    _, second = model.requests
    assert second.body["model"] == "claude-haiku-4-5"
    assert kinds(second) == [["text", "tool_use"]]
    assert SECRET not in json.dumps(second.body)
    assert "thinking" not in second.body, "it can't go on thinking in an exchange without"


async def test_a_stricter_privacy_mode_leaves_out_the_reasoning_made_from_more(
    lab: Lab, model: ModelServer
) -> None:
    person = await looking(lab, model, LOOK, ADD, told("Finished", Say("Done.")), mode="review")
    await person.answer(await person.asked())
    seen = len(person.talk.frames)
    card = await person.asked(after=seen)
    await person.do("thread.change", privacy="schema")
    await person.answer(card)
    assert await person.ended() == "end_turn"
    *_, second, third = model.requests
    assert VALUE.search(json.dumps(second.body))
    assert kinds(third) == [["thinking", "text", "tool_use"], ["tool_use"]]
    assert not VALUE.search(json.dumps(third.body["messages"]))


async def test_in_fenced_blocks_nothing_is_kept(lab: Lab, model: ModelServer) -> None:
    person = await looking(lab, model, LOOK, DONE, told("42", Say("So.")), format="fences")
    await person.ended()
    state = await told_whole(lab, person)
    assert not any(kept(state))
    assert SECRET in reasoning(state)
    assert SECRET not in json.dumps([request.body for request in model.requests])


async def test_what_was_kept_outlives_the_server(model: ModelServer, tmp_path: Path) -> None:
    served = Served(
        tmp_path,
        cave_lab={"model": SONNET, "api_base": model.root, "key_env": KEY},
        environ={KEY: KEY_VALUE},
    )
    await served.start()
    try:
        browser = await served.browser()
        await chosen(browser, model, SONNET, effort="low")
        model.load(script(LOOK, asked("again", Say("Here I am."))))
        person = await Person.at(browser, await browser.notebook())
        await person.say("look")
        await person.asked()
        await served.stop(signal.SIGKILL)

        await served.start()
        browser = await served.browser()
        talk = await browser.connect()
        await talk.ask("thread.open", thread_id=person.thread_id)
        again = Person(talk, person.thread_id, await browser.notebook())
        await again.say("again", target=again.target)
        assert await again.ended(2) == "end_turn"
    finally:
        await served.stop(signal.SIGKILL)
    first, second = model.requests
    assert kinds(second) == [["thinking", "text", "tool_use"]]
    assert blocks(second)[0][0]["thinking"] == SECRET
    assert first.body["thinking"] == second.body["thinking"]


# ── shown as it comes, and kept out of the notebook


def reasoning(state: ThreadState) -> str:
    """All reasoning of a thread."""
    items = [item for turn in state.turns for item in turn.items]
    return "".join(item.text for item in items if isinstance(item, ReasoningItem))


@pytest.mark.parametrize(
    "answer",
    [(Think(SECRET), Say("So:")), (Say(f"<think>{SECRET}</think>So:"),)],
    ids=["field", "text"],
)
async def test_reasoning_streams_into_the_panel_and_into_nothing_that_a_notebook_is_made_of(
    lab: Lab, model: ModelServer, answer: Any
) -> None:
    person = await begun(
        lab, model, asked("look", *answer, Cell("1", "Look")), told("1", Say("One.")), mode="auto"
    )
    await person.say("look")
    assert await person.ended() == "end_turn"
    state = await told_whole(lab, person)
    assert reasoning(state) == SECRET
    words = "".join(i.text for i in state.turns[0].items if isinstance(i, TextItem))
    assert words == "So:One."
    for name, value in state.model_dump(mode="json").items():
        assert SECRET not in json.dumps(value) or name == "turns"
    events = person.talk.events(person.thread_id)
    telling = {e.type for e in events if any(piece in e.model_dump_json() for piece in PIECES)}
    assert telling == {"reasoning.delta"}
    notebook = Path(lab.app.contents_manager.root_dir, "analysis.ipynb").read_text()
    assert not any(piece in notebook for piece in PIECES)
    # Nor does a model of this kind get it back.
    assert not any(piece in json.dumps(model.requests[-1].body) for piece in PIECES)


async def test_reasoning_is_told_before_the_answer_is_there(lab: Lab, model: ModelServer) -> None:
    person = await looking(lab, model, asked("look", Think("Hm. "), Gate("on"), Say("Yes.")))
    delta = await person.talk.event("reasoning.delta")
    assert delta["text"] == "Hm. "
    assert not [f for f in person.talk.frames if f["type"] == "text.delta"]
    model.release("on")
    assert await person.ended() == "end_turn"
