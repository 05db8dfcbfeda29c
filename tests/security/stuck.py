"""A client that stops reading: the websocket by hand, over a socket with a small buffer."""

import asyncio
import base64
import json
import os
import socket
import struct
from typing import Any

from tests.talk import Browser, Frame

CLOSE = 0x8


class StuckReader:
    """Connected as the person's browser; reads only when told to."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._line = socket.socket()
        self._line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._line.setblocking(False)
        self._read = b""

    async def connect(self) -> None:
        """Connect; returns after the upgrade."""
        browser = self._browser
        host, port = browser.host.split(":")
        await self._loop.sock_connect(self._line, (host, int(port)))
        headers = {
            "Host": browser.host,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
            **browser.headers(),
        }
        lines = [f"GET {browser.base_url}cave-lab/channel HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        await self._loop.sock_sendall(self._line, ("\r\n".join(lines) + "\r\n\r\n").encode())
        head = await self._until(b"\r\n\r\n")
        assert b"101" in head.split(b"\r\n")[0], head

    @property
    def _loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    async def send(self, command: dict[str, Any]) -> None:
        """Send a command, masked with zeros, as a client must."""
        text = json.dumps(command).encode()
        assert len(text) < 65_536
        head = struct.pack(">BBH", 0x81, 0x80 | 126, len(text)) + b"\0" * 4
        await self._loop.sock_sendall(self._line, head + text)

    async def rest(self) -> tuple[list[Frame], int | None]:
        """Read to the end: the frames, and the code of the close."""
        frames: list[Frame] = []
        while True:
            kind, body = await self._frame()
            if kind == CLOSE:
                return frames, struct.unpack(">H", body[:2])[0]
            if kind == 0x1:
                frames.append(json.loads(body))

    def close(self) -> None:
        """Hang up."""
        self._line.close()

    async def _frame(self) -> tuple[int, bytes]:
        first, length = await self._exactly(2)
        if length == 126:
            (length,) = struct.unpack(">H", await self._exactly(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", await self._exactly(8))
        return first & 0x0F, await self._exactly(length)

    async def _exactly(self, size: int) -> bytes:
        while len(self._read) < size:
            await self._more()
        found, self._read = self._read[:size], self._read[size:]
        return found

    async def _until(self, mark: bytes) -> bytes:
        while mark not in self._read:
            await self._more()
        found, _, self._read = self._read.partition(mark)
        return found

    async def _more(self) -> None:
        more = await self._loop.sock_recv(self._line, 1 << 20)
        if not more:
            raise ConnectionError("the server cut the line")
        self._read += more
