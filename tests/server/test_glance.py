"""What the person sees of the variables in a notebook's kernel before a thread begins there."""

from cave_lab.model.script import Say
from tests.fakes.model_server import ModelServer
from tests.server.scenarios import asked, script
from tests.talk import Lab, Person, run_as_person


async def test_the_variables_of_a_notebook_are_seen_before_a_thread_begins_in_it(lab: Lab) -> None:
    target = await lab.notebook()
    await run_as_person(lab, target, "revenue = [1, 2, 3]")
    talk = await lab.connect()
    seen = await talk.ask("target.look", target=target)
    assert [(one["name"], one["type"], one["length"]) for one in seen["variables"]] == [
        ("revenue", "list", 3)
    ]
    assert (seen["total"], seen["unavailable"]) == (1, None)
    assert (await talk.ask("thread.list"))["threads"] == []


async def test_a_notebook_without_a_kernel_says_so(lab: Lab) -> None:
    talk = await lab.connect()
    seen = await talk.ask("target.look", target={"notebook": {"path": "none.ipynb"}})
    assert seen["variables"] == []
    assert "kernel" in seen["unavailable"]


async def test_a_thread_sees_what_was_seen_before_it_began(lab: Lab, model: ModelServer) -> None:
    model.load(script(asked("hello", Say("Hello."))))
    target = await lab.notebook()
    await run_as_person(lab, target, "revenue = 1")
    talk = await lab.connect()
    before = await talk.ask("target.look", target=target)
    person = await Person.at(lab, target)
    await person.say("hello")
    await person.ended()
    after = await person.do("variables.look")
    assert after["variables"] == before["variables"]
