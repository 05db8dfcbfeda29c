"""A kernel that is restarted, dies, moves or is silent, at every moment of a turn."""

import asyncio
import os
import signal
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cave_lab.approval.policy import CHAT_SENTENCE
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.script import Cell, Gate, Say
from tests.fakes.model_server import ModelServer
from tests.server.scenarios import (
    WAITING,
    asked,
    begun,
    last_request,
    let_go,
    script,
    told,
    told_whole,
)
from tests.talk import Lab, Person, Refused, run_as_person
from tests.waiting import until

MARK = "open('ran', 'a').write('x')"


def _is_restarted(manager: Any, thread: Any, before: int) -> bool:
    """Whether another process runs, and the thread knows that it is free."""
    process = manager.provisioner.pid
    return process not in (None, before) and thread.watch.link.activity.state == "idle"


async def restart(lab: Lab, person: Person) -> None:
    """Restart the kernel as JupyterLab's menu does."""
    kernel_id = person.target["kernel_id"]
    answer = await lab.fetch(f"api/kernels/{kernel_id}/restart", method="POST", body={})
    assert answer.code == 200


def ran(lab: Lab) -> int:
    """How often `MARK` ran, in whichever kernel."""
    file = Path(lab.app.contents_manager.root_dir, "ran")
    return len(file.read_text()) if file.exists() else 0


async def queued_behind_theirs(lab: Lab, person: Person) -> tuple[Any, asyncio.Task[Any]]:
    """Ask for a cell that waits behind one of the person's: the kernel's link, and their cell."""
    thread = await (await lab.domain()).threads.get(person.thread_id, "local")
    await until(lambda: thread.watch.link is not None, "the kernel")
    link = thread.watch.link
    theirs = asyncio.create_task(run_as_person(lab, person.target, WAITING))
    await until(lambda: link.activity.whose == "theirs", "the person's cell")
    await person.say("please")
    await until(lambda: link.activity.queued, "the cell behind it")
    return link, theirs


# ── restarted by the person


async def test_a_restart_while_an_approval_waits_closes_it_and_ends_the_turn(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, asked("please", Cell(MARK)), asked("again", Say("I see.")))
    await run_as_person(lab, person.target, "revenue = 1")
    await person.say("please")
    card = await person.asked()
    await restart(lab, person)
    assert await person.ended() == "kernel_lost"
    with pytest.raises(Refused, match="approval_closed"):
        await person.answer(card)
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.approval is not None
    assert (run.status, run.approval.outcome) == ("not_run", "kernel_changed")
    assert ran(lab) == 0
    changed = await person.talk.event("kernel.changed", reason="restarted")
    assert changed["lost"] == ["revenue"]
    await person.say("again")
    assert await person.ended(2) == "end_turn"
    request = last_request(model)
    assert "(The kernel lost its memory during your last turn.)" in request
    assert "Gone: revenue." in request


async def test_a_restart_in_mid_run_ends_the_run_within_seconds(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, asked("please", Cell(WAITING)), mode="auto")
    await person.say("please")
    await person.talk.event("output.added")
    await restart(lab, person)
    assert await person.ended(seconds=20) == "kernel_lost"
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.status == "kernel_restarted"
    assert run.excerpt is not None
    assert run.excerpt.head.startswith("begun"), "what came before is kept"
    assert len(model.requests) == 1


async def test_a_restart_while_the_model_streams_ends_the_call(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, asked("please", Say("With df "), Gate("never")))
    await person.say("please")
    await person.talk.event("text.delta")
    await restart(lab, person)
    assert await person.ended() == "kernel_lost"
    await until(lambda: model.requests[0].when("hung_up"), "the model see that nobody listens")
    await told_whole(lab, person)


async def test_a_restart_between_turns_is_told_with_what_is_gone(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, asked("first", Say("Yes.")), asked("second", Say("I see.")))
    await run_as_person(lab, person.target, "revenue = [1, 2]\ncosts = 3")
    await person.say("first")
    assert await person.ended() == "end_turn"
    assert "revenue: list of 2" in last_request(model)
    await restart(lab, person)
    await person.talk.event("kernel.changed", reason="restarted")
    await person.say("second")
    assert await person.ended(2) == "end_turn"
    last = model.requests[-1].body["messages"][-1]["content"]
    assert "The kernel lost its memory since the last table. Gone: " in last
    assert {"revenue", "costs"} <= set(last.replace(",", " ").replace(".", " ").split())
    state = await told_whole(lab, person)
    assert state.loss is not None
    assert sorted(state.loss.lost) == ["costs", "revenue"]


async def test_a_talk_in_chat_mode_goes_on_over_a_restart(lab: Lab, model: ModelServer) -> None:
    person = await begun(
        lab, model, asked("please", Say("One. "), Gate("restarted"), Say("Two.")), mode="chat"
    )
    await person.say("please")
    await person.talk.event("text.delta")
    await restart(lab, person)
    await person.talk.event("kernel.changed", reason="restarted")
    model.release("restarted")
    assert await person.ended() == "end_turn"
    [item] = (await told_whole(lab, person)).turns[0].items
    assert item.text == "One. Two."  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "more_config", [{"CaveLab": {"probe": False}}, {}], ids=["plain", "guarded"]
)
async def test_a_run_that_is_approved_around_a_restart_never_runs_in_the_new_kernel(
    lab: Lab, model: ModelServer
) -> None:
    code = "import os\nopen('pids', 'a').write(f'{os.getpid()} ')"
    person = await begun(lab, model, asked("please", Cell(code)), told("", Say("Done.")))
    manager: Any = lab.app.kernel_manager.get_kernel(person.target["kernel_id"])
    thread: Any = await (await lab.domain()).threads.get(person.thread_id, "local")
    for turn in (1, 2, 3):
        seen = len(person.talk.frames)
        before = manager.provisioner.pid
        await person.say("please")
        card = await person.asked(after=seen)

        async def click(card: Any = card) -> None:
            with suppress(Refused):
                await person.answer(card)

        await asyncio.gather(click(), restart(lab, person))
        assert await person.ended(turn) in ("kernel_lost", "end_turn")
        file = Path(lab.app.contents_manager.root_dir, "pids")
        pids = file.read_text().split() if file.exists() else []
        assert set(pids) <= {str(before)}
        file.unlink(missing_ok=True)
        # Until this is told, the link may still seem idle in its former life.
        await person.talk.event("kernel.changed", reason="restarted", after=seen)
        await until(
            partial(_is_restarted, manager, thread, before),
            "the new process known to the thread",
        )
    await told_whole(lab, person)


# ── a kernel that goes by itself


async def test_a_cell_that_leaves_the_kernel_is_told_as_what_it_did(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("please", Cell("x = 1\nexit()")),
        told("told the kernel to exit", Say("Oh. "), Gate("never")),
        mode="auto",
    )
    await person.say("please")
    assert await person.ended() == "kernel_lost"
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.status == "ok"
    assert run.reason == "The cell told the kernel to exit. When it does, its variables are lost."


async def test_a_kernel_that_is_shut_down_in_mid_run_ends_it_and_the_next_turn_offers_one(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("please", Cell(WAITING)),
        asked("again", Cell("1")),
        told("no running kernel", Say("Start a kernel first.")),
        mode="auto",
    )
    await person.say("please")
    await person.talk.event("output.added")
    session = f"api/sessions/{person.target['session_id']}"
    assert (await lab.fetch(session, method="DELETE")).code == 204
    assert await person.ended() == "kernel_lost"
    await person.talk.event("kernel.changed", reason="shut_down")
    states = [one["state"] for one in person.talk.frames if one["type"] == "kernel.state"]
    assert states[-1] == "none", "it was shut down, and did not die"
    await person.say("again")
    assert await person.ended(2) == "end_turn"
    notice = await person.talk.event("notice", code="no_kernel")
    assert notice["actions"] == ["start_kernel", "try_again"]
    first, second = (await told_whole(lab, person)).runs.values()
    assert (first.status, second.status) == ("kernel_died", "not_run")
    assert second.reason is None, "the notice says it, with what to do"


async def test_a_turn_without_a_kernel_says_so_once_with_its_next_steps(
    lab: Lab, model: ModelServer
) -> None:
    target = await lab.notebook()
    session = f"api/sessions/{target['session_id']}"
    assert (await lab.fetch(session, method="DELETE")).code == 204
    model.load(
        script(asked("please", Cell("6 * 7")), told("no running kernel", Cell("6 * 7 # insists")))
    )
    person = await Person.at(lab, target, mode="auto")
    await person.say("please")
    assert await person.ended() == "end_turn"
    state = await told_whole(lab, person)
    [notice] = [item for item in state.turns[0].items if item.type == "notice"]
    assert notice.actions == ["start_kernel", "try_again"]
    assert [(run.status, run.reason) for run in state.runs.values()] == [("not_run", None)] * 2
    result = model.requests[-1].body["messages"][-1]["content"]
    assert result == f"Not run.\n{notice.text}", "the model hears of it all the same"


async def test_a_cell_of_a_thread_without_a_notebook_is_not_called_one_without_a_kernel(
    lab: Lab, model: ModelServer
) -> None:
    model.load(
        script(asked("please", Cell("6 * 7")), told("has no notebook", Say("Open one first.")))
    )
    person = await Person.at(lab, {"language": "python"}, mode="auto")
    await person.say("please")
    assert await person.ended() == "end_turn"
    notice = await person.talk.event("notice")
    assert notice["text"].startswith("This thread has no notebook")


async def test_a_kernel_started_after_the_question_takes_the_cell(
    lab: Lab, model: ModelServer
) -> None:
    target = await lab.notebook()
    session = f"api/sessions/{target['session_id']}"
    assert (await lab.fetch(session, method="DELETE")).code == 204
    model.load(
        script(
            asked("please", Say("I will. "), Gate("started"), Cell("6 * 7")), told("42", Say("42."))
        )
    )
    person = await Person.at(lab, target, mode="auto")
    await person.say("please")
    await person.talk.event("text.delta")
    await lab.notebook()
    model.release("started")
    assert await person.ended() == "end_turn"
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.status == "ok"


async def test_a_kernel_that_does_not_answer_ends_no_talk_and_offers_to_wait_or_restart(
    lab: Lab, model: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = replace(DEFAULT_LIMITS, kernel_ready_seconds=0.5)
    monkeypatch.setattr("cave_lab.server.domain.DEFAULT_LIMITS", limits)
    target = await lab.notebook()
    manager: Any = lab.app.kernel_manager.get_kernel(target["kernel_id"])
    os.kill(manager.provisioner.pid, signal.SIGSTOP)
    model.load(
        script(
            asked("please", Say("I will. "), Cell(MARK)),
            told("has not answered", Say("It does not answer.")),
        )
    )
    person = await Person.at(lab, target, mode="auto")
    await person.say("please")
    assert await person.ended() == "end_turn"
    notice = await person.talk.event("notice", code="kernel_silent")
    assert notice["actions"] == ["wait_for_kernel", "restart_kernel", "try_again"]
    state = await told_whole(lab, person)
    assert state.turns[0].seen is not None
    assert "has not answered" in (state.turns[0].seen.unavailable or "")
    assert [run.status for run in state.runs.values()] == ["not_run"]
    looked = await person.do("variables.look")
    assert "has not answered" in looked["unavailable"]
    os.kill(manager.provisioner.pid, signal.SIGCONT)
    assert (await run_as_person(lab, target, "1"))["status"] == "ok"
    assert ran(lab) == 0


# ── another kernel


async def test_a_kernel_switched_in_mid_turn_gets_no_cell_that_was_meant_for_the_other(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab, model, asked("please", Say("I will. "), Gate("switched"), Cell(MARK)), mode="auto"
    )
    other = await lab.notebook("other.ipynb")
    await person.say("please")
    await person.talk.event("text.delta")
    # The notebook's session gets a kernel that was there before; the old one lives on.
    answer = await lab.fetch(
        f"api/sessions/{person.target['session_id']}",
        method="PATCH",
        body={"kernel": {"id": other["kernel_id"]}},
    )
    assert answer.code == 200
    model.release("switched")
    assert await person.ended() == "kernel_lost"
    # The word of the switch may come before the cell is whole: then there is no run.
    runs = (await told_whole(lab, person)).runs.values()
    assert [run.status for run in runs] in ([], ["not_run"])
    assert ran(lab) == 0


async def test_a_cell_that_waits_for_the_kernel_never_runs_once_the_thread_only_talks(
    lab: Lab, model: ModelServer
) -> None:
    answers = asked("please", Cell(MARK)), told("never runs anything", Say("I see."))
    person = await begun(lab, model, *answers, mode="auto")
    _, theirs = await queued_behind_theirs(lab, person)
    await person.do("thread.change", mode="chat")
    let_go(lab)
    assert (await theirs)["status"] == "ok"
    assert await person.ended() == "end_turn"
    [run] = (await told_whole(lab, person)).runs.values()
    assert (run.status, run.cell_id) == ("not_run", None)
    assert run.reason == CHAT_SENTENCE
    assert ran(lab) == 0


async def test_a_cell_that_waits_for_the_kernel_never_runs_once_the_thread_is_at_another_notebook(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, asked("please", Cell(MARK)), mode="auto")
    other = await lab.notebook("other.ipynb")
    link, theirs = await queued_behind_theirs(lab, person)
    await person.do("thread.change", target=other)
    assert await person.ended() == "kernel_lost"
    let_go(lab)
    assert (await theirs)["status"] == "ok"
    await until(lambda: link.activity.state == "idle", "the free kernel")
    [run] = (await told_whole(lab, person)).runs.values()
    assert (run.status, run.cell_id) == ("not_run", None)
    assert ran(lab) == 0


async def test_a_notebook_renamed_in_mid_turn_is_followed(lab: Lab, model: ModelServer) -> None:
    person = await begun(
        lab,
        model,
        asked("please", Cell(WAITING)),
        told("done", Cell("1")),
        told("", Say("Done.")),
        mode="auto",
    )
    await person.say("please")
    await person.talk.event("output.added")
    lease = await person.talk.event("writer.lease")
    assert lease["path"] == "analysis.ipynb"
    answer = await lab.fetch(
        f"api/sessions/{person.target['session_id']}",
        method="PATCH",
        body={"path": "renamed.ipynb", "name": "renamed.ipynb", "type": "notebook"},
    )
    assert answer.code == 200
    let_go(lab)
    assert await person.ended() == "end_turn"
    state = await told_whole(lab, person)
    assert state.target.notebook is not None
    assert state.target.notebook.path == "renamed.ipynb"
    moved = await person.talk.event("writer.lease", path="renamed.ipynb")
    assert moved["holder"] == person.talk.hello["client_id"], "the writer stays the writer"
