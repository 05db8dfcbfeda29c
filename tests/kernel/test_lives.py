"""Losses of memory, with kernels that are really killed, restarted and shut down."""

import asyncio
import json
import os
import signal
import sys

import pytest

from cave_lab.errors import KernelSilent, NoKernel
from cave_lab.protocol.content import NotebookRef, Target
from tests.kernel.cells import SLEEP
from tests.kernel.conftest import PATH
from tests.kernel.recorder import Recorder, Started, Watcher, request, run, start
from tests.waiting import until


async def test_a_killed_kernel_ends_the_run_and_begins_another_life(sit, group):
    desk = await sit()
    watcher = Watcher()
    desk.link.watch(watcher)
    await run(desk.link, "df = [1]; other = 2")
    await desk.link.variables()
    before = desk.link.generation
    ours = await start(desk.link, "print('half', flush=True)\n" + SLEEP, group).running()
    waiting = await start(desk.link, "2", group).waiting()
    await until(lambda: ours.recorder.text, "the first half of the output")
    os.kill(desk.manager.provisioner.pid, signal.SIGKILL)
    outcome = await ours.outcome()
    second = await waiting.outcome()
    assert outcome.status == "kernel_died"
    assert ours.recorder.text == "half\n"
    assert second.status == "kernel_died"
    assert not waiting.recorder.sent
    assert desk.link.generation not in (None, before)
    assert [(one.reason, one.generation) for one in watcher.losses] == [
        ("lost", desk.link.generation)
    ]
    assert {"df", "other"} <= set(watcher.losses[0].lost)
    assert (await run(desk.link, "1")).status == "ok"
    assert desk.link.facts.guarded
    person = await desk.person()
    assert await person.value("'df' in globals()") == "False"
    assert len(watcher.losses) == 1


async def test_a_kernel_that_kills_itself_ends_the_run(sit):
    desk = await sit()
    outcome = await run(desk.link, "import os\nos._exit(1)")
    assert outcome.status == "kernel_died"


@pytest.mark.parametrize("probe", [True, False], ids=["guarded", "plain"])
async def test_a_restart_in_mid_run_ends_it(sit, group, probe):
    desk = await sit(probe=probe)
    watcher = Watcher()
    desk.link.watch(watcher)
    before = desk.link.generation
    ours = await start(desk.link, SLEEP, group).running()
    waiting = await start(desk.link, "2", group).waiting()
    await desk.server.kernels.restart_kernel(desk.kernel_id)
    assert (await ours.outcome()).status == "kernel_restarted"
    assert (await waiting.outcome()).status == "kernel_restarted"
    assert [one.reason for one in watcher.losses] == ["restarted"]
    assert watcher.losses[0].generation == desk.link.generation != before
    assert (await run(desk.link, "1")).status == "ok"


async def test_our_own_restart_returns_when_the_kernel_is_ready(sit):
    desk = await sit()
    before = desk.link.generation
    await run(desk.link, "x = 1")
    await desk.link.restart()
    assert desk.link.generation != before
    assert desk.link.facts.guarded
    recorder = Recorder()
    await run(desk.link, "'x' in globals()", recorder)
    assert recorder.outputs[0].data["text/plain"] == "False"


async def test_a_restart_that_jupyter_refuses_is_told_in_a_sentence(sit):
    desk = await sit()

    async def refuse(kernel_id: str) -> None:
        raise RuntimeError("Kernel is in a pending state. Cannot restart.")

    restart, desk.server.kernels.restart_kernel = desk.server.kernels.restart_kernel, refuse
    with pytest.raises(KernelSilent, match="could not restart"):
        await desk.link.restart()
    desk.server.kernels.restart_kernel = restart
    await desk.link.restart()
    assert (await run(desk.link, "1")).status == "ok"


async def test_a_restart_while_the_intent_is_written_keeps_the_run_from_going_out(sit):
    desk = await sit()

    async def restart() -> None:
        await desk.server.kernels.restart_kernel(desk.kernel_id)

    recorder = Recorder(restart)
    outcome = await run(desk.link, "ran = True", recorder)
    assert outcome.status == "kernel_restarted"
    assert recorder.told == ["intend"]
    person = await desk.person()
    assert await person.value("'ran' in globals()") == "False"


@pytest.mark.parametrize("probe", [True, False], ids=["guarded", "plain"])
async def test_no_run_of_an_old_life_ever_runs_in_the_new_one(sit, group, probe):
    desk = await sit(probe=probe)
    for _ in range(3):
        old = desk.link.generation
        restart = group.create_task(desk.server.kernels.restart_kernel(desk.kernel_id))
        runs = []
        while not restart.done():
            one = Started(desk.link, request(desk.link, "ran = 1", old), group)
            runs.append(one)
            await asyncio.sleep(0.02)
        await restart
        outcomes = [(await one.outcome()).status for one in runs]
        assert set(outcomes) <= {"ok", "kernel_restarted"}
        assert outcomes[-1] == "kernel_restarted"
        await until(another_than(desk.link, old), "the new life")
        recorder = Recorder()
        assert (await run(desk.link, "'ran' in globals()", recorder)).status == "ok"
        assert recorder.outputs[0].data["text/plain"] == "False"


def another_than(link, old):
    return lambda: link.generation != old


@pytest.fixture
def frail(tmp_path, monkeypatch):
    """The interpreter of a kernel spec `frail`: without it, no start of such a kernel succeeds."""
    interpreter = tmp_path / "python"
    interpreter.symlink_to(sys.executable)
    folder = tmp_path / "jupyter" / "kernels" / "frail"
    folder.mkdir(parents=True)
    argv = [str(interpreter), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = {"argv": argv, "display_name": "Frail", "language": "python"}
    (folder / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    # A virtual environment is found by where its interpreter lies.
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    return interpreter


async def test_a_kernel_that_is_started_no_more_is_not_waited_for_without_end(sit, group, frail):
    desk = await sit(kernel_name="frail")
    watcher = Watcher()
    desk.link.watch(watcher)
    frail.unlink()
    os.kill(desk.manager.provisioner.pid, signal.SIGKILL)
    await until(lambda: watcher.losses, "the loss of the memory")
    waiting = Started(desk.link, request(desk.link, "1", watcher.losses[0].generation), group)
    assert (await waiting.outcome()).status == "kernel_died"
    assert not waiting.recorder.sent
    assert desk.kernel_id in desk.server.kernels
    assert desk.link.generation is None
    assert desk.link.activity.state == "dead"
    assert [(one.reason, one.generation) for one in watcher.losses][1:] == [("lost", None)]
    frail.symlink_to(sys.executable)
    await desk.server.kernels.restart_kernel(desk.kernel_id)
    await until(lambda: desk.link.generation, "the life that the person began")
    assert watcher.losses[-1].reason == "restarted"
    assert (await run(desk.link, "1")).status == "ok"


async def test_a_restart_that_fails_half_way_ends_the_life_at_once(sit, frail):
    desk = await sit(kernel_name="frail")
    watcher = Watcher()
    desk.link.watch(watcher)
    frail.unlink()
    with pytest.raises(KernelSilent):
        await desk.link.restart()
    await until(lambda: watcher.losses, "the loss of the memory")
    assert [(one.reason, one.generation) for one in watcher.losses] == [("lost", None)]
    frail.symlink_to(sys.executable)
    await desk.link.restart()
    assert (await run(desk.link, "1")).status == "ok"


async def test_exit_is_told_and_the_kernel_comes_back_empty(sit):
    desk = await sit()
    watcher = Watcher()
    desk.link.watch(watcher)
    outcome = await run(desk.link, "x = 1\nexit()")
    assert outcome.status == "ok"
    assert outcome.reason is not None
    assert "exit" in outcome.reason
    await until(lambda: watcher.losses, "the loss of the memory")
    assert watcher.losses[0].reason == "lost"
    assert (await run(desk.link, "1")).status == "ok"


async def test_a_shut_down_kernel_ends_its_runs_and_is_found_no_more(sit, group):
    desk = await sit()
    watcher = Watcher()
    desk.link.watch(watcher)
    ours = await start(desk.link, SLEEP, group).running()
    await desk.server.kernels.shutdown_kernel(desk.kernel_id)
    assert (await ours.outcome()).status == "kernel_died"
    await until(lambda: desk.link.gone, "the link's end")
    assert [(one.reason, one.generation) for one in watcher.losses] == [("shut_down", None)]
    assert watcher.losses[0].lost_total is None, "nobody looked"
    assert desk.link.activity.state == "dead"
    assert desk.link.generation is None
    with pytest.raises(NoKernel):
        await desk.room.bind(Target(notebook=NotebookRef(path=PATH)))


async def test_a_kernel_in_which_nothing_had_run_loses_nothing(sit, gate):
    desk = await sit()
    watcher = Watcher()
    desk.link.watch(watcher)
    assert (await desk.link.variables()).total == 0
    await desk.server.kernels.restart_kernel(desk.kernel_id)
    await until(lambda: watcher.losses, "the restart")
    await until(lambda: desk.link.activity.state == "idle", "the new life")
    assert (await desk.link.variables()).total == 0
    person = await desk.person()
    person.send(gate.cell())
    await desk.sees_theirs()
    await desk.server.kernels.shutdown_kernel(desk.kernel_id)
    await until(lambda: desk.link.gone, "the link's end")
    assert [one.lost_total for one in watcher.losses] == [0, None]


async def test_a_kernel_killed_before_it_ever_answered_is_no_loss(sit):
    desk = await sit()
    watcher = Watcher()
    desk.link.watch(watcher)
    os.kill(desk.manager.provisioner.pid, signal.SIGKILL)
    await until(lambda: watcher.losses, "the first loss")
    pid = desk.manager.provisioner.pid
    await until(lambda: desk.manager.provisioner.pid != pid, "the restarted process")
    os.kill(desk.manager.provisioner.pid, signal.SIGKILL)
    assert (await run(desk.link, "1")).status == "ok"
    assert len(watcher.losses) == 1


async def test_closing_the_room_ends_runs_as_unknown_and_leaves_the_kernel(sit, group):
    desk = await sit()
    ours = await start(desk.link, SLEEP, group).running()
    waiting = await start(desk.link, "2", group).waiting()
    await desk.room.close()
    assert (await ours.outcome()).status == "unknown"
    assert (await waiting.outcome()).status == "not_run"
    assert await desk.manager.is_alive()
