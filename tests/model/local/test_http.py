"""One request to this machine, against servers that answer well, badly, too much and never."""

import asyncio
from dataclasses import replace

import pytest

from cave_lab.limits import DEFAULT_LIMITS
from cave_lab.model.local.http import LOOPBACK, Answer, Question, ask
from tests.fakes.local_servers import (
    Behaviour,
    LocalServer,
    dripping,
    endless,
    needs_ipv6,
    raw,
    redirects,
    says,
    silent,
)
from tests.waiting import until

PATIENT = replace(DEFAULT_LIMITS, local_answer_seconds=20.0)
"""Enough for a machine under load: what is to be told apart from silence must not be late."""
SMALL = replace(PATIENT, local_answer_bytes=1_000)
HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNK = b"64\r\n" + b" " * 100 + b"\r\n"


async def answer_of(behaviour: Behaviour, limits=PATIENT) -> Answer | None:
    async with LocalServer(behaviour) as server:
        return await ask(LOOPBACK, server.port, Question("/x"), limits)


@pytest.mark.parametrize(
    "wire",
    [
        HEAD + b"Content-Length: 7\r\n\r\n[1, 23]and more",
        HEAD + b"\r\n[1, 23]",
        b"HTTP/1.0 200 OK\r\n\r\n[1, 23]",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\n4;x=y\r\n 23]\r\n0\r\n\r\n",
    ],
    ids=["by length", "to the end", "old", "in chunks"],
)
async def test_an_answer_is_read_however_it_is_framed(wire):
    answer = await answer_of(raw(wire))
    assert answer is not None
    assert (answer.host, answer.status, answer.json()) == ("127.0.0.1", 200, [1, 23])


@pytest.mark.parametrize(
    "wire",
    [
        b"",
        b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
        b"\x00\xff" * 200,
        b"HTTP/1.1 fine\r\n\r\n{}",
        HEAD + b"Content-Length: 9\r\n\r\n[]",
        HEAD + b"Content-Length: -1\r\n\r\n[]",
        HEAD + b"Content-Length: ten\r\n\r\n[]",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n[]\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n-2\r\n[]\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n",
        HEAD + b"X: y\r\n" * 30_000 + b"\r\n[]",
    ],
    ids=range(11),
)
async def test_what_is_not_a_whole_http_answer_is_none(wire):
    assert await answer_of(raw(wire)) is None


@pytest.mark.parametrize(
    "behaviour",
    [
        endless,
        says(b" " * 1_001),
        raw(HEAD + b"\r\n" + b" " * 1_001),
        raw(HEAD + b"Content-Length: 99999999999\r\n\r\n"),
        raw(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + CHUNK * 11 + b"0\r\n\r\n"),
    ],
    ids=["endless", "length", "to the end", "claimed", "chunks"],
)
async def test_more_than_the_bound_is_no_answer(behaviour):
    assert await answer_of(behaviour, SMALL) is None


async def test_as_much_as_the_bound_is_an_answer():
    answer = await answer_of(says(b" " * 998 + b"[]"), SMALL)
    assert answer is not None
    assert answer.json() == []


@pytest.mark.parametrize(
    "body", [b"<html>", b"", b"\xff", b"[" * 100_000, b"1" * 5_000], ids=range(5)
)
async def test_a_body_that_can_not_be_read_as_json_is_none(body):
    answer = await answer_of(says(body))
    assert answer is not None
    assert answer.json() is None


@pytest.mark.parametrize("behaviour", [silent, dripping], ids=["silent", "dripping"])
async def test_a_server_that_does_not_end_its_answer_is_left_in_time(behaviour):
    soon = replace(DEFAULT_LIMITS, local_answer_seconds=0.3)
    async with LocalServer(behaviour) as server, asyncio.timeout(10):
        assert await ask(LOOPBACK, server.port, Question("/x"), soon) is None
        await until(lambda: server.hung_up == 1, "the end of the connection")


async def test_cancelling_closes_the_connection():
    async with LocalServer(silent) as server:
        asking = asyncio.ensure_future(ask(LOOPBACK, server.port, Question("/x"), PATIENT))
        await until(lambda: server.requests, "the request")
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await until(lambda: server.hung_up == 1, "the end of the connection")


async def test_nobody_there_is_none():
    async with LocalServer(silent) as gone:
        port = gone.port
    assert await ask(LOOPBACK, port, Question("/x"), PATIENT) is None


@needs_ipv6
async def test_the_other_loopback_is_asked_if_nobody_listens_on_the_first():
    async with LocalServer(says(b"[]"), host="::1") as server:
        answer = await ask(LOOPBACK, server.port, Question("/x"), PATIENT)
    assert answer is not None
    assert answer.host == "::1"


async def test_a_redirect_is_an_answer_and_is_not_followed():
    async with LocalServer(says(b"[]")) as elsewhere:
        answer = await answer_of(redirects(elsewhere.url))
        assert answer is not None
        assert (answer.status, answer.json()) == (302, None)
        assert elsewhere.connections == 0
