"""What the person names with `@` is looked at for them, as far as the privacy mode allows."""

import pytest

from cave_lab.model.script import Cell, Gate, Say
from tests.fakes.model_server import ModelServer
from tests.lab import KEY
from tests.server.looking import beside, looks, mention, say_with
from tests.server.scenarios import asked, begun, last_request, script, told, told_whole
from tests.server.test_settings import put
from tests.talk import Lab, Person

FRAME = "import pandas as pd\ndf = pd.DataFrame({'price': [4711, 2, 3]})"


@pytest.mark.parametrize(
    "privacy, goes_out", [("schema", False), ("standard", True), ("full", True)]
)
@pytest.mark.parametrize("mode", ["review", "chat"])
async def test_what_the_person_names_is_sent_with_its_head_unless_only_the_schema_may(
    lab: Lab, model: ModelServer, privacy: str, goes_out: bool, mode: str
) -> None:
    person = await beside(
        lab, model, FRAME, asked("what is in", Say("A frame.")), privacy=privacy, mode=mode
    )
    await say_with(person, "what is in ", "df")
    assert await person.ended() == "end_turn"
    [look] = looks(person)
    assert (look.by, look.call, look.names) == ("user", 0, ["df"])
    question = str(model.requests[0].body["messages"][-1]["content"])
    assert "what is in @df\n<data>\ndf: DataFrame 3×1 [price int64]" in question
    assert ("4711" in question.split("what is in @df")[1]) == goes_out
    kinds = [event.type for event in person.talk.events(person.thread_id)]
    order = [
        kind for kind in kinds if kind in ("variables.seen", "variables.looked", "context.sent")
    ]
    assert order == ["variables.seen", "variables.looked", "context.sent"]
    await told_whole(lab, person)


async def test_a_stricter_mode_takes_back_what_was_sent_of_it(lab: Lab, model: ModelServer) -> None:
    person = await beside(
        lab, model, FRAME, asked("what is in", Say("A frame.")), asked("and now", Say("I see."))
    )
    await say_with(person, "what is in ", "df")
    assert await person.ended() == "end_turn"
    assert "4711" in last_request(model)
    await person.do("thread.change", privacy="schema")
    await person.say("and now")
    assert await person.ended(2) == "end_turn"
    assert "4711" not in last_request(model)


async def test_a_name_that_is_gone_is_told_as_gone_and_each_name_is_looked_at_once(
    lab: Lab, model: ModelServer
) -> None:
    person = await beside(lab, model, "numbers = [1, 2, 3]", asked("what are", Say("I see.")))
    await say_with(person, "what are ", "numbers", "gone", "numbers")
    assert await person.ended() == "end_turn"
    assert looks(person)[0].names == ["numbers", "gone"]
    assert "gone\nThere is no variable of this name." in last_request(model)


@pytest.mark.parametrize("kind", ["cell", "output", "file"])
async def test_what_is_no_variable_is_named_and_not_looked_at(
    lab: Lab, model: ModelServer, kind: str
) -> None:
    person = await begun(lab, model, asked("see @thing", Say("I see.")))
    content = [{"type": "text", "text": "see "}, {**mention("thing"), "kind": kind}]
    await person.do("message.send", content=content)
    assert await person.ended() == "end_turn"
    assert looks(person) == []


async def test_without_a_kernel_the_reason_is_told_once(lab: Lab, model: ModelServer) -> None:
    target = await lab.notebook()
    session = f"api/sessions/{target['session_id']}"
    assert (await lab.fetch(session, method="DELETE")).code == 204
    model.load(script(asked("what is", Say("I can't see it."))))
    person = await Person.at(lab, target)
    await say_with(person, "what is ", "df", "x")
    assert await person.ended() == "end_turn"
    state = person.state.turns[0]
    assert state.seen is not None
    assert {answer.note for answer in looks(person)[0].answers} == {state.seen.unavailable}


async def test_what_a_steering_message_names_is_told_where_it_was_said(
    lab: Lab, model: ModelServer
) -> None:
    person = await beside(
        lab,
        model,
        FRAME,
        asked("please", Say("One. "), Gate("said"), Cell("1 + 1", "Add")),
        told("The person adds: mind @df", Say("I do.")),
        mode="auto",
    )
    await person.say("please")
    await person.talk.event("text.delta")
    await say_with(person, "mind ", "df", when="steer")
    model.release("said")
    assert await person.ended() == "end_turn"
    state = await told_whole(lab, person)
    assert [item.type for item in state.turns[0].items] == ["text", "run", "steer", "look", "text"]
    first, second = (request.body["messages"] for request in model.requests)
    assert second[: len(first)] == first, "what was sent stays as it was"
    assert "mind @df\n<data>\ndf: DataFrame 3×1" in str(second[-1]["content"])
    assert "4711" in str(second[-1]["content"])


@pytest.mark.parametrize("window", [4_096, 8_192])
async def test_many_names_and_long_ones_leave_room_in_a_small_window(
    lab: Lab, model: ModelServer, window: int
) -> None:
    options = {"window": window}
    chosen = {"model": "openai/scripted", "api_base": model.url, "key_env": KEY}
    await put(lab, **chosen, options=options)
    names = [f"text_{number}" for number in range(18)]
    code = "\n".join(f"{name} = '{name} 4711 ' * 900" for name in names)
    person = await beside(lab, model, code, asked("what are", Say("Texts.")))
    await say_with(person, "what are ", *names, "n" * 200)
    assert await person.ended() == "end_turn"
    question = last_request(model).split("what are @")[1]
    _, _, seen = question.partition("<data>")
    assert "text_0: str" in seen
    assert "Not shown, as there was no room: look at them by themselves." in seen
    assert len(seen) < window
    [sent] = person.state.turns[0].calls
    assert sent.estimated_tokens < window
