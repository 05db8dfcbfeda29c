"""Stop hangs up on the model, whatever it is at."""

from cave_lab.model.script import Say, ScriptedTurn
from tests.fakes.model_server import ModelServer
from tests.server.scenarios import begun, script, told_whole
from tests.server.stopping import MOMENTS, stop_at
from tests.talk import Lab, Person

MARGIN = 5.0
"""Seconds that a busy machine may take for what is over within a tenth of one."""


async def test_stop_hangs_up_on_the_model_at_every_moment_of_a_call(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, mode="auto")
    plain = await Person.at(lab, person.target, mode="auto", model="openai/plain")
    took = {}
    for moment in MOMENTS:
        took[moment.name] = await stop_at(plain if moment.plain else person, model, moment)
    assert max(took.values()) < MARGIN, took
    model.load(script(ScriptedTurn("well", answer=(Say("Here I am."),))))
    for one in (person, plain):
        before, turns = len(model.requests), len(one.state.turns)
        await one.say("are you there?")
        assert await one.ended(turns + 1) == "end_turn"
        assert len(model.requests) == before + 1, "nothing that was stopped is tried again"
        state = await told_whole(lab, one)
        assert {run.status for run in state.runs.values()} <= {"not_run"}
        moments = [moment for moment in MOMENTS if moment.plain == (one is plain)]
        for moment, turn in zip(moments, state.turns[:-1], strict=True):
            assert turn.usage.estimated or not moment.open, "what was stopped has cost something"
