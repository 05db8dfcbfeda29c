"""The extension's life: opened once and late, closed truthfully, never opened again after that."""

import asyncio
import json
import signal
from pathlib import Path
from typing import Any

import pytest

from cave_lab.errors import JournalUnavailable
from cave_lab.journal.journal import Journal
from cave_lab.model.script import Cell, Gate, Say
from cave_lab.protocol.frames import CLOSE_GOING_AWAY
from cave_lab.thread.service import ThreadService
from tests.fakes.model_server import ModelServer
from tests.lab import KEY, KEY_VALUE
from tests.security.trying import events_of, refused, rows
from tests.server.process import Served
from tests.server.scenarios import asked, script
from tests.talk import Lab, Person
from tests.waiting import until

ENDLESS = "import time\nwhile True:\n    time.sleep(0.01)"


def extension_of(lab: Lab) -> Any:
    """Our part of the server."""
    (extension,) = lab.app.extension_manager.extension_apps["cave_lab"]
    return extension


async def test_requests_that_come_at_once_open_one_journal(lab: Lab, tmp_path: Path) -> None:
    answers = await asyncio.gather(*(lab.fetch("cave-lab/status") for _ in range(5)))
    assert [answer.code for answer in answers] == [200] * 5
    assert rows(tmp_path / "journal", "SELECT count(*) FROM servers") == [(1,)]


async def test_nothing_is_opened_before_it_is_asked_for(lab: Lab, tmp_path: Path) -> None:
    await lab.fetch("api/status")
    assert not (tmp_path / "journal").exists()
    await extension_of(lab).stop_extension()
    assert not (tmp_path / "journal").exists()


async def test_what_could_not_be_opened_whole_is_closed_and_tried_again(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[Journal] = []
    recover, close = ThreadService.recover, Journal.close

    async def fail(_: ThreadService) -> None:
        monkeypatch.setattr(ThreadService, "recover", recover)
        raise JournalUnavailable

    async def note(journal: Journal) -> None:
        closed.append(journal)
        await close(journal)

    monkeypatch.setattr(ThreadService, "recover", fail)
    monkeypatch.setattr(Journal, "close", note)
    assert len(json.loads((await lab.fetch("cave-lab/status")).body)["problems"]) == 1
    assert len(closed) == 1
    assert json.loads((await lab.fetch("cave-lab/status")).body)["problems"] == []
    assert rows(tmp_path / "journal", "SELECT count(*) FROM servers") == [(1,)]


async def test_a_server_that_stops_in_mid_run_ends_the_turn_truthfully_and_leaves_no_task(
    lab: Lab, model: ModelServer, tmp_path: Path
) -> None:
    model.load(script(asked("go", Cell(ENDLESS, "Loop"))))
    person = await Person.at(lab, await lab.notebook(), mode="auto")
    await person.say("go")
    await person.talk.event("run.started")
    await extension_of(lab).stop_extension()

    journal = tmp_path / "journal"
    [run] = events_of(journal, person.thread_id, "run.ended")
    [turn] = events_of(journal, person.thread_id, "turn.ended")
    assert (run["status"], turn["stop_reason"]) == ("unknown", "interrupted")
    assert run["reason"]
    assert rows(journal, "SELECT * FROM unfinished") == []
    assert rows(journal, "SELECT server_id FROM threads") == [(None,)]
    assert await person.talk.was_closed() == CLOSE_GOING_AWAY


async def test_a_room_that_can_not_be_closed_does_not_keep_the_journal_open(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail() -> None:
        raise RuntimeError("stuck")

    await lab.connect()
    monkeypatch.setattr((await lab.domain()).replies, "close", fail)
    with pytest.raises(RuntimeError, match="stuck"):
        await extension_of(lab).stop_extension()
    assert rows(tmp_path / "journal", "SELECT * FROM servers") == []


async def test_a_server_that_stops_while_the_model_speaks_hangs_up_on_it(
    lab: Lab, model: ModelServer, tmp_path: Path
) -> None:
    model.load(script(asked("go", Say("One, "), Gate("never"), Say("two."))))
    person = await Person.at(lab, {}, mode="chat")
    await person.say("go")
    await person.talk.event("text.delta")
    await extension_of(lab).stop_extension()
    [turn] = events_of(tmp_path / "journal", person.thread_id, "turn.ended")
    assert turn["stop_reason"] == "interrupted"
    await until(lambda: model.requests[0].when("hung_up"), "the provider hung up on")


async def test_after_it_was_stopped_nothing_is_opened_again(lab: Lab, tmp_path: Path) -> None:
    await lab.connect()
    await extension_of(lab).stop_extension()
    await extension_of(lab).stop_extension()
    [problem] = json.loads((await lab.fetch("cave-lab/status")).body)["problems"]
    assert "stopping" in problem
    assert await refused(lab) == 503
    assert rows(tmp_path / "journal", "SELECT * FROM servers") == []


@pytest.mark.timeout(300)
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=lambda how: how.name)
async def test_a_run_that_a_server_left_is_unknown_at_the_next_start_and_is_not_run_again(
    model: ModelServer, tmp_path: Path, how: signal.Signals
) -> None:
    note = tmp_path / "ran.txt"
    code = f"open({str(note)!r}, 'a').write('ran ')\n{ENDLESS}"
    model.load(script(asked("go", Cell(code, "Loop"))))
    served = Served(
        tmp_path,
        cave_lab={"model": "openai/scripted", "api_base": model.url, "key_env": KEY},
        environ={KEY: KEY_VALUE},
    )
    await served.start()
    browser = await served.browser()
    person = await Person.at(browser, await browser.notebook(), mode="auto")
    await person.say("go")
    started = await person.talk.event("run.started")
    await until(note.exists, "the run's note")
    code_of_exit = await served.stop(how)
    assert code_of_exit == (0 if how is signal.SIGTERM else -signal.SIGKILL)

    served.configure({})
    await served.start()
    tab = await (await served.browser()).connect()
    await tab.ask("thread.open", thread_id=person.thread_id)
    assert (await tab.event("turn.ended"))["stop_reason"] == "interrupted"
    assert tab.state(person.thread_id).runs[started["run_id"]].status == "unknown"
    assert await served.stop() == 0
    assert note.read_text() == "ran "
    # The kernel complains of its own end on the same stream; nothing there may be ours.
    for complaint in ("/cave_lab/", "never retrieved", "was destroyed", "never awaited"):
        assert complaint not in served.log
