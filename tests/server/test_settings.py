"""Model settings and *Test*: the person's choice, within the administrator's bounds."""

import json
from typing import Any

import pytest

from cave_lab.model.script import Cell, Say, ScriptedTurn
from cave_lab.model.tour import TOUR_PREFIX
from tests.fakes.model_server import ModelServer
from tests.lab import KEY, KEY_VALUE
from tests.server.scenarios import asked, script
from tests.talk import Lab, Person, Refused


async def put(lab: Lab, **settings: Any) -> tuple[int, dict[str, Any]]:
    """Save settings in the panel."""
    answer = await lab.fetch("cave-lab/settings", method="PUT", body=settings)
    return answer.code, json.loads(answer.body)


async def check(lab: Lab, **settings: Any) -> tuple[int, dict[str, Any]]:
    """Press Test."""
    answer = await lab.fetch("cave-lab/models/check", method="POST", body=settings)
    return answer.code, json.loads(answer.body)


async def called(lab: Lab, model: ModelServer) -> str:
    """The model that the next message calls."""
    model.load(script(ScriptedTurn("any", answer=(Say("Hello."),))))
    person = await Person.at(lab, {}, mode="chat")
    await person.say("hello")
    assert await person.ended() == "end_turn"
    return str(model.requests[-1].body["model"])


async def test_what_is_saved_is_told_and_used_for_the_next_message(
    lab: Lab, model: ModelServer
) -> None:
    assert await called(lab, model) == "scripted"
    options = {
        "format": None,
        "plain_fences_run": False,
        "effort": None,
        "window": None,
        "sees": None,
    }
    chosen = {"model": "openai/other", "api_base": model.url, "key_env": KEY, "options": options}
    code, status = await put(lab, **chosen)
    assert (code, status["model"]) == (200, chosen)
    assert json.loads((await lab.fetch("cave-lab/status")).body)["model"] == chosen
    assert await called(lab, model) == "other"


async def test_a_choice_is_known_to_a_channel_that_asked_for_no_status_first(
    lab: Lab, model: ModelServer
) -> None:
    """As after a restart: the settings lie in the journal, and nobody has read them yet."""
    journal = (await lab.domain()).journal
    chosen = {"model": "openai/kept", "api_base": model.url, "key_env": KEY}
    await journal.set_setting("local", "model", chosen)
    assert await called(lab, model) == "kept"


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"model": 1},
        {"model": "openai/x", "api_key": "a key in the panel"},
        {"model": "x" * 300},
        {"model": "openai/x", "key_env": "NOT A NAME"},
        {"model": "openai/x", "extra": "y" * 70_000},
    ],
    ids=["nothing", "no text", "a key", "a long name", "no name", "too much"],
)
async def test_settings_that_are_none_are_refused_in_a_sentence(lab: Lab, settings: Any) -> None:
    answer = await lab.fetch("cave-lab/settings", method="PUT", body=settings)
    told = json.loads(answer.body)
    assert answer.code in (400, 413)
    assert told["code"] in ("invalid_command", "limit_reached")
    assert told["message"].endswith(".")
    assert "a key in the panel" not in answer.body.decode()
    status = json.loads((await lab.fetch("cave-lab/status")).body)
    assert status["model"]["model"] == "openai/scripted"


async def test_test_says_what_was_tried_and_what_came_back_and_shows_no_key(
    lab: Lab, model: ModelServer
) -> None:
    model.load(script(ScriptedTurn("check", answer=(Cell("1", "test"),))))
    code, report = await check(lab, model="openai/scripted", api_base=model.url, key_env=KEY)
    assert (code, report["ok"], report["tools"]) == (200, True, True)
    assert "openai/scripted" in report["tried"]
    assert KEY in report["tried"]
    assert KEY_VALUE not in json.dumps(report)


async def test_test_of_a_server_that_is_not_there_is_a_report_and_no_error(lab: Lab) -> None:
    code, report = await check(lab, model="openai/x", api_base="http://127.0.0.1:9", key_env=KEY)
    assert (code, report["ok"]) == (200, False)
    assert "can't be reached" in report["outcome"]


# ── the administrator's bounds

LOCKED = pytest.mark.parametrize("more_config", [{"CaveLab": {"lock_model": True}}], ids=["locked"])


@LOCKED
async def test_a_locked_model_can_be_tried_but_neither_changed_nor_tried_elsewhere(
    lab: Lab, model: ModelServer
) -> None:
    status = json.loads((await lab.fetch("cave-lab/status")).body)
    assert status["model_locked"] is True
    assert (await put(lab, model="openai/other"))[0] == 403
    elsewhere = {**status["model"], "api_base": "http://127.0.0.1:9"}
    assert (await check(lab, **elsewhere))[0] == 403
    model.load(script(ScriptedTurn("check", answer=(Cell("1", "test"),))))
    assert (await check(lab, **status["model"]))[1]["ok"] is True
    assert await called(lab, model) == "scripted"


@LOCKED
async def test_a_threads_own_model_does_not_get_round_the_lock(
    lab: Lab, model: ModelServer
) -> None:
    model.load(script(asked("hello", Say("Hello."))))
    person = await Person.at(lab, {}, mode="chat", model="openai/other")
    await person.say("hello")
    await person.ended()
    assert [request.body["model"] for request in model.requests] == ["scripted"]


@pytest.mark.parametrize(
    "more_config", [{"CaveLab": {"lock_model": True, "model": ""}}], ids=["locked to nothing"]
)
async def test_a_lock_without_a_model_lets_nobody_choose_one(lab: Lab) -> None:
    assert (await put(lab, model="openai/other"))[0] == 403
    person = await Person.at(lab, {}, mode="chat", model="openai/other")
    await person.say("hello")
    assert await person.ended() == "model_error"
    notice = await person.talk.event("notice")
    assert notice["code"] == "model_not_set"


ALLOWED = pytest.mark.parametrize(
    "more_config",
    [{"CaveLab": {"allowed_models": ["openai/scripted", "openai/also"]}}],
    ids=["two models"],
)


@ALLOWED
async def test_only_models_of_the_list_can_be_chosen_and_the_tour_always(
    lab: Lab, model: ModelServer
) -> None:
    assert (await put(lab, model="openai/other", api_base=model.url, key_env=KEY))[0] == 403
    assert (await check(lab, model="openai/other", api_base=model.url))[0] == 403
    assert (await put(lab, model="openai/also", api_base=model.url, key_env=KEY))[0] == 200
    talk = await lab.connect()
    with pytest.raises(Refused) as refused:
        await talk.ask("thread.create", target={}, settings={"model": "openai/other"})
    assert refused.value.code == "forbidden"
    assert await talk.ask("thread.create", target={}, settings={"model": TOUR_PREFIX})
    assert await called(lab, model) == "also"


@ALLOWED
async def test_a_model_chosen_before_the_list_left_it_out_is_not_called(
    lab: Lab, model: ModelServer
) -> None:
    journal = (await lab.domain()).journal
    old = {"model": "openai/old", "api_base": model.url, "key_env": KEY}
    await journal.set_setting("local", "model", old)
    person = await Person.at(lab, {}, mode="chat")
    await person.say("hello")
    assert await person.ended() == "model_error"
    notice = await person.talk.event("notice")
    assert "openai/old" in notice["text"]
    assert notice["actions"] == ["open_model_settings"]
    assert model.requests == []
