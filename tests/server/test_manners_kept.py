"""What is kept of how a model is asked: where, how long, for whom, and how it is forgotten."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cave_lab.journal.journal import Journal
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.port import ModelChoice
from cave_lab.model.script import Cell, Fault, Say, ScriptedTurn
from cave_lab.protocol.rest import ModelName
from cave_lab.server.manners import ModelManners
from cave_lab.thread.services import Learned
from tests.fakes.model_server import ModelServer
from tests.lab import KEY, KEY_VALUE
from tests.security.test_06_owners import NAMED, browser_of
from tests.server.process import Served
from tests.server.scenarios import asked, script
from tests.server.test_manners import (
    TABLED,
    UNKNOWN,
    asks_for,
    fence,
    formats,
    learned,
    memories,
    silent,
    tried,
)
from tests.server.test_settings import put
from tests.talk import Lab, Person

# ── what is kept, and where


@pytest.fixture
async def served(model: ModelServer, tmp_path: Path) -> AsyncIterator[Served]:
    """A server in a process of its own, to be restarted."""
    chosen = {"model": "openai/scripted", "api_base": model.url, "key_env": KEY}
    served = Served(tmp_path / "one", cave_lab=chosen, environ={KEY: KEY_VALUE})
    await served.start()
    yield served
    await served.stop(signal.SIGKILL)


async def test_what_was_learned_outlives_the_server(served: Served, model: ModelServer) -> None:
    refusing = ScriptedTurn("refusing", fault=Fault("no_tools"), times=1)
    model.load(script(refusing, asked("hello", Say("Hello."))))
    person = await Person.at(await served.browser(), {}, mode="review")
    await person.say("hello")
    assert await person.ended() == "end_turn"
    assert formats(model) == ["tools", "fences"]
    await served.stop()
    await served.start()
    browser = await served.browser()
    assert await learned(browser) == [("openai/scripted", "fences", "tools_refused")]
    assert await asks_for(browser, model) == "fences"


async def test_what_was_learned_is_kept_by_name_and_by_address(
    lab: Lab, model: ModelServer
) -> None:
    manners = (await lab.domain()).manners
    await manners.learn("local", ModelChoice(TABLED, silent(model)), "tools_refused")
    await put(lab, model=TABLED, api_base=model.url, key_env=KEY)
    assert await asks_for(lab, model) == "tools"
    await put(lab, model=TABLED, api_base=silent(model), key_env=KEY)
    assert await asks_for(lab, model) == "fences"


@NAMED
async def test_what_one_person_taught_is_not_known_to_another(lab: Lab, model: ModelServer) -> None:
    anna, ben = browser_of(lab, "anna"), browser_of(lab, "ben")
    refusing = ScriptedTurn("refusing", fault=Fault("no_tools"), times=1)
    model.load(script(refusing, asked("hello", Say("Hello."))))
    person = await Person.at(anna, {}, mode="review")
    await person.say("hello")
    assert await person.ended() == "end_turn"
    assert await learned(anna) == [("openai/scripted", "fences", "tools_refused")]
    assert await memories(ben) == []
    assert await asks_for(ben, model) == "tools"
    assert await asks_for(anna, model) == "fences"
    await anna.close()
    await ben.close()


@pytest.mark.parametrize(
    "stored",
    [
        "words",
        {"a": 1},
        [1],
        [{"model": "openai/x", "learned": {"format": "smoke", "reason": "signs", "at": "now"}}],
    ],
    ids=["words", "a table", "numbers", "another format"],
)
async def test_what_another_version_wrote_is_forgotten_without_harm(
    lab: Lab, model: ModelServer, stored: Any
) -> None:
    await (await lab.domain()).journal.set_setting("local", "models", stored)
    assert await memories(lab) == []
    assert await asks_for(lab, model) == "tools"
    await put(
        lab,
        model="openai/scripted",
        api_base=model.url,
        key_env=KEY,
        options={"format": "fences"},
    )
    assert [one["model"] for one in await memories(lab)] == ["openai/scripted"]
    assert await asks_for(lab, model) == "fences"


async def test_one_memory_that_can_not_be_read_does_not_take_the_others_with_it(
    lab: Lab, model: ModelServer
) -> None:
    good = {"model": "openai/scripted", "api_base": model.url, "options": {"format": "fences"}}
    odd = {"model": "openai/x", "api_base": None, "options": {"format": "smoke"}}
    await (await lab.domain()).journal.set_setting("local", "models", [odd, good])
    assert [one["model"] for one in await memories(lab)] == ["openai/scripted"]
    assert await asks_for(lab, model) == "fences"


# ── *Test* and *Forget*


async def test_test_learns_and_the_next_message_uses_it(lab: Lab, model: ModelServer) -> None:
    chosen = {"model": UNKNOWN, "api_base": silent(model), "key_env": KEY}
    await put(lab, **chosen)
    assert await asks_for(lab, model) == "fences"
    model.load(script(ScriptedTurn("check", answer=(Cell("1", "test"),))))
    assert (await tried(lab, **chosen))["tools"] is True
    assert await learned(lab) == [(UNKNOWN, "tools", "called_the_tool")]
    assert await asks_for(lab, model) == "tools"
    refusing = ScriptedTurn("refusing", fault=Fault("no_tools"), times=1)
    model.load(script(refusing, ScriptedTurn("fence", answer=(fence("1", "test"),))))
    report = await tried(lab, **chosen)
    assert (report["ok"], report["tools"]) == (True, False)
    assert await learned(lab) == [(UNKNOWN, "fences", "tools_refused")]
    assert await asks_for(lab, model) == "fences"


async def test_test_of_an_address_that_was_left_empty_is_remembered_for_messages_too(
    lab: Lab, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_BASE", silent(model))
    chosen = {"model": UNKNOWN, "api_base": "", "key_env": KEY}
    await put(lab, **chosen)
    model.load(script(ScriptedTurn("check", answer=(Cell("1", "test"),))))
    assert (await tried(lab, **chosen))["tools"] is True
    assert await asks_for(lab, model) == "tools"


async def test_test_does_not_change_what_the_person_decided(lab: Lab, model: ModelServer) -> None:
    chosen = {"model": UNKNOWN, "api_base": silent(model), "key_env": KEY}
    await put(lab, **chosen, options={"format": "fences"})
    model.load(script(ScriptedTurn("check", answer=(Cell("1", "test"),))))
    assert (await tried(lab, **chosen))["ok"] is True
    assert await learned(lab) == []
    assert await asks_for(lab, model) == "fences"


async def test_forget_takes_what_was_learned_and_leaves_what_was_decided(
    lab: Lab, model: ModelServer
) -> None:
    name = {"model": "openai/scripted", "api_base": model.url}
    manners = (await lab.domain()).manners
    await put(lab, **name, key_env=KEY, options={"plain_fences_run": True})
    await manners.learn("local", ModelChoice("openai/scripted", model.url), "tools_refused")
    assert await asks_for(lab, model) == "fences"
    answer = await lab.fetch("cave-lab/models/forget", method="POST", body=name)
    [memory] = json.loads(answer.body)["memories"]
    assert (memory["learned"], memory["options"]["plain_fences_run"]) == (None, True)
    assert await asks_for(lab, model) == "tools"
    await put(lab, **name, key_env=KEY)
    assert await memories(lab) == []


# ── at once


async def unknown(choice: ModelChoice) -> bool | None:
    return None


async def test_two_things_learned_at_once_are_both_kept(tmp_path: Path) -> None:
    journal = await Journal.open(tmp_path / "journal", DEFAULT_LIMITS)
    try:
        await learn_at_once(journal)
    finally:
        await journal.close()


async def learn_at_once(journal: Journal) -> None:
    manners = ModelManners(journal, unknown, unknown, unknown)
    address = ModelName(model="m/other")
    reasons: list[Learned] = ["tools_refused", "call_as_text", "broken_arguments"]
    await asyncio.gather(
        *(manners.learn("local", ModelChoice(f"m/{r}"), r) for r in reasons),
        manners.forget("local", address),
    )
    assert {one.model for one in await manners.memories("local")} == {f"m/{r}" for r in reasons}
    again = ModelManners(journal, unknown, unknown, unknown)
    assert {one.model for one in await again.memories("local")} == {f"m/{r}" for r in reasons}
