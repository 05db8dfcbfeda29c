"""Our side of the probe: its requests, and what its answers mean."""

from __future__ import annotations

import logging
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from cave_lab.errors import KernelSilent, ProbeUnavailable
from cave_lab.kernel.inspect import changes_of, looked_of, outside_changes_of
from cave_lab.kernel.message import RUN_REQUEST
from cave_lab.kernel.outputs import clean_text
from cave_lab.kernel.port import Detail, OutsideChanges
from cave_lab.kernel.probe import ProbeOptions, injection_code
from cave_lab.kernel.requests import Requests
from cave_lab.limits import Limits
from cave_lab.privacy.redact import Redactor
from cave_lab.protocol.content import Looked, VariableChange
from cave_lab.protocol.ids import Generation, RunId

log = logging.getLogger(__name__)

_BEYOND = 1 << 53


@dataclass(frozen=True)
class Cancelled:
    """What a cancelled run was when the kernel heard of it."""

    running: bool
    """It runs now."""
    ran: bool
    """It was started before: it runs or has run."""


class Prober:
    """Asks the probe of one life, over the control channel, which answers while a cell runs."""

    def __init__(self, requests: Requests, limits: Limits) -> None:
        self._requests = requests
        self._limits = limits

    async def inject(self, generation: Generation) -> bool:
        """Put the probe in by one silent execute; False if the kernel set the request aside."""
        options = ProbeOptions(generation=generation, hook_budget_ms=self._limits.hook_budget_ms)
        reply = await self._requests.ask(
            "shell", "execute_request", silent_execute(injection_code(options)), seconds=None
        )
        status = reply.get("status")
        if status == "error":
            raise ProbeUnavailable(detail=f"{reply.get('ename')}: {reply.get('evalue')}")
        return status == "ok"

    async def hello(self, seconds: float) -> Generation:
        """The generation that the probe knows; raises KernelSilent or ProbeUnavailable."""
        reply = await self._ask("hello", {}, seconds)
        return Generation(str(reply["generation"]))

    async def cancel(self, run_id: RunId) -> Cancelled:
        """Keep a run from ever starting, if it has not started yet."""
        reply = await self._ask("cancel", {"run_id": run_id}, self._limits.control_seconds)
        return Cancelled(running=reply.get("running") == run_id, ran=bool(reply.get("ran")))

    async def interrupt(self, run_id: RunId) -> bool:
        """Interrupt the run if it is the one that runs; False if it is not."""
        reply = await self._ask("interrupt", {"run_id": run_id}, self._limits.control_seconds)
        return bool(reply.get("interrupted"))

    async def variables(self, names: Sequence[str] | None, *, previews: bool) -> Mapping[str, Any]:
        """The variables as the probe lists them."""
        content: dict[str, Any] = {
            "max_rows": self._limits.variable_rows,
            "max_columns": self._limits.variable_columns,
            "budget_ms": self._limits.probe_budget_ms,
            "previews": previews,
        }
        if names is not None:
            content["names"] = list(names)
        return await self._ask("variables", content, self._limits.probe_seconds)

    async def changes(self, run_id: RunId) -> tuple[list[VariableChange], bool]:
        """What a run did to the variables, and whether that list can be relied on."""
        try:
            reply = await self._ask("changes", {"run_id": run_id}, self._limits.probe_seconds)
            return changes_of(reply), bool(reply.get("known") and reply.get("complete"))
        except (KernelSilent, ProbeUnavailable, ValidationError, KeyError, TypeError) as error:
            log.info("What run %s changed is not known: %r", run_id, error)
            return [], False

    async def changes_since(self, mark: int | None, own: Container[RunId]) -> OutsideChanges:
        """What cells that are no runs of `own` did since a mark; without one only the mark."""
        # No cell has a higher mark than this: nothing is listed, and nothing is lost.
        since = _BEYOND if mark is None else mark
        reply = await self._ask("changes_since", {"mark": since}, self._limits.probe_seconds)
        return outside_changes_of(reply, own)

    async def look(
        self, names: Sequence[str], detail: Detail, *, values: bool, redact: Redactor
    ) -> Sequence[Looked]:
        """Look at some variables as closely as asked; every name gets an answer."""
        content = {
            "names": [clean_text(name) for name in names],
            "kind": detail.kind,
            "column": clean_text(detail.column),
            "start": detail.start,
            "values": values,
            "max_columns": self._limits.variable_columns,
            "max_chars": self._limits.looked_chars,
            "reach": self._limits.look_reach_chars,
            "budget_ms": self._limits.probe_budget_ms,
        }
        reply = await self._ask("look", content, self._limits.probe_seconds)
        return looked_of(reply, names, redact)

    async def _ask(self, name: str, content: dict[str, Any], seconds: float) -> Mapping[str, Any]:
        reply = await self._requests.ask(
            "control", f"cave_lab_{name}_request", content, seconds=seconds
        )
        if reply.get("status") != "ok":
            raise ProbeUnavailable(detail=str(reply.get("reason")))
        return reply


def silent_execute(code: str) -> dict[str, Any]:
    """An execute request that leaves no trace in history and count."""
    return {
        "code": code,
        "silent": True,
        "store_history": False,
        "user_expressions": {},
        "allow_stdin": False,
        "stop_on_error": False,
    }


def run_request(
    run_id: RunId, code: str, generation: Generation | None, *, scratch: bool = False
) -> tuple[str, dict[str, Any]]:
    """The type and content of a run's request; guarded if a generation is given.

    `stop_on_error` would abort the person's own cells behind a failing one of ours.
    """
    content = {
        "code": code,
        "silent": False,
        "store_history": not scratch,
        "user_expressions": {},
        "allow_stdin": True,
        "stop_on_error": False,
    }
    if generation is None:
        return "execute_request", content
    return RUN_REQUEST, {**content, "generation": generation, "run_id": run_id}
