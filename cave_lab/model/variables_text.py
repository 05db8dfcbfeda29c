"""The kernel's variables in the model's words: all at first, then only what changed."""

from __future__ import annotations

from collections.abc import Sequence

from cave_lab.protocol.content import ValueBrief, Variable, VariableChange
from cave_lab.state.values import VariablesView

_SIGN = {"added": "+", "removed": "-", "rebound": "~", "changed": "~", "maybe_changed": "~?"}


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


def variables_text(now: VariablesView, before: VariablesView | None, limit: int) -> str:
    """The whole table, or the difference to the last time if the memory is the same."""
    if now.unavailable is not None:
        return now.unavailable
    same = before is not None and before.generation == now.generation
    if before is None or before.unavailable is not None or not same:
        lines = [describe(variable) for variable in now.variables[:limit]]
        lost = _lost(now, before)
        return "\n".join([*lost, *(lines or ["no variables"]), *_more(now, limit)])
    return _difference(now, before, limit)


def _lost(now: VariablesView, before: VariablesView | None) -> list[str]:
    if before is None or before.unavailable is not None:
        return []
    here = {variable.name for variable in now.variables}
    gone = [variable.name for variable in before.variables if variable.name not in here]
    names = ", ".join(gone[:20]) or "none that you were shown"
    return [f"The kernel lost its memory since your last message. Gone: {names}."]


def _more(now: VariablesView, limit: int) -> list[str]:
    more = now.total - min(limit, len(now.variables))
    return [f"… {more} more"] if more > 0 else []


def _difference(now: VariablesView, before: VariablesView, limit: int) -> str:
    old = {variable.name: variable for variable in before.variables}
    new = {variable.name: variable for variable in now.variables}
    added = [f"+{describe(value)}" for name, value in new.items() if name not in old]
    changed = [
        f"~{describe(value)}" for name, value in new.items() if name in old and old[name] != value
    ]
    removed = [f"-{name}" for name in old if name not in new] if now.total <= len(new) else []
    lines = [*added, *changed, *removed]
    if not lines:
        return f"names, types and shapes as before ({now.total} variables)"
    rest = len(lines) - limit
    return "\n".join([*lines[:limit], *([f"… {rest} more changes"] if rest > 0 else [])])
