"""Scratch cells: run like any cell, under the same approval, and kept nowhere."""

from typing import Any

import pytest

from cave_lab.model.script import Cell, Say
from tests.fakes.model_server import ModelServer
from tests.server.looking import FORMATS, beside, count
from tests.server.scenarios import asked, begun, last_request, told, told_whole
from tests.talk import Lab, run_as_person

NOT_KEPT = "(scratch: not kept in the notebook)"


def scratch(code: str) -> Cell:
    """A quick check."""
    return Cell(code, "Check", scratch=True)


@FORMATS
async def test_a_scratch_cell_shows_its_result_and_leaves_no_cell_no_history_and_no_count(
    lab: Lab, model: ModelServer
) -> None:
    person = await beside(
        lab,
        model,
        "numbers = [1, 2, 3]\nnumbers",
        asked("how many", scratch("made = 1\nprint('there are')\nlen(numbers) + 4000")),
        told("4003", Say("Three.")),
        mode="auto",
    )
    before = await count(lab, person)
    await person.say("how many")
    assert await person.ended() == "end_turn"
    assert await count(lab, person) == before + 1
    assert NOT_KEPT in last_request(model)
    [run] = (await told_whole(lab, person)).runs.values()
    assert (run.scratch, run.cell_id, run.after, run.status) == (True, None, None, "ok")
    assert run.excerpt is not None
    assert run.excerpt.head.startswith("there are")
    assert [change.name for change in run.variables] == ["made"], "what it did is known"
    theirs = (
        "assert made == 1\n"
        "assert not any('4000' in cell for cell in In[:-1])\n"
        "assert 4003 not in Out.values()\n"
        "assert _ == [1, 2, 3]"
    )
    reply = await run_as_person(lab, person.target, theirs)
    assert reply["status"] == "ok", reply


async def test_it_is_asked_for_like_any_cell_and_an_edited_one_stays_scratch(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab, model, asked("check", scratch("1 + 1")), told(NOT_KEPT, Say("Checked."))
    )
    await person.say("check")
    card = await person.asked()
    await person.answer(card, "run_edited", edited_code="2 + 2")
    assert await person.ended() == "end_turn"
    state = await told_whole(lab, person)
    proposed, ran = state.runs.values()
    assert (proposed.scratch, proposed.status) == (True, "not_run")
    assert (ran.scratch, ran.cell_id, ran.code, ran.by) == (True, None, "2 + 2", "user")


async def test_a_rejected_one_does_not_run(lab: Lab, model: ModelServer) -> None:
    person = await begun(
        lab, model, asked("check", scratch("made = 1")), told("No, thanks", Say("As you like."))
    )
    await person.say("check")
    await person.answer(await person.asked(), "rejected", reason="No, thanks")
    assert await person.ended() == "end_turn"
    assert NOT_KEPT not in last_request(model)
    reply = await run_as_person(lab, person.target, "made")
    assert reply["ename"] == "NameError"


async def test_it_is_neither_repaired_nor_a_repair_and_the_next_cell_stands_behind_the_last(
    lab: Lab, model: ModelServer
) -> None:
    person = await begun(
        lab,
        model,
        asked("please", Cell("first = 1", "First")),
        told("+first", scratch("1 / 0")),
        told("ZeroDivisionError", Cell("undefined", "Second")),
        told("NameError", scratch("dir()")),
        told("'first'", Cell("second = 2", "Second")),
        told("+second", Say("Done.")),
        mode="auto",
    )
    await person.say("please")
    assert await person.ended() == "end_turn"
    state = await told_whole(lab, person)
    first, check, failed, other, repair = state.runs.values()
    assert [run.cell_id is None for run in state.runs.values()] == [False, True, False, True, False]
    assert (check.status, check.repairs, failed.repairs) == ("error", None, None)
    assert (other.repairs, repair.repairs) == (None, failed.run_id)
    assert (failed.after, repair.after) == (first.cell_id, failed.cell_id)
    counts = [run.execution_count for run in (first, failed, repair)]
    assert counts == [1, 2, 3], "the kept cells are numbered as if nothing had been in between"


@pytest.mark.parametrize("outcome", ["ok", "error"])
async def test_the_kernel_asks_for_its_outputs_as_for_any(
    lab: Lab, model: ModelServer, outcome: str
) -> None:
    code = "print('one')\n2" if outcome == "ok" else "print('one')\n1 / 0"
    person = await begun(
        lab, model, asked("check", scratch(code)), told("one", Say("Checked.")), mode="auto"
    )
    await person.say("check")
    assert await person.ended() == "end_turn"
    [run] = (await told_whole(lab, person)).runs.values()
    kinds: list[Any] = [output.output_type for output in run.outputs]
    assert kinds == ["stream", "execute_result" if outcome == "ok" else "error"]
    assert run.status == outcome
    assert ("ZeroDivisionError" in last_request(model)) == (outcome == "error")
