"""A block of an answer that the person runs by a click: their own cell, without the model."""

import asyncio
import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from cave_lab.model.script import Gate, Say, ScriptedTurn, When
from cave_lab.state.values import NoticeItem
from tests.fakes.model_server import ModelServer
from tests.kernel.person import Person as KernelPerson
from tests.server.scenarios import WAITING, asked, begun, let_go, script, told_whole
from tests.talk import Frame, Lab, Person, Refused, run_as_person

BLOCK = Say("Try this:\n\n```python\nx = 6 * 7\nx\n```\n")
CODE = "x = 6 * 7\nx"
RAN = "open('ran', 'w').close()"

BOTH = pytest.mark.parametrize(
    "more_config",
    [{"CaveLab": {"model": f"openai/{name}"}} for name in ("scripted", "plain")],
    ids=["with tools", "without tools"],
)


def cell(code: str, purpose: str = "Their own") -> Frame:
    """The block as the panel sends it."""
    return {"type": "cell", "code": code, "purpose": purpose}


async def click(person: Person, code: str, **fields: Any) -> Any:
    """Press *Run* at a block."""
    return await person.do("message.send", content=[cell(code)], **fields)


def whole(model: ModelServer) -> str:
    """All that the model was given at last, calls included, as it reads them."""
    return json.dumps(model.requests[-1].body["messages"], ensure_ascii=False)


def notices(person: Person) -> list[NoticeItem]:
    """The notices of the last turn."""
    return [item for item in person.state.turns[-1].items if isinstance(item, NoticeItem)]


def has_run(lab: Lab) -> bool:
    """Whether `RAN` was run."""
    return Path(lab.app.contents_manager.root_dir, "ran").exists()


@BOTH
@pytest.mark.parametrize("mode", ["review", "auto"])
async def test_a_click_runs_the_block_without_asking_and_without_the_model(
    lab: Lab, model: ModelServer, mode: str
) -> None:
    now = ScriptedTurn("now", When(last=("and now",)), (Say("It is 42."),))
    person = await begun(lab, model, asked("what is it", BLOCK), now, mode=mode)
    await person.say("what is it")
    assert await person.ended() == "end_turn"
    await click(person, CODE, anchor="the-cell-they-were-in")
    assert await person.ended(2) == "end_turn"
    state = await told_whole(lab, person)
    assert len(model.requests) == 1
    assert not any(frame["type"] == "approval.requested" for frame in person.talk.frames)
    [run] = state.runs.values()
    assert (run.by, run.status, run.code, run.purpose) == ("user", "ok", CODE, "Their own")
    assert run.approval is not None
    assert (run.approval.outcome, run.approval.allowed_by) == ("run", None)
    assert run.cell_id is not None
    assert run.after == "the-cell-they-were-in"
    assert [change.name for change in run.variables] == ["x"]
    turn = state.turns[1]
    assert (turn.usage.calls, turn.usage.runs, turn.calls) == (0, 1, [])
    assert turn.suggestions
    await person.say("and now")
    assert await person.ended(3) == "end_turn"
    assert json.dumps(CODE)[1:-1] in whole(model).replace("\\\\", "\\")
    assert "<data>\\n42\\n</data>" in whole(model)


async def test_a_block_that_fails_is_a_failed_cell_and_the_model_hears_of_it(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, asked("and now", Say("I see.")))
    await click(person, "1 / 0")
    assert await person.ended() == "end_turn"
    [run] = (await told_whole(lab, person)).runs.values()
    assert (run.status, run.cell_id is not None) == ("error", True)
    await person.say("and now")
    assert await person.ended(2) == "end_turn"
    assert "ZeroDivisionError" in whole(model)


async def test_a_click_that_is_sent_again_runs_once(lab: Lab, model: ModelServer) -> None:
    person = await begun(lab, model)
    await run_as_person(lab, person.target, "n = 0")
    command_id = uuid4().hex
    first = await click(person, "n += 1\nn", command_id=command_id)
    assert await person.ended() == "end_turn"
    # From another page, which does not know the reply.
    again = await lab.connect()
    await again.ask("thread.open", thread_id=person.thread_id)
    second = await again.ask(
        "message.send",
        thread_id=person.thread_id,
        command_id=command_id,
        content=[cell("n += 1\nn")],
    )
    assert first["turn_id"] == second["turn_id"]
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.excerpt is not None
    assert run.excerpt.head == "1"


# ── refused

TEXT = {"type": "text", "text": "hello"}


@pytest.mark.parametrize(
    "mode, content, code",
    [
        ("chat", [cell(RAN)], "mode_not_allowed"),
        ("review", [cell(RAN), TEXT], "invalid_command"),
        ("review", [TEXT, cell(RAN)], "invalid_command"),
        ("review", [cell(RAN), cell(RAN)], "invalid_command"),
        ("review", [cell("  \n ")], "invalid_command"),
        ("auto", [cell("")], "invalid_command"),
        ("review", [cell("#" * 200_001)], "invalid_command"),
    ],
    ids=["chat", "words behind", "words before", "two", "blank", "empty", "too long"],
)
async def test_a_click_that_may_not_run_is_refused_in_a_sentence(
    lab: Lab, model: ModelServer, mode: str, content: list[Frame], code: str
) -> None:
    person = await begun(lab, model, mode=mode)
    with pytest.raises(Refused) as refused:
        await person.do("message.send", content=content)
    assert refused.value.code == code
    assert refused.value.message.endswith(".")
    assert (await told_whole(lab, person)).turns == []
    assert not has_run(lab)
    assert model.requests == []


@pytest.mark.parametrize("mode", ["review", "auto", "chat"])
async def test_a_program_that_only_has_the_token_runs_no_block(
    lab: Lab, model: ModelServer, mode: str
) -> None:
    person = await begun(lab, model, mode=mode)
    program = await lab.connect(lab.token_headers)
    with pytest.raises(Refused) as refused:
        await program.ask("message.send", thread_id=person.thread_id, content=[cell(RAN)])
    assert refused.value.code == "forbidden"
    assert (await told_whole(lab, person)).turns == []
    assert not has_run(lab)


@pytest.mark.parametrize("when", ["after_turn", "steer"])
async def test_no_block_runs_or_waits_while_a_turn_runs(
    lab: Lab, model: ModelServer, when: str
) -> None:
    person = await begun(lab, model, asked("please", Say("I think. "), Gate("go"), Say("Done.")))
    await person.say("please")
    await person.talk.event("text.delta")
    with pytest.raises(Refused) as refused:
        await click(person, RAN, when=when)
    assert refused.value.code == "limit_reached"
    assert person.state.queue == []
    model.release("go")
    assert await person.ended() == "end_turn"
    assert (await told_whole(lab, person)).runs == {}
    assert not has_run(lab)
    await click(person, RAN)
    assert await person.ended(2) == "end_turn"
    assert has_run(lab)


async def test_of_two_clicks_at_once_one_runs_and_the_other_is_refused(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model)
    await run_as_person(lab, person.target, "n = 0")
    outcomes = await asyncio.gather(
        *(click(person, "n += 1\nn") for _ in range(2)), return_exceptions=True
    )
    refused = [outcome.code for outcome in outcomes if isinstance(outcome, Refused)]
    assert refused == ["limit_reached"]
    assert await person.ended() == "end_turn"
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.excerpt is not None
    assert run.excerpt.head == "1"


# ── what can go wrong


async def test_a_block_that_is_no_python_runs_nothing_and_both_are_told(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, asked("and now", Say("I see.")))
    await click(person, f"{RAN}\nx = = 1")
    assert await person.ended() == "end_turn"
    [notice] = notices(person)
    assert (notice.level, notice.code) == ("warning", "broken_code")
    assert "invalid syntax, line 2" in notice.text
    state = await told_whole(lab, person)
    assert [run for run in state.runs.values() if run.cell_id] == []
    assert not has_run(lab)
    await person.say("and now")
    assert await person.ended(2) == "end_turn"
    assert "can't be read" in whole(model), "else it takes the block for run"


async def test_without_a_kernel_a_click_says_what_to_do(lab: Lab, model: ModelServer) -> None:
    model.load(script(asked("and now", Say("I see."))))
    person = await Person.at(lab, {})
    await click(person, RAN)
    assert await person.ended() == "end_turn"
    [notice] = notices(person)
    assert (notice.code, notice.actions) == ("no_kernel", ["start_kernel", "try_again"])
    [run] = (await told_whole(lab, person)).runs.values()
    assert (run.status, run.cell_id) == ("not_run", None)
    await person.say("and now")
    assert await person.ended(2) == "end_turn"
    assert "no kernel" in whole(model)


async def queued_behind_their_cell(lab: Lab, person: Person) -> KernelPerson:
    """The person's own cell runs in the notebook, and the block waits behind it."""
    colleague = await KernelPerson.at(lab.app.kernel_manager.get_kernel(person.target["kernel_id"]))
    await colleague.running(colleague.send(WAITING))
    await click(person, RAN)
    await person.talk.saw(
        lambda frame: frame["type"] == "kernel.state" and frame["queued"] == 1, "the block waiting"
    )
    return colleague


async def test_a_block_waits_while_the_kernel_is_busy(lab: Lab, model: ModelServer) -> None:
    person = await begun(lab, model)
    colleague = await queued_behind_their_cell(lab, person)
    assert not has_run(lab)
    let_go(lab)
    assert await person.ended() == "end_turn"
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.status == "ok"
    assert has_run(lab)
    await colleague.leave()


async def test_a_stop_takes_back_a_block_that_waits(lab: Lab, model: ModelServer) -> None:
    person = await begun(lab, model)
    colleague = await queued_behind_their_cell(lab, person)
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"
    let_go(lab)
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.status == "not_run"
    assert await colleague.value("1 + 1") == "2"
    assert not has_run(lab)
    await colleague.leave()


async def test_a_stop_interrupts_a_block_that_runs(lab: Lab, model: ModelServer) -> None:
    person = await begun(lab, model, asked("and now", Say("I see.")))
    await click(person, "import time\nprint('begun', flush=True)\ntime.sleep(600)")
    await person.talk.event("output.added")
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.status == "interrupted"
    await person.say("and now")
    assert await person.ended(2) == "end_turn"
    assert "Interrupted" in whole(model)


async def test_a_kernel_that_dies_under_a_block_is_told(lab: Lab, model: ModelServer) -> None:
    person = await begun(lab, model)
    await click(person, "import os\nos._exit(1)")
    assert await person.ended() == "kernel_lost"
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.status == "kernel_died"
