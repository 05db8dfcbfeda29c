"""Divides the room of one look among what it shows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from cave_lab.model.variables_text import describe
from cave_lab.privacy.excerpt import shorter
from cave_lab.protocol.content import Looked, Variable

_LEAST = 200
"""Characters without which nothing is told of a name: its line, and a little of what it holds."""
_CUT = "Cut, as there was little room: look at it alone for more."
_NO_ROOM = "Not shown, as there was no room: look at them by themselves."
_ELLIPSIS = "…"


def shared(answers: Sequence[Looked], room: int) -> list[Looked]:
    """Fit answers into so many characters: those that need less leave their room to the others."""
    shown = _having_room(answers, room)
    answers, more = answers[:shown], answers[shown:]
    allowed: dict[int, int] = {}
    left = room
    for number, at in enumerate(sorted(range(len(answers)), key=lambda at: _size(answers[at]))):
        allowed[at] = min(_size(answers[at]), left // (len(answers) - number))
        left -= allowed[at]
    several = len(answers) + len(more) > 1
    told = [_fitted(one, allowed[at], several=several) for at, one in enumerate(answers)]
    return [*told, *([Looked(name=names_of(more), note=_NO_ROOM)] if more else [])]


def _having_room(answers: Sequence[Looked], room: int) -> int:
    """How many answers can be told at least in short; the first always is."""
    needed = accumulate(min(_size(one), _LEAST) for one in answers)
    return max(1, sum(need <= room for need in needed))


def names_of(answers: Sequence[Looked]) -> str:
    """Name the first of several, and count the others."""
    first = _short(answers[0].name, _LEAST // 2)
    return f"{first} and {len(answers) - 1} more" if len(answers) > 1 else first


def _size(one: Looked) -> int:
    text = len(one.text.head) + len(one.text.tail) if one.text is not None else 0
    line = one.name if one.variable is None else describe(one.variable)
    return len(line) + len(one.note or "") + text


def _fitted(one: Looked, room: int, *, several: bool) -> Looked:
    """What of an answer has room, and how to see the rest."""
    if _size(one) <= room:
        return one
    if one.variable is None and one.text is None:
        return one.model_copy(update={"name": _short(one.name, room // 2)})
    note = " ".join(part for part in (one.note, _CUT if several else None) if part) or None
    name = one.name if one.variable is not None else _short(one.name, room // 2)
    line = (
        None
        if one.variable is None
        else _narrow(one.variable, room if one.text is None else room // 2)
    )
    cut = Looked(name=name, variable=line, values=one.values, note=note)
    if one.text is None:
        return cut
    left = max(_LEAST // 4, room - _size(cut))
    whole = len(one.text.head) + len(one.text.tail) <= left
    return cut.model_copy(update={"text": one.text if whole else shorter(one.text, left)})


def _narrow(variable: Variable, room: int) -> Variable:
    """A variable in a shorter line: with fewer of its columns, and less of what else is said."""
    columns = list(variable.columns or ())
    while columns and len(describe(variable)) > room:
        columns.pop()
        variable = variable.model_copy(update={"columns": columns})
    if len(describe(variable)) > room:
        words = {"summary": variable.summary, "preview": variable.preview}
        short = {key: text and _short(text, room // 4) for key, text in words.items()}
        variable = variable.model_copy(update=short)
    return variable


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else text[:length] + _ELLIPSIS
