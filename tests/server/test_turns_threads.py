"""Two threads at one kernel: what each is told of the other's runs."""

from cave_lab.model.script import Cell, Say
from tests.fakes.model_server import ModelServer
from tests.server.scenarios import asked, begun, told, told_whole
from tests.talk import Lab, Person


def last_said(model: ModelServer) -> str:
    """The last message of the last request."""
    content: str = model.requests[-1].body["messages"][-1]["content"]
    return content


async def test_what_another_thread_ran_is_told_once_and_ones_own_runs_are_not_told_again(
    lab: Lab, model: ModelServer
) -> None:
    first = await begun(
        lab,
        model,
        asked("make mine", Cell("mine = [1]")),
        asked("make yours", Cell("yours = [1]\nmine.append(2)")),
        asked("what is new", Say("I see.")),
        asked("and now", Say("Nothing.")),
        told("Finished", Say("Done.")),
        mode="auto",
    )
    await first.say("make mine")
    assert await first.ended() == "end_turn"
    second = await Person.at(lab, first.target, mode="auto")
    await second.say("make yours")
    assert await second.ended() == "end_turn"
    await first.say("what is new")
    assert await first.ended(2) == "end_turn"
    assert last_said(model).startswith(
        "<variables>\n+yours: list of 1 (of int), by runs of another thread\n"
        "~mine: list of 2 (of int), by runs of another thread\n</variables>"
    )
    await first.say("and now")
    assert await first.ended(3) == "end_turn"
    assert "another thread" not in last_said(model)
    seen = (await told_whole(lab, first)).turns[1].seen
    assert seen is not None
    assert {change.name: change.by for change in seen.changes} == {
        "yours": "another_thread",
        "mine": "another_thread",
    }
