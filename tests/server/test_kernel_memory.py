"""The kernel is the memory: what was done stays there, and the model knows what is there now."""

import json
from typing import Any

import pytest

from cave_lab.model.script import Cell, Fault, Say, ScriptedTurn, When
from tests.fakes.model_server import ModelServer
from tests.server.scenarios import (
    STORIES,
    WAITING,
    Told,
    asked,
    begun,
    last_request,
    let_go,
    told,
    told_whole,
)
from tests.talk import Lab, run_as_person

# ── what was done stays


async def test_variables_persist_over_turns_and_errors(lab: Lab, model: ModelServer) -> None:
    person = await begun(
        lab,
        model,
        asked("begin", Cell("rows = [1]\nfirst = id(rows)", "Make rows")),
        asked("fail", Cell("rows.append(2)\n1 / 0", "Append and fail")),
        asked("look", Cell("print(rows, id(rows) == first)", "Look")),
        told("ZeroDivisionError", Say("It failed.")),
        told("[1, 2] True", Say("The very same list.")),
        told("Finished", Say("Done.")),
        mode="auto",
    )
    for number, words in enumerate(("begin", "fail", "look"), 1):
        await person.say(words)
        assert await person.ended(number) == "end_turn"
    state = await told_whole(lab, person)
    assert [run.status for run in state.runs.values()] == ["ok", "error", "ok"]
    assert not model.mismatches


# ── one end


@pytest.mark.parametrize("told_story", STORIES, ids=lambda one: one.name)
async def test_every_turn_of_a_story_has_exactly_one_end(
    lab: Lab, model: ModelServer, told_story: Told
) -> None:
    person = await told_story.story(lab, model)
    state = await told_whole(lab, person)
    assert all(turn.stop_reason is not None for turn in state.turns)


ENDS: dict[str, tuple[ScriptedTurn, dict[str, Any]]] = {
    "model_error": (ScriptedTurn("q", When(), fault=Fault("quota")), {}),
    "refusal": (ScriptedTurn("q", When(), (Say("No."),), finish="content_filter"), {}),
    "max_runs": (ScriptedTurn("q", When(), (Cell("1", "One"),)), {"max_runs": 2}),
    "max_tokens": (ScriptedTurn("q", When(), (Say("On and on"),), finish="length"), {}),
}


@pytest.mark.parametrize("reason", ENDS)
async def test_a_turn_has_exactly_one_end_whatever_ends_it(
    lab: Lab, model: ModelServer, reason: str
) -> None:
    turn, settings = ENDS[reason]
    person = await begun(lab, model, turn, mode="auto")
    if settings:
        await person.do("thread.change", **settings)
    await person.say("go")
    assert await person.ended() == reason
    assert len((await told_whole(lab, person)).turns) == 1


# ── Stop leaves a history that every provider takes

SLEEP = Cell("import time\nprint('begun', flush=True)\ntime.sleep(600)", "Wait")


def check_history(model: ModelServer) -> None:
    """Each call of a tool is followed by its one result, and nothing else has a result."""
    messages = model.requests[-1].body["messages"]
    waits: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] == waits.pop(0)
        else:
            assert not waits
        waits += [call["id"] for call in message.get("tool_calls", ())]
    assert not waits
    assert messages[-1]["role"] == "user"


async def test_stop_before_the_cell_started_leaves_a_valid_history(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, asked("wait", SLEEP), asked("and now", Say("Here.")))
    await person.say("wait")
    await person.asked()
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"
    await person.say("and now")
    assert await person.ended(2) == "end_turn"
    check_history(model)
    assert "Stop was pressed before it ran" in last_request(model)


async def test_stop_while_it_is_queued_leaves_a_valid_history(lab: Lab, model: ModelServer) -> None:
    person = await begun(
        lab, model, asked("wait", SLEEP), asked("and now", Say("Here.")), mode="auto"
    )
    await person.say("wait")
    await person.talk.event("output.added")
    other = await begun(lab, model, asked("me too", Cell("1", "One")), asked("now", Say("Yes.")))
    await other.do("thread.change", mode="auto", target=person.target)
    await other.say("me too", target=person.target)
    await other.talk.saw(
        lambda frame: frame["type"] == "kernel.state" and frame.get("queued", 0) > 0, "its turn"
    )
    await other.do("turn.stop")
    assert await other.ended() == "cancelled"
    await other.say("now")
    assert await other.ended(2) == "end_turn"
    check_history(model)
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"


async def test_stop_after_the_cell_started_leaves_a_valid_history(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab, model, asked("wait", SLEEP), asked("and now", Say("Here.")), mode="auto"
    )
    await person.say("wait")
    await person.talk.event("output.added")
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"
    await person.say("and now")
    assert await person.ended(2) == "end_turn"
    check_history(model)
    assert "Interrupted" in last_request(model)


# ── what the person did by hand


async def test_a_users_cell_between_turns_is_known_to_the_model(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("begin", Cell("prices = [3, 1, 2]\nlabels = {}", "Make prices")),
        told("Finished", Say("Done.")),
        asked("go on", Say("I see.")),
        mode="auto",
    )
    await person.say("begin")
    assert await person.ended() == "end_turn"
    await run_as_person(lab, person.target, "prices.sort()\nlimit = 2\ndel labels")
    await person.say("go on")
    assert await person.ended(2) == "end_turn"
    question = json.dumps(model.requests[-1].body["messages"][-1], ensure_ascii=False)
    for change in ("~prices", "+limit", "-labels"):
        assert change in question


async def test_a_users_cell_in_the_middle_of_a_turn_is_known_in_the_next(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("wait", Cell(WAITING, "Wait")),
        told("done", Say("Done.")),
        asked("go on", Say("I see.")),
        mode="auto",
    )
    await person.say("wait")
    await person.talk.event("output.added")
    let_go(lab)
    await run_as_person(lab, person.target, "mine = [1]")
    assert await person.ended() == "end_turn"
    await person.say("go on")
    assert await person.ended(2) == "end_turn"
    assert "+mine" in json.dumps(model.requests[-1].body["messages"][-1])
