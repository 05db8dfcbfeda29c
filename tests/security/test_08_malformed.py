"""Case 8: what is no command is rejected with a code; the connection stays, until it is abuse."""

import json
from pathlib import Path
from typing import Any

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.protocol.frames import CLOSE_ABUSE
from tests.security.trying import written
from tests.talk import Lab, Talk

ID = "11111111-2222-3333-4444-555555555555"


def command(**fields: Any) -> str:
    """A command that lists threads, with more or other fields."""
    return json.dumps({"type": "thread.list", "command_id": ID, **fields})


OPEN = {"type": "thread.open", "thread_id": "thread-1"}

MALFORMED: dict[str, str | bytes] = {
    "not UTF-8": b'{"type": "thread.list", "command_id": "\xff\xfe"}',
    "not JSON": "thread.list please",
    "no object": '["thread.list"]',
    "empty": "",
    "unknown type": command(type="thread.explode"),
    "a type that is no text": command(type={"a": 1}),
    "no type": json.dumps({"command_id": ID}),
    "an extra field": command(may_approve=True),
    "an extra field as long as the frame": command(**{"x" * 900_000: 1}),
    "JSON 10,000 deep": '{"type": "thread.list", "command_id": "1", "path": ' + "[" * 10_000,
    "objects 10,000 deep": '{"path": ' * 10_000 + "1" + "}" * 10_000,
    "NaN": command(**OPEN).replace('"thread.open"', '"thread.open", "from_seq": NaN'),
    "infinity": command(**OPEN).replace('"thread.open"', '"thread.open", "from_seq": Infinity'),
    "a sequence number of 2^63": command(**OPEN, from_seq=2**63),
    "a sequence number below 0": command(**OPEN, from_seq=-1),
    "half a surrogate pair": command(path="\ud800"),
    "a number of 5,000 digits": command(**OPEN).replace('"thread-1"', "1" * 5_000),
    "an id that is a path": command(**{**OPEN, "thread_id": "../../etc/passwd"}),
    "200,000 wrong parts": command(type="message.send", thread_id="t", content=[{}] * 200_000),
    "a mode that is none": command(type="thread.change", thread_id="t", mode="guarded-not"),
}


@pytest.mark.parametrize("what", MALFORMED)
async def test_what_is_no_command_is_rejected_and_the_connection_stays(
    lab: Lab, tmp_path: Path, what: str
) -> None:
    talk = await lab.connect()
    before = written(tmp_path / "journal")
    frame = MALFORMED[what]
    await talk.raw(frame, binary=isinstance(frame, bytes))
    rejected = await talk.saw(lambda f: f["type"] == "command.rejected", "a rejection")
    assert rejected["code"] == "invalid_command"
    assert rejected["command_id"] in (ID, None)
    assert len(rejected["message"]) < 500
    assert says_nothing_of_us(talk)
    assert (await talk.ask("thread.list"))["threads"] == []
    assert written(tmp_path / "journal") == before


async def test_a_broken_command_is_answered_under_its_own_id(lab: Lab) -> None:
    talk = await lab.connect()
    await talk.raw(command(nonsense=1))
    assert (await talk.reply(ID))["code"] == "invalid_command"


async def test_fifty_such_frames_in_ten_seconds_close_the_connection(lab: Lab) -> None:
    talk, other = await lab.connect(), await lab.connect()
    for _ in range(DEFAULT_LIMITS.bad_frames - 1):
        await talk.raw("no command")
    assert (await talk.ask("thread.list"))["threads"] == []
    await talk.raw("no command")
    assert await talk.was_closed() == CLOSE_ABUSE
    assert (await other.ask("thread.list"))["threads"] == []


async def test_text_that_is_not_utf8_cuts_the_line_and_no_one_elses(lab: Lab) -> None:
    """A text frame must be UTF-8: that is the websocket's own rule."""
    talk, other = await lab.connect(), await lab.connect()
    protocol: Any = talk.socket.protocol
    await protocol._write_frame(True, 0x1, b"\xff\xfe\xfd")
    await talk.was_closed()
    assert (await other.ask("thread.list"))["threads"] == []


async def test_our_own_failure_is_told_as_a_sentence_and_its_traceback_only_to_the_log(
    lab: Lab, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = await lab.connect()
    domain = await lab.domain()

    async def fail(*_: Any) -> None:
        raise RuntimeError("secret of the inside")

    monkeypatch.setattr(domain.threads, "list", fail)
    reply = await talk.reply(await talk.send("thread.list"))
    assert reply["code"] == "internal_error"
    assert says_nothing_of_us(talk)
    assert "secret of the inside" in caplog.text


def says_nothing_of_us(talk: Talk) -> bool:
    """Whether no frame holds a traceback, a path or a class of ours."""
    heard = json.dumps(talk.frames)
    leaks = ("Traceback", "/cave_lab/", "site-packages", "pydantic", "secret of the inside")
    return not any(leak in heard for leak in leaks)
