"""One HTTP request to this very machine: no proxy, no redirect, no key; a deadline and a bound."""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException, parse_headers
from typing import Any

from cave_lab.limits import Limits

LOOPBACK = ("127.0.0.1", "::1")
USER_AGENT = "CaveLab"

_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})\b")
_PIECE = 65_536
_NO_ANSWER = (OSError, EOFError, ValueError, asyncio.LimitOverrunError, HTTPException)
"""Nobody there, too late, hung up in the middle, too long, or not HTTP."""


@dataclass(frozen=True)
class Question:
    """What is asked: a GET, or a POST of JSON if there is a body."""

    path: str
    body: bytes | None = None


@dataclass(frozen=True)
class Answer:
    """A whole answer, and the address it came from."""

    host: str
    status: int
    body: bytes

    def json(self) -> Any:
        """Read the body of a success; None if it is none, or not JSON."""
        if self.status != 200:
            return None
        with suppress(ValueError, RecursionError):
            return json.loads(self.body)
        return None


async def ask(hosts: Sequence[str], port: int, question: Question, limits: Limits) -> Answer | None:
    """Ask the first of `hosts` that takes the connection; None if no whole answer came in time.

    The deadline holds for everything together, so that a server which drips bytes gains nothing.
    """
    try:
        async with asyncio.timeout(limits.local_answer_seconds):
            host, reader, writer = await _connect(hosts, port)
            try:
                writer.write(_written(host, port, question))
                return await _read(host, reader, limits.local_answer_bytes)
            finally:
                writer.transport.abort()
    except _NO_ANSWER:
        return None


async def _connect(
    hosts: Sequence[str], port: int
) -> tuple[str, asyncio.StreamReader, asyncio.StreamWriter]:
    for host in hosts[:-1]:
        with suppress(ConnectionError):
            return host, *await asyncio.open_connection(host, port)
    return hosts[-1], *await asyncio.open_connection(hosts[-1], port)


def authority(host: str, port: int) -> str:
    """Write an address as it stands in a URL."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _written(host: str, port: int, question: Question) -> bytes:
    body = question.body
    lines = [
        f"{'GET' if body is None else 'POST'} {question.path} HTTP/1.1",
        f"Host: {authority(host, port)}",
        f"User-Agent: {USER_AGENT}",
        "Accept: application/json",
        "Connection: close",
    ]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + (body or b"")


async def _read(host: str, reader: asyncio.StreamReader, most: int) -> Answer:
    first, _, rest = (await reader.readuntil(b"\r\n\r\n")).partition(b"\r\n")
    status = _STATUS.match(first)
    if status is None:
        raise ValueError("no status line")
    body = await _body(reader, parse_headers(io.BytesIO(rest)), most)
    return Answer(host, int(status[1]), body)


async def _body(reader: asyncio.StreamReader, headers: Message, most: int) -> bytes:
    if headers.get("Transfer-Encoding", "").lower() == "chunked":
        return await _chunks(reader, most)
    length = headers.get("Content-Length")
    if length is not None:
        return await reader.readexactly(_within(int(length), most))
    body = bytearray()
    while piece := await reader.read(_PIECE):
        body += piece
        _within(len(body), most)
    return bytes(body)


async def _chunks(reader: asyncio.StreamReader, most: int) -> bytes:
    body = bytearray()
    while size := int((await reader.readline()).partition(b";")[0], 16):
        body += await reader.readexactly(_within(size, most - len(body)))
        await reader.readexactly(2)
    return bytes(body)


def _within(size: int, most: int) -> int:
    if not 0 <= size <= most:
        raise ValueError(f"{size} bytes, more than {most}")
    return size
