"""The kernel's variables in the model's words: all at first, then only what changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cave_lab.limits import Limits
from cave_lab.protocol.content import ValueBrief, Variable, VariableChange
from cave_lab.protocol.ids import Generation
from cave_lab.state.values import VariablesView

_SIGN = {"added": "+", "removed": "-", "rebound": "~", "changed": "~", "maybe_changed": "~?"}

_NAMES = 20
"""Names of lost variables that the model is told, its own latest first; it may look for others."""


def describe(variable: Variable) -> str:
    """One variable in one line."""
    text = f"{variable.name}: {variable.type}"
    if variable.shape is not None:
        text += " " + "×".join(str(size) for size in variable.shape)
    elif variable.length is not None:
        text += f" of {variable.length}"
    if variable.dtype is not None:
        text += f" {variable.dtype}"
    if variable.columns:
        shown = ", ".join(f"{column.name} {column.dtype}" for column in variable.columns)
        more = (variable.columns_total or 0) - len(variable.columns)
        text += f" [{shown}{f', … {more} more columns' if more > 0 else ''}]"
    if variable.summary:
        text += f" ({variable.summary})"
    if variable.preview is not None:
        text += f" = {variable.preview}"
    return text


def brief(value: ValueBrief | None) -> str:
    """A value in a few words."""
    if value is None:
        return ""
    if value.shape is not None:
        return f"{value.type} {'×'.join(str(size) for size in value.shape)}"
    if value.length is not None:
        return f"{value.type} of {value.length}"
    return value.type


def changes_text(changes: Sequence[VariableChange]) -> str:
    """What a run did to variables, as `+monthly (DataFrame 12×2) ~df`."""
    return " ".join(_change(change) for change in changes)


def _change(change: VariableChange) -> str:
    after = brief(change.after)
    return f"{_SIGN[change.kind]}{change.name}" + (f" ({after})" if after else "")


Names = Mapping[str, Generation | None]
"""The variables that the model knows of and the memory that each was in, the newest first."""


def names_of(table: VariablesView) -> Names:
    """The names that are known once a table was told."""
    return {variable.name: table.generation for variable in table.variables}


def names_after(
    known: Names, changes: Sequence[VariableChange], generation: Generation | None
) -> Names:
    """The names that are known once the model was told what a run did."""
    changed = {change.name for change in changes}
    made = {change.name: generation for change in changes if change.kind != "removed"}
    return made | {name: memory for name, memory in known.items() if name not in changed}


def variables_text(
    now: VariablesView, before: VariablesView | None, known: Names, limits: Limits
) -> str:
    """The whole table, or the difference to the last table that the model was given.

    `before` is that last table; it belongs to another memory if its generation is another. All
    that is `known` of other memories than this is told to be gone.
    """
    lines = [_age(now)] if now.age_seconds > 0 else []
    lines += _theirs(now)
    lost = _lost(now, before, known)
    if now.unavailable is not None:
        return "\n".join([now.unavailable, *lost])
    if before is not None and before.generation == now.generation:
        return "\n".join([*lines, *lost, *_difference(now, before, limits)])
    table = [describe(variable) for variable in now.variables]
    return "\n".join([*lines, *lost, *(_fitting(table, now.total, "", limits))])


def _age(now: VariablesView) -> str:
    return f"(The kernel does not answer; this is what it held {now.age_seconds:.0f} s ago.)"


def _theirs(now: VariablesView) -> list[str]:
    lines = []
    if now.changes:
        lines.append(f"Changed by the person's own cells meanwhile: {changes_text(now.changes)}")
    if now.changes_lost:
        lines.append(f"What {now.changes_lost} more of their cells changed is not known.")
    return lines


def _lost(now: VariablesView, before: VariablesView | None, known: Names) -> list[str]:
    this = (None, now.generation)
    former = {name for name, memory in known.items() if memory not in this}
    another = before is not None and before.generation not in this
    if now.generation is None or not (former or another):
        return []
    here = {variable.name for variable in now.variables}
    gone = [name for name in known if name in former and name not in here]
    names = ", ".join(gone[:_NAMES]) or "none of those you were shown"
    more = f" and {len(gone) - _NAMES} more" if len(gone) > _NAMES else ""
    return [f"The kernel lost its memory since the last table. Gone: {names}{more}."]


def _fitting(lines: Sequence[str], total: int, what: str, limits: Limits) -> list[str]:
    """As many lines as the budget has room for, at least one, and how many there are besides."""
    if not lines:
        return ["no variables"] if total == 0 else [f"… {total} variables, not described"]
    kept: list[str] = []
    left = limits.model_variables_chars
    for line in lines[: limits.model_variables]:
        short = line if len(line) <= left else line[: max(left, 200)] + "…"
        if kept and len(line) > left:
            break
        kept.append(short)
        left -= len(short)
    more = total - len(kept)
    return [*kept, *([f"… {more} more{what}"] if more > 0 else [])]


def _difference(now: VariablesView, before: VariablesView, limits: Limits) -> list[str]:
    old = {variable.name: variable for variable in before.variables}
    new = {variable.name: variable for variable in now.variables}
    added = [f"+{describe(value)}" for name, value in new.items() if name not in old]
    changed = [
        f"~{describe(value)}" for name, value in new.items() if name in old and old[name] != value
    ]
    removed = [f"-{name}" for name in old if name not in new] if now.total <= len(new) else []
    lines = [*added, *changed, *removed]
    if not lines:
        return [f"names, types and shapes as before ({now.total} variables)"]
    return _fitting(lines, len(lines), " changes", limits)
