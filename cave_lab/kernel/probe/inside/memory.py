"""What is remembered of each variable between two looks at it."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.describe import brief
from cave_lab.kernel.probe.inside.effort import Spent
from cave_lab.kernel.probe.inside.namespace import MISSING, Namespace
from cave_lab.kernel.probe.inside.prints import Printer, is_atom


class Seen:
    """One variable at one moment, without the value: id, fingerprint and sizes."""

    __slots__ = ("brief", "cell", "exact", "identity", "key")

    def __init__(self, identity: int, key: Any, exact: bool, brief: dict[str, Any], cell: int):
        self.identity = identity
        self.key = key
        self.exact = exact
        self.brief = brief
        self.cell = cell
        """The number of the cell after which it was seen."""

    def is_fixed(self) -> bool:
        """Whether the value can't change in place at all."""
        return is_atom(self.key)

    def same_value(self, other: Seen) -> bool:
        """Whether both are the same immutable value, be it bound anew."""
        return self.is_fixed() and bool(self.key == other.key)


class Memory:
    """The last sight of each name; the names not named by cells are looked at in turn."""

    def __init__(self, namespace: Namespace) -> None:
        self._namespace = namespace
        self._seen: dict[str, Seen] = {}
        self._cursor = 0
        self.cell = 0

    def recall(self, name: str, identity: int) -> Seen | None:
        """The last sight of the very object that the name is bound to."""
        seen = self._seen.get(name)
        return seen if seen is not None and seen.identity == identity else None

    def forget_all_but(self, names: dict[str, int]) -> None:
        """Drop the names that are gone."""
        for name in [name for name in self._seen if name not in names]:
            del self._seen[name]

    def see(self, name: str, printer: Printer) -> Seen | None:
        """Look at one variable now; None if it is gone or the time is up."""
        value = self._namespace.get(name)
        if value is MISSING:
            return None
        try:
            key, exact = printer.take(value)
        except Spent:
            return None
        old = self.recall(name, id(value))
        same = old is not None and old.key == key
        sizes = old.brief if old is not None and same else brief(value, printer.look)
        seen = self._seen[name] = Seen(id(value), key, exact, sizes, self.cell)
        return seen

    def see_all(self, names: list[str], printer: Printer) -> dict[str, Seen]:
        """Look at variables in their order until the time is up."""
        found: dict[str, Seen] = {}
        for name in names:
            seen = self.see(name, printer)
            if seen is None:
                break
            found[name] = seen
        return found

    def take_turns(
        self, names: list[str], identities: dict[str, int], printer: Printer
    ) -> list[tuple[str, Seen, Seen]]:
        """Look at other names, going on where the last pass stopped; those that differ in place."""
        differing = []
        start = self._cursor % len(names) if names else 0
        for place, name in enumerate(names[start:] + names[:start]):
            old = self.recall(name, identities[name])
            if old is not None and old.is_fixed():
                old.cell = self.cell
                continue
            new = self.see(name, printer)
            if new is None:
                # Past this one: it may be what takes so long.
                self._cursor = start + place + 1
                break
            if old is not None and old.identity == new.identity and old.key != new.key:
                differing.append((name, old, new))
        return differing
