"""Drafts: events before the journal has numbered and dated them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, TypedDict

from cave_lab.protocol.events import Event
from cave_lab.protocol.ids import Seq, ThreadId

Draft = Event
"""An event whose stamp is still `DRAFT`: `TextDelta(**DRAFT, turn_id=…, call=…, text=…)`."""


class Stamp(TypedDict):
    """What only the journal's writer gives to an event."""

    seq: Seq
    thread_id: ThreadId
    at: datetime


DRAFT: Final[Stamp] = {
    "seq": Seq(0),
    "thread_id": ThreadId("draft"),
    "at": datetime.fromtimestamp(0, UTC),
}
"""The stamp of a draft: 0 is no number of any event."""


def stamped(draft: Draft, stamp: Stamp) -> Event:
    """Return the event that the draft becomes."""
    return draft.model_copy(update=dict(stamp))
