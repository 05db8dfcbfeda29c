"""What the person answers to a cell, and what the mode decides in their place."""

from typing import Any

import pytest

from cave_lab.model.script import Cell, Gate, Say
from tests.fakes.model_server import ModelServer
from tests.server.scenarios import (
    WAITING,
    asked,
    begun,
    last_request,
    let_go,
    rejected_run,
    told,
    told_whole,
)
from tests.talk import Lab, Refused


async def test_auto_asks_nothing_and_says_by_what_it_ran(lab: Lab, model: ModelServer) -> None:
    person = await begun(
        lab, model, asked("please", Cell("!true")), told("Finished", Say("Done.")), mode="auto"
    )
    await person.say("please")
    assert await person.ended() == "end_turn"
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.approval is not None
    assert (run.approval.outcome, run.approval.allowed_by) == ("allowed_by", "mode:auto")
    assert [risk.words for risk in run.risks] == ["runs a shell command"]
    assert not any(frame["type"] == "approval.requested" for frame in person.talk.frames)


async def test_run_all_in_this_turn_allows_the_turn_and_not_the_next_one(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("twice", Cell("1")),
        told("1\n</data>", Cell("2")),
        told("2\n</data>", Say("Done.")),
    )
    await person.say("twice")
    await person.answer(await person.asked(), scope="turn")
    assert await person.ended() == "end_turn"
    seen = len(person.talk.frames)
    await person.say("twice again")
    await person.answer(await person.asked(after=seen))
    second = await person.asked(after=len(person.talk.frames))
    await person.answer(second)
    assert await person.ended(2) == "end_turn"
    runs = list((await told_whole(lab, person)).runs.values())
    assert [run.approval.allowed_by for run in runs if run.approval] == [
        None,
        "scope:turn",
        None,
        None,
    ]


async def test_a_rejection_for_the_whole_turn_allows_nothing(lab: Lab, model: ModelServer) -> None:
    person = await begun(
        lab, model, asked("please", Cell("1")), told("rejected", Cell("2")), told("2", Say("Done."))
    )
    await person.say("please")
    await person.answer(await person.asked(), "rejected", scope="turn")
    seen = len(person.talk.frames)
    await person.answer(await person.asked(after=seen))
    assert await person.ended() == "end_turn"
    await told_whole(lab, person)


async def test_the_reason_of_a_rejection_is_there_after_a_reload(
    lab: Lab, model: ModelServer
) -> None:
    person = await rejected_run(lab, model)
    await told_whole(lab, person)
    await person.talk.close()
    again = await lab.connect()
    await again.ask("thread.open", thread_id=person.thread_id)
    await again.saw(lambda frame: frame["type"] == "caught_up", "all that is kept")
    [run] = again.state(person.thread_id).runs.values()
    assert run.approval is not None
    assert (run.approval.outcome, run.approval.reason) == ("rejected", "I still need x")


async def test_an_edited_cell_runs_as_it_was_edited_and_the_click_names_that_run(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab, model, asked("please", Cell("x = 1")), told("x = 2\nx", Say("Two it is."))
    )
    await person.say("please")
    card = await person.asked()
    answered = await person.answer(card, "run_edited", edited_code="x = 2\r\nx")
    assert await person.ended() == "end_turn"
    proposed, edited = (await told_whole(lab, person)).runs.values()
    assert answered["run_id"] == edited.run_id != card["run_id"]
    assert (proposed.status, proposed.cell_id) == ("not_run", None)
    assert (edited.code, edited.by, edited.replaces) == ("x = 2\nx", "user", proposed.run_id)
    assert edited.excerpt is not None
    assert edited.excerpt.head == "2"
    call = model.requests[-1].body["messages"][-2]["tool_calls"][0]["function"]["arguments"]
    assert "x = 1" in call, "what the model asked for stays what it asked for"


async def test_an_empty_edit_runs_nothing_and_the_card_waits_on(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, asked("please", Cell("1")), told("1", Say("Done.")))
    await person.say("please")
    card = await person.asked()
    with pytest.raises(Refused, match="empty"):
        await person.answer(card, "run_edited", edited_code=" \n")
    await person.answer(card)
    assert await person.ended() == "end_turn"
    await told_whole(lab, person)


# ── the mode changes in mid-turn


@pytest.mark.parametrize(
    "mode, allowed", [("auto", "mode:auto"), ("chat", None)], ids=["auto", "chat"]
)
async def test_a_mode_changed_in_mid_turn_counts_for_the_next_cell(
    lab: Lab, model: ModelServer, mode: str, allowed: Any
) -> None:
    person = await begun(
        lab,
        model,
        asked("twice", Cell(WAITING)),
        told("done", Cell("2")),
        told("2\n</data>", Say("Done.")),
        asked("only talks", Say("Then I only talk.")),
    )
    await person.say("twice")
    await person.answer(await person.asked())
    await person.talk.event("output.added")
    await person.do("thread.change", mode=mode)
    let_go(lab)
    assert await person.ended() == "end_turn"
    first, *rest = (await told_whole(lab, person)).runs.values()
    assert first.status == "ok"
    if allowed:
        assert rest[0].approval is not None
        assert rest[0].approval.allowed_by == allowed
    else:
        assert [run.status for run in rest] == ["not_run"]
        assert [run.cell_id for run in rest] == [None]


async def test_a_question_that_is_open_stays_one_when_the_mode_changes(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, asked("please", Cell("1")), told("1", Say("Done.")))
    await person.say("please")
    card = await person.asked()
    await person.do("thread.change", mode="auto")
    thread = await (await lab.domain()).threads.get(person.thread_id, "local")
    assert thread.busy
    assert thread.state.runs[card["run_id"]].phase == "waiting"
    await person.answer(card)
    assert await person.ended() == "end_turn"


async def test_a_question_that_is_open_can_not_be_answered_with_run_in_chat_mode(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab, model, asked("please", Cell("ran = 1")), told("rejected", Say("Then in words."))
    )
    await person.say("please")
    card = await person.asked()
    await person.do("thread.change", mode="chat")
    with pytest.raises(Refused, match="mode_not_allowed"):
        await person.answer(card)
    await person.answer(card, "rejected")
    assert await person.ended() == "end_turn"
    [run] = (await told_whole(lab, person)).runs.values()
    assert (run.status, run.cell_id) == ("rejected", None)


@pytest.mark.parametrize("more_config", [{"CaveLab": {"allowed_modes": ["chat", "review"]}}])
async def test_a_mode_that_is_switched_off_is_refused_and_nothing_changes(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, asked("please", Say("Yes?")))
    with pytest.raises(Refused, match="mode_not_allowed"):
        await person.do("thread.change", mode="auto")
    assert person.state.mode == "review"
    with pytest.raises(Refused, match="mode_not_allowed"):
        await begun(lab, model, mode="auto")


async def test_chat_mode_offers_the_model_no_action_and_runs_none(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab, model, asked("please", Say("I only talk. "), Gate("go"), Say("See?")), mode="chat"
    )
    await person.say("please")
    model.release("go")
    assert await person.ended() == "end_turn"
    assert "tools" not in model.requests[0].body


# ── a change of privacy


async def test_a_stricter_privacy_mode_applies_to_the_next_call_of_the_same_turn(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("please", Cell("print('4711')")),
        told("4711", Cell(WAITING)),
        told("not shared", Say("Then I can't tell.")),
        mode="auto",
    )
    await person.say("please")
    await person.talk.saw(
        lambda frame: frame["type"] == "output.added" and "begun" in str(frame["output"]), "begun"
    )
    await person.do("thread.change", privacy="schema")
    let_go(lab)
    assert await person.ended() == "end_turn"
    assert "4711" not in last_request(model)
    await told_whole(lab, person)
