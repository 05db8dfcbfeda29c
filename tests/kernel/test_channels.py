"""Floods of output through real sockets: nothing hangs, nothing grows without bound."""

import asyncio
import os
import time

import psutil
import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.protocol.content import DisplayOutput
from tests.kernel.recorder import Recorder, run, start

MB = 1_000_000


class Pauses:
    """How long one turn of the event loop took at most, in seconds of its own thread's work."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def watch(self) -> None:
        before = time.thread_time()
        while True:
            await asyncio.sleep(0)
            now = time.thread_time()
            self.longest = max(self.longest, now - before)
            before = now
            await asyncio.sleep(0.001)


async def test_ten_megabytes_of_print_are_cut_once_with_head_and_tail(sit):
    desk = await sit()
    recorder = Recorder()
    outcome = await run(
        desk.link, "for i in range(1000): print(i, 'x' * 10_000)\nprint('the end')", recorder
    )
    assert outcome.status == "ok"
    assert len(recorder.truncated) == 1
    assert recorder.text.startswith("0 xxx")
    assert recorder.text.endswith("the end\n")
    assert "left out" in recorder.text
    assert len(recorder.text) <= DEFAULT_LIMITS.stream_bytes + 100


@pytest.mark.parametrize("megabytes", [100])
async def test_a_huge_print_neither_blocks_the_loop_nor_fills_the_memory(sit, group, megabytes):
    desk = await sit()
    await run(desk.link, "piece = 'line of text\\n' * 80_000")
    process = psutil.Process(os.getpid())
    before = process.memory_info().rss
    pauses = Pauses()
    group.create_task(pauses.watch())
    recorder = Recorder()
    async with asyncio.timeout(60):
        outcome = await run(desk.link, f"for _ in range({megabytes}): print(piece)", recorder)
    assert outcome.status == "ok"
    assert len(recorder.truncated) == 1
    assert len(recorder.text) <= DEFAULT_LIMITS.stream_bytes + 100
    assert recorder.text.startswith("line of text\n")
    assert recorder.text.endswith("line of text\n\n")
    assert pauses.longest < 0.3, pauses.longest
    grown = process.memory_info().rss - before
    assert grown < 150 * MB, grown


async def test_a_flood_of_display_updates_leaves_the_last_one(sit, group):
    desk = await sit()
    pauses = Pauses()
    group.create_task(pauses.watch())
    recorder = Recorder()
    async with asyncio.timeout(100):
        outcome = await run(
            desk.link,
            "h = display(0, display_id='bar')\nfor i in range(10_000): h.update(i)",
            recorder,
        )
    assert outcome.status == "ok"
    [bar] = recorder.outputs
    assert isinstance(bar, DisplayOutput)
    assert bar.data["text/plain"] == "9999"
    assert len(recorder.changes) < 2_000
    assert pauses.longest < 0.3, pauses.longest


async def test_a_progress_bar_of_many_steps_stays_one_line(sit):
    desk = await sit()
    recorder = Recorder()
    outcome = await run(
        desk.link,
        "import sys, time\n"
        "for i in range(20_000):\n"
        "    print(f'\\r{i:5d} ' + '#' * 60, end='', flush=i % 200 == 0)\n"
        "print(' done')",
        recorder,
    )
    assert outcome.status == "ok"
    assert recorder.truncated == []
    last = recorder.text.rpartition("\r")[2]
    assert last == "19999 " + "#" * 60 + " done\n"
    assert len(recorder.text) < 20_000


async def test_a_figure_over_the_limit_is_a_sentence(sit):
    desk = await sit()
    recorder = Recorder()
    outcome = await run(
        desk.link,
        "from IPython.display import display\n"
        "display({'image/png': 'A' * 12_000_000}, raw=True)\n"
        "print('after')",
        recorder,
    )
    assert outcome.status == "ok"
    assert recorder.outputs[0].data == {"text/plain": "An output of 12 MB is too large to keep."}
    assert recorder.text == "after\n"
    assert len(recorder.truncated) == 1


async def test_a_figure_of_five_megabytes_is_kept(sit):
    desk = await sit()
    recorder = Recorder()
    await run(
        desk.link,
        "from IPython.display import display\ndisplay({'image/png': 'A' * 5_000_000}, raw=True)",
        recorder,
    )
    assert len(recorder.outputs[0].data["image/png"]) == 5_000_000
    assert recorder.truncated == []


async def test_an_error_with_an_endless_message_ends_the_run_as_an_error(sit):
    desk = await sit()
    recorder = Recorder()
    outcome = await run(desk.link, "raise ValueError('x' * 30_000_000)", recorder)
    assert outcome.status == "error"
    assert outcome.error is not None
    assert outcome.error.ename == "ValueError"
    assert len(outcome.error.evalue) < 5_000
    [error] = recorder.outputs
    assert error.ename == "ValueError"
    assert "too long to keep" in error.evalue


async def test_clear_output_with_wait_replaces_without_an_empty_moment(sit):
    desk = await sit()
    recorder = Recorder()
    outcome = await run(
        desk.link,
        "from IPython.display import clear_output\n"
        "import time\n"
        "for i in range(5):\n"
        "    clear_output(wait=True)\n"
        "    print(i, flush=True)\n"
        "    time.sleep(0.1)\n"
        "clear_output(wait=True)",
        recorder,
    )
    assert outcome.status == "ok"
    assert recorder.text == "4\n"
    for change, following in zip(recorder.changes, recorder.changes[1:], strict=False):
        if type(change).__name__ == "OutputCleared":
            assert type(following).__name__ == "OutputAdded"


async def test_the_flood_of_the_persons_cell_does_not_delay_ours(sit, group):
    desk = await sit()
    person = await desk.person()
    theirs = person.send("for i in range(3000): print('y' * 10_000, flush=True)")
    await person.running(theirs)
    ours = start(desk.link, "2", group)
    assert (await ours.outcome(60)).status == "ok"
    assert ours.recorder.outputs[0].data["text/plain"] == "2"


async def test_a_reply_that_comes_in_while_a_request_goes_out_is_not_overlooked(sit, group):
    desk = await sit()
    for _ in range(40):
        ours = await start(desk.link, "import time\ntime.sleep(60)", group).running()
        ours.task.cancel()
        await asyncio.wait({ours.task})
        # The stop in the background nudges the kernel just when the next reply comes in.
        assert (await run(desk.link, "2")).status == "ok"
