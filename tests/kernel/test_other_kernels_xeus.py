"""xeus-python: a Python kernel without ipykernel's handler tables."""

import asyncio
import json
from pathlib import Path

import pytest

from cave_lab.errors import ProbeUnavailable
from cave_lab.protocol.content import ErrorOutput, ResultOutput, StreamOutput
from tests.kernel.cells import SLEEP
from tests.kernel.probe.kernels import kernel_python
from tests.kernel.recorder import Recorder, run, start


@pytest.fixture
def xeus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of xeus-python's kernel spec, as it installs it itself."""
    folder = tmp_path / "jupyter" / "kernels" / "xpython"
    folder.mkdir(parents=True)
    argv = [kernel_python("xeus").path, "-m", "xpython_launcher", "-f", "{connection_file}"]
    spec = {"argv": argv, "display_name": "Python (XPython)", "language": "python"}
    (folder / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    return "xpython"


async def test_it_is_python_without_a_probe_which_is_said(sit, xeus):
    desk = await sit(kernel_name=xeus)
    facts = desk.link.facts
    assert (facts.language, facts.guarded, facts.variables) == ("python", False, False)
    assert facts.version.startswith("3.")
    with pytest.raises(ProbeUnavailable) as caught:
        await desk.link.variables()
    assert str(caught.value) == "Variables are not available for this kernel (Python (XPython))."


async def test_prints_results_and_counts_arrive_and_variables_stay(sit, xeus):
    desk = await sit(kernel_name=xeus)
    recorder = Recorder()
    outcome = await run(desk.link, "kept = 41\nprint('one')\nkept + 1", recorder)
    assert (outcome.status, outcome.execution_count) == ("ok", 1)
    stream, result = recorder.outputs
    assert stream == StreamOutput(name="stdout", text="one\n")
    assert isinstance(result, ResultOutput)
    assert result.data["text/plain"] == "42"
    await run(desk.link, "print(kept)", later := Recorder())
    assert later.text == "41\n"


async def test_an_error_has_its_bare_name_in_the_outcome_and_in_the_output(sit, xeus):
    desk = await sit(kernel_name=xeus)
    recorder = Recorder()
    outcome = await run(desk.link, "1 / 0", recorder)
    assert outcome.error is not None
    assert (outcome.status, outcome.error.ename) == ("error", "ZeroDivisionError")
    assert outcome.error.evalue == "division by zero"
    [output] = recorder.outputs
    assert isinstance(output, ErrorOutput)
    assert output.ename == "ZeroDivisionError"


async def test_stop_says_that_the_kernel_would_end_and_leaves_the_cell_and_the_memory_alone(
    sit, group, gate, xeus
):
    desk = await sit(kernel_name=xeus)
    await run(desk.link, "kept = 42")
    ours = await start(desk.link, gate.cell("print(kept)"), group).running()
    async with asyncio.timeout(5):
        stopped = await desk.link.stop(ours.run_id)
    assert stopped.outcome == "stuck"
    assert stopped.sentence.startswith(
        "This kernel (Python (XPython)) ends when it is interrupted, so it was not."
    )
    gate.open()
    outcome = await ours.outcome()
    assert outcome.status == "ok", outcome
    assert ours.recorder.text == "42\n"


async def test_a_restart_by_hand_is_the_way_out_of_a_cell_that_can_not_be_stopped(sit, group, xeus):
    desk = await sit(kernel_name=xeus)
    ours = await start(desk.link, SLEEP, group).running()
    await desk.link.restart()
    assert (await ours.outcome()).status == "kernel_restarted"
    await run(desk.link, "print('anew')", later := Recorder())
    assert later.text == "anew\n"


async def test_stop_of_a_run_that_waits_takes_it_out(sit, group, gate, xeus):
    desk = await sit(kernel_name=xeus)
    person = await desk.person()
    theirs = person.send(gate.cell("print('mine')"))
    await desk.sees_cell(theirs)
    ours = await start(desk.link, "print('ours')", group).waiting()
    assert (await desk.link.stop(ours.run_id)).outcome == "dequeued"
    assert (await ours.outcome()).status == "not_run"
    gate.open()
    assert (await person.reply(theirs))["status"] == "ok"
