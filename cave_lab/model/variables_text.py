"""The kernel's variables in the model's words: all at first, then only what changed."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from cave_lab.limits import Limits
from cave_lab.protocol.content import Outline, ValueBrief, Variable, VariableChange
from cave_lab.protocol.ids import Generation
from cave_lab.state.values import VariablesView

_SIGN = {"added": "+", "removed": "-", "rebound": "~", "changed": "~", "maybe_changed": "~?"}

_BY = {
    "person": "the person's own cells",
    "another_thread": "runs of another thread",
    "both": "the person's own cells and runs of another thread",
}

_NAMES = 20
"""Names of lost variables that the model is told, its own latest first; it may look for others."""


def describe(variable: Variable) -> str:
    """One variable in one line."""
    text = f"{_plain(variable.name)}: {variable.type}"
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


def _plain(name: str) -> str:
    """A name on one line, whatever it holds."""
    return name if name.isprintable() else ascii(name)


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
    return f"{_SIGN[change.kind]}{_plain(change.name)}" + (f" ({after})" if after else "")


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


@dataclass(frozen=True)
class Table:
    """The variables at one moment, with the line that tells of each, by its name."""

    seen: VariablesView
    lines: Mapping[str, str]

    @classmethod
    def of(
        cls,
        seen: VariablesView,
        outline: Outline | None,
        new: Container[str] = (),
        met: Container[str] = (),
    ) -> Table:
        """Describe variables; against a whole outline, whether the cell of each is as it was.

        Cells that are `new` to the outline are not looked for in it. Only a cell that was once
        `met` in the notebook can be gone from it: others are of a console or of another notebook.
        """
        cells = None
        if outline is not None and outline.total == len(outline.cells):
            cells = {cell.cell_id: cell.sha256 for cell in outline.cells}

        def marked(variable: Variable) -> str:
            unknown = cells is None or variable.cell_id is None or variable.cell_id in new
            return "" if unknown else _mark(variable, cells or {}, met)

        return cls(seen, {each.name: describe(each) + marked(each) for each in seen.variables})


def _mark(variable: Variable, cells: Mapping[str, str], met: Container[str]) -> str:
    """Say if the notebook no longer shows how a variable came to be."""
    now = cells.get(variable.cell_id or "")
    if now is None:
        copied = variable.cell_sha256 in cells.values()
        return " (its cell is gone)" if variable.cell_id in met and not copied else ""
    edited = variable.cell_sha256 is not None and now != variable.cell_sha256
    return " (its cell was edited since)" if edited else ""


def variables_text(now: Table, before: Table | None, known: Names, limits: Limits) -> str:
    """The whole table, or the difference to the last table that the model was given.

    `before` is that last table; it belongs to another memory if its generation is another. All
    that is `known` of other memories than this is told to be gone.
    """
    seen, last = now.seen, before.seen if before is not None else None
    lines = [_age(seen)] if seen.age_seconds > 0 else []
    lost = _lost(seen, last, known)
    if seen.unavailable is not None:
        return "\n".join([seen.unavailable, *lost])
    if before is None or before.seen.generation != seen.generation:
        table = _fitting(list(now.lines.values()), seen.total, "", limits)
        return "\n".join([*lines, *_outside(seen, (), limits), *lost, *table])
    new = _difference(now, before, known)
    told = [*lines, *_outside(seen, new, limits), *lost]
    if not new:
        return "\n".join([*told, f"names, types and shapes as before ({seen.total} variables)"])
    return "\n".join([*told, *_fitting(list(new.values()), len(new), " changes", limits)])


def _age(now: VariablesView) -> str:
    return f"(The kernel does not answer; this is what it held {now.age_seconds:.0f} s ago.)"


def _outside(now: VariablesView, told: Container[str], limits: Limits) -> list[str]:
    """What cells outside the thread did to names that no other line tells of."""
    lines = []
    changes = [change for change in now.changes if change.name not in told]
    for by, whose in _BY.items():
        theirs = [change for change in changes if change.by == by]
        shown = changes_text(theirs[: limits.model_variables])
        more = len(theirs) - limits.model_variables
        rest = f" … {more} more" if more > 0 else ""
        lines += [f"Changed by {whose} meanwhile: {shown}{rest}"] if theirs else []
    if not now.changes_complete:
        lines.append("Cells that ran meanwhile may have changed more than is told here.")
    if now.changes_lost:
        lines.append(f"What {now.changes_lost} more cells changed is not known.")
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


def _difference(now: Table, before: Table, known: Names) -> dict[str, str]:
    """The lines that are new, and names that are gone, by name; of what others did it is said.

    A name that a run of the model's own made is no news, only what its result did not tell of it.
    """
    old, new = before.lines, now.lines
    # In order: the same talk must give the same text each time.
    made = dict.fromkeys(
        name for name, memory in known.items() if memory == now.seen.generation and name not in old
    )
    hands = {change.name: f", by {_BY[change.by]}" for change in now.seen.changes}
    by = {name: hands.get(name, "") for name in [*new, *old, *made]}
    added = {name: f"+{line}{by[name]}" for name, line in new.items() if name not in {*old, *made}}
    changed = {
        name: f"~{line}{by[name]}"
        for name, line in new.items()
        if (name in old and old[name] != line) or (name in made and name in hands)
    }
    described = {
        each.name: new[each.name]
        for each in now.seen.variables
        if each.name in made and each.name not in hands and _says_more(each, new[each.name])
    }
    whole = now.seen.total <= len(new)
    gone = {
        name: f"-{_plain(name)}{by[name]}" for name in [*old, *made] if whole and name not in new
    }
    return {**added, **changed, **described, **gone}


def _says_more(variable: Variable, line: str) -> bool:
    """Whether a line tells more than a result, which names type and size."""
    told = (variable.columns, variable.dtype, variable.summary, variable.preview)
    return any(told) or line != describe(variable)
