"""Messages are named by their content, and reasoning stands only behind what it was made from."""

import json

from cave_lab.model.port import (
    AssistantMessage,
    CellCall,
    ModelMessage,
    ResultMessage,
    SystemMessage,
    UserMessage,
)
from cave_lab.protocol.ids import BlobId
from cave_lab.thread.naming import Naming

PROMPT, ASKED = SystemMessage("Be brief."), UserMessage("hi")
ACTED = AssistantMessage("So:", CellCall("call_1", "x = 1", "p"), kept="{}")
RESULT = ResultMessage("call_1", "Finished.")


def named(*messages: ModelMessage, behind: list[BlobId] | None = None) -> Naming:
    """Messages with their names; what was kept of `ACTED` was made behind these."""
    naming = Naming()
    naming.add_all(messages, [behind if m is ACTED else None for m in messages])
    return naming


def test_a_message_has_the_same_name_wherever_it_is_told() -> None:
    one, two = named(PROMPT, ASKED), named(PROMPT, ASKED, ACTED)
    assert two.blobs[:2] == one.blobs
    body = json.loads(two.unstored[two.blobs[2]])
    assert (body["role"], body["kept"]) == ("assistant", "{}")


def test_a_message_that_is_stored_is_not_written_again() -> None:
    first = named(PROMPT, ASKED)
    again = Naming(first.named)
    again.add_all([PROMPT, ASKED, RESULT], [None] * 3)
    assert list(again.unstored) == again.blobs[2:]


def test_a_message_that_is_stored_is_known_behind_others_too() -> None:
    first = named(PROMPT, ASKED, ACTED, RESULT)
    again = Naming(first.named)
    again.add_all([PROMPT, UserMessage("ho"), RESULT], [None] * 3)
    assert list(again.unstored) == [again.blobs[1]]
    assert (again.blobs[0], again.blobs[2]) == (first.blobs[0], first.blobs[3])


def test_reasoning_stays_behind_the_messages_it_was_made_from() -> None:
    before = named(PROMPT, ASKED).blobs
    assert named(PROMPT, ASKED, ACTED, behind=before).messages[2] == ACTED


def test_reasoning_is_left_out_behind_any_other_messages() -> None:
    before = named(PROMPT, ASKED).blobs
    changed = named(PROMPT, UserMessage("ho"), ACTED, RESULT, behind=before)
    assert changed.messages[2] == AssistantMessage("So:", ACTED.action)
    assert len(changed.blobs) == 4
    assert named(PROMPT, ACTED, behind=before).messages[1] == AssistantMessage("So:", ACTED.action)


def test_reasoning_behind_one_that_was_left_out_is_left_out_too() -> None:
    later = AssistantMessage("More:", CellCall("call_2", "y", "p"), kept="[]")
    whole = Naming()
    whole.add_all([PROMPT, ASKED, ACTED, RESULT], [None] * 4)
    changed = Naming()
    changed.add_all(
        [PROMPT, UserMessage("ho"), ACTED, RESULT, later],
        [None, None, whole.blobs[:2], None, whole.blobs],
    )
    assert [m.kept for m in changed.messages if isinstance(m, AssistantMessage)] == [None, None]
