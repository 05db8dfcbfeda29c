"""An interrupt ends the run that it is meant for, and no other cell."""

import asyncio
import random
from functools import partial
from typing import Any

import pytest

from tests.kernel.probe.lab import Lab
from tests.waiting import until

LONG = {
    "a sleep": ("import time\ntime.sleep(60)", "KeyboardInterrupt"),
    "a tight loop": ("while True:\n    pass", "KeyboardInterrupt"),
    "a top-level await": ("import asyncio\nawait asyncio.sleep(60)", "CancelledError"),
    "an await without an end": ("import asyncio\nawait asyncio.Event().wait()", "CancelledError"),
    "a shell command": (
        "import os\nos.system('sleep 60')\nraise KeyboardInterrupt",
        "KeyboardInterrupt",
    ),
    "a child process": ("import subprocess\nsubprocess.run(['sleep', '60'])", "KeyboardInterrupt"),
}


async def started(lab: Lab, code: str) -> str:
    run = lab.start_run(code)
    await until(partial(lab.has_started, run), "the run's input")
    return run


async def test_every_kind_of_long_cell_ends(lab: Lab):
    for name, (code, error) in LONG.items():
        run = await started(lab, code)
        answer = await lab.ask("interrupt", run_id=run)
        assert answer == {"status": "ok", "interrupted": True, "running": run}
        reply = await lab.reply(run, 5)
        assert (name, reply["content"]["ename"]) == (name, error)
        assert (await lab.run_cell("'next'"))["content"]["status"] == "ok"


async def test_an_interrupt_right_after_the_request_ends_it_too(lab: Lab):
    for _ in range(10):
        run = lab.start_run("while True:\n    pass")
        answer: dict[str, Any] = {"running": None}
        while answer["running"] != run:
            answer = await lab.ask("interrupt", run_id=run)
        assert answer["interrupted"]
        assert (await lab.reply(run, 5))["content"]["ename"] == "KeyboardInterrupt"


async def test_a_cell_of_the_user_is_never_interrupted(lab: Lab):
    users = lab.start_cell("answer = input()", allow_stdin=True)
    queued = lab.start_run("x = 1")
    await until(lambda: lab.questions, "the user's question")
    for run_id in (queued, users, "unknown"):
        answer = await lab.ask("interrupt", run_id=run_id)
        assert answer == {"status": "ok", "interrupted": False, "running": users}
    lab.client.input("kept")
    assert (await lab.finished(users))["content"]["status"] == "ok"
    assert (await lab.finished(queued))["content"]["status"] == "ok"


@pytest.mark.parametrize(
    "wait",
    ["time.sleep(0.06)", "await asyncio.sleep(0.06)", "spin(0.06)"],
    ids=lambda code: code[:5],
)
async def test_an_interrupt_in_the_last_milliseconds_never_hits_the_users_next_cell(
    lab: Lab, wait: str
):
    await lab.run_cell(
        "import asyncio, time\n"
        "def spin(seconds):\n"
        "    end = time.perf_counter() + seconds\n"
        "    while time.perf_counter() < end: pass"
    )
    chance = random.Random(20)
    for _ in range(24):
        run = lab.start_run(wait)
        users = lab.start_cell("spin(0.05)\n'untouched'")
        await until(partial(lab.has_started, run), "the run's input")
        # The moment is what is tested: from 20 ms before the run's end to 10 ms after it.
        await asyncio.sleep(0.06 + chance.uniform(-0.02, 0.01))
        answer = await lab.ask("interrupt", run_id=run)
        reply = (await lab.reply(run, 5))["content"]
        assert (await lab.reply(users, 5))["content"]["status"] == "ok"
        assert reply["status"] == "ok" or answer["interrupted"]


async def test_a_process_of_an_earlier_cell_is_left_alone(lab: Lab):
    await lab.run_cell(
        "import subprocess, time\nmine = subprocess.Popen(['sleep', '60'])\ntime.sleep(0.05)"
    )
    run = await started(lab, "its = subprocess.Popen(['sleep', '60'])\nits.wait()")
    await until(partial(_has, lab, "its"), "the run's own process")
    assert (await lab.ask("interrupt", run_id=run))["interrupted"]
    await lab.reply(run, 5)
    await lab.run_cell("its.wait()")
    # How it ended is lost if the interrupt comes just as Python has learnt of it.
    assert await lab.value("(mine.poll(), its.poll() is not None)") == "(None, True)"
    await lab.run_cell("mine.kill(); mine.wait()")


def _printed(lab: Lab, run: str, text: str) -> bool:
    return text in lab.text(run)


async def _has(lab: Lab, name: str) -> bool:
    return name in await lab.rows()


async def test_code_that_swallows_the_interrupt_goes_on_and_can_be_interrupted_again(lab: Lab):
    run = lab.start_run(
        "import time\n"
        "for attempt in range(2):\n"
        "    try:\n        print('trying', attempt)\n        time.sleep(60)\n"
        "    except KeyboardInterrupt:\n        pass"
    )
    for attempt in range(2):
        await until(partial(_printed, lab, run, f"trying {attempt}"), "the next attempt")
        assert (await lab.ask("interrupt", run_id=run))["interrupted"]
    assert (await lab.reply(run, 5))["content"]["status"] == "ok"


async def test_without_the_hook_a_run_is_interrupted_as_well(bare: Lab):
    await bare.inject(hook=False)
    run = await started(bare, "while True:\n    pass")
    assert (await bare.ask("interrupt", run_id=run))["interrupted"]
    assert (await bare.reply(run, 5))["content"]["ename"] == "KeyboardInterrupt"
