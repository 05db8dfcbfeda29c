"""Putting the probe into the kernel that runs this text, in place of an older one."""

from __future__ import annotations

import sys
from typing import Any

from cave_lab.kernel.probe.inside.effort import Uncollected
from cave_lab.kernel.probe.inside.guard import Guard
from cave_lab.kernel.probe.inside.ledger import Ledger
from cave_lab.kernel.probe.inside.looking import CloserLook
from cave_lab.kernel.probe.inside.namespace import Namespace
from cave_lab.kernel.probe.inside.plain import instance_dict, loaded
from cave_lab.kernel.probe.inside.requests import Requests
from cave_lab.kernel.probe.inside.still import Stillness
from cave_lab.kernel.probe.inside.variables import Listing
from cave_lab.kernel.probe.inside.watch import Watch

STATE = "_cave_lab"
"""Where the kernel object keeps what outlives one injection."""

NO_KERNEL = (
    "This kernel has no message handlers of ipykernel, so CaveLab can neither see its variables "
    "nor guard its runs. Cells run as plain requests."
)


def find_kernel(frame: Any) -> Any:
    """The kernel that is executing this request, found on the stack and by no name."""
    while frame is not None:
        candidate = frame.f_locals.get("self")
        inside = instance_dict(candidate)
        if inside is not None and "shell_handlers" in inside and "control_handlers" in inside:
            return candidate
        frame = frame.f_back
    raise RuntimeError(NO_KERNEL)


def adopt_state(kernel: Any, options: dict[str, Any]) -> dict[str, Any]:
    """What outlives injections: made by the first one, found by all later ones."""
    inside = instance_dict(kernel)
    assert inside is not None
    state = inside.setdefault(STATE, {})
    state.setdefault("generation", options["generation"])
    for name in ("cancelled", "ran"):
        state.setdefault(name, {})
    state.setdefault("changes", {"mark": 0, "cells": []})
    return state  # type: ignore[no-any-return]


class Probe:
    """All that CaveLab keeps in a kernel: handlers, and the watch on cells."""

    def __init__(self, kernel: Any, options: dict[str, Any]) -> None:
        self._options = options
        self._state = adopt_state(kernel, options)
        self._namespace = Namespace(kernel.shell)
        self._still = Stillness(watched=options["hook"])
        self._ledger = Ledger(self._namespace, options, self._state["changes"], self._still)
        self._watch = Watch(kernel, options["hook"], self._cell_starts, self._cell_ends)
        self._guard = Guard(kernel, self._watch, self._state)
        self._requests = Requests(kernel)

    def install(self) -> None:
        """Take the place of the probe that is there."""
        retire = self._state.get("retire")
        if retire is not None:
            retire()
        answers = {
            "hello": self._hello,
            "cancel": self._guard.cancel,
            "interrupt": self._guard.interrupt,
            "variables": self._variables,
            "look": self._look,
            "changes": self._ledger.changes,
            "changes_since": self._ledger.changes_since,
        }
        for name, answer in answers.items():
            self._requests.answer(name, answer)
        self._requests.take_over("execute", self._guard.execute)
        if self._options["hook"]:
            self._ledger.baseline()
            self._watch.register()
        self._state["retire"] = self._retire

    def _retire(self) -> None:
        self._requests.remove()
        self._watch.unregister()

    def _hello(self, content: dict[str, Any]) -> dict[str, Any]:
        ipykernel = loaded("ipykernel", "__version__")
        return {
            "generation": self._state["generation"],
            "python": ".".join(map(str, sys.version_info[:3])),
            "ipykernel": ipykernel if type(ipykernel) is str else None,
            "hook": self._options["hook"],
            "version": self._options["version"],
        }

    def _variables(self, content: dict[str, Any]) -> dict[str, Any]:
        listing = Listing(self._namespace, content, self._still)
        provenance = self._ledger.provenance
        return listing.answer(content.get("names"), self._ledger.recency, provenance.row)

    def _look(self, content: dict[str, Any]) -> dict[str, Any]:
        return {"answers": CloserLook(self._namespace, content, self._still).answers()}

    # Interrupts are shut out first and let in last, so that none falls into the comparison.

    def _cell_starts(self, message: str, code: str, cell_id: object) -> None:
        if self._options["hook"]:
            try:
                with Uncollected():
                    self._ledger.before(code, cell_id)
            except (Exception, KeyboardInterrupt):
                self._ledger.abandon()
            self._still.cell_starts()
        self._guard.open(message)

    def _cell_ends(self, message: str, ran: bool) -> None:
        self._guard.close(message)
        if self._options["hook"]:
            ours = self._guard.is_ours(message)
            self._still.cell_ends()
            try:
                with Uncollected():
                    self._ledger.after(message, ours, ran)
            except (Exception, KeyboardInterrupt):
                self._ledger.miss(message, ours)


def install(options: dict[str, Any], frame: Any) -> None:
    """Put the probe into the kernel whose request runs this code."""
    kernel = find_kernel(frame)
    if kernel.shell is None:
        raise RuntimeError(NO_KERNEL)
    Probe(kernel, options).install()
