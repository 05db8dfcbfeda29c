"""What several cells did to one name, told as one change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from cave_lab.protocol.content import OutsideChange, ValueBrief, VariableChange

By = Literal["person", "another_thread", "both"]
Kind = Literal["added", "removed", "rebound", "changed", "maybe_changed"]

_STRENGTH: tuple[Kind, ...] = ("maybe_changed", "changed", "rebound")
"""What can happen to a name that stays, the weakest claim first."""


class Joined:
    """Changes of several cells, taken in one after the other; each name is told once, or never."""

    def __init__(self) -> None:
        self._latest: dict[str, OutsideChange] = {}

    def take(self, changes: Sequence[VariableChange], by: By) -> None:
        """Join what a cell did to what was done to its names before."""
        for change in changes:
            then = OutsideChange(**dict(change), by=by)
            before = self._latest.pop(change.name, None)
            whole = then if before is None else joined(before, then)
            if whole is not None:
                self._latest[change.name] = whole

    def settle(self, changes: Sequence[VariableChange]) -> None:
        """A run of one's own left its names like this: what others did to them before is over."""
        for change in changes:
            if change.kind in ("added", "removed", "rebound"):
                self._latest.pop(change.name, None)

    def changes(self) -> list[OutsideChange]:
        """The changes, in the order of the last cell that touched each name."""
        return list(self._latest.values())


def joined(first: OutsideChange, then: OutsideChange) -> OutsideChange | None:
    """Two changes of one name as one; None if it is gone again as if it had never been there."""
    was_there, is_there = first.kind != "added", then.kind != "removed"
    if not was_there and not is_there:
        return None
    after = (then.after or _still(first, then)) if is_there else None
    return OutsideChange(
        name=then.name,
        kind=_kind(first, then),
        before=first.before if was_there else None,
        after=after,
        by=then.by if first.by == then.by else "both",
    )


def _kind(first: OutsideChange, then: OutsideChange) -> Kind:
    if first.kind == "added" or then.kind == "removed":
        return "added" if first.kind == "added" else "removed"
    # A name that was away, told or not told, is not bound to what it was bound to.
    if first.kind == "removed" or then.kind == "added":
        return "rebound"
    return max(first.kind, then.kind, key=_STRENGTH.index)


def _still(first: OutsideChange, then: OutsideChange) -> ValueBrief | None:
    """What the name held before and may hold yet, when nothing was seen of it since."""
    return first.after if then.kind == "maybe_changed" else None
