"""The model's library is loaded while the person still writes, not when they wait."""

import asyncio
from typing import Any

import pytest

from cave_lab.errors import ModelError
from cave_lab.model.replies import ModelReplies
from cave_lab.model.script import Say, ScriptedTurn
from cave_lab.model.tour import TOUR_PREFIX
from tests.fakes.model_server import ModelServer
from tests.lab import KEY
from tests.server.scenarios import script
from tests.talk import Lab, Person
from tests.waiting import until


@pytest.fixture
def prepared(monkeypatch: pytest.MonkeyPatch) -> list[ModelReplies]:
    """Each time that the library is asked for, before it is."""
    asked: list[ModelReplies] = []
    prepare = ModelReplies.prepare

    async def note(replies: ModelReplies) -> None:
        asked.append(replies)
        await prepare(replies)

    monkeypatch.setattr(ModelReplies, "prepare", note)
    return asked


async def test_the_first_connection_begins_to_load_the_library(
    lab: Lab, prepared: list[ModelReplies]
) -> None:
    await lab.fetch("cave-lab/status")
    assert prepared == []
    await lab.connect()
    domain = await lab.domain()
    assert prepared == [domain.replies]
    await domain._warming
    assert domain.replies._provider._litellm is not None


async def test_more_connections_while_it_loads_do_not_load_it_again(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    loading, count = asyncio.Event(), 0

    async def slow(_: ModelReplies) -> None:
        nonlocal count
        count += 1
        await loading.wait()

    monkeypatch.setattr(ModelReplies, "prepare", slow)
    for _ in range(3):
        await lab.connect()
    assert count == 1
    loading.set()


@pytest.mark.parametrize(
    "more_config",
    [{"CaveLab": {"model": ""}}, {"CaveLab": {"model": TOUR_PREFIX}}],
    ids=["no model", "the tour"],
)
async def test_who_needs_no_library_loads_none_until_a_model_is_chosen(
    lab: Lab, model: ModelServer, prepared: list[ModelReplies]
) -> None:
    await lab.connect()
    assert prepared == []
    chosen = {"model": "openai/scripted", "api_base": model.url, "key_env": KEY}
    await lab.fetch("cave-lab/settings", method="PUT", body=chosen)
    assert len(prepared) == 1


async def test_a_failure_is_logged_and_the_first_message_tries_again(
    lab: Lab, model: ModelServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    prepare = ModelReplies.prepare

    async def fail(_: ModelReplies) -> None:
        raise ModelError("The library is broken.")

    monkeypatch.setattr(ModelReplies, "prepare", fail)
    person = await Person.at(lab, {}, mode="chat")
    domain = await lab.domain()
    await domain._warming
    assert "The library is broken. It is tried again at the first message." in caplog.text

    monkeypatch.setattr(ModelReplies, "prepare", prepare)
    model.load(script(ScriptedTurn("any", answer=(Say("Hello."),))))
    await person.say("hello")
    assert await person.ended() == "end_turn"


async def test_a_server_that_stops_while_it_loads_does_not_wait_for_it(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[str] = []

    async def forever(_: Any) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    monkeypatch.setattr(ModelReplies, "prepare", forever)
    await lab.connect()
    (extension,) = lab.app.extension_manager.extension_apps["cave_lab"]
    await asyncio.wait_for(extension.stop_extension(), 30)
    assert ended == ["cancelled"]


async def test_commands_are_answered_while_it_loads(lab: Lab) -> None:
    talk = await lab.connect()
    domain = await lab.domain()
    await until(lambda: domain._warming is not None, "the library being loaded")
    assert (await talk.ask("thread.list"))["threads"] == []
