"""Case 11: one approval is at most one run, however often and however late it is given."""

import asyncio
import signal
from pathlib import Path
from typing import Any

import pytest

from cave_lab.model.script import Cell, Say
from tests.fakes.model_server import ModelServer
from tests.lab import KEY, KEY_VALUE
from tests.security.counted import Counted
from tests.security.trying import events_of
from tests.server.process import Served
from tests.server.scenarios import asked, script, told
from tests.talk import Frame, Lab, Person, Refused, Talk
from tests.waiting import until


async def outcome(work: Any) -> str:
    """`ok`, or the code of the rejection."""
    try:
        await work
    except Refused as refused:
        return refused.code
    return "ok"


def story(counted: Counted) -> Any:
    """One cell that counts, and words."""
    return script(asked("go", Cell(counted.code, "Count")), told("Finished", Say("Done.")))


async def waiting_card(lab: Lab, model: ModelServer, counted: Counted) -> tuple[Person, Frame]:
    """A person before a card that waits for an answer."""
    model.load(story(counted))
    person = await Person.at(lab, await lab.notebook())
    await person.say("go")
    return person, await person.asked()


def answer_from(talk: Talk, thread_id: str, card: Frame) -> Any:
    """The same click from another connection."""
    return talk.ask(
        "approval.answer",
        thread_id=thread_id,
        approval_id=card["approval_id"],
        sha256=card["sha256"],
        outcome="run",
    )


async def test_a_second_click_is_told_that_it_came_too_late(
    lab: Lab, model: ModelServer, tmp_path: Path
) -> None:
    counted = Counted(tmp_path)
    person, card = await waiting_card(lab, model, counted)
    answers = [await outcome(person.answer(card)) for _ in range(3)]
    assert await person.ended() == "end_turn"
    answers.append(await outcome(person.answer(card)))
    assert answers == ["ok", "approval_closed", "approval_closed", "approval_closed"]
    assert (counted.sent(person.thread_id), counted.ran) == (1, 1)
    assert await counted.in_kernel(lab, person.target) == 1


async def test_two_tabs_that_click_at_once_make_one_run(
    lab: Lab, model: ModelServer, tmp_path: Path
) -> None:
    counted = Counted(tmp_path)
    person, card = await waiting_card(lab, model, counted)
    tabs = [await lab.connect() for _ in range(4)]
    clicks = [outcome(answer_from(tab, person.thread_id, card)) for tab in tabs]
    answers = await asyncio.gather(*clicks)
    assert sorted(answers) == ["approval_closed"] * 3 + ["ok"]
    assert await person.ended() == "end_turn"
    assert (counted.sent(person.thread_id), counted.ran) == (1, 1)
    assert await counted.in_kernel(lab, person.target) == 1


async def test_one_click_sent_again_after_a_lost_connection_makes_one_run(
    lab: Lab, model: ModelServer, tmp_path: Path
) -> None:
    counted = Counted(tmp_path)
    person, card = await waiting_card(lab, model, counted)
    fields = {
        "thread_id": person.thread_id,
        "approval_id": card["approval_id"],
        "sha256": card["sha256"],
        "outcome": "run",
    }
    await person.talk.send("approval.answer", command_id="the-click", **fields)
    again = await lab.connect()
    reply = await again.reply(await again.send("approval.answer", command_id="the-click", **fields))
    assert reply["type"] == "command.ok"
    assert await person.ended() == "end_turn"
    assert (counted.sent(person.thread_id), counted.ran) == (1, 1)


async def test_a_click_after_stop_runs_nothing(
    lab: Lab, model: ModelServer, tmp_path: Path
) -> None:
    counted = Counted(tmp_path)
    person, card = await waiting_card(lab, model, counted)
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"
    assert await outcome(person.answer(card)) == "approval_closed"
    [closed] = events_of(counted.journal, person.thread_id, "approval.closed")
    assert closed["outcome"] == "cancelled"
    assert (counted.sent(person.thread_id), counted.ran) == (0, 0)


async def test_a_click_after_a_kernel_restart_runs_nothing(
    lab: Lab, model: ModelServer, tmp_path: Path
) -> None:
    counted = Counted(tmp_path)
    person, card = await waiting_card(lab, model, counted)
    await lab.app.kernel_manager.restart_kernel(person.target["kernel_id"])
    assert await person.ended() == "kernel_lost"
    assert await outcome(person.answer(card)) == "approval_closed"
    [closed] = events_of(counted.journal, person.thread_id, "approval.closed")
    assert closed["outcome"] == "kernel_changed"
    assert (counted.sent(person.thread_id), counted.ran) == (0, 0)
    assert await counted.in_kernel(lab, person.target) == 0


async def test_a_kernel_that_restarts_between_the_click_and_the_run_gets_nothing(
    lab: Lab, model: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted(tmp_path)
    person, card = await waiting_card(lab, model, counted)
    thread = await (await lab.domain()).threads.get(person.thread_id, "local")
    link, full = thread.watch.link, thread.recorder.full
    approved_for = link.generation

    async def restart_first(*drafts: Any) -> None:
        if any(draft.type == "approval.closed" for draft in drafts):
            monkeypatch.undo()
            await lab.app.kernel_manager.restart_kernel(person.target["kernel_id"])
            await until(lambda: link.generation not in (None, approved_for), "a new generation")
        await full(*drafts)

    monkeypatch.setattr(thread.recorder, "full", restart_first)
    await person.answer(card)
    assert await person.ended() == "kernel_lost"
    assert counted.ran == 0
    assert await counted.in_kernel(lab, person.target) == 0
    assert person.state.runs[card["run_id"]].status in ("not_run", "kernel_restarted")


async def test_a_card_that_waits_is_closed_when_the_thread_moves_to_another_notebook(
    lab: Lab, model: ModelServer, tmp_path: Path
) -> None:
    counted = Counted(tmp_path)
    person, card = await waiting_card(lab, model, counted)
    other = await lab.notebook("other.ipynb")
    await person.do("thread.change", target=other)
    assert await person.ended() == "kernel_lost"
    assert await outcome(person.answer(card)) == "approval_closed"
    assert (counted.sent(person.thread_id), counted.ran) == (0, 0)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=lambda how: how.name)
async def test_a_click_after_a_server_restart_runs_nothing(
    model: ModelServer, tmp_path: Path, how: signal.Signals
) -> None:
    counted = Counted(tmp_path)
    model.load(story(counted))
    served = Served(
        tmp_path,
        cave_lab={"model": "openai/scripted", "api_base": model.url, "key_env": KEY},
        environ={KEY: KEY_VALUE},
    )
    await served.start()
    browser = await served.browser()
    person = await Person.at(browser, await browser.notebook())
    await person.say("go")
    card = await person.asked()
    await served.stop(how)

    served.configure({})
    await served.start()
    tab = await (await served.browser()).connect()
    await tab.ask("thread.open", thread_id=person.thread_id)
    assert await outcome(answer_from(tab, person.thread_id, card)) == "approval_closed"
    assert (await tab.event("turn.ended"))["stop_reason"] == "interrupted"
    assert (await tab.event("approval.closed"))["outcome"] in ("server_restarted", "cancelled")
    assert tab.state(person.thread_id).runs[card["run_id"]].status == "not_run"
    assert (counted.sent(person.thread_id), counted.ran) == (0, 0)
    assert await served.stop() == 0
