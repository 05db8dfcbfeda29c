"""Changes of several cells become one change of each name."""

from itertools import product

import pytest

from cave_lab.kernel.inspect import outside_changes_of
from cave_lab.kernel.joining import joined
from cave_lab.kernel.port import OutsideChanges
from cave_lab.protocol.content import OutsideChange, ValueBrief
from cave_lab.protocol.ids import RunId

OLD, MIDDLE, NEW = (ValueBrief(type="list", length=length) for length in (1, 2, 3))

KINDS = ("added", "removed", "rebound", "changed", "maybe_changed")

TOGETHER = {
    ("added", "added"): "added",
    ("added", "removed"): None,
    ("added", "rebound"): "added",
    ("added", "changed"): "added",
    ("added", "maybe_changed"): "added",
    ("removed", "added"): "rebound",
    ("removed", "removed"): "removed",
    ("removed", "rebound"): "rebound",
    ("removed", "changed"): "rebound",
    ("removed", "maybe_changed"): "rebound",
    ("rebound", "added"): "rebound",
    ("rebound", "removed"): "removed",
    ("rebound", "rebound"): "rebound",
    ("rebound", "changed"): "rebound",
    ("rebound", "maybe_changed"): "rebound",
    ("changed", "added"): "rebound",
    ("changed", "removed"): "removed",
    ("changed", "rebound"): "rebound",
    ("changed", "changed"): "changed",
    ("changed", "maybe_changed"): "changed",
    ("maybe_changed", "added"): "rebound",
    ("maybe_changed", "removed"): "removed",
    ("maybe_changed", "rebound"): "rebound",
    ("maybe_changed", "changed"): "changed",
    ("maybe_changed", "maybe_changed"): "maybe_changed",
}


def change(kind: str, before: ValueBrief, after: ValueBrief) -> OutsideChange:
    """One change as the probe tells it."""
    return OutsideChange(
        name="x",
        kind=kind,
        before=None if kind == "added" else before,
        after=None if kind == "removed" else after,
    )


def test_every_pair_of_kinds_is_decided():
    assert set(TOGETHER) == set(product(KINDS, KINDS))


@pytest.mark.parametrize(("pair", "kind"), TOGETHER.items())
def test_two_changes_of_a_name_are_one_from_the_first_state_to_the_last(pair, kind):
    first, then = pair
    whole = joined(change(first, OLD, MIDDLE), change(then, MIDDLE, NEW))
    if kind is None:
        assert whole is None
        return
    assert whole == change(kind, OLD, NEW)


def test_what_perhaps_changed_unseen_is_told_as_it_was_last_seen():
    unseen = OutsideChange(name="x", kind="maybe_changed")
    assert joined(change("rebound", OLD, MIDDLE), unseen) == change("rebound", OLD, MIDDLE)


OWN, FOREIGN = RunId("own"), RunId("foreign")


def cell(*changes: tuple[str, str], run: RunId | None = None, complete: bool = True) -> dict:
    """What the probe keeps of one cell: a guarded run, or one of the person's."""
    return {
        "msg_id": run or "theirs",
        "ours": run is not None,
        "changes": [{"name": name, "kind": kind} for name, kind in changes],
        "complete": complete,
    }


def outside(*cells: dict) -> OutsideChanges:
    """What a thread with one run of its own is told of some cells."""
    return outside_changes_of({"mark": len(cells), "lost": 0, "cells": list(cells)}, {OWN})


def together(*cells: dict) -> dict[str, str]:
    """The kind of change of each name over some cells, in their order."""
    return {one.name: one.kind for one in outside(*cells).changes}


def test_a_name_that_came_and_went_between_two_messages_is_not_told():
    assert together(cell(("tmp", "added")), cell(("tmp", "removed"))) == {}
    again = cell(("tmp", "added"))
    assert together(cell(("tmp", "added")), cell(("tmp", "removed")), again) == {"tmp": "added"}


def test_names_come_in_the_order_of_the_last_cell_that_touched_them():
    found = together(
        cell(("a", "added"), ("b", "added")), cell(("c", "changed")), cell(("a", "changed"))
    )
    assert list(found.items()) == [("b", "added"), ("c", "changed"), ("a", "added")]


@pytest.mark.parametrize("kind", ["added", "removed", "rebound"])
def test_what_our_own_cell_bound_or_removed_since_is_not_told_as_the_persons(kind):
    assert together(cell(("x", "rebound"), ("y", "added")), cell(("x", kind), run=OWN)) == {
        "y": "added"
    }


def test_our_own_cell_that_only_changed_it_hides_nothing():
    ours = cell(("x", "changed"), ("z", "added"), run=OWN)
    assert together(cell(("x", "rebound")), ours) == {"x": "rebound"}


def test_what_another_threads_run_did_is_told_and_whose_it_was():
    found = outside(
        cell(("x", "added"), ("y", "added")),
        cell(("y", "changed"), ("z", "rebound"), run=FOREIGN),
        cell(("w", "added"), run=OWN),
    )
    assert {one.name: (one.kind, one.by) for one in found.changes} == {
        "x": ("added", "person"),
        "y": ("added", "both"),
        "z": ("rebound", "another_thread"),
    }


def test_what_another_threads_run_bound_since_does_not_end_what_the_person_did():
    assert together(cell(("x", "rebound")), cell(("x", "rebound"), run=FOREIGN)) == {"x": "rebound"}


@pytest.mark.parametrize(
    "cells, complete",
    [
        ([cell(("x", "added"))], True),
        ([cell(("x", "added"), complete=False), cell()], False),
        ([cell(complete=False, run=FOREIGN)], False),
        ([cell(complete=False, run=OWN)], True),
    ],
    ids=[
        "all is known",
        "a cell of the person's",
        "of another thread",
        "one's own is told already",
    ],
)
def test_changes_are_complete_if_those_of_every_cell_outside_are(cells, complete):
    assert outside(*cells).complete is complete
