"""R, through IRkernel itself: binding, outputs, errors, and what is not available."""

import asyncio

import pytest

from cave_lab.errors import ProbeUnavailable
from cave_lab.kernel.link import Link
from cave_lab.kernel.port import Detail
from cave_lab.protocol.content import (
    DisplayOutput,
    ErrorOutput,
    NotebookRef,
    StreamOutput,
    Target,
)
from tests.kernel.conftest import PATH, Desk
from tests.kernel.recorder import Recorder, run, start
from tests.waiting import until


async def shown(desk: Desk, code: str) -> list:
    """The outputs of a cell that works."""
    recorder = Recorder()
    outcome = await run(desk.link, code, recorder)
    assert outcome.status == "ok", outcome
    return recorder.outputs


async def printed(desk: Desk, code: str) -> str:
    """What a cell that works prints."""
    return "".join(one.text for one in await shown(desk, code) if isinstance(one, StreamOutput))


# ── binding


async def test_r_is_known_by_its_language_version_and_name(sit, r):
    facts = (await sit(kernel_name=r)).link.facts
    assert (facts.language, facts.display_name) == ("R", "R")
    assert facts.version.split(".")[0].isdigit()
    assert (facts.guarded, facts.variables) == (False, False)


async def bind_while_their_cell_runs(server, r: str, code: str) -> tuple[Desk, str]:
    session = await server.open(kernel_name=r)
    room = server.room()
    kernel_id = session["kernel"]["id"]
    person = await server.person(kernel_id)
    theirs = person.send(code)
    await person.running(theirs)
    async with asyncio.timeout(10):
        binding = await room.bind(Target(notebook=NotebookRef(path=PATH)))
    assert isinstance(binding.link, Link)
    desk = Desk(server, room, binding.link, kernel_id)
    desk._person = person
    assert (binding.link.activity.state, binding.link.activity.whose) == ("busy", "theirs")
    return desk, theirs


async def test_a_kernel_that_runs_a_cell_is_bound_at_once_though_its_control_is_silent(
    server, group, gate, r
):
    desk, theirs = await bind_while_their_cell_runs(server, r, gate.cell_in_r('cat("mine")'))
    assert desk.link.facts.language == "R"
    with pytest.raises(ProbeUnavailable):
        await desk.link.variables()
    ours = await start(desk.link, 'cat("ours")', group).waiting()
    assert ours.recorder.waits == [("theirs", 0)]
    gate.open()
    assert (await ours.outcome()).status == "ok"
    assert ours.recorder.text == "ours"
    person = await desk.person()
    assert (await person.reply(theirs))["status"] == "ok"
    assert person.printed(theirs) == "mine"


async def test_a_kernel_bound_while_a_cell_runs_that_fails_is_known_and_usable(server, gate, r):
    desk, theirs = await bind_while_their_cell_runs(server, r, gate.cell_in_r("stop('no')"))
    gate.open()
    assert (await (await desk.person()).reply(theirs))["status"] == "error"
    await until(lambda: desk.link.facts.version, "the kernel's version, asked for once more")
    assert await printed(desk, 'cat("here")') == "here"


async def test_a_cell_that_runs_for_long_is_no_silent_kernel(sit, group, gate, r):
    desk = await sit(kernel_name=r)
    ours = await start(desk.link, gate.cell_in_r(), group).running()
    life = desk.link._lives.life
    assert life is not None
    await until(lambda: not life.beating, "a heartbeat missed while the cell runs")
    assert (desk.link.activity.state, desk.link.activity.whose) == ("busy", "ours")
    gate.open()
    assert (await ours.outcome()).status == "ok"
    await until(lambda: life.beating, "the heart beating again")


# ── outputs


async def test_a_value_is_displayed_in_all_its_forms(sit, r):
    desk = await sit(kernel_name=r)
    [output] = await shown(desk, "1 + 1")
    assert isinstance(output, DisplayOutput)
    assert output.data["text/plain"] == "[1] 2"
    assert output.data["text/html"] == "2"


async def test_prints_messages_and_warnings_arrive_in_order(sit, r):
    desk = await sit(kernel_name=r)
    outputs = await shown(desk, 'cat("one\\n")\nmessage("two")\nwarning("three")\nprint("four")')
    told = [(one.name, one.text) for one in outputs if isinstance(one, StreamOutput)]
    assert len(told) == len(outputs)
    assert told[0] == ("stdout", "one\n")
    assert told[1][0] == "stderr"
    assert told[1][1].startswith("two\n")
    assert "three" in told[1][1]
    assert told[2] == ("stdout", '[1] "four"\n')


async def test_a_table_comes_as_html_and_as_text(sit, r):
    desk = await sit(kernel_name=r)
    [output] = await shown(desk, 'data.frame(region = c("north", "south"), revenue = c(1.5, 2))')
    assert "<table" in str(output.data["text/html"])
    assert "north" in str(output.data["text/plain"])


async def test_a_plot_comes_as_a_picture(sit, r):
    desk = await sit(kernel_name=r)
    [output] = await shown(desk, 'barplot(c(north = 1, south = 2), main = "Revenue")')
    assert str(output.data["image/png"]).startswith("iVBORw0KGgo")


async def test_counts_are_shared_with_the_person_and_errors_count_too(sit, r):
    desk = await sit(kernel_name=r)
    person = await desk.person()
    assert (await person.run("theirs <- 1"))["execution_count"] == 1
    recorder = Recorder()
    assert (await run(desk.link, "ours <- theirs + 1", recorder)).execution_count == 2
    assert recorder.execution_count == 2
    await run(desk.link, "stop('no')")
    assert (await person.run("ours"))["execution_count"] == 4


# ── errors


async def test_an_error_has_a_name_its_message_and_a_traceback_to_read(sit, r):
    desk = await sit(kernel_name=r)
    recorder = Recorder()
    code = 'halve <- function(x) {\n  stop("not a number")\n}\nhalve("a")'
    outcome = await run(desk.link, code, recorder)
    assert outcome.status == "error"
    assert outcome.error is not None
    assert outcome.error.ename == "ERROR"
    assert outcome.error.evalue == 'Error in halve("a"): not a number'
    [output] = recorder.outputs
    assert isinstance(output, ErrorOutput)
    traceback = "\n".join(output.traceback)
    assert "Traceback:" in traceback
    assert 'halve("a")' in traceback


async def test_code_that_r_can_not_read_is_an_error_with_the_place(sit, r):
    desk = await sit(kernel_name=r)
    outcome = await run(desk.link, "x <- c(1,\ny)) + 2")
    assert outcome.status == "error"
    assert outcome.error is not None
    assert "unexpected ')'" in outcome.error.evalue


async def test_variables_outlive_cells_and_errors(sit, r):
    desk = await sit(kernel_name=r)
    await run(desk.link, "kept <- 41")
    await run(desk.link, "kept <- 42; stop('no')")
    assert await printed(desk, "cat(kept)") == "42"


async def test_a_run_that_r_sets_aside_behind_a_failing_cell_did_not_run(
    sit, group, gate, r, tmp_path
):
    desk = await sit(kernel_name=r)
    theirs: list[str] = []

    async def person_is_faster() -> None:
        theirs.append(await desk.person_is_faster(gate.cell_in_r("stop('no')")))

    recorder = Recorder(person_is_faster)
    ours = group.create_task(run(desk.link, f"file.create('{tmp_path / 'ran'}')", recorder))
    await until(lambda: desk.link.activity.queued == 0 and recorder.sent, "our request sent")
    gate.open()
    async with asyncio.timeout(10):
        outcome = await ours
    assert outcome.status == "not_run"
    assert "set this one aside" in str(outcome.reason)
    assert not (tmp_path / "ran").exists()
    # Until then R sets aside whatever comes; our link was made to believe that it is free.
    person = await desk.person()
    idle = {"execution_state": "idle"}
    await until(lambda: idle in person.heard(theirs[0], "status"), "the end of their cell")
    assert await printed(desk, 'cat("on")') == "on"


# ── what is not available


async def test_variables_changes_and_looks_are_not_available_which_is_said_and_leaves_no_trace(
    sit, r
):
    desk = await sit(kernel_name=r)
    await run(desk.link, "kept <- 42")
    for ask in (
        desk.link.variables(),
        desk.link.variables(names=["kept"], previews=True),
        desk.link.changes_since(None, ()),
        desk.link.look(["kept"], Detail("schema"), values=True),
    ):
        with pytest.raises(ProbeUnavailable) as caught:
            await ask
        assert str(caught.value) == "Variables are not available for this kernel (R)."
    outcome = await run(desk.link, "cat(ls())", recorder := Recorder())
    assert recorder.text == "kept"
    assert outcome.execution_count == 2
    assert outcome.variables == ()
    assert not outcome.variables_complete


async def test_quitting_is_told_as_what_it_is(sit, r):
    desk = await sit(kernel_name=r)
    outcome = await run(desk.link, "kept <- 1; quit()")
    assert outcome.status == "ok"
    assert "told the kernel to exit" in str(outcome.reason)
    # IRkernel leaves it to whoever asked to end the process; nobody does, so all is still there.
    assert await printed(desk, "cat(kept)") == "1"
