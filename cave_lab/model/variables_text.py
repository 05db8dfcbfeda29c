"""The kernel's variables in the model's words: all at first, then only what changed."""

from __future__ import annotations

from collections.abc import Sequence

from cave_lab.limits import Limits
from cave_lab.protocol.content import ValueBrief, Variable, VariableChange
from cave_lab.state.values import VariablesView

_SIGN = {"added": "+", "removed": "-", "rebound": "~", "changed": "~", "maybe_changed": "~?"}

_NAMES = 20
"""Names of lost variables that the model is told; it may look for others."""


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


def variables_text(now: VariablesView, before: VariablesView | None, limits: Limits) -> str:
    """The whole table, or the difference to the last table that the model was given.

    `before` is that last table; it belongs to another memory if its generation is another.
    """
    lines = [_age(now)] if now.age_seconds > 0 else []
    same = before is not None and before.generation == now.generation
    if now.unavailable is not None:
        gone = [] if same or now.generation is None else _lost(now, before)
        return "\n".join([now.unavailable, *gone])
    if before is not None and same:
        return "\n".join([*lines, *_difference(now, before, limits)])
    table = [describe(variable) for variable in now.variables]
    return "\n".join([*lines, *_lost(now, before), *(_fitting(table, now.total, "", limits))])


def _age(now: VariablesView) -> str:
    return f"(The kernel does not answer; this is what it held {now.age_seconds:.0f} s ago.)"


def _lost(now: VariablesView, before: VariablesView | None) -> list[str]:
    if before is None:
        return []
    here = {variable.name for variable in now.variables}
    gone = [variable.name for variable in before.variables if variable.name not in here]
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
