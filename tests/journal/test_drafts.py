from datetime import UTC, datetime

from cave_lab.journal.drafts import DRAFT, stamped
from cave_lab.protocol.events import decode_event, encode_event
from cave_lab.protocol.ids import Seq, ThreadId
from tests.journal.making import delta


def test_a_stamp_makes_an_event_of_a_draft_and_leaves_the_draft():
    draft = delta("a")
    at = datetime(2026, 2, 3, tzinfo=UTC)
    event = stamped(draft, {"seq": Seq(7), "thread_id": ThreadId("thread-7"), "at": at})
    assert (event.seq, event.thread_id, event.at) == (7, "thread-7", at)
    assert draft.seq == DRAFT["seq"] == 0
    assert decode_event(encode_event(event)) == event
