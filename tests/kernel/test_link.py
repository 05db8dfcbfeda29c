"""What a link tells of its kernel: facts, activity, and that it is in use."""

import os
import signal
from datetime import UTC, datetime, timedelta

from cave_lab.kernel.port import KernelActivity, KernelLink
from tests.kernel.gate import Gate
from tests.kernel.recorder import Watcher, run, start
from tests.waiting import until


async def test_a_link_is_a_kernel_link(sit):
    link: KernelLink = (await sit()).link
    assert (link.facts.language, link.facts.guarded, link.facts.variables) == (
        "python",
        True,
        True,
    )
    assert link.facts.display_name
    assert link.activity == KernelActivity("idle")


async def test_activity_says_whose_cell_runs_and_how_many_wait(sit, group, gate, tmp_path):
    desk = await sit()
    person = await desk.person()
    watcher = Watcher()
    unwatch = desk.link.watch(watcher)
    person.send(gate.cell())
    await desk.sees_theirs()
    ours = await start(desk.link, (end := Gate(tmp_path / "end")).cell(), group).waiting()
    await until(lambda: KernelActivity("busy", "theirs", 1) in watcher.activities, "theirs")
    gate.open()
    await until(lambda: KernelActivity("busy", "ours", 0) in watcher.activities, "ours")
    end.open()
    await ours.outcome()
    await until(lambda: desk.link.activity == KernelActivity("idle"), "the idle kernel")
    unwatch()
    unwatch()
    seen = len(watcher.activities)
    await run(desk.link, "1")
    assert len(watcher.activities) == seen


async def test_looking_at_variables_changes_no_activity(sit):
    desk = await sit()
    watcher = Watcher()
    desk.link.watch(watcher)
    stamp = desk.manager.last_activity
    await desk.link.variables()
    await run(desk.link, "pass")
    assert {one.whose for one in watcher.activities} <= {"ours", None}
    assert desk.manager.last_activity > stamp


async def test_a_look_is_no_activity_in_the_eyes_of_the_culler(sit):
    desk = await sit()
    await until(lambda: desk.manager.execution_state == "idle", "the server seeing it idle")
    stamp = desk.manager.last_activity
    await desk.link.variables()
    assert desk.manager.last_activity == stamp
    assert desk.manager.execution_state == "idle"


async def test_a_run_of_ours_is_busy_in_the_eyes_of_the_culler(sit, group, gate):
    desk = await sit()
    ours = await start(desk.link, gate.cell(), group).running()
    await until(lambda: desk.manager.execution_state == "busy", "the server seeing it busy")
    gate.open()
    await ours.outcome()
    await until(lambda: desk.manager.execution_state == "idle", "the server seeing it idle")


async def test_a_stopped_process_is_silent_and_comes_back(sit):
    desk = await sit()
    pid = desk.manager.provisioner.pid
    os.kill(pid, signal.SIGSTOP)
    try:
        await until(lambda: desk.link.activity.state == "silent", "the silent kernel")
    finally:
        os.kill(pid, signal.SIGCONT)
    await until(lambda: desk.link.activity.state == "idle", "the kernel's return")


async def test_a_run_keeps_the_culler_away_even_while_it_waits(sit, group, gate):
    desk = await sit()
    person = await desk.person()
    person.send(gate.cell())
    await desk.sees_theirs()
    ours = await start(desk.link, "1", group).waiting()
    old = datetime.now(UTC) - timedelta(hours=1)
    desk.manager.last_activity = old
    desk.server.kernels.last_kernel_activity = old
    await until(lambda: desk.manager.last_activity > old, "the kernel's activity noted")
    assert desk.server.kernels.last_kernel_activity > old
    gate.open()
    await ours.outcome()


async def test_a_watcher_that_fails_does_no_harm(sit):
    desk = await sit()

    class Broken(Watcher):
        def activity_changed(self, link) -> None:
            raise ValueError("broken watcher")

    good = Watcher()
    desk.link.watch(Broken())
    desk.link.watch(good)
    assert (await run(desk.link, "1")).status == "ok"
    await until(lambda: good.activities, "the other watcher being told")
