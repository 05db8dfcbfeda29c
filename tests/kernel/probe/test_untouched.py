"""What is the user's stays as it is while we look and compare: figures, input, results, counts."""

from functools import partial

import pytest

from tests.kernel.probe.lab import Lab
from tests.waiting import until

LOOKS = 3
OURS = ("cave_lab_variables_request", "cave_lab_look_request", "cave_lab_changes_since_request")


async def look_at_all(lab: Lab) -> None:
    """Ask all that is asked of the probe between two messages."""
    for _ in range(LOOKS):
        await lab.rows(previews=True)
        await lab.ask("changes_since", mark=0)


@pytest.fixture
async def drawing(new_lab: Lab) -> Lab:
    """A kernel whose figures are shown at the end of each cell."""
    await new_lab.run_cell("%matplotlib inline\nimport matplotlib.pyplot as plt")
    return new_lab


async def test_a_half_drawn_figure_of_the_users_survives_our_looking(drawing: Lab):
    users = drawing.start_cell(
        "plt.plot([1, 2])\ndrawn = plt.gcf()\nnumbers = plt.get_fignums()\n"
        "answer = input('?')\nplt.title(answer)\nsame = plt.gcf() is drawn\n"
        "still = plt.get_fignums() == numbers",
        allow_stdin=True,
    )
    await until(lambda: drawing.questions, "the user's question", seconds=60)
    await look_at_all(drawing)
    assert "display_data" not in drawing.types(users)
    drawing.client.input("a title")
    assert (await drawing.finished(users))["content"]["status"] == "ok"
    assert drawing.types(users).count("display_data") == 1
    assert await drawing.value("(same, still, drawn.axes[0].get_title())") == (
        "(True, True, 'a title')"
    )


async def test_the_users_open_figures_stay_open_and_are_not_shown_again(drawing: Lab):
    await drawing.run_cell("plt.ioff()\nkept = plt.figure()\nplt.plot([1])")
    before = await drawing.value("plt.get_fignums()")
    shown = sum("display_data" in drawing.types(one) for one in list(drawing.published))
    await look_at_all(drawing)
    assert await drawing.value("plt.get_fignums()") == before
    assert sum("display_data" in drawing.types(one) for one in list(drawing.published)) == shown


async def test_a_waiting_input_of_the_users_survives_our_looking(lab: Lab):
    users = lab.start_cell("answer = input('name? ')", allow_stdin=True)
    await until(lambda: lab.questions, "the user's question", seconds=60)
    await look_at_all(lab)
    assert len(lab.questions) == 1
    assert not lab.answered(users)
    lab.client.input("someone")
    assert (await lab.finished(users))["content"]["status"] == "ok"
    assert await lab.value("answer") == "'someone'"


async def kept(lab: Lab, expression: str) -> None:
    """An expression has the same value after our looks as before them."""
    before = await lab.value(expression)
    await look_at_all(lab)
    assert await lab.value(expression) == before


async def test_the_last_results_stay_as_they_are(lab: Lab):
    for number in (7, 8, 9):
        await lab.run_cell(str(number))
    assert await lab.value("(_, __, ___)") == "(9, 8, 7)"
    await kept(lab, "(_, __, ___, _i, _ii, _iii)")


async def test_in_and_out_stay_as_they_are(lab: Lab):
    await lab.run_cell("7")
    await kept(lab, "(In, Out, get_ipython().history_manager.input_hist_raw)")


async def test_the_execution_count_stays_as_it_is(lab: Lab):
    first = (await lab.run_cell("1"))["content"]["execution_count"]
    await look_at_all(lab)
    assert (await lab.run_cell("2"))["content"]["execution_count"] == first + 1


async def test_the_namespace_and_the_modules_stay_as_they_are(lab: Lab):
    await lab.run_cell("import sys\nx = [1]")
    await kept(lab, "(sorted(globals()), sorted(sys.modules))")


async def test_the_last_error_stays_as_it_is(lab: Lab):
    await lab.run_cell("1 / 0")
    await kept(lab, "(repr(__import__('sys').last_value), id(__import__('sys').last_traceback))")


async def test_the_busy_indicator_hears_of_the_users_cell_alone(lab: Lab):
    """JupyterLab passes over states that belong to our requests; no other state is published."""
    users = lab.start_cell("answer = input()", allow_stdin=True)
    await until(lambda: lab.questions, "the user's question", seconds=60)
    await look_at_all(lab)
    lab.client.input("done")
    await lab.finished(users)
    states = [
        (message["parent_header"]["msg_type"], message["content"]["execution_state"])
        for messages in list(lab.published.values())
        for message in messages
        if message["msg_type"] == "status" and message["parent_header"]
    ]
    assert [state for kind, state in states if kind not in OURS][-2:] == ["busy", "idle"]
    assert lab.types(users)[0] == "busy"
    assert lab.types(users).count("busy") == lab.types(users).count("idle") == 1
    assert {kind for kind, _ in states} <= {"execute_request", "kernel_info_request", *OURS}


async def test_nothing_is_printed_or_shown_by_a_look(lab: Lab):
    await lab.run_cell("x = [1]")
    heard = {one for one in lab.published if lab.published[one]}
    await look_at_all(lab)
    await until(partial(settled, lab, heard), "the states of our requests")
    new = {kind for one in set(lab.published) - heard for kind in lab.types(one)}
    assert new <= {"busy", "idle"}


def settled(lab: Lab, heard: set[str]) -> bool:
    """Whether each request of ours is told to be done."""
    ours = [lab.types(one) for one in list(lab.published) if one not in heard]
    return len(ours) >= 2 * LOOKS and all(types and types[-1] == "idle" for types in ours)
