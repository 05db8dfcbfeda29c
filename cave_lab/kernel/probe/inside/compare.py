"""The variables right before a cell and right after it, and the differences between the two."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.memory import Memory, Seen
from cave_lab.kernel.probe.inside.namespace import Namespace
from cave_lab.kernel.probe.inside.plain import shorten
from cave_lab.kernel.probe.inside.prints import Printer
from cave_lab.kernel.probe.inside.touch import Touched


class Scene:
    """One moment: the ids of all names, and the fingerprints of those that the cell can touch."""

    def __init__(
        self, namespace: Namespace, memory: Memory, touched: Touched, printer: Printer | None
    ) -> None:
        self.names = namespace.visible()
        wanted = [name for name in touched.names if name in self.names]
        self.seen = {} if printer is None else memory.see_all(wanted, printer)
        self.complete = len(self.seen) == len(wanted)


class Comparison:
    """Two moments of one cell."""

    def __init__(
        self,
        before: Scene,
        after: Scene,
        touched: Touched,
        memory: Memory,
        printer: Printer | None,
    ) -> None:
        self._before = before
        self._after = after
        self._touched = touched
        self._memory = memory
        self._printer = printer

    def changes(self) -> list[dict[str, Any]]:
        """All differences, bindings first; each name at most once."""
        return [*self._bindings(), *self._contents()]

    def _bindings(self) -> list[dict[str, Any]]:
        before, after = self._before.names, self._after.names
        if before == after:
            return []
        found = [
            change(name, "removed", self._old(name), None) for name in before if name not in after
        ]
        for name, identity in after.items():
            if name not in before:
                found.append(change(name, "added", None, self._new(name)))
            elif before[name] != identity:
                old, new = self._old(name), self._new(name)
                if old is None or new is None or not old.same_value(new):
                    found.append(change(name, "rebound", old, new))
        return found

    def _old(self, name: str) -> Seen | None:
        seen = self._before.seen.get(name)
        return seen or self._memory.recall(name, self._before.names[name])

    def _new(self, name: str) -> Seen | None:
        seen = self._after.seen.get(name)
        if seen is None and self._printer is not None:
            seen = self._memory.see(name, self._printer)
        return seen

    def _contents(self) -> list[dict[str, Any]]:
        """What the named objects show of changes in place, under every name that they have."""
        found: list[dict[str, Any]] = []
        objects: dict[int, tuple[Seen, Seen]] = {}
        for name in self._touched.names:
            if self._same_object(name):
                old, new = self._before.seen.get(name), self._after.seen.get(name)
                if old is not None and new is not None and old.key != new.key:
                    objects[new.identity] = old, new
                elif name in self._touched.reached and not (new and new.exact and old):
                    found.append(change(name, "maybe_changed", old, new))
        return [
            *(
                change(name, "changed", *objects[identity])
                for name, identity in self._kept(objects)
            ),
            *found,
        ]

    def _same_object(self, name: str) -> bool:
        identity = self._before.names.get(name)
        return identity is not None and self._after.names.get(name) == identity

    def _kept(self, objects: dict[int, Any]) -> list[tuple[str, int]]:
        if not objects:
            return []
        after = self._after.names.items()
        return [(name, one) for name, one in after if one in objects and self._same_object(name)]


def change(name: str, kind: str, old: Seen | None, new: Seen | None) -> dict[str, Any]:
    """One change as it is sent."""
    found: dict[str, Any] = {"name": shorten(name), "kind": kind}
    if old is not None:
        found["before"] = old.brief
    if new is not None:
        found["after"] = new.brief
    return found
