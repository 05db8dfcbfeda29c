"""Stop is offered from the click on Send, so it has to work from then on."""

import asyncio

import pytest

from cave_lab.model.script import Cell, Gate, Say
from tests.fakes.model_server import ModelServer
from tests.server.scenarios import asked, script
from tests.talk import Lab, Person, Refused


async def test_a_stop_right_behind_the_message_is_not_lost(lab: Lab, model: ModelServer) -> None:
    model.load(script(asked("tell me", Say("Once upon "), Gate("never"), Say("a time"))))
    person = await Person.at(lab, await lab.notebook())
    outline = {"cells": [], "total": 0, "sha256": None}
    await asyncio.gather(person.say("tell me", outline=outline), person.do("turn.stop"))
    assert await person.ended() == "cancelled"


async def test_a_cell_that_waits_does_not_run_once_the_thread_only_talks(
    lab: Lab, model: ModelServer
) -> None:
    model.load(script(asked("make x", Cell("x = 1", "Make x"))))
    person = await Person.at(lab, await lab.notebook())
    await person.say("make x")
    waiting = await person.asked()
    await person.do("thread.change", mode="chat")
    with pytest.raises(Refused) as refused:
        await person.answer(waiting)
    assert refused.value.code == "mode_not_allowed"
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"
    assert person.state.runs[waiting["run_id"]].status == "not_run"
