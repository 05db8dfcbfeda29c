"""Our own sockets to a kernel, read without pause and decoded no further than needed."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Mapping
from typing import Any, Protocol, cast

import zmq
import zmq.asyncio
from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.session import Session

from cave_lab.kernel.long_content import shorten
from cave_lab.kernel.message import Channel, Header, Message
from cave_lab.limits import Limits

log = logging.getLogger(__name__)

_AT_ONCE = 100
"""Messages read in a row before others get the event loop: about 20 ms."""


class Reader(Protocol):
    """Takes what comes in; its methods must not block."""

    def wants(self, header: Header) -> bool:
        """Whether the content of a published message is of any use."""

    def take(self, channel: Channel, message: Message) -> None:
        """Take a message in."""


class Channels(Protocol):
    """A connection to one life of a kernel."""

    def send(
        self,
        channel: Channel,
        message_type: str,
        content: Mapping[str, Any],
        message_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> str:
        """Send a request; returns its `msg_id`."""

    async def serve(self, reader: Reader) -> None:
        """Read until cancelled."""

    async def beats(self, seconds: float) -> bool:
        """Whether the kernel's heartbeat answers within so long."""

    async def can_be_asked(self, seconds: float) -> bool:
        """Whether the kernel has met our stdin within so long: a question to a stranger is lost."""

    def close(self) -> None:
        """Give the connection up; what was not sent yet is dropped."""


class ZmqChannels:
    """The connection to a kernel that this server started.

    It has a session id of its own: of two clients with one id the first would get no replies.
    """

    def __init__(self, client: AsyncKernelClient, session: Session, limits: Limits) -> None:
        self._limits = limits
        self._session = session
        identity = session.bsession
        self._sockets: dict[Channel, zmq.asyncio.Socket] = {
            "iopub": _waiting(client.connect_iopub()),
            "shell": _waiting(client.connect_shell(identity=identity)),
            "control": _waiting(client.connect_control(identity=identity)),
            "stdin": _waiting(_writable_once_met(client, identity)),
        }
        self._client = client
        self._heart: zmq.asyncio.Socket | None = None

    def send(
        self,
        channel: Channel,
        message_type: str,
        content: Mapping[str, Any],
        message_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> str:
        """Send a request; returns its `msg_id`."""
        message = self._session.msg(message_type, dict(content), metadata=dict(metadata or {}))
        if message_id is not None:
            message["msg_id"] = message["header"]["msg_id"] = message_id
        # Not Session.send: it writes past the asyncio socket, and a reply that comes in just then
        # would lie there unnoticed until the next one.
        self._sockets[channel].send_multipart(self._session.serialize(message))
        return str(message["msg_id"])

    async def serve(self, reader: Reader) -> None:
        """Read all four sockets until cancelled."""
        async with asyncio.TaskGroup() as group:
            for channel in self._sockets:
                group.create_task(self._serve(channel, reader))

    async def beats(self, seconds: float) -> bool:
        """Send a beat and wait for its echo; after a miss the socket is made anew."""
        heart = self._heart = self._heart or _waiting(self._client.connect_hb())
        try:
            async with asyncio.timeout(seconds):
                await heart.send(b"ping")
                await heart.recv()
        except TimeoutError:
            heart.close(linger=0)
            self._heart = None
            return False
        return True

    async def can_be_asked(self, seconds: float) -> bool:
        """Wait for the kernel's end of stdin; each channel tries anew on its own every 0.1 s."""
        poller = zmq.asyncio.Poller()
        poller.register(self._sockets["stdin"], zmq.POLLOUT)
        return bool(await poller.poll(round(seconds * 1000)))

    def close(self) -> None:
        """Close the sockets; what was not sent yet is dropped."""
        for socket in self._sockets.values():
            socket.close(linger=0)
        if self._heart is not None:
            self._heart.close(linger=0)

    async def _serve(self, channel: Channel, reader: Reader) -> None:
        socket = self._sockets[channel]
        at_once: zmq.Socket[bytes] = zmq.Socket.shadow(socket.underlying)
        while True:
            frames = await socket.recv_multipart()
            await self._take(channel, frames, reader)
            for _ in range(_AT_ONCE):
                try:
                    frames = at_once.recv_multipart(zmq.NOBLOCK)
                except zmq.Again:
                    break
                await self._take(channel, frames, reader)
            # A socket that always has something ready would never let go of the loop.
            await asyncio.sleep(0)

    async def _take(self, channel: Channel, frames: list[bytes], reader: Reader) -> None:
        try:
            message = await self._read(channel, frames, reader)
            if message is not None:
                reader.take(channel, message)
        except Exception:
            # Whatever a kernel sends, the connection to it must not end by it.
            log.warning("A message on %s can't be read and is left out.", channel, exc_info=True)

    async def _read(self, channel: Channel, frames: list[bytes], reader: Reader) -> Message | None:
        parts = cast(list[bytes], self._session.feed_identities(frames)[1])
        signature, head, parent, _, content = parts[:5]
        header = Header.of(self._session.unpack(head), self._session.unpack(parent))
        if channel == "iopub" and not reader.wants(header):
            return None
        if len(content) <= self._longest(header):
            return Message(header, self._session.deserialize(parts)["content"])
        signed = await asyncio.to_thread(self._session.sign, parts[1:5])
        if self._session.auth is not None and not hmac.compare_digest(signed, signature):
            raise ValueError("a long message is not signed by the kernel")
        return shorten(header, content, self._limits.stream_bytes)

    def _longest(self, header: Header) -> int:
        if header.type in ("display_data", "execute_result", "update_display_data"):
            # A picture is one string without escapes: 10 MB of it decode in 20 ms.
            return max(self._limits.shell_message_bytes, self._limits.run_output_bytes)
        return self._limits.shell_message_bytes


def _writable_once_met(client: AsyncKernelClient, identity: bytes) -> zmq.Socket[Any]:
    """Our stdin; without this a socket can be written to before anyone is at the other end."""
    client.context.setsockopt(zmq.IMMEDIATE, 1)
    try:
        return client.connect_stdin(identity=identity)
    finally:
        client.context.setsockopt(zmq.IMMEDIATE, 0)


def _waiting(socket: zmq.Socket[Any]) -> zmq.asyncio.Socket:
    """The socket as what it is: our context makes sockets that are awaited."""
    if not isinstance(socket, zmq.asyncio.Socket):
        raise TypeError("the client's context is not asynchronous")
    return socket
