"""The list of variables: bounded rows in detail, the rest counted by type."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Callable

from cave_lab.kernel.probe.inside.describe import Look, describe
from cave_lab.kernel.probe.inside.namespace import MISSING, Namespace
from cave_lab.kernel.probe.inside.plain import class_name, shorten
from cave_lab.kernel.probe.inside.still import Stillness

CHECK_EVERY = 16
"""Rows between two looks at the clock: a row of a wide frame takes about a millisecond."""


class Listing:
    """One answer to a request for variables."""

    def __init__(self, namespace: Namespace, content: dict[str, Any], still: Stillness) -> None:
        self._namespace = namespace
        self._started = perf_counter()
        self._budget = float(content["budget_ms"]) / 1_000
        self._max_rows = int(content["max_rows"])
        self._look = Look(int(content["max_columns"]), bool(content["previews"]), still)
        self._over = False

    def answer(
        self,
        names: list[str] | None,
        recency: Callable[[str], int],
        provenance: Callable[[str, int], dict[str, str]],
    ) -> dict[str, Any]:
        """The rows of the names asked for, or of all, the latest bound or changed first."""
        visible = list(self._namespace.visible())
        ordered = latest_first(visible, recency) if names is None else asked(visible, names)
        rows: list[dict[str, Any]] = []
        for place, name in enumerate(ordered):
            if len(rows) >= self._max_rows or self._spent(place):
                ordered = ordered[place:]
                break
            value = self._namespace.get(name)
            if value is not MISSING:
                row = {"name": shorten(name), **describe(value, self._look)}
                rows.append({**row, **provenance(name, id(value))})
            del value
        else:
            ordered = []
        return {
            "total": len(visible),
            "rows": rows,
            "omitted": self._counted(ordered),
            "ms": round((perf_counter() - self._started) * 1_000, 2),
            "over_budget": self._over,
        }

    def _counted(self, names: list[str]) -> dict[str, int]:
        """How many there are of each type, by the types alone."""
        values = self._namespace.values
        classes: dict[int, type] = {}
        counts: dict[int, int] = {}
        for name in names:
            value = dict.get(values, name, MISSING)
            if value is MISSING:
                continue
            cls = type(value)
            del value
            classes[id(cls)] = cls
            counts[id(cls)] = counts.get(id(cls), 0) + 1
        counted: dict[str, int] = {}
        for identity, cls in classes.items():
            kind = class_name(cls)
            counted[kind] = counted.get(kind, 0) + counts[identity]
        return counted

    def _spent(self, done: int) -> bool:
        if not self._over and done % CHECK_EVERY == 0:
            self._over = perf_counter() - self._started > self._budget
        return self._over


def latest_first(visible: list[str], recency: Callable[[str], int]) -> list[str]:
    """The names by when they were last bound or changed, then by when they first came."""
    latest = visible[::-1]
    latest.sort(key=recency, reverse=True)
    return latest


def asked(visible: list[str], names: list[str]) -> list[str]:
    """Those of the names asked for that there are."""
    known = set(visible)
    return [name for name in names if type(name) is str and name in known]
