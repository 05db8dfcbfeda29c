"""What each privacy mode lets out of the machine; the only place that knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeVar

from cave_lab.privacy.redact import SECRET_NAME
from cave_lab.protocol.content import Looked, OutlineCell, ValueBrief, Variable, VariableChange
from cave_lab.protocol.words import PrivacyMode

Change = TypeVar("Change", bound=VariableChange)


def variables_out(mode: PrivacyMode, variables: Sequence[Variable]) -> list[Variable]:
    """Names, types, shapes, columns and dtypes; previews only in `full`, never of secrets."""
    return [_variable_out(mode, variable) for variable in variables]


def _variable_out(mode: PrivacyMode, variable: Variable) -> Variable:
    if SECRET_NAME.search(variable.name):
        return Variable(name=variable.name, type=variable.type, kind=variable.kind)
    if mode != "full":
        return variable.model_copy(update={"preview": None})
    return variable


def changes_out(changes: Sequence[Change]) -> list[Change]:
    """What cells did to names; of a secret only its type, as in the table."""
    return [
        _change_out(change) if SECRET_NAME.search(change.name) else change for change in changes
    ]


def _change_out(change: Change) -> Change:
    return change.model_copy(
        update={"before": _type_out(change.before), "after": _type_out(change.after)}
    )


def _type_out(value: ValueBrief | None) -> ValueBrief | None:
    return None if value is None else ValueBrief(type=value.type)


_STRICTNESS: tuple[PrivacyMode, ...] = ("full", "standard", "schema")


def no_laxer(made: PrivacyMode, now: PrivacyMode) -> bool:
    """Whether what was made under one mode may leave under another."""
    return _STRICTNESS.index(made) >= _STRICTNESS.index(now)


def previews_wanted(mode: PrivacyMode) -> bool:
    """Whether the kernel is asked for previews at all."""
    return mode == "full"


def values_wanted(mode: PrivacyMode, by: Literal["model", "user"]) -> bool:
    """Whether a look may see values at all: what the person names themselves, and in `full`."""
    return mode == "full" or (mode == "standard" and by == "user")


def looked_out(mode: PrivacyMode, by: Literal["model", "user"], looked: Looked) -> Looked:
    """What leaves of a look: in `schema` what a thing is, else counts too, or its values."""
    variable = None if looked.variable is None else _variable_out(mode, looked.variable)
    hidden = mode == "schema" or (looked.values and not values_wanted(mode, by))
    hidden = hidden or SECRET_NAME.search(looked.name) is not None
    text = None if hidden else looked.text
    return looked.model_copy(update={"variable": variable, "text": text})


def run_output_out(mode: PrivacyMode) -> bool:
    """Whether outputs of CaveLab's own runs leave; else only an error's type and message."""
    return mode != "schema"


def cell_out(mode: PrivacyMode, cell: OutlineCell) -> OutlineCell:
    """Sources in the window always; outputs of the person's cells only in `full`."""
    return cell if mode == "full" else cell.model_copy(update={"output": None})
