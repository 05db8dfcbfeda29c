"""Case 12: code in the kernel reads the token, edits files and talks to us; the policy stands."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cave_lab.model.script import Cell, Say, ScriptedTurn
from tests.fakes.model_server import ModelServer
from tests.lab import KEY, KEY_VALUE
from tests.security.counted import Counted
from tests.security.trying import events_of, types_of
from tests.server.process import Served
from tests.server.scenarios import asked, script, told
from tests.talk import Lab, Person, Refused
from tests.waiting import until

FORBIDDEN = {
    "approve",
    "approve all",
    "edit",
    "mode",
    "privacy",
    "model",
    "budget",
    "move",
    "unqueue",
    "outline",
    "stdin",
    "auto thread",
    "model thread",
    "full thread",
    "steer",
    "queue",
    "lease",
    "placed",
    "undone",
    "delete",
}


@pytest.fixture
async def evil() -> AsyncIterator[ModelServer]:
    """The model server that hostile code would like to be asked."""
    async with ModelServer() as server:
        yield server


@pytest.fixture
async def served(tmp_path: Path, model: ModelServer) -> AsyncIterator[Served]:
    """A server in a process of its own, with the runtime files that Jupyter writes."""
    served = Served(
        tmp_path,
        cave_lab={"model": "openai/scripted", "api_base": model.url, "key_env": KEY},
        environ={KEY: KEY_VALUE},
    )
    await served.start()
    yield served
    await served.stop()


@pytest.mark.timeout(300)
async def test_hostile_code_that_the_person_let_run_can_not_approve_itself_or_change_the_policy(
    served: Served, model: ModelServer, evil: ModelServer, tmp_path: Path
) -> None:
    counted, results = Counted(tmp_path), tmp_path / "results.json"
    attack = (
        f"import sys\nsys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from hostile import Attack\n"
        f"attack = Attack({str(tmp_path / 'journal')!r}, {evil.url!r}, {str(results)!r})\n"
        "attack.begin()\nprint('begun')"
    )
    model.load(
        script(
            asked("go", Cell(attack, "Look at the data")),
            told("begun", Cell(counted.code, "Count")),
            asked("and now", Cell(counted.code, "Count again")),
        )
    )
    browser = await served.browser()
    status = json.loads((await browser.fetch("cave-lab/status")).body)
    person = await Person.at(browser, await browser.notebook())
    await person.say("go")
    first = await person.asked()
    await person.answer(first)

    second = await person.asked(after=person.talk.frames.index(first) + 1)
    await until(results.exists, "the end of the attack", seconds=60)
    answers: dict[str, Any] = json.loads(results.read_text())
    assert answers.pop("files") == "edited"
    assert answers.pop("may_approve") is False
    assert (answers.pop("put settings"), answers.pop("check")) == (403, 403)
    assert set(answers) == FORBIDDEN
    assert set(answers.values()) == {"forbidden"}

    assert (counted.sent(person.thread_id), counted.ran) == (1, 0), "only what the person let run"
    assert json.loads((await browser.fetch("cave-lab/status")).body) == status
    settings = person.state
    assert (settings.mode, settings.privacy, settings.model) == ("review", "standard", None)
    await person.do("turn.stop")
    await person.ended()

    await person.say("and now")
    third = await person.asked(after=person.talk.frames.index(second) + 1)
    assert counted.ran == 0, "the next run still asks"
    assert third["approval_id"] != second["approval_id"]
    assert evil.requests == []
    assert len((await person.talk.ask("thread.list"))["threads"]) == 1
    await person.do("turn.stop")
    await person.ended(2)


async def refusal(work: Any) -> str:
    """The code with which a command is rejected."""
    with pytest.raises(Refused) as refused:
        await work
    return refused.value.code


async def test_a_program_may_send_a_message_whose_runs_ask_whatever_happens_and_the_journal_says_so(
    lab: Lab, model: ModelServer, tmp_path: Path
) -> None:
    counted = Counted(tmp_path)
    model.load(script(asked("from a program", Cell(counted.code, "Count"))))
    person = await Person.at(lab, await lab.notebook())
    program = await lab.connect(lab.token_headers)
    mine = {"thread_id": person.thread_id, "content": [{"type": "text", "text": "from a program"}]}
    elsewhere = await lab.notebook("elsewhere.ipynb")
    assert await refusal(program.ask("message.send", **mine, target=elsewhere)) == "forbidden"
    await program.ask("message.send", **mine)
    await person.asked()
    assert counted.ran == 0
    [started] = events_of(tmp_path / "journal", person.thread_id, "turn.started")
    assert started["origin"] == "api"
    assert await refusal(person.do("thread.change", mode="auto")) == "forbidden"
    await person.do("turn.stop")
    await person.ended()
    await person.do("thread.change", mode="auto")
    assert counted.ran == 0


async def test_a_program_can_not_send_to_a_thread_that_runs_without_asking(
    lab: Lab, model: ModelServer, tmp_path: Path
) -> None:
    counted = Counted(tmp_path)
    model.load(script(asked("go", Cell(counted.code, "Count")), told("Finished", Say("Done."))))
    person = await Person.at(lab, await lab.notebook(), mode="auto")
    program = await lab.connect(lab.token_headers)
    text = [{"type": "text", "text": "go"}]
    for when in ("after_turn", "steer"):
        sending = program.ask("message.send", thread_id=person.thread_id, content=text, when=when)
        assert await refusal(sending) == "forbidden"
    assert "turn.started" not in types_of(tmp_path / "journal", person.thread_id)
    await person.say("go")
    assert await person.ended() == "end_turn"
    [started] = events_of(tmp_path / "journal", person.thread_id, "turn.started")
    assert (started["origin"], counted.ran) == ("browser", 1)


async def test_a_program_can_not_add_to_a_turn_whose_runs_the_person_allowed(
    lab: Lab, model: ModelServer, tmp_path: Path
) -> None:
    counted = Counted(tmp_path)
    waits = f"{counted.code}\nimport time\nwhile runs == 1:\n    time.sleep(0.01)"
    model.load(script(ScriptedTurn("go", answer=(Cell(waits, "Wait"),))))
    person = await Person.at(lab, await lab.notebook())
    await person.say("go")
    await person.answer(await person.asked(), scope="turn")
    await person.talk.event("run.started")
    program = await lab.connect(lab.token_headers)
    text = [{"type": "text", "text": "and this"}]
    for when in ("after_turn", "steer"):
        sending = program.ask("message.send", thread_id=person.thread_id, content=text, when=when)
        assert await refusal(sending) == "forbidden"
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"


@pytest.mark.parametrize(
    "more_config", [{"CaveLab": {"default_mode": "auto"}}], ids=["default mode auto"]
)
async def test_where_auto_is_the_default_a_program_gets_no_further(
    lab: Lab, tmp_path: Path
) -> None:
    program = await lab.connect(lab.token_headers)
    made = await program.ask("thread.create", target=await lab.notebook())
    text = [{"type": "text", "text": "go"}]
    sending = program.ask("message.send", thread_id=made["thread_id"], content=text)
    assert await refusal(sending) == "forbidden"
    assert "turn.started" not in types_of(tmp_path / "journal", made["thread_id"])
