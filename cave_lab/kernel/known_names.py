"""The names in a kernel as they were last seen, kept up by what runs changed since."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from cave_lab.protocol.content import ValueBrief, Variable, VariableChange

_LITTLE = frozenset({"int", "float", "bool", "complex", "NoneType"})
"""Mostly counters and settings, made again in no time."""
_CODE = frozenset({"module", "function", "builtin_function_or_method", "type"})


class KnownNames:
    """Names with what they held; `total` counts those too that were not told by name."""

    def __init__(self, variables: Sequence[Variable] = (), total: int = 0) -> None:
        self._values: dict[str, Variable | ValueBrief | None] = {one.name: one for one in variables}
        self._total = total

    @property
    def total(self) -> int:
        """How many there are."""
        return max(self._total, len(self._values))

    def note(self, changes: Iterable[VariableChange]) -> None:
        """Learn what a run added, changed or removed."""
        for change in changes:
            known = change.name in self._values
            if change.kind == "removed":
                self._total -= known
                self._values.pop(change.name, None)
            elif change.kind == "added" or known:
                self._total += not known
                self._values[change.name] = change.after

    def by_weight(self) -> list[str]:
        """The names: tables and arrays first, the largest before others; code and modules last."""
        return sorted(self._values, key=lambda name: _lightness(self._values[name]))


def _lightness(value: Variable | ValueBrief | None) -> tuple[int, int]:
    if value is None:
        return 1, 0
    if value.shape:
        return 0, -prod(value.shape)
    if value.type in _CODE:
        return 3, 0
    return (2, 0) if value.type in _LITTLE else (1, -(value.length or 0))
