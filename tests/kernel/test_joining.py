"""Changes of several cells become one change of each name."""

from itertools import product

import pytest

from cave_lab.kernel.inspect import person_changes_of
from cave_lab.kernel.joining import joined
from cave_lab.protocol.content import ValueBrief, VariableChange

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


def change(kind: str, before: ValueBrief, after: ValueBrief) -> VariableChange:
    """One change as the probe tells it."""
    return VariableChange(
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
    unseen = VariableChange(name="x", kind="maybe_changed")
    assert joined(change("rebound", OLD, MIDDLE), unseen) == change("rebound", OLD, MIDDLE)


def cell(*changes: tuple[str, str], ours: bool = False) -> dict:
    """What the probe keeps of one cell."""
    return {"ours": ours, "changes": [{"name": name, "kind": kind} for name, kind in changes]}


def together(*cells: dict) -> dict[str, str]:
    """The kind of change of each name over some cells, in their order."""
    reply = {"mark": len(cells), "lost": 0, "cells": list(cells)}
    return {one.name: one.kind for one in person_changes_of(reply).changes}


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
    assert together(cell(("x", "rebound"), ("y", "added")), cell(("x", kind), ours=True)) == {
        "y": "added"
    }


def test_our_own_cell_that_only_changed_it_hides_nothing():
    ours = cell(("x", "changed"), ("z", "added"), ours=True)
    assert together(cell(("x", "rebound")), ours) == {"x": "rebound"}
