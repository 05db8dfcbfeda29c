"""Case 7: a frame that is too big closes its connection, and nothing else."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
from tornado.websocket import WebSocketClosedError

from cave_lab.limits import DEFAULT_LIMITS, MIB
from cave_lab.protocol.frames import CLOSE_TOO_BIG
from tests.security.trying import written
from tests.talk import Lab, Person


def frame_of(size: int, thread_id: str) -> str:
    """A well-formed message of so many bytes."""
    command = {"type": "message.send", "command_id": "big", "thread_id": thread_id}
    empty = json.dumps({**command, "content": [{"type": "text", "text": ""}]})
    return empty.replace('"text": ""', f'"text": "{"x" * (size - len(empty))}"')


@pytest.mark.parametrize("size", [DEFAULT_LIMITS.frame_bytes + 1, 2 * MIB])
async def test_a_frame_that_is_too_big_closes_with_1009_and_leaves_no_trace(
    lab: Lab, tmp_path: Path, size: int
) -> None:
    person = await Person.at(lab, {})
    other = await lab.connect()
    before = written(tmp_path / "journal")
    await person.talk.raw(frame_of(size, person.thread_id))
    assert await person.talk.was_closed() == CLOSE_TOO_BIG
    assert written(tmp_path / "journal") == before
    assert len((await other.ask("thread.list"))["threads"]) == 1


async def test_a_far_larger_frame_is_cut_off_and_others_do_not_notice(
    lab: Lab, tmp_path: Path
) -> None:
    person = await Person.at(lab, {})
    other = await lab.connect()
    before = written(tmp_path / "journal")
    with suppress(WebSocketClosedError):
        await person.talk.raw(frame_of(8 * MIB, person.thread_id))
    assert await person.talk.was_closed() in (CLOSE_TOO_BIG, None)
    assert written(tmp_path / "journal") == before
    assert len((await other.ask("thread.list"))["threads"]) == 1


async def test_a_frame_of_the_largest_size_is_read_and_answered(lab: Lab) -> None:
    person = await Person.at(lab, {})
    await person.talk.raw(frame_of(DEFAULT_LIMITS.frame_bytes, person.thread_id))
    reply = await person.talk.reply("big")
    assert reply["code"] == "limit_reached"
