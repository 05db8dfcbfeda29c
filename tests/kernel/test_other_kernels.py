"""A kernel without the probe: runs work, the rest is said."""

import json
import sys
from pathlib import Path

import pytest

from cave_lab.errors import ProbeUnavailable
from cave_lab.protocol.content import DisplayOutput
from tests.kernel.recorder import Recorder, run, start
from tests.waiting import until

ECHO = Path(__file__).with_name("echo_kernel.py")


@pytest.fixture
def echo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A kernel spec of another language."""
    folder = tmp_path / "data" / "kernels" / "echo"
    folder.mkdir(parents=True)
    spec = {
        "argv": [sys.executable, str(ECHO), "-f", "{connection_file}"],
        "display_name": "Echo",
        "language": "echo",
    }
    (folder / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "data"))
    return "echo"


async def test_runs_work_on_any_kernel(sit, echo):
    desk = await sit(kernel_name=echo)
    recorder = Recorder()
    outcome = await run(desk.link, "hello", recorder)
    assert outcome.status == "ok"
    assert recorder.outputs == [DisplayOutput(data={"text/plain": "hello"})]
    assert recorder.told == ["intend", "started", "output"]


async def test_an_error_has_its_bare_name(sit, echo):
    desk = await sit(kernel_name=echo)
    outcome = await run(desk.link, "fail")
    assert outcome.status == "error"
    assert outcome.error is not None
    assert (outcome.error.ename, outcome.error.evalue) == ("Odd", "as told")


async def test_variables_are_not_available_and_it_says_for_which_kernel(sit, echo):
    desk = await sit(kernel_name=echo)
    facts = desk.link.facts
    assert (facts.language, facts.display_name, facts.guarded, facts.variables) == (
        "echo",
        "Echo",
        False,
        False,
    )
    with pytest.raises(ProbeUnavailable, match="Echo"):
        await desk.link.variables()
    recorder = Recorder()
    await run(desk.link, "still here", recorder)
    assert recorder.outputs[0].data["text/plain"] == "still here"


async def test_stop_works_through_jupyters_interrupt(sit, echo, group):
    desk = await sit(kernel_name=echo)
    ours = await start(desk.link, "sleep", group).running()
    await desk.link.stop(ours.run_id)
    outcome = await ours.outcome()
    assert outcome.status == "interrupted"
    assert outcome.interrupted_by == "stop"


async def test_input_works_on_any_kernel(sit, echo, group):
    desk = await sit(kernel_name=echo)
    ours = start(desk.link, "ask", group)
    await until(lambda: ours.recorder.prompts, "the question")
    assert ours.recorder.prompts == [("name? ", False)]
    await desk.link.answer_stdin(ours.run_id, "Ada")
    assert (await ours.outcome()).status == "ok"
    assert ours.recorder.outputs == [DisplayOutput(data={"text/plain": "Ada"})]
    assert ours.recorder.told == ["intend", "started", "asked", "answered", "output"]


async def test_stop_ends_a_question_of_any_kernel(sit, echo, group):
    desk = await sit(kernel_name=echo)
    ours = start(desk.link, "ask", group)
    await until(lambda: ours.recorder.prompts, "the question")
    await desk.link.stop(ours.run_id)
    assert (await ours.outcome()).status == "interrupted"
    assert ours.recorder.told[-1] == "cancelled"
    assert (await run(desk.link, "2")).status == "ok"
