"""What a look gave, in the model's words."""

from __future__ import annotations

from cave_lab.model.enclosed import enclose
from cave_lab.model.variables_text import describe
from cave_lab.privacy.excerpt import show
from cave_lab.privacy.modes import looked_out
from cave_lab.protocol.content import Looked
from cave_lab.protocol.words import PrivacyMode
from cave_lab.state.values import LookItem

_HELD_BACK = "Its values are not shared with you (privacy mode `{mode}`)."


def looked_text(look: LookItem, privacy: PrivacyMode) -> str:
    """Tell of each name that was looked at, under the privacy mode in force."""
    answers = (_answer(looked, look, privacy) for looked in look.answers)
    return enclose("data", "\n".join(answers))


def _answer(looked: Looked, look: LookItem, privacy: PrivacyMode) -> str:
    out = looked_out(privacy, look.by, looked)
    lines = [looked.name if out.variable is None else describe(out.variable)]
    if out.note:
        lines.append(out.note)
    if out.text is not None:
        lines.append(show(out.text))
    elif looked.text is not None:
        lines.append(_HELD_BACK.format(mode=privacy))
    return "\n".join(lines)
