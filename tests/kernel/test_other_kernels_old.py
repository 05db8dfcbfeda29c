"""ipykernel 6.29 on the oldest Python at hand, without pandas and CaveLab: the main path."""

import asyncio
import json
from pathlib import Path

import pytest

from cave_lab.kernel.port import Detail
from cave_lab.protocol.content import DisplayOutput, ResultOutput
from tests.kernel.cells import SLEEP
from tests.kernel.conftest import Desk
from tests.kernel.probe.kernels import kernel_python
from tests.kernel.recorder import Recorder, Watcher, run, start
from tests.waiting import until


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a kernel spec with nothing in it but ipykernel."""
    folder = tmp_path / "jupyter" / "kernels" / "old"
    folder.mkdir(parents=True)
    argv = [kernel_python("bare").path, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec = {"argv": argv, "display_name": "Old Python", "language": "python"}
    (folder / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    return "old"


async def printed(desk: Desk, code: str) -> str:
    """What a cell that works prints."""
    recorder = Recorder()
    outcome = await run(desk.link, code, recorder)
    assert outcome.status == "ok", outcome
    return recorder.text.strip()


async def test_the_kernel_is_old_and_has_neither_cavelab_nor_pandas(sit, old):
    desk = await sit(kernel_name=old)
    assert await printed(desk, "import ipykernel; print(ipykernel.__version__)") == "6.29.5"
    version = "import sys; print('%d.%d.%d' % sys.version_info[:3])"
    assert desk.link.facts.version == await printed(desk, version)
    for module in ("cave_lab", "pandas", "numpy"):
        outcome = await run(desk.link, f"import {module}")
        assert outcome.error is not None
        assert outcome.error.ename == "ModuleNotFoundError"


async def test_runs_are_guarded_and_their_outputs_errors_and_counts_arrive(sit, old):
    desk = await sit(kernel_name=old)
    assert (desk.link.facts.guarded, desk.link.facts.variables) == (True, True)
    recorder = Recorder()
    code = "print('one')\nfrom IPython.display import HTML, display\ndisplay(HTML('<b>2</b>'))\n3"
    outcome = await run(desk.link, code, recorder)
    assert (outcome.status, outcome.execution_count) == ("ok", 1)
    _, shown, result = recorder.outputs
    assert recorder.text == "one\n"
    assert isinstance(shown, DisplayOutput)
    assert shown.data["text/html"] == "<b>2</b>"
    assert isinstance(result, ResultOutput)
    assert result.data == {"text/plain": "3"}
    failed = await run(desk.link, "1 / 0")
    assert failed.error is not None
    assert (failed.status, failed.error.ename) == ("error", "ZeroDivisionError")
    assert failed.execution_count == 2


async def test_awaits_run(sit, old):
    desk = await sit(kernel_name=old)
    code = "import asyncio\nawait asyncio.sleep(0)\nprint('slept')"
    assert await printed(desk, code) == "slept"


async def test_variables_and_what_changed_are_known_for_our_cells_and_the_persons(sit, old):
    desk = await sit(kernel_name=old)
    outcome = await run(desk.link, "items = [1, 2]\ndef work(a): pass")
    assert {(one.name, one.kind) for one in outcome.variables} == {
        ("items", "added"),
        ("work", "added"),
    }
    assert outcome.variables_complete
    mark = (await desk.link.changes_since(None, ())).mark
    person = await desk.person()
    await person.run("items.append(3)\ntheirs = 'x'")
    theirs = await desk.link.changes_since(mark, ())
    assert {one.name: one.kind for one in theirs.changes} == {
        "items": "changed",
        "theirs": "added",
    }
    seen = {one.name: one for one in (await desk.link.variables()).variables}
    assert (seen["items"].type, seen["items"].length) == ("list", 3)
    assert {"items", "work", "theirs"} <= set(seen)
    [looked] = await desk.link.look(["items"], Detail("schema"), values=False)
    assert looked.variable is not None
    assert looked.variable.type == "list"


@pytest.mark.parametrize(
    "code", [SLEEP, "import asyncio\nawait asyncio.sleep(60)"], ids=["sleep", "await"]
)
async def test_stop_interrupts_our_cell_and_the_memory_stays(sit, group, old, code):
    desk = await sit(kernel_name=old)
    await run(desk.link, "kept = 42")
    ours = await start(desk.link, code, group).running()
    async with asyncio.timeout(30):
        stopped = await desk.link.stop(ours.run_id)
        outcome = await ours.outcome()
    assert stopped.outcome == "interrupted", stopped
    assert (outcome.status, outcome.interrupted_by) == ("interrupted", "stop"), outcome
    assert await printed(desk, "print(kept)") == "42"


async def test_stop_behind_the_persons_cell_takes_ours_out_and_leaves_theirs_alone(
    sit, group, gate, old
):
    desk = await sit(kernel_name=old)
    person = await desk.person()
    theirs = person.send(gate.cell("mine = 1"))
    await desk.sees_cell(theirs)
    ours = await start(desk.link, "ours = 1", group).waiting()
    assert (await desk.link.stop(ours.run_id)).outcome == "dequeued"
    assert (await ours.outcome()).status == "not_run"
    gate.open()
    assert (await person.reply(theirs))["status"] == "ok"
    assert await printed(desk, "print('mine' in globals(), 'ours' in globals())") == "True False"


async def test_a_restart_ends_the_run_and_the_new_memory_is_guarded_again(sit, group, old):
    desk = await sit(kernel_name=old)
    desk.link.watch(watcher := Watcher())
    former = desk.link.generation
    ours = await start(desk.link, SLEEP, group).running()
    await desk.server.kernels.restart_kernel(desk.kernel_id)
    assert (await ours.outcome()).status == "kernel_restarted"
    await until(lambda: desk.link.facts.guarded, "the probe in the new kernel")
    assert [loss.reason for loss in watcher.losses] == ["restarted"]
    assert desk.link.generation not in (None, former)
    outcome = await run(desk.link, "anew = 1")
    assert [one.name for one in outcome.variables] == ["anew"]
