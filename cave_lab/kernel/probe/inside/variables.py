"""The list of variables: bounded rows in detail, the rest counted by type."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Callable

from cave_lab.kernel.probe.inside.describe import Look, describe
from cave_lab.kernel.probe.inside.namespace import MISSING, Namespace
from cave_lab.kernel.probe.inside.plain import class_name, shorten

CHECK_EVERY = 16
"""Rows between two looks at the clock: a row of a wide frame takes about a millisecond."""


class Listing:
    """One answer to a request for variables."""

    def __init__(self, namespace: Namespace, content: dict[str, Any]) -> None:
        self._namespace = namespace
        self._started = perf_counter()
        self._budget = float(content["budget_ms"]) / 1_000
        self._max_rows = int(content["max_rows"])
        self._look = Look(int(content["max_columns"]), bool(content["previews"]))
        self._over = False

    def answer(self, names: list[str] | None, recency: Callable[[str], int]) -> dict[str, Any]:
        """The rows of the names asked for, or of all, the latest bound or changed first."""
        visible = list(self._namespace.visible())
        ordered = self._order(visible, recency) if names is None else self._asked(visible, names)
        rows: list[dict[str, Any]] = []
        omitted: dict[str, int] = {}
        for name in ordered:
            value = self._namespace.get(name)
            if value is MISSING:
                continue
            if len(rows) < self._max_rows and not self._spent(len(rows)):
                rows.append({"name": shorten(name), **describe(value, self._look)})
            else:
                kind = class_name(type(value))
                omitted[kind] = omitted.get(kind, 0) + 1
            del value
        return {
            "total": len(visible),
            "rows": rows,
            "omitted": omitted,
            "ms": round((perf_counter() - self._started) * 1_000, 2),
            "over_budget": self._over,
        }

    def _order(self, visible: list[str], recency: Callable[[str], int]) -> list[str]:
        places = {name: place for place, name in enumerate(visible)}
        return sorted(visible, key=lambda name: (recency(name), places[name]), reverse=True)

    def _asked(self, visible: list[str], names: list[str]) -> list[str]:
        known = set(visible)
        return [name for name in names if type(name) is str and name in known]

    def _spent(self, done: int) -> bool:
        if not self._over and done % CHECK_EVERY == 0:
            self._over = perf_counter() - self._started > self._budget
        return self._over
