"""What each cell did to the variables, kept for the last cells."""

from __future__ import annotations

from typing import Any

from cave_lab.kernel.probe.inside.compare import Comparison, Scene, change
from cave_lab.kernel.probe.inside.describe import Look
from cave_lab.kernel.probe.inside.effort import Effort
from cave_lab.kernel.probe.inside.memory import Memory
from cave_lab.kernel.probe.inside.namespace import Namespace
from cave_lab.kernel.probe.inside.prints import Printer
from cave_lab.kernel.probe.inside.provenance import NO_CELL, Provenance, source_of
from cave_lab.kernel.probe.inside.still import Stillness
from cave_lab.kernel.probe.inside.touch import Touched, follow, touched_by

BEFORE_SHARE = 0.4
"""The part of a cell's budget that may be spent before it runs."""

OTHERS_SHARE = 0.2
"""The part that names outside the cell's code may take: it is spent after every cell."""

STRAINED, REST = 2, 16
"""Over budget in so many cells one after the other: names and ids alone for so many cells."""

LISTED = 200
"""Changes that are kept of one cell; a loop that binds 10,000 names needs no list of them."""


class Ledger:
    """Compares around each cell, and answers what changed in which."""

    def __init__(
        self,
        namespace: Namespace,
        options: dict[str, Any],
        kept: dict[str, Any],
        still: Stillness,
    ) -> None:
        self._namespace = namespace
        self._options = options
        self._kept = kept
        self._memory = Memory(namespace)
        self._still = still
        self._recent: dict[str, int] = {}
        self._source = NO_CELL
        self.provenance = Provenance(kept)
        self._strain = 0
        self._rest = 0
        self._touched = Touched()
        self._before: Scene | None = None

    def _printer(self, share: float) -> Printer:
        seconds = share * self._options["hook_budget_ms"] / 1_000
        effort = Effort(seconds, self._options["whole_bytes"], self._options["whole_elements"])
        return Printer(Look(0, False, self._still), effort)

    # ── around a cell

    def baseline(self) -> None:
        """Learn the names that are there when the probe arrives."""
        names = self._namespace.visible()
        self._memory.take_turns(list(names), names, self._printer(1.0))

    def before(self, code: str, cell_id: object) -> None:
        """Remember names, ids and the fingerprints of what the cell can touch."""
        self._before = None
        self._source = source_of(cell_id, code)
        self._touched = touched_by(code)
        follow(self._touched, self._namespace)
        printer = None if self._rest else self._printer(BEFORE_SHARE)
        self._before = Scene(self._namespace, self._memory, self._touched, printer)

    def after(self, message: str, ours: bool, ran: bool) -> None:
        """Compare, and record what changed under the message that ran the cell."""
        before, self._before = self._before, None
        if before is None:
            self.miss(message, ours)
            return
        self._memory.cell += 1
        printer = None if self._rest else self._printer(1 - BEFORE_SHARE)
        after = Scene(self._namespace, self._memory, self._touched, printer)
        changes = Comparison(before, after, self._touched, self._memory, printer).changes()
        changes += self._others(before, after)
        self._memory.forget_all_but(after.names)
        self._note_source(before, after, changes)
        complete = before.complete and after.complete
        self._pace(complete)
        self._record(message, ours, changes, complete and not (ran and self._touched.opaque))

    def _note_source(self, before: Scene, after: Scene, changes: list[dict[str, Any]]) -> None:
        changed = [one["name"] for one in changes if one["kind"] == "changed"]
        named = self._touched.names
        self.provenance.note(self._source, before.names, after.names, changed, named)

    def abandon(self) -> None:
        """Compare nothing around the cell that runs: what was remembered of it is not reliable."""
        self._before = None

    def miss(self, message: str, ours: bool) -> None:
        """Record that a cell ran, and that what it changed is not known."""
        self._record(message, ours, [], False)

    def _others(self, before: Scene, after: Scene) -> list[dict[str, Any]]:
        """Objects outside the cell's code that differ; since which cell is not always known."""
        if self._rest:
            return []
        others = [
            name
            for name, identity in after.names.items()
            if name not in after.seen and before.names.get(name) == identity
        ]
        found = self._memory.take_turns(others, after.names, self._printer(OTHERS_SHARE))
        last = self._memory.cell - 1
        return [
            change(name, "changed" if old.cell >= last else "maybe_changed", old, new)
            for name, old, new in found
        ]

    def _pace(self, complete: bool) -> None:
        """Rest for some cells after several that did not fit the budget."""
        if self._rest:
            self._rest -= 1
            return
        self._strain = 0 if complete else self._strain + 1
        if self._strain >= STRAINED:
            self._strain, self._rest = 0, REST

    def _record(
        self, message: str, ours: bool, changes: list[dict[str, Any]], complete: bool
    ) -> None:
        kept = self._kept
        kept["mark"] += 1
        listed: dict[str, dict[str, Any]] = {}
        for one in changes:
            self._recent[one["name"]] = kept["mark"]
            if len(listed) < LISTED:
                listed.setdefault(one["name"], one)
        kept["cells"].append(
            {
                "mark": kept["mark"],
                "msg_id": message,
                "ours": ours,
                "changes": list(listed.values()),
                "complete": complete and len(changes) <= LISTED,
            }
        )
        del kept["cells"][: -self._options["kept_cells"]]

    # ── questions

    def recency(self, name: str) -> int:
        """The number of the cell that last bound or changed a name; 0 if none is known."""
        return self._recent.get(name, 0)

    def changes(self, content: dict[str, Any]) -> dict[str, Any]:
        """What one cell changed."""
        for cell in reversed(self._kept["cells"]):
            if cell["msg_id"] == content["run_id"]:
                return {"known": True, "changes": cell["changes"], "complete": cell["complete"]}
        return {"known": False, "changes": [], "complete": False}

    def changes_since(self, content: dict[str, Any]) -> dict[str, Any]:
        """What the cells after a mark changed, and the mark of now."""
        since = int(content["mark"])
        cells = [cell for cell in list(self._kept["cells"]) if cell["mark"] > since]
        lost = self._kept["mark"] - since - len(cells)
        return {"mark": self._kept["mark"], "cells": cells, "lost": max(0, lost)}
