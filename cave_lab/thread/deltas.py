"""Joins deltas that follow each other, so that a fast stream makes few events."""

from __future__ import annotations

from cave_lab.journal.drafts import Draft
from cave_lab.protocol.run_events import OutputAppended
from cave_lab.protocol.thread_events import ActionDelta, ReasoningDelta, TextDelta


def join(first: Draft, second: Draft) -> Draft | None:
    """Make one draft of two that continue each other; None if they don't."""
    if type(first) is not type(second) or _stream(first) != _stream(second):
        return None
    match first, second:
        case TextDelta(text=old), TextDelta(text=new):
            return first.model_copy(update={"text": old + new})
        case ReasoningDelta(text=old), ReasoningDelta(text=new):
            return first.model_copy(update={"text": old + new})
        case ActionDelta(delta=old), ActionDelta(delta=new):
            return first.model_copy(update={"delta": old + new})
        case OutputAppended(text=old), OutputAppended(text=new):
            return first.model_copy(update={"text": old + new})
        case _:
            return None


def _stream(draft: Draft) -> tuple[object, ...]:
    """What a delta continues."""
    match draft:
        case TextDelta() | ReasoningDelta():
            return draft.turn_id, draft.call
        case ActionDelta():
            return (draft.run_id,)
        case OutputAppended():
            return draft.run_id, draft.index, draft.late
        case _:
            return ()
