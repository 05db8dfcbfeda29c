"""Variables as the probe describes them, made into what the protocol speaks of."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from cave_lab.errors import KernelSilent
from cave_lab.kernel.joining import Joined
from cave_lab.kernel.known_names import KnownNames
from cave_lab.kernel.outputs import clean_json, clean_text
from cave_lab.kernel.port import Detail, OutsideChanges, VariablesSnapshot
from cave_lab.kernel.told_text import told_text
from cave_lab.privacy.redact import Redactor
from cave_lab.protocol.content import Looked, ValueBrief, Variable, VariableChange
from cave_lab.protocol.ids import Generation, RunId

_NO_SUCH = "There is no variable of this name."
_UNREADABLE = "What was found could not be read; the server's log says why."
_OLD = "The kernel does not answer now. This was seen {age} s ago."
_UNSEEN = "The kernel does not answer now, and no variable of this name was last seen in detail."

log = logging.getLogger(__name__)


def variable_of(row: Mapping[str, Any]) -> Variable:
    """One row of the probe; raises ValidationError on what no probe of ours sends."""
    fields = clean_json(row)
    if not isinstance(fields, dict):
        raise TypeError("a row is a mapping")
    columns = fields.get("columns")
    if isinstance(columns, list):
        fields["columns"] = [
            {"name": column[0], "dtype": column[1]}
            for column in columns
            if isinstance(column, list) and len(column) == 2
        ]
    return Variable.model_validate(fields)


def changes_of(reply: Mapping[str, Any]) -> list[VariableChange]:
    """The changes of one cell; raises ValidationError on what no probe of ours sends."""
    return [VariableChange.model_validate(_in_brief(change)) for change in reply["changes"]]


def _in_brief(change: Mapping[str, Any]) -> Mapping[str, Any]:
    """A change with what the protocol tells of its values; the probe remembers more of them."""
    fields = clean_json(change)
    if not isinstance(fields, dict):
        raise TypeError("a change is a mapping")
    for side in ("before", "after"):
        value = fields.get(side)
        if isinstance(value, dict):
            fields[side] = {key: value[key] for key in ValueBrief.model_fields if key in value}
    return fields


def outside_changes_of(reply: Mapping[str, Any], own: Container[RunId]) -> OutsideChanges:
    """What cells changed that are no runs of `own`, each name once.

    A guarded run that is not of `own` is another thread's. A cell that can't be read is lost.
    """
    whole, lost, complete = Joined(), int(reply["lost"]), True
    for cell in reply["cells"]:
        try:
            changes = changes_of(cell)
        except (ValidationError, TypeError):
            log.warning("What a cell changed could not be read; it is only counted.", exc_info=True)
            lost += 1
            continue
        if cell["msg_id"] in own:
            whole.settle(changes)
        else:
            whole.take(changes, "another_thread" if cell["ours"] else "person")
            complete = complete and bool(cell["complete"])
    return OutsideChanges(int(reply["mark"]), whole.changes(), complete, lost)


def snapshot_of(reply: Mapping[str, Any], generation: Generation | None) -> VariablesSnapshot:
    """One answer of the probe; a row that can't be read is counted, not shown."""
    omitted = {str(kind): int(count) for kind, count in dict(reply.get("omitted") or {}).items()}
    variables: list[Variable] = []
    for row in reply["rows"]:
        try:
            variables.append(variable_of(row))
        except (ValidationError, TypeError):
            log.warning("A variable could not be read; it is only counted.", exc_info=True)
            omitted["?"] = omitted.get("?", 0) + 1
    return VariablesSnapshot(generation, variables, int(reply["total"]), omitted)


def looked_of(reply: Mapping[str, Any], names: Sequence[str], redact: Redactor) -> list[Looked]:
    """One answer for each name that was asked for, in that order."""
    answers = {str(answer["name"]): answer for answer in reply["answers"]}
    return [_looked(name, answers.get(name), redact) for name in names]


def _looked(name: str, answer: Mapping[str, Any] | None, redact: Redactor) -> Looked:
    if answer is None:
        return Looked(name=name, note=_NO_SUCH)
    row, text = answer.get("row"), answer.get("text")
    note = answer.get("note")
    try:
        return Looked(
            name=name,
            variable=variable_of(row) if row else None,
            text=told_text(text, redact) if text else None,
            values=bool(answer.get("values")),
            note=None if note is None else clean_text(str(note)),
        )
    except (ValidationError, KeyError, TypeError):
        log.warning("What a look found could not be read.", exc_info=True)
        return Looked(name=name, note=_UNREADABLE)


@dataclass
class LastSeen:
    """The last full look at one life's variables, kept up by what runs changed since."""

    clock: Callable[[], float]
    running: Callable[[], str | None]
    """The cell that runs now."""
    limit: int
    _snapshot: VariablesSnapshot | None = None
    _seen_at: float = 0.0
    _names: KnownNames = field(default_factory=KnownNames)
    _unseen: set[str] = field(default_factory=set)
    """Cells that ran since, of which nobody told what they changed."""

    async def look(
        self,
        ask: Callable[[], Awaitable[VariablesSnapshot]],
        names: Sequence[str] | None,
    ) -> VariablesSnapshot:
        """Ask, or give the last look with its age if the kernel is silent; else KernelSilent."""
        try:
            snapshot = await ask()
        except KernelSilent:
            if self._snapshot is None:
                raise
            return _only(names, replace(self._snapshot, age_seconds=self.clock() - self._seen_at))
        if names is None:
            self._snapshot, self._seen_at = snapshot, self.clock()
            self._names = KnownNames(snapshot.variables, snapshot.total)
            running = self.running()
            self._unseen = set() if running is None else {running}
        return snapshot

    async def look_at(
        self,
        ask: Callable[[], Awaitable[Sequence[Looked]]],
        names: Sequence[str],
        detail: Detail,
    ) -> Sequence[Looked]:
        """Ask, or tell what was last seen if the kernel is silent and no contents are wanted."""
        try:
            return await ask()
        except KernelSilent:
            if self._snapshot is None or detail.kind != "schema":
                raise
            rows = {variable.name: variable for variable in self._snapshot.variables}
            return [self._from_memory(name, rows.get(name)) for name in names]

    def _from_memory(self, name: str, variable: Variable | None) -> Looked:
        age = self.clock() - self._seen_at
        note = _UNSEEN if variable is None else _OLD.format(age=max(1, round(age)))
        return Looked(name=name, variable=variable, note=note)

    def runs(self, cell: str) -> None:
        """A cell began, anybody's."""
        self._unseen.add(cell)

    def note(self, cell: str, changes: Sequence[VariableChange]) -> None:
        """Learn what a run changed."""
        self._unseen.discard(cell)
        self._names.note(changes)

    def lost(self) -> tuple[list[str], int | None]:
        """The names, as many as the limit allows, and how many there were.

        None is said where no variable is known, but nobody has seen that there was none.
        """
        unknown = self._snapshot is None or bool(self._unseen)
        total = self._names.total or (None if unknown else 0)
        return self._names.by_weight()[: self.limit], total


def _only(names: Sequence[str] | None, snapshot: VariablesSnapshot) -> VariablesSnapshot:
    if names is None:
        return snapshot
    wanted = set(names)
    return replace(snapshot, variables=[one for one in snapshot.variables if one.name in wanted])
