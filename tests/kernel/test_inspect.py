"""Variables as a person's kernel has them, and what the protocol says of them."""

import dataclasses

import pytest

from cave_lab.approval.digest import digest
from cave_lab.errors import KernelSilent, ProbeUnavailable
from cave_lab.kernel.inspect import LastSeen, changes_of, outside_changes_of, snapshot_of
from cave_lab.kernel.port import Detail, VariablesSnapshot
from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.protocol.content import Column, Variable, VariableChange
from cave_lab.protocol.ids import CellId, Generation
from tests.kernel.cells import HELD, is_held
from tests.kernel.recorder import Recorder, request, run, start
from tests.waiting import until


def named(snapshot: VariablesSnapshot) -> dict[str, Variable]:
    return {variable.name: variable for variable in snapshot.variables}


async def sees(link, name: str) -> bool:
    return name in named(await link.variables(names=[name]))


# ── with a kernel


async def test_a_frame_is_seen_with_shape_columns_and_types(sit):
    desk = await sit()
    person = await desk.person()
    await person.run("import pandas as pd\ndf = pd.DataFrame({'a': [1, 2], 'b': ['x', 'y']})")
    snapshot = await desk.link.variables()
    df = named(snapshot)["df"]
    assert df.type == "DataFrame"
    assert df.shape == [2, 2]
    assert df.columns is not None
    assert df.columns[0] == Column(name="a", dtype="int64")
    assert df.columns_total == 2
    assert snapshot.generation == desk.link.generation
    assert snapshot.age_seconds == 0
    assert df.preview is None


async def test_variables_are_seen_while_the_persons_cell_runs(sit):
    desk = await sit()
    person = await desk.person()
    theirs = person.send("count = 0\nimport time\nwhile time: count += 1; time.sleep(0.001)")
    await person.running(theirs)
    await until(lambda: sees(desk.link, "count"), "the variable of the running cell")
    await desk.server.kernels.interrupt_kernel(desk.kernel_id)
    await person.reply(theirs)


async def test_a_silent_kernel_gives_the_last_look_with_its_age(sit, group):
    limits = dataclasses.replace(DEFAULT_LIMITS, probe_seconds=0.3)
    desk = await sit(limits=limits)
    await run(desk.link, "x = 1; y = 2")
    await desk.link.variables()
    ours = start(desk.link, HELD, group)
    await until(lambda: is_held(desk.link), "the silent kernel")
    snapshot = await desk.link.variables(names=["x"])
    assert list(named(snapshot)) == ["x"]
    assert snapshot.age_seconds > 0
    await ours.outcome(40)


async def test_a_silent_kernel_that_was_never_looked_at_is_told_to_be_silent(sit, group):
    limits = dataclasses.replace(DEFAULT_LIMITS, probe_seconds=0.3)
    desk = await sit(limits=limits)
    ours = start(desk.link, HELD, group)
    await until(lambda: is_held(desk.link), "the silent kernel")
    with pytest.raises(KernelSilent):
        await desk.link.variables()
    await ours.outcome(40)


async def test_what_a_run_changed_comes_with_its_end(sit):
    desk = await sit()
    await run(desk.link, "old = 1; items = [1]")
    outcome = await run(desk.link, "new = 2\nitems.append(3)\ndel old")
    assert {change.name: change.kind for change in outcome.variables} == {
        "new": "added",
        "items": "changed",
        "old": "removed",
    }
    assert outcome.variables_complete


async def test_what_a_run_bound_is_told_with_its_cell_and_the_digest_of_its_source(sit):
    desk = await sit()
    code = "made = [1]"
    await desk.link.run(
        dataclasses.replace(request(desk.link, code), cell_id=CellId("cell-1")), Recorder()
    )
    await run(desk.link, "free = [1]")
    found = named(await desk.link.variables())
    assert (found["made"].cell_id, found["made"].cell_sha256) == ("cell-1", digest(code))
    assert (found["free"].cell_id, found["free"].cell_sha256) == (None, None)


async def test_a_run_that_makes_a_series_is_told_with_all_its_changes(sit):
    desk = await sit()
    outcome = await run(desk.link, "import pandas as pd\nseries = pd.Series([1.0, 2.0])")
    changes = {change.name: change for change in outcome.variables}
    assert set(changes) == {"pd", "series"}
    assert changes["series"].after is not None
    assert changes["series"].after.shape == [2]
    assert outcome.variables_complete


async def test_a_run_is_outside_for_all_but_the_thread_that_it_is_of(sit):
    desk = await sit()
    mark = (await desk.link.changes_since(None, ())).mark
    mine = request(desk.link, "mine = 1")
    await desk.link.run(mine, Recorder())
    await run(desk.link, "other = 1")
    person = await desk.person()
    await person.run("theirs = 1\nexec('hidden = 1')")
    found = await desk.link.changes_since(mark, {mine.run_id})
    assert {one.name: one.by for one in found.changes} == {
        "other": "another_thread",
        "theirs": "person",
        "hidden": "person",
    }
    assert not found.complete
    assert (await desk.link.changes_since(found.mark, ())).complete


SPARSE = """
import pandas as pd
df = pd.DataFrame({'a': pd.arrays.SparseArray([1, 1, 2]), 'b': [1, 2, 3]}).set_index('a')
"""


async def test_a_frame_with_an_index_of_an_odd_kind_keeps_nobody_from_looking(sit):
    desk = await sit()
    mark = (await desk.link.changes_since(None, ())).mark
    person = await desk.person()
    assert (await person.run(SPARSE))["status"] == "ok"
    assert named(await desk.link.variables())["df"].shape is None
    changes = await desk.link.changes_since(mark, ())
    assert (changes.changes[-1].name, changes.lost) == ("df", 0)
    [looked] = await desk.link.look(["df"], Detail("head"), values=True)
    assert looked.variable is not None


async def test_what_is_hidden_is_not_found_by_its_name(sit):
    desk = await sit()
    person = await desk.person()
    await person.run("_private = 1\nseen = 2")
    answers = await desk.link.look(["_private", "In", "_", "seen"], Detail("head"), values=True)
    assert [answer.variable is not None for answer in answers] == [False, False, False, True]


async def test_a_switched_off_probe_is_said_gently(sit):
    desk = await sit(probe=False)
    assert not desk.link.facts.guarded
    assert not desk.link.facts.variables
    with pytest.raises(ProbeUnavailable, match="switched off"):
        await desk.link.variables()
    outcome = await run(desk.link, "x = 1")
    assert outcome.status == "ok"
    assert not outcome.variables_complete


# ── alone


def row(name: str, **fields) -> dict:
    return {"name": name, "type": "int", "kind": "number", **fields}


def test_a_row_that_is_not_ours_is_counted_and_not_shown():
    reply = {
        "total": 3,
        "rows": [row("a"), {"name": "b"}, "nonsense", row("c", columns=[["x", "int"], ["y"]])],
        "omitted": {"list": 2},
    }
    snapshot = snapshot_of(reply, Generation("1-a"))
    assert list(named(snapshot)) == ["a", "c"]
    assert named(snapshot)["c"].columns == [Column(name="x", dtype="int")]
    assert snapshot.omitted == {"list": 2, "?": 2}


def test_a_cell_whose_changes_are_not_ours_is_counted_as_lost():
    by = {"msg_id": "theirs", "ours": False, "complete": True}
    odd = {**by, "changes": [{"name": "x", "kind": "odd"}]}
    good = {**by, "changes": [{"name": "y", "kind": "added"}]}
    changes = outside_changes_of({"mark": 3, "lost": 1, "cells": [odd, good]}, ())
    assert (changes.mark, changes.lost) == (3, 2)
    assert [change.name for change in changes.changes] == ["y"]


def test_names_of_the_kernel_are_cleaned_of_surrogates():
    snapshot = snapshot_of({"total": 1, "rows": [row("a", summary="\ud800")]}, None)
    assert snapshot.variables[0].summary == "?"


def test_changes_are_read():
    changes = changes_of({"changes": [{"name": "a", "kind": "added", "after": {"type": "int"}}]})
    assert changes[0].name == "a"
    assert changes[0].after is not None


async def test_what_was_last_seen_follows_the_runs():
    seen = LastSeen(lambda: 0.0, lambda: None, limit=2)

    async def look() -> VariablesSnapshot:
        return snapshot_of({"total": 5, "rows": [row("a"), row("b")]}, None)

    await seen.look(look, None)
    one, other = VariableChange(name="a", kind="removed"), VariableChange(name="c", kind="added")
    seen.note("run-1", [one, other])
    one, other = VariableChange(name="b", kind="changed"), VariableChange(name="d", kind="added")
    seen.note("run-2", [one, other])
    assert seen.lost() == (["b", "c"], 6)


async def test_that_nothing_was_lost_is_said_only_of_what_was_seen_empty_to_the_end():
    running: list[str] = []
    seen = LastSeen(lambda: 0.0, lambda: running[0] if running else None, limit=2)

    async def look() -> VariablesSnapshot:
        return snapshot_of({"total": 0, "rows": []}, None)

    assert seen.lost() == ([], None), "never looked at"
    await seen.look(look, None)
    assert seen.lost() == ([], 0)
    seen.runs("run-1")
    assert seen.lost() == ([], None), "a run went on when it was lost"
    seen.note("run-1", [])
    assert seen.lost() == ([], 0)
    seen.runs("the person's")
    running.append("the person's")
    await seen.look(look, None)
    assert seen.lost() == ([], None), "a cell ran on after the look"
    running.clear()
    await seen.look(look, None)
    assert seen.lost() == ([], 0)


async def test_a_look_at_some_names_does_not_become_the_last_look():
    seen = LastSeen(lambda: 0.0, lambda: None, limit=9)

    async def look() -> VariablesSnapshot:
        return snapshot_of({"total": 5, "rows": [row("a")]}, None)

    async def silent() -> VariablesSnapshot:
        raise KernelSilent

    await seen.look(look, ["a"])
    with pytest.raises(KernelSilent):
        await seen.look(silent, None)
