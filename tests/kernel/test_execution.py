"""One run against a real kernel: how it ends, and what is told of it."""

import asyncio
import dataclasses

import pytest

from cave_lab.errors import JournalUnavailable
from cave_lab.kernel.message import RUN_REQUEST, Header
from cave_lab.kernel.port import KernelActivity
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.protocol.content import DisplayOutput, ErrorOutput, ResultOutput, StreamOutput
from cave_lab.protocol.ids import Generation
from tests.kernel.recorder import Recorder, Started, request, run, start
from tests.waiting import until

FAILS_LATER = "time.sleep(0.5); 1/0"
"""Behind a gate: what was sent before it opened is in the kernel when this fails."""


async def test_a_run_uses_the_variables_that_are_there_and_leaves_its_own(sit):
    desk = await sit()
    person = await desk.person()
    await person.run("price = 20")
    first = await run(desk.link, "total = price * 2")
    recorder = Recorder()
    second = await run(desk.link, "print(total + 2)", recorder)
    assert (first.status, second.status) == ("ok", "ok")
    assert recorder.text == "42\n"
    assert await person.value("total") == "40"


async def test_all_kinds_of_output_arrive_in_order(sit):
    desk = await sit()
    recorder = Recorder()
    outcome = await run(
        desk.link,
        "import sys\n"
        "print('out')\n"
        "print('err', file=sys.stderr)\n"
        "from IPython.display import display, HTML, JSON\n"
        "display(HTML('<b>x</b>'))\n"
        "display(JSON({'a': [1, 2]}))\n"
        "1 + 1",
        recorder,
    )
    out, err, html, data, result = recorder.outputs
    assert out == StreamOutput(name="stdout", text="out\n")
    assert err == StreamOutput(name="stderr", text="err\n")
    assert isinstance(html, DisplayOutput)
    assert html.data["text/html"] == "<b>x</b>"
    assert isinstance(data, DisplayOutput)
    assert "application/json" in data.data
    assert result == ResultOutput(execution_count=outcome.execution_count, data={"text/plain": "2"})
    assert outcome.status == "ok"
    assert outcome.duration_seconds is not None
    assert recorder.told[:3] == ["intend", "started", "output"]
    assert recorder.execution_count == outcome.execution_count


async def test_a_plot_arrives_as_a_picture(sit):
    desk = await sit()
    recorder = Recorder()
    await run(
        desk.link,
        "%matplotlib inline\nimport matplotlib.pyplot as plt\n_ = plt.plot([1, 2])",
        recorder,
    )
    [plot] = [one for one in recorder.outputs if isinstance(one, DisplayOutput)]
    assert str(plot.data["image/png"]).startswith("iVBOR")


async def test_an_error_is_told_with_its_traceback(sit):
    desk = await sit()
    recorder = Recorder()
    outcome = await run(desk.link, "print('before')\n1 / 0", recorder)
    assert outcome.status == "error"
    assert outcome.error is not None
    assert (outcome.error.ename, outcome.error.evalue) == ("ZeroDivisionError", "division by zero")
    assert outcome.execution_count is not None
    assert recorder.text == "before\n"
    assert isinstance(recorder.outputs[-1], ErrorOutput)
    assert "ZeroDivisionError" in "".join(recorder.outputs[-1].traceback)


async def test_a_syntax_error_is_an_error(sit):
    desk = await sit()
    outcome = await run(desk.link, "this is no Python")
    assert outcome.status == "error"
    assert outcome.error is not None
    assert outcome.error.ename == "SyntaxError"


async def test_a_failing_run_does_not_abort_the_persons_queued_cells(sit, group, gate):
    desk = await sit()
    person = await desk.person()
    failing = await start(desk.link, gate.cell(FAILS_LATER), group).running()
    theirs = person.send("print('mine')")
    gate.open()
    assert (await failing.outcome()).status == "error"
    assert (await person.reply(theirs))["status"] == "ok"
    await until(lambda: person.printed(theirs) == "mine\n", "what their cell prints")


async def test_a_failing_cell_of_the_persons_does_not_abort_ours_behind_it(sit, group, gate):
    desk = await sit()
    person = await desk.person()
    theirs = person.send(gate.cell("1/0"), stop_on_error=True)
    await desk.sees_theirs()
    ours = await start(desk.link, "2", group).waiting()
    gate.open()
    assert (await person.reply(theirs))["status"] == "error"
    assert (await ours.outcome()).status == "ok"


@pytest.mark.parametrize("probe", [True, False], ids=["guarded", "plain"])
async def test_a_run_that_the_kernel_sets_aside_after_a_failing_cell_did_not_run(
    sit, group, gate, probe
):
    desk = await sit(probe=probe)

    async def person_is_faster() -> None:
        await desk.person_is_faster(gate.cell(FAILS_LATER))

    ours, recorder = request(desk.link, "ours = 1"), Recorder(person_is_faster)
    task = group.create_task(desk.link.run(ours, recorder))
    await until(lambda: desk.link.activity.queued == 0 and recorder.sent, "our request sent")
    gate.open()
    assert (await task).status == "not_run"
    assert await (await desk.person()).value("'ours' in globals()") == "False"


async def test_help_comes_as_an_output(sit):
    desk = await sit()
    recorder = Recorder()
    outcome = await run(desk.link, "len?", recorder)
    assert outcome.status == "ok"
    [page] = recorder.outputs
    assert isinstance(page, DisplayOutput)
    assert "number of items" in str(page.data["text/plain"])


async def test_top_level_await_and_magics_work(sit):
    desk = await sit()
    recorder = Recorder()
    outcome = await run(
        desk.link, "import asyncio\nawait asyncio.sleep(0.01)\n%time x = 1\n!echo shell", recorder
    )
    assert outcome.status == "ok"
    assert "shell" in recorder.text


async def test_count_and_history_are_shared_with_the_person(sit):
    desk = await sit()
    person = await desk.person()
    before = (await person.run("'mine'"))["execution_count"]
    outcome = await run(desk.link, "'ours'")
    assert outcome.execution_count == before + 1
    assert await person.value("_") == "'ours'"
    assert await person.value("In[-1]") == "\"'ours'\""


async def test_no_name_of_ours_is_left(sit):
    desk = await sit()
    person = await desk.person()
    names = set((await person.value("sorted(globals())")).split())
    await run(desk.link, "pass")
    await desk.link.variables()
    after = set((await person.value("sorted(globals())")).split())
    assert {name for name in after - names if "_i" not in name and "_d" not in name} == set()
    assert not [name for name in after if "cave" in name.lower()]


async def test_what_the_observer_raises_before_sending_keeps_the_cell_from_running(sit):
    desk = await sit()

    async def refuse() -> None:
        raise JournalUnavailable

    with pytest.raises(JournalUnavailable):
        await run(desk.link, "ran = True", Recorder(refuse))
    person = await desk.person()
    assert await person.value("'ran' in globals()") == "False"
    assert (await run(desk.link, "1")).status == "ok"


async def test_what_the_observer_raises_later_is_raised_when_the_cell_has_ended(sit):
    desk = await sit()
    recorder = Recorder()

    async def fail(change) -> None:
        raise JournalUnavailable

    recorder.output = fail  # type: ignore[method-assign]
    with pytest.raises(JournalUnavailable):
        await run(desk.link, "print(1)\nimport time; time.sleep(0.3)\ndone = True", recorder)
    assert await (await desk.person()).value("done") == "True"


async def test_an_output_that_is_nested_too_deeply_breaks_no_link(sit):
    desk = await sit()
    code = (
        "from IPython.display import display\n"
        "v = 1\n"
        "for _ in range(400): v = [v]\n"
        "display({'application/json': v, 'text/plain': 'deep'}, raw=True)"
    )
    outcome = await run(desk.link, code, recorder := Recorder())
    assert outcome.status == "ok"
    assert recorder.outputs[0].data["text/plain"] == "deep"
    assert not desk.link.gone


async def test_cancelling_a_waiting_run_keeps_it_from_ever_running(sit, group, gate):
    desk = await sit()
    person = await desk.person()
    person.send(gate.cell())
    await desk.sees_theirs()
    waiting = await start(desk.link, "ran = True", group).waiting()
    waiting.task.cancel()
    await asyncio.wait({waiting.task})
    gate.open()
    assert (await run(desk.link, "'ran' in globals()", recorder := Recorder())).status == "ok"
    assert recorder.outputs[0].data["text/plain"] == "False"
    assert not waiting.recorder.sent


async def test_cancelling_a_running_cell_stops_it_and_the_next_one_waits_for_its_end(sit, group):
    desk = await sit()
    running = await start(desk.link, "import time\ntime.sleep(60)", group).running()
    running.task.cancel()
    await asyncio.wait({running.task})
    assert running.task.cancelled()
    async with asyncio.timeout(30):
        assert (await run(desk.link, "2")).status == "ok"


async def test_a_run_cancelled_while_its_changes_are_asked_for_is_let_go(sit, group):
    desk = await sit(limits=dataclasses.replace(DEFAULT_LIMITS, probe_seconds=30))
    person = await desk.person()
    # From here on the kernel never says what changed: its control channel waits for ever.
    await person.run(
        "import asyncio\n"
        "async def wait(*_): await asyncio.Event().wait()\n"
        "get_ipython().kernel.control_handlers['cave_lab_changes_request'] = wait"
    )
    ours = await start(desk.link, "x = 1", group).running()
    await until(lambda: desk.link._queue.at_the_kernel.ended, "the end of the cell")
    ours.task.cancel()
    await asyncio.wait({ours.task})
    assert ours.task.cancelled()
    life = desk.link._lives.life
    assert life is not None
    assert not life.wants(Header("stream", "late", ours.run_id, RUN_REQUEST))
    assert desk.link.activity == KernelActivity("idle")


async def test_late_output_of_a_thread_is_told_as_late(sit):
    desk = await sit()
    recorder = Recorder()
    outcome = await run(
        desk.link,
        "import threading, time\n"
        "def later():\n"
        "    time.sleep(0.6)\n"
        "    print('late words')\n"
        "threading.Thread(target=later).start()\n"
        "print('now')",
        recorder,
    )
    assert outcome.status == "ok"
    assert recorder.text == "now\n"
    await until(lambda: recorder.late, "late output")
    assert recorder.text == "now\nlate words\n"


async def test_a_display_of_an_ended_run_is_updated_from_another_one(sit):
    desk = await sit()
    first, second = Recorder(), Recorder()
    await run(desk.link, "h = display('one', display_id='d')", first)
    await run(desk.link, "h.update('two')", second)
    await until(lambda: first.late, "the update of the older run's display")
    assert first.outputs[0].data["text/plain"] == "'two'"
    assert first.outputs[0].display_id == "d"
    assert second.outputs == []


async def test_the_persons_cell_can_update_a_display_of_ours(sit):
    desk = await sit()
    recorder = Recorder()
    await run(desk.link, "h = display('one', display_id='d')", recorder)
    await (await desk.person()).run("h.update('three')")
    await until(lambda: recorder.late, "the update by the person's cell")
    assert recorder.outputs[0].data["text/plain"] == "'three'"


async def test_output_that_a_widget_captures_is_not_the_cells(sit):
    desk = await sit()
    recorder = Recorder()
    # What the Output widget of ipywidgets does, without needing ipywidgets in the kernel.
    code = """
import comm, sys
parent = get_ipython().kernel.get_parent('shell')['header']['msg_id']
widget = comm.create_comm(target_name='jupyter.widget', data={'state': {'msg_id': ''}})
def hold(message_id):
    sys.stdout.flush()
    widget.send({'method': 'update', 'state': {'msg_id': message_id}})
print('before')
hold(parent)
print('captured')
hold('')
print('after')
"""
    outcome = await run(desk.link, code, recorder)
    assert outcome.status == "ok", outcome.error
    assert recorder.text == "before\nafter\n"


async def test_runs_end_in_the_order_in_which_they_were_asked_for(sit, group):
    desk = await sit()
    await run(desk.link, "seen = []")
    runs = [start(desk.link, f"seen.append({number})", group) for number in range(5)]
    for one in runs:
        assert (await one.outcome()).status == "ok"
    assert runs[3].recorder.waits[0] == ("ours", 3)
    recorder = Recorder()
    await run(desk.link, "seen", recorder)
    assert recorder.outputs[0].data["text/plain"] == "[0, 1, 2, 3, 4]"


async def test_a_run_of_another_generation_is_not_sent(sit, group):
    desk = await sit()
    stale = Started(desk.link, request(desk.link, "1", Generation("0-stale")), group)
    assert (await stale.outcome()).status in ("kernel_restarted", "not_run")
    assert stale.recorder.told == []
