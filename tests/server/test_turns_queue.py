"""Messages that come while a turn runs: queued, taken back, steered, sent twice."""

from uuid import uuid4

import pytest

from cave_lab.model.script import Cell, Gate, Say
from tests.fakes.model_server import ModelServer
from tests.server.scenarios import WAITING, asked, begun, last_request, let_go, told, told_whole
from tests.talk import Lab, Refused, run_as_person
from tests.waiting import until


async def test_a_steering_message_is_heard_with_the_next_result_and_interrupts_nothing(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("please", Cell(WAITING)),
        told("in euros", Say("In euros then.")),
        mode="auto",
    )
    await person.say("please")
    await person.talk.event("output.added")
    queued = await person.say("in euros", when="steer")
    assert queued["type"] == "queued"
    let_go(lab)
    assert await person.ended() == "end_turn"
    state = await told_whole(lab, person)
    assert len(state.turns) == 1
    assert [run.status for run in state.runs.values()] == ["ok"]
    assert [item.type for item in state.turns[0].items] == ["run", "steer", "text"]
    result = model.requests[-1].body["messages"][-1]
    assert result["role"] == "tool"
    assert result["content"].endswith("The person adds: in euros")


async def test_a_steering_message_that_came_too_late_is_the_next_turn(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("please", Say("One. "), Gate("said"), Say("Two.")),
        asked("in euros", Say("In euros.")),
    )
    await person.say("please")
    await person.talk.event("text.delta")
    await person.say("in euros", when="steer")
    model.release("said")
    assert await person.ended(2) == "end_turn"
    state = await told_whole(lab, person)
    assert [turn.content[0].text for turn in state.turns] == ["please", "in euros"]  # type: ignore[union-attr]
    assert state.queue == []


async def test_a_queued_message_from_another_notebook_runs_in_that_ones_kernel(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("first", Say("One. "), Gate("said"), Say("Two.")),
        asked("second", Cell("where = 1")),
        told("Finished", Say("Done.")),
        mode="auto",
    )
    other = await lab.notebook("other.ipynb")
    await person.say("first", target=person.target)
    await person.talk.event("text.delta")
    await person.say("second", target=other)
    model.release("said")
    assert await person.ended(2) == "end_turn"
    state = await told_whole(lab, person)
    [run] = state.runs.values()
    assert run.target == state.target
    assert state.target.kernel_id == other["kernel_id"]
    reply = await run_as_person(lab, other, "where")
    assert reply["status"] == "ok"


async def test_a_queued_message_can_be_taken_back_until_it_is_sent(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("please", Say("One. "), Gate("said"), Say("Two.")),
        asked("third", Say("Three.")),
    )
    await person.say("please")
    await person.talk.event("text.delta")
    second = await person.say("second")
    await person.say("third")
    await person.do("message.unqueue", message_id=second["message_id"])
    with pytest.raises(Refused, match="not_found"):
        await person.do("message.unqueue", message_id=second["message_id"])
    model.release("said")
    assert await person.ended(2) == "end_turn"
    state = await told_whole(lab, person)
    assert [turn.content[0].text for turn in state.turns] == ["please", "third"]  # type: ignore[union-attr]
    assert "second" not in last_request(model)


async def test_the_queue_waits_after_stop_and_goes_on_behind_the_persons_next_message(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("please", Say("One. "), Gate("never")),
        asked("rather", Say("Rather.")),
        asked("queued", Say("At last.")),
    )
    await person.say("please")
    await person.talk.event("text.delta")
    await person.say("queued")
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"
    thread = await (await lab.domain()).threads.get(person.thread_id, "local")
    await until(lambda: not thread.in_use or len(thread.followers) == 1, "the turn left")
    assert [message.content[0].text for message in person.state.queue] == ["queued"]  # type: ignore[union-attr]
    await person.say("rather")
    assert await person.ended(3) == "end_turn"
    state = await told_whole(lab, person)
    assert [turn.content[0].text for turn in state.turns] == ["please", "rather", "queued"]  # type: ignore[union-attr]


async def test_a_message_sent_again_after_a_lost_connection_is_one_message(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, asked("please", Say("Yes.")))
    command_id = uuid4().hex
    fields = {"content": [{"type": "text", "text": "please"}], "command_id": command_id}
    await person.talk.send("message.send", thread_id=person.thread_id, **fields)
    await person.talk.close()
    again = await lab.connect()
    first = await again.ask("message.send", thread_id=person.thread_id, **fields)
    await again.ask("thread.open", thread_id=person.thread_id)
    person.talk = again
    assert await person.ended() == "end_turn"
    assert await again.ask("message.send", thread_id=person.thread_id, **fields) == first
    state = await told_whole(lab, person)
    assert len(state.turns) == 1
    assert len(model.requests) == 1
