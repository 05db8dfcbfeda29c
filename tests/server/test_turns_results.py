"""What the model is told of real cells that really ran, and what the notebook gets."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from cave_lab.model.script import Cell, Say, ScriptedTurn, When
from cave_lab.protocol.content import BlobOutput, StreamOutput
from tests.fakes.model_server import ModelServer
from tests.server.scenarios import asked, begun, script, told, told_whole
from tests.talk import Lab, Person, run_as_person
from tests.waiting import until


def results(model: ModelServer) -> list[str]:
    """The results that the model was given in its last request."""
    messages = model.requests[-1].body["messages"]
    return [message["content"] for message in messages if message["role"] == "tool"]


def one_by_one(codes: Sequence[str]) -> list[ScriptedTurn]:
    """Run these cells one after the other, whatever comes out."""
    first = asked("please", Cell(codes[0], "0"))
    rest = [
        ScriptedTurn(f"{n}", When(role="tool"), (Cell(code, f"{n}"),), times=1)
        for n, code in enumerate(codes[1:], 1)
    ]
    return [first, *rest, ScriptedTurn("end", When(role="tool"), (Say("Done."),))]


async def run_all(lab: Lab, model: ModelServer, *codes: str, **settings: Any) -> Person:
    """A turn that runs these cells in mode `auto`."""
    person = await begun(lab, model, *one_by_one(codes), mode="auto", **settings)
    await person.say("please")
    assert await person.ended() == "end_turn"
    return person


async def test_each_kind_of_result_is_told_as_what_it_was(lab: Lab, model: ModelServer) -> None:
    person = await run_all(
        lab,
        model,
        "x = 1",
        "import sys\nprint('careful', file=sys.stderr)",
        "raise ValueError",
        "None",
        "from IPython.display import HTML, display\ndisplay(HTML('<b>bold</b>'))",
        "x + 1",
        "1 / 0",
    )
    nothing, stderr, error, none, display, value, division = results(model)
    assert nothing.startswith("Finished.")
    assert "No output.\nVariables: +x (int)" in nothing
    assert "Output:\n<data>\n[stderr]\ncareful\n</data>" in stderr
    assert ": ValueError." in error
    assert error.startswith("Failed: ")
    assert error.rstrip("\n").endswith("ValueError: \n</data>")
    assert "No output: the value of its last line is None, or is one that is not shown." in none
    assert "[text/html, 11 bytes, shown in the notebook] <IPython.core.display.HTML" in display
    assert "<data>\n2\n</data>" in value
    assert "ZeroDivisionError: division by zero" in division
    assert "\x1b" not in "".join(results(model)), "no colours reach the model"
    await told_whole(lab, person)


async def test_ten_megabytes_of_print_are_bounded_and_said_to_be(
    lab: Lab, model: ModelServer
) -> None:
    code = (
        "print('first line')\nfor n in range(100_000):\n    print(n, 'x' * 100)\nprint('last line')"
    )
    person = await run_all(lab, model, code)
    [result] = results(model)
    assert len(result) < 8_000
    assert "first line" in result
    assert "last line" in result
    assert "characters are not shown" in result
    assert "Not all of this cell's output is kept" in result
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.truncated is not None
    text = "".join(output.text for output in run.outputs if isinstance(output, StreamOutput))
    assert len(text) < 300_000
    assert "first line" in text
    assert "last line" in text
    size = sum(len(event.model_dump_json()) for event in person.talk.events(person.thread_id))
    assert size < 2_000_000, "nor does the journal hold it"


async def test_a_large_display_travels_as_a_reference_and_can_be_fetched(
    lab: Lab, model: ModelServer
) -> None:
    code = (
        "from IPython.display import HTML, display\ndisplay(HTML('<b>' + 'x' * 200_000 + '</b>'))"
    )
    person = await run_all(lab, model, code)
    [run] = (await told_whole(lab, person)).runs.values()
    [output] = run.outputs
    assert isinstance(output, BlobOutput)
    assert output.of == "display_data"
    assert set(output.mime_types) == {"text/html", "text/plain"}
    answer = await lab.fetch(f"cave-lab/blobs/{person.thread_id}/{output.blob}")
    assert answer.code == 200
    assert len(json.loads(answer.body)["data"]["text/html"]) == 200_007
    [result] = results(model)
    assert "x" * 1_000 not in result


async def test_a_display_updated_by_a_later_cell_changes_where_it_is_shown(
    lab: Lab, model: ModelServer
) -> None:
    person = await run_all(
        lab,
        model,
        "from IPython.display import display\nh = display('0%', display_id='bar')",
        "h.update('100%')",
    )
    runs = lambda: list(person.state.runs.values())  # noqa: E731
    await until(lambda: "100%" in str(runs()[0].outputs), "the first cell's display updated")
    first, second = runs()
    assert len(first.outputs) == 1
    assert second.outputs == []
    before, after = results(model)
    assert "0%" in before
    assert "No output" in after


async def test_output_that_comes_after_the_end_is_kept_with_its_run(
    lab: Lab, model: ModelServer
) -> None:
    code = (
        "import asyncio\n"
        "async def later():\n"
        "    await asyncio.sleep(1.0)\n"
        "    print('late word')\n"
        "task = asyncio.get_running_loop().create_task(later())"
    )
    person = await run_all(lab, model, code)
    late = await person.talk.saw(
        lambda frame: frame["type"] in ("output.added", "output.appended") and frame["late"],
        "late output",
    )
    [run] = person.state.runs.values()
    assert late["run_id"] == run.run_id
    assert run.phase == "ended"
    assert "late word" in str(run.outputs)
    assert "late word" not in results(model)[0], "nobody waited for it"


# ── a failure and its repair


async def repaired(lab: Lab, model: ModelServer, *codes: str) -> list[Any]:
    """The runs of a turn with these cells."""
    person = await run_all(lab, model, *codes)
    return list((await told_whole(lab, person)).runs.values())


async def test_a_repair_names_the_failure_before_it_and_nothing_else(
    lab: Lab, model: ModelServer
) -> None:
    failed, repair, other = await repaired(lab, model, "{}['b']", "{'b': 1}['b']", "2")
    assert failed.repairs is None
    assert repair.repairs == failed.run_id
    assert other.repairs is None
    assert (failed.variables, failed.variables_complete) == ([], True)


async def test_a_failed_cell_that_changed_something_says_what(lab: Lab, model: ModelServer) -> None:
    failed, repair = await repaired(lab, model, "kept = 1\n{}['b']", "2")
    assert [change.name for change in failed.variables] == ["kept"]
    assert repair.repairs == failed.run_id


async def test_a_failure_of_an_earlier_turn_is_repaired_by_nothing(
    lab: Lab, model: ModelServer
) -> None:
    person = await run_all(lab, model, "{}['b']")
    model.load(script(asked("next", Cell("1")), told("1", Say("Done."))))
    await person.say("next")
    assert await person.ended(2) == "end_turn"
    assert [run.repairs for run in person.state.runs.values()] == [None, None]


async def test_after_a_rejected_attempt_the_next_cell_may_be_anything(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(lab, model, *one_by_one(["{}['b']", "2", "3"]))
    await person.say("please")
    seen = 0
    for outcome in ("run", "rejected", "run"):
        card = await person.asked(after=seen)
        seen = len(person.talk.frames)
        await person.answer(card, outcome)
    assert await person.ended() == "end_turn"
    failed, rejected, other = (await told_whole(lab, person)).runs.values()
    assert rejected.repairs == failed.run_id
    assert other.repairs is None


# ── what the model is told of variables


async def test_the_persons_own_cells_are_seen_as_a_difference(lab: Lab, model: ModelServer) -> None:
    person = await begun(
        lab,
        model,
        asked("first", Say("Yes.")),
        asked("second", Say("I see.")),
        asked("third", Say("!")),
    )
    await run_as_person(lab, person.target, "numbers = [1, 2]\nname = 'x'")
    await person.say("first")
    assert await person.ended() == "end_turn"
    first = model.requests[-1].body["messages"][-1]["content"]
    assert "numbers: list of 2" in first
    await run_as_person(lab, person.target, "numbers = [1, 2, 3]\ndel name")
    await person.say("second")
    assert await person.ended(2) == "end_turn"
    messages = model.requests[-1].body["messages"]
    assert messages[1]["content"] == first, "what was said before stays as it was"
    assert messages[-1]["content"].startswith(
        "<variables>\n~numbers: list of 3 (of int), by the person's own cells\n"
        "-name, by the person's own cells\n</variables>"
    )
    await person.say("third")
    assert await person.ended(3) == "end_turn"
    assert "as before (1 variables)" in model.requests[-1].body["messages"][-1]["content"]


async def test_what_the_person_changes_in_the_notebook_in_mid_turn_reaches_the_next_call(
    lab: Lab, model: ModelServer
) -> None:
    cell = {"cell_id": "c1", "cell_type": "code", "sha256": "a" * 64, "source": "price = 1"}
    person = await begun(
        lab, model, asked("please", Cell("1")), told("price = 2", Say("I see the new price."))
    )
    await person.say("please", outline={"cells": [cell], "total": 1})
    card = await person.asked()
    newer = {**cell, "sha256": "b" * 64, "source": "price = 2"}
    await person.do("notebook.outline", outline={"cells": [newer], "total": 1})
    await person.answer(card)
    assert await person.ended() == "end_turn"
    assert "The person changed the notebook meanwhile:\n<notebook>" in results(model)[-1]
    calls = (await told_whole(lab, person)).turns[0].calls
    assert [call.outline is not None for call in calls] == [False, True]


@pytest.mark.parametrize("more_config", [{"CaveLab": {"probe": False}}])
async def test_without_the_probe_the_model_is_told_that_variables_are_unknown(
    lab: Lab, model: ModelServer
) -> None:
    person = await run_all(lab, model, "x = 1\nx")
    assert "Looking at variables is switched off" in str(model.requests[0].body["messages"][-1])
    [run] = (await told_whole(lab, person)).runs.values()
    assert (run.status, run.variables_complete) == ("ok", False)


PROGRESS = """import sys, time
from IPython.display import display
def note(text, stream):
    print(text, end='', file=stream, flush=True)
    time.sleep(0.15)
note('\\r 50%', sys.stderr)
note('epoch 1\\n', sys.stdout)
note('\\r     \\r', sys.stderr)
display('figure')
note('epoch 2\\n', sys.stdout)
note('epoch 3\\n', sys.stdout)"""


async def test_prints_and_figures_behind_a_progress_bar_that_leaves_are_all_there(
    lab: Lab, model: ModelServer
) -> None:
    person = await run_all(lab, model, PROGRESS)
    [run] = (await told_whole(lab, person)).runs.values()
    assert run.status == "ok"
    kinds = [output.output_type for output in run.outputs]
    assert kinds == ["stream", "stream", "stream", "display_data", "stream"]
    assert [one.text for one in run.outputs if isinstance(one, StreamOutput)][1::2] == [
        "epoch 1\n",
        "epoch 2\nepoch 3\n",
    ]
    assert "figure" in results(model)[0]
    assert "epoch 3" in results(model)[0]
