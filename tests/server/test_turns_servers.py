"""Servers that go away in mid-turn, come back, or share one data folder."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from cave_lab.model.script import Cell, Gate, Say, Trajectory
from tests.fakes.model_server import ModelServer
from tests.lab import KEY, KEY_VALUE
from tests.security.trying import events_of
from tests.server.process import Served
from tests.server.scenarios import WAITING, asked, last_request, script
from tests.talk import Person, Refused, Talk

Launch = Callable[..., Awaitable[Served]]


@pytest.fixture
async def launch(model: ModelServer, tmp_path: Path) -> AsyncIterator[Launch]:
    """Start a server with a journal that all of them share."""
    running: list[Served] = []

    async def launch(name: str = "one") -> Served:
        served = Served(
            tmp_path / name,
            cave_lab={
                "model": "openai/scripted",
                "api_base": model.url,
                "key_env": KEY,
                "journal_dir": str(tmp_path / "journal"),
            },
            environ={KEY: KEY_VALUE},
        )
        running.append(served)
        await served.start()
        return served

    yield launch
    for served in running:
        await served.stop(signal.SIGKILL)


async def in_mid_turn(
    served: Served, model: ModelServer, play: Trajectory, **settings: Any
) -> Person:
    """A person at a new notebook of that server, whose message is being answered."""
    model.load(play)
    browser = await served.browser()
    person = await Person.at(browser, await browser.notebook(), **settings)
    await person.say("please")
    return person


async def opened(served: Served, person: Person) -> Talk:
    """The thread as another page, or another server, shows it."""
    talk = await (await served.browser()).connect()
    await talk.ask("thread.open", thread_id=person.thread_id)
    await talk.event("caught_up")
    return talk


# ── a server that goes away


async def test_a_server_killed_in_mid_run_leaves_it_unknown_and_the_next_turn_knows(
    model: ModelServer, launch: Launch, tmp_path: Path
) -> None:
    served = await launch()
    person = await in_mid_turn(
        served,
        model,
        script(asked("please", Cell(WAITING)), asked("again", Say("I see."))),
        mode="auto",
    )
    await person.talk.event("output.added")
    await served.stop(signal.SIGKILL)

    await served.start()
    talk = await opened(served, person)
    state = talk.state(person.thread_id)
    [run] = state.runs.values()
    assert state.turns[0].stop_reason == "interrupted"
    assert (run.phase, run.status) == ("ended", "unknown")
    assert run.excerpt is not None
    assert run.excerpt.head == "begun"
    again = Person(talk, person.thread_id, await (await served.browser()).notebook())
    await again.say("again", target=again.target)
    assert await again.ended(2) == "end_turn"
    request = last_request(model)
    assert "(The server was restarted during your last turn.)" in request
    assert "It is not known how this ended." in request
    assert "begun" in request
    ends = events_of(tmp_path / "journal", person.thread_id, "turn.ended")
    assert [end["stop_reason"] for end in ends] == ["interrupted", "end_turn"]


async def test_a_server_killed_while_a_cell_asks_for_input_asks_no_more(
    model: ModelServer, launch: Launch
) -> None:
    served = await launch()
    asks = script(asked("please", Cell("input('Name? ')")))
    person = await in_mid_turn(served, model, asks, mode="auto")
    await person.talk.event("stdin.requested")
    await served.stop(signal.SIGKILL)

    await served.start()
    talk = await opened(served, person)
    [run] = talk.state(person.thread_id).runs.values()
    assert (run.status, run.stdin) == ("unknown", None)
    with pytest.raises(Refused, match="does not wait for input") as refused:
        await talk.ask(
            "stdin.answer", thread_id=person.thread_id, run_id=run.run_id, value="too late"
        )
    assert refused.value.code == "not_found"


async def test_a_server_killed_while_the_model_streams_keeps_what_was_said_and_what_was_queued(
    model: ModelServer, launch: Launch
) -> None:
    served = await launch()
    person = await in_mid_turn(
        served, model, script(asked("please", Say("It begins. "), Gate("never")))
    )
    await person.talk.event("text.delta")
    await person.say("and then")
    await served.stop(signal.SIGKILL)

    await served.start()
    state = (await opened(served, person)).state(person.thread_id)
    assert state.turns[0].stop_reason == "interrupted"
    assert state.turns[0].items[0].text == "It begins. "  # type: ignore[union-attr]
    assert [message.content[0].text for message in state.queue] == ["and then"]  # type: ignore[union-attr]


async def test_a_server_that_is_told_to_stop_ends_its_turn_itself(
    model: ModelServer, launch: Launch, tmp_path: Path
) -> None:
    served = await launch()
    person = await in_mid_turn(served, model, script(asked("please", Cell(WAITING))), mode="auto")
    await person.talk.event("output.added")
    assert await served.stop(signal.SIGTERM) == 0
    journal = tmp_path / "journal"
    assert [end["stop_reason"] for end in events_of(journal, person.thread_id, "turn.ended")] == [
        "interrupted"
    ]
    [ended] = events_of(journal, person.thread_id, "run.ended")
    assert ended["status"] in ("unknown", "kernel_died")
    assert "never retrieved" not in served.log
    assert "cave_lab/" not in served.log, "no traceback goes through our code"


# ── two servers on one data folder


async def test_another_server_reads_the_thread_says_where_it_runs_and_takes_over_when_that_is_gone(
    model: ModelServer, launch: Launch, tmp_path: Path
) -> None:
    one, two = await asyncio.gather(launch("one"), launch("two"))
    person = await in_mid_turn(
        one,
        model,
        script(asked("please", Cell("1")), asked("again", Say("Here I am."))),
    )
    card = await person.asked()
    talk = await opened(two, person)
    caught_up = await talk.event("caught_up")
    assert f"process {one.process.pid} on {os.uname().nodename}" in caught_up["read_only"]
    state = talk.state(person.thread_id)
    assert state.runs[card["run_id"]].phase == "waiting"
    for command, fields in {
        "message.send": {"content": [{"type": "text", "text": "again"}]},
        "turn.stop": {},
        "thread.delete": {},
        "approval.answer": {
            "approval_id": card["approval_id"],
            "sha256": card["sha256"],
            "outcome": "run",
        },
    }.items():
        with pytest.raises(Refused, match="thread_elsewhere"):
            await talk.ask(command, thread_id=person.thread_id, **fields)
    [listed] = (await talk.ask("thread.list"))["threads"]
    assert listed["running"] is True
    assert "can only be read here" in listed["read_only"]

    await one.stop(signal.SIGKILL)
    seen = len(talk.frames)
    browser = await two.browser()
    target = await browser.notebook()
    content = [{"type": "text", "text": "again"}]
    await talk.ask("message.send", thread_id=person.thread_id, content=content, target=target)
    # It followed a thread that could only be read; now it follows the one that runs here.
    here = Person(talk, person.thread_id, target)
    taken = await talk.event("caught_up", after=seen)
    assert taken["read_only"] is None
    assert await here.ended(2) == "end_turn"
    state = here.state
    assert [turn.stop_reason for turn in state.turns] == ["interrupted", "end_turn"]
    run = state.runs[card["run_id"]]
    assert run.approval is not None
    assert (run.status, run.approval.outcome) == ("not_run", "server_restarted")
    numbers = [event.seq for event in talk.events(person.thread_id)]
    assert numbers == list(range(1, len(numbers) + 1))
