"""A closer look at some variables: what they are, and what they hold."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.describe import Look, describe
from cave_lab.kernel.probe.inside.namespace import MISSING, Namespace


class CloserLook:
    """One answer to a request to look."""

    def __init__(self, namespace: Namespace, content: dict[str, Any]) -> None:
        self._namespace = namespace
        self._names = [name for name in content["names"] if type(name) is str]
        self._look = Look(int(content["max_columns"]), False)

    def answers(self) -> list[dict[str, Any]]:
        """An answer for each name that there is."""
        found = []
        for name in self._names:
            value = self._namespace.get(name)
            if value is not MISSING:
                found.append({"name": name, "row": {"name": name, **describe(value, self._look)}})
            del value
        return found
