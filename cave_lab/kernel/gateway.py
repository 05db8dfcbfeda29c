"""The connection to a kernel behind a Jupyter gateway: one websocket instead of sockets of its own.

Jupyter's own `GatewayKernelClient` shows the gateway no token when it connects, gives up when the
kernel says nothing for a while and has nothing to wait on; so this speaks for itself, with the
settings of Jupyter's `GatewayClient`.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import quote

from jupyter_client.jsonutil import json_default
from jupyter_client.session import Session
from jupyter_server.gateway import connections
from jupyter_server.gateway.gateway_client import GatewayClient

from cave_lab.kernel.channels import Reader
from cave_lab.kernel.message import Channel, Header, Message
from cave_lab.limits import Limits

log = logging.getLogger(__name__)

_jupyters = cast(Any, connections)
"""Brings along what Jupyter's own connection to a gateway is made with; it waits on our loop, for
a thread that waits for each kernel would soon use up the server's threads."""


class GatewayChannels:
    """Implements `Channels`. What comes in is decoded whole: the gateway bounds it, not we."""

    def __init__(self, kernel_id: str, limits: Limits) -> None:
        self._kernel_id = kernel_id
        self._limits = limits
        self._session = Session()
        self._connected: asyncio.Future[Any] | None = None
        self._outgoing: asyncio.Queue[str] = asyncio.Queue()

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
        message["channel"] = channel
        if message_id is not None:
            message["msg_id"] = message["header"]["msg_id"] = message_id
        self._outgoing.put_nowait(json.dumps(message, default=json_default))
        return str(message["msg_id"])

    async def serve(self, reader: Reader) -> None:
        """Connect, then read until cancelled; a ConnectionError in a group says that it broke."""
        self._connected = _connect(self._kernel_id, self._limits)
        # A connection that comes after all would never be closed if it were cancelled here.
        socket = await asyncio.shield(self._connected)
        async with asyncio.TaskGroup() as group:
            group.create_task(self._write(socket))
            await self._read(socket, reader)

    async def _write(self, socket: Any) -> None:
        while True:
            text = await self._outgoing.get()
            try:
                await socket.write_message(text)
            except _jupyters.tornado_websocket.WebSocketClosedError as error:
                raise ConnectionError("the connection to the gateway broke") from error

    async def _read(self, socket: Any, reader: Reader) -> None:
        while True:
            text = await socket.read_message()
            if text is None:
                raise ConnectionError("the gateway closed the connection to the kernel")
            try:
                _take(json.loads(text), reader)
            except Exception:
                # Whatever a kernel sends, the connection to it must not end by it.
                log.warning("A message can't be read and is left out.", exc_info=True)

    async def beats(self, seconds: float) -> bool:
        """A gateway passes no heartbeat on; its connection speaks for the kernel."""
        await asyncio.sleep(seconds)
        return True

    async def can_be_asked(self, seconds: float) -> bool:
        """The gateway's own connection takes the kernel's questions; it can't be asked about it."""
        return True

    def close(self) -> None:
        """Close the websocket, or the one that is about to open."""
        if self._connected is not None:
            self._connected.add_done_callback(_hang_up)


def _connect(kernel_id: str, limits: Limits) -> asyncio.Future[Any]:
    gateway = cast(Any, GatewayClient.instance())
    url = "/".join(
        (
            gateway.ws_url.rstrip("/"),
            gateway.kernels_endpoint.strip("/"),
            quote(kernel_id),
            "channels",
        )
    )
    connected: asyncio.Future[Any] = _jupyters.tornado_websocket.websocket_connect(
        _jupyters.HTTPRequest(url, **gateway.load_connection_args()),
        max_message_size=limits.gateway_message_bytes,
    )
    return connected


def _take(raw: Mapping[str, Any], reader: Reader) -> None:
    header = Header.of(raw["header"], raw.get("parent_header") or {})
    channel: Channel = raw["channel"]
    if channel != "iopub" or reader.wants(header):
        reader.take(channel, Message(header, raw.get("content") or {}))


def _hang_up(connected: asyncio.Future[Any]) -> None:
    if not connected.cancelled() and connected.exception() is None:
        connected.result().close()
