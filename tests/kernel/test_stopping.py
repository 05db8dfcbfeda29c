"""Stop against real cells: it ends ours, and never the person's."""

import asyncio
import dataclasses

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from tests.kernel.cells import HELD, SLEEP, is_held
from tests.kernel.recorder import Recorder, request, run, start
from tests.waiting import until

GUARDS = pytest.mark.parametrize("probe", [True, False], ids=["guarded", "plain"])

LOOP = "while True:\n    pass"
AWAIT = "import asyncio\nawait asyncio.sleep(60)"
SWALLOW = """
import time
until = time.time() + 60
swallowed = 0
while time.time() < until:
    try:
        time.sleep(0.05)
        if swallowed >= 3:
            time.sleep(60)
    except KeyboardInterrupt:
        swallowed += 1
        if swallowed > 3:
            raise
"""


@GUARDS
@pytest.mark.parametrize("code", [SLEEP, LOOP, AWAIT], ids=["sleep", "loop", "await"])
async def test_stop_interrupts_our_cell(sit, group, code, probe):
    desk = await sit(probe=probe)
    ours = await start(desk.link, code, group).running()
    async with asyncio.timeout(30):
        stopped = await desk.link.stop(ours.run_id)
        outcome = await ours.outcome()
    assert stopped.outcome == "interrupted", stopped
    assert (outcome.status, outcome.interrupted_by) == ("interrupted", "stop"), outcome
    assert (await run(desk.link, "1")).status == "ok"


async def test_stop_reaches_a_shell_command(sit, group, tmp_path):
    desk = await sit()
    # IPython fails in another way if it is interrupted before the command has begun.
    began = tmp_path / "began"
    ours = start(desk.link, f"!touch {began}; sleep 60", group)
    await until(began.exists, "the shell command")
    async with asyncio.timeout(30):
        await desk.link.stop(ours.run_id)
        # The shell command ends; IPython lets the cell go on behind it.
        assert (await ours.outcome()).status in ("ok", "interrupted")


@GUARDS
async def test_a_run_behind_the_persons_cell_is_taken_out_and_never_runs(sit, group, gate, probe):
    desk = await sit(probe=probe)
    person = await desk.person()
    theirs = person.send(gate.cell("mine = 1"))
    await desk.sees_theirs()
    ours = await start(desk.link, "ours = 1", group).waiting()
    stopped = await desk.link.stop(ours.run_id)
    outcome = await ours.outcome()
    assert stopped.outcome == "dequeued"
    assert (outcome.status, outcome.interrupted_by) == ("not_run", "stop")
    assert not ours.recorder.sent
    gate.open()
    assert (await person.reply(theirs))["status"] == "ok"
    assert await person.value("('mine' in globals(), 'ours' in globals())") == "(True, False)"


async def test_a_run_that_waits_in_the_kernel_itself_is_taken_out_and_never_runs(sit, group, gate):
    desk = await sit()
    person = await desk.person()
    theirs: list[str] = []

    async def person_is_faster() -> None:
        theirs.append(await desk.person_is_faster(gate.cell("mine = 1")))

    ours = request(desk.link, "ours = 1")
    task = group.create_task(desk.link.run(ours, recorder := Recorder(person_is_faster)))
    await until(lambda: desk.link.activity.queued == 0 and recorder.sent, "our request sent")
    stopped = await desk.link.stop(ours.run_id)
    gate.open()
    outcome = await task
    assert stopped.outcome == "dequeued", stopped
    assert outcome.status == "not_run"
    assert (await person.reply(theirs[0]))["status"] == "ok"
    assert await person.value("('mine' in globals(), 'ours' in globals())") == "(True, False)"
    assert (await run(desk.link, "2")).status == "ok"


async def test_a_plain_run_that_waits_in_the_kernel_is_interrupted_when_it_starts(sit, group, gate):
    limits = dataclasses.replace(
        DEFAULT_LIMITS, interrupt_repeat_seconds=0.2, interrupt_ask_seconds=0.5
    )
    desk = await sit(probe=False, limits=limits)
    person = await desk.person()
    theirs: list[str] = []

    async def person_is_faster() -> None:
        theirs.append(await desk.person_is_faster(gate.cell("mine = 1")))

    ours = request(desk.link, "time.sleep(60)")
    task = group.create_task(desk.link.run(ours, recorder := Recorder(person_is_faster)))
    await until(lambda: desk.link.activity.queued == 0 and recorder.sent, "our request sent")
    stopped = await desk.link.stop(ours.run_id)
    assert stopped.outcome == "stuck"
    assert "as soon as it starts" in stopped.sentence
    gate.open()
    assert (await person.reply(theirs[0]))["status"] == "ok"
    outcome = await task
    assert (outcome.status, outcome.interrupted_by) == ("interrupted", "stop")


async def test_stop_at_the_end_of_our_cell_never_hits_the_persons_next_one(sit, group):
    desk = await sit()
    person = await desk.person()
    hit = []
    for attempt in range(24):
        ours = await start(desk.link, "import time; time.sleep(0.06)", group).running()
        theirs = person.send("for _ in range(6): time.sleep(0.02)")
        await asyncio.sleep(0.03 + attempt * 0.0016)
        await desk.link.stop(ours.run_id)
        outcome = await ours.outcome()
        assert outcome.status in ("ok", "interrupted"), outcome
        if (await person.reply(theirs))["status"] != "ok":
            hit.append(attempt)
    assert hit == []


async def test_a_cell_that_swallows_the_interrupt_is_stuck_until_it_gives_in(sit, group):
    limits = dataclasses.replace(
        DEFAULT_LIMITS, interrupt_repeat_seconds=0.4, interrupt_ask_seconds=1.2
    )
    desk = await sit(limits=limits)
    ours = await start(desk.link, SWALLOW, group).running()
    stopped = await desk.link.stop(ours.run_id)
    assert stopped.outcome == "stuck", stopped
    assert "restart the kernel" in stopped.sentence
    assert not ours.task.done()
    assert (await desk.link.stop(ours.run_id)).outcome == "interrupted"
    outcome = await ours.outcome()
    assert (outcome.status, outcome.interrupted_by) == ("interrupted", "stop")


async def test_a_kernel_held_by_compiled_code_is_told_to_be_silent(sit, group):
    limits = dataclasses.replace(
        DEFAULT_LIMITS,
        interrupt_repeat_seconds=0.5,
        interrupt_ask_seconds=1.0,
        control_seconds=0.4,
        probe_seconds=0.3,
    )
    desk = await sit(limits=limits)
    ours = start(desk.link, HELD, group)
    await until(lambda: is_held(desk.link), "the silent kernel")
    stopped = await desk.link.stop(ours.run_id)
    assert stopped.outcome == "silent", stopped
    await ours.outcome()


class Refusing:
    """Jupyter's interrupt as it is between the two processes of a restart."""

    def __init__(self, server) -> None:
        self.asked = 0
        self.refuses = True
        self._interrupt = server.kernels.interrupt_kernel
        server.kernels.interrupt_kernel = self

    async def __call__(self, kernel_id: str) -> None:
        self.asked += 1
        if self.refuses:
            raise RuntimeError("Cannot interrupt kernel. No kernel is running!")
        await self._interrupt(kernel_id)


async def test_an_interrupt_that_jupyter_refuses_leaves_the_cell_running_and_says_so(
    sit, group, gate
):
    limits = dataclasses.replace(
        DEFAULT_LIMITS, interrupt_repeat_seconds=0.2, interrupt_ask_seconds=0.5
    )
    desk = await sit(probe=False, limits=limits)
    Refusing(desk.server)
    ours = await start(desk.link, gate.cell(), group).running()
    stopped = await desk.link.stop(ours.run_id)
    assert stopped.outcome == "silent", stopped
    assert "may still be running" in stopped.sentence
    gate.open()
    assert (await ours.outcome()).status == "ok"


async def test_a_refused_interrupt_is_tried_again(sit, group):
    limits = dataclasses.replace(DEFAULT_LIMITS, interrupt_repeat_seconds=0.2)
    desk = await sit(probe=False, limits=limits)
    refusing = Refusing(desk.server)
    ours = await start(desk.link, SLEEP, group).running()
    stopping = group.create_task(desk.link.stop(ours.run_id))
    await until(lambda: refusing.asked, "the refused interrupt")
    refusing.refuses = False
    assert (await stopping).outcome == "interrupted"
    assert (await ours.outcome()).interrupted_by == "stop"


async def test_the_persons_own_interrupt_is_told_as_theirs(sit, group):
    desk = await sit()
    ours = await start(desk.link, SLEEP, group).running()
    await desk.server.kernels.interrupt_kernel(desk.kernel_id)
    outcome = await ours.outcome()
    assert (outcome.status, outcome.interrupted_by) == ("interrupted", "person")


async def test_stopping_a_run_that_has_ended_says_so(sit, group):
    desk = await sit()
    ours = start(desk.link, "1", group)
    await ours.outcome()
    assert (await desk.link.stop(ours.run_id)).outcome == "not_running"
