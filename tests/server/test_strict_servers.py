"""A whole thread with a server that refuses nulls and fields it does not know."""

import pytest

from cave_lab.model.script import Cell, Say, ScriptedTurn
from tests.fakes.model_server import ModelServer
from tests.server.scenarios import asked, begun, script, told, told_whole
from tests.talk import Lab, Person


@pytest.mark.parametrize("more_config", [{"CaveLab": {"model": "openai/strict"}}], ids=["strict"])
async def test_a_strict_server_takes_every_request_of_a_thread(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("count", Cell("1 + 1", "Count")),
        ScriptedTurn("cut", told("2").when, (Say("It is"),), finish="length"),
        ScriptedTurn("rest", answer=(Say(" two."),)),
        mode="auto",
    )
    plain = await Person.at(lab, person.target, mode="auto", model="openai/strict-plain")
    for one, turns in ((person, 1), (plain, 1)):
        await one.say("count")
        assert await one.ended(turns) == "end_turn"
    model.load(script(ScriptedTurn("talks", answer=(Say("Well."),))))
    for one in (person, plain):
        await one.do("thread.change", mode="chat")
        await one.say("talk")
        assert await one.ended(2) == "end_turn"
        await told_whole(lab, one)
    assert {request.turn for request in model.requests} == {
        "asked: count",
        "cut",
        "rest",
        "talks",
    }
