"""What a model asks for that can't be run: told to it, shown to the person, and nothing runs."""

import json
from pathlib import Path
from typing import Any

import pytest

from cave_lab.model.script import Cell, Item, RawCall, Say, ScriptedTurn, When
from tests.fakes.model_server import ModelServer
from tests.server.scenarios import asked, begun, last_request, told, told_whole
from tests.talk import Lab

RAN = "open('ran', 'w').close()"
GOOD = json.dumps({"purpose": "x", "code": RAN})

CASES: dict[str, tuple[list[Item], str]] = {
    "two_actions": ([Cell(RAN), Cell(RAN)], "Two actions came in one reply"),
    "unknown_tool": ([RawCall(GOOD, tool="bash")], "There is no tool “bash”"),
    "broken_arguments": ([RawCall('{"code": "open(')], "not valid JSON"),
    "empty_code": ([Cell("  \n ")], "held no code"),
    "broken_code": ([Cell(f"{RAN}\nx = = 1")], "invalid syntax, line 2: x = = 1"),
}


def cut(*answer: Item) -> ScriptedTurn:
    """An answer that ends at the model's limit."""
    return ScriptedTurn("cut", When(last=("please",)), answer, finish="length")


@pytest.mark.parametrize("code", [*CASES, "cut"])
async def test_an_unusable_action_is_told_shown_and_never_run(
    lab: Lab, model: ModelServer, code: str
) -> None:
    items, words = CASES.get(code, ([Cell(RAN)], "cut off before its action was complete"))
    first = cut(*items) if code == "cut" else asked("please", *items)
    person = await begun(
        lab, model, first, asked(words, Cell("1", "Better")), told("1", Say("Done.")), mode="auto"
    )
    await person.say("please")
    assert await person.ended() == "end_turn"
    refused = await person.talk.event("action.refused")
    assert refused["code"] == code
    assert words in refused["text"]
    state = await told_whole(lab, person)
    assert [run.status for run in state.runs.values() if run.cell_id] == ["ok"]
    assert all(run.status == "not_run" for run in state.runs.values() if not run.cell_id)
    assert not Path(lab.app.contents_manager.root_dir, "ran").exists()


async def test_three_unusable_actions_in_a_row_end_the_turn(lab: Lab, model: ModelServer) -> None:
    person = await begun(lab, model, ScriptedTurn("always", answer=(Cell(" "),)), mode="auto")
    await person.say("please")
    assert await person.ended() == "model_error"
    assert len(model.requests) == 3
    notice = await person.talk.event("notice")
    assert "several times in a row" in notice["text"]
    assert notice["actions"] == ["try_again"]
    await told_whole(lab, person)


async def test_a_good_action_in_between_begins_the_count_anew(lab: Lab, model: ModelServer) -> None:
    bad = Cell(" ")
    person = await begun(
        lab,
        model,
        ScriptedTurn("1", When(last=("please",)), (bad,), times=1),
        ScriptedTurn("2", When(last=("no code",)), (bad,), times=1),
        ScriptedTurn("3", When(last=("no code",)), (Cell("1"),), times=1),
        ScriptedTurn("4", When(role="tool"), (bad,), times=1),
        ScriptedTurn("5", When(last=("no code",)), (bad,), times=1),
        ScriptedTurn("6", When(last=("no code",)), (Say("I give up."),)),
        mode="auto",
    )
    await person.say("please")
    assert await person.ended() == "end_turn"
    await told_whole(lab, person)


async def test_words_around_an_unusable_action_are_kept(lab: Lab, model: ModelServer) -> None:
    person = await begun(
        lab,
        model,
        asked("please", Say("I look. "), Cell(" ")),
        asked("no code", Say("Nothing.")),
        mode="auto",
    )
    await person.say("please")
    assert await person.ended() == "end_turn"
    roles: list[Any] = [
        (message["role"], message.get("content")) for message in model.requests[-1].body["messages"]
    ]
    assert roles[-2] == ("assistant", "I look. ")
    assert roles[-1][0] == "user"
    assert "held no code" in last_request(model)
