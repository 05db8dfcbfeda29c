"""R, through IRkernel itself: Stop, restart and death."""

import asyncio
import dataclasses
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.protocol.ids import Generation
from tests.kernel.conftest import Desk
from tests.kernel.recorder import Recorder, Started, Watcher, request, run, start
from tests.waiting import until

SLEEP = "Sys.sleep(60)"
LOOP = "repeat {}"
STOP_SECONDS = 15
"""R looks for an interrupt of a sleep every few seconds only."""


async def value(desk: Desk, code: str) -> str:
    """What a cell that works prints."""
    recorder = Recorder()
    outcome = await run(desk.link, code, recorder)
    assert outcome.status == "ok", outcome
    return recorder.text


def mark(file: Path) -> str:
    """A cell that adds a letter to a file."""
    return f"cat('x', file = {str(file)!r}, append = TRUE)"


def marks(file: Path) -> int:
    """How often a cell with this mark ran, in whichever kernel."""
    return len(file.read_text()) if file.exists() else 0


# ── Stop


@pytest.mark.parametrize("code", [SLEEP, LOOP], ids=["sleep", "loop"])
async def test_stop_interrupts_our_cell_and_the_memory_stays(sit, group, r, code):
    desk = await sit(kernel_name=r)
    await run(desk.link, "kept <- 42")
    ours = await start(desk.link, code, group).running()
    async with asyncio.timeout(STOP_SECONDS):
        stopped = await desk.link.stop(ours.run_id)
        outcome = await ours.outcome()
    assert stopped.outcome == "interrupted", stopped
    assert (outcome.status, outcome.interrupted_by) == ("interrupted", "stop"), outcome
    assert outcome.execution_count == 2
    assert await value(desk, "cat(kept)") == "42"


async def test_stop_in_the_first_moment_of_a_cell_does_not_end_the_kernel(sit, group, r):
    desk = await sit(kernel_name=r)
    await run(desk.link, "kept <- 42")
    for _ in range(5):
        ours = start(desk.link, SLEEP, group)
        await until(lambda: desk.link.activity.whose == "ours", "our cell at the kernel")
        async with asyncio.timeout(STOP_SECONDS):
            await desk.link.stop(ours.run_id)
            assert (await ours.outcome()).status == "interrupted"
    assert await value(desk, "cat(kept)") == "42"


async def test_the_persons_own_interrupt_of_our_cell_is_told_as_theirs(sit, group, r):
    desk = await sit(kernel_name=r)
    ours = await start(desk.link, f"cat('begun')\n{LOOP}", group).running()
    await until(lambda: ours.recorder.text, "the cell's own first word")
    await desk.server.kernels.interrupt_kernel(desk.kernel_id)
    outcome = await ours.outcome()
    assert (outcome.status, outcome.interrupted_by) == ("interrupted", "person"), outcome


async def test_stop_behind_the_persons_cell_leaves_theirs_alone_and_ours_never_runs(
    sit, group, gate, r, tmp_path
):
    desk = await sit(kernel_name=r)
    person = await desk.person()
    theirs = person.send(gate.cell_in_r("mine <- 1"))
    await desk.sees_cell(theirs)
    ours = await start(desk.link, mark(tmp_path / "ran"), group).waiting()
    stopped = await desk.link.stop(ours.run_id)
    outcome = await ours.outcome()
    assert stopped.outcome == "dequeued"
    assert (outcome.status, outcome.interrupted_by) == ("not_run", "stop")
    gate.open()
    assert (await person.reply(theirs))["status"] == "ok"
    assert await value(desk, "cat(mine)") == "1"
    assert marks(tmp_path / "ran") == 0


async def test_stop_of_a_run_that_r_holds_behind_their_cell_waits_for_it_and_hits_only_ours(
    sit, group, gate, r
):
    limits = dataclasses.replace(
        DEFAULT_LIMITS, interrupt_repeat_seconds=0.2, interrupt_ask_seconds=0.5
    )
    desk = await sit(kernel_name=r, limits=limits)
    person = await desk.person()
    theirs: list[str] = []

    async def person_is_faster() -> None:
        theirs.append(await desk.person_is_faster(gate.cell_in_r("mine <- 1")))

    ours = request(desk.link, SLEEP)
    task = group.create_task(desk.link.run(ours, recorder := Recorder(person_is_faster)))
    await until(lambda: desk.link.activity.queued == 0 and recorder.sent, "our request sent")
    stopped = await desk.link.stop(ours.run_id)
    assert stopped.outcome == "stuck"
    assert "can't be taken back" in stopped.sentence
    gate.open()
    assert (await person.reply(theirs[0]))["status"] == "ok"
    async with asyncio.timeout(STOP_SECONDS):
        outcome = await task
    assert (outcome.status, outcome.interrupted_by) == ("interrupted", "stop")
    assert await value(desk, "cat(mine)") == "1"


# ── restart and death


async def test_a_run_that_waits_when_the_person_restarts_never_runs(sit, group, r, tmp_path):
    desk = await sit(kernel_name=r)
    desk.link.watch(watcher := Watcher())
    person = await desk.person()
    theirs = person.send(LOOP)
    await desk.sees_cell(theirs)
    old = desk.link.generation
    ours = await start(desk.link, mark(tmp_path / "ran"), group).waiting()
    await desk.server.kernels.restart_kernel(desk.kernel_id)
    outcome = await ours.outcome()
    assert outcome.status == "kernel_restarted"
    assert "did not run" in str(outcome.reason)
    assert [loss.reason for loss in watcher.losses] == ["restarted"]
    assert desk.link.generation != old
    assert await value(desk, 'cat("new")') == "new"
    assert marks(tmp_path / "ran") == 0


async def test_a_restart_in_mid_run_ends_it(sit, group, r):
    desk = await sit(kernel_name=r)
    ours = await start(desk.link, LOOP, group).running()
    await desk.server.kernels.restart_kernel(desk.kernel_id)
    outcome = await ours.outcome()
    assert outcome.status == "kernel_restarted"
    assert await value(desk, 'cat("new")') == "new"


async def test_no_run_sent_about_the_time_of_a_restart_runs_in_the_new_kernel(
    sit, group, r, tmp_path
):
    desk = await sit(kernel_name=r)
    for moment in (0.0, 0.01, 0.05):
        old = desk.link.generation
        await run(desk.link, "memory <- 'old'")
        restart = group.create_task(desk.server.kernels.restart_kernel(desk.kernel_id))
        await until(time_passed(moment), "the moment")
        code = f"if (!exists('memory')) {{ {mark(tmp_path / 'ran')} }}"
        outcome = await desk.link.run(request(desk.link, code, old), Recorder())
        assert outcome.status in ("ok", "kernel_restarted"), outcome
        await restart
        await until(renewed(desk, old), "the new kernel")
    assert marks(tmp_path / "ran") == 0


def renewed(desk: Desk, old: Generation | None) -> Callable[[], bool]:
    """A condition that comes true when another memory than the old one is free."""
    link = desk.link
    return lambda: link.generation not in (None, old) and link.activity.state == "idle"


def time_passed(seconds: float) -> Callable[[], bool]:
    """A condition that comes true after so long."""
    loop = asyncio.get_running_loop()
    until_then = loop.time() + seconds
    return lambda: loop.time() >= until_then


async def test_a_kernel_that_dies_ends_the_run_and_begins_another_life(sit, group, r):
    desk = await sit(kernel_name=r)
    desk.link.watch(watcher := Watcher())
    await run(desk.link, "kept <- 42")
    ours = await start(desk.link, SLEEP, group).running()
    process = desk.manager.provisioner.pid
    os.kill(process, signal.SIGKILL)
    outcome = await ours.outcome()
    assert outcome.status == "kernel_died"
    await until(lambda: desk.link.activity.state == "idle", "the kernel started anew")
    assert [loss.reason for loss in watcher.losses] == ["lost"]
    assert await value(desk, "cat(exists('kept'))") == "FALSE"


async def test_our_own_restart_returns_when_r_is_ready_and_empty(sit, r):
    desk = await sit(kernel_name=r)
    await run(desk.link, "kept <- 42")
    await desk.link.restart()
    assert desk.link.activity.state == "idle"
    assert desk.link.facts.language == "R"
    assert await value(desk, "cat(exists('kept'))") == "FALSE"


# ── input


async def asked(ours: Started) -> None:
    await until(lambda: ours.recorder.prompts or ours.task.done(), "the question")
    assert not ours.task.done(), ours.task


async def test_a_line_that_r_asks_for_is_relayed_and_answered(sit, group, r):
    desk = await sit(kernel_name=r)
    ours = start(desk.link, "name <- readline('Your name? ')\ncat('Hello', name)", group)
    await asked(ours)
    assert ours.recorder.prompts == [("Your name? ", False)]
    await desk.link.answer_stdin(ours.run_id, "Ada")
    assert (await ours.outcome()).status == "ok"
    assert ours.recorder.text == "Hello Ada"


async def test_stop_ends_an_r_cell_that_waits_for_a_line(sit, group, r):
    desk = await sit(kernel_name=r)
    await run(desk.link, "kept <- 42")
    ours = start(desk.link, "name <- readline('Your name? ')", group)
    await asked(ours)
    async with asyncio.timeout(STOP_SECONDS):
        stopped = await desk.link.stop(ours.run_id)
        outcome = await ours.outcome()
    assert stopped.outcome == "interrupted", stopped
    assert (outcome.status, outcome.interrupted_by) == ("interrupted", "stop")
    assert await value(desk, "cat(kept)") == "42"
