"""Looks that the model asks for: with tools and in fences, at a kernel in every state."""

import asyncio
import os
import signal
from typing import Any

import pytest

from cave_lab.model.script import Cell, Gate, Look, RawCall, Say, ScriptedTurn, When
from tests.fakes.model_server import ModelServer
from tests.server.looking import FORMATS, beside, count, known, looks, refusals
from tests.server.scenarios import (
    WAITING,
    asked,
    begun,
    last_request,
    let_go,
    script,
    told,
    told_whole,
)
from tests.talk import Lab, Person, run_as_person
from tests.waiting import until

FRAME = "import pandas as pd\ndf = pd.DataFrame({'price': [4711, 2, 3]})"


def result(model: ModelServer) -> str:
    """What the model was told last."""
    return str(model.requests[-1].body["messages"][-1]["content"])


# ── what a look is


@FORMATS
async def test_a_look_tells_what_a_variable_is_and_runs_nothing(
    lab: Lab, model: ModelServer
) -> None:
    person = await beside(
        lab,
        model,
        "numbers = [1, 2, 3]",
        asked("what is it", Say("I look."), Look(("numbers", "gone"))),
        told("numbers: list of 3", Say("A list of three.")),
    )
    before = await count(lab, person)
    await person.say("what is it")
    assert await person.ended() == "end_turn"
    assert await count(lab, person) == before + 1
    state = await told_whole(lab, person)
    assert state.runs == {}
    [look] = looks(person)
    assert (look.by, look.call, look.names) == ("model", 1, ["numbers", "gone"])
    assert "gone\nThere is no variable of this name." in result(model)
    kinds = [event.type for event in person.talk.events(person.thread_id)]
    assert not {kind for kind in kinds if kind.startswith(("run.", "approval.", "action."))}


@FORMATS
async def test_a_look_needs_no_approval_and_a_turn_goes_on_behind_it(
    lab: Lab, model: ModelServer
) -> None:
    person = await beside(
        lab,
        model,
        "numbers = [1, 2, 3]",
        asked("add", Look(("numbers",))),
        told("numbers: list of 3", Cell("sum(numbers)", "Add")),
        told("Finished", Say("Six.")),
    )
    await person.say("add")
    await person.answer(await person.asked())
    assert await person.ended() == "end_turn"
    state = await told_whole(lab, person)
    assert [item.type for item in state.turns[0].items] == ["look", "run", "text"]
    assert [run.call for run in state.runs.values()] == [2]


@pytest.mark.parametrize("more_config", [{"CaveLab": {"model": "openai/plain"}}], ids=["plain"])
async def test_the_connection_closes_at_the_look_and_its_words_are_counted(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("what is it", Look(("x",)), Cell("open('ran', 'w')"), Gate("never")),
        told("There is no variable", Say("Nothing.")),
        mode="auto",
    )
    await person.say("what is it")
    assert await person.ended() == "end_turn"
    await until(lambda: model.requests[0].when("hung_up"), "the connection closed")
    state = await told_whole(lab, person)
    assert state.runs == {}
    used = state.turns[0].calls[0].usage
    assert used is not None
    assert (used.estimated, used.completion > 0) == (True, True)


@FORMATS
async def test_in_chat_mode_a_look_is_shown_and_not_made(lab: Lab, model: ModelServer) -> None:
    person = await begun(
        lab,
        model,
        asked("what is it", Look(("x",))),
        asked("This thread only talks", Say("I only talk.")),
        mode="chat",
    )
    await person.say("what is it")
    assert await person.ended() == "end_turn"
    assert looks(person) == []


# ── what leaves


@pytest.mark.parametrize("privacy", ["schema", "standard", "full"])
async def test_a_look_of_the_models_tells_values_in_full_alone(
    lab: Lab, model: ModelServer, privacy: str
) -> None:
    person = await beside(
        lab,
        model,
        FRAME,
        asked("what is it", Look(("df",), "head")),
        told("df: DataFrame 3×1", Say("A frame.")),
        privacy=privacy,
    )
    await person.say("what is it")
    assert await person.ended() == "end_turn"
    assert ("4711" in result(model)) == (privacy == "full")


async def test_a_stricter_mode_applies_to_what_was_seen_before(
    lab: Lab, model: ModelServer
) -> None:
    person = await beside(
        lab,
        model,
        FRAME,
        asked("what is it", Look(("df",), "head")),
        told("4711", Say("A frame.")),
        asked("and now", Say("I see.")),
        privacy="full",
    )
    await person.say("what is it")
    assert await person.ended() == "end_turn"
    await person.do("thread.change", privacy="standard")
    await person.say("and now")
    assert await person.ended(2) == "end_turn"
    assert "4711" not in last_request(model)
    assert "df: DataFrame 3×1" in last_request(model)


# ── what can't be seen says why


@FORMATS
async def test_a_detail_that_nobody_knows_is_answered_by_a_sentence(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("what is it", Look(("x", "y"), "tail")),
        told("There is no detail “tail”", Say("I see.")),
    )
    await person.say("what is it")
    assert await person.ended() == "end_turn"
    assert refusals(person) == []
    assert result(model).count("There is no detail") == 1


async def test_of_too_many_names_some_are_left_out_and_that_is_said(
    lab: Lab, model: ModelServer
) -> None:
    names = tuple(f"x{n}" for n in range(23))
    person = await begun(
        lab, model, asked("all", Look(names)), told("x20 and 2 more", Say("So many."))
    )
    await person.say("all")
    assert await person.ended() == "end_turn"
    assert "Not looked at: one look takes at most 20 names." in result(model)
    assert len(looks(person)[0].names) == 20


async def test_a_look_that_can_not_be_read_is_refused_and_asked_again(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("what is it", RawCall('{"names": 5}', "look")),
        asked("a list of “names”", Look(("x",))),
        told("There is no variable", Say("Nothing.")),
    )
    await person.say("what is it")
    assert await person.ended() == "end_turn"
    assert refusals(person) == ["broken_arguments"]
    await told_whole(lab, person)


async def test_two_looks_in_one_reply_are_two_actions(lab: Lab, model: ModelServer) -> None:
    person = await begun(
        lab,
        model,
        asked("what is it", Look(("x",)), Look(("y",))),
        asked("Two actions", Say("One at a time.")),
    )
    await person.say("what is it")
    assert await person.ended() == "end_turn"
    assert (refusals(person), looks(person)) == (["two_actions"], [])


# ── a kernel in every state


async def test_while_a_cell_of_the_persons_runs_types_can_be_seen_and_contents_not(
    lab: Lab, model: ModelServer
) -> None:
    person = await beside(
        lab,
        model,
        "numbers = [1, 2, 3]",
        asked("what is it", Look(("numbers",))),
        told("A cell runs", Say("It is busy.")),
        told("numbers: list of 3", Look(("numbers",), "head")),
        privacy="full",
    )
    thread = await (await lab.domain()).threads.get(person.thread_id, "local")
    theirs = asyncio.ensure_future(run_as_person(lab, person.target, WAITING))
    link = await thread.bind()
    await until(lambda: link.activity.state == "busy", "the person's cell runs")
    await person.say("what is it")
    assert await person.ended() == "end_turn"
    assert not theirs.done()
    let_go(lab)
    assert (await theirs)["status"] == "ok"
    assert len(looks(person)) == 2


async def test_without_a_kernel_a_look_says_so(lab: Lab, model: ModelServer) -> None:
    target = await lab.notebook()
    session = f"api/sessions/{target['session_id']}"
    assert (await lab.fetch(session, method="DELETE")).code == 204
    model.load(
        script(asked("what is it", Look(("x", "y"))), told("no running kernel", Say("None.")))
    )
    person = await Person.at(lab, target)
    await person.say("what is it")
    assert await person.ended() == "end_turn"
    assert result(model).count("no running kernel") == 1
    await told_whole(lab, person)


async def test_behind_a_restart_a_look_finds_nothing_of_what_was(
    lab: Lab, model: ModelServer
) -> None:
    person = await beside(
        lab,
        model,
        "numbers = [1, 2, 3]",
        asked("first", Look(("numbers",))),
        told("numbers: list of 3", Say("A list.")),
        asked("second", Look(("numbers",))),
        told("There is no variable of this name", Say("It is gone.")),
    )
    await person.say("first")
    assert await person.ended() == "end_turn"
    kernel_id = person.target["kernel_id"]
    answer = await lab.fetch(f"api/kernels/{kernel_id}/restart", method="POST", body={})
    assert answer.code == 200
    changed = await person.talk.event("kernel.changed", reason="restarted")
    await known(person, after=person.talk.frames.index(changed))
    await person.say("second")
    assert await person.ended(2) == "end_turn"


async def test_stop_during_a_look_ends_the_turn_at_once_and_the_talk_goes_on(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("what is it", Say("I look. "), Gate("asleep"), Look(("x",))),
        asked("again", Say("Yes.")),
    )
    await person.say("what is it")
    await person.talk.event("text.delta")
    manager: Any = lab.app.kernel_manager.get_kernel(person.target["kernel_id"])
    os.kill(manager.provisioner.pid, signal.SIGSTOP)
    model.release("asleep")
    await person.talk.event("usage")
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"
    assert looks(person) == []
    os.kill(manager.provisioner.pid, signal.SIGCONT)
    await person.say("again")
    assert await person.ended(2) == "end_turn"
    assert "(The person stopped your last turn.)" in last_request(model)
    await told_whole(lab, person)


# ── not for ever

ENOUGH = "You have looked 6 times in a row: run a cell or answer."


@FORMATS
async def test_after_so_many_looks_the_model_is_told_to_go_on(lab: Lab, model: ModelServer) -> None:
    enough = ScriptedTurn("enough", When(last=(ENOUGH,)), (Say("I see."),))
    person = await begun(lab, model, enough, ScriptedTurn("looks", answer=(Look(("x",)),)))
    await person.say("what is it")
    assert await person.ended() == "end_turn"
    assert (len(looks(person)), refusals(person)) == (6, ["looks_in_a_row"])
    await told_whole(lab, person)


async def test_a_model_that_does_nothing_but_look_is_given_up(lab: Lab, model: ModelServer) -> None:
    person = await begun(lab, model, ScriptedTurn("looks", answer=(Look(("x",)),)))
    await person.say("what is it")
    assert await person.ended() == "model_error"
    assert (len(looks(person)), refusals(person)) == (6, ["looks_in_a_row"] * 3)
    await told_whole(lab, person)


async def test_a_cell_in_between_begins_the_count_of_looks_anew(
    lab: Lab, model: ModelServer
) -> None:
    look = Look(("x",))
    person = await begun(
        lab,
        model,
        ScriptedTurn("some", answer=(look,), times=5),
        ScriptedTurn("cell", answer=(Cell("1 + 1", "Add"),), times=1),
        ScriptedTurn("more", answer=(look,), times=6),
        ScriptedTurn("done", answer=(Say("Done."),)),
        mode="auto",
    )
    await person.say("what is it")
    assert await person.ended() == "end_turn"
    assert (len(looks(person)), refusals(person)) == (11, [])
