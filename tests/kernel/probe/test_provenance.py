"""Each row tells the cell that bound it last, and that cell's source then."""

import hashlib

from tests.kernel.probe.lab import Lab

CELL = "aaaa-1"
OTHER = "bbbb-2"


def digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()


async def run_in(lab: Lab, cell_id: object, code: str) -> None:
    """Run a cell of the person as JupyterLab sends it."""
    message = lab.client.session.msg("execute_request", metadata={"cellId": cell_id})
    message["content"] = {
        "code": code,
        "silent": False,
        "store_history": True,
        "user_expressions": {},
        "allow_stdin": False,
        "stop_on_error": False,
    }
    await lab.finished(lab.send_message(message))


async def cells(lab: Lab) -> dict[str, tuple[str, str] | None]:
    rows = await lab.rows()
    return {
        name: (row["cell_id"], row["cell_sha256"]) if "cell_id" in row else None
        for name, row in rows.items()
    }


async def test_a_row_tells_the_cell_that_bound_it_and_its_source(lab: Lab):
    code = "x = [1]\n# größer"
    await run_in(lab, CELL, code)
    await run_in(lab, OTHER, "y = [2]")
    found = await cells(lab)
    assert found == {"x": (CELL, digest(code)), "y": (OTHER, digest("y = [2]"))}


async def test_rebinding_and_changing_move_it_and_reading_does_not(lab: Lab):
    await run_in(lab, CELL, "x, y, z, gen = [1], [1], [1], (n for n in 'abc')")
    await run_in(lab, OTHER, "x = [2]\ny.append(2)\nlen(z)\nnext(gen)")
    assert {name: one and one[0] for name, one in (await cells(lab)).items()} == {
        "x": OTHER,
        "y": OTHER,
        "z": CELL,
        "gen": CELL,
    }


async def test_a_cell_that_failed_has_still_bound_what_it_bound(lab: Lab):
    await run_in(lab, CELL, "x = [1]\n1 / 0")
    assert (await cells(lab))["x"] == (CELL, digest("x = [1]\n1 / 0"))


async def test_names_from_before_the_probe_and_of_no_cell_have_none(bare: Lab):
    await run_in(bare, CELL, "early = [1]")
    await bare.inject()
    await bare.run_cell("console = [1]")
    await bare.run_cell("quiet = [1]", silent=True)
    await run_in(bare, 5, "odd = [1]")
    await run_in(bare, "no id of a notebook's", "free = [1]")
    assert set((await cells(bare)).values()) == {None}


async def test_a_name_that_a_silent_request_bound_again_has_none(lab: Lab):
    await run_in(lab, CELL, "x = [1]; y = [1]")
    await lab.run_cell("x = [2]", silent=True)
    found = await cells(lab)
    assert found["x"] is None
    assert found["y"] is not None


async def test_a_cell_that_was_edited_and_run_again_is_known_by_its_new_source(lab: Lab):
    await run_in(lab, CELL, "n = 5")
    await run_in(lab, CELL, "n = 5  # five")
    assert (await cells(lab))["n"] == (CELL, digest("n = 5  # five"))


async def test_what_an_edited_cell_no_longer_names_keeps_the_source_that_made_it(lab: Lab):
    await run_in(lab, CELL, "old = [1]")
    await run_in(lab, CELL, "new = [1]")
    found = await cells(lab)
    assert found == {"old": (CELL, digest("old = [1]")), "new": (CELL, digest("new = [1]"))}


async def test_it_outlives_a_second_injection_and_ends_with_the_name(lab: Lab):
    await run_in(lab, CELL, "x = [1]; y = [1]")
    await lab.inject()
    assert (await cells(lab))["x"] is not None
    await lab.run_cell("del x")
    await lab.run_cell("x = y")
    found = await cells(lab)
    assert (found["x"], found["y"] is None) == (None, False)
