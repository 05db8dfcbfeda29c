"""Why a call that can't be shortened any more is too long, and what to do about it."""

from __future__ import annotations

from typing import Literal

from cave_lab import errors
from cave_lab.model.looked_text import looked_text
from cave_lab.model.messages import parts_text
from cave_lab.state.values import LookItem, SteerItem, ThreadState
from cave_lab.thread.context import Context

Cause = Literal["words", "named", "beside"]
"""What fills a question: the person's words, what they named, or the notebook and its variables."""

_LONG: dict[Cause, str] = {
    "words": "Your message alone is too long for this model: about {tokens:,} tokens.",
    "named": "What your message names with @ is too long for this model: about {tokens:,} tokens.",
    "beside": "The notebook and the variables beside your message are too long for this model: "
    "about {tokens:,} tokens.",
}
_NEXT: dict[Cause, str] = {
    "words": "Shorten it, or save the text in a file and name that; or choose a model with a "
    "larger window.",
    "named": "Name fewer of them at once, or choose a model with a larger window.",
    "beside": "Choose a model with a larger window; or, if its window is smaller than the model "
    "settings say, set it there, and less is told beside a message.",
}


def too_long(
    state: ThreadState, context: Context, error: errors.ContextTooLong
) -> errors.ContextTooLong:
    """Name the cause if it is the question; else the error as it is."""
    asked = [at for at, place in enumerate(context.places) if at and place.call < 0]
    tokens = context.weights[asked[-1] - 1].tokens if asked else 0
    if tokens < context.tokens // 2:
        return error
    parts = _parts(state, context.request.messages[asked[-1]].text)
    cause = max(parts, key=lambda each: parts[each])
    share = parts[cause] / max(1, sum(parts.values()))
    long = _LONG[cause].format(tokens=round(tokens * share))
    return errors.ContextTooLong(f"{long} {errors.UNCHANGED} {_NEXT[cause]}", detail=error.detail)


def _parts(state: ThreadState, question: str) -> dict[Cause, int]:
    """The bytes of each part of the running turn's question: tokens go rather by these."""
    turn = state.turns[-1]
    steers = [parts_text(item.content) for item in turn.items if isinstance(item, SteerItem)]
    looks = [item for item in turn.items if isinstance(item, LookItem) and item.by == "user"]
    words = sum(map(_bytes, [parts_text(turn.content), *steers]))
    named = sum(_bytes(looked_text(look, state.privacy)) for look in looks)
    return {"words": words, "named": named, "beside": max(0, _bytes(question) - words - named)}


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
