"""How each model is asked for cells: what the person decided, what was learned, what is known."""

import json
from typing import Any

import pytest

from cave_lab.model.port import ModelChoice
from cave_lab.model.script import Cell, Fault, RawCall, Say, ScriptedTurn, When
from cave_lab.model.wire import fenced_block
from tests.fakes.model_server import ModelServer
from tests.lab import KEY
from tests.server.scenarios import asked, begun, script, told, told_whole
from tests.server.test_settings import check, put
from tests.talk import Browser, Lab, Person

HELLO = script(ScriptedTurn("any", answer=(Say("Hello."),)))
TABLED = "openai/gpt-4o"
"""A model that litellm's table says has tools."""
TABLED_WITHOUT = "openai/gpt-3.5-turbo-16k"
"""One that it says has none."""
UNKNOWN = "openai/unheard-of"


def silent(model: ModelServer) -> str:
    """An address where the fake does not say of its models whether they have tools."""
    return f"{model.root}/silent/v1"


def formats(model: ModelServer) -> list[str]:
    """How each call so far asked for cells."""
    chats = [r for r in model.requests if r.path.endswith("/chat/completions")]
    return ["tools" if "tools" in request.body else "fences" for request in chats]


async def memories(browser: Browser) -> list[dict[str, Any]]:
    """What the model settings show of models."""
    shown: list[dict[str, Any]] = json.loads((await browser.fetch("cave-lab/status")).body)[
        "memories"
    ]
    return shown


async def learned(browser: Browser) -> list[tuple[str, str, str]]:
    """What was learned: model, format and reason."""
    return [
        (one["model"], one["learned"]["format"], one["learned"]["reason"])
        for one in await memories(browser)
        if one["learned"]
    ]


async def tried(lab: Lab, **settings: Any) -> dict[str, Any]:
    """Press *Test*, once the model's library is loaded; returns its report."""
    await (await lab.domain()).replies.prepare()
    code, report = await check(lab, **settings)
    assert code == 200
    return report


async def asks_for(lab: Browser, model: ModelServer) -> str:
    """The format of the next thread's first call."""
    model.load(HELLO)
    person = await Person.at(lab, {}, mode="review")
    await person.say("hello")
    assert await person.ended() == "end_turn"
    return formats(model)[-1]


def fence(code: str, purpose: str = "Do it") -> Say:
    """A cell as a model without tools writes it."""
    return Say(f"\n\n{fenced_block(code, purpose, 'python')}\n")


# ── each level beats the next

LEVELS = [
    ("nothing is known", UNKNOWN, None, None, "fences"),
    ("the table says tools", TABLED, None, None, "tools"),
    ("the table says none", TABLED_WITHOUT, None, None, "fences"),
    ("learned over the table", TABLED, "tools_refused", None, "fences"),
    ("learned over nothing", UNKNOWN, "called_the_tool", None, "tools"),
    ("decided over learned", TABLED, "tools_refused", "tools", "tools"),
    ("decided over the other learned", UNKNOWN, "called_the_tool", "fences", "fences"),
    ("decided over the table", TABLED, None, "fences", "fences"),
    ("decided over nothing", UNKNOWN, None, "tools", "tools"),
]


@pytest.mark.parametrize(
    "name, reason, decided, expected",
    [level[1:] for level in LEVELS],
    ids=[level[0] for level in LEVELS],
)
async def test_a_model_is_asked_in_the_way_of_the_highest_level(
    lab: Lab,
    model: ModelServer,
    name: str,
    reason: Any,
    decided: str | None,
    expected: str,
) -> None:
    chosen = {"model": name, "api_base": silent(model), "key_env": KEY}
    await put(lab, **chosen)
    if reason is not None:
        manners = (await lab.domain()).manners
        await manners.learn("local", ModelChoice(name, silent(model)), reason)
    if decided is not None:
        assert (await put(lab, **chosen, options={"format": decided}))[0] == 200
    assert await asks_for(lab, model) == expected


@pytest.mark.parametrize(
    "name, expected",
    [(TABLED_WITHOUT, "tools"), ("openai/plain", "fences"), (UNKNOWN, "tools")],
    ids=["over the table", "none", "over nothing"],
)
async def test_the_word_of_a_models_own_server_holds(
    lab: Lab, model: ModelServer, name: str, expected: str
) -> None:
    await put(lab, model=name, api_base=model.url, key_env=KEY)
    assert await asks_for(lab, model) == expected


async def test_a_server_that_was_not_there_at_first_is_asked_again(lab: Lab) -> None:
    async with ModelServer() as gone:
        port, address = gone._port, gone.url
    await put(lab, model=UNKNOWN, api_base=address, key_env=KEY)
    person = await Person.at(lab, {}, mode="review")
    await person.say("hello")
    assert await person.ended() == "model_error"
    async with ModelServer(port=port) as there:
        assert await asks_for(lab, there) == "tools"


# ── learning in the middle of a turn


async def test_tools_refused_goes_on_in_fences_in_the_same_turn_and_from_then_on(
    lab: Lab, model: ModelServer
) -> None:
    refusing = ScriptedTurn("refusing", When(last=("please",)), fault=Fault("no_tools"), times=1)
    person = await begun(
        lab,
        model,
        refusing,
        asked("please", Say("So."), fence("x = 6 * 7\nx", "Multiply")),
        told("42", Say("It is 42.")),
        mode="auto",
    )
    await person.say("please")
    assert await person.ended() == "end_turn"
    assert formats(model) == ["tools", "fences", "fences"]
    notice = await person.talk.event("notice")
    assert (notice["level"], notice["code"]) == ("info", "format_learned")
    assert "has no tools" in notice["text"]
    assert notice["actions"] == ["open_model_settings"]
    state = await told_whole(lab, person)
    [run] = state.runs.values()
    assert (run.status, run.purpose) == ("ok", "Multiply")
    assert state.turns[0].usage.calls == 2, "a refused call has used nothing"
    systems = [request.body["messages"][0]["content"] for request in model.requests]
    assert systems[0] != systems[1] == systems[2]
    assert await learned(lab) == [("openai/scripted", "fences", "tools_refused")]
    assert await asks_for(lab, model) == "fences"


CALL = json.dumps({"name": "run_cell", "arguments": {"purpose": "x", "code": "x = 1"}})
BROKEN = RawCall('{"code": "open(')


async def test_a_call_written_as_text_is_learned_and_nothing_of_it_runs(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("please", Say(CALL)),
        ScriptedTurn("again", When(last=("written as text",)), (fence("1 + 1"),)),
        told("2", Say("Two.")),
        mode="auto",
    )
    await person.say("please")
    assert await person.ended() == "end_turn"
    assert formats(model) == ["tools", "fences", "fences"]
    assert (await person.talk.event("notice"))["code"] == "format_learned"
    assert [run.code for run in (await told_whole(lab, person)).runs.values()] == ["1 + 1"]
    assert await learned(lab) == [("openai/scripted", "fences", "call_as_text")]


async def test_two_broken_calls_in_a_row_are_learned(lab: Lab, model: ModelServer) -> None:
    person = await begun(
        lab,
        model,
        ScriptedTurn("first", When(last=("please",)), (BROKEN,)),
        ScriptedTurn("second", When(last=("not valid JSON",)), (BROKEN,), times=1),
        ScriptedTurn("third", When(last=("not valid JSON",)), (fence("1 + 1"),)),
        told("2", Say("Two.")),
        mode="auto",
    )
    await person.say("please")
    assert await person.ended() == "end_turn"
    assert formats(model) == ["tools", "tools", "fences", "fences"]
    ran = [run.code for run in (await told_whole(lab, person)).runs.values() if run.cell_id]
    assert ran == ["1 + 1"]
    assert await learned(lab) == [("openai/scripted", "fences", "broken_arguments")]


async def test_broken_calls_that_are_not_in_a_row_are_not_learned(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        ScriptedTurn("first", When(last=("please",)), (BROKEN,)),
        ScriptedTurn("between", When(last=("not valid JSON",)), (Cell("1 + 1"),), times=1),
        ScriptedTurn("second", When(last=("2",), role="tool"), (BROKEN,), times=1),
        ScriptedTurn("end", When(last=("not valid JSON",)), (Cell("3 + 3"),)),
        told("6", Say("Six.")),
        mode="auto",
    )
    await person.say("please")
    assert await person.ended() == "end_turn"
    assert set(formats(model)) == {"tools"}
    assert await memories(lab) == []
    await told_whole(lab, person)


@pytest.mark.parametrize(
    "turn, code",
    [
        (ScriptedTurn("refusing", fault=Fault("no_tools")), "tools_unsupported"),
        (ScriptedTurn("as text", answer=(Say(CALL),)), "model_error"),
        (ScriptedTurn("broken", answer=(BROKEN,)), "model_error"),
    ],
    ids=["refused", "as text", "broken"],
)
async def test_a_decision_for_tools_is_kept_and_the_error_told(
    lab: Lab, model: ModelServer, turn: ScriptedTurn, code: str
) -> None:
    chosen = {"model": "openai/scripted", "api_base": model.url, "key_env": KEY}
    await put(lab, **chosen, options={"format": "tools"})
    person = await begun(lab, model, turn, mode="auto")
    await person.say("please")
    assert await person.ended() == "model_error"
    assert set(formats(model)) == {"tools"}
    assert [f["code"] for f in person.talk.frames if f["type"] == "notice"] == [code]
    [memory] = await memories(lab)
    assert (memory["options"]["format"], memory["learned"]) == ("tools", None)


async def test_a_server_that_speaks_of_tools_although_there_were_none_ends_the_turn(
    lab: Lab, model: ModelServer
) -> None:
    await put(lab, model="openai/plain", api_base=model.url, key_env=KEY)
    person = await begun(lab, model, ScriptedTurn("always", fault=Fault("no_tools")))
    await person.say("please")
    assert await person.ended() == "model_error"
    assert len(model.requests) == 1
    assert await memories(lab) == []


async def test_a_call_written_as_text_by_a_model_asked_in_fences_teaches_nothing(
    lab: Lab, model: ModelServer
) -> None:
    await put(lab, model="openai/plain", api_base=model.url, key_env=KEY)
    person = await begun(
        lab,
        model,
        asked("please", Say(CALL)),
        ScriptedTurn("again", When(last=("written as text",)), (Cell("1 + 1"),)),
        told("2", Say("Two.")),
        mode="auto",
    )
    await person.say("please")
    assert await person.ended() == "end_turn"
    assert [f["code"] for f in person.talk.frames if f["type"] == "notice"] == []
    assert await memories(lab) == []


# ── the window

WINDOWS = [
    ("the person's over the server's", TABLED, 32_768, 5_000, 5_000),
    ("the server's over the table's", TABLED, 32_768, None, 32_768),
    ("the table's", TABLED, None, None, 128_000),
    ("nobody's", UNKNOWN, None, None, None),
]


@pytest.mark.parametrize(
    "name, told, decided, expected",
    [level[1:] for level in WINDOWS],
    ids=[level[0] for level in WINDOWS],
)
async def test_a_models_window_is_the_word_of_the_highest_level(
    lab: Lab,
    model: ModelServer,
    name: str,
    told: int | None,
    decided: int | None,
    expected: int | None,
) -> None:
    model.window = told
    chosen = {"model": name, "api_base": model.url, "key_env": KEY}
    options = {} if decided is None else {"options": {"window": decided}}
    assert (await put(lab, **chosen, **options))[0] == 200
    manners = (await lab.domain()).manners
    choice = ModelChoice(name, model.url)
    assert (await manners.of("local", choice)).window == expected
    model.window = 99_999
    later = expected if expected is not None else 99_999
    assert (await manners.of("local", choice)).window == later, "kept once it is known"


async def test_a_window_is_asked_anew_when_the_person_chooses_again(
    lab: Lab, model: ModelServer
) -> None:
    model.window = 32_768
    chosen = {"model": UNKNOWN, "api_base": model.url, "key_env": KEY}
    await put(lab, **chosen)
    manners = (await lab.domain()).manners
    assert (await manners.of("local", ModelChoice(UNKNOWN, model.url))).window == 32_768
    model.window = 65_536
    await put(lab, **chosen)
    assert (await manners.of("local", ModelChoice(UNKNOWN, model.url))).window == 65_536
