"""What a look gave, in the model's words."""

from __future__ import annotations

from itertools import groupby

from cave_lab.model.enclosed import enclose
from cave_lab.model.variables_text import describe
from cave_lab.privacy.excerpt import show
from cave_lab.privacy.modes import looked_out
from cave_lab.protocol.content import Looked
from cave_lab.protocol.words import PrivacyMode
from cave_lab.state.values import LookItem

_HELD_BACK = "What it holds is not shared with you (privacy mode `{mode}`)."
_MORE = "look closer, or further on, for more"


def looked_text(look: LookItem, privacy: PrivacyMode) -> str:
    """Tell of each name that was looked at, under the privacy mode in force."""
    groups = groupby(look.answers, key=_only_noted)
    texts: list[str] = []
    for note, answers in groups:
        if note is not None:
            # One reason for several names is told once.
            texts.append(f"{', '.join(answer.name for answer in answers)}\n{note}")
        else:
            texts += [_answer(answer, look, privacy) for answer in answers]
    return enclose("data", "\n".join(texts))


def _only_noted(looked: Looked) -> str | None:
    """The note of an answer that has nothing else."""
    return looked.note if looked.variable is None and looked.text is None else None


def _answer(looked: Looked, look: LookItem, privacy: PrivacyMode) -> str:
    out = looked_out(privacy, look.by, looked)
    lines = [looked.name if out.variable is None else describe(out.variable)]
    if out.note:
        lines.append(out.note)
    if out.text is not None:
        lines.append(show(out.text, _MORE))
    elif looked.text is not None:
        lines.append(_HELD_BACK.format(mode=privacy))
    return "\n".join(lines)
