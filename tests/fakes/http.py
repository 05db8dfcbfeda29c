"""As much HTTP/1.1 as a fake server needs, on asyncio streams."""

import asyncio
import json
import socket
import struct
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any


@dataclass(frozen=True)
class HttpRequest:
    """A request with its whole body; header names in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """Read the body; None if there is none."""
        return json.loads(self.body) if self.body else None


async def read_request(reader: asyncio.StreamReader) -> HttpRequest | None:
    """Read one request, or None if the client only opened the connection."""
    line = await reader.readline()
    if not line:
        return None
    method, path, _ = line.decode().split(" ", 2)
    headers: dict[str, str] = {}
    while (line := await reader.readline()).strip():
        name, _, value = line.decode().partition(":")
        headers[name.strip().lower()] = value.strip()
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return HttpRequest(method, path, headers, body)


class HttpAnswer:
    """The answer to one request; the connection is closed behind it, or kept for the next one."""

    def __init__(self, writer: asyncio.StreamWriter, *, keep_alive: bool = False) -> None:
        self._writer = writer
        self._connection = "keep-alive" if keep_alive else "close"
        self.begun = False
        self.complete = False

    async def whole(
        self,
        status: int,
        body: bytes,
        content_type: str = "application/json",
        headers: dict[str, str] | None = None,
    ) -> None:
        """Send a complete answer."""
        length = {"Content-Length": str(len(body))}
        await self._head(status, {"Content-Type": content_type, **length, **(headers or {})})
        await self._send(body)
        self.complete = True

    async def json(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        """Send JSON."""
        await self.whole(status, json.dumps(body).encode(), headers=headers)

    async def begin_events(self) -> None:
        """Send the head of an event stream, once."""
        if not self.begun:
            headers = {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"}
            await self._head(200, headers)

    async def event(self, data: str) -> None:
        """Send one event."""
        await self.raw(f"data: {data}\n\n")

    async def raw(self, text: str) -> None:
        """Send one chunk of the stream as it is."""
        await self.begin_events()
        data = text.encode()
        await self._send(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    async def end_events(self) -> None:
        """End the stream as HTTP wants it."""
        await self.begin_events()
        await self._send(b"0\r\n\r\n")
        self.complete = True

    def drop(self) -> None:
        """Close without another byte."""
        self._writer.close()

    def reset(self) -> None:
        """Close with a TCP reset."""
        raw: socket.socket = self._writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()

    async def _head(self, status: int, headers: dict[str, str]) -> None:
        self.begun = True
        lines = [f"HTTP/1.1 {status} {_phrase(status)}", f"Connection: {self._connection}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        await self._send("\r\n".join([*lines, "", ""]).encode())

    async def _send(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Overloaded"
