"""What several cells did to one name, told as one change."""

from __future__ import annotations

from typing import Literal

from cave_lab.protocol.content import ValueBrief, VariableChange

Kind = Literal["added", "removed", "rebound", "changed", "maybe_changed"]

_STRENGTH: tuple[Kind, ...] = ("maybe_changed", "changed", "rebound")
"""What can happen to a name that stays, the weakest claim first."""


class Joined:
    """Changes of several cells, taken in one after the other; each name is told once, or never."""

    def __init__(self) -> None:
        self._latest: dict[str, VariableChange] = {}

    def take(self, change: VariableChange) -> None:
        """Join a change to what was done to its name before."""
        before = self._latest.pop(change.name, None)
        whole = change if before is None else joined(before, change)
        if whole is not None:
            self._latest[change.name] = whole

    def settle(self, change: VariableChange) -> None:
        """A cell of our own left the name like this: what a person did to it before is over."""
        if change.kind in ("added", "removed", "rebound"):
            self._latest.pop(change.name, None)

    def changes(self) -> list[VariableChange]:
        """The changes, in the order of the last cell that touched each name."""
        return list(self._latest.values())


def joined(first: VariableChange, then: VariableChange) -> VariableChange | None:
    """Two changes of one name as one; None if it is gone again as if it had never been there."""
    was_there, is_there = first.kind != "added", then.kind != "removed"
    if not was_there and not is_there:
        return None
    after = (then.after or _still(first, then)) if is_there else None
    return VariableChange(
        name=then.name,
        kind=_kind(first, then),
        before=first.before if was_there else None,
        after=after,
    )


def _kind(first: VariableChange, then: VariableChange) -> Kind:
    if first.kind == "added" or then.kind == "removed":
        return "added" if first.kind == "added" else "removed"
    # A name that was away, told or not told, is not bound to what it was bound to.
    if first.kind == "removed" or then.kind == "added":
        return "rebound"
    return max(first.kind, then.kind, key=_STRENGTH.index)


def _still(first: VariableChange, then: VariableChange) -> ValueBrief | None:
    """What the name held before and may hold yet, when nothing was seen of it since."""
    return first.after if then.kind == "maybe_changed" else None
