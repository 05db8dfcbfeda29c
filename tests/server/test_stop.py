"""Stop, at every moment of a turn: what is ours ends, nothing of the person's does."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.script import Cell, Gate, RawCall, Say
from tests.fakes.model_server import ModelServer
from tests.kernel.person import Person as KernelPerson
from tests.server.scenarios import WAITING, asked, begun, last_request, let_go, told, told_whole
from tests.talk import Lab, Person, run_as_person
from tests.waiting import until


@pytest.fixture
async def colleague(lab: Lab) -> AsyncIterator[list[KernelPerson]]:
    """People at the same kernels, who leave at the end."""
    present: list[KernelPerson] = []
    yield present
    for one in present:
        await one.leave()


def _is_past(moment: float) -> bool:
    """Whether the loop's clock has come to a moment."""
    return asyncio.get_running_loop().time() >= moment


async def at_kernel(lab: Lab, person: Person, present: list[KernelPerson]) -> KernelPerson:
    """The person at their notebook, beside the panel."""
    manager = lab.app.kernel_manager.get_kernel(person.target["kernel_id"])
    present.append(await KernelPerson.at(manager))
    return present[-1]


async def works(lab: Lab, person: Person) -> bool:
    """Whether the kernel takes the person's next cell."""
    return (await run_as_person(lab, person.target, "1 + 1"))["status"] == "ok"


# ── while the model has the word


async def test_stop_while_the_model_streams_hangs_up_on_it_and_keeps_what_it_said(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("begin", Say("It begins. "), Gate("never"), Say("It goes on.")),
        asked("again", Say("Yes?")),
    )
    await person.say("begin")
    await person.talk.event("text.delta")
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"
    await until(lambda: model.requests[0].when("hung_up"), "the model see that nobody listens")
    await person.say("again")
    assert await person.ended(2) == "end_turn"
    request = last_request(model)
    assert "It begins. " in request
    assert "(The person stopped your last turn.)" in request
    await told_whole(lab, person)


async def test_nothing_runs_of_a_cell_that_is_stopped_while_it_is_written(
    lab: Lab, model: ModelServer
) -> None:
    begin = RawCall('{"purpose": "x", "code": "ran = 1')
    person = await begun(lab, model, asked("please", begin, Gate("never")), mode="auto")
    await person.say("please")
    await person.talk.event("action.delta")
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"
    [run] = (await told_whole(lab, person)).runs.values()
    assert (run.status, run.reason) == ("not_run", "Stop was pressed before it ran.")


async def test_stop_while_an_approval_waits_closes_it(lab: Lab, model: ModelServer) -> None:
    person = await begun(lab, model, asked("please", Cell("ran = 1")))
    await person.say("please")
    await person.asked()
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"
    [run] = (await told_whole(lab, person)).runs.values()
    assert (run.status, run.cell_id) == ("not_run", None)
    assert run.approval is not None
    assert run.approval.outcome == "cancelled"


# ── while the cell waits or runs


async def test_a_cell_stopped_while_it_waits_behind_the_persons_never_runs(
    lab: Lab, model: ModelServer, colleague: list[KernelPerson]
) -> None:
    person = await begun(lab, model, asked("please", Cell("ran = 1")))
    mine = await at_kernel(lab, person, colleague)
    await person.say("please")
    card = await person.asked()
    theirs = mine.send(WAITING)
    await mine.running(theirs)
    await person.answer(card)
    await person.talk.saw(
        lambda frame: frame["type"] == "kernel.state" and frame["queued"] == 1, "the run waiting"
    )
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"
    let_go(lab)
    assert (await mine.reply(theirs))["status"] == "ok"
    assert await mine.value("globals().get('ran')") == "None"
    [run] = (await told_whole(lab, person)).runs.values()
    assert (run.status, run.cell_id) == ("not_run", None)


@pytest.mark.parametrize(
    "code",
    [
        "import time\nprint('begun', flush=True)\ntime.sleep(600)",
        "print('begun', flush=True)\nwhile True:\n    pass",
        "import asyncio\nprint('begun', flush=True)\nawait asyncio.sleep(600)",
    ],
    ids=["sleep", "tight loop", "await"],
)
async def test_stop_interrupts_a_cell_and_the_kernel_goes_on(
    lab: Lab, model: ModelServer, code: str
) -> None:
    person = await begun(
        lab, model, asked("please", Cell(code)), asked("again", Say("Yes?")), mode="auto"
    )
    await person.say("please")
    await person.talk.event("output.added")
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.status == "interrupted"
    assert run.duration_seconds is not None
    assert run.duration_seconds < 30
    assert await works(lab, person)
    assert len(model.requests) == 1, "the next call does not go out"
    await person.say("again")
    assert await person.ended(2) == "end_turn"
    assert "Interrupted" in last_request(model)
    assert "begun" in last_request(model)


async def test_stop_at_the_very_end_of_a_cell_never_hits_the_persons_next_one(
    lab: Lab, model: ModelServer, colleague: list[KernelPerson]
) -> None:
    code = "import time\nprint('begun', flush=True)\ntime.sleep(0.15)"
    person = await begun(
        lab, model, asked("please", Cell(code)), told("", Say("Done.")), mode="auto"
    )
    mine = await at_kernel(lab, person, colleague)
    clock = asyncio.get_running_loop().time
    for turn, early in enumerate((0.03, 0.02, 0.01, 0.005, 0.0), 1):
        seen = len(person.talk.frames)
        await person.say("please")
        await person.talk.event("run.started", after=seen)
        theirs = mine.send("time.sleep(0.4)\n'whole'")
        due = clock() + 0.15 - early
        await until(partial(_is_past, due), "the end of the cell come near")
        await person.do("turn.stop")
        assert await person.ended(turn) in ("cancelled", "end_turn")
        assert (await mine.reply(theirs))["status"] == "ok"
    state = await told_whole(lab, person)
    assert {run.status for run in state.runs.values()} <= {"ok", "interrupted"}


# ── a cell that does not obey


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The person is asked sooner than after ten seconds."""
    limits = replace(DEFAULT_LIMITS, interrupt_repeat_seconds=0.3, interrupt_ask_seconds=0.8)
    monkeypatch.setattr("cave_lab.server.domain.DEFAULT_LIMITS", limits)


DEAF = """import pathlib, time
heard = 0
print('begun', flush=True)
while not pathlib.Path('go').exists():
    try:
        time.sleep(0.01)
    except KeyboardInterrupt:
        heard += 1
        if pathlib.Path('obey').exists():
            raise
"""


async def deaf(lab: Lab, model: ModelServer) -> Person:
    """A person who pressed Stop on a cell that swallows it, and was asked what to do."""
    person = await begun(
        lab, model, asked("please", Cell(DEAF)), asked("again", Say("Yes?")), mode="auto"
    )
    await person.say("please")
    await person.talk.event("output.added")
    await person.do("turn.stop")
    notice = await person.talk.event("notice", code="kernel_stuck")
    assert notice["actions"] == ["wait_for_kernel", "restart_kernel"]
    assert person.state.turn is not None, "Stop never kills by itself"
    return person


@pytest.mark.usefixtures("impatient")
async def test_a_cell_that_swallows_the_interrupt_ends_by_itself_if_the_person_waits(
    lab: Lab, model: ModelServer
) -> None:
    person = await deaf(lab, model)
    await person.do("kernel.choice", choice="wait")
    let_go(lab)
    assert await person.ended() == "cancelled"
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.status == "ok"
    assert len(model.requests) == 1


@pytest.mark.usefixtures("impatient")
async def test_a_cell_that_swallows_the_interrupt_is_lost_with_the_kernel_if_they_restart_it(
    lab: Lab, model: ModelServer
) -> None:
    person = await deaf(lab, model)
    await person.do("kernel.choice", choice="restart")
    assert await person.ended() == "kernel_lost"
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.status == "kernel_restarted"
    assert await works(lab, person)


@pytest.mark.usefixtures("impatient")
async def test_pressing_stop_again_tries_again(lab: Lab, model: ModelServer) -> None:
    person = await deaf(lab, model)
    Path(lab.app.contents_manager.root_dir, "obey").touch()
    await person.do("turn.stop")
    assert await person.ended() == "cancelled"
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.status == "interrupted"


# ── Jupyter's own button


async def test_jupyters_own_stop_button_ends_the_run_and_the_turn(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("please", Cell("import time\nprint('begun', flush=True)\ntime.sleep(600)")),
        mode="auto",
    )
    await person.say("please")
    await person.talk.event("output.added")
    answer = await lab.fetch(
        f"api/kernels/{person.target['kernel_id']}/interrupt", method="POST", body={}
    )
    assert answer.code == 204
    assert await person.ended() == "cancelled"
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.status == "interrupted"
    assert run.reason == "The cell was interrupted in the notebook."
    assert len(model.requests) == 1
